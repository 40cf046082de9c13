"""Themes: named roles with the colours and patterns that all painters use.

A *colour* role is one `#rrggbb` for lines and text. An *area* role (`Area`) is what a stone, a
cell, a tile or an edge looks like: `fill`, the outline `line`, the `text` that can be read on it,
and a `pattern` drawn in `mark`. What must be told apart (`APART`) differs by label, by pattern or
by lightness as well: nothing is told by colour alone.

Colours, on paper:
  paper        the sheet itself; never printed
  ink          text, joints, strong lines
  soft         small text: coordinates, notes, feet
  grid         lines between cells
  border       the outline of a board
  pale         outlines that are coloured over (mini-hex), guide lines of mats
  run          the thick line that parts Spiral's runs
  way          the line that shows the spiral's way
  tile-mark    the mark on a Lightning tile
  suit-red, suit-black   signs and ranks of cards
  last         ring round the last move (diagrams)
  chain        line through the winning chain (diagrams)
  hint         small signs for what is allowed (diagrams)

Areas:
  cell         an empty cell; cell-middle, the middle cell of Spiral; focus-cell, a cell of Focus
  red, blue    Hex stones;  red-edge, blue-edge  their board edges (Lightning: first's and second's)
  white, black           pieces of Focus
  player, brooks         counters of Spiral
  rank-7 … rank-A        Spiral cells by their lower rank: 7 8 9 T J Q K A (`rank_role`)
  tile, tile-back        Lightning tiles, plain and back
  family-VV, family-MM, family-VML, family-VMR, family-P
                         Hex-Lightning tiles, and Lightning's II, I, IV, III, V: `fill` is the
                         ground, `line` the tile's mark (`family_role` takes a kind's name)
  card, card-back        cards of Spiral
  mat          slots of mats;  legend, a panel behind words

Text of contrast 4.5 stands on `fill`, and on the pattern too where the area is a rank or a family.
On the hatched edges and backs set text on a plain plate, or beside them. pnp.paint.patterns draws
an area on a polygon or a circle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from pnp import resources
from pnp.colour import parse_colour
from pnp.errors import FileError, PnpError
from pnp.scene import Style
from pnp.values import suggestion

Pattern = Literal["solid", "hatch", "back-hatch", "cross", "bars", "columns", "dots", "ring"]
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)

NAMES = ("colour", "colour-blind", "grey", "ink-saver")

COLOURS = (
    *("paper", "ink", "soft", "grid", "border", "pale", "run", "way"),
    *("tile-mark", "suit-red", "suit-black", "last", "chain", "hint"),
)
RANKS = "789TJQKA"
RANK_ROLES = tuple(f"rank-{rank}" for rank in RANKS)
FAMILIES = ("VV", "MM", "VML", "VMR", "P")
FAMILY_ROLES = tuple(f"family-{family}" for family in FAMILIES)
AREAS = (
    *(
        "cell",
        "cell-middle",
        "focus-cell",
        "red",
        "blue",
        "red-edge",
        "blue-edge",
        "white",
        "black",
    ),
    *("player", "brooks", *RANK_ROLES, "tile", "tile-back", *FAMILY_ROLES),
    *("card", "card-back", "mat", "legend"),
)

APART: tuple[tuple[str, ...], ...] = (
    ("red", "blue", "cell"),
    ("red-edge", "blue-edge"),
    ("white", "black"),
    ("white", "focus-cell"),
    ("black", "focus-cell"),
    ("player", "brooks"),
    RANK_ROLES,
    *((role, "brooks") for role in RANK_ROLES),
    FAMILY_ROLES,
)
"""Groups of areas of which any two must be told apart."""

_LIGHTNING = {"I": "MM", "II": "VV", "III": "VMR", "IV": "VML", "V": "P"}


class Area(NamedTuple):
    """What a surface looks like, in `#rrggbb`; fill None is bare paper, line None no outline."""

    fill: str | None
    line: str | None
    text: str
    pattern: Pattern
    mark: str

    def style(self, width: float = 0.0) -> Style:
        """Return fill and an outline `width` mm wide; none where the width is 0."""
        if self.line is None or not width:
            return Style(fill=self.fill)
        return Style(fill=self.fill, stroke=self.line, width=width)


class Theme:
    """A complete set of roles. Compared by identity (one text, one theme): fit as a cache's key."""

    __slots__ = ("areas", "colours", "name")

    def __init__(self, name: str, colours: Mapping[str, str], areas: Mapping[str, Area]) -> None:
        self.name = name
        self.colours = colours
        self.areas = areas

    def colour(self, role: str) -> str:
        """Return the `#rrggbb` of a colour role. Raises KeyError for a role outside `COLOURS`."""
        return self.colours[role]

    def area(self, role: str) -> Area:
        """Return the area role. Raises KeyError for a role outside `AREAS`."""
        return self.areas[role]

    def line(self, role: str, width: float) -> Style:
        """Return a stroke of a colour role, `width` mm wide."""
        return Style(stroke=self.colours[role], width=width)


def rank_role(rank: str) -> str:
    """Return the area role of Spiral cells whose lower rank is `rank` (one of 7 8 9 T J Q K A)."""
    return f"rank-{rank}"


def family_role(kind: str) -> str:
    """Return the area role of a tile kind: I … V of Lightning, VV2, VM2L, P1 … of Hex-Lightning.

    A handed kind on a triangle has no hand ("VM2") and goes with the right-handed.
    """
    kind = kind.upper()
    family = _LIGHTNING.get(kind) or kind.rstrip("0123456789")
    if family.startswith("VM"):
        family = "VML" if family.endswith("L") else "VMR"
    return f"family-{family}"


def load(name: str) -> Theme:
    """Return the theme of that name, or of a TOML file at that path.

    A file names the theme that it starts from (`base = "colour"`, the default) and the roles that
    it changes: `[colours] ink = "#000000"`, `[areas.red] fill = "#ff8800"`, `pattern = "hatch"`.
    Raises PnpError or FileError that names the file, the role and what would be right.
    """
    if name in NAMES:
        return _shipped(name)
    path = Path(name)
    if path.suffix.lower() != ".toml" and not path.exists():
        hint = suggestion(name, NAMES) or f"; take {_list(NAMES)}, or a TOML file"
        raise PnpError(f"no theme is called {name!r}{hint}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{name}: the theme is not UTF-8 text") from error
    except OSError as error:
        raise FileError(f"{name}: the theme cannot be read: {error.strerror}") from error
    return _parse(text, name, "colour")


@lru_cache(maxsize=len(NAMES))
def _shipped(name: str) -> Theme:
    return _parse(resources.read_text("themes", f"{name}.toml"), f"{name}.toml", None)


@lru_cache(maxsize=32)
def _parse(text: str, source: str, default_base: str | None) -> Theme:
    """Return the theme in `text`. Without a base it starts from `default_base` (None: nothing)."""
    data = resources.parse_toml(text, source)
    unknown = next((k for k in data if k not in ("name", "base", "colours", "areas")), None)
    if unknown is not None:
        raise PnpError(
            f"{source}: {unknown!r} is unknown; a theme has name, base, colours and areas"
        )
    name = data.get("name", Path(source).stem)
    base = data.get("base", default_base)
    if not isinstance(name, str):
        raise PnpError(f"{source}: name is {name!r}; write a text in quotes")
    if base is not None and base not in NAMES:
        raise PnpError(f"{source}: base is {base!r}; take {_list(NAMES)}")
    start = None if base is None else _shipped(base)
    colours = _colours(_table(data, "colours", source), start, source)
    areas = _areas(_table(data, "areas", source), start, source)
    return Theme(name, MappingProxyType(colours), MappingProxyType(areas))


def _colours(given: Mapping[str, object], start: Theme | None, source: str) -> dict[str, str]:
    result = dict(start.colours) if start else {}
    for role, value in given.items():
        where = f"{source}: colours.{role}"
        _known(role, COLOURS, where)
        result[role] = _colour(value, where)
    _complete(result, COLOURS, f"{source}: colours")
    return result


def _areas(given: Mapping[str, object], start: Theme | None, source: str) -> dict[str, Area]:
    result = dict(start.areas) if start else {}
    for role in given:
        where = f"{source}: areas.{role}"
        _known(role, AREAS, where)
        result[role] = _area(_table(given, role, f"{source}: areas"), result.get(role), where)
    _complete(result, AREAS, f"{source}: areas")
    return result


def _area(given: Mapping[str, object], start: Area | None, where: str) -> Area:
    for key in given:
        _known(key, ("fill", "line", "text", "pattern", "mark"), f"{where}.{key}")

    def colour(key: str, default: str | None) -> str | None:
        return _colour(given[key], f"{where}.{key}") if key in given else default

    def bare(key: str, default: str | None) -> str | None:
        return None if given.get(key) == "none" else colour(key, default)

    base = start or Area(fill=None, line=None, text="#000000", pattern="solid", mark="#000000")
    return Area(
        fill=bare("fill", base.fill),
        line=bare("line", base.line),
        text=colour("text", base.text) or base.text,
        pattern=_pattern(given.get("pattern", base.pattern), f"{where}.pattern"),
        mark=colour("mark", base.mark) or base.mark,
    )


def _pattern(value: object, where: str) -> Pattern:
    for pattern in PATTERNS:
        if value == pattern:
            return pattern
    raise PnpError(f"{where}: {value!r} is no pattern; take {_list(PATTERNS)}")


def _table(data: Mapping[str, object], key: str, where: str) -> Mapping[str, object]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise PnpError(f'{where}: {key} is {value!r}; it is a table, [{key}] or {{ fill = "#…" }}')
    return value


def _colour(value: object, where: str) -> str:
    try:
        return parse_colour(value if isinstance(value, str) else str(value))
    except PnpError as error:
        raise PnpError(f"{where}: {error}") from None


def _known(key: str, known: tuple[str, ...], where: str) -> None:
    if key in known:
        return
    from difflib import get_close_matches

    near = get_close_matches(key, known, 1)
    hint = f"do you mean {near[0]!r}?" if near else f"take {_list(known)}"
    raise PnpError(f"{where} is unknown; {hint}")


def _complete(result: Mapping[str, object], wanted: tuple[str, ...], where: str) -> None:
    missing = [role for role in wanted if role not in result]
    if missing:
        raise PnpError(f'{where}: {_list(missing)} missing; give a base, such as base = "colour"')


def _list(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " or " + words[-1] if len(words) > 1 else words[0]
