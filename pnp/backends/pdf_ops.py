"""Scene items to the operators of a PDF content stream, in points with y pointing up.

All coordinates are turned into page points here, so that the stream holds no scale: a line width in
it is the width on paper. Only forms (symbols) are placed by a matrix, which turns and moves them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pnp.backends.curves import Cubic, arc_cubics
from pnp.backends.merge import Run, merged
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
_STEPS = {"M": "m", "L": "l", "Q": "c", "C": "c", "Z": "h"}


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

    def moved(self, dx: float, dy: float, turn: float = 0.0, scale: float = 1.0) -> Matrix:
        """Return the matrix that scales, turns clockwise and moves, and then does this one."""
        a, b, c, d, _, _ = self
        e, f = self(dx, dy)
        if turn == 0.0 and scale == 1.0:
            return Matrix(a, b, c, d, e, f)
        cos, sin = direction(turn)
        cos, sin = cos * scale, sin * scale
        return Matrix(
            a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f
        )

    @property
    def scale(self) -> float:
        """Points a mm (the mean of the two directions', should they differ)."""
        return float(abs(self.a * self.d - self.b * self.c) ** 0.5)


def upright(height: float = 0.0) -> Matrix:
    """Return the matrix of a page `height` mm high (0 for a symbol about its own origin)."""
    return Matrix(POINTS, 0.0, 0.0, -POINTS, 0.0, height * POINTS)


def number(value: float, places: int = 3) -> str:
    """Return a number; lengths in points to 0.001 (0.35 µm)."""
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Ink:
    """Collects operators in `out`.

    `form(name)` gives the resource name of a symbol's form, `glyphs(text, weight)` the pieces (font
    resource, codes) of a text in its font; both note what was used. Without `glyphs` texts are drawn
    as outlines. A form inherits the state of its caller, so `fresh` is False there: nothing is taken
    as known. Groups in the layer "cut" are no ink; they are collected in `cuts`.
    """

    def __init__(
        self,
        fonts: FontSet,
        form: Callable[[str], str],
        glyphs: Callable[[str, Weight], list[tuple[str, bytes]]] | None,
        *,
        fresh: bool = True,
    ) -> None:
        self.out: list[str] = []
        self.cuts: list[tuple[Group, Matrix]] = []
        self._fonts = fonts
        self._form = form
        self._glyphs = glyphs
        self._state: dict[str, str] = {"J": "0 J", "j": "0 j", "d": "[] 0 d"} if fresh else {}
        self._spot = False

    def spot(self, name: str) -> None:
        """Stroke everything from now on in full tint of the colour space `name`."""
        self.out.append(f"/{name} CS 1 SCN")
        self._spot = True

    def draw(self, items: Iterable[Item], at: Matrix) -> None:
        """Draw the items, in order."""
        for item in merged(items):
            match item:
                case Polygon():
                    self._paint(_path(item.points, at) + " h", item.style, at)
                case Run():
                    path = " h\n".join([_path(p.points, at) for p in item.polygons])
                    self._paint(path + " h", item.style, at)
                case Line():
                    self._paint(_path(item.points, at), item.style, at)
                case Lines():
                    self._paint(_segments(item, at), item.style, at)
                case Circle():
                    first, cubics = arc_cubics(item.x, item.y, item.r, 0.0, 360.0)
                    self._paint(_cubics(first, cubics, at) + " h", item.style, at)
                case Arc():
                    first, cubics = arc_cubics(item.x, item.y, item.r, item.start, item.sweep)
                    self._paint(_cubics(first, cubics, at), item.style, at)
                case Curve():
                    self._paint(_curve(item.steps, at), item.style, at)
                case Text():
                    self._text(item, at)
                case Use():
                    self._use(item, at)
                case Group():
                    self._group(item, at)

    def _set(self, key: str, operator: str) -> None:
        """Emit an operator that sets state, unless that state holds already."""
        if self._state.get(key) != operator:
            self._state[key] = operator
            self.out.append(operator)

    def _paint(self, path: str, style: Style, at: Matrix) -> None:
        """Emit state and a path. Open shapes are filled too if their style says so, as in SVG."""
        stroke = style.stroke is not None and style.width > 0
        if style.fill is not None:
            self._set("rg", colour(style.fill) + " rg")
        if stroke:
            scale = at.scale
            if style.stroke is not None and not self._spot:
                self._set("RG", colour(style.stroke) + " RG")
            self._set("w", number(style.width * scale, 4) + " w")
            self._set("J", f"{_CAPS[style.cap]} J")
            self._set("j", f"{_JOINS[style.join]} j")
            self._set("d", f"[{' '.join(number(v * scale) for v in style.dash)}] 0 d")
        if style.fill is not None:
            self.out.append(path + (" B" if stroke else " f"))
        elif stroke:
            self.out.append(path + " S")

    def _text(self, item: Text, at: Matrix) -> None:
        self._fonts.check(item.text, item.weight)
        dx, dy = self._fonts.place(item)
        turned = at.moved(item.x, item.y, item.turn)
        if self._glyphs is None:
            self._outlines(item, turned.moved(dx, dy))
            return
        scale = turned.scale
        x, y = turned(dx, dy)
        if turned.b == turned.c == 0.0 and turned.a == -turned.d and turned.a > 0.0:
            place = f"{number(x)} {number(y)} Td"
        else:
            place = f"{_axes(turned, scale)} {number(x)} {number(y)} Tm"
        size = number(item.size * scale)
        self._set("rg", colour(item.colour) + " rg")
        shown: list[str] = []
        for font, codes in self._glyphs(item.text, item.weight):
            choice = f"/{font} {size} Tf"
            if self._state.get("Tf") != choice:
                self._state["Tf"] = choice
                shown.append(choice)
            shown.append(f"<{codes.hex()}> Tj")
        if shown:
            self.out.append(f"BT {place} {' '.join(shown)} ET")

    def _outlines(self, item: Text, start: Matrix) -> None:
        face = self._fonts.face(item.weight)
        scale = item.size / face.units
        out = []
        for char, pen in self._fonts.pens(item.text, item.weight):
            at = start.moved(pen * scale, 0.0)
            steps = [_in_mm(step, scale) for step in face.steps(ord(char))]
            out.append(_curve(steps, at))
        path = " ".join(filter(None, out))
        if path:
            self._set("rg", colour(item.colour) + " rg")
            self.out.append(path + " f")

    def _use(self, item: Use, at: Matrix) -> None:
        x, y = at(item.x, item.y)
        axes = _turned_axes(at.a, at.b, at.c, at.d, item.turn)
        self.out.append(f"q {axes} {number(x)} {number(y)} cm /{self._form(item.name)} Do Q")

    def _group(self, item: Group, at: Matrix) -> None:
        inner = at.moved(item.dx, item.dy, item.turn, item.scale)
        if item.layer == "cut":
            self.cuts.append((item, inner))
            return
        if item.clip is None:
            self.draw(item.items, inner)
            return
        saved = dict(self._state)
        self.out.append(f"q {_path(item.clip, inner)} h W n")
        self.draw(item.items, inner)
        self.out.append("Q")
        self._state = saved


def _path(points: Sequence[Point], at: Matrix) -> str:
    """Return an open path; formatted at one go, since a board has thousands of points."""
    a, b, c, d, e, f = at
    flat: list[float] = []
    for x, y in points:
        flat += (a * x + c * y + e, b * x + d * y + f)
    form = "%.3f %.3f m" + " %.3f %.3f l" * (len(points) - 1)
    return _short(form % tuple(flat))


def _segments(item: Lines, at: Matrix) -> str:
    a, b, c, d, e, f = at
    flat: list[float] = []
    for x0, y0, x1, y1 in item.segments:
        flat += (a * x0 + c * y0 + e, b * x0 + d * y0 + f)
        flat += (a * x1 + c * y1 + e, b * x1 + d * y1 + f)
    return _short("\n".join(["%.3f %.3f m %.3f %.3f l"] * len(item.segments)) % tuple(flat))


def _cubics(first: Point, cubics: Iterable[Cubic], at: Matrix) -> str:
    x, y = at(*first)
    out = [f"{number(x)} {number(y)} m"]
    for x1, y1, x2, y2, x3, y3 in cubics:
        flat = (*at(x1, y1), *at(x2, y2), *at(x3, y3))
        out.append("{:.3f} {:.3f} {:.3f} {:.3f} {:.3f} {:.3f} c".format(*flat))
    return _short(" ".join(out))


def _curve(steps: Iterable[tuple[str | float, ...]], at: Matrix) -> str:
    """Return a path of straight, quadratic ("Q") and cubic steps; PDF knows no quadratic ones."""
    out: list[str] = []
    here = (0.0, 0.0)
    for step in steps:
        kind, *rest = step
        numbers = [float(v) for v in rest]
        points = [at(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if kind == "Q":
            control, end = points
            points = [_third(control, here), _third(control, end), end]
        for point in points:
            out += map(number, point)
        out.append(_STEPS[str(kind)])
        here = points[-1] if points else here
    return " ".join(out)


def _third(control: Point, end: Point) -> Point:
    """Return the control point of the cubic curve that is a quadratic one."""
    return ((2.0 * control[0] + end[0]) / 3.0, (2.0 * control[1] + end[1]) / 3.0)


def _in_mm(step: tuple[str | float, ...], scale: float) -> tuple[str | float, ...]:
    """Return a step of a font's outline in mm with y down."""
    kind, *rest = step
    numbers = [float(v) * scale for v in rest]
    return (kind, *(-v if k % 2 else v for k, v in enumerate(numbers)))


def _short(operators: str) -> str:
    """Return operators with their whole numbers written as such, and no negative zero."""
    return operators.replace("-0.000", "0").replace(".000", "")


def _axes(at: Matrix, unit: float) -> str:
    """Return the first four numbers of the matrix of something that is drawn upright with y up."""
    return " ".join(number(v / unit, 6) for v in (at.a, at.b, -at.c, -at.d))


@lru_cache(maxsize=256)
def _turned_axes(a: float, b: float, c: float, d: float, turn: float) -> str:
    """Return the axes of a symbol turned by so many degrees; a sheet has few turns, many pieces."""
    return _axes(Matrix(a, b, c, d, 0.0, 0.0).moved(0.0, 0.0, turn), POINTS)


@lru_cache(maxsize=256)
def colour(text: str) -> str:
    """Return `#rrggbb` as three operands."""
    return " ".join(number(int(text[k : k + 2], 16) / 255.0, 4) for k in (1, 3, 5))
