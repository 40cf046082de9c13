"""Scenes to PNG by cairosvg, or by pypdfium2 where the cairo library is missing."""

from __future__ import annotations

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


def render(
    scene: Scene,
    dpi: float = 300.0,
    transparent: bool = False,
    *,
    width: int | None = None,
    fonts: FontSet | None = None,
) -> bytes:
    """Return a scene as a PNG of round(mm / 25.4 · dpi) pixels that states its resolution, on white or on nothing.

    With `width` the picture is that many pixels wide, at whatever resolution that is.
    Raises PnpError for a resolution or a width that gives no picture or too large a one.
    """
    across, down, dpi = _size(scene, dpi, width)
    try:
        data = _by_cairo(scene, across, down, transparent, fonts)
    except (ImportError, OSError):  # no cairosvg, or no cairo library behind it
        data = _by_pdfium(scene, across, down, transparent, fonts)
    return _with_resolution(data, dpi)


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
    scene: Scene, across: int, down: int, transparent: bool, fonts: FontSet | None
) -> bytes:
    import cairosvg

    text = svg.render(scene, use=False, layers=False, fonts=fonts)
    data: bytes = cairosvg.svg2png(
        bytestring=text.encode(),
        output_width=across,
        output_height=down,
        background_color=None if transparent else "#ffffff",
    )
    return data


def _by_pdfium(
    scene: Scene, across: int, down: int, transparent: bool, fonts: FontSet | None
) -> bytes:
    import pypdfium2
    from pypdfium2 import raw

    from pnp.backends import pdf

    document = pypdfium2.PdfDocument(pdf.to_bytes(scene, fonts=fonts))
    try:
        page = document[0]
        bitmap = pypdfium2.PdfBitmap.new_native(across, down, raw.FPDFBitmap_BGRA)
        bitmap.fill_rect((0, 0, 0, 0) if transparent else (255, 255, 255, 255), 0, 0, across, down)
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, raw.FPDF_REVERSE_BYTE_ORDER)
        rows = bytes(bitmap.buffer)
        stride = bitmap.stride
        bitmap.close()
        page.close()
    finally:
        document.close()
    return _encode(rows, stride, across, down)


def _encode(rows: bytes, stride: int, across: int, down: int) -> bytes:
    """Return red, green, blue, alpha rows as a PNG."""
    lines = b"".join(b"\0" + rows[y * stride : y * stride + 4 * across] for y in range(down))
    head = struct.pack(">2L5B", across, down, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(tag, body)
        for tag, body in ((b"IHDR", head), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    )


def _with_resolution(png: bytes, dpi: float) -> bytes:
    """Return the PNG with its pixels a metre (pHYs) written behind its header."""
    a_metre = round(dpi / MM_PER_INCH * 1000.0)
    end = 8 + 25  # signature, IHDR
    return png[:end] + _chunk(b"pHYs", struct.pack(">2LB", a_metre, a_metre, 1)) + png[end:]


def _chunk(tag: bytes, body: bytes) -> bytes:
    return struct.pack(">L", len(body)) + tag + body + struct.pack(">L", zlib.crc32(tag + body))
