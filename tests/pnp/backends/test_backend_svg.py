"""SVG: parsed and measured; nothing in it that only some readers understand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pnp import fonts
from pnp.backends import svg
from pnp.errors import PnpError
from pnp.geometry import bounds, hexagon, rotate
from pnp.scene import Arc, Circle, Group, Item, Line, Lines, Polygon, Scene, Style, Text, Use
from tests.tools.outlines import path_points
from tests.tools.scenes import board, shapes
from tests.tools.small_font import ASTRAL, user_font

SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
INK = Style(stroke="#000000", width=0.2)


def one(*items: Item, **symbols: tuple[Item, ...]) -> Scene:
    return Scene(100.5, 80, items, symbols)


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def labels(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {e.attrib["aria-label"]: e for e in root.iter(SVG + "path") if "aria-label" in e.attrib}


def test_sizes_and_view_box_are_in_mm() -> None:
    root = parsed(svg.render(one()))
    assert (root.attrib["width"], root.attrib["height"]) == ("100.5mm", "80mm")
    assert root.attrib["viewBox"] == "0 0 100.5 80"


def test_lines_are_real_strokes() -> None:
    cut = Style(stroke="#ff0000", width=0.088)
    root = parsed(svg.render(one(Lines(((1, 2, 3, 4), (5, 6, 7, 8.25)), cut))))
    (path,) = root.iter(SVG + "path")
    assert path.attrib["stroke"] == "#ff0000"
    assert path.attrib["stroke-width"] == "0.088"
    assert path.attrib["fill"] == "none"
    assert path_points(path.attrib["d"]) == [(1, 2), (3, 4), (5, 6), (7, 8.25)]


def test_styles_are_written_out() -> None:
    style = Style("#00ff00", "#ff0000", 1.5, (2, 0.5), "round", "bevel")
    root = parsed(svg.render(one(Line(((1, 2), (3, 4)), style))))
    (path,) = root.iter(SVG + "path")
    assert path.attrib["fill"] == "#00ff00"
    assert path.attrib["stroke-dasharray"] == "2 0.5"
    assert path.attrib["stroke-linecap"] == "round"
    assert path.attrib["stroke-linejoin"] == "bevel"


@pytest.mark.parametrize("sweep", [90, -200, 360])
def test_arcs_end_where_they_should(sweep: float) -> None:
    root = parsed(svg.render(one(Arc(50, 40, 20, 30, sweep, INK))))
    points = path_points(next(root.iter(SVG + "path")).attrib["d"])
    ends = [rotate(((70, 40),), turn, (50, 40))[0] for turn in (30, 30 + sweep)]
    assert points[0] == pytest.approx(ends[0], abs=0.001)
    assert points[-1] == pytest.approx(ends[1], abs=0.001)
    for x, y in points:
        assert ((x - 50) ** 2 + (y - 40) ** 2) ** 0.5 == pytest.approx(20, abs=0.006)


@pytest.mark.parametrize("valign", ["baseline", "cap", "ink"])
@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_labels_are_outlines_where_the_fonts_place_them(valign: str, weight: str) -> None:
    for text in ("a1", "Ågj♠", "%&@"):
        item = Text(30, 40, text, 7.3, "#123456", "middle", valign, weight)  # type: ignore[arg-type]
        path = labels(parsed(svg.render(one(item))))[text]
        assert path.attrib["fill"] == "#123456"
        shown = bounds(path_points(path.attrib["d"], 64))
        assert shown == pytest.approx(fonts.load().text_box(item), abs=0.003)


def test_a_turned_label_turns_about_its_point() -> None:
    path = labels(parsed(svg.render(one(Text(30, 40, "a1", 5, turn=90)))))["a1"]
    assert path.attrib["transform"] == "rotate(90 30 40)"


def test_no_font_is_asked_for() -> None:
    text = svg.render(shapes())
    assert "<text" not in text
    assert "font" not in text


def test_an_astral_character_of_a_user_font(tmp_path: Path) -> None:
    own = fonts.load(user_font(tmp_path / "Own.ttf"))
    root = parsed(svg.render(one(Text(10, 20, ASTRAL, 10)), fonts=own))
    shown = bounds(path_points(labels(root)[ASTRAL].attrib["d"]))
    assert shown == pytest.approx((10, 10, 20, 20), abs=0.001)


def test_a_missing_character_is_refused() -> None:
    with pytest.raises(PnpError, match=r"U\+1F3B2 \(GAME DIE\).*--font"):
        svg.render(one(Text(9, 9, ASTRAL, 5)))


def test_a_blank_text_leaves_nothing() -> None:
    assert list(parsed(svg.render(one(Text(9, 9, "  ", 5)))).iter(SVG + "path")) == []


def test_title_and_description_for_those_who_cannot_see() -> None:
    root = parsed(svg.render(shapes()))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == "Shapes <&> é"
    assert root.findtext(SVG + "title") == "Shapes <&> é"
    assert root.findtext(SVG + "desc") == "one of each"
    assert [g.findtext(SVG + "title") for g in root.iter(SVG + "g") if len(g)][0:].count(
        "clipped <&>"
    ) == 1


def test_text_of_users_is_escaped() -> None:
    nasty = '"/><script>alert(1)</script><!-- & ]]>'
    scene = Scene(50, 50, (Text(5, 5, nasty, 3), Group((), title=nasty)), {}, nasty, nasty)
    root = parsed(svg.render(scene))
    assert list(root.iter(SVG + "script")) == []
    assert root.findtext(SVG + "title") == nasty
    assert nasty in labels(root)


def test_a_title_that_xml_cannot_hold() -> None:
    root = parsed(svg.render(Scene(50, 50, (), {}, "bell \x07, half \ud800")))
    assert root.findtext(SVG + "title") == "bell \ufffd, half \ufffd"


def test_symbols_stand_once_or_where_they_are_used() -> None:
    scene = one(
        Use("a b", 10, 10),
        Use("a b", 20, 10, 45),
        **{"a b": (Circle(0, 0, 3, INK),), "rest": (Circle(0, 0, 1, INK),)},
    )
    root = parsed(svg.render(scene))
    assert len(list(root.iter(SVG + "circle"))) == 1
    uses = [e.attrib for e in root.iter(SVG + "use")]
    href = "{http://www.w3.org/1999/xlink}href"
    (found,) = root.iter(SVG + "defs")
    ids = [e.attrib["id"] for e in found]
    assert [u[href] for u in uses] == ["#" + ids[0]] * 2
    assert (uses[0]["x"], uses[0]["y"]) == ("10", "10")
    assert uses[1]["transform"] == "translate(20 10) rotate(45)"
    inline = parsed(svg.render(scene, use=False))
    assert list(inline.iter(SVG + "use")) == []
    assert len(list(inline.iter(SVG + "circle"))) == 2


def test_a_layer_is_a_group_of_its_own() -> None:
    text = svg.render(shapes())
    (group,) = [g for g in parsed(text).iter(SVG + "g") if g.attrib.get("id") == "cut"]
    assert group.attrib[INKSCAPE + "groupmode"] == "layer"
    assert group.attrib[INKSCAPE + "label"] == "cut"
    assert [e.tag for e in group] == [SVG + "path"]
    without = parsed(svg.render(shapes(), layers=False))
    assert [g for g in without.iter(SVG + "g") if g.attrib.get("id") == "cut"] == []
    assert "inkscape" not in svg.render(board())


def test_ids_are_unique_and_take_the_prefix() -> None:
    clip = ((0, 0), (9, 0), (9, 9))
    scene = one(*(Group((Use(n, 1, 1),), clip=clip, layer="x") for n in ("s 1", "s-1", "clip-1")))
    scene = Scene(9, 9, scene.items, {n: (Circle(0, 0, 1, INK),) for n in ("s 1", "s-1", "clip-1")})
    text = svg.render(scene, prefix="p7-")
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids)) == 9
    assert all(i.startswith("p7-") for i in ids)
    for target in re.findall(r'(?:href="#|url\(#)([^")]*)', text):
        assert target in ids


def test_a_group_is_moved_turned_and_scaled_and_then_clipped_in_its_own_mm() -> None:
    item = Group((Circle(0, 0, 5, INK),), clip=hexagon(6), dx=20, dy=30, turn=15, scale=2)
    root = parsed(svg.render(one(item)))
    (group,) = [g for g in root.iter(SVG + "g") if "clip-path" in g.attrib]
    assert group.attrib["transform"] == "translate(20 30) rotate(15) scale(2)"
    (clip,) = root.iter(SVG + "clipPath")
    assert path_points(clip[0].attrib["d"])[0] == pytest.approx(hexagon(6)[0], abs=0.001)


def test_cells_of_one_colour_are_one_path_in_the_order_of_the_scene() -> None:
    red, blue = Style(fill="#ff0000"), Style(fill="#0000ff")
    bow = Polygon(((0, 0), (9, 9), (9, 0), (0, 9)), red)
    items = [Polygon(hexagon(10, (10 * k, 10)), red) for k in range(3)]
    backwards = Polygon(hexagon(10, (40, 10))[::-1], red)
    other = Polygon(hexagon(10, (50, 10)), blue)
    root = parsed(svg.render(one(*items, backwards, bow, other, items[0])))
    paths = [(e.attrib["fill"], e.attrib["d"].count("M")) for e in root.iter(SVG + "path")]
    assert paths == [("#ff0000", 4), ("#ff0000", 1), ("#0000ff", 1), ("#ff0000", 1)]


def test_the_same_scene_gives_the_same_text() -> None:
    first = svg.render(shapes())
    svg.render(board())
    assert svg.render(shapes()) == first


def test_cairo_and_reportlab_are_not_loaded(root: Path) -> None:
    """PDF, SVG and text work on a machine without the cairo library."""
    code = (
        "import sys; from tests.tools.scenes import shapes; from pnp.backends import {0}; {0}.{1}(shapes());"
        "print([m for m in ('cairosvg', 'cairocffi', 'pypdfium2', 'fontTools', 'reportlab', 'svgwrite')"
        " if m in sys.modules])"
    )
    for module, call, loaded in (
        ("svg", "render", "['svgwrite']"),
        ("pdf", "to_bytes", "['reportlab']"),
    ):
        shown = subprocess.run(
            [sys.executable, "-c", code.format(module, call)],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        )
        assert shown.stdout.strip() == loaded


def test_svgwrite_is_read_without_network_and_checker_and_whole_for_those_who_use_it(
    root: Path,
) -> None:
    """P103: nothing checks every element; the checker is there for whoever wants it."""
    code = """
import sys
from pnp.backends import svg
from pnp.scene import Scene
svg.render(Scene(10, 10, ()))
spared = {"urllib.request", "http.client", "svgwrite.data.svgparser"}
assert not spared & set(sys.modules), spared & set(sys.modules)
import svgwrite, urllib.request
drawing = svgwrite.Drawing(debug=True)
drawing.rect((0, 0), (1, 1), transform="rotate(30)")
try:
    drawing.rect((0, 0), (1, 1), transform="rotate(")
except (TypeError, ValueError):
    print("checked", urllib.request.urlopen.__module__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.stdout) == ("", "checked urllib.request\n")
