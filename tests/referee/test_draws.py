"""What `referee draw`, seeded records and a club's game draw, against a second program (mail.md, Chance)."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import match as m
from referee.core import chance
from referee.core.chance import Chance
from referee.core.verdict import Verdict
from referee.games import load
from referee.games.lightning import next_tile
from referee.judge import judge
from referee.match import Done, Drew
from referee.notation.moves import read, split
from tests.referee.cli.run import referee
from tests.referee.matches import DAY
from tests.referee.slow.draws import KINDS, RANKS, SUITS, Draws, commitment

seeds = st.binary(min_size=32, max_size=32).map(bytes.hex)
words = st.text(st.characters(exclude_categories=("C", "Z")), max_size=64)
ids = st.sampled_from(["", "lightning-1", "spiral-99", "hex-é", "a|b"])


def quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def tags(game: str, seed: str, game_id: str, first: str, second: str) -> str:
    named = {"Game": game, "Seed": seed, "GameId": game_id, "Word1": first, "Word2": second}
    return "".join(f'[{name} "{quoted(value)}"]\n' for name, value in named.items())


def verdict(text: str) -> Verdict:
    (source,) = split(text.splitlines(keepends=True), "draws.moves")
    return judge(read(source))


@given(seeds, ids, words, words, st.integers(1, 10**6), st.integers(1, 200))
def test_every_index_and_commitment(
    seed: str, game: str, one: str, two: str, n: int, left: int
) -> None:
    drawn = Chance(bytes.fromhex(seed), game, one, two).draw(n, left)
    assert drawn == Draws(seed, game, one, two).index(n, left)
    assert chance.commitment(game, bytes.fromhex(seed)) == commitment(game, seed)


@settings(max_examples=20)
@given(seeds, ids, words, words)
def test_a_seeded_record_takes_the_tiles_in_that_order_and_no_other(
    seed: str, game: str, one: str, two: str
) -> None:
    tiles = Draws(seed, game, one, two).tiles()
    assert Counter(tiles) == dict.fromkeys(KINDS, 30)
    head = tags("Lightning", seed, game, one, two)
    whole = verdict(head + " ".join(f"{tile}@pool" for tile in tiles))
    assert (whole.legal, whole.plies) == (True, 150)
    for at in (0, 1, 148):
        before = " ".join(f"{tile}@pool" for tile in tiles[:at])
        for kind in KINDS:
            for form in (f"{kind}@?", f"{kind}@pool", f"{kind}@d1:s-n"):
                said = verdict(f"{head}{before} {form}")
                code = said.error.code if said.error else None
                assert (code == "no-tile") == (kind != tiles[at]), (at, form)


@given(seeds, ids, words, words)
def test_a_seeded_spiral_lies_as_dealt(seed: str, game: str, one: str, two: str) -> None:
    """The player always takes the bottoms of columns 1 and 2; the table is compared after every turn."""
    draws = Draws(seed, game, one, two)
    said = verdict(tags("Spiral", seed, game, one, two))
    number, columns = 1, draws.deal(1)
    assert sorted(card for column in columns for card in column) == sorted(
        rank + suit for rank in RANKS for suit in SUITS
    )
    spiral = load("Spiral")
    assert spiral is not None
    position = said.state
    while position.to_move is not None:
        shown = "/".join("".join(column) for column in columns)
        assert spiral.position_text(position).partition(" ")[2] == shown
        assert position.deals == number
        word = f"{columns[0].pop()}+{columns[1].pop()}"
        for after_the_player in (True, False):
            if not all(columns):
                number += 1
                columns = draws.deal(number)
            if after_the_player:
                for column in columns:
                    column.pop()
        position = spiral.play(position, spiral.parse(word, position.setup))
    assert position.reason in ("fork", "bridge")


@pytest.mark.parametrize("number", range(4))
def test_the_draw_command_gives_that_tile_and_verify_agrees(number: int, tmp_path: Path) -> None:
    """M110: the record is enough, no letter and no club is asked."""
    seed = random.Random(number).randbytes(32).hex()
    draws = Draws(seed, "g", "früh", f'"{number}\\')
    tiles = draws.tiles()
    file = tmp_path / "game.moves"
    moves = " ".join(f"{tile}@pool" for tile in tiles[:number])
    file.write_text(
        tags("Lightning", seed, "g", "früh", f'"{number}\\')
        + f'[Commit "{commitment("g", seed)}"]\n\n{moves} *\n',
        encoding="utf-8",
    )
    for _ in range(2):  # a second call gives the same tile
        assert referee("draw", file).output.startswith(f"{tiles[number]} is drawn")
    assert file.read_text(encoding="utf-8").count(f"{tiles[number]}@?") == 1
    checked = referee("verify", file)
    assert checked.exit_code == 0
    assert " ".join(tiles[: number + 1]) in checked.output


def test_the_draw_command_shows_the_deal_on_the_table_and_the_next(tmp_path: Path) -> None:
    seed = bytes(range(32)).hex()
    file = tmp_path / "game.moves"
    file.write_text(tags("Spiral", seed, "s", "w", "") + "\n*\n", encoding="utf-8")
    said = referee("draw", file).output
    for number in (1, 2):
        deal = " / ".join(" ".join(c) for c in Draws(seed, "s", "w", "").deal(number))
        assert f"deal {number}: {deal}" in said


@pytest.mark.parametrize("number", range(4))
def test_a_club_draws_the_same(number: int) -> None:
    seed = random.Random(number).randbytes(32)
    match = m.begin(
        m.propose("Lightning", number, {}, "früh", seed), "Ann", "Bob", DAY, word="spät"
    ).match
    expected = Draws(seed.hex(), f"lightning-{number}", "früh", "spät").tiles()
    found = []
    for tile in expected:
        seat = match.to_move
        assert seat is not None
        result = m.draw(match, seat, [f"{tile}@pool"])
        assert isinstance(result, Done)
        assert isinstance(result.events[0], Drew)
        found.append(result.events[0].tile)
        match = result.match
    assert found == expected
    assert next_tile(match.position) is None
