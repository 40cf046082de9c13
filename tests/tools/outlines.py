"""Reads the paths of an SVG back into points, so that tests can measure what was drawn."""

from __future__ import annotations

import re
from itertools import pairwise

Point = tuple[float, float]

_TOKEN = re.compile(r"([MLHVQCZmlhvqcz])|(-?(?:\d+\.?\d*|\.\d+))")
_SIZE = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6}


def path_points(d: str, parts: int = 16) -> list[Point]:
    """Return points on a path: its corners, and `parts` on each of its curves."""
    out: list[Point] = []
    here = start = (0.0, 0.0)
    command, numbers = "", [float(0)] * 0
    for letter, figure in _TOKEN.findall(d):
        if letter:
            assert not numbers, f"{command} has figures too many"
            command = letter
            if letter in "Zz":
                here = start
            continue
        numbers.append(float(figure))
        if len(numbers) < _SIZE[command.upper()]:
            continue
        points = _absolute(command, numbers, here)
        if command in "Mm":
            start = points[0]
            out.append(start)
        else:
            out += _along([here, *points], parts)
        here, numbers = points[-1], []
        command = {"M": "L", "m": "l"}.get(command, command)
    return out


def _absolute(command: str, numbers: list[float], here: Point) -> list[Point]:
    x, y = here if command.islower() else (0.0, 0.0)
    if command in "Hh":
        return [(x + numbers[0], here[1])]
    if command in "Vv":
        return [(here[0], y + numbers[0])]
    return [(x + a, y + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]


def _along(control: list[Point], parts: int) -> list[Point]:
    """Return points along a line or curve, by halving between its control points."""
    if len(control) == 2:
        return control[1:]
    out = []
    for k in range(1, parts + 1):
        t, level = k / parts, control
        while len(level) > 1:
            level = [
                (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for a, b in pairwise(level)
            ]
        out.append(level[0])
    return out


def only_polygons(text: str) -> str:
    """Return an SVG with its paths as polygons and polylines, curves as four lines each."""

    def flat(match: re.Match[str]) -> str:
        tag = "polyline" if 'fill="none"' in match[2] else "polygon"
        parts = [path_points(part, 4) for part in re.findall("M[^M]+", match[1])]
        lists = [" ".join(f"{x:.3f},{y:.3f}" for x, y in part) for part in parts]
        return "".join(f'<{tag} points="{points}"{match[2]}/>' for points in lists)

    return re.sub(r'<path d="([^"]*)"([^>]*?)/>', flat, text)
