"""How somebody becomes a player: an invitation, a code, a name (mail.md, Who may move)."""

from __future__ import annotations

import re
from typing import Final

from referee.games import names
from referee.mail.identity import clean_name, name_key
from referee.mail.reply import note
from referee.mail.submission import Submission
from referee.service import codes
from referee.service.challenges import challengers_copy, tell_challenge
from referee.service.post import Post
from referee.store import Player

_WORDS: Final = re.compile(r"[^\w]+")


def invite(post: Post, address: str, *, inviter: int | None, name: str = "") -> bool:
    """Send an address its invitation, with a code; false where it had enough codes today."""
    club = post.desk.club
    says = [note("invitation", club=club.name, games=", ".join(names()), name=name)]
    return codes.give(
        post,
        address,
        name,
        purpose="join",
        binding="",
        data={"inviter": inviter, "name": name},
        says=says,
        player_id=None,
        subject=f"{club.name}: an invitation",
    )


def join(post: Post, mail: Submission, code: str, offered: str) -> bool:
    """Make a player of who answers an invitation; false where the name that he wants cannot be his.

    `offered` is the name that the invitation gave. The code stays good while the name does not.
    """
    asked = codes.name_asked(mail)
    name = _free_name(post, asked, offered, mail)
    if name is None:
        post.to_address(
            mail.sender,
            "",
            f"{post.desk.club.name}: another name, please",
            [note("name-taken", name=asked)],
            kind="answer",
            part=f"c.{code}",
            answer=True,
        )
        return False
    if not codes.use(post, code, mail.sender):
        return False
    player = post.unit.add_player(name, name_key(name), mail.sender)
    if player is None:
        return False
    welcome(post, player)
    return True


def welcome(post: Post, player: Player) -> None:
    """Greet a new player, and hand him the challenges that waited for him."""
    club, unit = post.desk.club, post.unit
    says = [note("joined", club=club.name, name=player.name, games=", ".join(names()))]
    post.to_player(player, f"{club.name}: welcome", says, kind="answer", answer=True)
    address = player.address or ""
    held = unit.challenges_at(address)
    unit.claim_challenges(address, player.id)
    for challenge in held:
        challenger = unit.player(challenge.challenger_id)
        if challenger is not None and not challenger.gone:
            tell_challenge(post, challenge, challenger, player)
            copy = challengers_copy(challenge, player.name, club.zone)
            subject = f"[{challenge.id}] {player.name} has joined"
            post.to_player(challenger, subject, [copy], kind="notice", game=challenge.id)


def _free_name(post: Post, asked: str | None, offered: str, mail: Submission) -> str | None:
    """Return the name asked for if it can be his, or one made of what he is called elsewhere."""
    if asked is not None:
        name = clean_name(asked)
        return name if name is not None and _free(post, name) else None
    local = _WORDS.sub(" ", mail.sender.partition("@")[0].partition("+")[0]).strip().title()
    for text in (offered, mail.sender_name, local, "Guest"):
        name = clean_name(text) if text else None
        if name is None:
            continue
        for number in range(1, 100):
            again = name if number == 1 else f"{name[:26]} {number}"
            if _free(post, again):
                return again
    return f"Guest {post.unit.player_count() + 1}"


def _free(post: Post, name: str) -> bool:
    return post.unit.player_named(name_key(name)) is None
