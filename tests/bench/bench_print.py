"""Our PDFs beside a bare reportlab script that draws the same with form objects, as whole processes.

    python -m tests.bench.bench_print [rounds]

prints median time by the clock, median and least work, peak memory, bytes, and ratios to the floor:
for commands as they are typed (a board, a hundred more of them, 150 tiles with backs, an SVG, the
help), for the PDF backend alone, and for an A4 PNG at 300 dpi beside cairosvg on flat polygons.
Rounds alternate, so that a busy machine slows all alike. The aims (print.md): one board 1.5 × the
floor's time, 30 KB, 40 MiB; tiles 1.8 × and 40 KB; further boards 8 ms and 20 KB of memory each; the
PNG 1.3 ×; the help 4 × `python -c pass` and click's import.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.bench.measure import ROOT, process

FLOOR = """
import math, sys
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
k = 72 / 25.4
font = sys.argv[2]
canvas = Canvas(sys.argv[1], pagesize=(185 * k, 121 * k), invariant=1, pageCompression=1)
name = "Helvetica"
if font:
    pdfmetrics.registerFont(TTFont("D", font, asciiReadable=False))
    name = "D"
r = 5 * k
R = r * 2 / math.sqrt(3)
canvas.beginForm("cell", -R - 1, -R - 1, R + 1, R + 1)
canvas.setLineWidth(0.3 * k)
canvas.setStrokeColorRGB(0.2, 0.2, 0.2)
canvas.setFillColorRGB(0.94, 0.88, 0.75)
path = canvas.beginPath()
for i in range(6):
    a = math.radians(90 + 60 * i)
    (path.moveTo if i == 0 else path.lineTo)(R * math.cos(a), R * math.sin(a))
path.close()
canvas.drawPath(path, stroke=1, fill=1)
canvas.endForm()
for page in range(int(sys.argv[3])):
    for y in range(11):
        for x in range(11):
            canvas.saveState()
            canvas.translate((15 + 10 * x + 5 * y) * k, (105 - 8.66 * y) * k)
            canvas.doForm("cell")
            canvas.setFont(name, 3 * k)
            canvas.drawCentredString(0, -1 * k, f"{chr(97 + x)}{y + 1}")
            canvas.restoreState()
    canvas.showPage()
canvas.save()
"""

TILES_FLOOR = """
import sys
from reportlab.pdfgen.canvas import Canvas
k = 72 / 25.4
s = 23 * k
canvas = Canvas(sys.argv[1], pagesize=(210 * k, 297 * k), invariant=1, pageCompression=1)
marks = [(0, s / 2, s, s / 2), (0, 0, s, s), (s / 2, 0, s, s), (s / 2, 0, 0, s), (0, 0, s, 0)]
for n, (x0, y0, x1, y1) in enumerate(marks):
    canvas.beginForm(f"tile{n}", 0, 0, s, s)
    path = canvas.beginPath()
    path.rect(0, 0, s, s)
    canvas.clipPath(path, stroke=0)
    canvas.setLineWidth(2 * k)
    canvas.line(x0, y0, x1, y1)
    canvas.setFont("Helvetica", 2 * k)
    canvas.drawString(k, k, "I II III IV V".split()[n])
    canvas.endForm()
canvas.beginForm("back", 0, 0, s, s)
canvas.setLineWidth(0.4 * k)
for i in range(1, 23):
    canvas.line(i * k, k, i * k, s - k)
canvas.endForm()
for first in (0, 88):
    for side in ("tile", "back"):
        for n in range(first, min(first + 88, 150)):
            column, row = (n - first) % 8, (n - first) // 8
            column = column if side == "tile" else 7 - column
            canvas.saveState()
            canvas.translate((13 + 23 * column) * k, (260 - 23 * row) * k)
            canvas.doForm(side if side == "back" else f"tile{n // 30}")
            canvas.restoreState()
        canvas.setFont("Helvetica", 3 * k)
        canvas.drawString(70 * k, 12 * k, "Lightning tiles, print at 100 %")
        canvas.showPage()
canvas.save()
"""

PASS = """
import sys
open(sys.argv[1], "w").close()
"""

CLICK = "import click" + PASS

COMMAND = """
import sys
from pnp.cli import run
out, words, copies = sys.argv[1:]
words = words.split()
if "--help" in words:
    open(out, "w").close()
else:
    words += ["--copies", copies, "--output", out]
sys.exit(run(words))
"""
"""A command as it is typed, without the script's own file: the same modules are imported."""

OURS = """
import sys
from pathlib import Path
from pnp.backends import pdf
from pnp.document import Document, Page
from tests.tools.scenes import board
pages, scene = int(sys.argv[3]), board(stones=0)
document = Document("Board", lambda: (Page(scene, label="Board") for _ in range(pages)))
pdf.write(document, Path(sys.argv[1]))
"""


PNG_FLOOR = """
import sys, cairosvg
cairosvg.svg2png(url=sys.argv[2], write_to=sys.argv[1], output_width=3508, output_height=2480,
                 background_color="#fff")
"""

PNG_OURS = """
import sys
from pathlib import Path
from pnp.backends import png
from tests.tools.scenes import a4_board
Path(sys.argv[1]).write_bytes(png.render(a4_board(), 300))
"""


FLATTEN = """
import sys
from pathlib import Path
from pnp.backends import svg
from tests.tools.outlines import only_polygons
from tests.tools.scenes import a4_board
Path(sys.argv[1]).write_text(only_polygons(svg.render(a4_board(), use=False)), encoding="utf-8")
"""


class Run(NamedTuple):
    """One process: seconds by the clock, seconds of work, MiB at most, bytes written."""

    seconds: float
    work: float
    mebibytes: float
    size: int


def run(script: str, argument: str, pages: int, cache: str) -> Run:
    """Run a script in a process of its own; `cache` keeps compiled modules, as an install does."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.svg" if "--format svg" in argument else "out.pdf")
        command = [sys.executable, "-c", script, str(out), argument, str(pages)]
        found = process(command, cache)
        return Run(found.seconds, found.work, found.mebibytes, out.stat().st_size)


def table(rounds: int, cache: str) -> None:
    """Print one line for each script and number of pages."""
    font = str(ROOT / "templates" / "fonts" / "DejaVuSans.ttf")
    floors = [("floor, Helvetica", FLOOR, ""), ("floor, our font embedded", FLOOR, font)]
    board = [*floors, ("pnp build hex", COMMAND, "build hex")]
    tiles = "build lightning --no-board --no-mats --no-card --backs duplex-long"
    flat = str(Path(cache, "flat.svg"))
    subprocess.run([sys.executable, "-c", FLATTEN, flat], cwd=ROOT, check=True)
    pictures = [("cairosvg, flat polygons", PNG_FLOOR, flat), ("ours", PNG_OURS, "")]
    few = max(3, rounds // 4)
    helps = [("python -c pass", PASS, ""), ("import click", CLICK, ""),
             ("pnp --help", COMMAND, "--help"), ("pnp build hex --help", COMMAND, "build hex --help")]  # fmt: skip
    compare("1 board", [*board, ("backend alone", OURS, "")], 1, rounds, cache)
    compare("150 tiles and backs", [("floor, Helvetica", TILES_FLOOR, ""), (tiles[:20], COMMAND, tiles)],
            1, rounds, cache)  # fmt: skip
    svg = ("pnp build hex, SVG", COMMAND, "build hex --format svg")
    compare("1 board as SVG", [floors[0], svg], 1, rounds, cache)
    compare("help", helps, 1, rounds, cache)
    compare("101 boards", [*board, ("backend alone", OURS, "")], 101, few, cache)
    compare("A4 PNG at 300 dpi", pictures, 1, few, cache)


def compare(
    title: str, scripts: list[tuple[str, str, str]], pages: int, rounds: int, cache: str
) -> None:
    """Run the scripts in turn and print their figures; the first is the floor."""
    runs: dict[str, list[Run]] = {name: [] for name, _, _ in scripts}
    for k in range(rounds + 1):
        for name, script, argument in scripts:
            found = run(script, argument, pages, cache)
            if k:  # the first compiles the modules
                runs[name].append(found)
    floor = _figures(runs[scripts[0][0]])
    print(f"{title:24} clock, median       work, median       work, least        memory    file")
    for name, results in runs.items():
        clock, work, least = _figures(results)
        print(
            f"  {name:22} {clock:7.1f} ms {clock / floor[0]:5.2f} ×  {work:7.1f} ms"
            f" {work / floor[1]:5.2f} ×  {least:7.1f} ms {least / floor[2]:5.2f} ×"
            f"  {max(r.mebibytes for r in results):5.1f} MiB  {results[0].size / 1000:6.1f} kB",
            flush=True,
        )


def _figures(results: list[Run]) -> tuple[float, float, float]:
    """Return milliseconds: by the clock and of work, median, and the least work."""
    work = [r.work * 1000 for r in results]
    clock = statistics.median(r.seconds * 1000 for r in results)
    return clock, statistics.median(work), min(work)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as compiled:
        table(int(sys.argv[1]) if len(sys.argv) > 1 else 15, compiled)
