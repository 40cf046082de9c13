"""`kit`: all of one game in one file: how to build it, its parts, spare blanks, rules, a record sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pnp.errors import PnpError
from pnp.games import Component, component
from pnp.options import Common, Option, Options, Value, suggestion
from pnp.sheet.job import Drawing, Job, Part, Piece, Pieces, fixed
from pnp.sheet.space import spaces

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.games.kit.sheets import Printed
    from pnp.scene import Item, Scene
    from pnp.themes import Theme

GAMES: dict[str, Mapping[str, Value]] = {
    "hex": {"stones": True},
    "focus": {},
    "spiral": {},
    "lightning": {},
}
"""The games of which there is a kit, and how their components are asked for all that a game needs."""

PASSED = ("size", "cell-size", "tile-size", "card-size", "rim", "label-place")
"""Options that a kit hands on to the game's component, where that has them."""

SPARE = 8
"""At most so many blanks; fewer where the last sheet has room for fewer."""
FEW = 10
"""Fewer pieces than this are no pieces of the game that get lost; they have no blanks."""
NEW_SHEET = 4
"""Blanks where the last sheet is full."""

OPTIONS = (
    Option("game", "choice", "the game", choices=tuple(GAMES)),
    Option(
        "only",
        "counts",
        "lost pieces again and nothing else: --only III=3, --only QS=1, --only black=2",
        metavar="PIECE=N",
    ),
    Option("rules", "flag", "the rules sheet", True),
    Option("record", "flag", "the record sheet", True),
    Option("blanks", "flag", "blank pieces to spare", True),
    Option("size", "int", "hex: cells a side", least=2, most=30),
    Option("cell-size", "length", "the board's cells; without it as the game's component has them"),
    Option("tile-size", "length", "lightning: a tile's side"),
    Option("card-size", "text", "spiral: small, bridge or poker", metavar="small|bridge|poker"),
    Option("rim", "length", "focus: also strips this high, to glue round discs", metavar="H"),
    Option("label-place", "text", "spiral: beside or middle", metavar="beside|middle"),
)


def build(options: Options, theme: Theme, fonts: FontSet) -> Job:
    """Return the kit of a game, or with `--only` the pieces that were lost.

    Raises PnpError where no game is named, and for what the game's own component refuses.
    """
    game = options.text("game")
    if game is None:
        raise PnpError(f"name the game of the kit: --game {'|'.join(GAMES)}")
    job = _component_job(game, options, theme, fonts)
    lost = options.counts("only")
    if lost:
        return _only(job, lost)
    parts = job.parts
    if options.flag("blanks") and not options.common.single:
        parts = tuple(
            _with_blanks(p, options.common) if isinstance(p, Pieces) else p for p in parts
        )
    first: tuple[Part, ...] = ()
    rest: tuple[Part, ...] = ()
    if not options.common.single:
        first, rest = _words(game, parts, options, theme, fonts)
    return Job(
        title=f"{game.capitalize()}, the whole game",
        parts=(*first, *parts, *rest),
        subject=f"All that the game of {game.capitalize()} needs: how to build it, its parts, its rules",
        keywords=(*job.keywords, "kit"),
        sidecars=job.sidecars,
    )


def _component_job(game: str, options: Options, theme: Theme, fonts: FontSet) -> Job:
    """Return what the game's own component prints, with the kit's common options."""
    found = component(game)
    own = {option.name: option for option in found.options}
    given = dict(GAMES[game])
    for name in PASSED:
        if not options.given(name):
            continue
        if name not in own:
            raise PnpError(f"--{name} is no option of the {game} kit")
        given[name] = own[name].parse(options.value(name))
    chosen = Options(found.options, given)
    chosen.common = options.common
    return found.build(chosen, theme, fonts)


def _only(job: Job, lost: Mapping[str, int]) -> Job:
    """Return the pieces named, so many of each. Raises PnpError for a name that no piece has."""
    pieces = [part for part in job.parts if isinstance(part, Pieces)]
    names = {piece.name.lower(): piece.name for part in pieces for piece in part.pieces}
    wanted: dict[str, int] = {}
    for name, count in lost.items():
        if name.lower() not in names:
            hint = suggestion(name, names.values()) or f"; they are {', '.join(names.values())}"
            raise PnpError(f"--only: the game has no piece {name!r}{hint}")
        wanted[names[name.lower()]] = count
    parts: list[Part] = []
    for part in pieces:
        chosen = tuple(
            piece._replace(count=wanted[piece.name])
            for piece in part.pieces
            if wanted.get(piece.name)
        )
        if chosen:
            parts.append(part._replace(pieces=chosen))
    if not parts:
        raise PnpError("--only: nothing is left to print; give a number of more than 0")
    return job._replace(title=f"{job.title}, lost pieces", parts=tuple(parts))


def _with_blanks(part: Pieces, common: Common) -> Pieces:
    """Return the pieces with blanks to draw on, on what is left of their last sheet.

    Raises FitError where no piece fits.
    """
    from pnp.sheet.pieces import lay_pieces

    total = sum(piece.count for piece in part.pieces)
    if total < FEW or part.what.startswith("strips"):
        return part
    each = len(lay_pieces(part, common).block.spots)
    left = -total % each
    back = next((piece.back for piece in part.pieces if piece.back and part.what != "pieces"), None)
    blank = Piece("blank", (), back, min(left, SPARE) or min(each, NEW_SHEET))
    return part._replace(pieces=(*part.pieces, blank))


def _words(
    game: str,
    parts: tuple[Part, ...],
    options: Options,
    theme: Theme,
    fonts: FontSet,
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return the build sheet; and the rules and the record sheet, as large as the paper allows."""
    from pnp.games.kit.diagrams import diagrams
    from pnp.games.kit.flow import Setter, columns, pages
    from pnp.games.kit.rules import rules_blocks
    from pnp.games.kit.sheets import build_blocks, record_scene

    common, title = options.common, game.capitalize()
    space = spaces(common)[0]
    width, height = space.width, space.height
    symbols: dict[str, tuple[Item, ...]] = {}
    rest: list[Part] = []
    if options.flag("rules"):
        setter = Setter(columns(width)[1], theme, fonts)
        blocks = rules_blocks(game, diagrams(game, theme), setter, symbols)
        rest += _drawings(f"{title} rules", pages(blocks, width, height, f"{title} rules", symbols))
    if options.flag("record"):
        scene = record_scene(game, title, width, height, Setter(width, theme, fonts))
        rest.append(fixed(f"{title} record", scene))
    printed = _printed(parts, common, theme, fonts)
    alone = min(width, 150.0)
    blocks = build_blocks(
        title,
        printed,
        Setter(alone, theme, fonts),
        copies=common.copies,
        backs=common.backs,
        extra=len(rest),
    )
    name = f"{title} build sheet"
    first = _drawings(name, pages(blocks, width, height, name, {}, single=True))
    return tuple(first), tuple(rest)


def _drawings(title: str, scenes: list[Scene]) -> list[Drawing]:
    if len(scenes) == 1:
        return [fixed(title, scenes[0])]
    return [fixed(f"{title} {k + 1}/{len(scenes)}", scene) for k, scene in enumerate(scenes)]


def _printed(
    parts: tuple[Part, ...], common: Common, theme: Theme, fonts: FontSet
) -> tuple[Printed, ...]:
    """Return how many sheets of paper each part takes, for one copy."""
    from pnp.games.kit.sheets import Printed
    from pnp.sheet.layout import lay_out

    once = common._replace(copies=1)
    found: list[Printed] = []
    for part in parts:
        pages = len(lay_out(Job(part.title, (part,)), once, theme, fonts).names)
        backed = isinstance(part, Pieces) and any(piece.back for piece in part.pieces)
        both = backed and common.backs.startswith("duplex")
        found.append(Printed(part, pages // 2 if both else pages))
    return tuple(found)


COMPONENT = Component(
    name="kit",
    help="All of one game in one file: how to build it, its parts, spares, rules, a record sheet",
    options=OPTIONS,
    build=build,
)
