"""Games as a folder of pages: a list with pictures and standings, and each game to step through.

All of it opens from the folder, without a network or a server. The same games give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from string import Template
from typing import Literal, NamedTuple

from pnp import __version__
from pnp.resources import read_text
from pnp.scene import Group, Item, Scene, Text
from pnp.themes import Theme
from referee import diagram, report
from referee.core.picture import Frame
from referee.core.record import GameRecord
from referee.diagram import replay, words
from referee.diagram.frames import frame_of

PER_PAGE = 60
"""Games that one page lists."""
Status = Literal["on", "over", "cancelled"]
HEADS: dict[Status, str] = {"on": "Being played", "over": "Over", "cancelled": "Cancelled"}


class Shown(NamedTuple):
    """A game of the site: its id, which names its files, how it stands, its record, that as text."""

    id: str
    status: Status
    record: GameRecord
    text: str


class Score(NamedTuple):
    """A player's line in the standings of a game."""

    player: str
    played: int
    won: int
    drawn: int
    lost: int


class Listed(NamedTuple):
    """A game whose files are made, as the list shows it."""

    status: Status
    item: str


class File(NamedTuple):
    """A file of the site, with its path below the folder."""

    path: str
    text: str


Have = Callable[[str], str | None]
"""Gives the text of a file that the folder has at a path, None where it has none."""


def game(
    shown: Shown, theme: Theme, have: Have = lambda path: None
) -> tuple[Listed, Iterator[File]]:
    """Return a game's entry in the list, and its files: page, picture, record; none that the folder has already.

    They are there where the record is the same, page and picture are whole, and this program made the page in this
    theme. The record is the last of them to be written: after a break the game is made anew. Raises RefereeError for a
    record that cannot be drawn.
    """
    frame = frame_of(shown.record)
    listed = Listed(shown.status, _item(shown, frame))
    return listed, iter(()) if _up_to_date(shown, theme, have) else _files(shown, frame, theme)


def _paths(shown: Shown) -> tuple[str, str, str]:
    return f"thumbs/{shown.id}.svg", f"games/{shown.id}.html", f"games/{shown.id}.moves"


def _up_to_date(shown: Shown, theme: Theme, have: Have) -> bool:
    picture, page, record = _paths(shown)
    if have(record) != shown.text or not (have(picture) or "").rstrip().endswith("</svg>"):
        return False
    head, _, body = (have(page) or "").partition("</head>")
    return _made(theme) in head and body.rstrip().endswith("</html>")


@lru_cache(maxsize=4)
def _made(theme: Theme) -> str:
    """Return how pages are made: the program and its version, and a digest of theme and templates."""
    parts = [
        repr((theme.name, dict(theme.colours), dict(theme.areas))),
        *(read_text("replay", n) for n in ("page.html", "style.css", "replay.js")),
    ]
    return f"referee {__version__} {hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"


def _files(shown: Shown, frame: Frame, theme: Theme) -> Iterator[File]:
    from pnp.backends import svg

    picture, page, record = _paths(shown)
    thumb = _plain(diagram.picture(frame).scene(frame, theme, numbers=False))
    back = ("../index.html", "All games")
    yield File(page, replay.page(shown.record, theme, back=back, made=_made(theme)))
    yield File(picture, svg.render(thumb) + "\n")
    yield File(record, shown.text)


def index(
    title: str, games: Sequence[Listed], tables: Iterable[tuple[str, Sequence[Score]]]
) -> Iterator[File]:
    """Yield the pages that list the games: index.html, index-2.html, …

    Those being played stand first, and of games that stand alike the last one. `tables` are the
    standings, each with its game's name; the first page shows them.
    """
    order = [listed for status in HEADS for listed in reversed(games) if listed.status == status]
    scores = "".join(_table(name, rows) for name, rows in tables if rows)
    pages = max(1, -(-len(order) // PER_PAGE))
    for number in range(pages):
        part = order[number * PER_PAGE : (number + 1) * PER_PAGE]
        text = _template("page.html").substitute(
            title=escape(title),
            style=read_text("index", "style.css"),
            count=_count(order),
            tables=f'<h2>Standings</h2>\n<div class="scores">{scores}</div>'
            if scores and not number
            else "",
            lists="\n".join(_list(status, part) for status in HEADS),
            nav=_nav(number, pages),
        )
        yield File(_name(number), text)


def _plain(scene: Scene) -> Scene:
    """Return a picture without its writing, which nobody can read when it is small."""

    def kept(items: Iterable[Item]) -> tuple[Item, ...]:
        return tuple(
            item._replace(items=kept(item.items)) if isinstance(item, Group) else item
            for item in items
            if not isinstance(item, Text)
        )

    symbols = {name: kept(items) for name, items in scene.symbols.items()}
    return scene._replace(items=kept(scene.items), symbols=symbols)


def _item(shown: Shown, frame: Frame) -> str:
    look = diagram.picture(frame)
    facts = [escape(shown.id)]
    if date := shown.record.value("Date"):
        facts.append(escape(report.plain(date)))
    state = "; ".join(part for part in (words.last(frame, look), _ends(shown, frame)) if part)
    return _template("item.html").substitute(
        id=escape(shown.id, quote=True),
        title=escape(words.title(frame, look), quote=True),
        state=escape(state),
        facts=", ".join(facts),
    )


def _ends(shown: Shown, frame: Frame) -> str:
    if shown.status == "cancelled":
        return "Cancelled"
    return words.standing(frame, diagram.picture(frame))


def _list(status: Status, part: Sequence[Listed]) -> str:
    items = "\n".join(listed.item.rstrip() for listed in part if listed.status == status)
    return f"<h2>{HEADS[status]}</h2>\n<ul>\n{items}\n</ul>" if items else ""


def _count(games: Sequence[Listed]) -> str:
    if not games:
        return "No games yet"
    on = sum(listed.status == "on" for listed in games)
    return f"{len(games)} {'game' if len(games) == 1 else 'games'}, {on} being played"


def _table(name: str, rows: Sequence[Score]) -> str:
    lines = [
        f'<tr><th scope="row">{escape(report.plain(player))}</th>'
        + "".join(f"<td>{number}</td>" for number in numbers)
        + "</tr>"
        for player, *numbers in rows
    ]
    return _template("table.html").substitute(game=escape(name), rows="\n".join(lines))


def _name(number: int) -> str:
    return f"index-{number + 1}.html" if number else "index.html"


def _nav(number: int, pages: int) -> str:
    """Return links to the first page, the last one and those near this one."""
    if pages == 1:
        return ""
    near = sorted({0, *range(max(0, number - 2), min(pages, number + 3)), pages - 1})
    links = [
        f'<strong aria-current="page">{each + 1}</strong>'
        if each == number
        else f'<a href="{_name(each)}">{each + 1}</a>'
        for each in near
    ]
    return f'<nav class="pages" aria-label="More games">Page {" ".join(links)}</nav>'


def _template(name: str) -> Template:
    return Template(read_text("site", name))
