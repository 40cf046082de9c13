"""A record's text with more movetext. What is there, comments and line breaks, stays as it is. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.record import GameRecord
from referee.notation import lexer

WIDTH = 79
"""No line grows beyond this by what is added."""


def appended(record: GameRecord, words: Sequence[str], result: str | None = None) -> str:
    """Return the record's text with `words` after its moves, and with its result if there is one now.

    A move number with nothing after it goes; a drawn tile that waited for its place (`III@?`) too,
    for where it went is written in its stead. Before `resign` it stays: it has left the pile.
    """
    text = record.source.text
    found = [(word, *record.span(index)) for index, word in enumerate(record.words)]
    ended = next((w for w in found if w[0] in lexer.RESULTS), None)
    moves = found[: found.index(ended)] if ended else found
    tail = text[moves[-1][2] :] if moves else text[ended[1] :] if ended else ""
    head = text[: len(text) - len(tail)]
    if ended is not None and result is not None:
        tail = tail.replace(ended[0], result, 1)
    elif ended is None and result is not None:
        words = [*words, result]
    last = next((w for w in reversed(moves) if not lexer.is_comment(w[0])), None)
    placed = last is not None and last[0].endswith("@?") and "resign" not in words
    if last is not None and (lexer.is_number(last[0]) or placed):
        head = head[: last[1]] + head[last[2] :].lstrip(" ")
        moves.remove(last)
    head = head.rstrip()
    if tail and not tail[0].isspace():
        tail = f" {tail}"
    return _with_result_tag(_joined(head, words, bool(moves)) + tail, record, result)


def _joined(head: str, words: Sequence[str], moves: bool) -> str:
    """Return `head` with the words after it, on new lines where a line would grow too long."""
    newline = "\r\n" if "\r\n" in head else "\n"
    line = head[head.rfind("\n") + 1 :]
    out = [head]
    if not moves and head:
        out.append(newline * 2)
        line = ""
    for number, word in enumerate(words):
        comment = number == 0 and ";" in line  # it may be one to the end of its line
        if comment or (line and len(line) + 1 + len(word) > WIDTH):
            out.append(newline)
            line = ""
        elif line:
            out.append(" ")
            line += " "
        out.append(word)
        line += word
    return "".join(out)


def _with_result_tag(text: str, record: GameRecord, result: str | None) -> str:
    """Return the text with the `Result` tag's `*` replaced by the result."""
    tag = record.tags.get("Result")
    if tag is None or result is None or tag.value != "*":
        return text
    return text[: tag.span.start] + result + text[tag.span.end :]


def with_tag(record: GameRecord, name: str, value: str) -> str:
    """Return the record's text with one more tag after its others."""
    text = record.source.text
    at = max(tag.span.end for tag in record.tags.values())
    at = text.index("]", at) + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    return f"{text[:at]}{newline}{tag_line(name, value)}{text[at:]}"


def tag_line(name: str, value: str) -> str:
    """Return a tag pair as it is written."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def numbered(words: Sequence[str], plies: int, plies_per_number: int) -> list[str]:
    """Return moves with the numbers before them that they get after `plies` plies.

    Words that are no plies (`draw?`, `~…`, `III@?`, comments) get none; nor do the second
    player's plies, which follow the first's.
    """
    out = []
    for word in words:
        if is_ply(word):
            if plies % plies_per_number == 0:
                out.append(f"{plies // plies_per_number + 1}.")
            plies += 1
        out.append(word)
    return out


def is_ply(word: str) -> bool:
    """Whether a canonical word counts as a ply."""
    return not (lexer.is_comment(word) or word == "draw?" or word[0] == "~" or word.endswith("@?"))
