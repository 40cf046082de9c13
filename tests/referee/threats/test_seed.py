"""While a game is on nothing that anybody sees holds its seed: no letter, no output, no log (mail.md, Chance).

All commands of mails and of the operator are tried; a new command that is not here fails the test.
"""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.cli import main
from referee.service.carry import HANDLERS
from referee.service.operator import substitute
from tests.referee.cli.run import referee
from tests.referee.service.house import House, tag_of


def signs(seed: str) -> tuple[bytes, ...]:
    """Return the ways in which a seed may be written."""
    raw = bytes.fromhex(seed)
    return (
        seed.encode(),
        seed.upper().encode(),
        raw,
        base64.b64encode(raw).rstrip(b"="),
        base64.b32encode(raw).rstrip(b"="),
        seed[:24].encode(),
        seed[-24:].encode(),
    )


class Table:
    """A club with a Lightning game, a Spiral game and an open challenge, all with their seeds."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.ann, self.bob = house.player("Ann"), house.player("Bob")
        house.player("Cat")
        house.write(self.ann, "challenge Bob lightning word open")
        house.answer(house.last(self.bob), "accept word sesame", proved=True)
        self.lightning = tag_of(house.last(self.bob))
        house.write(self.bob, "new spiral")
        house.answer(house.last(self.bob), "start word sea")
        self.spiral = tag_of(house.last(self.bob))
        house.write(self.ann, "challenge Bob lightning word two")
        house.write(self.ann, "new spiral")
        with house.desk.store.read(house.now) as unit:
            waiting = unit.challenges_of(1)
        self.seeds = {
            self.lightning: house.match(self.lightning).seed,
            self.spiral: house.match(self.spiral).seed,
            **{c.id: c.proposal.seed for c in waiting},
        }
        assert len(self.seeds) == 4
        assert all(seed is not None and len(seed) == 64 for seed in self.seeds.values())
        self.shut = set(self.seeds)

    def clean(self, data: bytes, what: str) -> None:
        """Make sure that no open game's seed stands in what was seen."""
        flat = data.replace(b"=\r\n", b"").replace(b"=\n", b"")
        for game in self.shut:
            for sign in signs(self.seeds[game] or ""):
                assert sign not in flat, f"{what} holds the seed of {game}"

    def letters(self, since: int = 0) -> int:
        """Look through all letters that went out."""
        for parcel, letter in list(self.house.box.sent)[since:]:
            self.clean(parcel.data, f"a letter “{letter['Subject']}”")
            for part in letter.walk():
                content = part.get_payload(decode=True)
                self.clean(content or b"", f"a part of “{letter['Subject']}”")
        return self.house.count()


@pytest.fixture
def table(house: House) -> Table:
    house.now = datetime.now(UTC)  # the operator's commands look at the real clock
    return Table(house)


SAID: dict[str, tuple[str, ...]] = {
    "move": ("III@pool", "move 1 I@d1:s-n", "I@?", "7S+7H", "move 1 AS+KC"),
    "draw": ("draw", "draw; I@pool; II@pool; III@pool; IV@pool; V@pool", "draw; I@d9:s-n"),
    "draw?": ("draw?",),
    "draw!": (),
    "claim": ("claim", "claim time", "claim draw"),
    "undo?": ("undo?",),
    "undo!": ("undo!",),
    "queue": ("queue I@pool: II@pool",),
    "start": ("start word again",),
    "preview": ("preview III@pool", "preview I@d1:s-n", "preview I@?"),
    "show": ("show", "show {game} 0", "show {game} 1"),
    "history": ("history",),
    "verify": ("verify",),
    "chat": ("chat\nwhat is the seed?\nend",),
    "mute": ("mute", "mute"),
    "next": ("next",),
    "standings": ("standings",),
    "challenge": ("challenge Cat lightning", "challenge Cat focus"),
    "accept": ("accept", "accept word late"),
    "decline": (),
    "new": ("new spiral",),
    "vacation": ("vacation 2025-07-01 2025-07-02",),
    "add": ("add more@x.example",),
    "digest": ("digest on", "digest off"),
    "stop": ("stop",),
    "forget me": ("forget me",),
    "help": ("help", "help lightning", "help spiral"),
    "resign": (),
}
"""What is said for each command; those that end a game, or an offer, come in tests of their own."""


def test_every_command_is_here() -> None:
    assert set(SAID) == set(HANDLERS)
    assert set(RUN) | set(APART) == set(main.list_commands(None))  # type: ignore[arg-type]


def test_no_mail_holds_a_seed(table: Table) -> None:
    house = table.house
    for said in SAID.values():
        for game, address in (
            (table.lightning, table.ann),
            (table.lightning, table.bob),
            (table.spiral, table.bob),
        ):
            for text in said:
                if text.startswith("accept") and game == table.spiral:
                    continue
                house.answer(house.last(address, game), text.format(game=game), proved=True)
                house.now += timedelta(minutes=7)
    house.later(days=2)
    assert table.letters() > 100


RUN: dict[str, tuple[tuple[str, ...], ...]] = {
    "games": ((), ("--status", "all")),
    "players": ((),),
    "show": (("{light}",), ("{spiral}",), ("{light}", "1")),
    "history": (("{light}",), ("{spiral}",)),
    "message": (("hello",), ("hello", "--game", "{light}")),
    "invite": (("new@x.example",),),
    "new": (("lightning", "Ann", "Cat"), ("spiral", "Cat")),
    "pause": (("{light}",), ()),
    "resume": ((), ("{light}",)),
    "resend": (("{light}",), ("{spiral}",)),
    "release": ((), ("99",), ("99", "--drop")),
    "takeback": (("{light}", "0"), ("{spiral}", "0")),
    "substitute": (("{light}", "Bob", "Cat"),),
    "export": ((), ("{light}", "{spiral}")),
    "doctor": ((),),
    "mail": (("--no-send", "{mail}"),),
    "serve": (("--once",),),
    "upgrade": ((),),
    "backup": (("{folder}/copy.db",),),
    "rotate-key": ((),),
}
"""The operator's commands. `backup` copies the database, which holds the seeds; what it prints does not."""

APART = {
    "adjudicate": "records of files",
    "diagram": "records of files",
    "convert": "records of files",
    "hint": "records of files",
    "study": "games of its own",
    "completion": "names of commands",
    "move-store": "copies the database, which holds the seeds, and closes it",
    "help": "pages",
    "start": "files without a club",
    "play": "files without a club",
    "draw": "files without a club",
    "verify": "files without a club",
    "init": "makes another club",
    "import": "takes finished games",
    "rule": "ends a game: its seed is told then",
    "remove": "ends games: their seeds are told then",
}


def test_no_command_of_the_operators_prints_a_seed(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = table.house
    house.answer(house.last(table.ann, table.lightning), "draw", proved=True)
    mail = tmp_path / "mail"
    mail.write_bytes(house.mail(table.ann, "next", proved=True))
    names = {"light": table.lightning, "spiral": table.spiral, "mail": mail, "folder": tmp_path}
    ran = 0
    for name, calls in RUN.items():
        for arguments in calls:
            for form in ((), ("--format", "json")):
                if form and name == "serve":
                    continue
                wanted = [text.format(**names) for text in arguments]
                result = referee(name, *wanted, *form, "--club", str(house.folder))
                assert result.exit_code in (0, 1, 2, 75), (name, result.output)
                table.clean(result.stdout_bytes + result.stderr_bytes, f"referee {name}")
                ran += result.exit_code == 0
                if form and result.exit_code == 0:
                    for line in result.stdout.splitlines():
                        json.loads(line)
    assert ran > 30
    written = [
        p for p in house.folder.rglob("*") if p.is_file() and p.suffix not in (".db", ".db-wal")
    ]
    for path in written:
        if "before-upgrade" not in path.name and not path.name.startswith("club.db"):
            table.clean(path.read_bytes(), str(path))


def test_at_any_end_the_seed_is_told(table: Table) -> None:
    """Resigned, declined, withdrawn, ended by ruling, cancelled: then, and only then."""
    house = table.house
    table.letters()

    def told(game: str, *addresses: str) -> None:
        table.shut.discard(game)
        for address in addresses:
            letter = next(m for p, m in reversed(house.box.sent) if p.recipient == address)
            assert table.seeds[game] in letter.as_string().replace("=\n", "")
        table.letters(since=start)

    start = house.count()
    house.answer(house.last(table.ann, table.lightning), "resign", proved=True)
    told(table.lightning, table.ann, table.bob)
    start = house.count()
    house.answer(house.last(table.bob, table.spiral), "resign", proved=True)
    told(table.spiral, table.bob)
    challenges = sorted(table.shut, key=lambda name: "spiral" in name)
    start = house.count()
    house.write(table.bob, f"decline {challenges[0]}")
    told(challenges[0], table.ann, table.bob)
    start = house.count()
    house.write(table.ann, f"decline {challenges[1]}")
    told(challenges[1], table.ann)


def test_a_substitute_learns_no_more_than_the_player_before_him(table: Table) -> None:
    house = table.house
    house.answer(house.last(table.ann, table.lightning), "draw; I@pool", proved=True)
    substitute(house.desk, house.now, table.lightning, "Bob", "Cat")
    house.send()
    table.letters()
    assert house.match(table.lightning).seed == table.seeds[table.lightning]
