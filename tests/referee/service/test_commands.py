"""Every command of mail.md, by mails that a person would write (M10, M23 to M39, M99 to M105)."""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from referee.service import operator
from tests.referee.service.house import House, html, plain, record, tag_of


def flat(text: str) -> str:
    return " ".join(text.split())


def test_several_commands_stop_at_the_first_that_fails(house: House) -> None:
    """M35: the answer lists done, failed and not tried, each with its line."""
    game, (first, _) = house.begun("hex", "size=5")
    house.answer(house.last(first), "Dear referee,\n\npreview a1\nc3\nz9\nshow\n\nbye")
    told = flat(plain(house.last(first)))
    assert house.match(game).words == ("c3",)
    assert "Line 5, “z9”, was not carried out" in told
    assert "Carried out: - line 3: preview a1 - line 4: c3" in told
    assert "Not tried, because of that: - line 6: show" in told
    assert "Dear referee" in told


def test_m26_a_mixed_paragraph_plays_nothing(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    house.answer(house.last(first), "c3\nI think that is good")
    assert house.match(game).words == ()
    told = flat(plain(house.last(first)))
    assert "Nothing was carried out" in told
    assert "Understood as commands: - line 1: c3" in told


def test_a_greeting_is_passed_over_and_said_so(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    house.answer(house.last(first), "Hello Bob, good luck!\n\nc3\n\nBest wishes")
    assert house.match(game).words == ("c3",)
    told = flat(plain(house.last(first)))
    assert "Passed over" in told
    assert "Hello Bob, good luck!" in told


def test_m99_an_ambiguous_move_is_answered_with_its_forms(house: House) -> None:
    game, (first, _) = house.begun("focus")
    house.answer(house.last(first), "c3")
    assert house.match(game).words == ()
    told = flat(plain(house.last(first)))
    assert "may mean several moves" in told
    assert "c3-c4" in told


def test_m37_twenty_commands_are_the_most(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    house.answer(house.last(first), "\n".join(["show"] * 20 + ["c3"]))
    assert house.match(game).words == ()
    assert "more than 20 commands" in plain(house.last(first))


def test_the_ply_in_a_move_hits_no_other(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    assert house.answer(house.last(first), "move 3 c3").kind == "nothing done"
    assert house.answer(house.last(first), "move 1 c3").kind == "done"
    assert house.answer(house.last(second), "1... d4").kind == "done"
    assert house.answer(house.last(first), "1. a1").kind == "nothing done"
    assert house.answer(house.last(first), "2. a1").kind == "done"
    assert house.match(game).words == ("c3", "d4", "a1")


def test_undo_by_consent_goes_before_the_askers_last_ply(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(first), "c3")
    house.answer(house.last(second), "d4")
    stale_turn = house.last(first)
    house.answer(house.last(first), "undo?")
    assert "asks to go back" in flat(plain(house.last(second)))
    house.answer(house.last(second), "undo!")
    assert house.match(game).words == ()
    assert "Taken back: c3 d4" in flat(plain(house.last(first)))
    assert house.answer(stale_turn, "b2").kind == "stale"
    assert house.answer(house.last(first), "a1").kind == "done"
    assert house.match(game).words == ("a1",)
    house.write(first, f"history {game}")
    told = flat(plain(house.last(first)))
    assert "took back c3 d4" in told


def test_m73_a_queued_answer_fires_and_is_told(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(second), "queue c3: d4, b2: a1")
    assert "Queued for ply 1" in flat(plain(house.last(second)))
    before = house.count(second)
    house.answer(house.last(first), "c3")
    assert house.match(game).words == ("c3", "d4")
    assert "played d4 (ply 2), as queued" in flat(plain(house.last(first)))
    assert house.count(second) == before + 1
    house.write(first, f"history {game}")
    assert "queue" not in plain(house.last(first)).partition("What happened")[2].partition("Ply")[0]
    house.answer(house.last(first, game), "e5")  # another ply than the line's: nothing fires
    assert house.match(game).words == ("c3", "d4", "e5")


def test_a_draw_by_agreement_and_one_declined(house: House) -> None:
    game, (first, second) = house.begun("focus")
    house.answer(house.last(first), "draw?")
    assert "waits for your move" in flat(plain(house.last(first)))
    house.answer(house.last(first), "c3-c4")
    assert "offers a draw" in flat(plain(house.last(second)))
    assert house.match(game).words == ("c3-c4", "draw?")
    house.answer(house.last(second), "draw!")
    assert house.match(game).result == "1/2-1/2"
    assert "drawn by agreement" in flat(plain(house.last(first)))


def test_resigning_out_of_turn(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    assert house.answer(house.last(second), "resign").kind == "done"
    assert house.match(game).result == "1-0"
    assert '[Termination "resignation"]' in record(house.last(first))
    assert house.answer(house.last(first), "c3").kind == "nothing done"
    assert "is over" in flat(plain(house.last(first)))


def test_m30_chat_is_passed_on_and_never_carried_out(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(second), "chat\nresign\n<b>Good</b> luck & have fun\nend")
    assert house.match(game).status == "on"
    letter = house.last(first)
    assert "| resign" in plain(letter)
    assert "&lt;b&gt;Good&lt;/b&gt; luck &amp; have fun" in html(letter)
    before = house.count(first)
    house.answer(letter, "mute")
    house.answer(house.last(second), "chat\nstill there?\nend")
    assert house.count(first) == before + 1
    assert "not passed on" in flat(plain(house.last(second)))


def test_show_preview_history_next_standings_help(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(first), "c3")
    house.answer(house.last(second), "preview d4")
    told = plain(house.last(second))
    assert "nothing was played" in flat(told)
    assert "Ply 2: d4" in told
    assert house.match(game).words == ("c3",)
    house.answer(house.last(second), "show 0")
    assert "Before the first ply" in plain(house.last(second))
    house.write(second, "next")
    assert f"[{game}] Hex with" in plain(house.last(second))
    house.answer(house.last(second, game), "resign")
    house.write(second, "standings")
    head, one, two = [
        line.split() for line in plain(house.last(second)).splitlines() if line[:2] == "  "
    ]
    assert head == ["game", "player", "played", "won", "drawn", "lost"]
    assert sorted([one[2:], two[2:]]) == [["1", "0", "0", "1"], ["1", "1", "0", "0"]]
    house.write(second, "help")
    assert "“draw?” and “draw!”" in plain(house.last(second))
    assert "written so" not in plain(house.last(second))
    house.write(second, "help vacation")
    assert "It is written so: vacation 2025-07-01 2025-07-14" in flat(plain(house.last(second)))
    house.write(second, "help focus")
    assert "reserve" in plain(house.last(second))


def test_m38_looking_changes_nothing(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")

    def state() -> object:
        with house.desk.store.read(house.now) as unit:
            kept = unit.game(game)
            assert kept is not None
            return kept.match, kept.clock, kept.version, unit.log_of(game, everything=True)

    before = state()
    house.answer(house.last(first), "show\nshow 0\nhistory\npreview c3\nhelp hex\nverify")
    assert state() == before


def test_a_subject_alone_is_enough(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    raw = house.mail(first, "", subject=f"AW: [{game}] move 1 c3", proved=True)
    assert house.give(raw).kind == "done"
    assert house.match(game).words == ("c3",)


def test_challenge_options_are_read_case_free_with_dashes(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    house.write(ann, "challenge bob HEX —SIZE=9 --swap=Pieces Days=3")
    assert "Size=9, Swap=pieces" in flat(plain(house.last(bob)))
    house.write(ann, "challenge Bob hex size=9x")
    assert "was not carried out" in flat(plain(house.last(ann)))
    house.write(ann, "challenge Nobody hex")
    assert "no player called Nobody" in flat(plain(house.last(ann)))
    house.write(ann, "challenge Ann hex")
    assert "yourself" in flat(plain(house.last(ann)))


def test_m75_accepting_twice_begins_one_game(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    house.write(ann, "challenge Bob hex size=5")
    letter = house.last(bob)
    house.answer(letter, "accept", proved=True)
    house.answer(letter, "accept", proved=True)
    assert "has begun already" in flat(plain(house.last(bob)))
    with house.desk.store.read(house.now) as unit:
        assert len(unit.games_list()) == 1


def test_declining_and_taking_back_tell_the_seed(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    house.write(ann, "challenge Bob lightning")
    house.answer(house.last(bob), "decline", proved=True)
    assert "declined" in plain(house.last(ann))
    assert "Its seed" in plain(house.last(ann))
    house.write(ann, "challenge Bob lightning")
    house.write(ann, f"decline {tag_of(house.last(bob))}")
    assert "took the challenge" in flat(plain(house.last(bob)))
    assert "Its seed" in plain(house.last(bob))


def test_operators_cannot_play_with_chance(house: House) -> None:
    from referee.mail.identity import name_key

    ann = house.player("Ann")
    with house.desk.store.begin(house.now) as unit:
        unit.add_player("Olga", name_key("Olga"), "op@club.example")
    house.write(ann, "challenge Olga lightning")
    assert "knows the seeds" in flat(plain(house.last(ann)))
    house.write("op@club.example", "new spiral")
    assert "knows the seeds" in flat(plain(house.last("op@club.example")))
    assert house.write(ann, "challenge Olga hex").kind == "done"


def test_vacation_digest_stop(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=5")
    house.write(first, "vacation 2025-07-01 2025-07-14")
    assert "Days left in 2025: 16" in flat(plain(house.last(first)))
    house.write(first, "vacation 2025-08-01 2025-08-20")
    assert "days too many" in flat(plain(house.last(first)))
    house.write(second, "digest")
    before = house.count(second)
    house.answer(house.last(first, game), "c3")
    assert house.count(second) == before
    house.later(minutes=1)
    letter = house.last(second)
    assert house.count(second) == before + 1
    assert f"[{game}]" in plain(letter)
    assert "your move" in plain(letter)
    with house.desk.store.read(house.now) as unit:
        kept = unit.game(game)
        assert kept is not None
        assert kept.clock is not None
        assert kept.clock.since == house.now  # the digest's 250 starts the clock
    house.write(second, "stop")
    house.answer(house.last(first, game), "undo?")
    count = house.count(second)
    house.later(hours=1)
    assert house.count(second) == count
    house.write(second, "next")
    assert "get notices again" in flat(plain(house.last(second)))


def test_m56_a_second_address_is_confirmed_by_a_code(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    other = "second@home.example"
    house.write(first, f"add {other}")
    assert house.count(other) == 1
    assert house.answer(house.last(other), "yes").kind == "address added"
    assert house.answer(house.last(first, game), "c3", sender=other).kind == "done"
    assert house.match(game).words == ("c3",)


def test_forget_me_resigns_and_removes(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    name = house.match(game).player(0)
    before = house.count(first)
    house.write(first, "forget me")
    assert house.count(first) == before + 1  # one letter: what it means, and the code
    assert house.match(game).status == "on"
    assert f"resigned: {game}" in flat(plain(house.last(first)))
    assert house.answer(house.last(first), "yes").kind == "done"
    match = house.match(game)
    assert match.result == "0-1"
    assert match.player(0).startswith("Player ")
    assert name not in record(house.last(second))
    assert "last mail" in flat(plain(house.last(first)))
    assert house.write(first, "next").kind == "unknown"


def test_spiral_has_no_draw_no_undo_and_no_clock(house: House) -> None:
    ann = house.player("Ann")
    house.write(ann, "new spiral")
    house.answer(house.last(ann), "start")
    for word in ("draw?", "undo?", "claim", "chat\nhello\nend"):
        assert house.answer(house.last(ann), word).kind == "nothing done"
    assert "time:" not in plain(house.last(ann))


def test_several_turns_of_spiral_stand_in_one_mail_up_to_a_deal(house: House) -> None:
    ann = house.player("Ann")
    house.write(ann, "new spiral")
    house.answer(house.last(ann), "start")
    game = tag_of(house.last(ann))
    match = house.match(game)
    lines = []
    while match.position.deals == 1 and match.status == "on":
        from referee.match import Done, play

        move = next(iter(match.rules.legal_moves(match.position)))
        token = match.rules.format(move, match.setup)
        lines.append(token)
        done = play(match, 0, token)
        assert isinstance(done, Done)
        match = done.match
    assert len(lines) > 2
    outcome = house.answer(house.last(ann), "\n".join([*lines, "9S+QC"]))
    assert outcome.kind == "not all done"
    assert house.match(game).plies == len(lines)
    assert "dealt again" in flat(plain(house.last(ann)))


@pytest.mark.parametrize("hours", [0, 1])
def test_invitations_three_a_day_one_for_an_address(house: House, hours: int) -> None:
    ann = house.player("Ann")
    for n in range(4):
        house.write(ann, f"challenge new{n}@away.example hex size=5")
    assert [house.count(f"new{n}@away.example") for n in range(4)] == [1, 1, 1, 0]
    house.now += timedelta(days=2 * hours)
    house.write(ann, "challenge new0@away.example hex size=6")
    assert house.count("new0@away.example") == 1
    letter = house.last("new0@away.example")
    assert "Ann" not in plain(letter)
    outcome = house.answer(letter, "yes\nname Zoë")
    if hours:
        assert outcome.kind == "invited again"
        outcome = house.answer(house.last("new0@away.example"), "yes\nname Zoë")
    assert outcome.kind == "joined"
    told = [plain(m) for p, m in house.box.sent if p.recipient == "new0@away.example"]
    assert any("Welcome to Test Club, Zoë" in text for text in told)
    assert sum("challenges you" in text for text in told) == 2
    copies = [plain(m) for p, m in house.box.sent if p.recipient == ann]
    assert sum("Your challenge to Zoë is on its way" in flat(text) for text in copies) == 2


def test_a_player_sees_and_clears_his_own_queue(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(first, game), "b2")
    letter = house.last(first, game)
    house.answer(letter, "queue c3: d4, c2: d3\nqueue e1: e2\n\nqueue")
    told = flat(plain(house.last(first, game)))
    assert "- ply 2: c3 → d4, c2 → d3 - ply 2: e1 → e2" in told
    house.answer(house.last(second, game), "queue")
    assert "Nothing is queued by you" in flat(plain(house.last(second, game)))
    house.answer(letter, "queue clear")
    assert "Your queue is empty now (2 lines cleared)" in flat(plain(house.last(first, game)))
    house.answer(house.last(second, game), "c3")
    assert house.match(game).words == ("b2", "c3")


def test_m99_one_meaning_is_asked_for_in_other_words(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    house.answer(house.last(first, game), "c3!")
    told = flat(plain(house.last(first, game)))
    assert "“c3!”, is no whole move, and nothing was played. If you mean c3, please write" in told


@pytest.mark.parametrize(("subject", "text"), [("d4", "c3"), ("resign", "c3"), ("c3", "resign")])
def test_m32_a_subject_that_says_another_move_than_the_text_plays_nothing(
    house: House, subject: str, text: str
) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    house.give(house.mail(first, text, to=to, subject=f"Re: {subject}"), to=to)
    assert (house.match(game).words, house.match(game).status) == ((), "on")
    told = flat(plain(house.last(first, game)))
    assert f"The subject says “{subject}” and the text “{text}”" in told
    house.give(house.mail(first, "c3\n\nresign", to=to, subject="Re: c3"), to=to)
    assert house.match(game).words == ("c3",)
    assert house.match(game).status == "over"


@pytest.mark.parametrize("text", ["c3", "challenge Ann hex", "yes\n\nnext"])
def test_an_invitation_is_answered_before_anything_else_is_asked(house: House, text: str) -> None:
    operator.invite(house.desk, house.now, "new@x.example", "")
    house.send()
    house.answer(house.last("new@x.example"), text)
    assert "To join, answer with “yes”" in flat(plain(house.last("new@x.example")))
    house.answer(house.last("new@x.example"), "yes\nname Nora")
    assert "Welcome to Test Club, Nora" in flat(plain(house.last("new@x.example")))


def test_m16_who_attaches_his_move_learns_that_it_is_not_read(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    message = message_from_bytes(house.mail(first, "\n", proved=True), policy=default)
    assert isinstance(message, EmailMessage)
    message.add_attachment("c3\n", filename="move.txt")
    to = str(house.last(first, game)["Reply-To"])
    house.give(message.as_bytes(), to=to)
    assert house.match(game).words == ()
    assert "never read for commands (move.txt)" in flat(plain(house.last(first, game)))
    house.answer(house.last(first, game), "hello")
    assert "attached" not in plain(house.last(first, game))
    house.write(second, "hello", proved=False)
    assert "No command was found" in flat(plain(house.last(second)))
