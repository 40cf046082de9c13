"""Spiral's tags: the variants, the deals, the seed (notation.md, The record file; mail.md, Chance)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from referee.core.chance import Chance, parse_seed
from referee.core.game import BadTag
from referee.games.spiral.cards import Columns, parse_deal
from referee.games.spiral.rules import Setup

_DEAL = re.compile(r"Deal([0-9]+)")
_YES_NO = {"yes": True, "no": False}


def read_setup(tags: Mapping[str, str]) -> Setup | BadTag:
    """Return the setup that the tags give; of several faults the one that stands first in the record."""
    same_column = cycle = False
    seed: bytes | None = None
    deals: dict[int, Columns] = {}
    named = {int(m[1]) for tag in tags if (m := _DEAL.fullmatch(tag)) and len(m[1]) < 10}
    for name, value in tags.items():
        deal = _DEAL.fullmatch(name)
        if name in ("SameColumn", "Cycle"):
            if value not in _YES_NO:
                return BadTag(name, f'{name} "{value}" is not known; write "yes" or "no"')
            same_column, cycle = (
                (_YES_NO[value], cycle) if name == "SameColumn" else (same_column, _YES_NO[value])
            )
        elif name == "Seed":
            seed = parse_seed(value)
            if seed is None:
                return BadTag(name, f"a Seed is 64 hex digits; this one is {len(value)} characters")
        elif deal is not None:
            refused = _wrong_number(name, deal[1], named)
            columns = refused or parse_deal(name, value)
            if isinstance(columns, BadTag):
                return columns
            deals[int(deal[1])] = columns
        clash = _clash(name, cycle, seed is not None, deals)
        if clash is not None:
            return clash
    chance = None
    if seed is not None:
        chance = Chance(seed, tags.get("GameId", ""), tags.get("Word1", ""), tags.get("Word2", ""))
    return Setup(same_column, cycle, tuple(deals[n] for n in sorted(deals)), chance)


def _wrong_number(name: str, digits: str, named: set[int]) -> BadTag | None:
    if digits.startswith("0"):
        return BadTag(
            name, f"{name}: deals are numbered from 1 without a nought before it: Deal1, Deal2, …"
        )
    if len(digits) > 9 or (int(digits) > 1 and int(digits) - 1 not in named):
        due = next(n for n in range(1, len(named) + 2) if n not in named)
        return BadTag(
            name, f"{name} leaves a gap: Deal{due} is missing; deals are numbered 1, 2, 3, …"
        )
    return None


def _clash(name: str, cycle: bool, seeded: bool, deals: dict[int, Columns]) -> BadTag | None:
    """Tags that cannot stand together, found at the later of them."""
    if seeded and deals:
        return BadTag(name, "a record has its deals or their Seed, not both; keep one of them")
    if cycle and any(number > 1 for number in deals):
        return BadTag(name, 'with Cycle "yes" the cards are dealt once; keep Deal1 alone')
    return None
