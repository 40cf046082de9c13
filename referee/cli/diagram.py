"""`referee diagram`: draw a position of a record, or the whole game as a page."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pnp import terminal

FORMATS = ("svg", "png", "pdf", "text", "html")


@click.command(short_help="Draw a position.")
@click.argument("file", required=False, shell_complete=terminal.files)
@click.option(
    "--record",
    "number",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="K",
    help="Which record of the file, from 1.",
)
@click.option(
    "--ply",
    type=click.IntRange(0),
    metavar="N",
    help="The position after N plies; the last one unless said.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="What to write; by the suffix of --output, else text.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="PATH",
    help="The file to write; - is standard output.",
)
@click.option("--numbers", is_flag=True, help="Write the number of its ply on each stone.")
@click.option(
    "--theme",
    default="colour",
    show_default=True,
    shell_complete=terminal.words("colour", "colour-blind", "grey", "ink-saver"),
    help="colour, colour-blind, grey, ink-saver, or a TOML file.",
)
@click.option(
    "--size",
    type=click.IntRange(2, 30),
    metavar="N",
    help="The board of foreign Hex records that do not say theirs.",
)
@click.option(
    "--position", metavar="TEXT", help="Draw this position instead of a record's; name its game."
)
@click.option(
    "--game", metavar="NAME", help="The game of --position: hex, focus, lightning or spiral."
)
def diagram(
    file: str | None,
    number: int,
    ply: int | None,
    form: str | None,
    output: str | None,
    numbers: bool,
    theme: str,
    size: int | None,
    position: str | None,
    game: str | None,
) -> None:
    """Draw a position of the record in FILE (- is standard input).

    Any ply, the last move marked, the winning chain shown. As text the drawing has labels, and
    below it stands the position as a list. As html the whole game is one page to step through.
    """
    from referee.diagram import files

    if (file is None) == (position is None):
        raise click.UsageError("Give a FILE with a record, or --position TEXT with --game NAME.")
    if position is not None and game is None:
        raise click.UsageError("--position needs --game: hex, focus, lightning or spiral.")
    chosen = form or files.format_of(output)
    if chosen in ("png", "pdf") and output is None and sys.stdout.isatty():
        raise click.UsageError(
            f"A {chosen.upper()} is no text for a terminal; say --output FILE.{chosen}."
        )
    if chosen == "text":  # it has no colours, but a mistyped theme is told all the same
        from pnp import themes

        themes.load(theme)
    request = files.Request(chosen, numbers=numbers, theme=theme)
    if position is not None and game is not None:
        data = files.of_position(position, game, request)
    else:
        data = files.of_file(file or "-", number, ply, size, request)
    if output in (None, "-"):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        files.write(Path(output or ""), data)
        terminal.tell_person(f"written: {output}")
