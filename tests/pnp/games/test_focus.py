"""focus: board, pieces and rims measured as they are printed.

Cases of ../shared/cases/print-cases.md that apply here and are not the sheet's own: P52, P56, P62,
P90, P92, P94, P95.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp import themes
from pnp.colour import difference
from pnp.errors import FitError, PnpError
from pnp.paint.focus import octagon, paint_focus_board, setup, with_setup
from pnp.paint.focus_pieces import piece_face, strip_face, strip_size
from pnp.scene import Group, Lines, Polygon, Text, Use
from tests.pnp.games.seen import Seen, grey, pages, settle
from tests.pnp.printed import built, ink_box, measure

GOLDEN = Path(__file__).parents[2] / "data" / "golden"

MISSING = {"a1", "b1", "a2", "g1", "h1", "h2", "a7", "a8", "b8", "h7", "h8", "g8"}
"""focus-board"""

START = ("wwbbww", "bbwwbb", "wwbbww", "bbwwbb", "wwbbww", "bbwwbb")
"""focus-setup: rows 7 to 2, b to g."""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    path = tmp_path_factory.mktemp("focus") / "focus.pdf"
    return Seen(built("focus", path, "--setup", "--rim", "4"))


def columns(seen: Seen) -> tuple[list[float], list[float]]:
    """Where the labels say that columns a-h (x) and rows 1-8 (y) are."""
    across = [w.x for w in sorted(seen.words, key=lambda w: w.text) if w.text in "abcdefgh"]
    down = [w.y for k in "12345678" for w in seen.words if w.text == k and w.size > 3.0]
    return across, down


def test_fifty_two_cells_of_22_mm_stand_where_their_labels_say(board: Seen) -> None:
    across, down = columns(board)
    assert len(across) == len(down) == 8
    for k in range(7):
        assert across[k + 1] - across[k] == pytest.approx(22.0, abs=0.15)
        assert down[k] - down[k + 1] == pytest.approx(22.0, abs=0.15)
    cell = themes.load("colour").area("focus-cell").fill
    filled = set()
    for x, letter in zip(across, "abcdefgh", strict=True):
        for y, number in zip(down, range(1, 9), strict=True):
            corners = {board.colour(x + dx, y + dy) for dx in (-9.5, 9.5) for dy in (-9.5, 9.5)}
            assert len(corners) == 1
            if corners == {cell}:
                filled.add(f"{letter}{number}")
    assert len(filled) == 52
    assert not filled & MISSING


def test_lines_stand_between_the_cells(board: Seen) -> None:
    """The dark lines across row 4 and down column d, in mm."""
    across, down = columns(board)
    row = grey(board.pixels[int((down[3] + 8.0) * 10), :])
    dark = np.nonzero(row < 60)[0] / 10.0
    lines = [dark[0]] + [b for a, b in pairwise(dark) if b - a > 1.0]
    assert len(lines) == 9
    assert np.diff(lines) == pytest.approx(22.0, abs=0.3)
    assert lines[0] == pytest.approx(across[0] - 11.0, abs=0.4)


def test_labels_stand_within_4_mm_outside_the_board(board: Seen) -> None:
    across, down = columns(board)
    left, bottom = across[0] - 11.0, down[0] + 11.0
    for text, x0, top, x1, low, _ in board.chars:
        if text in "abcdefgh" and top > bottom - 1.0 and low < bottom + 6.0:
            assert bottom - 1.0 < top
            assert low < bottom + 5.0
        if text.isdigit() and x1 < left:
            assert x0 > left - 4.5
    assert next(w.x for w in board.words if w.text == "1" and w.size > 3.0) < left


def test_the_set_up_is_shown_where_the_ruling_has_it(board: Seen) -> None:
    """focus-setup: 18 pieces each, row 7 reads white white black black white white."""
    across, down = columns(board)
    dark = themes.load("colour").area("black").fill
    for number, row in zip(range(7, 1, -1), START, strict=True):
        for letter, colour in zip("bcdefg", row, strict=True):
            x, y = across["abcdefgh".index(letter)], down[number - 1]
            assert board.colour(x, y) == {"w": "#ffffff", "b": dark}[colour]
    assert Counter(setup().values()) == {"white": 18, "black": 18}


def test_the_board_stands_alone_unless_the_set_up_is_wanted() -> None:
    painted = paint_focus_board(22.0, themes.load("colour"))
    shown = with_setup(painted, themes.load("colour"))
    (plain, *_) = pages("focus")
    (group, _) = plain.scene.items
    assert isinstance(group, Group)
    assert group.items == painted.scene.items
    assert sum(isinstance(i, Use) for i in shown.items) == 36


def test_boards_have_no_cut_marks(board: Seen) -> None:
    """P62: nothing is cut out of a board."""
    assert not any(isinstance(i, Lines) for i in pages("focus")[0].scene.items)


def uses(page_number: int = 1, **given: object) -> list[Use]:
    return [i for i in pages("focus", **given)[page_number].scene.items if isinstance(i, Use)]


def test_eighteen_octagons_for_each_player_18_mm_across_flats() -> None:
    placed = uses()
    assert Counter(u.name.split("-")[-1] for u in placed) == {"white": 18, "black": 18}
    page = pages("focus", cut_layer=True)[1]
    (lines,) = page.cut
    assert isinstance(lines, Lines)
    sides = Counter()
    for use in placed:
        found = [
            s for s in lines.segments
            if abs(math.hypot((s[0] + s[2]) / 2 - use.x, (s[1] + s[3]) / 2 - use.y) - 9.0) < 1e-3
        ]  # fmt: skip
        assert len(found) == 8
        sides.update(found)
        for x0, y0, x1, y1 in found:
            assert math.hypot(x1 - x0, y1 - y0) == pytest.approx(18.0 * (math.sqrt(2) - 1))
    # edges that neighbours share are cut once, and nothing else is cut
    assert len(sides) == len(lines.segments)
    assert max(sides.values()) == 2


def test_pieces_touch_so_that_no_paper_is_wasted() -> None:
    placed = uses()
    assert {round(b.x - a.x, 6) for a, b in pairwise(placed) if b.y == a.y} == {18.0}
    assert sorted({round(u.y - placed[0].y, 6) for u in placed}) == [0.0, 18.0, 36.0, 54.0]


@pytest.mark.parametrize(
    ("given", "each"),
    [({}, 140), ({"paper": "letter"}, 140), ({"piece_size": 23}, 88), ({"gutter": 2}, 117)],
)
def test_a_sheet_holds_as_many_as_rows_and_columns_can(given: dict[str, object], each: int) -> None:
    """The yield, counted by hand: (190 − 6) and (277 − 8 − 6) mm for octagons in rows."""
    page = pages("focus", copies=20, board=False, **given)[0]
    assert sum(isinstance(i, Use) for i in page.scene.items) == each


@pytest.mark.parametrize("theme", themes.NAMES)
def test_pieces_are_told_apart_from_above_in_grey(theme: str, tmp_path: Path) -> None:
    """P90, P94, P95: half of the face differs by 15 in lightness, or its pattern does."""
    path = built("focus", tmp_path / "p.pdf", "--no-board", "--single", "--theme", theme)
    white, black = (Seen(path, k).patch(9.0, 9.0, 6.0) for k in (0, 1))
    apart = np.abs(white - black) > 15.0
    assert apart.mean() > 0.2
    assert np.abs(np.diff(black, axis=0)).max() > 15.0  # a ring or hatching, not one flat tone
    assert (np.abs(white - white.max()) < 1.0).mean() > 0.8


def test_ink_saver_saves_ink() -> None:
    """P92: lighter fills, outlines."""
    fill = themes.load("ink-saver").area("black").fill
    assert fill is not None
    assert difference(fill, "#ffffff") < 12


@pytest.mark.parametrize("theme", themes.NAMES)
@pytest.mark.parametrize("role", ["white", "black"])
def test_no_ink_lies_on_a_cut(theme: str, role: str) -> None:
    """P52: no frame; a face ends half a millimetre inside its cut, the marks begin half outside."""
    limit = 9.0 - 0.4
    for item in piece_face(role, 18.0, themes.load(theme)):
        if isinstance(item, Lines) and item.style.width == 0.2:
            points = [p for s in item.segments for p in ((s[0], s[1]), (s[2], s[3]))]
            assert min(slanted(p) for p in points) > 9.0 + 0.39
            assert max(abs(v) for p in points for v in p) < 9.0
        else:
            outline = isinstance(item, Polygon)
            half = item.style.width / 2.0 if outline and item.style.stroke else 0.0
            assert isinstance(item, Polygon | Lines)
            points = (
                list(item.points) if isinstance(item, Polygon)
                else [p for s in item.segments for p in ((s[0], s[1]), (s[2], s[3]))]
            )  # fmt: skip
            assert max(max(abs(x), abs(y), slanted((x, y))) for x, y in points) + half < limit


def slanted(p: tuple[float, float]) -> float:
    """How far out a point lies towards the nearest slanted side."""
    return (abs(p[0]) + abs(p[1])) * math.sqrt(0.5)


def test_bleed_runs_past_the_cut_and_leaves_no_marks() -> None:
    face = piece_face("black", 18.0, themes.load("colour"), 2.0, marks=False)
    reach = max(abs(v) for i in face if isinstance(i, Polygon) for p in i.points for v in p)
    assert reach == pytest.approx(11.0)
    (page,) = pages("focus", board=False, bleed=2, gutter=4)
    symbol = next(items for name, items in page.scene.symbols.items() if name.endswith("black"))
    (group,) = symbol
    assert isinstance(group, Group)
    assert group.clip is not None
    assert max(x for x, _ in group.clip) == pytest.approx(11.0)


def test_a_gutter_parts_the_pieces() -> None:
    """P56: a gap protects from slivers of a neighbour's colour."""
    placed = uses(0, board=False, gutter=3)
    assert placed[1].x - placed[0].x == pytest.approx(21.0)


def test_pieces_follow_the_cells_unless_a_size_is_given() -> None:
    assert "18 mm" in pages("focus")[1].label
    assert "13.5 mm" in pages("focus", cell_size="16.5")[1].label
    assert "20 mm" in pages("focus", piece_size="20mm")[1].label


# Rims


@pytest.mark.parametrize(("disc", "height"), [(None, 4.0), (25.0, 6.0), (16.25, 2.0)])
def test_strips_are_pi_d_and_6_mm_long_and_h_high(disc: float | None, height: float) -> None:
    given: dict[str, object] = {"rim": height} | ({"disc": disc} if disc else {})
    (page,) = pages("focus", board=False, pieces=False, cut_layer=True, **given)
    length = math.pi * (disc or 18.0) + 6.0
    assert strip_size(disc or 18.0, height) == pytest.approx((length, height))
    placed = [i for i in page.scene.items if isinstance(i, Use)]
    assert Counter(u.name.split("-")[-1] for u in placed) == {"white": 18, "black": 18}
    (lines,) = page.cut
    assert isinstance(lines, Lines)
    sides = {round(math.hypot(c - a, d - b), 6) for a, b, c, d in lines.segments}
    assert sides == {round(length, 6), round(height, 6)}
    glue = [
        i for name, items in page.scene.symbols.items() if "rim-" in name
        for i in items if isinstance(i, Text)
    ]  # fmt: skip
    assert [t.text for t in glue] == ["glue", "glue"]
    for text in glue:
        assert length / 2 - 6.0 < text.x < length / 2


@pytest.mark.parametrize("theme", themes.NAMES)
def test_strips_are_solid_against_hatched(theme: str, tmp_path: Path) -> None:
    words = ["--no-board", "--no-pieces", "--rim", "6", "--single", "--theme", theme]
    path = built("focus", tmp_path / "rim.pdf", *words)
    changes = []
    for number, _ in enumerate(("white", "black")):
        seen = Seen(path, number)
        middle = grey(seen.pixels[30, 20:500])  # 3 mm down, from 2 to 50 mm
        changes.append(int((np.abs(np.diff(middle)) > 15.0).sum()))
    assert min(changes) == 0
    assert max(changes) > 20
    # the player who is hatched from above is hatched from the side
    if themes.load(theme).area("black").pattern == "hatch":
        assert changes[1] > changes[0]


def test_a_strip_has_a_white_line_between_the_pieces_of_a_pile() -> None:
    for role in ("white", "black"):
        face = strip_face(role, 18.0, 5.0, themes.load("colour"))
        ground = next(i for i in face if isinstance(i, Polygon))
        assert max(y for _, y in ground.points) <= 2.5 - 0.4 + 1e-9


# Sizes that do not fit


@pytest.mark.parametrize(
    "given",
    [
        {"cell_size": 30},
        {"paper": "150x200mm"},
        {"paper": "100x150mm", "margin": 5},
        {"paper": "60x90mm"},
        {"marks": "full", "cell_size": 24},
        {"rim": 5, "disc": 120},
        {"rim": 5, "disc": 120, "paper": "letter", "gutter": 2},
        {"piece_size": 200},
        {"piece_size": 140, "backs": "fold"},
    ],
)
def test_an_error_names_the_largest_size_that_builds(given: dict[str, object]) -> None:
    with pytest.raises(FitError, match="the largest") as caught:
        pages("focus", **given)
    largest = caught.value.largest
    assert largest is not None
    option = str(caught.value).split("the largest --")[1].split()[0].replace("-", "_")
    assert f"{largest:.1f} mm" in str(caught.value)
    assert pages("focus", **{**given, option: largest})
    with pytest.raises(FitError):
        pages("focus", **{**given, option: round(largest + 0.1, 1)})


def test_nothing_to_print_is_an_error() -> None:
    with pytest.raises(PnpError, match="leave nothing to print"):
        pages("focus", board=False, pieces=False)


papers = st.tuples(st.integers(70, 450), st.integers(70, 450)).map(lambda p: f"{p[0]}x{p[1]}mm")
tenths = st.integers(0, 200).map(lambda n: n / 10)


@settings(max_examples=30)
@given(
    papers,
    tenths,
    st.one_of(st.none(), tenths.map(lambda n: n + 3.0)),
    st.one_of(st.none(), tenths.map(lambda n: n + 1.5)),
    st.sampled_from(["none", "duplex-long", "duplex-short", "fold", "separate"]),
    st.sampled_from(themes.NAMES),
)
def test_any_options_build_or_name_what_does(
    paper: str, margin: float, cell: float | None, rim: float | None, backs: str, theme: str
) -> None:
    chosen: dict[str, object] = {"paper": paper, "margin": margin, "backs": backs, "theme": theme}
    chosen |= {"cell_size": cell} if cell else {}
    chosen |= {"rim": rim} if rim else {}
    made = settle("focus", chosen)
    if made is not None:
        assert next(iter(made.document.pages())).scene.items


@pytest.mark.parametrize("theme", themes.NAMES)
def test_all_ink_is_inside_the_margins(theme: str, tmp_path: Path) -> None:
    words = ["--theme", theme, "--rim", "3", "--backs", "duplex-long", "--paper", "letter"]
    path = built("focus", tmp_path / "x.pdf", *words)
    for number, page in enumerate(measure(path)):
        if number in (1, 5):
            continue  # the empty backs of board and strips
        left, top, right, bottom = ink_box(path, number)
        assert min(left, top) >= 10.0 - 0.2
        assert right <= page.width - 10.0 + 0.2
        assert bottom <= page.height - 10.0 + 0.2


def test_the_board_is_small(tmp_path: Path) -> None:
    path = built("focus", tmp_path / "x.pdf", "--no-pieces", "--setup")
    assert path.stat().st_size < 30_000


@pytest.mark.parametrize("theme", ["colour", "ink-saver"])
def test_golden_scene(theme: str) -> None:
    """Board, pieces and strips as data; PNP_UPDATE_GOLDEN=1 writes them anew, to be read."""
    chosen = themes.load(theme)
    parts = [with_setup(paint_focus_board(22.0, chosen), chosen).dump()]
    for role in ("white", "black"):
        parts.append(f"{role} piece\n{piece_face(role, 18.0, chosen)}\n")
        parts.append(f"{role} strip\n{strip_face(role, 18.0, 5.0, chosen)[-2:]}\n")
    text = "".join(parts)
    path = GOLDEN / f"focus-{theme}.txt"
    if os.environ.get("PNP_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_octagons_are_regular() -> None:
    points = octagon(18.0)
    assert max(x for x, _ in points) == pytest.approx(9.0)
    assert {round(math.hypot(*p), 6) for p in points} == {round(9.0 / math.cos(math.pi / 8), 6)}
