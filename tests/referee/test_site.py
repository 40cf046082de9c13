"""The folder of pages of a club's games: what is in it, what is not, and how it looks in a browser."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from pnp import themes
from pnp.colour import contrast
from pnp.resources import read_text
from pnp.themes import Theme
from referee.core.source import Source
from referee.diagram import site
from referee.diagram.site import Listed, Score, Shown
from referee.notation.moves import read
from tests.browser import SEEN, View, look
from tests.referee.cli.run import OPEN, WON, referee
from tests.referee.service.house import House

NAMES = ("<b>Ann</b> & co", "Zoë Ångström-Müller of the longest name that a club can have")
IDS = ("hex-1", "focus-2", "lightning-3")
KINDS = (("games", "html"), ("games", "moves"), ("thumbs", "svg"))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A club with a game of each kind, at its begin, on and over."""
    house = House(tmp_path_factory.mktemp("site") / "club")
    game, (first, second) = house.begun("hex")
    house.answer(house.last(first, game), "c3\n\nchat\nmeet me at noon\nend")
    house.answer(house.last(second, game), "resign")
    for kind in ("focus", "lightning"):
        house.write("ann@ann.example", f"challenge Bob {kind}")
        house.answer(house.last("bob@bob.example"), "accept", proved=True)
    return house


@pytest.fixture(scope="module")
def folder(house: House, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages") / "deep" / "site"
    result = referee("export", "--pages", folder, "--club", house.folder)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"3 games are shown; look through them in {folder / 'index.html'}\n"
    return folder


def written(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def test_each_game_has_its_page_its_picture_and_its_record(folder: Path, house: House) -> None:
    files = written(folder)
    names = {f"{part}/{name}.{kind}" for name in IDS for part, kind in KINDS}
    assert set(files) == names | {"index.html"}
    for path, text in files.items():
        for link in re.findall(r'(?:href|src)="([^"#]*)"', text):
            if path.endswith(".html") and not link.startswith("data:"):
                assert (folder / path).parent.joinpath(link).resolve().is_file(), (path, link)
    index = files["index.html"]
    assert index.index("Being played") < index.index("lightning-3") < index.index("focus-2")
    assert index.index("focus-2") < index.index(">Over<") < index.index("hex-1")
    assert re.search(
        r"<caption>Hex</caption>.*?<td>1</td><td>1</td><td>0</td><td>0</td>", index, re.S
    )
    assert "<caption>Focus</caption>" not in index


def test_nothing_is_in_it_that_not_everybody_may_know(folder: Path, house: House) -> None:
    everything = "\n".join(written(folder).values())
    seed = house.match("lightning-3").seed
    assert seed is not None
    assert house.match("lightning-3").tags["Commit"] in everything
    for secret in (seed, "noon"):
        assert secret not in everything
    assert not re.search(r"\w@\w+\.example", everything)


def test_the_same_games_give_the_same_bytes(folder: Path, house: House) -> None:
    before = written(folder)
    assert referee("export", "--pages", folder, "--club", house.folder).exit_code == 0
    assert written(folder) == before


def test_what_is_there_already_is_not_drawn_again(
    folder: Path, house: House, tmp_path: Path
) -> None:
    site_ = tmp_path / "site"
    shutil.copytree(folder, site_)
    before = written(folder)
    changes = {
        "games/hex-1.moves": "a record of before its last ply",
        "games/focus-2.html": before["games/focus-2.html"].replace("referee ", "referee 0."),
        "thumbs/lightning-3.svg": None,
    }
    for path, text in changes.items():
        (site_ / path).unlink()
        if text is not None:
            (site_ / path).write_text(text)
    old = {p: p.stat().st_mtime_ns for p in site_.rglob("*") if p.is_file()}

    def export(*options: str) -> set[str]:
        assert referee("export", "--pages", site_, "--club", house.folder, *options).exit_code == 0
        now = {p: p.stat().st_mtime_ns for p in site_.rglob("*") if p.is_file()}
        new = {p.relative_to(site_).as_posix() for p in now if now[p] != old.get(p)}
        old.update(now)
        return new - {"index.html"}

    all_files = {f"{part}/{name}.{kind}" for name in IDS for part, kind in KINDS}
    assert export() == all_files, "each of the three wants something"
    assert written(site_) == before
    assert export() == set()
    (site_ / "games/hex-1.moves").write_text("")
    assert export() == {path for path in all_files if "hex-1" in path}
    assert export("--theme", "grey") == all_files


def test_a_theme_read_anew_is_the_same_and_a_cut_page_is_made_anew() -> None:
    """Another process has another theme of the same values."""
    colour = themes.load("colour")
    anew = Theme(colour.name, dict(colour.colours), dict(colour.areas))
    other = Theme(colour.name, {**colour.colours, "ink": "#123456"}, colour.areas)
    game = shown("hex-1", WON)
    have = {file.path: file.text for file in site.game(game, colour)[1]}
    assert len(have) == 3
    assert list(site.game(game, anew, have.get)[1]) == []
    assert len(list(site.game(game, other, have.get)[1])) == 3
    for path, text in have.items():
        for cut in ("", text[: len(text) // 2], text[:-3]):
            files = site.game(game, anew, {**have, path: cut}.get)[1]
            assert {file.path: file.text for file in files} == have


def test_a_game_that_cannot_be_shown_keeps_no_other_out(house: House, tmp_path: Path) -> None:
    result = referee("export", "hex-1", "hex-99", "--pages", tmp_path, "--club", house.folder)
    assert result.exit_code == 1
    assert "hex-99" in result.stderr
    assert "Traceback" not in result.output
    assert "hex-1" in (tmp_path / "index.html").read_text("utf-8")


def test_options_that_do_not_go_together(house: House, tmp_path: Path) -> None:
    club = ("--club", house.folder)
    both = referee("export", "--pages", tmp_path / "x", "-o", tmp_path / "y", *club)
    lone = referee("export", "--theme", "grey", *club)
    none = referee("export", "--pages", tmp_path / "x", "--theme", "gray", *club)
    assert [result.exit_code for result in (both, lone, none)] == [2, 2, 2]
    assert list(tmp_path.iterdir()) == []


def shown(name: str, text: str, status: site.Status = "over") -> Shown:
    return Shown(name, status, read(Source(name, text)), text)


def test_names_are_text_and_nothing_else() -> None:
    text = WON.replace("Ann", NAMES[0])
    listed, files = site.game(shown("hex-1", text), themes.load("colour"))
    (index,) = site.index(NAMES[0], [listed], [("Hex", [Score(NAMES[0], 1, 1, 0, 0)])])
    for file in (*files, index):
        if not file.path.endswith(".moves"):
            assert "<b>Ann" not in file.text
    assert index.text.count("&lt;b&gt;Ann&lt;/b&gt; &amp; co") >= 5


def test_many_games_are_on_pages_that_lead_to_each_other() -> None:
    games = [Listed("on" if n == 5 else "over", f'<li id="g{n}">') for n in range(200)]
    files = list(site.index("Club", games, [("Hex", [Score("Ann", 1, 1, 0, 0)])]))
    assert [file.path for file in files] == ["index.html", *(f"index-{n}.html" for n in (2, 3, 4))]
    found = [re.findall(r'<li id="(g\d+)"', file.text) for file in files]
    assert [len(part) for part in found] == [60, 60, 60, 20]
    order = [f"g{n}" for n in (5, *(m for m in reversed(range(200)) if m != 5))]
    assert [name for part in found for name in part] == order
    assert [file.text.count("<caption>") for file in files] == [1, 0, 0, 0]
    for file in files:
        assert set(re.findall(r'href="(index[^"]*)"', file.text)) == {f.path for f in files} - {
            file.path
        }


def test_no_games_yet() -> None:
    (index,) = site.index("Club", [], [])
    assert "No games yet" in index.text
    assert "<ul>" not in index.text


@pytest.mark.outside("chromium")
def test_on_phone_and_desk_in_a_browser(tmp_path: Path) -> None:
    """All pictures load, nothing is wider than the screen or too small to read; a click leads to a game and back."""
    long = WON.replace("Ann", NAMES[1]).replace("Bob", "W" * 60)
    theme, listed = themes.load("colour"), []
    (tmp_path / "games").mkdir()
    (tmp_path / "thumbs").mkdir()
    for entry in (shown("hex-1", WON), shown("hex-2", long), shown("hex-3", OPEN, "on")):
        item, files = site.game(entry, theme)
        listed.append(item)
        for file in files:
            (tmp_path / file.path).write_text(file.text, "utf-8")
    rows = [Score(NAMES[1], 100, 20, 30, 50), Score("W" * 60, 9, 9, 0, 0)]
    (index,) = site.index("Club", listed, [("Hex", rows)])
    (tmp_path / index.path).write_text(index.text, "utf-8")
    page = tmp_path / "index.html"
    views = [View(page, width, SEEN) for width in (360, 1000)]
    views += [View(tmp_path / "games" / "hex-2.html", width, SEEN) for width in (360, 1000)]
    *seen, lines, clicked = look(tmp_path, [*views, View(page, 360, LINES), View(page, 390, CLICK)])
    assert lines == [1] * 12  # four heads and two times four numbers, none broken within
    for view, told in zip(views, seen, strict=True):
        assert told["inner"] == view.width
        assert told["wide"] <= view.width
        assert told["broken"] == told["out"] == []
        assert told["small"] >= 12
    assert seen[0]["images"] == 3
    assert clicked[0].endswith("Ply 2: b1. Ann (Red) is to move")
    assert clicked[1:] == ["games/hex-3.html", "index.html"]


@pytest.mark.parametrize("folder", ["index", "replay"])
def test_light_and_dark_can_be_read(folder: str) -> None:
    text = read_text(folder, "style.css")
    light, dark = (dict(re.findall(r"--([a-z]+): (#[0-9a-f]+)", part)) for part in parts(text))
    assert light.keys() == dark.keys()
    for colours in (light, dark):
        grounds = [colours[name] for name in ("ground", "card", "pale") if name in colours]
        writing = [colours[name] for name in ("ink", "soft", "link", "fault") if name in colours]
        assert min(contrast(ink, ground) for ink in writing for ground in grounds) >= 4.5
        assert contrast(colours["ink"], colours.get("mark", grounds[0])) >= 4.5
    assert contrast(light["ground"], dark["ground"]) > 10


def parts(style: str) -> tuple[str, str]:
    """Return what a style sheet says of its colours by day and by night."""
    light, dark = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    return light, dark


LINES = """
const all = document.createRange();
const lines = (cell) => { all.selectNodeContents(cell); return all.getClientRects().length; };
return [...document.querySelectorAll("th + th, td")].map(lines);
"""
"""Tells in how many lines each number of a table and its head stand."""
CLICK = """
const next = (what) => new Promise(done => { frame.onload = () => done(frame.contentDocument); what.click(); });
const end = (at) => at.href.split("/").slice(-2).join("/");
const game = await next(document.querySelector("#hex-3 .sheet"));
const state = game.getElementById("state").textContent, where = end(game.location);
const back = await next([...game.links].find(a => a.textContent === "All games"));
return [state, where, back.location.href.split("/").pop()];
"""
