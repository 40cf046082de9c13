"""How a hint reads, and its JSON."""

from __future__ import annotations

from referee.study.spiral.deal import LOST
from referee.study.spiral.hint import Advice, Choice, Placed
from referee.study.spiral.needs import NEVER, Needs

ASSUMED = (
    "Known are the board and the cards on the table. Deals to come are not looked at, even where the record or its\n"
    "seed has them: a chance is the share won of games played on from the end of the best way through this deal, with\n"
    "cards shuffled afresh, by a quick player, so that a patient one wins somewhat more; its interval is of 95 %.\n"
    "What is said to be won or lost is certain."
)


MOST_KEYS = 6
"""More cells than these are no key spaces."""


def as_text(advice: Advice, name: str) -> str:
    """Return a hint for a terminal: the best choice, why, and the others beside it."""
    best = advice.choices[0]
    lines = [
        f"{name}, turn {advice.turn}: {_left(advice.left)}. {_forks(advice.need, advice.left)}",
        *_keys(advice),
        "",
        f"Best: {best.cards}: {verdict(best)}.",
        *_why(best, advice),
        "",
        *_table(advice),
        "",
        ASSUMED,
    ]
    return "\n".join(lines)


def _left(pieces: int) -> str:
    return "the last piece is due" if pieces == 1 else f"{pieces} pieces to come at most"


def _forks(need: Needs, left: int) -> str:
    pieces = need.forks[0]
    if pieces > left:
        return "No fork can be made any more."
    spare = left - pieces
    return (
        f"The nearest fork needs {pieces} of them{', all' if not spare else f'; {spare} to spare'}."
    )


def _keys(advice: Advice) -> list[str]:
    """Say which cells the player can spare least."""
    if not advice.keys or advice.left == 1:
        return []
    worst = advice.keys[0].need
    cells = _dearest(advice)
    if not cells:
        return []
    cost = (
        "no fork could be made any more"
        if worst > advice.left
        else f"the fork would need {worst} pieces"
    )
    spaces = "Key spaces: " if len(cells) > 1 else "Key space: "
    return [
        f"{spaces}{', '.join(cells)}; with a piece of Dr. Brooks on {'one of them' if len(cells) > 1 else 'it'} {cost}."
    ]


def _dearest(advice: Advice) -> list[str]:
    """Return the cells that cost most to lose; none where they are too many to be key spaces."""
    cells = [key.cell for key in advice.keys if key.need == advice.keys[0].need]
    return cells if len(cells) <= MOST_KEYS else []


def verdict(choice: Choice) -> str:
    """Return what a choice comes to, in few words."""
    if choice.win is not None:
        sooner = "" if choice.exact else ", or fewer"  # boards were left out
        return "wins at once" if choice.win == 1 else f"wins by force in {choice.win} turns{sooner}"
    if choice.end == LOST:
        return "loses at once"
    if choice.loss is not None:
        return f"loses by force within {choice.loss} turns"
    if choice.lost:
        return "cannot win any more, whatever the cards"
    if choice.chance is None:
        return "no win was found; not all ways were looked at"
    return f"wins about {choice.chance.percent(0)}, of {choice.games} games played on"


def _why(best: Choice, advice: Advice) -> list[str]:
    key = " It is a key space." if best.piece.cell in _dearest(advice) and advice.left > 1 else ""
    lines = [f"It places on {_cell(best.piece)}.{key}"]
    if best.need is not None and best.win is None:
        left = advice.left - 1
        lines.append(
            f"Your nearest fork then needs {_pieces(best.need.forks[0])} of {left} to come"
            f"{_spare(left - best.need.forks[0])};"
            f" Dr. Brooks' nearest bridge {_pieces(best.need.bridges[0])}"
            f" (now {_pieces(advice.need.bridges[0])})."
        )
    if best.brooks:
        lines.append(
            f"Dr. Brooks turns up {' and '.join(f'{p.cards} on {_cell(p)}' for p in best.brooks)}."
        )
    if best.dealt:
        lines.append(
            "New cards are dealt then" + (", before Dr. Brooks places." if not best.brooks else ".")
        )
    if best.frees:
        lines.append(f"Free then, besides what is free now: {', '.join(best.frees)}.")
    if len(best.plan) > 1:
        end = "to the fork" if best.win is not None else "to the end of this deal"
        lines.append(f"The way {end}: {', then '.join(best.plan)}.")
    return lines


def _cell(piece: Placed) -> str:
    if piece.cell == piece.named:
        return piece.cell
    return f"{piece.cell} ({piece.named} is filled)"


def _pieces(number: int) -> str:
    if number >= NEVER:
        return "no longer possible"
    return f"{number} piece{'' if number == 1 else 's'}"


def _spare(pieces: int) -> str:
    return f" ({pieces} to spare)" if pieces > 0 else ""


def _table(advice: Advice) -> list[str]:
    head = ("choice", "lands on", "fork", "her bridge", "comes to")
    rows = [head]
    for choice in advice.choices:
        need = choice.need
        rows.append(
            (
                choice.cards,
                choice.piece.cell,
                _short(need.forks[0]) if need else "-",
                _short(need.bridges[0]) if need else "-",
                verdict(choice),
            )
        )
    widths = [max(len(row[at]) for row in rows) for at in range(len(head) - 1)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, (*widths, 0), strict=True)).rstrip()
        for row in rows
    ]


def _short(number: int) -> str:
    return "never" if number >= NEVER else str(number)


def as_json(advice: Advice) -> dict[str, object]:
    """Return a hint as JSON: `best` is the first of `choices`; a chance is a share with the ends of its interval."""
    choices = [_choice(choice) for choice in advice.choices]
    return {
        "turn": advice.turn,
        "pieces_left": advice.left,
        "fork_needs": _count(advice.need.forks[0]),
        "bridge_needs": _count(advice.need.bridges[0]),
        "key_spaces": [
            {"cell": key.cell, "fork_needs_without": _count(key.need)} for key in advice.keys
        ],
        "best": choices[0]["cards"],
        "choices": choices,
        "assumed": ASSUMED.replace("\n", " "),
    }


def _choice(choice: Choice) -> dict[str, object]:
    need = choice.need
    chance = choice.chance
    return {
        "cards": choice.cards,
        "cell": choice.piece.cell,
        "named": choice.piece.named,
        "brooks": [{"cards": p.cards, "named": p.named, "cell": p.cell} for p in choice.brooks],
        "frees": list(choice.frees),
        "new_deal": choice.dealt,
        "end": choice.end,
        "win_in": choice.win,
        "cannot_win": choice.lost,
        "lose_within": choice.loss,
        "searched_whole": choice.exact,
        "chance": chance
        and {
            "value": round(chance.value, 4),
            "low": round(chance.low, 4),
            "high": round(chance.high, 4),
        },
        "games": choice.games,
        "plan": list(choice.plan),
        "fork_needs": need and _count(need.forks[0]),
        "bridge_needs": need and _count(need.bridges[0]),
    }


def _count(number: int) -> int | None:
    return None if number >= NEVER else number
