"""Nobody in: what tokens, DMARC and codes are worth (mail.md, Who may move; M31, M32, M50 to M60)."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from referee.mail.identity import check_token, plus, token
from tests.referee.service.house import ADDRESS, AUTHSERV, House, plain


def test_m50_a_forged_from_plays_nothing_and_its_player_is_asked(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    subject = f"[{game}] Ann – Bob"
    before = house.count()
    outcome = house.write(first, "move 1 c3", subject=subject, proved=False)
    assert outcome.kind == "code"
    assert house.match(game).words == ()
    assert house.count() == before + 1
    letter = house.last(first)
    assert "nobody vouches" in plain(letter)
    assert "move 1 c3" in plain(letter)
    assert house.answer(letter, "yes").kind == "done"
    assert house.match(game).words == ("c3",)
    # the code was for once
    assert house.answer(letter, "yes").kind == "code-late"
    assert house.match(game).words == ("c3",)


def test_a_code_is_for_its_commands_and_its_address(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.write(first, "move 1 c3", subject=f"[{game}]", proved=False)
    letter = house.last(first)
    assert house.answer(letter, "move 1 d4").kind == "code-other"
    assert house.answer(letter, "thank you").kind == "code-ask"
    assert house.answer(letter, "yes", sender=second).kind == "silence"
    assert house.answer(letter, "yes", sender="eve@evil.example").kind == "silence"
    assert house.match(game).words == ()
    house.now += timedelta(hours=24)
    assert house.answer(letter, "yes").kind == "code-late"
    assert house.match(game).words == ()


def test_three_codes_a_day_and_no_more(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    kinds = [
        house.write(first, f"move 1 a{n}", subject=f"[{game}]", proved=False).kind
        for n in range(1, 6)
    ]
    assert kinds == ["code"] * 3 + ["silence"] * 2


def test_m56_a_right_token_from_elsewhere_brings_a_code_to_the_registered_address(
    house: House,
) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    before = house.count()
    outcome = house.answer(house.last(first), "c3", sender="somebody@else.example", proved=True)
    assert outcome.kind == "code"
    assert house.match(game).words == ()
    assert house.count() == before + 1
    assert house.count("somebody@else.example") == 0
    letter = house.last(first)
    assert "another address" in plain(letter)
    assert house.answer(letter, "Yes.").kind == "done"
    assert house.match(game).words == ("c3",)
    # the opponent himself, with the first player's token, is no better
    house.answer(house.last(second), "b2")
    assert house.answer(house.last(first), "a1", sender=second).kind == "code"
    assert house.match(game).words == ("c3", "b2")


@pytest.mark.parametrize("change", ["seat", "game", "event", "tag"])
def test_a_token_for_another_seat_game_or_event_counts_for_nothing(
    house: House, change: str
) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    to = str(house.last(first)["Reply-To"])
    found = re.search(r"\+(.*)@", to)
    assert found is not None
    covers = check_token(house.desk.key, found[1])
    assert covers is not None
    tag = found[1].rpartition(".")[2]
    parts = {
        "seat": f"{game}.2.{covers.event}.{tag}",
        "game": f"hex-99.1.{covers.event}.{tag}",
        "event": f"{game}.1.{covers.event + 1}.{tag}",
        "tag": f"{game}.1.{covers.event}.{'a' * 26}",
    }
    before = house.count()
    outcome = house.give(
        house.mail(first, "c3", to=plus(ADDRESS, parts[change])), to=plus(ADDRESS, parts[change])
    )
    assert outcome.kind in ("unproved", "silence")
    assert house.match(game).words == ()
    assert house.count() <= before + 1


def test_an_old_token_only_brings_the_present_position(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    old = house.last(first)
    house.answer(old, "c3")
    house.answer(house.last(second), "d4")
    for text in ("resign", "a1", "draw?", "chat\nhello\nend", "challenge Bob hex"):
        assert house.answer(old, text).kind == "stale"
    assert house.match(game).words == ("c3", "d4")
    assert house.match(game).status == "on"
    assert "Plies: 1. c3 d4" in plain(house.last(first))


def test_m54_m55_the_token_in_capitals_and_in_the_body(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    to = str(house.last(first)["Reply-To"]).upper()
    raw = house.mail(first, "c3", to=to)
    assert house.give(raw, to=to).kind == "done"
    # a provider that strips the + part: the token line of the quoted body counts
    quoted = "\n".join(f"> {line}" for line in plain(house.last(second)).splitlines())
    raw = house.mail(second, f"d4\n\n{quoted}", subject=f"Re: {house.last(second)['Subject']}")
    assert house.give(raw).kind == "done"
    assert house.match(game).words == ("c3", "d4")


def test_message_ids_and_references_hold_no_token(house: House) -> None:
    house.begun("hex", "size=5")
    for _, letter in house.box.sent:
        for name in ("Message-ID", "References", "In-Reply-To", "Subject", "List-Unsubscribe"):
            value = str(letter[name] or "")
            assert not re.search(r"[a-z2-7]{26}", value), (name, value)


def test_with_dmarc_a_move_needs_game_and_ply(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    assert house.write(first, "c3").kind == "nothing done"
    assert f"“[{game}] move 1 c3”" in " ".join(plain(house.last(first)).split())
    assert house.write(first, "c3", subject=f"[{game}]").kind == "nothing done"
    told = " ".join(plain(house.last(first)).split())
    assert f"“[{game}] move 1 c3”" in told
    assert house.write(first, f"[{game}] move 2 c3").kind == "nothing done"
    assert house.match(game).words == ()
    assert house.write(first, f"[{game}] move 1 c3").kind == "done"
    assert house.match(game).words == ("c3",)


def test_m51_only_our_own_servers_word_counts(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    domain = first.partition("@")[2]
    theirs = f"mx.evil.example; dmarc=pass header.from={domain}"
    forged = [
        {"Authentication-Results": theirs},
        {"Authentication-Results": f"{AUTHSERV}; dmarc=fail header.from={domain}"},
        {"Authentication-Results": f"{AUTHSERV}; dmarc=pass header.from=evil.example"},
        {"Authentication-Results": f"{AUTHSERV}; dkim=pass header.d={domain}"},
    ]
    for headers in forged:
        raw = house.mail(first, "move 1 c3", subject=f"[{game}]", headers=headers)
        # what the sender writes himself stands below what our server wrote
        assert house.give(raw).kind in ("code", "silence")
    inside = (
        "Received: from evil by mx.evil.example; Mon, 3 Mar 2025 09:00:00 +0000\n"
        f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from={domain}\n"
    )
    raw = house.mail(first, "move 1 c3", subject=f"[{game}]")
    assert house.give(inside.encode() + raw).kind in ("code", "silence")
    assert house.match(game).words == ()


def test_without_an_authserv_id_nothing_is_believed(tmp_path: Path) -> None:
    house = House(tmp_path / "club", dmarc=False)
    ann = house.player("Ann")
    house.player("Bob")
    assert house.write(ann, "challenge Bob hex").kind == "code"
    assert house.answer(house.last(ann), "yes").kind == "done"
    assert "challenges you" in plain(house.last("bob@bob.example"))


def test_m32_token_subject_and_text_must_agree(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    letter = house.last(first)
    to = str(letter["Reply-To"])
    for subject, text in [
        ("[hex-77] Ann – Bob", "c3"),
        (f"[{game}] Ann – Bob", "[hex-77] c3"),
        ("", "hex-77 c3"),
        (f"[{game}] and [hex-77]", "c3"),
    ]:
        raw = house.mail(first, text, to=to, subject=subject, proved=True)
        assert house.give(raw, to=to).kind == "nothing done"
        assert "more than one game" in plain(house.last(first))
    assert house.match(game).words == ()
    for subject, text in [
        ("[hex-77]", f"[{game}] move 1 c3"),
        ("", f"[{game}] move 1 c3\n[hex-77] draw?"),
    ]:
        assert house.write(first, text, subject=subject).kind != "done"


def test_m31_a_mail_is_never_routed_by_its_subject_or_thread_alone(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    letter = house.last(first)
    raw = house.mail(
        first,
        "move 1 c3",
        subject="Re: Ann – Bob",
        proved=True,
        headers={"In-Reply-To": str(letter["Message-ID"])},
    )
    assert house.give(raw).kind == "nothing done"
    assert house.match(game).words == ()


def test_a_token_covers_its_own_game_alone(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    letter = house.last(first)
    outcome = house.answer(letter, "c3\nchallenge Bob hex")
    assert outcome.kind == "not all done"
    assert house.match(game).words == ("c3",)
    code = next(m for p, m in reversed(house.box.sent) if "confirm" in str(m["Subject"]))
    assert "challenge Bob hex" in plain(code)
    with house.desk.store.read(house.now) as unit:
        assert not unit.challenges_of(1)
        assert not unit.challenges_of(2)


def test_unknown_senders_get_a_short_word_once_a_day_after_a_pass(house: House) -> None:
    eve = "eve@evil.example"
    assert house.write(eve, "resign", proved=False).kind == "silence"
    assert house.write(eve, "hello").kind == "unknown"
    assert house.write(eve, "hello again").kind == "silence"
    letter = house.last(eve)
    assert not list(letter.iter_attachments())
    assert "invitation" in plain(letter)
    kinds = [house.write(f"eve@evil{n}.example", "hello").kind for n in range(25)]
    assert kinds.count("unknown") == 19
    assert house.count() == 20


def test_m60_no_address_of_anybody_is_told(house: House) -> None:
    _, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(first), "c3")
    house.write(first, "standings\nnext\nhistory hex-1")
    house.write(first, "challenge A hex")
    for parcel, letter in house.box.sent:
        other = second if parcel.recipient == first else first
        assert other not in letter.as_string()


def test_tokens_are_cut_out_of_what_is_quoted_and_passed_on(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    key = house.desk.key
    mine = token(key, game, 0, 0)
    house.answer(house.last(first), f"chat\nmy token is {mine}\nend")
    assert mine not in house.last(second).as_string()
    assert "[token]" in plain(house.last(second))
    house.write(first, f"challenge {mine} hex")
    assert mine not in plain(house.last(first))
    house.write(first, f"just some words {mine}")
    assert mine not in plain(house.last(first))


def test_a_token_forwarded_by_a_player_lets_nobody_in(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    letter = house.last(first)
    forwarded = (
        f"Fwd: look\n\n---------- Forwarded message ---------\nFrom: Club\n\n{plain(letter)}"
    )
    raw = house.mail("friend@x.example", f"c3\n\n{forwarded}", proved=True)
    assert house.give(raw).kind in ("silence", "unknown", "code")
    assert house.match(game).words == ()


def test_m62_a_newline_in_a_subject_adds_no_header(house: House) -> None:
    ann = house.player("Ann")
    raw = house.mail(ann, "nonsense words here", proved=True)
    raw = raw.replace(b"Subject: \n", b"Subject: =?utf-8?q?help=0D=0ABcc:_eve=40evil.example?=\n")
    house.give(raw)
    letter = house.last(ann)
    assert letter["Bcc"] is None
    assert b"\nBcc:" not in house.parcel(ann).data
