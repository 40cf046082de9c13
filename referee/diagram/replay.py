"""A record as one page of HTML to step through: no network, nothing else needed.

The board is drawn once. Everything that comes and goes is drawn once too and kept by number; for
each ply the page holds which of it is shown, as what changes from the ply before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from pnp import fonts
from pnp.fonts import FontSet
from pnp.resources import read_text
from pnp.scene import Circle, Group, Item, Scene, Text, Use
from pnp.themes import Theme
from referee import report
from referee.core.picture import Frame, Picture
from referee.core.record import GameRecord
from referee.diagram import picture, words
from referee.diagram.deltas import Catalogue, deltas
from referee.diagram.frames import Played, moment, play_through
from referee.errors import RefereeError
from referee.notation import lexer

MOST = 5000
"""Plies that a page holds."""
FACTS = ("Event", "Site", "Date", "GameId")


class _Pictures(NamedTuple):
    """The scenes of all plies taken apart."""

    base: Scene
    items: list[Item]
    shown: list[list[int]]
    """For each ply the numbers of the items that it shows beside those of all plies, in drawing order."""


def page(
    record: GameRecord,
    theme: Theme,
    *,
    numbers: bool = False,
    back: tuple[str, str] | None = None,
    made: str = "",
) -> str:
    """Return the page of a record; `back` is the address and the name of a page that lists it.

    `made` is a word that stands in the page's head, for whoever wants to know how it was made.

    Raises RefereeError where the record's tags leave nothing to draw, or it is too long.
    """
    played = play_through(record)
    if len(played.plies) > MOST:
        raise RefereeError(
            f"{record.source.name}: {len(played.plies)} plies are too many for one page, which holds {MOST}; "
            "draw single plies with --ply"
        )
    frames = [moment(played, ply) for ply in range(len(played.plies) + 1)]
    look = picture(frames[0])
    pictures = _take_apart([look.scene(frame, theme, numbers=numbers) for frame in frames])
    states = [_state(frame, look) for frame in frames]
    notes = _notes(record, played)
    tokens: Catalogue[str] = Catalogue()
    lists = [[tokens.number(word) for word in _words(look.listing(frame))] for frame in frames]
    data = {
        "items": [f"i{number}" for number in range(len(pictures.items))],
        "pictures": deltas(pictures.shown),
        "states": states,
        "notes": notes,
        "lists": deltas(lists),
        "words": tokens.things,
    }
    verdict = played.verdict
    parts = {
        "title": escape(words.title(frames[0], look)),
        "made": f'<meta name="generator" content="{escape(made)}">\n' if made else "",
        "facts": _facts(record),
        "back": f'<p><a href="{escape(back[0])}">{escape(back[1])}</a></p>' if back else "",
        "svg": _svg(pictures, states[-1]),
        "state": escape(states[-1]),
        "note": escape(notes[-1]),
        "plies": str(len(frames) - 1),
        "moves": _moves(frames[-1], notes, verdict.error is not None),
        "faults": _fault(report.fault(verdict.error)) if verdict.error else "",
        "listing": escape(look.listing(frames[-1])),
        "verdict": f"<p>{escape(report.heading(verdict))}: {escape(report.outcome(verdict))}</p>",
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "style": read_text("replay", "style.css"),
        "script": read_text("replay", "replay.js"),
    }
    return "".join(_filled(read_text("replay", "page.html"), parts))


def _filled(template: str, parts: dict[str, str]) -> Iterator[str]:
    """Yield the template with `{{name}}` replaced, once: what is put in is not looked at again."""
    for number, piece in enumerate(template.split("{{")):
        if number == 0:
            yield piece
            continue
        name, _, rest = piece.partition("}}")
        yield parts[name]
        yield rest


def _take_apart(scenes: Sequence[Scene]) -> _Pictures:
    catalogue: Catalogue[Item] = Catalogue()
    speller = _Speller(fonts.load())
    lists = [[catalogue.number(item) for item in _flat(scene.items)] for scene in scenes]
    same = 0
    while all(len(each) > same and each[same] == lists[0][same] for each in lists):
        same += 1
    symbols = {name: items for scene in scenes for name, items in scene.symbols.items()}
    drawn = [speller.spelled(item) for item in catalogue.things]
    base = scenes[0]._replace(
        width=max(scene.width for scene in scenes),
        height=max(scene.height for scene in scenes),
        items=tuple(drawn[number] for number in lists[0][:same]),
        symbols=symbols | speller.symbols,
    )
    changing: Catalogue[int] = Catalogue()
    shown = [[changing.number(number) for number in each[same:]] for each in lists]
    return _Pictures(base, [drawn[number] for number in changing.things], shown)


class _Speller:
    """Turns texts into their characters, each a symbol that is drawn once: outlines are long."""

    def __init__(self, fonts: FontSet) -> None:
        self.fonts = fonts
        self.symbols: dict[str, tuple[Item, ...]] = {}

    def spelled(self, item: Item) -> Item:
        """Return a text as uses of its characters; anything else, and turned texts, as they are."""
        if not isinstance(item, Text) or item.turn:
            return item
        dx, dy = self.fonts.place(item)
        scale = item.size / self.fonts.face(item.weight).units
        uses: list[Item] = []
        for char, pen in self.fonts.pens(item.text, item.weight):
            if char.isspace():
                continue
            name = f"t{ord(char):x}-{item.size:.2f}-{item.colour[1:]}-{item.weight[0]}"
            drawn = Text(0.0, 0.0, char, item.size, item.colour, weight=item.weight)
            self.symbols.setdefault(name, (drawn,))
            uses.append(Use(name, round(item.x + dx + pen * scale, 3), round(item.y + dy, 3)))
        return uses[0] if len(uses) == 1 else Group(tuple(uses))


def _flat(items: Sequence[Item], dx: float = 0.0, dy: float = 0.0) -> Iterator[Item]:
    """Yield items out of the groups that only move them, each moved by itself."""
    for item in items:
        if isinstance(item, Group) and _only_moves(item) and len(item.items) > 1:
            yield from _flat(item.items, dx + item.dx, dy + item.dy)
        else:
            yield _moved(item, dx, dy) if dx or dy else item


def _moved(item: Item, dx: float, dy: float) -> Item:
    if isinstance(item, Text | Use | Circle):
        return item._replace(x=item.x + dx, y=item.y + dy)
    return Group((item,), dx=dx, dy=dy)


def _only_moves(group: Group) -> bool:
    return not (group.clip or group.layer or group.title or group.turn) and group.scale == 1.0


def _svg(pictures: _Pictures, label: str) -> str:
    """Return the board with the last ply's items in the group "shown", all others in "store"."""
    from pnp.backends import svg

    last = pictures.shown[-1]
    named = [Group((item,), layer=f"i{number}") for number, item in enumerate(pictures.items)]
    shown = Group(tuple(named[number] for number in last), layer="shown")
    rest = set(range(len(named))) - set(last)
    store = Group(tuple(named[number] for number in sorted(rest)), layer="store")
    scene = pictures.base._replace(
        items=(*pictures.base.items, shown, store), title=label, description=""
    )
    text = svg.render(scene).strip()
    text = re.sub(r' (?:xmlns:)?inkscape(?::[a-z]+)?="[^"]*"', "", text)
    return re.sub(r' (?:width|height)="[0-9.]+mm"', "", text, count=2)


def _state(frame: Frame, look: Picture) -> str:
    return ". ".join(
        part for part in (words.last(frame, look), words.standing(frame, look)) if part
    )


def _notes(record: GameRecord, played: Played) -> list[str]:
    """Return the comments that follow each ply, from ply 0, and the offers that stand."""
    notes: list[list[str]] = [[] for _ in range(len(played.plies) + 1)]
    refused = _refused(record, played)
    ply = 0
    for index, word in enumerate(record.words):
        if ply < len(played.plies) and index == played.plies[ply].word:
            ply += 1
        if lexer.is_comment(word):
            said = word[1:].removesuffix("}") if word[0] == "{" else word[1:]
            notes[ply].append(report.plain(" ".join(said.split())))
        elif word.lower() == "draw?" and index < refused:
            notes[ply].append("a draw is offered")
    return [" ".join(each) for each in notes]


def _refused(record: GameRecord, played: Played) -> int:
    """Return the index of the word that was refused, past the last one where none was."""
    fault = played.verdict.error
    words = range(len(record.words))
    at = None if fault is None else fault.span.start
    return next((n for n in words if at is not None and record.span(n).start == at), len(words))


def _words(listing: str) -> list[str]:
    """Return a listing in pieces, each with the blank or the line break after it."""
    pieces = listing.replace("\n", "\n\0").replace(" ", " \0").split("\0")
    return [piece for piece in pieces if piece]


def _facts(record: GameRecord) -> str:
    facts = [
        f"{name}: {report.plain(record.value(name) or '')}" for name in FACTS if record.value(name)
    ]
    return f"<p>{escape('; '.join(facts))}</p>" if facts else ""


def _fault(text: str) -> str:
    return f'<section class="fault" aria-label="Fault"><pre>{escape(text)}</pre></section>'


def _moves(frame: Frame, notes: Sequence[str], refused: bool) -> str:
    """Return the list of plies as buttons, with numbers and comments."""
    lines = []
    each = frame.game.plies_per_number
    for ply, note in enumerate(notes):
        label = "start" if ply == 0 else escape(report.plain(frame.moves[ply - 1]))
        number = ""
        if ply and (ply - 1) % each == 0:
            number = f'<span class="number">{(ply - 1) // each + 1}.</span>'
        current = ' aria-current="step"' if ply == len(notes) - 1 else ""
        comment = f'<span class="comment">{escape(note)}</span>' if note else ""
        lines.append(f'<li><button type="button"{current}>{number}{label}</button>{comment}</li>')
    fault = frame.verdict.error if frame.verdict else None
    if refused and fault is not None:
        token = report.plain(fault.token or "")
        said = escape(f"{token} refused: {report.plain(fault.message)} [{fault.code}]")
        lines.append(f'<li><span class="refused">{said}</span></li>')
    return "\n".join(lines)
