"""Jobs and pages of `lightning` for its tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pnp import fonts, themes
from pnp.document import Page
from pnp.games import component
from pnp.scene import Group, Item, Use
from pnp.sheet.job import Job, Pieces
from pnp.sheet.layout import lay_out
from tests.pnp.printed import options

KINDS = ("I", "II", "III", "IV", "V")
TILES = {"board": False, "mats": False, "card": False}


def job(**given: object) -> Job:
    chosen = options("lightning", **given)
    return component("lightning").build(chosen, themes.load(chosen.common.theme), fonts.load())


def pages(**given: object) -> list[Page]:
    chosen = options("lightning", **given)
    theme = themes.load(chosen.common.theme)
    return list(lay_out(job(**given), chosen.common, theme, fonts.load()).document.pages())


def part(title: str, **given: object) -> Pieces:
    (found,) = (p for p in job(**given).parts if p.title == title)
    assert isinstance(found, Pieces)
    return found


def flat(items: tuple[Item, ...], symbols: dict[str, tuple[Item, ...]]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Group):
            yield from flat(item.items, symbols)
        elif isinstance(item, Use):
            yield from flat(symbols[item.name], symbols)
        else:
            yield item


def laid(sheets: list[Page]) -> Counter[str]:
    found: Counter[str] = Counter()
    for page in sheets:
        found.update(i.name.partition("-")[2] for i in page.scene.items if isinstance(i, Use))
    return found
