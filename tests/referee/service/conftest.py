"""A club for each test."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.referee.service.house import House

RAM = Path("/dev/shm")


@pytest.fixture
def ram(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one: nothing here pulls the plug, so nothing needs a disk."""
    if not RAM.is_dir() or not os.access(RAM, os.W_OK):
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="referee-", dir=RAM))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def house(ram: Path) -> Iterator[House]:
    """A club without players, whose mail server tells of DMARC."""
    house = House(ram / "club")
    yield house
    house.desk.store.close()
