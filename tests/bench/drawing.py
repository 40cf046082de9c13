"""A Hex position with 60 stones as SVG and as PNG, in-process; the PNG beside cairosvg on flat polygons."""

from __future__ import annotations

import random

import cairosvg

from pnp import themes
from pnp.backends import png, svg
from referee import diagram
from referee.core.picture import Frame
from referee.diagram import files
from referee.diagram.frames import frame_of_position
from referee.games import load
from tests.bench import table
from tests.bench.measure import Run, Times, inside, race
from tests.bench.table import Row, Section
from tests.tools.outlines import only_polygons

STONES, PIXELS = 60, 600
SVG_AIM, PNG_AIM = 5.0, 1.3
TIMES = 20
"""Pictures in each run."""


def frame() -> Frame:
    """Return an 11 × 11 position with the stones, the same each time."""
    cells = [*"r" * (STONES // 2), *"b" * (STONES // 2), *"." * (121 - STONES)]
    random.Random(11).shuffle(cells)
    game = load("Hex")
    assert game is not None
    rows = ("".join(cells[at : at + 11]) for at in range(0, 121, 11))
    return frame_of_position(game, "/".join(rows))


def measure(rounds: int) -> Section:
    """Return the rows."""
    shown = frame()
    scene = diagram.scene(shown, themes.load("colour"))
    flat = only_polygons(svg.render(scene, use=False)).encode()

    def as_svg() -> Run:
        return inside(lambda: [files.render(shown, files.Request("svg")) for _ in range(TIMES)])

    def as_png() -> Run:
        return inside(
            lambda: [
                png.render(diagram.scene(shown, themes.load("colour")), width=PIXELS)
                for _ in range(TIMES)
            ]
        )

    def cairo() -> Run:
        return inside(
            lambda: [
                cairosvg.svg2png(bytestring=flat, output_width=PIXELS, background_color="#fff")
                for _ in range(TIMES)
            ]
        )

    found: dict[str, Times] = {
        name: times.per(TIMES)
        for name, times in race({"svg": as_svg, "png": as_png, "cairo": cairo}, rounds).items()
    }
    picture = f"Hex, 11 × 11, {STONES} stones"
    return Section(
        "Pictures of positions, in-process",
        [
            Row(
                f"{picture}, to SVG",
                table.milliseconds(found["svg"]),
                aim=f"≤ {SVG_AIM:g} ms",
                reached=found["svg"].work * 1000 <= SVG_AIM,
            ),
            Row(
                f"{picture}, to PNG {PIXELS} pixels wide",
                table.milliseconds(found["png"]),
                f"cairosvg, flat polygons {table.milliseconds(found['cairo'])}",
                table.ratio(found["png"], found["cairo"]),
                f"≤ {PNG_AIM} ×",
                found["png"].work <= PNG_AIM * found["cairo"].work,
            ),
        ],
    )
