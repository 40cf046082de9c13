"""Clocks at work: notices, reminders, deadlines, claims, downtime, jumps, pauses (mail.md, Clocks; M88 to M98)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from referee.clock import Beat
from referee.mail.transport import Failed
from referee.service import operator
from referee.service.spool import receive, work
from referee.service.ticking import beat
from referee.store import Kept
from tests.referee.service.house import House, plain


def flat(text: str) -> str:
    return " ".join(text.split())


def kept(house: House, game: str) -> Kept:
    with house.desk.store.read(house.now) as unit:
        found = unit.game(game)
    assert found is not None
    return found


def since(house: House, game: str) -> object:
    clock = kept(house, game).clock
    assert clock is not None
    return clock.since


def test_the_clock_starts_at_the_first_250_of_the_notice(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    house.box.fails[second] = Failed("temporary", "451 later")
    house.answer(house.last(first, game), "c3")
    assert since(house, game) is None
    house.later(days=2)
    assert since(house, game) is None
    del house.box.fails[second]
    house.later(hours=5)
    assert since(house, game) == house.now
    house.later(days=2, hours=23)
    assert house.match(game).status == "on"
    house.later(hours=1)
    assert house.match(game).status == "over"


def test_m91_a_deadline_ends_the_game_by_itself_and_both_are_told(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    house.later(days=3)
    match = house.match(game)
    assert (match.result, match.reason) == ("0-1", "time")
    for address in (first, second):
        assert "won on time" in plain(house.last(address, game))


def test_m94_what_counts_is_when_the_club_received_it(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5", "days=3")
    letter = house.last(first, game)
    to = str(letter["Reply-To"])
    house.now += timedelta(days=3, hours=1)
    raw = house.mail(first, "c3", to=to)
    early = house.now - timedelta(hours=2)
    receive(house.desk, raw, to, house.now, received=early)
    # the clocks wait for a mail that came before the deadline and is not read yet
    house.later(minutes=1)
    assert house.match(game).status == "on"
    work(house.desk, lambda: house.now)
    assert house.match(game).words == ("c3",)


def test_a_move_after_the_deadline_finds_the_game_lost(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    letter = house.last(first, game)
    house.now += timedelta(days=3)
    assert house.answer(letter, "c3").kind == "nothing done"
    assert house.match(game).reason == "time"
    assert "deadline passed" in flat(plain(house.last(first, game)))
    assert "won on time" in plain(house.last(second, game))


@pytest.mark.parametrize("claims", [True, False])
def test_with_claims_whichever_arrives_first_counts(house: House, claims: bool) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3", "timeout=claim")
    letter = house.last(first, game)
    house.later(days=3)
    assert house.match(game).status == "on"
    assert "“claim”" in plain(house.last(second, game))
    assert "may claim" in flat(plain(house.last(first, game)))
    count = house.count()
    house.later(hours=5)
    assert house.count() == count  # told once
    if claims:
        assert house.answer(house.last(second, game), "claim").kind == "done"
        assert (house.match(game).result, house.match(game).reason) == ("0-1", "time")
    else:
        assert house.answer(letter, "c3").kind == "done"
        assert house.answer(house.last(first, game), "claim").kind == "nothing done"
        assert house.match(game).status == "on"


def test_reminders_come_once_each_with_the_time_left(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5", "days=5")
    before = house.count(first)
    for _ in range(20):
        house.later(hours=6)
        if house.match(game).status != "on":
            break
    told = [plain(m) for p, m in house.box.sent if p.recipient == first][before:]
    reminders = [text for text in told if "A reminder" in text]
    assert len(reminders) == 2
    assert "Your time: 3 days" in flat(reminders[0])
    assert "Your time: 1 day" in flat(reminders[1])


def test_m90_downtime_is_credited_to_everybody(house: House) -> None:
    game, _ = house.begun("hex", "size=5", "days=3")
    beat(house.desk, None, Beat(house.now, 0.0))
    house.now += timedelta(days=2)
    assert beat(house.desk, None, Beat(house.now, 5.0)).kind == "down"
    house.later(days=2)
    assert house.match(game).status == "on"
    house.later(days=1)
    assert house.match(game).status == "over"


def test_time_that_is_over_is_not_said_to_be_left(house: House) -> None:
    _, (first, second) = house.begun("hex", "size=5", "days=2", "timeout=claim")
    house.later(days=3)
    told = flat(plain(house.last(second)))
    assert "time has been over since Wednesday 5 March 2025, 10:00 Europe/Berlin" in told
    assert "Your time has been over since" in flat(plain(house.last(first)))
    assert "less than a minute" not in told


def test_a_later_heartbeat_of_another_process_is_no_jump(house: House) -> None:
    """One process reads the time and waits for the database; meanwhile another one writes a later heartbeat."""
    waited = Beat(house.now, 100.0)
    later = Beat(house.now + timedelta(seconds=8), 7.0)
    beat(house.desk, None, later)
    found = beat(
        house.desk, None, waited, lambda: Beat(later.at + timedelta(milliseconds=3), 108.0)
    )
    assert found.kind == "ok"
    # two machines whose clocks differ a little
    assert beat(house.desk, None, Beat(later.at - timedelta(milliseconds=200), 9.0)).kind == "ok"
    with house.desk.store.read(house.now) as unit:
        assert unit.frozen() is None


def test_m89_a_jump_freezes_the_clocks_until_the_operator_says_so(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5", "days=3")
    mine = Beat(house.now, 100.0)
    beat(house.desk, None, mine)
    house.now += timedelta(days=365)
    assert beat(house.desk, mine, Beat(house.now, 130.0)).kind == "jump"
    house.later()
    assert house.match(game).status == "on"
    assert "jumped" in flat(plain(house.last("op@club.example")))
    assert house.answer(house.last(first, game), "c3").kind == "done"
    assert house.match(game).status == "on"
    operator.pause(house.desk, house.now, None, on=False)
    house.later(days=2)
    assert house.match(game).status == "on"
    house.later(days=2)
    assert house.match(game).status == "over"


def test_a_pause_stops_one_games_clocks_and_both_know(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    operator.pause(house.desk, house.now, game, on=True, why="holiday of the club")
    house.later(days=30)
    assert house.match(game).status == "on"
    assert "has paused" in flat(plain(house.last(second, game)))
    operator.pause(house.desk, house.now, game, on=False)
    house.send()
    assert "clocks run again" in flat(plain(house.last(first, game)))
    house.later(days=2)
    assert house.match(game).status == "on"


def test_m96_a_vacation_stops_turns_that_begin_after_it_was_taken(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    for address in (first, second):
        house.write(address, "vacation 2025-03-04 2025-03-13")
    # the first player's turn ran already: his deadline stays
    letter = house.last(first, game)
    house.now += timedelta(hours=1)
    house.answer(letter, "c3")
    house.later(days=9)  # 12 March: the second player's clock stands
    assert house.match(game).status == "on"
    house.later(days=4)
    assert house.match(game).reason == "time"


def test_m92_the_first_move_has_the_full_time(house: House) -> None:
    game, _ = house.begun("hex", "size=5")
    house.later(hours=239)
    assert house.match(game).status == "on"
    house.later(hours=1)
    assert house.match(game).status == "over"


def test_challenges_run_out_and_tell_their_seed(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    house.write(ann, "challenge Bob lightning")
    house.later(days=31)
    for address in (ann, bob):
        assert "not answered in time" in flat(plain(house.last(address)))
        assert "Its seed" in plain(house.last(address))


def test_m97_what_is_shown_is_what_is_enforced(house: House) -> None:
    from referee.clock import deadline, written

    game, (first, _) = house.begun(
        "hex", "size=5", "bank=100h", "increment=1h", "zone=Europe/Berlin"
    )
    house.now += timedelta(hours=10)
    house.answer(house.last(first, game), "show")
    found = kept(house, game)
    assert found.clock is not None
    end = deadline(found.clock, found.calendar)
    assert end is not None
    assert written(end, "Europe/Berlin") in flat(plain(house.last(first, game)))
    house.now = end - timedelta(seconds=1)
    house.later()
    assert house.match(game).status == "on"
    house.later(seconds=1)
    assert house.match(game).status == "over"
