"""Scenes to SVG, with svgwrite for the document and its groups. Never loads cairo.

Sizes and viewBox are in mm, lines are real strokes, labels are outlines of the font with their text in aria-label,
so that the picture is the same on a machine without fonts. Ids are fixed: the same scene gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from xml.etree.ElementTree import Element

from svgwrite import Drawing
from svgwrite.container import Group as GroupElement
from svgwrite.masking import ClipPath

from pnp.backends.curves import arc_cubics
from pnp.backends.merge import merged
from pnp.fonts import FontSet, load
from pnp.fonts_ttf import Face
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
    Scene,
    Style,
    Text,
    Use,
)

_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(
    scene: Scene,
    *,
    use: bool = True,
    layers: bool = True,
    prefix: str = "",
    fonts: FontSet | None = None,
) -> str:
    """Return a scene as the text of an SVG file, without an XML header, so that it may also stand in HTML.

    use      symbols stand once and are referred to; False draws each where it is used (cairosvg takes half the time)
    layers   groups with a layer stand in `<g id=LAYER>`; False leaves out the layer "cut", which is no ink
    prefix   goes before every id, for several pictures in one page of HTML

    Raises PnpError for a text that the fonts cannot draw.
    """
    return _Writer(scene, fonts or load(), use=use, layers=layers, prefix=prefix).text()


def number(value: float) -> str:
    """Return a length in mm to 0.001."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _points(points: Sequence[Point], between: str = "L") -> str:
    """Return points in mm to 0.001; formatted at one go, since a board has thousands."""
    flat = tuple(chain.from_iterable(points))
    text = between.join(["%.3f %.3f"] * len(points)) % flat
    return text.replace("-0.000", "0").replace(".000", "")


class _Shape:
    """An element that svgwrite's containers take, without the checks that cost it most of its time."""

    __slots__ = ("_attributes", "_name")

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self._name = name
        self._attributes = attributes

    def get_xml(self) -> Element:
        return Element(self._name, self._attributes)


class _Writer:
    """One SVG file in the making."""

    def __init__(
        self, scene: Scene, fonts: FontSet, *, use: bool, layers: bool, prefix: str
    ) -> None:
        self._scene = scene
        self._fonts = fonts
        self._use = use
        self._layers = layers
        self._prefix = prefix
        self._symbols: dict[str, str] = {}
        self._ids: set[str] = set()
        self._clips = 0
        self._drawing = Drawing(
            size=(f"{number(scene.width)}mm", f"{number(scene.height)}mm"),
            viewBox=f"0 0 {number(scene.width)} {number(scene.height)}",
            debug=False,
        )

    def text(self) -> str:
        """Return the whole file."""
        scene, drawing = self._scene, self._drawing
        drawing["role"] = "img"
        if scene.title:
            drawing["aria-label"] = _clean(scene.title)
        if scene.title or scene.description:
            drawing.set_desc(_clean(scene.title) or None, _clean(scene.description) or None)
        self._draw(scene.items, drawing)
        out: str = drawing.tostring()
        return out + "\n"

    def _draw(self, items: Iterable[Item], into: GroupElement) -> None:
        add = into.elements.append
        for item in merged(items):
            match item:
                case Polygon():
                    add(_path(_closed(item.points), item.style))
                case tuple():
                    add(_path("".join(_closed(p.points) for p in item), item[0].style))
                case Line():
                    add(_path(_open(item.points), item.style))
                case Lines():
                    add(_path(_segments(item), item.style))
                case Circle():
                    place = {"cx": number(item.x), "cy": number(item.y), "r": number(item.r)}
                    add(_Shape("circle", place | _ink(item.style)))
                case Arc():
                    add(_path(_arc(item), item.style))
                case Curve():
                    add(_path(_curve(item), item.style))
                case Text():
                    self._text(item, into)
                case Use():
                    self._place(item, into)
                case Group():
                    self._group(item, into)

    def _text(self, item: Text, into: GroupElement) -> None:
        """Add the outline of a text: for each character one absolute point, the rest relative."""
        self._fonts.check(item.text, item.weight)
        face = self._fonts.face(item.weight)
        dx, dy = self._fonts.place(item)
        scale = item.size / face.units
        x, y = item.x + dx, item.y + dy
        parts: list[str] = []
        for char, pen in self._fonts.pens(item.text, item.weight):
            glyph = _glyph(face, char, item.size)
            if glyph:
                first_x, first_y, rest = glyph
                parts.append(f"M{number(x + pen * scale + first_x)} {number(y + first_y)}{rest}")
        if not parts:
            return
        attributes = {"d": "".join(parts), "fill": item.colour, "aria-label": item.text}
        if item.turn:
            attributes["transform"] = (
                f"rotate({number(item.turn)} {number(item.x)} {number(item.y)})"
            )
        into.elements.append(_Shape("path", attributes))

    def _place(self, item: Use, into: GroupElement) -> None:
        if self._use:
            target = self._symbol(item.name)
            if item.turn:
                place = {"transform": _transform(item.x, item.y, item.turn, 1.0)}
            else:
                place = {"x": number(item.x), "y": number(item.y)}
            into.elements.append(_Shape("use", {"xlink:href": f"#{target}"} | place))
            return
        group = self._new_group(_transform(item.x, item.y, item.turn, 1.0))
        into.elements.append(group)
        self._draw(self._scene.symbols[item.name], group)

    def _symbol(self, name: str) -> str:
        """Return the id of a symbol; it is written into the definitions when first used."""
        if name not in self._symbols:
            self._symbols[name] = self._id("s-" + name)
            group = GroupElement(debug=False)
            group["id"] = self._symbols[name]
            self._draw(self._scene.symbols[name], group)
            self._drawing.defs.elements.append(group)
        return self._symbols[name]

    def _group(self, item: Group, into: GroupElement) -> None:
        if item.layer == "cut" and not self._layers:
            return
        group = self._new_group(_transform(item.dx, item.dy, item.turn, item.scale))
        if item.layer and self._layers:
            self._drawing["xmlns:inkscape"] = _INKSCAPE
            group["id"] = self._id(item.layer)
            group["inkscape:groupmode"] = "layer"
            group["inkscape:label"] = _clean(item.layer)
        if item.title:
            group.set_desc(title=_clean(item.title))
        if item.clip:
            self._clips += 1
            clip = ClipPath(debug=False)
            clip["id"] = self._id(f"clip-{self._clips}")
            clip.elements.append(_Shape("path", {"d": _closed(item.clip)}))
            self._drawing.defs.elements.append(clip)
            group["clip-path"] = f"url(#{clip['id']})"
        into.elements.append(group)
        self._draw(item.items, group)

    def _new_group(self, transform: str) -> GroupElement:
        group = GroupElement(debug=False)
        if transform:
            group["transform"] = transform
        return group

    def _id(self, name: str) -> str:
        """Return a new id that begins with `name`, with nothing in it that an id may not hold."""
        base = self._prefix + re.sub(r"[^A-Za-z0-9_.-]", "-", name)
        found, k = base, 1
        while found in self._ids:
            k += 1
            found = f"{base}-{k}"
        self._ids.add(found)
        return found


def _path(d: str, style: Style) -> _Shape:
    return _Shape("path", {"d": d} | _ink(style))


def _ink(style: Style) -> dict[str, str]:
    """Return the attributes of a style; what SVG takes for granted is left out."""
    out = {"fill": style.fill or "none"}
    if style.stroke is not None and style.width > 0:
        out["stroke"] = style.stroke
        out["stroke-width"] = number(style.width)
        if style.dash:
            out["stroke-dasharray"] = " ".join(number(v) for v in style.dash)
        if style.cap != "butt":
            out["stroke-linecap"] = style.cap
        if style.join != "miter":
            out["stroke-linejoin"] = style.join
        else:
            out["stroke-miterlimit"] = "10"  # that of PDF, so that sharp corners look the same
    return out


def _open(points: Sequence[Point]) -> str:
    return "M" + _points(points)


def _closed(points: Sequence[Point]) -> str:
    return "M" + _points(points) + "Z"


def _segments(item: Lines) -> str:
    text = "M%.3f %.3fL%.3f %.3f" * len(item.segments) % tuple(chain.from_iterable(item.segments))
    return text.replace("-0.000", "0").replace(".000", "")


def _arc(item: Arc) -> str:
    first, cubics = arc_cubics(item.x, item.y, item.r, item.start, item.sweep)
    pieces = ("C" + " ".join(map(number, cubic)) for cubic in cubics)
    return f"M{number(first[0])} {number(first[1])}" + "".join(pieces)


def _curve(item: Curve) -> str:
    return "".join(
        str(step[0]) + " ".join(number(float(v)) for v in step[1:]) for step in item.steps
    )


@lru_cache(maxsize=4096)
def _glyph(face: Face, char: str, size: float) -> tuple[float, float, str] | None:
    """Return a character's outline in mm: its first point and the path from there; None for blanks.

    The points lie on a grid of 0.001 mm about the start of the baseline, so that the differences
    add up to no error.
    """
    steps = face.steps(ord(char))
    if not steps:
        return None
    scale = 1000.0 * size / face.units
    out: list[str] = []
    begin_x, begin_y = round(float(steps[0][1]) * scale), -round(float(steps[0][2]) * scale)
    x, y = first_x, first_y = begin_x, begin_y
    for step in steps[1:]:
        kind = str(step[0])
        if kind == "Z":
            out.append("z")
            x, y = first_x, first_y
            continue
        grid = [round(float(v) * scale) for v in step[1:]]
        points = [(px - x, -py - y) for px, py in zip(grid[::2], grid[1::2], strict=True)]
        dx, dy = points[-1]
        x, y = x + dx, y + dy
        if kind == "L" and not (dx and dy):
            out.append("h" + _milli(dx) if dx else "v" + _milli(dy))
        else:
            operands = " ".join(_milli(v) for point in points for v in point)
            out.append(kind.lower() + operands.replace(" -", "-"))
        if kind == "M":
            first_x, first_y = x, y
    return begin_x / 1000.0, begin_y / 1000.0, "".join(out)


def _milli(value: int) -> str:
    """Return whole thousandths as a decimal number, as short as can be."""
    text = number(value / 1000.0)
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _transform(dx: float, dy: float, turn: float, scale: float) -> str:
    parts = []
    if dx or dy:
        parts.append(f"translate({number(dx)} {number(dy)})")
    if turn:
        parts.append(f"rotate({turn:.6g})")
    if scale != 1.0:
        parts.append(f"scale({scale:.9g})")
    return " ".join(parts)


def _clean(text: str) -> str:
    """Return a text without the characters that XML cannot hold; svgwrite escapes the rest."""
    return _CONTROL.sub("\ufffd", text)
