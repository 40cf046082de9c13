"""Hex: its options, its tokens and its rules, as the house's Game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from referee.core.game import BadTag
from referee.core.verdict import Rejected
from referee.games.hex import look, rules
from referee.games.hex.plan import BLUE, RED, plan
from referee.games.hex.rules import Move, OffBoard, Position, Setup, Special, Swap

_CELL = re.compile(r"[a-z]+[0-9]+")
_SIZE = re.compile(r"([0-9]{1,3})(?:x([0-9]{1,3}))?")
_SIGNS = str.maketrans("0123", ".rb/")
_SWAPS = {swap.value: swap for swap in Swap}
_SPECIALS = {s.value: s for s in Special}


class Hex:
    """The rules of Hex behind the Game protocol."""

    slug = "hex"
    name = "Hex"
    options = ("Size", "Swap")
    plies_per_number = 2
    draw_rule = "hex-win"
    takes_claims = False

    def setup(self, tags: Mapping[str, str]) -> Setup | BadTag:
        """Return size (hex-board) and swap (hex-swap) from the tags `Size` and `Swap`."""
        size, swap = 11, Swap.SIDES
        for name, value in tags.items():
            if name == "Size":
                read = _read_size(value)
                if read is None:
                    message = f'Size "{value}" is no size of a Hex board; write a number from 2 to 30, such as "11"'
                    return BadTag(name, message)
                size = read
            elif name == "Swap":
                if value not in _SWAPS:
                    message = f'Swap "{value}" is not known; write "sides", "pieces" or "none"'
                    return BadTag(name, message)
                swap = _SWAPS[value]
        return Setup(size, swap)

    def start(self, setup: Setup) -> Position:
        """Return the empty board, Red to move."""
        return rules.start(setup)

    def parse(self, word: str, setup: Setup) -> Move | Rejected:
        """Return the stone or swap that a word means; a cell's form off the board is OffBoard."""
        low = word.lower()
        cell = plan(setup.size).cells.get(low)
        if cell is not None:
            return cell
        special = _SPECIALS.get(low)
        if special is not None:
            # the form that the record has anyway is the bare word, which is canonical
            return Special.SWAP if special.value == f"swap-{setup.swap.value}" else special
        if _CELL.fullmatch(low):
            return OffBoard(word)
        return Rejected("syntax", None, f"{word} is no Hex move; write a cell such as f6, or swap")

    def format(self, move: Move, setup: Setup) -> str:
        """Return the cell's label, or the swap's word."""
        if isinstance(move, int):
            return plan(setup.size).labels[move]
        return move.value if isinstance(move, Special) else move.word

    play = staticmethod(rules.play)
    play_all = staticmethod(rules.play_all)
    legal_moves = staticmethod(rules.legal_moves)

    def may_offer(self, position: Position) -> Rejected | None:
        """Refuse: Hex cannot be drawn (hex-win)."""
        return Rejected(
            "draw",
            "hex-win",
            "Hex cannot end in a draw, so none can be offered; play a stone or resign",
        )

    def close(self, position: Position, result: str, reason: str) -> Position:
        """Return the position with the game ended by a ply that is no move."""
        new = position.copy()
        new.plies += 1
        new.to_move, new.result, new.reason = None, result, reason
        return new

    def draw_result(self, position: Position) -> str:
        """Return how a draw would be scored; Hex has none."""
        return "1/2-1/2"

    def position_text(self, position: Position) -> str:
        """Return rows from the top, `/` between, `.` `r` `b`."""
        board = plan(position.setup.size)
        # each bit becomes a hexadecimal digit: 1 red, 2 blue, 3 the bit that ends a row
        digits = int(f"{position.red:b}", 16) + 2 * int(f"{position.blue:b}", 16) + board.frame
        return hex(digits)[:2:-1].translate(_SIGNS)  # without 0x and the digit that ends the board

    def parse_position(self, text: str, mover: str | None = None) -> Position | Rejected:
        """Return the position of a text; without `mover` the colour with fewer stones moves, Red if they are even."""
        rows = text.strip().split("/")
        size = len(rows)
        if not rules.MIN_SIZE <= size <= rules.MAX_SIZE:
            return Rejected(
                "syntax", None, f"a Hex position has 2 to 30 rows with / between them, not {size}"
            )
        board = plan(size)
        stones = {"r": 0, "b": 0, ".": 0}
        for y, row in enumerate(rows):
            if len(row) != size:
                return Rejected(
                    "syntax",
                    None,
                    f"row {y + 1} has {len(row)} cells; with {size} rows it needs {size}",
                )
            for x, char in enumerate(row):
                if char.lower() not in stones:
                    return Rejected(
                        "syntax",
                        None,
                        f"row {y + 1}, cell {x + 1}: {char!r} is no cell; write . r or b",
                    )
                stones[char.lower()] |= board.bits[y * board.stride + x]
        if mover is None:
            mover = BLUE if stones["r"].bit_count() > stones["b"].bit_count() else RED
        return rules.arranged(Setup(size), stones["r"], stones["b"], mover)

    def colour_to_move(self, position: Position) -> str | None:
        """Return "red" or "blue", None after the end."""
        return position.colour

    def proof(self, position: Position) -> tuple[str, ...]:
        """Return the winning chain's cells, shortest, from edge to edge."""
        return look.chain(plan(position.setup.size), position)


@lru_cache(maxsize=128)
def _read_size(value: str) -> int | None:
    """Return the size that a `Size` tag says, None where it is none of a board."""
    match = _SIZE.fullmatch(value)
    if match is None or match[2] not in (None, match[1]):
        return None
    size = int(match[1])
    return size if rules.MIN_SIZE <= size <= rules.MAX_SIZE else None


GAME = Hex()
