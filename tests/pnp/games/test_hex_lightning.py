"""hex-lightning: sets of tiles, faces as drawn, sheets, sets in files, the board."""

from __future__ import annotations

import csv
import io
import math
import os
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp import fonts, resources, themes
from pnp.boards import hexhex, rhombus
from pnp.cli import run as pnp
from pnp.document import Page
from pnp.errors import FileError, FitError, PnpError
from pnp.games import component
from pnp.games.hex_lightning.sets import SHAPES, outline
from pnp.geometry import distance
from pnp.paint import tile_board
from pnp.paint.boards import hex_board_size
from pnp.scene import Group, Item, Lines, Polygon, Scene, Text, Use
from pnp.sheet.job import Drawing, Job, Pieces
from pnp.sheet.layout import lay_out
from pnp.tiles import kinds
from tests.pnp.printed import built, extent, measure, options

GOLDEN = Path(__file__).parents[2] / "data" / "golden"
HEXAGON = ["VV2", "VV3", "MM1", "MM2", "MM3", "VM2L", "VM2R", "VM3L", "VM3R", "P1", "P2"]
CAPACITY = {"VV": 1, "MM": 1, "VM": 2, "P": 1}
ALL = [(shape, kind) for shape, n in SHAPES.items() for kind in kinds(n)]


def job(**given: object) -> Job:
    chosen = options("hex-lightning", **given)
    return component("hex-lightning").build(chosen, themes.load(chosen.common.theme), fonts.load())


def pages(**given: object) -> list[Page]:
    chosen = options("hex-lightning", **given)
    theme = themes.load(chosen.common.theme)
    return list(lay_out(job(**given), chosen.common, theme, fonts.load()).document.pages())


def tiles_of(**given: object) -> Pieces:
    (found,) = (p for p in job(**given).parts if isinstance(p, Pieces))
    return found


def counts(**given: object) -> dict[str, int]:
    return {piece.name: piece.count for piece in tiles_of(**given).pieces}


def laid(sheets: list[Page]) -> Counter[str]:
    found: Counter[str] = Counter()
    for page in sheets:
        found.update(i.name.partition("-")[2] for i in page.scene.items if isinstance(i, Use))
    return found


# Which tiles, and how many


def test_the_default_is_the_eleven_kinds_of_a_hexagon_and_a_hexhex_of_4() -> None:
    assert counts() == dict.fromkeys(HEXAGON, 6)
    (board, pieces) = job().parts
    assert isinstance(board, Drawing)
    assert isinstance(pieces, Pieces)
    assert pieces.size == 25.0
    assert board.measure(board.size or 0.0) == tile_board.tile_board_size(hexhex(4), 25.4)
    assert len(pages()) == 2


def test_shapes_have_their_kinds() -> None:
    assert list(counts(shape="square")) == ["VV2", "MM1", "MM2", "VM2L", "VM2R", "P1"]
    assert list(counts(shape="triangle")) == ["MM1", "VM2", "P1"]


def test_families_and_power_tiles_are_chosen() -> None:
    assert list(counts(families="VV")) == ["VV2", "VV3"]
    assert list(counts(families="VV,P")) == ["VV2", "VV3", "P1", "P2"]
    assert list(counts(families="mm vm", power=False)) == HEXAGON[2:9]
    assert list(counts(power=False)) == HEXAGON[:9]
    assert list(counts(families="VM", power=True)) == HEXAGON[5:]
    with pytest.raises(PnpError, match="--families: 'XX' is none of VV, MM, VM, P"):
        counts(families="VV,XX")


def test_any_numbers_by_each_count_and_blanks() -> None:
    assert counts(each=2, count="VV2=5,P2=0") == {**dict.fromkeys(HEXAGON[:-1], 2), "VV2": 5}
    assert counts(each=0, count="vm3r=4", blanks=3) == {"VM3R": 4, "blank": 3}
    assert counts(shape="square", each=1, count="I=2,II=3,III=4,IV=5,V=6") == {
        "MM2": 2, "VV2": 3, "VM2R": 4, "VM2L": 5, "P1": 6, "MM1": 1,
    }  # fmt: skip
    with pytest.raises(PnpError, match="a square has no kind VV3; it has VV2, MM1"):
        counts(shape="square", count="VV3=1")
    with pytest.raises(PnpError, match="a hexagon has no kind III"):
        counts(count="III=1")
    with pytest.raises(PnpError, match="nothing is left to print"):
        job(each=0, board="none")


@pytest.mark.parametrize("shape", SHAPES)
def test_weights_by_capacity_are_in_its_proportion(shape: str) -> None:
    found = counts(shape=shape, each=3, weights="capacity")
    capacities = {row["kind"]: int(row["connective capacity"]) for row in table(job(shape=shape))}
    assert len({found[kind] / capacities[kind] for kind in found}) == 1
    assert min(found.values()) == 3


def table(found: Job) -> list[dict[str, str]]:
    (text,) = (text for suffix, text in found.sidecars if suffix == ".csv")
    return list(csv.DictReader(io.StringIO(text)))


def test_sheet_and_table_tell_each_tiles_connective_capacity(tmp_path: Path) -> None:
    path = built("hex-lightning", tmp_path / "x.pdf", "--blanks", "2", "--count", "VV3=1")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "x.csv").read_text(encoding="utf-8"))))
    assert [row["kind"] for row in rows] == [*HEXAGON, "blank"]
    text = " ".join(measure(path)[-1].text.split())
    for row in rows[:-1]:
        reach = 6 * CAPACITY[re.sub("[0-9LR]", "", row["kind"])]
        assert int(row["connective capacity"]) == reach
        assert f"{row['kind']} {reach}" in text
        assert int(row["tiles"]) == (1 if row["kind"] == "VV3" else 6)
    assert "connective capacity" in text
    squares = {row["lightning"]: row for row in table(job(shape="square")) if row["lightning"]}
    assert {k: int(v["connective capacity"]) for k, v in squares.items()} == {
        "I": 4, "II": 4, "III": 8, "IV": 8, "V": 4,
    }  # fmt: skip


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


# Sets in files


def test_a_set_is_saved_and_read_again_to_the_same_bytes(tmp_path: Path) -> None:
    saved = tmp_path / "mine.toml"
    first = built("hex-lightning", tmp_path / "a.pdf", "--set", str(saved), "--style", "arc",
                  "--nodes", "--count", "VV2=9", "--count", "P1=0", "--blanks", "2",
                  "--line-width", "1.7", "--tile-size", "1in", "--weights", "capacity",
                  "--coloured")  # fmt: skip
    text = saved.read_text(encoding="utf-8")
    second = built("hex-lightning", tmp_path / "b.pdf", "--set", str(saved))
    assert first.read_bytes() == second.read_bytes()
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert saved.read_text(encoding="utf-8") == text
    assert 'tile-size = "25.4mm"' in text
    assert "P1 = 0" in text
    assert counts(set=str(saved), count="VV2=1")["VV2"] == 1
    assert counts(set=str(saved), each=3) == {**dict.fromkeys(HEXAGON, 3), "blank": 2}


@given(
    shape=st.sampled_from(list(SHAPES)), each=st.integers(0, 9), blanks=st.integers(0, 3),
    style=st.sampled_from(["straight", "arc"]), nodes=st.booleans(), coloured=st.booleans(),
    weights=st.sampled_from(["equal", "capacity"]), tile_size=st.floats(10, 50),
    line_width=st.floats(0.3, 3.0),
)  # fmt: skip
@settings(max_examples=20)
def test_every_set_survives_its_file(
    tmp_path_factory: pytest.TempPathFactory, **given_: object
) -> None:
    path = tmp_path_factory.mktemp("sets") / "x.toml"
    made = job(set=str(path), tiles=True, board="none", **{**given_, "blanks": 1})
    ((target, text),) = (s for s in made.sidecars if s[0] != ".csv")
    assert target == path
    path.write_text(text, encoding="utf-8")
    again = job(set=str(path), board="none")
    assert [s for s in again.sidecars if s[0] != ".csv"] == []
    assert again.parts == made.parts


@pytest.mark.parametrize("name", ["standard", "capacity", "arcs", "lightning", "triangles"])
def test_shipped_sets_build(name: str) -> None:
    assert resources.find("presets", "tiles", f"{name}.toml").is_file()
    found = counts(set=name, board="none")
    assert found
    if name == "lightning":
        assert found == dict.fromkeys(["VV2", "MM2", "VM2L", "VM2R", "P1"], 30)
    if name == "standard":
        assert job(set=name).parts[1] == job().parts[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shape = ", "not TOML"),
        ('shape = "circle"', "shape: 'circle' is none of hexagon, square, triangle"),
        ("stlye = 'arc'", "'stlye' is unknown; .*did you mean 'style'"),
        ("nodes = 3", "nodes: 3 is not yes or no"),
        ("[count]\nVV9 = 3", "count: 'VV9' is none of"),
        ("shape = 'square'\n[count]\nVV3 = 3", "count: a square has no kind VV3"),
        ("[count]\nVV2 = -3", "count: VV2=-3 is outside"),
        ("blanks = 'x'", "blanks: 'x' is not a whole number"),
    ],
)
def test_faults_of_a_set_are_told_with_the_file(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PnpError, match=f"bad.toml: {message}"):
        job(set=str(path))


def test_sets_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PnpError, match=r"no set is called 'standart'; take .*did you mean"):
        job(set="standart")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="the set is not UTF-8 text"):
        job(set=str(tmp_path / "bytes.toml"))
    with pytest.raises(FileError, match="the set cannot be read"):
        job(set=str(tmp_path))
    wide = tmp_path / "never.toml"
    assert pnp(["build", "hex-lightning", "--output", str(tmp_path / "x.pdf"), "--set", str(wide),
                "--tile-size", "300mm"]) == 2  # fmt: skip
    assert not wide.exists()
    assert "Traceback" not in capsys.readouterr().err


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
