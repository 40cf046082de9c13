"""`referee convert`: records in other formats."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pnp import terminal
from referee.cli.progress import Meter

TARGETS = ("moves", "sgf", "hsgf", "six", "lines", "hexworld", "trmph", "gamerz")


@click.command(short_help="Write records in another format.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=terminal.files)
@click.option(
    "--to", "target", required=True, type=click.Choice(TARGETS), help="The format to write."
)
@click.option(
    "--record",
    "number",
    type=click.IntRange(1),
    metavar="K",
    help="Only record K of each file, from 1.",
)
@click.option(
    "--size",
    type=click.IntRange(2, 30),
    metavar="N",
    help="The board of records that do not say theirs.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="The file to write, else standard output.",
)
def convert(
    files: tuple[str, ...], target: str, number: int | None, size: int | None, output: Path | None
) -> None:
    """Write the records of every FILE (- is standard input) in another format.

    What the format cannot hold is named on standard error; a record that it cannot hold at all is
    left out, and the exit status is then 1 (2 where a file cannot be read).
    """
    from referee.files import disk
    from referee.files.converting import Conversion

    with Meter("records") as meter:
        meter.on = meter.on and output is not None  # it would stand among the records

        def tell(message: str) -> None:
            meter.clear()
            click.echo(f"referee: {message}", err=True)

        conversion = Conversion(target, tell)
        kept = []
        for text in conversion.texts(files, size, number):
            meter.step(1)
            if output is not None:
                kept.append(text)
            else:
                sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    if output is not None:
        disk.replace(output, "".join(kept).encode())
        terminal.tell_person(f"written: {output}")
    sys.exit(conversion.exit_status)
