"""A code that comes back: what it was given out for is done now, once (mail.md, Who may move)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from referee.mail.reply import note
from referee.mail.submission import Reading, Submission
from referee.service import answers, codes
from referee.service.carry import carry, reading_of
from referee.service.joining import invite, join
from referee.service.post import Post
from referee.service.run import Run
from referee.service.who import Who
from referee.store import Code, Player

DAY: Final = timedelta(days=1)
LIFE: Final = DAY


def confirmed(post: Post, mail: Submission, who: Who) -> str:
    """Do what a code was given out for, if the mail says yes or repeats it."""
    unit = post.unit
    kept = codes.find(post, who.code)
    if kept is None or kept.address != mail.sender or mail.kind != "human":
        return "silence"
    known = unit.handled(mail.key, mail.recipient)
    if mail.text_hash in known:
        return "duplicate"
    unit.mark_handled(mail.key, mail.recipient, mail.text_hash, None)
    game = str(kept.data.get("game", ""))
    reading = reading_of(unit, mail, game)
    same = codes.same_commands(kept, reading)
    if reading.commands and not same and not _bare_yes(kept, reading):
        joins = kept.purpose == "join"
        return _say(post, mail, "code-join" if joins else "code-other", who.code)
    if not same and not codes.confirms(mail, who.code):
        return _say(post, mail, "code-ask", who.code)
    if kept.purpose == "join":
        return _joined(post, mail, who.code, kept)
    if not codes.use(post, who.code, mail.sender):
        return _say(post, mail, "code-late")
    player = unit.player(kept.player_id) if kept.player_id is not None else None
    if player is None or player.gone:
        return "silence"
    unit.wrote(player.id)
    if kept.purpose == "address":
        return _address(post, mail, player)
    return _commands(post, mail, who, player, kept)


def _bare_yes(kept: Code, reading: Reading) -> bool:
    """Whether the only command is `accept`, which says yes to an invitation as well as any word."""
    return kept.purpose == "join" and all(c.name == "accept" for c in reading.commands)


def _say(post: Post, mail: Submission, name: str, code: str = "") -> str:
    """Answer within the small budget of mail that nobody vouches for."""
    policy = post.desk.club.policy
    if post.unit.budget("unproved", "", policy.unproved_day, DAY):
        post.to_address(
            mail.sender,
            "",
            "",
            [note(name)],
            kind="answer",
            part=f"c.{code}" if code else "",
            answer=True,
        )
    return name


def _joined(post: Post, mail: Submission, code: str, kept: Code) -> str:
    """Make a player of the writer; an invitation older than a day brings a fresh code first."""
    if post.unit.address_owner(mail.sender) is not None:
        return _say(post, mail, "code-late")
    if post.now - kept.created >= LIFE:
        inviter = kept.data.get("inviter")
        name = str(kept.data.get("name", ""))
        given = invite(post, mail.sender, inviter=inviter, name=name)
        return "invited again" if given else "silence"
    return "joined" if join(post, mail, code, str(kept.data.get("name", ""))) else "name taken"


def _address(post: Post, mail: Submission, player: Player) -> str:
    """Make the address from which the code came one of the player's."""
    if not post.unit.add_address(player.id, mail.sender):
        return _say(post, mail, "code-late")
    again = post.unit.player(player.id)
    assert again is not None
    says = [note("address-added", address=mail.sender, first=again.address)]
    post.to_player(again, "", says, kind="answer", answer=True)
    return "address added"


def _commands(post: Post, mail: Submission, who: Who, player: Player, kept: Code) -> str:
    """Carry out the commands that the code was given out for, as they were written then."""
    commands = tuple(codes.restored(data) for data in kept.data["commands"])
    game, event = str(kept.data.get("game", "")), kept.data.get("event")
    present = post.unit.game(game) if game else None
    fresh = present is not None and event is not None and present.match.event == event
    if event is not None and present is not None and not fresh:
        seat = present.seat_of(player.id)
        holder = Who(player, proved=True, kept=present, seat=seat)
        return answers.stale(post, mail, holder)
    run = Run(
        desk=post.desk,
        unit=post.unit,
        now=post.now,
        mail=mail,
        who=Who(player, proved=True, code=who.code),
        player=player,
        proved=True,
        game=game,
        bound=frozenset({game}) if fresh else frozenset(),
        post=post,
        confirmed=True,
    )
    return carry(run, Reading(commands, (), ()))
