"""Options: typed from text and TOML, clear about what is wrong; presets."""

from __future__ import annotations

from pathlib import Path

import pytest

from pnp.errors import FileError, PnpError
from pnp.games import component, names
from pnp.options import COMMON, Options
from pnp.paper import parse_paper
from pnp.presets import catalogue, read_preset
from pnp.values import Option

SIZE = Option("size", "int", "cells", 11, names=(("nash", 14),), least=2, most=30)
CELL = Option("cell-size", "length", "cell")
COUNT = Option("count", "counts", "numbers", choices=("I", "II"))


@pytest.mark.parametrize(
    ("option", "raw", "value"),
    [
        (SIZE, "13", 13), (SIZE, 13, 13), (SIZE, "Nash", 14),
        (CELL, "1in", 25.4), (CELL, 8, 8.0), (CELL, "8", 8.0),
        (COUNT, ["ii=3"], {"II": 3}), (COUNT, {"I": 0}, {"I": 0}), (COUNT, "I=1,II=2", {"I": 1, "II": 2}),
        (Option("m", "lengths", ""), "1,0.5in", (1.0, 12.7)),
        (Option("m", "lengths", ""), [1, 2], (1.0, 2.0)),
        (Option("f", "flag", ""), True, True),
        (Option("c", "choice", "", choices=("a4", "a3")), "A3", "a3"),
    ],
)  # fmt: skip
def test_values(option: Option, raw: object, value: object) -> None:
    assert option.parse(raw) == value


@pytest.mark.parametrize(
    ("option", "raw", "says"),
    [
        (SIZE, "31", "from 2 to 30"), (SIZE, "1", "from 2 to 30"), (SIZE, "x", "whole number"),
        (SIZE, "1.5", "whole number"), (SIZE, "²", "whole number"), (SIZE, True, "write N"),
        (CELL, "0", "more than zero"), (CELL, "8px", "8mm"), (CELL, [1], "write MM"),
        (COUNT, "III=1", "did you mean"), (COUNT, "I", "KIND=NUMBER"), (COUNT, "I=-1", "outside"),
        (COUNT, 7, "KIND=NUMBER"), (COUNT, "I=x", "whole number"),
        (Option("f", "flag", ""), "yes", "true or false"),
        (Option("f", "file", ""), "a\0b", "no path"),
        (Option("n", "number", "", least=0.5), "0.1", "at least 0.5"),
        (Option("n", "number", "", most=2), "nan", "cannot|can be used"),
        (Option("c", "choice", "", choices=("hexagons",)), "hexagon", "did you mean 'hexagons'"),
    ],
)  # fmt: skip
def test_faults_name_the_option_and_what_would_be_right(
    option: Option, raw: object, says: str
) -> None:
    with pytest.raises(PnpError, match=f"--{option.name}: .*({says})"):
        option.parse(raw)


def test_papers_are_exact() -> None:
    """P29: never rounded inches; P25, P37: both families."""
    assert (parse_paper("A4").width, parse_paper("a4").height) == (210.0, 297.0)
    assert parse_paper("letter").width == 8.5 * 25.4
    assert (parse_paper("5.5x8.5in").width, parse_paper("100x150mm").height) == (139.7, 150.0)
    for wrong in ("a5x", "10x10mm", "100x", "9000x100mm"):
        with pytest.raises(PnpError):
            parse_paper(wrong)


def test_the_environment_sets_the_paper_unless_said() -> None:
    assert Options((), {}, {"PNP_PAPER": "letter"}).common.paper.name == "letter"
    assert Options((), {"paper": "a3"}, {"PNP_PAPER": "letter"}).common.paper.name == "a3"
    with pytest.raises(PnpError, match="PNP_PAPER"):
        Options((), {}, {"PNP_PAPER": "a44"})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"margin": (1.0, 2.0)}, "top,right,bottom,left"),
        ({"margin": (-1.0,)}, "0 or more"),
        ({"back-offset": (1.0,)}, "DX,DY"),
        ({"bleed": 2.0}, "--gutter 4 mm"),
        ({"bleed": 2.0, "gutter": 3.9}, "--gutter 4 mm"),
    ],
)
def test_values_that_are_wrong_together(given: dict[str, object], says: str) -> None:
    with pytest.raises(PnpError, match=says):
        Options((), given)  # type: ignore[arg-type]


def test_a_title_is_one_line() -> None:
    assert Options((), {"title": " Our\n first\tgame "}).common.title == "Our first game"
    assert Options((), {"title": " \n"}).common.title is None


def test_defaults_are_those_of_the_specification() -> None:
    common = Options((), {}).common
    assert common.paper.name == "a4"
    assert (common.format, common.dpi, common.theme, common.marks) == ("pdf", 300.0, "colour", None)
    assert (common.gutter, common.bleed, common.backs) == (0.0, 0.0, "none")
    assert common.margin == (10.0, 10.0, 10.0, 10.0)


@pytest.mark.parametrize("name", names())
def test_every_component_describes_itself(name: str) -> None:
    found = component(name)
    assert found.name == name
    assert found.help
    assert len({o.name for o in found.options}) == len(found.options)
    for option in found.options:
        assert option.help
        assert option.kind != "choice" or option.choices
        assert option.default is None or option.kind != "choice" or option.default in option.choices


def test_a_mistyped_component_gets_a_suggestion() -> None:
    with pytest.raises(PnpError, match="did you mean 'hex'"):
        component("hx")


def test_presets(tmp_path: Path) -> None:
    preset = tmp_path / "p.toml"
    own = {"hex": component("hex").options}
    preset.write_text('paper = "a3"\ncell_size = "9mm"\n[hex]\nsize = 13\n[focus]\nrim = 3\n')
    found = read_preset(preset, own, ["hex", "focus"])
    assert found == {"hex": {"paper": "a3", "cell-size": "9mm", "size": 13}}
    for text, says in (
        ("papr = 'a3'", "did you mean 'paper'"),
        ("[hex]\nsiez = 3", "did you mean 'size'"),
        ("[hx]\nsize = 3", "'hx'"),
        ("paper = ", "not TOML"),
        ("paper = " + "[" * 9000, "nested too deeply"),
        ("paper = " + "1" * 5000, "too many digits"),
    ):
        preset.write_text(text)
        with pytest.raises(PnpError, match=says):
            read_preset(preset, own, ["hex", "focus"])
    preset.write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="UTF-8"):
        read_preset(preset, own)
    with pytest.raises(FileError, match="cannot be read"):
        read_preset(tmp_path / "none.toml", own)


def test_the_catalogue_names_components_and_options_that_exist() -> None:
    entries = catalogue()
    assert len({entry.file for entry in entries}) == len(entries)
    for entry in entries:
        known = {o.name: o for o in (*COMMON, *component(entry.component).options)}
        for name, value in entry.options.items():
            known[name].parse(value)
