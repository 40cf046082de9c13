"""The kinds of tiles that a component counts, each with its picture, how many there are, what its
mark joins and its connective capacity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from pnp.options import Options, Value
from pnp.scene import Group, Scene
from pnp.sheet.job import Job, Pieces
from pnp.studio.asked import Asked

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.themes import Theme

REMEMBERED = 64
"""Looks whose pictures are kept."""


class Kind(TypedDict):
    """One kind of tile; `picture` is an SVG."""

    name: str
    count: int
    capacity: int
    joins: str
    picture: str


class _Set(NamedTuple):
    """A set's kinds: for each name on the tiles that of its mark, on how many sides, and a key of
    all that changes how they look.
    """

    marks: Mapping[str, str]
    sides: int
    look: object


class Gallery:
    """Pictures of the kinds of sets, remembered: they stay the same while numbers change."""

    def __init__(self) -> None:
        self._pictures: dict[object, Mapping[str, str]] = {}

    def kinds(self, asked: Asked, job: Job, theme: Theme, fonts: FontSet) -> list[Kind]:
        """Return the kinds of the tiles that `job` has, none for a component that counts none."""
        from pnp.games.hex_lightning.sets import describe
        from pnp.tiles import capacity, kinds

        found = _set(asked)
        if found is None:
            return []
        key = (found.look, theme)
        if key not in self._pictures:
            while len(self._pictures) >= REMEMBERED:
                del self._pictures[next(iter(self._pictures))]
            self._pictures[key] = _pictures(asked, tuple(found.marks), theme, fonts)
        counts = {
            piece.name: piece.count
            for part in job.parts
            if isinstance(part, Pieces)
            for piece in part.pieces
        }
        marks = kinds(found.sides)
        return [
            Kind(
                name=name,
                count=counts.get(name, 0),
                capacity=capacity(marks[kind]),
                joins=describe(kind),
                picture=self._pictures[key][name],
            )
            for name, kind in found.marks.items()
        ]


def _set(asked: Asked) -> _Set | None:
    """Return the set of a component that has tiles to count."""
    from pnp.games.hex_lightning.sets import SHAPES, tile_set
    from pnp.tiles import LIGHTNING, kinds

    options = asked.options
    if asked.component.name == "hex-lightning":
        chosen, _ = tile_set(options)
        sides = SHAPES[chosen.shape]
        look = chosen._replace(counts={}, blanks=0)
        return _Set({kind: kind for kind in kinds(sides)}, sides, tuple(map(str, look)))
    if asked.component.name == "lightning":
        named = ("tile-size", "cell-size", "line-width", "nodes", "coloured")
        return _Set(LIGHTNING, SHAPES["square"], tuple(str(options.value(n)) for n in named))
    return None


def _pictures(
    asked: Asked, names: tuple[str, ...], theme: Theme, fonts: FontSet
) -> Mapping[str, str]:
    """Return a picture of each kind: the very pieces that are printed, one of each."""
    from pnp.backends import svg

    only: dict[str, Value] = {
        "count": dict.fromkeys(names, 1),
        "tiles": True,
        "labels": False,
        "board": "none",
    }
    if asked.component.name == "lightning":
        only |= {"board": False, "mats": False, "card": False}
    given = {name: value for name, value in asked.typed.items() if name not in ("bleed", "gutter")}
    options = Options(asked.component.options, {**given, **only})
    job = asked.component.build(options, theme, fonts)
    pictures: dict[str, str] = {}
    for part in job.parts:
        if not isinstance(part, Pieces):
            continue
        xs, ys = zip(*part.outline, strict=True)
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        for piece in part.pieces:
            face = Group(piece.front, dx=-min(xs), dy=-min(ys), clip=part.outline)
            scene = Scene(width, height, (face,), part.symbols, piece.name)
            pictures[piece.name] = svg.render(scene, fonts=fonts)
    return pictures
