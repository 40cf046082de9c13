"""The texts of our mails: Jinja2 templates, the operator's own first; a plain text that is complete, and a page.

A note is one template of `templates/mail/` with its values. Its text is written once, in a small markup, and set twice:

- paragraphs are parted by blank lines and filled anew;
- lines that begin with two blanks stay as they are;
- lines that begin with `- ` are a list, lines that begin with `| ` somebody else's words.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
)
from markupsafe import Markup, escape

from referee.mail.identity import redacted
from referee.mail.submission import MARKER, TOKEN_WORD
from referee.mail.view import Board

_FAILS: Final = (
    *(TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError),
    OSError,
)
"""What a template of the operator's may do wrong without costing anybody a mail."""

WIDTH: Final = 72
SHORT: Final = 60


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to say: a template's name without its suffix, and its values."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)


def note(name: str, /, **values: Any) -> Note:
    """Return a note."""
    return Note(name, values)


@dataclass(frozen=True, slots=True)
class Page:
    """What a mail says: notes above the board, the board, notes below it; the token for those who lose the address."""

    subject: str
    says: Sequence[Note]
    board: Board | None = None
    after: Sequence[Note] = ()
    token: str = ""


@dataclass(frozen=True, slots=True)
class Texts:
    """A page in its two forms."""

    plain: str
    html: str


class Writer:
    """The club's templates. `complain` hears of an operator's template that fails; ours then takes its place."""

    def __init__(
        self,
        club_name: str,
        club_address: str,
        own: Path | None = None,
        complain: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._club = {"name": club_name, "address": club_address}
        self._complain = complain
        self._ours = _shipped()
        self._first = self._ours
        if own is not None and own.is_dir() and self._ours.loader is not None:
            theirs = FileSystemLoader([own / "mail", own])
            self._first = _environment(ChoiceLoader([theirs, self._ours.loader]))

    def text(self, what: Note) -> str:
        """Return a note's text in its markup."""
        return self._rendered(f"{what.name}.txt", what.values).strip("\n")

    def texts(self, page: Page) -> Texts:
        """Return a page as plain text, which is complete by itself, and as HTML."""
        values = {
            "subject": page.subject,
            "marker": MARKER,
            "token_word": TOKEN_WORD,
            "token": page.token,
            "club": self._club,
            "board": page.board,
            "says": [text for text in map(self.text, page.says) if text],
            "after": [text for text in map(self.text, page.after) if text],
        }
        plain = self._rendered("layout.txt", values)
        return Texts(_tidy(plain), self._rendered("layout.html", values))

    def _rendered(self, name: str, values: Mapping[str, Any]) -> str:
        try:
            return self._first.get_template(name).render(values)
        except _FAILS as error:
            if self._first is self._ours:
                raise
            self._complain(f"the template {name} fails ({error}); the shipped one is used")
        return self._ours.get_template(name).render(values)


@lru_cache(maxsize=1)
def _shipped() -> Environment:
    """Return our own templates; they are compiled once a process."""
    from pnp.resources import find

    return _environment(FileSystemLoader(find("mail")), auto_reload=False)


def _environment(loader: BaseLoader, *, auto_reload: bool = True) -> Environment:
    made = Environment(
        loader=loader,
        auto_reload=auto_reload,
        autoescape=lambda name: name is not None and name.endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters.update(
        plain=as_plain, html=as_html, indented=indented, quote=quoted, short=shortened, told=told
    )
    return made


# -- markup --------------------------------------------------------------------------------------------------------

_UNEVEN: Final = re.compile(r"[^\S ]|  |^ | $")
"""More than one blank between two words, or others than the blank."""

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)


def harmless(text: str) -> str:
    """Return somebody's words fit to be passed on: no tokens, no control characters, no turned writing (M58)."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return redacted(_UNSEEN.sub("", text.replace("\u2028", "\n").replace("\u2029", "\n")))


def shortened(text: str) -> str:
    """Return a text in one line, cut where it is long, tokens cut out."""
    line = " ".join(harmless(str(text)).split())
    return line if len(line) <= SHORT else line[: SHORT - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """Return somebody else's words, marked as such in every line."""
    return "\n".join(f"| {line}".rstrip() for line in harmless(str(text)).strip("\n").split("\n"))


def told(word: str) -> str:
    """Return a player's word for the draws in quotes, or that there is none."""
    return f"“{word}”" if word else "(no word)"


def indented(text: str) -> str:
    """Return lines with two blanks before each, so that no mail program runs them together (M81)."""
    return "\n".join(f"  {line}".rstrip() for line in str(text).split("\n"))


@dataclass(slots=True)
class _Block:
    kind: str
    lines: list[str]


def _kind(line: str) -> str:
    if line.startswith("  "):
        return "fixed"
    if line.startswith("- "):
        return "list"
    if line == "|" or line.startswith("| "):
        return "quote"
    return "text"


def _blocks(text: str) -> list[_Block]:
    """Part a text into its blocks. Blank lines within indented text belong to it."""
    blocks: list[_Block] = []
    blank = True
    for line in text.split("\n"):
        line = line.rstrip()
        if not line:
            blank = True
            continue
        kind = _kind(line)
        last = blocks[-1] if blocks else None
        if last is not None and kind == last.kind == "fixed":
            last.lines += [""] * blank + [line]
        elif last is not None and not blank and kind in ("text", "fixed") and last.kind == "list":
            last.lines[-1] += f" {line.strip()}"
        elif last is not None and kind == last.kind and (not blank or kind == "list"):
            last.lines.append(line)
        else:
            blocks.append(_Block(kind, [line]))
        blank = False
    return blocks


def as_plain(text: str) -> str:
    """Return marked-up text as plain text of at most WIDTH columns, where its words allow it."""
    return "\n\n".join(_plain_block(block) for block in _blocks(text))


def _plain_block(block: _Block) -> str:
    if block.kind == "fixed":
        return "\n".join(block.lines)
    if block.kind == "quote":
        return "\n".join(_filled(line[2:], "  | ", "  | ") or "  |" for line in block.lines)
    if block.kind == "list":
        return "\n".join(_filled(line[2:], "- ", "  ") for line in block.lines)
    return _filled(" ".join(block.lines), "", "")


def _filled(text: str, first: str, rest: str) -> str:
    """Return a text in lines of at most WIDTH characters, broken at blanks alone, as `textwrap.fill` does.

    Most texts have one blank between two words, and then this takes a fifth of its time; a letter is filled often.
    """
    if _UNEVEN.search(text):
        return textwrap.fill(
            text,
            WIDTH,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
    if not text:
        return ""
    lines: list[str] = []
    word, *words = text.split(" ")
    line = first + word
    for word in words:
        if len(line) + 1 + len(word) <= WIDTH:
            line = f"{line} {word}"
        else:
            lines.append(line)
            line = rest + word
    lines.append(line)
    return "\n".join(lines)


def as_html(text: str) -> Markup:
    """Return marked-up text as HTML, everything in it escaped."""
    return Markup("\n").join(_html_block(block) for block in _blocks(text))


def _html_block(block: _Block) -> Markup:
    if block.kind == "fixed":
        return Markup('<pre class="wrap">{}</pre>').format("\n".join(x[2:] for x in block.lines))
    if block.kind == "quote":
        words = "\n".join(line[2:] for line in block.lines)
        return Markup("<blockquote>{}</blockquote>").format(words)
    if block.kind == "list":
        items = Markup("").join(Markup("<li>{}</li>").format(line[2:]) for line in block.lines)
        return Markup("<ul>{}</ul>").format(items)
    return Markup("<p>{}</p>").format(escape(" ".join(block.lines)))


def _tidy(text: str) -> str:
    """Return a text without runs of blank lines, ended by one line break."""
    lines = [line.rstrip() for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"
