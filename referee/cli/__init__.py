"""The `referee` command. A command's module is loaded when it runs, so that `--help` stays fast."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import click

from pnp.errors import PnpError
from referee.errors import RefereeError


class Entry(NamedTuple):
    """Where a command lives, and what `referee --help` says of it without loading it."""

    module: str
    help: str
    function: str = ""


COMMANDS: dict[str, Entry] = {
    "adjudicate": Entry("adjudicate", "Judge game records: who won, or what is wrong and where."),
    "diagram": Entry("diagram", "Draw a position of a record, or the whole game as a page."),
    "start": Entry("files", "Begin a record."),
    "play": Entry("files", "Append moves to a record if they are legal."),
    "draw": Entry("files", "Show the next tile or deal of a record."),
    "verify": Entry("files", "Recompute every draw of a record from its seed."),
    "convert": Entry("convert", "Write records in another format."),
    "help": Entry("help", "Explain a game: rules, how to write moves, faults.", "explain"),
}
"""Each command is the function of its name in `referee.cli.<module>`, unless another is named."""


class LazyGroup(click.Group):
    """A group that knows its commands by name, and loads one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of their use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of that name, loading its module; None for no command."""
        entry = COMMANDS.get(name)
        if entry is None:
            return None
        command: click.Command = getattr(
            import_module(f"referee.cli.{entry.module}"), entry.function or name
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List all commands with their short help, loading none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a mistyped one gets a suggestion."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f"do you mean {near[0]!r}?" if near else "`referee --help` lists all"
            raise click.UsageError(f"There is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what the user can mend is said in one line, with its exit status."""
        try:
            return super().invoke(ctx)
        except (RefereeError, PnpError) as error:
            raise Failure(str(error), error.exit_status) from None


class Failure(click.ClickException):
    """Ends the command with a message on standard error and an exit status."""

    def __init__(self, message: str, exit_status: int) -> None:
        super().__init__(message)
        setattr(self, "exit_code", exit_status)  # noqa: B010 - click declares it for the class only


@click.group("referee", cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pnp-referee", message="referee %(version)s")
def main() -> None:
    """Judge game records of Hex, Focus, Lightning and Spiral, draw them, and keep them as files."""
