"""Games of the club as pure values: record and command in, record and events out (mail.md, Commands, Chance).

Every operation takes a Match and returns `Done(match, events)`, or `Rejected` and nothing has changed. Seats are
FIRST and SECOND (0 and 1).
"""

from __future__ import annotations

from referee.match.begin import (
    Proposal,
    begin,
    clean_word,
    game_called,
    options_of,
    propose,
    withdrawn,
)
from referee.match.chance import draw
from referee.match.ending import cancel, end, rename, resign, substitute
from referee.match.events import (
    Cancelled,
    Dealt,
    Drew,
    Ended,
    Event,
    Line,
    Offered,
    Played,
    QueueCleared,
    Queued,
    QueueDropped,
    Shown,
    Started,
    Substituted,
    UndoAsked,
    Undone,
)
from referee.match.model import CHANCE, RULES_VERSION, Done, Match, ReplayError, UndoAsk
from referee.match.plies import accept, claim, may_claim_draw, offer, play
from referee.match.queues import clear_queue, queue
from referee.match.record import (
    preview,
    public_position,
    public_state,
    public_tags,
    record_of,
    record_text,
)
from referee.match.undo import ask_undo, grant_undo, takeback

__all__ = [
    "CHANCE",
    "RULES_VERSION",
    "Cancelled",
    "Dealt",
    "Done",
    "Drew",
    "Ended",
    "Event",
    "Line",
    "Match",
    "Offered",
    "Played",
    "Proposal",
    "QueueCleared",
    "QueueDropped",
    "Queued",
    "ReplayError",
    "Shown",
    "Started",
    "Substituted",
    "UndoAsk",
    "UndoAsked",
    "Undone",
    "accept",
    "ask_undo",
    "begin",
    "cancel",
    "claim",
    "clean_word",
    "clear_queue",
    "draw",
    "end",
    "game_called",
    "grant_undo",
    "may_claim_draw",
    "offer",
    "options_of",
    "play",
    "preview",
    "propose",
    "public_position",
    "public_state",
    "public_tags",
    "queue",
    "record_of",
    "record_text",
    "rename",
    "resign",
    "substitute",
    "takeback",
    "withdrawn",
]
