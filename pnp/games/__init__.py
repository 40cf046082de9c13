"""The components that `pnp` prints, and the protocol by which a new one joins.

A component is one module in this package that holds a `COMPONENT`, and one line in `MODULES`. The
module says

    COMPONENT = Component(
        name="hex",                          # as typed: pnp build hex
        help="Rhombus boards for Hex.",      # one line for `pnp list`
        options=(Option("size", "int", "cells a side", default=11, least=2, most=30), ...),
        build=build,
    )

    def build(options: Options, theme: Theme, fonts: FontSet) -> Job: ...

`options` are plain data (pnp.options.Option): the command line, TOML presets, `pnp list`, the help
and any other page read the same list, so a component never touches click. In `build`, own values
come by typed getters, `options.integer("size")`, `options.flag("stones")`,
`options.maybe_length("cell-size")`, and the common ones as `options.common.labels`,
`options.common.backs`. An option that is named as a common one may be declared again to change its
help or its default. `build` raises PnpError for values that make no sense together; it does not ask
whether the picture fits: it returns a Job (pnp.sheet.job) that says how the picture looks at a
size, and the sheet layer finds paper orientation, size, yield, band, marks and backs. Everything a
build draws follows from its arguments: no clock, no chance, no reading of files but those that an
option names and the templates.

Modules are imported when they are named, so that `pnp --help` stays fast; their imports are light
too.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from pnp.errors import PnpError
from pnp.options import Option, Options, suggestion
from pnp.sheet.job import Job

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.themes import Theme

MODULES: dict[str, str] = {
    "hex": "pnp.games.hex",
    "mini-hex": "pnp.games.mini_hex",
    "focus": "pnp.games.focus",
    "spiral": "pnp.games.spiral",
    "lightning": "pnp.games.lightning",
    "hex-lightning": "pnp.games.hex_lightning",
    "kit": "pnp.games.kit",
}
"""Every component's name and module, in the order of `pnp list`."""


class Component(NamedTuple):
    """Something that can be printed. `build` raises PnpError where the options make no sense
    together.
    """

    name: str
    help: str
    options: tuple[Option, ...]
    build: Callable[[Options, Theme, FontSet], Job]


def names() -> tuple[str, ...]:
    """Return the names of all components, importing none."""
    return tuple(MODULES)


def component(name: str) -> Component:
    """Return the component called `name`. Raises PnpError, with the nearest name, for another."""
    module = MODULES.get(name.strip().lower())
    if module is None:
        hint = suggestion(name, MODULES) or "; `pnp list` shows all"
        raise PnpError(f"there is no component {name!r}{hint}")
    found: Component = import_module(module).COMPONENT
    return found
