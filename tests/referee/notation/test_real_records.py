"""What all real Hex records of the handed data come to; every figure is explained beside it."""

from __future__ import annotations

from pathlib import Path

from referee.judge import judge
from referee.notation.inputs import open_records
from tests.bench.real_records import count


def test_real_records(shared: Path) -> None:
    counts = count(shared / "data" / "hex")
    sgf = counts[".sgf"]
    assert (sgf.files, sgf.games, sgf.legal) == (375, 375, 368)
    # in 51 games the sides were swapped: White moves again after the swap, whatever word HexGui wrote
    assert sgf.swaps == {"sides": 51}
    # five programs of 2009 resigned after the other's winning stone; two puzzles go on with the same colour twice
    assert sgf.faults == {"game-over": 5, "not-yours": 2}
    assert sorted(place.split("/")[-1].split(":")[0] for place in sgf.places) == [
        "14x14-berge-3.sgf",
        "14x14-berge-4.sgf",
        "ms1.sgf",
        "mw1.sgf",
        "sm1.sgf",
        "wm1.sgf",
        "ws1.sgf",
    ]
    six = counts[".six"]
    assert (six.files, six.games, six.legal, six.swaps) == (4, 4, 4, {"pieces": 2})
    openings = counts["openings"]
    assert (openings.files, openings.games, openings.legal) == (11, 1089, 1089)
    lines = counts["lines"]
    # no line goes on after its end
    assert (lines.files, lines.games, lines.legal, lines.plies) == (1, 23665, 23665, 580202)
    assert not any(total.unreadable for total in counts.values())


def test_six_games_end_where_they_stop(shared: Path) -> None:
    """Read with swap-pieces, as the README beside them warns, each game's last stone is the winning one."""
    folder = shared / "data/hex/benzene/regression/sgf/games/olympiad/06"
    ends = {}
    for path in sorted(folder.glob("*.six")):
        (record,) = open_records(path)
        verdict = judge(record)
        assert verdict.plies == len(record.words)
        ends[path.name[:4]] = (verdict.reason, verdict.result)
    assert ends == {
        "gm05": ("connection", "0-1"),
        "gm06": ("connection", "0-1"),
        "gm07": ("connection", "0-1"),
        "gm08": ("connection", "1-0"),
    }
