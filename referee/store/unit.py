"""A unit of work: one transaction, with methods named by what they mean."""

from __future__ import annotations

from referee.store.parts.games import GamesPart
from referee.store.parts.limits import LimitsPart
from referee.store.parts.offers import OffersPart
from referee.store.parts.outbox import OutboxPart
from referee.store.parts.players import PlayersPart
from referee.store.parts.spool import SpoolPart
from referee.store.parts.times import TimesPart


class Unit(SpoolPart, OutboxPart, GamesPart, OffersPart, PlayersPart, LimitsPart, TimesPart):
    """All parts together. Everything done in a unit is kept when it ends, or nothing of it where it ends by an error.

    A unit from `Store.read` only looks: whatever would write is refused by the database itself (M38).
    """
