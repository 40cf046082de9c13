"""What a printed file holds, measured in mm from the top left corner of the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pypdfium2
from pdfplumber.page import Page as PdfPage

from pnp import fonts, themes
from pnp.cli import run
from pnp.games import component
from pnp.geometry import Box, Point, bounds, rotate, shift
from pnp.options import COMMON, Options
from pnp.scene import Arc, Circle, Curve, Group, Item, Line, Lines, Polygon, Text, Use
from pnp.sheet.job import Job, Piece, Pieces
from pnp.sheet.layout import Laid, lay_out

MM = 25.4 / 72.0


def options(name: str | None = None, **given: object) -> Options:
    """Options of a component (or the common ones only), given as on the command line."""
    own = component(name).options if name else ()
    known = {option.name: option for option in (*COMMON, *own)}
    typed = {key.replace("_", "-"): value for key, value in given.items()}
    return Options(own, {key: known[key].parse(value) for key, value in typed.items()})


def laid(job: Job, **given: object) -> Laid:
    """A job laid out under common options."""
    return lay_out(job, options(**given).common, themes.load("colour"), fonts.load())


def built(name: str, path: Path, *words: str) -> Path:
    """Run `pnp build NAME --output PATH …` and return the path; anything but success is a failure."""
    assert run(["build", name, "--output", str(path), *words]) == 0
    assert path.is_file()
    return path


def tiles(
    width: float,
    height: float,
    count: int = 1,
    *,
    back: tuple[Item, ...] | None = None,
    front: tuple[Item, ...] = (),
    size: float | None = None,
) -> Job:
    """A job of one kind of rectangular pieces."""
    x, y = width / 2.0, height / 2.0
    outline: tuple[Point, ...] = ((-x, -y), (x, -y), (x, y), (-x, y))
    piece = Piece("tile", front, back, count)
    return Job("Tiles", (Pieces("Tiles", outline, (piece,), "tiles", size=size),))


@dataclass(frozen=True)
class Measured:
    """One page of a PDF: its size, texts and drawn boxes in mm."""

    page: PdfPage
    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Box, ...]

    @cached_property
    def text(self) -> str:
        """All words, level ones first, then turned ones, then every letter in the order of the file."""
        turned = self.page.extract_text(line_dir_render="ttb", char_dir_render="ltr") or ""
        letters = "".join(c["text"] for c in self.page.chars)
        return f"{self.page.extract_text() or ''}\n{turned}\n{letters}"

    def bars(self, length: float) -> list[Box]:
        """Thin boxes of exactly this length, either way they lie."""
        return [
            b for b in self.boxes
            if abs(max(b[2] - b[0], b[3] - b[1]) - length) < 0.002
            and min(b[2] - b[0], b[3] - b[1]) < 1.0
        ]  # fmt: skip


def measure(path: Path) -> list[Measured]:
    """Every page as pdfplumber sees it."""
    with pdfplumber.open(path) as pdf:
        return [
            Measured(
                page,
                float(page.width) * MM,
                float(page.height) * MM,
                tuple(_box(o) for o in (*page.rects, *page.curves)),
                tuple(_box(o) for o in page.lines),
            )
            for page in pdf.pages
        ]


def _box(item: dict[str, Any]) -> Box:
    return (item["x0"] * MM, item["top"] * MM, item["x1"] * MM, item["bottom"] * MM)


def extent(items: Iterable[Item], symbols: Mapping[str, tuple[Item, ...]]) -> Box:
    """The box of items in mm as they are drawn, strokes with half their width, texts by their ink."""
    return bounds(p for item in items for p in _points(item, symbols))


def _points(item: Item, symbols: Mapping[str, tuple[Item, ...]]) -> Iterator[Point]:
    if isinstance(item, Group | Use):
        inner = item.items if isinstance(item, Group) else symbols[item.name]
        dx, dy = (item.dx, item.dy) if isinstance(item, Group) else (item.x, item.y)
        scale = item.scale if isinstance(item, Group) else 1.0
        found = [p for each in inner for p in _points(each, symbols)]
        clip = item.clip if isinstance(item, Group) else None
        if clip and found and _reaches(found, clip):
            found = list(clip)  # ink that is cut off reaches the clip, no further
        box = [(x * scale, y * scale) for x, y in found]
        yield from shift(rotate(box, item.turn), dx, dy)
        return
    if isinstance(item, Text):
        left, top, right, bottom = fonts.load().text_box(item)
        yield from ((left, top), (right, bottom))
        return
    if isinstance(item, Lines | Line):
        half = item.style.width / 2.0
        steps = (
            item.segments
            if isinstance(item, Lines)
            else [(*a, *b) for a, b in pairwise(item.points)]
        )
        for x0, y0, x1, y1 in steps:
            long = max(abs(x1 - x0), abs(y1 - y0), 1e-9)  # a butt end reaches sideways only
            across, down = half * abs(y1 - y0) / long, half * abs(x1 - x0) / long
            for x, y in ((x0, y0), (x1, y1)):
                yield from ((x - across, y - down), (x + across, y + down))
        return
    if isinstance(item, Polygon):
        points = list(item.points)
    elif isinstance(item, Curve):
        numbers = [float(v) for step in item.steps for v in step[1:]]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
    elif isinstance(item, Circle | Arc):
        r = item.r
        points = [(item.x - r, item.y - r), (item.x + r, item.y + r)]
    else:
        raise NotImplementedError(type(item))
    half = item.style.width / 2.0 if item.style.stroke else 0.0
    for x, y in points:
        yield from ((x - half, y - half), (x + half, y + half))


def _reaches(points: Iterable[Point], clip: Iterable[Point]) -> bool:
    """Whether points lie outside the box of a clip."""
    inner, outer = bounds(points), bounds(clip)
    return (
        min(inner[k] - outer[k] for k in (0, 1)) < 0 or max(inner[k] - outer[k] for k in (2, 3)) > 0
    )


def ink_box(path: Path, page: int = 0, dpi: float = 127.0) -> Box:
    """The box of all that is not white on a page, in mm, exact to a pixel (0.2 mm)."""
    with pypdfium2.PdfDocument(path) as document:
        picture = document[page].render(scale=dpi / 72.0).to_numpy()
    dark = (picture < 250).any(axis=2)
    rows, columns = dark.any(axis=1).nonzero()[0], dark.any(axis=0).nonzero()[0]
    pixel = 25.4 / dpi
    return (
        columns[0] * pixel, rows[0] * pixel, (columns[-1] + 1) * pixel, (rows[-1] + 1) * pixel
    )  # fmt: skip


def catalogue_of(path: Path) -> dict[str, Any]:
    """What stands in the PDF about itself: viewer preferences, media and trim boxes, fonts."""
    with pikepdf.open(path) as pdf:
        preferences = pdf.Root.ViewerPreferences
        fonts_ = [
            o for o in pdf.objects
            if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/FontDescriptor"
        ]  # fmt: skip
        return {
            "scaling": str(preferences.get("/PrintScaling")),
            "duplex": str(preferences.get("/Duplex")),
            "media": [[float(v) * MM for v in p.mediabox] for p in pdf.pages],
            "trim": [[float(v) * MM for v in p.trimbox] for p in pdf.pages],
            "fonts": len(fonts_),
            "embedded": sum("/FontFile2" in f for f in fonts_),
            "title": str(pdf.docinfo.get("/Title")),
            "bookmarks": _titles(pdf),
        }


def _titles(pdf: pikepdf.Pdf) -> list[str]:
    with pdf.open_outline() as outline:
        return [item.title for item in outline.root]
