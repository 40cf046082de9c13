"""The parts of a unit: spool, outbox, keys, codes, budgets, players, challenges (mail-cases.md E, F, G)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Table, select

from referee import match as m
from referee.clock import Settings
from referee.match import Proposal
from referee.store import Mail, Player, Store, Unit
from referee.store.schema import metadata
from tests.referee.store.conftest import DAY, HOUR, START, new_game

MINUTE = timedelta(minutes=1)


# -- spool ---------------------------------------------------------------------------------------------------------


def _in(store: Store, raw: bytes = b"mail", received=START, game: str | None = None) -> int:
    with store.begin(START) as unit:
        return unit.spool_add(raw, received, "referee@club.example", "test", game)


def _taken(store: Store, now=START) -> Mail:
    mail = store.take_mail(now)
    assert mail is not None
    return mail


def test_mails_come_in_order_of_receipt(store: Store) -> None:
    late, early = _in(store, b"late", START + HOUR), _in(store, b"early", START)
    same = _in(store, b"same", START)
    order = []
    for _ in range(3):
        mail = _taken(store)
        order.append(mail.id)
        with store.begin(START) as unit:
            assert unit.spool_done(mail.id)
    assert order == [early, same, late]
    assert store.take_mail(START) is None


def test_a_mail_comes_out_as_it_went_in(store: Store) -> None:
    raw = bytes(range(256)) * 40
    with store.begin(START) as unit:
        unit.spool_add(raw, START, "r\ud800\0@x", "lmtp")
    mail = _taken(store)
    assert (mail.raw, mail.received, mail.source, mail.attempts) == (raw, START, "lmtp", 1)
    assert mail.recipient is not None
    assert mail.recipient.isprintable()
    assert mail.recipient.endswith("@x")


def test_m63_m68_a_mail_is_done_once_with_all_that_it_did(store: Store) -> None:
    number = _in(store)
    with store.begin(START) as unit:
        assert unit.spool_done(number)
        unit.mark_handled("<id>", "referee@club.example", "hash", None)
    with store.begin(START) as unit:
        assert not unit.spool_done(number), "another process was first"
        assert unit.handled("<id>", "referee@club.example") == {"hash"}


def test_m70_after_three_attempts_a_mail_is_quarantined_and_told_of(store: Store) -> None:
    bad, good = _in(store, b"bad"), _in(store, b"good", START + MINUTE)
    for attempt in (1, 2, 3):
        mail = _taken(store)
        assert (mail.id, mail.attempts, mail.quarantined) == (bad, attempt, False)
    mail = _taken(store)
    assert (mail.id, mail.attempts, mail.quarantined) == (bad, 4, True)
    assert _taken(store).id == good, "the queue goes on"
    with store.begin(START) as unit:
        unit.spool_done(good)
        unit.spool_mark(bad, why="it could not be read")
        unit.spool_told(bad)
    assert store.take_mail(START) is None
    with store.read(START) as unit:
        assert [(q.id, q.why) for q in unit.quarantine()] == [(bad, "it could not be read")]
        assert unit.spool_counts() == {"waiting": 0, "quarantined": 1}


def test_a_mail_whose_telling_fails_too_is_left_in_peace(store: Store) -> None:
    _in(store)
    seen = []
    while (mail := store.take_mail(START)) is not None:
        seen.append((mail.attempts, mail.quarantined))
    assert seen == [(1, False), (2, False), (3, False), (4, True), (5, True), (6, True)]


def test_a_released_mail_keeps_its_first_receipt_time(store: Store) -> None:
    number = _in(store)
    for _ in range(4):
        store.take_mail(START)
    with store.begin(START + DAY) as unit:
        assert unit.spool_release(number)
        assert not unit.spool_release(number)
    mail = _taken(store, START + DAY)
    assert (mail.received, mail.attempts, mail.quarantined) == (START, 1, False)


def test_m53_a_mail_put_off_comes_again_and_nothing_is_counted(store: Store) -> None:
    number = _in(store)
    for _ in range(5):
        mail = _taken(store)
        assert mail.attempts == 1
        with store.begin(START) as unit:
            unit.spool_defer(number, START + HOUR, "DNS did not answer")
        assert store.take_mail(START + HOUR - MINUTE) is None
        with store.begin(START) as unit:
            unit.spool_defer(number, START, "")
            unit.spool_excuse(number)


# -- outbox --------------------------------------------------------------------------------------------------------


def _letter(
    unit: Unit, kind: str = "turn", event: int = 1, game: str = "hex-1", **more: object
) -> int:
    number = unit.outbox_counts()["due"] + sum(unit.outbox_counts().values())
    return unit.outbox_add(
        kind,
        "ann@x.example",
        f"<hex-1.{number}@club.example>",
        b"bytes",
        player_id=1,
        game=game,
        event=event,
        **more,  # type: ignore[arg-type]
    )


def test_m79_a_letter_is_sent_at_least_once_and_always_the_same(store: Store) -> None:
    with store.begin(START) as unit:
        number = _letter(unit)
    with store.begin(START) as unit:
        first = unit.outbox_take()
    with store.begin(START + MINUTE) as unit:
        assert unit.outbox_take() == [], "it is in somebody's hands"
    with store.begin(START + 11 * MINUTE) as unit:  # he died
        again = unit.outbox_take()
    assert [letter.id for letter in first] == [letter.id for letter in again] == [number]
    assert (first[0].raw, first[0].message_id) == (again[0].raw, again[0].message_id)
    assert (first[0].attempts, again[0].attempts) == (1, 2)


def test_only_the_first_250_is_told(store: Store) -> None:
    with store.begin(START) as unit:
        number = _letter(unit)
        unit.outbox_take()
    with store.begin(START + MINUTE) as unit:
        assert unit.outbox_sent(number)
    with store.begin(START + HOUR) as unit:
        assert not unit.outbox_sent(number)
        kept = unit.outbox_get(number)
        assert kept is not None
        assert kept.sent == START + MINUTE


def test_m80_failures_are_told_apart(store: Store) -> None:
    with store.begin(START) as unit:
        later, never = _letter(unit), _letter(unit)
        unit.outbox_take()
        unit.outbox_retry(later, START + 3 * HOUR, "421 come back")
        unit.outbox_failed(never, "550 nobody here")
    with store.begin(START + 2 * HOUR) as unit:
        assert unit.outbox_take() == []
        assert unit.outbox_next() == START + 3 * HOUR
    with store.begin(START + 3 * HOUR) as unit:
        assert [letter.id for letter in unit.outbox_take()] == [later]
        assert unit.outbox_counts() == {"due": 1, "sent": 0, "failed": 1, "cancelled": 0}


def test_m77_stale_notices_are_cancelled_and_no_others(store: Store) -> None:
    with store.begin(START) as unit:
        stale, new, other, result = (
            _letter(unit, event=3),
            _letter(unit, event=4),
            _letter(unit, event=3, game="hex-2"),
            _letter(unit, kind="result", event=3),
        )
        assert unit.outbox_cancel("hex-1", ("turn", "reminder"), 4) == 1
        assert {letter.id for letter in unit.outbox_take()} == {new, other, result}
        assert unit.outbox_last("hex-1", 1, ("turn",)) is not None
        cancelled = unit.outbox_get(stale)
        assert cancelled is not None
        assert cancelled.state == "cancelled"


def test_a_letter_can_be_sent_again(store: Store) -> None:
    with store.begin(START) as unit:
        number = _letter(unit)
        unit.outbox_take()
        unit.outbox_sent(number)
    with store.begin(START + DAY) as unit:
        assert unit.outbox_resend(number)
        assert not unit.outbox_resend(999)
        assert [letter.raw for letter in unit.outbox_take()] == [b"bytes"]
        assert not unit.outbox_sent(number), "its first 250 was long ago"


def test_old_letters_go(store: Store) -> None:
    with store.begin(START) as unit:
        sent, due = _letter(unit), _letter(unit, not_before=START)
        unit.outbox_sent(sent)
    with store.begin(START + 60 * DAY) as unit:
        assert unit.outbox_purge(START + 30 * DAY) == 1
        assert unit.outbox_get(sent) is None
        assert unit.outbox_get(due) is not None


# -- handled once --------------------------------------------------------------------------------------------------


def test_m65_the_key_is_message_and_recipient(store: Store) -> None:
    with store.begin(START) as unit:
        unit.mark_handled("<1>", "referee@club.example", "h", None)
        assert unit.handled("<1>", "other@club.example") == frozenset()
        assert unit.handled("<2>", "referee@club.example") == frozenset()


def test_the_same_key_with_other_text_is_another_mail(store: Store) -> None:
    with store.begin(START) as unit:
        unit.mark_handled("<1>", "r", "h", None)
        unit.mark_handled("<1>", "r", "other", None)
        assert unit.handled("<1>", "r") == {"h", "other"}


def test_keys_of_any_length_and_any_characters(store: Store) -> None:
    long, near = "<" + "x" * 5000 + ">", "<" + "x" * 5000 + "y>"
    with store.begin(START) as unit:
        unit.mark_handled(long, "r\ud800", "h", None)
        assert unit.handled(long, "r\ud800") == {"h"}
        assert unit.handled(near, "r\ud800") == frozenset()


def test_keys_are_kept_while_the_game_is_on_and_a_year_after(store: Store) -> None:
    with store.begin(START) as unit:
        on, over = new_game(unit), new_game(unit)
        for key, game in (("on", on.id), ("over", over.id), ("none", None)):
            unit.mark_handled(key, "r", "h", game)
    with store.begin(START + 100 * DAY) as unit:
        ended = m.resign(over.match, 0)
        assert isinstance(ended, m.Done)
        unit.save_game(over, ended.match, over.clock, ended.events)
    with store.begin(START + 366 * DAY) as unit:
        unit.purge_limits()
        assert unit.handled("none", "r") == frozenset()
        assert unit.handled("over", "r") == {"h"}
    with store.begin(START + 500 * DAY) as unit:
        unit.purge_limits()
        assert unit.handled("over", "r") == frozenset()
        assert unit.handled("on", "r") == {"h"}


# -- codes ---------------------------------------------------------------------------------------------------------


def test_codes_are_single_use_for_a_day_and_bound_to_commands(store: Store) -> None:
    with store.begin(START) as unit:
        assert unit.code_add("d1", "ann@x.example", "commands", "move", {"spool": 5}, 1)
        assert unit.code_use("d1", "eve@x.example", "commands") is None
        assert unit.code_use("d1", "ann@x.example", "others") is None
        assert unit.code_use("d2", "ann@x.example") is None
    with store.begin(START + 24 * HOUR - MINUTE) as unit:
        code = unit.code_use("d1", "ann@x.example", "commands")
        assert code is not None
        assert (code.purpose, code.data, code.player_id) == ("move", {"spool": 5}, 1)
        assert unit.code_use("d1", "ann@x.example", "commands") is None


def test_a_code_is_good_for_24_hours(store: Store) -> None:
    with store.begin(START) as unit:
        unit.code_add("d", "a", "c", "move", {})
    with store.begin(START + 24 * HOUR) as unit:
        assert unit.code_use("d", "a") is None


def test_three_codes_a_day(store: Store) -> None:
    with store.begin(START) as unit:
        assert [unit.code_add(f"d{n}", "a", "c", "move", {}) for n in range(4)] == [True] * 3 + [
            False
        ]
        assert unit.code_add("e", "b", "c", "move", {})
    with store.begin(START + DAY) as unit:
        assert unit.code_add("f", "a", "c", "move", {})


# -- budgets -------------------------------------------------------------------------------------------------------


def test_a_budget_is_for_any_window(store: Store) -> None:
    for minute in range(20):
        with store.begin(START + minute * MINUTE) as unit:
            assert unit.budget("address", "ann@x.example", 20, HOUR)
    with store.begin(START + 59 * MINUTE) as unit:
        assert not unit.budget("address", "ann@x.example", 20, HOUR)
        assert unit.budget("address", "bob@x.example", 20, HOUR)
        assert unit.budget("game", "ann@x.example", 20, HOUR)
    with store.begin(START + HOUR) as unit:
        assert unit.budget("address", "ann@x.example", 20, HOUR)
        assert not unit.budget("address", "ann@x.example", 20, HOUR)


def test_what_was_refused_is_not_charged(store: Store) -> None:
    with store.begin(START) as unit:
        assert [unit.budget("x", "y", 1, HOUR) for _ in range(50)].count(True) == 1
    with store.begin(START + HOUR) as unit:
        assert unit.budget("x", "y", 1, HOUR)


# -- players -------------------------------------------------------------------------------------------------------


def _player(unit: Unit, number: int) -> Player:
    player = unit.player(number)
    assert player is not None
    return player


def test_m60_players_are_found_by_a_whole_name_or_address_one_at_most(store: Store) -> None:
    with store.begin(START) as unit:
        ann = unit.player_by_address("ANN@x.example")
        assert ann == unit.player(1) == unit.player_named("ann")
        assert ann is not None
        assert (ann.address, ann.joined, ann.notices, ann.digest) == (
            "ann@x.example",
            START,
            True,
            False,
        )
        assert unit.player_by_address("ann@x") is None
        assert unit.player_named("an") is None
        assert unit.player(99) is None


def test_names_and_addresses_are_unique(store: Store) -> None:
    with store.begin(START) as unit:
        assert unit.add_player("ANN", "ann", "other@x.example") is None
        assert unit.add_player("Other", "other", "ann@x.example") is None
        assert unit.player_count() == 2


def test_m56_several_addresses(store: Store) -> None:
    with store.begin(START) as unit:
        assert unit.add_address(1, "Ann+Tag@y.example")
        assert unit.add_address(1, "ann+tag@y.example")
        assert not unit.add_address(2, "ann@x.example")
        assert _player(unit, 1).addresses == ("ann@x.example", "ann+tag@y.example")
        assert unit.player_by_address("ann+tag@Y.example") == _player(unit, 1)


def test_m45_bounces_are_counted_until_the_player_writes(store: Store) -> None:
    with store.begin(START) as unit:
        assert [unit.bounced("ann@x.example") for _ in range(3)] == [1, 2, 3]
        assert unit.bounced("nobody@x.example") == 0
        assert unit.bounces("bob@x.example") == 0
        unit.wrote(1)
        assert unit.bounces("ann@x.example") == 0


def test_what_a_player_wants_sent(store: Store) -> None:
    with store.begin(START) as unit:
        unit.set_player(1, notices=False)
        unit.set_player(1, digest=True)
        assert (_player(unit, 1).notices, _player(unit, 1).digest) == (False, True)
        assert (_player(unit, 2).notices, _player(unit, 2).digest) == (True, False)


def test_an_unknown_address_has_one_invitation_until_it_answers(store: Store) -> None:
    with store.begin(START) as unit:
        assert unit.invite("Cleo@x.example", 1)
        assert not unit.invite("cleo@x.example", 2)
        assert unit.invited("CLEO@x.example")
        cleo = unit.add_player("Cleo", "cleo", "cleo@x.example")
        assert cleo is not None
        assert not unit.invited("cleo@x.example")


def test_m86_a_digest_gathers_games_and_comes_once_a_day(store: Store) -> None:
    with store.begin(START) as unit:
        one, two = new_game(unit), new_game(unit)
        for game in (one, two, one):
            unit.digest_add(1, game.id)
        assert unit.digests_due() == [1]
        assert unit.digest_take(1) == [one.id, two.id]
        assert unit.digest_take(1) == []
    with store.begin(START + HOUR) as unit:
        unit.digest_add(1, one.id)
        assert unit.digests_due() == []
    with store.begin(START + DAY) as unit:
        assert unit.digests_due() == [1]


def _rows(store: Store, table: Table) -> list[object]:
    with store._engine.connect() as connection:
        return [tuple(row) for row in connection.execute(select(table))]


def test_the_last_letter_to_who_is_gone_goes_with_the_next_purge(store: Store) -> None:
    with store.begin(START) as unit:
        last, other = _letter(unit), unit.outbox_add("answer", "b@x", "<b>", b"x", player_id=2)
        unit.forget(1)
        assert unit.outbox_purge(START - DAY) == 0, "it is not sent yet"
        unit.outbox_sent(last)
        unit.outbox_sent(other)
        assert unit.outbox_purge(START - DAY) == 1
        assert unit.outbox_get(last) is None
        assert unit.outbox_get(other) is not None


def test_forget_me_removes_name_and_addresses_everywhere(store: Store) -> None:
    with store.begin(START) as unit:
        game = new_game(unit)
        unit.add_address(1, "ann@y.example")
        unit.code_add("d", "ann@y.example", "c", "move", {})
        unit.outbox_sent(_letter(unit, game=game.id))
        proposal = m.propose("Hex", 77, {}, "", None)
        unit.add_challenge(proposal, 2, START + DAY, None, opponent_address="ann@x.example")
        assert unit.forget(1) == "Player 1"
    with store.read(START) as unit:
        player = _player(unit, 1)
        assert (player.name, player.addresses, player.address, player.gone) == (
            "Player 1",
            (),
            None,
            True,
        )
        assert unit.player_by_address("ann@x.example") is None
        kept = unit.game(game.id)
        assert kept is not None
        assert '[First "Player 1"]' in m.record_text(kept.match)
        assert unit.log_of(game.id)[0].data == {"first": "Player 1", "second": "Bob"}
    found = [
        (table.name, row)
        for table in metadata.sorted_tables
        for row in _rows(store, table)
        if "ann" in repr(row).lower()
    ]
    assert found == []


# -- challenges ----------------------------------------------------------------------------------------------------


def _proposed(unit: Unit, game: str = "Lightning") -> Proposal:
    return m.propose(game, unit.next_number(), {}, "wörd", bytes(range(32)))


def test_a_challenge_comes_back_as_it_was_made(store: Store) -> None:
    with store.begin(START) as unit:
        proposal = _proposed(unit)
        clock = Settings(per_move=5 * DAY, zone="Asia/Kathmandu")
        kept = unit.add_challenge(proposal, 1, START + 30 * DAY, clock, opponent_id=2)
        assert kept.proposal == proposal
        assert kept.clock == clock
        assert (kept.status, kept.challenger_id, kept.opponent_id) == ("open", 1, 2)
        assert "seed" not in repr(kept)
        assert unit.challenges_of(1) == unit.challenges_of(2) == [kept]


def test_m75_an_accept_counts_once(store: Store) -> None:
    with store.begin(START) as unit:
        proposal = _proposed(unit)
        unit.add_challenge(proposal, 1, START + DAY, None, opponent_id=2)
        assert unit.close_challenge(proposal.id, "accepted")
        assert not unit.close_challenge(proposal.id, "accepted")
        assert not unit.close_challenge("lightning-99", "accepted")
        assert unit.challenges_of(2) == []
        kept = unit.challenge(proposal.id)
        assert kept is not None
        assert kept.status == "accepted"


def test_challenges_to_an_address_find_their_player_when_he_joins(store: Store) -> None:
    with store.begin(START) as unit:
        proposal = _proposed(unit, "Hex")
        unit.add_challenge(proposal, 1, START + DAY, None, opponent_address="Cleo@x.example")
        assert len(unit.challenges_at("cleo@X.example")) == 1
        cleo = unit.add_player("Cleo", "cleo", "cleo@x.example")
        assert cleo is not None
        assert unit.claim_challenges("cleo@x.example", cleo.id) == 1
        assert [c.id for c in unit.challenges_of(cleo.id)] == [proposal.id]


def test_challenges_run_out(store: Store) -> None:
    with store.begin(START) as unit:
        proposal = _proposed(unit)
        unit.add_challenge(proposal, 1, START + DAY, None, opponent_id=2)
        assert unit.challenges_expired() == []
    with store.begin(START + DAY) as unit:
        assert [c.id for c in unit.challenges_expired()] == [proposal.id]
        unit.close_challenge(proposal.id, "expired")
        assert unit.challenges_expired() == []


@pytest.mark.parametrize("count", [5])
def test_no_number_comes_twice(store: Store, count: int) -> None:
    numbers = []
    for _ in range(count):
        with store.begin(START) as unit:
            numbers.append(unit.next_number())
    assert numbers == [1, 2, 3, 4, 5]
    with store.begin(START) as unit:
        unit.number_taken(41)
        unit.number_taken(7)
        assert unit.next_number() == 42
