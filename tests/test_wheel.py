"""The built wheel, installed without development packages, runs from another folder as the checkout does."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT


def run(*args: str | Path, cwd: Path, status: int = 0) -> str:
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(a) for a in args], cwd=cwd, env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == status, f"{args}\n{done.stdout}\n{done.stderr}"
    return done.stdout


PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
PROJECT = "pnp-referee"


def needed(project: str, extra: str = "") -> dict[str, Distribution]:
    """Return what a project needs to run, directly and indirectly, as it is installed here."""
    found: dict[str, Distribution] = {}
    for line in distribution(project).requires or ():
        asked = Requirement(line)
        if asked.marker is None or asked.marker.evaluate({"extra": extra}):
            found[canonicalize_name(asked.name)] = distribution(asked.name)
            for wanted in asked.extras or ("",):
                found |= needed(asked.name, wanted)
    return found


def lend(libraries: Path, packages: dict[str, Distribution]) -> None:
    """Let a virtual environment use packages of this one, and none besides."""
    for package in packages.values():
        tops = {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}
        for top in tops:
            (libraries / top).symlink_to(str(package.locate_file(top)))


@pytest.fixture(scope="module", params=["lent", pytest.param("fetched", marks=pytest.mark.long)])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a virtual environment that holds the wheel and what it needs, no more.

    What it needs is lent by the environment of the tests, or fetched by pip as a user's would be.
    """
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel:standard", "-d", folder, cwd=ROOT)
    (wheel,) = folder.glob("pnp_referee-*.whl")
    venv = folder / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=folder)
    install = (*PIP, "--python", venv / "bin" / "python", "install", "--quiet")
    if request.param == "lent":
        run(*install, "--no-deps", "--no-index", "--no-compile", wheel, cwd=folder)
        place = "import sysconfig; print(sysconfig.get_path('purelib'))"
        lend(Path(run(venv / "bin" / "python", "-c", place, cwd=folder).strip()), needed(PROJECT))
    else:
        run(*install, "-c", ROOT / "templates" / "constraints.txt", wheel, cwd=folder)
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
    code = (
        "from importlib.metadata import distributions as d; print(*(x.name.lower() for x in d()))"
    )
    listed = run(installed / "python", "-c", code, cwd=tmp_path).split()
    assert PROJECT in listed
    assert not {"pytest", "hypothesis", "mypy", "ruff", "hatchling"} & set(listed)
