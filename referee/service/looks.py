"""Commands that only look: show, history, next, preview, verify, standings, help (M38: nothing changes)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from referee import match as matches
from referee.clock import written
from referee.clock.zones import offset, zone_of
from referee.core.verdict import Rejected
from referee.errors import RefereeError
from referee.mail.reply import harmless, note
from referee.mail.submission import Command
from referee.mail.view import board, board_of, last_plies
from referee.match import Match
from referee.service.run import Run, Shown
from referee.store import Entry, Kept, Summary, Unit


def show(run: Run, command: Command) -> bool:
    """Show a game as it stands, or after a ply."""
    found = run.game_of(command)
    if found is None:
        return False
    kept, seat = found
    ply, plies = command.ply, kept.match.plies
    if ply is not None and ply > plies:
        return run.refuse(f"{kept.id} has {plies} plies; there is no ply {ply}", command)
    says = (note("show", ply=ply, plies=plies),)
    run.looks.append(Shown(kept, seat, says, None if ply is None else board(kept.match, ply)))
    return True


def history(run: Run, command: Command) -> bool:
    """Tell all plies of a game and what happened in it."""
    found = run.game_of(command)
    if found is None:
        return False
    kept, seat = found
    run.says.append(history_note(run.unit, kept, seat, run.desk.club.zone))
    return True


def history_note(
    unit: Unit, kept: Kept, seat: int | None, zone: str, *, everything: bool = False
) -> Any:
    """Return a game's plies and log as a seat may see them."""
    match = kept.match
    if kept.clock is not None:
        zone = kept.clock.settings.zone
    log = unit.log_of(kept.id, seat, everything=everything)
    return note(
        "history",
        id=kept.id,
        plies=last_plies(match.words, match.rules.plies_per_number, len(match.words)),
        log=[f"{short_time(entry.at, zone)}: {entry_text(match, entry)}" for entry in log],
        zone=zone,
    )


def short_time(moment: datetime, zone: str) -> str:
    """Return a moment for a list: day and time in a zone, with its offset."""
    local = moment.astimezone(zone_of(zone))
    return f"{local:%Y-%m-%d %H:%M} {offset(local)}"


def entry_text(match: Match, entry: Entry) -> str:
    """Return a line of a game's log in words."""
    data = dict(entry.data)
    seat = data.get("seat")
    who = match.player(seat) if isinstance(seat, int) else "the operator"
    text = _LOG.get(entry.kind, entry.kind)
    words = data.get("words")
    values = {
        **data,
        "who": who,
        "words": " ".join(words) if isinstance(words, list) else words,
        "reason": data.get("reason") or "",
        "why": f" ({data['why']})" if data.get("why") else "",
    }
    try:
        return harmless(text.format(**values))
    except (KeyError, IndexError, ValueError):
        return entry.kind


_LOG = {
    "started": "the game begins",
    "played": "{who} played {word} (ply {ply})",
    "shown": "Dr. Brooks' cards for ply {ply}: {words}",
    "drew": "{who} drew the tile {tile}",
    "dealt": "deal {number}",
    "offered": "{who} offers a draw",
    "undoasked": "{who} asks for the position after {plies} plies",
    "undone": "{who} took back {words}; {plies} plies stand{why}",
    "queued": "you queued an answer",
    "queuecleared": "your queue was cleared ({why})",
    "queuedropped": "your queued answer {word} was dropped: {message}",
    "ended": "over: {result} ({reason}){why}",
    "cancelled": "cancelled{why}",
    "substituted": "{new} takes the seat of {old}",
    "reminder": "{who} was reminded",
    "told": "the other may claim the time of {who}",
    "bounced": "the notice to {who} came back: {text}",
    "chat": "{who} sent a word",
    "paused": "paused by the operator{why}",
    "unpaused": "goes on",
    "imported": "imported by the operator",
}


def waiting(run: Run, command: Command) -> bool:
    """List all games that wait for the writer (`next`)."""
    unit, me = run.unit, run.player.id
    mine = unit.games_waiting(me)
    waits = {game.id for game in mine}
    others = [game.id for game in unit.games_of(me) if game.id not in waits]
    open_ones = [_challenge_line(run, challenge) for challenge in unit.challenges_of(me)]
    return run.say(
        "next",
        games=[
            {"id": game.id, "text": summary_line(unit, game, me, run.desk.club.zone)}
            for game in mine
        ],
        others=", ".join(others),
        challenges=[line for line in open_ones if line],
    )


def summary_line(unit: Unit, game: Summary, me: int, zone: str) -> str:
    """Return a game in one line: the game, the other player, the ply, the deadline."""
    other_id = game.second_id if game.first_id == me else game.first_id
    other = unit.player(other_id) if other_id is not None else None
    text = f"{game.game} with {other.name if other else 'Dr. Brooks'}, ply {game.plies + 1}"
    kept = unit.game(game.id)
    if kept is None or kept.clock is None:
        return text
    from referee.clock import deadline

    end = deadline(kept.clock, kept.calendar)
    return f"{text}, until {written(end, kept.clock.settings.zone)}" if end is not None else text


def _challenge_line(run: Run, challenge: Any) -> str:
    proposal = challenge.proposal
    if challenge.opponent_id is None and challenge.opponent_address is None:
        return f"[{challenge.id}] {proposal.game} waits for your start"
    if challenge.challenger_id == run.player.id:
        other = run.unit.player(challenge.opponent_id) if challenge.opponent_id else None
        return f"[{challenge.id}] {proposal.game}: {other.name if other else 'a new player'} has not answered yet"
    other = run.unit.player(challenge.challenger_id)
    return f"[{challenge.id}] {proposal.game}: {other.name if other else 'somebody'} challenges you"


def preview(run: Run, command: Command) -> bool:
    """Show what a move would make of the position, and play nothing."""
    from referee.notation.writer import format_text

    found = run.game_of(command)
    if found is None:
        return False
    kept, seat = found
    match, word = kept.match, command.args[0]
    seen = matches.preview(match, word)
    if isinstance(seen, Rejected):
        return run.refuse(seen, command)
    move = match.rules.parse(word, match.setup)
    token = word.lower() if isinstance(move, Rejected) else match.rules.format(move, match.setup)
    words = match.words
    if words and words[-1].endswith("@?"):
        words = words[:-1]
    text = format_text({**matches.public_tags(match), "Result": "*"}, (*words, token), match.rules)
    run.looks.append(Shown(kept, seat, (note("preview", moves=token),), board_of(text)))
    return True


def verify(run: Run, command: Command) -> bool:
    """Compute the draws of a game that is over again from its seed."""
    from referee.files import chance

    found = run.game_of(command)
    if found is None:
        return False
    match = found[0].match
    if match.game not in matches.CHANCE:
        return run.refuse(f"nothing is drawn by chance in {match.game}", command)
    if match.status == "on":
        return run.say("verify-later", id=match.id, commit=match.tags.get("Commit", ""))
    try:
        agrees, lines = chance.verify(matches.record_of(match))
    except RefereeError as error:
        return run.refuse(str(error), command)
    return run.say("verify", id=match.id, agrees=agrees, lines=lines)


def standings(run: Run, command: Command) -> bool:
    """Give played, won, drawn, lost for each game."""
    game = command.args[0].capitalize() if command.args else None
    return run.say("standings", rows=standing_rows(run.unit, game))


def standing_rows(unit: Unit, game: str | None) -> list[str]:
    """Return the standings in lines of characters, below a line that names their columns."""
    found = unit.standings(game)
    if not found:
        return []
    width = max(len("player"), *(len(row.name) for row in found))
    return [
        f"{'game':<10} {'player':<{width}} {'played':>6} {'won':>4} {'drawn':>5} {'lost':>4}",
        *(
            f"{row.game:<10} {row.name:<{width}} {row.played:>6} {row.won:>4} {row.drawn:>5} {row.lost:>4}"
            for row in found
        ),
    ]


def explain(run: Run, command: Command) -> bool:
    """Explain the commands, or a game."""
    run.says.append(help_note(command.args[0] if command.args else ""))
    return True


def help_note(topic: str) -> Any:
    """Return the note that explains a game, or all commands, that of the topic first."""
    from referee import pages
    from referee.games import load, names
    from referee.mail.forms import FORMS

    game = load({name.lower(): name for name in names()}.get(topic, ""))
    if game is not None:
        return note("help-game", page=pages.page(game.slug, 70).rstrip("\n"))
    options = []
    for name in names():
        rules = load(name)
        chosen = [option for option in (rules.options if rules else ()) if option != "Seed"]
        if chosen:
            options.append(f"{name}: {', '.join(chosen)}")
    form = FORMS[topic][0] if topic in FORMS else ""
    return note("help", games=", ".join(names()), options="; ".join(options), form=form)
