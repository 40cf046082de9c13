"""The one base class of what can go wrong on this side of the house.

Raised for the outside world and for a user's options only; a bug is left to be a traceback.
"""


class PnpError(Exception):
    """Something that the user can mend. The message says where, what is wrong and what would be right."""

    exit_status = 2


class FitError(PnpError):
    """What was asked for does not fit on the paper.

    `largest` is the largest size in mm that fits, floored to 0.1 mm, so that the size it names builds.
    None where no size fits.
    """

    def __init__(self, message: str, largest: float | None = None) -> None:
        super().__init__(message)
        self.largest = largest


class FileError(PnpError):
    """A file could not be read or written (missing, full disk, no permission)."""

    exit_status = 2
