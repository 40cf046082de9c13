"""Documents become files: where they go, what they are called, which backend draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pnp.document import Document, Page
from pnp.errors import FileError, PnpError
from pnp.fonts import FontSet
from pnp.options import Common
from pnp.sheet.layout import Laid

Tick = Callable[[], None]


def no_tick() -> None:
    """Do nothing for a page."""


def target(common: Common, stem: str, *, alone: bool = True) -> Path:
    """Return the file for a component: `--output` itself if it ends in the format's suffix, else
    STEM in that folder, which is made.

    Raises PnpError where several components would share one file, FileError where the folder cannot
    be made.
    """
    output = common.output
    if output.suffix.lower() == f".{common.format}":
        if not alone:
            raise PnpError(f"--output {output} is one file; name a folder for several components")
        folder, path = output.parent, output
    else:
        folder, path = output, output / f"{stem}.{common.format}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise FileError(f"{folder} is a file, not a folder; choose another --output") from error
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be made: {error.strerror}") from error
    return path


def write(
    laid: Laid, path: Path, common: Common, fonts: FontSet, tick: Tick = no_tick
) -> tuple[Path, ...]:
    """Write a document to `path` and return the files made; `tick` is called for each page.

    A PDF is one file. SVG and PNG have a file for each page, named after it where there are more.
    Raises FileError where a file cannot be written, PnpError for a text that the fonts cannot draw
    and for `--cut-only` where nothing is cut.
    """
    if common.format == "pdf":
        from pnp.backends import pdf

        document = _ticking(laid.document, tick)
        layer, width = common.cut_layer, common.cut_width
        pdf.write(document, path, fonts=fonts, cut_layer=layer, cut_width=width)
        return (path,)
    from pnp.backends.files import write_bytes

    made: list[Path] = []
    for page, name in zip(laid.document.pages(), laid.names, strict=True):
        if common.cut_only and not page.cut:
            continue
        file = path.with_name(f"{path.stem}-{name}{path.suffix}") if name else path
        write_bytes(file, picture(page, common, fonts))
        made.append(file)
        tick()
    if not made:
        raise PnpError(f"{laid.document.title} has nothing to cut out, so --cut-only makes no file")
    return tuple(made)


def picture(page: Page, common: Common, fonts: FontSet) -> bytes:
    """Return a page as the bytes of an SVG or a PNG."""
    from pnp.sheet.flat import flattened

    if common.cut_only:
        page = page._replace(scene=page.scene._replace(items=(), symbols={}))
    scene = flattened(page if common.cut_layer else page._replace(cut=()))
    if common.format == "svg":
        from pnp.backends import svg

        return svg.render(scene, stretch=page.scale, fonts=fonts).encode("utf-8")
    from pnp.backends import png

    return png.render(scene, common.dpi, common.transparent, stretch=page.scale, fonts=fonts)


def _ticking(document: Document, tick: Tick) -> Document:
    def pages() -> Iterator[Page]:
        for page in document.pages():
            yield page
            tick()

    return document._replace(pages=pages)
