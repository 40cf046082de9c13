"""`pnp build`: components become files."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pnp.cli.params import (
    common_options,
    given,
    own_options,
    parameters,
    typed,
    write_options,
)
from pnp.errors import PnpError
from pnp.games import Component, component, names
from pnp.options import COMMON, Common, Options
from pnp.terminal import detail, files, loudness, quiet, say, words

if TYPE_CHECKING:
    from pnp.output import Tick
    from pnp.sheet.layout import Laid

ALL = "all"
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "hex": (
        "pnp build hex --size 14 --style circles --stones",
        "pnp build hex --cell-size 26mm --split",
        "pnp build hex --theme colour-blind --format png --output hex.png",
    ),
    "mini-hex": (
        "pnp build mini-hex --size 5 --pen crayon",
        "pnp build mini-hex --puzzles puzzles.txt",
    ),
    "focus": (
        "pnp build focus --setup --no-pieces",
        "pnp build focus --rim 3mm --disc 25mm",
    ),
    "spiral": (
        "pnp build spiral --style plain --label-place middle",
        "pnp build spiral --card-size poker --backs duplex-long",
    ),
    "lightning": (
        "pnp build lightning --tile-size 22mm --backs duplex-long --printer office",
        "pnp build lightning --no-board --count III=20 --coloured",
    ),
    "hex-lightning": (
        "pnp build hex-lightning --families VV,MM --each 9 --style arc",
        "pnp build hex-lightning --count VM2L=9 --set mine.toml",
    ),
    "kit": (
        "pnp build kit --game spiral",
        "pnp build kit --game lightning --only III=3",
    ),
    ALL: (
        "pnp build hex",
        "pnp build hex focus --paper letter --output sheets",
        "pnp build all --theme grey",
    ),
}
"""What one may type, for the help of each component, and of none."""


class Build(click.Command):
    """A command whose options follow from the components that are named."""

    components: tuple[Component, ...] = ()

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Add the options of the components in `args`, then parse."""
        # while a name is being completed it may be none yet
        known = set(names()) if extra.get("resilient_parsing") else set(named(args)) - {ALL}
        self.components = tuple(component(name) for name in named(args) if name in known)
        own = parameters(own_options(self.components).values())
        common = parameters(common_options(self.components))
        self.params = [
            click.Argument(["name"], nargs=-1, required=False, shell_complete=words(*names(), ALL)),
            *own,
            *common,
            click.Option(
                ["--preset"],
                metavar="FILE.toml",
                help="a TOML file of options, or the name of one that pnp has; the command line wins",
                shell_complete=files,
            ),
            *loudness(),
        ]
        return super().make_context(info_name, args, parent, **extra)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the components' own options first, then the common ones."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        own = {name.replace("-", "_") for name in own_options(self.components)}
        if self.components:
            title = "Options of " + ", ".join(c.name for c in self.components)
            write_options(formatter, ctx, title, [o for o in options if o.name in own])
        else:
            with formatter.section("Components"):
                formatter.write_dl([(name, component(name).help) for name in names()])
        write_options(formatter, ctx, "Common options", [o for o in options if o.name not in own])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write examples of the components that are named."""
        shown = [c.name for c in self.components] or [ALL]
        with formatter.section("Examples"):
            for name in shown:
                for line in EXAMPLES[name]:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")
        super().format_epilog(ctx, formatter)


def named(args: Sequence[str]) -> tuple[str, ...]:
    """Return the names of components in a command line: the words that stand where no option's
    value can stand, and, for the options of components that are not known yet, words that are
    names.
    """
    valued = {f"--{option.name}" for option in COMMON if option.kind != "flag"} | {"--preset"}
    known = {*names(), ALL}
    found: list[str] = []
    before = ""
    for word in args:
        if word == "--":
            break
        free = not word.startswith("-") and before not in valued
        if free and (word.lower() in known or not before.startswith("-")):
            found.append(word.lower())
        before = word
    return tuple(dict.fromkeys(found))


@click.command(
    "build",
    cls=Build,
    epilog="All options of a component: pnp build NAME --help. "
    "`pnp build all` makes the catalogue, with an index page.",
)
def command(name: tuple[str, ...], preset: str | None, **params: object) -> None:
    """Make the files of one component or more, or of the whole catalogue: pnp build all."""
    wanted = tuple(dict.fromkeys(word.lower() for word in name))
    raw = given(params)
    if not wanted:
        raise PnpError(f"name a component: {', '.join(names())}, or all")
    if ALL in wanted:
        if len(wanted) > 1:
            raise PnpError("`all` stands alone")
        from pnp.cli.catalogue import build_all

        status = build_all(raw, Path(preset) if preset else None)
        click.get_current_context().exit(status)
    components = tuple(component(word) for word in wanted)
    presets = _presets(components, preset)
    alone = len(components) == 1
    jobs = [(found, options_of(found, presets[found.name] | raw)) for found in components]
    for found, options in jobs:
        began = time.monotonic()
        made = build(found, options, found.name, alone=alone)
        for path in made:
            say(str(path))
        detail(f"{found.name}: {weighed(made)}, {time.monotonic() - began:.2f} s")


def options_of(found: Component, raw: Mapping[str, object]) -> Options:
    """Return the options of a component from raw values, those of its `--printer` underneath.

    Raises PnpError for a wrong value and for a printer that is not known.
    """
    values = typed(found, raw)
    if values.get("printer"):
        from pnp import printers

        values = {**printers.load(str(values["printer"]), os.environ), **values}
    return Options(found.options, values, os.environ)


def _presets(
    components: Sequence[Component], preset: str | None
) -> Mapping[str, dict[str, object]]:
    if preset is None:
        return {found.name: {} for found in components}
    from pnp.presets import read_preset

    return read_preset(Path(preset), {found.name: found.options for found in components}, names())


def build(found: Component, options: Options, stem: str, *, alone: bool = True) -> tuple[Path, ...]:
    """Build one component and return the files made. Raises PnpError; then no file was touched."""
    from pnp import fonts, output

    laid, sidecars = lay_out(found, options)
    path = output.target(options.common, stem, alone=alone)
    font = fonts.load(options.common.font)
    with progress(laid, found.name) as tick:
        made = output.write(laid, path, options.common, font, tick)
    return made + write_sidecars(sidecars, path)


def weighed(made: Sequence[Path]) -> str:
    """Return how many files were made and what they weigh."""
    files = "1 file" if len(made) == 1 else f"{len(made)} files"
    return f"{files}, {sum(path.stat().st_size for path in made) / 1000:.1f} KB"


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
