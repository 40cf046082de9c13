"""How a verdict reads: who won and how, or the fault with its place, the line, a caret and what is legal.

One wording for terminals, mails and pages. Text that came from outside (names, tokens) is shown
without its control characters, so that no record can write to somebody's terminal.
"""

from __future__ import annotations

from functools import lru_cache

from referee.core.verdict import Fault, Verdict

_ENDED = {
    "connection": "joined both own edges",
    "no-move": "won, for the opponent owns no pile and has no reserve",
    "complete": "won with a complete line",
    "fork": "won by a fork",
    "bridge": "won by a bridge",
    "repetition": "won; the same position stood for the third time",
    "agreement": "won; a draw by agreement counts for the first player here",
    "both-dead": "won",
    "exhausted": "won",
    "resign": "won; the opponent resigned",
    "declared": "won, as the record declares",
    "time": "won on time",
    "adjudication": "won by adjudication",
}
"""What the winner did, by reason."""

_DRAWN = {
    "agreement": "drawn by agreement",
    "repetition": "drawn: the same position stood for the third time",
    "both-dead": "drawn: both lines are dead",
    "exhausted": "drawn: the pile is empty and both players passed",
    "declared": "drawn, as the record declares",
    "time": "drawn on time",
    "adjudication": "drawn by adjudication",
    "resign": "drawn, as the record declares after a resignation",
}

NEEDS = {
    "deal": "the next deal is missing; write it as a Deal tag",
    "placement": "the drawn tile waits to be placed",
}
"""What a position waits for beside a move."""


LONGEST_NAME = 80
LONGEST_MESSAGE = 400
"""Longer ones are cut in what a person reads; JSON has all of them."""


def plain(text: str, most: int | None = None) -> str:
    """Return text from outside fit for a terminal: what does not print becomes U+FFFD, and what is
    longer than `most` characters is cut.
    """
    if most is not None and len(text) > most:
        text = text[: most - 1] + "…"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def players(verdict: Verdict) -> tuple[str, str]:
    """Return what to call the first and the second player; Spiral's second is Dr. Brooks."""
    solo = verdict.game == "Spiral"
    names = [name and plain(name, LONGEST_NAME) for name in (verdict.first, verdict.second)]
    first = names[0] or ("the player" if solo else "first")
    second = "Dr. Brooks" if solo else names[1] or "second"
    return first, second


def heading(verdict: Verdict) -> str:
    """Return game and players, "Hex, Ann – Bob"."""
    game = plain(verdict.game, LONGEST_NAME) if verdict.game else "no game"
    first, second = players(verdict)
    if verdict.game == "Spiral":
        return f"{game}, {first}" if verdict.first else game
    if not verdict.first and not verdict.second:
        return game
    return f"{game}, {first} – {second}"


def outcome(verdict: Verdict) -> str:
    """Return who won and how, or who is to move, in one sentence without its full stop."""
    sides = players(verdict)
    if verdict.result == "*":
        return _under_way(verdict, *sides)
    text = _capital(ended(verdict.game, verdict.result, verdict.reason, sides))
    proof = verdict.proof
    return f"{text}: {' '.join(proof)}" if proof else text


def ended(game: str | None, result: str, reason: str | None, sides: tuple[str, str]) -> str:
    """Return who won and how, `sides` being what to call first and second."""
    reason = reason or "declared"
    if result == "1/2-1/2":
        return f"{_DRAWN[reason]} (1/2-1/2)"
    winner, loser = sides if result == "1-0" else sides[::-1]
    did = _ENDED[reason].replace("the opponent", loser)
    if game == "Spiral" and result == "0-1" and reason in ("fork", "bridge"):
        did = f"won; a {reason} stands"
    return f"{winner} {did} ({result})"


def _under_way(verdict: Verdict, first: str, second: str) -> str:
    plies = f"{verdict.plies} {'turn' if verdict.game == 'Spiral' else 'ply'}"
    if verdict.plies != 1:
        plies = plies.replace("ply", "plies").replace("turn", "turns")
    if verdict.to_move is None:
        return f"undecided after {plies}"
    mover = _capital(first if verdict.to_move == "first" else second)
    text = f"{mover} is to move after {plies}"
    return f"{text}; {NEEDS[verdict.needs]}" if verdict.needs else text


def _capital(name: str) -> str:
    first_word = name.split(" ", 1)[0].rstrip(",:;")
    return name[0].upper() + name[1:] if first_word in ("first", "second", "the", "drawn") else name


@lru_cache(maxsize=1)
def _rulings() -> dict[str, str]:
    import tomllib

    from pnp.resources import read_text

    words: dict[str, str] = tomllib.loads(read_text("rules", "rulings.toml"))["rulings"]
    return words


def ruling(rule: str) -> str:
    """Return a ruling in plain words, by its id; nothing for an id that has none."""
    return _rulings().get(rule, "")


def fault(found: Fault) -> str:
    """Return a fault for a person, on several lines.

    `file:line:column: message [code]`, the line as sent, a caret below it, the rule in plain words
    and what would be legal, nearest first.
    """
    line, column = found.source.place(found.span.start)
    name = plain(found.source.name)
    lines = [f"{name}:{line}:{column}: {plain(found.message, LONGEST_MESSAGE)} [{found.code}]"]
    lines += ["    " + part for part in found.source.caret(found.span).split("\n")]
    if found.rule:
        words = ruling(found.rule)
        lines.append(f"  rule {found.rule}: {words}" if words else f"  rule {found.rule}")
    if found.would:
        lines.append(f"  legal: {' '.join(found.would)}")
    return "\n".join(lines)


def entry(verdict: Verdict, name: str, index: int) -> str:
    """Return what a person reads of one record in a file, ended by a line break."""
    head = f"{plain(name)} {index}: {heading(verdict)}"
    if verdict.error is None:
        return f"{head}: {outcome(verdict)}\n"
    stands = outcome(verdict) if verdict.position is not None else "not judged"
    return f"{fault(verdict.error)}\n  {head}: {stands}\n"


_LINE_BREAKS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}
"""What some readers of lines take for a line break, and JSON would leave as it is."""


@lru_cache(maxsize=64)
def _string(text: str) -> str:
    from json.encoder import encode_basestring

    quoted = encode_basestring(text)
    return quoted if quoted.isascii() else quoted.translate(_LINE_BREAKS)


def _text(value: str | None) -> str:
    return "null" if value is None else _string(value)


def json_line(verdict: Verdict, name: str, index: int) -> str:
    """Return the line of JSON of notation.md, ended by a line break: `verdict.as_json` as text."""
    found = verdict.error
    error = "null"
    position = "null" if verdict.position is None else f'"{verdict.position}"'
    if found is not None:
        line, column = found.source.place(found.span.start)
        error = (
            f'{{"code": "{found.code}", "rule": {_text(found.rule)}, '
            f'"ply": {"null" if found.ply is None else found.ply}, "line": {line}, '
            f'"column": {column}, "token": {_text(found.token)}, '
            f'"message": {_string(found.message)}}}'
        )
    return (
        f'{{"file": {_string(name)}, "index": {index}, "game": {_text(verdict.game)}, '
        f'"first": {_text(verdict.first)}, "second": {_text(verdict.second)}, '
        f'"legal": {"true" if verdict.legal else "false"}, "plies": {verdict.plies}, '
        f'"to_move": {_text(verdict.to_move)}, "result": "{verdict.result}", '
        f'"reason": {_text(verdict.reason)}, "position": {position}, '
        f'"needs": {_text(verdict.needs)}, "error": {error}}}\n'
    )
