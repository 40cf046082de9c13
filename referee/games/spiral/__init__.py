"""Spiral: its options, its tokens and its rules, as the house's Game; and its deals for files and mails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from referee.core.chance import Chance
from referee.core.game import BadTag
from referee.core.verdict import Rejected
from referee.games.spiral import rules, text
from referee.games.spiral.board import joins, shortest
from referee.games.spiral.cards import Columns, deal_text, drawn, pair_text, read_card, read_pair
from referee.games.spiral.options import read_setup
from referee.games.spiral.rules import Move, Position, Setup, Shown, Turn

BROOKS = "~"


class Spiral:
    """The rules of Spiral behind the Game protocol."""

    slug = "spiral"
    name = "Spiral"
    options = ("SameColumn", "Cycle", "Seed")
    """And `Deal1`, `Deal2`, … without end."""
    plies_per_number = 1
    draw_rule = "all-draw"
    takes_claims = False

    def setup(self, tags: Mapping[str, str]) -> Setup | BadTag:
        """Return variants and deals from the tags; see options.read_setup."""
        return read_setup(tags)

    def start(self, setup: Setup) -> Position:
        """Return the empty board with the first deal."""
        return rules.start(setup)

    def parse(self, word: str, setup: Setup) -> Move | Rejected:
        """Return the turn, or with `~` Dr. Brooks' cards, that a word means."""
        return _parse(word)

    def format(self, move: Move, setup: Setup) -> str:
        """Return `9S+QC`, with `~` before Dr. Brooks' cards; the cards in their order."""
        pair = pair_text(move.one, move.other)
        return BROOKS + pair if isinstance(move, Shown) else pair

    def play(self, position: Position, move: Move) -> Position | Rejected:
        """See rules.play."""
        return rules.play(position, move)

    def legal_moves(self, position: Position) -> Iterator[Move]:
        """See rules.legal_moves."""
        return rules.legal_moves(position)

    def may_offer(self, position: Position) -> Rejected | None:
        """Refuse: nobody is there to agree (all-draw)."""
        return Rejected("draw", "all-draw", "Spiral has no draws; take two cards or resign")

    def close(self, position: Position, result: str, reason: str) -> Position:
        """Return the position with the game ended by a ply that is no move."""
        return rules.close(position, result, reason)

    def draw_result(self, position: Position) -> str:
        """Return how a draw would be scored; Spiral has none."""
        return "1/2-1/2"

    def position_text(self, position: Position) -> str:
        """See text.position_text."""
        return text.position_text(position)

    def parse_position(self, text_: str, mover: str | None = None) -> Position | Rejected:
        """See text.parse_position; only the player moves."""
        return text.parse_position(text_)

    def colour_to_move(self, position: Position) -> str | None:
        """Return None: Spiral's player has no colour."""
        return None

    def proof(self, position: Position) -> tuple[str, ...]:
        """Return the cells of the fork or bridge that ended the game, as few as join its sides, along the spiral."""
        return proof(position)


@lru_cache(maxsize=2048)
def _parse(word: str) -> Move | Rejected:
    pair = read_pair(word)
    if pair is not None:
        brooks, one, other = pair
        return Shown(one, other) if brooks else Turn(one, other)
    if read_card(word.removeprefix(BROOKS)) is not None:
        return Rejected("syntax", None, f"{word} is one card; write two, such as 9S+QC")
    return Rejected(
        "syntax",
        None,
        f"{word} is no Spiral move; write two of the 32 cards, such as 9S+QC (ten is T)",
    )


def proof(position: Position) -> tuple[str, ...]:
    """Return the cells of the fork or bridge that ended the game, nothing for a game not ended on the board."""
    for groups in (position.groups, position.her_groups):
        for group in groups:
            if position.reason is not None and joins(group[1]) == position.reason:
                return shortest(group)
    return ()


def next_deal(position: Position, chance: Chance | None = None) -> tuple[int, Columns] | None:
    """Return number and columns of the deal that follows those dealt so far, None where none will come.

    It is drawn from `chance`, or from the record's own `Seed` (a club keeps the seed out of the record while the
    game is on). None where there is neither, and with `Cycle`, which deals once.
    """
    chance = chance or position.setup.chance
    if chance is None or (position.setup.cycle and position.deals):
        return None
    number = position.deals + 1
    return (number, drawn(chance, number))


def deal_tag(number: int, columns: Columns) -> tuple[str, str]:
    """Return name and value of the tag that gives a deal in a record."""
    return (f"Deal{number}", deal_text(columns))


def brooks_tokens(position: Position) -> tuple[str, ...]:
    """Return the `~` tokens of the last ply, in order: what a written record shows of Dr. Brooks' turn."""
    return tuple(BROOKS + pair_text(one, other) for one, other in rules.turned_up(position))


def mail_token(line: str) -> str | None:
    """Return the canonical token of two cards written with blanks among them (mails only), None for anything else."""
    pair = read_pair("".join(line.split()))
    if pair is None:
        return None
    brooks, one, other = pair
    return (BROOKS if brooks else "") + pair_text(one, other)


GAME = Spiral()
