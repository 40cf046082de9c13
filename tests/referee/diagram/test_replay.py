"""The page to step through: what it holds, and that it works in a browser."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp import themes
from referee.core.source import Source
from referee.diagram.deltas import changes
from referee.diagram.replay import page
from referee.notation.moves import read
from tests.referee.cli.run import HEX, referee

ROOT = Path(__file__).resolve().parents[3]
GAME = HEX + "{Welcome} 1. a1 {first <b>blood</b>} b1 2. a2 c1 3. b1 ; never played\n"


def made(text: str = GAME) -> str:
    return page(read(Source("game.moves", text)), themes.load("colour"))


def data(html: str) -> dict[str, list[object]]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    out: dict[str, list[object]] = json.loads(found[1])
    return out


@given(st.lists(st.integers(0, 12), unique=True), st.lists(st.integers(0, 12)))
def test_changes_make_the_one_list_of_the_other(before: list[int], after: list[int]) -> None:
    for old, new in ((before, after), (after, before), (after, after)):
        now = list(old)
        for at, gone, *more in changes(old, new):
            now[at : at + gone] = more
        assert now == new


def test_the_page_stands_alone() -> None:
    html = made()
    addresses = set(re.findall(r"https?://[^\s\"'<]+", html))
    assert addresses <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
        "http://www.w3.org/2001/xml-events",
    }
    assert "default-src 'none'" in html
    assert not re.search(r"<(?:link|img|iframe|script)[^>]+(?:src|href)=\"(?!data:)", html)
    assert not re.search(
        r"\{\{|\}\}", html.replace("}}", "", 0).split("<script>")[0].split("<style>")[0]
    )


def test_names_and_comments_cannot_break_out() -> None:
    text = GAME.replace("Ann", "</script><script>alert(1)//").replace("Welcome", "</style><i>")
    html = made(text)
    assert html.count("<script") == 2
    assert "<i>" not in html
    assert "<b>" not in html
    assert data(html)["notes"][0] == "</style><i>"


def test_comments_are_shown_whole_and_printable() -> None:
    html = made(HEX + "1. a1 {;) so {; b1} ;;-} \n b1 {c\x01\u202ed;} *\n")
    notes = data(html)["notes"]
    assert notes[1:] == [";) so {; b1 ;-}", "c\ufffd\ufffdd;"]
    assert not re.search(r"[\x00-\x08\u202e]", html)


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        ("c7-c8 draw? d7-d8 a1-b1 {why} draw?", ["", "a draw is offered", "why"]),
        ("c7-c8 draw? draw?", ["", "a draw is offered"]),
        ("draw? {too early}", ["too early"]),
        ("c7-c8 {x} draw? 1-0", ["", "x a draw is offered"]),
    ],
)
def test_only_offers_that_stand_are_told(words: str, notes: list[str]) -> None:
    text = f'[Game "Focus"]\n[Result "{"0-1" if "1-0" in words else "*"}"]\n\n{words}\n'
    assert data(made(text))["notes"] == notes
    tag = f'[Game "Focus"]\n[Result "?"]\n\n{words.removesuffix("1-0")}\n'
    assert data(made(tag))["notes"] == notes


def test_the_data_of_each_ply() -> None:
    html = made()
    told = data(html)
    assert len(told["pictures"]) == len(told["states"]) == len(told["lists"]) == 5
    assert told["notes"][:2] == ["Welcome", "first <b>blood</b>"]
    assert told["states"][1] == "Ply 1: a1. Bob (Blue) is to move"
    assert html.count("<button") == 5 + 5
    assert "b1 refused: b1 already holds a blue stone" in html
    assert "rule hex-place" in html
    ids = set(re.findall(r' id="(i\d+)"', html))
    assert ids == set(told["items"])


def test_size_of_200_plies() -> None:
    red = [f"{chr(97 + x)}{y}" for x in range(0, 19, 2) for y in range(1, 20, 2)]
    blue = [f"{chr(97 + x)}{y}" for x in range(1, 19, 2) for y in range(1, 20)]
    plies = [cell for pair in zip(red, blue, strict=False) for cell in pair]
    html = made('[Game "Hex"]\n[Size "19"]\n\n' + " ".join(plies))
    assert len(data(html)["states"]) == 201
    assert len(html) < 250_000


def test_the_command(tmp_path: Path) -> None:
    record = tmp_path / "game.moves"
    record.write_text(GAME, encoding="utf-8")
    result = referee("diagram", record, "--output", tmp_path / "game.html", "--theme", "grey")
    assert result.exit_code == 0
    assert (tmp_path / "game.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert referee("diagram", record, "--format", "html", "--ply", "2").exit_code == 2


# -- in a browser ------------------------------------------------------------------------------------------------------

STEPS = """
const told = [];
const press = (key) => dispatchEvent(new KeyboardEvent("keydown", {key: key, bubbles: true}));
const click = (what) => document.querySelector(what).click();
const svg = document.querySelector("#board svg");
const swipe = (from, to) => {
  const at = (x) => new Touch({identifier: 1, target: svg, clientX: x, clientY: 100});
  svg.dispatchEvent(new TouchEvent("touchstart", {touches: [at(from)], changedTouches: [at(from)]}));
  svg.dispatchEvent(new TouchEvent("touchend", {touches: [], changedTouches: [at(to)]}));
};
const tell = (what) => told.push([
  what,
  Number(document.documentElement.dataset.ply),
  document.getElementById("state").textContent,
  document.querySelectorAll("#shown [*|href^='#s-hex-']").length,
  document.querySelectorAll("#moves [aria-current]").length,
  svg.getAttribute("aria-label") === document.getElementById("state").textContent,
  document.getElementById("first").disabled,
  document.getElementById("note").textContent,
  document.getElementById("listing").textContent,
]);
tell("opened");
press("Home"); tell("Home");
press("ArrowRight"); tell("right arrow");
press("ArrowRight"); press("ArrowLeft"); tell("left arrow");
press("End"); tell("End");
click("#back"); tell("back");
click("#first"); tell("first");
click("#forward"); tell("forward");
click("#last"); tell("last");
click("#moves li:nth-child(3) button"); tell("list");
swipe(300, 100); tell("swipe on");
swipe(100, 300); tell("swipe back");
swipe(10, 10); tell("tap left");
swipe(svg.getBoundingClientRect().right - 5, svg.getBoundingClientRect().right - 5); tell("tap right");
const slider = document.getElementById("slider");
slider.value = 4; slider.dispatchEvent(new Event("input")); tell("slider");
document.body.append(Object.assign(document.createElement("pre"), {id: "told", textContent: JSON.stringify(told)}));
"""
WANTED = {
    "opened": 2,
    "Home": 0,
    "right arrow": 1,
    "left arrow": 1,
    "End": 4,
    "back": 3,
    "first": 0,
    "forward": 1,
    "last": 4,
    "list": 2,
    "swipe on": 3,
    "swipe back": 2,
    "tap left": 1,
    "tap right": 2,
    "slider": 4,
}


@pytest.fixture
def dom(tmp_path: Path, program: Callable[[str], str]) -> Callable[..., str]:
    browser = program("chromium")

    def run(html: str, fragment: str = "") -> str:
        """Return the page's elements after its scripts have run."""
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        command = [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *("--touch-events=enabled", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"),
        ]
        done = subprocess.run(
            [*command, path.as_uri() + fragment],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return done.stdout

    return run


@pytest.mark.outside("chromium")
def test_stepping_by_keys_buttons_touch_and_list(dom: Callable[..., str]) -> None:
    html = dom(made().replace("</body>", f"<script>{STEPS}</script></body>"), "#2")
    found = re.search(r'<pre id="told">(.*?)</pre>', html, re.DOTALL)
    assert found
    steps = json.loads(unescape(found[1]))
    assert {name: ply for name, ply, *_ in steps} == WANTED
    for _, ply, state, stones, current, described, at_start, note, listing in steps:
        assert state.startswith(f"Ply {ply}:" if ply else "Before the first ply")
        assert stones == ply
        assert current == 1
        assert described
        assert at_start == (ply == 0)
        assert note == {0: "Welcome", 1: "first <b>blood</b>", 4: "never played"}.get(ply, "")
        assert len(re.findall(r"[abc]\d", listing)) == ply


@pytest.mark.outside("chromium")
def test_without_scripts_the_end_and_all_moves_stand(dom: Callable[..., str]) -> None:
    html = dom(re.sub(r"<script>.*?</script>", "", made(), flags=re.DOTALL))
    shown = re.search(r'<g id="shown">(.*?)<g id="store"', html, re.DOTALL)
    assert shown
    assert len(re.findall(r'href="#s-hex-(?:red|blue)"', shown[1])) == 4
    assert "Ply 4: c1" in html
    assert re.search(r'<div id="controls"[^>]* hidden', html)
