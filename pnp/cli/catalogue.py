"""`pnp build all`: the catalogue into a folder, with an index page to look through."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from html import escape
from itertools import islice
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

import click

from pnp import resources
from pnp.cli.making import lay_out, options_of, tell_made, write_sidecars
from pnp.errors import FileError, PnpError
from pnp.games import component, names
from pnp.options import COMMON, Common, Options
from pnp.presets import Entry, catalogue, read_preset
from pnp.terminal import quiet, say

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.sheet.layout import Laid

THUMBS = "thumbs"
SHOWN = 5
"""Pages of an entry that the index shows."""


class Made(NamedTuple):
    """What became of one entry: its files, or what was wrong."""

    entry: Entry
    files: tuple[Path, ...] = ()
    item: str = ""
    pages: int = 0
    fault: str = ""


def build_all(raw: Mapping[str, object], preset: Path | None) -> int:
    """Build every entry of the catalogue into `--output`, common options from the command line
    before the entry's own, and return the exit status: 2 where an entry could not be made.

    An entry that fails does not stop the others. Raises PnpError for options that suit no entry and
    where the folder cannot be written; files that stand already are whole.
    """
    from pnp import fonts, themes

    known = {option.name: option for option in COMMON}
    if stranger := next((name for name in raw if name not in known), None):
        raise PnpError(f"--{stranger} is no option of `all`; it takes the common ones")
    began = time.monotonic()
    entries, results = catalogue(), []
    presets = _presets(preset, entries)
    shared = {**presets[entries[0].component], **raw}
    values = {name: known[name].parse(value) for name, value in shared.items() if name in known}
    common = Options((), values, os.environ).common
    folder = common.output
    if folder.suffix.lower() == f".{common.format}":
        raise PnpError(f"--output {folder} is one file; name a folder")
    font = fonts.load(common.font)
    themes.load(common.theme)

    with click.progressbar(
        entries, label="catalogue", file=sys.stderr, hidden=quiet() or not sys.stderr.isatty()
    ) as bar:
        for entry in bar:
            results.append(_make(entry, {**presets[entry.component], **raw}, font))
            for path in results[-1].files:
                say(str(path))
    index = _write_index(folder, results)
    return _tell(results, index, began)


def _presets(preset: Path | None, entries: Sequence[Entry]) -> Mapping[str, Mapping[str, object]]:
    """Return a preset's raw values for each component of the catalogue."""
    used = dict.fromkeys(entry.component for entry in entries)
    if preset is None:
        return {name: {} for name in used}
    return read_preset(preset, {name: component(name).options for name in used}, names())


def _make(entry: Entry, over: Mapping[str, object], font: FontSet) -> Made:
    from pnp import output

    try:
        found = component(entry.component)
        options = options_of(found, {**entry.options, **over})
        laid, sidecars = lay_out(found, options)
        path = output.target(options.common, entry.file, alone=False)
        files = output.write(laid, path, options.common, font)
        files += write_sidecars(sidecars, path)
        thumbs = _write_thumbs(laid, options.common, entry.file, font)
    except PnpError as error:
        return Made(entry, fault=str(error))
    about = entry.about or found.help
    made_by = command_line(entry.component, {**entry.options, **over})
    item = _item(laid, about, made_by, options.common, files, thumbs)
    return Made(entry, files, item, len(laid.names))


def _write_thumbs(laid: Laid, common: Common, name: str, font: FontSet) -> list[str]:
    """Write the first fronts as pictures beside the index, and return their names."""
    from pnp.backends import svg
    from pnp.backends.files import write_bytes
    from pnp.sheet.flat import flattened

    folder = common.output / THUMBS
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be made: {error.strerror}") from error
    made: list[str] = []
    fronts = (page for page in laid.document.pages() if page.label and "BACK" not in page.label)
    for number, page in enumerate(islice(fronts, SHOWN), 1):
        picture = svg.render(flattened(page), layers=False, stretch=page.scale, fonts=font)
        made.append(f"{name}-{number}.svg")
        write_bytes(folder / made[-1], picture.encode("utf-8"))
    return made


def command_line(name: str, values: Mapping[str, object]) -> str:
    """Return what one types to build a component with these raw values; where to is left out."""
    words = ["pnp", "build", name]
    for option, value in values.items():
        if option == "output":
            continue
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        else:
            each = value if isinstance(value, list | tuple) else [value]
            words += [word for one in each for word in (f"--{option}", shlex.quote(str(one)))]
    return " ".join(words)


def _item(
    laid: Laid,
    about: str,
    made_by: str,
    common: Common,
    files: tuple[Path, ...],
    thumbs: list[str],
) -> str:
    """Return the entry's part of the index."""
    count, paper = len(laid.names), common.paper.name
    more = [f'<a href="{_quoted(file.name)}">{escape(file.name)}</a>' for file in files[1:]]
    first, *others = [_quoted(f"{THUMBS}/{thumb}") for thumb in thumbs]
    strip = "".join(f'<img src="{thumb}" alt="" loading="lazy">' for thumb in others)
    return _template("item.html").substitute(
        first=_quoted(files[0].name),
        thumb=first,
        strip=f'<div class="strip">{strip}</div>' if strip else "",
        title=escape(laid.document.title),
        about=escape(about),
        command=escape(made_by),
        pages="1 page" if count == 1 else f"{count} pages",
        paper=escape(paper.upper() if paper.startswith("a") else paper),
        more="".join(f", {link}" for link in more),
    )


def _quoted(name: str) -> str:
    """Return a file's name as the address in an attribute."""
    from urllib.parse import quote

    return escape(quote(name), quote=True)


def _write_index(folder: Path, results: list[Made]) -> Path:
    from pnp.backends.files import write_bytes

    if not any(made.files for made in results):
        raise PnpError(f"nothing could be made: {results[0].fault}")
    faults = [
        f"<p><strong>{escape(made.entry.file)}</strong>: {escape(made.fault)}</p>"
        for made in results
        if made.fault
    ]
    page = _template("page.html").substitute(
        style=resources.read_text("index", "style.css"),
        items="\n".join(made.item.rstrip() for made in results if made.item),
        faults=f'<div class="faults">{"".join(faults)}</div>' if faults else "",
    )
    index = folder / "index.html"
    write_bytes(index, page.encode("utf-8"))
    return index


def _template(name: str) -> Template:
    return Template(resources.read_text("index", name))


def _tell(results: list[Made], index: Path, began: float) -> int:
    """Say what was made and what was not, and return the exit status."""
    failed = [made for made in results if made.fault]
    for made in failed:
        click.echo(f"pnp: {made.entry.file}: {' '.join(made.fault.split())}", err=True)
    pages = sum(made.pages for made in results)
    count = f"{len(results) - len(failed)} of {len(results)}" if failed else f"all {len(results)}"
    say(f"{count} made, {pages} pages; look through them in {index}")
    files = [path for made in results for path in made.files]
    tell_made("catalogue", files, began)
    return 2 if failed else 0
