"""The players' pages (`templates/rules/<slug>.md`) made ready for a terminal.

The pages use a small part of Markdown: headings, paragraphs, lists, tables, code blocks, emphasis.
The printed rules sheet is made of the same files.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from pnp.resources import read_text

_MARKS = re.compile(r"\*\*(.+?)\*\*|__(.+?)__|`([^`]+)`|\*(\S.*?\S|\S)\*|\[([^\]]+)\]\([^)]+\)")
_ITEM = re.compile(r"(\s*)([-*+]|[0-9]+\.)\s+(.*)")
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


def page(slug: str, width: int = 78, *, bold: bool = False) -> str:
    """Return a game's page in lines of at most `width` characters; code blocks keep theirs.

    With `bold` headings and emphasis are written in the terminal's bold.
    """
    return "\n".join(_lines(read_text("rules", f"{slug}.md"), width, bold)) + "\n"


def _lines(text: str, width: int, bold: bool) -> Iterator[str]:
    for number, block in enumerate(_blocks(text)):
        if number:
            yield ""
        yield from _block(block, width, bold)


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the parts between blank lines; a code block is one part, a heading one of its own."""
    held: list[str] = []
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            if not fenced and held:
                yield held
                held = []
            held.append(line)
            if fenced:
                yield held
                held = []
            fenced = not fenced
        elif fenced:
            held.append(line)
        elif not line.strip() or line.startswith("#"):
            if held:
                yield held
            held = []
            if line.startswith("#"):
                yield [line]
        else:
            held.append(line)
    if held:
        yield held


def _block(block: list[str], width: int, bold: bool) -> Iterator[str]:
    first = block[0]
    if first.startswith("```"):
        yield from (f"    {line}".rstrip() for line in block[1:] if not line.startswith("```"))
    elif first.startswith("#"):
        yield from _heading(first, bold)
    elif first.startswith("|"):
        yield from _table(block, width, bold)
    elif _ITEM.match(first):
        yield from _list(block, width, bold)
    else:
        yield from _wrapped(" ".join(line.strip() for line in block), width, bold)


def _heading(line: str, bold: bool) -> Iterator[str]:
    level = len(line) - len(line.lstrip("#"))
    title = _inline(line.strip("# "))
    yield f"{BOLD}{title}{PLAIN}" if bold else title
    if not bold and level < 3:
        yield ("=" if level == 1 else "-") * len(title)


def _list(block: list[str], width: int, bold: bool) -> Iterator[str]:
    items: list[tuple[str, list[str]]] = []
    for line in block:
        match = _ITEM.match(line)
        if match:
            items.append((f"{match[1]}{match[2]} ", [match[3]]))
        else:
            items[-1][1].append(line.strip())
    for lead, words in items:
        yield from _wrapped(" ".join(words), width, bold, lead)


def _table(block: list[str], width: int, bold: bool) -> Iterator[str]:
    """A table in columns; the last one wraps."""
    rows = [
        [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
        for line in block
    ]
    rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    count = max(map(len, rows))
    widths = [
        max((len(_inline(r[i])) for r in rows if i < len(r)), default=0) for i in range(count)
    ]
    for row in rows:
        lead = "".join(
            _inline(cell).ljust(w + 2) for cell, w in zip(row[:-1], widths, strict=False)
        )
        yield from _wrapped(row[-1], max(width, len(lead) + 20), bold, lead)


def _wrapped(text: str, width: int, bold: bool, lead: str = "") -> Iterator[str]:
    """Wrap by what is seen: the terminal's signs for bold count nothing."""
    lines = textwrap.wrap(
        _inline(text),
        width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [lead.rstrip()]
    strong = [m[1] or m[2] for m in _MARKS.finditer(text) if m[1] or m[2]] if bold else []
    for line in lines:
        for words in strong:
            line = line.replace(words, f"{BOLD}{words}{PLAIN}")
        yield line


def _inline(text: str) -> str:
    """Return text without its Markdown marks."""
    return _MARKS.sub(lambda m: next(group for group in m.groups() if group is not None), text)
