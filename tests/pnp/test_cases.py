"""Every case of users that was handed over is tested somewhere, by its name, or left out for a reason."""

from __future__ import annotations

import re
from pathlib import Path

NOT_OURS = {
    "P6": "blank slots and a lone back are not asked for now",
    "P60": "half hexagons at a board's border: no component of print.md has them",
    "P67": "DXF is not asked for now",
    "P73": "print.md names the kinds of marks; those of cutter brands are not among them",
    "P106": "sheets for Tabletop Simulator are not asked for now",
}


def test_every_case_has_a_test_or_a_reason(shared: Path, root: Path) -> None:
    handed = (shared / "cases" / "print-cases.md").read_text(encoding="utf-8")
    cases = set(re.findall(r"^- (P\d+):", handed, re.MULTILINE))
    assert len(cases) > 80
    named = set()
    for path in (root / "tests" / "pnp").rglob("test_*.py"):
        if path != Path(__file__).resolve():
            for words in re.findall(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL):
                named |= set(re.findall(r"\bP\d+\b", words))
    assert not named & set(NOT_OURS)
    assert cases - named == set(NOT_OURS)
