"""Lightning's draw by mail, with conditional orders (mail.md, Commands: `draw`)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.verdict import Rejected
from referee.games.lightning import next_tile
from referee.games.lightning.position import ONE, Drawn, Place, ToPool
from referee.games.lightning.tiles import KINDS
from referee.match.events import Drew
from referee.match.model import Done, Match, not_on
from referee.match.plies import not_in_turn
from referee.match.queues import fire
from referee.match.record import public_position
from referee.match.steps import UNPLACED, apply
from referee.turns import State, step


def draw(match: Match, seat: int, orders: Sequence[str] = ()) -> Done | Rejected:
    """Draw the next tile for the player to move, and carry out his order for its kind, if he gave one.

    All orders are checked before the draw, against what the player can know; one that is illegal refuses the whole
    and nothing is drawn. A tile drawn before and not yet placed is given again. The tile comes from the seed: the
    same for every way of asking.
    """
    refused = not_on(match) or not_in_turn(match, seat)
    if refused is not None:
        return refused
    if match.game != "Lightning":
        return Rejected("syntax", None, f"nothing is drawn in {match.game}; write a move")
    chosen = _checked(match, orders)
    if isinstance(chosen, Rejected):
        return chosen
    done = _drawn(match, seat)
    if isinstance(done, Rejected):
        return done
    drew = done.events[0]
    assert isinstance(drew, Drew)
    order = chosen.get(drew.tile)
    if order is None:
        return done
    played = apply(done.match, seat, order)
    assert isinstance(played, Done), (
        order
    )  # it was legal before the draw, which changes nothing for it
    return fire(Done(played.match, (*done.events, *played.events)))


def _drawn(match: Match, seat: int) -> Done | Rejected:
    """Take the tile off the pile: the word `III@?`; one that waits already is told again."""
    position = match.position
    kind = next_tile(position)
    if kind is None:
        return Rejected(
            "no-tile",
            "lightning-exhausted",
            "the pile is empty; take a tile from the pool, or pass",
        )
    if position.pending is not None:
        return Done(match, (Drew(seat, kind, again=True),))
    word = kind + UNPLACED
    after = step(match.rules, match.state, word)
    assert isinstance(after, State), word
    new = match.with_state(after, words=(*match.words, word), event=match.event + 1)
    return Done(new, (Drew(seat, kind),))


def _checked(match: Match, orders: Sequence[str]) -> dict[str, str] | Rejected:
    """Return the orders by kind, in canonical form, or the first fault in them."""
    chosen: dict[str, str] = {}
    before = _before_draw(match)
    for order in orders:
        move = match.rules.parse(order, match.setup)
        if isinstance(move, Rejected):
            return move
        if isinstance(move, Drawn) or (isinstance(move, Place) and move.from_pool):
            return _no_order(order)
        if isinstance(move, Place | ToPool):
            kind = KINDS[move.kind]
            if kind in chosen:
                return Rejected("order", None, f"{kind} has two orders; give one order a kind")
            chosen[kind] = match.rules.format(move, match.setup)
        elif match.rules.format(move, match.setup) == "pass":
            return _no_order(order)
        after = match.rules.play(before, move)
        if isinstance(after, Rejected):
            return Rejected(
                after.code,
                after.rule,
                f"the order {order}: {after.message}; nothing was drawn",
                after.would,
            )
    return chosen


def _no_order(order: str) -> Rejected:
    return Rejected(
        "order",
        None,
        f"{order} is no order for a drawn tile; write III@d1:s-ne or III@pool; nothing was drawn",
    )


def _before_draw(match: Match) -> object:
    """Return the public position as it was before a tile that waits was drawn."""
    position = public_position(match)
    if position.pending is not None:
        position.pile += ONE[position.pending]
        position.pending = None
    return position
