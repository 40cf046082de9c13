"""Quick ways give what the plain ways give: blocks, heads seen before, words parted by blanks, stones at one go."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.source import Source
from referee.core.verdict import Rejected
from referee.games.hex import GAME as HEX
from referee.games.hex import rules
from referee.games.hex.rules import OffBoard, Setup, Special, Swap
from referee.judge import judge
from referee.notation import lexer, moves
from referee.notation.moves import read
from referee.turns import State, leap

PIECES = [
    "1.",
    "1...",
    "2…",
    "e4",
    "swap",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\u00a0",
    "\x1c",
    ".",
    "..",
    "…",
]
PIECES += [
    "{a b}",
    "{",
    "}",
    ";x\n",
    "(",
    ")",
    "[T",
    "]",
    "*",
    "1-0",
    "1/2-1/2",
    "12",
    "~7H+AD",
    "x.y",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_words_parted_by_blanks_are_the_tokens(text: str) -> None:
    assert lexer.words(text) == [match[0] for match in lexer.token().finditer(text)]
    assert len(lexer.spans(text, 0)) == len(lexer.words(text))


HEADS = [
    '[Game "Hex"]',
    '[Size "5"]',
    '[First "a [Game b"]',
    '[First "\\""]',
    "[Game",
    "[\tGame]",
    "[Games",
    "[ ",
    '"',
    "\ufeff",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "x",
    "1. a1",
    "{\n\n",
    "*",
]
_TEXTS = st.lists(st.sampled_from(HEADS), max_size=14).map("".join)


@given(_TEXTS, st.integers(1, 9))
def test_pieces_of_any_length_hold_the_same_records(text: str, step: int) -> None:
    lines = text.split("\n")
    lines = [line + "\n" for line in lines[:-1]] + lines[-1:]
    pieces = ["".join(lines[at : at + step]) for at in range(0, len(lines), step)]
    sources = list(moves.split(lines, "x"))
    assert list(moves.split(pieces, "x")) == sources
    for source in sources:
        line = lines[source.line - 1]
        bom = line.startswith("\ufeff")
        assert line[source.column - 1 + bom :].startswith(source.text.split("\n")[0])
    read = [list(block.starts) for block in moves.blocks(pieces, "x")]
    assert sum(map(len, read)) == len(sources)


@given(_TEXTS)
def test_a_head_seen_before_is_read_alike(text: str) -> None:
    quick = read(Source("x", text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moves, "_LONGEST_HEAD", 0)
        plain = read(Source("x", text))
    assert (quick.tags, quick.words, quick.faults) == (plain.tags, plain.words, plain.faults)
    assert quick.find_spans() == plain.find_spans()
    assert list(quick.tags) == list(plain.tags)


def _one_by_one(position: rules.Position, moves: list[rules.Move]) -> rules.Position | None:
    for move in moves:
        after = rules.play(position, move)
        if isinstance(after, Rejected):
            return None
        position = after
    return position


@pytest.mark.parametrize("swap", list(Swap))
@pytest.mark.parametrize("seed", range(60))
def test_many_stones_at_one_go_are_the_stones_one_by_one(seed: int, swap: Swap) -> None:
    chance = random.Random(seed)
    setup = Setup(chance.randint(2, 5), swap)
    cells: list[rules.Move] = list(rules.plan(setup.size).order)
    chance.shuffle(cells)
    begun = rules.start(setup)
    if seed % 4 == 3:  # from a set-up position, either colour to move
        stones = [1 << c for c in cells[:4] if isinstance(c, int)]
        mover = chance.choice(["red", "blue"])
        begun = rules.arranged(setup, sum(stones[::2]), sum(stones[1::2]), mover)
    if seed % 3 == 1:
        cells.insert(1, Special.SWAP)
    if seed % 7 == 6:
        cells.insert(chance.randrange(len(cells)), chance.choice([cells[0], OffBoard("z9")]))
    for length in range(len(cells) + 1):
        moves = cells[:length]
        plainly = _one_by_one(begun, moves)
        if not moves or moves[-1] is Special.SWAP:
            plainly = None  # what ends without a stone is left to `play`
        assert rules.play_all(begun, moves) == plainly


@pytest.mark.parametrize(
    ("movetext", "taken"),
    [
        ("1. a1 b1 2. c1 *", 5),
        ("a1 b1 c1", 3),
        ("1. a1 swap 2. b2 c3 3. d4 1-0", 8),
        ("1. a1 b1 3. c1", None),
        ("1. a1 b1 2. a1", None),
        ("1. a1 b1 {so} 2. c1", None),
        ("1. a1 * 2. c1", None),
        ("1. a1 z9", None),
        ("1. a1 resign", None),
        ("2. a1", None),
        ("swap a1", None),
        ("", None),
    ],
)
def test_what_goes_at_one_go(movetext: str, taken: int | None) -> None:
    judge(read(Source("learn", '[Game "Hex"]\na1 b1 c1 b2 c3 d4 a2 *')))
    judge(read(Source("learn", '[Game "Hex"]\na1 swap *')))
    record = read(Source("quick", f'[Game "Hex"]\n{movetext}'))
    state = State(HEX.start(HEX.setup({})))  # type: ignore[arg-type]
    leapt = leap(HEX, state, record.words)
    assert (leapt[1] if leapt else None) == taken
