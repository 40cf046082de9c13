"""Plies of a match: moves, draw offers and their acceptance, claims."""

from __future__ import annotations

from referee.core.verdict import Rejected
from referee.games.focus.rules import may_claim
from referee.match.ending import resign
from referee.match.events import Offered
from referee.match.model import Done, Match, not_on
from referee.match.queues import fire
from referee.match.steps import UNPLACED, apply, canonical
from referee.turns import State, step


def play(
    match: Match, seat: int, word: str, ply: int | None = None, deals: int | None = None
) -> Done | Rejected:
    """Play a word of the record for a player; then what the other has queued for it.

    `ply` is the number that the player gave: a late or repeated mail cannot hit another ply. `deals` is the number
    of deals that he knew when he wrote (Spiral): no turn goes beyond the next deal. `resign`, `draw!` and `draw?`
    are understood too.
    """
    refused = not_on(match) or _wrong_ply(match, ply)
    if refused is not None:
        return refused
    low = word.lower()
    if low == "draw?":
        return offer(match, seat)
    if low == "resign":
        return resign(match, seat)
    refused = not_in_turn(match, seat)
    if refused is not None:
        return refused
    token = canonical(match, word)
    if isinstance(token, Rejected):
        return token
    refused = _not_his(match, token, deals)
    if refused is not None:
        return refused
    done = apply(match, seat, token)
    return done if isinstance(done, Rejected) else fire(done)


def _wrong_ply(match: Match, ply: int | None) -> Rejected | None:
    due = match.plies + 1
    if ply is None or ply == due:
        return None
    what = "has been played" if ply < due else "is not yet to be played"
    return Rejected("ply", None, f"ply {ply} {what}; the next is {due}")


def not_in_turn(match: Match, seat: int) -> Rejected | None:
    """Return that it is not this player's turn, None where it is."""
    if match.to_move == seat:
        return None
    mover = match.player(match.to_move) if match.to_move is not None else "nobody"
    return Rejected("turn", None, f"{mover} is to move, not {match.player(seat)}")


def _not_his(match: Match, token: str, deals: int | None) -> Rejected | None:
    """Return why a word is not the player's to write: what chance decides comes from the club."""
    if match.solo:
        if token.startswith("~"):
            return Rejected(
                "card",
                "spiral-turn",
                "Dr. Brooks' cards are turned up by the club; write your own two",
            )
        if deals is not None and deals != match.position.deals:
            return Rejected(
                "deal",
                "spiral-redeal",
                "the cards were dealt again before this turn; look at them first",
            )
    if match.game == "Lightning":
        return _undrawn(match, token)
    return None


def _undrawn(match: Match, token: str) -> Rejected | None:
    """A drawn tile is placed only after the draw (lightning-draw); nothing here may tell what comes next."""
    if token.endswith(UNPLACED):
        return Rejected("syntax", None, "the club writes what is drawn; write draw")
    if token.startswith("pool:") or "@" not in token or match.position.pending is not None:
        return None
    kind = token.partition("@")[0]
    hint = f"draw; {token}"
    return Rejected(
        "no-tile",
        "lightning-draw",
        f"no tile is drawn yet; write `draw`, or `{hint}` for the case that it is a {kind}",
        (hint,),
    )


# -- draws by agreement and claims ---------------------------------------------------------------------------------


def offer(match: Match, seat: int) -> Done | Rejected:
    """Offer a draw: after one's own ply it stands at once; the player to move offers with his next ply."""
    refused = not_on(match)
    if refused is not None:
        return refused
    if match.solo:
        return Rejected("draw", "all-draw", "Spiral has no draws; take two cards or resign")
    refused = match.rules.may_offer(match.position)
    waiting_tile = match.position.needs == "placement" and match.to_move == seat
    if refused is not None and not waiting_tile:
        return refused
    if match.to_move == seat:
        return _offer_waits(match, seat)
    after = step(match.rules, match.state, "draw?")
    if isinstance(after, Rejected):
        return after
    return Done(match.with_state(after, words=(*match.words, "draw?")), (Offered(seat),))


def _offer_waits(match: Match, seat: int) -> Done | Rejected:
    rule = match.rules.draw_rule
    if match.offer is not None:
        name = match.player(1 - seat)
        return Rejected("draw", rule, f"{name} offers a draw already; draw! accepts it", ("draw!",))
    if match.offering == seat:
        return Rejected("draw", rule, "your offer waits for your move already")
    return Done(match.changed(offering=seat), (Offered(seat, waits=True),))


def accept(match: Match, seat: int) -> Done | Rejected:
    """Accept the other's draw offer: the ply `draw!`."""
    refused = not_on(match) or not_in_turn(match, seat)
    return refused or apply(match, seat, "draw!")


def may_claim_draw(match: Match, seat: int) -> bool:
    """Whether this player may claim a draw now: Focus, the third time of a position, his move (focus-draw)."""
    return match.game == "Focus" and match.to_move == seat and may_claim(match.position)


def claim(match: Match, seat: int) -> Done | Rejected:
    """Claim the draw by repetition: the ply `claim`."""
    refused = not_on(match) or not_in_turn(match, seat)
    if refused is not None:
        return refused
    if match.game != "Focus":
        after = step(match.rules, match.state, "claim")
        assert not isinstance(after, State)
        return after
    return apply(match, seat, "claim")
