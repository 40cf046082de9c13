"""Scenes to PNG by cairosvg, or by pypdfium2 where the cairo library is missing."""

from __future__ import annotations

import io
import math
import struct
import zlib

from pnp.backends import svg
from pnp.errors import PnpError
from pnp.fonts import FontSet
from pnp.scene import Scene
from pnp.units import MM_PER_INCH, to_pixels

MAX_PIXELS = 200_000_000
MAX_SIDE = 32_767
"""The longest side that cairo draws."""

_FINE_DPI = 200.0
"""From here on a line of 0.15 mm is wider than a pixel."""


def render(
    scene: Scene,
    dpi: float = 300.0,
    transparent: bool = False,
    *,
    width: int | None = None,
    stretch: tuple[float, float] = (1.0, 1.0),
    fonts: FontSet | None = None,
) -> bytes:
    """Return a scene as a PNG of round(mm / 25.4 · dpi) pixels that states its resolution.

    The ground is white, or nothing if `transparent`. With `width` the picture is that many pixels
    wide, at whatever resolution that is. `stretch` scales it about its centre, across and down.
    Raises PnpError for a resolution or a width that gives no picture or too large a one.
    """
    across, down, dpi = _size(scene, dpi, width)
    # whole pixels are not whole mm: the paper gives way by half a pixel, the scale stays exact
    scene = scene._replace(width=across / dpi * MM_PER_INCH, height=down / dpi * MM_PER_INCH)
    try:
        data = _by_cairo(scene, across, down, transparent, stretch, fonts)
    except (ImportError, OSError):  # no cairosvg, or no cairo library behind it
        data = _by_pdfium(scene, across, down, transparent, stretch, fonts)
    return _with_resolution(data, dpi)


def drawn_by() -> str:
    """Return what draws here: "cairo", or "PDFium" where the cairo library is missing."""
    try:
        import cairosvg  # noqa: F401 - only whether it loads
    except (ImportError, OSError):
        return "PDFium"
    return "cairo"


def _size(scene: Scene, dpi: float, width: int | None) -> tuple[int, int, float]:
    """Return pixels across, pixels down and the resolution, or refuse."""
    if width is not None:
        if width < 1:
            raise PnpError(f"a picture {width} pixels wide cannot be drawn; give 1 or more")
        dpi = width / scene.width * MM_PER_INCH
        asked = f"a width of {width} pixels"
    else:
        if not dpi > 0:
            raise PnpError(f"--dpi {dpi:g} cannot be drawn; give a number above 0, such as 300")
        asked = f"--dpi {dpi:g}"
    size = f"a picture of {scene.width:g} × {scene.height:g} mm"
    if scene.width * scene.height * (dpi / MM_PER_INCH) ** 2 > MAX_PIXELS or (
        max(scene.width, scene.height) / MM_PER_INCH * dpi > MAX_SIDE
    ):
        most = min(
            MM_PER_INCH * (MAX_PIXELS / (scene.width * scene.height)) ** 0.5,
            MM_PER_INCH * MAX_SIDE / max(scene.width, scene.height),
        )
        limit = f"{int(most)} dpi" if width is None else f"{int(most / MM_PER_INCH * scene.width)}"
        raise PnpError(f"{asked} is too much for {size}; give at most {limit}")
    across = width or to_pixels(scene.width, dpi)
    down = to_pixels(scene.height, dpi)
    if across < 1 or down < 1:
        raise PnpError(f"{asked} leaves no pixel of {size}; give more")
    return across, down, dpi


def _by_cairo(
    scene: Scene,
    across: int,
    down: int,
    transparent: bool,
    stretch: tuple[float, float],
    fonts: FontSet | None,
) -> bytes:
    import cairosvg

    text = svg.render(scene, use=False, layers=False, stretch=stretch, fonts=fonts)
    data: bytes = cairosvg.svg2png(
        bytestring=text.encode(),
        output_width=across,
        output_height=down,
        background_color=None if transparent else "#ffffff",
    )
    return data


def _by_pdfium(
    scene: Scene,
    across: int,
    down: int,
    transparent: bool,
    stretch: tuple[float, float],
    fonts: FontSet | None,
) -> bytes:
    import pypdfium2
    from PIL import Image  # comes with reportlab
    from pypdfium2 import raw

    from pnp.backends import pdf

    # pdfium draws no line thinner than a pixel; so a coarse picture is drawn finer and then reduced
    finer = min(
        math.ceil(_FINE_DPI * scene.width / (across * MM_PER_INCH)), MAX_SIDE // max(across, down)
    )
    size = (across * finer, down * finer)
    document = pypdfium2.PdfDocument(
        pdf.to_bytes(scene, stretch=stretch, fonts=fonts, outlines=True)
    )
    try:
        page = document[0]
        bitmap = pypdfium2.PdfBitmap.new_native(*size, raw.FPDFBitmap_BGRA)
        bitmap.fill_rect((0, 0, 0, 0) if transparent else (255, 255, 255, 255), 0, 0, *size)
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, *size, 0, raw.FPDF_REVERSE_BYTE_ORDER)
        image = Image.frombytes("RGBA", size, bytes(bitmap.buffer), "raw", "RGBA", bitmap.stride)
        bitmap.close()
        page.close()
    finally:
        document.close()
    if finer > 1:  # colours weighed by how much of them there is
        image = image.convert("RGBa").reduce(finer).convert("RGBA")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _with_resolution(png: bytes, dpi: float) -> bytes:
    """Return the PNG with its pixels a metre (pHYs) written behind its header."""
    a_metre = round(dpi / MM_PER_INCH * 1000.0)
    end = 8 + 25  # signature, IHDR
    return png[:end] + _chunk(b"pHYs", struct.pack(">2LB", a_metre, a_metre, 1)) + png[end:]


def _chunk(tag: bytes, body: bytes) -> bytes:
    return struct.pack(">L", len(body)) + tag + body + struct.pack(">L", zlib.crc32(tag + body))
