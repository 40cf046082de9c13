"""Printer profiles: kept, merged, read back, and refused where they are spoilt."""

from __future__ import annotations

from pathlib import Path

import pytest

from pnp import printers
from pnp.cli import run
from pnp.errors import FileError, PnpError
from tests.pnp.printed import built, measure

TILES = ["lightning", "--no-board", "--no-mats", "--no-card", "--backs", "duplex-long"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of profiles that is nobody's."""
    folder = tmp_path / "printers"
    monkeypatch.setenv("PNP_PRINTERS", str(folder))
    return folder


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"PNP_PRINTERS": "/p"}, "/p"),
        ({"XDG_CONFIG_HOME": "/x", "HOME": "/h"}, "/x/pnp/printers"),
        ({"HOME": "/h"}, "/h/.config/pnp/printers"),
    ],
)
def test_where_profiles_lie(environ: dict[str, str], folder: str) -> None:
    assert printers.find("office", environ) == Path(folder) / "office.toml"
    assert printers.find("my/own.toml", environ) == Path("my/own.toml")


def test_what_is_kept_is_read_back_and_merged(home: Path) -> None:
    environ = {"PNP_PRINTERS": str(home)}
    first = {"back-offset": (0.5, -1.25), "back-rotate": "180"}
    assert printers.save("Büro 2", first, environ) == home / "Büro 2.toml"
    assert printers.load("Büro 2", environ) == first
    printers.save("Büro 2", {"scale-x": 1.0041, "back-offset": (0.0, 2.0)}, environ)
    assert printers.load("Büro 2", environ) == {
        "back-offset": (0.0, 2.0), "back-rotate": "180", "scale-x": 1.0041
    }  # fmt: skip
    assert [p.name for p in home.iterdir()] == ["Büro 2.toml"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("scale-x = 3", "from 0.8 to 1.25"),
        ("scal-x = 1", "did you mean 'scale-x'"),
        ("paper = 'a4'", "it may hold"),
        ("scale-x =", "not TOML"),
        ("back-offset = ['x', 1]", "not a length"),
    ],
)
def test_a_spoilt_profile_is_told_with_its_file(home: Path, text: str, says: str) -> None:
    home.mkdir()
    (home / "p.toml").write_text(text)
    with pytest.raises(PnpError, match=says) as told:
        printers.load("p", {"PNP_PRINTERS": str(home)})
    assert str(home / "p.toml") in str(told.value)


def test_names_that_are_none(home: Path) -> None:
    environ = {"PNP_PRINTERS": str(home)}
    printers.save("office", {"scale-x": 1.0}, environ)
    with pytest.raises(FileError, match="did you mean 'office'"):
        printers.load("ofice", environ)
    for name in ("../x", "a/b", "", ".", "a\0b"):
        with pytest.raises(PnpError, match="no name"):
            printers.load(name, environ)


def test_calibrate_keeps_and_build_uses(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """P33: a compensation stands in a file of its own; P32: it scales all, the bars too; P7: and is
    changed for one job by the command line.
    """
    test = str(tmp_path / "test.pdf")
    words = ["--printer", "office", "--scale-x", "1.01", "--front-offset", "1,-2"]
    assert run(["calibrate", "--output", test, *words]) == 0
    assert capsys.readouterr().out.split() == [test, str(home / "office.toml")]
    size = ["--size", "5", "--orientation", "landscape", "--cell-size", "10"]
    (plain,) = measure(built("hex", tmp_path / "a.pdf", *size))
    (moved,) = measure(built("hex", tmp_path / "b.pdf", *size, "--printer", "office"))
    (before,), (after,) = plain.bars(50.0), moved.bars(50.5)
    middle = plain.width / 2.0
    assert after[0] == pytest.approx(middle + (before[0] - middle) * 1.01 + 1.0, abs=2e-3)
    assert after[1] == pytest.approx(before[1] + 2.0, abs=2e-3)
    line = ["--printer", "office", "--scale-x", "1", "--front-offset", "0,0"]
    built("hex", tmp_path / "c.pdf", *size, *line)
    assert (tmp_path / "c.pdf").read_bytes() == (tmp_path / "a.pdf").read_bytes()


def test_a_preset_may_name_the_printer(tmp_path: Path, home: Path) -> None:
    printers.save("office", {"scale-y": 1.02, "scale-x": 1.02}, {"PNP_PRINTERS": str(home)})
    (tmp_path / "p.toml").write_text('printer = "office"\nscale-x = 1.0\n')
    size = ["--size", "5", "--orientation", "landscape", "--cell-size", "10"]
    preset = ["--preset", str(tmp_path / "p.toml")]
    (page,) = measure(built("hex", tmp_path / "a.pdf", *size, *preset))
    (plain,) = measure(built("hex", tmp_path / "b.pdf", *size))
    (bar,), (was,) = page.bars(50.0), plain.bars(50.0)
    middle = plain.height / 2.0
    assert bar[1] == pytest.approx(middle + (was[1] - middle) * 1.02, abs=2e-3)


def test_an_unknown_printer_is_an_error_of_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", "hex", "--printer", "none", "--output", str(tmp_path / "x.pdf")]) == 2
    assert "pnp calibrate" in capsys.readouterr().err
    assert not (tmp_path / "x.pdf").exists()


@pytest.mark.parametrize(
    ("words", "over"),
    [
        (["hex", "--scale-x", "1.07"], None),
        (["hex", "--scale-x", "1.08"], "1.08 mm"),
        (["hex", "--scale-y", "1.25"], "13.75 mm"),
        (["hex", "--scale-x", "1.004", "--margin", "0"], "0.59 mm"),
        (["hex", "--front-offset", "10,-10"], None),
        (["hex", "--front-offset", "10.1,0"], "0.1 mm"),
        (["hex", "--front-offset", "0,-11"], "1 mm"),
        (["hex", "--single", "--scale-x", "1.01"], "leave --single out"),
        ([*TILES, "--back-offset", "10,-10"], None),
        ([*TILES, "--back-offset", "-12,0"], "2 mm"),
        ([*TILES, "--back-offset", "-12,0", "--back-rotate", "180"], "2 mm"),
        ([*TILES, "--back-offset", "1000,0"], "990 mm"),
    ],
)
def test_a_compensation_never_takes_the_print_off_the_paper(
    words: list[str], over: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """P24, P32, P7: it may use up the margin; what would be cut off at the edge is refused."""
    done = run(["build", *words, "--output", str(tmp_path / "x.pdf")])
    said = capsys.readouterr().err
    assert done == (0 if over is None else 2), said
    if over is None:
        assert (tmp_path / "x.pdf").is_file()
    else:
        assert over in said
        assert list(tmp_path.iterdir()) == []
