"""Lightning in the referee: the handed verdicts, positions as text, seeds, advice, and the line that won."""

from __future__ import annotations

import hmac
import json
import time
from pathlib import Path

import pytest

from referee.core.chance import Chance
from referee.core.game import BadTag
from referee.core.verdict import Rejected
from referee.games.lightning import GAME, Position, drawable, next_tile
from referee.games.lightning.lines import CELLS, State
from referee.judge import judge
from referee.notation.moves import read, split

KINDS = ("I", "II", "III", "IV", "V")
SEED = "1890" * 16
TAGS = {"Seed": SEED, "GameId": "lightning-7", "Word1": "Ann", "Word2": "rain & thunder"}


def begin(tags: dict[str, str] | None = None) -> Position:
    """The position before ply 1."""
    setup = GAME.setup(tags or {})
    assert not isinstance(setup, BadTag)
    return GAME.start(setup)


def tell(position: Position, token: str) -> Position | Rejected:
    """What a token does to a position."""
    move = GAME.parse(token, position.setup)
    return move if isinstance(move, Rejected) else GAME.play(position, move)


def after(tokens: str, tags: dict[str, str] | None = None) -> Position:
    """The position after legal tokens."""
    position = begin(tags)
    for token in tokens.split():
        told = tell(position, token)
        assert isinstance(told, Position), (token, told)
        position = told
    return position


def refused(position: Position, token: str) -> Rejected:
    """The refusal of a token; the position must stay as it was (all-refuse)."""
    before = GAME.position_text(position)
    told = tell(position, token)
    assert isinstance(told, Rejected), token
    assert GAME.position_text(position) == before
    return told


def column(letter: str, last: int, first: int = 1) -> str:
    return " ".join(f"I@{letter}{row}:s-n" for row in range(first, last + 1))


# -- the handed verdicts -------------------------------------------------------------------------------------------


def test_handed_verdicts_agree_in_every_field(shared: Path) -> None:
    folder = shared / "data" / "cases"
    text = (folder / "lightning.expected.jsonl").read_text(encoding="utf-8")
    wanted = [json.loads(line) for line in text.splitlines()]
    with (folder / "lightning.moves").open(encoding="utf-8-sig", newline="") as lines:
        told = [
            judge(read(source)).as_json("lightning.moves", index)
            for index, source in enumerate(split(lines, "lightning.moves"), 1)
        ]
    assert len(told) == len(wanted) == 100
    for got, want in zip(told, wanted, strict=True):
        fault = want.pop("error")
        error = got["error"]
        assert {key: got[key] for key in want} == want
        assert (error is None) == (fault is None)
        if fault is not None:
            assert isinstance(error, dict)
            assert {key: error[key] for key in ("code", "ply")} == {
                key: fault[key] for key in ("code", "ply")
            }
            assert fault["token"] in (None, error["token"])


def test_speed_of_judging(shared: Path) -> None:
    """Far below the aim of 60,000 plies/s on an idle core, as the machine may be busy; quadratic work would fail."""
    with (shared / "data" / "cases" / "lightning.moves").open(
        encoding="utf-8-sig", newline=""
    ) as lines:
        records = [read(source) for source in split(lines, "lightning.moves")]
    best = 0.0
    for _ in range(4):
        begun = time.process_time()
        plies = sum(judge(record).plies for record in records)
        best = max(best, plies / (time.process_time() - begun))
    assert best > 15_000


# -- positions as text ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tokens",
    [
        "",
        "III@pool",
        "I@d1:s-n III@?",
        "IV@h1:sw-e",
        column("d", 17),
        column("p", 17),
        column("d", 16) + " III@d17:s-ne",
        " ".join(f"V@{c}1:se-sw" for c in "hgfedcba"),
        " ".join(f"V@{c}1:se-sw" for c in "hgfedcbaponmlkji"),
        "II@d1:se-nw V@d2:sw-se II@e1:nw-se V@f1:sw-se IV@g1:sw-e I@h1:w-e",
    ],
)
def test_position_text_reads_back(tokens: str) -> None:
    position = after(tokens)
    again = GAME.parse_position(GAME.position_text(position))
    assert isinstance(again, Position)
    assert GAME.position_text(again) == GAME.position_text(position)
    assert (again.to_move, again.result, again.reason) == (
        position.to_move,
        position.result,
        position.reason,
    )
    assert again.needs == position.needs
    for line, same in zip(position.lines, again.lines, strict=True):
        assert (line.state, line.joints, line.tiles()) == (same.state, same.joints, same.tiles())
    assert list(GAME.legal_moves(again)) == list(GAME.legal_moves(position))


def test_position_text_may_hold_blanks_and_capitals() -> None:
    told = GAME.parse_position(" D1:S-NE , e2:sw-n | | 0,0,0,0,1 | 30,30,29,30,29 | 1 | iv ")
    assert isinstance(told, Position)
    assert GAME.position_text(told) == "d1:s-ne,e2:sw-n||0,0,0,0,1|30,30,29,30,29|1|IV"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not 1"),
        ("d1:s-n||0,0,0,0,0|29,30,30,30,30", "not 4"),
        ("d1:s-n||0,0,0,0|29,30,30,30,30|2", "pool"),
        ("d1:s-n||0,0,0,0,0|29,30,30,30,31|2", "pile"),
        ("d1:s-n||0,0,0,0,0|29,30,30,30,-1|2", "pile"),
        ("d1:s-n||0,0,0,0,0|29,30,30,30,30|3", "'3'"),
        ("d1:s-n||0,0,0,0,0|29,30,30,30,30|2|VI", "'vi'"),
        ("d1:s-n,d2||0,0,0,0,0|28,30,30,30,30|1", "tile 2, d2"),
        ("d1:s-x||0,0,0,0,0|28,30,30,30,30|1", "tile 1"),
        ("d1:s-e||0,0,0,0,0|28,30,30,30,30|1", "no tile joins s and e"),
        ("i1:s-n||0,0,0,0,0|29,30,30,30,30|2", "no cell of section 1"),
        ("|d1:s-n|0,0,0,0,0|29,30,30,30,30|2", "no cell of section 2"),
        ("d18:s-n||0,0,0,0,0|29,30,30,30,30|2", "no cell of section 1"),
        ("d1:s-n,d1:s-n||0,0,0,0,0|28,30,30,30,30|1", "d1 holds a tile"),
        ("d1:s-n,d3:s-n||0,0,0,0,0|28,30,30,30,30|1", "cannot go on there"),
    ],
)
def test_position_text_that_is_wrong_says_where(text: str, says: str) -> None:
    told = GAME.parse_position(text)
    assert isinstance(told, Rejected)
    assert told.code == "syntax"
    assert says in told.message


def test_a_won_position_has_no_player_to_move() -> None:
    text = GAME.position_text(after(column("d", 17)))
    told = GAME.parse_position(text[:-1] + "2")
    assert isinstance(told, Rejected)
    assert "complete" in told.message


# -- seeds and draws -----------------------------------------------------------------------------------------------


def order_of(tags: dict[str, str], number: int) -> list[str]:
    """The first tiles of a seed, straight from the text of the rules."""
    left = [kind for kind in KINDS for _ in range(30)]
    found = []
    for n in range(1, number + 1):
        text = f"draw\n{tags['GameId']}\n{n}\n0\n{tags['Word1']}\n{tags['Word2']}\n"
        value = hmac.digest(bytes.fromhex(tags["Seed"]), text.encode(), "sha256")
        found.append(left.pop(int.from_bytes(value, "big") % len(left)))
    return found


def test_all_150_tiles_of_a_seed() -> None:
    position = begin(TAGS)
    for kind in order_of(TAGS, 150):
        assert next_tile(position) == kind
        assert drawable(position) == (kind,)
        position = after(f"{kind}@pool", TAGS) if position.plies == 0 else _pooled(position, kind)
    assert GAME.position_text(position) == "||30,30,30,30,30|0,0,0,0,0|1"
    assert next_tile(position) is None
    assert drawable(position) == ()
    assert isinstance(tell(position, "pass"), Position)


def _pooled(position: Position, kind: str) -> Position:
    others = [k for k in KINDS if k != kind]
    for other in others:
        assert refused(position, f"{other}@pool").code == "no-tile"
    told = tell(position, f"{kind}@pool")
    assert isinstance(told, Position)
    return told


def test_a_club_gives_the_seed_that_the_record_does_not_hold() -> None:
    position = begin({"GameId": "lightning-7", "Word1": "Ann", "Word2": "rain & thunder"})
    chance = Chance(bytes.fromhex(SEED), "lightning-7", "Ann", "rain & thunder")
    assert next_tile(position) is None
    assert drawable(position) == KINDS
    first = order_of(TAGS, 1)[0]
    assert next_tile(position, chance) == first
    waiting = tell(position, f"{first}@?")
    assert isinstance(waiting, Position)
    assert next_tile(waiting, chance) == first, "a second draw gives the same tile"
    assert drawable(waiting) == ()


@pytest.mark.parametrize("seed", ["", "0" * 63, "0" * 65, "g" * 64, " " + "0" * 63])
def test_a_seed_is_64_hex_digits(seed: str) -> None:
    bad = GAME.setup({"Seed": seed})
    assert isinstance(bad, BadTag)
    assert (bad.name, bad.code) == ("Seed", "tag")


def test_drawable_without_a_seed() -> None:
    position = after(" ".join(["III@pool"] * 30))
    assert drawable(position) == ("I", "II", "IV", "V")
    assert drawable(after("I@pool II@?")) == ()
    assert drawable(after(column("d", 17))) == ()


# -- the line that won ---------------------------------------------------------------------------------------------


def test_proof_is_the_line_from_the_near_to_the_far_boundary() -> None:
    position = after(column("d", 17))
    assert GAME.proof(position) == tuple(f"d{row}" for row in range(1, 18))
    assert GAME.proof(after(column("d", 16))) == ()


def test_proof_leaves_out_a_branch_that_was_left_behind() -> None:
    """d3 closes a loop and blocks the line; the branch leaves e3:nw, so d3 leads nowhere."""
    tokens = "I@d1:s-n III@d2:s-ne V@e2:nw-ne II@e3:se-nw V@d3:ne-se II@e4:sw-ne III@f5:sw-n "
    position = after(tokens + column("f", 17, 6))
    assert position.reason == "complete"
    way = ("d1", "d2", "e2", "e3", "e4", *(f"f{row}" for row in range(5, 18)))
    assert GAME.proof(position) == way


def test_proof_after_a_branch_from_the_first_entry() -> None:
    """h1 leads to the section's edge; the line that wins begins with the branch from its entry."""
    position = after("IV@h1:sw-e II@g1:se-nw III@f2:se-w IV@e2:e-sw II@d1:ne-sw II@c1:se-nw "
                     "II@b2:se-nw IV@a3:se-n " + column("a", 17, 4))  # fmt: skip
    assert position.reason == "complete"
    cells = ("g1", "f2", "e2", "d1", "c1", "b2", "a3", *(f"a{row}" for row in range(4, 18)))
    assert GAME.proof(position) == cells


# -- advice --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tokens", "token", "nearest"),
    [
        ("", "I@d2:s-n", "I@d1:s-n"),
        ("", "III@d1:sw-e", "III@d1:sw-n"),
        ("I@d1:s-n", "I@d2:n-s", "I@d2:s-n"),
        ("II@g1:sw-ne IV@h2:sw-e", "II@f1:se-nw", "II@g2:se-nw"),
        ("", "pool:III@d1:sw-n", "III@d1:sw-n"),
        ("II@pool", "pool:III@d1:sw-ne", "pool:II@d1:sw-ne"),
        ("III@?", "I@pool", "III@pool"),
        ("I@d1:s-n", "V@d2:s-n", "V@pool"),
        (" ".join(f"V@{c}1:se-sw" for c in "hgfedcba"), "I@d9:s-n", "I@i1:s-n"),
    ],
)
def test_a_refusal_names_the_nearest_legal_moves(tokens: str, token: str, nearest: str) -> None:
    position = after(tokens)
    would = refused(position, token).would
    assert nearest == would[0] if nearest.partition("@")[2] != "pool" else nearest in would
    assert len(would) <= 4
    for move in would:
        assert isinstance(tell(position, move), Position), move


def test_messages_say_where_the_line_goes_on() -> None:
    blocked = after("II@d1:se-nw V@d2:sw-se II@e1:nw-se V@f1:sw-se IV@g1:sw-e I@h1:w-e")
    assert "branches from d2:sw or e1:nw" in refused(blocked, "II@c3:se-nw").message
    assert "goes on from its end, d1:n" in refused(after("I@d1:s-n"), "I@d3:s-n").message
    assert "starts on row 1" in refused(begin(), "I@d3:s-n").message
    assert "a1 to h17" in refused(begin(), "I@q1:s-n").message


# -- the line's own account ----------------------------------------------------------------------------------------


def test_a_line_tells_its_state_and_where_it_goes_on() -> None:
    line = after("I@d1:s-n").lines[0]
    assert (line.state, line.joint_places()) == (State.OPEN, ((7, 2),))
    tie = after("II@d1:se-nw V@d2:sw-se II@e1:nw-se V@f1:sw-se IV@g1:sw-e I@h1:w-e").lines[0]
    assert (tie.state, tie.joint_places()) == (State.BLOCKED, ((6, 2), (8, 2)))
    assert [CELLS[tile.cell].label for tile in tie.tiles()] == ["d1", "d2", "e1", "f1", "g1", "h1"]
    won = after(column("d", 17)).lines[0]
    assert (won.state, won.joint_places()) == (State.COMPLETE, ())


def test_the_last_ply_is_kept_for_diagrams() -> None:
    assert begin().last is None
    position = after("I@d1:s-n III@?")
    assert position.last is not None
    assert GAME.format(position.last, position.setup) == "I@d1:s-n"
