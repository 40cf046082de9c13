"""What text measures, and where it stands: the one place that every backend and every layout asks.

A FontSet has a regular and a bold face: the shipped subset of DejaVu Sans, or one file of the
user's for both. All lengths are in mm; y points down, the origin is the start of the baseline.
There is no kerning.
"""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache
from pathlib import Path

from pnp import resources
from pnp.errors import FileError, PnpError
from pnp.fonts_ttf import Face
from pnp.geometry import Box, Point, bounds, rotate, shift
from pnp.scene import Anchor, Text, VAlign, Weight

_SHIPPED: dict[Weight, str] = {"regular": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf"}


class FontSet:
    """The faces of one job. Make it with `load`; it may be shared by all documents of a process."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._faces: dict[Weight, Face] = {}
        if path is not None:
            face = _read(path, f"the font {path}")
            if face.embedding & 0x000F == 0x0002 or face.embedding & 0x0300:
                raise PnpError(
                    f"the font {path} forbids embedding in a document; give another --font FILE.ttf"
                )
            self._faces = {"regular": face, "bold": face}

    def face(self, weight: Weight = "regular") -> Face:
        """Return the face of a weight; the shipped ones are read when first used."""
        if weight not in self._faces:
            path = resources.find("fonts", _SHIPPED[weight])
            self._faces[weight] = _read(path, f"the shipped font {path}")
        return self._faces[weight]

    def width(self, text: str, size: float, weight: Weight = "regular") -> float:
        """Return the advance of a line of text in mm. A missing character counts nothing."""
        face = self.face(weight)
        return size / face.units * sum(face.advance(ord(c)) for c in compose(text))

    def ink(self, text: str, size: float, weight: Weight = "regular") -> Box:
        """Return the box of the ink in mm from the start of the baseline; all 0 for blanks."""
        face = self.face(weight)
        pen = 0
        left = top = math.inf
        right = bottom = -math.inf
        for char in compose(text):
            advance, box = face.metrics(ord(char))
            if box:
                left, right = min(left, pen + box[0]), max(right, pen + box[2])
                top, bottom = min(top, -box[3]), max(bottom, -box[1])
            pen += advance
        if left > right:
            return (0.0, 0.0, 0.0, 0.0)
        scale = size / face.units
        return (left * scale, top * scale, right * scale, bottom * scale)

    def cap_height(self, size: float, weight: Weight = "regular") -> float:
        """Return the height of the capital H in mm (0.7 of the size where the font has none)."""
        face = self.face(weight)
        box = face.metrics(ord("H"))[1]
        return size * (box[3] / face.units if box else 0.7)

    def pens(self, text: str, weight: Weight = "regular") -> list[tuple[str, int]]:
        """Return each character as it is drawn and where it starts, in font units.

        `face(weight).steps(ord(character))` is its outline; `face(weight).units` make one em.
        """
        face = self.face(weight)
        out, pen = [], 0
        for char in compose(text):
            out.append((char, pen))
            pen += face.advance(ord(char))
        return out

    def missing(self, text: str, weight: Weight = "regular") -> tuple[str, ...]:
        """Return the characters of `text` that the face cannot draw, each once, in their order."""
        return _missing(self, text, weight)

    def check(self, text: str, weight: Weight = "regular") -> None:
        """Raise PnpError that names the first character that cannot be drawn, and `--font`.

        In a user's font a character whose outline is damaged is refused here too, before it reaches
        a backend.
        """
        for char in self.missing(text, weight):
            shown = f"{char!r} " if char.isprintable() else ""
            name = unicodedata.name(char, "")
            what = f"{shown}U+{ord(char):04X}" + (f" ({name})" if name else "")
            whose = "the shipped font" if self.path is None else f"the font {self.path}"
            one = "a" if self.path is None else "another"
            raise PnpError(
                f"{whose} has no character {what}, wanted in {ascii_safe(text)}; "
                f"give {one} font that has it with --font FILE.ttf"
            )
        if self.path is not None:
            for char in compose(text):
                self.face(weight).metrics(ord(char))

    def place(self, item: Text) -> Point:
        """Return where the baseline starts relative to (item.x, item.y), before its turn there."""
        return _place(self, item.text, item.size, item.anchor, item.valign, item.weight)

    def text_box(self, item: Text) -> Box:
        """Return the box of a text's ink where it stands, turned as it is."""
        left, top, right, bottom = self.ink(item.text, item.size, item.weight)
        dx, dy = self.place(item)
        corners = shift(
            ((left, top), (right, top), (right, bottom), (left, bottom)), item.x + dx, item.y + dy
        )
        return bounds(rotate(corners, item.turn, (item.x, item.y)) if item.turn else corners)


def load(path: Path | None = None) -> FontSet:
    """Return the shipped fonts, or the user's font file for both weights.

    Raises FileError where the file cannot be read, PnpError where it is not a TrueType font or may
    not be embedded.
    """
    return _shipped() if path is None else FontSet(path)


@lru_cache(maxsize=1)
def _shipped() -> FontSet:
    return FontSet()


# The labels of a board come again on every page and in every format; so these two are remembered.


@lru_cache(maxsize=8192)
def _missing(fonts: FontSet, text: str, weight: Weight) -> tuple[str, ...]:
    cmap = fonts.face(weight).cmap
    return tuple(dict.fromkeys(c for c in compose(text) if ord(c) not in cmap))


@lru_cache(maxsize=8192)
def _place(
    fonts: FontSet, text: str, size: float, anchor: Anchor, valign: VAlign, weight: Weight
) -> Point:
    left, top, right, bottom = fonts.ink(text, size, weight) if valign == "ink" else (0.0,) * 4
    if valign == "ink" and anchor == "middle":
        return (-(left + right) / 2.0, -(top + bottom) / 2.0)
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    dx = -share * fonts.width(text, size, weight) if share else 0.0
    if valign == "baseline":
        return (dx, 0.0)
    if valign == "cap":
        return (dx, fonts.cap_height(size, weight) / 2.0)
    return (dx, -(top + bottom) / 2.0)


def _read(path: Path, name: str) -> Face:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileError(
            f"{name} cannot be read: {error.strerror}; give another --font FILE.ttf"
        ) from error
    return Face(data, name)


def compose(text: str) -> str:
    """Return the text as it is drawn: accents joined to their letters where they can be (NFC)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def ascii_safe(text: str) -> str:
    """Return a text quoted for a message, short, with nothing in it that a terminal would obey."""
    return (
        repr(text if len(text) <= 40 else text[:39] + "…")
        .encode("utf-8", "backslashreplace")
        .decode("utf-8")
    )


def direction(degrees: float) -> Point:
    """Return cosine and sine of an angle, exact for quarter turns."""
    quarter, rest = divmod(degrees, 90.0)
    if rest == 0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    angle = math.radians(degrees)
    return (math.cos(angle), math.sin(angle))
