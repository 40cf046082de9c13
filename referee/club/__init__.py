"""A club's folder: `club.toml`, its key, its secrets (mail.md; README's walk begins with `referee init`)."""

from __future__ import annotations

from referee.club.config import CONFIG_FILE, load, parse
from referee.club.founding import init
from referee.club.keys import KEY_FILE, fingerprint, load_key, new_key, secret
from referee.club.model import Club, MailIn, MailOut, Policy
from referee.club.tables import ClubError

__all__ = [
    "CONFIG_FILE",
    "KEY_FILE",
    "Club",
    "ClubError",
    "MailIn",
    "MailOut",
    "Policy",
    "fingerprint",
    "init",
    "load",
    "load_key",
    "new_key",
    "parse",
    "secret",
]
