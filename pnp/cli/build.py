"""`pnp build`: components become files."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from pnp.cli.making import build, options_of, tell_made
from pnp.cli.params import common_options, given, own_options, parameters, write_options
from pnp.errors import PnpError
from pnp.games import Component, component, names
from pnp.options import COMMON
from pnp.terminal import files, loudness, say, words

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
        tell_made(found.name, made, began)


def _presets(
    components: Sequence[Component], preset: str | None
) -> Mapping[str, dict[str, object]]:
    if preset is None:
        return {found.name: {} for found in components}
    from pnp.presets import read_preset

    return read_preset(Path(preset), {found.name: found.options for found in components}, names())
