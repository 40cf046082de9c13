"""Lightning: its options, its tokens and its rules, as the house's Game; and what a club's draw needs to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.chance import Chance, parse_seed
from referee.core.game import BadTag
from referee.core.verdict import Rejected
from referee.games.lightning import rules, text
from referee.games.lightning.lines import CELLS, State
from referee.games.lightning.position import Move, Position, Setup, drawable_kinds, next_kind, start
from referee.games.lightning.tiles import KINDS


class Lightning:
    """The rules of Lightning behind the Game protocol."""

    slug = "lightning"
    name = "Lightning"
    options = ("Seed",)
    plies_per_number = 2
    draw_rule = "lightning-exhausted"
    takes_claims = False

    def setup(self, tags: Mapping[str, str]) -> Setup | BadTag:
        """Return where the draws come from: `Seed` with `GameId`, `Word1` and `Word2` (mail.md, Chance)."""
        value = tags.get("Seed")
        if value is None:
            return Setup()
        seed = parse_seed(value)
        if seed is None:
            return BadTag("Seed", "this is no seed; write 64 hex digits")
        return Setup(
            Chance(seed, tags.get("GameId", ""), tags.get("Word1", ""), tags.get("Word2", ""))
        )

    def start(self, setup: Setup) -> Position:
        """Return two empty lines and the full pile, first to move."""
        return start(setup)

    def parse(self, word: str, setup: Setup) -> Move | Rejected:
        """See text.parse_move."""
        return text.parse_move(word)

    def format(self, move: Move, setup: Setup) -> str:
        """See text.format_move."""
        return text.format_move(move)

    def play(self, position: Position, move: Move) -> Position | Rejected:
        """See rules.play."""
        return rules.play(position, move)

    def legal_moves(self, position: Position) -> Iterator[Move]:
        """See rules.legal_moves."""
        return rules.legal_moves(position)

    def may_offer(self, position: Position) -> Rejected | None:
        """Refuse only while a drawn tile waits for its place; draws by agreement exist (lightning-exhausted)."""
        if position.pending is None:
            return None
        kind = KINDS[position.pending]
        message = f"{kind} is drawn and waits for its place; place it or resign before a draw is offered or agreed"
        return Rejected("draw", self.draw_rule, message, (f"{kind}@pool",))

    def close(self, position: Position, result: str, reason: str) -> Position:
        """Return the position with the game ended by a ply that is no move."""
        new = position.copy()
        new.plies += 1
        new.to_move, new.result, new.reason = None, result, reason
        return new

    def draw_result(self, position: Position) -> str:
        """Return half a point each."""
        return "1/2-1/2"

    def position_text(self, position: Position) -> str:
        """See text.format_position."""
        return text.format_position(position)

    def parse_position(self, text_: str, mover: str | None = None) -> Position | Rejected:
        """See text.parse_position; the text itself says who is to move."""
        return text.parse_position(text_)

    def colour_to_move(self, position: Position) -> str | None:
        """Return None: Lightning has no colours."""
        return None

    def proof(self, position: Position) -> tuple[str, ...]:
        """Return the cells of the complete line from its first tile to its end, branches left behind not among them."""
        for line in position.lines:
            if line.state is State.COMPLETE:
                return tuple(CELLS[tile.cell].label for tile in line.path())
        return ()


def next_tile(position: Position, chance: Chance | None = None) -> str | None:
    """Return the kind ("I" to "V") that the next draw gives, by `chance` or else by the record's own `Seed`.

    While a game is on its record holds no seed, so a club gives its own. A tile drawn and not yet placed is given
    again. None without a seed, with an empty pile, or after the end.
    """
    kind = next_kind(position, chance)
    return None if kind is None else KINDS[kind]


def drawable(position: Position) -> tuple[str, ...]:
    """Return the kinds that may be drawn now, I to V; with a `Seed` only the one that comes next."""
    return tuple(KINDS[kind] for kind in drawable_kinds(position))


GAME = Lightning()
