"""Lists that change a little from one to the next, as numbers and what changes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

Change = list[int]
"""Where, how many go, and the numbers that come there."""


class Catalogue(Generic[T]):
    """Gives each thing a number, the same for equal things."""

    def __init__(self) -> None:
        self.things: list[T] = []
        self._numbers: dict[T, int] = {}
        self._known: dict[int, int] = {}
        self._kept: list[T] = []

    def number(self, thing: T) -> int:
        """Return the number of a thing, a new one for a new thing."""
        known = self._known.get(id(thing))  # scenes share most of their items: no need to compare
        if known is not None:
            return known
        number = self._numbers.setdefault(thing, len(self.things))
        if number == len(self.things):
            self.things.append(thing)
        self._kept.append(thing)  # so that its id is not used again
        self._known[id(thing)] = number
        return number


def deltas(lists: Sequence[Sequence[int]]) -> list[list[Change]]:
    """Return for each list the changes that make it of the one before; the first is made of nothing."""
    before: Sequence[int] = ()
    found = []
    for after in lists:
        found.append(changes(before, after))
        before = after
    return found


def changes(before: Sequence[int], after: Sequence[int]) -> list[Change]:
    """Return the splices that make `after` of `before`, each on the list as the ones before it left it."""
    stay = set(after)
    now = list(before)
    found: list[Change] = []
    for at in range(len(now) - 1, -1, -1):
        if now[at] not in stay:
            del now[at]
            if found and found[-1][0] == at + 1:
                found[-1] = [at, found[-1][1] + 1]
            else:
                found.append([at, 1])
    have = set(now)
    for at, number in enumerate(after):
        if at < len(now) and now[at] == number:
            continue
        if number in have and number in now[at:]:
            away = now.index(number, at)
            del now[away]
            found.append([away, 1])
        if found and len(found[-1]) > 2 and found[-1][0] + len(found[-1]) - 2 == at:
            found[-1].append(number)
        else:
            found.append([at, 0, number])
        now.insert(at, number)
    if len(now) > len(after):
        found.append([len(after), len(now) - len(after)])
    return found
