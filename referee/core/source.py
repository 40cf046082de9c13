"""Text as sent, and places in it."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """A piece of a source: offsets into its text, in code points, `end` not included."""

    start: int
    end: int


class Source(NamedTuple):
    """The text of one record as it was sent, and where it stood.

    `line` and `column` (both from 1) are those of the text's first character in the whole file, so that memory
    need not hold the file.
    """

    name: str
    text: str
    line: int = 1
    column: int = 1

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column (from 1, in code points) of an offset in the whole file."""
        before = self.text.rfind("\n", 0, offset)
        if before < 0:
            return (self.line, self.column + offset)
        return (self.line + self.text.count("\n", 0, offset), offset - before)

    def line_text(self, offset: int) -> str:
        """Return the line in which an offset lies, without its line break."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")

    def caret(self, span: Span) -> str:
        """Return the line of a span and below it carets under the span, wide characters counted as two.

        A very long line is cut to the part around the span, and of a very long span the begin is shown.
        """
        start = self.text.rfind("\n", 0, span.start) + 1
        line = self.line_text(span.start)
        first = span.start - start
        last = max(first + 1, min(span.end - start, len(line)))
        cut = max(0, first - 60) if len(line) > 100 else 0
        last = min(last, cut + 160)
        shown = line[cut : max(last, cut + 100)] if len(line) > 100 else line
        if cut:
            shown, cut = "…" + shown, cut - 1
        if last < len(line) and cut + len(shown) < len(line):
            shown += "…"
        shown = "".join(
            c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in shown
        )
        pad = "".join("\t" if c == "\t" else " " * _width(c) for c in shown[: first - cut])
        marks = "^" * max(1, sum(_width(c) for c in shown[first - cut : last - cut]))
        return f"{shown}\n{pad}{marks}"


class Block(NamedTuple):
    """Records that follow one another in a file: their text, and the offset at which each begins, the first at 0."""

    source: Source
    starts: tuple[int, ...]


def _width(char: str) -> int:
    import unicodedata

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
