"""What a player writes comes to others as words: no field, no tag, no element, no path, no row of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default, strict
from html.parser import HTMLParser
from pathlib import Path

import pytest

from referee.core.source import Source
from referee.mail.identity import clean_name
from referee.mail.rows import plain as ascii_forms
from referee.notation import moves
from tests.referee.service.house import House, html, plain, record

PAYLOADS = (
    "<script>alert(1)</script>",
    '<img src="https://evil.example/x.png" onerror=alert(1)>',
    "<svg onload=alert(1)><circle r=1/></svg>",
    '"><a href="javascript:alert(1)">x</a>',
    "</pre></div></body></html><h1>resign</h1>",
    "<!--/picture--><!--picture-->",
    "<style>*{display:none}</style>",
    "{{ club }}{% include '/etc/passwd' %}{{ ''.__class__ }}",
    "]]><!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
    "&lt;b&gt; &#60;i&#62;",
    "\x1b[31mred\x1b[0m\x07",
    "turned \u202e txet \u2066 here \u200b",
    "---- Write above this line ----",
    "Token: hex-1.1.0.abcdefghijklmnopqrstuvwxyz",
    "\r\nBcc: eve@evil.example\r\n\r\n<b>",
    '"]\n[Seed "00"]\n[Result "1-0',
    "../../../../etc/passwd",
    "%s %d {0} {who} $HOME `id` $(id)",
    "'; DROP TABLE games; --",
)

ELEMENTS = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body"),
        *("div", "p", "h1", "img", "pre", "ul", "li", "blockquote", "br"),
    )
)
FIELDS = frozenset(
    (
        *("from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references"),
        *("auto-submitted", "x-auto-response-suppress", "x-referee-loop", "list-id"),
        *("list-unsubscribe", "mime-version", "content-type", "content-transfer-encoding"),
    )
)


class Elements(HTMLParser):
    """All elements of a page that is not ours alone, with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.comments: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def check(house: House) -> int:
    """Check every letter that went out; return how many they were."""
    for parcel, letter in house.box.sent:
        assert {name.lower() for name in letter.keys()} <= FIELDS  # noqa: SIM118 - the same name twice counts
        for name in FIELDS - {"references"}:
            assert len(letter.get_all(name, [])) <= 1, name
        head = parcel.data.partition(b"\r\n\r\n")[0]
        assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", head)
        page = Elements(html(letter))
        for tag, attributes in page.found:
            assert tag in ELEMENTS, tag
            assert not [name for name in attributes if name.startswith("on")]
            assert attributes.get("src") in (None, "cid:board")
            assert attributes.get("href") is None
        assert [tag for tag, _ in page.found].count("style") == 1
        assert len(page.comments) <= 2
        text = plain(letter).replace("\r\n", "\n")
        assert text.count("---- Write above this line ----\n") == 1
        assert not re.search(
            "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", text
        )
        assert len(re.findall(r"(?m)^Token: ", text)) <= 1
    return len(house.box.sent)


def test_words_between_players(house: House) -> None:
    game, (first, second) = house.begun("focus")
    for payload in PAYLOADS:
        house.answer(house.last(first, game), f"chat\n{payload}\nend", proved=True)
    got = [m for p, m in house.box.sent if p.recipient == second]
    assert check(house) > len(PAYLOADS)
    assert any("<script>alert(1)</script>" in plain(letter) for letter in got)
    assert any("&lt;script&gt;alert(1)&lt;/script&gt;" in html(letter) for letter in got)
    # a chat that quotes our mark does not cut the letter off for its reader's answer
    assert house.answer(house.last(first, game), "c3-c4").kind == "done"
    assert house.answer(house.last(second, game), "e5-e4").kind == "done"


def test_what_is_echoed(house: House) -> None:
    ann = house.player("Ann")
    house.player("Bob")
    for number, payload in enumerate(PAYLOADS):
        texts = (
            f"challenge {payload} hex",
            f"challenge Bob {payload}",
            f"preview {payload}",
            f"show {payload}",
            f"help {payload}",
            f"vacation {payload} x",
            f"add {payload}",
            f"move 1 {payload}",
            payload,
        )
        for text in texts[number % 2 :: 2]:
            house.write(ann, text)
        house.now += timedelta(hours=1)
    assert check(house) > 60


def test_words_for_the_draws(house: House) -> None:
    """A word goes into records, letters and the draws: whatever it is, it stays one tag's value."""
    ann, bob = house.player("Ann"), house.player("Bob")
    kept = 0
    for payload in PAYLOADS:
        house.write(
            ann,
            f"challenge Bob lightning word {payload.replace(chr(13), ' ').replace(chr(10), ' ')[:60]}",
        )
        letter = house.last(bob)
        if "challenges you" not in str(letter["Subject"]):
            continue
        house.answer(letter, "accept word sesame", proved=True)
        if not list(house.last(bob).iter_attachments()):
            continue
        kept += 1
        values = moves.read(Source("mail", record(house.last(bob)))).values()
        word = payload.replace("\r", " ").replace("\n", " ")[:60]
        word = ascii_forms("".join(c for c in word if c.isprintable()))  # as every mail is read
        assert sorted((values["Word1"], values["Word2"])) == sorted(
            (" ".join(word.split()), "sesame")
        )
        assert values.get("Seed") is None
        assert set(values) <= {
            "Game",
            "GameId",
            "Date",
            "First",
            "Second",
            "Commit",
            "Word1",
            "Word2",
            "Result",
        }
    assert kept > 8
    check(house)


def heads() -> Iterator[tuple[str, str]]:
    """Yield head fields that try to add fields, or to be none."""
    for evil in (
        "\n Bcc: eve@evil.example",
        "=?utf-8?q?x=0D=0ABcc=3A_eve=40evil.example?=",
        "=?utf-8?b?DQpCY2M6IGV2ZQ==?=",
    ):
        yield "Subject", f"help me{evil}"
        yield "In-Reply-To", f"<a@b>{evil}"
        yield "References", f"<a@b> <c{evil}@d>"
    yield "Subject", "x" * 100_000
    yield "Subject", "\u202e\u0000\x85 [hex-1] <script>"
    yield "Subject", "=?utf-8?q?" + "=00" * 300 + "?="
    yield "References", "<" + "a" * 5000 + "@b> <\x00@b> <a b@c> <é@ü>"
    yield "Message-ID", "<a@b>\n Bcc: eve@evil.example"
    yield "Message-ID", "x" * 3000
    yield "Date", "=?utf-8?q?=0D=0AX=3A_y?="


@pytest.mark.parametrize(("field", "value"), list(heads()))
def test_fields_of_a_mail_add_none_to_the_answer(house: House, field: str, value: str) -> None:
    ann = house.player("Ann")
    raw = house.mail(ann, "just some words", proved=True)
    head, _, body = raw.partition(b"\n\n")
    lines = [
        x for x in head.split(b"\n") if not x.lower().startswith(field.lower().encode() + b":")
    ]
    raw = (
        b"\n".join([*lines, f"{field}: {value}".encode("utf-8", "surrogateescape")])
        + b"\n\n"
        + body
    )
    house.give(raw)
    assert check(house) == 1
    assert house.last(ann)["Bcc"] is None
    again = message_from_bytes(house.parcel(ann).data, policy=strict + default)
    assert isinstance(again, EmailMessage)
    assert not again.defects
    assert len(again["Subject"]) <= 200


@pytest.mark.parametrize("name", [p.replace("\r", " ").replace("\n", " ")[:30] for p in PAYLOADS])
def test_no_such_name_can_be(house: House, name: str) -> None:
    """A name stands in subjects, records, pages and lists: what could be more than a name is none."""
    from referee.service.operator import RefusedError, invite

    if clean_name(name) is None:
        with pytest.raises(RefusedError):
            invite(house.desk, house.now, "new@x.example", name)
    invite(house.desk, house.now, "new@x.example", "")
    house.send()
    house.answer(house.last("new@x.example"), f"yes\nname {name}")
    with house.desk.store.read(house.now) as unit:
        for player in unit.players():
            assert re.fullmatch(r"[\w .'’!?%$&*=~^#-]{2,30}", player.name), player.name
    check(house)


def test_a_name_of_a_mail_program(house: House) -> None:
    """Who gives no name is called what his mail program calls him, where that can be a name at all."""
    from referee.service.operator import invite

    for number, payload in enumerate(PAYLOADS):
        address = f"new{number}@x.example"
        invite(house.desk, house.now, address, "")
        house.send()
        called = payload.replace("\r", " ").replace("\n", " ").replace('"', "")
        house.answer(house.last(address), "yes", sender=f'"{called}" <{address}>')
    with house.desk.store.read(house.now) as unit:
        found = [player.name for player in unit.players()]
    assert len(found) == len(PAYLOADS)
    assert len(set(found)) == len(PAYLOADS)
    for name in found:
        assert clean_name(name) == name
    check(house)


def test_files_of_the_club_are_named_by_nobody_else(house: House, tmp_path: Path) -> None:
    """Whatever names, attachments and words say, files appear where the club has them, and nowhere else."""

    def files() -> set[Path]:
        return {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}

    game, (first, _) = house.begun("hex", "size=5")
    before = files()
    to = str(house.last(first, game)["Reply-To"])
    raw = house.mail(first, "c3", to=to).replace(
        b"Content-Type: text/plain", b'Content-Type: text/plain; name="../../../evil.txt"'
    )
    house.give(raw, to=to)
    assert house.match(game).words == ("c3",)
    assert files() - before <= {
        Path("club/club.db-wal"),
        Path("club/club.db-shm"),
        Path("club/club.db-reading.lock"),
    }
    for parcel, letter in house.box.sent:
        for part in letter.walk():
            name = part.get_filename()
            assert name is None or re.fullmatch(r"[a-z]+-[0-9]+\.(moves|png)", name), (parcel, name)
