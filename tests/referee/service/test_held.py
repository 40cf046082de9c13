"""A deadline waits for a mail that came before it and could not be read (mail.md, Mail in)."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.service import operator, spool
from referee.service.spool import receive, work
from tests.referee.service.house import House, plain


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "club")


def _put_aside(house: House, game: str, sender: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the player's move come in time and fail three times."""
    to = str(house.last(sender, game)["Reply-To"]).rpartition("<")[2].rstrip(">")
    receive(house.desk, house.mail(sender, "c3", to=to), to, house.now)

    def broken(*_: object) -> object:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(spool, "handle", broken)
        kinds = [outcome.kind for outcome in work(house.desk, lambda: house.now)]
    assert kinds == ["failed"] * 3 + ["quarantined"]
    house.send()


def test_who_writes_again_after_the_deadline_is_not_late(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, (first, _) = house.begun("hex", "size=5", "days=3")
    letter = house.last(first, game)
    _put_aside(house, game, first, monkeypatch)
    house.later(days=4)
    house.answer(letter, "c4")
    assert house.match(game).status == "on"
    assert house.match(game).words == ("c4",)


@pytest.mark.parametrize("held", [True, False])
def test_time_cannot_be_claimed_meanwhile(
    house: House, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3", "timeout=claim")
    if held:
        _put_aside(house, game, first, monkeypatch)
    house.later(days=4)
    house.write(second, "claim time", subject=f"[{game}]")
    assert house.match(game).status == ("on" if held else "over")
    if held:
        assert "cannot be claimed now" in " ".join(plain(house.last(second)).split())


def test_a_mail_that_is_given_up_holds_no_deadline_any_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a mail that no program can read would keep its writer from losing on time for ever."""
    game, (first, _) = house.begun("hex", "size=5", "days=3")
    _put_aside(house, game, first, monkeypatch)
    house.later(days=4)
    assert house.match(game).status == "on"
    with house.desk.store.read(house.now) as unit:
        number = unit.quarantine()[0].id
    operator.drop(house.desk, house.now, number)
    house.later()
    assert house.match(game).reason == "time"
    for act in (operator.drop, operator.release):
        with pytest.raises(operator.RefusedError, match="there are: none"):
            act(house.desk, house.now, number)
