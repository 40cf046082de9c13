"""`referee help`: the players' pages."""

from __future__ import annotations

import shutil
import sys

import click

from pnp import terminal
from referee.cli.files import GAMES

RULES_ONLY = ("hex-lightning",)
"""Pages of rules that are played on the table only: there are no records of them to judge."""


@click.command(name="help", short_help="Explain a game.")
@click.argument("game", required=False, shell_complete=terminal.words(*GAMES, *RULES_ONLY))
def explain(game: str | None) -> None:
    """Explain GAME: its rules, how its moves are written, examples of faults.

    Without a game: the games and the commands.
    """
    from referee import pages
    from referee.files.playing import game_named
    from referee.games import names

    if game is None:
        context = click.get_current_context()
        click.echo(context.parent.get_help() if context.parent else "")
        click.echo(f"\nGames: {', '.join(names())}. `referee help GAME` explains one.")
        return
    width = min(78, shutil.get_terminal_size((78, 24)).columns)
    slug = game.lower() if game.lower() in RULES_ONLY else game_named(game).slug
    text = pages.page(slug, width, bold=terminal.coloured(sys.stdout))
    if sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=False)
