"""What goes out at the end of a mail: the answer to its writer, and what the others hear (M85, M105)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from referee.mail.commands import NO_COMMAND
from referee.mail.reply import Note, harmless, note
from referee.mail.submission import Command, Ignored, Reading, Submission
from referee.match import Cancelled, Ended, Event, Started, Substituted, Undone
from referee.service import codes, tell
from referee.service.post import Post
from referee.service.run import Run, listed
from referee.service.who import Who

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
SAME: Final = 60
"""So often a day one text of an address is answered though nothing of it can be carried out; only a robot goes on."""


def affordable(post: Post, address: str, game: str) -> bool:
    """Take an answer to a question or a refusal from the budgets; false where nothing is left (M41, M105)."""
    policy, unit = post.desk.club.policy, post.unit
    if not unit.budget("address", address, policy.address_hour, HOUR):
        return False
    return not game or unit.budget("game", game, policy.game_hour, HOUR)


def tiring(post: Post, mail: Submission) -> bool:
    """Whether this very text came too often today to be answered again; the operator is told once (M41).

    For mails of which nothing is carried out: a robot that answers our answers has nothing else to say.
    """
    unit = post.unit
    if unit.budget("same", f"{mail.text_hash} {mail.sender}", SAME, DAY):
        return False
    if unit.budget("same-told", mail.sender, 1, DAY):
        post.operator(
            f"{mail.sender} has sent the same text {SAME} times today, and nothing of it could be carried out. "
            f"It looks like a robot; the text is not answered any more today. Everything else from there is.",
            f"{post.desk.club.name}: a robot writes as {mail.sender}",
        )
    return True


def plain(post: Post, mail: Submission, who: Who, says: Sequence[Note]) -> None:
    """Answer a mail of which nothing is carried out."""
    player = who.player
    if player is None or not says or not affordable(post, mail.sender, who.token_game):
        return
    if tiring(post, mail):
        return
    if who.kept is not None and who.seat is not None:
        post.game(who.kept, who.seat, says, kind="answer", answer=True)
    else:
        post.to_player(player, "", says, kind="answer", answer=True)


def stale(post: Post, mail: Submission, who: Who) -> str:
    """Answer a token of an older position with the present one."""
    kept, seat = who.kept, who.seat
    if kept is None or seat is None or not affordable(post, mail.sender, kept.id):
        return "stale"
    if tiring(post, mail):
        return "stale"
    post.game(kept, seat, [note("stale")], kind="answer", answer=True)
    return "stale"


def list_parts(run: Run, commands: Sequence[Command], done: int) -> None:
    """List what was done before a command failed, and what was not tried after it (M35)."""
    if done:
        run.say("done", items=[listed(command) for command in commands[:done]])
    if done + 1 < len(commands):
        run.say("not-tried", items=[listed(command) for command in commands[done + 1 :]])


def finish(run: Run, reading: Reading, done: int = 0) -> None:
    """Write the answer and what goes to the others; `done` commands were carried out."""
    if not reading.commands and not reading.mixed:
        run.says.append(nothing(run.mail))
    ignored = [_reasoned(item) for item in reading.ignored if not _mere_yes(run, item)]
    if ignored:
        run.say("ignored", items=ignored)
    _others(run)
    if not run.gone:
        _writer(run, tired=not done)


def nothing(mail: Submission) -> Note:
    """Return that no command was found; whoever attached one learns why (M16)."""
    return note("nothing", attached=", ".join(harmless(name) for name in mail.attachments[:3]))


def _reasoned(item: Ignored) -> Ignored:
    """Return an item of the list whose head says that no command stands there, without saying it again."""
    return replace(item, why="") if item.why == NO_COMMAND else item


def _mere_yes(run: Run, item: Ignored) -> bool:
    """Whether a paragraph is the answer to a code, which is no command and was heard all the same."""
    word = item.text.strip(" .!,").lower()
    return run.confirmed and (word in codes.YES or word == run.who.code)


def _writer(run: Run, *, tired: bool) -> None:
    """Write the answer: about the game at hand, with its board; other games and looks in letters of their own.

    `tired` is whether an answer to the same text may become one too many.
    """
    main = run.game if run.find(run.game) is not None else next(iter(run.events), "")
    paid = not run.changed
    if paid and not affordable(run.post, run.mail.sender, main):
        return
    if paid and tired and tiring(run.post, run.mail):
        return
    before = run.post.written
    looks = list(run.looks)
    shown = None
    if len(looks) == 1 and (not main or looks[0].kept.id == main):
        look = looks.pop()
        main, shown = look.kept.id, look.board
        run.says += look.says
    found = run.find(main) if main else None
    if found is not None and (run.says or run.events):
        kept, seat = found
        kind = kind_of(run.events.get(main, ()))
        kind = "answer" if kind == "notice" else kind
        run.post.game(kept, seat, run.says, kind=kind, shown=shown, answer=True)
    elif run.says:
        run.post.to_player(run.player, "", run.says, kind="answer", answer=True)
    paid = paid and run.post.written == before
    for look in looks:  # each is an answer to a question, however many stand in one mail
        if not paid and not affordable(run.post, run.mail.sender, look.kept.id):
            break
        paid = False
        run.post.game(look.kept, look.seat, look.says, kind="answer", shown=look.board, answer=True)
    _other_games(run, main)


def _other_games(run: Run, main: str) -> None:
    for game_id, events in run.events.items():
        if game_id == main:
            continue
        found = run.find(game_id)
        if found is not None:
            kept, seat = found
            says = tell.notes(kept.match, events, seat, kept.clock)
            run.post.game(kept, seat, says, kind="answer", answer=True)


def _others(run: Run) -> None:
    """Tell the other players of what happened, and pass words on."""
    for game_id, events in run.events.items():
        kept = run.games[game_id]
        actor = kept.seat_of(run.player.id)
        for seat in tell.listeners(kept.match, events, actor):
            says = tell.notes(kept.match, events, seat, kept.clock)
            says += run.said.pop((game_id, seat), [])
            run.post.game(kept, seat, says, kind=kind_of(events))
    for (game_id, seat), words in run.said.items():
        kept = run.games[game_id]
        run.post.game(kept, seat, words, kind="chat", with_board=False, hint=False)


def kind_of(events: Sequence[Event]) -> str:
    """Return what kind of letter tells of these events."""
    if any(isinstance(event, Ended | Cancelled) for event in events):
        return "result"
    return (
        "news" if any(isinstance(e, Started | Undone | Substituted) for e in events) else "notice"
    )
