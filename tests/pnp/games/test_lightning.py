"""lightning: board, tiles, mat and cards, measured as drawn."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp import fonts, themes
from pnp.errors import FitError, PnpError
from pnp.paint import lightning, lightning_mats
from pnp.scene import Curve, Group, Item, Lines, Polygon, Scene, Text, Use
from pnp.sheet.job import Drawing
from tests.pnp.games.lightning_jobs import KINDS, TILES, flat, job, laid, pages, part
from tests.pnp.printed import built, extent, ink_box, measure

GOLDEN = Path(__file__).parents[2] / "data" / "golden"


# The board


@pytest.mark.parametrize("section", [0, 1])
def test_a_section_is_8_by_17_cells_of_23_4_mm_with_its_labels(section: int) -> None:
    board = lightning.paint_lightning_section(section, 23.4, themes.load("colour"))
    (grid,) = (i for i in board.scene.items if isinstance(i, Lines) and len(i.segments) == 16 + 7)
    across = sorted({s[0] for s in grid.segments if s[0] == s[2]})
    down = sorted({s[1] for s in grid.segments if s[1] == s[3]})
    assert all(b - a == pytest.approx(23.4) for a, b in pairwise(across))
    assert all(b - a == pytest.approx(23.4) for a, b in pairwise(down))
    texts = {i.text: i for i in board.scene.items if isinstance(i, Text)}
    letters = "ijklmnop" if section else "abcdefgh"
    assert set(texts) == {f"{letter}{row}" for letter in letters for row in range(1, 18)}
    near = texts[f"{letters[0]}1"]
    far = texts[f"{letters[7]}17"]
    assert near.x < far.x
    assert near.y > far.y
    for column, letter in enumerate(letters):
        for row in range(17):
            x, y = board.centres[column, row]
            left, top, right, bottom = fonts.load().text_box(texts[f"{letter}{row + 1}"])
            assert abs((left + right) / 2 - x) < 0.02 * 23.4
            assert abs((top + bottom) / 2 - y) < 0.02 * 23.4


def test_points_of_the_board_are_where_cells_say() -> None:
    board = lightning.paint_lightning_section(0, 10.0, themes.load("colour"))
    for (column, row), (x, y) in board.centres.items():
        for number, (dx, dy) in enumerate(lightning.POINTS):
            at = board.point(2 * column + 1 + 2 * dx, 2 * row + 1 - 2 * dy)
            assert at == pytest.approx((x + 10 * dx, y + 10 * dy)), number


def test_on_a3_each_section_is_one_page(tmp_path: Path) -> None:
    path = built("lightning", tmp_path / "x.pdf", "--paper", "a3", "--no-tiles", "--no-mats",
                 "--no-card")  # fmt: skip
    first, second = measure(path)
    for page, letters, owner in ((first, "a–h", "first"), (second, "i–p", "second")):
        assert sorted((page.width, page.height)) == pytest.approx([297.0, 420.0], abs=1e-3)
        assert letters in page.text
        assert f"{owner} player" in page.text
        assert "cells 23.4 mm" in page.text
    for page in (0, 1):
        left, top, right, bottom = ink_box(path, page)
        assert left >= 10.0 - 0.2
        assert top >= 10.0 - 0.2
        assert right <= 287.0 + 0.2
        assert bottom <= 410.0 + 0.2


def ends(section: int, theme: themes.Theme) -> tuple[Item, ...]:
    """What is drawn between the ground of a section and its grid: the strips at both ends."""
    items = lightning.paint_lightning_section(section, 23.4, theme).scene.items
    grid = next(k for k, i in enumerate(items) if isinstance(i, Lines) and len(i.segments) == 23)
    return items[1:grid]


def test_both_ends_of_a_section_carry_their_owners_pattern() -> None:
    for name in themes.NAMES:
        theme = themes.load(name)
        solid, hatched = (ends(k, theme) for k in (0, 1))
        assert len([i for i in solid if isinstance(i, Polygon) and i.style.fill]) == 2
        assert len([i for i in hatched if isinstance(i, Lines)]) == 2  # hatched without colour too
        assert not [i for i in solid if isinstance(i, Lines)]
        assert extent(solid, {}) == pytest.approx(extent(hatched, {}))


def test_the_joints_of_a_section_fall_on_cell_edges() -> None:
    (board, _) = (p for p in job(tiles=False, mats=False, card=False).parts)
    assert isinstance(board, Drawing)
    assert board.always_split
    assert board.joints is not None
    joints = board.joints(23.0)
    (grid,) = (
        i for i in board.paint(23.0).items if isinstance(i, Lines) and len(i.segments) == 16 + 7
    )
    assert sorted(joints.columns) == pytest.approx(
        sorted(s[0] for s in grid.segments if s[0] == s[2])
    )
    assert sorted(joints.rows) == pytest.approx(sorted(s[1] for s in grid.segments if s[1] == s[3]))


# Sizes


def sizes(**given: object) -> tuple[float, float]:
    """The cell as it is drawn, and the tile."""
    found = job(**given).parts[0]
    assert isinstance(found, Drawing)
    (grid,) = (
        i
        for i in found.paint(found.size or 0.0).items
        if isinstance(i, Lines) and len(i.segments) == 16 + 7
    )
    xs = sorted(s[0] for s in grid.segments if s[0] == s[2])
    return round(xs[1] - xs[0], 6), part("Lightning tiles", **given).size or 0.0


def test_cells_follow_tiles_and_tiles_cells() -> None:
    assert sizes() == (23.4, 23.0)
    assert sizes(tile_size=20) == pytest.approx((20.4, 20.0))
    assert sizes(cell_size=20) == pytest.approx((20.0, 19.6))
    assert sizes(cell_size=30) == (30.0, 23.0)
    with pytest.raises(PnpError, match="tiles of 25 mm do not lie on cells of 24 mm"):
        job(tile_size=25, cell_size=24)
    assert job(tile_size=25, cell_size=24, board=False).parts
    with pytest.raises(PnpError, match="--line-width 9 mm is too wide for tiles of 23 mm"):
        job(line_width=9)


# Mat and cards


def test_the_mat_has_a_place_for_each_kind_and_for_the_stock() -> None:
    mat = lightning_mats.paint_mat(23.0, 150, themes.load("colour"))
    slots = [
        i for i in mat.items
        if isinstance(i, Polygon) and i.points[1][0] - i.points[0][0] == pytest.approx(26.0)
    ]  # fmt: skip
    assert len(slots) == 5 + 15
    texts = [i.text for i in mat.items if isinstance(i, Text)]
    assert set(KINDS) <= set(texts)
    assert "face down, 10 to a pile" in texts
    left, top, right, bottom = extent(mat.items, {})
    assert 0 <= left < right <= mat.width
    assert 0 <= top < bottom <= mat.height
    assert (mat.width, mat.height) == lightning_mats.mat_size(23.0)


@pytest.mark.parametrize("theme", themes.NAMES)
def test_the_reference_card_is_filled_and_nothing_hangs_over(theme: str) -> None:
    card = lightning_mats.reference_card(themes.load(theme), fonts.load())
    width, height = lightning_mats.CARD
    left, top, right, bottom = extent(card, {})
    assert -width / 2 + 4 < left < -width / 2 + 7
    assert width / 2 - 8 < right < width / 2 - 3
    assert -height / 2 + 4 < top
    assert height / 2 - 16 < bottom < height / 2 - 4
    texts = [i for i in flat(card, {}) if isinstance(i, Text)]
    boxes = [fonts.load().text_box(t) for t in texts]
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] + 0.1 or b[3] <= a[1] + 0.1
    said = " ".join(t.text for t in texts)
    for word in (*KINDS, "Pool".lower(), "pile", "row 1", "III@d1:s-ne", "pass"):
        assert word in said


def test_two_cards_on_a_sheet() -> None:
    (page,) = pages(board=False, tiles=False, mats=False)
    assert len([i for i in page.scene.items if isinstance(i, Use)]) == 2


# All of it


@given(
    tile=st.floats(8.0, 60.0), each=st.integers(0, 40), paper=st.sampled_from(["a4", "letter", "90x120mm"]),
    theme=st.sampled_from(themes.NAMES), coloured=st.booleans(), nodes=st.booleans(),
    backs=st.sampled_from(["none", "duplex-long", "duplex-short", "fold", "separate"]),
    bleed=st.sampled_from([0.0, 1.5]), marks=st.sampled_from(["none", "edge", "cross", "full"]),
    labels=st.booleans(),
)  # fmt: skip
@settings(max_examples=15)
def test_any_options_give_correct_tiles_or_an_error_whose_size_builds(
    tile: float, each: int, paper: str, bleed: float, **more: object
) -> None:
    given_ = {**TILES, "each": each, "paper": paper, "bleed": bleed, "gutter": 2 * bleed, **more}
    try:
        sheets = pages(tile_size=tile, **given_)
    except FitError as error:
        largest = error.largest or 0.0
        sheets = pages(tile_size=largest, **given_)
        with pytest.raises(FitError):
            pages(tile_size=round(largest + 0.1, 1), **given_)
    except PnpError:
        assert each == 0
        return
    found = laid(sheets)
    assert {kind: found[kind] for kind in KINDS} == dict.fromkeys(KINDS, each)
    for page in sheets:
        outline = lightning.square(1.0)
        for use in (i for i in page.scene.items if isinstance(i, Use)):
            (clip,) = (i for i in page.scene.symbols[use.name] if isinstance(i, Group))
            reach = max(abs(v) for p in clip.clip or outline for v in p)
            assert use.x - reach >= 10.0 - 1e-6
            assert use.x + reach <= page.scene.width - 10.0 + 1e-6
            assert use.y - reach >= 10.0 - 1e-6
            assert use.y + reach <= page.scene.height - 10.0 + 1e-6


def test_golden_scenes() -> None:
    """The whole pictures as data; PNP_UPDATE_GOLDEN=1 writes them anew, and the difference is to be
    read.
    """
    theme = themes.load("colour")
    faces = tuple(
        Group(piece.front, dx=25.0 * k, title=piece.name)
        for k, piece in enumerate(part("Lightning tiles", nodes=True, coloured=True).pieces)
    )
    scenes = {
        "lightning-section": lightning.paint_lightning_section(1, 23.4, theme).scene,
        "lightning-mat": lightning_mats.paint_mat(23.0, 150, theme),
        "lightning-tiles": Scene(125.0, 23.0, faces),
    }
    for name, scene in scenes.items():
        text, path = scene.dump(), GOLDEN / f"{name}.txt"
        if os.environ.get("PNP_UPDATE_GOLDEN") == "1":
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")


def test_the_tiles_of_diagrams_are_the_printed_ones_with_an_outline() -> None:
    theme = themes.load("colour")
    for kind, ends in lightning.SAMPLES.items():
        group, border = lightning.tile(*ends, 23.0, theme)
        assert isinstance(group, Group)
        assert isinstance(border, Polygon)
        printed = part("Lightning tiles", labels=False).pieces[KINDS.index(kind)].front
        assert group.items == printed
        assert not any(isinstance(i, Curve) for i in printed)
