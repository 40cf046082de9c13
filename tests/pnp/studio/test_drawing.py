"""What a page asks for is drawn as the command line draws it, or refused where it is wrong."""

from __future__ import annotations

import shlex
import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from pnp.cli import run
from pnp.games import names
from pnp.studio.asked import LONGEST, LONGEST_TEXT, Refused
from pnp.studio.controls import page_data
from pnp.studio.drawing import Made, Studio

Values = dict[str, object]

PUZZLES = ".../.b./... Red to win | a1 c3\n"
OWN_SET = 'shape = "square"\nstyle = "arc"\n[count]\nV = 3\nVV2 = 2\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "texts"
    made.mkdir()
    return made


@pytest.fixture
def studio(folder: Path, printers_folder: Path) -> Studio:
    return Studio(folder, {"PNP_PRINTERS": str(printers_folder)})


def task(component: str, values: Values | None = None, **more: object) -> dict[str, object]:
    return {"component": component, "values": values or {}, **more}


def faults(studio: Studio, asked: dict[str, object]) -> dict[str, str]:
    with pytest.raises(Refused) as caught:
        studio.answer(asked)
    for fault in caught.value.faults:
        assert fault.message
        assert not fault.message.startswith(f"--{fault.option}: ")
    return {fault.option: fault.message for fault in caught.value.faults}


def start(name: str) -> Values:
    return {"game": "spiral"} if name == "kit" else {}


SAME: list[tuple[str, Values, dict[str, str]]] = [
    ("hex", {"size": "nash", "title": 'Ann\'s $HOME `x` "board"', "labels": False}, {}),
    ("hex", {"format": "svg", "back-offset": "-1,2", "margin": "10mm, 12mm, 10mm, 12mm"}, {}),
    ("mini-hex", {"pen": "crayon", "size": "5", "paper": "letter", "theme": "grey"}, {}),
    ("mini-hex", {"puzzles": "puzzles.txt", "copies": "2"}, {"puzzles": PUZZLES}),
    ("hex-lightning", {"count": {"VM2L": "9", "P1": "0"}, "each": "2", "coloured": True}, {}),
    ("hex-lightning", {"set": "set.toml", "backs": "duplex-long"}, {"set": OWN_SET}),
    ("hex-lightning", {"set": "capacity", "format": "svg", "cut-only": True}, {}),
    ("hex-lightning", {"families": "", "blanks": "4", "board": "none"}, {}),
    ("lightning", {"count": {"III": "20"}, "board": False, "gutter": "2", "bleed": "1mm"}, {}),
    ("kit", {"game": "hex", "only": "red=2", "size": "5"}, {}),
    (
        "focus",
        {"theme": "theme.toml", "printer": "office"},
        {"theme": '[colours]\nink = "#123456"\n'},
    ),
]


@pytest.mark.parametrize(
    ("name", "values", "texts"),
    [
        *SAME,
        pytest.param("focus", {"format": "png", "dpi": "20"}, {}, marks=pytest.mark.long),
    ],
)
def test_the_command_that_is_shown_makes_the_same(
    studio: Studio,
    tmp_path: Path,
    printers_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    values: Values,
    texts: dict[str, str],
) -> None:
    asked = task(name, values, texts=texts)
    suffix = f".{values.get('format', 'pdf')}"
    command = str(studio.answer(asked).facts["command"])
    made = studio.answer({**asked, "file": suffix})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PNP_PRINTERS", str(printers_folder))
    for option, text in texts.items():
        (tmp_path / str(values[option])).write_text(text)
    words = shlex.split(command)
    assert words[0] == "pnp"
    assert run(words[1:]) == 0
    ours = contents(made)
    theirs = {path.name: path.read_bytes() for path in (tmp_path / "output").glob(f"*{suffix}")}
    assert ours == theirs
    tables = [path.read_text() for path in (tmp_path / "output").glob("*.csv")]
    for table in tables:
        assert studio.answer({**asked, "file": ".csv"}).data.decode() == table


def contents(made: Made) -> dict[str, bytes]:
    if not str(made.facts["name"]).endswith(".zip"):
        return {str(made.facts["name"]): made.data}
    with zipfile.ZipFile(BytesIO(made.data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("name", [name for name in names() if name != "kit"])
def test_each_page_is_drawn_and_told(studio: Studio, name: str) -> None:
    first = studio.answer(task(name, start(name))).facts
    pages = first["pages"]
    assert isinstance(pages, list)
    seen = set()
    for number in range(1, len(pages) + 1):
        made = studio.answer(task(name, start(name), page=number))
        assert made.facts["page"] == number
        seen.add(made.data)
        assert made.data.startswith(b"<svg ")
    assert len(seen) == len(pages)
    beyond = studio.answer(task(name, start(name), page=len(pages) + 7))
    assert beyond.facts["page"] == len(pages)


def facts(
    studio: Studio, name: str, values: Values | None = None, **more: object
) -> dict[str, Any]:
    return dict(studio.answer(task(name, values, **more)).facts)


def test_the_drawing_is_the_printed_page(studio: Studio) -> None:
    for name in ("hex", "mini-hex", "hex-lightning"):
        values: Values = (
            {"format": "svg", "board": "none"} if name == "hex-lightning" else {"format": "svg"}
        )
        drawn = studio.answer(task(name, values))
        assert drawn.data == studio.answer(task(name, values, file=".svg")).data


def test_counts_and_yield(studio: Studio) -> None:
    many: Values = {"each": "30", "backs": "duplex-long"}
    found = facts(studio, "hex-lightning", many, page=3)
    assert found["totals"] == ["330 tiles"]
    assert "80 fill a sheet, 330 in all" in found["notes"]
    assert len(found["pages"]) == 2 * found["sheets"] == 12
    assert facts(studio, "mini-hex", {"copies": "3"})["totals"] == ["36 boards"]
    puzzles = facts(studio, "mini-hex", {"puzzles": "puzzles.txt"}, texts={"puzzles": PUZZLES})
    assert sorted(puzzles["totals"]) == ["1 answer", "1 puzzle"]


def kinds(studio: Studio, name: str, values: Values | None = None) -> dict[str, dict[str, Any]]:
    return {kind["name"]: kind for kind in facts(studio, name, values)["kinds"]}


def test_kinds_have_pictures_numbers_and_capacities(studio: Studio) -> None:
    found = kinds(
        studio, "hex-lightning", {"count": {"P1": "0"}, "weights": "capacity", "each": "2"}
    )
    assert len(found) == 11
    assert [found[name]["count"] for name in ("P1", "VV2", "VM2L")] == [0, 2, 4]
    assert [found[name]["capacity"] for name in ("VV2", "VM2L")] == [6, 12]
    pictures = {kind["picture"] for kind in found.values()}
    assert len(pictures) == 11
    assert len(kinds(studio, "hex-lightning", {"shape": "square"})) == 6
    assert list(kinds(studio, "lightning")) == ["I", "II", "III", "IV", "V"]
    arcs = kinds(studio, "hex-lightning", {"style": "arc"})
    assert arcs["MM1"]["picture"] not in pictures
    assert kinds(studio, "hex") == {}


def test_a_set_saved_from_the_page_is_the_same_set(studio: Studio) -> None:
    values: Values = {"shape": "triangle", "count": {"VM2": "7"}, "nodes": True, "board": "none"}
    text = studio.answer(task("hex-lightning", values, file=".toml")).data.decode()
    again = task("hex-lightning", {"set": "set.toml", "board": "none"}, texts={"set": text})
    assert studio.answer(again).data == studio.answer(task("hex-lightning", values)).data


def test_a_drawing_takes_less_than_a_tenth_of_a_second(studio: Studio) -> None:
    """Work of the processor, the least of five; a whole kit sets pages of text and may take two."""
    for name in names():
        studio.answer(task(name, start(name)))
        took = []
        for k in range(5):
            before = process_time()
            studio.answer(task(name, {**start(name), "title": f"another {k}"}))
            took.append(process_time() - before)
        assert min(took) <= (0.2 if name == "kit" else 0.1), name


def test_every_example_is_drawn(studio: Studio) -> None:
    examples = page_data({})["examples"]
    assert isinstance(examples, list)
    for example in examples:
        assert studio.answer(task(example["component"], example["values"])).data, example["name"]


# -- what is wrong -----------------------------------------------------------------------------------------------------


def test_each_wrong_value_is_told_at_its_control(studio: Studio) -> None:
    wrong: Values = {"size": "31", "cell-size": "8 miles", "style": "circle", "labels": "perhaps"}
    found = faults(studio, task("hex", wrong))
    assert set(found) == set(wrong)
    assert "from 2 to 30" in found["size"]
    assert "8mm" in found["cell-size"]
    assert "did you mean 'circles'" in found["style"]


@pytest.mark.parametrize(
    ("name", "values", "where"),
    [
        ("hex", {"bleed": "2mm"}, "bleed"),
        ("hex", {"paper": "a9"}, "paper"),
        ("hex", {"margin": "1,2,3"}, "margin"),
        ("mini-hex", {"pen": "crayon", "cell-size": "5mm"}, "cell-size"),
        ("hex-lightning", {"count": {"VM2": "3"}}, "count"),
        ("hex-lightning", {"shape": "square", "board": "rhombus"}, "board"),
        ("hex-lightning", {"set": "capcity"}, "set"),
        ("kit", {}, "game"),
        ("kit", {"game": "focus", "size": "5"}, "size"),
        ("hex", {"title": "日本"}, ""),
        ("hex", {"siez": "5"}, ""),
        ("hex", {"printer": "nowhere"}, "printer"),
    ],
)
def test_what_is_wrong_together_is_told_at_a_control(
    studio: Studio, name: str, values: Values, where: str
) -> None:
    assert where in faults(studio, task(name, values))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("hex", {"cell-size": "40mm"}),
        ("mini-hex", {"cell-size": "35mm"}),
        ("hex-lightning", {"tile-size": "60mm"}),
    ],
)
def test_the_size_that_is_offered_draws(studio: Studio, name: str, values: Values) -> None:
    with pytest.raises(Refused) as caught:
        studio.answer(task(name, values))
    (fault,) = caught.value.faults
    assert fault.option in values
    assert studio.answer(task(name, {fault.option: fault.fix})).data


@pytest.mark.parametrize(
    ("option", "file", "text", "say"),
    [
        ("set", "set.toml", "shape = 'squar'", "set.toml: shape"),
        ("set", "set.toml", "= =", "set.toml: not TOML"),
        ("set", "set.toml", "a=" + "[" * 90_000, "set.toml is nested too deeply"),
        ("set", "set.toml", "a=" + "1" * 90_000, "set.toml holds a number of too many digits"),
        ("set", "set.toml", " ", "write the text of set.toml"),
        ("set", "set.toml", "x" * (LONGEST_TEXT + 1), "are enough"),
        ("set", "set.toml", "a\0b", "cannot be written"),
        ("theme", "theme.toml", "[areas.red]\nfill = 'red'", "theme.toml"),
    ],
)
def test_a_wrong_text_is_told_at_its_control_without_our_paths(
    studio: Studio, folder: Path, option: str, file: str, text: str, say: str
) -> None:
    found = faults(studio, task("hex-lightning", {option: file}, texts={option: text}))
    assert say in found[option]
    assert str(folder) not in found[option]


def test_too_much_is_refused_before_it_is_drawn(studio: Studio) -> None:
    before = process_time()
    for name, values in (
        ("hex-lightning", {"each": "1000", "copies": "1000"}),
        ("lightning", {"count": {"III": "100000"}}),
    ):
        assert "draws up to" in faults(studio, task(name, values))[""]
    many = faults(studio, task("mini-hex", {"format": "png", "dpi": "2400"}, file=".png"))
    assert "take a lower --dpi" in many["dpi"]
    assert process_time() - before < 3


NOT_TASKS: list[dict[str, object]] = [
    {},
    {"component": 5},
    {"component": "chess"},
    {"component": "hex", "values": []},
    {"component": "hex", "texts": "x"},
    {"component": "hex", "values": {"size": ["5"]}},
    {"component": "hex", "values": {"size": None}},
    {"component": "hex", "values": {"title": "a\0b"}},
    {"component": "hex", "values": {"title": "\ud800"}},
    {"component": "hex", "values": {"title": "x" * (LONGEST + 1)}},
    {"component": "hex", "values": {"size": {"a": "b"}}},
    {"component": "lightning", "values": {"count": {"\ud800": "1"}}},
    {"component": "hex", "values": {"\ud800": "1"}},
    {"component": "hex", "values": {"x" * 500_000: "1"}},
    {"component": "hex", "values": {f"x{k}": "1" for k in range(5_000)}},
    {"component": "hex", "file": ".exe"},
    {"component": "hex", "file": ".csv"},
    {"component": "hex", "file": "../x"},
]


@pytest.mark.parametrize("asked", NOT_TASKS)
def test_what_no_page_sends_is_refused_kindly(studio: Studio, asked: dict[str, object]) -> None:
    with pytest.raises(Refused):
        studio.answer(asked)


# -- no path from a page is opened -------------------------------------------------------------------------------------

_watched: list[str] = []
_watching = False


def _watch(event: str, args: tuple[object, ...]) -> None:
    if _watching and event in ("open", "os.listdir", "os.scandir") and args:
        _watched.append(str(args[0]))


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """The paths that are opened or listed while the test runs."""
    global _watching  # noqa: PLW0603 - an audit hook cannot be taken away, only be told to rest
    if _watch not in _hooks:
        sys.addaudithook(_watch)
        _hooks.append(_watch)
    _watched.clear()
    _watching = True
    yield _watched
    _watching = False


_hooks: list[object] = []


@pytest.mark.parametrize(
    "option", ["theme", "set", "printer", "puzzles", "layout", "font", "output", "preset"]
)
def test_no_path_from_a_page_is_opened(
    studio: Studio,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    opened: list[str],
    option: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    secret = tmp_path / "secret.toml"
    for name in ("secret.toml", "standard", "grey", "office", "puzzles.txt"):
        (tmp_path / name).write_text("[secret]\n")
    opened.clear()
    names_of_files = [
        str(secret),
        "secret.toml",
        "../secret.toml",
        "./standard",
        "file:secret.toml",
        "puzzles.txt",
    ]
    for component in ("hex-lightning", "mini-hex", "spiral"):
        for path in names_of_files:
            with pytest.raises(Refused):
                studio.answer(task(component, {option: path}))
    made = studio.answer(
        task("hex-lightning", {"set": "standard", "theme": "grey", "printer": "office"})
    )
    assert made.data
    assert not [path for path in opened if Path(path).resolve().parent == tmp_path]
