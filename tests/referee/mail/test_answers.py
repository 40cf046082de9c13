"""Answers as they leave the club, with real pictures: valid MIME, threads, looks on phone and desk (M81 to M84)."""

from __future__ import annotations

import base64
import re
import struct
import subprocess
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import strict
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from referee.mail.transport import Failed
from referee.service.operator import invite, takeback
from referee.service.sending import send_due
from tests.conftest import need_cairo, need_program
from tests.referee.service.house import POLICY, House, html, plain, record, tag_of


class Gallery(House):
    """A club that draws."""

    def send(self) -> None:
        send_due(self.desk, self.box, lambda: self.now)


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Letters of every kind, as bytes."""
    need_cairo()
    house = Gallery(tmp_path_factory.mktemp("gallery") / "club")
    ann, bob = house.player("Ann"), house.player("Zoë Ångström-Müller")
    with house.desk.store.begin(house.now) as unit:
        for name, address in (("Bob", "bob@bob.example"),):
            assert unit.add_player(name, name.lower(), address) is not None
    assert ann != bob
    bob = "bob@bob.example"
    for said in ("hex size=11 swap=pieces", "focus", "lightning word ünïcode – “quoted”"):
        house.write(ann, f"challenge Bob {said}")
        house.answer(house.last(bob), "accept word sesame", proved=True)
        game = tag_of(house.last(bob))
        match = house.match(game)
        seats = [
            f"{match.player(seat).lower()}@{match.player(seat).lower()}.example" for seat in (0, 1)
        ]
        moves = {
            "hex": ("f6", "swap", "c3"),
            "foc": ("c3-c4", "b4-b5"),
            "lig": ("draw; I@pool; II@pool", "draw"),
        }
        for ply, move in enumerate(moves[game[:3]]):
            house.answer(
                house.last(seats[ply % 2], game), f"{move}\n\nchat\n{'long words ' * 30}\nend"
            )
        house.answer(house.last(seats[0], game), "z99")
        house.answer(house.last(ann, game), "resign")
    house.write(bob, "new spiral")
    house.answer(house.last(bob), "start")
    house.write(ann, "challenge Bob hex")
    house.write(
        ann, "next\n\nstandings\n\nhelp\n\nhelp spiral\n\nverify lightning-3\n\nhistory hex-1"
    )
    house.write(
        ann,
        "Grüße! Dies ist nur ein Gruß – mit “Zeichen”.",
        subject="Ein Gruß – äöü " + "lang " * 40,
    )
    house.write(ann, "resign", subject="[hex-1]", proved=False)
    invite(house.desk, house.now, "new@x.example", "Nø Õne")
    house.send()
    house.answer(house.last(bob), "accept", proved=True)
    first = house.match("hex-5").player(0).lower()
    house.answer(house.last(f"{first}@{first}.example", "hex-5"), "c3")
    takeback(house.desk, house.now, "hex-5", 0, "typed in “haste”")
    house.later(days=9)
    house.later(days=20)
    return [parcel.data for parcel, _ in house.box.sent]


def letters(sent: list[bytes]) -> Iterator[EmailMessage]:
    for data in sent:
        message = message_from_bytes(data, policy=POLICY)
        assert isinstance(message, EmailMessage)
        yield message


def test_m84_every_letter_is_valid_mime(sent: list[bytes]) -> None:
    """M84: read again strictly: no defect anywhere, lines within bounds, encodings that any server passes on."""
    assert len(sent) > 30
    for data in sent:
        message = message_from_bytes(data, policy=strict + POLICY)
        assert data.count(b"\n") == data.count(b"\r\n")
        assert data.isascii()
        assert max(map(len, data.split(b"\r\n"))) <= 900
        head = data.partition(b"\r\n\r\n")[0]
        long = [x for x in head.split(b"\r\n") if len(x) > 78]
        assert all(
            b"@" in line and b" " not in line.strip().partition(b": ")[2] for line in long
        ), long
        for part in message.walk():
            assert not part.defects
            assert all(not getattr(value, "defects", ()) for value in part.values())
            encoding = str(part.get("Content-Transfer-Encoding", "7bit")).lower()
            assert encoding in ("7bit", "quoted-printable", "base64")
            if part.get_content_maintype() == "text":
                assert part.get_content_charset() in ("utf-8", "us-ascii")
                assert isinstance(part.get_content(), str)
        assert message["MIME-Version"] == "1.0"
        assert [n.lower() for n in message.keys()].count("mime-version") == 1  # noqa: SIM118


def test_the_shape_of_a_letter(sent: list[bytes]) -> None:
    """multipart/mixed( alternative( plain, related( html, png by cid ) ), the record ); what is missing is left out."""
    whole = 0
    for message in letters(sent):
        kinds = [part.get_content_type() for part in message.walk()]
        if "image/png" in kinds:
            whole += 1
            assert kinds == [
                *("multipart/mixed", "multipart/alternative", "text/plain"),
                *("multipart/related", "text/html", "image/png", "text/plain"),
            ]
            assert record(message).startswith("[Game ")
        else:
            assert kinds[-3:] == ["multipart/alternative", "text/plain", "text/html"]
        body = message.get_body(("plain",))
        assert body is not None
        assert body["Content-Type"].params["format"] == "fixed"  # M82
    assert whole > 15


def test_m83_the_picture_is_a_png_by_cid_and_stands_in_words_too(sent: list[bytes]) -> None:
    """M83: no SVG, no data: address, nothing from elsewhere; who sees no picture has the board in characters."""
    for message in letters(sent):
        page = html(message)
        assert not re.search(r"<svg|data:|https?://|url\(|<link|@import", page)
        pictures = [part for part in message.walk() if part.get_content_type() == "image/png"]
        assert page.count("cid:board") == len(pictures) <= 1
        for part in pictures:
            assert part["Content-ID"] == "<board>"
            assert part.get_content_disposition() == "inline"
            data = part.get_content()
            assert data.startswith(b"\x89PNG\r\n\x1a\n")
            width, height = struct.unpack(">II", data[16:24])
            assert 300 <= width <= 2000
            assert 200 <= height <= 2000
            alt = re.search(r'alt="([^"]*)"', page)
            assert alt is not None
            assert len(alt[1].splitlines()) > 5


def test_m81_board_lines_begin_with_two_blanks(sent: list[bytes]) -> None:
    """M81: no mail program runs them together; and below stands the position as a list, for proportional fonts."""
    seen = 0
    for message in letters(sent):
        text = plain(message).replace("\r\n", "\n")
        assert "\t" not in text
        assert not re.search(r"[ ]+$", text, re.MULTILINE)
        prose = [line for line in text.split("\n") if not line.startswith("  ") or "  | " in line]
        assert max(map(len, prose)) <= 80
        if "Plies: " in text and "[hex" in str(message["Subject"]):
            rows = [x for x in text.split("\n") if re.search(r"(?:[.RB\[\]] ?){9,}", x)]
            assert len(rows) >= 11
            assert all(row.startswith("  ") for row in rows)
            assert re.search(r"^  Red: ", text, re.MULTILINE)
            seen += 1
    assert seen > 5


def test_threads_are_as_rfc_5322_says(sent: list[bytes]) -> None:
    """One Message-ID each, In-Reply-To one of References and its last, all letters of a game in one thread."""
    ids = []
    roots: dict[str, set[str]] = {}
    subjects: dict[str, set[str]] = {}
    for message in letters(sent):
        for name in ("From", "To", "Date", "Message-ID", "Subject"):
            assert len(message.get_all(name, [])) == 1, name
        parsedate_to_datetime(str(message["Date"]))
        own = str(message["Message-ID"])
        assert re.fullmatch(r"<[a-z0-9.-]+@club\.example>", own)
        ids.append(own)
        references = str(message["References"] or "").split()
        parent = str(message["In-Reply-To"] or "")
        assert all(re.fullmatch(r"<[^<>\s@]+@[^<>\s@]+>", one) for one in references)
        assert (references[-1] if references else "") == parent
        assert len(references) == len(set(references))
        assert message["Auto-Submitted"] in ("auto-replied", "auto-generated")
        assert not (message["Auto-Submitted"] == "auto-replied" and not parent)
        tag = re.search(r"^\[([a-z]+-[0-9]+)\] .* – ", str(message["Subject"]))
        if tag:
            roots.setdefault(tag[1], set()).add(references[0])
            subjects.setdefault(tag[1], set()).add(str(message["Subject"]))
        assert (message["List-Unsubscribe"] is None) == (message["List-Id"] is None)
        if message["Auto-Submitted"] == "auto-replied":
            assert message["List-Id"] is None
    assert len(ids) == len(set(ids))
    assert roots == {game: {f"<{game}@club.example>"} for game in roots}
    assert all(len(all_of_it) == 1 for all_of_it in subjects.values())
    assert len(subjects) >= 4


FRAME = '<iframe src="{}" width="{}" height="900" style="border:0"></iframe>'
LOOK = """
<script>
function light(text) {
  const c = text.match(/[0-9.]+/g).map(Number);
  const f = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return { a: c.length > 3 ? c[3] : 1, l: 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]) };
}
addEventListener('load', () => {
  let worst = 99, small = 99;
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    let back = one, ground;
    do { ground = light(getComputedStyle(back).backgroundColor); back = back.parentElement; } while (back && !ground.a);
    const ink = light(getComputedStyle(one).color).l, low = Math.min(ink, ground.l), high = Math.max(ink, ground.l);
    worst = Math.min(worst, (high + 0.05) / (low + 0.05));
    small = Math.min(small, parseFloat(getComputedStyle(one).fontSize));
  }
  const image = document.querySelector('img');
  document.title = ['look', document.documentElement.scrollWidth, innerWidth, worst.toFixed(2), small,
    image ? image.getBoundingClientRect().width.toFixed(0) : -1].join(' ');
});
</script>
"""


def pages(message: EmailMessage) -> tuple[str, str]:
    """Return a letter's page, its picture in it, by day and by night."""
    page = html(message).replace("</head>", LOOK + "</head>")
    for part in message.walk():
        if part.get_content_type() == "image/png":
            data = base64.b64encode(part.get_content()).decode()
            page = page.replace("cid:board", f"data:image/png;base64,{data}")
    dark = page.replace("(prefers-color-scheme: dark)", "(min-width: 1px)")
    return page, dark.replace("color-scheme: light dark", "color-scheme: dark")


def test_pages_look_right_on_phone_and_desk_by_day_and_night(
    sent: list[bytes], tmp_path: Path
) -> None:
    """Nothing is wider than the screen, the board fills it, every word stands out from its ground."""
    chromium = need_program("chromium")
    chosen = {}
    for message in letters(sent):
        kind = re.sub(r"[^a-z]", "", str(message["Subject"]).partition("-")[0].lower())[:9]
        chosen[kind, len(list(message.walk()))] = message
    frames = []
    for number, message in enumerate(chosen.values()):
        for dark, page in enumerate(pages(message)):
            (tmp_path / f"{number}{dark}.html").write_text(page)
            frames += [(f"{number}{dark}.html", width) for width in (390, 1000)]
    index = tmp_path / "index.html"
    index.write_text(
        f"""{"".join(FRAME.format(*frame) for frame in frames)}<pre id="all"></pre>
        <script>addEventListener('load', () => setTimeout(() => {{
        document.getElementById('all').textContent =
          [...document.querySelectorAll('iframe')].map(f => f.contentDocument.title).join('\\n'); }}, 300))</script>"""
    )
    alone = "no-first-run disable-sync disable-background-networking disable-component-update"
    options = [
        "headless",
        "no-sandbox",
        "disable-gpu",
        *alone.split(),
        "allow-file-access-from-files",
    ]
    options += [f"user-data-dir={tmp_path / 'profile'}", "virtual-time-budget=5000", "dump-dom"]
    done = subprocess.run(
        [chromium, *(f"--{option}" for option in options), index.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    found = re.findall(r"look ([0-9]+) ([0-9]+) ([0-9.]+) ([0-9.]+) (-?[0-9]+)", done.stdout)
    assert len(found) == len(frames) >= 24, done.stdout[-500:] + done.stderr[-500:]
    for (_, width), (scroll, inner, contrast, small, image) in zip(frames, found, strict=True):
        assert int(inner) == width
        assert int(scroll) <= width
        assert float(contrast) >= 4.5
        assert float(small) >= 11
        assert int(image) == -1 or int(image) >= min(width, 640) * 0.75


def test_m111_a_draw_is_made_and_kept_while_no_mail_goes_out(tmp_path: Path) -> None:
    """M111: the tile is drawn in the mail's own transaction; that its letter waits changes nothing about it."""
    house = House(tmp_path / "club")
    game, (first, _) = house.begun("lightning")
    letter = house.last(first, game)
    house.box.fails[first] = Failed("temporary", "nobody answers", everything=True)
    assert house.answer(letter, "draw").kind == "done"
    (drawn,) = house.match(game).words
    assert drawn.endswith("@?")
    before = house.count(first)
    del house.box.fails[first]
    house.later(hours=1)
    assert house.count(first) > before
    assert house.answer(house.last(first, game), "draw").kind == "done"
    assert house.match(game).words == (drawn,)


@pytest.mark.parametrize(
    "said", ["I@d1", "d1", "I@d1:s", "I", "draw; I@d1", "III@d1:s-n or V@pool"]
)
def test_m100_what_is_left_out_is_never_guessed(tmp_path: Path, said: str) -> None:
    """M100: a tile without its ends, a place without its tile: nothing is played, and that is said."""
    house = House(tmp_path / "club")
    game, (first, _) = house.begun("lightning")
    assert house.answer(house.last(first, game), said).kind == "nothing done"
    assert house.match(game).words == ()
    assert house.count(first) > 1


def test_m106_what_went_wrong_is_played_again_and_announced(tmp_path: Path) -> None:
    """M106: after a fault of the program the operator takes plies back, with a trace, and both are told why."""
    house = House(tmp_path / "club")
    game, (first, second) = house.begun("hex", "size=5", "swap=none")
    for ply, move in enumerate(("a1", "b2", "c3")):
        house.answer(house.last((first, second)[ply % 2], game), move)
    takeback(house.desk, house.now, game, 1, "the referee had judged b2 wrongly")
    house.send()
    for address in (first, second):
        told = " ".join(plain(house.last(address, game)).split())
        assert "b2 c3" in told
        assert "judged b2 wrongly" in told
    assert house.match(game).words == ("a1",)
