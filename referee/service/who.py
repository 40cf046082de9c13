"""Who wrote a mail, and what that proves (mail.md, Who may move; M50 to M56)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.mail.identity import Standing, Token, check_token, code_of, standing
from referee.mail.submission import Submission
from referee.service.desk import Desk
from referee.store import Challenge, Kept, Player, Unit


@dataclass(frozen=True, slots=True)
class Who:
    """The writer of a mail, as far as it can be known.

    player    whose registered address stands in From; with a right token from elsewhere the token's player
    proved    DMARC passes for that address
    standing  what the token is worth: `current`, `old`, `stranger` (right, but from another address), `none`
    kept      the token's game, `seat` the player's seat in it
    waiting   the token's Spiral game that waits for `start`
    event     the event counter that the token was given out at
    wrong     there is a token, and this club did not give it out
    code      the code that the mail answers, "" without one
    """

    player: Player | None
    proved: bool = False
    standing: Standing = "none"
    kept: Kept | None = None
    seat: int | None = None
    waiting: Challenge | None = None
    event: int | None = None
    wrong: bool = False
    code: str = ""

    @property
    def authentic(self) -> bool:
        """Whether the mail is from whom it says: by a right token with his address, or by DMARC."""
        return self.proved or self.standing in ("current", "old")

    @property
    def token_game(self) -> str:
        """The id of the game that the token names, "" without one."""
        if self.kept is not None:
            return self.kept.id
        return self.waiting.id if self.waiting is not None else ""


def identify(desk: Desk, unit: Unit, mail: Submission) -> Who:
    """Return who wrote a mail."""
    player = unit.player_by_address(mail.sender) if mail.sender else None
    proved = player is not None and mail.dmarc == "pass"
    code = code_of(mail.token) or ""
    if not mail.token or code or mail.token.startswith("b."):
        return Who(player, proved, code=code)
    covers = check_token(desk.key, mail.token)
    if covers is None:
        return Who(player, proved, wrong=True)
    return _holder(unit, mail, covers, player, proved)


def _holder(
    unit: Unit, mail: Submission, covers: Token, player: Player | None, proved: bool
) -> Who:
    """Return who holds a token that this club gave out."""
    kept = unit.game(covers.game)
    waiting = None if kept is not None else unit.challenge(covers.game)
    if kept is not None:
        player_id, event = kept.player_id(covers.seat), kept.match.event
    elif waiting is not None and waiting.opponent_id is None and covers.seat == 0:
        player_id, event = waiting.challenger_id, 0
    else:
        return Who(player, proved, wrong=True)
    owner = unit.player(player_id) if player_id is not None else None
    if owner is None or owner.gone:
        return Who(player, proved, wrong=True)
    worth = standing(covers, event, mail.sender, owner.addresses)
    proved = proved and player is not None and player.id == owner.id
    return Who(owner, proved, worth, kept, covers.seat, waiting, covers.event)


_TAG = re.compile(r"\[([a-z][a-z0-9]*-[0-9]{1,9})\]", re.IGNORECASE)


def subject_games(mail: Submission) -> frozenset[str]:
    """Return the games that the subject names in brackets."""
    return frozenset(game.lower() for game in _TAG.findall(mail.subject))


def thread_game(mail: Submission, host: str) -> str:
    """Return the game that the thread belongs to, by our own Message-IDs; "" where none is ours or they differ.

    It says which game and never who.
    """
    ours = re.compile(rf"<([a-z]+-[0-9]{{1,9}})(?:\.[a-z2-7]{{20}})?@{re.escape(host)}>")
    matches = (ours.fullmatch(text) for text in (*mail.references, mail.in_reply_to))
    games = {match[1] for match in matches if match}
    return games.pop() if len(games) == 1 else ""
