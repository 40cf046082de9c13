"""The boards of the four games, checked against their definitions."""

from __future__ import annotations

from collections import Counter

import pytest

from pnp import boards
from pnp.boards import Board
from pnp.geometry import distance

BOARDS = [
    *(boards.rhombus(n, pointy=p) for n in (1, 2, 5, 11, 30) for p in (True, False)),
    *(boards.hexhex(n, pointy=p) for n in (1, 2, 4) for p in (True, False)),
    boards.square(8, 17),
    boards.focus(),
]


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.name)
def test_neighbours_are_the_cells_that_share_a_side(board: Board) -> None:
    """Worked out from the drawn corners: two cells that have two corners in common."""
    corners: dict[tuple[int, int], list[int]] = {}
    for i, outline in enumerate(board.outlines):
        for x, y in outline:
            corners.setdefault((round(x * 1e6), round(y * 1e6)), []).append(i)
    shared = Counter((a, b) for cells in corners.values() for a in cells for b in cells if a != b)
    found = {pair for pair, count in shared.items() if count == 2}
    assert found == {(i, j) for i, near in enumerate(board.neighbours) for j in near}


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.name)
def test_labels_are_unique_and_lead_back(board: Board) -> None:
    assert len(set(board.labels)) == len(board)
    assert [board.index(label) for label in board.labels] == list(range(len(board)))
    assert board.index("zz99") is None


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.name)
def test_cells_of_a_side_are_one_apart(board: Board) -> None:
    for i, near in enumerate(board.neighbours):
        for j in near:
            assert distance(board.centres[i], board.centres[j]) == pytest.approx(1.0)


def test_hex_labels_and_corners() -> None:
    """hex-board: a1 is an acute corner, its neighbours are b1 and a2."""
    board = boards.rhombus(30)
    assert board.labels[:27] == (
        *(f"{c}1" for c in "abcdefghijklmnopqrstuvwxyz"),
        "aa1",
    )
    assert {board.labels[i] for i in board.neighbours[0]} == {"b1", "a2"}
    assert len(board.neighbours[29]) == 3
    assert board.labels[-1] == "ad30"
    assert [len(boards.rhombus(11).edges[e]) for e in ("top", "bottom", "left", "right")] == [
        11
    ] * 4


def test_hexhex_counts() -> None:
    assert [len(boards.hexhex(n)) for n in (1, 2, 3, 4)] == [1, 7, 19, 37]


def test_focus_has_52_cells_and_rows_from_the_bottom() -> None:
    """focus-board: 8 × 8 less three at each corner."""
    board = boards.focus()
    assert len(board) == 52
    assert board.index("a1") is None
    assert board.index("a3") is not None
    (x, y) = board.centres[board.index("c1") or 0]
    assert (x, y) == (2.5, 7.5)


@pytest.mark.parametrize("n", [0, 31])
def test_rhombus_refuses_other_sizes(n: int) -> None:
    with pytest.raises(ValueError, match="1 to 30"):
        boards.rhombus(n)
