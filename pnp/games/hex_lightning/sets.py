"""Sets of tiles: which kinds on which shape, how many of each, how they look; read from options and
TOML files, written as TOML and as a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, cast

from pnp.errors import PnpError
from pnp.geometry import SQRT3, Point, regular_polygon
from pnp.options import Option, Options, suggestion
from pnp.paint.tiles import line_width
from pnp.presets import read_toml
from pnp.tiles import FAMILIES, LIGHTNING, capacity, family, kinds

Shape = Literal["hexagon", "square", "triangle"]

SHAPES: dict[Shape, int] = {"hexagon": 6, "square": 4, "triangle": 3}
"""The shapes and how many sides they have."""

_FOLDER = ("presets", "tiles")
"""The templates that `--set NAME` finds."""

ALL_KINDS = tuple(
    dict.fromkeys([*(kind for sides in SHAPES.values() for kind in kinds(sides)), *LIGHTNING])
)
"""Every name that `--count` knows on some shape; a square's may be Lightning's too."""

SAVED = ("shape", "tile-size", "style", "line-width", "nodes", "coloured", "blanks", "count")
"""What a set holds, by the names of the options."""
RULES = ("families", "power", "each", "weights")
"""Options that make the counts anew."""


class TileSet(NamedTuple):
    """A set of tiles. `counts` has every kind of the shape, in order; lengths in mm."""

    shape: Shape
    tile: float
    counts: Mapping[str, int]
    blanks: int
    style: str
    line_width: float
    nodes: bool
    coloured: bool

    @property
    def total(self) -> int:
        """How many tiles there are, blanks too."""
        return sum(self.counts.values()) + self.blanks

    def toml(self) -> str:
        """Return the set as the text of a file for `--set`."""
        lines = [
            "# A set of tiles: pnp build hex-lightning --set THIS-FILE",
            f'shape = "{self.shape}"',
            f'tile-size = "{_length(self.tile)}"',
            f'style = "{self.style}"',
            f'line-width = "{_length(self.line_width)}"',
            f"nodes = {str(self.nodes).lower()}",
            f"coloured = {str(self.coloured).lower()}",
            f"blanks = {self.blanks}",
            "",
            "[count]",
            *(f"{kind} = {count}" for kind, count in self.counts.items()),
        ]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """Return a table of the kinds: what the mark joins, how many, connective capacity."""
        marks = kinds(SHAPES[self.shape])
        also = {kind: name for name, kind in LIGHTNING.items()} if self.shape == "square" else {}
        rows = ["kind,lightning,joins,tiles,connective capacity"]
        rows += [
            f"{kind},{also.get(kind, '')},{describe(kind)},{count},{capacity(marks[kind])}"
            for kind, count in self.counts.items()
        ]
        if self.blanks:
            rows.append(f"blank,,nothing,{self.blanks},0")
        return "\n".join(rows) + "\n"


def describe(kind: str) -> str:
    """Return in words what a kind's mark joins."""
    letters = family(kind)
    number = kind[len(letters) :].rstrip("LR")
    if letters == "VM":
        hand = {"R": " clockwise", "L": " anticlockwise"}.get(kind[-1], "")
        return f"a corner and midpoint {number} from it{hand}"
    what = {"VV": "corners", "MM": "midpoints", "P": "corners"}[letters]
    bent = " by a line bent at the centre" if letters == "P" else ""
    return f"{what} {number} apart{bent}"


def outline(shape: Shape, size: float) -> tuple[Point, ...]:
    """Return a tile's outline about its middle, clockwise: a hexagon `size` mm flat to flat on a
    corner, a square or a triangle with sides of `size` mm.
    """
    if shape == "triangle":
        return regular_polygon(3, size / (2.0 * SQRT3))
    return regular_polygon(SHAPES[shape], size / 2.0, turn=45.0 if shape == "square" else 0.0)


def tile_set(options: Options) -> tuple[TileSet, Path | None]:
    """Return the set that options and `--set` choose, and the path to save it at, None for none.

    What the command line gives goes before what stands in the file. Raises PnpError and FileError.
    """
    where = options.path("set")
    path = None if where is None else _found(where)
    saved = _read(path, options) if path is not None else {}

    def value(name: str) -> object:
        given = options.given(name) or name not in saved
        return options.value(name) if given else saved[name]

    shape = cast("Shape", value("shape"))
    chosen = TileSet(
        shape=shape,
        tile=cast("float", value("tile-size")),
        counts=_counts(shape, options, saved),
        blanks=cast("int", value("blanks")),
        style=cast("str", value("style")),
        line_width=cast("float", value("line-width")),
        nodes=cast("bool", value("nodes")),
        coloured=cast("bool", value("coloured")),
    )
    named = options.given("line-width") or "line-width" in saved
    width = line_width(chosen.line_width, named, chosen.tile)
    return chosen._replace(line_width=width), where if path is None else None


def _counts(shape: Shape, options: Options, saved: Mapping[str, object]) -> dict[str, int]:
    """Return how many there are of each kind: by the file, else by the rule; then what --count says."""
    marks = kinds(SHAPES[shape])
    if "count" in saved and not any(options.given(name) for name in RULES):
        counts = dict.fromkeys(marks, 0)
        counts.update(_known(cast("Mapping[str, int]", saved["count"]), shape))
    else:
        counts = _by_rule(shape, options)
    counts.update(_known(options.counts("count"), shape))
    return counts


def _by_rule(shape: Shape, options: Options) -> dict[str, int]:
    """Return the counts that --families, --power, --each and --weights make."""
    marks = kinds(SHAPES[shape])
    wanted = _families(options.word("families"))
    if options.given("power"):
        wanted = wanted | {"P"} if options.flag("power") else wanted - {"P"}
    chosen = {kind: capacity(mark) for kind, mark in marks.items() if family(kind) in wanted}
    least = min(chosen.values(), default=1)
    even = options.word("weights") == "equal"
    each = options.integer("each")
    counts = dict.fromkeys(marks, 0)
    for kind, reach in chosen.items():
        counts[kind] = each if even else round(each * reach / least)
    return counts


def _families(text: str) -> set[str]:
    found = set()
    for word in text.replace(" ", ",").split(","):
        if word and word.upper() not in FAMILIES:
            raise PnpError(
                f"--families: {word!r} is none of {', '.join(FAMILIES)}{suggestion(word, FAMILIES)}"
            )
        if word:
            found.add(word.upper())
    return found


def _known(counts: Mapping[str, int], shape: Shape) -> dict[str, int]:
    """Return counts by the shape's own kinds. Raises PnpError for a kind that it has not."""
    marks = kinds(SHAPES[shape])
    found = {}
    for kind, count in counts.items():
        own = LIGHTNING.get(kind, kind) if shape == "square" else kind
        if own not in marks:
            raise PnpError(
                f"--count: a {shape} has no kind {kind}; it has {', '.join(marks)}"
                f"{suggestion(kind, marks)}"
            )
        found[own] = count
    return found


def _found(where: Path) -> Path | None:
    """Return the file to read: the one named if it is there, else the template of that name; None
    where the set is to be saved.
    """
    if where.exists():
        return where
    if where.suffix.lower() == ".toml":
        return None
    from pnp.resources import find

    folder = find(*_FOLDER)
    names = sorted(path.stem for path in folder.glob("*.toml"))
    if str(where) not in names:
        raise PnpError(
            f"--set: no set is called {str(where)!r}; take {', '.join(names)}, or a file"
            f" that ends in .toml{suggestion(str(where), names)}"
        )
    return folder / f"{where}.toml"


def _read(path: Path, options: Options) -> dict[str, object]:
    """Return what a file says, typed, by the names of options."""
    from pnp.games.hex_lightning import OPTIONS

    data = read_toml(path, "set")
    known: dict[str, Option] = {o.name: o for o in OPTIONS if o.name in SAVED}
    found: dict[str, object] = {}
    for key, raw in data.items():
        name = key.replace("_", "-")
        if name not in known:
            raise PnpError(
                f"{path}: {key!r} is unknown; a set has {', '.join(known)}{suggestion(name, known)}"
            )
        try:
            found[name] = known[name].parse(raw)
            if name == "count":
                shape = cast("Shape", data.get("shape", "hexagon"))
                _known(cast("Mapping[str, int]", found[name]), shape)
        except PnpError as error:
            raise PnpError(f"{path}: {str(error).removeprefix('--')}") from None
    return found


def _length(mm: float) -> str:
    return f"{mm!r}".removesuffix(".0") + "mm"
