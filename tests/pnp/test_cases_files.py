"""Users' cases about cutters, text, colour and files (P65 to P75, P81 to P110), as commands are
typed. Cases that a test beside its subject names are not repeated here.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from pnp import themes
from pnp.cli import COMMANDS, run
from pnp.cli.build import Build
from pnp.colour import contrast
from pnp.games import component, names
from tests.conftest import need_cairo
from tests.pnp.printed import MM, built, catalogue_of, measure
from tests.tools.small_font import ASTRAL

SVG = "{http://www.w3.org/2000/svg}"
TILES = ("--no-board", "--no-mats", "--no-card")
CUT = "CutContour"

Segment = tuple[tuple[float, float], tuple[float, float]]


def ordered(x0: float, y0: float, x1: float, y1: float) -> Segment:
    """A segment in mm to 0.01, whichever way it runs."""
    a, b = sorted(((round(x0, 2), round(y0, 2)), (round(x1, 2), round(y1, 2))))
    return (a, b)


def cut_in_pdf(path: Path, page: int = 0) -> tuple[list[Segment], set[float], list[str]]:
    """The cut lines of a page: segments in mm from the top, widths in points, layers they lie in."""
    segments: list[Segment] = []
    widths: set[float] = set()
    inside: list[str] = []
    seen: list[str] = []
    spot = False
    with pikepdf.open(path) as document:
        sheet = document.pages[page]
        height = float(sheet.mediabox[3])
        at = (0.0, 0.0)
        for operands, operator in pikepdf.parse_content_stream(sheet):
            word = str(operator)
            if word == "BDC":
                inside.append(str(sheet.Resources.Properties[str(operands[1])].Name))
            elif word == "EMC":
                inside.pop()
            elif word == "CS":
                spot = str(sheet.Resources.ColorSpace[str(operands[0])][1]) == f"/{CUT}"
            elif inside and word == "w":
                widths.add(float(operands[0]))
            elif inside and word == "Do":
                pytest.fail("cut lines in a form")
            elif inside and word in ("m", "l"):
                x, y = (float(v) for v in operands)
                if word == "l":
                    assert spot
                    ends = (*at, x, y)
                    mm = (v * MM if k % 2 == 0 else (height - v) * MM for k, v in enumerate(ends))
                    segments.append(ordered(*mm))
                    seen.append(inside[-1])
                at = (x, y)
    return segments, widths, seen


def cut_in_svg(path: Path) -> list[Segment]:
    """The cut lines of an SVG in mm: real strokes without a fill in the group "cut"."""
    root = ElementTree.parse(path).getroot()
    (group,) = (g for g in root.iter(f"{SVG}g") if g.get("id") == "cut")
    found = []
    for line in group:
        assert line.get("fill") == "none"
        assert line.get("stroke")
        for x0, y0, x1, y1 in re.findall(
            r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", line.get("d", "")
        ):
            found.append(ordered(float(x0), float(y0), float(x1), float(y1)))
    return found


def opened(path: Path) -> Image.Image:
    """A picture that holds no file open."""
    return Image.open(io.BytesIO(path.read_bytes()))


def test_a_cutter_finds_each_edge_once_by_layer_and_colour(tmp_path: Path) -> None:
    """P75: optional content and a Separation colour, both named CutContour; P71: hairlines."""
    path = built("lightning", tmp_path / "x.pdf", *TILES, "--cut-layer")
    for page, rows in ((0, 11), (1, 8)):
        segments, widths, layers = cut_in_pdf(path, page)
        assert set(layers) == {CUT}
        assert widths == {0.25}
        assert len(set(segments)) == len(segments)
        tiles = (88, 62)[page]
        upright = tiles + rows  # one more than tiles in each row
        level = tiles + 8  # one more than tiles in each column
        assert len(segments) == upright + level
        for a, b in segments:
            assert abs(b[0] - a[0]) + abs(b[1] - a[1]) == pytest.approx(23.0, abs=0.011)
    thin = built("lightning", tmp_path / "y.pdf", *TILES, "--cut-layer", "--cut-width", "0.002in")
    assert cut_in_pdf(thin)[1] == {0.144}


@pytest.mark.parametrize("nest", ["knife", "straight"])
def test_hexagons_edges_once(nest: str, tmp_path: Path) -> None:
    """P75: neighbours in a honeycomb share the cut."""
    words = ["--board", "none", "--each", "4", "--cut-layer", "--nest", nest]
    segments, _, _ = cut_in_pdf(built("hex-lightning", tmp_path / "x.pdf", *words))
    assert len(set(segments)) == len(segments)
    assert (len(segments) < 44 * 6 * 0.75) == (nest == "knife")


def test_the_cut_layer_is_off_in_view_and_print(tmp_path: Path) -> None:
    """P75: neither the screen nor a plain printer shows it."""
    plain = built("lightning", tmp_path / "a.pdf", *TILES, "--each", "2")
    layered = built("lightning", tmp_path / "b.pdf", *TILES, "--each", "2", "--cut-layer")
    shown = []
    for path in (plain, layered):
        with pypdfium2.PdfDocument(path) as document:
            shown.append(document[0].render(scale=2.0).to_numpy())
    assert (shown[0] == shown[1]).all()
    with pikepdf.open(layered) as document:
        (group,) = document.Root.OCProperties.OCGs
        assert group.Usage.View.ViewState == "/OFF"
        assert group.Usage.Print.PrintState == "/OFF"
        assert [g.objgen for g in document.Root.OCProperties.D.OFF] == [group.objgen]


def test_an_svg_measures_in_mm(tmp_path: Path) -> None:
    """P65, P66, P99: width and height in mm, the viewBox in mm, so no program guesses 72 or 96."""
    path = built("hex", tmp_path / "x.svg", "--format", "svg", "--paper", "letter")
    root = ElementTree.parse(path).getroot()
    width, height = root.get("width", ""), root.get("height", "")
    assert sorted((width, height)) == ["215.9mm", "279.4mm"]
    assert root.get("viewBox") == f"0 0 {width[:-2]} {height[:-2]}"
    assert "px" not in path.read_text(encoding="utf-8")


def test_cut_lines_in_svg_are_strokes_at_the_prints_own_place(tmp_path: Path) -> None:
    """P68, P70: the same edges as in the PDF, in a layer of their own or alone; not outlines, which
    a cutter would cut on both sides; P71: their width can be set.
    """
    words = [*TILES, "--each", "4"]
    segments, _, _ = cut_in_pdf(built("lightning", tmp_path / "x.pdf", *words, "--cut-layer"))
    layered = built("lightning", tmp_path / "a.svg", *words, "--format", "svg", "--cut-layer")
    alone = built("lightning", tmp_path / "b.svg", *words, "--format", "svg", "--cut-only")
    for path in (layered, alone):
        found = sorted(v for s in cut_in_svg(path) for p in s for v in p)
        assert found == pytest.approx(sorted(v for s in segments for p in s for v in p), abs=0.02)
    root = ElementTree.parse(alone).getroot()
    assert [e.get("id") for e in root if e.tag == f"{SVG}g"] == ["cut"]
    (line,) = root.iter(f"{SVG}path")
    assert line.get("stroke-width") == "0.088"
    width = ["--format", "svg", "--cut-only", "--cut-width", "0.05"]
    (fine,) = ElementTree.parse(built("lightning", tmp_path / "c.svg", *words, *width)).iter(
        f"{SVG}path"
    )
    assert fine.get("stroke-width") == "0.05"


def test_cut_only_where_nothing_is_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """P68."""
    args = ["--format", "svg", "--cut-only", "--output", str(tmp_path)]
    assert run(["build", "hex", *args]) == 2
    assert "nothing to cut" in capsys.readouterr().err
    assert run(["build", "hex", "--cut-only", "--output", str(tmp_path)]) == 2
    assert "--format svg" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_transparent_png_for_cutters(tmp_path: Path) -> None:
    """P74: nothing behind the picture; P97: and white, not black, where it is not asked for."""
    need_cairo()
    words = ["focus", "--no-board", "--single", "--format", "png", "--dpi", "60"]
    assert run(["build", *words, "--output", str(tmp_path / "a")]) == 0
    assert run(["build", *words, "--transparent", "--output", str(tmp_path / "b")]) == 0
    for folder, mode in (("a", 255), ("b", 0)):
        picture = opened(tmp_path / folder / "focus-white.png").convert("RGBA")
        corner = picture.getpixel((1, 1))
        assert isinstance(corner, tuple)
        assert corner[3] == mode
        assert mode == 0 or corner[:3] == (255, 255, 255)


def test_letters_that_the_font_lacks_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """P81: never a box; P88: with a font that has it, a character beyond U+FFFF is drawn."""
    out = str(tmp_path / "x.pdf")
    assert run(["build", "hex", "--size", "3", "--title", ASTRAL, "--output", out]) == 2
    said = capsys.readouterr().err
    assert "U+1F3B2" in said
    assert "--font" in said
    assert not Path(out).exists()


@pytest.mark.parametrize("word", ["<b>Tom</b> & Jerry", "<img src='http://127.0.0.1:9/x.png'/>"])
def test_a_title_is_text_and_no_markup(word: str, tmp_path: Path) -> None:
    """P89: it is drawn as it stands, and nothing is fetched."""
    path = built("hex", tmp_path / "x.pdf", "--size", "3", "--title", word)
    assert word.split()[0] in measure(path)[0].text
    assert catalogue_of(path)["title"] == word
    svg = built("hex", tmp_path / "x.svg", "--size", "3", "--title", word, "--format", "svg")
    root = ElementTree.parse(svg).getroot()
    assert root.get("aria-label") == word
    assert not list(root.iter(f"{SVG}image"))


def test_labels_need_no_font_on_the_machine(tmp_path: Path) -> None:
    """P82, P84: they are outlines, their text beside them; P85: in a PDF all fonts are embedded."""
    path = built("hex", tmp_path / "x.svg", "--size", "5", "--format", "svg")
    root = ElementTree.parse(path).getroot()
    assert not list(root.iter(f"{SVG}text"))
    assert "font-family" not in path.read_text(encoding="utf-8")
    said = {e.get("aria-label") for e in root.iter(f"{SVG}path")}
    assert {"a", "e", "1", "5", "Hex 5 × 5"} <= said
    about = catalogue_of(built("hex", tmp_path / "x.pdf", "--size", "5"))
    assert about["fonts"] == about["embedded"] > 0


def test_files_are_utf_8_on_any_machine(tmp_path: Path) -> None:
    """P87: whatever the locale says."""
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = ["--size", "3", "--format", "svg", "--output", str(tmp_path / "x.svg")]
    title = "Łódź ♠ 3 × 3"
    code = f"from pnp.cli import main; main({['build', 'hex', *words, '--title', title]!r})"
    done = subprocess.run(
        [sys.executable, "-c", code.encode("ascii", "backslashreplace").decode()],
        capture_output=True, text=True, check=False, env=env,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert title in (tmp_path / "x.svg").read_bytes().decode("utf-8")


@pytest.mark.parametrize("theme", themes.NAMES)
def test_a_board_can_be_read_in_grey(theme: str, tmp_path: Path) -> None:
    """P90, P91, P92, P93, P94, P95: printed without colour the two sides' edges still differ: one is
    hatched. The ink-saver uses lighter fills and is not the grey theme.
    """
    path = built("hex", tmp_path / "x.pdf", "--size", "5", "--theme", theme)
    with pypdfium2.PdfDocument(path) as document:
        grey = document[0].render(scale=2.0, grayscale=True).to_numpy()
        colour = document[0].render(scale=2.0).to_numpy().astype("int16")
    assert (colour.max(axis=2) - colour.min(axis=2) < 8).all() == (theme == "grey")
    red, blue = (themes.load(theme).area(f"{player}-edge") for player in ("red", "blue"))
    assert red.pattern != blue.pattern
    for area in (red, blue):  # none is told by a colour that is weak on white, such as sky blue
        inks = [ink for ink in (area.fill, area.line, area.mark) if ink]
        assert max(contrast(ink, "#ffffff") for ink in inks) >= 4.5
    assert grey.min() < 110  # something dark enough for a poor printer


def test_flags_are_plain_pairs() -> None:
    """P105: click 8.3 changed what flag_value and a default mean; no option needs either."""
    for name in names():
        build = Build("build")
        context = build.make_context("build", [name], resilient_parsing=True)
        for param in build.get_params(context):
            if param.name in ("quiet", "verbose"):
                assert param.secondary_opts == []  # said or not; nothing is the opposite
            elif getattr(param, "is_flag", False) and "--help" not in param.opts:
                assert param.secondary_opts == [f"--no-{param.opts[0][2:]}"]
                assert param.default is None


def test_other_commands_work_without_cairo(tmp_path: Path) -> None:
    """P104: no "cairo-2" on the machine: PNG is drawn by another library, the rest as ever."""
    for fmt in ("pdf", "svg", "png"):
        args = ["build", "hex", "--size", "3", "--format", fmt, "--dpi", "40",
                "--output", str(tmp_path / f"x.{fmt}")]  # fmt: skip
        code = (
            f"import sys; sys.modules['cairosvg'] = None\nfrom pnp.cli import main; main({args!r})"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / f"x.{fmt}").stat().st_size > 500
    picture = opened(tmp_path / "x.png")
    assert picture.size == (round(297 / 25.4 * 40), round(210 / 25.4 * 40))


def test_sheets_say_what_belongs_where(tmp_path: Path) -> None:
    """P109: size, count and arrangement stand on each sheet; P110: and a title of one's own."""
    words = [*TILES, "--backs", "duplex-long", "--title", "Anna's set"]
    pages = measure(built("lightning", tmp_path / "x.pdf", *words))
    for number, page in enumerate(pages):
        text = " ".join(page.text.split())
        side = " BACK, flip on the long edge" if number % 2 else ""
        assert f"Anna's set {number // 2 + 1}/2{side}" in text
        assert f"page {number + 1} of 4" in text
        assert "23 mm a side" in text
        assert "88 fill a sheet, 150 in all" in text


def test_pieces_and_boards_for_a_print_shop(tmp_path: Path) -> None:
    """P107, P108: each piece, and a whole board of any size, as one picture at its own size."""
    need_cairo()
    words = ["--single", "--format", "png", "--dpi", "50", "--cell-size", "60"]
    assert run(["build", "focus", *words, "--no-pieces", "--output", str(tmp_path / "b.png")]) == 0
    board = opened(tmp_path / "b.png")
    assert board.size[0] > 8 * 60 / 25.4 * 50
    assert run(["build", "spiral", "--no-board", "--no-mat", "--no-counters", "--single",
                "--format", "png", "--dpi", "50", "--output", str(tmp_path / "c")]) == 0  # fmt: skip
    cards = sorted((tmp_path / "c").glob("*.png"))
    assert len(cards) == 32
    assert {opened(card).size for card in cards} == {(round(41 / 25.4 * 50), round(63 / 25.4 * 50))}


def test_every_command_has_help_that_wraps(capsys: pytest.CaptureFixture[str]) -> None:
    """P105: the help of every command is made, with all its flags."""
    for command in COMMANDS:
        assert run([command, "--help"]) == 0
        text = capsys.readouterr().out
        assert text.startswith(f"Usage: pnp {command}")
        assert max(map(len, text.splitlines())) <= 100
    assert component("hex").help
