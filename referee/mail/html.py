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

MAX_OPEN: Final = 2000
"""Elements that may be open at a time; a deeper one changes nothing any more."""

_TOKEN: Final = re.compile(
    r"""<(?:
        !--(?:-?>|.*?(?:--!?>|\Z))
      | [!?][^>]*(?:>|\Z)
      | (?P<end>/?)(?P<tag>[A-Za-z][^\s/>]*)
        (?P<rest>(?:=\s*"[^"]*(?:"|\Z)|=\s*'[^']*(?:'|\Z)|[^>])*+)(?:>|\Z)
      ) | (?P<text>[^<]+|<)""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE: Final = re.compile(
    r"""([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s"'>]+)))?""", re.DOTALL
)
_END_OF: Final = {
    tag: re.compile(rf"</{tag}(?![a-z0-9])[^>]*(?:>|\Z)", re.IGNORECASE) for tag in markup.RAW
}
_LONG_NUMBER: Final = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9A-Fa-f]{7,});?")
_BLANKS: Final = re.compile(r"[ \t\n\r\f]+")
_LOOK_BACK: Final = 16


def rows(source: str) -> list[Row]:
    """Return the lines that a reader of the HTML sees; those in quotes and signatures are marked, hidden ones are not.

    Blank rows part paragraphs and stand before and after every quote.
    """
    return _Reader(source).read()


class _Frame:
    """An open element: what it and those around it do to the text within."""

    __slots__ = ("background", "box", "depth", "faint", "hidden", "pre", "signed", "tag", "white")

    def __init__(self, tag: str, outer: _Frame | None) -> None:
        self.tag = tag
        self.hidden: bool = outer is not None and outer.hidden
        self.faint: bool = outer is not None and outer.faint
        self.white: bool = outer is not None and outer.white
        self.background: bool = outer is not None and outer.background
        self.pre: bool = outer is not None and outer.pre
        self.depth: int = outer.depth if outer is not None else 0
        self.signed: bool = outer is not None and outer.signed
        self.box: list[bool] | None = outer.box if outer is not None else None


class _Reader:
    """One document's way to its rows."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.hides = markup.hidden_selectors(source)
        self.out: list[Row] = []
        self.line: list[str] = []
        self.quoted = self.signed = False
        self.stack = [_Frame("", None)]
        self.open: Counter[str] = Counter()
        self.rest = False

    def read(self) -> list[Row]:
        at, source = 0, self.source
        while at < len(source):
            token = _TOKEN.match(source, at)
            if token is None:  # cannot be: every character begins a token
                break
            at = token.end()
            text = token["text"]
            if text is not None:
                self._text(text)
            elif token["tag"] is not None:
                tag = token["tag"].lower().rpartition(":")[2]
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
        top = self.stack[-1]
        if top.hidden or top.faint or (top.white and not top.background):
            return
        if "&" in text:
            text = html.unescape(_LONG_NUMBER.sub("\ufffd", text))
        if not top.pre:
            text = _BLANKS.sub(" ", text)
            if text == " " and not self.line:
                return
            self._add(text, top)
            return
        for index, piece in enumerate(text.split("\n")):
            if index:
                self._break()
            if piece:
                self._add(piece, top)

    def _add(self, text: str, top: _Frame) -> None:
        if not self.line:
            self.quoted = self._depth(top) > 0
            self.signed = top.signed
        self.line.append(text)

    def _depth(self, top: _Frame) -> int:
        return top.depth + int(self.rest) + int(top.box is not None and top.box[0])

    def _flush(self) -> None:
        """End the line if there is one."""
        if self.line:
            text = "".join(self.line)
            self.out.append(Row(len(self.out) + 1, text.strip(), int(self.quoted), self.signed))
            self.line = []

    def _break(self) -> None:
        """End the line, even an empty one."""
        if self.line:
            self._flush()
        else:
            self._empty()

    def _empty(self) -> None:
        top = self.stack[-1]
        self.out.append(Row(len(self.out) + 1, "", int(self._depth(top) > 0), top.signed))

    def _gap(self) -> None:
        """End the line and see that a blank one stands below."""
        self._flush()
        if self.out and self.out[-1].text:
            self._empty()

    # -- elements ------------------------------------------------------------------------------------------------

    def _start(self, tag: str, rest: str) -> None:
        if tag == "br":
            if not self.stack[-1].hidden:
                self._break()
            return
        if tag == "hr":
            self._gap()
        if tag in markup.BLOCKS or tag in markup.CLOSED_BY:
            self._close_implied(tag)
        if tag in markup.SPACED:
            self._gap()
        elif tag in markup.BLOCKS:
            self._flush()
        elif tag in ("td", "th") and self.line:
            self.line.append("  ")
        if tag in markup.VOID:
            if tag == "hr":
                self._look(_Frame(tag, self.stack[-1]), rest)
            return
        frame = _Frame(tag, self.stack[-1])
        if tag == "pre":
            frame.pre = True
        if tag in markup.UNSEEN or tag in self.hides:
            frame.hidden = True
        if tag == "blockquote":
            frame.depth += 1
            frame.box = None
        if rest and not rest.isspace():
            self._look(frame, rest)
        if len(self.stack) < MAX_OPEN:
            self.stack.append(frame)
            self.open[tag] += 1

    def _look(self, frame: _Frame, rest: str) -> None:
        """Read an element's attributes for what they do to the text within."""
        attributes = {
            name.lower(): html.unescape(a or b or c) if "&" in (a or b or c) else a or b or c
            for name, a, b, c in _ATTRIBUTE.findall(rest[:4000])
        }
        names = {n.removeprefix("x_") for n in attributes.get("class", "").lower().split()}
        ident = attributes.get("id", "").lower().removeprefix("x_")
        does = markup.effects(attributes.get("style", "")[:2000])
        frame.hidden |= (
            "hidden" in attributes or "hidden" in does or self._is_hidden(frame.tag, names, ident)
        )
        frame.faint = "faint" in does or (frame.faint and "seen" not in does)
        colour = attributes.get("color", "").lower()
        white = "white" in does or colour in ("#ffffff", "#fff", "white")
        frame.white = white or (frame.white and "colour" not in does and not colour)
        frame.background |= "background" in does or "bgcolor" in attributes
        frame.signed |= ident in markup.SIGNATURES or bool(names & markup.SIGNATURES)
        if names & markup.REST_CLASSES or ident in markup.REST_IDS or "rest" in does:
            self._gap()
            self.rest = True
        elif names & markup.CONTAINERS and frame.tag != "blockquote":
            self._gap()
            frame.box = [True]
        elif (
            names & markup.QUOTE_CLASSES
            or ident in markup.QUOTE_IDS
            or "quote" in does
            or (frame.tag == "div" and attributes.get("name", "").lower() == "quote")
        ):
            self._gap()
            frame.depth += 1

    def _is_hidden(self, tag: str, names: set[str], ident: str) -> bool:
        if not self.hides:
            return False
        marks = [f".{name}" for name in names] + ([f"#{ident}"] if ident else [])
        return any(mark in self.hides or tag + mark in self.hides for mark in marks)

    def _end(self, tag: str) -> None:
        if tag == "br":
            self._break()
        if not self.open[tag]:
            if tag == "p":
                self._gap()
            return
        while True:
            frame = self._pop()
            if frame.tag == tag:
                break
        if tag in markup.SPACED:
            self._gap()
        elif tag in markup.BLOCKS:
            self._flush()

    def _pop(self) -> _Frame:
        """Close the innermost element; below a quote stands a blank line, and what follows in its box is new."""
        frame = self.stack.pop()
        self.open[frame.tag] -= 1
        outer = self.stack[-1]
        if frame.depth > outer.depth:
            self._gap()
            if frame.tag == "blockquote" and outer.box is not None:
                outer.box[0] = False
            if self.out and self.out[-1].depth:
                self._empty()
        return frame

    def _close_implied(self, tag: str) -> None:
        """Close the paragraph, cell or item that ends because `tag` begins."""
        for back in range(1, min(_LOOK_BACK, len(self.stack) - 1) + 1):
            name = self.stack[-back].tag
            if tag in markup.CLOSED_BY.get(name, ()):
                for _ in range(back):
                    self._pop()
                if name == "p":
                    self._gap()
                return
            if name in ("table", "ul", "ol", "dl", "blockquote", "div", "body"):
                return
