"""What all real Hex records of the handed data come to; every figure is explained beside it."""

from __future__ import annotations

from pathlib import Path

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


def test_six_and_sgf_of_the_same_game_mirror_each_other(shared: Path) -> None:
    """The README beside the .six files says so of games with a swap; the judge finds a winner in each."""
    from referee.judge import judge
    from referee.notation.inputs import open_records

    folder = shared / "data/hex/benzene/regression/sgf/games/olympiad/06"
    ends = {}
    for path in sorted(folder.glob("*.six")):
        (record,) = open_records(path)
        ends[path.name] = judge(record)
    assert all(verdict.error is None for verdict in ends.values())
