"""mini-hex: how many boards a sheet holds, that they interlock, and what stands on them."""

from __future__ import annotations

import io
import math
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp import fonts, games, themes
from pnp.backends import pdf
from pnp.boards import rhombus
from pnp.document import Page
from pnp.errors import FitError, PnpError
from pnp.games import mini_hex
from pnp.options import COMMON, Options
from pnp.paint.mini_hex import NAME_LINE, board, centre, picture_size, stone
from pnp.scene import Circle, Group, Item, Line, Lines, Polygon, Scene, Text, Use
from pnp.sheet.layout import lay_out

SIZES = [(5, 8.0, 20), (7, 7.0, 12), (11, 5.0, 12)]


def pages(**given: object) -> list[Page]:
    """The pages of `pnp build mini-hex` with these options."""
    component = games.component("mini-hex")
    known = {option.name: option for option in (*COMMON, *component.options)}
    typed = {
        name: known[name].parse(value)
        for name, value in ((key.replace("_", "-"), value) for key, value in given.items())
    }
    options = Options(component.options, typed)
    theme = themes.load(options.common.theme)
    job = component.build(options, theme, fonts.load())
    return list(lay_out(job, options.common, theme, fonts.load()).document.pages())


def flat(items: tuple[Item, ...], scene: Scene) -> Iterator[Item]:
    """All items, symbols where they are used, places left out."""
    for item in items:
        if isinstance(item, Group):
            yield from flat(item.items, scene)
        elif isinstance(item, Use):
            yield from flat(scene.symbols[item.name], scene)
        else:
            yield item


def words(page: Page) -> list[str]:
    return [i.text for i in flat(page.scene.items, page.scene) if isinstance(i, Text)]


def boards(page: Page) -> list[tuple[float, float, float]]:
    """Where boards stand on a page: x and y of the picture's origin, and its turn."""
    (content, *_) = (i for i in page.scene.items if isinstance(i, Group))
    return [
        (content.dx + g.dx, content.dy + g.dy, g.turn)
        for g in content.items
        if isinstance(g, Group)
    ]


@pytest.mark.parametrize(("n", "cell", "least"), SIZES)
def test_an_a4_sheet_holds_as_many_as_it_must(n: int, cell: float, least: int) -> None:
    (page,) = pages(size=n, cell_size=cell)
    assert len(boards(page)) >= least
    assert words(page).count("winner") == len(boards(page))
    assert f"{len(boards(page))} boards" in " ".join(words(page))


def test_the_default_is_seven_by_seven_at_seven_mm() -> None:
    assert pages() == pages(size=7, cell_size="7mm", gutter="4mm")


# The yield once more, from the drawn outlines: a board is laid right of the last one as close as
# the gap allows at every height, then rows below each other, until the room is used up.


def outline_rows(n: int, cell: float) -> list[tuple[float, float]]:
    """Left and right end of the picture at the height of each row of cells, and of its name line."""
    shape = rhombus(n)
    left = shape.box[0]
    ends = []
    for y in range(n):
        xs = [
            (x - left) * cell for corners in shape.outlines[y * n : y * n + n] for x, _ in corners
        ]
        ends.append((min(xs), max(xs)))
    return [(ends[0][0], ends[0][1]), *ends]


def laid_by_hand(width: float, height: float, n: int, cell: float, gap: float) -> int:
    rows = outline_rows(n, cell)
    offset, across = 0.0, 0
    while offset + max(right for _, right in rows) <= width + 1e-6:
        across += 1
        free = [right + offset + gap for _, right in rows]
        offset = max(f - left for f, (left, _) in zip(free, rows, strict=True))
    shape = rhombus(n)
    tall = NAME_LINE + (shape.box[3] - shape.box[1]) * cell
    top, down = 0.0, 0
    while top + tall <= height + 1e-6:
        down += 1
        top += tall + gap
    return across * down


rooms = st.tuples(
    st.floats(20, 420), st.floats(20, 420), st.integers(3, 14), st.floats(3, 15), st.floats(0, 9)
)


@given(rooms)
def test_the_yield_is_the_best_lattice(room: tuple[float, float, int, float, float]) -> None:
    width, height, n, cell, gap = room
    upright = mini_hex.lattice(width, height, n, cell, gap).count
    turned = mini_hex.lattice(width, height, n, cell, gap, turned=True).count
    assert upright == laid_by_hand(width, height, n, cell, gap)
    assert turned == laid_by_hand(height, width, n, cell, gap)


@given(rooms)
def test_there_are_never_fewer_than_boxes(room: tuple[float, float, int, float, float]) -> None:
    width, height, n, cell, gap = room
    wide, tall = picture_size(n, cell)
    boxes = int((width + gap) // (wide + gap)) * int((height + gap) // (tall + gap))
    assert mini_hex.lattice(width, height, n, cell, gap).count >= boxes


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "150x200mm"])
@pytest.mark.parametrize(("n", "cell"), [(4, 6.0), (5, 8.0), (7, 7.0), (9, 4.5), (11, 5.0)])
def test_both_ways_of_the_page_and_of_the_lattice_are_tried(
    paper: str, n: int, cell: float
) -> None:
    (page,) = pages(paper=paper, size=n, cell_size=cell)
    short, long = sorted((page.scene.width, page.scene.height))
    inner = (short - 20.0, long - 20.0)
    free = [(inner[0] - 8.0, inner[1]), (inner[0], inner[1] - 8.0)]
    best = max(laid_by_hand(*room, n, cell, 4.0) for w, h in free for room in ((w, h), (h, w)))
    assert len(boards(page)) == best


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_boards_are_turned_on_the_page_only_to_hold_more(orientation: str) -> None:
    (page,) = pages(size=11, cell_size=5, orientation=orientation)
    turns = {turn for _, _, turn in boards(page)}
    assert len(boards(page)) == 12
    assert turns == ({-90.0} if orientation == "portrait" else {0.0})
    (auto,) = pages(size=11, cell_size=5)
    assert {turn for _, _, turn in boards(auto)} == {0.0}


@pytest.mark.parametrize("gap", [0.0, 4.0, 6.5])
def test_boards_stand_at_n_cells_and_a_gap(gap: float) -> None:
    (page,) = pages(size=5, cell_size=8, gutter=gap)
    places = boards(page)
    rows = sorted({round(y, 6) for _, y, _ in places})
    first = [x for x, y, _ in places if round(y, 6) == rows[0]]
    assert len(first) >= 3
    assert all(b - a == pytest.approx(5 * 8.0 + gap) for a, b in pairwise(first))
    tall = picture_size(5, 8.0)[1]
    assert all(b - a == pytest.approx(tall + gap) for a, b in pairwise(rows))


def test_the_boards_are_centred_beside_the_band() -> None:
    (page,) = pages()
    xs, ys = [x for x, _, _ in boards(page)], [y for _, y, _ in boards(page)]
    wide, tall = picture_size(7, 7.0)
    assert min(xs) - 10.0 == pytest.approx(200.0 - (max(xs) + wide))
    assert min(ys) - 10.0 == pytest.approx(279.0 - (max(ys) + tall))


def ink(page: Page, program: Callable[[str], str], dpi: int = 200) -> np.ndarray:
    """The page in grey, as printed."""
    data = pdf.to_bytes(page.scene)
    out = subprocess.run(
        [program("pdftoppm"), "-gray", "-r", str(dpi), "-"],
        input=data,
        capture_output=True,
        check=True,
    ).stdout
    stream = io.BytesIO(out)
    assert stream.readline() == b"P5\n"
    across, down = map(int, stream.readline().split())
    stream.readline()
    return np.frombuffer(stream.read(), np.uint8).reshape(down, across)


@pytest.mark.parametrize("theme", themes.NAMES)
def test_an_exact_fit_fits_and_no_ink_leaves_the_margins(
    theme: str, program: Callable[[str], str]
) -> None:
    wide, tall = picture_size(5, 6.0)
    width, height = wide + 34.0 + 20.0, 2 * tall + 4.0 + 28.0
    (page,) = pages(paper=f"{width:.9f}x{height:.9f}mm", size=5, cell_size=6, theme=theme)
    assert len(boards(page)) == 4
    grey = ink(page, program)
    down, across = np.nonzero(grey < 250)
    mm = 25.4 / 200
    assert across.min() * mm >= 10.0 - mm
    assert (across.max() + 1) * mm <= width - 10.0 + mm
    assert down.min() * mm >= 10.0 - mm
    smaller = pages(paper=f"{width - 0.01:.9f}x{height:.9f}mm", size=5, cell_size=6)
    assert len(boards(smaller[0])) < 4


def test_turned_boards_stay_inside_the_margins(program: Callable[[str], str]) -> None:
    wide, tall = picture_size(5, 6.0)
    width, height = 2 * tall + 4.0 + 20.0, wide + 2 * 34.0 + 28.0
    (page,) = pages(
        paper=f"{width:.9f}x{height:.9f}mm", size=5, cell_size=6, orientation="portrait"
    )
    assert [turn for _, _, turn in boards(page)] == [-90.0] * 6
    down, across = np.nonzero(ink(page, program) < 250)
    mm = 25.4 / 200
    assert 10.0 - mm <= across.min() * mm <= 10.5
    assert width - 10.5 <= (across.max() + 1) * mm <= width - 10.0 + mm
    assert 10.0 - mm <= down.min() * mm <= 10.5


@pytest.mark.parametrize(("pen", "least"), [("crayon", 10.0), ("felt", 7.0), ("pencil", 5.0)])
def test_a_pen_sets_the_least_cell(pen: str, least: float) -> None:
    assert pages(pen=pen, size=5) == pages(cell_size=least, size=5)
    assert pages(pen=pen, size=5, cell_size=least + 1) == pages(cell_size=least + 1, size=5)
    with pytest.raises(
        PnpError, match=rf"too small for --pen {pen}; it needs {least:g} mm or more"
    ):
        pages(pen=pen, cell_size=least - 0.1)


@pytest.mark.parametrize("orientation", ["auto", "portrait", "landscape"])
@pytest.mark.parametrize(
    ("paper", "n", "cell", "gutter"),
    [("a4", 19, 12, 4), ("a4", 13, 40, 4), ("letter", 5, 40, 7.3), ("50x60mm", 7, 7, 0)],
)
def test_what_does_not_fit_names_the_largest_cell_that_does(
    paper: str, n: int, cell: float, gutter: float, orientation: str
) -> None:
    given = {"paper": paper, "size": n, "gutter": gutter, "orientation": orientation, "margin": 5}
    with pytest.raises(FitError) as caught:
        pages(cell_size=cell, **given)
    largest = caught.value.largest
    assert largest is not None
    assert f"{largest:.1f} mm" in str(caught.value)
    assert len(boards(pages(cell_size=largest, **given)[0])) == 1
    with pytest.raises(FitError):
        pages(cell_size=round(largest + 0.1, 1), **given)


@pytest.mark.parametrize("given", [{"cell_size": 7}, {"pen": "crayon"}])
def test_no_size_is_named_that_the_option_or_the_pen_would_refuse(given: dict[str, object]) -> None:
    paper = "50x60mm" if "pen" in given else "40x40mm"
    with pytest.raises(FitError) as caught:
        pages(size=5, paper=paper, **given)
    assert caught.value.largest is None
    assert "take a larger --paper" in str(caught.value)


@pytest.mark.parametrize("theme", themes.NAMES)
@pytest.mark.parametrize(("n", "cell"), [(3, 5.0), (5, 8.0), (11, 10.0)])
def test_the_line_has_two_names_two_legends_a_swap_and_a_winner_box(
    theme: str, n: int, cell: float
) -> None:
    (page,) = pages(size=n, cell_size=cell, theme=theme, paper="a3")
    symbol = page.scene.symbols[f"mini-{n}"]
    texts = [i for i in symbol if isinstance(i, Text)]
    assert [t.text.lower()[0] for t in texts] == ["s", "w"]
    writing = [i for i in symbol if isinstance(i, Line)]
    assert len(writing) == 2
    for line in writing:
        (x0, y0), (x1, y1) = line.points
        assert y0 == y1 <= NAME_LINE
        assert x1 - x0 >= 2.5
    boxes = [
        i for i in symbol if isinstance(i, Polygon) and len(i.points) == 4 and not i.style.fill
    ]
    assert len(boxes) == 2
    for box in boxes:
        xs, ys = zip(*box.points, strict=True)
        assert max(xs) - min(xs) == pytest.approx(max(ys) - min(ys))
        assert max(xs) - min(xs) >= 3
        assert 0 <= min(xs) <= max(xs) <= n * cell
        assert 0 <= min(ys) <= max(ys) <= NAME_LINE


def test_names_have_room_where_the_line_is_long_enough() -> None:
    for n, cell, least in ((5, 8.0, 20.0), (7, 7.0, 28.0), (7, 10.0, 18.0), (11, 5.0, 30.0)):
        (page,) = pages(size=n, cell_size=cell, paper="a3")
        for line in (i for i in page.scene.symbols[f"mini-{n}"] if isinstance(i, Line)):
            assert line.points[1][0] - line.points[0][0] >= least


def test_the_date_stands_once_and_nothing_is_marked_for_cutting() -> None:
    (page,) = pages()
    assert words(page).count("Date") == 1
    assert page.cut == ()
    (content, band) = page.scene.items
    assert isinstance(content, Group)
    assert isinstance(band, Group)


@pytest.mark.parametrize("theme", themes.NAMES)
def test_the_two_players_edges_differ_in_shape(theme: str) -> None:
    (page,) = pages(theme=theme)
    filled = [i for i in page.scene.symbols["mini-7"] if isinstance(i, Polygon) and i.style.fill]
    whole = [i for i in filled if len(i.points) > 4]
    bars = [i for i in filled if len(i.points) == 4 and min(y for _, y in i.points) > NAME_LINE]
    assert len(whole) == 2
    assert len(bars) == 2 * 14
    assert {i.style.fill for i in whole} != {i.style.fill for i in bars}
    top, bottom = sorted(min(y for _, y in i.points) for i in whole)
    assert top < NAME_LINE + 0.5
    assert bottom > picture_size(7, 7.0)[1] - 5.0


def test_each_inner_edge_is_drawn_once_and_pale() -> None:
    (page,) = pages()
    (lines,) = (i for i in page.scene.symbols["mini-7"] if isinstance(i, Lines))
    assert lines.style.stroke == themes.load("colour").colour("pale")
    middles = {(round((a + c) / 2, 4), round((b + d) / 2, 4)) for a, b, c, d in lines.segments}
    shared = sum(len(near) for near in rhombus(7).neighbours) // 2
    assert len(middles) == len(lines.segments) == shared
    side = 7.0 / math.sqrt(3.0)
    assert all(math.hypot(c - a, d - b) == pytest.approx(side) for a, b, c, d in lines.segments)


def test_labels_are_left_out_unless_asked_for() -> None:
    assert "c3" not in words(pages()[0])
    labelled = words(pages(labels=True)[0])
    assert all(labelled.count(label) == 12 for label in rhombus(7).labels)


def test_copies_make_sheets() -> None:
    sheets = pages(copies=3)
    assert [p.label for p in sheets] == [f"Hex to colour, 7 × 7 {k}/3" for k in (1, 2, 3)]


PUZZLES = """\
# two sizes
.../.r./b.. Red to win | c1 a2
.../.r./b.. Without an answer
..../.b../..../.r.. Blue begins | b c2 d1
"""


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    path = tmp_path / "puzzles.txt"
    path.write_text(PUZZLES, encoding="utf-8")
    return str(path)


def stones(page: Page) -> list[tuple[float, float, str]]:
    """Middle and symbol of each stone of a puzzle page, in mm on its board's picture."""
    found = []
    (content, *_) = (i for i in page.scene.items if isinstance(i, Group))
    for picture in content.items:
        assert isinstance(picture, Group)
        for item in picture.items:
            if isinstance(item, Use) and item.name in ("mini-red", "mini-blue"):
                found.append((item.x, item.y, item.name))
    return found


def test_puzzles_have_their_titles_stones_and_answers(puzzles: str) -> None:
    sheets = pages(puzzles=puzzles)
    assert [p.label for p in sheets] == [
        "Hex puzzles, 3 × 3",
        "Hex puzzles, 4 × 4",
        "Hex puzzles, 3 × 3, answers",
        "Hex puzzles, 4 × 4, answers",
    ]
    assert {"1.", "2.", "Red to win", "Without an", "answer"} <= set(words(sheets[0]))
    assert {"1.", "2."} & set(words(sheets[2])) == {"1."}
    assert "3." in words(sheets[1])
    b2 = (7.0 * 2.0, NAME_LINE + 7.0 * (2.0 / math.sqrt(3.0) / 2.0 + math.sqrt(3.0) / 2.0))
    red, blue = stones(sheets[0])[:2]
    assert red[:2] == pytest.approx(b2)
    assert (red[2], blue[2]) == ("mini-red", "mini-blue")


@pytest.mark.parametrize("cell", [3.0, 5.0, 9.0, 12.0, 40.0])
def test_stones_leave_the_edges_free(cell: float) -> None:
    theme = themes.load("colour")
    inks = {theme.area(f"{role}-edge").fill for role in ("red", "blue")}
    found = [i for i in board(3, cell, theme) if isinstance(i, Polygon) and i.style.fill in inks]
    ends = [(p, q) for band in found for p, q in pairwise((*band.points, band.points[0]))]
    assert len(found) > 12
    discs = [i for i in stone(cell, "red", theme) if isinstance(i, Circle)]
    reach = max(disc.r + (disc.style.width if disc.style.stroke else 0) / 2 for disc in discs)
    assert reach > 0.2 * cell
    for index in range(9):
        x, y = centre(3, cell, index)
        assert min(beside(x, y, *p, *q) for p, q in ends) > reach


def beside(x: float, y: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """The distance from a point to a segment."""
    dx, dy = x1 - x0, y1 - y0
    share = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)))
    return math.hypot(x0 + share * dx - x, y0 + share * dy - y)


def test_an_answer_numbers_its_moves_in_the_colours_in_turn(puzzles: str) -> None:
    for sheet, roles in ((2, ("red", "blue")), (3, ("blue", "red"))):
        page = pages(puzzles=puzzles)[sheet]
        (content, *_) = (i for i in page.scene.items if isinstance(i, Group))
        (picture,) = content.items
        assert isinstance(picture, Group)
        moves = [i for i in picture.items if isinstance(i, Group)]
        theme = themes.load("colour")
        for k, (move, role) in enumerate(zip(moves, roles, strict=True)):
            circle = next(i for i in move.items if isinstance(i, Circle))
            assert circle.style.fill == theme.area(role).fill
            assert [i.text for i in move.items if isinstance(i, Text)] == [str(k + 1)]


def test_puzzles_show_the_names_of_empty_cells_unless_told_not_to(puzzles: str) -> None:
    page = pages(puzzles=puzzles)[0]
    assert words(page).count("a1") == 2
    assert "b2" not in words(page)
    assert "a1" not in words(pages(puzzles=puzzles, labels=False)[0])


def test_faults_of_a_puzzle_file(tmp_path: Path) -> None:
    with pytest.raises(PnpError, match=r"none\.txt: the puzzles cannot be read: No such file"):
        pages(puzzles=str(tmp_path / "none.txt"))
    path = tmp_path / "bad.txt"
    path.write_text("../.x what\n", encoding="utf-8")
    with pytest.raises(PnpError, match=r"bad.txt:1:5: 'x' is no cell"):
        pages(puzzles=str(path))
    path.write_text("../.. " + "very long " * 30, encoding="utf-8")
    with pytest.raises(PnpError, match=r"puzzle 1: the title .* is too long for 14 mm"):
        pages(puzzles=str(path))
    path.write_bytes(b"\xff\xff")
    with pytest.raises(PnpError, match="not UTF-8"):
        pages(puzzles=str(path))
