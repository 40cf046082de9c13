"""What the studio makes: a page as SVG with what is known about it, and files to download."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pnp.errors import PnpError
from pnp.sheet.job import Filling, Job, Pieces
from pnp.studio.asked import Asked, Refused, fault, read
from pnp.studio.controls import options_of
from pnp.studio.kinds import Gallery
from pnp.units import to_pixels

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.sheet.layout import Laid
    from pnp.themes import Theme

MOST_PIECES = 50_000
MOST_PAGES = 1_000
MOST_PIXELS = 80_000_000
"""Of a page; A2 at 600 dpi has 139 million."""
MOST_SHOWN = 12_000_000
"""Characters of a drawing; a page has a tenth of a million to a quarter."""

TYPES = {
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".zip": "application/zip",
    ".csv": "text/csv; charset=utf-8",
    ".toml": "application/toml; charset=utf-8",
}


class Made(NamedTuple):
    """An answer: facts for the page, and bytes: an SVG, or the file that `facts` names."""

    facts: Mapping[str, object]
    data: bytes = b""


class _Work(NamedTuple):
    """What is laid out for one set of options."""

    job: Job
    laid: Laid
    theme: Theme
    fonts: FontSet


class Studio:
    """Draws what pages ask for. `folder` is for the texts that a page sends."""

    def __init__(self, folder: Path, environ: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._environ = os.environ if environ is None else environ
        self._gallery = Gallery()
        self._last: tuple[object, _Work] | None = None

    def answer(self, task: Mapping[str, object]) -> Made:
        """Return what a task asks for: with a "file" a file, else a drawing. Raises Refused."""
        asked = read(task, self._folder, self._environ)
        try:
            if "file" in task:
                return self._file(asked, str(task["file"]))
            return self._drawing(asked, self._work(asked, task.get("texts")), task.get("page"))
        except PnpError as error:
            known = options_of(asked.component)
            raise Refused(fault(error, known, self._folder)) from None

    def _work(self, asked: Asked, texts: object) -> _Work:
        """Return what is laid out, at once where only the page is another. What a printer's profile
        holds may have changed meanwhile.
        """
        key = (asked.component.name, dict(asked.given), texts)
        if self._last is None or self._last[0] != key or "printer" in asked.given:
            self._last = (key, self._laid(asked))
        return self._last[1]

    def _laid(self, asked: Asked) -> _Work:
        from pnp import fonts, themes
        from pnp.sheet import layout

        common = asked.options.common
        font, theme = fonts.load(), themes.load(common.theme)
        job = asked.component.build(asked.options, theme, font)
        pieces = sum(p.count for part in job.parts if isinstance(part, Pieces) for p in part.pieces)
        _bound(pieces * common.copies, MOST_PIECES, "pieces")
        laid = layout.lay_out(job, common, theme, font)
        _bound(len(laid.names), MOST_PAGES, "pages")
        return _Work(job, laid, theme, font)

    def _drawing(self, asked: Asked, work: _Work, wanted: object) -> Made:
        from pnp.backends import svg
        from pnp.sheet.flat import flattened

        job, laid, theme, font = work
        common = asked.options.common
        count = len(laid.told)
        number = wanted if isinstance(wanted, int) else 1
        number = min(max(number, 1), count)
        page = laid.page(number - 1)
        if common.cut_only:
            page = page._replace(scene=page.scene._replace(items=(), symbols={}))
        picture = svg.render(
            flattened(page), layers=common.cut_layer, stretch=page.scale, fonts=font
        )
        _bound(len(picture), MOST_SHOWN, "characters of SVG", "; take a smaller --paper or fewer")
        facts = {
            "command": asked.command(),
            "page": number,
            "pages": [told[0] if told else "empty" for told in laid.told],
            "notes": list(laid.told[number - 1][1:]),
            "size": [page.scene.width, page.scene.height],
            "sheets": -(-count // 2) if laid.document.duplex != "simplex" else count,
            "totals": _totals(job, laid, common.copies),
            "kinds": self._gallery.kinds(asked, job, theme, font),
            "files": _beside(asked, job),
        }
        return Made(facts, picture.encode("utf-8"))

    def _file(self, asked: Asked, suffix: str) -> Made:
        name = asked.component.name
        if suffix == ".toml" and name == "hex-lightning":
            from pnp.games.hex_lightning.sets import tile_set

            chosen, _ = tile_set(asked.options)
            return _named("set.toml", chosen.toml().encode("utf-8"))
        job, laid, _, font = self._laid(asked)
        if suffix != f".{asked.options.common.format}":
            for beside, text in job.sidecars:
                if beside == suffix:
                    return _named(f"{name}{suffix}", text.encode("utf-8"))
            raise PnpError(f"there is no {suffix!r} of {name}")
        return _printed(name, asked, laid, font)


def _printed(name: str, asked: Asked, laid: Laid, font: FontSet) -> Made:
    """Return the file, or all files of several pages in a ZIP, as `pnp build` makes them."""
    from pnp import output

    common = asked.options.common
    if common.format == "pdf":
        from pnp.backends import pdf

        held = BytesIO()
        layer, width = common.cut_layer, common.cut_width
        pdf.write(laid.document, held, fonts=font, cut_layer=layer, cut_width=width)
        return _named(f"{name}.pdf", held.getvalue())
    files: dict[str, bytes] = {}
    for page, own in zip(laid.document.pages(), laid.names, strict=True):
        if common.cut_only and not page.cut:
            continue
        if common.format == "png":
            across, down = page.scene.width, page.scene.height
            pixels = to_pixels(across, common.dpi) * to_pixels(down, common.dpi)
            _bound(pixels, MOST_PIXELS, "pixels a page", "; take a lower --dpi")
        file = f"{name}-{own}.{common.format}" if own else f"{name}.{common.format}"
        files[file] = output.picture(page, common, font)
    if not files:
        raise PnpError(f"{laid.document.title} has nothing to cut out, so --cut-only makes no file")
    if len(files) == 1:
        return _named(*next(iter(files.items())))
    return _named(f"{name}-{common.format}.zip", _packed(files))


def _packed(files: Mapping[str, bytes]) -> bytes:
    """Return files in a ZIP that is the same whenever it is made."""
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    held = BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return held.getvalue()


def _named(name: str, data: bytes) -> Made:
    return Made({"name": name, "type": TYPES[Path(name).suffix]}, data)


def _bound(count: int, most: int, what: str, advice: str = "") -> None:
    if count > most:
        raise PnpError(
            f"that makes {count:,} {what}, and the studio draws up to {most:,}"
            f"{advice or '; the command line makes any number'}"
        )


def _totals(job: Job, laid: Laid, copies: int) -> list[str]:
    """Return how many of each thing there are in all: "66 tiles". What fills pages is counted by
    what the pages say.
    """
    found: Counter[str] = Counter()
    for part in job.parts:
        if isinstance(part, Pieces):
            found[part.what] += copies * sum(piece.count for piece in part.pieces)
    for what in {part.what for part in job.parts if isinstance(part, Filling)}:
        notes = (told[1].split() for told in laid.told if len(told) > 1)
        found[what] += sum(int(words[0]) for words in notes if words[1:] == [what])
    return [
        f"{count:,} {what.removesuffix('s') if count == 1 else what}"
        for what, count in found.items()
    ]


def _beside(asked: Asked, job: Job) -> list[str]:
    """Return the suffixes of the files that a page may have besides."""
    found = [suffix for suffix, _ in job.sidecars if isinstance(suffix, str)]
    return [*found, ".toml"] if asked.component.name == "hex-lightning" else found
