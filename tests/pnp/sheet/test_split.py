"""A board over several sheets: nothing missing, everything in its place, joints clear of labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp import fonts, themes
from pnp.cli import run
from pnp.document import Page
from pnp.errors import FitError
from pnp.geometry import Box
from pnp.paint.boards import clear_lines, paint_hex_board
from pnp.scene import Circle, Group, Polygon, Scene, Style, Text, Use
from pnp.sheet.job import Drawing, Job, Joints
from pnp.sheet.split import row_letters
from tests.pnp.printed import built, laid, measure, options

GREY = Style(fill="#888888")


def chess(columns: int, rows: int, cell: float, **more: object) -> Job:
    """A board of squares with joints on its cell edges."""

    def paint(size: float) -> Scene:
        cells = tuple(
            Polygon(((x, y), (x + size, y), (x + size, y + size), (x, y + size)), GREY)
            for i in range(columns) for k in range(rows)
            for x, y in ((i * size, k * size),)
        )  # fmt: skip
        return Scene(columns * size, rows * size, cells, title="chess")

    drawing = Drawing(
        "Chess", paint, lambda size: (columns * size, rows * size), cell,
        joints=lambda size: Joints(
            tuple(k * size for k in range(1, columns)), tuple(k * size for k in range(1, rows))
        ),
        **more,  # type: ignore[arg-type]
    )  # fmt: skip
    return Job("Chess", (drawing,))


def part(page: Page) -> tuple[float, float, Box]:
    """How a sheet's picture is moved, and which part of it shows."""
    group = page.scene.items[0]
    assert isinstance(group, Group)
    assert group.clip is not None
    assert isinstance(group.items[0], Use)
    xs, ys = [p[0] for p in group.clip], [p[1] for p in group.clip]
    return group.dx, group.dy, (min(xs), min(ys), max(xs), max(ys))


def marks(page: Page) -> set[tuple[float, float]]:
    """Where crosses stand, in the picture's coordinates."""
    group = page.scene.items[1]
    assert isinstance(group, Group)
    return {(round(i.x, 4), round(i.y, 4)) for i in group.items if isinstance(i, Circle)}


@given(
    st.integers(1, 20), st.integers(1, 30), st.floats(10.0, 60.0), st.sampled_from(["10", "4", "25"]),
    st.sampled_from(["a4", "letter", "a3"]),
)  # fmt: skip
@settings(max_examples=40)
def test_sheets_cover_the_picture_and_share_the_overlap(
    columns: int, rows: int, cell: float, overlap: str, paper: str
) -> None:
    """P76, P77, P78, P79, P80."""
    sheet = laid(chess(columns, rows, cell), split=True, overlap=overlap, paper=paper)
    pages = list(sheet.document.pages())
    if len(pages) == 1:
        return
    by_name = {page.label.split()[1]: page for page in pages}
    width, height = columns * cell, rows * cell
    across = max(int(name[1:]) for name in by_name)
    down = len(pages) // across
    assert list(by_name) == [f"{row_letters(r)}{c + 1}" for r in range(down) for c in range(across)]
    for r in range(down):
        for c in range(across):
            page = by_name[f"{row_letters(r)}{c + 1}"]
            dx, dy, (x0, y0, x1, y1) = part(page)
            margin = 10.0 - 1e-6
            assert x0 + dx >= margin
            assert y0 + dy >= margin
            assert x1 + dx <= page.scene.width - margin
            assert y1 + dy <= page.scene.height - margin
            assert (x0 == 0.0) == (c == 0)
            assert (y0 == 0.0) == (r == 0)
            assert (x1 == pytest.approx(width)) == (c == across - 1)
            assert (y1 == pytest.approx(height)) == (r == down - 1)
            for other, k in ((f"{row_letters(r)}{c + 2}", 0), (f"{row_letters(r + 1)}{c + 1}", 1)):
                if other in by_name:
                    _, _, box = part(by_name[other])
                    assert (x1, y1)[k] - box[k] == pytest.approx(float(overlap))
                    joint = (x1, y1)[k] - float(overlap) / 2.0
                    assert joint / cell == pytest.approx(round(joint / cell))
                    shared = {m for m in marks(page) & marks(by_name[other])
                              if m[k] == pytest.approx(joint, abs=1e-3)}  # fmt: skip
                    assert len(shared) >= 2


def test_the_fewest_sheets_are_taken_and_parts_are_even() -> None:
    sheet = laid(chess(10, 4, 40.0), split=True)
    pages = list(sheet.document.pages())
    assert len(pages) == 2
    widths = [x1 - x0 for _, _, (x0, _, x1, _) in map(part, pages)]
    assert widths == pytest.approx([205.0, 205.0])


def test_what_cannot_be_split_is_said() -> None:
    with pytest.raises(FitError, match="--overlap"):
        laid(chess(2, 2, 300.0), split=True)
    with pytest.raises(FitError, match="--split"):
        laid(chess(10, 10, 40.0))


def test_a_board_that_is_always_split_needs_no_asking() -> None:
    sheet = laid(chess(10, 4, 40.0, always_split=True))
    page = next(iter(sheet.document.pages()))
    words = " ".join(
        t.text for g in page.scene.items if isinstance(g, Group) for t in g.items
        if isinstance(t, Text)
    )  # fmt: skip
    assert "split over 2 sheets" in words
    assert page.label == "Chess A1"


@pytest.mark.parametrize("pointy", [True, False])
@pytest.mark.parametrize("cell", [14.0, 26.0, 40.0])
def test_joints_of_a_hex_board_cross_no_label(pointy: bool, cell: float) -> None:
    board = paint_hex_board(11, cell, themes.load("colour"), labels="four", pointy=pointy)
    columns, rows = clear_lines(board)
    assert len(columns) > 5
    assert len(rows) > 5
    boxes = [fonts.load().text_box(i) for i in board.scene.items if isinstance(i, Text)]
    for left, top, right, bottom in boxes:
        assert not any(left < x < right for x in columns)
        assert not any(top < y < bottom for y in rows)


def test_a_large_hex_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--size", "14", "--cell-size", "26"]
    path = built("hex", tmp_path / "x.pdf", *words, "--split")
    pages = measure(path)
    assert len(pages) > 3
    for page in pages:
        assert len(page.bars(50.0)) == 1
        assert f"split over {len(pages)} sheets" in page.text
    assert "Hex 14 × 14 A1" in pages[0].text
    assert path.stat().st_size < 40_000
    capsys.readouterr()
    assert run(["build", "hex", *words, "--output", str(tmp_path / "y.pdf")]) == 2
    assert "--split" in capsys.readouterr().err
    assert options(split=True).common.overlap == 10.0
