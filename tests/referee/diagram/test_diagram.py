"""Pictures of all games: in every format and theme, any ply, with what they must show and say."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pnp import fonts, themes
from pnp.scene import Circle, Group, Item, Line, Scene, Text, Use
from referee import diagram
from referee.core.picture import Frame
from referee.core.source import Source
from referee.diagram.files import Request, render
from referee.diagram.frames import frame_of
from referee.games import names
from referee.notation.inputs import open_records
from referee.notation.moves import read
from tests.referee.cli.run import HEX, WON, referee

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = {name: ROOT / "templates" / "examples" / f"{name.lower()}.moves" for name in names()}


def frame(text: str, ply: int | None = None) -> Frame:
    return frame_of(read(Source("t", text)), ply)


def flat(items: tuple[Item, ...]) -> list[Item]:
    return [
        deep for item in items for deep in (flat(item.items) if isinstance(item, Group) else [item])
    ]


def texts(scene: Scene) -> list[str]:
    return [item.text for item in flat(scene.items) if isinstance(item, Text)]


def example(name: str) -> Frame:
    return frame_of(next(open_records(EXAMPLES[name])))


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("theme", themes.NAMES)
def test_every_game_in_every_theme(name: str, theme: str) -> None:
    shown = example(name)
    scene = diagram.scene(shown, themes.load(theme), numbers=True)
    assert scene.title.startswith(name)
    for use in (item for item in flat(scene.items) if isinstance(item, Use)):
        assert use.name in scene.symbols
    for text in (item for item in flat(scene.items) if isinstance(item, Text)):
        fonts.load().check(text.text, text.weight)
        assert text.colour in {*themes.load(theme).colours.values(), *inks(theme)}


def inks(theme: str) -> set[str]:
    return {area.text for area in themes.load(theme).areas.values()}


@pytest.mark.parametrize("name", names())
def test_nothing_is_drawn_outside_the_picture(name: str) -> None:
    scene = diagram.scene(example(name), numbers=True)
    measure = fonts.load()
    for item in scene.items:
        if isinstance(item, Text):
            left, top, right, bottom = measure.text_box(item)
            assert left >= 0 and top >= 0 and right <= scene.width and bottom <= scene.height  # noqa: PT018
        if isinstance(item, Group):
            for text in (deep for deep in item.items if isinstance(deep, Text)):
                right = measure.text_box(text)[2] * item.scale + item.dx
                assert right <= scene.width + 0.01, text.text


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("svg", b"<svg"),
        ("png", b"\x89PNG"),
        ("pdf", b"%PDF"),
        ("text", b""),
        ("html", b"<!DOCTYPE"),
    ],
)
def test_every_format(tmp_path: Path, name: str, form: str, start: bytes) -> None:
    suffix = "txt" if form == "text" else form
    path = tmp_path / f"out.{suffix}"
    result = referee("diagram", EXAMPLES[name], "--output", path)
    assert result.exit_code == 0, result.stderr
    data = path.read_bytes()
    assert data.startswith(start or name.encode())
    again = tmp_path / f"again.{suffix}"
    referee("diagram", EXAMPLES[name], "--output", again, "--format", form)
    assert again.read_bytes() == data


def test_svg_says_what_it_shows() -> None:
    root = ElementTree.fromstring(render(frame(WON), Request("svg")))
    spaces = {"s": "http://www.w3.org/2000/svg"}
    title, told = root.find("s:title", spaces), root.find("s:desc", spaces)
    assert title is not None
    assert told is not None
    assert title.text == "Hex, Ann (Red) – Bob (Blue)"
    assert "Ply 5: a3" in (told.text or "")
    assert "Red joins top and bottom" in (told.text or "")
    assert "Red: a1 a2 a3\nBlue: b1 b2" in (told.text or "")
    assert "is to move" in (diagram.scene(frame(WON, 3)).description)


def test_names_that_the_font_lacks_are_left_out_and_stand_in_the_text() -> None:
    shown = frame(WON.replace("Ann", "王芳"))
    drawn = " ".join(texts(diagram.scene(shown)))
    assert "王" not in drawn
    assert "Red" in drawn
    assert "Bob (Blue)" in drawn
    assert "王芳 (Red)" in diagram.text(shown)
    assert "王芳" in diagram.scene(shown).description
    render(shown, Request("png"))


@pytest.mark.parametrize("name", ["Maximilian " * 10, "W" * 300, "W " * 5000, "i" * 99999])
def test_long_names_are_wrapped_or_cut(name: str) -> None:
    scene = diagram.scene(frame(HEX.replace("Ann", name.strip()) + "1. a1"))
    measure = fonts.load()
    for text in (item for item in flat(scene.items) if isinstance(item, Text)):
        assert measure.text_box(text)[0] >= 0
        assert measure.text_box(text)[2] <= scene.width
    drawn = " ".join(texts(scene))
    assert "(Red)" in drawn
    assert ("…" in drawn) == (len(name) > 200)
    assert scene.height < 150


def test_the_last_ply_and_the_chain_are_marked() -> None:
    theme = themes.load("colour")
    won = diagram.scene(frame(WON), theme)
    rings = [
        i
        for i in flat(won.items)
        if isinstance(i, Circle) and i.style.stroke == theme.colour("last")
    ]
    chains = [
        i
        for i in flat(won.items)
        if isinstance(i, Line) and i.style.stroke == theme.colour("chain")
    ]
    assert len(rings) == 1
    (chain,) = chains
    assert len(chain.points) == 3
    assert (rings[0].x, rings[0].y) == chain.points[-1]
    under_way = diagram.scene(frame(WON, 3), theme)
    assert not [
        i
        for i in flat(under_way.items)
        if isinstance(i, Line) and i.style.stroke == theme.colour("chain")
    ]
    start = diagram.scene(frame(WON, 0), theme)
    assert not [
        i
        for i in flat(start.items)
        if isinstance(i, Circle) and i.style.stroke == theme.colour("last")
    ]


def test_numbers_follow_the_stones() -> None:
    plain = texts(diagram.scene(frame(WON)))
    assert [n for n in "12345" if n in plain] == ["1", "2", "3"]  # the coordinates
    numbered = texts(diagram.scene(frame(WON), numbers=True))
    assert sorted(numbered)[:8] == sorted([*"12345", *"123"])
    swapped = HEX.replace("[Size", '[Swap "pieces"]\n[Size') + "1. a2 swap 2. c3"
    assert "B2" in diagram.text(frame(swapped), numbers=True).split()
    assert "[R3]" in diagram.text(frame(swapped), numbers=True)


def test_hex_in_text() -> None:
    assert diagram.text(frame(WON, 4)) == (
        "Hex, Ann (Red) – Bob (Blue)\n"
        "Ply 4: b2; Ann (Red) is to move\n\n"
        "  a b c\n"
        " 1 R B .   1\n"
        "  2 R[B].   2\n"
        "   3 . . .   3\n"
        "      a b c\n\n"
        "R Red, top to bottom; B Blue, left to right; [ ] last ply\n\n"
        "Red: a1 a2\nBlue: b1 b2\n"
    )


@pytest.mark.parametrize("size", [2, 9, 10, 26, 27, 30])
@pytest.mark.parametrize("numbers", [False, True])
def test_text_columns_stand_in_line(size: int, numbers: bool) -> None:
    """The signs of a column lean by half a pitch a row, and the letters with them."""
    text = f'[Game "Hex"]\n[Size "{size}"]\n\n' + " ".join(
        f"a{y + 1} b{y + 1}" for y in range(size - 1)
    )
    lines = diagram.text(frame(text), numbers=numbers).split("\n\n")[1].splitlines()
    rows = [re.sub(r"[\[\]]", " ", line) for line in lines[1:-1]]
    starts = [[m.start() for m in re.finditer(r"(?:[RB]\d*|\.)", row)] for row in rows]
    pitch = starts[0][1] - starts[0][0]
    for y, row in enumerate(starts):
        assert len(row) == size
        assert row[0] - starts[0][0] == y * pitch // 2
        assert {b - a for a, b in pairwise(row)} <= {pitch}
    head = [m.start() for m in re.finditer("[a-z]+", lines[0])] if pitch > 2 or size <= 26 else []
    if head:
        assert head[0] - starts[0][0] == -pitch // 2


def test_a_record_may_go_on_after_its_last_ply() -> None:
    shown = frame('[Game "Lightning"]\n\n1. I@a1:s-n II@i1:sw-ne 2. III@?')
    assert "Drawn, not yet placed: III" in diagram.listing(shown)
    assert "First is to move; the drawn tile waits to be placed" in diagram.text(shown)
    assert "drawn: III" in texts(diagram.scene(shown))
    assert "Drawn" not in diagram.listing(
        frame('[Game "Lightning"]\n\n1. I@a1:s-n II@i1:sw-ne 2. III@?', 2)
    )


def test_lightning_shows_where_its_lines_go_on() -> None:
    text = '[Game "Lightning"]\n\n1. I@a1:s-n I@i1:s-n 2. V@a2:sw-nw'
    refused = frame(text)
    assert "Then refused" in diagram.text(refused)
    assert "goes on at the n point of a1" in diagram.listing(refused)
    blocked = frame('[Game "Lightning"]\n\n1. I@a1:s-n II@pool 2. I@a2:s-n III@pool 3. IV@a3:s-e')
    assert "s-n" in diagram.text(blocked)


def test_focus_shows_piles_reserves_and_captures() -> None:
    rows = ["-,-,-,-", "-,-,wbwbw,-,-,-", *["-,-,-,-,-,-,-,-"] * 4, "b,-,-,-,-,-", "-,-,-,-"]
    position = "/".join(rows) + " b w2 b0"
    result = referee("diagram", "--position", position, "--game", "focus")
    assert "wbwbW" in result.stdout
    assert "White: d7(wbwbw)" in result.stdout
    assert "White beside the board: reserve 2, captured by Black 13" in result.stdout
    assert "Black is to move" in result.stdout


def test_spiral_shows_whose_shape_won() -> None:
    shown = example("Spiral")
    told = diagram.listing(shown)
    assert re.search(r"^(Player|Dr\. Brooks): ", told, re.MULTILINE)
    if shown.proof:
        assert re.search(r"^(Fork|Bridge): ", told, re.MULTILINE)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--record", "9"), "there is no record 9"),
        (("--ply", "99"), "legal plies, not 99"),
        (("--position", "r./.b", "--game", "hex"), "Give a FILE"),
        (("--theme", "colourful"), "no theme is called"),
        (("--theme", "gray", "--format", "text"), "did you mean 'grey'?"),
        (("--format", "gif"), "'gif' is not one of"),
        (("--output", "board.bmp"), "what is .bmp?"),
    ],
)
def test_what_cannot_be_drawn_is_said_kindly(args: tuple[str, ...], told: str) -> None:
    form = () if {"--format", "--output"} & set(args) else ("--format", "svg")
    result = referee("diagram", EXAMPLES["Hex"], *args, *form)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--position", "r./.x", "--game", "hex"), "'x' is no cell"),
        (("--position", "r./.b", "--game", "hexx"), "do you mean 'hex'?"),
        (("--position", "r./.b"), "needs --game"),
        ((), "Give a FILE"),
    ],
)
def test_positions_are_checked(args: tuple[str, ...], told: str) -> None:
    result = referee("diagram", *args)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_position_as_text_comes_back_as_a_picture() -> None:
    result = referee("diagram", "--position", "rb./r../...", "--game", "Hex")
    assert result.exit_code == 0
    assert "Red: a1 a2\nBlue: b1\n" in result.stdout
    assert "Blue is to move" in result.stdout
    assert "Ply" not in result.stdout


def test_a_cancelled_game_is_shown_as_one_and_before_its_end_as_it_was() -> None:
    record = '[Game "Hex"]\n[Size "5"]\n[Termination "cancelled"]\n\n1. c3 d2 *\n'
    told = texts(diagram.scene(frame(record)))
    assert any("Cancelled; nobody is to move" in line for line in told)
    assert not any("is to move" in line and "Cancelled" not in line for line in told)
    assert any("Blue is to move" in line for line in texts(diagram.scene(frame(record, 1))))
