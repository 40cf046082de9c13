"""A club for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referee.service.house import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A club without players, whose mail server tells of DMARC."""
    return House(tmp_path / "club")
