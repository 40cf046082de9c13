"""How a game of the club begins: options, the commitment, the players' words, the lot (mail.md, Chance; all-first)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from typing import Final

from referee.core.chance import commitment
from referee.core.game import BadTag
from referee.core.verdict import Rejected
from referee.games import load, names
from referee.match.events import Cancelled, Event, Started
from referee.match.model import CHANCE, Done, Match
from referee.match.steps import dealt

SEED_BYTES: Final = 32
WORD_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game that is offered: a challenge, or a Spiral game that waits for `start`.

    id      the game's id already, for the commitment holds it
    options the game's options by tag name
    seed    64 hex digits in a game with chance, else None; never shown before the end
    commit  the commitment to the seed, else None
    word    the challenger's word
    """

    game: str
    id: str
    options: Mapping[str, str]
    word: str = ""
    seed: str | None = field(default=None, repr=False)
    commit: str | None = None


def game_called(text: str) -> str | Rejected:
    """Return the name of the game that a text names in any case, or a refusal with the nearest."""
    known = {name.lower(): name for name in names()}
    low = text.strip().lower()
    if low in known:
        return known[low]
    near = get_close_matches(low, known, 1)
    hint = f"do you mean {known[near[0]]}?" if near else f"there are {', '.join(names())}"
    return Rejected("option", None, f"there is no game {text.strip()!r}; {hint}")


def clean_word(text: str) -> str | Rejected:
    """Return a player's word for the draws: 0 to 64 printable characters, NFC, one line."""
    word = unicodedata.normalize("NFC", text.strip())
    if not word.isprintable():
        return Rejected("word", None, "a word for the draws is one line of printable characters")
    if len(word) > WORD_LENGTH:
        return Rejected(
            "word",
            None,
            f"a word for the draws has at most {WORD_LENGTH} characters, not {len(word)}",
        )
    return word


def options_of(game_name: str, pairs: Iterable[tuple[str, str]]) -> dict[str, str] | Rejected:
    """Return a game's options by tag name from `key=value` pairs, names in any case, dashes before them allowed.

    A value is taken in the case in which the game knows it. `Seed` and deals are the club's and refused.
    """
    game = load(game_name)
    assert game is not None, game_name
    known = {name.lower(): name for name in game.options if name != "Seed"}
    chosen: dict[str, str] = {}
    for key, value in pairs:
        name = known.get(key.strip().lstrip("-").lower())
        if name is None:
            return Rejected("option", None, _no_option(game_name, key, known))
        if name in chosen:
            return Rejected("option", None, f"{name} stands twice; give it once")
        chosen[name] = value.strip()
        for form in (value.strip(), value.strip().lower()):
            setup = game.setup({"Game": game_name, name: form})
            if not isinstance(setup, BadTag):
                chosen[name] = form
                break
        else:
            return Rejected("option", setup.rule, setup.message)
    setup = game.setup({"Game": game_name, **chosen})
    return Rejected("option", setup.rule, setup.message) if isinstance(setup, BadTag) else chosen


def _no_option(game_name: str, key: str, known: Mapping[str, str]) -> str:
    near = get_close_matches(key.strip().lstrip("-").lower(), known, 1)
    if near:
        return f"{game_name} has no option {key.strip()!r}; do you mean {known[near[0]]}?"
    if known:
        return f"{game_name} has no option {key.strip()!r}; it has {', '.join(known.values())}"
    return f"{game_name} has no options, and so no {key.strip()!r}"


def propose(
    game_name: str, number: int, options: Mapping[str, str], word: str, seed: bytes | None
) -> Proposal:
    """Return a proposal with the id that its number gives; `word` is clean, `options` come from `options_of`.

    `seed` are 32 fresh bytes from `secrets`, used in games with chance only. Raises ValueError where they lack there.
    """
    game = load(game_name)
    assert game is not None, game_name
    game_id = f"{game.slug}-{number}"
    if game_name not in CHANCE:
        return Proposal(game_name, game_id, dict(options))
    if seed is None or len(seed) != SEED_BYTES:
        raise ValueError(f"{game_name} needs a seed of {SEED_BYTES} bytes")
    return Proposal(game_name, game_id, dict(options), word, seed.hex(), commitment(game_id, seed))


def begin(
    proposal: Proposal,
    challenger: str,
    opponent: str | None,
    day: date,
    *,
    word: str = "",
    challenger_first: bool = True,
) -> Done:
    """Begin the game with the last word, `word`: the opponent's, or in Spiral the player's own.

    `challenger_first` is the lot (all-first), drawn by the caller. Word1 is the first player's word.
    """
    own, other = (word, "") if opponent is None else (proposal.word, word)
    seats = [(challenger, own), (opponent or "", other)]
    if not challenger_first and opponent is not None:
        seats.reverse()
    (first, word1), (second, word2) = seats
    match = Match(
        proposal.game,
        proposal.id,
        _tags(proposal, first, second, day, word1, word2),
        seed=proposal.seed,
    )
    events: list[Event] = [Started(first, second)]
    if match.solo:
        events.append(dealt(1, match.state))
    return Done(match, tuple(events))


def _tags(
    proposal: Proposal, first: str, second: str, day: date, word1: str, word2: str
) -> dict[str, str]:
    tags = {"Date": f"{day:%Y.%m.%d}"}
    if first:
        tags["First"] = first
    if second:
        tags["Second"] = second
    tags |= proposal.options
    if proposal.commit is not None:
        tags |= {"Commit": proposal.commit, "Word1": word1, "Word2": word2}
    return tags


def withdrawn(proposal: Proposal, day: date, why: str) -> Done:
    """Return a proposal that was declined, withdrawn or has run out, as a cancelled game whose seed is known."""
    match = Match(
        proposal.game,
        proposal.id,
        _tags(proposal, "", "", day, proposal.word, ""),
        status="cancelled",
        seed=proposal.seed,
    )
    return Done(match, (Cancelled(why, proposal.seed),))
