"""What a study is: the cells that are played, one game of a cell, and what is said of all its games.

The frame gives every game a number of its own to draw its chance from, and counts the games by what came of them.
A count does not care in which order or by how many workers the games were played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from referee.study.estimates import Estimate

Result = tuple[int, ...]
"""What came of one game, small: it is the key of a count."""

Counts = Mapping[Result, int]
"""How many games of a cell came to each result."""

Given = Mapping[str, Sequence[str]]
"""The study's own options as they were given, by name; an option not given is not there."""

Value = Estimate | float | int | str
"""One figure of a table: an estimate has three columns, itself and its interval's ends."""


class Setting(NamedTuple):
    """An option of a study: `--name METAVAR`, more than once if `many`."""

    name: str
    metavar: str
    help: str
    many: bool = False


class Cell(NamedTuple):
    """One setting that is played: what it is, in the study's `columns`; how many games, unless --games says so.

    settings  plain texts, all that `Study.play` knows of the cell; no two cells of a study have the same
    games     how many are played by default
    stream    cells of one stream, not empty, get the same chance in their games of one number: players that are
              compared on the same deals differ by less luck. Empty: the settings themselves
    """

    settings: tuple[str, ...]
    games: int
    stream: str = ""


class Row(NamedTuple):
    """What is said of a cell: its settings, how many games were played, and the study's `measures`."""

    settings: tuple[str, ...]
    games: int
    values: tuple[Value, ...]


class Bar(NamedTuple):
    """One line of a chart: a label and an estimate; bars of one group stand together under its name."""

    label: str
    value: Estimate
    group: str = ""


class Chart(NamedTuple):
    """A chart of estimates with their intervals.

    name     the stem of its file
    title    what it shows, a line
    text     what is to be seen in it, in words, for those who cannot see it
    axis     what is measured
    percent  whether the values are shares, drawn as per cent
    mark     a value that a thin line shows, 0.5 for an even game
    """

    name: str
    title: str
    text: str
    axis: str
    bars: tuple[Bar, ...]
    percent: bool = True
    mark: float | None = None


class Heading(NamedTuple):
    """A heading of a page."""

    text: str


class Listing(NamedTuple):
    """A table of a page; every row has as many texts as there are columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = str | Heading | Listing | Chart
"""A part of a page; a text is a paragraph, plain words without any markup."""


class Report(NamedTuple):
    """A page in plain words: `answer` is what the study found, in two or three sentences."""

    title: str
    answer: str
    blocks: tuple[Block, ...]


class Study(Protocol):
    """A question and how it is played. `play` is pure: the same cell, seed and index give the same result.

    columns   the names of a cell's settings
    measures  the names of a row's values
    """

    @property
    def name(self) -> str:
        """The command's word, and the stem of files."""

    @property
    def help(self) -> str:
        """What `--help` says: a paragraph."""

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The study's own options."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a cell's settings."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of a row's values."""

    def cells(self, given: Given) -> tuple[Cell, ...]:
        """Return what is played. Raises RefereeError for an option that makes no sense."""

    def play(self, cell: Cell, seed: int, index: int) -> Result:
        """Play game `index` (from 0) of a cell, all its chance drawn from `seed` (64 bits)."""

    def summary(self, cell: Cell, counts: Counts) -> tuple[Value, ...]:
        """Return the cell's measures; there is at least one game."""

    def report(self, rows: Sequence[Row]) -> Report:
        """Return the page. Rows come in the order of the cells; a run with other options may lack any of them."""
