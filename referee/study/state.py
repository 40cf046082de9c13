"""What has been played so far: counts of results by cell, and which games they are; kept in a file of JSON.

A run that was stopped goes on from that file. It is written whole or not at all.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pnp import __version__
from referee.errors import RefereeError, UnreadableError
from referee.files.disk import replace
from referee.study.core import Cell, Counts, Given

FORMAT = 1


@dataclass(slots=True)
class Tally:
    """The games of one cell: `done` are ranges [first, last) of their indices, apart and in order."""

    done: list[tuple[int, int]] = field(default_factory=list)
    counts: Counter[tuple[int, ...]] = field(default_factory=Counter)
    seconds: float = 0.0
    """CPU time of all its games; no figure of the study rests on it."""

    def add(self, first: int, last: int, counts: Counts, seconds: float) -> None:
        """Count games that were not counted yet."""
        self.counts.update(counts)
        self.seconds += seconds
        merged: list[tuple[int, int]] = []
        for low, high in sorted([*self.done, (first, last)]):
            if merged and merged[-1][1] == low:
                merged[-1] = (merged[-1][0], high)
            else:
                merged.append((low, high))
        self.done = merged

    def missing(self, games: int) -> Iterator[tuple[int, int]]:
        """Yield the ranges of indices below `games` that were not played."""
        at = 0
        for first, last in self.done:
            if at < min(first, games):
                yield (at, min(first, games))
            at = last
        if at < games:
            yield (at, games)

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(last - first for first, last in self.done)


@dataclass(slots=True)
class State:
    """A run: the study's name, its seed, its own options as given, games a cell where they were given, the cells'
    tallies by their settings, and the version of the package that plays it.
    """

    study: str
    seed: int
    given: dict[str, tuple[str, ...]] = field(default_factory=dict)
    games: int | None = None
    tallies: dict[tuple[str, ...], Tally] = field(default_factory=dict)
    version: str = __version__

    @property
    def begun(self) -> bool:
        """Whether any game was played."""
        return any(tally.done for tally in self.tallies.values())

    @property
    def most(self) -> int:
        """Return how many games --games must ask for at least, so that none that was played is too many."""
        return max((tally.done[-1][1] for tally in self.tallies.values() if tally.done), default=0)

    def tally(self, cell: Cell) -> Tally:
        """Return a cell's tally, an empty one where nothing was played yet."""
        return self.tallies.setdefault(cell.settings, Tally())

    def finished(self, cells: Sequence[Cell]) -> bool:
        """Whether all games of all cells were played."""
        return all(not any(self.tally(cell).missing(cell.games)) for cell in cells)

    def save(self, path: Path) -> None:
        """Write the state. Raises WriteError."""
        cells = [
            {
                "settings": settings,
                "done": tally.done,
                "seconds": round(tally.seconds, 3),
                "counts": [[*result, times] for result, times in sorted(tally.counts.items())],
            }
            for settings, tally in self.tallies.items()
        ]
        head = {
            "format": FORMAT,
            "version": self.version,
            "study": self.study,
            "seed": self.seed,
            "given": self.given,
            "games": self.games,
        }
        replace(path, (json.dumps(head | {"cells": cells}) + "\n").encode())


def read_state(path: Path) -> State | None:
    """Return the state in a file, None where there is no file. Raises RefereeError for what is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{path} cannot be read: {error}") from None
    try:
        return _state(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise RefereeError(
            f"{path} is not a study's state that this version knows; remove it, or name another --output"
        ) from None


def _state(data: dict[str, object]) -> State:
    """Return what the JSON says. Raises ValueError, KeyError, TypeError or the like for anything else."""
    if data["format"] != FORMAT:
        raise ValueError
    study, given, games, cells = (data[key] for key in ("study", "given", "games", "cells"))
    if not (isinstance(study, str) and isinstance(given, dict) and isinstance(cells, list)):
        raise TypeError
    options = {str(name): tuple(str(v) for v in values) for name, values in given.items()}
    least = None if games is None else _number(games, 1)
    state = State(study, _number(data["seed"]), options, least)
    state.version = str(data.get("version", "unknown"))
    for cell in cells:
        state.tallies[tuple(str(word) for word in cell["settings"])] = _tally(cell)
    return state


def _tally(cell: dict[str, list[list[object]]]) -> Tally:
    tally = Tally(seconds=_seconds(cell["seconds"]))
    end = -1
    for first, last in cell["done"]:
        low = _number(first, end + 1)
        end = _number(last, low + 1)
        tally.done.append((low, end))
    for *result, times in cell["counts"]:
        tally.counts[tuple(_number(part, None) for part in result)] = _number(times, 1)
    if tally.counts.total() != tally.games or len({len(result) for result in tally.counts}) > 1:
        raise ValueError
    return tally


def _seconds(value: object) -> float:
    if not isinstance(value, (int, float)) or not 0.0 <= value < math.inf:
        raise ValueError
    return float(value)


def _number(value: object, least: int | None = 0) -> int:
    if type(value) is not int or (least is not None and value < least):
        raise ValueError
    return value


def same_run(state: State, study: str, seed: int | None, given: Given) -> str:
    """Return what differs between a stored run and one that is asked for, "" for nothing. What is not given agrees."""
    if state.study != study:
        return f"it is of the study {state.study}"
    if state.version != __version__:
        return f"version {state.version} began it, and {__version__} may play otherwise"
    if seed is not None and state.seed != seed:
        return f"its seed is {state.seed}"
    asked = {name: tuple(values) for name, values in given.items()}
    if asked and asked != state.given:
        words = " ".join(f"--{name} {v}" for name, values in state.given.items() for v in values)
        return f"its options are {words}" if words else "it has no options of its own"
    return ""
