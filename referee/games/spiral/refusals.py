"""How Spiral says no: each refusal names what lies where, and what would be legal."""

from __future__ import annotations

from referee.core.verdict import Rejected
from referee.games.spiral.cards import CARDS, Columns, pair_text


def over() -> Rejected:
    """Nothing is legal after the end (all-over)."""
    return Rejected("game-over", "all-over", "the game is over; nothing is legal after its end")


def refuse_deal(number: int) -> Rejected:
    """The cards are not dealt (spiral-deal, spiral-redeal)."""
    rule = "spiral-deal" if number == 1 else "spiral-redeal"
    return Rejected(
        "deal",
        rule,
        f"the record has no deal {number}; add the tag Deal{number} to play on",
        ("resign",),
    )


def refuse_brooks(plies: int, turned: tuple[tuple[int, int], ...], due: str | None) -> Rejected:
    """Dr. Brooks did not turn these cards up (spiral-turn); the fault lies in the ply that stands."""
    if due is not None:
        text = f"Dr. Brooks turned up {due} here; write ~{due}, or leave her cards out"
        return Rejected("card", "spiral-turn", text, (f"~{due}",), same_ply=True)
    if not plies:
        return Rejected(
            "card",
            "spiral-turn",
            "Dr. Brooks turns cards up after the player's turn, not before the first",
        )
    both = " and ".join(pair_text(*pair) for pair in turned)
    return Rejected(
        "card",
        "spiral-turn",
        f"Dr. Brooks turned up {both} and no more; leave this out",
        same_ply=True,
    )


def refuse_cards(columns: Columns, one: int, other: int, same_column: bool) -> Rejected:
    """The player may not take these two cards (spiral-deal, spiral-turn, spiral-same-column)."""
    if one == other:
        text = f"{CARDS[one]} cannot be taken twice; take the bottom cards of two different columns"
        return Rejected("card", "spiral-turn", text, _would(columns, one, other, same_column))
    for at, column in enumerate(columns, 1):
        if not same_column and {one, other} == set(column[-2:]):
            text = f"{pair_text(one, other)} are the bottom two cards of column {at}; take two different columns"
            return Rejected("column", "spiral-turn", text, _would(columns, one, other, same_column))
    free = [column[-1] for column in columns if column]
    text = _where(columns, other if one in free else one)
    return Rejected("card", "spiral-deal", text, _would(columns, one, other, same_column))


def _where(columns: Columns, card: int) -> str:
    for at, column in enumerate(columns, 1):
        if card in column:
            below = len(column) - 1 - column.index(card)
            cards = "1 card" if below == 1 else f"{below} cards"
            return f"{CARDS[card]} is not free: {cards} below it in column {at} must be used first"
    return f"{CARDS[card]} is not on the table; it has been used since the last deal"


def _would(columns: Columns, one: int, other: int, same_column: bool) -> tuple[str, ...]:
    """Return legal pairs, those with a card that was named first."""
    pairs = [
        (left[-1], right[-1]) for at, left in enumerate(columns) for right in columns[at + 1 :]
    ]
    if same_column:
        pairs += [(column[-1], column[-2]) for column in columns if len(column) > 1]
    pairs.sort(key=lambda pair: -len({one, other} & set(pair)))
    return tuple(pair_text(*pair) for pair in pairs[:6])
