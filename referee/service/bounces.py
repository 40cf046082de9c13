"""Mail that came back, and mail that no server takes (mail.md, Mail out, Answers; M45, M46)."""

from __future__ import annotations

from referee.mail.identity import check_envelope
from referee.mail.reply import harmless, note
from referee.mail.submission import Submission
from referee.service.games import stop_clock
from referee.service.post import BOUNCES, TURNS, Post
from referee.store import Letter


def handle(post: Post, mail: Submission) -> str:
    """Count a bounce if it came to an envelope sender of ours, and act on a hard one; return what was found."""
    bounce, unit = mail.bounce, post.unit
    if bounce is None:
        return "no bounce"
    row = check_envelope(post.desk.key, bounce.envelope_tag or mail.token)
    letter = unit.outbox_get(row) if row is not None else None
    if letter is None:
        return "not ours"
    if mail.text_hash in unit.handled(mail.key, mail.recipient):
        return "duplicate"
    unit.mark_handled(mail.key, mail.recipient, mail.text_hash, letter.game)
    if bounce.delayed:
        return "delayed"
    undeliverable(post, letter, bounce.reason, hard=bounce.hard)
    return "hard" if bounce.hard else "soft"


def undeliverable(post: Post, letter: Letter, reason: str, *, hard: bool) -> None:
    """Count a letter that did not arrive; a hard failure of a turn notice stops the clock and is told at once."""
    unit, club = post.unit, post.desk.club
    if letter.kind == "operator":
        post.desk.complain(f"mail to the operator {letter.recipient} came back: {reason}")
        return
    unit.hold_games([letter.game] if letter.game else [])
    count = unit.bounced(letter.recipient)
    if hard and letter.kind in TURNS:
        _turn_lost(post, letter, reason)
    if count == BOUNCES:
        player = unit.player(letter.player_id) if letter.player_id is not None else None
        name = player.name if player is not None else "nobody any more"
        post.operator(
            f"Mail to {letter.recipient} ({name}) came back {count} times, last: {harmless(reason)}. "
            f"The address gets no notices until its player writes.",
            f"{club.name}: {name} cannot be reached",
        )


def _turn_lost(post: Post, letter: Letter, reason: str) -> None:
    """Stop the clock of a player whose notice was not delivered; tell his opponent, without his address, and us."""
    unit = post.unit
    kept = unit.game(letter.game or "")
    if kept is None or kept.match.status != "on" or letter.player_id is None:
        return
    seat = kept.seat_of(letter.player_id)
    if seat is None or kept.match.to_move != seat or kept.match.event != letter.event:
        return  # he has moved since, or somebody else sits there
    kept = stop_clock(unit, kept, seat, post.now)
    name = kept.match.player(seat)
    unit.log_add(kept.id, kept.match.event, "bounced", {"seat": seat, "text": ""})
    if not kept.match.solo:
        post.game(kept, 1 - seat, [note("bounced", who=name)], kind="notice")
    post.operator(
        f"The notice of {name}'s turn in {kept.id} could not be delivered to {letter.recipient}: {harmless(reason)}. "
        f"The clock stands. “referee resend {kept.id}” sends it again.",
        f"{post.desk.club.name}: {kept.id} waits for {name}, who cannot be reached",
    )
