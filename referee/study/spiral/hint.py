"""What each choice of cards leads to, for the player: exactly within the deal, by games played on beyond it.

Only what lies open counts: the cards on the table and the board. Deals to come are never looked at, even where a
record or its seed would tell them; beyond the deal a chance is the share of games won with deals shuffled afresh.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple

from pnp.spiral_layout import WAY, standard
from referee.games.spiral.cards import CARDS, HEIGHT, Columns, pair_text
from referee.games.spiral.rules import Position, Turn, play
from referee.study.estimates import Estimate, share
from referee.study.spiral.deal import LOST, RANKS, WON, Deck, Pick, Rules, State
from referee.study.spiral.needs import Needs, needs, spare
from referee.study.spiral.players import LATE, PLAYERS, Searcher, play_game, try_out
from referee.study.spiral.search import Found, Path, explore
from referee.study.spiral.table import CELLS, OWN_MOST, table
from referee.study.spiral.value import chances

GAMES: Final = 60
"""Games played on for a choice among the best."""
PILOT: Final = 20
"""Games played on for every choice that the deal does not decide."""
BEST: Final = 3
"""So many choices are looked at closely."""
LOOK: Final = 1000
"""Boards at the deal's end that are rated for a choice, a sample where there are more."""
SHORT, DEALS = 6, 8
"""Late in the game so many boards are tried out in so many deals to come before one of them is played on from."""
WIDTH: Final = 40
"""Boards of a turn that are followed with `Cycle`, where the deal lasts the whole game."""
SEED: Final = 1892


class Placed(NamedTuple):
    """A piece that a choice leads to: the two cards, the cell that they name and the one where it lands."""

    cards: str
    named: str
    cell: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice and what comes of it.

    cards    as a record has them, `9S+QC`
    piece    the player's piece; `brooks` those of Dr. Brooks as far as her cards lie open
    frees    the cards that are free afterwards and were not before; empty where new cards are dealt
    dealt    True where new cards are dealt at once
    end      `won` or `lost` where this turn ends the game
    win      turns to a fork by force, this one included, None where the deal gives none
    lost     whether no way can win any more
    loss     turns within which Dr. Brooks then wins on every way, None where some way lasts longer than this deal
    exact    False where the search had to leave out boards
    chance   share of games won on from the best board at the deal's end; None where the deal decides, or nothing is
             known (with `Cycle`)
    games    how many games that is
    plan     the choices from this one to the win, or to the end of the deal
    need     what both sides need after this turn, None after the end
    """

    cards: str
    piece: Placed
    brooks: tuple[Placed, ...]
    frees: tuple[str, ...]
    dealt: bool
    end: str | None
    win: int | None
    lost: bool
    loss: int | None
    exact: bool
    chance: Estimate | None
    games: int
    plan: tuple[str, ...]
    need: Needs | None

    @property
    def rank(self) -> tuple[float, ...]:
        """Sorts the best choice first: quick wins, then chances by the lower end of the interval (more games played on
        say more), then what is not known, then long losses.
        """
        if self.win is not None:
            return (0.0, float(self.win))
        if self.chance is not None:
            return (1.0, -self.chance.low)
        return (3.0 if self.lost else 2.0, -float(self.loss or OWN_MOST))


class Key(NamedTuple):
    """An empty cell, and what the nearest fork would need if Dr. Brooks filled it."""

    cell: str
    need: int


class Advice(NamedTuple):
    """What there is to be said of a position.

    choices  all of them, the best first
    keys     the cells that the player can spare least, the dearest first
    need     what both sides need before the turn; `turn` its number, `left` the player's pieces to come
    nodes    how many turns were played out
    """

    choices: tuple[Choice, ...]
    keys: tuple[Key, ...]
    need: Needs
    turn: int
    left: int
    nodes: int


def opened(position: Position) -> tuple[Rules, Deck, State]:
    """Return a position as the search sees it: ranks of the cards on the table, and the pieces."""
    setup = position.setup
    rules = Rules(table(standard()), setup.same_column, setup.cycle)
    deck = [0] * (len(position.columns) * HEIGHT)
    used = 0
    for number, column in enumerate(position.columns):
        gone = HEIGHT - len(column)
        used += gone << 4 * number
        for place, card in enumerate(reversed(column), gone):
            deck[number * HEIGHT + place] = card % RANKS
    state = State(position.own, position.filled & ~position.own, used)
    return rules, tuple(deck), state


def advise(
    position: Position, games: int = GAMES, hear: Callable[[int], None] | None = None
) -> Advice:
    """Return what each choice leads to. The player is to move and the cards lie open.

    `hear` is told of each game that was played on, for a bar.
    """
    rules, deck, state = opened(position)
    rng = Random(SEED)
    keep = Searcher(chances).keeping(rules.table, WIDTH) if rules.cycle else None
    drafts: list[_Draft] = []
    nodes = 0
    for pick in rules.picks(state.used):
        found = explore(rules, deck, state, pick, keep)
        nodes += found.nodes
        loss = None
        if found.whole and not found.win and not found.leaves:
            ways = explore(rules, deck, state, pick, keep, hopeful=False)
            loss = None if ways.leaves or not ways.whole else len(ways.last)
        drafts.append(_draft(rules, found, position, pick, rng, loss))
    open_ones = [draft for draft in drafts if draft.board is not None]
    for draft in open_ones:
        draft.play_on(rules, min(PILOT, games), hear)
    open_ones.sort(key=lambda draft: -draft.won)
    for draft in open_ones[:BEST]:
        draft.play_on(rules, games, hear)
    choices = sorted((draft.choice() for draft in drafts), key=lambda choice: choice.rank)
    before = needs(rules.table, [state])[0]
    left = OWN_MOST - position.own.bit_count()
    return Advice(
        tuple(choices),
        keys_of(rules, state, before.forks[0]),
        before,
        position.plies + 1,
        left,
        nodes,
    )


def keys_of(rules: Rules, state: State, need: int) -> tuple[Key, ...]:
    """Return the empty cells without which the nearest fork, which needs `need` pieces, would need more."""
    empty = [cell for cell in range(CELLS) if not (state.own | state.hers) >> cell & 1]
    boards = [(state.own, state.hers | 1 << cell, 0, False) for cell in empty]
    keys = [
        Key(WAY[cell], without.forks[0])
        for cell, without in zip(empty, needs(rules.table, boards), strict=True)
        if without.forks[0] > need
    ]
    return tuple(sorted(keys, key=lambda key: -key.need))


@dataclass(slots=True)
class _Draft:
    """A choice while games are played on from the board at the end of its deal."""

    known: Choice
    board: State | None
    won: int = 0
    played: int = 0

    def play_on(self, rules: Rules, games: int, hear: Callable[[int], None] | None) -> None:
        """Play up to `games` games; game n of every choice has the same deals."""
        assert self.board is not None
        for number in range(self.played, games):
            deals, rng = Random(f"{SEED} {number} deals"), Random(f"{SEED} {number}")
            self.won += play_game(rules, PLAYERS["quick"], deals, rng, self.board).won
            if hear is not None:
                hear(1)
        self.played = max(self.played, games)

    def choice(self) -> Choice:
        """Return the choice with its chance."""
        if self.board is None:
            return self.known
        return replace(self.known, chance=share(self.won, self.played), games=self.played)


def _draft(
    rules: Rules, found: Found, position: Position, pick: Pick, rng: Random, loss: int | None
) -> _Draft:
    """Return a choice as far as its deal tells, and the board to play on from where it does not decide."""
    path = found.win or found.last
    board = _best(rules, found, rng) if found.win is None else None
    if board is not None:
        path = found.leaves[board]
    after = play(_without_deals(position), _turn(position.columns, pick))
    assert isinstance(after, Position)
    pieces = [Placed(pair_text(p.one, p.other), WAY[p.named], WAY[p.cell]) for p in after.last]
    over = after.to_move is None
    dealt = after.needs is not None
    free = {column[-1] for column in position.columns}
    need = None if over else needs(rules.table, [_board(after)])[0]
    known = Choice(
        cards=pieces[0].cards,
        piece=pieces[0],
        brooks=tuple(pieces[1:]),
        frees=()
        if dealt or over
        else tuple(CARDS[c[-1]] for c in after.columns if c[-1] not in free),
        dealt=dealt,
        end=(WON if after.result == "1-0" else LOST) if over else None,
        win=len(found.win) if found.win else None,
        lost=found.win is None and board is None and found.whole,
        loss=loss,
        exact=found.whole,
        chance=None,
        games=0,
        plan=_plan(position, path),
        need=need,
    )
    return _Draft(known, board)


def _best(rules: Rules, found: Found, rng: Random) -> State | None:
    """Return the board at the end of the deal that is to be played on from, None where no fork is possible."""
    boards = list(found.leaves)
    left = spare(rules.table, boards)
    boards = [board for board, pieces in zip(boards, left, strict=True) if pieces >= 0]
    if not boards:
        return None
    if len(boards) > LOOK:
        boards = rng.sample(boards, LOOK)
    rates = chances(rules.table, boards)
    ranked = sorted(range(len(boards)), key=lambda at: -rates[at])
    tried = [boards[at] for at in ranked[:SHORT]]
    if len(tried) == 1 or tried[0][0].bit_count() < LATE:
        return State(*tried[0])
    worths = try_out(rules, tried, DEALS, rng)
    return State(*tried[max(range(len(tried)), key=lambda at: worths[at])])


def _without_deals(position: Position) -> Position:
    """Return the position with nothing to deal from, so that no deal to come can be seen."""
    blind = position.copy()
    blind.setup = position.setup._replace(deals=(), chance=None)
    return blind


def _plan(position: Position, path: Path) -> tuple[str, ...]:
    """Return a way through the deal as a record has it."""
    here = _without_deals(position)
    tokens = []
    for pick in path:
        move = _turn(here.columns, pick)
        tokens.append(pair_text(*move))
        after = play(here, move)
        assert isinstance(after, Position)
        here = after
    return tuple(tokens)


def _turn(columns: Columns, pick: Pick) -> Turn:
    one, other = pick
    if one == other:
        return Turn(columns[one][-1], columns[one][-2])
    return Turn(columns[one][-1], columns[other][-1])


def _board(position: Position) -> tuple[int, int, int, bool]:
    return (position.own, position.filled & ~position.own, 0, False)
