"""A component becomes files: its options from what was asked, its pages, what lies beside them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pnp.cli.params import typed
from pnp.games import Component
from pnp.options import Common, Options
from pnp.terminal import detail, quiet, verbose

if TYPE_CHECKING:
    from pnp.output import Tick
    from pnp.sheet.layout import Laid


def options_of(found: Component, raw: Mapping[str, object]) -> Options:
    """Return the options of a component from raw values, those of its `--printer` underneath.

    Raises PnpError for a wrong value and for a printer that is not known.
    """
    values = typed(found, raw)
    if values.get("printer"):
        from pnp import printers

        values = {**printers.load(str(values["printer"]), os.environ), **values}
    return Options(found.options, values, os.environ)


def build(found: Component, options: Options, stem: str, *, alone: bool = True) -> tuple[Path, ...]:
    """Build one component and return the files made. Raises PnpError; then no file was touched."""
    from pnp import fonts, output

    laid, sidecars = lay_out(found, options)
    path = output.target(options.common, stem, alone=alone)
    font = fonts.load(options.common.font)
    with progress(laid, found.name) as tick:
        made = output.write(laid, path, options.common, font, tick)
    return made + write_sidecars(sidecars, path)


def tell_made(what: str, made: Sequence[Path], began: float) -> None:
    """Tell those who asked for more how many files were made, what they weigh and how long it took.

    `began` is what `time.monotonic` said at the beginning.
    """
    if not verbose():
        return
    files = "1 file" if len(made) == 1 else f"{len(made)} files"
    weight = sum(path.stat().st_size for path in made) / 1000
    detail(f"{what}: {files}, {weight:.1f} KB, {time.monotonic() - began:.2f} s")


def write_sidecars(sidecars: tuple[tuple[str | Path, str], ...], path: Path) -> tuple[Path, ...]:
    """Write what a component puts beside its sheets, and return the files. Raises FileError."""
    from pnp.backends.files import write_bytes

    made: list[Path] = []
    for suffix, text in sidecars:
        made.append(suffix if isinstance(suffix, Path) else path.with_suffix(suffix))
        write_bytes(made[-1], text.encode("utf-8"))
    return tuple(made)


def lay_out(found: Component, options: Options) -> tuple[Laid, tuple[tuple[str | Path, str], ...]]:
    """Return a component's pages, and the files that go beside them. Raises PnpError."""
    from pnp import fonts, themes
    from pnp.sheet import layout

    common: Common = options.common
    font, theme = fonts.load(common.font), themes.load(common.theme)
    job = found.build(options, theme, font)
    return layout.lay_out(job, common, theme, font), job.sidecars


@contextmanager
def progress(laid: Laid, label: str) -> Iterator[Tick]:
    """Show a bar while pages are drawn, where a person looks at a terminal and there are many."""
    from pnp.output import no_tick

    if len(laid.names) < 8 or quiet() or not sys.stderr.isatty():
        yield no_tick
        return
    with click.progressbar(length=len(laid.names), label=label, file=sys.stderr) as bar:
        yield lambda: bar.update(1)
