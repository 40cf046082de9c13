"""`club.toml` as a typed value: name, address, zone, mail in and out, policy, clocks."""

from __future__ import annotations

import ipaddress
import re
from datetime import timedelta
from pathlib import Path
from shlex import quote
from typing import Final

from pnp.errors import PnpError
from pnp.resources import parse_toml
from referee.clock import Settings, parse_duration, parse_zone
from referee.clock.settings import fault as clock_fault
from referee.club.model import Club, MailIn, MailOut, Policy
from referee.club.tables import ClubError, Table

CONFIG_FILE: Final = "club.toml"
DATABASE_FILE: Final = "club.db"

_PASSWORD: Final = re.compile(r"://[^/@]*:[^/@]+@|[?&]password=")
"""A password within a database's URL."""

LONGEST_LOCAL: Final = 11
"""With a token behind it (`+lightning-9999999.2.99999.` and 26 characters) the local part stays within 64."""

_ADDRESS: Final = re.compile(
    r"([A-Za-z0-9!#$%&'*/=?^_`{|}~.-]+)@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)"
)

IN_KINDS: Final = ("none", "imap", "lmtp", "maildir")
OUT_KINDS: Final = ("maildir", "smtp")
TLS: Final = ("tls", "starttls", "none")


def load(folder: Path) -> Club:
    """Return the club of a folder. Raises ClubError, with the place, for what is missing or wrong."""
    path = folder / CONFIG_FILE
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        hint = f"it has no {CONFIG_FILE}; `referee init {quote(str(folder))}` makes one"
        raise ClubError(f"{folder} is no club's folder: {hint}") from None
    except UnicodeDecodeError:
        raise ClubError(f"{path} is no UTF-8 text") from None
    except OSError as error:
        raise ClubError(f"{path} cannot be read: {error.strerror}") from None
    club = parse(text, folder.absolute(), str(path))
    if _PASSWORD.search(club.database) and path.stat().st_mode & 0o077:
        raise ClubError(
            f"{path} holds the database's password and others may read it; chmod 600 {path}"
        )
    return club


def parse(text: str, folder: Path, file: str = CONFIG_FILE) -> Club:
    """Return the club that a configuration describes. Raises ClubError for the first thing wrong in it."""
    try:
        top = Table(parse_toml(text, file), file)
    except PnpError as error:
        raise ClubError(str(error)) from None
    zone = top.text("zone", "UTC", _zone_fault)
    mail = top.table("mail")
    club = Club(
        folder,
        name=top.text("name", check=_name_fault),
        address=top.text("address", check=address_fault).lower(),
        zone=zone,
        operators=_operators(top),
        database=_database(top, folder),
        mail_in=_mail_in(mail.table("in"), folder),
        mail_out=_mail_out(mail.table("out"), folder),
        policy=_policy(top.table("policy")),
        clock=_clock(top.table("clock"), zone),
        templates=folder / top.text("templates", "templates"),
    )
    mail.done()
    top.done()
    return club


def _name_fault(name: str) -> str | None:
    if name.strip() and name.isprintable() and len(name) <= 60:
        return None
    return "is one line of 1 to 60 printable characters"


def _zone_fault(zone: str) -> str | None:
    return (
        None if parse_zone(zone) else f"{zone!r} is no time zone; write one such as Europe/Berlin"
    )


def address_fault(address: str) -> str | None:
    """Return what is wrong with the club's own address, None where it is fit for tokens."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return f"{address!r} is no address; write one such as referee@example.org, without a +"
    if len(match[1]) > LONGEST_LOCAL:
        return (
            f"the part before @ has {len(match[1])} characters; with the tokens behind it, which must stay within 64, "
            f"{LONGEST_LOCAL} are the most"
        )
    return None


def _operators(top: Table) -> tuple[str, ...]:
    addresses = top.texts("operators")
    for address in addresses:
        if address.count("@") != 1 or not address.isprintable() or " " in address:
            raise top.fail("operators", f"{address!r} is no address")
    return tuple(address.lower() for address in addresses)


def _database(top: Table, folder: Path) -> str:
    url = top.text("database", f"sqlite:///{DATABASE_FILE}", database_fault)
    if url.startswith("sqlite:///"):
        return f"sqlite:///{folder / url.removeprefix('sqlite:///')}"
    return url


def database_fault(url: str) -> str | None:
    """Return what is wrong with a club's database URL, None where it can stand. It says nothing of the URL itself."""
    if url.startswith("postgresql+psycopg://"):
        return None
    if not url.startswith("sqlite:///"):
        return 'write "sqlite:///club.db" or "postgresql+psycopg://…"'
    path = url.removeprefix("sqlite:///")
    if not path or path.startswith(":memory:"):
        return "a club's database is a file, such as sqlite:///club.db"
    return None


def _secret_places(table: Table, folder: Path) -> tuple[Path | None, str | None]:
    file, env = table.optional("password_file"), table.optional("password_env")
    if table.optional("password") is not None:
        raise table.fail(
            "password",
            "a password stands in a file of mode 0600 (password_file) or the environment",
        )
    return (folder / file if file else None), env


def _guarded(table: Table, host: str, tls: str) -> None:
    if tls == "none" and host and not is_loopback(host):
        raise table.fail("tls", f'"none" is for this machine only; {host} is another')


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _mail_in(table: Table, folder: Path) -> MailIn:
    kind = table.choice("kind", "none", IN_KINDS)
    tls = table.choice("tls", "tls", TLS)
    host = (
        table.text("host", check=lambda h: None if h else "is empty")
        if kind == "imap"
        else table.text("host", "")
    )
    file, env = _secret_places(table, folder)
    authserv = table.text("authserv_id", "")
    made = MailIn(
        kind=kind,
        path=folder / table.text("path", "lmtp.sock" if kind == "lmtp" else "spool/in"),
        host=host,
        port=table.number("port", 143 if tls != "tls" else 993, 1, 65535),
        user=table.text("user", ""),
        tls=tls,
        folder=table.text("folder", "INBOX"),
        poll=table.number("poll", 60, 1, 600),
        authserv_id=authserv or None,
        trusted_hosts=frozenset(host.lower() for host in table.texts("trusted_hosts")),
        password_file=file,
        password_env=env,
    )
    if kind == "imap":
        _guarded(table, host, tls)
    table.done()
    return made


def _mail_out(table: Table, folder: Path) -> MailOut:
    kind = table.choice("kind", "maildir", OUT_KINDS)
    tls = table.choice("tls", "starttls", TLS)
    host = (
        table.text("host", check=lambda h: None if h else "is empty")
        if kind == "smtp"
        else table.text("host", "")
    )
    file, env = _secret_places(table, folder)
    made = MailOut(
        kind=kind,
        path=folder / table.text("path", "spool/out"),
        host=host,
        port=table.number("port", {"tls": 465, "starttls": 587, "none": 25}[tls], 1, 65535),
        user=table.text("user", ""),
        tls=tls,
        password_file=file,
        password_env=env,
    )
    if kind == "smtp":
        _guarded(table, host, tls)
    table.done()
    return made


def _policy(table: Table) -> Policy:
    d = Policy()
    made = Policy(
        address_hour=table.number("address_hour", d.address_hour, 1, 10_000),
        game_hour=table.number("game_hour", d.game_hour, 1, 10_000),
        unknown_day=table.number("unknown_day", d.unknown_day, 0, 10_000),
        unproved_day=table.number("unproved_day", d.unproved_day, 0, 10_000),
        codes_day=table.number("codes_day", d.codes_day, 1, 100),
        invitations_day=table.number("invitations_day", d.invitations_day, 0, 1_000),
        challenges=table.number("challenges", d.challenges, 1, 10_000),
        attempts=table.number("attempts", d.attempts, 1, 100),
        challenge_days=table.number("challenge_days", d.challenge_days, 1, 366),
    )
    table.done()
    return made


def _clock(table: Table, zone: str) -> Settings:
    d = Settings()

    def span(key: str, default: timedelta) -> timedelta:
        text = table.optional(key)
        value = default if text is None else parse_duration(text)
        if value is None:
            raise table.fail(key, f'write a span such as "240h" or "10d", not {text!r}')
        return value

    per_move = span("per_move", timedelta())
    reminders = []
    for text in table.texts("reminders") or ("72h", "24h"):
        value = parse_duration(text)
        if value is None:
            raise table.fail("reminders", f'write spans such as "24h", not {text!r}')
        reminders.append(value)
    settings = Settings(
        span("bank", d.bank),
        span("increment", d.increment),
        span("cap", d.cap),
        per_move or None,
        "claim" if table.choice("timeout", d.timeout, ("auto", "claim")) == "claim" else "auto",
        zone,
        tuple(sorted(set(reminders), reverse=True)),
    )
    wrong = clock_fault(settings)
    if wrong is not None:
        raise table.fail("bank", wrong)
    table.done()
    return settings
