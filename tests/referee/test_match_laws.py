"""Laws that hold for every game of the club after every command, legal or not, in any order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import match as m
from referee.core.verdict import PLAYERS, Rejected
from referee.files.chance import verify
from referee.judge import judge
from referee.match import Done, Ended, Match, Played
from tests.referee.matches import begun, legal, moved

GAMES = [
    ("Hex", {"Size": "3"}),
    ("Hex", {"Size": "4", "Swap": "pieces"}),
    ("Focus", {}),
    ("Focus", {"Setup": "drop", "Draw": "first"}),
    ("Lightning", {}),
    ("Spiral", {}),
    ("Spiral", {"SameColumn": "yes", "Cycle": "yes"}),
]
OPERATIONS = 28


def _words(match: Match, rng: random.Random) -> str:
    """A word that may be legal, or not at all."""
    words = legal(match) if match.to_move is not None else []
    strange = [
        "f6",
        "a1",
        "swap",
        "c3-c5",
        "+e5",
        "III@d1:s-ne",
        "pool:I@a1:s-n",
        "III@?",
        "V@pool",
    ]
    strange += [
        "pass",
        "7S+8S",
        "~7S+8S",
        "claim",
        "draw!",
        "draw?",
        "resign",
        "nonsense",
        "1-0",
        "*",
    ]
    if words and rng.random() < 0.8:
        return rng.choice(words)
    return rng.choice(strange)


def _command(match: Match, rng: random.Random) -> Done | Rejected:
    seat = rng.choice((0, 1))
    turn = match.to_move if match.to_move is not None and rng.random() < 0.8 else seat
    kind = rng.choices(
        [
            "play",
            "draw",
            "offer",
            "accept",
            "undo?",
            "undo!",
            "queue",
            "takeback",
            "resign",
            "end",
            "name",
            "claim",
        ],
        [30, 14, 6, 4, 5, 5, 8, 2, 0.2, 0.2, 1, 1],
    )[0]
    if kind == "play":
        return m.play(match, turn, _words(match, rng), rng.choice((None, None, match.plies + 1, 3)))
    if kind == "draw":
        orders = [_words(match, rng) for _ in range(rng.choice((0, 0, 1, 3)))]
        return m.draw(match, turn, orders)
    if kind == "offer":
        return m.offer(match, seat)
    if kind == "accept":
        return m.accept(match, turn)
    if kind == "undo?":
        return m.ask_undo(match, seat)
    if kind == "undo!":
        return m.grant_undo(match, seat)
    if kind == "queue":
        pairs = [(_words(match, rng), _words(match, rng)) for _ in range(rng.choice((1, 2)))]
        return m.queue(match, seat, pairs)
    if kind == "takeback":
        return m.takeback(match, max(0, match.plies - rng.choice((0, 1, 2))), "a test")
    if kind == "resign":
        return m.resign(match, seat)
    if kind == "end":
        return m.end(match, rng.choice(("1-0", "0-1", "1/2-1/2", "*")), "adjudication")
    if kind == "claim":
        return m.claim(match, seat)
    return m.substitute(match, seat, rng.choice(("Cleo", "Dora")))


def _fresh(match: Match) -> Match:
    """The same match with nothing known but what a store keeps."""
    return Match(
        match.game,
        match.id,
        match.tags,
        match.words,
        match.event,
        match.status,
        match.result,
        match.reason,
        match.seed,
        match.offering,
        match.undo,
        match.queues,
    )


def _holds(match: Match) -> None:
    """What is true of every match."""
    assert _fresh(match).fingerprint == match.fingerprint, "the cached state is not the replay's"
    text = m.record_text(match)
    verdict = judge(m.record_of(match))
    assert verdict.legal, (text, verdict.error)
    assert verdict.plies == match.plies
    assert verdict.result == match.result
    assert verdict.to_move == (None if match.to_move is None else PLAYERS[match.to_move])
    if match.status != "cancelled":
        assert verdict.reason == match.reason
    public = m.public_state(match)
    assert verdict.position == match.rules.position_text(public.position)
    if match.status == "on":
        assert match.result == "*"
        if match.seed is not None:
            assert "[Seed" not in text
            assert match.seed not in text
            assert match.seed not in repr(match)
            assert "[Commit" in text
            assert "[Word1" in text
            assert "[Word2" in text
            assert f'[GameId "{match.id}"]' in text
            assert getattr(public.position.setup, "chance", None) is None
    else:
        assert match.offering is None
        assert match.undo is None
        assert match.queues == ((), ())
        if match.seed is not None:
            assert f'[Seed "{match.seed}"]' in text
            assert "[Deal1" not in text
            agrees, lines = verify(m.record_of(match))
            assert agrees, lines
    for lines in match.queues:
        assert all(line.pairs and line.ply > match.plies for line in lines)


@pytest.mark.parametrize(("game", "options"), GAMES)
@given(seed=st.integers(0, 2**32))
def test_any_sequence_of_commands_keeps_the_laws(
    game: str, options: dict[str, str], seed: int
) -> None:
    rng = random.Random(seed)
    match = begun(game, rng.randbytes(32), **options)
    for _ in range(OPERATIONS):
        result = _command(match, rng)
        if isinstance(result, Rejected):
            assert result.message
            continue
        after = result.match
        assert after.event >= match.event, "the event counter went back"
        plies = [event for event in result.events if isinstance(event, Played)]
        changed = after.words != match.words and after.status == match.status
        only_offer = (*match.words, "draw?") == after.words
        if plies or (changed and not only_offer):
            assert after.event >= match.event + len(plies)
            assert after.event > match.event
        assert (
            all(getattr(event, "seed", None) is None for event in result.events)
            or after.status != "on"
        ), "an event of a game that is on told the seed"
        ended = [event for event in result.events if isinstance(event, Ended)]
        assert bool(ended) == (match.status == "on" and after.status == "over")
        if match.game == "Lightning":
            assert after.position.pile <= match.position.pile, "a tile went back on the pile"
        if match.game == "Spiral":
            assert after.position.deals >= match.position.deals, "a deal was taken back"
        _holds(after)
        match = after


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_m104_what_is_listed_as_legal_is_played_and_judged_legal_to_the_end(
    game: str, options: dict[str, str]
) -> None:
    rng = random.Random(7)
    match = begun(game, **options)
    for _ in range(150):
        if match.to_move is None:
            break
        match = moved(match, rng)
    _holds(match)
    if game in ("Hex", "Spiral"):
        assert match.status == "over"


@given(seed=st.integers(0, 2**32))
def test_every_command_on_a_game_that_is_over_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    match = begun("Focus")
    for _ in range(rng.randrange(3)):
        match = moved(match, rng)
    result = m.resign(match, rng.choice((0, 1)))
    assert isinstance(result, Done)
    over = result.match
    for seat in (0, 1):
        for refusal in (
            m.play(over, seat, "c3-c5"),
            m.draw(over, seat),
            m.offer(over, seat),
            m.accept(over, seat),
            m.ask_undo(over, seat),
            m.grant_undo(over, seat),
            m.queue(over, seat, [("b2-b3", "c3-c5")]),
            m.resign(over, seat),
            m.claim(over, seat),
            m.substitute(over, seat, "Cleo"),
            m.end(over, "1-0", "time"),
            m.cancel(over, "x"),
        ):
            assert isinstance(refusal, Rejected)
            assert refusal.code == "over"


@given(seed=st.integers(0, 2**32))
def test_undo_gives_the_very_position_that_stood_before(seed: int) -> None:
    rng = random.Random(seed)
    match = begun(rng.choice(("Hex", "Focus")))
    stood = [match]
    for _ in range(rng.randrange(1, 12)):
        match = moved(match, rng)
        stood.append(match)
        if match.to_move is None:
            return
    asker = rng.choice((0, 1))
    asked = m.ask_undo(match, asker)
    plies = len(stood) - 1
    own = [n for n in range(plies) if n % 2 == asker]
    if not own:
        assert isinstance(asked, Rejected)
        return
    assert isinstance(asked, Done)
    assert asked.match.event == match.event, "asking changes nothing yet"
    granted = m.grant_undo(asked.match, 1 - asker)
    assert isinstance(granted, Done)
    before = stood[own[-1]]
    assert granted.match.words == before.words
    assert granted.match.to_move == asker
    assert granted.match.event == match.event + 1
    assert granted.match.fingerprint == before.fingerprint


@given(seed=st.integers(0, 2**32))
def test_draws_come_from_the_seed_however_they_are_asked_for(seed: int) -> None:
    """M108, M109: another order, a second asking, a refusal in between: the same tile."""
    rng = random.Random(seed)
    match = begun("Lightning", rng.randbytes(32))
    for _ in range(rng.randrange(6)):
        match = moved(match, rng)
    seat = match.to_move
    assert seat is not None
    plain = m.draw(match, seat)
    assert isinstance(plain, Done)
    tile = plain.events[0]
    assert isinstance(m.draw(match, seat, ["V@p17:sw-se"]), Rejected)
    again = m.draw(plain.match, seat)
    assert isinstance(again, Done)
    assert again.match == plain.match
    assert getattr(again.events[0], "tile", None) == getattr(tile, "tile", None)
    orders = [f"{kind}@pool" for kind in ("I", "II", "III", "IV", "V")]
    ordered = m.draw(match, seat, orders)
    assert isinstance(ordered, Done)
    assert ordered.events[0] == tile
    assert ordered.match.words[-1] == f"{getattr(tile, 'tile', '')}@pool"
