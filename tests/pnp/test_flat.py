"""A page drawn as a picture shows what its PDF shows."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from pnp.backends import pdf, png
from pnp.document import Document, Page
from pnp.scene import Circle, Line, Polygon, Scene, Style
from pnp.sheet.flat import flattened

ITEMS = (
    Polygon(((10, 10), (40, 10), (40, 50)), Style(fill="#aa0000")),
    Circle(60, 30, 9, Style(stroke="#0000aa", width=2)),
    Line(((20, 70), (70, 60)), Style(stroke="#000000", width=1)),
)


@pytest.mark.parametrize(
    "page",
    [
        {"scale": (1.03, 0.98)},
        {"offset": (2.0, 5.0)},
        {"turned": True},
        {"turned": True, "scale": (1.05, 0.95), "offset": (-3.0, 4.0)},
    ],
)
def test_scales_turn_and_offset_are_those_of_the_pdf(
    page: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = Page(Scene(90, 80, ITEMS), **page)
    monkeypatch.setitem(sys.modules, "cairosvg", None)  # the renderer of the PDF below
    shown = png.render(flattened(sheet), 127, stretch=sheet.scale)
    out = io.BytesIO()
    pdf.write(Document("T", lambda: [sheet]), out)
    document = pypdfium2.PdfDocument(out.getvalue())
    # a hair less than 127 dpi, since pypdfium2 rounds the number of pixels up
    expected = document[0].render(scale=126.999 / 72).to_numpy()[:, :, :3]
    document.close()
    picture = np.asarray(Image.open(io.BytesIO(shown)).convert("RGB"))[:, :, ::-1]
    rows, columns = picture.shape[:2]
    differing = np.abs(picture.astype(int) - expected[:rows, :columns].astype(int)).max(axis=2) > 64
    assert differing.mean() < 0.002
