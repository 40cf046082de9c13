"""Fixtures for all tests: the handed data where it lies beside the checkout, outside programs, hypothesis."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

settings.register_profile(
    "house",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=30,
)
settings.register_profile("long", derandomize=True, deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "house"))

DEAREST = (
    *("mail/test_answers", "pnp/test_cases_sheet", "faults/test_killed", "pnp/test_cases_files"),
    *("referee/test_laws", "service/test_faults", "threats/test_tokens", "test_readme_commands"),
    *("faults/test_trouble", "real/test_club", "cli/test_club", "threats/test_robots"),
    *("store/test_moving", "games/test_lightning_laws", "pnp/test_cases_backs", "test_samples"),
    *("test_wheel", "pnp/games/test_spiral", "studio/test_server", "studio/test_browser"),
)
"""Modules of some seconds. A worker takes whole modules; with these first none is long at work when others are done."""


RAM = Path("/dev/shm")


def _in_memory() -> bool:
    """Whether temporary folders may lie in memory: there is room, and what lies there may be run."""
    if not RAM.is_dir() or not os.access(RAM, os.W_OK):
        return False
    found = os.statvfs(RAM)
    return found.f_bavail * found.f_frsize > 1 << 30 and not found.f_flag & os.ST_NOEXEC


if _in_memory():  # no test pulls the plug, so none need wait for a disk
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(RAM))


def pytest_collection(session: pytest.Session) -> None:
    """Let every second worker of a whole run read the modules from the end.

    Assertions are rewritten when a module is first read, which takes most of a first collection; so each worker does a
    half of it and finds what the other has written.
    """
    whole = [Path(arg).resolve() for arg in session.config.args] == [ROOT / "tests"]
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    if whole and number % 2 and not sys.dont_write_bytecode:
        for path in sorted(ROOT.glob("tests/**/test_*.py"), reverse=True):
            with contextlib.suppress(Exception):  # the collection itself will tell of it
                importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of tests stay until the end; the garbage collector need not look through them again and again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the dearest modules."""
    items.sort(key=lambda item: not str(item.path.with_suffix("")).endswith(DEAREST))


IN_CI = os.environ.get("CI") == "true"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of handed data beside the checkout; its absence is the one skip that CI allows."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the checkout."""
    return ROOT


def need_program(name: str) -> str:
    """Return the path of an outside program, or skip the test by name; in CI its absence is a failure."""
    path = shutil.which(name)
    if path is None:
        if IN_CI:
            pytest.fail(f"{name} is not installed, and in CI it must be")
        pytest.skip(f"{name} is not installed")
    return path


def need_cairo() -> None:
    """Skip the test where the cairo library is missing; in CI its absence is a failure."""
    try:
        import cairosvg  # noqa: F401 - only whether it loads
    except (ImportError, OSError):
        if IN_CI:
            pytest.fail("the cairo library is not installed, and in CI it must be")
        pytest.skip("the cairo library is not installed")


@pytest.fixture
def program():
    """A function: the path of a named outside program, or a skip that names it."""
    return need_program
