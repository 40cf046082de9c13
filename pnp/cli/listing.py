"""`pnp list`: every component with its options."""

from __future__ import annotations

import click

from pnp.games import component, names
from pnp.options import COMMON, Option


@click.command(
    "list", epilog="\b\nExamples:\n  pnp list\n  pnp list | less\n  pnp build hex --help"
)
def command() -> None:
    """Show every component with its options.

    The options of one component alone, with the common ones: pnp build NAME --help
    """
    formatter = click.HelpFormatter(max_width=100, width=_width())
    for name in names():
        found = component(name)
        own = [o for o in found.options if o.name not in {c.name for c in COMMON}]
        formatter.write(f"{name}: {found.help}\n")
        formatter.indent()
        if own:
            formatter.write_dl([_row(option) for option in own])
        formatter.dedent()
        formatter.write("\n")
    formatter.write("All of them take:\n")
    formatter.indent()
    formatter.write_dl([_row(option) for option in COMMON])
    click.echo(formatter.getvalue(), nl=False)


def _width() -> int:
    import shutil

    return min(100, max(60, shutil.get_terminal_size((100, 24)).columns))


def _row(option: Option) -> tuple[str, str]:
    default = option.shown_default()
    text = f"{option.help} [default: {default}]" if default else option.help
    if option.kind == "flag":
        return f"--{option.name} / --no-{option.name}", text
    return f"--{option.name} {option.shown_metavar()}", text
