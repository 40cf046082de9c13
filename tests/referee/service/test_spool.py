"""Stored first, handled after; attempts, quarantine, sending (mail.md, Mail in, Mail out; M68 to M70, M77, M80)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from referee.mail.maildir import MaildirOut, mails, mbox
from referee.mail.transport import Failed, Parcel
from referee.service import pipeline, spool
from referee.service.operator import RefusedError, release, takeback
from referee.service.spool import receive, take_in, work
from referee.store import FullError, LockedError, Mail, Store
from tests.referee.service.house import House, plain


def flat(text: str) -> str:
    return " ".join(text.split())


def test_m70_a_mail_that_fails_three_times_is_put_aside_and_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    to = str(house.last(first, game)["Reply-To"])

    def broken(desk: object, mail: Mail, now: object) -> pipeline.Outcome:
        raise ZeroDivisionError("a fault of ours")

    with monkeypatch.context() as patch:
        patch.setattr(spool, "handle", broken)
        number = receive(house.desk, house.mail(first, "c3", to=to), to, house.now)
        kinds = [outcome.kind for outcome in work(house.desk, lambda: house.now)]
    assert kinds == ["failed"] * 3 + ["quarantined"]
    house.send()
    assert "could not be read" in flat(plain(house.last(first)))
    assert "ZeroDivisionError" in flat(plain(house.last("op@club.example")))
    # its deadline waits
    house.later(days=4)
    assert house.match(game).status == "on"
    with pytest.raises(RefusedError, match=f"there are: {number}"):
        release(house.desk, house.now, number + 7)
    release(house.desk, house.now, number)
    assert [outcome.kind for outcome in work(house.desk, lambda: house.now)] == ["done"]
    house.send()
    assert house.match(game).words == ("c3",)
    assert "c3" in plain(house.last(second, game))


def test_a_failing_database_costs_the_mail_no_attempt(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = house.player("Ann")
    receive(house.desk, house.mail(ann, "next", proved=True), "referee@club.example", house.now)

    def full(desk: object, mail: Mail, now: object) -> pipeline.Outcome:
        raise FullError("club.db: no space is left")

    with monkeypatch.context() as patch:
        patch.setattr(spool, "handle", full)
        for _ in range(10):
            with pytest.raises(FullError):
                work(house.desk, lambda: house.now)
    assert [outcome.kind for outcome in work(house.desk, lambda: house.now)] == ["done"]


def test_a_locked_database_is_told_in_words(tmp_path: Path) -> None:
    """A file is locked as a whole; what a server's processes hold is tested with the store."""
    house = House(tmp_path / "club", database="sqlite:///club.db")
    other = Store(house.club.database, patience=0.1)

    def write() -> None:
        with other.begin(house.now):
            pass

    with (
        house.desk.store.begin(house.now),
        pytest.raises(LockedError, match="another process holds the database"),
    ):
        write()
    other.close()


def test_m69_a_maildirs_mail_moves_only_after_it_is_stored(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = tmp_path / "box"
    for sub in ("new", "cur", "tmp"):
        (box / sub).mkdir(parents=True)
    ann = house.player("Ann")
    (box / "new" / "1.a").write_bytes(house.mail(ann, "next", proved=True))
    with monkeypatch.context() as patch:
        patch.setattr(spool, "receive", _fails)
        found = next(mails(box))
        with pytest.raises(FullError):
            take_in(house.desk, found, house.now, "maildir")
    assert (box / "new" / "1.a").exists()
    for found in mails(box):
        take_in(house.desk, found, house.now, "maildir")
    assert [file.name for file in (box / "cur").iterdir()] == ["1.a:2,S"]
    assert [outcome.kind for outcome in work(house.desk, lambda: house.now)] == ["done"]


def _fails(*_: object, **__: object) -> int:
    raise FullError("no space is left")


def test_an_mbox_is_parted_at_its_from_lines() -> None:
    lines = b"From a\nSubject: 1\n\nbody\n>From here\nFrom there\n\nFrom b\nSubject: 2\n\nx\n".splitlines(
        True
    )
    found = list(mbox(iter(lines)))
    assert found == [b"Subject: 1\n\nbody\nFrom here\nFrom there\n\n", b"Subject: 2\n\nx\n"]


def test_maildir_out_writes_whole_mails_and_the_envelope(tmp_path: Path) -> None:
    way = MaildirOut(tmp_path / "out")
    parcel = Parcel(
        7, "referee+b.7.x@club.example", "ann@x.example", b"Subject: hi\r\n\r\nbody\r\n"
    )
    assert way.send(parcel) is None
    assert way.send(parcel) is None  # a second sending stands in the first one's place
    files = list((tmp_path / "out" / "new").iterdir())
    assert len(files) == 1
    data = files[0].read_bytes()
    assert data.startswith(
        b"Return-Path: <referee+b.7.x@club.example>\r\nDelivered-To: ann@x.example\r\n"
    )
    assert data.endswith(parcel.data)
    assert not list((tmp_path / "out" / "tmp").iterdir())


def test_m80_temporary_permanent_and_configuration_are_told_apart(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.box.fails[second] = Failed("temporary", "451 greylisted")
    house.answer(house.last(first, game), "c3")
    before = house.count(second)
    house.now += timedelta(seconds=30)
    house.send()
    assert house.count(second) == before
    del house.box.fails[second]
    house.now += timedelta(minutes=1)
    house.send()
    assert house.count(second) == before + 1
    # nobody is let in: all mail waits, nothing is lost, and it is said once a round
    house.box.fails = {
        address: Failed("configuration", "535 bad password", everything=True)
        for address in (first, second)
    }
    house.answer(house.last(second, game), "d4")
    assert house.match(game).words == ("c3", "d4")
    assert any("535 bad password" in text for text in house.complaints)
    house.box.fails = {}
    house.later(minutes=6)
    assert "d4" in plain(house.last(first, game))
    # no such address: given up, and the opponent knows
    house.box.fails[second] = Failed("permanent", "550 no such user")
    house.answer(house.last(first, game), "a1")
    assert "could not be delivered" in flat(plain(house.last(first, game)))


def test_m77_a_stale_notice_that_is_not_yet_sent_is_taken_back(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.box.fails[second] = Failed("temporary", "451 later")
    house.answer(house.last(first, game), "c3")
    takeback(house.desk, house.now, game, 0, "")
    del house.box.fails[second]
    house.later(hours=1)
    told = [plain(m) for p, m in house.box.sent if p.recipient == second]
    assert not any("played c3" in text for text in told)
    assert "took back" in flat(told[-1])


def test_m79_resend_brings_a_token_that_counts(house: House) -> None:
    from referee.service.operator import resend

    game, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(first, game), "c3")
    assert resend(house.desk, house.now, game, None) == [
        house.match(game).player(s) for s in (0, 1)
    ]
    house.send()
    assert house.answer(house.last(second, game), "d4").kind == "done"


def test_the_envelope_sender_belongs_to_the_row(house: House) -> None:
    from referee.mail.identity import check_envelope, plus_part

    house.begun("hex", "size=5")
    for parcel, _ in house.box.sent:
        assert check_envelope(house.desk.key, plus_part(parcel.sender)) == parcel.row
        assert len(parcel.sender.partition("@")[0]) <= 64
