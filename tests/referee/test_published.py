"""What is written down of the games agrees with the games: playthroughs, and the page of conformance cases."""

from __future__ import annotations

import pytest

from referee.games import names
from tests.referee.games_at_play import SETUPS
from tests.tools import conformance_page, playthroughs

GAMES = [(name, index) for name in names() for index in range(len(SETUPS[name]))]


@pytest.mark.parametrize(("name", "index"), GAMES)
def test_playthrough(name: str, index: int) -> None:
    written = playthroughs.path(name, index).read_text(encoding="utf-8")
    assert playthroughs.playthrough(name, SETUPS[name][index]) == written


def test_conformance_page_is_up_to_date() -> None:
    assert conformance_page.PAGE.read_text(encoding="utf-8") == conformance_page.page()
