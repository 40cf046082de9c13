"""The embedded fonts of a PDF: reportlab's subsetting over our own reader of TrueType files.

reportlab parses a whole font in Python before the first letter stands; its writer of subsets needs
only the tables that fonts_ttf has read anyway. Imported by pdf.py alone.
"""

from __future__ import annotations

import re
from typing import Any

from pnp.backends.bare import pdfdoc, ttfonts
from pnp.fonts import compose
from pnp.fonts_ttf import Face

_IN_SUBSET = ("cvt ", "fpgm", "prep", "post", "hhea", "maxp", "glyf", "head")
"""Tables that reportlab copies into a subset; a PDF needs neither names nor OS/2."""

_REMEMBERED = 2048
"""Texts of one document whose codes are kept."""


class _Face(ttfonts.TTFontFace):  # type: ignore[misc]  # reportlab has no types
    """What reportlab asks of a face, from a Face that is read already."""

    def __init__(self, face: Face, name: str) -> None:
        per_mille = 1000.0 / face.units
        self.filename = name
        self.name = name.encode()
        self.subfontNameX = b""
        self._full_font = False
        self._ttf_data = face.data
        self._pos = 0
        self.table = {
            tag: {"offset": face.tables[tag][0], "length": face.tables[tag][1]}
            for tag in _IN_SUBSET
            if tag in face.tables
        }
        self.charToGlyph = face.cmap
        self.glyphPos = face.places
        self.hmetrics = _Metrics(face)
        self.defaultWidth = face.glyph_advance(0) * per_mille
        self.bbox = [round(v * per_mille) for v in face.box]
        self.ascent = round(face.ascent * per_mille)
        self.descent = round(face.descent * per_mille)
        cap = face.metrics(ord("H"))[1]
        self.capHeight = round(cap[3] * per_mille) if cap else self.ascent
        self.italicAngle = face.italic_angle
        self.stemV = 50 + int((face.weight / 65.0) ** 2)
        bold = ttfonts.FF_FORCEBOLD if face.weight >= 600 else 0
        self.flags = ttfonts.FF_SYMBOLIC | bold | (ttfonts.FF_ITALIC if face.italic_angle else 0)
        self._face = face
        self._per_mille = per_mille

    def getCharWidth(self, code: int) -> float:  # noqa: N802 - reportlab's name
        """Return a width in thousandths of the size."""
        return (
            self._face.advance(code) * self._per_mille
            if code in self._face.cmap
            else float(self.defaultWidth)
        )


class _Metrics:
    """(advance, bearing) of each glyph, as reportlab indexes them."""

    def __init__(self, face: Face) -> None:
        self._face = face

    def __getitem__(self, glyph: int) -> tuple[int, int]:
        return (self._face.glyph_advance(glyph), self._face.bearings[glyph])


class Font(ttfonts.TTFont):  # type: ignore[misc]  # reportlab has no types
    """A font of one document, embedded as the subsets that its texts need."""

    def __init__(self, face: Face, name: str) -> None:
        self.fontName = name
        self.face = _Face(face, name)
        self.state: dict[Any, Any] = {}
        self._asciiReadable = False
        self.shapable = False
        self._pieces: dict[str, list[tuple[str, bytes]]] = {}

    def pieces(self, text: str, document: Any) -> list[tuple[str, bytes]]:
        """Return (font resource name, codes) for each stretch of `text` that lies in one subset.

        The labels of a board come again on each page, and a character keeps its code.
        """
        known = self._pieces.get(text)
        if known is None:
            if len(self._pieces) == _REMEMBERED:
                self._pieces.clear()
            split = self.splitString(compose(text), document)
            known = [(self.getSubsetInternalName(n, document)[1:], codes) for n, codes in split]
            self._pieces[text] = known
        return known

    def addObjects(self, document: Any) -> None:  # noqa: N802 - reportlab's name
        """Add the font's objects, with a table back to Unicode that reaches beyond U+FFFF."""
        subsets = self.state[document].subsets
        super().addObjects(document)
        fonts = document.idToObject["BasicFonts"].dict
        for n, codes in enumerate(subsets):
            font = fonts[f"{document.fontMapping[self.fontName][1:]}+{n}"]
            stream = document.idToObject[font.ToUnicode.name]
            stream.content = _to_unicode(codes)


def _to_unicode(codes: list[int]) -> str:
    """Return the CMap from a subset's codes to Unicode, in blocks of 100 as the format asks."""
    pairs = [
        f"<{k:02X}> <{chr(c).encode('utf-16-be').hex().upper()}>"
        for k, c in enumerate(codes)
        if c and (c != 32 or k == 32)
    ]
    blocks = [pairs[k : k + 100] for k in range(0, len(pairs), 100)]
    lines = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
        "1 begincodespacerange <00> <FF> endcodespacerange",
        *(line for block in blocks for line in (f"{len(block)} beginbfchar", *block, "endbfchar")),
        "endcmap CMapName currentdict /CMap defineresource pop end end",
    ]
    return "\n".join(lines)


def postscript_name(name: str) -> str:
    """Return a name that a PDF font may bear."""
    return re.sub(r"[^A-Za-z0-9-]", "", name) or "Font"


def new_font(face: Face, name: str) -> Font:
    """Return a font for one document. `name` is its name in the file."""
    return Font(face, postscript_name(name))


def stream(content: bytes | str) -> Any:
    """Return a compressed stream object."""
    return pdfdoc.PDFStream(content=content, filters=[pdfdoc.PDFZCompress])
