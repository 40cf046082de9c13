"""How mails leave the club: what a way out must do, and how it says what went wrong (M79, M80)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from referee.errors import RefereeError

Trouble = Literal["temporary", "permanent", "configuration"]


@dataclass(frozen=True, slots=True)
class Parcel:
    """A mail ready to go: its outbox row, the envelope's sender and recipient, its bytes with CRLF line ends."""

    row: int
    sender: str
    recipient: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Failed:
    """A mail that did not go out, and why, in one line.

    temporary      the same may work later
    permanent      this mail will never be taken
    configuration  no mail will be taken before the operator has mended something; this one is not to blame
    everything     no other mail would go out now either: nobody answers, or nobody is let in
    """

    trouble: Trouble
    reason: str
    everything: bool = False


class Way(Protocol):
    """A way out of the club."""

    def send(self, parcel: Parcel) -> Failed | None:
        """Send a mail; None once the other side has taken it for good (SMTP: its 250)."""
        ...

    def close(self) -> None:
        """End the connection."""
        ...


class TransportError(RefereeError):
    """Mail that cannot be fetched or listened for. The message says what to look at.

    `trouble` is never "permanent": no single mail is at fault.
    """

    exit_status = 75

    def __init__(self, message: str, trouble: Trouble = "temporary") -> None:
        super().__init__(message)
        self.trouble = trouble


def told(error: BaseException) -> str:
    """Return an error of the outside in one line."""
    text = " ".join(str(error).split())
    return text or type(error).__name__
