"""The printer test, measured: the grid of tiles, bars, crosses and the scales behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pnp import fonts, themes
from pnp.cli import run
from pnp.cli.calibrate import OWN
from pnp.errors import FitError
from pnp.geometry import Point
from pnp.options import COMMON, Options
from pnp.scene import Circle, Group, Lines, Scene, Text
from pnp.sheet.calibration import calibration
from pnp.sheet.layout import Laid
from tests.pnp.printed import catalogue_of, extent, ink_box, laid, measure, tiles

KNOWN = {option.name: option for option in (*COMMON, *OWN)}


def sheet(**given: object) -> Laid:
    typed = {k.replace("_", "-"): KNOWN[k.replace("_", "-")].parse(v) for k, v in given.items()}
    found = Options(OWN, typed)
    return calibration(found.length("tile-size"), found.common, themes.load("colour"), fonts.load())


def letters(scene: Scene) -> dict[str, Point]:
    """Where the crosses or scales with their letters stand."""
    return {
        item.text: (group.dx, group.dy)
        for group in scene.items if isinstance(group, Group)
        for item in group.items if isinstance(item, Text) and item.text in "ABCD"
    }  # fmt: skip


def words(scene: Scene) -> str:
    return " ".join(item.text for item in scene.items if isinstance(item, Text))


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
@pytest.mark.parametrize("backs", ["duplex-long", "duplex-short", "separate"])
def test_scales_stand_behind_the_crosses(paper: str, orientation: str, backs: str) -> None:
    """P5, P9, P18: both faces show the grid that tiles are laid on, the back mirrored."""
    front, back = sheet(paper=paper, orientation=orientation, backs=backs).document.pages()
    width, height = front.scene.width, front.scene.height
    columns = (orientation == "portrait") == (backs != "duplex-short")
    here, behind = letters(front.scene), letters(back.scene)
    assert set(here) == set(behind) == set("ABCD")
    for letter, (x, y) in here.items():
        mirror = (width - x, y) if columns else (x, height - y)
        assert behind[letter] == pytest.approx(mirror, abs=1e-6)
    real = next(iter(laid(tiles(23.0, 23.0, 500, back=()), paper=paper, orientation=orientation,
                          backs=backs).document.pages()))  # fmt: skip
    mine = [i for i in front.scene.items if isinstance(i, Lines | Circle)]
    assert {i for i in real.scene.items if isinstance(i, Lines | Circle)} <= set(mine)
    for page in (front, back):
        box = extent(page.scene.items, page.scene.symbols)
        assert min(box[0], box[1]) >= 10.0 - 0.02
        assert box[2] <= width - 10.0 + 0.02
        assert box[3] <= height - 10.0 + 0.02


def test_what_is_read_is_what_is_given(tmp_path: Path) -> None:
    """The front's cross stands as far right and up of the zero behind it as --back-offset must
    be: a back that was printed 0.5 mm too far left and 1.25 mm too low is mended by what is read.
    """
    front, back = sheet().document.pages()
    seen = {k: (front.scene.width - x, y) for k, (x, y) in letters(front.scene).items()}
    fault = (-0.5, 1.25)  # on the paper, down is more
    for letter, (x, y) in letters(back.scene).items():
        printed = (x + fault[0], y + fault[1])
        read = (seen[letter][0] - printed[0], printed[1] - seen[letter][1])  # right, up
        assert read == pytest.approx((0.5, 1.25))
    _, moved = sheet(back_offset="0.5,1.25").document.pages()
    assert moved.offset == (0.5, 1.25)
    assert "moved by 0.5,1.25 already" in words(moved.scene)


def test_bars_and_words(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    assert run(["calibrate", "--output", str(path)]) == 0
    about = catalogue_of(path)
    assert about["duplex"] == "/DuplexFlipLongEdge"
    assert about["bookmarks"] == ["Printer test", "Printer test BACK, flip on the long edge"]
    front, back = measure(path)
    assert len(front.bars(130.0)) == 1
    assert len(front.bars(190.0)) == 1
    left, top = front.lines and min((b[0], b[1]) for b in front.lines if b[2] - b[0] > 22.9)
    assert f"{left:.0f} mm from the left edge" in " ".join(front.text.split())
    assert f"{top:.0f} mm from its top" in " ".join(front.text.split())
    for says in ("--scale-x", "--scale-y", "--front-offset", "130 mm"):
        assert says in front.text
    for says in ("--back-offset", "--printer NAME", "--back-rotate 180"):
        assert says in back.text
    box = ink_box(path)
    assert min(box[0], box[1]) >= 9.7


def test_scaled_bars_show_the_scale(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    assert run(["calibrate", "--output", str(path), "--scale-x", "1.01", "--backs", "none"]) == 0
    (page,) = measure(path)
    assert len(page.bars(131.3)) == 1
    assert len(page.bars(190.0)) == 1
    assert "scaled by 1.01 across and 1 down" in page.text.replace("\n", " ")


@pytest.mark.parametrize("paper", ["105x148mm", "100x150mm", "120x120mm", "210x99mm"])
def test_too_small_a_sheet_names_the_tiles_that_will_do(paper: str) -> None:
    with pytest.raises(FitError) as told:
        sheet(paper=paper)
    largest = told.value.largest
    assert largest is not None
    front, _ = sheet(paper=paper, tile_size=largest).document.pages()
    assert min(t.size for t in front.scene.items if isinstance(t, Text)) >= 1.8
    with pytest.raises(FitError):
        sheet(paper=paper, tile_size=round(largest + 0.1, 1))
    with pytest.raises(FitError, match="larger --paper"):
        sheet(paper="60x50mm")


def test_every_theme_and_format(tmp_path: Path) -> None:
    for fmt in ("svg", "png"):
        args = ["--format", fmt, "--theme", "grey", "--dpi", "40"]
        assert run(["calibrate", "--output", str(tmp_path), *args]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        f"calibrate-{k}.{fmt}" for k in (1, 2) for fmt in ("png", "svg")
    ]
