"""One line of new text to commands: mail.md's Commands section as a grammar. Whole lines only; nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.mail.rows import plain
from referee.mail.submission import TOKEN_WORD, Command, GameReader

GAMES: Final = frozenset({"hex", "focus", "lightning", "spiral"})

_GAME_ID: Final = re.compile(r"[a-z][a-z0-9]*-[0-9]{1,9}")
_NAMED: Final = re.compile(
    r"(?:\[([a-z][a-z0-9]*-[0-9]{1,9})\]|([a-z]+-[0-9]{1,9}):?(?=\s))\s*", re.IGNORECASE
)
_BULLET: Final = re.compile(r"[-•·▪◦‣]\s+")
_WRAPPED: Final = re.compile(r"""(\*\*|__|[*_`"'])(.*)\1""")
_NUMBERED: Final = re.compile(r"([0-9]{1,6})(\.\.\.|\.)\s*(\S.*)")
_MOVE: Final = re.compile(r"(?:move|play)\s+(?:([0-9]{1,6})(\.\.\.|\.)?\s+)?(\S.*)", re.IGNORECASE)
_OFFER: Final = re.compile(r"(.*\S)[\s,;]+draw\s?\?", re.IGNORECASE)
_ORDERS: Final = re.compile(r"draw\s?;", re.IGNORECASE)
_CARDS: Final = re.compile(r"(?:10|[2-9tjqka]|[shdc♠♥♦♣]|[+~]|\s)+", re.IGNORECASE)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OPTION: Final = re.compile(r"-{0,2}([A-Za-z][A-Za-z0-9_-]{0,30})=(\S.{0,100}|)")
_MAILTO: Final = re.compile(r"<(?:mailto:)?[^<>\s]*>|\[(?:mailto:)?[^\[\]\s]*\]")
_ADDRESS: Final = re.compile(r"[^\s<>@,;]{1,64}@[^\s<>@,;]{1,190}")
_MARKED: Final = re.compile(r"(draw|undo)\s?([?!])", re.IGNORECASE)
_TOKEN: Final = re.compile(rf"{TOKEN_WORD}\s*[a-z0-9.-]{{16,80}}", re.IGNORECASE)
_NO_CELL: Final = re.compile(r"[a-z]{3,}[0-9]+|[a-z]+[0-9]{4,}", re.IGNORECASE)
_ALONE: Final = "a command stands alone in its line"
_MOST: Final = 2000
"""Characters of a line that may still be a command."""

MOVE_WORDS: Final = frozenset({"swap", "swap-sides", "swap-pieces", "pass"})


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that begins as a command and goes on as something else. `sure` where no prose begins so."""

    hint: str
    sure: bool = False


Line = tuple[Command, ...] | Broken | None
"""What a line is: commands (none where it only names a game), a command gone wrong, or text."""


def read_line(text: str, number: int, reader: GameReader) -> Line:
    """Return the commands of one whole line; a line with only a game's tag or a token is neither command nor text."""
    whole = plain(text)
    if not whole or len(whole) > _MOST:
        return None
    game, rest = _named(_BULLET.sub("", whole, count=1) if _BULLET.match(whole) else whole)
    if not rest or _TOKEN.fullmatch(rest):
        return ()
    found = _commands(rest, reader)
    wrapped = _WRAPPED.fullmatch(rest)
    if wrapped and not isinstance(found, list) and wrapped[2].strip():
        found = _commands(wrapped[2].strip(), reader)
    if isinstance(found, list):
        return tuple(
            replace(command, text=whole, line=number, game=command.game or game)
            for command in found
        )
    return found


def _named(text: str) -> tuple[str, str]:
    """Return the game that stands before a command (`[hex-42] f6`), lower case, and the rest."""
    match = _NAMED.match(text)
    if match is None:
        return "", text
    return (match[1] or match[2]).lower(), text[match.end() :]


def _commands(text: str, reader: GameReader) -> list[Command] | Broken | None:
    bare = text.rstrip(".,; ") or text
    words = bare.split()
    head = words[0].lower()
    marked = _MARKED.fullmatch(bare)
    if marked:
        return [_command(marked[1].lower() + marked[2])]
    if head in _FORMS:
        form, read = _FORMS[head]
        found = read(words, bare if head not in _FREE else text, reader)
        if found is not None:
            return [found]
        if head not in MOVE_WORDS:
            sure = (head == "queue" and ":" in bare) or _ORDERS.match(bare) is not None
            return Broken(f"{head.strip(';')} is written so: {form}", sure)
    moved = _moved(bare, reader)
    if moved is not None:
        return moved
    return _half(words, reader)


def _command(
    name: str, *args: str, choices: Sequence[str] = (), game: str = "", ply: int | None = None
) -> Command:
    return Command(name, args, "", 0, game=game, ply=ply, choices=tuple(choices))


# -- moves ---------------------------------------------------------------------------------------------------------


def _move(text: str, reader: GameReader, name: str = "move") -> Command | None:
    """Return the command of a move; cards may stand with blanks between them."""
    wrapped = _WRAPPED.fullmatch(text)
    text = wrapped[2].strip() if wrapped else text
    word = "".join(text.split()) if " " in text and _CARDS.fullmatch(text) else text
    if not word or " " in word or _NO_CELL.fullmatch(word):
        return None
    meant = reader(word)
    if meant is None and word.lower() in MOVE_WORDS:
        meant = word.lower()
    if meant is None:
        return None
    if isinstance(meant, tuple):
        return _command(name, choices=meant)
    return _command(name, meant)


def _moved(text: str, reader: GameReader) -> list[Command] | None:
    """Return a move, with its ply or number and the offer that goes with it; None for no such line."""
    offer = _OFFER.fullmatch(text)
    body = offer[1] if offer else text
    ply, number = None, ""
    match = _MOVE.fullmatch(body)
    if match:
        if match[2]:
            number = match[1] + match[2]
        elif match[1]:
            ply = int(match[1])
        body = match[3]
    else:
        match = _NUMBERED.fullmatch(body)
        if match:
            number, body = match[1] + match[2], match[3]
    found = _move(body, reader)
    if found is None:
        return None
    moved = [replace(found, ply=ply, number=number)]
    return [*moved, _command("draw?")] if offer else moved


def _half(words: list[str], reader: GameReader) -> Broken | None:
    """Say whether a line begins with what only a command begins with."""
    text = " ".join(words)
    if _MARKED.match(text):
        return Broken(_ALONE, True)
    if words[0].lower() in ("move", "play") and len(words) > 1 and words[1].rstrip(".").isdecimal():
        return Broken("a move with its ply is written so: move 12 f6", True)
    numbered = _NUMBERED.fullmatch(text)
    head = (numbered[3].split()[0] if numbered else words[0]).rstrip(".,;:!?")
    if len(words) > 1 and any(char.isdecimal() for char in head) and reader(head) is not None:
        return Broken(_ALONE, True)
    return None


# -- the other commands ----------------------------------------------------------------------------------------------


def _alone(words: list[str], text: str, reader: GameReader) -> Command | None:
    return _command(words[0].lower()) if len(words) == 1 else None


def _switch(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`digest`, `mute`, with `on` or `off` if one likes."""
    if len(words) > 2 or (len(words) == 2 and words[1].lower() not in ("on", "off")):
        return None
    return _command(words[0].lower(), *(word.lower() for word in words[1:]))


def _draw(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`draw`, or `draw; ORDER; ORDER`: one order a kind, each a placement as it would be played."""
    if len(words) == 1 and words[0].lower() == "draw":
        return _command("draw")
    head, mark, rest = text.partition(";")
    if head.strip().lower() != "draw" or not mark:
        return None
    orders: list[str] = []
    choices: tuple[str, ...] = ()
    for order in (piece.strip() for piece in re.split("[;,]", rest)):
        found = _move(order, reader) if order else None
        if order and found is None:
            return None
        if found is not None:
            orders += found.args
            choices = choices or found.choices
    return _command("draw", *orders, choices=choices) if orders or choices else None


def _claim(words: list[str], text: str, reader: GameReader) -> Command | None:
    if len(words) > 2 or (len(words) == 2 and words[1].lower() not in ("draw", "time")):
        return None
    return _command("claim", *(word.lower() for word in words[1:]))


def _about_game(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`show`, `history`, `verify`, `accept`, `decline`: of a game by its id; `show` of a ply too."""
    name, rest = words[0].lower(), [word.strip("[]").lower() for word in words[1:]]
    game = rest.pop(0) if rest and _GAME_ID.fullmatch(rest[0]) else ""
    ply = (
        int(rest.pop(0))
        if name == "show" and rest and re.fullmatch("[0-9]{1,6}", rest[0])
        else None
    )
    return None if rest else _command(name, game=game, ply=ply)


def _preview(words: list[str], text: str, reader: GameReader) -> Command | None:
    return _move(text[len(words[0]) :].strip(), reader, "preview") if len(words) > 1 else None


def _queue(words: list[str], text: str, reader: GameReader) -> Command | None:
    """`queue d4: e5, f6: g7`: pairs of the other's ply and mine. Focus has colons in its moves, so each is tried."""
    flat: list[str] = []
    choices: tuple[str, ...] = ()
    for pair in (piece.strip() for piece in re.split("[,;]", text[len(words[0]) :])):
        if not pair:
            continue
        for match in re.finditer(":", pair):
            theirs = _move(pair[: match.start()].strip(), reader) if match.start() else None
            mine = _move(pair[match.end() :].strip(), reader) if theirs else None
            if theirs and mine:
                flat += [*theirs.args, *mine.args]
                choices = choices or theirs.choices or mine.choices
                break
        else:
            return None
    return _command("queue", *flat, choices=choices) if flat or choices else None


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
            found = _command("challenge", name, before[at].lower())
            return replace(found, options=options, word=word)
    return None


def _new(words: list[str], text: str, reader: GameReader) -> Command | None:
    options = _options(words[2:]) if len(words) > 1 and words[1].lower() in GAMES else None
    return None if options is None else replace(_command("new", words[1].lower()), options=options)


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
    return _command("vacation", *dates)


def _add(words: list[str], text: str, reader: GameReader) -> Command | None:
    rest = [word for word in words[1:] if word.lower() != "address"]
    if len(rest) != 1:
        return None
    address = _MAILTO.sub("", rest[0]) or rest[0].strip("<>").removeprefix("mailto:")
    return _command("add", address.lower()) if _ADDRESS.fullmatch(address) else None


def _help(words: list[str], text: str, reader: GameReader) -> Command | None:
    topics = [word.lower() for word in words[1:]]
    if len(topics) > 1 or not all(topic in GAMES or topic in _FORMS for topic in topics):
        return None
    return _command("help", *topics)


def _standings(words: list[str], text: str, reader: GameReader) -> Command | None:
    games = [word.lower() for word in words[1:]]
    return _command("standings", *games) if len(games) < 2 and GAMES.issuperset(games) else None


def _forget(words: list[str], text: str, reader: GameReader) -> Command | None:
    return _command("forget me") if [word.lower() for word in words] == ["forget", "me"] else None


_Form = Callable[[list[str], str, GameReader], Command | None]

_FORMS: Final[dict[str, tuple[str, _Form]]] = {
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
    "challenge": ("challenge NAME GAME, then options such as size=13, then word TEXT", _challenge),
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

_FREE: Final = frozenset({"accept", "start", "challenge"})
"""Commands that end in the player's own words: their dots and commas are kept."""
