"""A player's own things: vacation, further addresses, digest, stop, forget me (mail.md, Commands, Clocks)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from referee import clock as clocks
from referee.clock.zones import zone_of
from referee.mail.auth import deliverable
from referee.mail.identity import commands_hash
from referee.mail.reply import harmless, note
from referee.mail.submission import Command
from referee.service import codes
from referee.service.leaving import leave
from referee.service.run import Run

ADDRESSES_DAY: Final = 3
"""Further addresses that a player may ask for in a day."""
ADDRESSES: Final = 5
"""Addresses that a player may have."""


def vacation(run: Run, command: Command) -> bool:
    """Note a vacation: whole days in each game's zone."""
    try:
        first, last = (date.fromisoformat(text) for text in command.args)
    except ValueError:
        return run.refuse("a date is written 2025-07-01; one of these is no day", command)
    taken = run.unit.vacations(run.player.id)
    today = run.now.astimezone(zone_of(run.desk.club.zone)).date()
    wrong = clocks.refusal(taken, first, last, today)
    if wrong is not None:
        return run.refuse(wrong, command)
    run.unit.add_vacation(run.player.id, first, last)
    now = run.unit.vacations(run.player.id)
    run.changed = True
    return run.say(
        "vacation",
        first=first.isoformat(),
        last=last.isoformat(),
        year=last.year,
        left=clocks.days_left(now, last.year),
    )


def add_address(run: Run, command: Command) -> bool:
    """Send a code to a further address of the player's; answered from there, it is his."""
    address = deliverable(command.args[0], run.desk.club.address)
    if address is None:
        told = harmless(command.args[0])
        return run.refuse(f"{told} is no address that mail can be sent to", command)
    if address in run.player.addresses:
        return run.refuse(f"{address} is one of your addresses already", command)
    if len(run.player.addresses) >= ADDRESSES:
        return run.refuse(f"a player has at most {ADDRESSES} addresses", command)
    if not run.unit.budget("add", str(run.player.id), ADDRESSES_DAY, timedelta(days=1)):
        return run.refuse(f"{ADDRESSES_DAY} addresses a day are the most", command)
    if run.unit.address_owner(address) is None:
        # somebody else's address gets nothing, and the answer does not tell (M60)
        codes.give(
            run.post,
            address,
            run.player.name,
            purpose="address",
            binding=commands_hash("", [command.text]),
            data={"commands": [], "game": "", "event": None},
            says=[note("address-code", name=run.player.name, club=run.desk.club.name)],
            player_id=run.player.id,
        )
    run.changed = True
    return run.say("address-asked", address=address)


def digest(run: Run, command: Command) -> bool:
    """Gather notices into one mail a day, or no longer."""
    on = command.args[0] == "on" if command.args else not run.player.digest
    run.unit.set_player(run.player.id, digest=on)
    run.changed = True
    return run.say("digest", on=on)


def stop(run: Run, command: Command) -> bool:
    """End notices; games and clocks go on."""
    run.unit.set_player(run.player.id, notices=False)
    run.changed = True
    return run.say("stop")


def forget(run: Run, command: Command) -> bool:
    """Remove a player's name and addresses and resign his games: only in answer to a code."""
    if run.confirmed:
        _forget(run)
        return True
    mine = run.unit.games_of(run.player.id, limit=1000)
    address = run.mail.sender if run.mail.sender in run.player.addresses else run.player.address
    given = codes.ask_commands(
        run.post,
        run.player,
        [command],
        address=address or "",
        game="",
        because="forget",
        purpose="forget",
        before=[note("forget-code", games=", ".join(game.id for game in mine) or "none")],
    )
    if not given:
        return run.say("code-limit")
    run.changed = True
    return True


def _forget(run: Run) -> None:
    """Let the writer leave; the last mail to him says so."""
    club = run.desk.club
    name = leave(run.post, run.player)
    run.gone = True
    says = [note("forgotten", name=name, club=club.name)]
    run.post.to_address(
        run.mail.sender, "", f"{club.name}: goodbye", says, kind="answer", answer=True
    )
    run.changed = True
