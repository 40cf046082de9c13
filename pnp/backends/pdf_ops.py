"""Scene items to the operators of a PDF content stream, in points with y pointing up.

All coordinates are turned into page points here, so that the stream holds no scale: a line width in it is the
width on paper. Only forms (symbols) are placed by a matrix, which turns and moves them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pnp.backends.curves import Cubic, arc_cubics
from pnp.backends.merge import merged
from pnp.fonts import FontSet, direction
from pnp.geometry import Point
from pnp.scene import (
    Arc,
    Circle,
    Curve,
    Group,
    Item,
    Line,
    Lines,
    Polygon,
    Style,
    Text,
    Use,
    Weight,
)
from pnp.units import MM_PER_POINT

POINTS = 1.0 / MM_PER_POINT
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


class Matrix(NamedTuple):
    """x' = a·x + c·y + e, y' = b·x + d·y + f: from mm with y down to points with y up."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def __call__(self, x: float, y: float) -> Point:
        return (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)

    def moved(self, dx: float, dy: float, turn: float, scale: float = 1.0) -> Matrix:
        """Return the matrix that first scales, turns clockwise and moves, and then does what this one does."""
        cos, sin = direction(turn)
        cos, sin = cos * scale, sin * scale
        e, f = self(dx, dy)
        return Matrix(
            self.a * cos + self.c * sin,
            self.b * cos + self.d * sin,
            self.c * cos - self.a * sin,
            self.d * cos - self.b * sin,
            e,
            f,
        )

    @property
    def scale(self) -> float:
        """Points a mm (of the two directions' mean, should they differ)."""
        return float(abs(self.a * self.d - self.b * self.c) ** 0.5)


def upright(height: float = 0.0) -> Matrix:
    """Return the matrix of a page `height` mm high (0 for a symbol about its own origin)."""
    return Matrix(POINTS, 0.0, 0.0, -POINTS, 0.0, height * POINTS)


def number(value: float) -> str:
    """Return a coordinate in points to 0.001 (0.35 µm)."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _factor(value: float) -> str:
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Ink:
    """Collects operators. `form(name)` gives the resource name of a symbol's form, `glyphs(text, weight)` the
    pieces (font resource, code bytes) of a text in its font; both note what was used.

    A form inherits whatever state its caller has, so nothing is taken as known there (`fresh` False).
    """

    def __init__(
        self,
        fonts: FontSet,
        form: Callable[[str], str],
        glyphs: Callable[[str, Weight], list[tuple[str, bytes]]],
        *,
        fresh: bool = True,
    ) -> None:
        self.out: list[str] = []
        self._fonts = fonts
        self._form = form
        self._glyphs = glyphs
        self._state: dict[str, str] = {"J": "0 J", "j": "0 j", "d": "[] 0 d"} if fresh else {}
        self._spot = False
        self.cuts: list[tuple[Group, Matrix]] = []

    def spot(self, name: str) -> None:
        """Stroke everything from now on in full tint of the colour space `name`."""
        self.out.append(f"/{name} CS 1 SCN")
        self._spot = True

    def set(self, key: str, operator: str) -> None:
        """Emit an operator that sets state, unless that state holds already."""
        if self._state.get(key) != operator:
            self._state[key] = operator
            self.out.append(operator)

    def draw(self, items: Iterable[Item], at: Matrix) -> None:
        """Draw the items, in order."""
        for item in merged(items):
            match item:
                case Polygon():
                    self._polygons((item,), at)
                case tuple():
                    self._polygons(item, at)
                case Line():
                    self._paint(self._path(item.points, at), item.style, at, closed=False)
                case Lines():
                    path = [
                        self._path(((x0, y0), (x1, y1)), at) for x0, y0, x1, y1 in item.segments
                    ]
                    self._paint("\n".join(path), item.style, at, closed=False)
                case Circle():
                    first, cubics = arc_cubics(item.x, item.y, item.r, 0.0, 360.0)
                    self._paint(self._cubics(first, cubics, at) + " h", item.style, at)
                case Arc():
                    first, cubics = arc_cubics(item.x, item.y, item.r, item.start, item.sweep)
                    self._paint(self._cubics(first, cubics, at), item.style, at, closed=False)
                case Curve():
                    self._paint(self._curve(item, at), item.style, at)
                case Text():
                    self._text(item, at)
                case Use():
                    self._use(item, at)
                case Group():
                    self._group(item, at)

    def _polygons(self, polygons: tuple[Polygon, ...], at: Matrix) -> None:
        path = "\n".join(self._path(p.points, at) + " h" for p in polygons)
        self._paint(path, polygons[0].style, at)

    def _path(self, points: Iterable[Point], at: Matrix) -> str:
        a, b, c, d, e, f = at
        parts = [f"{number(a * x + c * y + e)} {number(b * x + d * y + f)}" for x, y in points]
        if len(parts) == 1:
            return f"{parts[0]} m {parts[0]} l"
        return f"{parts[0]} m " + " l ".join(parts[1:]) + " l"

    def _cubics(self, first: Point, cubics: Iterable[Cubic], at: Matrix) -> str:
        x, y = at(*first)
        out = [f"{number(x)} {number(y)} m"]
        for x1, y1, x2, y2, x3, y3 in cubics:
            points = (at(x1, y1), at(x2, y2), at(x3, y3))
            out.append(" ".join(f"{number(px)} {number(py)}" for px, py in points) + " c")
        return " ".join(out)

    def _curve(self, item: Curve, at: Matrix) -> str:
        out: list[str] = []
        for step in item.steps:
            numbers = [float(v) for v in step[1:]]
            points = [at(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            operands = " ".join(f"{number(x)} {number(y)}" for x, y in points)
            out.append(f"{operands} {_STEPS[str(step[0])]}".strip())
        return " ".join(out)

    def _paint(self, path: str, style: Style, at: Matrix, *, closed: bool = True) -> None:
        """Emit state and a path; open shapes are filled too if their style says so, as in SVG."""
        fill = style.fill is not None
        stroke = style.stroke is not None and style.width > 0
        if not (fill or stroke):
            return
        if style.fill is not None:
            self.set("rg", colour(style.fill) + " rg")
        if style.stroke is not None and stroke:
            if not self._spot:
                self.set("RG", colour(style.stroke) + " RG")
            self.set("w", number(style.width * at.scale) + " w")
            self.set("J", f"{_CAPS[style.cap]} J")
            self.set("j", f"{_JOINS[style.join]} j")
            self.set("d", f"[{' '.join(number(v * at.scale) for v in style.dash)}] 0 d")
        self.out.append(f"{path} {'B' if fill and stroke else 'f' if fill else 'S'}")

    def _text(self, item: Text, at: Matrix) -> None:
        self._fonts.check(item.text, item.weight)
        dx, dy = self._fonts.place(item)
        turned = at.moved(item.x, item.y, item.turn)
        scale = turned.scale
        x, y = turned(dx, dy)
        axes = (turned.a / scale, turned.b / scale, -turned.c / scale, -turned.d / scale)
        self.set("rg", colour(item.colour) + " rg")
        place = " ".join(_factor(v) for v in axes) + f" {number(x)} {number(y)} Tm"
        parts = [
            f"/{font} {number(item.size * scale)} Tf <{codes.hex()}> Tj"
            for font, codes in self._glyphs(item.text, item.weight)
        ]
        if parts:
            font, _, rest = parts[0].partition(" Tf ")
            self.out.append(" ".join([f"BT {font} Tf {place} {rest}", *parts[1:], "ET"]))

    def _use(self, item: Use, at: Matrix) -> None:
        turned = at.moved(item.x, item.y, item.turn)
        axes = (turned.a / POINTS, turned.b / POINTS, -turned.c / POINTS, -turned.d / POINTS)
        place = " ".join(_factor(v) for v in axes) + f" {number(turned.e)} {number(turned.f)} cm"
        self.out.append(f"q {place} /{self._form(item.name)} Do Q")

    def _group(self, item: Group, at: Matrix) -> None:
        inner = at.moved(item.dx, item.dy, item.turn, item.scale)
        if (
            item.layer == "cut"
        ):  # lines to cut along are no ink; the page draws them in their own layer
            self.cuts.append((item, inner))
            return
        if item.clip is None:
            self.draw(item.items, inner)
            return
        saved = dict(self._state)
        self.out.append(f"q {self._path(item.clip, inner)} h W n")
        self.draw(item.items, inner)
        self.out.append("Q")
        self._state = saved


_STEPS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def colour(text: str) -> str:
    """Return `#rrggbb` as three operands."""
    return " ".join(_level(int(text[k : k + 2], 16)) for k in (1, 3, 5))


def _level(value: int) -> str:
    text = f"{value / 255.0:.4f}".rstrip("0").rstrip(".")
    return text or "0"
