"""The pictures that README shows: `python -m tests.tools.samples` writes them into output/samples.

Each is what a command of ours gives, as README names it beside the picture; the diagram is drawn by the part of the
club that puts pictures into mails. Pixels differ a little between versions of the drawing libraries, so that a
picture is only written again where it no longer looks the same. The colours are brought down to 256, which nobody
sees, for a third of the bytes.
"""

from __future__ import annotations

import shlex
import tempfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "output" / "samples"
SAMPLES = {
    "hex": "build hex --dpi 60",
    "lightning-tiles": "build lightning --no-board --no-mats --no-card --coloured --each 17 --dpi 60",
    "spiral": "build spiral --no-counters --no-cards --no-mat --dpi 60",
    "mini-hex": "build mini-hex --size 5 --pen crayon --theme colour-blind --dpi 60",
    "hex-lightning": "build hex-lightning --coloured --board none --dpi 60",
}
"""What `pnp` is told for each picture; the format and the file are added."""
SIZE = 60_000
"""The most bytes that a sample may have."""
MAIL = "mail-diagram"
RECORD = """[Game "Hex"]
[First "Ann"]
[Second "Bob"]
[Size "7"]
[Swap "pieces"]

1. b6 swap 2. d4 e3 3. c5 d3 4. e2 d5 5. b6 *
"""
BLOCK = 4
NEAR, MOSTLY = 40.0, 8.0
"""How far (of 255) a spot of BLOCK × BLOCK pixels may be off in one colour and still look the same, and how far all but
one in a hundred. Measured between cairo and PDFium: 22 and 3, most of it in small writing.
"""


def draw(name: str) -> bytes:
    """Return a sample, drawn now, as PNG."""
    if name == MAIL:
        return _of_mail()
    from pnp.cli import run

    with tempfile.TemporaryDirectory() as folder:
        words = shlex.split(SAMPLES[name])
        path = Path(folder) / f"{name}.png"
        status = run([*words, "--format", "png", "--output", str(path)])
        if status:
            raise SystemExit(status)
        return path.read_bytes()


def _of_mail() -> bytes:
    from referee.mail.compose import Letter
    from referee.service.sending import picture

    when = datetime(2026, 1, 1, tzinfo=UTC)
    letter = Letter("", "", "", "", "", "", when, picture=RECORD)
    png = picture(letter)
    assert png is not None
    return png


def names() -> tuple[str, ...]:
    """Return the names of all samples."""
    return (*SAMPLES, MAIL)


def same(one: bytes, other: bytes) -> bool:
    """Whether two pictures look the same: of one size, and no spot of theirs far apart in colour."""
    spots = [_spots(png) for png in (one, other)]
    if spots[0].shape != spots[1].shape:
        return False
    off = np.abs(spots[0] - spots[1])
    return bool(off.max() <= NEAR and np.percentile(off, 99.0) <= MOSTLY)


def _spots(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the mean colours of blocks of pixels, edges that do not fill one left out."""
    pixels = np.asarray(Image.open(BytesIO(png)).convert("RGB"), dtype=np.float64)
    down, across = (side // BLOCK for side in pixels.shape[:2])
    whole = pixels[: down * BLOCK, : across * BLOCK]
    return whole.reshape(down, BLOCK, across, BLOCK, 3).mean(axis=(1, 3))


def _small(png: bytes) -> bytes:
    out = BytesIO()
    image = Image.open(BytesIO(png)).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Write the samples that are stale, and say which."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names():
        path, png = FOLDER / f"{name}.png", draw(name)
        stale = not path.exists() or not same(path.read_bytes(), png)
        if stale:
            path.write_bytes(_small(png))
        print(f"{path.relative_to(ROOT)}: {'written' if stale else 'is as it should be'}")


if __name__ == "__main__":
    main()
