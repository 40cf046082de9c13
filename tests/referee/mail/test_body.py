"""New text found in a body: parts, HTML, flowed text, quotes, signatures, forwards (M1 to M29)."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.mail import moves
from referee.mail.html import rows
from referee.mail.submission import MARKER
from tests.referee.mail.mails import F6, done, game_reader, mail, read, text

HTML = "Content-Type: text/html; charset=utf-8"
ALTERNATIVE = "Content-Type: multipart/alternative; boundary=B"


def alternative(plain: str, rich: str) -> bytes:
    parts = (
        f"--B\nContent-Type: text/plain\n\n{plain}\n--B\nContent-Type: text/html\n\n{rich}\n--B--\n"
    )
    return mail(parts, ALTERNATIVE)


def html_text(source: str) -> list[str]:
    """Return what is new in an HTML mail, without its blank lines."""
    return text(read(mail(source, HTML)))


# -- parts -----------------------------------------------------------------------------------------------------------


def test_m1_html_alone_is_read() -> None:
    assert done(mail("<p>Hi</p><p>f6</p>", HTML)) == F6
    assert done(mail("--B\nContent-Type: text/html\n\n<b>f6</b>\n--B--", ALTERNATIVE)) == F6


@pytest.mark.parametrize("blank", ["", " \n\n\t", "\u00a0\n\u200b"])
def test_m2_a_blank_plain_part_gives_way_to_html(blank: str) -> None:
    raw = mail(
        f"--B\nContent-Type: text/plain; charset=utf-8\n\n{blank}\n--B\nContent-Type: text/html\n\n<p>f6\n--B--",
        ALTERNATIVE,
    )
    assert done(raw) == F6


def test_the_plain_part_is_read_before_html() -> None:
    assert done(alternative("f6", "<p>e5</p>")) == F6


def test_plain_and_html_beside_each_other_are_one_text() -> None:
    raw = alternative("f6", "<p>f6</p>").replace(b"alternative", b"mixed")
    assert done(raw) == F6


def test_m4_winmail_is_told_by_name() -> None:
    part = "--B\nContent-Type: application/ms-tnef; name=winmail.dat\n\neJ8+\n--B--\n"
    found = read(mail(part, "Content-Type: multipart/mixed; boundary=B"))
    assert any("winmail.dat" in note for note in found.notes)
    assert found.attachments == ("winmail.dat",)
    both = mail("--B\n\nf6\n" + part, "Content-Type: multipart/mixed; boundary=B")
    assert (done(both), read(both).notes) == (F6, ())


def test_signed_mail_is_read_and_encrypted_mail_is_told() -> None:
    signed = "--B\n\nf6\n--B\nContent-Type: application/pgp-signature\n\nresign\n--B--\n"
    assert done(mail(signed, "Content-Type: multipart/signed; boundary=B")) == F6
    inline = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nf6\n-----BEGIN PGP SIGNATURE-----\n\nresign\n"
    assert done(mail(inline)) == F6
    found = read(mail("--B\n\nx\n--B--\n", "Content-Type: multipart/encrypted; boundary=B"))
    assert found.lines == ()
    assert any("encrypted" in note for note in found.notes)


# -- HTML ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">resign</div>',
        "<p><s>e5</s></p>",  # struck out: not what is meant
        "<div><del>e5</del></div>",
        '<p><span style="text-decoration: underline line-through">e5</span></p>',
        '<div style="DISPLAY : none !important">resign</div>',
        '<span style="visibility:hidden">resign</span>',
        '<p style="font-size:0px">resign</p>',
        '<p style="font-size:1px;color:#ffffff">resign</p>',
        '<div style="max-height:0;overflow:hidden">resign</div>',
        '<div style="height:0px;overflow:hidden">resign</div>',
        '<div style="opacity:0">resign</div>',
        '<div style="mso-hide:all">resign</div>',
        '<div style="position:absolute;left:-9999px">resign</div>',
        '<div style="text-indent:-9999px">resign</div>',
        '<font color="#FFFFFF">resign</font>',
        '<span style="color: white">resign</span>',
        '<span style="color:transparent">resign</span>',
        "<div hidden>resign</div>",
        "<style>.preheader { display: none }</style><div class='preheader'>resign</div>",
        "<style>#x, p.y { color: red; display: none }</style><p id=x>resign</p><p class='z y'>resign</p>",
        "<!-- resign -->",
        "<!--[if mso]><p>resign</p><![endif]-->",
        "<script>\nresign\n</script>",
        "<style>\nresign\n</style>",
        "<title>resign</title>",
        "<head><p>resign</p></head>",
        "<template><p>resign</p></template>",
        "<textarea>resign</textarea>",
        "<select><option>resign</select>",
        "<svg><text>resign</text></svg>",
        '<div style="display:none"><div style="display:block">resign</div></div>',
        '<p style="display:none">resign<p>',
        "<![CDATA[resign]]>",
        "<img alt='resign'>",
    ],
)
def test_m11_what_nobody_sees_is_no_command(hidden: str) -> None:
    assert html_text(f"{hidden}<p>f6</p>{hidden}") == ["f6"]


@pytest.mark.parametrize(
    "seen",
    [
        '<div style="font-size:0"><p style="font-size:14px">f6</p></div>',
        '<td style="background:#000"><font color="white">f6</font></td>',
        '<table bgcolor="#000"><tr><td style="color:#fff">f6</td></tr></table>',
        '<span style="color:#fff;"><span style="color:#000">f6</span></span>',
        '<div style="font-size:0.9em;opacity:0.8;max-height:100px">f6</div>',
        "<p>&#102;6</p>",
        "<p><b>f</b>6</p>",
        "<p>f&shy;6&nbsp;</p>",
        "<style>.a{display:none}</style><p class='b'>f6",
    ],
)
def test_m11_what_is_seen_is_read(seen: str) -> None:
    assert done(mail(seen, HTML)) == F6


def test_m12_html_brings_no_marks_into_moves() -> None:
    assert html_text("<ol><li>c3</li><li>e5</ol>") == ["c3", "e5"]
    assert html_text("<p>a**b** \\ 1. c3 - x</p>") == ["a**b** \\ 1. c3 - x"]
    assert done(mail("<b>f6</b>", HTML)) == F6


def test_lines_and_paragraphs_as_they_are_seen() -> None:
    source = "<div>a<br>b</div><div><br></div><div>c</div><p>d\ne</p><pre>f\n g</pre><table><tr><td>h<td>i</table>j"
    lines = [row.text for row in rows(source)]
    assert lines == ["a", "b", "", "c", "", "d e", "", "f", "g", "", "h  i", "", "j"]


@pytest.mark.parametrize(
    "quote",
    [
        "<blockquote><p>resign</p></blockquote>",
        "<blockquote type=cite>resign</blockquote>",
        '<div class="gmail_quote"><div class="gmail_attr">On 1.1. wrote:</div><blockquote>resign</blockquote></div>',
        '<div class="gmail_quote">resign</div>',
        '<div class="gmail_extra"><br>resign</div>',
        '<div class="moz-cite-prefix">resign</div><blockquote>x</blockquote>',
        '<div class="yahoo_quoted"><div>resign</div></div>',
        '<div class="protonmail_quote">resign<br><blockquote>x</blockquote></div>',
        '<div name="quote"><div>resign</div></div>',
        "<div style='border:none;border-left:solid blue 1.5pt;padding:0cm'><p>resign</div>",
    ],
)
def test_m19_structure_marks_quotes_above_and_below(quote: str) -> None:
    assert html_text(f"<p>f6</p>{quote}") == ["f6"]
    assert html_text(f"{quote}<p>f6</p>") == ["f6"]


@pytest.mark.parametrize(
    "begin",
    [
        '<div id="divRplyFwdMsg">From: x</div>',
        '<div id="x_divRplyFwdMsg">Von: x</div>',
        '<div id="appendonsend"></div>',
        "<hr id=stopSpelling>",
        '<div class="ms-outlook-mobile-reference-message"></div>',
        "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p>Da: x</p></div>",
    ],
)
def test_m19_m20_below_outlooks_mark_all_is_quoted(begin: str) -> None:
    assert html_text(f"<p>f6</p>{begin}<p>resign</p><div><p>resign</p></div>") == ["f6"]


def test_m26_signatures_by_structure_are_left_out() -> None:
    for mark in (
        'class="gmail_signature"',
        'class="moz-signature"',
        'id="Signature"',
        'id="AppleMailSignature"',
    ):
        assert html_text(f"<p>f6</p><div {mark}><p>resign</p></div>") == ["f6"]


# -- plain text ------------------------------------------------------------------------------------------------------

FLOWED = "Content-Type: text/plain; format=flowed"


@pytest.mark.parametrize(
    ("sent", "lines"),
    [
        ("first\nsecond", ["first", "second"]),
        ("f6 \nplease", ["f6 please"]),
        (" > no quote\n From here", ["> no quote", "From here"]),
        ("> a \n> b\n>> c \n> d\n\nf6", ["f6"]),
        ("f6 \n-- \nAnn", ["f6"]),
        ("-- \nAnn", []),
    ],
)
def test_m8_flowed_text_is_joined_as_rfc_3676_says(sent: str, lines: list[str]) -> None:
    assert text(read(mail(sent, FLOWED))) == lines


def test_m8_a_blank_at_the_end_of_a_paragraph_joins_it_with_no_other() -> None:
    assert done(mail("f6 \n\nthank you \nall", FLOWED)) == F6


def test_m8_delsp_takes_the_blank_out() -> None:
    assert text(read(mail("f \n6", f"{FLOWED}; delsp=yes"))) == ["f6"]


def test_lines_have_the_numbers_they_were_sent_with() -> None:
    found = read(mail("Hi,\n\n> f1\n\nf6 \nx\n\ne5\n", FLOWED))
    assert [(line.number, line.text) for line in found.lines if line.text] == [
        (1, "Hi,"),
        (5, "f6 x"),
        (8, "e5"),
    ]


ATTRIBUTIONS = [
    "On Mon, Jan 6, 2025 at 10:00 AM The Hex Club <referee@club.example>\nwrote:",  # M18
    "On Mon, Jan 6, 2025 at 10:00 AM The Hex Club <\nreferee@club.example> wrote:",
    "On Mon, Jan 6, 2025, 10:00 The Hex Club <referee@club.example\n> wrote:",
    "On Nov 21, 2014,\nat 10:18,\nThe Club <referee@club.example> wrote:",
    "Am 06.01.25 um 10:00 schrieb The Hex Club:",
    "Am Montag, 6. Januar 2025 um 10:00:00 MEZ hat Club <referee@club.example> Folgendes geschrieben:",
    "Le lun. 6 janv. 2025 à 10:00, Club <referee@club.example> a\nécrit :",
    "El lun, 6 ene 2025 a las 10:00, Club (<referee@club.example>) escribió:",
    "Il giorno lun 6 gen 2025 alle ore 10:00 Club <referee@club.example> ha scritto:",
    "Em seg., 6 de jan. de 2025 às 10:00, Club <referee@club.example> escreveu:",
    "Op ma 6 jan 2025 om 10:00 schreef Club <referee@club.example>:",
    "Den mån 6 jan. 2025 kl 10:00 skrev Club <referee@club.example>:",
    "man. 6. jan. 2025 kl. 10.00 skrev Club <referee@club.example\n>:",
    "ma 6. tammik. 2025 klo 10.00 Club (referee@club.example) kirjoitti:",
    "pon., 6 sty 2025 o 10:00 Club <referee@club.example> napisał(a):",
    "po 6. 1. 2025 v 10:00 odesílatel Club <referee@club.example> napsal:",
    "Club <referee@club.example> ezt írta (időpont: 2025. jan. 6., H, 10:00):",
    "Club <referee@club.example>, 6 Oca 2025 Pzt, 10:00 tarihinde şunu yazdı:",
    "пн, 6 янв. 2025 г. в 10:00, Club <referee@club.example>:",
    "пн, 6 січ. 2025 р. о 10:00 Club <referee@club.example> пише:",
    "În lun., 6 ian. 2025 la 10:00, Club <referee@club.example> a scris:",
    "Στις Δευ 6 Ιαν 2025 στις 10:00 π.μ., ο χρήστης Club <referee@club.example> έγραψε:",
    "2025年1月6日(月) 10:00 Club <referee@club.example>:",
    "Club <referee@club.example> 于2025年1月6日周一 10:00写道：",
    "2025년 1월 6일 (월) 오전 10:00, Club <referee@club.example>님이 작성:",
    "Vào Th 2, 6 thg 1, 2025 vào lúc 10:00 Club <referee@club.example> đã viết:",
]


@pytest.mark.parametrize("line", ATTRIBUTIONS)
def test_m18_attributions_of_many_languages_go(line: str) -> None:
    """With a marked quote below, and without one, directly below the move: the line is never part of the text."""
    assert text(read(mail(f"f6\n{line}\n> resign\n"))) == ["f6"]
    assert text(read(mail(f"f6\n\n{line}\n\n> resign\n\ne5\n"))) == ["f6", "e5"]
    assert text(read(mail(f"f6\n\n{line}\n\nresign\n\nresign\n"))) == ["f6"]


@pytest.mark.parametrize(
    "line",
    [
        "Ann wrote:",
        "Bob schrieb:",
        "Forwarded message:",
        "referee@club.example:",
        "Ar 6 Ion 2025, ysgrifennodd Bob:",
        "Ysgrifennodd Bob:",
        "2025/1/6 Club <referee@club.example>",
    ],
)
def test_a_short_attribution_goes_with_its_quote(line: str) -> None:
    assert text(read(mail(f"f6\n\n{line}\n> resign\n"))) == ["f6"]
    assert text(read(mail(f"f6\n{line}\n> resign\n"))) == ["f6"]


def test_commands_directly_above_a_quote_stay() -> None:
    body = "vacation 2025-07-01 2025-07-14\nadd ann@work.example\n> resign\n"
    assert text(read(mail(body))) == ["vacation 2025-07-01 2025-07-14", "add ann@work.example"]


def test_m18_an_attribution_with_the_quote_behind_it_ends_the_text() -> None:
    line = "  On Mon, Jan 6, 2025 at 10:00 AM, Club<referee@club.example> wrote:   Your move, Ann"
    assert text(read(mail(f"f6\n{line}\nresign\n\nresign\n"))) == ["f6"]


HEADERS = [
    "From: Club <referee@club.example>\nSent: Monday, January 6, 2025\nTo: Ann\nSubject: hex-42",
    "*From:* Club\n*Sent:* 2025-01-06\n*To:* ann@mail.example\n*Subject:* hex-42",
    "Fra: Club <referee@club.example>\nSendt: 6. januar 2025 10:00\nTil: Ann\nEmne: hex-42",  # M19
    "Von: Club <referee@club.example>\nGesendet: Montag, 6. Januar 2025\nAn: Ann\nBetreff: hex-42",
    "De : Club <referee@club.example>\n À : Ann <ann@mail.example>\n Envoyé le : lundi 6 janvier\n Objet : hex-42",
    "Da: Club <referee@club.example>\nInviato: lunedì 6 gennaio 2025\nA: Ann\nOggetto: hex-42",
    "Van: Club <referee@club.example>\nVerzonden: maandag 6 januari 2025\nAan: Ann\nOnderwerp: hex-42",
    "Lähettäjä: Club <referee@club.example>\nLähetetty: 6. tammikuuta 2025\nVastaanottaja: Ann\nAihe: hex-42",
    "Od: Club <referee@club.example>\nWysłano: poniedziałek, 6 stycznia 2025\nDo: Ann\nTemat: hex-42",
    "От: Club <referee@club.example>\nОтправлено: 6 января 2025 г. 10:00\nКому: Ann\nТема: hex-42",
    "发件人: Club <referee@club.example>\n发送时间: 2025年1月6日\n收件人: Ann\n主题: hex-42",
    "送信元：Club <referee@club.example>\n日付：2025年1月6日\n件名：hex-42\n送信先：Ann",
    "Oddiwrth: Club <referee@club.example>\nAnfonwyd: 6.1.2025 10:00\nAt: Ann\nPwnc: hex-42",
]


@pytest.mark.parametrize("header", HEADERS)
def test_m19_m20_a_header_of_any_language_begins_the_quote(header: str) -> None:
    assert text(read(mail(f"f6\n\n{header}\n\nresign\n\nresign\n"))) == ["f6"]
    assert text(read(mail(f"f6\n{header}\nresign\n"))) == ["f6"]


@pytest.mark.parametrize(
    "line",
    [
        "________________________________",
        "-----Original Message-----",
        "-------- Ursprüngliche Nachricht --------",
        "-----Message d'origine-----",
        "---- On Mon, 06 Jan 2025 10:00 Club <referee@club.example> wrote ----",
        "*-------- Original Message --------*",
    ],
)
def test_m20_dividers_begin_the_quote(line: str) -> None:
    assert text(read(mail(f"f6\n\n{line}\nresign\n\nresign\n"))) == ["f6"]


def test_m21_fragments_in_a_quote_are_no_commands() -> None:
    body = "e5\n\n> a long line that was\nresign\n> broken\nresign\n\nf6\n"
    found = read(mail(body))
    assert text(found) == ["e5", "f6"]
    assert [(i.line, i.text) for i in found.ignored] == [(4, "resign"), (6, "resign")]


@pytest.mark.parametrize(
    "line", [f"=== {MARKER} ===", MARKER.lower(), f"##- {MARKER.upper()} -##", f"*{MARKER}*"]
)
def test_m23_below_our_own_mark_all_is_ours(line: str) -> None:
    assert text(read(mail(f"f6\n\n{line}\n\nresign\n\nresign\n"))) == ["f6"]
    assert html_text(f"<p>f6</p><table><tr><td>{line}</td></tr></table><p>resign</p>") == ["f6"]


def test_m23_our_own_mark_in_a_quote_does_not_end_the_text() -> None:
    assert text(read(mail(f"> {MARKER}\n> resign\n\nf6\n"))) == ["f6"]


@pytest.mark.parametrize("line", ["-- ", "--", "*-- *", "_-- _", "—", "–", " -- "])
def test_m25_a_signatures_mark_ends_the_text(line: str) -> None:
    assert text(read(mail(f"f6\n{line}\nresign\n\nresign\n"))) == ["f6"]


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Enviado do meu iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Skickat från min iPhone",
        "Sendt fra min iPhone",
        "Lähetetty iPhonesta",
        "Wysłane z iPhone'a",
        "Odesláno z iPhonu",
        "Odoslané z iPhonu",
        "Elküldve az iPhone-omról",
        "iPhone'umdan gönderildi",
        "Отправлено с iPhone",
        "Надіслано з iPhone",
        "iPhoneから送信",
        "发自我的 iPhone",
        "나의 iPhone에서 보냄",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
    ],
)
def test_m26_lines_of_telephones_are_no_text(line: str) -> None:
    assert text(read(mail(f"f6\n{line}\n"))) == ["f6"]
    assert text(read(mail(f"f6\n\n{line}\n\nOn 1.1.2025 Bob wrote:\n> resign"))) == ["f6"]


def test_m27_moves_survive_the_search_for_signatures() -> None:
    focus = game_reader("Focus")
    assert done(mail("c1-c3:2"), focus) == [("move", ("c1-c3",))]
    assert done(mail("r:e5"), focus) == [("move", ("+e5",))]
    for words in (
        "From the start: fine",
        "well-known - hyphenated",
        "To: be or not",
        "On Monday I wrote: nothing",
    ):
        assert text(read(mail(f"{words}\n\nf6"))) == [words, "f6"]


FORWARDS = [
    "---------- Forwarded message ---------\nFrom: Bob <bob@mail.example>\nDate: Mon, 6 Jan 2025\nSubject: x\n\n{}",
    "-------- Weitergeleitete Nachricht --------\nBetreff: \tx\nVon: \tBob <bob@mail.example>\n\n{}",
    "Début du message réexpédié :\n\nDe: Bob\n\n{}",
    "> Begin forwarded message:\n>\n> From: Bob <bob@mail.example>\n>\n> {}",
    "   ----- Mensaje reenviado ----- De: Bob <bob@mail.example>Para: Ann\n {}",
]


@pytest.mark.parametrize("body", FORWARDS)
@pytest.mark.parametrize("subject", ["Fwd: x", "WG: x", "Re: x"])
def test_m29_forwarded_moves_are_none(body: str, subject: str) -> None:
    assert done(mail(body.format("resign"), subject=subject)) == []
    assert done(mail("f6\n\n" + body.format("resign"), subject=subject)) == F6


def test_m29_a_forward_without_a_mark_plays_nothing_and_says_so() -> None:
    found = read(mail("Look:\n\nresign", subject="Fwd: x"))
    assert found.lines == ()
    assert any("forwarded" in note for note in found.notes)
    attached = (
        "--B\n\nlook\n--B\nContent-Type: message/rfc822\n\nFrom: b@b.example\n\nresign\n--B--\n"
    )
    found = read(mail(attached, "Content-Type: multipart/mixed; boundary=B"))
    assert text(found) == ["look"]
    assert any("forwarded" in note for note in found.notes)


def test_inline_answers_count_below_a_blank_line_only() -> None:
    assert text(read(mail("> a\n\nf6\n\n> b\n\ne5\n> c\nd4\n"))) == ["f6", "e5"]
    source = "<blockquote>a</blockquote><div>f6</div><blockquote>b</blockquote>"
    assert html_text(source) == ["f6"]
    box = (
        f'<div class="gmail_quote"><div class="gmail_attr">On 1.1.2025 x wrote:</div>{source}</div>'
    )
    assert html_text(box) == ["f6"]


# -- the handed corpora ----------------------------------------------------------------------------------------------


def test_forwards_of_ten_programs_in_many_languages_leave_only_the_words_above(
    shared: Path,
) -> None:
    above = {
        "Praesent suscipit egestas hendrerit.",
        "Aliquam eget dui dui.",
        "That's true!",
        "e.",
        "Regards,",
    }
    files = sorted(
        (shared / "data/mail/crisp-email-forward-parser/test/fixtures").glob("*_body*.txt")
    )
    assert len(files) == 190
    for file in files:
        found = read(mail(file.read_bytes(), subject="Fwd: x"))
        assert set(text(found)) <= above, file.name


def test_replies_are_trimmed_as_their_testers_expect(shared: Path) -> None:
    """Of 64 replies 14 are read otherwise: twice as mail.md demands, else with rests that are no commands."""
    folder = shared / "data/mail/discourse-email_reply_trimmer/test"
    otherwise = set()
    for file in sorted((folder / "emails").glob("*.txt")):
        wanted = (folder / "trimmed" / file.name).read_text("utf-8").split("\n")
        lines = [
            line.strip() for line in wanted if line.strip() and not line.strip().startswith(">")
        ]
        if text(read(mail(file.read_bytes()))) != lines:
            otherwise.add(file.stem)
    assert len(otherwise) <= 14, otherwise


def test_no_handed_mail_means_a_command(shared: Path) -> None:
    """Neither as a mail of its own nor as the text of one, in whichever game a word could be a move."""
    found = []
    for file in sorted(f for f in (shared / "data/mail").rglob("*") if f.is_file()):
        raw = file.read_bytes()
        found += [(file.name, c) for c in done(raw, moves.any_game)]
        if file.suffix == ".txt":
            found += [(file.name, c) for c in done(mail(raw), moves.any_game)]
    assert found == []
