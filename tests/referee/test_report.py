"""How verdicts read: each way to end has its words, for either side and for a draw."""

from __future__ import annotations

import pytest

from referee import report
from referee.core.source import Source
from referee.judge import judge
from referee.notation.moves import read

WON = (
    *("connection", "no-move", "complete", "fork", "bridge", "repetition", "agreement"),
    *("resign", "declared", "time", "adjudication"),
)
DRAWN = ("agreement", "repetition", "both-dead", "exhausted", "declared", "time", "adjudication")


@pytest.mark.parametrize("reason", WON)
@pytest.mark.parametrize(("result", "winner"), [("1-0", "Ann"), ("0-1", "Bob")])
def test_a_win_names_its_winner(reason: str, result: str, winner: str) -> None:
    told = report.ended("Hex", result, reason, ("Ann", "Bob"))
    assert told.startswith(winner)
    assert told.endswith(f"({result})")
    assert "the opponent" not in told


@pytest.mark.parametrize("reason", DRAWN)
def test_a_draw_says_why(reason: str) -> None:
    told = report.ended("Focus", "1/2-1/2", reason, ("Ann", "Bob"))
    assert told.startswith("drawn")
    assert told.endswith("(1/2-1/2)")


def test_a_lost_game_of_spiral_does_not_say_whose_shape_it_was() -> None:
    sides = ("the player", "Dr. Brooks")
    assert report.ended("Spiral", "1-0", "fork", sides) == "the player won by a fork (1-0)"
    assert report.ended("Spiral", "0-1", "bridge", sides) == "Dr. Brooks won; a bridge stands (0-1)"


def entry(text: str) -> list[str]:
    return report.entry(judge(read(Source("f.moves", text))), "f.moves", 3).splitlines()


def test_entries() -> None:
    hexes = '[Game "Hex"]\n[Size "3"]\n'
    assert entry(hexes) == ["f.moves 3: Hex: First is to move after 0 plies"]
    assert entry(hexes + "1. resign") == ["f.moves 3: Hex: Second won; first resigned (0-1)"]
    assert entry(hexes + "1. a1 1/2-1/2") == [
        "f.moves 3: Hex: Drawn, as the record declares (1/2-1/2)"
    ]
    assert entry('[Game "Spiral"]\n') == [
        "f.moves 3: Spiral: The player is to move after 0 turns; the next deal is missing; write it as a Deal tag"
    ]
    assert entry('[Game "Chess"]')[0].startswith("f.moves:1:8: ")
    assert entry('[Game "Chess"]')[-1] == "  f.moves 3: Chess: not judged"


def test_what_does_not_print_is_not_printed() -> None:
    assert report.plain("a\x1b[31mb\u202e") == "a\ufffd[31mb\ufffd"
    assert report.plain("王芳") == "王芳"
