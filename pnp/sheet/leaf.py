"""A page to come: all that is known of it before it is painted, so that pages can be counted and
memory stays flat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from pnp.geometry import Box
from pnp.scene import Item
from pnp.sheet.space import Space


class Face(NamedTuple):
    """What stands on a page besides its band: items in page coordinates, their symbols, cut lines."""

    items: tuple[Item, ...]
    symbols: Mapping[str, tuple[Item, ...]] = MappingProxyType({})
    cut: tuple[Item, ...] = ()


class Map(NamedTuple):
    """Where a sheet lies among those of a split picture: how many across and down, which one."""

    across: int
    down: int
    column: int
    row: int


class Leaf(NamedTuple):
    """A page to come.

    space   the sheet; without a side there is no band
    head    what the sheet says it is, "Lightning tiles 2/4"
    paint   the face, called once when the page's turn has come; None for a page that is truly empty
    back    whether it is the back of the page before it
    trim    the TrimBox where it is not the whole sheet
    name    what this page is called in a file's name where each page is a file of its own
    map     where the sheet lies among those of a split picture
    """

    space: Space
    head: str
    paint: Callable[[], Face] | None
    notes: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    back: bool = False
    trim: Box | None = None
    name: str = ""
    map: Map | None = None
