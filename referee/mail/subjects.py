"""Subjects without what mail programs and servers put before them (M33, M34)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from referee.mail.languages import FORWARD_PREFIXES, REPLY_PREFIXES, TAG_PREFIXES
from referee.mail.mime import clean

_PREFIX: Final = re.compile(
    r"([^\W\d_]{1,16}\.?)\s?(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3}|\*\d{1,3})?\s?[:：]\s*"
)
_TAG: Final = re.compile(r"[\[({*<]{1,3}([^\])}*>\[({<]{2,30})[\])}*>]{1,3}\s*:?\s*")
_BARE_TAG: Final = re.compile(r"(external|extern|ext|caution)\s?:\s*", re.IGNORECASE)
_MOST: Final = 30


class Subject(NamedTuple):
    """A subject without its prefixes, and whether the outermost of them said that it is forwarded."""

    text: str
    forwarded: bool = False


def read_subject(subject: str) -> Subject:
    """Return a decoded subject without prefixes of answers (`AW:`, `RE[2]:`) and of mail servers (`[EXTERNAL]`).

    Only prefixes of a closed list go, and only at the start: `OT:` and the like are the writer's own. The prefix of a
    forwarded mail stays: what stands below it is somebody else's, and no command (M29).
    """
    text = clean(subject)
    answered = False
    for _ in range(_MOST):
        match = _PREFIX.match(text)
        word = match[1].lower() if match else ""
        if match and word in FORWARD_PREFIXES:
            return Subject(text, not answered)
        if match and word in REPLY_PREFIXES:
            answered = True
            text = text[match.end() :]
            continue
        tag = _TAG.match(text)
        if tag and tag[1].strip().lower() in TAG_PREFIXES:
            text = text[tag.end() :]
            continue
        bare = _BARE_TAG.match(text)
        if bare is None:
            break
        text = text[bare.end() :]
    return Subject(text)
