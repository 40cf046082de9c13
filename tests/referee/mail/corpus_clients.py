"""How eleven mail programs put an answer, a quote and a forwarded mail together, in plain text and in HTML."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tests.referee.mail import corpus_words as words

CLUB: Final = "referee@club.example"
CLUB_NAME: Final = "The Hex Club of Example-upon-Sea"


class Notice(NamedTuple):
    """The mail of ours that is answered: its lines, and its HTML."""

    subject: str
    lines: Sequence[str]
    html: str


class Draft(NamedTuple):
    """What a person writes, and where: `place` is "top", "bottom" or "inline" (after the quote's third line)."""

    paragraphs: Sequence[str]
    notice: Notice
    language: str
    place: str = "top"
    signature: str = ""


class Texts(NamedTuple):
    """A mail's two texts; `flowed` says that the plain one is format=flowed."""

    plain: str
    html: str
    flowed: bool = False


def attribution(style: str, language: str) -> str:
    """Return the line above a quote."""
    return words.ATTRIBUTION[style][language].format(name=CLUB_NAME, address=CLUB)


def _plain_new(draft: Draft) -> str:
    parts = [*draft.paragraphs, *([draft.signature] if draft.signature else [])]
    return "\n\n".join(parts)


def _marked(lines: Sequence[str]) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in lines)


def _place(draft: Draft, head: str, *, blank: str = "\n\n") -> str:
    """Put new text and a quote marked by `>` together."""
    new, lines = _plain_new(draft), draft.notice.lines
    if draft.place == "top":
        return f"{new}\n\n{head}{blank}{_marked(lines)}\n"
    if draft.place == "bottom":
        return f"{head}{blank}{_marked(lines)}\n\n{new}\n"
    return f"{head}{blank}{_marked(lines[:3])}\n\n{new}\n\n{_marked(lines[3:])}\n"


def _divs(paragraphs: Sequence[str], attributes: str = "") -> str:
    """Return paragraphs as editors of the web write them: a div a line, an empty one between."""
    out = []
    for paragraph in paragraphs:
        out += [f"<div{attributes}>{html.escape(line)}</div>" for line in paragraph.split("\n")]
        out.append(f"<div{attributes}><br></div>")
    return "".join(out[:-1])


def _quoted_html(draft: Draft, new: str, head: str, opening: str, closing: str) -> str:
    """Put new text and a blockquote together."""
    body = draft.notice.html
    if draft.place == "top":
        return f'{new}<br>{opening}{head}<blockquote type="cite">{body}</blockquote>{closing}'
    if draft.place == "bottom":
        return f'{opening}{head}<blockquote type="cite">{body}</blockquote><div><br></div>{new}{closing}'
    first = "<div>" + "</div><div>".join(map(html.escape, draft.notice.lines[:3])) + "</div>"
    return (
        f"{opening}{head}<blockquote>{first}</blockquote><div><br></div>{new}<div><br></div>"
        f"<blockquote>{body}</blockquote>{closing}"
    )


def gmail(draft: Draft, *, attributes: str = "") -> Texts:
    """Gmail: the attribution broken at 78 columns, its blockquote in a box of its own."""
    line = attribution("gmail", draft.language)
    head = "\n".join(textwrap.wrap(line, 76, break_long_words=False, break_on_hyphens=False))
    if len(line) > 76 and draft.language in ("de", "ru"):
        head = line.replace(f"<{CLUB}>:", f"<{CLUB}\n>:")  # as Gmail breaks before the bracket
    new = _divs(draft.paragraphs, attributes)
    if draft.signature:
        new += f'<br><div class="gmail_signature">{html.escape(draft.signature)}</div>'
    rich = _quoted_html(
        draft,
        f'<div dir="ltr">{new}</div>',
        f'<div dir="ltr" class="gmail_attr">{html.escape(line)}<br></div>',
        '<div class="gmail_quote gmail_quote_container">',
        "</div>",
    )
    return Texts(_place(draft, head), rich)


def gmail_ios(draft: Draft) -> Texts:
    """Gmail on an iPhone."""
    return gmail(draft._replace(signature=draft.signature or words.PHONE[draft.language]))


def gmail_android(draft: Draft) -> Texts:
    """Gmail on Android: divs that find their own direction."""
    return gmail(draft, attributes=' dir="auto"')


def _header(draft: Draft) -> list[str]:
    who, when, to, about = words.LABELS[draft.language]
    return [
        f"{who} {CLUB_NAME} <{CLUB}>",
        f"{when} {words.LONG_DATE[draft.language]}",
        f"{to} Ann <ann@mail.example>",
        f"{about} {draft.notice.subject}",
    ]


def _bold(line: str) -> str:
    label, _, value = line.partition(": " if ": " in line else ":")
    return f"<b>{html.escape(label)}:</b> {html.escape(value)}"


def outlook_desktop(draft: Draft) -> Texts:
    """Outlook for Windows: each line a paragraph of Word's, in both texts; a small header, and no marks.

    Who writes below or between has it quote with `>`.
    """
    if draft.place != "top":
        head = "\n".join(["-----Original Message-----", *_header(draft)])
        return Texts(
            _place(draft, "\n".join(f"> {line}" for line in head.split("\n")), blank="\n>\n"), ""
        )
    header = _header(draft)
    parts = [part for part in [*draft.paragraphs, draft.signature] if part]
    lines = [line for part in parts for line in [*part.split("\n"), ""]]
    spaced = "\n\n".join(line or " " for line in lines)
    plain = "\n".join([spaced, "", *header, "", *draft.notice.lines])
    new = "".join(
        f"<p class=MsoNormal>{html.escape(line) or '<o:p>&nbsp;</o:p>'}<o:p></o:p></p>"
        for line in lines
    )
    rich = (
        f"<html><head><style>p.MsoNormal {{margin:0cm}}</style></head><body><div class=WordSection1>{new}"
        "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>"
        f"{'<br>'.join(map(_bold, header))}<o:p></o:p></p></div></div>{draft.notice.html}</div></body></html>"
    )
    return Texts(plain + "\n", rich)


def outlook_web(draft: Draft) -> Texts:
    """Outlook on the web: a line of underscores, then all is quoted."""
    header = _header(draft)
    plain = "\n".join([_plain_new(draft), "", "_" * 32, *header, "", *draft.notice.lines])
    elements = _divs(
        [p for p in [*draft.paragraphs, draft.signature] if p], ' class="elementToProof"'
    )
    rich = (
        f'<div class="elementToProof">{elements}</div><div id="appendonsend"></div>'
        '<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">'
        f'<font face="Calibri">{"<br>".join(map(_bold, header))}</font><div>&nbsp;</div></div>{draft.notice.html}'
    )
    return Texts(plain + "\n", rich)


def outlook_mobile(draft: Draft) -> Texts:
    """Outlook on a telephone: its advertisement, then as on the web."""
    advert = words.OUTLOOK_PHONE[draft.language]
    texts = outlook_web(
        draft._replace(signature="\n\n".join(filter(None, [draft.signature, advert])))
    )
    rich = (
        texts.html.replace(
            f'<div class="elementToProof">{html.escape(advert)}</div>',
            f'<div id="ms-outlook-mobile-signature">{html.escape(advert)}</div>',
        )
        .replace('<div id="appendonsend"></div>', "")
        .replace(
            '<div id="divRplyFwdMsg"',
            '<div class="ms-outlook-mobile-reference-message"></div><div id="divRplyFwdMsg"',
        )
    )
    return Texts(texts.plain, rich)


def apple_mail(draft: Draft) -> Texts:
    """Apple Mail: flowed plain text, quotes of type cite."""
    line = attribution("apple", draft.language)
    new = "<div><br></div>".join(
        "<div>" + "<br>".join(map(html.escape, p.split("\n"))) + "</div>" for p in draft.paragraphs
    )
    if draft.signature:
        new += f'<br id="lineBreakAtBeginningOfSignature"><div id="AppleMailSignature">{draft.signature}</div>'
    rich = _quoted_html(
        draft, new, f"<div>{html.escape(line)}</div><br>", '<div dir="ltr">', "</div>"
    )
    return Texts(_place(draft, line), rich, flowed=True)


def thunderbird(draft: Draft) -> Texts:
    """Thunderbird: flowed plain text, the quote directly below its attribution."""
    line = attribution("thunderbird", draft.language)
    new = "".join(
        f"<p>{'<br>'.join(map(html.escape, p.split(chr(10))))}</p>" for p in draft.paragraphs
    )
    if draft.signature:
        new += f'<div class="moz-signature">-- <br>{html.escape(draft.signature)}</div>'
    rich = _quoted_html(
        draft, new, f'<div class="moz-cite-prefix">{html.escape(line)}<br></div>', "", ""
    )
    signed = draft._replace(signature=f"-- \n{draft.signature}" if draft.signature else "")
    if draft.place == "top" and draft.signature:
        signed = signed._replace(signature="")  # the signature stands below the quote there
    plain = _place(signed, line, blank="\n")
    if draft.place == "top" and draft.signature:
        plain += f"\n-- \n{draft.signature}\n"
    return Texts(plain, rich, flowed=True)


def yahoo(draft: Draft) -> Texts:
    """Yahoo: an indented attribution, and a quote without marks in plain text."""
    line = attribution("yahoo", draft.language)
    quoted = "\n".join(f" {line}" for line in draft.notice.lines)
    plain = f" {_plain_new(draft)}\n\n    {line}  \n \n {quoted}  \n"
    rich = (
        f'<div class="ydpbody">{_divs([p for p in [*draft.paragraphs, draft.signature] if p])}</div>'
        f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>{html.escape(line)}</div><div><br></div>'
        f"<div>{draft.notice.html}</div></div></div>"
    )
    return Texts(plain, rich)


def gmx(draft: Draft) -> Texts:
    """GMX: a box named quote with a small header, whose labels are English where GMX does not speak the language."""
    language = draft.language if draft.language in ("de", "fr", "es") else "en"
    header = _header(draft._replace(language=language))
    plain = "\n".join([_plain_new(draft), "", *header, "", *draft.notice.lines])
    rich = (
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">'
        f"{_divs([p for p in [*draft.paragraphs, draft.signature] if p])}<div>&nbsp;</div>"
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">'
        f'<div>{"<br/>".join(map(_bold, header))}</div><div name="quoted-content">{draft.notice.html}</div></div>'
        "</div></body></html>"
    )
    return Texts(plain + "\n", rich)


def proton(draft: Draft) -> Texts:
    """Proton: its own signature above the quote."""
    line = attribution("proton", draft.language)
    signed = draft._replace(signature=draft.signature or words.PROTON[draft.language])
    new = _divs(signed.paragraphs) + (
        f'<div class="protonmail_signature_block"><div>{html.escape(signed.signature)}</div></div>'
    )
    rich = _quoted_html(
        signed, new, f"{html.escape(line)}<br>", '<div class="protonmail_quote">', "</div>"
    )
    return Texts(_place(signed, line), rich)


CLIENTS: Final[dict[str, Callable[[Draft], Texts]]] = {
    "gmail-web": gmail,
    "gmail-ios": gmail_ios,
    "gmail-android": gmail_android,
    "outlook-desktop": outlook_desktop,
    "outlook-web": outlook_web,
    "outlook-mobile": outlook_mobile,
    "apple-mail": apple_mail,
    "thunderbird": thunderbird,
    "yahoo": yahoo,
    "gmx": gmx,
    "proton": proton,
}

UNMARKED: Final = frozenset({"outlook-web", "outlook-mobile", "yahoo", "gmx"})
"""Programs that do not mark what they quote: nobody can write below or between it so that it shows."""


def forwarded(client: str, draft: Draft, lines: Sequence[str]) -> Texts:
    """Return how a program forwards somebody's mail (`lines`), with the forwarder's words above it."""
    header = _header(draft)
    style = {"apple-mail": "apple", "proton": "thunderbird", "gmx": "gmail"}.get(
        client, client.split("-")[0]
    )
    top = _plain_new(draft)
    if style == "outlook":
        rule = ["_" * 32] if client != "outlook-desktop" else []
        plain = "\n".join([top, "", *rule, *header, "", *lines])
        rich = f'<p>{html.escape(top)}</p><div id="divRplyFwdMsg">{"<br>".join(map(_bold, header))}</div>'
        return Texts(plain + "\n", rich + _divs(lines))
    mark = words.FORWARDED[style][draft.language]
    if style == "apple":
        plain = f"{top}\n\n" + _marked([mark, "", *header, "", *lines]) + "\n"
        rich = f"<div>{html.escape(top)}</div><div><br><blockquote type=cite><div>{mark}</div>"
        return Texts(plain, rich + _divs([*header, *lines]) + "</blockquote></div>")
    plain = "\n".join([top, "", mark, *header, "", *lines]) + "\n"
    rich = f'<div dir="ltr">{html.escape(top)}</div><br><div class="gmail_quote"><div class="gmail_attr">{mark}<br>'
    return Texts(
        plain, rich + "<br>".join(map(html.escape, header)) + "</div>" + _divs(lines) + "</div>"
    )
