"""Yields against a second count, and that no two pieces overlap."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.errors import FitError
from pnp.geometry import bounds, distance, hexagon
from pnp.sheet.job import Piece, Pieces
from pnp.sheet.nup import best_block
from pnp.sheet.pieces import lay_pieces
from tests.pnp.printed import options, tiles


def hexagons(size: float) -> Pieces:
    return Pieces("Hexagons", hexagon(size), (Piece("h", ()),), size=size, shape="hexagon")


def counted(width: float, height: float, w: float, h: float, gap: float) -> int:
    """Rows times columns, one at a time."""
    across = 0
    while (across + 1) * w + across * gap <= width + 1e-6:
        across += 1
    down = 0
    while (down + 1) * h + down * gap <= height + 1e-6:
        down += 1
    return across * down


@given(
    st.integers(30, 3000), st.integers(30, 3000), st.integers(0, 60),
    st.sampled_from(["a4", "letter", "a3"]), st.sampled_from(["auto", "portrait", "landscape"]),
)  # fmt: skip
def test_rectangles_reach_the_best_yield(
    w: int, h: int, gap: int, paper: str, orientation: str
) -> None:
    common = options(paper=paper, orientation=orientation, gutter=gap / 10).common
    (part,) = tiles(w / 10, h / 10).parts
    assert isinstance(part, Pieces)
    sheets = [common.paper, common.paper.turned()]
    if orientation != "auto":
        sheets = [p for p in sheets if (p.height > p.width) == (orientation == "portrait")]
    best = max(
        counted(p.width - 26 - left, p.height - 26 - foot, *piece, gap / 10)
        for p in sheets
        for left, foot in ((8, 0), (0, 8))
        for piece in ((w / 10, h / 10), (h / 10, w / 10))
    )
    if best == 0:
        with pytest.raises(FitError):
            lay_pieces(part, common)
    else:
        assert len(lay_pieces(part, common).block.spots) == best


def test_23_mm_tiles_are_88_a_page() -> None:
    """print.md: 8 × 11 = 88 on A4, and 150 make two sheets; exact fits fit."""
    (part,) = tiles(23.0, 23.0).parts
    assert isinstance(part, Pieces)
    assert len(lay_pieces(part, options().common).block.spots) == 88
    (cards,) = tiles(41.0, 63.0).parts
    assert isinstance(cards, Pieces)
    assert len(lay_pieces(cards, options().common).block.spots) == 16


def honeycomb(width: float, height: float, w: float, gap: float) -> int:
    """Pointy-top hexagons, row by row."""
    total, y, row = 0, w / math.sqrt(3.0), 0
    while y + w / math.sqrt(3.0) <= height + 1e-6:
        x = w / 2 + (row % 2) * (w + gap) / 2
        while x + w / 2 <= width + 1e-6:
            total, x = total + 1, x + w + gap
        y, row = y + (w + gap) * math.sqrt(3.0) / 2, row + 1
    return total


@given(st.integers(40, 900), st.integers(0, 30), st.sampled_from(["a4", "letter"]))
def test_a_honeycomb_reaches_the_best_of_both_lattices(w: int, gap: int, paper: str) -> None:
    common = options(paper=paper, gutter=gap / 10).common
    sheets = [common.paper, common.paper.turned()]
    best = max(
        honeycomb(p.width - 26 - left, p.height - 26 - foot, w / 10, gap / 10)
        for p in sheets
        for left, foot in ((8, 0), (0, 8))
    )
    assert len(lay_pieces(hexagons(w / 10), common).block.spots) == best


@pytest.mark.parametrize("nest", ["knife", "straight", "boxes"])
@pytest.mark.parametrize("turned", [False, True])
def test_hexagons_never_overlap_and_stay_in_their_block(nest: str, turned: bool) -> None:
    pieces = hexagons(20.0)
    if turned:
        pieces = Pieces("H", hexagon(20.0, pointy=False), pieces.pieces, shape="hexagon")
    block = best_block(pieces, nest, 1.0, 180.0, 250.0)  # type: ignore[arg-type]
    assert len(block.spots) > 40
    for i, a in enumerate(block.spots):
        for b in block.spots[:i]:
            assert distance((a.x, a.y), (b.x, b.y)) >= 21.0 - 1e-9
    half = [h / 2 for h in (20.0, 40.0 / math.sqrt(3.0))]
    left, top, right, bottom = bounds((s.x, s.y) for s in block.spots)
    assert sorted((left, top)) == pytest.approx(half)
    assert sorted((block.width - right, block.height - bottom)) == pytest.approx(half)
    assert block.width <= 180.0 + 1e-6
    assert block.height <= 250.0 + 1e-6


def test_straight_nesting_has_straight_cuts_only() -> None:
    """P55: every side of every hexagon lies on a line that crosses no hexagon."""
    block = best_block(hexagons(20.0), "straight", 0.0, 180.0, 250.0)
    side = 20.0 / math.sqrt(3.0)
    pointy = block.spots[0].turn == 0.0
    for spot in block.spots:
        for k in range(6):
            angle = math.radians(60.0 * k + (0.0 if pointy else 30.0))
            n = (math.cos(angle), math.sin(angle))
            offset = n[0] * spot.x + n[1] * spot.y + 10.0
            for other in block.spots:
                away = abs(n[0] * other.x + n[1] * other.y - offset)
                assert away >= 10.0 - 1e-6, (spot, other, side)


@given(st.integers(1000, 6000))
def test_the_error_names_the_largest_tile(size: int) -> None:
    (part,) = tiles(size / 10, size / 10, size=size / 10).parts
    assert isinstance(part, Pieces)
    common = options().common
    if size <= 1840:
        assert lay_pieces(part, common).block.spots
        return
    with pytest.raises(FitError, match="--tile-size that fits is") as caught:
        lay_pieces(part, common)
    # 210 - 2 · (10 + 3) across, 297 - 26 - 8 down
    assert caught.value.largest == 184.0
