"""PNG: sizes, resolution, both renderers, and that the three formats show one picture."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pnp.backends import pdf, png, svg
from pnp.errors import PnpError
from pnp.geometry import hexagon
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
from tests.conftest import need_cairo
from tests.tools.scenes import board, shapes

Pixels = np.ndarray[Any, np.dtype[np.int64]]
BOTH = pytest.mark.parametrize("renderer", ["cairo", "pdfium"])


@pytest.fixture
def no_cairo(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without the cairo library."""
    monkeypatch.setitem(sys.modules, "cairosvg", None)


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bytes]:
    def drawn(renderer: str, scene: Scene, *args: Any, **more: Any) -> bytes:
        with monkeypatch.context() as patch:
            if renderer == "cairo":
                need_cairo()
            else:
                patch.setitem(sys.modules, "cairosvg", None)
            return png.render(scene, *args, **more)

    return drawn


def picture(data: bytes, mode: str = "RGB") -> Pixels:
    return np.asarray(Image.open(io.BytesIO(data)).convert(mode)).astype(int)


@BOTH
@pytest.mark.parametrize("dpi", [300, 96, 97.3, 10, 600])
def test_pixels_are_the_rounded_mm(draw: Callable[..., bytes], renderer: str, dpi: float) -> None:
    for width, height in ((63.5, 20.1), (9.99, 30.3)):
        data = draw(renderer, Scene(width, height, ()), dpi)
        shown = Image.open(io.BytesIO(data))
        assert shown.size == (round(width / 25.4 * dpi), round(height / 25.4 * dpi))
        at = data.index(b"pHYs")
        across, down, unit = struct.unpack(">2LB", data[at + 4 : at + 13])
        assert across == down == round(dpi / 0.0254)
        assert unit == 1


@BOTH
def test_a_width_in_pixels(draw: Callable[..., bytes], renderer: str) -> None:
    shown = Image.open(io.BytesIO(draw(renderer, Scene(123, 77, ()), width=600)))
    assert shown.size == (600, round(600 * 77 / 123))


@BOTH
def test_white_ground_or_none(draw: Callable[..., bytes], renderer: str) -> None:
    scene = Scene(20, 20, (Circle(10, 10, 5, Style(fill="#ff0000")),))
    white = picture(draw(renderer, scene, 100), "RGBA")
    assert white[0, 0].tolist() == [255, 255, 255, 255]
    assert white[39, 39].tolist() == [255, 0, 0, 255]
    clear = picture(draw(renderer, scene, 100, True), "RGBA")
    assert clear[0, 0, 3] == 0
    assert clear[39, 39].tolist() == [255, 0, 0, 255]


@pytest.mark.parametrize("dpi", [0, -1, 1e9, float("nan"), float("inf"), 5000])
def test_a_resolution_that_gives_no_picture_is_refused(dpi: float) -> None:
    with pytest.raises(PnpError, match="--dpi"):
        png.render(Scene(210, 297, ()), dpi)


def test_the_largest_resolution_named_is_drawn_and_the_next_is_not() -> None:
    scene = Scene(4000, 3, ())
    with pytest.raises(PnpError) as caught:
        png.render(scene, 1000)
    most = int(str(caught.value).partition("at most ")[2].partition(" dpi")[0])
    assert Image.open(io.BytesIO(png.render(scene, most))).size[0] == round(4000 / 25.4 * most)
    with pytest.raises(PnpError):
        png.render(scene, most + 1)


@pytest.mark.parametrize("width", [0, -5, 40_000, 10**9])
def test_a_width_that_gives_no_picture_is_refused(width: int) -> None:
    with pytest.raises(PnpError, match=r"\d"):
        png.render(Scene(210, 297, ()), width=width)


def test_too_low_a_resolution_is_refused() -> None:
    with pytest.raises(PnpError, match="leaves no pixel"):
        png.render(Scene(10, 10, ()), 0.5)


PAGE_OF_TEXT = Scene(
    90, 40, tuple(Text(4, 5 + 3 * k, "The quick brown fox 0123456789 ♠♥♦♣", 2.8) for k in range(11))
)


@pytest.mark.parametrize(
    "scene", [shapes(), board(7), PAGE_OF_TEXT], ids=["shapes", "board", "text"]
)
@pytest.mark.parametrize("dpi", [60, 150])
def test_both_renderers_show_one_picture(
    draw: Callable[..., bytes], scene: Scene, dpi: float
) -> None:
    cairo, pdfium = (picture(draw(name, scene, dpi)) for name in ("cairo", "pdfium"))
    assert cairo.shape == pdfium.shape
    assert (cairo < 128).any(axis=2).mean() > 0.01
    assert (np.abs(cairo - pdfium).max(axis=2) > 32).mean() <= 0.01  # the spec allows 0.02


def test_a_missing_cairo_library_is_no_error(
    monkeypatch: pytest.MonkeyPatch, draw: Callable[..., bytes]
) -> None:
    """The package is there, its import fails for want of the library: an OSError."""

    class Finder:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "cairosvg":
                raise OSError('no library called "cairo-2" was found')

    expected = draw("pdfium", shapes(), 72)
    monkeypatch.delitem(sys.modules, "cairosvg", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    assert png.render(shapes(), 72) == expected


@BOTH
def test_a_picture_stretched_about_its_centre(draw: Callable[..., bytes], renderer: str) -> None:
    """What a printer's scales ask for: 2 % more across, 3 % less down."""
    scene = Scene(100, 80, (Polygon(((10, 10), (90, 10), (90, 70), (10, 70)), Style("#000000")),))
    shown = picture(draw(renderer, scene, 254, stretch=(1.02, 0.97)))
    rows, columns = np.nonzero(shown.max(axis=2) < 128)
    edges = [columns.min(), columns.max() + 1, rows.min(), rows.max() + 1]
    expected = [500 - 408, 500 + 408, 400 - 291, 400 + 291]  # a tenth of a mm a pixel
    assert np.abs(np.array(edges) - expected).max() <= 1


@BOTH
def test_the_same_bytes_twice(draw: Callable[..., bytes], renderer: str) -> None:
    assert draw(renderer, shapes(), 72) == draw(renderer, shapes(), 72)


@BOTH
def test_lines_to_cut_along_are_no_ink(draw: Callable[..., bytes], renderer: str) -> None:
    cut = Group((Lines(((0, 5, 20, 5),), Style(stroke="#000000", width=2)),), layer="cut")
    assert picture(draw(renderer, Scene(20, 10, (cut,)), 72)).min() == 255


def test_the_svg_for_cairo_has_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    need_cairo()
    import cairosvg

    seen: list[bytes] = []
    real = cairosvg.svg2png

    def spy(**more: Any) -> Any:
        seen.append(more["bytestring"])
        return real(**more)

    monkeypatch.setattr(cairosvg, "svg2png", spy)
    png.render(board(), 50)
    assert b"<use" not in seen[0]
    assert b"<circle" in seen[0]


def by_poppler(pdftoppm: str, scene: Scene, dpi: int, folder: Path) -> Pixels:
    path = folder / "scene.pdf"
    path.write_bytes(pdf.to_bytes(scene))
    shown = subprocess.run(
        [pdftoppm, "-r", str(dpi), str(path)], capture_output=True, check=True
    ).stdout
    return np.asarray(Image.open(io.BytesIO(shown)).convert("RGB")).astype(int)


@pytest.mark.parametrize("text", ["a1", "g7", "j11", "T", "♣"])
def test_a_label_is_in_the_middle_of_its_cell_in_every_format(
    text: str, draw: Callable[..., bytes], program: Callable[[str], str], tmp_path: Path
) -> None:
    cell, dpi = 10.0, 508  # 0.05 mm a pixel
    label = Text(11.3, 9.1, text, 4, anchor="middle", valign="ink")
    scene = Scene(23, 19, (label,))
    centres = []
    for shown in (
        picture(draw("cairo", scene, dpi)),
        picture(draw("pdfium", scene, dpi)),
        by_poppler(program("pdftoppm"), scene, dpi, tmp_path),
    ):
        rows, columns = np.nonzero(shown.max(axis=2) < 128)
        middle = [(v.min() + v.max() + 1) / 2 / dpi * 25.4 for v in (columns, rows)]
        assert abs(middle[0] - label.x) < 0.02 * cell
        assert abs(middle[1] - label.y) < 0.02 * cell
        centres.append(middle)
    assert np.ptp(np.array(centres), axis=0).max() < 0.06


@pytest.mark.parametrize("turn", [0, 30, 200])
@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_text_of_any_kind_stands_at_one_place_in_every_format(
    turn: float,
    weight: Any,
    draw: Callable[..., bytes],
    program: Callable[[str], str],
    tmp_path: Path,
) -> None:
    text = Text(12, 12, "Hgj Äl", 5, "#000000", "middle", "cap", weight, turn)
    scene = Scene(24, 26, (Group((text,), dx=1, dy=2, turn=5, scale=0.9),))
    masses = []
    for shown in (
        picture(draw("cairo", scene, 508)),
        picture(draw("pdfium", scene, 508)),
        by_poppler(program("pdftoppm"), scene, 508, tmp_path),
    ):
        ink = 255 - shown.mean(axis=2)
        grid = np.indices(ink.shape)
        masses.append([(ink * grid[k]).sum() / ink.sum() / 20 for k in (0, 1)])  # mm
    assert np.abs(np.array(masses[0]) - masses[1]).max() < 0.005
    assert np.abs(np.array(masses[0]) - masses[2]).max() < 0.05  # poppler moves letters by pixels


@pytest.mark.parametrize("turn", [0.0, 17.0])
@pytest.mark.parametrize("pointy", [True, False])
def test_cells_of_one_colour_show_no_seam(
    turn: float,
    pointy: bool,
    draw: Callable[..., bytes],
    program: Callable[[str], str],
    tmp_path: Path,
) -> None:
    colour = Style(fill="#203040")
    centres = [(12.3, 12.1), (22.3, 12.1)] if pointy else [(12.3, 12.1), (12.3, 22.1)]
    cells = tuple(Polygon(hexagon(10, c, pointy=pointy), colour) for c in centres)
    scene = Scene(40, 40, (Group(cells, dx=6, dy=1, turn=turn),))
    for dpi in (60, 97, 150):
        for shown in (
            picture(draw("cairo", scene, dpi)),
            picture(draw("pdfium", scene, dpi)),
            by_poppler(program("pdftoppm"), scene, dpi, tmp_path),
        ):
            along = line_of_pixels(shown, centres, turn, dpi)
            assert len(along) > 20
            assert np.abs(along - np.array([0x20, 0x30, 0x40])).max() <= 2


def line_of_pixels(
    shown: Pixels, centres: list[tuple[float, float]], turn: float, dpi: float
) -> Pixels:
    """Return the pixels around the line from one cell's middle to the other's, across their edge."""
    angle = np.radians(turn)
    (x0, y0), (x1, y1) = centres
    found = []
    for t in np.linspace(0, 1, 60):
        for side in (-2, -1, 0, 1, 2):
            x = x0 + t * (x1 - x0) + side * (y1 - y0) / 10
            y = y0 + t * (y1 - y0) + side * (x1 - x0) / 10
            px = 6 + x * np.cos(angle) - y * np.sin(angle)
            py = 1 + x * np.sin(angle) + y * np.cos(angle)
            found.append(shown[int(py / 25.4 * dpi), int(px / 25.4 * dpi)])
    return np.array(found)


SIZES = st.floats(0, 60, allow_nan=False)
COLOURS = st.none() | st.sampled_from(["#000000", "#ff8800", "#ffffff"])
STYLES = st.builds(
    Style,
    COLOURS,
    COLOURS,
    st.floats(0, 3),
    st.lists(st.floats(0.2, 4), max_size=3).map(tuple),
    st.sampled_from(["butt", "round", "square"]),
    st.sampled_from(["miter", "round", "bevel"]),
)
POINTS = st.tuples(SIZES, SIZES)
TEXTS = st.text(st.sampled_from("abQ19 <&>\"'é♠Жß-–"), max_size=8)
TURNS = st.sampled_from([0.0, 90.0]) | st.floats(-400, 400)
SHAPES: st.SearchStrategy[Item] = st.one_of(
    st.builds(Polygon, st.lists(POINTS, min_size=3, max_size=6).map(tuple), STYLES),
    st.builds(Line, st.lists(POINTS, min_size=2, max_size=5).map(tuple), STYLES),
    st.builds(
        Lines,
        st.lists(st.tuples(SIZES, SIZES, SIZES, SIZES), min_size=1, max_size=4).map(tuple),
        STYLES,
    ),
    st.builds(Circle, SIZES, SIZES, SIZES, STYLES),
    st.builds(Arc, SIZES, SIZES, SIZES, TURNS, TURNS, STYLES),
    st.builds(
        Curve,
        st.tuples(SIZES, SIZES, SIZES, SIZES, SIZES, SIZES).map(
            lambda v: (("M", *v[:2]), ("C", *v), ("L", *v[2:4]), ("Z",))
        ),
        STYLES,
    ),
    st.builds(
        Text,
        SIZES,
        SIZES,
        TEXTS,
        st.floats(0.5, 20),
        st.just("#334455"),
        st.sampled_from(["start", "middle", "end"]),
        st.sampled_from(["baseline", "cap", "ink"]),
        st.sampled_from(["regular", "bold"]),
        TURNS,
    ),
    st.builds(Use, st.sampled_from(["one", "two"]), SIZES, SIZES, TURNS),
)
GROUPS = st.builds(
    Group,
    st.lists(SHAPES, max_size=4).map(tuple),
    st.none() | st.lists(POINTS, min_size=3, max_size=5).map(tuple),
    st.none() | st.sampled_from(["cut", "print"]),
    st.none() | TEXTS,
    SIZES,
    SIZES,
    TURNS,
    st.floats(0.1, 3),
)
ONE = (Circle(0, 0, 3, Style(fill="#00ff00")), Text(0, 0, "s", 4))
SCENES = st.builds(
    Scene,
    st.floats(5, 60),
    st.floats(5, 60),
    st.lists(SHAPES | GROUPS, max_size=6).map(tuple),
    st.just({"one": ONE, "two": (Use("one", 1, 1, 20), Line(((0, 0), (5, 5)), Style()))}),
    TEXTS,
    TEXTS,
)


@settings(max_examples=40)
@given(SCENES)
def test_any_scene_is_drawn_in_every_format(scene: Scene) -> None:
    ElementTree.fromstring(svg.render(scene))
    data = pdf.to_bytes(scene)
    assert data.startswith(b"%PDF-1.7")
    shown = Image.open(io.BytesIO(png.render(scene, 60)))
    assert shown.size == (round(scene.width / 25.4 * 60), round(scene.height / 25.4 * 60))


@pytest.mark.usefixtures("no_cairo")
def test_any_scene_is_drawn_by_pdfium() -> None:
    @settings(max_examples=25)
    @given(SCENES)
    def check(scene: Scene) -> None:
        shown = Image.open(io.BytesIO(png.render(scene, 60)))
        assert shown.size == (round(scene.width / 25.4 * 60), round(scene.height / 25.4 * 60))

    check()
