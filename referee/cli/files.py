"""`referee start`, `play`, `draw`, `verify`: records as files, without a club."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from pnp import terminal
from referee.games import names

if TYPE_CHECKING:
    from referee.files.playing import Played

GAMES = tuple(name.lower() for name in names())
RECORD = click.option(
    "--record",
    "number",
    type=click.IntRange(1),
    metavar="K",
    help="Which record of the file, if it holds several.",
)
PICTURE = click.option(
    "--diagram/--no-diagram",
    "picture",
    default=True,
    show_default=True,
    help="Write FILE.svg beside the record.",
)


@click.command(short_help="Begin a record.")
@click.argument("game", shell_complete=terminal.words(*GAMES))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--first", metavar="NAME", help="Who plays first.")
@click.option("--second", metavar="NAME", help="Who plays second.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option, such as Size=7; repeatable.",
)
@click.option(
    "--no-seed",
    is_flag=True,
    help="Write no seed for Lightning or Spiral; draw by hand or with `draw`.",
)
@terminal.quiet_option
def start(
    game: str,
    file: Path,
    first: str | None,
    second: str | None,
    options: tuple[str, ...],
    no_seed: bool,
) -> None:
    """Begin a record of GAME (hex, focus, lightning, spiral) in the new FILE.

    Games with chance get a fresh seed, from which all tiles or deals of the game follow.
    """
    import secrets
    from datetime import datetime

    from referee.files import playing

    tags = [(name, value) for name, value in (("First", first), ("Second", second)) if value]
    tags += playing.option_pairs(options).items()
    today = datetime.now().astimezone().strftime("%Y.%m.%d")
    seed = None if no_seed else secrets.token_bytes(32)
    text = playing.start(file, game, tags, date=today, seed=seed)
    terminal.say(f"{text}\n{file} is begun; `referee play {quote(str(file))} MOVE` plays in it")


@click.command(
    short_help="Append moves to a record.", context_settings={"ignore_unknown_options": True}
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("moves", nargs=-1, required=True, metavar="MOVE...")
@RECORD
@PICTURE
@terminal.quiet_option
def play(file: Path, moves: tuple[str, ...], number: int | None, picture: bool) -> None:
    """Append MOVEs to the record in FILE if all are legal, and draw the position beside it.

    A refused move changes nothing and ends with status 1.
    """
    from referee.files import playing

    _tell(file, playing.play(file, moves, number), picture)


@click.command(short_help="Show the next tile or deal.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@RECORD
@PICTURE
@terminal.quiet_option
def draw(file: Path, number: int | None, picture: bool) -> None:
    """Show the next tile (Lightning) or deal (Spiral) of the record in FILE.

    A tile is written down as drawn, so that a second draw gives the same one.
    """
    import secrets

    from referee.files import chance

    said, played = chance.draw(file, secrets.randbelow, number)
    click.echo(said)
    if played is not None:
        _tell(file, played, picture)


@click.command(short_help="Recompute the draws of records.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=terminal.files)
@terminal.quiet_option
def verify(files: tuple[str, ...]) -> None:
    """Compute all draws of the records in each FILE again from their seeds.

    Exit status: 0 all agree, 1 some do not, 2 a record has no seed or cannot be read.
    """
    from referee.errors import RefereeError
    from referee.files import chance
    from referee.notation.inputs import open_records

    status = 0
    for name in files:
        try:
            for index, record in enumerate(open_records(name), 1):
                agrees, lines = chance.verify(record)
                said = f"{name} {index}: {'all draws agree' if agrees else 'does not agree'}"
                tell = terminal.say if agrees else click.echo
                for line in (said, *(f"  {line}" for line in lines)):
                    tell(line)
                status = max(status, 0 if agrees else 1)
        except RefereeError as error:
            click.echo(f"referee: {error}", err=True)
            status = error.exit_status
    sys.exit(status)


def _tell(file: Path, played: Played, picture: bool) -> None:
    """Say what was played and how the game stands, and draw it beside the record."""
    from referee import diagram
    from referee.diagram import files
    from referee.diagram.frames import frame_of

    frame = frame_of(played.record)
    if played.words:
        terminal.say(f"played: {' '.join(played.words)}")
    for line in diagram.heading(frame):
        terminal.say(line)
    if picture:
        beside = file.with_suffix(".svg")
        files.write(beside, files.render(frame, files.Request("svg")))
        terminal.say(f"drawn: {beside}")
