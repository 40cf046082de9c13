"""`referee adjudicate`: judge records."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command(short_help="Judge game records.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="text for people, or one JSON object a line for each record.",
)
@click.option(
    "--stop-at",
    type=click.IntRange(0),
    metavar="PLY",
    help="Judge the first PLY plies only, and read no later text.",
)
@click.option(
    "--size",
    type=click.IntRange(2, 30),
    metavar="N",
    help="The board of foreign Hex records that do not say theirs.",
)
@click.option(
    "--diagrams",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Draw the end of every record as SVG into this folder.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Judge in N processes; the order of the output stays.",
)
def adjudicate(
    files: tuple[str, ...],
    form: str,
    stop_at: int | None,
    size: int | None,
    diagrams: Path | None,
    jobs: int,
) -> None:
    """Judge every record of every FILE (- is standard input).

    Reads .moves files, and by their content SGF, .six, Little Golem, HexWorld, trmph and lines of
    moves. A person gets who won and how, or the fault with its place and what would be legal.

    Exit status: 0 every record is legal, 1 some record has a fault, 2 some file could not be read.
    """
    from referee import archive
    from referee.cli.progress import Meter

    request = archive.Request(size=size, stop_at=stop_at, json=form == "json", diagrams=diagrams)
    out = sys.stdout.buffer
    with Meter("records", archive.weight_of(files)) as meter:

        def write(parcel: archive.Parcel) -> None:
            out.write(parcel.output.encode("utf-8", "backslashreplace"))
            if parcel.failures:
                out.flush()
                meter.clear()
                for failure in parcel.failures:
                    click.echo(f"referee: {failure}", err=True)
            meter.step(parcel.tally.records, parcel.weight)

        tally = archive.adjudicate(files, request, jobs, write)
    if form == "text" and tally.records > 1:
        out.write((tally.summary() + "\n").encode())
    out.flush()
    sys.exit(tally.exit_status)
