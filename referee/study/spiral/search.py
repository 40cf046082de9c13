"""All that can come of a deal: the quickest win by force, and the boards with which the next deal begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from referee.study.spiral.deal import COLUMNS, CYCLE, EACH, EMPTY, Board, Deck, Pick, Rules
from referee.study.spiral.lanes import shapes
from referee.study.spiral.needs import spare
from referee.study.spiral.table import FULL

Path = tuple[Pick, ...]
"""The player's choices, turn by turn."""


HOPE: Final = 9
"""From so many pieces of the player on it pays to ask whether a fork is still possible."""


class Found(NamedTuple):
    """What a search found.

    win     a quickest way to a fork within the deal, None where there is none
    leaves  each board with which new cards are dealt, and a way to it
    last    a longest way where all ways lose within the deal
    nodes   how many turns were played out
    whole   False where boards were left out, so that a win, or a quicker one, may have been overlooked
    """

    win: Path | None
    leaves: dict[Board, Path]
    last: Path
    nodes: int
    whole: bool = True


Keep = Callable[[list[Board]], list[Board]]
"""Chooses which boards of a turn are followed further."""


def explore(
    rules: Rules,
    deck: Deck,
    state: Board,
    first: Pick | None = None,
    keep: Keep | None = None,
    hopeful: bool = True,
) -> Found:
    """Return all that can come of a deal from a state with cards, after the choice `first` if one is given.

    Turn by turn, so that the first win is a quickest one; boards that are the same are looked at once, and those
    on which no fork can be made any more are left, unless `hopeful` is false. `keep` may leave out others, where there
    are too many.
    """
    layer: dict[Board, Path] = {state: ()}
    leaves: dict[Board, Path] = {}
    last: Path = ()
    nodes, whole = 0, True
    picks: Sequence[Pick] = () if first is None else (first,)
    while layer:
        placed = _player(rules, deck, layer, picks)
        picks = ()
        nodes += len(placed)
        made = shapes(rules.table, [board[0] for board, _ in placed])
        if 2 in made:
            return Found(placed[made.index(2)][1], {}, (), nodes, whole)
        last = placed[0][1]
        if any(made):
            placed = [item for item, shape in zip(placed, made, strict=True) if not shape]
        answered = _brooks(rules, deck, placed, leaves)
        made = shapes(rules.table, [board[1] for board, _ in answered])
        layer = {}
        for (board, path), shape in zip(answered, made, strict=True):
            if not shape:
                (layer if board[2] or rules.cycle else leaves)[board] = path
        if hopeful and layer and placed[0][0][0].bit_count() >= HOPE:
            boards = list(layer)
            for board, left in zip(boards, spare(rules.table, boards), strict=True):
                if left < 0:
                    del layer[board]
        if keep is not None and layer:
            kept = keep(list(layer))
            whole = whole and len(kept) == len(layer)
            layer = {board: layer[board] for board in kept}
    return Found(None, leaves, last, nodes, whole)


def _player(
    rules: Rules, deck: Deck, layer: dict[Board, Path], chosen: Sequence[Pick]
) -> list[tuple[Board, Path]]:
    """Return the boards after each choice of the player on each board of a layer; due where cards are wanted."""
    named, cycle = rules.table.named, rules.cycle
    found = []
    choices: dict[int, list[tuple[Pick, int, int, bool]]] = {}
    for (own, hers, used, _), path in layer.items():
        moves = choices.get(used)
        if moves is None:
            moves = choices[used] = []
            for pick in chosen or rules.picks(used):
                one, other = pick
                card = deck[one << 3 | used >> 4 * one & 7]
                after = used + (1 << 4 * one)
                cell = named[card << 3 | deck[other << 3 | after >> 4 * other & 7]]
                after += 1 << 4 * other
                due = not cycle and after & EMPTY != 0
                after = 0 if due else after & CYCLE if cycle else after
                moves.append((pick, (2 << cell) - 1, after, due))
        empty = FULL & ~(own | hers)
        for pick, reach, after, due in moves:
            outwards = empty & reach
            cell = 1 << outwards.bit_length() - 1 if outwards else empty & -empty
            found.append(((own | cell, hers, after, due), (*path, pick)))
    return found


def _brooks(
    rules: Rules, deck: Deck, boards: list[tuple[Board, Path]], leaves: dict[Board, Path]
) -> list[tuple[Board, Path]]:
    """Return the boards after Dr. Brooks' two pieces, `used` 0 where cards are wanted; where they were wanted before
    she could place, the board is one of the leaves.
    """
    named = rules.table.named
    found = []
    answers: dict[int, tuple[int, int, int]] = {}
    for board, path in boards:
        own, hers, used, due = board
        if due:
            leaves[board] = path
            continue
        answer = answers.get(used)
        if answer is None:
            a, b, c, d = (deck[n << 3 | used >> 4 * n & 7] for n in range(COLUMNS))
            after = used + EACH
            after = after & CYCLE if rules.cycle else 0 if after & EMPTY else after
            answer = (2 << named[a << 3 | b]) - 1, (2 << named[c << 3 | d]) - 1, after
            answers[used] = answer
        empty = FULL & ~(own | hers)
        outwards = empty & answer[0]
        cell = 1 << outwards.bit_length() - 1 if outwards else empty & -empty
        empty ^= cell
        outwards = empty & answer[1]
        second = 1 << outwards.bit_length() - 1 if outwards else empty & -empty
        found.append(((own, hers | cell | second, answer[2], False), path))
    return found
