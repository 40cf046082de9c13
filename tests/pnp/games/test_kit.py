"""kit: all of a game in one file, rules that are the players' pages, lost pieces again."""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from pnp import fonts, themes
from pnp.boards import hexhex, rhombus
from pnp.document import Page
from pnp.errors import FitError, PnpError
from pnp.games import component
from pnp.games.kit import GAMES
from pnp.games.kit.diagrams import BRIDGE, DEAL, FORK, diagrams
from pnp.games.kit.flow import Setter
from pnp.games.kit.flow import pages as flowed
from pnp.games.kit.rules import parts, rules_blocks, words
from pnp.paint.focus import setup
from pnp.resources import read_text
from pnp.scene import Group, Item, Scene, Text, Use
from tests.pnp.games.seen import pages
from tests.pnp.printed import built, ink_box, options

GOLDEN = Path(__file__).parents[2] / "data" / "golden"
PARTS = {
    "hex": ["Hex 11 × 11", "Hex stones"],
    "focus": ["Focus board", "Focus pieces"],
    "spiral": ["Spiral board", "Spiral counters", "Spiral cards", "Spiral mat"],
    "lightning": ["Lightning board, section 1", "Lightning board, section 2", "Lightning tiles",
                  "Lightning mat", "Lightning reference cards"],
}  # fmt: skip


@lru_cache(maxsize=4)
def kit(game: str) -> list[Page]:
    """The pages of a game's kit with no other options."""
    return pages("kit", game=game)


def blocks_of(slug: str) -> list[str]:
    """The `text` blocks of a players' page."""
    return re.findall(r"^```text\n(.*?)^```", read_text("rules", f"{slug}.md"), re.M | re.S)


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_come_in_the_order_of_building(game: str) -> None:
    name = game.capitalize()
    wanted = [f"{name} build sheet", *PARTS[game], f"{name} rules", f"{name} record"]
    found = [next(w for w in wanted if page.label.startswith(w)) for page in kit(game)]
    assert list(dict.fromkeys(found)) == wanted


@pytest.mark.parametrize("game", GAMES)
def test_the_build_sheet_counts_the_sheets(game: str) -> None:
    text = " ".join(t.text for t in all_texts(kit(game)[0].scene))
    assert f"{len(kit(game))} sheets" in text
    for word in ("g/m²", "ruler", "Cutting", "100 %"):
        assert word in text
    for part in PARTS[game]:
        assert part in text


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_the_players_page_without_what_is_about_records(game: str) -> None:
    text = " ".join(
        t.text for page in kit(game) if "rules" in page.label for t in all_texts(page.scene)
    )
    printed = set(re.findall(r"[A-Za-z]{3,}", text))
    for part in parts(game):
        if not part.startswith("```"):
            assert set(re.findall(r"[A-Za-z]{3,}", part)) <= printed
    assert not re.search(rf"{game}-[a-z]", text)
    assert "[Game" not in text
    page = read_text("rules", f"{game}.md")
    for heading in re.findall(r"^## (.*)", page, re.M):
        left_out = heading.lower().startswith(("writing", "what cannot", "faults"))
        assert (heading in text) != left_out


@pytest.mark.parametrize("game", GAMES)
def test_every_diagram_of_the_page_is_drawn(game: str) -> None:
    theme = themes.load("colour")
    painters = diagrams(game, theme)
    assert len(painters) == len(blocks_of(game)) == sum(p.startswith("```") for p in parts(game))
    for paint in painters:
        scene = paint()
        assert 5 < scene.width < 110
        assert 5 < scene.height < 110
        for box in (fonts.load().text_box(t) for t in texts(scene.items)):
            assert box[0] >= -0.5
            assert box[2] <= scene.width + 0.5
            assert box[3] <= scene.height + 0.5


def texts(items: tuple[Item, ...]) -> list[Text]:
    return [i for i in items if isinstance(i, Text)]


def test_the_diagrams_show_what_the_page_says() -> None:
    """The same cards, shapes and set-up as in the characters of `referee help`."""
    _, cards, shapes = blocks_of("spiral")
    rows = [tuple(re.findall(r"\b[789TJQKA][SHDC]\b", line)) for line in cards.splitlines()[1:]]
    assert rows == [tuple(row.split()) for row in DEAL]
    halves: tuple[list[str], list[str]] = ([], [])
    for line in shapes.splitlines()[1:]:
        for held, half in zip(halves, re.split(r"\s{3,}", line.strip()), strict=True):
            held += half.split()
    for half, cells in zip(halves, (FORK, BRIDGE), strict=True):
        assert len(half) == len(hexhex(4))
        assert tuple(k for k, sign in enumerate(half) if sign == "P") == cells
    start = blocks_of("focus")[0]
    signs = [re.findall(r"(?<= )[.wb](?= |$)", line) for line in start.splitlines()[:8]]
    assert [sign for row in signs for sign in row] == [
        {"white": "w", "black": "b"}.get(setup().get(at, ""), ".") for at in range(52)
    ]
    assert len(rhombus(5).neighbours[rhombus(5).index("c3") or 0]) == 6


@pytest.mark.parametrize("game", GAMES)
def test_words_stay_in_their_columns(game: str) -> None:
    theme, font = themes.load("colour"), fonts.load()
    for width in (80.0, 130.0, 190.0):
        column = (width - 8.0) / 2.0 if width >= 150.0 else width
        symbols: dict[str, tuple[Item, ...]] = {}
        setter = Setter(column, theme, font)
        blocks = list(rules_blocks(game, diagrams(game, theme), setter, symbols))
        for block in blocks:
            for text in texts(block.items):
                left, top, right, bottom = font.text_box(text)
                assert left >= -0.5
                assert right <= column + 0.3
                assert top >= -0.5
                assert bottom <= block.height + 0.3
        made = flowed(blocks, width, 250.0, "rules", symbols)
        groups = [g for page in made for g in page.items if isinstance(g, Group)]
        assert len(groups) == len(blocks)
        assert all(g.dy >= 0 for g in groups)
        for page in made:
            assert all(u.name in page.symbols for u in uses(page.items))


def uses(items: tuple[Item, ...]) -> list[Use]:
    found = [i for i in items if isinstance(i, Use)]
    return found + [u for g in items if isinstance(g, Group) for u in uses(g.items)]


@pytest.mark.parametrize(
    ("game", "lost", "counts"),
    [
        ("lightning", "III=3", {"III": 3}),
        ("lightning", "iii=1,V=2", {"III": 1, "V": 2}),
        ("spiral", "QS=1,player=2", {"QS": 1, "player": 2}),
        ("focus", "black=4", {"black": 4}),
        ("hex", "red=1", {"red": 1}),
    ],
)
def test_lost_pieces_are_printed_again_and_nothing_else(
    game: str, lost: str, counts: dict[str, int]
) -> None:
    made = pages("kit", game=game, only=lost)
    found = Counter(
        i.name.split("-")[-1] for p in made for i in p.scene.items if isinstance(i, Use)
    )
    assert found == counts
    assert len(made) == len({c in ("player", "brooks") for c in counts})


def test_only_names_what_there_is() -> None:
    with pytest.raises(PnpError, match="no piece 'VI'; did you mean 'V'"):
        pages("kit", game="lightning", only="VI=3")
    with pytest.raises(PnpError, match="no piece 'xyz'; they are white, black"):
        pages("kit", game="focus", only="xyz=3")
    with pytest.raises(PnpError, match="nothing is left"):
        pages("kit", game="focus", only="white=0")


def test_a_kit_needs_a_game_and_takes_its_options() -> None:
    with pytest.raises(PnpError, match=r"--game hex\|focus\|spiral\|lightning"):
        pages("kit")
    assert "Hex 5 × 5" in [p.label for p in pages("kit", game="hex", size=5)]
    assert any("rim strips" in p.label for p in pages("kit", game="focus", rim=4))
    with pytest.raises(PnpError, match="--rim is no option of the hex kit"):
        pages("kit", game="hex", rim=4)
    with pytest.raises(PnpError, match="none of small, bridge, poker"):
        pages("kit", game="spiral", card_size="large")


@pytest.mark.parametrize(
    ("game", "blanks"), [("hex", 8), ("focus", 8), ("spiral", 12), ("lightning", 8)]
)
def test_blanks_to_spare(game: str, blanks: int) -> None:
    def count(**given: object) -> int:
        job = component("kit").build(
            options("kit", game=game, **given), themes.load("colour"), fonts.load()
        )
        pieces = [p for part in job.parts for p in getattr(part, "pieces", ())]
        assert all(p.front == () for p in pieces if p.name == "blank")
        return sum(p.count for p in pieces if p.name == "blank")

    assert count() == blanks
    assert count(blanks=False) == 0


@pytest.mark.parametrize("game", GAMES)
def test_words_and_records_can_be_left_out(game: str) -> None:
    labels = [p.label for p in pages("kit", game=game, rules=False, record=False)]
    assert not [label for label in labels if "rules" in label or "record" in label]
    assert "build sheet" in labels[0]


@pytest.mark.parametrize("game", ["hex", "spiral"])
def test_ink_of_the_words_is_inside_the_margins(game: str, tmp_path: Path) -> None:
    path = built("kit", tmp_path / "k.pdf", "--game", game)
    for number, page in enumerate(kit(game)):
        if any(word in page.label for word in ("build sheet", " rules", " record")):
            left, top, right, bottom = ink_box(path, number)
            assert min(left, top) >= 9.79
            assert right <= page.scene.width - 9.79
            assert bottom <= page.scene.height - 9.79


def test_small_paper_takes_more_sheets_and_names_what_fits() -> None:
    made = [p.label for p in pages("kit", game="hex", paper="100x150mm", size=7)]
    assert sum("rules" in label for label in made) >= 3
    with pytest.raises(FitError, match=r"largest --cell-size that fits is 9\.4 mm"):
        pages("kit", game="focus", paper="100x150mm")
    assert pages("kit", game="focus", paper="100x150mm", cell_size=9.4)


def test_the_build_sheet_counts_paper_not_pages_where_backs_are_printed() -> None:
    made = pages("kit", game="focus", backs="duplex-long")
    assert len(made) % 2 == 0
    said = [t.text for t in all_texts(made[0].scene)]
    assert any(f"{len(made) // 2} sheets" in text for text in said)
    assert any("turned on the long edge" in text for text in said)


def all_texts(scene: Scene) -> list[Text]:
    def walk(items: tuple[Item, ...]) -> list[Text]:
        return texts(items) + [t for g in items if isinstance(g, Group) for t in walk(g.items)]

    return walk(scene.items)


def test_a_word_wider_than_its_column_has_a_line_of_its_own() -> None:
    setter = Setter(20.0, themes.load("colour"), fonts.load())
    lines = setter.lines(words("a " + "x" * 40 + " b"), 3.0, 20.0)
    assert [len(line) for line in lines] == [1, 1, 1]


def test_marked_words_are_bold_and_touch_what_they_touch() -> None:
    assert words("**Swap.** To `begin`, *so*") == [
        (("Swap.", "bold"),), (("To", "regular"),), (("begin", "bold"), (",", "regular")),
        (("so", "bold"),),
    ]  # fmt: skip


def test_golden_scene() -> None:
    """Build sheet, rules and record of Focus as data; PNP_UPDATE_GOLDEN=1 writes them anew."""
    made = pages("kit", game="focus")
    text = "".join(made[k].scene.dump() for k in (0, -2, -1))
    path = GOLDEN / "kit-focus.txt"
    if os.environ.get("PNP_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
