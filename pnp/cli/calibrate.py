"""`pnp calibrate`: a sheet that measures a printer, and the file that keeps what was found."""

from __future__ import annotations

import os
import time

import click

from pnp import fonts, output, printers, themes
from pnp.cli.making import tell_made
from pnp.cli.params import OptionParameter, given
from pnp.options import COMMON, Option, Options, Value
from pnp.terminal import loudness, say

TILE = 23.0
"""The tiles of Lightning: a grid that is printed on both sides (P9)."""

OWN = (
    Option(
        "tile-size", "length", "side of the tiles whose grid is printed", TILE, least=5, most=200
    ),
    Option(
        "backs",
        "choice",
        "where the back is printed",
        "duplex-long",
        choices=("duplex-long", "duplex-short", "separate", "none"),
    ),
    Option(
        "printer",
        "text",
        "keep the offsets and scales of this command line in a file for `--printer NAME`",
        metavar="NAME",
    ),
)
TAKEN = (
    *("paper", "orientation", "margin", "gutter", "marks", "format", "dpi", "theme", "output"),
    *("title", "font", *printers.KEPT),
)
"""The common options that change the sheet."""

_OPTIONS = {o.name: o for o in (*OWN, *(o for o in COMMON if o.name in TAKEN))}


@click.command(
    "calibrate",
    params=[*(OptionParameter(option) for option in _OPTIONS.values()), *loudness()],
    epilog="\b\nExamples:\n  pnp calibrate\n  pnp calibrate --printer office --scale-x 1.004 --back-offset 0.5,-1\n\n"
    "How to read the sheet stands on it. What you find is kept so: "
    "pnp calibrate --printer office --scale-x 1.004 --back-offset 0.5,-1. "
    "Then: pnp build lightning --printer office. Profiles lie in the folder PNP_PRINTERS, "
    "else among your configurations, under pnp/printers.",
)
def command(**params: object) -> None:
    """Print a page that measures your printer for offsets and scales.

    The grid is that of tiles, laid as they are. Without --backs none it is printed on both sides,
    to see how far the backs lie off.
    """
    values = {name: _OPTIONS[name].parse(raw) for name, raw in given(params).items()}
    name = values.get("printer")
    kept = {} if name is None else _kept(str(name))
    options = Options(OWN, {**kept, **values}, os.environ)
    common = options.common
    font, theme = fonts.load(common.font), themes.load(common.theme)

    from pnp.sheet.calibration import calibration

    laid = calibration(options.length("tile-size"), common, theme, font)
    path = output.target(common, "calibrate")
    began = time.monotonic()
    made = output.write(laid, path, common, font)
    for file in made:
        say(str(file))
    tell_made("calibrate", made, began)
    measured = {key: value for key, value in values.items() if key in printers.KEPT}
    if name is not None and measured:
        say(str(printers.save(str(name), measured, os.environ)))


def _kept(name: str) -> dict[str, Value]:
    """Return what a profile holds already; nothing where it is new, for it is then being made."""
    path = printers.find(name, os.environ)
    return printers.load(name, os.environ) if path.exists() else {}
