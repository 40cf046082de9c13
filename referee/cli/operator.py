"""What the operator does to games and players of a club."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pnp import terminal
from referee.cli.clubs import club_option, format_option, opened, tell
from referee.cli.files import GAMES


def _pairs(options: tuple[str, ...]) -> list[tuple[str, str]]:
    from referee.files.playing import option_pairs

    return list(option_pairs(options).items())


@click.command(short_help="Begin a game between players.")
@click.argument("game", shell_complete=terminal.words(*GAMES))
@click.argument("names", nargs=-1, required=True, metavar="FIRST [SECOND] [NAME=VALUE]...")
@club_option
@format_option
def new(game: str, names: tuple[str, ...], club: Path | None, form: str) -> None:
    """Begin a game of GAME between the players FIRST and SECOND (in Spiral one player).

    Options are written as in a challenge: size=11, swap=sides, days=5, zone=Europe/Berlin. A game with chance waits
    for its last word: SECOND accepts it, in Spiral the player starts it.
    """
    from referee.service import operator
    from referee.service.desk import utc_now

    players = tuple(name for name in names if "=" not in name)
    options = _pairs(tuple(name.lstrip("-") for name in names if "=" in name))
    game_id, text = operator.new(opened(club), utc_now(), game, players, options)
    tell(form, f"{game_id}: {text}", game=game_id, text=text)


@click.command(short_help="Invite an address to the club.")
@click.argument("address")
@click.option("--name", default="", help="What the new player is to be called.")
@club_option
@format_option
def invite(address: str, name: str, club: Path | None, form: str) -> None:
    """Send ADDRESS an invitation with a code; who answers it is a player."""
    from referee.service import operator
    from referee.service.desk import utc_now

    told = operator.invite(opened(club), utc_now(), address, name)
    tell(form, f"an invitation to {told} is on its way", address=told)


@click.command(short_help="List the players.")
@club_option
@format_option
def players(club: Path | None, form: str) -> None:
    """List the players with their addresses."""
    from referee.service.desk import utc_now
    from referee.service.operator import all_players

    now = utc_now()
    with opened(club).store.read(now) as unit:
        for player in all_players(unit):
            count = len(unit.games_of(player.id, limit=1000))
            notices = "no notices" if not player.notices else "digest" if player.digest else ""
            bounced = sum(unit.bounces(address) for address in player.addresses)
            parts = [player.name, " ".join(player.addresses), f"{count} games on", notices]
            if bounced:
                parts.append(f"{bounced} bounces")
            tell(
                form,
                ", ".join(part for part in parts if part),
                id=player.id,
                name=player.name,
                addresses=player.addresses,
                games=count,
                notices=player.notices,
                digest=player.digest,
                bounces=bounced,
                gone=player.gone,
            )


@click.command(short_help="Remove a player.")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@club_option
@format_option
def remove(name: str, yes: bool, club: Path | None, form: str) -> None:
    """Remove the player NAME: open games are resigned, name and addresses go; records say `Player 17`."""
    from referee.service.desk import utc_now
    from referee.service.leaving import leave
    from referee.service.operator import player_of
    from referee.service.post import Post

    desk, now = opened(club), utc_now()
    with desk.store.read(now) as unit:
        found = player_of(unit, name)
    if not yes:
        click.confirm(f"Remove {found.name} and resign all open games?", abort=True, err=True)
    with desk.store.begin(now) as unit:
        called = leave(Post(desk, unit, now), player_of(unit, name))
    tell(form, f"{found.name} is removed; records say {called}", old=found.name, new=called)


@click.command(short_help="Write to players.")
@click.argument("text")
@click.option("--to", metavar="NAME", help="One player only.")
@click.option("--game", metavar="GAME", help="The players of a game only.")
@club_option
@format_option
def message(text: str, to: str | None, game: str | None, club: Path | None, form: str) -> None:
    """Write TEXT to all players, to one, or to those of a game; `-` reads it from standard input."""
    from referee.service import operator
    from referee.service.desk import utc_now

    words = sys.stdin.read() if text == "-" else text
    count = operator.message(opened(club), utc_now(), words, to, game)
    tell(form, f"{count} {'letter is' if count == 1 else 'letters are'} on the way", letters=count)


@click.command(short_help="List the games.")
@click.option(
    "--status",
    type=click.Choice(["on", "over", "cancelled", "all"]),
    default="on",
    show_default=True,
    help="Which games.",
)
@club_option
@format_option
def games(status: str, club: Path | None, form: str) -> None:
    """List the games of the club, with who is to move and until when."""
    from referee.clock import written
    from referee.service.desk import utc_now

    desk, after = opened(club), 0
    with desk.store.read(utc_now()) as unit:
        while True:
            page = unit.games_list(None if status == "all" else status, after)
            for game in page:
                ids = (game.first_id, game.second_id, game.mover_id)
                first, second, mover = (
                    found.name if (found := unit.player(i) if i else None) else None for i in ids
                )
                text = f"{game.id}: {first} – {second or 'Dr. Brooks'}, {game.plies} plies"
                text += f", {mover} to move" if mover else f", {game.status} {game.result}"
                if game.due_at is not None:
                    text += f", next look {written(game.due_at, desk.club.zone)}"
                tell(
                    form,
                    text,
                    id=game.id,
                    game=game.game,
                    status=game.status,
                    result=game.result,
                    plies=game.plies,
                    first=first,
                    second=second,
                    to_move=mover,
                    due=game.due_at,
                )
            if not page:
                if not after:
                    terminal.tell_person(
                        "no such games; `referee new GAME FIRST SECOND` begins one"
                    )
                return
            after = int(page[-1].id.rpartition("-")[2])


@click.command(short_help="Show a game.")
@click.argument("game")
@click.argument("ply", type=click.IntRange(0), required=False)
@club_option
@format_option
def show(game: str, ply: int | None, club: Path | None, form: str) -> None:
    """Show GAME as it stands, or after PLY plies, with its public record."""
    from referee.mail.view import board, time_left
    from referee.match import record_text
    from referee.service.desk import utc_now
    from referee.service.operator import RefusedError, game_of

    now = utc_now()
    with opened(club).store.read(now) as unit:
        kept = game_of(unit, game)
    match = kept.match
    if ply is not None and ply > match.plies:
        raise RefusedError(f"{kept.id} has {match.plies} plies; there is no ply {ply}")
    seen = board(match, ply)
    mover, clock = match.to_move, kept.clock
    time = (
        "" if clock is None or mover is None else _time(time_left(clock, kept.calendar, mover, now))
    )
    parts = [seen.title, f"{seen.state}.{time}", seen.drawing, seen.listing, record_text(match)]
    tell(
        form,
        "\n\n".join(parts).rstrip("\n"),
        id=kept.id,
        state=seen.state,
        event=match.event,
        plies=match.plies,
        position=match.rules.position_text(match.position),
        record=record_text(match),
    )


def _time(time: object) -> str:
    from referee.mail.view import Time

    assert isinstance(time, Time)
    return f" Left: {time.left}" + (f", until {time.deadline}." if time.deadline else ".")


@click.command(short_help="Tell all that happened in a game.")
@click.argument("game")
@club_option
@format_option
def history(game: str, club: Path | None, form: str) -> None:
    """Tell all that happened in GAME, with what was taken back and what only one player may see."""
    from referee.service.desk import utc_now
    from referee.service.looks import entry_text, short_time
    from referee.service.operator import game_of

    desk = opened(club)
    with desk.store.read(utc_now()) as unit:
        kept = game_of(unit, game)
        entries = unit.log_of(kept.id, everything=True)
    for entry in entries:
        said = entry_text(kept.match, entry)
        tell(
            form,
            f"{short_time(entry.at, desk.club.zone)}: {said}",
            at=entry.at,
            event=entry.event,
            kind=entry.kind,
            data=dict(entry.data),
        )


@click.command(short_help="Stop clocks.")
@click.argument("game", required=False)
@click.option("--reason", default="", metavar="TEXT", help="Why; it stands in the log.")
@club_option
@format_option
def pause(game: str | None, reason: str, club: Path | None, form: str) -> None:
    """Stop the clocks of GAME, or of all games."""
    from referee.service import operator
    from referee.service.desk import utc_now

    text = operator.pause(opened(club), utc_now(), game, on=True, why=reason)
    tell(form, text, game=game, paused=True)


@click.command(short_help="Let clocks run on.")
@click.argument("game", required=False)
@club_option
@format_option
def resume(game: str | None, club: Path | None, form: str) -> None:
    """Let the clocks of GAME run on, or, after a jump of the machine's clock or `pause`, those of all games."""
    from referee.service import operator
    from referee.service.desk import utc_now

    text = operator.pause(opened(club), utc_now(), game, on=False)
    tell(form, text, game=game, paused=False)


@click.command(short_help="Take plies of a game back.")
@click.argument("game")
@click.argument("plies", type=click.IntRange(0))
@click.option("--reason", default="", metavar="TEXT", help="Why; both players are told.")
@club_option
@format_option
def takeback(game: str, plies: int, reason: str, club: Path | None, form: str) -> None:
    """Go back in GAME to the position after PLIES plies. What is taken back stays in the log; both are told.

    No way back goes over a drawn tile or a deal.
    """
    from referee.service import operator
    from referee.service.desk import utc_now

    kept = operator.takeback(opened(club), utc_now(), game, plies, reason)
    tell(form, f"{kept.id} stands after {plies} plies again", game=kept.id, plies=plies)


@click.command(short_help="Put another player in a seat.")
@click.argument("game")
@click.argument("old")
@click.argument("new_name", metavar="NEW")
@club_option
@format_option
def substitute(game: str, old: str, new_name: str, club: Path | None, form: str) -> None:
    """Let the player NEW take the seat of OLD in GAME; queues, offers and older tokens are void."""
    from referee.service import operator
    from referee.service.desk import utc_now

    kept = operator.substitute(opened(club), utc_now(), game, old, new_name)
    tell(form, f"{new_name} plays on in {kept.id}", game=kept.id, old=old, new=new_name)


@click.command(short_help="End a game by ruling.")
@click.argument("game")
@click.argument("result", type=click.Choice(["1-0", "0-1", "1/2-1/2", "cancel"]))
@click.option("--reason", required=True, metavar="TEXT", help="Why; both players are told.")
@club_option
@format_option
def rule(game: str, result: str, reason: str, club: Path | None, form: str) -> None:
    """End GAME with RESULT, by ruling, or cancel it. Its seed becomes known."""
    from typing import cast

    from referee.service import operator
    from referee.service.desk import utc_now

    ruled = cast("operator.Result", result)
    kept = operator.rule(opened(club), utc_now(), game, ruled, reason)
    tell(
        form, f"{kept.id} is {kept.match.status}: {kept.match.result}", game=kept.id, result=result
    )


@click.command(short_help="Send a game's position again.")
@click.argument("game")
@click.option("--to", metavar="NAME", help="To this player only.")
@club_option
@format_option
def resend(game: str, to: str | None, club: Path | None, form: str) -> None:
    """Send GAME as it stands to its players again, with tokens that count."""
    from referee.service import operator
    from referee.service.desk import utc_now

    told = operator.resend(opened(club), utc_now(), game, to)
    tell(form, f"{game} goes to {' and '.join(told)} again", game=game, to=told)
