"""Club games for tests: begun with fixed seeds, played on at random."""

from __future__ import annotations

import random
from datetime import date

from referee import match as m
from referee.core.verdict import Rejected
from referee.match import Done, Match

DAY = date(2025, 3, 28)
SEED = bytes(range(32))


def begun(game: str, seed: bytes = SEED, number: int = 42, **options: str) -> Match:
    """Return a fresh game of Ann and Bob (Spiral: of Ann)."""
    chosen = m.options_of(game, list(options.items()))
    assert not isinstance(chosen, Rejected), chosen
    proposal = m.propose(game, number, chosen, "ann's word", seed)
    return m.begin(proposal, "Ann", None if game == "Spiral" else "Bob", DAY, word="bob's").match


def done(result: Done | Rejected) -> Match:
    """Return the match of what was done; a refusal fails the test."""
    assert isinstance(result, Done), result
    return result.match


def refused(result: Done | Rejected) -> Rejected:
    """Return the refusal; something done fails the test."""
    assert isinstance(result, Rejected), result
    return result


def played(match: Match, *words: str) -> Match:
    """Return the match after words of the players in turn."""
    for word in words:
        assert match.to_move is not None
        match = done(m.play(match, match.to_move, word))
    return match


def legal(match: Match) -> list[str]:
    """Return the tokens of all moves that the player to move may make, as far as the public position shows."""
    position = m.public_position(match)
    rules = match.rules
    return [rules.format(move, match.setup) for move in rules.legal_moves(position)]


def moved(match: Match, rng: random.Random) -> Match:
    """Return the match one legal ply on; in Lightning a tile is drawn first where that is needed."""
    seat = match.to_move
    assert seat is not None
    words = legal(match)
    if match.game == "Lightning" and match.position.pending is None and match.position.pile:
        pool = [word for word in words if word.startswith("pool:")]
        if not pool or rng.random() < 0.7:
            match = done(m.draw(match, seat))
            words = legal(match)
        else:
            words = pool
    return done(m.play(match, seat, rng.choice(words)))
