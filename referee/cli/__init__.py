"""The `referee` command. A command's module is loaded when it runs, so that `--help` stays fast."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import IO, Any, NamedTuple

import click

from pnp import __version__, terminal
from pnp.errors import PnpError
from referee.errors import RefereeError

INTERRUPTED = 130
"""The exit status after Ctrl-C: 1 would say that a record has a fault."""


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
    "study": Entry("study", "Play many games to answer a question."),
    "hint": Entry("hint", "Say which cards to take in Spiral."),
    "help": Entry("help", "Explain a game: rules, how to write moves, faults.", "explain"),
    "completion": Entry("completion", "Let the TAB key complete: bash, zsh, fish."),
    "init": Entry("club", "Make a club that plays by email."),
    "mail": Entry("club", "Take mail in and answer it."),
    "serve": Entry("club", "Run a club: mail in, mail out, clocks."),
    "new": Entry("operator", "Begin a game between players."),
    "invite": Entry("operator", "Invite an address to the club."),
    "players": Entry("operator", "List the players."),
    "remove": Entry("operator", "Remove a player."),
    "message": Entry("operator", "Write to players."),
    "games": Entry("operator", "List the games."),
    "show": Entry("operator", "Show a game."),
    "history": Entry("operator", "Tell all that happened in a game."),
    "pause": Entry("operator", "Stop clocks."),
    "resume": Entry("operator", "Let clocks run on."),
    "takeback": Entry("operator", "Take plies of a game back."),
    "substitute": Entry("operator", "Put another player in a seat."),
    "rule": Entry("operator", "End a game by ruling."),
    "resend": Entry("operator", "Send a game's position again."),
    "release": Entry("care", "Let a mail out of quarantine."),
    "export": Entry("care", "Write the records of games."),
    "import": Entry("care", "Take records in as games.", "import_games"),
    "backup": Entry("care", "Copy the database while the club works on."),
    "rotate-key": Entry("care", "Give the club another key.", "rotate_key"),
    "move-store": Entry("move", "Move the club to another database.", "move_store"),
    "upgrade": Entry("care", "Bring a club to this version of the program."),
    "doctor": Entry("care", "Check everything that a club needs."),
}
"""Each command is the function of its name in `referee.cli.<module>`, unless another is named."""

SECTIONS: dict[str, tuple[str, ...]] = {
    "Records": ("adjudicate", "diagram", "convert", "hint", "study", "help"),
    "Files": ("start", "play", "draw", "verify"),
    "A club by email": ("init", "mail", "serve"),
}
"""What `--help` puts together; the operator's commands follow."""
LAST: dict[str, tuple[str, ...]] = {"The shell": ("completion",)}
"""What stands below them."""


def unknown(
    what: str, name: str, known: Iterable[str], hint: str, ctx: click.Context
) -> click.UsageError:
    """Return what to raise for a name that is none: with the nearest one, else with `hint`."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    return click.UsageError(
        f"There is no {what} {name!r}; {f'do you mean {near[0]!r}?' if near else hint}", ctx
    )


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
        from referee.cli.examples import EXAMPLES

        return terminal.with_examples(command, EXAMPLES.get(name, ()))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List all commands with their short help, loading none."""
        shown = {name for names in (*SECTIONS.values(), *LAST.values()) for name in names}
        rest = tuple(name for name in COMMANDS if name not in shown)
        for title, names in (*SECTIONS.items(), ("The club's operator", rest), *LAST.items()):
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name].help) for name in names])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a mistyped one gets a suggestion."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown("command", args[0], COMMANDS, "`referee --help` lists all", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what the user can mend is said in one line, with its exit status."""
        try:
            return super().invoke(ctx)
        except (RefereeError, PnpError) as error:
            raise Failure(str(error), error.exit_status) from None
        except KeyboardInterrupt:
            raise Failure("stopped", INTERRUPTED) from None

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run `referee`; standard output that is closed or full is no crash."""
        if sys.stdout is None:  # the shell's `>&-`
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
        terminal.spare_letters(sys.stdout, sys.stderr)
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # all other files have errors of their own
            # What is still buffered goes nowhere, so that leaving raises nothing.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            click.echo(f"referee: the output cannot be written: {error.strerror}", err=True)
            sys.exit(2)


class Failure(click.ClickException):
    """Ends the command with a message on standard error and an exit status."""

    def __init__(self, message: str, exit_status: int) -> None:
        super().__init__(message)
        setattr(self, "exit_code", exit_status)  # noqa: B010 - click declares it for the class only

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the message to standard error, its head in colour on a terminal."""
        head = terminal.painted("referee:", "fault", file or sys.stderr)
        click.echo(f"{head} {self.format_message()}", file=file, err=file is None)


@click.group("referee", cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="referee %(version)s")
def main() -> None:
    """Judge game records of Hex, Focus, Lightning and Spiral, draw them, keep them as files, and play by email.

    \b
    Examples:
      referee adjudicate game.moves
      referee diagram game.moves --output game.html
      referee help hex

    Exit status: 0 all is well; 1 a record has a fault, or what was asked for cannot be; 2 wrong usage, or something
    cannot be read or written; 130 stopped by Ctrl-C. `referee mail` has those of sysexits.
    """
