"""What can go wrong with the store. The service tells by `retryable` whether the same mail may be tried again."""

from __future__ import annotations

from referee.errors import RefereeError

EX_TEMPFAIL = 75
EX_CONFIG = 78


class StoreError(RefereeError):
    """The database did not do what it was asked, and nothing of it was done.

    retryable  the same may work in a while; what was being read is not at fault (its attempt does not count)
    """

    exit_status = EX_CONFIG
    retryable = False


class LockedError(StoreError):
    """Another process holds the database for longer than we wait."""

    exit_status = EX_TEMPFAIL
    retryable = True


class FullError(StoreError):
    """No space is left, on the disk or in the database."""

    exit_status = EX_TEMPFAIL
    retryable = True


class DiskError(StoreError):
    """Reading or writing failed, the file cannot be opened or may not be written."""

    exit_status = EX_TEMPFAIL
    retryable = True


class StaleError(StoreError):
    """The game was changed since it was read (M72); read it again."""

    exit_status = EX_TEMPFAIL
    retryable = True


class ContendedError(StaleError):
    """Two processes waited for each other, or changed the same at once; one of them begins anew."""


class ClashError(StoreError):
    """Another process has written the same row meanwhile: what was read before is no longer so; read it again.

    Not `retryable` for ever: where it comes again and again the fault is ours, and the mail's attempt counts.
    """


class AwayError(StoreError):
    """The database cannot be reached, or went away in the middle; whether a commit was done nobody can tell then."""

    exit_status = EX_TEMPFAIL
    retryable = True


class DamagedError(StoreError):
    """The file is no database, or a damaged one; a backup is needed."""


class VersionError(StoreError):
    """The database has another schema or was played under other rules than this program's; `referee upgrade`."""


class KeyMismatchError(StoreError):
    """The key is not the one that the club was made with or last rotated to."""
