"""hex-lightning: sets of tiles, faces as drawn, sheets, sets in files, the board."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp import fonts, themes
from pnp.boards import hexhex, rhombus
from pnp.document import Page
from pnp.errors import FitError, PnpError
from pnp.games.hex_lightning.sets import SHAPES, outline
from pnp.geometry import distance, rotate, shift
from pnp.paint import tile_board
from pnp.paint.boards import hex_board_size
from pnp.scene import Group, Item, Lines, Polygon, Scene, Text, Use
from pnp.sheet.job import Drawing, Pieces
from pnp.tiles import kinds
from tests.pnp.games.hex_lightning_jobs import (
    HEXAGON,
    job,
    laid,
    pages,
    tiles_of,
)
from tests.pnp.printed import extent

GOLDEN = Path(__file__).parents[2] / "data" / "golden"


# Sheets


def test_faces_are_clipped_to_the_outline_on_the_sheet() -> None:
    (page,) = pages(board="none", style="arc", nodes=True)
    for name, symbol in page.scene.symbols.items():
        (group,) = symbol
        assert isinstance(group, Group), name
        assert group.clip == outline("hexagon", 25.0)


@pytest.mark.parametrize(("nest", "each"), [("knife", 80), ("straight", 60), ("boxes", 63)])
def test_what_a_sheet_of_a4_holds(nest: str, each: int) -> None:
    """25 mm hexagons: the yields that test_nest counts in the plane."""
    sheets = pages(board="none", nest=nest, each=8)
    assert len([i for i in sheets[0].scene.items if isinstance(i, Use)]) == each
    assert laid(sheets) == dict.fromkeys(HEXAGON, 8)
    assert f"{each} fill a sheet" in said(sheets[0])


def said(page: Page) -> str:
    def texts(items: tuple[Item, ...]) -> list[str]:
        return [
            text for i in items
            for text in (texts(i.items) if isinstance(i, Group) else
                         [i.text] if isinstance(i, Text) else [])
        ]  # fmt: skip

    return " ".join(texts(page.scene.items))


@pytest.mark.parametrize("shape", SHAPES)
def test_edges_draws_every_edge_once_and_only_when_asked(shape: str) -> None:
    """P52, P54: no frame, but a thin line on every edge for the knife where it is wanted."""
    plain, guided = (
        pages(board="none", shape=shape, edges=edges, marks="none")[0] for edges in (False, True)
    )
    assert not [i for i in plain.scene.items if isinstance(i, Lines)]
    (lines,) = (i for i in guided.scene.items if isinstance(i, Lines))
    assert lines.style.width == 0.15
    seen: set[tuple[tuple[float, float], ...]] = set()
    for x0, y0, x1, y1 in lines.segments:
        edge = tuple(sorted(((round(x0, 3), round(y0, 3)), (round(x1, 3), round(y1, 3)))))
        assert edge not in seen
        seen.add(edge)
    count = len([i for i in guided.scene.items if isinstance(i, Use)])
    n = SHAPES[shape]  # type: ignore[index]
    assert count * n / 2 < len(lines.segments) < count * n


@pytest.mark.parametrize("shape", SHAPES)
def test_sizes_are_flat_to_flat_and_exact(shape: str) -> None:
    """P59: a hexagon's size is the distance of two opposite sides; a triangle's is its side."""
    corners = outline(shape, 27.0)  # type: ignore[arg-type]
    n = len(corners)
    if shape == "triangle":
        assert all(distance(corners[k - 1], corners[k]) == pytest.approx(27.0) for k in range(n))
        return
    for k in range(n):
        (ax, ay), (bx, by) = corners[k - 1], corners[k]
        cx, cy = corners[(k - 1 + n // 2) % n]
        across = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / distance((ax, ay), (bx, by))
        assert abs(across) == pytest.approx(27.0)


def middles(page: Page, shape: str, size: float) -> set[tuple[tuple[float, float], ...]]:
    """Where the corners of the pieces lie, to a hundredth of a mm."""
    corners = outline(shape, size)  # type: ignore[arg-type]
    if "BACK" in page.label:
        corners = tuple((-x, y) for x, y in corners)
    return {
        tuple(sorted((round(x, 2) + 0.0, round(y, 2) + 0.0) for x, y in
              shift(rotate(corners, use.turn), use.x, use.y)))
        for use in page.scene.items if isinstance(use, Use)
    }  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("nest", ["knife", "straight"])
@pytest.mark.parametrize("backs", ["duplex-long", "duplex-short"])
def test_backs_lie_behind_their_fronts_on_a_half_filled_sheet_too(
    shape: str, nest: str, backs: str
) -> None:
    """P1, P19: on any lattice each back is its front's mirror about the flip axis."""
    front, back = pages(board="none", shape=shape, nest=nest, backs=backs, each=2, tile_size=31)
    rows = (backs == "duplex-long") == (front.scene.width > front.scene.height)
    mirror = {
        tuple(sorted(
            (x, round(front.scene.height - y, 2)) if rows else
            (round(front.scene.width - x, 2), y)
            for x, y in corners
        ))
        for corners in middles(front, shape, 31.0)
    }  # fmt: skip
    found = middles(back, shape, 31.0)
    assert len(found) == len(mirror) > 0
    for corners in mirror:
        assert any(
            all(distance(p, q) < 0.03 for p, q in zip(corners, other, strict=True))
            for other in found
        )


# The board


@pytest.mark.parametrize(("form", "n"), [("hexhex", 4), ("hexhex", 2), ("rhombus", 6)])
def test_the_board_draws_every_edge_once_and_labels_every_cell(form: str, n: int) -> None:
    board = rhombus(n) if form == "rhombus" else hexhex(n)
    painted = tile_board.paint_tile_board(board, 25.4, themes.load("colour"))
    (inner,) = (i for i in painted.scene.items if isinstance(i, Lines))
    ground, rim = (i for i in painted.scene.items if isinstance(i, Polygon))
    assert ground.points == rim.points
    shared = sum(len(near) for near in board.neighbours) // 2
    assert len(inner.segments) == shared
    assert len(rim.points) == 6 * len(board) - 2 * shared
    side = 25.4 / math.sqrt(3.0)
    for x0, y0, x1, y1 in inner.segments:
        assert distance((x0, y0), (x1, y1)) == pytest.approx(side)
    texts = [i for i in painted.scene.items if isinstance(i, Text)]
    assert [t.text for t in texts] == list(board.labels)
    for text, (x, y) in zip(texts, painted.centres, strict=True):
        left, top, right, bottom = fonts.load().text_box(text)
        assert abs((left + right) / 2 - x) < 0.02 * 25.4
        assert abs((top + bottom) / 2 - y) < 0.02 * 25.4
    left, top, right, bottom = extent(painted.scene.items, {})
    assert (left, top) == pytest.approx((0.0, 0.0), abs=0.2)
    assert (right, bottom) == pytest.approx((painted.scene.width, painted.scene.height), abs=0.2)


def test_joints_cross_no_label() -> None:
    board = hexhex(4)
    painted = tile_board.paint_tile_board(board, 25.4, themes.load("colour"))
    columns, rows = tile_board.tile_board_joints(board, 25.4)
    boxes = [fonts.load().text_box(i) for i in painted.scene.items if isinstance(i, Text)]
    assert len(columns) == 12
    assert len(rows) == 6
    for left, top, right, bottom in boxes:
        assert not any(left - 1 < x < right + 1 for x in columns)
        assert not any(top - 1 < y < bottom + 1 for y in rows)


def test_boards_are_for_hexagons_and_large_enough_for_the_tiles() -> None:
    """P58: cells and tiles have sizes of their own."""
    assert [type(p) for p in job(shape="square").parts] == [Pieces]
    with pytest.raises(PnpError, match="--board rhombus is for hexagons, not for triangles"):
        job(shape="triangle", board="rhombus")
    with pytest.raises(PnpError, match="tiles of 25 mm do not lie on cells of 20 mm; take --cell"):
        job(cell_size=20)
    (board, _) = job(board="rhombus").parts
    assert isinstance(board, Drawing)
    assert "rhombus 6" in board.title
    assert hex_board_size(6, 25.4, labels="none")[0] > board.measure(25.0)[0]
    (small, _) = job(board="hexhex", board_size=3, tile_size=20).parts
    assert isinstance(small, Drawing)
    assert small.notes(20.0) == ("19 cells of 20.4 mm",)


# All of it


@given(
    shape=st.sampled_from(list(SHAPES)), tile=st.floats(8.0, 260.0), each=st.integers(1, 9),
    nest=st.sampled_from(["knife", "straight", "boxes"]), style=st.sampled_from(["straight", "arc"]),
    paper=st.sampled_from(["a4", "letter", "90x120mm"]), theme=st.sampled_from(themes.NAMES),
    backs=st.sampled_from(["none", "duplex-long", "duplex-short", "fold", "separate"]),
    bleed=st.sampled_from([0.0, 1.5]), coloured=st.booleans(), edges=st.booleans(),
    board=st.sampled_from([None, "none"]),
)  # fmt: skip
@settings(max_examples=15)
def test_any_options_give_correct_sheets_or_an_error_whose_size_builds(
    tile: float, bleed: float, board: str | None, **more: object
) -> None:
    given_ = {**more, "bleed": bleed, "gutter": 2 * bleed}
    if board is not None:
        given_["board"] = board
    try:
        sheets = pages(tile_size=tile, **given_)
    except FitError as error:
        largest = error.largest or 0.0
        sheets = pages(tile_size=largest, **given_)
        with pytest.raises(FitError):
            pages(tile_size=round(largest + 0.1, 1), **given_)
        tile = largest
    found = laid(sheets)
    wanted = kinds(SHAPES[more["shape"]])  # type: ignore[index]
    assert {k: found[k] for k in wanted} == dict.fromkeys(wanted, more["each"])
    reach = max(distance((0.0, 0.0), p) for p in outline(more["shape"], tile))  # type: ignore[arg-type]
    for page in sheets:
        for use in (i for i in page.scene.items if isinstance(i, Use)):
            if use.name.startswith("p"):
                assert 10.0 - 1e-6 < use.x < page.scene.width - 10.0
                assert use.x + reach > 10.0 < use.y


def test_golden_scenes() -> None:
    """The whole pictures as data; PNP_UPDATE_GOLDEN=1 writes them anew, and the difference is to be
    read.
    """
    scenes = {}
    for shape in SHAPES:
        for style in ("straight", "arc"):
            found = tiles_of(shape=shape, style=style, nodes=style == "arc", board="none")
            faces = tuple(
                Group(p.front, dx=30.0 * k, title=p.name) for k, p in enumerate(found.pieces)
            )
            scenes[f"hex-lightning-{shape}-{style}"] = Scene(30.0 * len(faces), 30.0, faces)
    board = tile_board.paint_tile_board(hexhex(3), 25.4, themes.load("colour"))
    scenes["hex-lightning-board"] = board.scene
    for name, scene in scenes.items():
        text, path = scene.dump(), GOLDEN / f"{name}.txt"
        if os.environ.get("PNP_UPDATE_GOLDEN") == "1":
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")
