"""A club that fetches from Dovecot, killed at its points: what is flagged is stored, and stored once (M69)."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from referee.club import load
from tests.referee.faults.club import CLEAN, KILLED, finish, one_round, play
from tests.referee.real.servers import PASSWORD, Dovecot, owned

LOOK = 'kind = "imap"\nhost = "localhost"\nport = {port}\ntls = "none"\nuser = "referee"\npassword_file = "p"'


@pytest.mark.parametrize("step", [21, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
def test_fetching_killed_at_its_points(imap: Dovecot, tmp_path: Path, step: int) -> None:
    club = play(tmp_path / "club", LOOK.format(port=imap.plain))
    (club.folder / "p").write_text(PASSWORD)
    (club.folder / "p").chmod(0o600)
    box = imap.mail / "referee"
    for part in (box, *(box / sub for sub in ("tmp", "new", "cur"))):
        owned(part).chmod(0o700)
    number = 2 - step
    while True:
        number += step
        for path in box.glob("[nc]*/*"):
            path.unlink()
        for count, (raw, _) in enumerate(club.mails):
            owned(box / "new" / f"17000000{count:02}.{number}.test", "").write_bytes(raw)
        mine = club.copy(tmp_path / str(number))
        assert load(mine.folder).mail_in.kind == "imap"
        status = one_round(mine.folder, f"*:{number}")
        assert status in (CLEAN, KILLED)
        assert one_round(mine.folder, ahead=timedelta(minutes=30)) == CLEAN
        finish(mine.folder)
        flags = [path.name.rpartition(",")[2] for path in box.glob("[nc]*/*")]
        assert flags == ["S"] * len(club.mails)
        with sqlite3.connect(mine.folder / "club.db") as database:
            assert database.execute("SELECT count(*) FROM spool").fetchone() == (0,)
        database.close()
        shutil.rmtree(mine.folder)
        if status == CLEAN:
            break
    assert number > 20
