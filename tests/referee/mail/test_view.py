"""A game under way is shown from the match itself; its record, played through, shows the same."""

from __future__ import annotations

import random

import pytest

from referee import match as m
from referee.core.source import Source
from referee.diagram.frames import frame_of
from referee.mail.view import Board, _shown, board
from referee.match import Done, Match
from referee.notation import moves
from tests.referee.matches import begun, moved

GAMES = [
    ("Hex", {"Size": "4"}),
    ("Hex", {"Size": "4", "Swap": "pieces"}),
    ("Focus", {}),
    ("Focus", {"Setup": "drop"}),
    ("Lightning", {}),
    ("Spiral", {}),
]


def _by_record(match: Match) -> Board:
    text = m.record_text(match)
    frame = frame_of(moves.read(Source(match.id, text)))
    return _shown(frame, text, match.words)


@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_a_game_under_way_looks_as_its_record_does(game: str, options: dict[str, str]) -> None:
    rng = random.Random(3)
    match = begun(game, **options)
    shown = changed = 0
    for _ in range(24):
        if match.status != "on":
            break
        assert board(match) == _by_record(match)
        shown += 1
        for change in (m.offer, m.draw):
            assert match.to_move is not None
            done = change(match, match.to_move)
            if isinstance(done, Done):
                assert board(done.match) == _by_record(done.match)
                changed += 1
        match = moved(match, rng)
    assert shown > 5
    if game == "Lightning":
        assert changed > 5
