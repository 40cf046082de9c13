"""A player leaves: games resigned, challenges closed, name and addresses removed (`forget me`, `referee remove`)."""

from __future__ import annotations

from referee import match as matches
from referee.match import Done, Event
from referee.service import tell
from referee.service.games import settle
from referee.service.offers import close
from referee.service.post import Post
from referee.store import Kept, Player


def leave(post: Post, player: Player) -> str:
    """Let a player be gone; return what records call him now. His opponents are told, under that name."""
    unit = post.unit
    for challenge in unit.challenges_of(player.id, limit=1000):
        close(post, challenge, "withdrawn" if challenge.challenger_id == player.id else "declined")
    ended: list[tuple[Kept, tuple[Event, ...]]] = []
    while True:
        mine = unit.games_of(player.id, limit=100)
        if not mine:
            break
        unit.hold_games(summary.id for summary in mine)
        for summary in mine:
            kept = unit.game(summary.id)
            seat = kept.seat_of(player.id) if kept is not None else None
            assert kept is not None
            assert seat is not None
            done = matches.resign(kept.match, seat)
            assert isinstance(done, Done)
            ended.append((settle(unit, kept, done, post.now), done.events))
    name = unit.forget(player.id)
    for before, events in ended:
        kept = unit.game(before.id)
        assert kept is not None
        seat = kept.seat_of(player.id)
        for other in tell.listeners(kept.match, events, seat):
            says = tell.notes(kept.match, events, other, kept.clock)
            post.game(kept, other, says, kind="result")
    return name
