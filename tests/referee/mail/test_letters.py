"""Our mails: structure, headers, texts, templates (M33, M40, M58, M62, M76, M81 to M84)."""

from __future__ import annotations

import re
import textwrap
from datetime import UTC, date, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.compose import Letter, compose, loaded, thread
from referee.mail.reply import WIDTH, Page, Writer, _filled, as_html, as_plain, note, quoted
from referee.mail.submission import LOOP_HEADER, MARKER
from referee.mail.view import board, last_plies, title
from referee.match import Done, Match, begin, play, propose
from tests.conftest import ROOT

LEADS = st.sampled_from([("", ""), ("- ", "  "), ("  | ", "  | ")])
PNG = bytes.fromhex("89504e470d0a1a0a")
CLUB = ("Club Süd, der erste", "referee@club.example")


def letter(**changes: object) -> Letter:
    values: dict[str, object] = {
        "to": "ann@x.example",
        "to_name": "Änn",
        "subject": "[hex-42] Ann – Bob",
        "plain": "text – with a dash\n",
        "html": '<p>text</p><!--picture--><img src="cid:board"><!--/picture-->',
        "message_id": "<hex-42.abcdefghij@club.example>",
        "date": datetime(2025, 3, 30, 1, 0, tzinfo=UTC),
    }
    return Letter(**(values | changes))  # type: ignore[arg-type]


def parsed(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    assert not [defect for part in message.walk() for defect in part.defects]
    return message


def hex_match(*words: str) -> Match:
    done = begin(propose("Hex", 42, {"Size": "5"}, "", None), "Ann", "Bob", date(2025, 3, 3))
    for word in words:
        assert done.match.to_move is not None
        after = play(done.match, done.match.to_move, word)
        assert isinstance(after, Done)
        done = after
    return done.match


def test_m84_the_structure_of_an_answer() -> None:
    data = compose(letter(record='[Game "Hex"]\n\n*\n', picture="x", game="hex-42"), *CLUB, PNG)
    message = parsed(data)
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == [
        *("multipart/mixed", "multipart/alternative", "text/plain"),
        *("multipart/related", "text/html", "image/png", "text/plain"),
    ]
    plain, picture, record = (
        list(message.walk())[2],
        list(message.walk())[5],
        list(message.walk())[6],
    )
    assert plain.get_param("format") == "fixed"  # M82
    assert plain.get_content().replace("\r", "") == "text – with a dash\n"
    assert picture["Content-ID"] == "<board>"
    assert picture.get_content() == PNG
    assert record.get_filename() == "hex-42.moves"
    assert record.get_content_disposition() == "attachment"
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_without_a_picture_its_place_is_left_out() -> None:
    message = parsed(compose(letter(), *CLUB, None))
    assert message.get_content_type() == "multipart/alternative"
    assert "cid:" not in message.as_string()


def test_headers() -> None:
    chain = ("<" + "a" * 150 + "@x.example>", "<b@y.example>")
    data = compose(
        letter(in_reply_to=chain[-1], references=chain, automatic="auto-replied", notice=True),
        *CLUB,
    )
    message = parsed(data)
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message[LOOP_HEADER] == CLUB[1]
    assert str(message["References"]).split() == list(chain)
    assert message["In-Reply-To"] == chain[-1]
    assert message["List-Id"] == "<referee.club.example>"
    assert message["List-Unsubscribe"] == "<mailto:referee@club.example?subject=stop>"
    assert message["Date"].datetime == datetime(2025, 3, 30, 1, 0, tzinfo=UTC)
    assert max(len(line) for line in data.split(b"\r\n")) <= 998
    assert b"=?" not in b"".join(x for x in data.split(b"\r\n") if x.startswith((b"Ref", b"In-")))


def test_m62_no_header_can_be_added() -> None:
    evil = "x\r\nBcc: eve@evil.example\r\n\r\nbody\u2028y\x00"
    message = parsed(compose(letter(subject=evil, to_name=evil), evil, CLUB[1]))
    assert message["Bcc"] is None
    assert "Bcc: eve" in str(message["Subject"])


def test_the_same_letter_has_the_same_bytes_and_survives_the_outbox() -> None:
    one = letter(covers=(("hex-1", 3),), references=("<a@b>",), game="hex-42", record="x\n")
    assert loaded(one.saved()) == one
    assert compose(one, *CLUB, PNG) == compose(loaded(one.saved()), *CLUB, PNG)


def test_a_thread_keeps_its_first_and_its_last_links() -> None:
    chain = tuple(f"<{n}@x>" for n in range(40))
    parent, references = thread("<last@x>", chain)
    assert parent == "<last@x>"
    assert references[0] == "<0@x>"
    assert references[-1] == "<last@x>"
    assert len(references) == 12
    assert thread("no id", ("<a@b>", "bad one")) == ("", ("<a@b>",))


# -- texts -----------------------------------------------------------------------------------------------------------


def page(match: Match, *says: object) -> Page:
    return Page(title(match), says, board(match), [note("stale")], "hex-42.1.3." + "a" * 26)  # type: ignore[arg-type]


def test_the_plain_part_is_complete_by_itself() -> None:
    texts = Writer(*CLUB).texts(page(hex_match("c3", "swap", "d4"), note("reminder")))
    lines = texts.plain.split("\n")
    assert MARKER in lines[0]
    drawing = [line for line in lines if " . . " in line]
    assert len(drawing) == 5
    assert all(line.startswith("  ") for line in drawing)  # M81
    assert "  Red: c3" in lines
    assert "Plies: 1. c3 swap 2. d4" in lines
    assert "Bob (Red) is to move" in texts.plain
    assert f"Token: hex-42.1.3.{'a' * 26}" in lines
    assert all(len(line) <= 80 for line in lines)


class Tags(HTMLParser):
    """Open tags of a page, and whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_escaped_and_well_formed() -> None:
    evil = "</pre><script>alert(1)</script>"
    match = hex_match("c3")
    texts = Writer(evil, CLUB[1]).texts(
        page(match, note("chat", who=evil, text=evil), note("note", text=evil))
    )
    tags = Tags()
    tags.feed(texts.html)
    assert tags.open == []
    assert "script" not in tags.seen
    assert "&lt;script&gt;" in texts.html
    assert "http://" not in texts.html
    assert "https://" not in texts.html  # nothing is fetched from anywhere
    assert 'name="color-scheme"' in texts.html
    assert "prefers-color-scheme: dark" in texts.html


def test_m58_what_is_passed_on_has_no_tokens_and_no_tricks() -> None:
    token = f"hex-42.1.3.{'b' * 26}"
    said = quoted(f"look: {token}\r\n\u202egnp.exe\x1b[31m\nresign")
    assert token not in said
    assert "\u202e" not in said
    assert "\x1b" not in said
    assert all(line.startswith("|") for line in said.split("\n"))


def test_the_small_markup() -> None:
    text = "A  long\nparagraph.\n\n  fixed\n   more\n\n- one\n- two\n  goes on\n\n| said\n|  so"
    assert as_plain(text) == (
        "A  long paragraph.\n\n  fixed\n   more\n\n- one\n- two goes on\n\n  | said\n  |  so"
    )
    page_ = str(as_html(text))
    assert '<pre class="wrap">fixed\n more</pre>' in page_
    assert "<ul><li>one</li><li>two goes on</li></ul>" in page_
    assert "<blockquote>said\n so</blockquote>" in page_


@given(st.lists(st.sampled_from(["a", "be", "x" * 30, "é-y", "w" * 90, "", "\u00a0", "\t"])), LEADS)
def test_lines_break_where_the_standard_library_breaks_them(
    words: list[str], lead: tuple[str, str]
) -> None:
    text = " ".join(words)
    assert _filled(text, *lead) == textwrap.fill(
        text,
        WIDTH,
        initial_indent=lead[0],
        subsequent_indent=lead[1],
        break_long_words=False,
        break_on_hyphens=False,
    )


# -- templates -------------------------------------------------------------------------------------------------------


def test_the_operators_own_template_stands_before_ours(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "reminder.txt").write_text("Tick tock, {{ 1 + 1 }}.")
    heard: list[str] = []
    writer = Writer(*CLUB, tmp_path, heard.append)
    assert writer.text(note("reminder")) == "Tick tock, 2."
    assert "older mail" in writer.text(note("stale"))
    assert heard == []


@pytest.mark.parametrize(
    "broken", ["{% if %}", "{{ nothing.at.all }}", "{{ 1 / 0 }}", "{% include 'x' %}"]
)
def test_a_broken_template_of_the_operators_costs_no_mail(tmp_path: Path, broken: str) -> None:
    (tmp_path / "reminder.txt").write_text(broken)
    heard: list[str] = []
    writer = Writer(*CLUB, tmp_path, heard.append)
    assert "your move" in writer.text(note("reminder"))
    assert "reminder.txt" in heard[0]


def test_every_template_is_used_and_none_is_missing() -> None:
    source = "\n".join(
        file.read_text()
        for file in (ROOT / "referee" / "service").rglob("*.py")
        if "__pycache__" not in str(file)
    )
    shipped = {file.stem for file in (ROOT / "templates" / "mail").glob("*.txt")} - {"layout"}
    form = r'(?:\bnote\(|\.say\(|_say\(post, mail, )\s*"([a-z-]+)"'
    assert set(re.findall(form, source)) <= shipped
    assert [name for name in sorted(shipped) if f'"{name}"' not in source] == []


@pytest.mark.parametrize(
    ("words", "per_number", "text"),
    [
        (
            "c3-c4 draw? b4-b5 c4-c5 draw? b5-b6 c1-c2",
            2,
            "1. c3-c4 draw? b4-b5 2. c4-c5 draw? b5-b6 3. c1-c2",
        ),
        ("7S+8H ~9D ~JD 8S+9H ~TD", 1, "1. 7S+8H ~9D ~JD 2. 8S+9H ~TD"),
        ("V@pool draw? III@?", 2, "1. V@pool draw? III@?"),
        ("x " * 14, 2, "… 2. x x 3. x x 4. x x 5. x x 6. x x 7. x x"),
        ("x " * 13 + "draw? y", 2, "… 2. x x 3. x x 4. x x 5. x x 6. x x 7. x draw? y"),
    ],
)
def test_plies_have_their_numbers_whatever_stands_between(
    words: str, per_number: int, text: str
) -> None:
    """An offer, Dr. Brooks' cards and a tile that waits are no plies; numbers stand before the first player's."""
    assert last_plies(words.split(), per_number) == text
