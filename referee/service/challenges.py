"""How a challenge is told: to the one who is challenged, and as a copy to the challenger (mail.md, Chance)."""

from __future__ import annotations

from referee.clock import written
from referee.mail.reply import Note, harmless, note
from referee.service import tell
from referee.service.post import Post
from referee.store import Challenge, Player


def in_words(challenge: Challenge, zone: str) -> dict[str, object]:
    """Return what a template tells of a challenge."""
    proposal, settings = challenge.proposal, challenge.clock
    return {
        "id": challenge.id,
        "game": proposal.game,
        "options": tell.options(dict(proposal.options)),
        "clock": settings.describe() if settings is not None else "",
        "commit": proposal.commit or "",
        "word": harmless(proposal.word),
        "until": written(challenge.expires, settings.zone if settings is not None else zone),
    }


def tell_challenge(post: Post, kept: Challenge, challenger: Player, opponent: Player) -> None:
    """Write the challenge to the one who is challenged."""
    values = in_words(kept, post.desk.club.zone)
    says = [note("challenge", challenger=challenger.name, **values)]
    subject = f"[{kept.id}] {challenger.name} challenges you"
    post.to_player(opponent, subject, says, kind="notice", game=kept.id)


def challengers_copy(kept: Challenge, opponent: str, zone: str) -> Note:
    """Return the challenger's copy of his challenge: his word and the commitment (mail.md, Chance)."""
    return note("challenged", opponent=opponent, **in_words(kept, zone))
