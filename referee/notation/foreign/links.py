"""Links that hold a game: HexWorld's `hexworld.org/board/#11,a2:sf6…` and trmph's `#11,b1b1f6…`.

In HexWorld's the first cell stands as first played, `:s` is swap-pieces, `:S` swap-sides, and a comma within the
moves is only where the reader stood. In trmph's two equal cells at the start are the mirrored first move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from referee.core.record import EarlyFault, GameRecord
from referee.core.source import Source, Span
from referee.notation.foreign import draft
from referee.notation.foreign.draft import BLUE, PIECES, RED, SIDES, Draft

_LINK = re.compile(
    r"(?:https?://)?(?:[\w-]+\.)*(?P<site>hexworld\.org|trmph\.com)/[^\s#]*#(?P<far>[^\s\"'<>]+)"
    r"|(?<![^\s\"'<>(])#(?P<bare>[0-9]+[^\s,]*,[^\s\"'<>]*)",
    re.IGNORECASE,
)
_HEAD = re.compile(r"([0-9]+(?:x[0-9]+)?)([^,%]*)(?:,|%2C|$)", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?P<cell>[a-z]+[0-9]+)|(?::|%3A)(?P<act>rb|rw|fb|fw|s|S|p)|(?P<comma>,|%2C)|.", re.IGNORECASE
)
_CELL = re.compile(r"([a-z]+)([0-9]+)")
_COLOURS = {"b": RED, "w": BLUE}


def read_lines(lines: Iterable[str], name: str, size: int | None) -> Iterator[GameRecord]:
    """Yield a record for each link; other text on the lines is passed over. `size` is not needed."""
    for number, line in enumerate(lines, 1):
        for match in _LINK.finditer(line):
            fragment = match["far"] or match["bare"]
            at = match.start("far" if match["far"] else "bare") - match.start()
            text = match[0].rstrip(".;)]")
            source = Source(name, text, number, match.start() + 1)
            site = (match["site"] or ("hexworld" if ":" in fragment else "trmph")).lower()
            yield _read(source, at, "trmph" if site.startswith("trmph") else "hexworld")


def _read(source: Source, at: int, form: str) -> GameRecord:
    out = Draft(source, form)
    out.tag("Game", "Hex")
    head = _HEAD.match(source.text, at)
    if head is None:
        message = "a link begins with the board's size and a comma, as in #11,"
        out.faults.append(EarlyFault("syntax", message, Span(at, len(source.text))))
        return out.record(None)
    out.tag("Size", head[1].lower(), Span(head.start(1), head.end(1)))
    _moves(out, head.end())
    size = draft.board_size(head[1].lower())
    if form == "trmph":
        _mirrored_start(out)
    return out.record(size)


def _moves(out: Draft, at: int) -> None:
    bad: Span | None = None
    for match in _TOKEN.finditer(out.source.text, at):
        span = Span(match.start(), match.end())
        act = match["act"]
        if match["cell"] is None and act is None and match["comma"] is None:
            bad = Span(bad.start if bad else span.start, span.end)
            continue
        if bad is not None:
            _wreck(out, bad)
            bad = None
        if match["cell"] is not None:
            out.say(match["cell"].lower(), span)
        elif act is not None:
            _act(out, act, span)
    if bad is not None:
        _wreck(out, bad)


def _wreck(out: Draft, span: Span) -> None:
    out.wreck(
        span,
        f"{out.source.text[span.start : span.end]} is no move of a link; cells run together, as in a2b3",
    )


def _act(out: Draft, act: str, span: Span) -> None:
    """Add what stands behind a colon: a swap, a resignation or forfeit with its colour, a pass."""
    if out.form == "trmph":
        _wreck(out, span)
    elif act in "sS":
        form = PIECES if act == "s" else SIDES
        if "Swap" not in out.tags:
            out.tag("Swap", form, span)
        out.say("swap" if len(out.words) == 1 else f"swap-{form}", span)
    elif act[0] in "rR":
        out.say("resign", span, _COLOURS[act[1].lower()])
    elif act[0] in "fF":
        swap = out.tags.get("Swap")
        first = BLUE if swap is not None and swap.value == SIDES else RED
        out.say("0-1" if _COLOURS[act[1].lower()] == first else "1-0", span)
    else:
        out.wreck(span, "there is no pass in Hex; write a cell")


def _mirrored_start(out: Draft) -> None:
    """Read two equal cells at the start as the first stone's mirror, after a swap of the pieces."""
    if len(out.words) < 2 or out.words[0] != out.words[1] or 0 in out.broken:
        return
    match = _CELL.fullmatch(out.words[0])
    if match is None:
        return
    column, row = draft.column_of(match[1]), int(match[2][:4]) - 1
    if row < 0:
        return
    out.words[0] = draft.label(row, column)
    out.words[1] = "swap"
    out.tag("Swap", PIECES, out.spans[1])
