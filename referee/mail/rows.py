"""A line of a mail's body before anybody has said what of it is new, and its letters as ASCII (M10)."""

from __future__ import annotations

from typing import Final, NamedTuple


class Row(NamedTuple):
    """A line with what structure says of it.

    number  from 1: of plain text as sent, of HTML as shown
    depth   how deep it is quoted, by `>` or by blockquote and its like; 0 is not quoted
    signed  it stands in what HTML marks as a signature
    """

    number: int
    text: str
    depth: int = 0
    signed: bool = False


_NOTHING: Final = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\ufeff\ufe0e\ufe0f"
)
_ASCII: Final[dict[int, str | None]] = {
    **dict.fromkeys(map(ord, "‐‑‒–—―−⁃﹘﹣⸺⸻"), "-"),
    **dict.fromkeys(map(ord, "“”„‟«»″‶❝❞〝〞"), '"'),
    **dict.fromkeys(map(ord, "‘’‚‛′‵ʼʹ´`❛❜"), "'"),
    **dict.fromkeys(map(ord, "\t\u00a0\u1680\u202f\u205f\u3000\x0b\x0c\x85\u2028\u2029"), " "),
    **dict.fromkeys(range(0x2000, 0x200B), " "),
    **dict.fromkeys(map(ord, _NOTHING), None),
    **dict.fromkeys(range(0x202A, 0x202F), None),
    **dict.fromkeys(range(0x2066, 0x206A), None),
    **dict.fromkeys([*range(0x09), *range(0x0E, 0x20), 0x7F], None),
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    ord("…"): "...",
    ord("⁇"): "??",
    ord("⁉"): "?!",
    ord("‼"): "!!",
}


def plain(text: str) -> str:
    """Return a line with Unicode's dashes, quotes, blanks and full-width forms as ASCII, invisible characters gone."""
    return text.translate(_ASCII).strip()
