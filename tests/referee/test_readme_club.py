"""README, “Run a club”: its commands run, its settings are read, its walk is walked row by row."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.club.config import parse
from tests.referee.cli.run import referee
from tests.referee.service.house import House, plain


@pytest.fixture(scope="module")
def section(root: Path) -> str:
    text = (root / "README.md").read_text("utf-8")
    return text.partition("## Run a club\n")[2].partition("\n## ")[0]


def block(section: str, kind: str) -> str:
    match = re.search(rf"```{kind}\n(.*?)```", section, re.DOTALL)
    assert match is not None
    return match[1]


def test_the_commands_run(section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = block(section, "sh").strip().splitlines()
    assert len(lines) >= 4
    for line in lines:
        words = shlex.split(line.partition(" #")[0])
        assert words[0] == "referee"
        result = CliRunner().invoke(main, words[1:])
        assert result.exit_code == 0, (line, result.output)
    (letter,) = (tmp_path / "club" / "spool" / "out" / "new").iterdir()
    assert b"an invitation" in letter.read_bytes()


def test_the_settings_are_read(section: str, tmp_path: Path) -> None:
    club = parse(
        'name = "C"\naddress = "referee@club.example"\n' + block(section, "toml"), tmp_path
    )
    assert (club.mail_in.kind, club.mail_in.tls) == ("imap", "tls")
    assert (club.mail_out.kind, club.mail_out.tls) == ("smtp", "starttls")


class Walk:
    """The people of the walk. `seats` are who plays first and second in the game at hand."""

    def __init__(self, folder: Path) -> None:
        self.house = House(folder)
        self.house.now = datetime.now(UTC)
        self.addresses = {"Ann": "ann@example.org", "Bob": "bob@example.org"}
        self.game = ""

    def address(self, who: str) -> str:
        if who in self.addresses:
            return self.addresses[who]
        match = self.house.match(self.game)
        return self.addresses[match.player(("first", "second").index(who))]

    def letters(self, who: str) -> list[EmailMessage]:
        return [m for p, m in self.house.box.sent if p.recipient == self.address(who)]

    def act(self, who: str, does: str) -> None:
        """Do what a row says."""
        said = re.search(r"`(.*)`", does)
        if who == "operator":
            assert said is not None
            result = referee(*shlex.split(said[1])[1:], "--club", self.house.folder)
            assert result.exit_code == 0, result.output
            self.house.now = datetime.now(UTC)
            self.house.send()
        elif does.startswith("writes"):
            assert said is not None
            self.house.write(self.address(who), said[1])
        else:
            mail = self.letters(who)[-1]
            if "before that one" in does:
                mail = [m for m in self.letters(who) if m["In-Reply-To"] != mail["In-Reply-To"]][-1]
            text = said[1] if said else self.example(mail)
            self.house.answer(mail, text, proved=does.startswith("answers `accept"))
        ids = re.findall(r"\[([a-z]+-[0-9]+)\]", str(self.house.box.sent[-1].message["Subject"]))
        self.game = ids[0] if ids else self.game

    @staticmethod
    def example(mail: EmailMessage) -> str:
        match = re.search(r"such as “([^”]+)”", " ".join(plain(mail).split()))
        assert match is not None
        return match[1]


def rows(section: str) -> Iterator[tuple[str, str, str]]:
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 3 and cells[0] != "who":
            yield cells[0], cells[1], cells[2]


def test_the_walk_is_as_it_says(section: str, tmp_path: Path) -> None:
    walk = Walk(tmp_path / "club")
    walked = 0
    for who, does, then in rows(section):
        before = walk.house.count()
        walk.act(who, does)
        new = list(walk.house.box.sent)[before:]
        for promise in then.replace("Table Club", "Test Club").split("; "):
            reader, _, words = promise.partition(": ")
            if not words:
                reader, words = who, reader
            got = [
                plain(m) + str(m["Subject"]) for p, m in new if p.recipient == walk.address(reader)
            ]
            assert any(words.lower() in " ".join(text.split()).lower() for text in got), (
                does,
                promise,
                got,
            )
        walked += 1
    assert walked > 25
    for game, result in (
        ("hex-1", ("0-1", "connection")),
        ("focus-3", None),
        ("lightning-2", None),
    ):
        match = walk.house.match(game)
        assert match.status == "over"
        if result:
            assert (match.result, match.reason) == result
