"""Games in the store: kept as they are, lists, logs, standings; clocks, pauses, freezes, what is due."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest

from referee import clock as c
from referee import match as m
from referee.clock import Clock, Settings, Stop, Vacation
from referee.match import Done, Match
from referee.store import Kept, StaleError, Store, Unit
from referee.store.parts.scores import scores
from tests.referee.matches import begun, moved
from tests.referee.store.conftest import DAY, HOUR, START, new_game

MINUTE = timedelta(minutes=1)


def _got(unit: Unit, game: str) -> Kept:
    kept = unit.game(game)
    assert kept is not None
    return kept


def _saved(unit: Unit, game: str, result: object, clock: Clock | None = None) -> Kept:
    assert isinstance(result, Done), result
    kept = _got(unit, game)
    return unit.save_game(kept, result.match, clock or kept.clock, result.events)


# -- records -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Hex", "Focus", "Lightning", "Spiral"])
def test_a_game_comes_back_as_it_was_saved(
    store: Store, game: Callable[..., Kept], name: str
) -> None:
    rng = random.Random(5)
    kept = game(name)
    match = kept.match
    for _ in range(12):
        if match.to_move is None:
            break
        match = moved(match, rng)
        if name in ("Hex", "Focus") and match.to_move is not None:
            queued = m.queue(
                match, match.to_move, [("a3", "a4") if name == "Hex" else ("b3-a3", "g4-h4")]
            )
            match = queued.match if isinstance(queued, Done) else match
            asked = m.ask_undo(match, 0)
            match = asked.match if isinstance(asked, Done) else match
        if name in ("Focus", "Lightning") and match.to_move is not None:
            offered = m.offer(match, match.to_move)
            match = offered.match if isinstance(offered, Done) else match
        with store.begin(START) as unit:
            kept = unit.save_game(kept, match, kept.clock)
        with store.read(START) as unit:
            again = _got(unit, kept.id)
        assert again == kept
        assert again.match == match
        assert again.match.fingerprint == match.fingerprint


def test_an_unknown_game(store: Store) -> None:
    with store.read(START) as unit:
        assert unit.game("hex-1") is None
        assert unit.game("'; DROP TABLE games; --") is None


def test_players_of_a_game(store: Store, game: Callable[..., Kept]) -> None:
    kept = game("Hex")
    assert (kept.player_id(0), kept.player_id(1)) == (1, 2)
    assert (kept.seat_of(1), kept.seat_of(2), kept.seat_of(3)) == (0, 1, None)
    assert game("Spiral").player_id(1) is None


def test_substitution_changes_whose_game_it_is(store: Store, game: Callable[..., Kept]) -> None:
    kept = game("Hex")
    with store.begin(START) as unit:
        cleo = unit.add_player("Cleo", "cleo", "cleo@x.example")
        assert cleo is not None
        result = m.substitute(kept.match, 0, "Cleo")
        assert isinstance(result, Done)
        unit.save_game(kept, result.match, kept.clock, result.events, players=(cleo.id, 2))
        assert [g.id for g in unit.games_waiting(cleo.id)] == [kept.id]
        assert unit.games_waiting(1) == []
        assert unit.games_of(1) == []


def test_mute(store: Store, game: Callable[..., Kept]) -> None:
    kept = game("Hex")
    with store.begin(START) as unit:
        assert unit.save_game(kept, kept.match, kept.clock, muted=(False, True)).muted == (
            False,
            True,
        )
        assert _got(unit, kept.id).muted == (False, True)


def test_the_end_is_noted_once(store: Store, game: Callable[..., Kept]) -> None:
    kept = game("Hex")
    with store.begin(START + HOUR) as unit:
        over = _saved(unit, kept.id, m.resign(kept.match, 1))
        assert over.ended == START + HOUR
    with store.begin(START + DAY) as unit:
        again = unit.save_game(over, over.match, over.clock)
        assert again.ended == START + HOUR
        assert _got(unit, kept.id) == again


# -- lists and logs ------------------------------------------------------------------------------------------------


def test_next_lists_all_games_that_wait_the_longest_first(
    store: Store, game: Callable[..., Kept]
) -> None:
    one, two, three = game("Hex"), game("Focus"), game("Spiral")
    with store.begin(START + HOUR) as unit:
        _saved(unit, one.id, m.play(one.match, 0, "f6"))
    with store.begin(START + 2 * HOUR) as unit:
        assert [g.id for g in unit.games_waiting(1)] == [two.id, three.id]
        assert [g.id for g in unit.games_waiting(2)] == [one.id]
        assert [g.plies for g in unit.games_of(2)] == [1, 0]


def test_lists_come_in_pages(store: Store, game: Callable[..., Kept]) -> None:
    for _ in range(5):
        game("Hex")
    with store.begin(START) as unit:
        _saved(unit, "hex-2", m.resign(_got(unit, "hex-2").match, 0))
        assert [g.id for g in unit.games_list(limit=3)] == ["hex-1", "hex-2", "hex-3"]
        assert [g.id for g in unit.games_list(after=3)] == ["hex-4", "hex-5"]
        assert [g.id for g in unit.games_list("over")] == ["hex-2"]
        assert [g.id for g in unit.games_of(1, limit=2)] == ["hex-1", "hex-3"]
        assert [g.id for g in unit.games_of(1, after=3)] == ["hex-4", "hex-5"]
        assert unit.open_count() == 4


def test_m77_the_log_keeps_undone_words_and_hides_what_is_private(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = game("Hex")
    with store.begin(START) as unit:
        kept = _saved(unit, kept.id, m.play(kept.match, 0, "f6"))
        kept = _saved(unit, kept.id, m.queue(kept.match, 0, [("d4", "e5")]))
        kept = _saved(unit, kept.id, m.ask_undo(kept.match, 0))
        kept = _saved(unit, kept.id, m.grant_undo(kept.match, 1))
        unit.log_add(kept.id, kept.match.event, "reminder", {"to": 0}, private=0)
        kinds = {
            view: [entry.kind for entry in unit.log_of(kept.id, view)] for view in (None, 0, 1)
        }
        everything = unit.log_of(kept.id, everything=True)
    public = ["started", "played", "undoasked", "undone"]
    assert kinds[1] == kinds[None] == public
    assert Counter(kinds[0]) == Counter([*public, "queued", "queuecleared", "reminder"])
    assert len(everything) == 7
    undone = next(entry for entry in everything if entry.kind == "undone")
    assert undone.data["words"] == ["f6"]
    assert undone.event == 2


def test_the_log_never_holds_a_seed(store: Store, game: Callable[..., Kept]) -> None:
    kept = game("Lightning")
    with store.begin(START) as unit:
        _saved(unit, kept.id, m.resign(kept.match, 0))
        assert bytes(range(32)).hex() not in repr(unit.log_of(kept.id, everything=True))


# -- standings -----------------------------------------------------------------------------------------------------


def _recount(unit: Unit) -> Counter[tuple[int, str, str]]:
    """The standings counted from all games anew."""
    counts: Counter[tuple[int, str, str]] = Counter()
    for summary in unit.games_list(limit=1000):
        kept = _got(unit, summary.id)
        for player, score in zip((kept.first_id, kept.second_id), scores(kept.match), strict=True):
            for name, part in score._asdict().items():
                if player is not None and part:
                    counts[player, kept.match.game, name] += part
    return counts


def _table(unit: Unit) -> Counter[tuple[int, str, str]]:
    counts: Counter[tuple[int, str, str]] = Counter()
    for row in unit.standings():
        for name in ("played", "won", "drawn", "lost"):
            if getattr(row, name):
                counts[row.player_id, row.game, name] += getattr(row, name)
    return counts


def test_standings_are_what_a_recount_finds(store: Store) -> None:
    rng = random.Random(11)
    with store.begin(START) as unit:
        unit.add_player("Cleo", "cleo", "cleo@x.example")
        names = ["Hex", "Focus", "Lightning", "Spiral"]
        ids = [new_game(unit, rng.choice(names)).id for _ in range(16)]
        for turn in range(120):
            kept = _got(unit, rng.choice(ids))
            match, players = kept.match, None
            kind = rng.choice(["end", "end", "takeback", "substitute", "cancel"])
            result: object
            if kind == "end":
                result = m.end(match, rng.choice(["1-0", "0-1", "1/2-1/2"]), "adjudication")
            elif kind == "takeback":
                result = m.takeback(match, match.plies, "x")
            elif kind == "cancel" and rng.random() < 0.2:
                result = m.cancel(match, "x")
            else:
                result = m.substitute(match, 0, "Cleo")
                players = (3, kept.second_id)
            if isinstance(result, Done):
                unit.save_game(kept, result.match, kept.clock, result.events, players=players)
            if turn % 8 == 0:
                assert _table(unit) == _recount(unit)
    with store.read(START) as unit:
        assert sum(row.won for row in unit.standings()) > 2


def test_spiral_counts_from_its_start_as_lost_until_it_is_won(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = game("Spiral")
    with store.begin(START) as unit:
        row = unit.standings("Spiral")[0]
        assert (row.name, row.played, row.won, row.lost) == ("Ann", 1, 0, 1)
        _saved(unit, kept.id, m.end(kept.match, "1-0", "adjudication"))
        row = unit.standings("Spiral")[0]
        assert (row.played, row.won, row.lost) == (1, 1, 0)


def test_a_cancelled_game_counts_for_nobody_but_in_spiral(
    store: Store, game: Callable[..., Kept]
) -> None:
    hexes, spiral = game("Hex"), game("Spiral")
    with store.begin(START) as unit:
        _saved(unit, hexes.id, m.cancel(hexes.match, "x"))
        _saved(unit, spiral.id, m.cancel(spiral.match, "x"))
        assert [(row.game, row.lost) for row in unit.standings()] == [("Spiral", 1)]


# -- clocks --------------------------------------------------------------------------------------------------------


def _running(store: Store, kept: Kept, since=START, **settings: object) -> Kept:
    with store.begin(since) as unit:
        now = _got(unit, kept.id)
        clock = c.turn(c.new_clock(Settings(**settings)), 0)  # type: ignore[arg-type]
        return unit.save_game(now, now.match, c.noticed(clock, since))


def test_m88_what_is_due_is_a_row_that_comes_with_every_save(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = game("Hex")
    with store.read(START) as unit:
        assert unit.next_due() is None, "no notice is out"
    kept = _running(store, kept)
    with store.begin(START + 168 * HOUR - MINUTE) as unit:
        assert unit.due_games() == []
        assert unit.next_due() == START + 168 * HOUR
    with store.begin(START + 168 * HOUR) as unit:
        assert unit.due_games() == [kept.id]
        assert kept.clock is not None
        unit.save_game(kept, kept.match, c.reminded(kept.clock))
        assert unit.due_games() == []
        assert unit.next_due() == START + 216 * HOUR


def test_clocks_are_saved_alone_without_a_replay(store: Store, game: Callable[..., Kept]) -> None:
    kept = game("Hex")
    with store.begin(START + HOUR) as unit:
        now = _got(unit, kept.id)
        assert now.clock is not None
        after = unit.save_clock(now, c.noticed(now.clock, START + HOUR))
        assert "state" not in now.match.__dict__, "the record was replayed"
        assert _got(unit, kept.id) == after
        assert after.updated == kept.updated
        assert unit.next_due() == START + 169 * HOUR
        with pytest.raises(StaleError):
            unit.save_clock(now, now.clock)


def test_a_game_that_is_over_is_never_due(store: Store, game: Callable[..., Kept]) -> None:
    kept = _running(store, game("Hex"))
    with store.begin(START) as unit:
        _saved(unit, kept.id, m.resign(kept.match, 0))
        assert unit.next_due() is None


def test_a_mail_that_came_before_the_deadline_and_is_not_read_yet_holds_it(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = _running(store, game("Hex"), reminders=())
    end = START + 240 * HOUR
    with store.begin(end) as unit:
        assert unit.due_games() == [kept.id]
        mail = unit.spool_add(b"move", end - MINUTE, None)
        late = unit.spool_add(b"late", end + MINUTE, None)
    with store.begin(end + HOUR) as unit:
        assert unit.due_games() == []
        unit.spool_done(mail)
        assert unit.due_games() == [kept.id], "one that came after it does not"
        unit.spool_done(late)


def test_quarantine_holds_the_deadline_of_its_game_or_player_only(
    store: Store, game: Callable[..., Kept]
) -> None:
    mine = _running(store, game("Hex"), reminders=())
    other = _running(store, game("Hex"), reminders=())
    end = START + 240 * HOUR
    with store.begin(START) as unit:
        number = unit.spool_add(b"bad", end - MINUTE, None, game=mine.id)
    for _ in range(4):
        store.take_mail(START)
    with store.begin(end + DAY) as unit:
        assert unit.due_games() == [other.id]
        assert unit.held(mine.id, 99, end)
        assert not unit.held(mine.id, 99, end - MINUTE), "it came after that"
        assert not unit.held(other.id, 1, end)
        unit.spool_release(number)
        assert unit.due_games() == [], "it waits to be read again, with its first receipt time"
        unit.spool_done(number)
        assert set(unit.due_games()) == {mine.id, other.id}
        by_player = unit.spool_add(b"bad", end - MINUTE, None)
        unit.spool_defer(by_player, end + 9 * DAY, "DNS")
        assert len(unit.due_games()) == 2
        unit.spool_mark(by_player, player_id=1)
        assert unit.due_games() == []
        assert unit.held(other.id, 1, end)
        assert not unit.held(other.id, 2, end)


def test_m90_downtime_moves_every_deadline_when_it_is_looked_at(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = _running(store, game("Hex"), reminders=())
    end = START + 240 * HOUR
    with store.begin(end + HOUR) as unit:
        unit.credit(end - 10 * HOUR, end + HOUR)
        assert unit.due_games() == [kept.id], "its row is only a lower bound"
        now = _got(unit, kept.id)
        assert now.clock is not None
        assert now.calendar.stops == (Stop(end - 10 * HOUR, end + HOUR),)
        due = c.next_due(now.clock, now.calendar)
        assert due is not None
        assert due.at == end + 11 * HOUR
        unit.save_game(now, now.match, now.clock)
        assert unit.due_games() == []
        assert unit.next_due() == end + 11 * HOUR


def test_stops_that_ended_before_the_turn_are_not_loaded(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = _running(store, game("Hex"))
    with store.begin(START) as unit:
        for n in range(50):
            unit.credit(START - (n + 2) * DAY, START - (n + 1) * DAY)
        assert _got(unit, kept.id).calendar == c.Calendar()


def test_m89_a_freeze_stops_all_clock_actions_until_resume(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = _running(store, game("Hex"), reminders=())
    late = START + 365 * DAY
    with store.begin(late) as unit:
        assert unit.freeze(START + HOUR, "the clock jumped by a year")
        assert not unit.freeze(late, "again")
        freeze = unit.frozen()
        assert freeze is not None
        assert (freeze.since, freeze.why) == (START + HOUR, "the clock jumped by a year")
        assert unit.due_games() == []
        fresh = new_game(unit)
        assert fresh.clock is not None
        unit.save_game(fresh, fresh.match, c.noticed(fresh.clock, late))
    back = START + 3 * HOUR
    with store.begin(back) as unit:
        assert unit.resume()
        assert not unit.resume()
        assert unit.frozen() is None
        assert unit.last_beat() == back
        due = unit.due_games()
        assert set(due) == {kept.id, fresh.id}, "all are looked at anew"
        for number, at in ((kept.id, START + 242 * HOUR), (fresh.id, back + 240 * HOUR)):
            now = _got(unit, number)
            assert now.clock is not None
            clock = c.healed(now.clock, unit.now)
            assert c.deadline(clock, now.calendar) == at
            unit.save_game(now, now.match, clock)
        assert unit.due_games() == []


def test_a_credit_that_a_wrong_clock_gave_is_taken_back_by_resume(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = _running(store, game("Hex"), reminders=())
    with store.begin(START + 365 * DAY) as unit:  # started with a clock a year ahead
        unit.credit(START + HOUR, START + 365 * DAY)
        unit.beat()
    with store.begin(START + 2 * HOUR) as unit:
        unit.freeze(START + 2 * HOUR, "back")
    with store.begin(START + 5 * HOUR) as unit:
        unit.resume()
        now = _got(unit, kept.id)
        assert now.clock is not None
        assert c.deadline(now.clock, now.calendar) == START + 244 * HOUR


def test_pause_and_resume_of_one_game(store: Store, game: Callable[..., Kept]) -> None:
    kept, other = (
        _running(store, game("Hex"), reminders=()),
        _running(store, game("Hex"), reminders=()),
    )
    with store.begin(START + 10 * HOUR) as unit:
        assert unit.pause(kept.id)
        assert not unit.pause(kept.id)
        assert _got(unit, kept.id).paused
        assert not _got(unit, other.id).paused
    with store.begin(START + 400 * HOUR) as unit:
        assert unit.due_games() == [other.id]
        assert unit.unpause(kept.id)
        assert not unit.unpause(kept.id)
        now = _got(unit, kept.id)
        assert not now.paused
        assert now.clock is not None
        assert c.deadline(now.clock, now.calendar) == START + 630 * HOUR


def test_m96_vacations_are_those_of_their_player(store: Store, game: Callable[..., Kept]) -> None:
    kept = game("Hex")
    first, last = date(2025, 4, 1), date(2025, 4, 3)
    with store.begin(START) as unit:
        unit.add_vacation(1, first, last)
        unit.add_vacation(2, date(2024, 1, 1), date(2024, 1, 2))
        assert unit.vacations(1) == [Vacation(first, last, START)]
    kept = _running(store, kept, START + HOUR, reminders=())
    with store.read(START + HOUR) as unit:
        now = _got(unit, kept.id)
        assert now.calendar.vacations == ((Vacation(first, last, START),), ())
        assert now.clock is not None
        assert c.deadline(now.clock, now.calendar) == START + HOUR + 240 * HOUR + 72 * HOUR


def test_the_heartbeat(store: Store) -> None:
    with store.begin(START + HOUR) as unit:
        assert unit.last_beat() == START
        unit.beat()
    with store.read(START + HOUR) as unit:
        assert unit.last_beat() == START + HOUR


def test_a_finished_game_can_be_stored_as_it_is(store: Store) -> None:
    """Imported records: over, with their own numbers."""
    over = m.resign(begun("Hex", number=500), 0)
    assert isinstance(over, Done)
    with store.begin(START) as unit:
        kept = unit.add_game(over.match, 1, 2, None)
        unit.number_taken(500)
        assert kept.ended == START
        assert unit.next_number() == 501
        assert [row.lost for row in unit.standings("Hex") if row.player_id == 1] == [1]


def test_a_match_whose_rules_refuse_it_says_which_word(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = game("Hex")
    broken = replace(kept.match, words=("f6", "f6"))
    with pytest.raises(m.ReplayError, match="hex-1: word 2, f6"):
        _ = Match(broken.game, broken.id, broken.tags, broken.words).state
