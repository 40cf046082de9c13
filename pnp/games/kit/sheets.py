"""The sheets of a kit that are read and written on: how to build it, and the record of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pnp.games.kit.flow import Block, Setter
from pnp.games.kit.rules import words
from pnp.scene import Item, Line, Lines, Scene, Style, Text
from pnp.sheet.job import Part, Pieces


@dataclass(frozen=True, slots=True)
class Printed:
    """A part of the kit as it comes out of the printer: `sheets` of paper for one kit."""

    part: Part
    sheets: int


PAPER = {
    "board": "card of 200 g/m², or paper glued on board of 1 to 2 mm",
    "cards": "card of 250 to 300 g/m²",
    "strips": "paper of 80 to 120 g/m²",
    "pieces": "card of 300 g/m², or paper glued on board of 1 to 2 mm",
    "words": "paper of 80 g/m²",
}


def build_blocks(
    title: str, printed: Sequence[Printed], setter: Setter, *, copies: int, backs: str, extra: int
) -> Iterator[Block]:
    """Yield the build sheet: what is printed on what, the tools, and the order of cutting.

    `extra` are the sheets with words after the parts.
    """
    yield setter.heading(f"{title}: how to build it", 1)
    total = sum(each.sheets for each in printed) + extra + 1
    many = f", {copies} times over" if copies > 1 else ""
    yield setter.paragraph(
        words(
            f"Print everything at 100 % (“actual size”), not fitted to the page: {total} sheets{many}."
            " Then measure the bars at the edge of a sheet. If 50 mm are not 50 mm, print again with"
            " other settings before you cut."
        )
    )
    yield setter.heading("Sheets", 2)
    rows = [["sheet", "number", "paper"]]
    rows += [[_named(p.part), str(p.sheets), PAPER[_kind(p.part)]] for p in printed]
    rows.append(["this sheet, rules, record", str(extra + 1), PAPER["words"]])
    yield setter.table([[words(cell) for cell in row] for row in rows])
    cut = [p.part for p in printed if isinstance(p.part, Pieces)]
    yield setter.heading("Tools", 2)
    tools = "A steel ruler, a sharp knife and a cutting mat; glue stick and board for thick pieces"
    if any(_round(part) for part in cut):
        tools += "; scissors, or a round punch of the counters' size"
    yield setter.paragraph(words(f"{tools}. Let glued sheets dry under a weight before you cut."))
    if cut:
        yield setter.heading("Cutting", 2)
        yield from (
            setter.paragraph(words(step), f"{number}.")
            for number, step in enumerate(_steps(cut, backs), 1)
        )


def _kind(part: Part) -> str:
    if not isinstance(part, Pieces):
        return "board"
    if part.what == "cards":
        return "cards"
    return "strips" if part.what.startswith("strips") else "pieces"


def _named(part: Part) -> str:
    if not isinstance(part, Pieces):
        return part.title
    blanks = sum(piece.count for piece in part.pieces if piece.name == "blank")
    made = sum(piece.count for piece in part.pieces) - blanks
    count = part.what if part.what.split()[0] not in part.title else ""
    spare = f" and {blanks} blank to spare" if blanks else ""
    return f"{part.title}: {made}{' ' + count if count else ''}{spare}"


def _round(part: Pieces) -> bool:
    return len(part.outline) > 8


def _steps(cut: Sequence[Pieces], backs: str) -> Iterator[str]:
    if backs in ("duplex-long", "duplex-short"):
        edge = "long" if backs == "duplex-long" else "short"
        yield f"Print fronts and backs on both sides, turned on the {edge} edge."
    elif backs == "fold":
        yield "Fold the sheets along the broken line, glue them back to back, and only then cut."
    elif backs == "separate":
        yield "Glue fronts and backs back to back, edges flush against a window, and only then cut."
    yield (
        "Lay the ruler on two marks that face each other. Cut all lines of one direction right"
        " across first, but not through the outermost marks, then those of the other direction."
    )
    sides = {len(part.outline) for part in cut if not _round(part)}
    if 6 in sides:
        yield "Hexagons are cut edge by edge; neighbours share their edges."
    if 8 in sides:
        yield "Snip off the four corners of each piece along the short lines beside them."
    if any(_round(part) for part in cut):
        yield "Cut the round counters out of their squares, just inside the short arcs."
    for part in cut:
        if part.what.startswith("strips"):
            yield (
                f"Glue a strip round each disc, the end marked glue below the beginning: {part.what}."
            )


@dataclass(frozen=True, slots=True)
class Record:
    """What a record sheet has: columns (head, share of the width), and how a move is written."""

    columns: tuple[tuple[str, float], ...]
    hint: str
    names: tuple[str, ...]


_TWO = (("", 0.5), ("{0}", 2.0), ("{1}", 2.0))

RECORDS = {
    "hex": Record(
        tuple((h.format("Red", "Blue"), s) for h, s in _TWO),
        "A stone is its cell: f6. Blue's first turn may be: swap.",
        ("Red", "Blue"),
    ),
    "focus": Record(
        tuple((h.format("White", "Black"), s) for h, s in _TWO),
        "Two pieces from c3 to c5: c3-c5. A reserve piece on e5: +e5. The third time: claim.",
        ("White", "Black"),
    ),
    "spiral": Record(
        (("", 0.5), ("your cards", 2.0), ("cell", 1.0), ("Dr. Brooks 1, 2", 2.0), ("3, 4", 2.0)),
        "Your cards: 9S+QC. Hers: ~7H+AD. Write the cell too where the named one was filled.",
        ("Player",),
    ),
    "lightning": Record(
        tuple((h.format("first", "second"), s) for h, s in _TWO),
        "III@d1:s-ne a drawn III on d1 from s to ne; III@pool to the pool; pool:III@d1:s-ne from it.",
        ("First", "Second"),
    ),
}

_ROW = 8.0


def record_scene(game: str, title: str, width: float, height: float, setter: Setter) -> Scene:
    """Return a record sheet of width × height mm: names, date and result, then a line for each turn."""
    record = RECORDS[game]
    ink, pale = setter.theme.colour("ink"), setter.theme.colour("pale")
    items: list[Item] = [Text(0.0, 6.4, f"{title}: record", 6.4, ink, weight="bold")]
    y = 9.0
    pen = Style(stroke=ink, width=0.2)
    fields = (*record.names, "Date", "Result")
    step = width / 2.0
    for number, field in enumerate(fields):
        x, base = number % 2 * step, y + (number // 2 + 1) * 9.0
        items.append(Text(x, base, field, 3.3, ink))
        start = x + setter.fonts.width(field, 3.3) + 2.0
        items.append(Line(((start, base + 0.6), (x + step - 6.0, base + 0.6)), pen))
    y += (len(fields) + 1) // 2 * 9.0 + 4.0
    hint = setter.paragraph(words(record.hint), size=2.9)
    items += [
        Text(t.x, t.y + y, t.text, t.size, t.colour, weight=t.weight)
        for t in hint.items if isinstance(t, Text)
    ]  # fmt: skip
    y += hint.height + 3.0
    return Scene(width, height, (*items, *_grid(record, y, width, height, ink, pale)), title=title)


def _grid(
    record: Record, top: float, width: float, height: float, ink: str, pale: str
) -> list[Item]:
    """Columns of turns to the foot of the sheet; turns are numbered from 1, in two blocks."""
    blocks = 1 if width < 120.0 or len(record.columns) > 3 else 2
    rows = int((height - top - 5.0) // _ROW)
    wide = (width - (blocks - 1) * 6.0) / blocks
    shares = sum(share for _, share in record.columns)
    items: list[Item] = []
    lines: list[tuple[float, float, float, float]] = []
    foot = top + 5.0 + rows * _ROW
    for block in range(blocks):
        left = block * (wide + 6.0)
        x = left
        for head, share in record.columns:
            items.append(Text(x + 1.0, top + 3.6, head, 2.9, ink, weight="bold"))
            lines.append((x, top + 5.0, x, foot))
            x += wide * share / shares
        lines.append((left + wide, top + 5.0, left + wide, foot))
        lines += [
            (left, top + 5.0 + k * _ROW, left + wide, top + 5.0 + k * _ROW) for k in range(rows + 1)
        ]
        items += [
            Text(left + 1.0, top + 5.0 + (k + 0.68) * _ROW, f"{block * rows + k + 1}.", 2.9, ink)
            for k in range(rows)
        ]
    return [Lines(tuple(lines), Style(stroke=pale, width=0.2)), *items]
