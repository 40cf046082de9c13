"""Scenes to SVG, with svgwrite for the document and its groups. Never loads cairo.

Sizes and viewBox are in mm, lines are real strokes, labels are outlines of the font with their text in aria-label,
so that the picture is the same on a machine without fonts. Ids are fixed: the same scene gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from xml.etree.ElementTree import Element, tostring

from pnp.backends.bare_svg import ClipPath, Drawing
from pnp.backends.bare_svg import Group as GroupElement
from pnp.backends.curves import arc_cubics
from pnp.backends.merge import Run, merged
from pnp.backends.svg_labels import label_path, number
from pnp.fonts import FontSet, compose, load
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
    stretch: tuple[float, float] = (1.0, 1.0),
    fonts: FontSet | None = None,
) -> str:
    """Return a scene as the text of an SVG file, without an XML header: it may also stand in HTML.

    use      symbols stand once and are referred to; False draws each where it is used, which takes
             cairosvg half the time
    layers   groups with a layer stand in `<g id=LAYER>`; False leaves out the layer "cut", which is
             no ink
    prefix   goes before every id, for several pictures in one page of HTML
    stretch  scales the picture about its centre, across and down

    Raises PnpError for a text that the fonts cannot draw.
    """
    writer = _Writer(scene, fonts or load(), use=use, layers=layers, prefix=prefix)
    return writer.text(stretch)


def _points(points: Sequence[Point], between: str = "L") -> str:
    """Return points in mm to 0.001; formatted at one go, since a board has thousands."""
    flat = tuple(chain.from_iterable(points))
    text = between.join(["%.3f %.3f"] * len(points)) % flat
    return text.replace("-0.000", "0").replace(".000", "")


class _Shape:
    """An element that svgwrite's containers take, without the checks that cost it its time."""

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

    def text(self, stretch: tuple[float, float]) -> str:
        """Return the whole file, the picture scaled about its centre."""
        scene, drawing = self._scene, self._drawing
        drawing["role"] = "img"
        if scene.title:
            drawing["aria-label"] = _clean(scene.title)
        if scene.title or scene.description:
            drawing.set_desc(_clean(scene.title) or None, _clean(scene.description) or None)
        into: GroupElement = drawing
        if stretch != (1.0, 1.0):
            across, down = stretch
            middle = scene.width / 2.0 * (1.0 - across), scene.height / 2.0 * (1.0 - down)
            place = f"translate({number(middle[0])} {number(middle[1])})"
            into = self._new_group(f"{place} scale({across:.9g} {down:.9g})")
            drawing.elements.append(into)
        self._draw(scene.items, into)
        # svgwrite's own way writes bytes, piece by piece through a codec, and reads them again
        return tostring(drawing.get_xml(), encoding="unicode") + "\n"

    def _draw(self, items: Iterable[Item], into: GroupElement) -> None:
        add = into.elements.append
        for item in merged(items):
            match item:
                case Polygon():
                    add(_path(_closed(item.points), item.style))
                case Run():
                    add(_path("".join(_closed(p.points) for p in item.polygons), item.style))
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
        """Add the outline of a text: its first point absolute, the rest relative."""
        self._fonts.check(item.text, item.weight)
        label = label_path(self._fonts.face(item.weight), compose(item.text), item.size)
        if label is None:
            return
        dx, dy = self._fonts.place(item)
        x, y, rest = label
        start = f"M{number(item.x + dx + x)} {number(item.y + dy + y)}"
        attributes = {"d": start + rest, "fill": item.colour, "aria-label": item.text}
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


@lru_cache(maxsize=32)
def _segments(item: Lines) -> str:
    """Return lines as a path; remembered, since each picture of a board has the same hundreds."""
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
