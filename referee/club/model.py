"""What a club is set to, as typed values; config.py reads them from `club.toml`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from referee.clock import Settings


@dataclass(frozen=True, slots=True)
class MailIn:
    """Where mail comes from.

    kind           `none` (only `referee mail`), `imap`, `lmtp` or `maildir`
    path           LMTP: a Unix socket; Maildir: its folder
    host, port     IMAP, or LMTP over TCP (host empty: the Unix socket)
    user           IMAP
    tls            `tls`, `starttls`, or `none` to loopback only
    folder         the IMAP folder
    poll           seconds between two looks
    authserv_id    the id of our own server's Authentication-Results, None where nothing is to be believed
    trusted_hosts  our own servers, as they write themselves into Received
    password_file, password_env  where the password stands
    """

    kind: str = "none"
    path: Path = Path("spool/in")
    host: str = ""
    port: int = 993
    user: str = ""
    tls: str = "tls"
    folder: str = "INBOX"
    poll: int = 60
    authserv_id: str | None = None
    trusted_hosts: frozenset[str] = frozenset()
    password_file: Path | None = None
    password_env: str | None = None


@dataclass(frozen=True, slots=True)
class MailOut:
    """Where mail goes: `smtp`, or a `maildir` that another program empties. Fields as in MailIn."""

    kind: str = "maildir"
    path: Path = Path("spool/out")
    host: str = ""
    port: int = 587
    user: str = ""
    tls: str = "starttls"
    password_file: Path | None = None
    password_env: str | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """What the club allows. Budgets count answers to queries and refusals only (mail.md, Answers).

    address_hour      answers an hour to an address
    game_hour         answers an hour in a game
    unknown_day       answers a day to all unknown senders together
    unproved_day      answers a day to mail that nobody vouches for, all together
    codes_day         confirmation codes a day for an address
    invitations_day   invitations to unknown addresses a day for a player
    challenges        open challenges of a player
    attempts          readings of a mail before it is quarantined
    challenge_days    days after which an unanswered challenge is cancelled
    """

    address_hour: int = 20
    game_hour: int = 60
    unknown_day: int = 20
    unproved_day: int = 20
    codes_day: int = 3
    invitations_day: int = 3
    challenges: int = 20
    attempts: int = 3
    challenge_days: int = 30


@dataclass(frozen=True, slots=True)
class Club:
    """A club as its folder describes it. All paths are absolute.

    folder     the club's folder
    name       shown in every mail
    address    where players write to, without a + part
    zone       the club's time zone, and that of games that choose none
    operators  addresses of the operators; they cannot accept a game with chance
    database   a URL as SQLAlchemy takes it; relative files lie in the club's folder
    templates  the operator's own mail templates; looked into first
    """

    folder: Path
    name: str
    address: str
    zone: str
    operators: tuple[str, ...]
    database: str = field(repr=False)
    mail_in: MailIn = MailIn()
    mail_out: MailOut = MailOut()
    policy: Policy = Policy()
    clock: Settings = field(default_factory=Settings)
    templates: Path = Path("templates")

    @property
    def host(self) -> str:
        """The host part of the club's address."""
        return self.address.rpartition("@")[2]
