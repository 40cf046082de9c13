"""Challenges, and Spiral games that wait for `start` (mail.md, Who may move, Chance; M75)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import insert, or_, select, update

from referee.clock import Settings, settings_of, settings_saved
from referee.match import Proposal
from referee.store.parts.base import Part
from referee.store.rows import Challenge
from referee.store.schema import challenges

OPEN = "open"

Closing = Literal["accepted", "declined", "withdrawn", "expired"]


class OffersPart(Part):
    """Open challenges and their ends."""

    def add_challenge(
        self,
        proposal: Proposal,
        challenger_id: int,
        expires: datetime,
        clock: Settings | None,
        *,
        opponent_id: int | None = None,
        opponent_address: str | None = None,
    ) -> Challenge:
        """Keep a challenge of a player or of an address unknown as yet; neither: Spiral waits for `start`."""
        self._db.execute(
            insert(challenges).values(
                id=proposal.id,
                game=proposal.game,
                status=OPEN,
                challenger_id=challenger_id,
                opponent_id=opponent_id,
                opponent_address=opponent_address.lower() if opponent_address else None,
                options=dict(proposal.options),
                clock=None if clock is None else settings_saved(clock),
                word=proposal.word,
                seed=proposal.seed,
                commitment=proposal.commit,
                created=self.now,
                expires=expires,
            )
        )
        kept = self.challenge(proposal.id)
        assert kept is not None
        return kept

    def challenge(self, game_id: str) -> Challenge | None:
        """Return a challenge by the id of its game, whatever became of it."""
        wanted = select(challenges).where(challenges.c.id == game_id)
        row = self._db.execute(self._held(wanted)).first()
        return None if row is None else _challenge(row)

    def challenges_of(self, player_id: int, limit: int = 100) -> list[Challenge]:
        """Return the open challenges from and to a player, the oldest first."""
        mine = or_(challenges.c.challenger_id == player_id, challenges.c.opponent_id == player_id)
        return self._found(challenges.c.status == OPEN, mine, limit=limit)

    def challenges_at(self, address: str) -> list[Challenge]:
        """Return the open challenges to an address that was unknown when they were made."""
        return self._found(
            challenges.c.status == OPEN, challenges.c.opponent_address == address.lower()
        )

    def challenges_expired(self, limit: int = 100) -> list[Challenge]:
        """Return open challenges whose time has run out."""
        return self._found(
            challenges.c.status == OPEN, challenges.c.expires <= self.now, limit=limit
        )

    def _found(self, *conditions: Any, limit: int = 100) -> list[Challenge]:
        statement = (
            select(challenges).where(*conditions).order_by(challenges.c.created).limit(limit)
        )
        return [_challenge(row) for row in self._db.execute(statement)]

    def claim_challenges(self, address: str, player_id: int) -> int:
        """Make the open challenges to an address those of the player who has joined with it; return how many."""
        done = self._db.execute(
            update(challenges)
            .where(challenges.c.status == OPEN, challenges.c.opponent_address == address.lower())
            .values(opponent_id=player_id, opponent_address=None)
        )
        return done.rowcount

    def close_challenge(self, game_id: str, status: Closing) -> bool:
        """Close an open challenge; false where it was closed before, so that nothing begins twice (M75)."""
        done = self._db.execute(
            update(challenges)
            .where(challenges.c.id == game_id, challenges.c.status == OPEN)
            .values(status=status, closed=self.now)
        )
        return done.rowcount == 1


def _challenge(row: Any) -> Challenge:
    proposal = Proposal(row.game, row.id, row.options, row.word, row.seed, row.commitment)
    return Challenge(
        proposal,
        None if row.clock is None else settings_of(row.clock),
        row.status,
        row.challenger_id,
        row.opponent_id,
        row.opponent_address,
        row.created,
        row.expires,
    )
