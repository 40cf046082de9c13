"""The house rules: what may stand at the top, how long a file may be, what no file may name."""

from __future__ import annotations

import re
import subprocess
from itertools import takewhile
from pathlib import Path

import pytest

TOP = {
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "Makefile",
    "pnp",
    "referee",
    "templates",
    "tests",
    "output",
}
LONGEST = {"pnp": 350, "referee": 350, "tests": 600}
"""Files to about 300 lines; the limit leaves room for a docstring more. Some files of tests are twice as long still:
they are to be split by subject, and the limit then falls to that of the product."""


@pytest.fixture(scope="module")
def tracked(root: Path) -> list[Path]:
    """All files that git tracks, or the test is skipped where this is no checkout."""
    if not (root / ".git").exists():
        pytest.skip("this is no git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    return [root / name for name in listed.split("\0") if name and (root / name).exists()]


def test_top_level(root: Path, tracked: list[Path]) -> None:
    tops = {path.relative_to(root).parts[0] for path in tracked}
    assert {t for t in tops if not t.startswith(".")} <= TOP


def test_output_holds_samples_only(root: Path, tracked: list[Path]) -> None:
    inside = [p.relative_to(root / "output") for p in tracked if p.is_relative_to(root / "output")]
    assert all(p.parts[0] == "samples" for p in inside)


def test_files_are_short(root: Path, tracked: list[Path]) -> None:
    long = {
        str(p.relative_to(root)): count
        for p in tracked
        if p.suffix == ".py"
        and (count := len(p.read_text(encoding="utf-8").splitlines()))
        > LONGEST[p.relative_to(root).parts[0]]
    }
    assert not long


@pytest.mark.parametrize("package", ["pnp", "referee"])
def test_the_architecture_in_the_readme_names_every_module(root: Path, package: str) -> None:
    _, _, after = (root / "README.md").read_text(encoding="utf-8").partition(f"\n{package}/\n")
    lines = takewhile(lambda line: line.startswith("  "), after.splitlines())
    named = {word for line in lines for word in re.findall(r"[a-z_]+", line)}
    modules = {
        path.stem
        for path in (root / package).iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").exists()) and path.stem[0] != "_"
    }
    assert modules
    assert modules <= named, f"README's architecture does not name {sorted(modules - named)}"


FORBIDDEN = re.compile(
    r"/work/|/tmp/(?:brief|bash_jobs)|\.library\b|farm-(?:bench|studio)|before-stop|opt/pypi"
)


def test_nothing_names_a_machine(root: Path, tracked: list[Path]) -> None:
    here = Path(__file__).resolve()
    found = []
    for path in tracked:
        if path == here or path.suffix in {".ttf", ".png", ".pdf"}:
            continue
        if FORBIDDEN.search(path.read_text(encoding="utf-8", errors="replace")):
            found.append(str(path.relative_to(root)))
    assert not found


def test_shared_is_never_copied(root: Path, tracked: list[Path], shared: Path) -> None:
    handed = {
        p.stat().st_size: p for p in shared.rglob("*") if p.is_file() and p.stat().st_size > 200
    }
    copies = [
        p
        for p in tracked
        if (twin := handed.get(p.stat().st_size)) and twin.read_bytes() == p.read_bytes()
    ]
    assert not copies
