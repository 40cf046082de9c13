"""A club from the command line: `init`, `mail`, `serve`, and its operator (mail.md, Mail in, The operator)."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import stat
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from tests.referee.cli.run import referee
from tests.referee.faults.club import command

CLUB = "referee@club.example"


class Town:
    """A club in a folder, its mails in Maildirs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "club"
        result = referee(
            *("init", self.folder, "--name", "Town Club", "--address", CLUB),
            *("--zone", "Europe/Berlin", "--operator", "op@club.example"),
        )
        assert result.exit_code == 0, result.output
        self.out = self.folder / "spool" / "out" / "new"
        self.count = 0

    def run(self, *args: str | Path, status: int = 0) -> str:
        result = referee(*args, "--club", self.folder)
        assert result.exit_code == status, result.output + result.stderr
        return result.stdout

    def letters(self, address: str) -> list[EmailMessage]:
        found = []
        for file in sorted(self.out.iterdir()):
            message = message_from_bytes(file.read_bytes(), policy=default)
            assert isinstance(message, EmailMessage)
            if message["Delivered-To"] == address:
                found.append(message)
        return found

    def last(self, address: str) -> EmailMessage:
        return self.letters(address)[-1]

    def mail(self, sender: str, text: str, to: str = CLUB, subject: str = "") -> Path:
        self.count += 1
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, subject
        message["Delivered-To"] = to
        message["Message-ID"] = f"<{self.count}@x.example>"
        message.set_content(text)
        file = self.folder.parent / f"{self.count}.eml"
        file.write_bytes(message.as_bytes())
        return file

    def write(self, sender: str, text: str, to: str = CLUB, subject: str = "") -> str:
        return self.run("mail", self.mail(sender, text, to, subject))

    def answer(self, address: str, text: str) -> str:
        letter = self.last(address)
        return self.write(
            address, text, str(letter["Reply-To"] or CLUB), f"Re: {letter['Subject']}"
        )

    def join(self, name: str) -> str:
        address = f"{name.lower()}@x.example"
        self.run("invite", address, "--name", name)
        self.run("serve", "--once")
        self.answer(address, "yes")
        return address


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    from referee.service import sending

    monkeypatch.setattr(sending, "picture", lambda letter: None)
    return Town(tmp_path)


def text(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return " ".join(str(part.get_content()).split())


def test_init_makes_a_club_that_nobody_else_can_read(town: Town) -> None:
    folder = town.folder
    for name in ("club.toml", "club.db", "referee.key"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o710  # the group: to the socket, no further
    again = referee("init", folder)
    assert again.exit_code == 2
    assert "holds a club already" in again.stderr
    found = town.run("doctor")
    assert "WRONG" not in found
    assert {line.split(":")[0].split()[-1] for line in found.splitlines()} >= {"database", "cairo"}


def test_doctor_says_who_reaches_the_socket(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    assert referee("init", folder).exit_code == 0
    file = folder / "club.toml"
    file.write_text(file.read_text().replace('kind = "none"', 'kind = "lmtp"'))
    assert "chmod" not in referee("doctor", "--club", folder).stdout
    folder.chmod(0o700)
    assert f"chmod g+x {folder}" in referee("doctor", "--club", folder).stdout
    file.write_text(file.read_text().replace("# authserv_id", "authserv_id"))
    assert "trusted_hosts is empty" in referee("doctor", "--club", folder).stdout


def test_init_with_a_folder_alone_and_doctor_as_json(tmp_path: Path) -> None:
    assert referee("init", tmp_path / "my-club").exit_code == 0
    result = referee("doctor", "--club", tmp_path / "my-club", "--format", "json")
    findings = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(finding["ok"] for finding in findings)
    assert 'name = "My Club"' in (tmp_path / "my-club" / "club.toml").read_text()


def test_two_join_challenge_and_play_by_files(town: Town) -> None:
    ann, bob = town.join("Ann"), town.join("Bob")
    assert "Welcome to Town Club, Bob" in text(town.last(bob))
    town.write(ann, "challenge Bob hex size=3")
    assert "please confirm" in str(town.last(ann)["Subject"])
    town.answer(ann, "yes")
    town.write(bob, "accept", subject=str(town.last(bob)["Subject"]))
    town.answer(bob, "yes")
    game = "hex-1"
    first = ann if "Ann plays first" in text(town.last(ann)) else bob
    second = bob if first == ann else ann
    for address, move in (
        (first, "b2"),
        (second, "a1"),
        (first, "b1"),
        (second, "a2"),
        (first, "b3"),
    ):
        town.answer(address, move)
    assert "The game is over" in text(town.last(second))
    assert "joined both own edges" in text(town.last(second))
    record = town.run("export", game)
    assert '[GameId "hex-1"]' in record
    assert "1. b2 a1" in record
    listed = json.loads(town.run("games", "--status", "all", "--format", "json"))
    assert (listed["id"], listed["status"], listed["result"]) == (game, "over", "1-0")
    assert "played b3 (ply 5)" in town.run("history", game)
    assert "Ann" in town.run("players")


def begun(town: Town) -> tuple[str, str]:
    ann, bob = town.join("Ann"), town.join("Bob")
    assert town.run("new", "hex", "Ann", "Bob", "size=5", "days=3").startswith("hex-1")
    town.run("serve", "--once")
    return ann, bob


def test_the_operator_at_work(town: Town) -> None:
    ann, bob = begun(town)
    town.answer(ann, "c3")
    assert "R" in town.run("show", "hex-1")
    assert "Before the first ply" in town.run("show", "hex-1", "0")
    town.run("pause", "hex-1", "--reason", "summer")
    town.run("pause", "hex-1", status=1)
    town.run("resume", "hex-1")
    town.run("takeback", "hex-1", "0", "--reason", "haste")
    town.run("takeback", "hex-1", "5", status=1)
    town.run("message", "The club is closed on Monday.", "--to", "Bob")
    town.run("resend", "hex-1", "--to", "Ann")
    town.run("serve", "--once")
    assert any("closed on Monday" in text(letter) for letter in town.letters(bob))
    assert "sent again" in text(town.last(ann))
    cid = town.join("Cid")
    town.run("substitute", "hex-1", "Bob", "Cid")
    town.run("rule", "hex-1", "1-0", "--reason", "Cid left the table")
    town.run("serve", "--once")
    assert "Cid left the table" in text(town.last(cid))
    assert "takes the seat of Bob" in " ".join(text(letter) for letter in town.letters(ann))
    town.run("rule", "hex-1", "1-0", "--reason", "again", status=1)
    town.run("remove", "Cid", "--yes")
    assert '[Second "Player 3"]' in town.run("export", "hex-1")
    town.run("show", "hex-9", status=1)


def test_backup_says_that_the_key_is_not_in_it(town: Town, tmp_path: Path) -> None:
    begun(town)
    said = town.run("backup", tmp_path / "copy.db")
    assert "key is not in it" in said
    key = (town.folder / "referee.key").read_text().strip()
    assert key not in (tmp_path / "copy.db").read_bytes().hex()
    assert bytes.fromhex(key) not in (tmp_path / "copy.db").read_bytes()
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        assert copy.execute("select count(*) from games").fetchone() == (1,)
    copy.close()


def test_another_key_is_refused_and_rotating_sends_new_tokens(town: Town) -> None:
    ann, _ = begun(town)
    old = town.last(ann)
    (town.folder / "referee.key").write_text("00" * 32 + "\n")
    result = referee("games", "--club", town.folder)
    assert result.exit_code == 78
    assert "another key" in result.stderr
    town.run("rotate-key")
    town.run("serve", "--once")
    town.write(ann, "c3", str(old["Reply-To"]))
    assert "0 plies" in town.run("games")
    letter = next(m for m in reversed(town.letters(ann)) if "sent again" in text(m))
    town.write(ann, "c3", str(letter["Reply-To"]))
    assert "1 plies" in town.run("games")


def test_upgrade_has_nothing_to_do_in_a_new_club(town: Town) -> None:
    assert "nothing is to do" in town.run("upgrade")
    assert not list(town.folder.glob("before-upgrade*"))


def test_export_and_import_into_another_club(town: Town, tmp_path: Path) -> None:
    ann, _ = begun(town)
    town.answer(ann, "c3")
    town.run("export", "-o", tmp_path / "all.moves")
    (tmp_path / "b").mkdir()
    other = Town(tmp_path / "b")
    other.run("import", tmp_path / "all.moves", status=1)
    other.join("Ann")
    other.join("Bob")
    other.run("import", tmp_path / "all.moves")
    other.run("serve", "--once")
    other.answer("bob@x.example", "d4")
    assert "1. c3 d4" in other.run("export")


# -- `referee mail` as a program in a pipe ---------------------------------------------------------------------------


def piped(*words: str | Path, stdin: bytes) -> tuple[int, str]:
    """Run `referee mail` in a process of its own; return its exit status and what it told."""
    return command("mail", *map(str, words), stdin=stdin, first=lambda: None)


def test_exit_status_as_in_sysexits(town: Town, tmp_path: Path) -> None:
    mail = town.mail("ann@x.example", "help").read_bytes()
    assert piped("--club", town.folder, stdin=mail) == (0, "")
    assert piped("--club", town.folder, stdin=b"")[0] == 65
    status, told = piped("--club", tmp_path / "nowhere", stdin=mail)
    assert status == 75
    assert "no club's folder" in told
    assert piped(tmp_path / "no.eml", "--club", town.folder, stdin=b"")[0] == 66
    damaged = town.folder / "club.db"
    damaged.write_bytes(b"no database at all" * 100)
    status, told = piped("--club", town.folder, stdin=mail)
    assert status == 75
    assert "Traceback" not in told


def test_the_recipient_of_the_envelope_is_the_one_told(town: Town) -> None:
    ann, bob = begun(town)
    letter = town.last(ann)
    raw = town.mail(ann, "c3").read_bytes().replace(b"Delivered-To: referee@", b"X-Was: referee@")
    assert piped("--recipient", str(letter["Reply-To"]), "--club", town.folder, stdin=raw)[0] == 0
    assert "played c3" in text(town.last(bob))


def test_the_club_is_found_by_its_variable_and_from_within(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(town.folder / "spool")
    assert referee("games").exit_code == 0
    monkeypatch.chdir(town.folder.parent)
    lost = referee("games")
    assert lost.exit_code == 2
    assert "--club" in lost.stderr
    monkeypatch.setenv("REFEREE_CLUB", str(town.folder))
    assert referee("games").exit_code == 0


def test_an_mbox_and_a_maildir_are_read(town: Town, tmp_path: Path) -> None:
    ann, _ = begun(town)
    to = str(town.last(ann)["Reply-To"])
    one = town.mail(ann, "preview c3", to).read_bytes()
    two = town.mail(ann, "c3", to).read_bytes()
    (tmp_path / "box").write_bytes(b"From a\n" + one + b"\nFrom b\n" + two)
    assert "2 mails stored; handled: done 2" in town.run("mail", tmp_path / "box")
    assert "1 plies" in town.run("games")


def test_no_picture_no_matter(town: Town) -> None:
    ann, _ = begun(town)
    assert "cid:" not in town.last(ann).as_string()
    assert re.search(r"\. \. \. \. \.", text(town.last(ann)))


def test_serve_stops_in_good_order(town: Town) -> None:
    import signal
    import subprocess
    import sys
    import time

    def heartbeat() -> object:
        with contextlib.closing(sqlite3.connect(town.folder / "club.db")) as database:
            return database.execute("SELECT * FROM meta WHERE name = 'heartbeat'").fetchone()

    before = heartbeat()
    root = Path(__file__).resolve().parents[3]
    program = [sys.executable, "-c", "from referee.cli import main; main()"]
    running = subprocess.Popen(
        [*program, "serve", "--club", str(town.folder)],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert running.stderr is not None
    assert b"is at work" in running.stderr.readline()
    end = time.monotonic() + 20
    while heartbeat() == before and time.monotonic() < end:  # the first thing it does at work
        time.sleep(0.02)
    running.send_signal(signal.SIGTERM)
    assert running.wait(20) == 0
    assert b"Traceback" not in running.stderr.read()
    running.stderr.close()
