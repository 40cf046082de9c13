"""Many records from one format into another, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from referee.convert import ConversionError, convert, join
from referee.core.record import GameRecord
from referee.errors import UnreadableError
from referee.notation.inputs import open_records

Tell = Callable[[str], None]


class Conversion:
    """The work and what came of it. `exit_status`: 0 all written, 1 some left out, 2 a file was unreadable."""

    def __init__(self, target: str, tell: Tell) -> None:
        self.target = target
        self.tell = tell
        self.exit_status = 0

    def texts(self, files: Iterable[str], size: int | None, number: int | None) -> Iterator[str]:
        """Yield the text of one file in the target format, piece by piece; `number` takes that record only.

        What is lost and what fails is told in words as it comes.
        """
        written = 0
        for name in files:
            found = number is None
            try:
                for index, record in enumerate(open_records(name, size), 1):
                    if number in (None, index):
                        found = True
                        for text in self._one(record, f"{name} {index}"):
                            yield join(("", text), self.target) if written else text
                            written += 1
                    if index == number:
                        break
            except UnreadableError as error:
                self._fail(str(error), error.exit_status)
                continue
            if not found:
                self._fail(f"{name} has no record {number}", UnreadableError.exit_status)

    def _one(self, record: GameRecord, where: str) -> Iterator[str]:
        """Yield the record's text, or nothing where it cannot be written."""
        try:
            text, lost = convert(record, self.target)
        except ConversionError as error:
            self._fail(str(error), error.exit_status)
            return
        for what in lost:
            self.tell(f"{where}: lost: {what}")
        yield text

    def _fail(self, message: str, status: int) -> None:
        self.tell(message)
        self.exit_status = max(self.exit_status, status)
