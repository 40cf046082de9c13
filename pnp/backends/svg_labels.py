"""Texts as the outlines of an SVG path.

The labels of a board come again in every picture of it, and its characters in every label; so both
are remembered. All points lie on a grid of 0.001 mm about the start of the text, so that relative
steps add up to no error.
"""

from __future__ import annotations

from functools import lru_cache

from pnp.fonts_ttf import Face


def number(value: float) -> str:
    """Return a length in mm to 0.001."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@lru_cache(maxsize=4096)
def label_path(face: Face, text: str, size: float) -> tuple[float, float, str] | None:
    """Return a text's first point in mm from the start of its baseline, and the path from there."""
    scale = 1000.0 * size / face.units
    pen, out, begin, here = 0, "", (0, 0), (0, 0)
    for char in text:
        glyph = _glyph(face, char, size)
        if glyph is not None:
            x, y, rest, end = glyph
            shift = round(pen * scale)
            if out:
                out += "m" + _pair(shift + x - here[0], y - here[1])
            else:
                begin = (shift + x, y)
            out += rest
            here = (shift + end[0], end[1])
        pen += face.advance(ord(char))
    return (begin[0] / 1000.0, begin[1] / 1000.0, out) if out else None


@lru_cache(maxsize=4096)
def _glyph(face: Face, char: str, size: float) -> tuple[int, int, str, tuple[int, int]] | None:
    """Return a character's first point in 0.001 mm, the path from there, and where that leaves the
    pen: at the beginning of its last contour. None for blanks.
    """
    steps = face.steps(ord(char))
    if not steps:
        return None
    scale = 1000.0 * size / face.units
    out: list[str] = []
    begin = round(float(steps[0][1]) * scale), -round(float(steps[0][2]) * scale)
    (x, y) = (first_x, first_y) = begin
    for step in steps[1:]:
        kind = str(step[0])
        if kind == "Z":
            out.append("z")
            x, y = first_x, first_y
            continue
        grid = [round(float(v) * scale) for v in step[1:]]
        points = [(px - x, -py - y) for px, py in zip(grid[::2], grid[1::2], strict=True)]
        dx, dy = points[-1]
        x, y = x + dx, y + dy
        if kind == "L" and not (dx and dy):
            out.append("h" + _milli(dx) if dx else "v" + _milli(dy))
        else:
            out.append(kind.lower() + " ".join(_pair(*p) for p in points).replace(" -", "-"))
        if kind == "M":
            first_x, first_y = x, y
    return (*begin, "".join(out), (x, y))


def _pair(x: int, y: int) -> str:
    return f"{_milli(x)} {_milli(y)}".replace(" -", "-")


@lru_cache(maxsize=8192)
def _milli(value: int) -> str:
    """Return whole thousandths as a decimal number, as short as can be."""
    text = number(value / 1000.0)
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
