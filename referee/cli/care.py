"""Records out and in, backup, key, upgrade, doctor: the care of a club."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pnp import terminal
from referee.cli.clubs import club_option, counted, done, folder_of, format_option, opened, tell
from referee.cli.progress import Meter

if TYPE_CHECKING:
    from referee.diagram.site import File


@click.command(short_help="Write the records of games.")
@click.argument("games", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file; else standard output.",
)
@click.option(
    "--pages",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write pages to look at instead: games, replays, standings; open DIR/index.html.",
)
@click.option("--theme", help="For --pages: colour, colour-blind, grey, ink-saver, or a TOML file.")
@club_option
@format_option
@terminal.quiet_option
def export(
    games: tuple[str, ...],
    output: Path | None,
    pages: Path | None,
    theme: str | None,
    club: Path | None,
    form: str,
) -> None:
    """Write the records of GAMES, or of all games, as `.moves`. Games that are on have no seed in them.

    With --pages they become a folder of HTML that opens without a server, or lies on one: nothing is in it that not
    everybody may know. Written again into the same folder it is brought up to date.
    """
    if pages is not None:
        if output is not None:
            raise click.UsageError("--output is for records, --pages for pages; take one of them")
        _site(games, pages, theme or "colour", club, form)
        return
    if theme is not None:
        raise click.UsageError("--theme is for --pages: records have no colours")
    from referee.files.disk import replace
    from referee.service import records
    from referee.service.desk import utc_now

    texts = []
    with Meter("records") as meter:
        for text in records.export(opened(club), utc_now(), games):
            meter.step(1)
            if output is not None:
                texts.append(text)
            elif form == "json":
                tell(form, "", record=text)
            else:
                click.echo(text)
    if output is not None:
        replace(output, "\n".join(texts).encode())
        done(form, f"{counted(len(texts), 'record')} in {output}", records=len(texts), file=output)


def _site(games: tuple[str, ...], folder: Path, theme: str, club: Path | None, form: str) -> None:
    """Write the pages of games into a folder; status 1 where a game could not be shown."""
    from pnp import themes
    from referee.archive import make_folder
    from referee.service import records
    from referee.service.desk import utc_now

    look, desk = themes.load(theme), opened(club)
    for name in ("games", "thumbs"):
        make_folder(folder / name)
    with Meter("games") as meter:
        target = _Folder(folder, meter)
        count = records.site(desk, utc_now(), games, look, target)
    index = folder / "index.html"
    done(
        form,
        f"{counted(count, 'game')} shown; look through them in {index}",
        games=count,
        file=index,
    )
    sys.exit(1 if target.troubles else 0)


class _Folder:
    """A folder of pages on the disk."""

    def __init__(self, path: Path, meter: Meter) -> None:
        self.path = path
        self.meter = meter
        self.troubles = 0

    def have(self, path: str) -> str | None:
        """Return the text of a file that is there, None where there is none, or no text."""
        try:
            return (self.path / path).read_text("utf-8")
        except (OSError, ValueError):
            return None

    def write(self, file: File) -> None:
        """Write a file whole or not at all. Raises PnpError."""
        from referee.diagram import files

        files.write(self.path / file.path, file.text.encode())

    def trouble(self, text: str) -> None:
        """Tell of a game that is left out."""
        self.troubles += 1
        self.meter.clear()
        click.echo(f"referee: {text}", err=True)

    def shown(self) -> None:
        """Count a game."""
        self.meter.step(1)


@click.command("import", short_help="Take records in as games.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=terminal.files)
@club_option
@format_option
@terminal.quiet_option
def import_games(files: tuple[str, ...], club: Path | None, form: str) -> None:
    """Take the records of each FILE in as games; their players must be players here, by name.

    Open games go on here. Exit status 1 if some record was not taken.
    """
    from referee.errors import RefereeError
    from referee.notation.inputs import open_records
    from referee.service import records
    from referee.service.desk import utc_now

    desk, status = opened(club), 0
    with Meter("records") as meter:
        for file in files:
            for record in open_records(file):
                meter.step(1)
                try:
                    game_id = records.import_record(desk, utc_now(), record)
                except RefereeError as error:
                    meter.clear()
                    click.echo(f"referee: {error}", err=True)
                    status = 1
                else:
                    done(form, f"{file}: {game_id}", file=file, game=game_id)
    sys.exit(status)


@click.command(short_help="Copy the database while the club works on.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@club_option
@format_option
@terminal.quiet_option
def backup(file: Path, club: Path | None, form: str) -> None:
    """Copy the club's database to FILE. The key is not in it: keep a copy of referee.key apart."""
    from referee.club import KEY_FILE

    desk = opened(club)
    with Meter("pages") as meter:
        desk.store.backup(file, lambda done, total: meter.step(done - meter.done))
    key = desk.club.folder / KEY_FILE
    text = f"{file} holds the club's database. The key is not in it: keep {key} apart, as secret as it is"
    done(form, text, file=file, key=str(key), key_included=False)


@click.command("rotate-key", short_help="Give the club another key.")
@click.option(
    "--resend/--no-resend", default=True, show_default=True, help="Send every open game again."
)
@club_option
@format_option
def rotate_key(resend: bool, club: Path | None, form: str) -> None:
    """Give the club another key: all tokens and codes given out are void.

    Every open game is sent to its players again, so that they have tokens that count.
    """
    import secrets

    from referee.service import care, operator
    from referee.service.desk import utc_now

    folder = folder_of(club)
    care.rotate_key(folder, utc_now(), secrets.token_bytes(32))
    count = operator.resend_all(opened(folder), utc_now()) if resend else 0
    text = f"the club has another key; {count} letters with new tokens are on the way"
    tell(form, text, letters=count)


@click.command(short_help="Bring a club to this version of the program.")
@club_option
@format_option
def upgrade(club: Path | None, form: str) -> None:
    """Bring the club's database to this program's version.

    A backup is made first and all open games are replayed under the new rules; where one would stand otherwise,
    nothing is changed.
    """
    from referee.service import care
    from referee.service.desk import utc_now

    with Meter("games") as meter:
        changed, kept = care.upgrade(
            folder_of(club), utc_now(), lambda done, total: meter.step(done - meter.done)
        )
    text = f"upgraded; the old database is kept as {kept}" if changed else "nothing is to do"
    tell(form, text, upgraded=changed, backup=kept)


@click.command(short_help="Check everything that a club needs.")
@club_option
@format_option
def doctor(club: Path | None, form: str) -> None:
    """Check the club: settings, key, database, games, mail out and in, fonts, cairo, clock, templates.

    Nothing is changed and no mail is sent. Exit status 1 if something is wrong.
    """
    from referee.service import care
    from referee.service.desk import utc_now

    status = 0
    for finding in care.doctor(folder_of(club), utc_now(), os.environ):
        mark = "ok   " if finding.ok else "WRONG"
        mark = terminal.painted(mark, "good" if finding.ok else "fault", sys.stdout)
        tell(
            form,
            f"{mark} {finding.what}: {finding.text}",
            check=finding.what,
            ok=finding.ok,
            text=finding.text,
        )
        status = status or int(not finding.ok)
    sys.exit(status)


@click.command(short_help="Let a mail out of quarantine.")
@click.argument("number", metavar="[ID]", type=int, required=False)
@click.option("--drop", is_flag=True, help="Give the mail up: no deadline waits for it any more.")
@club_option
@format_option
def release(number: int | None, drop: bool, club: Path | None, form: str) -> None:
    """Read mail ID of the quarantine again; it counts with its first receipt time. Without ID: list them."""
    from referee.service import operator
    from referee.service.desk import utc_now

    if drop and number is None:
        raise click.UsageError("--drop gives up one mail; name its ID.")
    desk, now = opened(club), utc_now()
    if number is None:
        with desk.store.read(now) as unit:
            for mail in unit.quarantine():
                text = f"{mail.id}: received {mail.received:%Y-%m-%d %H:%M} UTC, {mail.why or 'no reason known'}"
                tell(form, text, id=mail.id, received=mail.received, why=mail.why)
        return
    if drop:
        operator.drop(desk, now, number)
        tell(form, f"mail {number} is given up", id=number, dropped=True)
        return
    operator.release(desk, now, number)
    tell(form, f"mail {number} is read again by `referee serve` or `referee mail`", id=number)
