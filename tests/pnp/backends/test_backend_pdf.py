"""PDF: measured by other people's readers, pdfplumber and pikepdf, and drawn by poppler."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pytest

from pnp import fonts
from pnp.backends import pdf
from pnp.document import Document, Page
from pnp.errors import FileError, PnpError
from pnp.geometry import hexagon
from pnp.scene import Arc, Circle, Group, Item, Line, Lines, Polygon, Scene, Style, Text, Use
from pnp.units import MM_PER_POINT
from tests.tools.scenes import board, shapes
from tests.tools.small_font import ASTRAL, user_font

INK = Style(stroke="#000000", width=0.2)
A4 = (210.0, 297.0)


def one(*items: Item, size: tuple[float, float] = A4, **symbols: tuple[Item, ...]) -> Scene:
    return Scene(*size, items, symbols)


def written(*pages: Page, title: str = "T", cut_layer: bool = False, **more: Any) -> bytes:
    out = io.BytesIO()
    pdf.write(Document(title, lambda: iter(pages), **more), out, cut_layer=cut_layer)
    return out.getvalue()


@lru_cache(maxsize=4)  # a page lives no longer than its file
def opened(data: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(data))


def plumbed(data: bytes, page: int = 0) -> Any:
    return pdfplumber.open(io.BytesIO(data)).pages[page]


def mm(thing: dict[str, Any]) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom in mm of something that pdfplumber found."""
    return tuple(thing[k] * MM_PER_POINT for k in ("x0", "top", "x1", "bottom"))  # type: ignore[return-value]


def test_the_page_is_the_paper_in_exact_mm() -> None:
    for size in (A4, (215.9, 279.4), (297.0, 420.0), (63.5, 88.9)):
        page = opened(written(Page(one(size=size)))).pages[0]
        for box in (page.MediaBox, page.TrimBox):
            shown = [float(v) * MM_PER_POINT for v in box]
            assert shown == pytest.approx([0, 0, *size], abs=1e-4)


def test_the_trim_box_of_a_single_piece() -> None:
    page = opened(written(Page(one(size=(40, 60)), trim=(5, 10, 35, 52)))).pages[0]
    shown = [float(v) * MM_PER_POINT for v in page.TrimBox]
    assert shown == pytest.approx([5, 8, 35, 50], abs=1e-4)


def test_places_and_widths_are_those_of_the_scene() -> None:
    data = pdf.to_bytes(
        one(
            Line(((10, 20), (60, 20)), Style(stroke="#ff0000", width=0.25)),
            Polygon(((100, 50), (120, 50), (120, 80), (100, 80)), Style(fill="#00ff00")),
            Circle(50, 200, 30, Style(stroke="#0000ff", width=0.5)),
        )
    )
    page = plumbed(data)
    (line,) = page.lines
    assert mm(line) == pytest.approx((10, 20, 60, 20), abs=0.001)
    assert line["linewidth"] * MM_PER_POINT == pytest.approx(0.25, abs=0.001)
    assert line["stroking_color"] == (1, 0, 0)
    (rect,) = page.rects
    assert mm(rect) == pytest.approx((100, 50, 120, 80), abs=0.001)
    assert rect["fill"]
    assert rect["non_stroking_color"] == (0, 1, 0)
    (curve,) = page.curves
    assert mm(curve) == pytest.approx((20, 170, 80, 230), abs=0.01)


@pytest.mark.parametrize("radius", [2.0, 15.0, 15.1, 60.0])
def test_circles_and_arcs_keep_to_their_radius(radius: float) -> None:
    data = pdf.to_bytes(one(Circle(100, 150, radius, INK), Arc(100, 150, radius, 17, 250, INK)))
    seen = 0
    for a, b, c, d in cubics(data):
        for k in range(21):
            t = k / 20
            x, y = (
                (1 - t) ** 3 * a[i]
                + 3 * (1 - t) ** 2 * t * b[i]
                + 3 * (1 - t) * t * t * c[i]
                + t**3 * d[i]
                for i in (0, 1)
            )
            off = ((x - 100) ** 2 + (y - 150) ** 2) ** 0.5 - radius
            assert abs(off) < 0.005
            seen += 1
    assert seen > 100


def cubics(data: bytes) -> Iterator[list[tuple[float, float]]]:
    """Yield the four points in mm of every curve of the first page."""
    here = (0.0, 0.0)
    for operands, operator in pikepdf.parse_content_stream(opened(data).pages[0]):
        if str(operator) not in ("m", "l", "c"):
            continue
        n = [float(v) * MM_PER_POINT for v in operands]
        points = [(x, 297 - y) for x, y in zip(n[::2], n[1::2], strict=False)]
        if str(operator) == "c":
            yield [here, *points]
        here = points[-1]


def test_a_symbol_is_one_form_drawn_many_times() -> None:
    uses = [Use("tile", 10 + 25 * k, 50, 30 * k) for k in range(6)]
    tile = (
        Polygon(hexagon(23), Style(fill="#eeeeee", stroke="#000000", width=0.4)),
        Text(0, 0, "VM", 4),
    )
    data = pdf.to_bytes(one(*uses, tile=tile))
    page = opened(data).pages[0]
    assert len(page.Resources.XObject) == 1
    assert page.Contents.read_bytes().count(b" Do") == 6
    drawn = [c for c in plumbed(data).curves if c["fill"]]
    assert len(drawn) == 6
    for k, curve in enumerate(drawn):
        left, top, right, bottom = mm(curve)
        assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx(
            (10 + 25 * k, 50), abs=0.002
        )
    assert "VM" in plumbed(data).extract_text()


@pytest.mark.parametrize(
    "items",
    [
        (Polygon(hexagon(23), Style(fill="#eeeeee", stroke="#000000", width=2)),),
        (Text(3, 4, "Ågj", 9, turn=33),),
        (Line(((-50, 0), (50, 3), (-50, 6)), Style(stroke="#000000", width=1)),),
        (Group((Circle(0, 0, 4, INK),), dx=30, dy=20, scale=3),),
        (Group((Circle(0, 0, 40, Style(fill="#ff0000")),), clip=hexagon(10), turn=10),),
        (Use("inner", 20, 0, 45), Arc(0, 0, 9, 0, 90, INK)),
    ],
)
def test_the_box_of_a_form_holds_all_its_ink(
    items: tuple[Item, ...], program: Callable[[str], str], tmp_path: Path
) -> None:
    """A form drawn in place of its items gives the same picture: nothing of it is cut off."""
    inner = (Polygon(hexagon(12), Style(fill="#0000ff", stroke="#000000", width=1)),)
    size = (140.0, 140.0)
    plain = Group(items, dx=70, dy=70)
    pictures = [
        pixels(
            program("pdftoppm"),
            pdf.to_bytes(one(item, size=size, inner=inner, outer=items)),
            tmp_path,
        )
        for item in (plain, Use("outer", 70, 70))
    ]
    assert any(v != 255 for v in pictures[0])
    differing = sum(abs(a - b) > 8 for a, b in zip(*pictures, strict=True))
    assert differing <= len(pictures[0]) // 10_000


def pixels(pdftoppm: str, data: bytes, folder: Path, dpi: int = 72) -> bytes:
    """Return the first page's pixels, red green blue."""
    path = folder / "page.pdf"
    path.write_bytes(data)
    shown = subprocess.run(
        [pdftoppm, "-r", str(dpi), "-f", "1", "-l", "1", str(path)], capture_output=True, check=True
    ).stdout
    return shown.split(b"\n255\n", 1)[1]


def test_all_fonts_are_embedded_subsets() -> None:
    data = pdf.to_bytes(shapes())
    names = set()
    for font in opened(data).pages[0].Resources.Font.values():
        names.add(str(font.BaseFont))
        assert 100 < len(font.FontDescriptor.FontFile2.read_bytes()) < 12_000
    assert {name.partition("+")[2] for name in names} == {"DejaVuSans", "DejaVuSans-Bold"}
    assert all(len(name.partition("+")[0]) == 7 for name in names)  # a slash and six letters
    assert b"Helvetica" not in data


def test_text_can_be_copied_out_again() -> None:
    data = pdf.to_bytes(one(Text(20, 20, "Łódź Ä–ß ♠♥♦♣ Ελ Жэ", 5), Text(20, 40, "e\u0301", 5)))
    found = plumbed(data).extract_text()
    assert "Łódź Ä–ß ♠♥♦♣ Ελ Жэ" in found
    assert "é" in found


def test_more_characters_than_one_subset_holds() -> None:
    face = fonts.load().face()
    chars = [chr(c) for c in sorted(face.cmap) if face.metrics(c)[1] and not 0x300 <= c < 0x370][
        :600
    ]
    lines = ["".join(chars[k : k + 40]) for k in range(0, 600, 40)]
    data = pdf.to_bytes(one(*(Text(5, 10 + 8 * k, line, 4) for k, line in enumerate(lines))))
    found = {c["text"] for c in plumbed(data).chars}
    assert set(fonts.compose("".join(chars))) <= found


def test_a_character_beyond_the_first_plane_is_drawn_and_read_back(tmp_path: Path) -> None:
    """P88."""
    own = fonts.load(user_font(tmp_path / "Own.ttf"))
    data = pdf.to_bytes(one(Text(20, 50, "AB" + ASTRAL, 10)), fonts=own)
    chars = plumbed(data).chars
    assert "".join(c["text"] for c in chars) == "AB" + ASTRAL
    assert chars[2]["x0"] * MM_PER_POINT == pytest.approx(20 + 18, abs=0.01)


def test_a_missing_character_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "out.pdf"
    document = Document("T", lambda: [Page(one(Text(9, 9, f"die {ASTRAL}", 5)))])
    with pytest.raises(PnpError, match=r"U\+1F3B2 \(GAME DIE\).*--font"):
        pdf.write(document, path)
    assert list(tmp_path.iterdir()) == []


def test_title_bookmarks_and_what_the_printer_is_told() -> None:
    pages = [
        Page(one(), label="Tiles 1/2 – Łódź"),
        Page(one()),
        Page(one(), label="Tiles 2/2 BACK"),
    ]
    data = written(*pages, title="Tïles", subject="s", keywords=("k", "l"), duplex="short")
    found = opened(data)
    assert str(found.docinfo.Title) == "Tïles"
    assert str(found.docinfo.Keywords) == "k, l"
    assert found.Root.ViewerPreferences.PrintScaling == "/None"
    assert found.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"
    with found.open_outline() as outline:
        assert [entry.title for entry in outline.root] == ["Tiles 1/2 – Łódź", "Tiles 2/2 BACK"]
        targets = [entry.destination[0].objgen for entry in outline.root]
    assert targets == [found.pages[0].obj.objgen, found.pages[2].obj.objgen]


@pytest.mark.parametrize(
    ("duplex", "name"), [("simplex", "/Simplex"), ("long", "/DuplexFlipLongEdge")]
)
def test_the_other_ways_of_printing(duplex: Any, name: str) -> None:
    assert opened(written(Page(one()), duplex=duplex)).Root.ViewerPreferences.Duplex == name


def test_a_filler_page_is_truly_empty() -> None:
    page = opened(written(Page(one(Line(((1, 1), (2, 2)), INK))), Page(one()))).pages[1]
    assert page.Contents.read_bytes().strip() == b""


@pytest.mark.parametrize(
    ("page", "where"),
    [
        ({"scale": (1.01, 0.98)}, (105 + 1.01 * -55, 148.5 + 0.98 * -48.5)),
        ({"offset": (0.5, 2)}, (50.5, 98)),
        ({"turned": True}, (160, 197)),
        ({"turned": True, "scale": (1.1, 1), "offset": (-1, 0)}, (105 + 1.1 * 55 - 1, 197)),
    ],
)
def test_scale_offset_and_turn_of_a_page(page: dict[str, Any], where: tuple[float, float]) -> None:
    items = (Line(((50, 100), (50.0, 100.0)), INK), Use("dot", 50, 100))
    scene = one(*items, dot=(Polygon(hexagon(2), Style(fill="#ff0000")),))
    data = written(Page(scene, **page))
    left, top, right, bottom = mm(next(c for c in plumbed(data).curves if c["fill"]))
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx(where, abs=0.002)


def test_text_turns_with_its_page() -> None:
    data = written(Page(one(Text(50, 100, "HHHH", 5)), turned=True))
    chars = plumbed(data).chars
    assert [c["upright"] for c in chars] == [True] * 4  # half a turn keeps lines level
    assert chars[0]["x1"] * MM_PER_POINT == pytest.approx(160, abs=0.01)
    assert chars[0]["x0"] > chars[1]["x0"]


CUT = (Lines(((10, 10, 60, 10), (10, 10, 10, 60)), INK), Polygon(hexagon(25, (100, 100)), INK))


def test_cut_lines_stand_in_their_colour_and_layer_off_in_view_and_print() -> None:
    pages = [Page(one(Circle(50, 50, 9, INK)), cut=CUT) for _ in range(2)]
    found = opened(written(*pages, cut_layer=True))
    layers = found.Root.OCProperties
    assert [str(g.Name) for g in layers.OCGs] == ["CutContour"]
    assert [g.objgen for g in layers.D.OFF] == [g.objgen for g in layers.OCGs]
    assert layers.OCGs[0].Usage.View.ViewState == "/OFF"
    assert layers.OCGs[0].Usage.Print.PrintState == "/OFF"
    for page in found.pages:
        (name, space), *more = page.Resources.ColorSpace.items()
        assert not more
        assert [str(v) for v in list(space)[:2]] == ["/Separation", "/CutContour"]
        (_, layer), *more = page.Resources.Properties.items()
        assert not more
        assert layer.objgen == layers.OCGs[0].objgen
        content = page.Contents.read_bytes().decode()
        cut = content[content.index("/OC /Cut BDC") : content.index("EMC")]
        assert f"{name} CS 1 SCN" in cut
        assert " 0.25 w" in " " + cut.replace("\n", " ")
        assert not set(cut.split()) & {"f", "B", "Do", "RG", "rg"}
        assert cut.count(" S\n") == 2


def test_cut_lines_measure_025_pt_and_lie_where_they_should() -> None:
    page = plumbed(written(Page(one(), cut=CUT, scale=(1.02, 1.02)), cut_layer=True))
    shown = [mm(line) for line in page.lines]
    centre = (105 - 1.02 * 95, 148.5 - 1.02 * 138.5)
    assert shown[0][:2] == pytest.approx(centre, abs=0.002)
    assert {round(line["linewidth"], 3) for line in page.lines + page.curves} == {0.25}


def test_without_the_layer_there_are_no_cut_lines(
    program: Callable[[str], str], tmp_path: Path
) -> None:
    scene = one(Circle(50, 50, 9, INK), Group((CUT[0],), layer="cut"))
    plain = written(Page(scene, cut=CUT))
    assert b"OCProperties" not in plain
    assert b"CutContour" not in plain
    with_layer = written(Page(scene, cut=CUT), cut_layer=True)
    shown = [pixels(program("pdftoppm"), data, tmp_path) for data in (plain, with_layer)]
    assert shown[0] == shown[1]


def test_a_group_named_cut_goes_into_the_layer() -> None:
    scene = one(
        Group(
            (Lines(((0, 0, 10, 0),), Style(stroke="#ff0000", width=3)),), layer="cut", dx=20, dy=30
        )
    )
    page = plumbed(written(Page(scene), cut_layer=True))
    (line,) = page.lines
    assert mm(line) == pytest.approx((20, 30, 30, 30), abs=0.001)
    assert line["linewidth"] == pytest.approx(0.25)


def test_two_drawings_of_one_name_are_kept_apart() -> None:
    pages = [
        Page(one(Use("cell", 50, 50), cell=(Polygon(hexagon(size), Style(fill="#ff0000")),)))
        for size in (10, 20)
    ]
    data = written(*pages)
    widths = [mm(plumbed(data, k).curves[0]) for k in (0, 1)]
    assert [w[2] - w[0] for w in widths] == pytest.approx([10, 20], abs=0.01)


def test_a_symbol_is_written_once_for_all_pages() -> None:
    tile = (Polygon(hexagon(10), Style(fill="#ff0000")),)
    data = written(*(Page(one(Use("cell", 50, 50), cell=tile)) for _ in range(20)))
    assert data.count(b"/Subtype /Form") == 1


def test_the_same_input_gives_the_same_bytes() -> None:
    assert pdf.to_bytes(shapes()) == pdf.to_bytes(shapes())
    documents = [written(Page(board()), Page(shapes(), cut=CUT), cut_layer=True) for _ in range(2)]
    assert documents[0] == documents[1]


def test_the_same_bytes_in_another_process(root: Path) -> None:
    """Nothing hangs on the order of a set or on what was drawn before."""
    code = "import sys; from pnp.backends import pdf; from tests.tools.scenes import shapes; "
    code += "sys.stdout.buffer.write(pdf.to_bytes(shapes()))"
    pdf.to_bytes(board())
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    other = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=env, capture_output=True, check=True
    )
    assert other.stdout == pdf.to_bytes(shapes())


def test_pillow_is_not_read_for_a_pdf_and_whole_for_those_who_use_it(root: Path) -> None:
    code = (
        "import sys; from pnp.backends import pdf; from tests.tools.scenes import shapes;"
        "pdf.to_bytes(shapes()); print('PIL.ExifTags' in sys.modules);"
        "from PIL import Image; print(Image.new('RGB', (2, 3)).size)"
    )
    shown = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True)
    assert shown.stdout.decode().splitlines() == ["False", "(2, 3)"]


def test_a_board_is_small() -> None:
    assert len(pdf.to_bytes(board())) < 15_000


def test_other_readers_find_nothing_wrong() -> None:
    found = opened(
        written(Page(shapes(), label="1", cut=CUT), Page(board(), label="2"), cut_layer=True)
    )
    assert found.check_pdf_syntax() == []


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    document = Document("T", lambda: [Page(one())])
    with pytest.raises(FileError, match=r"none.out\.pdf cannot be written"):
        pdf.write(document, tmp_path / "none" / "out.pdf")
    folder = tmp_path / "folder.pdf"
    folder.mkdir()
    with pytest.raises(FileError, match=r"folder\.pdf cannot be written"):
        pdf.write(document, folder)
    assert [p.name for p in tmp_path.iterdir()] == ["folder.pdf"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_named() -> None:
    with pytest.raises(FileError, match="/dev/full cannot be written: No space left"):
        pdf.write(Document("T", lambda: [Page(one())]), Path("/dev/full"))


def test_an_old_file_stands_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "out.pdf"
    path.write_bytes(b"old")

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(FileError, match=r"out\.pdf cannot be written: No space left"):
        pdf.write(Document("T", lambda: [Page(one())]), path)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.pdf"]


def test_memory_stays_flat_over_many_pages() -> None:
    scene = board(6)
    pdf.to_bytes(scene)

    def peak(count: int) -> int:
        tracemalloc.start()
        pdf.write(
            Document("T", lambda: (Page(scene, label=str(k)) for k in range(count))), io.BytesIO()
        )
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert (peak(16) - peak(4)) / 12 <= 20_000
