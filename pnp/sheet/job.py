"""What a component hands to the sheet layer: a Job of parts, each of which the sheet lays out on
pages.

A component knows its drawing; the sheet knows paper, margins, band, marks, backs and yields. So a
part says what it looks like *at a size*, and the sheet finds the size that fits, or names it in a
FitError.

    Drawing   one picture that is not cut out: a board, a mat, a reference card
    Filling   a page filled with as many small pictures as it holds: colouring sheets, puzzles
    Pieces    things to cut out of one outline: tiles, stones, counters, cards

Names of symbols are the component's own and must be unique in the job: one name, one drawing. The
sheet's own symbols begin with "sheet-".
"""

# no annotations of the future here: NamedTuple compiles each that is text, a third of the import
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from pnp.geometry import Point
from pnp.scene import Item, Scene, Style

Size = tuple[float, float]
"""width, height in mm"""

Shape = Literal["box", "hexagon", "triangle"]


def no_notes(size: float) -> tuple[str, ...]:
    """Return no notes, whatever the size."""
    return ()


class Joints(NamedTuple):
    """Where `--split` may cut a drawing: positions in mm from its left and its top edge, ascending.

    `columns` are straight vertical cuts at x, `rows` straight horizontal ones at y; both ends of
    the picture are left out. On hexagon boards a joint is a straight line that crosses no label.
    """

    columns: tuple[float, ...]
    rows: tuple[float, ...]


class Drawing(NamedTuple):
    """One picture that is not cut out.

    title         what the sheet says it is
    paint         the picture at a size in mm; its scene's width and height are `measure(size)`
    measure       (width, height) in mm at a size, growing with it; cheap, it is called often
    size          the size asked for, None for the largest that fits, rounded down to 0.1 mm
    size_option   the option that sets the size, named in the FitError; "" where the picture has one
                  size only
    largest       an upper bound of the size where there is one
    notes         short lines for the band that depend on the size ("for counters up to 14.6 mm")
    fields        blanks to fill in by hand in the band, such as "Date"
    joints        where `--split` may cut, None for a drawing that cannot be split
    always_split  split without being asked where it does not fit, and say so on the sheet
    copies        sheets of it, before `--copies`
    """

    title: str
    paint: Callable[[float], Scene]
    measure: Callable[[float], Size]
    size: float | None = None
    size_option: str = "cell-size"
    largest: float | None = None
    notes: Callable[[float], tuple[str, ...]] = no_notes
    fields: tuple[str, ...] = ()
    joints: Callable[[float], Joints] | None = None
    always_split: bool = False
    copies: int = 1


def fixed(title: str, scene: Scene, *, copies: int = 1) -> Drawing:
    """Return a Drawing that has one size only: `scene` as it is."""
    return Drawing(
        title=title,
        paint=lambda size: scene,
        measure=lambda size: (scene.width, scene.height),
        size=1.0,
        size_option="",
        copies=copies,
    )


class Filling(NamedTuple):
    """Pages filled with small pictures that are not cut out, as many as a page holds.

    hold   how many pictures of a size a free area of width × height mm holds, 0 for none
    paint  the scene (width × height mm) with the pictures `first` … `first + count - 1`:
           paint(size, width, height, first, count)
    total  how many pictures there are in all, None for one full page
    what   what is counted, in the plural, for the yield ("boards")
    The rest as in Drawing.
    """

    title: str
    hold: Callable[[float, float, float], int]
    paint: Callable[[float, float, float, int, int], Scene]
    size: float
    what: str
    total: int | None = None
    size_option: str = "cell-size"
    notes: Callable[[float], tuple[str, ...]] = no_notes
    fields: tuple[str, ...] = ()
    copies: int = 1


class Piece(NamedTuple):
    """A kind of piece: its face drawn about (0, 0), the middle of its outline's box.

    `front` and `back` may run past the outline (`--bleed`); the sheet clips them to the trim grown
    by the bleed. `name` is short and unique in its Pieces: it names symbols and, with `--single`,
    files.
    """

    name: str
    front: tuple[Item, ...]
    back: tuple[Item, ...] | None = None
    count: int = 1  # type: ignore[assignment]  # nobody counts what stands in a piece


class Pieces(NamedTuple):
    """Pieces of one outline, laid n-up in the order given, `count` of each, and cut out.

    outline      the trim, a convex polygon clockwise about (0, 0), in mm
    shape        "hexagon" for a regular hexagon that nests (`--nest`), "triangle" for a regular
                 triangle with its middle at (0, 0) and a corner above it, "box" for all that is
                 laid in rows and columns
    size         the size in mm that the outline grows with (tile size), None where there is one
                 size only (cards)
    size_option  the option that sets the size, named in the FitError
    symbols      drawings that the faces use
    clip         False where no face runs past its outline, which saves clipping
    what         what is counted, in the plural, for the yield ("tiles")
    notes        short lines for the band of each sheet
    edges        how each edge is drawn over the faces as a guide for the knife, a shared one once
                 (P54); None for no line, which is right wherever a straight cut will do (P52)
    """

    title: str
    outline: tuple[Point, ...]
    pieces: tuple[Piece, ...]
    what: str = "pieces"
    size: float | None = None
    size_option: str = "tile-size"
    shape: Shape = "box"
    symbols: Mapping[str, tuple[Item, ...]] = MappingProxyType({})
    clip: bool = True
    notes: tuple[str, ...] = ()
    edges: Style | None = None


Part = Drawing | Filling | Pieces


class Job(NamedTuple):
    """All that one component prints.

    title      the document's title ("Hex 11 × 11"); `--title` replaces it
    parts      laid one after the other, each on pages of its own
    subject    one sentence for the metadata
    sidecars   files written beside the sheets: (suffix such as ".csv", or a path that an option
               names, text)
    """

    title: str
    parts: tuple[Part, ...]
    subject: str = ""
    keywords: tuple[str, ...] = ()
    sidecars: tuple[tuple[str | Path, str], ...] = ()
