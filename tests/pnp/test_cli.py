"""`pnp` as it is typed: files, help, errors in one line, nothing half written, quick help."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pikepdf
import pytest

from pnp.cli import COMMANDS, run
from pnp.games import component, names
from pnp.options import COMMON
from pnp.presets import Entry, catalogue
from tests.pnp.printed import MM, built, measure

PNG_HEAD = b"\x89PNG\r\n\x1a\n"


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Run a command that must fail: status 2, one line on standard error, nothing on the other."""
    capsys.readouterr()
    assert run(list(args)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pnp: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["bild"], "'build'"),
        (["build"], "hex"),
        (["build", "hx"], "'hex'"),
        (["build", "hex", "focsu"], "no component 'focsu'"),
        (["build", "hex", "--sise", "3"], "--size"),
        (["build", "hex", "--size", "31"], "from 2 to 30"),
        (["build", "hex", "--size"], "argument"),
        (["build", "hex", "--cell-size", "0.01mm"], "at least 1 mm"),
        (["build", "focus", "--piece-size", "0.01mm"], "at least 1 mm"),
        (["build", "lightning", "--tile-size", "0.01mm"], "at least 1 mm"),
        (["build", "hex", "--paper", "a44"], "letter"),
        (["build", "hex", "--theme", "gray"], "grey"),
        (["build", "hex", "--preset", "none.toml"], "none.toml"),
        (["build", "hex", "--font", "none.ttf"], "none.ttf"),
        (["build", "all", "hex"], "alone"),
        (["build", "all", "--size", "3"], "--size"),
        (["build", "hex", "--margin", "100"], "--margin"),
        (["build", "hex", "--dpi", "nan"], "--dpi"),
        (["build", "hex", "--title", "\U00013000"], "U+13000"),
        (["list", "hex"], "hex"),
    ],
)
def test_faults(
    args: list[str],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in refused(capsys, *args)
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_fit_names_the_size_that_builds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "build", "hex", "--cell-size", "30", "--output", str(tmp_path / "x.pdf"))
    size = said.split("that fits is ")[1].split(" mm")[0]
    built("hex", tmp_path / "fits.pdf", "--cell-size", size)
    more = f"{float(size) + 0.1:.1f}"
    refused(capsys, "build", "hex", "--cell-size", more, "--output", str(tmp_path / "x.pdf"))
    assert [p.name for p in tmp_path.iterdir()] == ["fits.pdf"]


def test_output_is_a_file_or_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built("hex", tmp_path / "sub" / "board.pdf")
    assert run(["build", "hex", "--output", str(tmp_path / "deep" / "er")]) == 0
    assert (tmp_path / "deep" / "er" / "hex.pdf").is_file()
    assert str(tmp_path / "deep" / "er" / "hex.pdf") in capsys.readouterr().out
    args = ["build", *names()[:2], "--output"]
    assert run([*args, str(tmp_path / "two")]) == 0
    assert len(list((tmp_path / "two").glob("*.pdf"))) == 2
    capsys.readouterr()
    assert "folder" in refused(capsys, *args, str(tmp_path / "two.pdf"))
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    assert "not a folder" in refused(capsys, "build", "hex", "--output", str(in_the_way))
    deeper = str(in_the_way / "deeper")
    assert "file" in refused(capsys, "build", "hex", "--output", deeper)


def test_formats(tmp_path: Path) -> None:
    svg = built("hex", tmp_path / "b.svg", "--format", "svg").read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert 'width="297mm"' in svg
    png = built("hex", tmp_path / "b.png", "--format", "png", "--dpi", "50").read_bytes()
    assert png.startswith(PNG_HEAD)
    assert int.from_bytes(png[16:20]) == round(297 / 25.4 * 50)
    assert run(["build", "hex", "--stones", "--format", "svg", "--output", str(tmp_path)]) == 0
    assert {p.name for p in tmp_path.glob("hex-*.svg")} == {"hex-1.svg", "hex-2.svg"}


def test_each_page_has_a_file_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two sections of Lightning's board are split into sheets of the same names."""
    assert run(["build", "lightning", "--format", "svg", "--output", str(tmp_path)]) == 0
    told = [Path(line).name for line in capsys.readouterr().out.splitlines()]
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(made) == sorted(told)
    assert len(set(made.values())) == len(told) >= 8


def test_single_pieces_are_files_of_their_own_size(tmp_path: Path) -> None:
    """P107: a picture for each piece; P108: a board as one picture."""
    words = ["--stones", "--single", "--format", "svg", "--cell-size", "20", "--stone-size", "15"]
    assert run(["build", "hex", *words, "--output", str(tmp_path)]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "hex-1.svg",
        "hex-blue.svg",
        "hex-red.svg",
    ]
    assert 'width="15mm"' in (tmp_path / "hex-red.svg").read_text()
    one = built("hex", tmp_path / "one.pdf", "--stones", "--single", "--stone-size", "15")
    with pikepdf.open(one) as pdf:
        assert float(pdf.pages[1].mediabox[2]) * MM == pytest.approx(15.0, abs=1e-3)
    assert "100 %" not in measure(one)[0].text


def test_the_command_line_wins_over_the_preset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PNP_PAPER", "a3")
    preset = tmp_path / "p.toml"
    preset.write_text('title = "From the preset"\n[hex]\nsize = 5\n')
    first = built("hex", tmp_path / "a.pdf", "--preset", str(preset))
    assert "From the preset" in measure(first)[0].text
    assert "420" in f"{measure(first)[0].width:.0f}x{measure(first)[0].height:.0f}"
    line = ["--preset", str(preset), "--title", "From the line", "--paper", "letter"]
    (second,) = measure(built("hex", tmp_path / "b.pdf", *line))
    assert "From the line" in second.text
    assert sorted((second.width, second.height)) == pytest.approx([215.9, 279.4], abs=1e-3)


def test_no_labels(tmp_path: Path) -> None:
    band = measure(built("hex", tmp_path / "a.pdf", "--no-labels", "--size", "3"))[0].text
    assert "c" not in band.split("Hex 3 × 3")[0]


def test_the_same_command_gives_the_same_bytes(tmp_path: Path) -> None:
    """P102."""
    for fmt in ("pdf", "svg", "png"):
        words = ["--stones", "--single", "--format", fmt, "--dpi", "40", "--size", "4"]
        for folder in ("a", "b"):
            assert run(["build", "hex", *words, "--output", str(tmp_path / fmt / folder)]) == 0
        files = sorted((tmp_path / fmt / "a").iterdir())
        assert files
        for file in files:
            assert file.read_bytes() == (tmp_path / fmt / "b" / file.name).read_bytes()


def test_an_interrupted_build_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built("hex", tmp_path / "x.pdf", "--size", "3")
    before = (tmp_path / "x.pdf").read_bytes()

    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    said = refused(capsys, "build", "hex", "--output", str(tmp_path / "x.pdf"))
    assert "No space left" in said
    assert [p.name for p in tmp_path.iterdir()] == ["x.pdf"]
    assert (tmp_path / "x.pdf").read_bytes() == before


@pytest.mark.parametrize("name", names())
def test_the_help_of_a_component_lists_every_option(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", name, "--help"]) == 0
    text = capsys.readouterr().out
    for option in (*COMMON, *component(name).options):
        assert f"--{option.name}" in text


def test_pnp_alone_shows_the_help_as_it_is_laid_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("Usage: pnp ")
    assert [line for line in lines if line.startswith("  build ")]


def test_list_shows_every_component_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list"]) == 0
    text = capsys.readouterr().out
    for name in names():
        assert f"{name}: " in text
        for option in component(name).options:
            assert f"--{option.name}" in text
    for option in COMMON:
        assert f"--{option.name}" in text


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    for name in COMMANDS:
        assert f"  {name}" in text
        assert run([name, "--help"]) == 0


def test_build_all_makes_the_catalogue_and_an_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", "all", "--output", str(tmp_path), "--paper", "letter"]) == 0
    out, err = capsys.readouterr()
    *files, summary = out.splitlines()
    assert err == ""
    pages = 0
    for file in files:
        if file.endswith(".pdf"):
            with pikepdf.open(file) as pdf:
                pages += len(pdf.pages)
                sides = sorted(float(v) * MM for v in pdf.pages[0].mediabox[2:])
                assert sides == pytest.approx([215.9, 279.4], abs=1e-3)
    where = tmp_path / "index.html"
    assert summary == f"all {len(catalogue())} made, {pages} pages; look through them in {where}"
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert {entry.component for entry in catalogue()} == set(names())
    for file in map(Path, files):
        assert f'href="{file.name}"' in index
    links = re.findall(r'(?:href|src)="([^"]*)"', index)
    assert all((tmp_path / link).is_file() for link in links)  # nothing from the network
    assert sum(link.endswith(".svg") for link in links) >= len(catalogue())


def test_what_fails_in_the_catalogue_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", "all", "--output", str(tmp_path), "--paper", "120x120mm"]) == 2
    out, err = capsys.readouterr()
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    made = {Path(line).stem for line in out.splitlines()[:-1]}
    failed = {line.split(": ")[1] for line in err.splitlines()}
    assert made
    assert failed
    assert made | failed == {entry.file for entry in catalogue()}
    assert f"{len(made)} of {len(catalogue())} made" in out
    for name in failed:
        assert f"<strong>{name}</strong>" in index
    assert "Traceback" not in err


def test_a_preset_for_the_catalogue_reaches_the_components(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pnp.cli.catalogue.catalogue", lambda: (Entry("a", "hex"),))
    (tmp_path / "p.toml").write_text("paper = 'a3'\n[hex]\nsize = 4\n[focus]\nsetup = true\n")
    args = ["--preset", str(tmp_path / "p.toml"), "--output", str(tmp_path)]
    assert run(["build", "all", *args]) == 0
    (page,) = measure(tmp_path / "a.pdf")
    assert "Hex 4 × 4" in page.text
    assert page.width == pytest.approx(420.0, abs=1e-3)


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip


def test_help_loads_nothing_heavy() -> None:
    """P104, and speed: no backend, no font, no theme for a help text."""
    heavy = [
        "reportlab",
        "svgwrite",
        "cairosvg",
        "cairocffi",
        "pypdfium2",
        "pnp.scene",
        "pnp.games",
    ]
    code = (
        "import sys; from pnp.cli import run; assert run(['--help']) == 0;"
        f"loaded = [m for m in {heavy} if m in sys.modules]; assert not loaded, loaded"
    )
    done = python(code)
    assert done.returncode == 0, done.stderr
    code = code.replace("['--help']", "['build', 'hex', '--help']").replace(
        ", 'pnp.scene', 'pnp.games'", ""
    )
    done = python(code)
    assert done.returncode == 0, done.stderr


def test_pdf_and_svg_never_load_cairo(tmp_path: Path) -> None:
    for fmt in ("pdf", "svg"):
        args = ["build", "hex", "--format", fmt, "--output", str(tmp_path)]
        done = python(
            f"import sys; from pnp.cli import run; assert run({args}) == 0;"
            "assert not {'cairosvg', 'cairocffi', 'pypdfium2'} & set(sys.modules)"
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [["list"], ["--help"], ["build", "hex"], ["build", "--help"]])
def test_a_full_disk_under_standard_output_is_said_in_a_line(
    words: list[str], tmp_path: Path
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", f"from pnp.cli import main; main({words})"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=tmp_path,
        )
    assert done.returncode == 2
    assert done.stderr == "pnp: the output cannot be written: No space left on device\n"


def test_a_title_of_any_length_makes_a_short_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "build", "hex", "--title", "x" * 9999, "--output", str(tmp_path / "a"))
    assert "shorten --title" in said
    assert len(said) < 200


@pytest.mark.parametrize("blanks", [0, 200])
def test_a_caret_stands_under_the_fault_of_a_puzzle(
    blanks: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.txt"
    path.write_text(f"../.. Play {' ' * blanks}| a1 zz\n", encoding="utf-8")
    assert run(["build", "mini-hex", "--puzzles", str(path), "--output", str(tmp_path)]) == 2
    first, line, caret = capsys.readouterr().err.splitlines()
    assert first == f"pnp: {path}:1:{17 + blanks}: 'zz' is no cell of a board of 2"
    assert line[caret.index("^") :] == "zz"
    assert len(line) < 110


def test_nothing_but_file_names_on_a_pipe(tmp_path: Path) -> None:
    args = ["build", "hex", "--copies", "20", "--output", str(tmp_path / "x.pdf")]
    done = python(f"from pnp.cli import main; main({args})")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / 'x.pdf'}\n"
