"""A game record: tags and the words of its movetext, each with its place in the text as sent."""

# no annotations of the future here: NamedTuple compiles each that is text, a third of the import

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from referee.core.source import Source, Span

SpanFinder = Callable[[], Sequence[Span]]


class Tag(NamedTuple):
    """A tag pair. `span` is the place of the value, without its quotes."""

    value: str
    span: Span


class EarlyFault(NamedTuple):
    """A fault that the reader found before any move: `code` is "syntax", "tag" or, for set-up stones, a rule's.

    `rule` is the ruling that a set-up stone breaks, else None.
    """

    code: str
    message: str
    span: Span
    rule: str | None = None


class Tags(dict[str, Tag]):
    """Tag pairs by name, in the order written. Not changed once read, for records of the same head share them."""

    @cached_property
    def values_by_name(self) -> tuple[tuple[str, str], ...]:
        """Each name with its value."""
        return tuple((name, tag.value) for name, tag in self.items())


class GameRecord(NamedTuple):
    """One record, from any format.

    tags      by name, in the order written; a repeated one is in `faults`
    words     the movetext in notation.md's words: numbers, moves, comments (`{…` and `;…`), results
    find_spans  finds the place of each word (a legal record needs none); a finder can go to another process
    colours   for foreign records, which colour each word says that it is of ("red", "blue" or None), else None
    start     a set-up position as text where the game does not start from its own, with `mover` ("red", "blue")
    faults    what the reader found wrong in the tags, in order
    format    "moves" or the foreign format's name
    broken    for foreign records, by index: what is wrong with a word that is no word of its format (`syntax`)
    left_out  for foreign records, what the reader passed over (variations, clock times), in plain words
    """

    source: Source
    tags: Tags
    words: list[str]
    find_spans: SpanFinder
    colours: list[str | None] | None = None
    start: str | None = None
    mover: str | None = None
    faults: Sequence[EarlyFault] = ()
    format: str = "moves"
    broken: Mapping[int, str] | None = None
    left_out: tuple[str, ...] = ()

    def span(self, index: int) -> Span:
        """Return the place of word `index`."""
        return self.find_spans()[index]

    def value(self, name: str) -> str | None:
        """Return a tag's value, None where it is missing."""
        tag = self.tags.get(name)
        return tag.value if tag else None

    def values(self) -> Mapping[str, str]:
        """Return all tags' values by name."""
        return dict(self.tags.values_by_name)
