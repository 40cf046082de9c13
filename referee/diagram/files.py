"""Diagrams as bytes and files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from referee import diagram
from referee.core.picture import Frame
from referee.core.record import GameRecord
from referee.diagram.frames import frame_of, frame_of_position
from referee.errors import RefereeError
from referee.games import load, names
from referee.notation.inputs import open_records

SUFFIXES = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".txt": "text",
    ".text": "text",
    ".html": "html",
    ".htm": "html",
}
DPI = 150.0


@dataclass(frozen=True, slots=True)
class Request:
    """How to draw: "svg", "png", "pdf", "text" or "html"; numbers on the stones; a theme's name."""

    format: str
    numbers: bool = False
    theme: str = "colour"


def format_of(output: str | None) -> str:
    """Return the format that a file's suffix names, text for none. Raises RefereeError for another."""
    suffix = Path(output or "").suffix.lower()
    if not suffix:
        return "text"
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise RefereeError(f"{output}: what is {suffix}? Write {known}, or say --format")
    return SUFFIXES[suffix]


def of_file(path: str, number: int, ply: int | None, size: int | None, request: Request) -> bytes:
    """Return the picture of record `number` of a file after `ply` plies, or at its end.

    Raises RefereeError for a file, a record or a ply that is not there.
    """
    record = _nth(open_records(path, size), number, path)
    if request.format == "html":
        if ply is not None:
            raise RefereeError(
                "a page shows the whole game; leave --ply out, or add #12 to its address"
            )
        return page_of(record, request)
    return render(frame_of(record, ply), request)


def page_of(record: GameRecord, request: Request) -> bytes:
    """Return a record as a page of HTML to step through."""
    from pnp import themes
    from referee.diagram import replay

    return replay.page(record, themes.load(request.theme), numbers=request.numbers).encode()


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises PnpError that names it."""
    from pnp.backends.files import write_bytes

    write_bytes(path, data)


def _nth(records: Iterator[GameRecord], number: int, path: str) -> GameRecord:
    seen = 0
    for record in islice(records, number):
        seen += 1
        if seen == number:
            return record
    raise RefereeError(
        f"{path} has {seen} {'record' if seen == 1 else 'records'}; there is no record {number}"
    )


def of_position(text: str, game: str, request: Request) -> bytes:
    """Return the picture of a position as text. Raises RefereeError for another game or a wrong text."""
    known = {name.lower(): name for name in names()}
    rules = load(known.get(game.lower(), ""))
    if rules is None:
        from difflib import get_close_matches

        near = get_close_matches(game.lower(), known, 1)
        hint = f"do you mean {near[0]!r}?" if near else f"take {', '.join(known)}"
        raise RefereeError(f"there is no game {game!r}; {hint}")
    if request.format == "html":
        raise RefereeError("a page shows a game; give a record, or draw the position as svg")
    return render(frame_of_position(rules, text), request)


def render(frame: Frame, request: Request) -> bytes:
    """Return a frame in the format asked for."""
    if request.format == "text":
        return diagram.text(frame, numbers=request.numbers).encode()
    from pnp import themes

    scene = diagram.scene(frame, themes.load(request.theme), numbers=request.numbers)
    if request.format == "svg":
        from pnp.backends import svg

        return (svg.render(scene) + "\n").encode()
    if request.format == "png":
        from pnp.backends import png

        return png.render(scene, DPI)
    from pnp.backends import pdf

    return pdf.to_bytes(scene)
