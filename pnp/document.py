"""Pages of one print job, as data between the sheet layer and the backends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from pnp.geometry import Box
from pnp.scene import Item, Scene

Duplex = Literal["simplex", "long", "short"]


class Page(NamedTuple):
    """One page. The scene is the whole paper in mm (width and height are the paper's).

    label       what the sheet says it is, "Lightning tiles 2/4 BACK, flip on the long edge"; the bookmark
    trim        the TrimBox in mm (left, top, right, bottom) where it is not the whole sheet (`--single`)
    cut         cut lines in page coordinates for `--cut-layer`: never inside a symbol, each edge once
    scale       (x, y) about the page's centre, after the layout (`--scale-x`, `--scale-y`)
    offset      (right, up) in mm as one looks at this page (`--back-offset`, backs only)
    turned      the whole page's content turned by 180 degrees (`--back-rotate 180`)
    """

    scene: Scene
    label: str = ""
    trim: Box | None = None
    cut: tuple[Item, ...] = ()
    scale: tuple[float, float] = (1.0, 1.0)
    offset: tuple[float, float] = (0.0, 0.0)
    turned: bool = False


class Document(NamedTuple):
    """A print job. `pages` is called for the pages, one at a time, so that memory stays flat.

    All pages share symbols by name: two pages that use one name for a symbol must mean the same drawing
    (the PDF writes it once as a form object).
    """

    title: str
    pages: Callable[[], Iterable[Page]]
    subject: str = ""
    keywords: tuple[str, ...] = ()
    duplex: Duplex = "simplex"
