"""What HTML elements of mail programs mean: what they hide, quote, sign, and how they break lines (M11, M19)."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Final, NamedTuple


def words(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


RAW: Final = frozenset(
    {"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"}
)
"""Elements whose content is no markup; none of it is text to read."""

UNSEEN: Final = words(
    """
    head template select datalist object audio video svg math s strike del
    """
)
"""Elements whose content is not read: unseen, or struck out, and then not meant."""

VOID: Final = words(
    """
    area base br col embed hr img input link meta param source track wbr
    """
)
BLOCKS: Final = words(
    """
    address article aside blockquote body center dd div dl dt fieldset figure footer form h1
    h2 h3 h4 h5 h6 header html li main nav ol p pre section table tbody tfoot thead tr ul
    """
)
SPACED: Final = words(
    """
    p blockquote ul ol pre h1 h2 h3 h4 h5 h6 table
    """
)
"""Blocks with a blank line before and after; Outlook's paragraphs too, as in the text that it sends beside them."""

CLOSED_BY: Final[dict[str, frozenset[str]]] = {
    "p": BLOCKS,
    "li": frozenset({"li"}),
    "td": frozenset({"td", "th", "tr"}),
    "th": frozenset({"td", "th", "tr"}),
    "tr": frozenset({"tr"}),
    "dd": frozenset({"dd", "dt"}),
    "dt": frozenset({"dd", "dt"}),
}
"""Elements that end without an end tag when one of these begins in them."""

QUOTE_CLASSES: Final = words(
    """
    gmail_attr yahoo_quoted moz-cite-prefix moz-forward-container moz-email-headers-table
    zmail_extra gmx_quote freemail_quote
    """
)
CONTAINERS: Final = frozenset(
    ["gmail_quote", "gmail_quote_container", "gmail_extra", "protonmail_quote"]
)
"""Hold an attribution and a blockquote; what stands in them below the blockquote is new (an answer between quotes)."""

QUOTE_IDS: Final = frozenset(
    ["olk_src_body_section", "mail-editor-reference-message-container", "replybody"]
)
REST_IDS: Final = frozenset(["divrplyfwdmsg", "appendonsend", "stopspelling"])
"""Where Outlook begins the mail that is answered: all from there on is quoted."""

REST_CLASSES: Final = frozenset({"ms-outlook-mobile-reference-message"})

SIGNATURES: Final = words(
    """
    gmail_signature gmail_signature_prefix moz-signature protonmail_signature_block ms-
    outlook-mobile-signature applemailsignature signature ymail_android_signature
    ymail_ios_signature
    """
)
"""Classes and ids of signatures."""

_REST_STYLE: Final = re.compile(r"border-top:solid#(?:e1e1e1|b5c4df)1\.0pt")
_QUOTE_STYLE: Final = re.compile(r"border-left:(?:solidblue1\.5pt|2pxsolid#c3d9e5)")
_HIDDEN: Final = re.compile(
    r"display:none|mso-hide:all|max-height:0(?![.\d])|opacity:0(?!\.0*[1-9])|text-indent:-\d{3,}"
    r"|(?:left|top|margin-left|margin-top):-\d{3,}|clip:rect\(|clip-path:inset\((?:50|100)%|scale\(0\)"
    r"|text-decoration(?:-line)?:[^;]*line-through"
)
_EMPTY_BOX: Final = re.compile(r"(?:^|;)(?:height|width):0(?![.\d])")
_FAINT: Final = re.compile(
    r"visibility:(?:hidden|collapse)|font-size:[01](?:px|pt)?(?:[;!]|$)|font-size:0(?:em|rem|%)"
    r"|(?:^|;)color:transparent"
)
_SEEN: Final = re.compile(r"visibility:visible|font-size:(?:[2-9]|1\d|[a-z]|[01]\.\d|1[er])")
_WHITE: Final = re.compile(r"(?:^|;)color:(?:#fff(?:fff)?|white|rgb\(255,255,255\))(?:[;!]|$)")
_COLOUR: Final = re.compile(r"(?:^|;)color:")
MAX_SHEET: Final = 100_000
"""Characters of a style sheet that are read."""

LONG_NUMBER: Final = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9A-Fa-f]{7,});?")
"""Numbers of characters that are none; turning them into numbers would take long."""

_ATTRIBUTE: Final = re.compile(
    r"""([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s"'>]+)))?""", re.DOTALL
)
_SELECTOR: Final = re.compile(r"[a-z0-9]*[.#][\w-]+|[a-z][a-z0-9]*")
_STYLE_SHEET: Final = re.compile(r"<style\b[^>]*>(.*?)(?:</style|\Z)", re.DOTALL | re.IGNORECASE)
_SPACE: Final = re.compile(r"\s+")


@lru_cache(maxsize=1024)
def effects(style: str) -> frozenset[str]:
    """Return what an inline style does: `hidden`, `faint`, `seen`, `white`, `colour`, `background`, `rest`, `quote`.

    `hidden` holds for all within; `faint` only until something within is made to be `seen` again.
    """
    css = _SPACE.sub("", style.lower())
    found = set()
    if _HIDDEN.search(css) or ("overflow:hidden" in css and _EMPTY_BOX.search(css)):
        found.add("hidden")
    if _FAINT.search(css):
        found.add("faint")
    elif _SEEN.search(css):
        found.add("seen")
    if _WHITE.search(css):
        found.add("white")
    elif _COLOUR.search(css):
        found.add("colour")
    if "background" in css:
        found.add("background")
    if _REST_STYLE.search(css):
        found.add("rest")
    if _QUOTE_STYLE.search(css):
        found.add("quote")
    return frozenset(found)


class Marks(NamedTuple):
    """What an element's attributes say: its class names and id (lower case, Outlook's `x_` off) and what they do."""

    names: frozenset[str]
    ident: str
    does: frozenset[str]


@lru_cache(maxsize=2048)
def marks(rest: str) -> Marks:
    """Return what the attributes of a start tag say, from the text after its name."""
    found = {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(rest[:4000])}
    if "&" in rest:
        found = {name: html.unescape(LONG_NUMBER.sub("", value)) for name, value in found.items()}
    names = frozenset(name.removeprefix("x_") for name in found.get("class", "").lower().split())
    ident = found.get("id", "").strip().lower().removeprefix("x_")
    does = set(effects(found.get("style", "")[:2000]))
    if "hidden" in found:
        does.add("hidden")
    colour = found.get("color", "").strip().lower()
    if colour:
        does.add("white" if colour in ("#ffffff", "#fff", "white") else "colour")
    if "bgcolor" in found:
        does.add("background")
    if ident in SIGNATURES or names & SIGNATURES:
        does.add("signature")
    if ident in REST_IDS or names & REST_CLASSES:
        does.add("rest")
    if ident in QUOTE_IDS or names & QUOTE_CLASSES or found.get("name", "").lower() == "quote":
        does.add("quote")
    if names & CONTAINERS:
        does.add("container")
    return Marks(names, ident, frozenset(does))


def hidden_selectors(source: str) -> frozenset[str]:
    """Return the plain selectors (`.x`, `#x`, `p.x`, `p`), lower case, that the document's style sheets hide."""
    found: set[str] = set()
    if "<style" not in source and "<STYLE" not in source:
        return frozenset()
    for sheet in _STYLE_SHEET.findall(source):
        for rule in sheet[:MAX_SHEET].split("}"):
            before, _, body = rule.rpartition("{")
            if body and effects(body[:2000]) & {"hidden", "faint"}:
                selectors = before.rpartition("{")[2].lower().split(",")
                found.update(
                    word.strip() for word in selectors if _SELECTOR.fullmatch(word.strip())
                )
    return frozenset(found)
