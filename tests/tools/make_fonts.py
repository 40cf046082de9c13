"""Make the shipped fonts: small subsets of DejaVu Sans, regular and bold, and their licence.

The DejaVu fonts of the distribution are the source (Debian and Ubuntu: `apt-get install
fonts-dejavu-core`); fontTools cuts them down. Run from the top of the checkout whenever RANGES
changes:

    python tests/tools/make_fonts.py /usr/share/fonts/truetype/dejavu templates/fonts

The same source and the same fontTools give the same bytes: no time stamp is written.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

RANGES = (
    (0x0020, 0x007E),  # ASCII
    (0x00A0, 0x024F),  # Latin-1, Latin Extended A and B
    (0x02B0, 0x02FF),  # modifier letters: the ʻokina of names
    (0x0300, 0x036F),  # combining accents that have no composed letter
    (0x0370, 0x03FF),  # Greek
    (0x0400, 0x052F),  # Cyrillic
    (0x1E00, 0x1EFF),  # Latin Extended Additional: Vietnamese and Welsh names
    (0x2010, 0x2027),  # dashes, quotes, bullets
    (0x2030, 0x205E),  # per mille, primes, guillemets
    (0x2070, 0x209C),  # superscripts and subscripts
    (0x20A0, 0x20B8),  # currencies
    (0x2100, 0x214F),  # letterlike signs
    (0x2150, 0x2188),  # fractions and Roman numerals
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematics
    (0x2300, 0x230B),  # diameter, floor and ceiling
    (0x2460, 0x2473),  # figures in circles
    (0x2500, 0x257F),  # box drawing
    (0x2580, 0x259F),  # blocks
    (0x25A0, 0x25FF),  # geometric shapes
    (0x2605, 0x2606),  # stars
    (0x2610, 0x2612),  # ballot boxes
    (0x2654, 0x2667),  # chessmen and the four suits
    (0x2680, 0x2685),  # dice
    (0x26C0, 0x26C3),  # draughtsmen
    (0x2702, 0x2702),  # scissors
    (0x2713, 0x2718),  # ticks and crosses
)
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def characters() -> list[int]:
    """Return the code points of the subset; the font leaves out those that it does not draw."""
    return [code for first, last in RANGES for code in range(first, last + 1)]


def shrink(source: Path, target: Path) -> int:
    """Write the subset of the font `source` to `target`; return how many characters it draws."""
    options = subset.Options()
    options.hinting = False  # a printer does not need it, and every page would carry it
    options.layout_features = []
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6]
    options.name_languages = [0x409]
    options.glyph_names = False
    options.notdef_outline = True
    options.recalc_timestamp = False
    options.drop_tables += ["FFTM", "GDEF", "GPOS", "GSUB", "MATH", "kern", "gasp"]
    font = subset.load_font(str(source), options)
    tool = subset.Subsetter(options)
    tool.populate(unicodes=characters())
    tool.subset(font)
    font["OS/2"].recalcUnicodeRanges(font)
    subset.save_font(font, str(target), options)
    return len(font.getBestCmap())


def licence(source: Path) -> str:
    """Return the copyright notice and the licence that the font itself carries."""
    with TTFont(source) as font:
        names = font["name"]
        parts = [str(names.getName(number, 3, 1, 0x409)) for number in (0, 13)]
    return (
        "\n\n".join(part.replace("\r\n", "\n").replace("\r", "\n").strip() for part in parts) + "\n"
    )


def main(source: str, target: str) -> None:
    """Write both subsets and the licence from the folder `source` into the folder `target`."""
    into = Path(target)
    into.mkdir(parents=True, exist_ok=True)
    for name in FONTS:
        count = shrink(Path(source, name), into / name)
        print(f"{into / name}: {count} characters, {(into / name).stat().st_size} bytes")
    (into / "LICENSE-DejaVu.txt").write_text(licence(Path(source, FONTS[0])), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
