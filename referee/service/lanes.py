"""What a mail must not overtake, where several processes handle mail at once (mail.md: a game's mails in order)."""

from __future__ import annotations

import re
from typing import Final

from referee.games import names
from referee.mail.identity import check_envelope, code_digest, code_of
from referee.mail.submission import Submission
from referee.service.desk import Desk
from referee.service.who import thread_game
from referee.store import Mail, Unit

_GAME: Final = re.compile(rf"\b((?:{'|'.join(name.lower() for name in names())})-[0-9]{{1,9}})\b")


def lanes_of(desk: Desk, unit: Unit, mail: Submission) -> frozenset[str]:
    """Return the games that a mail may touch, and its writer: what came before it about one of them goes first.

    More than it does touch are no harm. A game that is named by nothing in the mail is held by its row all the same.
    """
    found = {*_named(mail), *_known(desk, unit, mail)}
    thread = thread_game(mail, desk.club.host)
    if thread:
        found.add(thread)
    if mail.sender:
        found.add(f"@{''.join(mail.sender.split())}")
    return frozenset(found)


def games_of(lanes: tuple[str, ...]) -> list[str]:
    """Return the games among a mail's lanes."""
    return [lane for lane in lanes if not lane.startswith("@")]


def _named(mail: Submission) -> set[str]:
    texts = (mail.subject, mail.token, *(line.text for line in mail.lines))
    return {game for text in texts for game in _GAME.findall(text.lower())} | set(mail.game_hints)


def _known(desk: Desk, unit: Unit, mail: Submission) -> set[str]:
    """Return the games of the letter that came back, or of the commands that a code was given out for."""
    if mail.bounce is not None:
        row = check_envelope(desk.key, mail.bounce.envelope_tag or mail.token)
        letter = unit.outbox_get(row) if row is not None else None
        return {letter.game} if letter is not None and letter.game else set()
    code = code_of(mail.token) if mail.token else None
    kept = unit.code_find(code_digest(desk.key, code)) if code else None
    if kept is None:
        return set()
    named = {str(kept.data.get("game") or "")}
    named |= {str(command.get("game") or "") for command in kept.data.get("commands", ())}
    return named - {""}


def sorted_in(desk: Desk, mail: Mail, submission: Submission, unit: Unit) -> tuple[str, ...] | None:
    """Note a mail's lanes and return them; None, its attempt taken back, where it must wait for one before it."""
    lanes = lanes_of(desk, unit, submission)
    if unit.spool_sort(mail.id, lanes):
        return tuple(lanes)
    unit.spool_excuse(mail.id)
    return None
