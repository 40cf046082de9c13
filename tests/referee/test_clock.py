"""Clocks (mail.md, Clocks; mail-cases.md H): properties over random times and zones, and each case by name."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee import clock as c
from referee.clock import Beat, Calendar, Clock, Settings, Stop, Vacation

ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",  # half an hour of summer time
    "Asia/Kathmandu",
    "Pacific/Apia",  # left out a day in 2011
    "Africa/Casablanca",  # summer time backwards
    "Asia/Beirut",  # changes at midnight
    "America/Havana",
]
"""Zones whose changes are unlike each other."""

CHANGES = [
    datetime(2024, 2, 29, 12, tzinfo=UTC),
    datetime(2024, 3, 31, 1, tzinfo=UTC),
    datetime(2024, 10, 27, 1, tzinfo=UTC),
    datetime(2025, 3, 9, 7, tzinfo=UTC),
    datetime(2025, 11, 2, 6, tzinfo=UTC),
    datetime(2025, 12, 31, 23, 59, tzinfo=UTC),
    datetime(2011, 12, 30, 10, tzinfo=UTC),
    datetime(2018, 11, 4, 3, tzinfo=UTC),
]
H = timedelta(hours=1)
D = timedelta(days=1)

spans = st.integers(0, 20 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))
moments = st.builds(
    lambda at, away: at + timedelta(seconds=away),
    st.sampled_from(CHANGES),
    st.integers(-864_000, 864_000),
)
stops = st.lists(
    st.builds(
        lambda begin, long, open_: Stop(begin, None if open_ else begin + long),
        moments,
        spans,
        st.integers(0, 9).map(lambda n: n == 0),
    ),
    max_size=4,
)
settings = st.builds(
    lambda bank, more, per_move, zone, timeout: Settings(
        bank=H + bank,
        increment=more,
        cap=H + bank + more,
        per_move=None if per_move is None else per_move * D,
        timeout=timeout,
        zone=zone,
    ),
    spans,
    spans,
    st.none() | st.integers(1, 14),
    st.sampled_from(ZONES),
    st.sampled_from(["auto", "claim"]),
)


@st.composite
def running(draw: st.DrawFn) -> tuple[Clock, Calendar]:
    """A clock that runs, and what stops it."""
    since = draw(moments)
    seat = draw(st.sampled_from([0, 1]))
    clock = c.noticed(c.turn(c.new_clock(draw(settings)), seat), since)
    away = []
    for _ in range(draw(st.integers(0, 2))):
        first = (since + draw(st.integers(-20, 30)) * D).date()
        declared = since + draw(st.integers(-5, 2)) * D
        away.append(Vacation(first, first + draw(st.integers(0, 9)) * D, declared))
    taken = (tuple(away), ()) if seat == 0 else ((), tuple(away))
    return clock, Calendar(tuple(draw(stops)), taken)


# -- one function --------------------------------------------------------------------------------------------------


@given(running(), moments)
def test_m97_what_is_shown_and_what_is_enforced_are_one(
    what: tuple[Clock, Calendar], at: datetime
) -> None:
    clock, calendar = what
    assert clock.seat is not None
    end = c.deadline(clock, calendar)
    rest = c.left(clock, calendar, clock.seat, at)
    if end is None:
        assert rest > timedelta()
        assert not c.expired(clock, calendar, at)
        return
    assert c.left(clock, calendar, clock.seat, end) == timedelta()
    assert (rest <= timedelta()) == (at >= end) == c.expired(clock, calendar, at)


@given(running(), moments, spans)
def test_time_only_runs_down_and_never_faster_than_time(
    what: tuple[Clock, Calendar], at: datetime, later: timedelta
) -> None:
    clock, calendar = what
    assert clock.seat is not None
    before = c.left(clock, calendar, clock.seat, at)
    after = c.left(clock, calendar, clock.seat, at + later)
    assert timedelta() <= before - after <= later
    other = 1 - clock.seat
    assert c.left(clock, calendar, other, at) == clock.banks[other]


@given(running())
def test_without_stops_a_span_is_that_span_in_every_zone(what: tuple[Clock, Calendar]) -> None:
    """No change of summer time, leap day or new year takes or gives a minute."""
    clock, _ = what
    assert clock.seat is not None
    assert clock.since is not None
    end = c.deadline(clock, Calendar())
    assert end == clock.since + clock.banks[clock.seat]


@given(running(), moments, spans)
def test_m90_downtime_is_credited_to_the_minute(
    what: tuple[Clock, Calendar], begin: datetime, long: timedelta
) -> None:
    clock, calendar = what
    before = c.deadline(clock, calendar)
    assume(before is not None)
    assert before is not None
    more = Calendar((*calendar.stops, Stop(begin, begin + long)), calendar.vacations)
    after = c.deadline(clock, more)
    assert after is not None
    assert before <= after <= before + long
    assert clock.since is not None
    if clock.since <= begin < before and not calendar.stops and not any(calendar.vacations):
        assert after == before + long


@given(running(), moments)
def test_the_zone_of_a_moment_does_not_matter(what: tuple[Clock, Calendar], at: datetime) -> None:
    clock, calendar = what
    assert clock.seat is not None
    assert clock.since is not None
    for zone in ZONES:
        local = at.astimezone(ZoneInfo(zone))
        assert c.left(clock, calendar, clock.seat, local) == c.left(clock, calendar, clock.seat, at)
        again = c.noticed(c.turn(clock, clock.seat), clock.since.astimezone(ZoneInfo(zone)))
        assert c.deadline(again, calendar) == c.deadline(
            c.noticed(c.turn(clock, clock.seat), clock.since), calendar
        )
        moved = Calendar(
            tuple(
                Stop(
                    s.begin.astimezone(ZoneInfo(zone)),
                    None if s.end is None else s.end.astimezone(ZoneInfo(zone)),
                )
                for s in calendar.stops
            ),
            calendar.vacations,
        )
        assert c.deadline(clock, moved) == c.deadline(clock, calendar)


@given(running(), st.lists(spans, max_size=12))
def test_m103_banks_stay_within_the_cap_and_every_ply_has_its_increment(
    what: tuple[Clock, Calendar], thinking: list[timedelta]
) -> None:
    clock, calendar = what
    at = clock.since
    assert at is not None
    for span in thinking:
        seat = clock.seat
        assert seat is not None
        at += span
        before = c.left(clock, calendar, seat, at)
        clock = c.played(clock, calendar, at)
        assert clock.seat is None
        s = clock.settings
        if s.per_move is not None:
            assert clock.banks[seat] == s.per_move
        else:
            assert clock.banks[seat] == min(s.cap, max(timedelta(), before) + s.increment)
        clock = c.noticed(c.turn(clock, 1 - seat), at)


@given(running(), st.lists(st.tuples(spans, st.booleans()), max_size=8))
def test_a_clock_written_and_read_is_the_same(
    what: tuple[Clock, Calendar], steps: list[tuple[timedelta, bool]]
) -> None:
    import json

    clock, calendar = what
    at = clock.since
    assert at is not None
    for span, bounce in steps:
        at += span
        clock = c.halted(clock, calendar, at) if bounce else c.noticed(clock, at)
    assert c.clock_of(json.loads(json.dumps(c.saved(clock)))) == clock


# -- turns ---------------------------------------------------------------------------------------------------------

START = datetime(2025, 3, 28, 12, tzinfo=UTC)
NONE = Calendar()


def begun(**options: object) -> Clock:
    return c.turn(c.new_clock(Settings(**options)), 0)  # type: ignore[arg-type]


def test_the_defaults_are_those_of_the_specification() -> None:
    s = Settings()
    assert (s.bank, s.increment, s.cap, s.timeout) == (240 * H, 36 * H, 240 * H, "auto")


def test_m92_the_first_move_has_the_full_time() -> None:
    clock = c.noticed(begun(), START)
    assert c.deadline(clock, NONE) == START + 240 * H


def test_the_clock_waits_for_the_first_250_and_only_that_counts() -> None:
    clock = begun()
    assert c.deadline(clock, NONE) is None
    assert c.left(clock, NONE, 0, START + 99 * D) == 240 * H
    clock = c.noticed(clock, START)
    assert c.noticed(clock, START + 5 * H) == clock


def test_a_bounce_stops_the_clock_and_keeps_what_is_left() -> None:
    clock = c.halted(c.noticed(begun(), START), NONE, START + 40 * H)
    assert c.left(clock, NONE, 0, START + 99 * D) == 200 * H
    assert c.deadline(clock, NONE) is None
    clock = c.noticed(clock, START + 100 * H)
    assert c.deadline(clock, NONE) == START + 300 * H


def test_an_answer_before_its_notice_costs_nothing() -> None:
    clock = c.played(c.noticed(begun(), START), NONE, START - 5 * H)
    assert clock.banks[0] == 240 * H


def test_m91_an_answer_at_the_deadline_is_late_and_one_before_it_is_not() -> None:
    clock = c.noticed(begun(), START)
    end = c.deadline(clock, NONE)
    assert end is not None
    assert c.expired(clock, NONE, end)
    assert not c.expired(clock, NONE, end - timedelta(microseconds=1))


def test_a_late_answer_in_a_game_of_claims_leaves_the_increment() -> None:
    clock = c.played(c.noticed(begun(timeout="claim"), START), NONE, START + 300 * H)
    assert clock.banks[0] == 36 * H


def test_days_for_each_move() -> None:
    clock = c.noticed(begun(per_move=3 * D), START)
    assert c.deadline(clock, NONE) == START + 3 * D
    clock = c.noticed(c.turn(c.played(clock, NONE, START + 2 * D), 1), START + 2 * D)
    assert c.deadline(clock, NONE) == START + 5 * D
    clock = c.turn(c.played(clock, NONE, START + 3 * D), 0)
    assert c.left(clock, NONE, 0, START) == 3 * D


def test_a_pause_without_an_end_has_no_deadline() -> None:
    clock = c.noticed(begun(), START)
    paused = Calendar((Stop(START + 10 * H, None, "paused"),))
    assert c.deadline(clock, paused) is None
    assert c.left(clock, paused, 0, START + 999 * H) == 230 * H
    assert c.next_due(clock, paused) is None
    over = Calendar((Stop(START + 10 * H, START + 20 * H, "paused"),))
    assert c.deadline(clock, over) == START + 250 * H


def test_stops_that_overlap_count_once() -> None:
    clock = c.noticed(begun(), START)
    twice = Calendar((Stop(START + H, START + 5 * H), Stop(START + 3 * H, START + 8 * H, "frozen")))
    assert c.deadline(clock, twice) == START + 247 * H


# -- reminders -----------------------------------------------------------------------------------------------------


def test_reminders_come_in_order_once_each_then_the_deadline() -> None:
    clock = c.noticed(begun(), START)
    seen = []
    for _ in range(3):
        due = c.next_due(clock, NONE)
        assert due is not None
        seen.append((due.kind, due.at - START))
        clock = c.reminded(clock)
    assert seen == [("reminder", 168 * H), ("reminder", 216 * H), ("deadline", 240 * H)]


def test_a_reminder_whose_time_lay_before_the_turn_is_left_out() -> None:
    clock = c.noticed(begun(bank=30 * H, cap=30 * H), START)
    due = c.next_due(clock, NONE)
    assert due is not None
    assert (due.kind, due.at - START) == ("reminder", 6 * H)


def test_a_game_of_claims_has_nothing_due_once_the_opponent_knows() -> None:
    from dataclasses import replace

    clock = replace(c.noticed(begun(timeout="claim"), START), reminded=2)
    assert c.next_due(clock, NONE) is not None
    assert c.next_due(replace(clock, told=True), NONE) is None


@given(running())
def test_reminders_move_with_what_stops_the_clock(what: tuple[Clock, Calendar]) -> None:
    clock, calendar = what
    assert clock.seat is not None
    due = c.next_due(clock, calendar)
    if due is None:
        assert c.deadline(clock, calendar) is None
    elif due.kind == "reminder":
        rest = c.left(clock, calendar, clock.seat, due.at)
        assert rest in clock.settings.reminders
    else:
        assert due.at == c.deadline(clock, calendar)


# -- vacations -----------------------------------------------------------------------------------------------------


def test_m96_a_vacation_never_touches_the_running_deadline() -> None:
    clock = c.noticed(begun(), START)
    away = Vacation(date(2025, 3, 30), date(2025, 4, 5), START + H)
    assert c.deadline(clock, Calendar((), ((away,), ()))) == START + 240 * H


def test_a_vacation_declared_before_stops_the_clock_from_its_first_day() -> None:
    clock = c.noticed(begun(zone="Europe/Berlin"), START)
    away = Vacation(date(2025, 3, 30), date(2025, 3, 31), START - H)
    # two days in Berlin, one of them without the hour from 2 to 3
    assert c.deadline(clock, Calendar((), ((away,), ()))) == START + 240 * H + 47 * H
    assert (
        c.left(clock, Calendar((), ((away,), ())), 0, datetime(2025, 3, 29, 23, tzinfo=UTC))
        == 205 * H
    )
    assert (
        c.left(clock, Calendar((), ((away,), ())), 0, datetime(2025, 3, 31, 22, tzinfo=UTC))
        == 205 * H
    )
    assert c.deadline(clock, Calendar((), ((), (away,)))) == START + 240 * H, "his own clock only"


def test_the_day_on_which_clocks_go_back_has_25_hours() -> None:
    clock = c.noticed(begun(zone="Europe/Berlin"), datetime(2025, 10, 25, 12, tzinfo=UTC))
    away = Vacation(date(2025, 10, 26), date(2025, 10, 26), START)
    assert (
        c.deadline(clock, Calendar((), ((away,), ())))
        == datetime(2025, 10, 25, 12, tzinfo=UTC) + 265 * H
    )


def test_a_day_whose_midnight_is_left_out_begins_with_the_change() -> None:
    begin, end = c.windows(
        [Vacation(date(2018, 11, 4), date(2018, 11, 4), START - 9999 * D)],
        "America/Sao_Paulo",
        START,
    )[0]
    assert begin == datetime(2018, 11, 4, 3, tzinfo=UTC)
    assert end - begin == 23 * H


def test_thirty_days_a_year() -> None:
    today = date(2025, 1, 1)
    june = Vacation(date(2025, 6, 1), date(2025, 6, 25), START)
    assert c.days_left([june], 2025) == 5
    assert c.refusal([june], date(2025, 7, 1), date(2025, 7, 5), today) is None
    assert "1 day" in (c.refusal([june], date(2025, 7, 1), date(2025, 7, 6), today) or "")
    assert c.refusal([june], date(2025, 6, 20), date(2025, 6, 30), today) is None, (
        "days twice count once"
    )
    assert c.refusal([june], date(2025, 12, 28), date(2026, 1, 25), today) is None, (
        "each year has its own"
    )
    leap = Vacation(date(2024, 2, 28), date(2024, 3, 1), START)
    assert c.days_left([leap], 2024) == 27


@pytest.mark.parametrize(
    ("first", "last", "says"),
    [
        (date(2025, 2, 2), date(2025, 2, 1), "ends before it begins"),
        (date(2024, 12, 31), date(2025, 1, 2), "has passed"),
        (date(2028, 1, 1), date(2028, 1, 2), "two years"),
        (date(2025, 2, 1), date(2025, 12, 1), "too many"),
        (date(2026, 1, 1), date.max, "two years"),
    ],
)
def test_vacations_that_cannot_be(first: date, last: date, says: str) -> None:
    assert says in (c.refusal([], first, last, date(2025, 1, 1)) or "")


# -- the club's own clock ------------------------------------------------------------------------------------------


def test_m90_a_gap_of_more_than_five_minutes_is_downtime_for_who_comes_back() -> None:
    now = Beat(START + 6 * timedelta(minutes=1), 5.0)
    pulse = c.pulse(START, None, now)
    assert (pulse.kind, pulse.begin, pulse.end) == ("down", START, now.at)
    assert c.pulse(START, None, Beat(START + timedelta(minutes=5), 5.0)).kind == "ok"
    assert c.pulse(None, None, now).kind == "ok"


def test_a_process_that_ran_through_was_not_down() -> None:
    mine = Beat(START, 100.0)
    assert c.pulse(START, mine, Beat(START + timedelta(minutes=20), 1300.0)).kind == "ok"


@pytest.mark.parametrize(
    "jump", [timedelta(days=365), -timedelta(days=1), timedelta(seconds=61), -timedelta(seconds=61)]
)
def test_m89_wall_and_monotonic_clock_that_part_are_a_jump(jump: timedelta) -> None:
    mine = Beat(START, 100.0)
    pulse = c.pulse(None, mine, Beat(START + timedelta(seconds=30) + jump, 130.0))
    assert pulse.kind == "jump"
    assert pulse.begin <= START


@pytest.mark.parametrize("slip", [timedelta(seconds=59), -timedelta(seconds=59)])
def test_a_small_correction_is_no_jump(slip: timedelta) -> None:
    mine = Beat(START, 100.0)
    assert c.pulse(START - D, mine, Beat(START + timedelta(minutes=2) + slip, 220.0)).kind == "ok"


def test_a_moment_before_the_last_heartbeat_is_a_jump() -> None:
    assert c.pulse(START, None, Beat(START - timedelta(seconds=1), 5.0)).kind == "jump"
    assert c.pulse(START, Beat(START, 5.0), Beat(START - timedelta(seconds=1), 6.0)).kind == "jump"


def test_a_turn_from_the_future_begins_now() -> None:
    clock = c.noticed(begun(), START + 365 * D)
    assert c.deadline(c.healed(clock, START), NONE) == START + 240 * H
    assert c.healed(c.noticed(begun(), START), START + H).since == START


# -- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moment", "zone", "text"),
    [
        (
            datetime(2025, 3, 30, 0, 59, tzinfo=UTC),
            "Europe/Berlin",
            "Sunday 30 March 2025, 01:59 Europe/Berlin (UTC+01:00)",
        ),
        (
            datetime(2025, 3, 30, 1, 0, tzinfo=UTC),
            "Europe/Berlin",
            "Sunday 30 March 2025, 03:00 Europe/Berlin (UTC+02:00)",
        ),
        (
            datetime(2025, 10, 26, 1, 30, tzinfo=UTC),
            "Europe/Berlin",
            "Sunday 26 October 2025, 02:30 Europe/Berlin (UTC+01:00)",
        ),
        (datetime(2025, 1, 1, 0, 0, 59, tzinfo=UTC), "UTC", "Wednesday 1 January 2025, 00:00 UTC"),
        (
            datetime(2025, 1, 1, tzinfo=UTC),
            "America/St_Johns",
            "Tuesday 31 December 2024, 20:30 America/St_Johns (UTC−03:30)",
        ),
        (
            datetime(2024, 2, 29, 20, tzinfo=UTC),
            "Asia/Kathmandu",
            "Friday 1 March 2024, 01:45 Asia/Kathmandu (UTC+05:45)",
        ),
    ],
)
def test_deadlines_are_written_with_zone_and_offset(moment: datetime, zone: str, text: str) -> None:
    assert c.written(moment, zone) == text


@given(moments, st.sampled_from(ZONES))
def test_a_written_moment_is_never_later_than_it_is(moment: datetime, zone: str) -> None:
    text = c.written(moment, zone)
    local = moment.astimezone(ZoneInfo(zone))
    assert f"{local.hour:02}:{local.minute:02} " in text
    assert f" {local.day} " in text


@pytest.mark.parametrize(
    "name",
    [
        "Mars/Olympus",
        "",
        "../../etc/passwd",
        "/etc/passwd",
        "Europe",
        "a" * 99,
        "Europe/Berlin\n",
        "UTC\0",
    ],
)
def test_what_is_no_zone(name: str) -> None:
    assert c.parse_zone(name) is None


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("240h", 240 * H),
        ("10d", 10 * D),
        ("1d 12h", 36 * H),
        ("90 min", 1.5 * H),
        ("5 days", 5 * D),
        ("1 hour", H),
    ],
)
def test_spans_are_read(text: str, span: timedelta) -> None:
    assert c.parse_duration(text) == span


@pytest.mark.parametrize("text", ["", "5", "h", "-5h", "5 fortnights", "1e9h", "9999999999d"])
def test_what_is_no_span(text: str) -> None:
    assert c.parse_duration(text) is None


@pytest.mark.parametrize(
    ("span", "text"),
    [
        (3 * D + 4 * H + timedelta(minutes=5), "3 days 4 hours"),
        (H + timedelta(minutes=1), "1 hour 1 minute"),
        (timedelta(seconds=59), "less than a minute"),
        (-H, "less than a minute"),
        (240 * H, "10 days"),
    ],
)
def test_spans_in_words(span: timedelta, text: str) -> None:
    assert c.duration(span) == text


def test_clock_options_of_a_challenge() -> None:
    pairs = [("--Bank", "100h"), ("size", "9"), ("TIMEOUT", "Claim"), ("zone", "Asia/Kathmandu")]
    chosen = c.chosen(Settings(), pairs)
    assert not isinstance(chosen, str)
    settings_, rest = chosen
    assert rest == [("size", "9")]
    assert (settings_.bank, settings_.timeout, settings_.zone) == (
        100 * H,
        "claim",
        "Asia/Kathmandu",
    )
    days = c.chosen(Settings(), [("days", "5")])
    assert not isinstance(days, str)
    assert days[0].per_move == 5 * D


@pytest.mark.parametrize(
    "pair",
    [
        ("days", "0"),
        ("days", "x"),
        ("days", "999"),
        ("bank", "ten"),
        ("bank", "0h"),
        ("zone", "Mars/X"),
        ("timeout", "never"),
        ("cap", "1h"),
        ("bank", "9999d"),
    ],
)
def test_clock_options_that_cannot_be(pair: tuple[str, str]) -> None:
    assert isinstance(c.chosen(Settings(), [pair]), str)
