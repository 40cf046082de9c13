"""Making a club's folder (`referee init`)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from referee.club.config import CONFIG_FILE, load, parse
from referee.club.keys import KEY_BYTES, new_key
from referee.club.model import Club
from referee.club.tables import ClubError

_TEMPLATE: Final = """\
# A club of the referee. `referee doctor` checks what is written here.
name = {name}
address = {address}          # players write to this address; no + in it
zone = {zone}                # an IANA zone
operators = {operators}      # told of trouble; they cannot accept games with chance
database = "sqlite:///club.db"

[mail.in]
kind = "none"                # none (only `referee mail`), imap, lmtp or maildir
# host = "imap.example.org"
# user = "referee"
# password_file = "imap.password"            # mode 0600, or password_env = "NAME"
# authserv_id = "mx.example.org"             # whose Authentication-Results to believe
# trusted_hosts = ["mx.example.org"]         # our own servers, as they write themselves into Received

[mail.out]
kind = "maildir"             # maildir (spool/out), or smtp
# host = "smtp.example.org"
# user = "referee"
# password_file = "smtp.password"

[policy]
# address_hour = 20          # answers an hour to one address
# game_hour = 60             # answers an hour in one game

[clock]
# bank = "240h"
# increment = "36h"
# cap = "240h"
# per_move = "5d"            # days for each move instead
# timeout = "auto"           # or "claim"
# reminders = ["72h", "24h"]
"""


def init(
    folder: Path, *, name: str, address: str, zone: str, operators: tuple[str, ...], key: bytes
) -> Club:
    """Make a club's folder with `club.toml`, the key (32 bytes from `secrets`) and the spool; return the club.

    The database is the store's to make. Raises ClubError where there is a club already, or a value cannot stand;
    then nothing was made.
    """
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes")
    text = _TEMPLATE.format(
        name=_quoted(name),
        address=_quoted(address),
        zone=_quoted(zone),
        operators="[" + ", ".join(_quoted(o) for o in operators) + "]",
    )
    path = folder / CONFIG_FILE
    parse(text, folder.absolute(), str(path))
    if path.exists():
        raise ClubError(f"{folder} holds a club already ({CONFIG_FILE})")
    try:
        # others in the group may go through to the LMTP socket, and neither look around nor read what is 0600
        folder.mkdir(mode=0o710, parents=True, exist_ok=True)
        for part in (
            "spool",
            *(f"spool/{box}/{sub}" for box in ("in", "out") for sub in ("tmp", "new", "cur")),
        ):
            (folder / part).mkdir(mode=0o700, parents=True, exist_ok=True)
        new_key(folder, key)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise ClubError(f"{folder} cannot be made: {error.strerror}") from None
    return load(folder)


def _quoted(text: str) -> str:
    """Return a TOML text. Only printable text comes here in the end: `parse` has looked at it before it is written."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
