"""A study small enough for tests: a coin that falls on its head with the chance that its cell says, thrown up to five
times until it does.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence

from referee.errors import RefereeError
from referee.study.core import (
    Bar,
    Cell,
    Chart,
    Counts,
    Given,
    Heading,
    Listing,
    Report,
    Result,
    Row,
    Setting,
    Value,
)
from referee.study.estimates import Estimate, mean, share

DEADLY = "13"
"""A chance whose games kill the process that plays them."""
WHERE = "tests.referee.study.toy:STUDY"


class Coins:
    """Throws coins."""

    name = "coins"
    help = "How often a coin falls on its head."
    settings = (Setting("chance", "P", "The chance of a head, in per cent.", many=True),)
    columns = ("chance",)
    measures = ("heads", "throws", "even")

    def cells(self, given: Given) -> tuple[Cell, ...]:
        chances = given.get("chance", ("50", "20"))
        for chance in chances:
            if not chance.isdigit() or int(chance) > 100:
                raise RefereeError(f"--chance {chance} is no per cent; write 0 to 100")
        return tuple(Cell((chance,), 300) for chance in chances)

    def play(self, cell: Cell, seed: int, index: int) -> Result:
        if cell.settings[0] == DEADLY:
            os._exit(1)
        rng = random.Random(seed)
        for throw in range(1, 6):
            if rng.random() * 100 < int(cell.settings[0]):
                return (1, throw, index % 2)
        return (0, 5, index % 2)

    def summary(self, cell: Cell, counts: Counts) -> tuple[Value, ...]:
        games = sum(counts.values())
        heads = sum(times for (head, _, _), times in counts.items() if head)
        even = sum(times for (_, _, odd), times in counts.items() if not odd)
        return (
            share(heads, games),
            mean([(throws, times) for (_, throws, _), times in counts.items()]),
            even,
        )

    def report(self, rows: Sequence[Row]) -> Report:
        bars = []
        for row in rows:
            heads = row.values[0]
            assert isinstance(heads, Estimate)
            bars.append(Bar(f"chance {row.settings[0]} %", heads))
        chart = Chart(
            "heads",
            "Heads & tails",
            "More chance, <more> heads.",
            "games with a head",
            tuple(bars),
            mark=0.5,
        )
        listing = Listing(
            ("chance", "games"), tuple((row.settings[0], str(row.games)) for row in rows)
        )
        return Report(
            "Coins", "A coin falls.", (Heading("What came"), chart, "All | of it.", listing)
        )


STUDY = Coins()
