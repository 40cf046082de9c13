"""Who speaks: tokens, confirmation codes, the tag of the envelope sender; all of them kept out of what is passed on.

mail.md, Who may move; M50 to M60. Nothing here reads a clock, a database or the key file.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from typing import Final, Literal, NamedTuple

TAG_BYTES: Final = 16
TAG_LENGTH: Final = 26
"""Base32 characters of a tag."""
LOCAL_LENGTH: Final = 64
"""What the local part of an address may have at most (RFC 5321, 4.5.3.1.1)."""
CODE_BYTES: Final = 10
CODE_LENGTH: Final = 16

_TOKEN: Final = re.compile(
    r"([a-z]{1,20}-[1-9][0-9]{0,15})\.([12])\.(0|[1-9][0-9]{0,15})\.([a-z2-7]{26})"
)
_BOUNCE: Final = re.compile(r"b\.([1-9][0-9]{0,17})\.([a-z2-7]{26})")
_CODE: Final = re.compile(r"c\.([a-z2-7]{16})")

Bytes = Callable[[int], bytes]
"""A source of random bytes, such as `secrets.token_bytes`."""


class Token(NamedTuple):
    """What a token covers: a game, a seat (0 or 1) and the event counter when it was given out."""

    game: str
    seat: int
    event: int


# -- tags ----------------------------------------------------------------------------------------------------------


def _tag(key: bytes, text: str) -> str:
    digest = hmac.digest(key, text.encode(), "sha256")[:TAG_BYTES]
    return base64.b32encode(digest).decode().rstrip("=").lower()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def token(key: bytes, game: str, seat: int, event: int) -> str:
    """Return `<game>.<seat>.<event>.<tag>`, the + part of the Reply-To of a player's mails; seat 0 is written 1."""
    covers = f"{game}.{seat + 1}.{event}"
    return f"{covers}.{_tag(key, covers)}"


def check_token(key: bytes, text: str) -> Token | None:
    """Return what a token covers, None for one that this club did not give out.

    In any case (M54), compared in constant time.
    """
    match = _TOKEN.fullmatch(text.strip().lower())
    if match is None:
        return None
    game, seat, event, tag = match.groups()
    if not _same(tag, _tag(key, f"{game}.{seat}.{event}")):
        return None
    return Token(game, int(seat) - 1, int(event))


Standing = Literal["current", "old", "stranger", "none"]


def standing(covers: Token | None, event: int, sender: str, addresses: Collection[str]) -> Standing:
    """Return what a checked token is worth in its game.

    current   plays, offers, claims, resigns: the event counter stands where it stood, the sender is registered
    old       only gets the present position, sent to the registered address
    stranger  a right token from an address that is not the player's: nothing is played, a code goes to him (M56)
    none      no token
    """
    if covers is None:
        return "none"
    if sender.lower() not in {address.lower() for address in addresses}:
        return "stranger"
    return "current" if covers.event == event else "old"


def envelope_part(key: bytes, row: int) -> str:
    """Return the + part of the envelope sender of outbox row `row`: only bounces to it count."""
    return f"b.{row}.{_tag(key, f'b.{row}')}"


def check_envelope(key: bytes, text: str) -> int | None:
    """Return the outbox row that a bounce was sent to, None for an address that was never an envelope sender."""
    match = _BOUNCE.fullmatch(text.strip().lower())
    if match is None or not _same(match[2], _tag(key, f"b.{match[1]}")):
        return None
    return int(match[1])


def plus(address: str, part: str) -> str:
    """Return the club's address with a + part. Raises ValueError where the local part would exceed 64 characters."""
    local, _, host = address.rpartition("@")
    whole = f"{local}+{part}"
    if len(whole) > LOCAL_LENGTH:
        raise ValueError(
            f"{whole}@{host}: the part before @ has more than {LOCAL_LENGTH} characters"
        )
    return f"{whole}@{host}"


def plus_part(address: str) -> str:
    """Return the + part of an address in lower case, "" without one."""
    local = address.strip().strip("<>").rpartition("@")[0]
    return local.partition("+")[2].lower()


# -- codes ---------------------------------------------------------------------------------------------------------


def new_code(source: Bytes) -> str:
    """Return a fresh confirmation code: 80 bits as 16 base32 characters."""
    return base64.b32encode(source(CODE_BYTES)).decode().lower()


def code_part(code: str) -> str:
    """Return the + part of the address that a code is answered to."""
    return f"c.{code}"


def code_of(part: str) -> str | None:
    """Return the code of a + part or of a token line, None for anything else."""
    match = _CODE.fullmatch(part.strip().lower())
    return match[1] if match else None


def code_digest(key: bytes, code: str) -> str:
    """Return what the database keeps of a code: without the key it says nothing."""
    return hmac.digest(key, f"code\n{code.lower()}".encode(), "sha256").hex()


def commands_hash(game: str, commands: Iterable[str]) -> str:
    """Return the hash that binds a code to the commands it was asked for: blanks and case do not matter."""
    lines = (" ".join(text.split()).casefold() for text in commands)
    return hashlib.sha256("\n".join((game.lower(), *lines)).encode()).hexdigest()


# -- what is passed on ---------------------------------------------------------------------------------------------

_BREAK: Final = r"(?:[\u00ad\u200b\u2060\ufeff]|=?[ \t]*\r?\n[ \t>|]*)?"
"""What a mail program may put into the middle of a long word: soft breaks, quote marks, unseen characters."""


def _broken(length: str) -> str:
    return rf"(?:[a-z2-7]{_BREAK}){{{length}}}"


_BEGIN: Final = r"(?:(?<![a-z0-9])|(?<=%2b))"
"""Where a secret may begin: also behind a `+` written as `%2B`."""

_SECRET: Final = re.compile(
    rf"""
      (?<!%2)[a-z]{{1,20}}-[0-9]{{1,16}}{_BREAK}\.{_BREAK}[12]{_BREAK}\.{_BREAK}[0-9]{{1,16}}{_BREAK}\.{_BREAK}{_broken("4,26")}
    | {_BEGIN}b\.[0-9]{{1,18}}\.{_broken("4,26")}
    | {_BEGIN}c\.{_broken("16")}(?![a-z0-9])
    | {_BEGIN}[a-z2-7]{{26}}(?![a-z0-9])
    """,
    re.VERBOSE | re.IGNORECASE,
)

REDACTED: Final = "[token]"


def redacted(text: str) -> str:
    """Return text with every token, code and envelope tag cut out, whole or broken over lines (M58)."""
    return _SECRET.sub(_cut, text)


def _cut(match: re.Match[str]) -> str:
    """Keep a line break that stood at the end of what is cut out."""
    tail = re.search(r"\s+$", match[0])
    return REDACTED + (tail[0] if tail else "")


def message_id(game: str, host: str, source: Bytes) -> str:
    """Return a Message-ID that says which game it belongs to and never who: it travels with forwards and answers."""
    word = base64.b32encode(source(TAG_BYTES)).decode().rstrip("=").lower()
    return f"<{game or 'club'}.{word[:20]}@{host}>"


# -- names ---------------------------------------------------------------------------------------------------------

NAME_LENGTH: Final = 30
NAME_RULE: Final = (
    "2 to 30 letters, digits and blanks, with a letter; no command or game, no move, no address"
)
"""What a name may be, for those who must be told."""

_GONE: Final = re.compile(r"player\s*[0-9]+", re.IGNORECASE)
_LINK: Final = re.compile(r"[^\W_]{2,}\.[^\W\d_]{2,}")
"""What mail programs make a link of."""
_GAME_ID: Final = re.compile(r"[a-z]+-[0-9]+", re.IGNORECASE)
_RESERVED: Final = frozenset(
    {"referee", "club", "operator", "dr. brooks", "nobody", "first", "second"}
)


def clean_name(text: str) -> str | None:
    """Return a club name fit to stand in records, subjects and pages, None for one that cannot be.

    2 to 30 printable characters, NFC, single blanks, no `@`, quotes, brackets or slashes, with a letter in it;
    `Player 17` is kept for those who are forgotten. Nothing that a mail could mean otherwise: no command, game, move,
    token or link.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 2 <= len(name) <= NAME_LENGTH or not name.isprintable():
        return None
    if any(c in '@"<>[]{}()\\/;:,+|`' for c in name) or not any(c.isalpha() for c in name):
        return None
    if _GONE.fullmatch(name) or name_key(name) in _RESERVED or _means_more(name):
        return None
    return name


def _means_more(name: str) -> bool:
    """Whether a name could be read as something else in a mail, its subject or a command."""
    from referee.mail.forms import FORMS, GAMES, MOVE_WORDS, move
    from referee.mail.moves import any_game

    words = name_key(name).split()
    commands = {*FORMS, *MOVE_WORDS, "move", "play", "chat", "end", "undo"}
    return (
        words[0] in commands
        or "word" in words
        or name_key(name) in GAMES
        or (any(map(str.isdigit, name)) and move(name_key(name), any_game) is not None)
        or _LINK.search(name) is not None
        or _GAME_ID.fullmatch(name) is not None
        or redacted(name) != name
    )


def name_key(name: str) -> str:
    """Return what two names share that nobody can tell apart: case, width and how many blanks do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
