"""Any options of all kinds: correct files, or an error whose named size builds and 0.1 mm more does
not.
"""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pnp import fonts, output, themes
from pnp.cli.making import lay_out
from pnp.errors import FitError, PnpError
from pnp.games import component
from pnp.options import Options
from pnp.sheet.layout import Laid
from tests.pnp.printed import MM, extent, options

SIZED = {
    "hex": ("cell-size", {}),
    "mini-hex": ("cell-size", {}),
    "focus": ("cell-size", {"pieces": False}),
    "lightning": ("tile-size", {"board": False, "mats": False, "card": False, "each": 3}),
    "hex-lightning": ("tile-size", {"board": "none", "each": 1}),
}
"""Components with one size that an error may name, and what else they would lay."""

COMMON = st.fixed_dictionaries(
    {
        "paper": st.sampled_from(["a4", "letter", "a3", "legal", "100x148mm", "90x70mm"]),
        "orientation": st.sampled_from(["auto", "portrait", "landscape"]),
        "margin": st.sampled_from(["10", "0", "3,8,12,20"]),
        "theme": st.sampled_from(themes.NAMES),
        "backs": st.sampled_from(["none", "duplex-long", "duplex-short", "fold", "separate"]),
        "marks": st.sampled_from(["none", "edge", "cross", "full"]),
        "copies": st.integers(1, 3),
        "labels": st.booleans(),
        "nest": st.sampled_from(["knife", "straight", "boxes"]),
        "cut_layer": st.booleans(),
    },
    optional={
        "gutter": st.sampled_from(["4mm", "6mm"]),
        "bleed": st.sampled_from(["1mm", "2mm"]),
    },
)


def sheets(name: str, size: float, given_: dict[str, object]) -> tuple[Laid, Options]:
    option, fixed = SIZED[name]
    chosen = options(name, **given_, **fixed, **{option: size})
    return lay_out(component(name), chosen)[0], chosen


@given(st.sampled_from(sorted(SIZED)), st.floats(8.0, 90.0), COMMON,
       st.sampled_from(["pdf", "pdf", "svg", "png"]))  # fmt: skip
@settings(max_examples=40)
def test_any_options(name: str, size: float, common: dict[str, object], fmt: str) -> None:
    outcome = laid_or_named(name, size, {**common, "format": fmt, "dpi": 30})
    if outcome is not None:
        check_pages(*outcome)
        check_files(*outcome)


def laid_or_named(name: str, size: float, common: dict[str, object]) -> tuple[Laid, Options] | None:
    """What is laid out, at the size asked for or at the one that the error names; None for an error
    that names an option to change and no size.
    """
    told: PnpError | None = None
    try:
        return sheets(name, size, common)
    except PnpError as error:
        told = error
    if not isinstance(told, FitError) or told.largest is None:
        assert "--" in str(told)
        return None
    with pytest.raises(PnpError):
        sheets(name, round(told.largest + 0.1, 1), common)
    return sheets(name, told.largest, common)


def check_pages(found: Laid, chosen: Options) -> None:
    """Nothing lies in the margins, on any page; all marks are broad enough."""
    top, right, bottom, left = chosen.common.margin
    for page in found.document.pages():
        if not page.scene.items:
            continue
        box = extent(page.scene.items, page.scene.symbols)
        assert box[0] >= left - 0.02
        assert box[1] >= top - 0.02
        assert box[2] <= page.scene.width - right + 0.02
        assert box[3] <= page.scene.height - bottom + 0.02


def check_files(found: Laid, chosen: Options) -> None:
    """What is written can be read by others, and has the paper's size."""
    common = chosen.common
    with TemporaryDirectory() as folder:
        font = fonts.load()
        made = output.write(found, Path(folder, f"x.{common.format}"), common, font)
        sides = sorted((common.paper.width, common.paper.height))
        if common.format == "pdf":
            with pikepdf.open(made[0]) as pdf:
                assert len(pdf.pages) == len(found.names)
                for page in pdf.pages:
                    box = sorted(float(v) * MM for v in page.mediabox[2:])
                    assert max(abs(a - b) for a, b in zip(box, sides, strict=True)) < 1e-3
            return
        assert len(made) == len(found.names)
        for path in made:
            if common.format == "png":
                picture = Image.open(io.BytesIO(path.read_bytes()))
                assert sorted(picture.size) == [round(v / 25.4 * 30) for v in sides]
            else:
                text = path.read_text(encoding="utf-8")
                assert text.startswith("<svg")
                assert 'width="' in text.split(">")[0]
