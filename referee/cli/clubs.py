"""What the commands of a club share: finding its folder, opening it, printing for people or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pnp import terminal
from referee.errors import RefereeError

if TYPE_CHECKING:
    from referee.service.desk import Desk

F = TypeVar("F", bound=Callable[..., Any])

VARIABLE = "REFEREE_CLUB"


def club_option(function: F) -> F:
    """Add `--club DIR`."""
    return click.option(
        "--club",
        "club",
        type=click.Path(file_okay=False, path_type=Path),
        envvar=VARIABLE,
        metavar="DIR",
        help=f"The club's folder; else ${VARIABLE}, else this folder or the nearest above it with a club.toml.",
    )(function)


def format_option(function: F) -> F:
    """Add `--format text|json`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Text for people, or JSON, one object a line.",
    )(function)


def folder_of(club: Path | None) -> Path:
    """Return the club's folder. Raises RefereeError where none is named and none is near."""
    if club is not None:
        return club
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "club.toml").is_file():
            return folder
    raise RefereeError(
        f"no club here: name its folder with --club or ${VARIABLE}, or make one by `referee init DIR`"
    )


def opened(club: Path | None) -> Desk:
    """Open the club, until the command ends. Raises ClubError or StoreError with what is wrong."""
    from referee.service.desk import open_desk, utc_now

    desk = open_desk(folder_of(club), utc_now())
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(desk.store.close)
    return desk


def tell(form: str, text: str, /, **values: object) -> None:
    """Print what was done, or what was asked for: the text, or the values as JSON."""
    click.echo(json.dumps(values, ensure_ascii=False, default=str) if form == "json" else text)


def done(form: str, text: str, /, **values: object) -> None:
    """Print what was done, for those who did not ask for quiet."""
    if not terminal.quiet():
        tell(form, text, **values)


def counted(number: int, what: str) -> str:
    """Return "1 game is", "2 games are"."""
    return f"1 {what} is" if number == 1 else f"{number} {what}s are"
