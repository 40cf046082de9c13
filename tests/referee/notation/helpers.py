"""What the tests of notation share: records from text in any format, and their verdicts."""

from __future__ import annotations

from pathlib import Path

from referee.core.record import GameRecord
from referee.core.verdict import Verdict
from referee.judge import judge
from referee.notation.inputs import open_records


def records(folder: Path, text: str | bytes, size: int | None = None) -> list[GameRecord]:
    """Return the records of a text, read through a file whose name says nothing."""
    path = folder / "it"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(open_records(path, size))


def only(folder: Path, text: str | bytes, size: int | None = None) -> GameRecord:
    """Return the only record of a text."""
    (record,) = records(folder, text, size)
    return record


def judged(folder: Path, text: str | bytes, size: int | None = None) -> Verdict:
    """Return the verdict on the only record of a text."""
    return judge(only(folder, text, size))


def fault(verdict: Verdict) -> tuple[str, int | None, str | None, int, int]:
    """Return code, ply, token, line and column of a verdict's fault."""
    error = verdict.error
    assert error is not None
    return error.code, error.ply, error.token, error.line, error.column


def stones(verdict: Verdict) -> dict[str, str]:
    """Return the stones of a Hex position by cell."""
    assert verdict.position is not None
    rows = verdict.position.split("/")
    return {
        f"{chr(97 + x)}{y + 1}": c
        for y, row in enumerate(rows)
        for x, c in enumerate(row)
        if c != "."
    }
