"""Small conversions between values and what the tables hold."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any

from referee.match import Event, Line, Match, UndoAsk


def as_json(data: Any) -> str:
    """Return data as compact JSON in ASCII, which takes whatever text there is."""
    return json.dumps(data, separators=(",", ":"))


def plain(value: Any) -> Any:
    """Return a value made of dataclasses and tuples as plain data."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def event_data(event: Event) -> dict[str, Any]:
    """Return an event's fields as plain data. The seed stands in its game's row, not in the log."""
    data: dict[str, Any] = plain(event)
    data.pop("seed", None)
    return data


def beside(match: Match) -> dict[str, Any]:
    """Return what waits beside a match's record as plain data: offer, undo, queues; nothing where nothing waits."""
    data: dict[str, Any] = {}
    if match.offering is not None:
        data["offering"] = match.offering
    if match.undo is not None:
        data["undo"] = [match.undo.seat, match.undo.plies]
    if any(match.queues):
        data["queues"] = [
            [[line.ply, plain(line.pairs)] for line in lines] for lines in match.queues
        ]
    return data


def match_of(row: Any) -> Match:
    """Return the match that a row of `games` holds; its state is replayed when somebody asks."""
    data = row.beside
    undo = data.get("undo")
    first, second = data.get("queues", ((), ()))
    return Match(
        row.game,
        row.id,
        row.tags,
        tuple(row.words.split()),
        row.event,
        row.status,
        row.result,
        row.reason,
        row.seed,
        data.get("offering"),
        None if undo is None else UndoAsk(*undo),
        (_lines(first), _lines(second)),
    )


def _lines(data: Any) -> tuple[Line, ...]:
    return tuple(Line(ply, tuple((t, m) for t, m in pairs)) for ply, pairs in data)
