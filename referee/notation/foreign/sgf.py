"""SGF of Hex (`GM[11]`: HexGui, MoHex, PlayHex) and Little Golem's `.hsgf` as records.

In `.hsgf` (no `GM`, two-letter points) W moves first and joins top and bottom, so W is Red there and B is Blue;
`PB` is the first player in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.core.record import EarlyFault, GameRecord
from referee.core.source import Span
from referee.errors import UnreadableError
from referee.notation.foreign import draft, tree
from referee.notation.foreign.draft import BLUE, PIECES, RED, SWAPS, Draft
from referee.notation.foreign.tree import Property, Tree, Value
from referee.notation.lexer import RESULTS

HEX = "11"
_NAMES = {"1": "Go", "2": "Othello", "3": "Chess", "4": "Gomoku", "6": "Backgammon", "40": "Kropki"}
_CELL = re.compile(r"([a-z]+)([0-9]+)")
_SIDES = re.compile(r"([0-9]+)\s*[:xX]\s*([0-9]+)")
_WORD = re.compile(r"[a-z][a-z0-9-]*")
_TWO_LETTERS = re.compile(r"[a-z]{2}")
_RESULT = re.compile(r"(b|w|black|white)(?:\s*\+\s*(.*)|)", re.DOTALL)
_UNKNOWN = ("", "?", "void", "unknown")
_DRAWN = ("0", "draw", "jigo")
_TERMINATIONS = {"r": "resignation", "resign": "resignation", "t": "time", "time": "time"}
_TAGS = {"PB": "First", "PW": "Second", "EV": "Event", "DT": "Date", "PC": "Site"}
_SETUP = ("AB", "AW", "AE")
_PLAIN = {"FF", "GM", "SZ", "CA", "AP", "RE", "C", "GC", "N", "SO", "B", "W", "PL", *_SETUP, *_TAGS}


def read_all(data: bytes, name: str) -> Iterator[GameRecord]:
    """Yield every game of a collection. Raises UnreadableError where none of them is Hex."""
    text = tree.decode(data)
    numbers = map(_game_number, tree.games(text, name))
    other = next(numbers, None)
    if other not in (None, HEX) and all(number not in (None, HEX) for number in numbers):
        game = _NAMES.get(str(other), "another game")
        shown = "standard input" if name == "-" else name
        raise UnreadableError(f"{shown} holds {game}, not Hex; of SGF only GM[11] is read")
    for item in tree.games(text, name):
        yield _Reader(item).record()


def _root(item: Tree, name: str) -> Value | None:
    for node in item.nodes[:1]:
        for prop in node:
            if prop.name == name:
                return prop.values[0]
    return None


def _game_number(item: Tree) -> str | None:
    value = _root(item, "GM")
    return value.text.strip() if value is not None else None


def _is_hsgf(item: Tree) -> bool:
    """Whether a game is Little Golem's: no `GM`, and not one point of the form a1."""
    if _game_number(item) is not None:
        return False
    points = (
        value.text.strip().lower()
        for node in item.nodes
        for prop in node
        if prop.name in ("B", "W", *_SETUP)
        for value in prop.values
    )
    return not any(_CELL.fullmatch(point) for point in points)


def result_of(value: str) -> tuple[str, str | None]:
    """Return the result that `RE` declares, and the `Termination` tag that goes with it.

    Its letter names the player, PB or PW. What is no result of SGF is returned as written, for the judge to find.
    """
    text = value.strip()
    low = text.lower()
    if text in RESULTS:
        return text, None
    if low in _UNKNOWN:
        return "*", None
    if low in _DRAWN:
        return "1/2-1/2", None
    match = _RESULT.fullmatch(low)
    if match is None:
        return text, None
    return ("1-0" if match[1][0] == "b" else "0-1"), _TERMINATIONS.get((match[2] or "").strip())


class _Reader:
    """One game's way from its nodes to a record."""

    def __init__(self, item: Tree) -> None:
        self.item = item
        self.hsgf = _is_hsgf(item)
        self.draft = Draft(item.source, "hsgf" if self.hsgf else "sgf")
        self.colours = {"B": BLUE, "W": RED} if self.hsgf else {"B": RED, "W": BLUE}
        self.size: int | None = 11
        self.begun = False
        self.passed: set[str] = set()

    def record(self) -> GameRecord:
        """Return the game's record."""
        out = self.draft
        number = _root(self.item, "GM")
        out.tag("Game", "Hex")
        if number is not None and number.text.strip() != HEX:
            out.tag("Game", number.text, number.span)
            game = _NAMES.get(number.text.strip(), "another game")
            out.faults.append(
                EarlyFault("tag", f"this is {game}; of SGF only Hex, GM[11], is read", number.span)
            )
        elif number is not None:
            out.tag("Game", "Hex", number.span)
        self._size()
        for node in self.item.nodes:
            self._node(node)
        if self.item.fault is not None:
            message, span = self.item.fault
            out.wreck(span, message)
        if self.hsgf:
            self._hsgf_swap()
        else:
            out.settle_swap()
        if self.item.variations:
            out.left_out.append(
                f"{self.item.variations} variation{'s' * (self.item.variations > 1)}"
            )
        if self.passed:
            out.left_out.append("the properties " + ", ".join(sorted(self.passed)))
        return out.record(self.size)

    def _hsgf_swap(self) -> None:
        out = self.draft
        out.mover = out.mover or RED
        swap = next((i for i, word in enumerate(out.words) if word in SWAPS), None)
        out.tag("Swap", PIECES, draft.NOWHERE if swap is None else out.spans[swap])

    def _size(self) -> None:
        value = _root(self.item, "SZ")
        if value is None:
            return
        written = _SIDES.sub(r"\1x\2", value.text.strip())
        self.draft.tag("Size", written, value.span)
        self.size = draft.board_size(written)

    def _node(self, node: list[Property]) -> None:
        """Read a node: set-up and tags, then its moves, then what is said about them."""
        for prop in node:
            if prop.name in _SETUP:
                self._set_up(prop, node)
            elif prop.name == "PL":
                self._player(prop)
            elif prop.name in _TAGS or prop.name in ("RE", "SO"):
                self._tag(prop)
            elif prop.name not in _PLAIN:
                self.passed.add(prop.name)
        for prop in node:
            if prop.name in self.colours:
                self._move(prop)
        for prop in node:
            if prop.name in ("C", "GC", "N"):
                self.draft.comment(prop.values[0].text, prop.values[0].span)

    def _tag(self, prop: Property) -> None:
        value = prop.values[0]
        text = value.text.strip()
        if prop.name == "RE":
            result, termination = result_of(text)
            if text:
                self.draft.tag("Result", result, value.span)
            if termination is not None:
                self.draft.tag("Termination", termination, value.span)
        elif prop.name == "SO":
            if text and "Site" not in self.draft.tags:
                self.draft.tag("Site", text, value.span)
        elif text and not (self.hsgf and text == "null"):
            self.draft.tag(_TAGS[prop.name], text, value.span)

    def _player(self, prop: Property) -> None:
        value = prop.values[0]
        letter = value.text.strip().upper()[:1]
        if letter not in self.colours:
            self._early("syntax", f"PL[{value.raw}] names nobody; write PL[B] or PL[W]", value.span)
        elif not self.begun:
            self.draft.mover = self.colours[letter]

    def _move(self, prop: Property) -> None:
        self.begun = True
        out, colour = self.draft, self.colours[prop.name]
        for number, value in enumerate(prop.values):
            word = value.text.strip().lower()
            span = _inner(value) if word else prop.span
            if number:
                out.wreck(
                    span, f"one move has one value; write {prop.name}[{word}] in a node of its own"
                )
            elif self.hsgf and _TWO_LETTERS.fullmatch(word):
                out.say(draft.label(ord(word[0]) - 97, ord(word[1]) - 97), span, colour)
            elif word in ("", "pass"):
                out.wreck(span, "there is no pass in Hex; write a cell such as f6")
            elif word == "forfeit":
                out.say(self._loss_of(colour), span)
            elif not _WORD.fullmatch(word):
                out.wreck(span, f"{word} is no Hex move; write a cell such as f6, or swap-sides")
            else:
                out.say(word, span, colour)

    def _loss_of(self, colour: str) -> str:
        """Return the result where the player of a colour loses; the first player is Red until sides are swapped."""
        self.draft.settle_swap()
        swap = self.draft.tags.get("Swap")
        first = BLUE if swap is not None and swap.value == draft.SIDES else RED
        return "0-1" if colour == first else "1-0"

    # -- set-up stones -------------------------------------------------------------------------------------------

    def _early(self, code: str, message: str, span: Span, rule: str | None = None) -> None:
        self.draft.faults.append(EarlyFault(code, message, span, rule))

    def _set_up(self, prop: Property, node: list[Property]) -> None:
        if self.begun:
            self.draft.wreck(prop.span, "set-up stones stand before the first move")
            return
        if self.size is None:
            return
        for value in prop.values:
            for point in self._points(value):
                self._put(prop.name, point, value, node)

    def _put(self, name: str, point: tuple[int, int], value: Value, node: list[Property]) -> None:
        stones, colour = self.draft.stones, None if name == "AE" else self.colours[name[1]]
        span = _inner(value)
        assert self.size is not None
        if not (point[0] < self.size and 0 <= point[1] < self.size):
            last = draft.label(self.size - 1, self.size - 1)
            message = f"{value.text.strip()} is no cell of this board; cells run from a1 to {last}"
            self._early("off-board", message, span, "hex-board")
        elif colour is None:
            stones.pop(point, None)
        elif stones.get(point, colour) != colour and self._names_twice(point, name, node):
            cell = draft.label(*point)
            self._early("occupied", f"{cell} cannot hold a red and a blue stone", span, "hex-place")
        else:
            stones[point] = colour

    def _names_twice(self, point: tuple[int, int], name: str, node: list[Property]) -> bool:
        """Whether the other colour's set-up in the same node names the point too."""
        other = "AW" if name == "AB" else "AB"
        values = (v for prop in node if prop.name == other for v in prop.values)
        return any(point in self._points(v, quiet=True) for v in values)

    def _points(self, value: Value, quiet: bool = False) -> list[tuple[int, int]]:
        """Return the points of a value: one, or those of a rectangle `a1:c3`."""
        corners = [self._point(part) for part in value.text.split(":")]
        known = [corner for corner in corners if corner is not None]
        if len(known) < len(corners) or len(corners) > 2:
            if not quiet:
                self._early(
                    "syntax",
                    f"{value.text.strip() or 'nothing'} is no point; write one as in AB[f6]",
                    _inner(value),
                )
            return []
        if len(known) == 1:
            return known
        (left, top), (right, bottom) = known
        if max(abs(right - left), abs(bottom - top)) > 30:
            return [known[1]]  # off any board, and named so
        across, down = sorted((left, right)), sorted((top, bottom))
        return [
            (x, y) for y in range(down[0], down[1] + 1) for x in range(across[0], across[1] + 1)
        ]

    def _point(self, text: str) -> tuple[int, int] | None:
        low = text.strip().lower()
        if self.hsgf and _TWO_LETTERS.fullmatch(low):
            return (ord(low[0]) - 97, ord(low[1]) - 97)
        match = _CELL.fullmatch(low)
        if match is None:
            return None
        return (draft.column_of(match[1]), int(match[2][:4]) - 1)


def _inner(value: Value) -> Span:
    """Return the place of a value without the blanks around it."""
    left = len(value.raw) - len(value.raw.lstrip())
    start = value.span.start + left
    return Span(start, max(start, value.span.end - (len(value.raw) - len(value.raw.rstrip()))))
