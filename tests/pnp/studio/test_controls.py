"""The controls are the options of the command line: none is missing, none says something else."""

from __future__ import annotations

import pytest

from pnp.games import component, names
from pnp.options import COMMON, Option
from pnp.studio.controls import GROUPS, LEFT_OUT, TEXTS, controls, page_data


def every(name: str) -> dict[str, Option]:
    return {o.name: o for o in COMMON} | {o.name: o for o in component(name).options}


@pytest.mark.parametrize("name", names())
def test_each_option_has_one_control_or_a_reason(name: str) -> None:
    shown = [control["name"] for control in controls(component(name), {})]
    assert len(shown) == len(set(shown))
    assert {*shown, *LEFT_OUT} == {*every(name)}


@pytest.mark.parametrize("name", names())
def test_controls_say_what_the_help_says(name: str) -> None:
    for control in controls(component(name), {}):
        option = every(name)[control["name"]]
        assert control["help"] == option.help
        assert (control["least"], control["most"]) == (option.least, option.most)
        if option.choices:
            assert control["choices"] == list(option.choices)
        assert control["label"].lower().replace(" ", "-") == option.name


@pytest.mark.parametrize("name", names())
def test_a_default_as_it_is_written_is_the_default(name: str) -> None:
    """To a hundredth of a millimetre, as all lengths for people are; it is never sent."""
    for control in controls(component(name), {}):
        option, written = every(name)[control["name"]], control["default"]
        if written is None:
            assert option.default is None
        else:
            found, default = option.parse(written), option.default
            assert found == (
                pytest.approx(default, abs=0.005) if option.kind == "length" else default
            )


def test_groups_and_exceptions_name_options_that_there_are() -> None:
    common = {option.name for option in COMMON}
    own = {option.name for name in names() for option in component(name).options}
    assert {member for _, members in GROUPS for member in members} <= common
    assert {*LEFT_OUT, *TEXTS} <= common | own
    files = {o.name for n in names() for o in every(n).values() if o.kind == "file"}
    assert files <= {*LEFT_OUT, *TEXTS}, "a file's path is never taken from a page"


def test_the_paper_of_the_environment_is_the_default() -> None:
    shown = {c["name"]: c for c in controls(component("hex"), {"PNP_PAPER": "letter"})}
    assert shown["paper"]["default"] == "letter"


def test_words_that_an_option_names_can_be_chosen() -> None:
    hexes = {c["name"]: c for c in controls(component("hex-lightning"), {})}
    assert hexes["families"]["kind"] == "several"
    assert hexes["families"]["choices"] == ["VV", "MM", "VM", "P"]
    assert "capacity" in hexes["set"]["choices"]
    assert hexes["set"]["sample"].strip()
    kit = {c["name"]: c for c in controls(component("kit"), {})}
    assert kit["card-size"]["choices"] == ["small", "bridge", "poker"]


def test_examples_are_those_of_the_catalogue() -> None:
    from pnp.presets import catalogue

    found = page_data({})["examples"]
    assert isinstance(found, list)
    assert [example["name"] for example in found] == [entry.file for entry in catalogue()]
    known = {name: every(name) for name in names()}
    for example in found:
        for name, value in example["values"].items():
            known[example["component"]][name].parse(value)
