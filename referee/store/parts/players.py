"""Players, their addresses, invitations (mail.md, Who may move)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, or_, select, update

from referee.store.parts.base import Part, inserted
from referee.store.rows import Player
from referee.store.schema import (
    addresses,
    challenges,
    codes,
    digests,
    games,
    invitations,
    log,
    outbox,
    players,
)

_WHOLE: Final = (
    select(players, addresses.c.address, addresses.c.confirmed, addresses.c.bounces)
    .outerjoin(addresses, addresses.c.player_id == players.c.id)
    .order_by(players.c.id, addresses.c.id)
)
"""Players with their addresses, a row for each."""
_BY_ID: Final = _WHOLE.where(players.c.id == bindparam("which"))
_BY_NAME: Final = _WHOLE.where(players.c.name_key == bindparam("which"))
_BY_ADDRESS: Final = _WHOLE.where(
    players.c.id
    == select(addresses.c.player_id)
    .where(addresses.c.address == bindparam("which"), addresses.c.confirmed.is_not(None))
    .scalar_subquery()
)
_WROTE: Final = (
    update(addresses)
    .where(addresses.c.player_id == bindparam("whose"), addresses.c.bounces > 0)
    .values(bounces=0)
)


class PlayersPart(Part):
    """Who there is and where he is reached. Addresses are kept in lower case."""

    def player(self, player_id: int) -> Player | None:
        """Return a player by number."""
        known = self._rows.players.get(player_id)
        return known if known is not None else self._one(_BY_ID, player_id)

    def player_by_address(self, address: str) -> Player | None:
        """Return the player whose confirmed address this is."""
        return self._one(_BY_ADDRESS, address.lower())

    def player_named(self, name_key: str) -> Player | None:
        """Return the player with a name, compared by `identity.name_key`; one hit or none (M60)."""
        return self._one(_BY_NAME, name_key)

    def _one(self, statement: Any, which: object) -> Player | None:
        rows = self._db.execute(statement, {"which": which}).all()
        if not rows:
            return None
        player = _player(rows)
        self._rows.players[player.id] = player
        self._rows.bounces.update((row.address, row.bounces) for row in rows if row.address)
        return player

    def players(self, after: int = 0, limit: int = 100) -> list[Player]:
        """Return the players in order of their numbers, a page at a time."""
        page = select(players.c.id).where(players.c.id > after).order_by(players.c.id).limit(limit)
        rows = self._db.execute(_WHOLE.where(players.c.id.in_(page))).all()
        return [_player(list(his)) for _, his in groupby(rows, key=attrgetter("id"))]

    def add_player(self, name: str, name_key: str, address: str) -> Player | None:
        """Add a player whose address is confirmed by a code; None where name or address are another's."""
        self._alone("players")
        taken = select(players.c.id).where(players.c.name_key == name_key)
        if self._db.execute(taken).first() is not None or self.address_owner(address) is not None:
            return None
        done = self._db.execute(
            insert(players).values(
                name=name,
                name_key=name_key,
                joined=self.now,
                gone=False,
                notices=True,
                digest=False,
            )
        )
        player_id = inserted(done)
        self.add_address(player_id, address)
        self._db.execute(delete(invitations).where(invitations.c.address == address.lower()))
        return self.player(player_id)

    def address_owner(self, address: str) -> int | None:
        """Return the player whose address this is."""
        statement = select(addresses.c.player_id).where(addresses.c.address == address.lower())
        owner: int | None = self._db.scalar(statement)
        return owner

    def add_address(self, player_id: int, address: str) -> bool:
        """Add an address that its owner has confirmed; false where it is another's already."""
        owner = self.address_owner(address)
        if owner is not None:
            return owner == player_id
        self._db.execute(
            insert(addresses).values(
                player_id=player_id,
                address=address.lower(),
                confirmed=self.now,
                added=self.now,
                bounces=0,
            )
        )
        return True

    def set_player(
        self, player_id: int, *, notices: bool | None = None, digest: bool | None = None
    ) -> None:
        """Set what a player wants sent."""
        wanted = {"notices": notices, "digest": digest}
        values = {name: value for name, value in wanted.items() if value is not None}
        if values:
            self._db.execute(update(players).where(players.c.id == player_id).values(values))

    # -- bounces -------------------------------------------------------------------------------------------------

    def bounced(self, address: str) -> int:
        """Count a bounce of an address and return how many there are since its player last wrote."""
        mine = addresses.c.address == address.lower()
        self._db.execute(update(addresses).where(mine).values(bounces=addresses.c.bounces + 1))
        return self.bounces(address)

    def bounces(self, address: str) -> int:
        """Return how many bounces of an address there are since its player last wrote."""
        address = address.lower()
        if address not in self._rows.bounces:
            statement = select(addresses.c.bounces).where(addresses.c.address == address)
            self._rows.bounces[address] = self._db.scalar(statement) or 0
        return self._rows.bounces[address]

    def wrote(self, player_id: int) -> None:
        """Note that a player wrote: his addresses get notices again."""
        if self.player(player_id) is not None and any(self._rows.bounces.values()):
            self._db.execute(_WROTE, {"whose": player_id})

    # -- invitations ---------------------------------------------------------------------------------------------

    def invite(self, address: str, player_id: int | None) -> bool:
        """Note an invitation of an unknown address; false where it has one already and has not answered."""
        made = {"address": address.lower(), "player_id": player_id, "at": self.now}
        return self._db.execute(self._backend.unless_there(invitations), made).rowcount == 1

    def invited(self, address: str) -> bool:
        """Whether an address has an invitation that it has not answered."""
        mine = invitations.c.address == address.lower()
        return self._db.execute(select(invitations.c.address).where(mine)).first() is not None

    # -- digests -------------------------------------------------------------------------------------------------

    def digest_add(self, player_id: int, game: str) -> None:
        """Note that a game is to stand in a player's next digest."""
        added = {"player_id": player_id, "game_id": game, "added": self.now}
        self._db.execute(self._backend.unless_there(digests), added)

    def digest_take(self, player_id: int) -> list[str]:
        """Return the games of a player's digest, the longest waiting first, and begin the next one."""
        taken = delete(digests).where(digests.c.player_id == player_id)
        rows = self._db.execute(taken.returning(digests.c.added, digests.c.game_id)).all()
        found = [row.game_id for row in sorted(rows, key=lambda row: (row.added, row.game_id))]
        self._db.execute(
            update(players).where(players.c.id == player_id).values(digest_at=self.now)
        )
        return found

    def digests_due(self, limit: int = 100) -> list[int]:
        """Return the players whose digest has something in it and who had none for a day."""
        from referee.store.parts.limits import DAY

        statement = (
            select(players.c.id)
            .where(
                players.c.id.in_(select(digests.c.player_id)),
                or_(players.c.digest_at.is_(None), players.c.digest_at <= self.now - DAY),
            )
            .limit(limit)
        )
        return list(self._db.scalars(statement))

    # -- forgetting ----------------------------------------------------------------------------------------------

    def forget(self, player_id: int) -> str:
        """Remove a player's addresses and name everywhere and return what he is called now, `Player 17`.

        His games should have ended before. Records and logs say the new name; codes, invitations and letters to him
        that went out are dropped.
        """
        name = f"Player {player_id}"
        mine = list(
            self._db.scalars(select(addresses.c.address).where(addresses.c.player_id == player_id))
        )
        self._rename(player_id, name)
        self._db.execute(
            update(players)
            .where(players.c.id == player_id)
            .values(name=name, name_key=name.casefold(), gone=True, notices=False, digest=False)
        )
        self._db.execute(delete(addresses).where(addresses.c.player_id == player_id))
        self._db.execute(delete(digests).where(digests.c.player_id == player_id))
        self._db.execute(
            delete(codes).where(or_(codes.c.player_id == player_id, codes.c.address.in_(mine)))
        )
        self._db.execute(delete(invitations).where(invitations.c.address.in_(mine)))
        self._db.execute(
            update(challenges)
            .where(challenges.c.opponent_address.in_(mine))
            .values(opponent_address=None)
        )
        self._db.execute(
            delete(outbox).where(outbox.c.player_id == player_id, outbox.c.state != "due")
        )
        return name

    def _rename(self, player_id: int, name: str) -> None:
        """Put another name into the tags and the logs of all games of a player."""
        old = self._db.scalar(select(players.c.name).where(players.c.id == player_id))
        for tag, seat in (("First", games.c.first_id), ("Second", games.c.second_id)):
            rows = self._db.execute(select(games.c.id, games.c.tags).where(seat == player_id)).all()
            for row in rows:
                self._db.execute(
                    update(games).where(games.c.id == row.id).values(tags={**row.tags, tag: name})
                )
        named = log.c.kind.in_(("started", "substituted"))
        of_his = log.c.game_id.in_(
            select(games.c.id).where(
                or_(games.c.first_id == player_id, games.c.second_id == player_id)
            )
        )
        for row in self._db.execute(select(log.c.id, log.c.data).where(named, of_his)).all():
            data = {key: name if value == old else value for key, value in row.data.items()}
            self._db.execute(update(log).where(log.c.id == row.id).values(data=data))

    def player_count(self) -> int:
        """Return how many players there are."""
        return self._db.scalar(select(func.count()).select_from(players)) or 0


def _player(rows: Sequence[Any]) -> Player:
    """Return the player of his rows of `_WHOLE`: there is one without an address for who has none."""
    row = rows[0]
    reached = tuple(row.address for row in rows if row.confirmed is not None)
    return Player(row.id, row.name, reached, row.joined, row.gone, row.notices, row.digest)
