"""The players' pages (`templates/rules/<slug>.md`) as blocks of a printed sheet.

`referee help` shows the same pages. What is about writing records is left out here, and so are the
ids of rulings; diagrams of characters become drawn ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pnp.games.kit.flow import Block, Fragment, Setter, Word
from pnp.resources import read_text
from pnp.scene import Item, Scene

Diagrams = tuple[Callable[[], Scene], ...]
"""The drawn diagrams of a page, in the order of its `text` blocks."""

LEFT_OUT = ("writing", "what cannot stand", "faults")
"""How the headings of sections begin that are about records."""

_RULING = r"(?:all|hex|focus|lightning|spiral)-[a-z-]+"
_CITATION = re.compile(rf"\s*\({_RULING}(?:,\s+{_RULING})*\)")
_ABOUT_CITATIONS = re.compile(r"\s*The words in brackets name the\s+rulings\.")
_MARKED = re.compile(r"\*\*(.+?)\*\*|`([^`]+)`|\*(\S.*?\S|\S)\*")
_ITEM = re.compile(r"([-*+]|[0-9]+\.)\s+(.*)", re.DOTALL)


def rules_blocks(
    slug: str, diagrams: Diagrams, setter: Setter, symbols: dict[str, tuple[Item, ...]]
) -> Iterator[Block]:
    """Yield a game's rules as blocks. Symbols of its diagrams are added to `symbols`."""
    drawn = iter(diagrams)
    for part in parts(slug):
        if part.startswith("```"):
            picture = next(drawn, None)
            if picture is not None:
                yield setter.picture(picture(), symbols)
        elif part.startswith("#"):
            level = len(part) - len(part.lstrip("#"))
            yield setter.heading(part.lstrip("# "), level)
        elif part.startswith("|"):
            rows = [
                [words(cell) for cell in line.strip("| ").split("|")] for line in part.splitlines()
            ]
            yield setter.table([row for row in rows if not _ruled(row)])
        elif item := _ITEM.fullmatch(part):
            lead = "•" if item[1] in "-*+" else item[1]
            yield setter.paragraph(words(item[2]), lead)
        else:
            yield setter.paragraph(words(part))


def parts(slug: str) -> Iterator[str]:
    """Yield what of a page is printed: headings, paragraphs, items of lists, tables, `text` blocks."""
    skipped = False
    for part in _parts(_ABOUT_CITATIONS.sub("", read_text("rules", f"{slug}.md"))):
        if part.startswith("#"):
            skipped = part.lstrip("# ").lower().startswith(LEFT_OUT)
        if skipped or (part.startswith("```") and not part.startswith("```text")):
            continue
        text = part if part.startswith("```") else _CITATION.sub("", part).strip()
        if text:
            yield text


def _parts(text: str) -> Iterator[str]:
    held: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = line.startswith("```")
        if not fenced and (fence or not line.strip() or line[:1] == "#" or _ITEM.match(line)):
            if held:
                yield "\n".join(held)
            held = []
        if line.strip() or fenced:
            held.append(line if fenced or fence else line.strip())
        if fence:
            fenced = not fenced
        if (fence and not fenced) or line[:1] == "#":
            yield "\n".join(held)
            held = []
    if held:
        yield "\n".join(held)


def words(text: str) -> list[Word]:
    """Return a text's words; what is marked in it, **so**, *so* or `so`, is bold."""
    found: list[Word] = []
    open_word: list[Fragment] = []
    at = 0
    for match in [*_MARKED.finditer(text), None]:
        plain = text[at : match.start()] if match else text[at:]
        _add(plain, "regular", found, open_word)
        if match:
            _add(match[1] or match[2] or match[3], "bold", found, open_word)
            at = match.end()
    if open_word:
        found.append(tuple(open_word))
    return found


def _add(text: str, weight: str, found: list[Word], open_word: list[Fragment]) -> None:
    """Add a text; what touches the text before without a blank goes on with its last word."""
    for number, piece in enumerate(re.split(r"\s+", text)):
        if number and open_word:
            found.append(tuple(open_word))
            open_word.clear()
        if piece:
            open_word.append((piece, "bold" if weight == "bold" else "regular"))


def _ruled(row: list[list[Word]]) -> bool:
    """Whether a table's row is the line under its head."""
    return all(set("".join(t for w in cell for t, _ in w)) <= set("-:") and cell for cell in row)
