"""A picture as data, in mm, y pointing down from the top left corner. Painters make scenes; backends render them.

A scene is immutable values all the way down, so it can be compared, cached and dumped. `dump()` is what the
golden tests compare. Every shape carries its own Style; there is no state that a later shape inherits.
Shapes are named tuples, for a picture has thousands of them: `shape._replace(…)` gives a changed one.
"""

# no annotations of the future here: NamedTuple compiles each that is text, a third of the import
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from pnp.geometry import Point

Anchor = Literal["start", "middle", "end"]
VAlign = Literal["baseline", "cap", "ink"]
Weight = Literal["regular", "bold"]


def _same(shape: tuple[object, ...], other: object) -> bool:
    """Tell a polygon from a line through the same points, which as tuples are equal."""
    return type(shape) is type(other) and tuple.__eq__(shape, other)


class Style(NamedTuple):
    """How a shape is inked. Colours are `#rrggbb` in lower case or None for no ink; widths and dashes in mm."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    dash: tuple[float, ...] = ()
    cap: Literal["butt", "round", "square"] = "butt"
    join: Literal["miter", "round", "bevel"] = "miter"


class Polygon(NamedTuple):
    """A closed outline through `points`."""

    points: tuple[Point, ...]
    style: Style

    def __eq__(self, other: object) -> bool:
        return _same(self, other)

    def __ne__(self, other: object) -> bool:
        return not _same(self, other)

    def __hash__(self) -> int:
        return tuple.__hash__(self)


class Line(NamedTuple):
    """An open line through two or more points."""

    points: tuple[Point, ...]
    style: Style

    def __eq__(self, other: object) -> bool:
        return _same(self, other)

    def __ne__(self, other: object) -> bool:
        return not _same(self, other)

    def __hash__(self) -> int:
        return tuple.__hash__(self)


class Lines(NamedTuple):
    """Many separate line segments (x0, y0, x1, y1) in one style: the inner edges of a board, each once."""

    segments: tuple[tuple[float, float, float, float], ...]
    style: Style


class Circle(NamedTuple):
    """A circle of radius `r` mm."""

    x: float
    y: float
    r: float
    style: Style


class Arc(NamedTuple):
    """An open arc of a circle from angle `start` over `sweep` degrees; 0 is to the right, clockwise on the page."""

    x: float
    y: float
    r: float
    start: float
    sweep: float
    style: Style


class Curve(NamedTuple):
    """A path of straight and cubic pieces, for suits and other drawn signs.

    Each step is ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y) or ("Z",), absolute, in mm.
    """

    steps: tuple[tuple[str | float, ...], ...]
    style: Style


class Text(NamedTuple):
    """One line of text; `size` is the font size in mm (not the height of capitals).

    `anchor` says which part stands at x. `valign`: "baseline" puts the baseline at y, "cap" the middle of the
    capital height, "ink" the middle of the box of the ink in both directions (anchor "middle" only): use "ink"
    for a label that must be centred in its cell. `turn` is in degrees clockwise about (x, y).
    """

    x: float
    y: float
    text: str
    size: float
    colour: str = "#000000"
    anchor: Anchor = "start"
    valign: VAlign = "baseline"
    weight: Weight = "regular"
    turn: float = 0.0


class Use(NamedTuple):
    """The symbol `name` drawn with its origin at (x, y), turned clockwise by `turn` degrees about that point."""

    name: str
    x: float
    y: float
    turn: float = 0.0


class Group(NamedTuple):
    """Items that belong together. `clip` (a closed polygon) cuts them; `layer` names a print layer ("cut");
    `title` is its text for those who cannot see the picture. dx, dy move, then `turn` turns clockwise about the
    group's own origin (the origin lands on (dx, dy)); `scale` scales about the same origin.
    """

    items: "tuple[Item, ...]"
    clip: tuple[Point, ...] | None = None
    layer: str | None = None
    title: str | None = None
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    scale: float = 1.0


Item = Polygon | Line | Lines | Circle | Arc | Curve | Text | Use | Group


class Scene(NamedTuple):
    """A picture `width` × `height` mm. `symbols` are drawn again and again by Use, each about its own origin."""

    width: float
    height: float
    items: tuple[Item, ...]
    symbols: Mapping[str, tuple[Item, ...]] = MappingProxyType({})
    title: str = ""
    description: str = ""

    def dump(self) -> str:
        """Return the scene as text, one item a line, numbers to 0.001 mm: what golden tests compare."""
        head = f"scene {_number(self.width)} x {_number(self.height)} {self.title!r}"
        out = [head]
        for name in sorted(self.symbols):
            out.append(f"symbol {name}")
            _dump(self.symbols[name], out, 1)
        _dump(self.items, out, 0)
        return "\n".join(out) + "\n"


def _number(value: float) -> str:
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _value(value: object) -> str:
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Style):
        parts = [f"fill={value.fill}"] if value.fill else []
        if value.stroke:
            parts.append(f"stroke={value.stroke}/{_number(value.width)}")
        if value.dash:
            parts.append("dash=" + ",".join(_number(d) for d in value.dash))
        parts += [p for p in (value.cap, value.join) if p not in ("butt", "miter")]
        return "<" + " ".join(parts) + ">"
    if isinstance(value, tuple):
        return "(" + " ".join(_value(v) for v in value) + ")"
    return str(value) if isinstance(value, int | float) else repr(value)


def _dump(items: Iterable[Item], out: list[str], depth: int) -> None:
    pad = "  " * depth
    for item in items:
        fields = [
            f"{name}={_value(getattr(item, name))}"
            for name in item._fields
            if name != "items" and getattr(item, name) not in (None, "", 0.0, ())
        ]
        out.append(f"{pad}{type(item).__name__.lower()} {' '.join(fields)}".rstrip())
        if isinstance(item, Group):
            _dump(item.items, out, depth + 1)
