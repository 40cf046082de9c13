"""`referee move-store`: a club that outgrows its file."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.clubs import club_option, counted, folder_of, format_option, tell
from referee.cli.progress import Meter


@click.command("move-store", short_help="Move the club to another database.")
@click.argument("url", metavar="URL")
@click.option(
    "--url-file",
    is_flag=True,
    help="URL is a file of mode 0600 that holds it, so that a password stands in no list of processes.",
)
@club_option
@format_option
def move_store(url: str, url_file: bool, club: Path | None, form: str) -> None:
    """Copy the club into the empty database at URL, as postgresql+psycopg://user@host/name or sqlite:///new.db.

    Every row is compared and every game replayed on both sides; then the old database is closed for good, and one line
    in club.toml names the new one. It refuses while a process of the club is at work. Broken off, it can be run again.
    """
    from referee.club.keys import read_secret
    from referee.service.desk import utc_now
    from referee.service.moving import move_store as move

    folder = folder_of(club)
    if url_file:
        url = read_secret(Path(url), "the new database's URL")
    with Meter("rows") as meter:

        def told(done: int, whole: int) -> None:
            meter.whole = whole
            meter.step(done - meter.done, done - meter.done)

        moved = move(folder, url, utc_now(), told)
    lines = [
        f"{counted(moved.rows, 'row')} in {moved.name}; "
        f"{counted(moved.games, 'game')} replayed, and the same on both sides",
        *(f"{game} is damaged, there as here" for game in moved.damaged),
        f"next: write the new URL into {folder / 'club.toml'}, the line that begins database =; "
        "then `referee doctor`",
    ]
    tell(
        form,
        "\n".join(lines),
        rows=moved.rows,
        games=moved.games,
        damaged=moved.damaged,
        database=moved.name,
    )
