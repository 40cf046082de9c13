"""Who may move (mail.md; mail-cases.md E): tokens, codes, envelope tags, redaction, names."""

from __future__ import annotations

import base64
import hashlib
import hmac
import random
import secrets
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail import identity as i
from referee.mail.identity import Token

KEY = bytes(range(32))
CLUB = "referee@club.example"

games = st.builds(
    lambda slug, number: f"{slug}-{number}",
    st.sampled_from(["hex", "focus", "lightning", "spiral"]),
    st.integers(1, 9_999_999),
)


@given(games, st.sampled_from([0, 1]), st.integers(0, 99_999))
def test_a_token_is_what_the_specification_says(game: str, seat: int, event: int) -> None:
    text = i.token(KEY, game, seat, event)
    covers = f"{game}.{seat + 1}.{event}"
    digest = hmac.new(KEY, covers.encode(), hashlib.sha256).digest()[:16]
    assert text == f"{covers}.{base64.b32encode(digest).decode().lower().rstrip('=')}"
    assert i.check_token(KEY, text) == Token(game, seat, event)
    address = i.plus(CLUB, text)
    local = address.rpartition("@")[0]
    assert local.startswith("referee+")
    assert len(local) <= 64
    assert i.plus_part(f"<{address}>") == text


@given(games, st.integers(0, 999), st.randoms(use_true_random=False))
def test_m54_case_does_not_matter(game: str, event: int, rng: random.Random) -> None:
    text = i.token(KEY, game, 0, event)
    mixed = "".join(rng.choice((c.upper(), c.lower())) for c in text)
    assert i.check_token(KEY, mixed) == Token(game, 0, event)


@given(games, st.integers(0, 999), st.data())
def test_m50_any_change_of_a_token_makes_it_worthless(
    game: str, event: int, data: st.DataObject
) -> None:
    text = i.token(KEY, game, 0, event)
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(
        st.sampled_from("abcdefghijklmnopqrstuvwxyz234567890.-").filter(lambda c: c != text[at])
    )
    assert i.check_token(KEY, text[:at] + other + text[at + 1 :]) is None
    assert i.check_token(bytes(32), text) is None
    assert i.check_token(KEY, text[:at]) is None


@pytest.mark.parametrize(
    ("game", "seat", "event"),
    [("hex-43", 0, 7), ("focus-42", 0, 7), ("hex-42", 1, 7), ("hex-42", 0, 8)],
)
def test_a_tag_of_another_game_seat_or_event_is_worthless(game: str, seat: int, event: int) -> None:
    tag = i.token(KEY, "hex-42", 0, 7).rpartition(".")[2]
    assert i.check_token(KEY, f"{game}.{seat + 1}.{event}.{tag}") is None


@pytest.mark.parametrize("event", ["07", "+7", "7 ", "٧", "-7"])
def test_numbers_stand_in_one_form(event: str) -> None:
    tag = i.token(KEY, "hex-42", 0, 7).rpartition(".")[2]
    assert i.check_token(KEY, f"hex-42.1.{event}.{tag}") is None


@given(st.text())
def test_no_text_makes_checking_raise(text: str) -> None:
    assert i.check_token(KEY, text) is None
    assert i.check_envelope(KEY, text) is None
    i.code_of(text)
    i.plus_part(text)
    i.redacted(text)
    i.name_key(text)
    i.clean_name(text)


def test_a_token_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[bytes, bytes]] = []
    real: Callable[[bytes, bytes], bool] = hmac.compare_digest

    def watched(one: bytes, other: bytes) -> bool:
        seen.append((one, other))
        return real(one, other)

    monkeypatch.setattr(i.hmac, "compare_digest", watched)
    assert i.check_token(KEY, i.token(KEY, "hex-42", 0, 7)[:-1] + "x") is None
    assert i.check_envelope(KEY, i.envelope_part(KEY, 5)) == 5
    assert len(seen) == 2
    assert all(len(one) == len(other) == 26 for one, other in seen)


def test_a_long_club_address_cannot_overflow_the_local_part() -> None:
    with pytest.raises(ValueError, match="64"):
        i.plus(
            "correspondence-games-of-the-club@club.example",
            i.token(KEY, "lightning-9999999", 1, 99_999),
        )


# -- standing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "sender", "standing"),
    [
        (Token("hex-42", 0, 7), "ann@x.example", "current"),
        (Token("hex-42", 0, 7), "ANN@X.example", "current"),
        (Token("hex-42", 0, 6), "ann@x.example", "old"),
        (Token("hex-42", 0, 8), "ann@x.example", "old"),
        (Token("hex-42", 0, 7), "ann+games@x.example", "stranger"),
        (Token("hex-42", 0, 7), "eve@x.example", "stranger"),
        (Token("hex-42", 0, 6), "eve@x.example", "stranger"),
        (Token("hex-42", 0, 7), "", "stranger"),
        (None, "ann@x.example", "none"),
    ],
)
def test_m56_what_a_token_is_worth(token: Token | None, sender: str, standing: str) -> None:
    assert i.standing(token, 7, sender, ("ann@x.example", "ann@y.example")) == standing


# -- envelope and codes --------------------------------------------------------------------------------------------


@given(st.integers(1, 10**15))
def test_bounces_count_only_at_the_envelope_sender_of_their_row(row: int) -> None:
    part = i.envelope_part(KEY, row)
    assert i.check_envelope(KEY, part.upper()) == row
    assert i.check_envelope(KEY, f"b.{row + 1}.{part.rpartition('.')[2]}") is None
    assert i.check_token(KEY, part) is None
    assert len(i.plus(CLUB, part).rpartition("@")[0]) <= 64


def test_codes_are_fresh_and_kept_as_digests() -> None:
    one, other = i.new_code(secrets.token_bytes), i.new_code(secrets.token_bytes)
    assert one != other
    assert i.code_of(i.code_part(one)) == one
    assert i.code_of(i.code_part(one).upper()) == one
    assert i.code_digest(KEY, one) == i.code_digest(KEY, one.upper())
    assert one not in i.code_digest(KEY, one)
    assert i.code_digest(bytes(32), one) != i.code_digest(KEY, one)


def test_the_hash_of_commands_is_bound_to_game_and_commands() -> None:
    plain = i.commands_hash("hex-42", ["move 12 f6", "chat"])
    assert plain == i.commands_hash("HEX-42", ["  Move 12   F6 ", "chat"])
    assert plain != i.commands_hash("hex-43", ["move 12 f6", "chat"])
    assert plain != i.commands_hash("hex-42", ["move 12 f6 chat"])
    assert plain != i.commands_hash("hex-42", ["chat", "move 12 f6"])


# -- redaction -----------------------------------------------------------------------------------------------------


SECRETS = [
    i.token(KEY, "hex-42", 0, 7),
    i.token(KEY, "lightning-9999999", 1, 99_999),
    i.envelope_part(KEY, 12345),
    i.code_part("abcdefghij234567"),
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "Reply to referee+{}@club.example please",
        "<mailto:referee%2B{}@club.example?subject=f6>",
        "Token: {}",
        "({})",
        "> > {} wrote",
    ],
)
def test_m58_tokens_are_cut_out_of_what_is_passed_on(secret: str, text: str) -> None:
    for form in (secret, secret.upper()):
        shown = i.redacted(text.format(form))
        assert secret.rpartition(".")[2] not in shown.lower()
        assert shown.replace(i.REDACTED, "") == text.format("")


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("gap", ["\n", "\r\n> ", "=\n", " \n>> ", "\u00ad", "\u200b"])
def test_tokens_broken_over_lines_are_cut_out_too(secret: str, gap: str) -> None:
    tag = secret.rpartition(".")[2]
    for at in range(len(secret) - len(tag) + 4, len(secret) - 3):
        shown = i.redacted(f"see {secret[:at]}{gap}{secret[at:]} there")
        left = "".join(c for c in shown.replace(i.REDACTED, "") if c.isalnum()).lower()
        assert left == "seethere", shown


@pytest.mark.parametrize(
    "text",
    [
        "12. c3-c5:2 and r:e5, III@d1:s-ne; I@pool",
        "queue d4: e5, f6: g7",
        "hex-42 is fun. [hex-42] Ann – Bob",
        "supercalifragilisticexpialidocious words stay",
        "b.5 c.3 a.1.2",
        "see https://example.org/a.b.c/hex-42.1",
    ],
)
def test_plain_text_is_left_alone(text: str) -> None:
    assert i.redacted(text) == text


@pytest.mark.parametrize(
    "piece", ["hex-1" + " " * 50, "a" * 60, "hex-42.1.7.", "hex-42.1.7.aaaa\n> ", "b.1.aaaa=\n"]
)
def test_redaction_is_quick_on_anything(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    begin = time.perf_counter()
    i.redacted(text)
    assert time.perf_counter() - begin < 5


def test_m55_message_ids_say_which_game_and_never_who() -> None:
    one = i.message_id("hex-42", "club.example", secrets.token_bytes)
    other = i.message_id("hex-42", "club.example", secrets.token_bytes)
    assert one != other
    assert one.startswith("<hex-42.")
    assert one.endswith("@club.example>")
    part = one[1:].partition("@")[0]
    assert i.check_token(KEY, part) is None
    assert i.redacted(one) == one


# -- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("  D.   O'Hara ", "D. O'Hara"),
        ("王芳", "王芳"),
        ("Chloe\u0301", "Chloé"),
        ("Ann-Sophie 2", "Ann-Sophie 2"),
        ("Asad", "Asad"),  # AS and AD in Spiral, and a name
    ],
)
def test_names_that_can_be(text: str, name: str) -> None:
    assert i.clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "x" * 31,
        "a\u202eb",
        "a\x00b",
        "<b>Ann</b>",
        "ann@x.org",
        "Player 17",
        "player17",
        "Referee",
        "DR. BROOKS",
        "42",
        "Ann: f6",
        'Ann "x"',
        "\u200b\u200b",
        "Resign",
        "Show Man",  # a subject of ours would begin with a command
        "start word",
        "The Word",  # what stands behind it would be the word for the draws
        "Focus",
        "C3",
        "R2-D2",  # a move of Focus in its form
        "7S KH",
        "hex-42",
        "c.abcdefghijklmnop",
        "www.evil.example",
    ],
)
def test_names_that_cannot_be(text: str) -> None:
    assert i.clean_name(text) is None


def test_names_that_look_alike_are_one() -> None:
    assert i.name_key("Ann  Lee") == i.name_key("ANN lee") == i.name_key("Ａｎｎ Lee")
    assert i.name_key("Straße") == i.name_key("STRASSE")
