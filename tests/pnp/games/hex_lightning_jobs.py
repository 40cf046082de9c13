"""Jobs and pages of `hex-lightning` for its tests."""

from __future__ import annotations

import csv
import io
from collections import Counter

from pnp import fonts, themes
from pnp.document import Page
from pnp.games import component
from pnp.games.hex_lightning.sets import SHAPES
from pnp.scene import Use
from pnp.sheet.job import Job, Pieces
from pnp.sheet.layout import lay_out
from pnp.tiles import kinds
from tests.pnp.printed import options

HEXAGON = ["VV2", "VV3", "MM1", "MM2", "MM3", "VM2L", "VM2R", "VM3L", "VM3R", "P1", "P2"]
CAPACITY = {"VV": 1, "MM": 1, "VM": 2, "P": 1}
ALL = [(shape, kind) for shape, n in SHAPES.items() for kind in kinds(n)]


def job(**given: object) -> Job:
    chosen = options("hex-lightning", **given)
    return component("hex-lightning").build(chosen, themes.load(chosen.common.theme), fonts.load())


def pages(**given: object) -> list[Page]:
    chosen = options("hex-lightning", **given)
    theme = themes.load(chosen.common.theme)
    return list(lay_out(job(**given), chosen.common, theme, fonts.load()).document.pages())


def tiles_of(**given: object) -> Pieces:
    (found,) = (p for p in job(**given).parts if isinstance(p, Pieces))
    return found


def counts(**given: object) -> dict[str, int]:
    return {piece.name: piece.count for piece in tiles_of(**given).pieces}


def laid(sheets: list[Page]) -> Counter[str]:
    found: Counter[str] = Counter()
    for page in sheets:
        found.update(i.name.partition("-")[2] for i in page.scene.items if isinstance(i, Use))
    return found


def table(found: Job) -> list[dict[str, str]]:
    (text,) = (text for suffix, text in found.sidecars if suffix == ".csv")
    return list(csv.DictReader(io.StringIO(text)))
