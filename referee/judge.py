"""Judging a record from left to right: the first fault is the verdict (notation.md)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from referee.core.game import BadTag
from referee.core.record import GameRecord
from referee.core.source import Span
from referee.core.verdict import PLAYERS, Fault, Rejected, Verdict, no_proof
from referee.games import load, names
from referee.notation import lexer
from referee.turns import AnyGame, State, leap, run, step

MISPLACED = {
    "[": "tags stand before the moves; put this one there",
    "(": "variations are not part of a record; leave them out or make them a {comment}",
    ")": "variations are not part of a record; leave them out or make them a {comment}",
    "}": "no comment is open here; a comment is {written so}",
    "$": "numbered marks are not part of a record; leave them out or make them a {comment}",
}
"""What begins a word that no game can know, and what to tell its writer."""

TERMINATIONS = {"time": "time", "adjudication": "adjudication", "resignation": "resign"}


Watch = Callable[[int, State], None]
"""Told of each word that stands: its index in the record, and the state after it."""


def judge(record: GameRecord, stop_at: int | None = None, watch: Watch | None = None) -> Verdict:
    """Return the verdict on a record; with `stop_at` only that many plies are judged and no later text is read.

    `watch` sees each word that the judge lets stand, for those who show a game ply by ply.
    """
    return _Judge(record, stop_at, watch).verdict()


_NO_STATE = State(None)


@lru_cache(maxsize=64)
def _begin(tags: tuple[tuple[str, str], ...]) -> tuple[AnyGame, State] | None:
    """Return the game of these tags and its first position; None where they are at fault. In archives many agree."""
    values = dict(tags)
    game = load(values.get("Game", ""))
    setup = None if game is None else game.setup(values)
    if game is None or isinstance(setup, BadTag):
        return None
    return game, State(game.start(setup))


class _Judge:
    """One record's way from its words to its verdict."""

    def __init__(self, record: GameRecord, stop_at: int | None, watch: Watch | None) -> None:
        self.record = record
        self.stop_at = stop_at
        self.watch = watch
        self.game: AnyGame | None = None
        self.state: State = _NO_STATE
        self.declared: tuple[str, str] | None = None

    def verdict(self) -> Verdict:
        fault = self._open()
        if fault is not None and (self.state.position is None or fault.code in ("tag", "deal")):
            return self._tags_at_fault(fault)
        if fault is None:
            fault = self._moves()
        return self._close(fault)

    # -- the tags ------------------------------------------------------------------------------------------------

    def _open(self) -> Fault | None:
        """Read the tags and set the game up; the fault that stands first in the text, if any."""
        record = self.record
        if not record.faults and record.start is None:
            begun = _begin(record.tags.values_by_name)
            if begun is not None:
                self.game, self.state = begun
                return None
        faults = [
            Fault(f.code, f.rule, None, None, f.message, record.source, f.span)
            for f in record.faults
        ]
        faults += self._set_up()
        if not faults:
            return None
        fault = min(faults, key=lambda f: f.span.start)
        if fault.code not in ("tag", "deal"):
            token = record.source.text[fault.span.start : fault.span.end]
            return fault._replace(ply=1, token=token)
        return fault

    def _set_up(self) -> list[Fault]:
        record = self.record
        tag = record.tags.get("Game")
        if tag is None:
            head = record.source.text
            at = len(head) - len(head.lstrip("\ufeff \t\r\n"))
            end = head.find("\n", at)
            message = f'a record begins with its game: [Game "{names()[0]}"] (or {", ".join(names()[1:])})'
            return [self._tag_fault(message, Span(at, len(head) if end < 0 else end))]
        self.game = load(tag.value)
        if self.game is None:
            return [
                self._tag_fault(
                    f'Game "{tag.value}" is not known; write one of {", ".join(names())}', tag.span
                )
            ]
        setup = self.game.setup(record.values())
        if isinstance(setup, BadTag):
            bad = record.tags[setup.name]
            end = (
                bad.span.end if setup.end is None else min(bad.span.start + setup.end, bad.span.end)
            )
            span = Span(min(bad.span.start + setup.start, bad.span.end), end)
            return [Fault(setup.code, setup.rule, None, None, setup.message, record.source, span)]
        if record.start is None:
            self.state = State(self.game.start(setup))
            return []
        position = self.game.parse_position(record.start, record.mover)
        if isinstance(position, Rejected):
            return [self._tag_fault(position.message, Span(0, 1))]
        position.setup = setup
        self.state = State(position)
        return []

    def _tag_fault(self, message: str, span: Span) -> Fault:
        return Fault("tag", None, None, None, message, self.record.source, span)

    def _tags_at_fault(self, fault: Fault) -> Verdict:
        """Return the verdict on tags that make no game, or the wrong one; the moves are not judged."""
        record = self.record
        return Verdict(
            game=record.value("Game"),
            first=record.value("First"),
            second=record.value("Second"),
            legal=False,
            plies=0,
            to_move=None,
            result="*",
            reason=None,
            position=None,
            needs=None,
            error=fault,
        )

    # -- the moves -----------------------------------------------------------------------------------------------

    def _moves(self) -> Fault | None:
        record, game = self.record, self.game
        assert game is not None
        colours, broken = record.colours, record.broken
        plain = self.stop_at is None and self.watch is None and colours is None and not broken
        number: int | None = None
        ended: int | None = None
        index, last = 0, len(record.words)
        leapt = leap(game, self.state, record.words) if plain else None
        if leapt is not None:
            self.state, index = leapt
            return self._check_result(index if index < last else None)
        while index < last:
            if plain and number is None and ended is None:
                self.state, index = run(game, self.state, record.words, index)
                if index == last:
                    break
            here, word = index, record.words[index]
            index += 1
            if self.stop_at is not None and self.state.position.plies >= self.stop_at:
                return None
            if lexer.is_comment(word):
                if word[0] == "{" and word[-1] != "}":
                    return self._fault(
                        here,
                        Rejected("syntax", None, "this comment never closes; end it with }"),
                        "{",
                    )
                continue
            if number is not None and word not in lexer.RESULTS:
                fault = self._check_number(number)
                if fault is not None:
                    return fault
            number = None
            if ended is not None:
                return self._fault(
                    here,
                    Rejected(
                        "syntax", None, f"nothing may stand after the result {record.words[ended]}"
                    ),
                )
            if lexer.is_number(word):
                number = here
            elif word in lexer.RESULTS:
                ended = here
            else:
                if broken and here in broken:
                    return self._fault(here, Rejected("syntax", None, broken[here]))
                misplaced = MISPLACED.get(word[0])
                if misplaced is not None:
                    return self._fault(here, Rejected("syntax", None, misplaced))
                after = step(game, self.state, word)
                if isinstance(after, Rejected):
                    return self._fault(here, after)
                if colours is not None and colours[here] is not None:
                    # after all else: `not-yours` stands behind what is wrong with the cell itself
                    wrong = self._wrong_colour(colours[here])
                    if wrong is not None:
                        return self._fault(here, wrong)
                self.state = after
                if self.watch is not None:
                    self.watch(here, after)
        return self._check_result(ended)

    def _wrong_colour(self, colour: str | None) -> Rejected | None:
        assert self.game is not None
        due = self.game.colour_to_move(self.state.position)
        if due is None or due == colour:
            return None
        return Rejected("not-yours", "hex-place", f"{due.capitalize()} is to move, not {colour}")

    def _check_number(self, index: int) -> Fault | None:
        assert self.game is not None
        match = lexer.NUMBER.fullmatch(self.record.words[index])
        assert match is not None
        plies = self.state.position.plies
        if self.game.plies_per_number == 1:
            due = f"{plies + 1}."
        else:
            due = f"{plies // 2 + 1}{'...' if plies % 2 else '.'}"
        written = match[1] + ("..." if match[2] == "…" else match[2])
        if written == due:
            return None
        return self._fault(
            index,
            Rejected(
                "move-number", None, f"the next ply has the number {due}, not {written}", (due,)
            ),
        )

    def _check_result(self, ended: int | None) -> Fault | None:
        """Hold the movetext's result and the `Result` tag against each other and against the game."""
        record = self.record
        if self.stop_at is not None and self.state.position.plies >= self.stop_at:
            return None
        written = record.words[ended] if ended is not None else "*"
        tag = record.tags.get("Result")
        if tag is not None and tag.value not in lexer.RESULTS:
            message = f'Result "{tag.value}" is not known; write "1-0", "0-1", "1/2-1/2" or "*"'
            return self._result_fault(None, message)
        tagged = tag.value if tag is not None else "*"
        if "*" not in (written, tagged) and written != tagged:
            return self._result_fault(
                ended, f"the movetext says {written}, the Result tag says {tagged}; let them agree"
            )
        said = written if written != "*" else tagged
        if said == "*":
            return None
        position = self.state.position
        if position.to_move is not None:
            self.declared = (said, TERMINATIONS.get(record.value("Termination") or "", "declared"))
            return None
        if said != position.result:
            return self._result_fault(
                ended if written != "*" else None, f"the game ended {position.result}, not {said}"
            )
        return None

    def _result_fault(self, ended: int | None, message: str) -> Fault:
        refused = Rejected("result", None, message)
        if ended is not None:
            return self._fault(ended, refused)
        tag = self.record.tags["Result"]
        plies = self.state.position.plies
        source = self.record.source
        token = source.text[tag.span.start : tag.span.end] or tag.value
        return Fault("result", None, plies + 1, token, message, source, tag.span)

    def _fault(self, index: int, refused: Rejected, token: str | None = None) -> Fault:
        span = self.record.span(index)
        plies = self.state.position.plies
        text = self.record.source.text[span.start : span.end]
        if token is not None:
            span = Span(span.start, span.start + len(token))
        ply = plies if refused.same_ply else plies + 1
        return Fault(
            refused.code,
            refused.rule,
            ply,
            token or text,
            refused.message,
            self.record.source,
            span,
            refused.would,
        )

    # -- the verdict ---------------------------------------------------------------------------------------------

    def _close(self, fault: Fault | None) -> Verdict:
        game, position, record = self.game, self.state.position, self.record
        assert game is not None
        to_move, result, reason, needs = (
            position.to_move,
            position.result,
            position.reason,
            position.needs,
        )
        if fault is None and self.declared is not None:
            result, reason = self.declared
            to_move = needs = None
        return Verdict(
            game=game.name,
            first=record.value("First"),
            second=record.value("Second"),
            legal=fault is None,
            plies=position.plies,
            to_move=None if to_move is None else PLAYERS[to_move],
            result=result,
            reason=reason,
            position=game.position_text(position),
            needs=needs,
            error=fault,
            state=position,
            prove=no_proof if position.to_move is not None else lambda: game.proof(position),
        )
