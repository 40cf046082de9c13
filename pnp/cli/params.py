"""Options as click parameters, and the help that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import click

from pnp import terminal
from pnp.errors import PnpError
from pnp.games import Component
from pnp.options import COMMON, Option, Value
from pnp.terminal import Completes


class OptionParameter(click.Option):
    """One Option on the command line. Values stay text: `Option.parse` types them for each
    component.
    """

    def __init__(self, option: Option) -> None:
        text = option.help
        if option.shown_default():
            text += f" [default: {option.shown_default()}]"
        if option.kind == "flag":
            super().__init__(
                [f"--{option.name}/--no-{option.name}", option.name.replace("-", "_")],
                default=None,
                help=text,
            )
            return
        super().__init__(
            [f"--{option.name}"],
            multiple=option.kind == "counts",
            metavar=option.shown_metavar(),
            help=text,
            shell_complete=_completes(option),
        )


def _completes(option: Option) -> Completes:
    """Return what the shell completes the option's value by."""
    if option.name == "theme":
        from pnp.themes import NAMES

        return terminal.words(*NAMES)
    if option.name == "paper":
        from pnp.paper import PAPERS

        return terminal.words(*PAPERS)
    if option.kind == "file":
        return terminal.files
    return terminal.words(*option.choices, *(name for name, _ in option.names))


def parameters(options: Iterable[Option]) -> list[click.Option]:
    """Return click options for these options."""
    return [OptionParameter(option) for option in options]


def own_options(components: Sequence[Component]) -> dict[str, Option]:
    """Return all options that only components have, by name; the first one that has it gives the
    help.
    """
    common = {option.name for option in COMMON}
    found: dict[str, Option] = {}
    for component in components:
        for option in component.options:
            if option.name not in common:
                found.setdefault(option.name, option)
    return found


def common_options(components: Sequence[Component]) -> list[Option]:
    """Return the common options; a component that is alone may have declared one anew."""
    if len(components) != 1:
        return list(COMMON)
    anew = {option.name: option for option in components[0].options}
    return [anew.get(option.name, option) for option in COMMON]


def given(params: Mapping[str, object]) -> dict[str, object]:
    """Return what the command line gives, by option name, still untyped."""
    return {
        name.replace("_", "-"): list(value) if isinstance(value, tuple) else value
        for name, value in params.items()
        if value is not None and value != ()
    }


def typed(
    component: Component, raw: Mapping[str, object], *, strict: bool = False
) -> dict[str, Value]:
    """Return raw values typed as this component's options say; those that it has not are left out,
    or with `strict` refused. Raises PnpError for a wrong value.
    """
    known = {o.name: o for o in COMMON} | {o.name: o for o in component.options}
    if strict and (stranger := next((name for name in raw if name not in known), None)):
        raise PnpError(f"{component.name} has no option {stranger!r}")
    return {name: known[name].parse(value) for name, value in raw.items() if name in known}


def write_options(
    formatter: click.HelpFormatter, ctx: click.Context, title: str, params: Iterable[click.Option]
) -> None:
    """Write one section of options into a help."""
    rows = [row for param in params if (row := param.get_help_record(ctx)) is not None]
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)
