"""Sets of tiles: which kinds, how many, in files and tables."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp import resources
from pnp.boards import hexhex
from pnp.cli import run as pnp
from pnp.errors import FileError, PnpError
from pnp.games.hex_lightning.sets import SHAPES
from pnp.paint import tile_board
from pnp.sheet.job import Drawing, Pieces
from tests.pnp.games.hex_lightning_jobs import (
    CAPACITY,
    HEXAGON,
    counts,
    job,
    pages,
    table,
)
from tests.pnp.printed import built, measure


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
