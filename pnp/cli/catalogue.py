"""`pnp build all`: the catalogue into a folder, with an index page to look through."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from html import escape
from pathlib import Path

import click

from pnp.backends import svg
from pnp.backends.files import write_bytes
from pnp.cli.build import build, lay_out, options_of
from pnp.errors import PnpError
from pnp.fonts import load
from pnp.games import component
from pnp.options import COMMON, Options
from pnp.presets import Entry, catalogue, read_preset
from pnp.sheet.flat import flattened

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Print and play</title>
<style>
body {{ font: 16px/1.4 sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color:
#1d2129 }} ul {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap:
1.5rem; padding: 0 }} li {{ list-style: none }} img {{ width: 100%; height: 15rem; object-fit:
contain; background: #f1f2f4; padding: .6rem; box-sizing: border-box }} h2 {{ font-size: 1rem;
margin: .5rem 0 0 }} p {{ margin: .2rem 0 }} </style> </head> <body> <h1>Print and play</h1>
<p>Print every page at 100 %, without fitting it to the page, and measure the check bars.</p> <ul>
{items} </ul> </body> </html>
"""

_ITEM = """<li><a href="{href}"><img src="{thumb}" alt="First page of {title}"></a>
<h2><a href="{href}">{title}</a></h2>
<p>{about}</p>
<p>{pages}, {paper}</p></li>"""


def build_all(raw: Mapping[str, object], preset: Path | None) -> None:
    """Build every entry of the catalogue into `--output`, common options from the command line
    before the entry's own. Raises PnpError; files that stand already are whole.
    """
    common = {option.name for option in COMMON}
    if stranger := next((name for name in raw if name not in common), None):
        raise PnpError(f"--{stranger} is no option of `all`; it takes the common ones")
    entries = catalogue()
    from_file = read_preset(preset, {"all": ()})["all"] if preset else {}
    folder = Options((), {})
    items: list[str] = []
    with click.progressbar(
        entries, label="catalogue", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        for entry in bar:
            found = component(entry.component)
            options = options_of(found, {**entry.options, **from_file, **raw})
            folder = options
            if options.common.output.suffix.lower() == f".{options.common.format}":
                raise PnpError(f"--output {options.common.output} is one file; name a folder")
            made = build(found, options, entry.file, alone=False)
            items.append(_item(entry, options, made[0]))
            for path in made:
                click.echo(str(path))
    index = folder.common.output / "index.html"
    write_bytes(index, _PAGE.format(items="\n".join(items)).encode("utf-8"))
    click.echo(str(index))


def _item(entry: Entry, options: Options, first: Path) -> str:
    """Return the entry's part of the index, its thumbnail written."""
    found = component(entry.component)
    laid, _ = lay_out(found, options)
    folder = options.common.output / "thumbs"
    folder.mkdir(exist_ok=True)
    page = next(iter(laid.document.pages()))
    picture = svg.render(
        flattened(page), layers=False, stretch=page.scale, fonts=load(options.common.font)
    )
    write_bytes(folder / f"{entry.file}.svg", picture.encode("utf-8"))
    count = len(laid.names)
    return _ITEM.format(
        href=escape(first.name, quote=True),
        thumb=escape(f"thumbs/{entry.file}.svg", quote=True),
        title=escape(laid.document.title),
        about=escape(entry.about or found.help),
        pages="1 page" if count == 1 else f"{count} pages",
        paper=escape(options.common.paper.name),
    )
