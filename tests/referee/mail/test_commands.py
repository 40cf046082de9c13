"""Commands by paragraphs, and each command's forms (mail.md, Commands; M10, M23, M26, M30, M33 to M39, M99)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.verdict import Rejected
from referee.games import load
from referee.mail import commands, moves
from referee.mail.submission import MARKER, Command
from tests.referee.mail.mails import (
    F6,
    HEX,
    TOKEN,
    done,
    game_reader,
    mail,
    read,
    reading,
)

FOCUS = game_reader("Focus")
LIGHTNING = game_reader("Lightning")
SPIRAL = game_reader("Spiral")


def one(line: str, reader: object = HEX) -> Command:
    """Return the one command of a one-line mail."""
    found = commands.parse(read(mail(line)), reader)  # type: ignore[arg-type]
    assert not found.mixed
    assert len(found.commands) == 1, found
    return found.commands[0]


# -- paragraphs ------------------------------------------------------------------------------------------------------


def test_m26_a_paragraph_is_carried_out_ignored_or_mixed() -> None:
    found = reading(mail("Hi Bob,\n\nf6\n\nBest\nAnn"))
    assert [(c.name, c.args, c.line) for c in found.commands] == [("move", ("f6",), 3)]
    assert [(i.line, i.text) for i in found.ignored] == [(1, "Hi Bob,"), (5, "Best")]
    found = reading(mail("Hi Bob,\nf6\n\ne5"))
    assert [(i.line, i.text) for i in found.mixed] == [(1, "Hi Bob,")]
    assert [c.args for c in found.commands] == [("e5",)]
    assert done(mail("f6\nAnn")) == []


@pytest.mark.parametrize(
    "line",
    ["f6 please", "f6, I think", "draw? I would like one", "undo! then", "move 12", "move 12 f6 now", "12. f6 e7",
     "queue d4: e5 and more", "f6 e7", "f6? no"],
)  # fmt: skip
def test_a_line_that_begins_as_a_command_and_goes_on_is_mixed(line: str) -> None:
    assert reading(mail(f"{line}\n\ne5")).mixed


@pytest.mark.parametrize(
    "line",
    ["I resign", "resign yourself to it", "I play f6", "show me", "help me", "next time", "draw a line", "stop it",
     "swap places", "pass the salt", "challenge accepted", "add water", "start again", "forget it", "new idea",
     "claim to fame", "accepting word", "A", "Ann", "Red: a1 b3 c2", "1. f6 e7", ". . R . .", "covid19",
     "MOVE <game> <move>", "Chats are fun", "undo", "c", "6"],
)  # fmt: skip
def test_text_is_never_a_command(line: str) -> None:
    assert done(mail(line)) == []


def test_wrapped_text_stays_text() -> None:
    body = "I was thinking for a long time about the row where\nf6 and the others stand\n\ne5"
    assert done(mail(body)) == [("move", ("e5",))]


def test_ignored_text_that_looks_like_a_command_brings_its_form() -> None:
    assert "challenge NAME GAME" in reading(mail("challenge Bob Chess")).ignored[0].why
    assert "show [game] [ply]" in reading(mail("show me")).ignored[0].why


def test_m23_our_help_and_marks_are_no_commands() -> None:
    text = f"MOVE <game> <move>\n=== {MARKER} ===\nresign"
    assert done(mail(text)) == []
    assert done(mail(f"f6\nToken: {TOKEN}\n[hex-42]")) == F6


def test_m35_lines_are_kept_in_order_with_their_places() -> None:
    found = reading(mail("f6\nzz9\n\ne5", subject="help"))
    assert [(c.name, c.args, c.line) for c in found.commands] == [
        ("help", (), 0),
        ("move", ("f6",), 1),
        ("move", ("zz9",), 2),
        ("move", ("e5",), 4),
    ]


def test_m37_at_most_twenty_commands_and_the_rest_is_told() -> None:
    found = reading(mail("show\n" * 25))
    assert (len(found.commands), found.too_many) == (20, True)
    assert [i.line for i in found.ignored] == [21, 22, 23, 24, 25]
    assert not reading(mail("show\n" * 20)).too_many


def test_m30_nothing_in_a_chat_is_carried_out() -> None:
    found = reading(mail("f6\n\nchat\nI will\n\nresign\nmove 12 e5\n\n  END.\ne7\n"))
    assert [(c.name, c.args, c.body) for c in found.commands] == [
        ("move", ("f6",), ""),
        ("chat", (), "I will\n\nresign\nmove 12 e5"),
        ("move", ("e7",), ""),
    ]


@pytest.mark.parametrize(
    ("text", "said", "after"),
    [
        ("chat good game end\nf6", "good game", F6),
        ("chat good game\nf6", "good game\nf6", []),
        ("chat: “hi” – you\nin the end\nf6\nend", "“hi” – you\nin the end\nf6", []),
        ("chat\nhello\n-- \nf6", "hello", []),
        ("chat I see the end\nresign\nend\nf6", "I see the end\nresign", F6),
        ("chat", "", []),
    ],
)
def test_m30_a_chat_ends_at_end_at_a_signature_or_with_the_mail(
    text: str, said: str, after: list[object]
) -> None:
    found = reading(mail(text))
    assert found.commands[0].body == said
    assert [(c.name, c.args) for c in found.commands[1:]] == after


def test_chat_within_a_sentence_begins_none() -> None:
    assert done(mail("It was nice to\nchat\n\nf6")) == F6


def test_a_command_in_subject_and_text_counts_once() -> None:
    assert done(mail("f6", subject="Re: [hex-42] f6")) == F6
    found = reading(mail("f6", subject="[hex-42] move 12 f6")).commands
    assert [(c.args, c.ply, c.game, c.line) for c in found] == [(("f6",), 12, "hex-42", 1)]
    assert done(mail("e5", subject="f6")) == [*F6, ("move", ("e5",))]


def test_a_subject_that_is_no_command_is_no_paragraph() -> None:
    found = reading(mail("f6", subject="f6 please"))
    assert (found.mixed, len(found.commands)) == ((), 1)


@pytest.mark.parametrize(
    "kind", ["Auto-Submitted: auto-replied", "Return-Path: <>", "X-Referee-Loop: x"]
)
def test_only_people_give_commands(kind: str) -> None:
    found = reading(mail("f6", kind, subject="resign"))
    assert (found.commands, found.mixed) == ((), ())


def test_no_handed_mail_of_machines_or_strangers_is_mixed_into_a_move(shared: Path) -> None:
    for file in sorted((shared / "data/mail/willdurand-EmailReplyParser").rglob("*.txt")):
        assert not reading(mail(file.read_bytes()), moves.any_game).mixed


# -- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "ply", "number"),
    [
        ("f6", None, ""),
        ("F6", None, ""),
        ("  f6. ", None, ""),
        ("*f6*", None, ""),
        ("`f6`", None, ""),
        ("“f6”", None, ""),
        ("- f6", None, ""),
        ("• f6", None, ""),
        ("\u200bf6\ufeff", None, ""),
        ("ｆ６", None, ""),
        ("move f6", None, ""),
        ("Move 12 F6", 12, ""),
        ("Move: f6", None, ""),
        ("F 6", None, ""),
        ("move 12: f6", 12, ""),
        ("6. f6", None, "6."),
        ("6... f6", None, "6..."),
        ("6…f6", None, "6..."),
        ("move 6... f6", None, "6..."),
    ],
)
def test_m10_m39_forms_of_a_move(line: str, ply: int | None, number: str) -> None:
    found = one(line)
    assert (found.name, found.args, found.ply, found.number) == ("move", ("f6",), ply, number)


def test_numbers_name_plies() -> None:
    assert [commands.ply_of(n, 2) for n in ("1.", "1...", "6.", "6...")] == [1, 2, 11, 12]
    assert commands.ply_of("6.", 1) == 6


@pytest.mark.parametrize(
    ("line", "args"),
    [
        ("c1–c3", "c1-c3"),
        ("C1—C3:2", "c1-c3"),
        ("2c1−c3", "c1-c3"),
        ("C1 – C3", "c1-c3"),  # with the blanks that telephones put round a dash
        ("c1 - c3 : 2", "c1-c3"),
        ("r:e5", "+e5"),
        ("*e5", "+e5"),
        ("＋e5", "+e5"),
    ],
)
def test_m10_m27_moves_with_smart_punctuation(line: str, args: str) -> None:
    assert one(line, FOCUS).args == (args,)


def test_a_move_that_its_canonical_form_would_mend_stays_as_written() -> None:
    assert one("c1-c3:5", FOCUS).args == ("c1-c3:5",)


@pytest.mark.parametrize("line", ["9S+QC", "9s qc", "♠9 ♣Q", "♠️9♣️Q", "9S + Q C", "QC+9S"])
def test_spiral_cards_may_have_blanks(line: str) -> None:
    found = one(line, SPIRAL).args[0]
    assert sorted(found.split("+")) == ["9S", "QC"]


def test_several_spiral_turns_in_a_mail() -> None:
    found = reading(mail("1. 9S QC\n2. 10H+AD"), SPIRAL).commands
    assert [(c.args, c.number) for c in found] == [(("9S+QC",), "1."), (("TH+AD",), "2.")]


@pytest.mark.parametrize("word", ["swap", "swap-sides", "Swap-Pieces", "Swap sides", "pass"])
def test_swap_and_pass_are_moves_in_every_game_so_that_the_game_can_refuse_them(word: str) -> None:
    for reader in (HEX, FOCUS, LIGHTNING, SPIRAL):
        assert one(word, reader).name == "move"


def test_another_games_move_is_kept_for_the_game_to_refuse() -> None:
    assert one("c3-c5").args == ("c3-c5",)
    assert one("III@d1:s-ne", FOCUS).args == ("III@d1:s-ne",)
    assert one("f6", SPIRAL).args == ("f6",)


@pytest.mark.parametrize("offer", ["draw?", ", draw?", "; draw ?"])
def test_an_offer_may_stand_with_its_move(offer: str) -> None:
    found = reading(
        mail(f"move 7 c1-c3 {offer}".replace(" ,", ",").replace(" ;", ";")), FOCUS
    ).commands
    assert [(c.name, c.args, c.ply) for c in found] == [
        ("move", ("c1-c3",), 7),
        ("draw?", (), None),
    ]


def test_m99_an_ambiguous_move_brings_the_forms_to_choose_from() -> None:
    game = load("Focus")
    assert game is not None
    setup = game.setup({})
    start = game.start(setup)
    legal = [game.format(move, setup) for move in game.legal_moves(start)]
    reader = moves.reader(game, setup, lambda: legal)
    found = one("c4", reader)
    assert found.args == ()
    assert len(found.choices) > 1
    assert set(found.choices) <= set(legal)
    assert all("c4" in token.split("-") for token in found.choices)
    assert commands.parse(read(mail("c4")), reader).ambiguous == (found,)
    assert one("c3-c4", reader).choices == ()


def test_m101_one_possible_meaning_is_still_asked_for() -> None:
    game = load("Lightning")
    assert game is not None
    reader = moves.reader(game, game.setup({}), lambda: ["III@d1:s-ne", "I@d2:s-n"])
    assert one("III@d1", reader).choices == ("III@d1:s-ne",)
    assert reader("hello") is None


@pytest.mark.parametrize("name", ["Hex", "Focus", "Lightning", "Spiral"])
@settings(max_examples=20)
@given(data=st.data())
def test_m39_the_long_form_is_read_wherever_the_short_is(name: str, data: st.DataObject) -> None:
    """Random games: each legal move, however it is written, is the same command in a move, a preview and a mail."""
    game = load(name)
    assert game is not None
    deal = {"Deal1": DEAL} if name == "Spiral" else {}
    setup = game.setup(deal)
    position = game.start(setup)
    legal = list(game.legal_moves(position))
    token = game.format(data.draw(st.sampled_from(legal)), setup)
    reader = moves.reader(game, setup)
    written = data.draw(
        st.sampled_from([token, token.upper(), token.lower(), f"{token}.", f"`{token}`"])
    )
    for line, name_of in (
        (written, "move"),
        (f"move 3 {written}", "move"),
        (f"preview {written}", "preview"),
    ):
        found = one(line, reader)
        assert (found.name, found.args) == (name_of, (token,))
    assert not isinstance(game.parse(token, setup), Rejected)


DEAL = "7S 8S 9S TS JS QS KS AS / 7H 8H 9H TH JH QH KH AH / 7D 8D 9D TD JD QD KD AD / 7C 8C 9C TC JC QC KC AC"


# -- the other commands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["draw", "resign", "draw?", "draw!", "claim", "undo?", "undo!", "history", "next", "mute", "accept", "decline",
     "start", "digest", "standings", "verify", "help", "stop", "forget me", "show"],
)  # fmt: skip
def test_commands_of_a_word(line: str) -> None:
    for written in (line, line.upper(), f"  {line} ", f"*{line}*"):
        assert one(written).name == line
    if line[-1] in "?!":
        assert one(f"{line[:-1]}\u202f{line[-1]}").name == line
        assert one(f"{line[:-1]}{'？' if line[-1] == '?' else '！'}").name == line
    else:
        assert one(f"{line}.").name == line


def test_draw_with_conditional_orders() -> None:
    found = one("draw; III@d1:s-ne; i@pool; II@pool;", LIGHTNING)
    assert (found.name, found.args) == ("draw", ("III@d1:s-ne", "I@pool", "II@pool"))
    wrapped = one("Draw ; III@d1:s–ne;\nI@pool; \nII@pool", LIGHTNING)
    assert (wrapped.args, wrapped.line) == (found.args, 1)
    assert reading(mail("draw; III@d1:s-ne; I@lake"), LIGHTNING).mixed


def test_queue_is_pairs_of_the_others_ply_and_mine() -> None:
    assert one("queue d4: e5, f6: g7").args == ("d4", "e5", "f6", "g7")
    assert one("queue d4 : e5;\nf6:g7").args == ("d4", "e5", "f6", "g7")
    assert one("queue c1-c3:2: r:e5, r:d4:c1–c3", FOCUS).args == ("c1-c3", "+e5", "+d4", "c1-c3")
    assert reading(mail("queue d4: e5, f6")).mixed


def test_preview_claim_show_and_their_words() -> None:
    assert one("preview f6").args == ("f6",)
    assert one("claim draw").args == ("draw",)
    assert one("claim time").args == ("time",)
    assert (one("show 7").game, one("show 7").ply) == ("", 7)
    assert (one("show [Hex-43] 7").game, one("show hex-43 7").ply) == ("hex-43", 7)
    assert one("history hex-43").game == "hex-43"
    assert one("help Focus").args == ("focus",)
    assert one("help queue").args == ("queue",)
    assert one("standings hex").args == ("hex",)
    assert one("digest off").args == ("off",)


def test_m32_a_command_may_name_its_game() -> None:
    for line in ("[hex-43] move 14 f6", "hex-43 move 14 f6", "HEX-43: move 14 f6"):
        found = one(line)
        assert (found.game, found.ply, found.args) == ("hex-43", 14, ("f6",))


def test_challenge_has_a_name_a_game_options_and_a_word() -> None:
    found = one("challenge Bob Hex —size=19 swap=“none” --Event=x word Blue moon, rising.")
    assert found.args == ("Bob", "hex")
    assert found.options == (("size", "19"), ("swap", "none"), ("Event", "x"))
    assert found.word == "Blue moon, rising."
    assert one('challenge "Ann O’Neill" focus').args == ("Ann O'Neill", "focus")
    assert one("challenge Ann of Hex lightning").args == ("Ann of Hex", "lightning")
    assert one("challenge Bob hex").word == ""


def test_words_for_the_draws() -> None:
    assert one('accept word "blue  moon"').word == "blue moon"
    assert one("accept hex-42 word end.").word == "end."
    assert one("accept hex-42 word end.").game == "hex-42"
    assert one("start word ünder").word == "ünder"
    assert one("start").word == ""
    assert one("new spiral Cycle=yes samecolumn=no").options == (
        ("Cycle", "yes"),
        ("samecolumn", "no"),
    )


def test_vacation_dates_and_addresses() -> None:
    assert one("vacation 2025-07-01 2025-07-14").args == ("2025-07-01", "2025-07-14")
    assert one("vacation 2025‑07‑01 – 2025‑07‑14").args == ("2025-07-01", "2025-07-14")
    assert done(mail("vacation July 1 July 14")) == []
    for line in (
        "add Ann@work.example",
        "add address ann@work.example",
        "add ann@work.example<mailto:ann@work.example>",
    ):
        assert one(line).args == ("ann@work.example",)
    assert done(mail("add ann@work.example, bob@work.example")) == []


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    reading(mail(text.encode("utf-8", "replace")), moves.any_game)
