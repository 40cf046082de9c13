"""The Spiral layout as a data file: the standard one, and what is said of a damaged one."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from pnp.boards import hexhex
from pnp.errors import FileError
from pnp.resources import read_text
from pnp.spiral_layout import CENTRE, PAIRS, ROWS, WAY, LayoutError, load, parse, standard

TEXT = read_text("spiral", "standard.toml")


def test_pairs_are_all_unordered_pairs_in_dictionary_order() -> None:
    assert len(PAIRS) == len(set(PAIRS)) == 36
    assert PAIRS[:9] == ("77", "78", "79", "7T", "7J", "7Q", "7K", "7A", "88")
    assert PAIRS[-3:] == ("KK", "KA", "AA")
    assert WAY[-1] == CENTRE


def test_standard_layout_is_the_ruled_one() -> None:
    """Row by row as spiral-layout gives it."""
    rows = []
    labels = iter(standard().labels)
    for length in ROWS:
        rows.append(" ".join(next(labels) for _ in range(length)))
    assert rows == [
        "77 78 79 7T",
        "9J 9Q 9K 9A 7J",
        "9T JA QQ QK TT 7Q",
        "99 JK AA () QA TJ 7K",
        "8A JQ KA KK TQ 7A",
        "8K JJ TA TK 88",
        "8Q 8J 8T 89",
    ]


def test_the_way_visits_every_cell_by_touching_steps() -> None:
    layout, board = standard(), hexhex(4)
    assert sorted(layout.way) == list(range(37))
    assert [layout.labels[index] for index in layout.way] == list(WAY)
    for before, after in pairwise(layout.way):
        assert after in board.neighbours[before]
    assert board.coords[layout.way[36]] == (0, 0)


def rings() -> list[list[int]]:
    """The cells of the hexagon of side 4 ring by ring inwards, each clockwise from its left upper
    corner.
    """
    board = hexhex(4)
    at = {coord: index for index, coord in enumerate(board.coords)}
    turns = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    found = []
    for ring in (3, 2, 1):
        q, r = 0, -ring
        cells = []
        for dq, dr in turns:
            for _ in range(ring):
                cells.append(at[q, r])
                q, r = q + dq, r + dr
        found.append(cells)
    return [*found, [at[0, 0]]]


def ring_ways() -> list[tuple[int, ...]]:
    """All ways ring by ring clockwise that step from each ring's last cell into one that it
    touches, but for turns: from the left upper corner and the two cells after it."""
    board, ring = hexhex(4), rings()
    ways = [tuple(ring[0][start:] + ring[0][:start]) for start in range(3)]
    for inner in ring[1:]:
        ways = [
            way + tuple(inner[start:] + inner[:start])
            for way in ways
            for start in range(len(inner))
            if inner[start] in board.neighbours[way[-1]]
        ]
    return ways


def text_of(way: tuple[int, ...]) -> str:
    labels = dict(zip(way, WAY, strict=True))
    cells = iter(labels[index] for index in range(37))
    rows = [" ".join(next(cells) for _ in range(length)) for length in ROWS]
    return "rows = [" + ", ".join(f'"{row}"' for row in rows) + "]"


def test_other_layouts_are_read() -> None:
    """Every way ring by ring makes a layout; there are eight (spiral-layout), and the standard one
    is among them.
    """
    ways = ring_ways()
    assert len(set(ways)) == 8
    assert standard().way in ways
    for way in ways:
        layout = parse(text_of(way), "other")
        assert (layout.name, layout.title, layout.way) == ("other", "other", way)


def damaged(old: str, new: str) -> str:
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "77 78 79 7T",
            "77 78 79 79",
            "row 1, cell 4: 79 stands in row 1, cell 3 already; what is missing: 7T",
        ),
        (
            "99 JK AA ()",
            "99 JK AA QA",
            "row 4, cell 5: QA stands in row 4, cell 4 already; what is missing: ()",
        ),
        (
            "77 78 79 7T",
            "77 79 78 7T",
            "the way breaks after 77: 78 (row 1, cell 3) does not touch it (row 1, cell 1)",
        ),
        (
            "AA () QA",
            "() AA QA",
            "row 4, cell 3: the centre () must be in the middle, row 4, cell 4",
        ),
        (
            "77 78 79 7T",
            "77 78 79 T7",
            "row 1, cell 4: T7 must be written 7T, the lower rank first",
        ),
        ("77 78 79 7T", "77 78 79 7t", "row 1, cell 4: 7t must be written 7T, in capitals"),
        ("77 78 79 7T", "77 78 79 710", "ten is written T"),
        ("77 78 79 7T", "77 78 79 6T", "row 1, cell 4: 6T is no pair of the ranks 7 8 9 T J Q K A"),
        ("77 78 79 7T", "77 78 79", "row 1 has 3 cells; it must have 4"),
        ('  "8Q 8J 8T 89",\n', "", "has 6 rows; a hexagon of side 4 has 7"),
        ("rows = [", "cells = [", '"cells" is no part of a layout'),
        ('title = "Standard spiral"', "title = 3", "the title is a text"),
        ("rows = [", "rows = [[", "not TOML"),
    ],
)
def test_a_damaged_layout_says_where(old: str, new: str, says: str) -> None:
    with pytest.raises(LayoutError) as caught:
        parse(damaged(old, new), "other", "other.toml")
    assert says in str(caught.value)
    assert str(caught.value).startswith("other.toml")


@pytest.mark.parametrize(
    "rows",
    ["rows = 7", "rows = [1, 2]", 'title = "none"', "x = " + "[" * 9000, "x = " + "1" * 5000],
)
def test_what_is_no_layout_at_all(rows: str) -> None:
    with pytest.raises(LayoutError):
        parse(rows)


def test_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        load(tmp_path / "none.toml")
    path = tmp_path / "mine.toml"
    path.write_bytes(b"title = '\xff'")
    with pytest.raises(LayoutError, match="UTF-8"):
        load(path)
    for encoding in ("utf-8", "utf-8-sig"):  # an editor on Windows marks its files
        path.write_text(TEXT, encoding=encoding)
        assert load(path).name == "mine"
