"""A font of four characters for tests of `--font`, made with fontTools."""

from __future__ import annotations

from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

ASTRAL = "\U0001f3b2"  # a die


def user_font(path: Path, *, embedding: int = 0) -> Path:
    """Write a small font: A (square), B (A twice, as a composite), i, and an astral character."""

    def box(left: int, bottom: int, right: int, top: int) -> TTGlyphPen:
        pen = TTGlyphPen(None)
        pen.moveTo((left, bottom))
        pen.lineTo((left, top))
        pen.lineTo((right, top))
        pen.lineTo((right, bottom))
        pen.closePath()
        return pen

    twice = TTGlyphPen({"A": None})
    twice.addComponent("A", (1, 0, 0, 1, 0, 0))
    twice.addComponent("A", (0.5, 0, 0, 0.5, 600, 0))
    round_one = TTGlyphPen(None)
    round_one.qCurveTo((0, 0), (0, 1000), (1000, 1000), (1000, 0), None)
    round_one.closePath()
    build = FontBuilder(1000, isTTF=True)
    build.setupGlyphOrder([".notdef", "space", "A", "B", "die"])
    build.setupCharacterMap({0x20: "space", 0x41: "A", 0x42: "B", ord(ASTRAL): "die"})
    build.setupGlyf(
        {
            ".notdef": box(0, 0, 500, 700).glyph(),
            "space": TTGlyphPen(None).glyph(),
            "A": box(100, 0, 500, 700).glyph(),
            "B": twice.glyph(),
            "die": round_one.glyph(),
        }
    )
    advances = {".notdef": 600, "space": 300, "A": 600, "B": 1200, "die": 1100}
    build.setupHorizontalMetrics({name: (width, 0) for name, width in advances.items()})
    build.setupHorizontalHeader(ascent=800, descent=-200)
    build.setupNameTable({"familyName": "Test", "styleName": "Regular"})
    build.setupOS2(sTypoAscender=800, fsType=embedding)
    build.setupPost()
    build.save(path)
    return path
