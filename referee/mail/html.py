"""HTML mail as rows of text, with what is quoted, signed or invisible told apart by structure (M1, M11, M12, M19).

A tokeniser of our own: linear whatever is sent, without Markdown's marks, and the structure stays known.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import Final

from referee.mail import markup
from referee.mail.rows import Row

MAX_OPEN: Final = 500
"""Elements that may be open at a time; a deeper one changes nothing any more."""

MAX_TOKENS: Final = 40_000
"""Tags and texts that are read of one mail: about ten times a long newsletter, and a third of a second."""

_TOKEN: Final = re.compile(
    r"""<(?:
        !--(?:-?>|.*?(?:--!?>|\Z))
      | [!?][^>]*(?:>|\Z)
      | (?P<end>/?)(?P<tag>[A-Za-z][^\s/>]*)
        (?P<rest>(?:=\s*"[^"]*(?:"|\Z)|=\s*'[^']*(?:'|\Z)|[^>])*+)(?:>|\Z)
      ) | (?P<text>[^<]+|<)""",
    re.DOTALL | re.VERBOSE,
)
_END_OF: Final = {
    tag: re.compile(rf"</{tag}(?![a-z0-9])[^>]*(?:>|\Z)", re.IGNORECASE) for tag in markup.RAW
}
_BLANKS: Final = re.compile(r"[ \t\n\r\f]+")
_LOOK_BACK: Final = 16
_SCOPES: Final = frozenset({"table", "ul", "ol", "dl", "blockquote", "div", "body"})


def rows(source: str, most: int = MAX_TOKENS) -> list[Row]:
    """Return the lines that a reader of the HTML sees, those in quotes and signatures marked.

    Blank rows part paragraphs and stand before and after every quote. Below `most` tags and texts nothing is read.
    """
    return _Reader(source, most).read()


class _State:
    """What the open elements do to the text within them; never changed once elements share it."""

    __slots__ = ("background", "box", "depth", "faint", "hidden", "pre", "signed", "white")

    def __init__(self) -> None:
        self.hidden = self.faint = self.white = self.background = self.pre = self.signed = False
        self.depth = 0
        self.box: list[bool] | None = None

    def copy(self) -> _State:
        new = _State()
        for name in _State.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    @property
    def unseen(self) -> bool:
        return self.hidden or self.faint or (self.white and not self.background)


class _Reader:
    """One document's way to its rows."""

    def __init__(self, source: str, most: int) -> None:
        self.source = source
        self.most = most
        self.hides = markup.hidden_selectors(source)
        self.out: list[Row] = []
        self.line: list[str] = []
        self.quoted = self.signed = False
        self.state = _State()
        self.stack: list[tuple[str, _State]] = [("", self.state)]
        self.open: Counter[str] = Counter()
        self.rest = False

    def read(self) -> list[Row]:
        at, source = 0, self.source
        for _ in range(self.most):
            token = _TOKEN.match(source, at)
            if token is None:
                break
            at = token.end()
            text = token["text"]
            if text is not None:
                self._text(text)
                continue
            tag = token["tag"]
            if tag is None:
                continue
            tag = tag.lower().rpartition(":")[2]
            if token["end"]:
                self._end(tag)
            elif tag in markup.RAW:
                end = _END_OF[tag].search(source, at)
                at = end.end() if end else len(source)
            else:
                self._start(tag, token["rest"])
        self._flush()
        return self.out

    # -- text ----------------------------------------------------------------------------------------------------

    def _text(self, text: str) -> None:
        state = self.state
        if state.unseen:
            return
        if "&" in text:
            text = html.unescape(markup.LONG_NUMBER.sub("\ufffd", text))
        if not state.pre:
            text = _BLANKS.sub(" ", text)
            if self.line or text != " ":
                self._add(text)
            return
        for index, piece in enumerate(text.split("\n")):
            if index:
                self._break()
            if piece:
                self._add(piece)

    def _add(self, text: str) -> None:
        if not self.line:
            self.quoted = self._depth() > 0
            self.signed = self.state.signed
        self.line.append(text)

    def _depth(self) -> int:
        box = self.state.box
        return self.state.depth + int(self.rest) + int(box is not None and box[0])

    def _flush(self) -> None:
        """End the line if there is one."""
        if self.line:
            text = "".join(self.line).strip()
            self.out.append(Row(len(self.out) + 1, text, int(self.quoted), self.signed))
            self.line = []

    def _break(self) -> None:
        """End the line, even an empty one."""
        if self.line:
            self._flush()
        else:
            self._empty()

    def _empty(self) -> None:
        self.out.append(Row(len(self.out) + 1, "", int(self._depth() > 0), self.state.signed))

    def _gap(self) -> None:
        """End the line and see that a blank one stands below."""
        self._flush()
        if self.out and self.out[-1].text:
            self._empty()

    # -- elements ------------------------------------------------------------------------------------------------

    def _start(self, tag: str, rest: str) -> None:
        if tag == "br":
            if not self.state.hidden:
                self._break()
            return
        if tag in markup.BLOCKS or tag in markup.CLOSED_BY:
            self._close_implied(tag)
        if tag in markup.SPACED or tag == "hr":
            self._gap()
        elif tag in markup.BLOCKS:
            self._flush()
        elif tag in ("td", "th") and self.line:
            self.line.append("  ")
        state = self._within(tag, rest)
        if tag not in markup.VOID and len(self.stack) < MAX_OPEN:
            self.stack.append((tag, state))
            self.open[tag] += 1
            self.state = state

    def _within(self, tag: str, rest: str) -> _State:
        """Return what holds within an element."""
        outer = self.state
        found = markup.marks(rest) if "=" in rest or "hidden" in rest.lower() else None
        does = found.does if found else frozenset()
        hides = tag in markup.UNSEEN or (
            bool(self.hides) and self._is_hidden(tag, found or markup.marks(""))
        )
        if not does and not hides and tag not in ("blockquote", "pre"):
            return outer
        state = outer.copy()
        state.hidden |= hides or "hidden" in does
        state.faint = "faint" in does or (state.faint and "seen" not in does)
        state.white = "white" in does or (state.white and "colour" not in does)
        state.background |= "background" in does
        state.signed |= "signature" in does
        state.pre |= tag == "pre"
        if "rest" in does:
            self._gap()
            self.rest = True
        elif tag == "blockquote" or "quote" in does:
            self._gap()
            state.depth += 1
            state.box = None
        elif "container" in does:
            self._gap()
            state.box = [True]
        return state

    def _is_hidden(self, tag: str, found: markup.Marks) -> bool:
        names = [f".{name}" for name in found.names] + ([f"#{found.ident}"] if found.ident else [])
        return tag in self.hides or any(
            name in self.hides or tag + name in self.hides for name in names
        )

    def _end(self, tag: str) -> None:
        if not self.open[tag]:
            if tag == "p":
                self._gap()
            elif tag == "br":
                self._break()
            return
        while self._pop() != tag:
            pass
        if tag in markup.SPACED:
            self._gap()
        elif tag in markup.BLOCKS:
            self._flush()

    def _pop(self) -> str:
        """Close the innermost element; below a quote stands a blank line, and what follows in its box is new."""
        tag, state = self.stack[-1]
        outer = self.stack[-2][1]
        quote = state.depth > outer.depth
        if quote:
            self._gap()
        self.stack.pop()
        self.open[tag] -= 1
        self.state = outer
        if quote:
            if tag == "blockquote" and outer.box is not None:
                outer.box[0] = False
            if self.out and self.out[-1].depth:
                self._empty()
        return tag

    def _close_implied(self, tag: str) -> None:
        """Close the paragraph, cell or item that ends because `tag` begins."""
        for back in range(1, min(_LOOK_BACK, len(self.stack) - 1) + 1):
            name = self.stack[-back][0]
            if tag in markup.CLOSED_BY.get(name, ()):
                for _ in range(back):
                    self._pop()
                if name == "p":
                    self._gap()
                return
            if name in _SCOPES:
                return
