"""The one base class of what the outside world can do wrong to the referee.

Text in any form gives a verdict, never an exception; these are for files, disks and options.
"""


class RefereeError(Exception):
    """Something that the user can mend. The message says where, what is wrong and what would be right."""

    exit_status = 2


class UnreadableError(RefereeError):
    """An input that cannot be read at all: missing, no text, no record in it (exit status 2)."""


class WriteError(RefereeError):
    """A file that could not be written; what stood there before still stands."""
