"""A club's folder: `club.toml`, key, passwords; every complaint says where and what would be right."""

from __future__ import annotations

import os
import secrets
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from referee import club as c
from referee.club import Club, ClubError

KEY = bytes(range(32))


def made(folder: Path, **changes: str) -> Club:
    values = {
        "name": "The Club",
        "address": "referee@club.example",
        "zone": "Europe/Berlin",
    } | changes
    return c.init(folder, operators=("op@club.example",), key=KEY, **values)


def parsed(text: str) -> Club:
    head = 'name = "N"\naddress = "referee@club.example"\n'
    return c.parse(head + text, Path("/c"))


def test_init_makes_a_folder_for_its_owner_alone(tmp_path: Path) -> None:
    club = made(tmp_path / "club")
    assert club == c.load(tmp_path / "club")
    assert (club.name, club.zone, club.operators) == (
        "The Club",
        "Europe/Berlin",
        ("op@club.example",),
    )
    assert club.clock.bank == timedelta(hours=240)
    assert club.clock.zone == "Europe/Berlin"
    assert club.database == f"sqlite:///{tmp_path / 'club' / 'club.db'}"
    for name in (c.KEY_FILE, c.CONFIG_FILE):
        assert stat.S_IMODE(os.stat(tmp_path / "club" / name).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(tmp_path / "club").st_mode) & ~0o010 == 0o700
    assert (tmp_path / "club" / "spool" / "in" / "new").is_dir()
    assert c.load_key(tmp_path / "club") == KEY


@pytest.mark.parametrize(
    "name", ['The "Best" Club', "Clüb ♠ 王", "back\\slash", "# no comment", "\U0001f600"]
)
def test_any_name_goes_into_the_file_and_comes_back(tmp_path: Path, name: str) -> None:
    assert made(tmp_path / "c", name=name).name == name


def test_a_club_is_never_made_over_another(tmp_path: Path) -> None:
    made(tmp_path / "c")
    with pytest.raises(ClubError, match="holds a club already"):
        made(tmp_path / "c")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"zone": "Mars/Olympus"}, "no time zone"),
        ({"address": "referee+x@club.example"}, "without a [+]"),
        ({"address": "nobody"}, "no address"),
        ({"address": "correspondence@club.example"}, "11 are the most"),
        ({"name": "two\nlines"}, "one line"),
        ({"name": "x\x7f"}, "one line"),
    ],
)
def test_init_refuses_what_cannot_be_and_makes_nothing(
    tmp_path: Path, changes: dict[str, str], says: str
) -> None:
    with pytest.raises(ClubError, match=says):
        made(tmp_path / "c", **changes)
    assert not (tmp_path / "c").exists()


def test_a_byte_order_mark_from_an_editor_is_no_fault(tmp_path: Path) -> None:
    made(tmp_path / "c")
    path = tmp_path / "c" / "club.toml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert c.load(tmp_path / "c").folder == tmp_path / "c"


def test_a_folder_without_a_club(tmp_path: Path) -> None:
    with pytest.raises(ClubError, match="referee init"):
        c.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nmae = 1", r"club.toml: nmae: is not known here; do you mean name\?"),
        ("operators = 1", "operators: write a list"),
        ('operators = ["x"]', "'x' is no address"),
        ('database = "mysql://x"', "database: write"),
        ('database = "sqlite:///:memory:"', "is a file"),
        ("x = ", "not TOML"),
        ("x = " + "[" * 9000, "nested too deeply"),
        ("x = " + "1" * 5000, "too many digits"),
        ('[mail.in]\nkind = "pop3"', r"\[mail.in\] kind: is one of"),
        ('[mail.in]\nkind = "imap"', r"\[mail.in\] host: is missing"),
        ('[mail.in]\nkind = "imap"\nhost = "h"\npassword = "x"', "0600"),
        ('[mail.in]\nkind = "imap"\nhost = "mail.example"\ntls = "none"', "this machine only"),
        ('[mail.out]\nkind = "smtp"\nhost = "10.0.0.1"\ntls = "none"', "this machine only"),
        ('[mail.out]\nkind = "smtp"\nhost = "h"\nport = 0', "from 1 to 65535"),
        ('[mail.out]\nkind = "smtp"\nhost = "h"\nport = true', "a whole number"),
        ("[policy]\nattempts = 0", "from 1 to 100"),
        ('[clock]\nbank = "soon"', "write a span"),
        ('[clock]\nbank = "300h"\ncap = "100h"', "below the bank"),
        ('[clock]\ntimeout = "maybe"', "is one of auto, claim"),
        ('[clock]\nreminders = ["x"]', "write spans"),
        ("mail = 1", "a table"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, says: str) -> None:
    with pytest.raises(ClubError, match=says):
        parsed(text)


def test_a_full_configuration() -> None:
    club = parsed("""
        zone = "Asia/Kathmandu"
        [mail.in]
        kind = "imap"
        host = "imap.example"
        user = "u"
        password_file = "imap.password"
        authserv_id = "mx.example"
        trusted_hosts = ["MX.example"]
        [mail.out]
        kind = "smtp"
        host = "127.0.0.1"
        tls = "none"
        [policy]
        address_hour = 5
        [clock]
        per_move = "5d"
        timeout = "claim"
        reminders = ["1h", "2d"]
    """)
    assert club.mail_in.port == 993
    assert club.mail_in.password_file == Path("/c/imap.password")
    assert club.mail_in.trusted_hosts == {"mx.example"}
    assert (club.mail_out.port, club.mail_out.tls) == (25, "none")
    assert club.policy.address_hour == 5
    assert club.clock.per_move == timedelta(days=5)
    assert club.clock.reminders == (timedelta(days=2), timedelta(hours=1))
    assert club.clock.zone == "Asia/Kathmandu"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "LOCALHOST"])
def test_loopback(host: str) -> None:
    assert c.config.is_loopback(host)


@pytest.mark.parametrize("host", ["localhost.evil.example", "128.0.0.1", "", "0.0.0.0"])
def test_what_is_no_loopback(host: str) -> None:
    assert not c.config.is_loopback(host)


def test_one_line_names_another_database() -> None:
    club = parsed('database = "postgresql+psycopg://u:geheim@db/club"')
    assert club.database.startswith("postgresql+psycopg://")
    assert "geheim" not in repr(club)


def test_a_password_in_the_database_url_wants_a_private_file(tmp_path: Path) -> None:
    made(tmp_path / "c")
    path = tmp_path / "c" / c.CONFIG_FILE
    path.write_text(
        path.read_text().replace("sqlite:///club.db", "postgresql+psycopg://u:p@db/club")
    )
    c.load(tmp_path / "c")
    path.chmod(0o644)
    with pytest.raises(ClubError, match="chmod 600"):
        c.load(tmp_path / "c")


# -- secrets -------------------------------------------------------------------------------------------------------


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = c.new_key(tmp_path, KEY)
    path.chmod(0o640)
    with pytest.raises(ClubError, match="chmod 600"):
        c.load_key(tmp_path)


@pytest.mark.parametrize("text", ["", "00", "zz" * 32, "00" * 33, "é"])
def test_a_damaged_key(tmp_path: Path, text: str) -> None:
    path = c.new_key(tmp_path, KEY)
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ClubError, match=str(path)):
        c.load_key(tmp_path)


def test_a_key_is_replaced_only_on_purpose(tmp_path: Path) -> None:
    c.new_key(tmp_path, KEY)
    with pytest.raises(ClubError, match="rotate-key"):
        c.new_key(tmp_path, bytes(32))
    other = secrets.token_bytes(32)
    c.new_key(tmp_path, other, replace=True)
    assert c.load_key(tmp_path) == other
    assert [p.name for p in tmp_path.iterdir()] == [c.KEY_FILE]


def test_the_fingerprint_tells_keys_apart_and_says_nothing() -> None:
    assert c.fingerprint(KEY) != c.fingerprint(bytes(32))
    assert KEY.hex()[:8] not in c.fingerprint(KEY)


def test_passwords_come_from_the_environment_or_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_text("geheim\n")
    path.chmod(0o600)
    assert c.secret(path, None, {}, "the password") == "geheim"
    assert c.secret(path, "PW", {"PW": "other"}, "the password") == "other"
    assert c.secret(None, None, {}, "the password") == ""
    with pytest.raises(ClubError, match="the environment has no PW"):
        c.secret(path, "PW", {}, "the password")
    path.chmod(0o604)
    with pytest.raises(ClubError, match="chmod 600"):
        c.secret(path, None, {}, "the password")
