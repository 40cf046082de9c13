"""Our PDFs beside a bare reportlab script that draws the same with form objects, as whole processes.

    python tests/bench/bench_print.py [rounds]

prints for a board of 11 × 11 cells and for 101 of them in one process: median time, peak memory,
bytes, and ratios to the floor; then the same for an A4 PNG at 300 dpi beside cairosvg on flat
polygons. Rounds alternate, so that a busy machine slows both alike. The aims (print.md): one board
1.5 × the floor's time, 30 KB, 40 MiB; further boards 8 ms each; the PNG 1.3 ×.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
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

OURS = """
import sys
from pathlib import Path
from pnp.backends import pdf
from pnp.document import Document, Page
from tests.tools.scenes import board
pages = int(sys.argv[3])
document = Document("Board", lambda: (Page(board(stones=0), label="Board") for _ in range(pages)))
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


def run(script: str, font: str, pages: int, cache: str) -> Run:
    """Run a script in a process of its own; `cache` keeps compiled modules, as an install does."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.pdf")
        command = [sys.executable, "-c", script, str(out), font, str(pages)]
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = cache
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"a script failed with status {process.returncode}")
        unit = 1 if sys.platform == "darwin" else 1024  # what ru_maxrss counts in
        work = usage.ru_utime + usage.ru_stime
        return Run(seconds, work, usage.ru_maxrss * unit / 2**20, out.stat().st_size)


def table(rounds: int, cache: str) -> None:
    """Print one line for each script and number of pages."""
    font = str(ROOT / "templates" / "fonts" / "DejaVuSans.ttf")
    boards = [
        ("floor, Helvetica", FLOOR, ""),
        ("floor, our font embedded", FLOOR, font),
        ("ours", OURS, ""),
    ]
    flat = str(Path(cache, "flat.svg"))
    subprocess.run([sys.executable, "-c", FLATTEN, flat], cwd=ROOT, check=True)
    pictures = [("cairosvg, flat polygons", PNG_FLOOR, flat), ("ours", PNG_OURS, "")]
    few = max(3, rounds // 4)
    compare("1 board", boards, 1, rounds, cache)
    compare("101 boards", boards, 101, few, cache)
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
    floor = runs[scripts[0][0]]
    clock = statistics.median(r.seconds for r in floor)
    work = min(r.work for r in floor)
    print(f"{title:28} clock, median       work, least        memory    file")
    for name, results in runs.items():
        seconds = statistics.median(r.seconds for r in results)
        least = min(r.work for r in results)
        print(
            f"  {name:26} {seconds * 1000:7.1f} ms {seconds / clock:5.2f} ×"
            f"  {least * 1000:7.1f} ms {least / work:5.2f} ×"
            f"  {max(r.mebibytes for r in results):5.1f} MiB  {results[0].size / 1000:6.1f} kB"
        )


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as compiled:
        table(int(sys.argv[1]) if len(sys.argv) > 1 else 15, compiled)
