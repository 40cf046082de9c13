"""A Job becomes a Document: parts in their order, pages numbered, bands painted, backs interleaved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pnp.document import Document, Duplex, Page
from pnp.errors import FitError
from pnp.fonts import FontSet
from pnp.options import Common
from pnp.scene import Item, Scene
from pnp.sheet.band import AT_FULL_SIZE, Words, paint_band
from pnp.sheet.drawings import drawing_leaves, filling_leaves
from pnp.sheet.job import Drawing, Filling, Job, Part
from pnp.sheet.leaf import Face, Leaf
from pnp.sheet.space import TOLERANCE
from pnp.themes import Theme
from pnp.units import format_mm

_DUPLEX: dict[str, Duplex] = {"duplex-long": "long", "duplex-short": "short"}


class Laid(NamedTuple):
    """A document, and what is known of its pages before any is painted.

    names  what each page is called in a file's name where each is a file of its own: a piece's
           name, else the page's number, "" where there is one only
    told   what each page's band says: its head, then its notes; () for an empty page
    page   paints one page, counted from 0, without those before it
    """

    document: Document
    names: tuple[str, ...]
    told: tuple[tuple[str, ...], ...]
    page: Callable[[int], Page]


def lay_out(job: Job, common: Common, theme: Theme, fonts: FontSet) -> Laid:
    """Return the pages of a job. Raises FitError where a part does not fit or a printer's scales and
    offsets would push it off the paper, and PnpError where a title cannot be set in the band; all
    before any page is painted.
    """
    return bind(tuple(_leaves(job, common)), job, common, theme, fonts)


def bind(leaves: tuple[Leaf, ...], job: Job, common: Common, theme: Theme, fonts: FontSet) -> Laid:
    """Return leaves as the document of a job. Raises as `lay_out` does."""
    title = common.title or job.title
    fonts.check(title)
    duplex: Duplex = "simplex"
    if any(leaf.back for leaf in leaves) and not common.single:
        duplex = _DUPLEX.get(common.backs, "simplex")
    _check_bands(leaves, theme, fonts)
    for leaf in leaves:
        _check_edges(leaf, common)

    def page(k: int) -> Page:
        return _page(leaves[k], k + 1, len(leaves), common, theme, fonts)

    told = tuple((leaf.head, *leaf.notes) if leaf.paint else () for leaf in leaves)
    names = _file_names([leaf.name for leaf in leaves])
    document = Document(
        title, lambda: map(page, range(len(leaves))), job.subject, job.keywords, duplex
    )
    return Laid(document, names if len(leaves) > 1 else ("",), told, page)


def _file_names(given: list[str]) -> tuple[str, ...]:
    """Return what tells each page's file apart: its own name, else its number, both where several
    pages have one name (two split boards have an A1 each).
    """
    often = Counter(given)
    return tuple(
        name if name and often[name] == 1 else f"{k}-{name}".rstrip("-")
        for k, name in enumerate(given, 1)
    )


def _leaves(job: Job, common: Common) -> Iterator[Leaf]:
    """Yield all pages; in duplex mode every sheet has a back, which is empty where there is none to
    print (P11)."""
    parts = [_part(part, k, job, common) for k, part in enumerate(job.parts)]
    duplex = common.backs in _DUPLEX and any(leaf.back for part in parts for leaf in part)
    for part in parts:
        for k, leaf in enumerate(part):
            yield leaf
            last = k + 1 == len(part) or not part[k + 1].back
            if duplex and not common.single and last and not leaf.back:
                yield Leaf(leaf.space, "", None, back=True)


def _part(part: Part, number: int, job: Job, common: Common) -> list[Leaf]:
    title = _title(part, job, common)
    prefix = f"p{number}-"
    if isinstance(part, Drawing):
        return list(drawing_leaves(part, title, common))
    if isinstance(part, Filling):
        return list(filling_leaves(part, title, common))
    if common.single:
        from pnp.sheet.single import single_leaves

        return list(single_leaves(part, title, common, prefix))
    from pnp.sheet.pieces import PieceSheets  # a board alone needs none of it

    sheets = PieceSheets(part, title, common, prefix)
    fronts = list(sheets.fronts())
    if not sheets.has_backs or common.backs == "fold":
        return fronts
    backs = list(sheets.backs())
    if common.backs == "separate":
        return fronts + backs
    return [leaf for pair in zip(fronts, backs, strict=True) for leaf in pair]


def _title(part: Part, job: Job, common: Common) -> str:
    if common.title is None:
        return part.title
    return common.title if len(job.parts) == 1 else f"{common.title}: {part.title}"


def _words(leaf: Leaf, number: int, count: int) -> Words:
    notes = (f"page {number} of {count}", AT_FULL_SIZE, *leaf.notes)
    return Words(leaf.head, notes, leaf.fields, leaf.map)


def _check_bands(leaves: tuple[Leaf, ...], theme: Theme, fonts: FontSet) -> None:
    """Raise the error of a band that cannot be set before anything is written."""
    seen = set()
    for k, leaf in enumerate(leaves):
        if leaf.space.side is None or leaf.paint is None:
            continue
        key = (leaf.space.band_length, len(leaf.head), leaf.notes)
        if key not in seen:
            seen.add(key)
            paint_band(leaf.space, _words(leaf, k + 1, len(leaves)), theme, fonts)


def _check_edges(leaf: Leaf, common: Common) -> None:
    """Raise FitError where what was laid out for a printer's scales and offsets would leave the
    paper: they may use up a margin, but what is beyond the edge would be cut off in silence.
    """
    if leaf.paint is None:
        return
    paper, (left, top, right, bottom) = leaf.space.paper, leaf.space.inner
    if common.back_rotate and leaf.back:
        left, right = paper.width - right, paper.width - left
        top, bottom = paper.height - bottom, paper.height - top
    dx, up = _offset(common) if leaf.back else common.front_offset
    middle, centre = paper.width / 2.0, paper.height / 2.0
    over = max(
        -(middle + (left - middle) * common.scale[0] + dx),
        middle + (right - middle) * common.scale[0] + dx - paper.width,
        -(centre + (top - centre) * common.scale[1] - up),
        centre + (bottom - centre) * common.scale[1] - up - paper.height,
    )
    if over > TOLERANCE:
        option = "--back-offset" if leaf.back else "--front-offset"
        options = [o for o, used in ((option, (dx, up) != (0.0, 0.0)),) if used]
        options += [f"--scale-{axis}" for axis, s in zip("xy", common.scale, strict=True) if s > 1]
        remedy = "leave --single out" if common.single else "take a larger --margin"
        raise FitError(
            f"{leaf.head}: {' and '.join(options)} would take the print {format_mm(over)} over the"
            f" edge of the paper; give less, or {remedy}"
        )


def _page(
    leaf: Leaf, number: int, count: int, common: Common, theme: Theme, fonts: FontSet
) -> Page:
    paper = leaf.space.paper
    if leaf.paint is None:
        return Page(Scene(paper.width, paper.height, ()))
    face: Face = leaf.paint()
    items: tuple[Item, ...] = face.items
    if leaf.space.side is not None:
        items = (*items, paint_band(leaf.space, _words(leaf, number, count), theme, fonts))
    return Page(
        Scene(paper.width, paper.height, items, face.symbols, leaf.head),
        label=leaf.head,
        trim=leaf.trim,
        cut=face.cut,
        scale=common.scale,
        offset=_offset(common) if leaf.back else common.front_offset,
        turned=common.back_rotate and leaf.back,
    )


def _offset(common: Common) -> tuple[float, float]:
    """Return how far a back is moved on the page: right and up as one looks at it upright, which is
    left and down on a page that is turned for its printer.
    """
    right, up = common.back_offset
    return (-right, -up) if common.back_rotate else (right, up)
