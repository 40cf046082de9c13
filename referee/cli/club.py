"""`referee init`, `mail`, `serve`: a club made, and at work."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from pnp import terminal
from referee.cli.clubs import club_option, done, folder_of, format_option, opened, tell
from referee.cli.progress import Meter
from referee.errors import RefereeError

if TYPE_CHECKING:
    from referee.service.desk import Desk

EX_DATAERR = 65
EX_NOINPUT = 66
EX_TEMPFAIL = 75


@click.command(short_help="Make a club that plays by email.")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--name", help="The club's name, shown in every mail.  [default: from DIR]")
@click.option(
    "--address",
    default="referee@localhost",
    show_default=True,
    help="The address that players write to.",
)
@click.option(
    "--zone",
    default="UTC",
    show_default=True,
    metavar="ZONE",
    help="An IANA time zone, such as Europe/Berlin.",
)
@click.option(
    "--operator",
    "operators",
    multiple=True,
    metavar="ADDRESS",
    help="An operator's address, told of trouble; repeatable. Operators cannot play games with chance.",
)
@format_option
def init(
    folder: Path, name: str | None, address: str, zone: str, operators: tuple[str, ...], form: str
) -> None:
    """Make a club in the folder DIR: club.toml, a database, a key, a spool.

    Everything can be changed in club.toml afterwards; `referee doctor` checks it.
    """
    import secrets

    from referee import club as clubs
    from referee.service.desk import utc_now
    from referee.store import Store

    key = secrets.token_bytes(32)
    title = name or folder.absolute().name.replace("-", " ").replace("_", " ").strip().title()
    made = clubs.init(
        folder, name=title or "Club", address=address, zone=zone, operators=operators, key=key
    )
    Store.create(made.database, clubs.fingerprint(key), utc_now()).close()
    text = (
        f"{made.name}, {made.address}, is made in {folder}\n"
        f"next: look at {folder / 'club.toml'}, then `referee invite ADDRESS --club {quote(str(folder))}`\n"
        f"keep a copy of {folder / clubs.KEY_FILE} apart: backups do not hold it"
    )
    tell(form, text, folder=folder, name=made.name, address=made.address)


@click.command(short_help="Take mail in and answer it.")
@click.argument("paths", nargs=-1, metavar="[FILE|MAILDIR|MBOX]...", shell_complete=terminal.files)
@click.option(
    "--recipient",
    metavar="ADDRESS",
    help="The envelope's recipient, with its + part; else the mail's topmost Delivered-To or X-Original-To.",
)
@click.option(
    "--send/--no-send", default=True, show_default=True, help="Send what is due afterwards."
)
@club_option
@format_option
@terminal.quiet_option
def mail(
    paths: tuple[str, ...], recipient: str | None, send: bool, club: Path | None, form: str
) -> None:
    """Take one mail from standard input (`.forward`, procmail, Sieve, a pipe of Postfix), or all mails of each PATH.

    Exit status as in sysexits: 0 once the mails are stored for good, 75 to try again, 65 or 66 for what cannot be read.
    """
    raw = b""
    if not paths:
        raw = _stdin()
    try:
        desk = opened(club)
        stored = _stored(desk, raw, paths, recipient)
    except RefereeError as error:
        click.echo(f"referee: {error}", err=True)
        sys.exit(EX_NOINPUT if paths and error.exit_status == 2 else EX_TEMPFAIL)
    kinds = _handled(desk, send)
    if paths or form == "json":
        done(form, _summary(stored, kinds), stored=stored, outcomes=kinds)


def _stdin() -> bytes:
    from referee.mail.maildir import FILE_MOST

    stream = sys.stdin.buffer
    if stream.isatty():
        click.echo("reading one mail from the terminal, ended by Ctrl-D", err=True)
    raw = stream.read(FILE_MOST + 1)
    while len(raw) > FILE_MOST and stream.read(1 << 20):
        pass  # the rest is not kept, but whoever pipes it must get rid of it
    if not raw.strip():
        click.echo("referee: standard input holds no mail", err=True)
        sys.exit(EX_DATAERR)
    return raw


def _stored(desk: Desk, raw: bytes, paths: tuple[str, ...], recipient: str | None) -> int:
    """Store the mails for good and return how many they are."""
    from referee.mail.maildir import mails
    from referee.service.desk import utc_now
    from referee.service.serving import awake
    from referee.service.spool import receive, take_in

    awake(desk, utc_now())
    if not paths:
        receive(desk, raw, recipient, utc_now(), source="stdin")
        return 1
    with Meter("mails") as meter:
        for path in paths:
            for found in mails(Path(path)):
                take_in(desk, found, utc_now(), "file", recipient)
                meter.step(1)
    return meter.done


def _handled(desk: Desk, send: bool) -> list[str]:
    """Handle and answer what waits. The mails are stored: trouble from here on is told, and is nobody's loss."""
    from referee.mail.ways import way_out
    from referee.service.desk import utc_now
    from referee.service.sending import send_due
    from referee.service.spool import work

    kinds: list[str] = []
    try:
        kinds = [outcome.kind for outcome in work(desk, utc_now)]
        if send:
            send_due(desk, way_out(desk.club, os.environ), utc_now)
    except (RefereeError, OSError) as error:
        desk.complain(f"{error}; the mail is kept and comes again")
    return kinds


def _summary(stored: int, kinds: list[str]) -> str:
    counts: dict[str, int] = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
    said = ", ".join(f"{kind} {number}" for kind, number in sorted(counts.items()))
    return f"{stored} {'mail' if stored == 1 else 'mails'} stored; handled: {said or 'none'}"


@click.command(short_help="Run a club: mail in, mail out, clocks.")
@click.option("--once", is_flag=True, help="Do one round of everything and end.")
@club_option
def serve(once: bool, club: Path | None) -> None:
    """Run the club until it is stopped: look for mail (IMAP, Maildir) or listen for it (LMTP), handle it, send what
    is due, run the clocks.

    What it is to do stands in club.toml. Its log goes to standard error.
    """
    from referee.service.serving import serve as run

    desk = opened(club)
    if not once:
        source = desk.club.mail_in
        where = {"imap": source.host, "lmtp": source.host or source.path, "maildir": source.path}
        told = (
            f"{source.kind} {where[source.kind]}" if source.kind in where else "`referee mail` only"
        )
        desk.complain(f"{desk.club.name} is at work in {folder_of(club)}; mail in: {told}")
    run(desk, os.environ, once=once)
    if once:
        terminal.tell_person("one round is done: mail in, answers, clocks, mail out")
