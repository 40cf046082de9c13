"""The forms of each command, and of a move, as mail.md writes them: a line's words to a Command, or None."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from referee.mail.submission import Command, GameReader

GAMES: Final = frozenset({"hex", "focus", "lightning", "spiral"})
MOVE_WORDS: Final = frozenset({"swap", "swap-sides", "swap-pieces", "pass"})

_GAME_ID: Final = re.compile(r"[a-z][a-z0-9]*-[0-9]{1,9}")
_CARDS: Final = re.compile(r"(?:10|[2-9tjqka]|[shdc♠♥♦♣]|[+~]|\s)+", re.IGNORECASE)
_JOINED: Final = re.compile(r"[a-z0-9]+(?:\s*[-:@]\s*[a-z0-9]+)+|[a-z]\s+[0-9]{1,2}", re.IGNORECASE)
"""`c3 - c4` and `F 6`, as telephones like to write them."""

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OPTION: Final = re.compile(r"-{0,2}([A-Za-z][A-Za-z0-9_-]{0,30})=(\S.{0,100}|)")
_MAILTO: Final = re.compile(r"<(?:mailto:)?[^<>\s]*>|\[(?:mailto:)?[^\[\]\s]*\]")
_ADDRESS: Final = re.compile(r"[^\s<>@,;]{1,64}@[^\s<>@,;]{1,190}")
WRAPPED: Final = re.compile(r"""(\*\*|__|[*_`"'])(.*)\1""")
_NO_CELL: Final = re.compile(r"[a-z]{3,}[0-9]+|[a-z]+[0-9]{4,}", re.IGNORECASE)


def command(
    name: str, *args: str, choices: Sequence[str] = (), game: str = "", ply: int | None = None
) -> Command:
    """Return a command whose line its reader fills in."""
    return Command(name, args, "", 0, game=game, ply=ply, choices=tuple(choices))


def move(text: str, reader: GameReader, name: str = "move") -> Command | None:
    """Return the command of a move; blanks may stand between cards, and round the signs that join a move's parts."""
    wrapped = WRAPPED.fullmatch(text)
    text = wrapped[2].strip() if wrapped else text
    loose = " " in text and (_CARDS.fullmatch(text) or _JOINED.fullmatch(text))
    word = "".join(text.split()) if loose else text
    if "-".join(text.lower().split()) in MOVE_WORDS:
        word = "-".join(text.split())
    if not word or " " in word or _NO_CELL.fullmatch(word):
        return None
    meant = reader(word)
    if meant is None and word.lower() in MOVE_WORDS:
        meant = word.lower()
    if meant is None:
        return None
    if isinstance(meant, tuple):
        return command(name, choices=meant)
    return command(name, meant)


def _alone(words: list[str], text: str, reader: GameReader) -> Command | None:
    return command(words[0].lower()) if len(words) == 1 else None


def _switch(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`digest`, `mute`, with `on` or `off` if one likes."""
    if len(words) > 2 or (len(words) == 2 and words[1].lower() not in ("on", "off")):
        return None
    return command(words[0].lower(), *(word.lower() for word in words[1:]))


def _draw(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`draw`, or `draw; ORDER; ORDER`: one order a kind, each a placement as it would be played."""
    if len(words) == 1 and words[0].lower() == "draw":
        return command("draw")
    head, mark, rest = text.partition(";")
    if head.strip().lower() != "draw" or not mark:
        return None
    orders: list[str] = []
    choices: tuple[str, ...] = ()
    for order in (piece.strip() for piece in re.split("[;,]", rest)):
        found = move(order, reader) if order else None
        if order and found is None:
            return None
        if found is not None:
            orders += found.args
            choices = choices or found.choices
    return command("draw", *orders, choices=choices) if orders or choices else None


def _claim(words: list[str], text: str, reader: GameReader) -> Command | None:
    if len(words) > 2 or (len(words) == 2 and words[1].lower() not in ("draw", "time")):
        return None
    return command("claim", *(word.lower() for word in words[1:]))


def _about_game(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`show`, `history`, `verify`, `accept`, `decline`: of a game by its id; `show` of a ply too."""
    name, rest = words[0].lower(), [word.strip("[]").lower() for word in words[1:]]
    game = rest.pop(0) if rest and _GAME_ID.fullmatch(rest[0]) else ""
    ply = (
        int(rest.pop(0))
        if name == "show" and rest and re.fullmatch("[0-9]{1,6}", rest[0])
        else None
    )
    return None if rest else command(name, game=game, ply=ply)


def _preview(words: list[str], text: str, reader: GameReader) -> Command | None:
    return move(text[len(words[0]) :].strip(), reader, "preview") if len(words) > 1 else None


def _queue(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`queue d4: e5, f6: g7`: pairs of the other's ply and mine. Focus has colons in its moves, so each is tried.

    `queue` alone lists what is queued, `queue clear` takes it away.
    """
    if len(words) == 1 or (len(words) == 2 and words[1].lower() == "clear"):
        return command("queue", *(word.lower() for word in words[1:]))
    flat: list[str] = []
    choices: tuple[str, ...] = ()
    for pair in (piece.strip() for piece in re.split("[,;]", text[len(words[0]) :])):
        if not pair:
            continue
        for match in re.finditer(":", pair):
            theirs = move(pair[: match.start()].strip(), reader) if match.start() else None
            mine = move(pair[match.end() :].strip(), reader) if theirs else None
            if theirs and mine:
                flat += [*theirs.args, *mine.args]
                choices = choices or theirs.choices or mine.choices
                break
        else:
            return None
    return command("queue", *flat, choices=choices) if flat or choices else None


def _with_word(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`accept`, `start`: with the player's word for the draws after `word`, as written."""
    before, word = _player_word(words, text)
    found = _about_game(before, "", reader)
    return replace(found, word=word) if found else None


def _challenge(words: list[str], text: str, reader: GameReader) -> Command | None:
    before, word = _player_word(words, text)
    for at in range(2, len(before)):
        options = _options(before[at + 1 :])
        if before[at].lower() in GAMES and options is not None:
            name = " ".join(before[1:at]).strip("\"'")
            found = command("challenge", name, before[at].lower())
            return replace(found, options=options, word=word)
    return None


def _new(words: list[str], text: str, reader: GameReader) -> Command | None:
    options = _options(words[2:]) if len(words) > 1 and words[1].lower() in GAMES else None
    return None if options is None else replace(command("new", words[1].lower()), options=options)


def _player_word(words: list[str], text: str) -> tuple[list[str], str]:
    """Return the words before `word`, and the text after it with one blank for each run of them."""
    at = next((i for i, word in enumerate(words) if i and word.lower() == "word"), None)
    if at is None:
        return words, ""
    rest = " ".join(text.split()[at + 1 :])
    if len(rest) > 1 and rest[0] == rest[-1] == '"':
        rest = rest[1:-1]
    return words[:at], rest


def _options(words: list[str]) -> tuple[tuple[str, str], ...] | None:
    """Return `key=value` options, leading dashes off; None where a word is none."""
    found = []
    for word in words:
        match = _OPTION.fullmatch(word.rstrip(",;"))
        if match is None:
            return None
        found.append((match[1], match[2].strip("\"'")))
    return tuple(found)


def _vacation(words: list[str], text: str, reader: GameReader) -> Command | None:
    dates = [word for word in words[1:] if word.lower() not in ("-", "to", "until", "..")]
    if len(dates) != 2 or not all(_DATE.fullmatch(date) for date in dates):
        return None
    return command("vacation", *dates)


def _add(words: list[str], text: str, reader: GameReader) -> Command | None:
    rest = [word for word in words[1:] if word.lower() != "address"]
    if len(rest) != 1:
        return None
    address = _MAILTO.sub("", rest[0]) or rest[0].strip("<>").removeprefix("mailto:")
    return command("add", address.lower()) if _ADDRESS.fullmatch(address) else None


def _help(words: list[str], text: str, reader: GameReader) -> Command | None:
    topics = [word.lower() for word in words[1:]]
    if len(topics) > 1 or not all(topic in GAMES or topic in FORMS for topic in topics):
        return None
    return command("help", *topics)


def _standings(words: list[str], text: str, reader: GameReader) -> Command | None:
    games = [word.lower() for word in words[1:]]
    return command("standings", *games) if len(games) < 2 and GAMES.issuperset(games) else None


def _forget(words: list[str], text: str, reader: GameReader) -> Command | None:
    return command("forget me") if [word.lower() for word in words] == ["forget", "me"] else None


_Form = Callable[[list[str], str, GameReader], Command | None]

FORMS: Final[dict[str, tuple[str, _Form]]] = {
    "draw": ("draw, draw?, draw!, or draw; III@d1:s-ne; I@pool", _draw),
    "draw;": ("draw; III@d1:s-ne; I@pool", _draw),
    "resign": ("resign, alone in its line", _alone),
    "claim": ("claim, claim draw or claim time", _claim),
    "show": ("show [game] [ply], such as show hex-42 7", _about_game),
    "history": ("history, or history hex-42", _about_game),
    "verify": ("verify, or verify hex-42", _about_game),
    "next": ("next, alone in its line", _alone),
    "queue": ("queue d4: e5, f6: g7 (the other's ply, a colon, yours)", _queue),
    "preview": ("preview MOVE, such as preview f6", _preview),
    "mute": ("mute, mute on or mute off", _switch),
    "challenge": (
        "challenge NAME GAME (hex, focus, lightning), options such as size=13, word TEXT",
        _challenge,
    ),
    "accept": ("accept, or accept word TEXT", _with_word),
    "decline": ("decline, alone in its line", _about_game),
    "new": ("new spiral, then options such as cycle=yes", _new),
    "start": ("start, or start word TEXT", _with_word),
    "vacation": ("vacation 2025-07-01 2025-07-14 (the first day and the last)", _vacation),
    "add": ("add ADDRESS, such as add ann@example.org", _add),
    "digest": ("digest, digest on or digest off", _switch),
    "standings": ("standings, or standings hex", _standings),
    "help": ("help, or help hex", _help),
    "stop": ("stop, alone in its line", _alone),
    "forget": ("forget me", _forget),
}
"""Each command's first word, how it is written, and what reads it."""

FREE: Final = frozenset({"accept", "start", "challenge"})
"""Commands that end in the player's own words: their dots and commas are kept."""
