"""Killed on every way in: `referee mail` at each point, LMTP at random moments (mail.md, Mail in; M68, M69)."""

from __future__ import annotations

import os
import random
import signal
import smtplib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import faults
from referee.service import serving
from referee.service.desk import open_desk, utc_now
from tests.referee.faults.club import (
    CLEAN,
    KILLED,
    Play,
    command,
    ended,
    finish,
    forked,
    play,
    quiet,
)
from tests.referee.store import databases

TEMPFAIL = 75


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Play:
    return play(tmp_path_factory.mktemp("killed") / "club")


@pytest.fixture(scope="module")
def club_on_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """The like at PostgreSQL."""
    with databases.made() as url:
        yield play(tmp_path_factory.mktemp("killed") / "club", url=url)


def delivered(club: Play, at: int, order: str) -> int:
    """Deliver all mails as an MTA does, which brings again what was not taken; that of mail `at` is killed once."""
    first = CLEAN
    for number, (raw, to) in enumerate(club.mails):
        words = ("mail", "--recipient", to, "--club", str(club.folder))
        status, told = command(*words, stdin=raw, order=order if number == at else None)
        assert "Traceback" not in told
        if number == at:
            first = status
        while status != CLEAN:
            assert status in (KILLED, TEMPFAIL), told
            status, told = command(*words, stdin=raw)
    return first


@pytest.mark.parametrize(
    ("at", "step"),
    [(0, 13), (1, 25), (4, 25), *(pytest.param(n, 1, marks=pytest.mark.long) for n in (0, 1, 4))],
)
def test_referee_mail_killed_at_its_points(club: Play, tmp_path: Path, at: int, step: int) -> None:
    """Exit 0 comes after the mail is stored; before that the mail is the sender's side's to bring again."""
    _killed_in_turn(club, tmp_path, at, step)


@pytest.mark.parametrize("step", [60, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize("at", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 4))])
def test_referee_mail_killed_at_its_points_beside_postgresql(
    club_on_server: Play, tmp_path: Path, at: int, step: int
) -> None:
    _killed_in_turn(club_on_server, tmp_path, at, step)


def _killed_in_turn(club: Play, tmp_path: Path, at: int, step: int) -> None:
    number = at % step + 1 - step
    while True:
        number += step
        mine = club.copy(tmp_path / str(number))
        status = delivered(mine, at, f"*:{number}")
        finish(mine.folder)
        mine.drop()
        if status == CLEAN:
            break
    assert number >= 8


@pytest.fixture(scope="module")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """A club that listens on a socket of short path, in whatever folder it is copied to."""
    return play(tmp_path_factory.mktemp("lmtp") / "club", 'kind = "lmtp"\npath = "l"')


def serving_child(folder: Path, order: str | None) -> int:
    def work() -> None:
        quiet()
        desk = open_desk(folder, utc_now(), complain=lambda text: None)
        faults.arm(order)
        serving.serve(desk, {})

    return forked(work)


def handed_over(mails: list[tuple[bytes, str]], path: Path) -> list[tuple[bytes, str]]:
    """Hand mails over by LMTP, in order; return those that were not taken."""
    for number, (raw, to) in enumerate(mails):
        try:
            with smtplib.LMTP(str(path), timeout=5) as mta:
                mta.sendmail("x@x.example", [to], raw)
        except (OSError, smtplib.SMTPException):
            return mails[number:]
    return []


@pytest.mark.parametrize(
    "times", [2, pytest.param(200, marks=pytest.mark.long)], ids=["two", "two hundred"]
)
def test_lmtp_killed_at_random_moments(listening: Play, times: int) -> None:
    """SIGKILL whenever it may hit; the mail server brings again what had no 250; a new process goes on."""
    chance = random.Random(times)
    for _ in range(times):
        with tempfile.TemporaryDirectory(prefix="k-") as short:
            mine = listening.copy(Path(short) / "c")
            path, left, kills = mine.folder / "l", mine.mails, chance.randint(1, 4)
            while left:
                by_point = chance.random() < 0.5 and kills > 0
                child = serving_child(
                    mine.folder, f"*:{chance.randint(1, 60)}" if by_point else None
                )
                end = time.monotonic() + 10
                while not path.exists() and time.monotonic() < end and _alive(child):
                    time.sleep(0.01)
                if kills > 0 and not by_point:
                    some = chance.randint(1, 3)
                    left = handed_over(left[:some], path) + left[some:]
                    time.sleep(chance.random() * 0.2)
                else:
                    left = handed_over(left, path)
                if kills > 0:
                    os.kill(child, signal.SIGKILL)
                    kills -= 1
                else:
                    os.kill(child, signal.SIGTERM)
                # on a busy machine the polite end may come before the child listens for it
                assert ended(child) in (CLEAN, KILLED, -signal.SIGKILL, -signal.SIGTERM)
                path.unlink(missing_ok=True)
            finish(mine.folder)


def _alive(pid: int) -> bool:
    """Whether a child has not ended; it is not yet waited for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
