"""The words of a record's movetext (notation.md, The record file). Places are found only when they are needed."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from referee.core.source import Span

TOKEN = r"""
      \{[^}]*\}?              # a comment, or one that never closes
    | ;[^\n]*                 # a comment to the end of the line
    | [0-9]+(?:\.\.\.|…|\.)(?!\.)   # a move number with its dots
    | \[[^\]\n]*\]?           # a tag in the wrong place
    | [(){}]                  # marks that have no place here
    | [^\s{}();\[]+           # a word
"""

NUMBER = re.compile(r"([0-9]+)(\.\.\.|…|\.)")

RESULTS = frozenset({"*", "1-0", "0-1", "1/2-1/2"})


def words(movetext: str) -> list[str]:
    """Return all words of a movetext, comments among them."""
    if _parted_by_blanks(movetext):
        return movetext.split()
    return token().findall(movetext)


@cache
def token() -> re.Pattern[str]:
    """Return the expression that finds the words; most records and programs never need it."""
    return re.compile(TOKEN, re.VERBOSE)


def _parted_by_blanks(text: str) -> bool:
    """Whether nothing but blanks parts the words of a text, as in most records (a search would cost more)."""
    for mark in "{};()[…":
        if mark in text:
            return False
    return text.count(".") == text.count(". ") + text.count(".\n")


@lru_cache(maxsize=4)
def spans(text: str, start: int) -> tuple[Span, ...]:
    """Return the places of all words from offset `start` of a record's text on."""
    return tuple(Span(m.start(), m.end()) for m in token().finditer(text, start))


def is_comment(word: str) -> bool:
    """Whether a word is a comment (an unclosed one too)."""
    return word[0] in "{;"


def is_number(word: str) -> bool:
    """Whether a word is a move number with its dots."""
    return word[-1] in ".…" and NUMBER.fullmatch(word) is not None
