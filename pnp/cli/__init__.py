"""The command `pnp`. Commands are loaded when they are named, so that `pnp --help` is fast.

Whatever a user or the outside world gets wrong ends in one line on standard error and exit status
2.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from pnp import __version__, terminal
from pnp.errors import PnpError

COMMANDS = {
    "list": ("pnp.cli.listing", "Show every component with its options."),
    "build": ("pnp.cli.build", "Make files of components: pnp build hex."),
    "calibrate": ("pnp.cli.calibrate", "Print a page that measures your printer."),
    "studio": ("pnp.cli.studio", "Design in the browser: every option, the live drawing."),
    "completion": ("pnp.cli.completion", "Let the TAB key complete: bash, zsh, fish."),
}
"""Every command's module, which holds `command`, and its line in the help."""


class Commands(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, None for a name that is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one may have been meant."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their lines, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _print_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    click.echo(f"pnp {__version__}")
    ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version.",
)
def pnp() -> None:
    """Print-and-play boards, pieces, tiles and cards for Hex, Focus, Lightning and Spiral.

    \b
    Examples:
      pnp list
      pnp build hex --size 14
      pnp build all

    Exit status: 0 all is made, 2 something is wrong, 130 stopped by Ctrl-C.
    """


def main(args: Sequence[str] | None = None) -> None:
    """Run `pnp` and leave with its exit status: 0, or 2 where something is wrong."""
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Run `pnp` with these arguments (sys.argv without them) and return its exit status."""
    terminal.spare_letters(sys.stdout, sys.stderr)
    try:
        status = pnp.main(args=args, prog_name="pnp", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.Abort:
        return _fail("stopped", 130)
    except click.exceptions.NoArgsIsHelpError as error:  # `pnp` alone
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _fail(" ".join(error.format_message().split()), 2)
    except PnpError as error:
        return _fail(str(error), error.exit_status)
    except BrokenPipeError:  # `pnp list | head`: nobody reads on
        _drop_output()
        return 0
    except OSError as error:  # `pnp list > full-disk`; what a build writes has errors of its own
        _drop_output()
        return _fail(f"{error.filename or 'the output'} cannot be written: {error.strerror}", 2)


def _drop_output() -> None:
    """Let what is still buffered for standard output go nowhere, so that leaving raises nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    """Say what is wrong in one line; a line of the user's own with a caret under it may follow."""
    line, *pointer = message.split("\n")
    name = terminal.painted("pnp:", "fault", sys.stderr)
    click.echo("\n".join([f"{name} {' '.join(line.split())}", *pointer]), err=True)
    return status
