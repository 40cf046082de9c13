"""Any mails in any order, from players, with the operator and the clocks in between: what must hold all the same."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.judge import judge
from referee.match import Match, record_of
from referee.service import operator
from referee.service.carry import legal_tokens
from tests.referee.service.house import House, plain

PLAYERS = ("Ann", "Bob", "Cleo")
GAMES = ("hex-1", "focus-2", "lightning-3", "spiral-4")
COMMANDS = """
draw|draw; I@pool; V@pool|resign|draw?|draw!|claim|claim draw|claim time|undo?|undo!|show|history|next|queue|queue clear
|mute|mute on|accept|accept word xyz|decline|new spiral|start|start word abc|digest|digest off|standings|standings hex
|verify|help|help focus|stop|Hello you|swap|pass|vacation 2025-04-01 2025-04-03|vacation 2025-03-04 2025-03-09
|add a@y.example|7S+KH|forget me|challenge Ann hex size=3|challenge Bob focus|challenge Cleo lightning word a b
|challenge Nobody hex|challenge Bob hex swap=no bank=3h timeout=claim|chat me too
"""


class Chaos:
    """A club with four games under way, and mails by chance."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.house = House(folder, seed=seed)
        self.addresses = {name: self.house.player(name) for name in PLAYERS}
        house, (ann, bob, cleo) = self.house, self.addresses.values()
        for game in ("hex size=3", "focus", "lightning word q"):
            house.write(ann, f"challenge Bob {game}")
            house.answer(house.last(bob), "accept", proved=True)
        house.write(cleo, "new spiral")
        house.answer(house.last(cleo), "start")
        self.said = 0

    def text(self) -> str:
        """Return a mail's text: up to three commands, moves among them that are legal."""
        game = self.dice.choice(GAMES)
        match = self.house.match(game)
        moves = list(legal_tokens(match)) if match.to_move is not None else ["a1"]
        one, other = (self.dice.choice(moves or ["pass"]) for _ in range(2))
        ply = match.plies + 1
        forms = [one, f"move {ply} {one}", f"[{game}] move {ply} {one}", f"queue {other}: {one}"]
        forms += [f"preview {one}", f"show {game} {ply // 2}", f"verify {game}", f"draw; {one}"]
        commands = [command.strip() for command in COMMANDS.split("|")]
        weights = [8, 6, 4] + [1] * (len(forms) + len(commands) - 3)
        chosen = self.dice.choices(
            [*forms, *commands], weights, k=self.dice.choice((1, 1, 1, 2, 3))
        )
        return self.dice.choice(("\n", "\n\n")).join(chosen)

    def mail(self) -> str:
        """Send one: an answer to one of the last letters, or a mail of its own; return what became of it."""
        writer = self.addresses[self.dice.choice(PLAYERS)]
        proved = self.dice.random() < 0.6
        letters = [sent for sent in self.house.box.sent[-40:] if sent.parcel.recipient == writer]
        if letters and self.dice.random() < 0.75:
            letter = self.dice.choice(letters[-4:]).message
            return self.house.answer(letter, self.text(), sender=writer, proved=proved).kind
        subject = self.dice.choice(("", f"[{self.dice.choice(GAMES)}]", "hello"))
        return self.house.write(writer, self.text(), subject=subject, proved=proved).kind

    def operate(self) -> None:
        """Let the operator do something, if he may."""
        desk, now, game = self.house.desk, self.house.now, self.dice.choice(GAMES)
        acts: tuple[Callable[[], object], ...] = (
            lambda: operator.takeback(desk, now, game, self.dice.randrange(3), "typed in haste"),
            lambda: operator.pause(desk, now, game, on=True),
            lambda: operator.pause(desk, now, game, on=False),
            lambda: operator.substitute(desk, now, game, self.dice.choice(PLAYERS), "Cleo"),
            lambda: operator.rule(desk, now, game, "1-0", "bad light"),
            lambda: operator.resend(desk, now, game, None),
        )
        with contextlib.suppress(operator.RefusedError):
            self.dice.choice(acts)()

    def letters(self) -> Iterator[tuple[str, str]]:
        """Yield the new letters: to whom, and their text."""
        for sent in self.house.box.sent[self.said :]:
            yield sent.parcel.recipient, plain(sent.message)
        self.said = len(self.house.box.sent)

    def check(self, before: dict[str, Match]) -> dict[str, Match]:
        """Look at every game and every new letter; return the games."""
        after = {game: self.house.match(game) for game in GAMES}
        for game, match in after.items():
            assert match.event >= before[game].event
            assert before[game].status == "on" or match.status != "on" or match.game != "Lightning"
            verdict = judge(record_of(match))
            assert verdict.legal, (game, verdict)
            assert verdict.plies == match.plies
        seeds = [m.seed for m in after.values() if m.seed is not None and m.status == "on"]
        for recipient, text in self.letters():
            assert not any(seed in text for seed in seeds)
            others = set(self.addresses.values()) - {recipient}
            assert recipient.startswith("op@") or not any(one in text for one in others)
            assert not re.search(r"\bNone\b|\{\{|\{%|\bundefined\b", text), text
        return after


def run(folder: Path, seed: int, mails: int) -> None:
    chaos = Chaos(folder, seed)
    games = {game: chaos.house.match(game) for game in GAMES}
    for number in range(mails):
        kind = chaos.mail()
        assert kind not in ("failed", "quarantined", "unreadable"), chaos.house.complaints
        if chaos.dice.random() < 0.05:
            chaos.operate()
        if chaos.dice.random() < 0.15:
            chaos.house.later(hours=chaos.dice.choice((1, 5, 24, 60, 130)))
        if number % 5 == 4:
            games = chaos.check(games)
    chaos.house.desk.store.close()


def test_mails_by_chance_break_nothing(ram: Path) -> None:
    run(ram / "club", 1, 15)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_mails_by_chance_break_nothing(ram: Path, seed: int) -> None:
    run(ram / "club", seed, 150)
