"""spiral: counters, the 32 cards and the mat for their columns, measured as they are printed.

Cases of ../shared/cases/print-cases.md: P3, P11, P52, P90, P95, P107.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from pnp import themes
from pnp.errors import FitError
from pnp.geometry import bounds
from pnp.paint.cards import CARDS, card_back, card_face, suit_symbols
from pnp.paint.spiral_pieces import counter_face, mat_size, paint_mat
from pnp.paint.suits import SUITS, suit
from pnp.scene import Arc, Circle, Curve, Group, Lines, Polygon, Text, Use
from tests.pnp.games.seen import Seen, ink_of, pages
from tests.pnp.printed import built, ink_box, measure

GOLDEN = Path(__file__).parents[2] / "data" / "golden"
CARDS_ONLY = {"board": False, "counters": False, "mat": False}
COUNTERS_ONLY = {"board": False, "cards": False, "mat": False}
MAT_ONLY = {"board": False, "cards": False, "counters": False}


def uses(page: object) -> list[Use]:
    return [i for i in page.scene.items if isinstance(i, Use)]  # type: ignore[attr-defined]


# Counters


def test_thirteen_counters_for_the_player_and_24_for_dr_brooks_of_19_mm() -> None:
    (page,) = pages("spiral", cut_layer=True, **COUNTERS_ONLY)
    placed = uses(page)
    assert Counter(u.name.split("-")[-1] for u in placed) == {"player": 13, "brooks": 24}
    (lines,) = page.cut
    assert isinstance(lines, Lines)
    for use in placed:
        ends = [
            math.hypot(x - use.x, y - use.y)
            for s in lines.segments for x, y in ((s[0], s[1]), (s[2], s[3]))
            if math.hypot(x - use.x, y - use.y) < 9.6
        ]  # fmt: skip
        assert len(ends) >= 140
        assert all(abs(end - 9.5) < 0.02 for end in ends)


@pytest.mark.parametrize("theme", themes.NAMES)
def test_counters_are_told_apart_by_pattern(theme: str, tmp_path: Path) -> None:
    """P90, P95: in grey too."""
    words = ["--no-board", "--no-cards", "--no-mat", "--single", "--theme", theme]
    path = built("spiral", tmp_path / "c.pdf", *words)
    player, brooks = (Seen(path, k).patch(9.5, 9.5, 6.0) for k in (0, 1))
    assert (np.abs(player - brooks) > 15.0).mean() > 0.2
    assert (np.abs(np.diff(player[60])) > 15.0).sum() >= 4  # rings


@pytest.mark.parametrize("theme", themes.NAMES)
@pytest.mark.parametrize("role", ["player", "brooks"])
def test_no_ink_lies_on_a_counters_cut(role: str, theme: str) -> None:
    """P52; four arcs outside show where to cut."""
    marks = 0
    for item in counter_face(role, 19.0, themes.load(theme)):
        if isinstance(item, Arc) and item.sweep < 360.0:
            marks += 1
            assert item.r - item.style.width / 2.0 > 9.5 + 0.39
            for angle in (item.start, item.start + item.sweep):
                x, y = (item.r * f(math.radians(angle)) for f in (math.cos, math.sin))
                assert max(abs(x), abs(y)) < 9.5
        elif isinstance(item, Arc | Circle):
            assert math.hypot(item.x, item.y) + item.r + item.style.width / 2.0 < 9.1
    assert marks == 4


def test_counters_follow_the_cells_unless_a_size_is_given() -> None:
    assert "19 mm" in pages("spiral", **COUNTERS_ONLY)[0].label
    assert "15.4 mm" in pages("spiral", cell_size=22, **COUNTERS_ONLY)[0].label
    assert "16 mm" in pages("spiral", counter_size=16, **COUNTERS_ONLY)[0].label


# Cards


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> list[Seen]:
    words = ["--no-board", "--no-counters", "--no-mat"]
    path = built("spiral", tmp_path_factory.mktemp("deck") / "cards.pdf", *words)
    return [Seen(path, k) for k in range(2)]


def corners(number: int) -> list[tuple[float, float]]:
    """The top left corners of the 16 cards of a page."""
    page = pages("spiral", **CARDS_ONLY)[number]
    return [(u.x - 20.5, u.y - 31.5) for u in uses(page)]


def test_sixteen_cards_of_41_by_63_mm_fill_an_a4_page() -> None:
    made = pages("spiral", cut_layer=True, **CARDS_ONLY)
    assert [len(uses(p)) for p in made] == [16, 16]
    names = [u.name.split("-")[-1] for p in made for u in uses(p)]
    assert sorted(names) == sorted(r + s for r in "789TJQKA" for s in "SHDC")
    for page in made:
        xs, ys = ({round(getattr(u, axis), 6) for u in uses(page)} for axis in "xy")
        assert np.diff(sorted(xs)) == pytest.approx(41.0)
        assert np.diff(sorted(ys)) == pytest.approx(63.0)
        (lines,) = page.cut
        assert isinstance(lines, Lines)
        # 4 × 4 cards share their edges: 20 across, 20 down
        assert len(lines.segments) == 40
        assert {round(math.dist(s[:2], s[2:]), 6) for s in lines.segments} == {41.0, 63.0}


def test_every_index_is_5_mm_high_in_the_top_11_mm_of_its_card(deck: list[Seen]) -> None:
    for number, seen in enumerate(deck):
        for x, y in corners(number):
            strip = seen.pixels[
                round(y * 10) : round((y + 12.0) * 10),
                round(x * 10) : round((x + 41.0) * 10),
            ]
            rows = np.nonzero((strip.min(axis=2) < 140).any(axis=1))[0] / 10
            assert rows.min() >= 1.5
            assert rows.max() + 0.1 <= 11.0
            columns = np.nonzero((strip.min(axis=2) < 140).any(axis=0))[0] / 10
            assert columns.min() >= 1.5
            # rank and suit, each by itself
            gaps = np.nonzero(np.diff(columns) > 1.0)[0]
            split = columns[gaps[-1]] + 0.5
            for part in (strip[:, : int(split * 10)], strip[:, int(split * 10) :]):
                high = np.nonzero((part.min(axis=2) < 140).any(axis=1))[0] / 10
                assert high.max() - high.min() + 0.1 >= 5.0


def test_ranks_are_read_as_their_cards(deck: list[Seen]) -> None:
    for number, seen in enumerate(deck):
        made = pages("spiral", **CARDS_ONLY)[number]
        for use in uses(made):
            x, y = use.x - 20.5, use.y - 31.5
            index = "".join(
                c[0] for c in seen.chars if x < c[1] < x + 20 and y < (c[2] + c[4]) / 2 < y + 11
            )
            assert index == use.name[-2].replace("T", "10")


@pytest.mark.parametrize("theme", themes.NAMES)
def test_suits_differ_by_shape(theme: str) -> None:
    """P90: curves, no font's characters; no two suits are alike when one colour is all there is."""
    signs = {letter: suit(letter, 7.0, themes.load(theme)) for letter in SUITS}
    for sign in signs.values():
        assert any(step[0] == "C" for step in sign.steps)
        ends = [(float(s[-2]), float(s[-1])) for s in sign.steps if len(s) > 2]
        left, top, right, bottom = bounds(ends)
        assert left == pytest.approx(-right)
        assert bottom - top == pytest.approx(7.0, abs=0.4)
    for a, b in combinations(SUITS, 2):
        assert signs[a].steps != signs[b].steps
    assert signs["H"].style == signs["D"].style
    assert signs["S"].style == signs["C"].style
    assert signs["S"].style != signs["H"].style


def test_a_covered_card_shows_its_whole_index_and_no_more(deck: list[Seen]) -> None:
    """Cards lie 12 mm apart: the middle sign of a card begins below what the next one covers."""
    big = [c for c in deck[0].curves if c[3] - c[1] > 12.0]
    assert len(big) == 16
    for left, top, right, bottom, _ in big:
        x, y = next((x, y) for x, y in corners(0) if x < left < x + 41 and y < top < y + 63)
        assert top - y > 12.0
        assert (left + right) / 2 == pytest.approx(x + 20.5, abs=0.1)
        assert (top + bottom) / 2 == pytest.approx(y + 31.5, abs=0.6)


@pytest.mark.parametrize("theme", themes.NAMES)
def test_no_frame_is_drawn_round_a_card(theme: str) -> None:
    """P52."""
    chosen = themes.load(theme)
    for item in card_face("9S", 41.0, 63.0, chosen):
        assert not (isinstance(item, Polygon) and item.style.stroke)
    for item in card_back(41.0, 63.0, chosen):
        if isinstance(item, Polygon):
            assert max(x for x, _ in item.points) <= 20.5 - 2.5


@pytest.mark.parametrize(
    ("size", "width", "height", "each"),
    [("small", 41.0, 63.0, 16), ("bridge", 57.15, 88.9, 9), ("poker", 63.5, 88.9, 8)],
)
def test_card_sizes(size: str, width: float, height: float, each: int) -> None:
    made = pages("spiral", card_size=size, cut_layer=True, **CARDS_ONLY)
    assert len(uses(made[0])) == each
    assert sum(len(uses(p)) for p in made) == 32
    (lines,) = made[0].cut
    assert isinstance(lines, Lines)
    assert {round(math.dist(s[:2], s[2:]), 4) for s in lines.segments} == {width, height}


def test_backs_follow_their_fronts_and_a_board_has_an_empty_one() -> None:
    """P3, P11."""
    made = pages("spiral", backs="duplex-long")
    assert made[0].label == "Spiral board"
    assert made[1].scene.items == ()
    labels = [p.label for p in made]
    assert labels[4:6] == ["Spiral cards 1/2", "Spiral cards 1/2 BACK, flip on the long edge"]
    assert [u.name.removesuffix("-back") for u in uses(made[5])] == [u.name for u in uses(made[4])]
    assert all(u.name.endswith("-back") for u in uses(made[5]))


@pytest.mark.parametrize("theme", themes.NAMES)
def test_backs_are_the_same_either_way_up(theme: str, tmp_path: Path) -> None:
    words = ["--no-board", "--no-counters", "--no-mat", "--single", "--backs", "duplex-long"]
    path = built("spiral", tmp_path / "b.pdf", *words, "--theme", theme)
    back = Seen(path, 1).patch(20.5, 31.5, 19.0)
    turned = back[::-1, ::-1]
    # a page is not a whole number of pixels high
    apart = [
        float((np.abs(back - np.roll(turned, (dy, dx), (0, 1))) > 25.0).mean())
        for dy in (-1, 0, 1) for dx in (-1, 0, 1)
    ]  # fmt: skip
    assert min(apart) < 0.01
    assert (back < 97).mean() > 0.05


def test_each_card_by_itself(tmp_path: Path) -> None:
    """P107: one page a card, the paper its own size."""
    words = ["--no-board", "--no-counters", "--no-mat", "--single"]
    found = measure(built("spiral", tmp_path / "s.pdf", *words))
    assert len(found) == 32
    assert all((p.width, p.height) == pytest.approx((41.0, 63.0), abs=0.01) for p in found)


def test_cards_too_large_for_the_paper_name_those_that_fit() -> None:
    small = {"paper": "80x110mm", "board": False, "counters": False}
    with pytest.raises(FitError, match="largest --card-size that fits is small"):
        pages("spiral", card_size="poker", **small)
    assert pages("spiral", card_size="small", **small)
    with pytest.raises(FitError, match="or --no-cards"):
        pages("spiral", paper="60x80mm", board=False, counters=False)


# The mat


@pytest.mark.parametrize("size", ["small", "bridge", "poker"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_mat_has_four_columns_of_eight_at_12_mm(size: str, paper: str, tmp_path: Path) -> None:
    words = ["--no-board", "--no-counters", "--no-cards", "--card-size", size, "--paper", paper]
    path = built("spiral", tmp_path / "m.pdf", *words)
    (page,) = measure(path)
    width, height = {"small": (41.0, 63.0), "bridge": (57.15, 88.9)}.get(size, (63.5, 88.9))
    columns = [
        b for b in page.boxes
        if b[2] - b[0] == pytest.approx(width - 0.25, abs=0.3)
        and b[3] - b[1] == pytest.approx(7 * 12 + height - 0.25, abs=0.3)
    ]  # fmt: skip
    lefts = sorted({round(b[0], 1) for b in columns})
    assert len(lefts) == 4
    assert all(b - a >= width for a, b in pairwise(lefts))
    (scene,) = [p.scene for p in pages("spiral", card_size=size, paper=paper, **MAT_ONLY)]
    (group, _) = scene.items
    assert isinstance(group, Group)
    steps = [i for i in group.items if isinstance(i, Lines)]
    assert len(steps) == 4
    for lines in steps:
        ys = [s[1] for s in lines.segments]
        assert len(ys) == 7
        assert np.diff(ys) == pytest.approx(12.0)
    # the bottom card is whole: from the last line to the end of the column
    assert columns[0][3] - columns[0][1] == pytest.approx(84 + height - 0.25, abs=0.3)


def test_the_mat_says_whose_columns_are_whose() -> None:
    scene = paint_mat((41.0, 63.0), (1, 2, 3, 4), 4.0, themes.load("colour"))
    texts = [i for i in scene.items if isinstance(i, Text)]
    assert [t.text for t in texts if t.text.isdigit()] == ["1", "2", "3", "4"]
    brooks = [t.text for t in texts if "Brooks" in t.text]
    assert brooks == ["Dr. Brooks, first", "Dr. Brooks, second"]
    boxes = [ink_of(t) for t in texts]
    for a, b in combinations(boxes, 2):
        assert a[2] < b[0] or b[2] < a[0]
    assert max(b[3] for b in boxes) < 8.0
    assert (scene.width, scene.height) == mat_size((41.0, 63.0), 4, 4.0) == (176.0, 155.0)


def test_a_mat_too_wide_for_the_paper_becomes_two_or_four() -> None:
    def labels(paper: str) -> list[str]:
        return [p.label for p in pages("spiral", paper=paper, **MAT_ONLY)]

    assert labels("150x200mm") == ["Spiral mat, columns 1 and 2", "Spiral mat, columns 3 and 4"]
    assert labels("80x190mm") == [f"Spiral mat, column {k}" for k in (1, 2, 3, 4)]
    assert len(labels("100x150mm")) == 8  # each in two parts to join


@pytest.mark.parametrize("theme", ["colour", "grey"])
def test_all_ink_is_inside_the_margins(theme: str, tmp_path: Path) -> None:
    path = built("spiral", tmp_path / "x.pdf", "--theme", theme, "--paper", "letter")
    for number, page in enumerate(measure(path)):
        left, top, right, bottom = ink_box(path, number)
        assert min(left, top) >= 10.0 - 0.2
        assert right <= page.width - 10.0 + 0.2
        assert bottom <= page.height - 10.0 + 0.2


def test_golden_scene() -> None:
    """A card, its back, counters and the mat as data; PNP_UPDATE_GOLDEN=1 writes them anew."""
    theme = themes.load("colour")
    mat = paint_mat((41.0, 63.0), (1, 2, 3, 4), 4.0, theme)
    parts = [mat.dump(), f"{card_face('TH', 41.0, 63.0, theme)}\n"]
    parts += [f"{name} {items}\n" for name, items in suit_symbols(41.0, theme).items()]
    parts += [f"{role} {counter_face(role, 19.0, theme)}\n" for role in ("player", "brooks")]
    assert all(isinstance(s[0], Curve) for s in suit_symbols(41.0, theme).values())
    assert len(CARDS) == 32
    path = GOLDEN / "spiral-parts.txt"
    text = "".join(parts)
    if os.environ.get("PNP_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
