"""What all foreign readers share: a record being put together, set-up stones, and the forms of the swap."""

from __future__ import annotations

from functools import partial

from referee.core.record import EarlyFault, GameRecord, Tag, Tags
from referee.core.source import Source, Span

RED, BLUE = "red", "blue"
NOWHERE = Span(0, 0)
"""The place of a tag that the text does not hold."""

NO_WORD = "\N{REPLACEMENT CHARACTER}"
"""Stands for what is no word, so that nothing takes it for a comment, a number or a result."""

SWAPS = ("swap", "swap-sides", "swap-pieces")
SIDES, PIECES, NONE = "sides", "pieces", "none"


class Draft:
    """A record under construction: tags, words, and set-up stones by (column, row) from 0."""

    def __init__(self, source: Source, form: str) -> None:
        self.source = source
        self.form = form
        self.tags = Tags()
        self.words: list[str] = []
        self.spans: list[Span] = []
        self.colours: list[str | None] = []
        self.broken: dict[int, str] = {}
        self.faults: list[EarlyFault] = []
        self.stones: dict[tuple[int, int], str] = {}
        self.mover: str | None = None
        self.left_out: list[str] = []

    def tag(self, name: str, value: str, span: Span = NOWHERE) -> None:
        """Set a tag; line breaks in its value become blanks, as a tag has one line."""
        self.tags[name] = Tag(" ".join(value.split()), span)

    def say(self, word: str, span: Span, colour: str | None = None) -> None:
        """Add a word in notation.md's words, with its place and, where the format says it, its colour."""
        self.words.append(word)
        self.spans.append(span)
        self.colours.append(colour)

    def comment(self, text: str, span: Span) -> None:
        """Add a comment; braces in it become round, as comments are never nested."""
        text = text.strip()
        if text:
            self.say("{" + text.replace("{", "(").replace("}", ")") + "}", span)

    def wreck(self, span: Span, message: str) -> None:
        """Add something that is no word of the format; the judge finds it there as `syntax`."""
        self.broken[len(self.words)] = message
        self.say(NO_WORD, span)

    def settle_swap(self) -> None:
        """Find out the form of the swap where the colours tell it, and set the `Swap` tag.

        HexGui wrote `swap-pieces` where the stone stayed, so what decides is the colour of the move after the
        swap: the opener's stays to move when the pieces are swapped. A swap with nothing after it goes by its
        word; the bare word means the sides. What is settled stays so.
        """
        if "Swap" in self.tags:
            return
        plies = [i for i, word in enumerate(self.words) if word[0] not in "{;"]
        if len(plies) < 2 or self.words[plies[1]] not in SWAPS:
            return
        at = plies[1]
        form = PIECES if self.words[at] == "swap-pieces" else SIDES
        if len(plies) > 2:
            opener, after = self.colours[plies[0]], self.colours[plies[2]]
            if opener is not None and after is not None:
                form = PIECES if opener == after else SIDES
        self.words[at] = "swap"
        self.tag("Swap", form, self.spans[at])

    def first_colour(self) -> str | None:
        """Return the colour of the first ply, None where there is none or it has no colour."""
        return next(
            (c for w, c in zip(self.words, self.colours, strict=True) if w[0] not in "{;"), None
        )

    def record(self, size: int | None) -> GameRecord:
        """Return the record; `size` is the board's, None where it is at fault and no position can be shown."""
        start = None
        mover = self.mover or self.first_colour() or RED
        if size is not None and (self.stones or mover != RED):
            start = "/".join(
                "".join(self.stones.get((x, y), ".")[0] for x in range(size)) for y in range(size)
            )
        return GameRecord(
            self.source,
            self.tags,
            self.words,
            partial(list, self.spans),
            self.colours if any(self.colours) else None,
            start,
            mover if start is not None else None,
            self.faults,
            self.form,
            self.broken or None,
            tuple(self.left_out),
        )


def column_of(letters: str) -> int:
    """Return the column, from 0, of its letters (`a`, …, `z`, `aa`, …); many letters are far off any board."""
    column = 0
    for letter in letters[:4]:
        column = column * 26 + ord(letter) - 96
    return column - 1


def label(column: int, row: int) -> str:
    """Return the cell's label from column and row, both from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(97 + rest) + letters
    return f"{letters}{row + 1}"


def board_size(value: str) -> int | None:
    """Return the size that `11` or `11x11` says, None where it is no size of a board (the judge says so then)."""
    width, _, height = value.partition("x")
    if not width.isascii() or not width.isdigit() or len(width) > 3 or height not in ("", width):
        return None
    return int(width) if 2 <= int(width) <= 30 else None
