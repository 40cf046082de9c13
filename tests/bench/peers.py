"""What others would do: programs for a Python of their own, and the floors. None of them is needed to run ours."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

OPEN_SPIEL = """
import sys
import pyspiel
games, plies = {}, 0

def game_of(size):
    cells = {f"{chr(97 + x)}{y + 1}": y * size + x for x in range(size) for y in range(size)}
    return pyspiel.load_game("hex", {"board_size": size}), cells

size, index, write = 11, 0, sys.stdout.write
for line in open(sys.argv[1], encoding="utf-8"):
    if line[0] == "[":
        if line.startswith("[Size"):
            size = int(line.split('"')[1])
        continue
    words = line.split()
    if not words:
        continue
    if size not in games:
        games[size] = game_of(size)
    game, cells = games[size]
    state, index, legal, over = game.new_initial_state(), index + 1, "true", False
    try:
        for word in words:
            cell = cells.get(word)
            if cell is None:
                continue
            state.apply_action_with_legality_check(cell)
            plies += 1
            over = state.is_terminal()
            if over:
                break
    except pyspiel.SpielError:
        legal = "false"
    result = "*" if not over else "1-0" if state.returns()[0] > 0 else "0-1"
    write(f'{{"index": {index}, "legal": {legal}, "plies": {plies}, "result": "{result}"}}\\n')
"""
"""Plays the cells of each record's one line of moves, with its legality check and end test, as fast as Python can."""

FPDF2 = """
import math, sys
from fpdf import FPDF
pdf = FPDF(unit="mm", format=(185, 121))
pdf.set_auto_page_break(False)
pdf.add_font("D", "", sys.argv[2])
pdf.set_font("D", size=8.5)
pdf.set_line_width(0.3)
pdf.set_draw_color(51)
pdf.set_fill_color(240, 224, 192)
R = 5 * 2 / math.sqrt(3)
for page in range(int(sys.argv[3])):
    pdf.add_page()
    for y in range(11):
        for x in range(11):
            cx, cy = 15 + 10 * x + 5 * y, 16 + 8.66 * y
            turns = [math.radians(90 + 60 * i) for i in range(6)]
            pdf.polygon([(cx + R * math.cos(a), cy + R * math.sin(a)) for a in turns], style="DF")
            label = f"{chr(97 + x)}{y + 1}"
            pdf.text(cx - pdf.get_string_width(label) / 2, cy + 1, label)
pdf.output(sys.argv[1])
"""

PROTOGRAF = """
import sys
name = sys.argv.pop()  # protograf reads the others
from protograf import *
Create(filename=name, paper="A3", margin=1)
Hexagons(rows=11, side=0.6, hex_layout="diamond", fill="#f0e0c0", stroke="#333333",
         stroke_width=0.85, coord_elevation="middle", coord_font_size=8)
Save()
"""
"""The same rhombus of 11 by 11 cells, each with its coordinates."""

PROTOGRAF_TILES = """
import sys
name = sys.argv.pop()
from protograf import *
Create(filename=name, paper="A4", units="mm", margin=13)
Deck(cards=150, width=23, height=23, grid_marks=True)
marks = [(0, 11.5, 23, 11.5), (0, 0, 23, 23), (11.5, 0, 23, 23), (11.5, 0, 0, 23), (0, 0, 23, 0)]
for n, (x0, y0, x1, y1) in enumerate(marks):
    Card(f"{30 * n + 1}-{30 * n + 30}", line(x=x0, y=y0, x1=x1, y1=y1, stroke_width=5.7),
         text("I II III IV V".split()[n], x=3, y=21, font_size=6))
CardBack("all", rectangle(x=1, y=1, width=21, height=21, fill="#cccccc"))
Save()
"""
"""The same faces with crop marks; backs of one grey square each, where ours are patterned."""

IMPORT_CLICK = "import click"


def has(package: str) -> bool:
    """Whether this Python has a package."""
    return find_spec(package) is not None


def protograf() -> tuple[str, str] | None:
    """Return the Python that has protograf, that of PROTOGRAF or else this one, and its version; None
    where neither has it.

    It wants other releases of what the tests use (Pillow before 13, one black), so that it needs a
    Python of its own.
    """
    ask = "import protograf; from importlib.metadata import version; print(version('protograf'))"
    for python in (os.environ.get("PROTOGRAF"), sys.executable):
        if python:
            try:
                told = subprocess.run(
                    [python, "-c", ask], check=True, capture_output=True, text=True
                ).stdout
            except (OSError, subprocess.CalledProcessError):
                continue
            return python, told.split()[-1]
    return None
