"""A printed page as it is seen: pixels at 10 to the mm, words and where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pdfplumber
import pypdfium2

from pnp import fonts, themes
from pnp.document import Page
from pnp.errors import FitError
from pnp.games import component
from pnp.scene import Text
from pnp.sheet.layout import Laid, lay_out
from tests.pnp.printed import MM, options

SCALE = 10
"""Pixels to the mm."""


@dataclass(frozen=True)
class Word:
    """A word of a page: its text, the middle of its characters' boxes, its font size, in mm."""

    text: str
    x: float
    y: float
    size: float


class Seen:
    """One page of a PDF."""

    def __init__(self, path: Path, number: int = 0) -> None:
        with pypdfium2.PdfDocument(path) as document:
            page = document[number]
            self.width, self.height = (v * MM for v in page.get_size())
            self.pixels = page.render(scale=SCALE * MM).to_numpy()
        self.pixels = np.ascontiguousarray(self.pixels[:, :, ::-1])
        with pdfplumber.open(path) as pdf:
            words = pdf.pages[number].extract_words(extra_attrs=["size"], x_tolerance=1)
            self.curves = [
                (c["x0"] * MM, c["top"] * MM, c["x1"] * MM, c["bottom"] * MM, c)
                for c in pdf.pages[number].curves
            ]
            self.chars = [
                (c["text"], c["x0"] * MM, c["top"] * MM, c["x1"] * MM, c["bottom"] * MM, c["size"])
                for c in pdf.pages[number].chars
            ]
        self.words = [
            Word(
                w["text"], (w["x0"] + w["x1"]) / 2 * MM, (w["top"] + w["bottom"]) / 2 * MM,
                w["size"] * MM,
            )
            for w in words
        ]  # fmt: skip

    def colour(self, x: float, y: float) -> str:
        """The colour at a point in mm, `#rrggbb`."""
        r, g, b = self.pixels[int(y * SCALE), int(x * SCALE)]
        return f"#{r:02x}{g:02x}{b:02x}"

    def patch(self, x: float, y: float, half: float) -> np.ndarray:
        """The lightness of a square about a point, half a side `half` mm, as a grey print has it."""
        a, b = int((y - half) * SCALE), int((x - half) * SCALE)
        n = int(2 * half * SCALE)
        return grey(self.pixels[a : a + n, b : b + n])


def grey(pixels: np.ndarray) -> np.ndarray:
    """L* of pixels, by their luminance."""
    linear = np.where(
        pixels / 255.0 <= 0.04045, pixels / 255.0 / 12.92, ((pixels / 255.0 + 0.055) / 1.055) ** 2.4
    )
    y = linear @ np.array([0.2126390, 0.7151687, 0.0721923])
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, 24389 / 27 * y)


def laid(name: str, **given: object) -> Laid:
    """A component with these options, laid out and not yet painted."""
    chosen = options(name, **given)
    theme = themes.load(chosen.common.theme)
    job = component(name).build(chosen, theme, fonts.load())
    return lay_out(job, chosen.common, theme, fonts.load())


def pages(name: str, **given: object) -> list[Page]:
    """The painted pages of a component with these options."""
    return list(laid(name, **given).document.pages())


def settle(name: str, chosen: dict[str, object]) -> Laid | None:
    """The component laid out, every size that an error names taken up; None where an error names
    none. The sizes must build when each has been named once or twice.
    """
    for _ in range(4):
        try:
            return laid(name, **chosen)
        except FitError as error:
            if error.largest is None:
                return None
            option = str(error).split("the largest --")[1].split()[0].replace("-", "_")
            chosen = {**chosen, option: error.largest}
    raise AssertionError(f"the sizes that were named do not build: {chosen}")


def ink_of(text: Text) -> tuple[float, float, float, float]:
    """The box of a text's ink in its scene."""
    return fonts.load().text_box(text)
