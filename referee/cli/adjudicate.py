"""`referee adjudicate`: judge records."""

from __future__ import annotations

import re
import sys
import time

import click

from pnp import terminal


@click.command(short_help="Judge game records.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=terminal.files)
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
    type=click.Path(file_okay=False),
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
@terminal.loud_options
def adjudicate(
    files: tuple[str, ...],
    form: str,
    stop_at: int | None,
    size: int | None,
    diagrams: str | None,
    jobs: int,
) -> None:
    """Judge every record of every FILE (- is standard input).

    Reads .moves files, and by their content SGF, .six, Little Golem, HexWorld, trmph and lines of
    moves. A person gets who won and how, or the fault with its place and what would be legal; with --quiet the faults
    only.

    Exit status: 0 every record is legal, 1 some record has a fault, 2 some file could not be read.
    """
    from referee import archive
    from referee.cli.progress import Meter

    folder = None
    if diagrams is not None:
        from pathlib import Path

        folder = Path(diagrams)
    text = form == "text"
    request = archive.Request(
        size=size,
        stop_at=stop_at,
        json=not text,
        diagrams=folder,
        faults_only=text and terminal.quiet(),
    )
    out, colour = sys.stdout.buffer, text and terminal.coloured(sys.stdout)
    began = time.monotonic()
    with Meter("records", archive.weight_of(files)) as meter:

        def write(parcel: archive.Parcel) -> None:
            output = _painted(parcel.output) if colour else parcel.output
            out.write(output.encode("utf-8", "backslashreplace"))
            if parcel.failures:
                out.flush()
                meter.clear()
                for failure in parcel.failures:
                    click.echo(f"referee: {failure}", err=True)
            meter.step(parcel.tally.records, parcel.weight)

        tally = archive.adjudicate(files, request, jobs, write)
    if text and tally.records > 1 and not terminal.quiet():
        out.write((tally.summary() + "\n").encode())
    out.flush()
    if diagrams is not None and text:
        terminal.tell_person(f"written: {diagrams}")
    took = time.monotonic() - began
    records = "1 record" if tally.records == 1 else f"{tally.records} records"
    terminal.detail(f"{records}, {tally.plies} plies in {took:.2f} s")
    sys.exit(tally.exit_status)


_FAULT = re.compile(r"^\S.*:\d+:\d+: .* \[[a-z-]+\]$|^ +\^+$", re.MULTILINE)
_LEGAL = re.compile(r"^  legal: .*$", re.MULTILINE)


def _painted(output: str) -> str:
    """Return what is told of records in colours: faults, their place, what would be legal."""
    output = _FAULT.sub(lambda m: click.style(m[0], fg="red"), output)
    return _LEGAL.sub(lambda m: click.style(m[0], fg="green"), output)
