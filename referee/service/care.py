"""Care of a club: another key, an upgrade, a check of everything it needs (mail.md, The operator)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, TypeVar

from referee.club import Club, MailIn, fingerprint, load, load_key, new_key, secret
from referee.errors import RefereeError
from referee.mail.reply import Page, Writer, note
from referee.store import Store

Progress = Callable[[int, int], None]

T = TypeVar("T")


def rotate_key(folder: Path, now: datetime, key: bytes) -> None:
    """Give the club another key: all tokens and codes are void. Broken off half-way it can be run again."""
    club = load(folder)
    store = Store(club.database)
    try:
        store.check_schema()
        with store.backend.for_itself():
            new_key(folder, key, replace=True)
            store.rekey(fingerprint(key), now)
    finally:
        store.close()


def upgrade(
    folder: Path, now: datetime, progress: Progress | None = None
) -> tuple[bool, Path | None]:
    """Bring a club's database to this program's; return whether anything was to do, and where the backup lies."""
    club = load(folder)
    load_key(folder)
    store = Store(club.database)
    backup = folder / f"before-upgrade-{now:%Y%m%dT%H%M%SZ}.db"
    try:
        with store.backend.for_itself():
            if not store.behind(now):
                return False, None
            store.backup(backup)
            store.upgrade(now, progress)
    finally:
        store.close()
    return True, backup


# -- doctor ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found: all is well, or what to do."""

    what: str
    ok: bool
    text: str


BEAT_OLD: Final = timedelta(minutes=5)


def doctor(folder: Path, now: datetime, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Check everything that a club needs, one thing after the other; nothing is changed and no mail is sent."""
    club, finding = _tried("club.toml", lambda: load(folder), "read")
    yield finding
    if club is None:
        return
    key, finding = _tried("key", lambda: load_key(folder), "there, for its owner alone")
    yield finding
    if key is not None:
        known = fingerprint(key)
        yield _tried("database", lambda: _database(club, known, now))[1]
        yield _tried("durability", lambda: _durability(club, known, now))[1]
        yield _tried("replay", lambda: _replay(club, known, now))[1]
        yield _tried("heartbeat", lambda: _heartbeat(club, known, now))[1]
    yield _tried("mail out", lambda: _mail_out(club, environ))[1]
    yield _tried("mail in", lambda: _mail_in(club, environ))[1]
    yield _tried("fonts", _fonts)[1]
    yield _tried("cairo", _cairo)[1]
    yield _tried("clock", lambda: _clock(club, now))[1]
    yield _tried("templates", lambda: _templates(club))[1]


def _tried(what: str, check: Callable[[], T], good: str = "") -> tuple[T | None, Finding]:
    """Return what a check gives and its finding; whatever goes wrong in it is what it has found."""
    try:
        found = check()
    except Exception as error:
        text = " ".join(str(error).split()) or type(error).__name__
        return None, Finding(what, False, text)
    return found, Finding(what, True, good or str(found))


def _database(club: Club, known: str, now: datetime) -> str:
    store = Store.open(club.database, known, now)
    try:
        with store.read(now) as unit:
            mails, letters = unit.spool_counts(), unit.outbox_counts()
            players, games = unit.player_count(), unit.open_count()
    finally:
        store.close()
    waiting = f"{mails['waiting']} mails wait, {mails['quarantined']} in quarantine"
    return f"{players} players, {games} games on; {waiting}; {letters['due']} letters to send"


def _durability(club: Club, known: str, now: datetime) -> str:
    store = Store.open(club.database, known, now)
    try:
        wrong = store.backend.hazards()
    finally:
        store.close()
    if wrong:
        raise RefereeError("; ".join(wrong))
    return "what is acknowledged is on the disk"


def _replay(club: Club, known: str, now: datetime) -> str:
    store = Store.open(club.database, known, now)
    try:
        wrong = store.replay_all(now)
    finally:
        store.close()
    if wrong:
        raise RefereeError("; ".join(wrong[:5]))
    return "every open game stands as it was stored"


def _heartbeat(club: Club, known: str, now: datetime) -> str:
    store = Store.open(club.database, known, now)
    try:
        with store.read(now) as unit:
            last, frozen = unit.last_beat(), unit.frozen()
    finally:
        store.close()
    if frozen is not None:
        raise RefereeError(f"clock actions are frozen ({frozen.why}); `referee resume` ends that")
    if last is not None and last > now:
        raise RefereeError("the last heartbeat lies in the future; look at the machine's time")
    if last is None or now - last > BEAT_OLD:
        return "no process runs now; `referee serve` sends mail and runs the clocks"
    return f"a process was at work {max(0, round((now - last).total_seconds()))} s ago"


def _mail_out(club: Club, environ: Mapping[str, str]) -> str:
    from referee.mail.maildir import MaildirOut
    from referee.mail.smtp import SmtpOut
    from referee.mail.ways import way_out

    way = way_out(club, environ)
    assert isinstance(way, SmtpOut | MaildirOut)
    failed = way.check()
    if failed is not None:
        raise RefereeError(failed.reason)
    out = club.mail_out
    return f"SMTP {out.host}:{out.port}" if out.kind == "smtp" else f"Maildir {out.path}"


def _mail_in(club: Club, environ: Mapping[str, str]) -> str:
    source = club.mail_in
    if source.kind == "imap":
        from referee.mail.imap import ImapIn

        password = secret(
            source.password_file, source.password_env, environ, "the password for IMAP"
        )
        ImapIn(source, password).check()
        return "; ".join(
            [f"IMAP {source.host}:{source.port}, folder {source.folder}", *_vouching(source)]
        )
    if source.kind == "maildir" and not (source.path / "new").is_dir():
        raise RefereeError(f"{source.path} is no Maildir: it has no folder `new`")
    notes = [source.kind]
    folder = source.path.parent
    if source.kind == "lmtp" and not source.host and not folder.stat().st_mode & 0o010:
        notes.append(f"its socket is for this user alone; “chmod g+x {folder}” lets the group in")
    return "; ".join([*notes, *_vouching(source)])


def _vouching(source: MailIn) -> list[str]:
    """Say what the settings make of our own server's word on senders, where that may surprise."""
    if source.authserv_id is None:
        return ["authserv_id is not set, so commands outside a game need a code"]
    if not source.trusted_hosts:
        return ["trusted_hosts is empty, so results below any Received line do not count"]
    return []


def _fonts() -> str:
    from pnp import fonts

    fonts.load()
    return "there"


def _cairo() -> str:
    from pnp import themes
    from pnp.backends import png
    from referee import diagram
    from referee.core.source import Source
    from referee.diagram.frames import frame_of
    from referee.notation import moves

    frame = frame_of(moves.read(Source("doctor", '[Game "Hex"]\n[Size "2"]\n\n*\n')))
    data = png.render(diagram.scene(frame, themes.load("colour")), 30.0)
    drawn = f"draws ({len(data)} bytes)"
    return drawn if png.drawn_by() == "cairo" else f"is not there; PDFium {drawn}"


def _clock(club: Club, now: datetime) -> str:
    from referee.clock import parse_zone, written

    if parse_zone(club.zone) is None:
        raise RefereeError(f"the time zone {club.zone} is not known; install tzdata")
    return written(now, club.zone)


def _templates(club: Club) -> str:
    """Set a page with templates that need next to no values; an operator's own that fail are named."""
    wrong: list[str] = []
    writer = Writer(club.name, club.address, club.templates, wrong.append)
    writer.texts(Page("test", [note("nothing", attached=""), note("stale"), note("stop")]))
    if wrong:
        raise RefereeError("; ".join(wrong))
    return "the operator's own stand before ours" if club.templates.is_dir() else "ours"
