"""The built wheel, installed without development packages, runs from another folder as the checkout does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import IN_CI, ROOT


def run(*args: str | Path, cwd: Path, status: int = 0) -> str:
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(a) for a in args], cwd=cwd, env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == status, f"{args}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a virtual environment that holds the wheel and what it needs, no more."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    built = subprocess.run(
        [*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
    )
    if (
        built.returncode != 0
        and "hatchling" in built.stderr
        and "No matching distribution" in built.stderr
        and not IN_CI
    ):
        pytest.skip("the package index is out of reach, so no wheel can be built")
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("pnp_referee-*.whl")
    venv = folder / "venv"
    run(sys.executable, "-m", "venv", venv, cwd=folder)
    constraints = ROOT / "templates" / "constraints.txt"
    run(
        venv / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "-c",
        constraints,
        wheel,
        cwd=folder,
    )
    return venv / "bin"


def test_wheel_prints(installed: Path, tmp_path: Path) -> None:
    assert "hex" in run(installed / "pnp", "list", cwd=tmp_path)
    run(
        installed / "pnp",
        "build",
        "hex",
        "--size",
        "5",
        "--output",
        tmp_path / "board.pdf",
        cwd=tmp_path,
    )
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF-")
    run(
        installed / "pnp",
        "build",
        "hex",
        "--size",
        "5",
        "--format",
        "svg",
        "--output",
        tmp_path,
        cwd=tmp_path,
    )
    assert list(tmp_path.glob("*.svg"))


def test_wheel_judges(installed: Path, tmp_path: Path) -> None:
    record = tmp_path / "a.moves"
    record.write_text('[Game "Hex"]\n[Size "3"]\n\n1. a1 b2 2. a2 b1 3. a3 *\n', encoding="utf-8")
    assert "a.moves" in run(installed / "referee", "adjudicate", record, cwd=tmp_path)
    record.write_text('[Game "Hex"]\n\n1. a1 a1 *\n', encoding="utf-8")
    assert "[occupied]" in run(installed / "referee", "adjudicate", record, cwd=tmp_path, status=1)
    assert "hex" in run(installed / "referee", "help", "hex", cwd=tmp_path).lower()


def test_wheel_has_no_development_package(installed: Path, tmp_path: Path) -> None:
    listed = run(
        installed / "python", "-m", "pip", "list", "--format", "freeze", cwd=tmp_path
    ).lower()
    assert "pnp-referee" in listed
    for name in ("pytest", "hypothesis", "mypy", "ruff"):
        assert f"{name}==" not in listed
