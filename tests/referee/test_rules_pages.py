"""The players' pages: every example of a record must be judged as the page says.

A block fenced as `moves` is a record that is legal, one fenced as `fault CODE` a record whose first fault has
that code; `text` is for diagrams. Rulings are cited in brackets, `(focus-move, focus-stack)`.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.core.source import Source
from referee.core.verdict import CODES, Verdict
from referee.games import load, names
from referee.judge import judge
from referee.notation.moves import read, split

PAGES = sorted(
    page
    for page in (Path(__file__).resolve().parents[2] / "templates/rules").glob("*.md")
    if page.stem in {game.slug for name in names() if (game := load(name))}  # has records
)
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RULING = r"(?:all|hex|focus|lightning|spiral)-[a-z-]+"
CITATION = re.compile(rf"\(({RULING}(?:,\s+{RULING})*)\)")


class Example(NamedTuple):
    """One fenced block: its page, the line it begins on, what its fence says, its text."""

    page: str
    line: int
    words: tuple[str, ...]
    text: str


EXAMPLES = [
    Example(page.stem, text.count("\n", 0, match.start()) + 1, tuple(match[1].split()), match[2])
    for page in PAGES
    for text in [page.read_text(encoding="utf-8")]
    for match in FENCE.finditer(text)
]
RECORDS = [e for e in EXAMPLES if e.words[:1] in (("moves",), ("fault",))]


def verdict(example: Example) -> Verdict:
    (source,) = split(example.text.splitlines(keepends=True), example.page)
    assert isinstance(source, Source)
    return judge(read(source))


def game_of(page: str) -> str:
    """The name of the game whose page it is."""
    return next(name for name in names() if (game := load(name)) and game.slug == page)


@pytest.mark.parametrize("example", RECORDS, ids=[f"{e.page}-{e.line}" for e in RECORDS])
def test_example(example: Example) -> None:
    said = verdict(example)
    assert said.game == game_of(example.page)
    if example.words == ("moves",):
        assert said.error is None, said.error
        assert said.plies > 0
    else:
        _, code = example.words
        assert code in CODES
        assert said.error is not None
        assert said.error.code == code, said.error.message


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_page_has_examples_of_both_kinds(page: Path) -> None:
    kinds = {e.words[0] for e in RECORDS if e.page == page.stem}
    assert kinds == {"moves", "fault"}
    other = {e.words for e in EXAMPLES if e.page == page.stem and e not in RECORDS}
    assert other <= {("text",)}, "a fence is moves, fault CODE or text"


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_page_cites_rulings_that_there_are(page: Path) -> None:
    known = tomllib.loads(page.with_name("rulings.toml").read_text(encoding="utf-8"))["rulings"]
    lists = CITATION.findall(page.read_text(encoding="utf-8"))
    cited = {ruling for together in lists for ruling in re.split(r",\s+", together)}
    assert cited
    assert cited <= set(known)
