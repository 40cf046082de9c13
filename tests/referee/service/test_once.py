"""Once and only once; machines, bounces, loops, floods (M40 to M49, M63 to M72, M105)."""

from __future__ import annotations

from datetime import timedelta

from referee.service.pipeline import Outcome
from referee.service.spool import receive, work
from tests.referee.service.house import ADDRESS, House, plain


def flat(text: str) -> str:
    return " ".join(text.split())


def test_m63_the_same_mail_twice_changes_nothing(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    raw = house.mail(first, "c3", to=to)
    assert house.give(raw, to=to).kind == "done"
    before = house.count()
    assert house.give(raw, to=to).kind == "duplicate"
    assert house.count() == before
    house.answer(house.last(second, game), "undo?")
    assert house.give(raw, to=to).kind == "duplicate"
    assert house.match(game).words == ("c3",)


def test_the_same_key_with_other_text_is_handled_and_flagged(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    mine = "<same@x.example>"
    house.give(house.mail(first, "preview a1", to=to, message_id=mine), to=to)
    assert house.give(house.mail(first, "c3", to=to, message_id=mine), to=to).kind == "done"
    assert house.match(game).words == ("c3",)
    assert "identity of one that was handled before" in flat(plain(house.last(first, game)))


def test_m64_without_a_message_id_the_content_is_the_key(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    raw = house.mail(first, "c3", to=to).replace(b"Message-ID:", b"X-Nothing:")
    assert house.give(raw, to=to).kind == "done"
    assert house.give(raw.replace(b"X-Nothing: <m", b"X-Nothing: <z"), to=to).kind == "duplicate"


def test_an_unauthenticated_mail_takes_no_key(house: House) -> None:
    """A forger cannot make the real mail a duplicate."""
    game, (first, _) = house.begun("hex", "size=5")
    text, subject, mine = "move 1 c3", f"[{game}]", "<real@x.example>"
    house.write(first, text, subject=subject, proved=False, message_id=mine)
    assert house.write(first, text, subject=subject, message_id=mine).kind == "done"


def test_m72_two_moves_for_one_turn(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    letter = house.last(first, game)
    to = str(letter["Reply-To"])
    for move in ("c3", "d4"):
        receive(house.desk, house.mail(first, move, to=to), to, house.now)
    kinds = [outcome.kind for outcome in work(house.desk, lambda: house.now)]
    assert kinds == ["done", "stale"]
    assert house.match(game).words == ("c3",)


def test_m40_m49_automatic_mail_is_never_answered_and_never_a_move(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    letter = house.last(first, game)
    to = str(letter["Reply-To"])
    before = house.count()
    for headers in (
        {"Auto-Submitted": "auto-replied"},
        {"Return-Path": "<>"},
        {"X-Autoreply": "yes"},
        {"Precedence": "auto_reply"},
        {"X-Referee-Loop": "other@robot.example"},
    ):
        raw = house.mail(first, "resign", to=to, headers=headers, proved=True)
        assert house.give(raw, to=to).kind in ("automatic", "own")
    assert house.match(game).status == "on"
    assert house.count() == before


def test_m43_m44_what_people_send_too_is_no_proof_of_a_machine(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    for address, move, headers in (
        (first, "c3", {"X-Auto-Response-Suppress": "All"}),
        (second, "d4", {"Precedence": "bulk"}),
    ):
        to = str(house.last(address, game)["Reply-To"])
        raw = house.mail(address, move, to=to, headers=headers)
        assert house.give(raw, to=to).kind == "done"


def test_m48_our_own_address_is_dropped(house: House) -> None:
    assert house.give(house.mail(ADDRESS, "help", proved=True)).kind == "own"
    assert house.count() == 0


def test_m42_two_robots_do_not_answer_each_other(house: House) -> None:
    ann = house.player("Ann")
    house.write(ann, "help")
    answer = house.parcel(ann)
    before = house.count()
    assert house.give(answer.data).kind == "own"
    assert house.count() == before


def bounced(house: House, letter_to: str, status: str = "5.1.1", tag: str = "") -> Outcome:
    """Let the last letter to an address come back to its envelope sender."""
    parcel = house.parcel(letter_to)
    to = tag or parcel.sender
    house.numbers += 1
    report = (
        f"Return-Path: <>\nFrom: MAILER-DAEMON@mx.example\nTo: {to}\nSubject: Undelivered Mail Returned to Sender\n"
        f"Message-ID: <b{house.numbers}@mx.example>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="x"\n\n'
        "--x\nContent-Type: text/plain\n\nIt could not be delivered.\n"
        "--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"
        f"Final-Recipient: rfc822; {letter_to}\nAction: {'failed' if status[0] == '5' else 'delayed'}\n"
        f"Status: {status}\n\n--x--\n"
    )
    return house.give(report.encode(), to=to)


def test_m45_a_hard_bounce_of_a_turn_stops_the_clock_and_is_told(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    house.answer(house.last(first, game), "c3")
    house.now += timedelta(hours=1)
    assert bounced(house, second).kind == "bounce: hard"
    with house.desk.store.read(house.now) as unit:
        kept = unit.game(game)
        assert kept is not None
        assert kept.clock is not None
        assert kept.clock.since is None
    told = plain(house.last(first, game))
    assert "could not be delivered" in flat(told)
    assert second not in told
    assert second in plain(house.last("op@club.example"))
    house.later(days=10)
    assert house.match(game).status == "on"
    # he writes: what he gets is his notice, and the clock runs on with what was left
    house.write(second, f"show {game}")
    with house.desk.store.read(house.now) as unit:
        kept = unit.game(game)
        assert kept is not None
        assert kept.clock is not None
        assert kept.clock.since == house.now
        assert kept.clock.banks[1] == timedelta(days=3) - timedelta(hours=1)


def test_only_bounces_to_our_envelope_senders_count(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(first, game), "c3")
    tag = f"referee+b.1.{'a' * 26}@club.example"
    assert bounced(house, second, tag=tag).kind == "bounce: not ours"
    assert bounced(house, second, tag=ADDRESS).kind == "bounce: not ours"
    with house.desk.store.read(house.now) as unit:
        assert unit.bounces(second) == 0


def test_after_three_bounces_no_notices_until_the_player_writes(house: House) -> None:
    game, (first, second) = house.begun("focus")
    house.answer(house.last(first, game), "c3-c4")
    for _ in range(3):
        assert bounced(house, second, "5.2.2").kind == "bounce: hard"
    assert "gets no notices" in flat(plain(house.last("op@club.example")))
    before = house.count(second)
    house.answer(house.last(first, game), "chat\nare you there?\nend")
    assert house.count(second) == before
    house.write(second, "next")
    house.answer(house.last(first, game), "chat\nand now?\nend")
    assert "and now?" in plain(house.last(second))


def test_m79_who_waits_for_somebody_whom_no_mail_reaches_learns_it(house: House) -> None:
    """Bounces of any kind: no notice goes out, so the clock stands, and no deadline may be shown."""
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    for _ in range(3):
        assert bounced(house, second, "5.2.2").kind == "bounce: hard"
    house.answer(house.last(first, game), "c3")
    told = flat(plain(house.last(first, game)))
    assert "The clocks stand: mail to" in told
    assert "until" not in told.partition("The clocks stand")[2].partition("undo")[0]
    house.later(days=9)
    assert house.match(game).status == "on"
    house.write(second, f"show {game}")  # he writes: this is his notice
    house.later(days=4)
    assert house.match(game).status == "over"


def test_m41_m105_answers_to_questions_have_budgets_moves_do_not(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=11")
    letter = house.last(first, game)
    before = house.count(first)
    for _ in range(25):
        house.answer(letter, "z99")
    assert house.count(first) == before + 20
    assert house.answer(letter, "c3").kind == "done"
    assert house.count(first) == before + 21
    assert "c3" in plain(house.last(second, game))
    house.now += timedelta(hours=1)
    house.write(first, "next")
    assert house.count(first) == before + 22


def test_a_flood_in_anothers_name_costs_him_nothing(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5", "days=3")
    letter = house.last(first, game)
    before = house.count(first)
    for n in range(60):
        house.write(first, f"what is this {n}", proved=False)
    assert house.count(first) == before + 20  # the budget of mail that nobody vouches for
    house.write(first, "next")
    assert house.count(first) == before + 21  # his own is untouched
    assert house.answer(letter, "c3").kind == "done"


def test_m3_m14_size(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    big = "x" * 900_000
    raw = house.mail(first, f"c3\n\n{big}", to=to)
    assert house.give(raw, to=to).kind == "done"
    to = str(house.last(second, game)["Reply-To"])
    raw = house.mail(second, "d4\n\n" + "word " * 700_000, to=to)
    assert house.give(raw, to=to).kind == "unreadable"
    assert "1 MiB" in flat(plain(house.last(second, game)))
    assert house.match(game).words == ("c3",)


def test_m4_winmail_dat_is_answered_in_words(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    head = house.mail(first, "", to=to).partition(b"\n\n")[0]
    head = b"\n".join(x for x in head.split(b"\n") if not x.startswith((b"Content-", b"MIME-")))
    raw = head + (
        b'\nMIME-Version: 1.0\nContent-Type: application/ms-tnef; name="winmail.dat"\n'
        b"Content-Transfer-Encoding: base64\n\neJ8+Ii0A\n"
    )
    house.give(raw, to=to)
    assert "winmail.dat" in plain(house.last(first, game))
