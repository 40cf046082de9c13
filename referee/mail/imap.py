"""Mail in by IMAP: looked for by polling, flagged as seen only after it is stored for good (M69, M71)."""

from __future__ import annotations

import contextlib
import imaplib
import ipaddress
import re
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, MailboxLoginError

from referee.club import MailIn
from referee.faults import point
from referee.mail.maildir import FILE_MOST, HEAD, Found, limited
from referee.mail.transport import TransportError, Trouble, told

TIMEOUT: Final = 60
"""Seconds that a server may take for one answer."""

_SIZE: Final = re.compile(rb"RFC822\.SIZE (\d+)")
_DATE: Final = re.compile(rb'INTERNALDATE "([^"]+)"')
_TROUBLES: Final = (ImapToolsError, imaplib.IMAP4.error, OSError, ValueError)


class ImapIn:
    """An IMAP folder that is looked into again and again over one connection."""

    def __init__(self, source: MailIn, password: str) -> None:
        self._source = source
        self._password = password
        self._box: BaseMailBox | None = None

    def mails(self) -> Iterator[Found]:
        """Yield the mails not yet seen, in order of their arrival; each is flagged when it is kept.

        Raises TransportError for a server that is away, throttles (then come back later), or refuses the login.
        """
        try:
            self._box = box = self._alive() or self._connected()
            for uid in box.uids("UNSEEN"):
                found = self._fetched(box, uid)
                if found is not None:
                    yield found
        except _TROUBLES as error:
            self.close()
            raise self._failure(error) from error

    def _alive(self) -> BaseMailBox | None:
        """Return the connection of the last look, None where it is gone.

        Without the NOOP a server need not tell of mail that came since.
        """
        box = self._box
        if box is None:
            return None
        try:
            box.client.noop()
        except _TROUBLES:
            self.close()
            return None
        return box

    def _fetched(self, box: BaseMailBox, uid: str) -> Found | None:
        """Return a mail without touching its flags; None where somebody has taken it away meanwhile."""
        told_first = _joined(box.client.uid("fetch", uid, "(RFC822.SIZE INTERNALDATE)"))
        size = _SIZE.search(told_first)
        if size is None:
            return None
        too_large = int(size[1]) > FILE_MOST
        part = f"BODY.PEEK[]<0.{HEAD}>" if too_large else "BODY.PEEK[]"
        answer = box.client.uid("fetch", uid, f"({part})")
        raw = next((piece[1] for piece in answer[1] if isinstance(piece, tuple)), None)
        if raw is None:
            return None
        if too_large:
            raw = limited(raw + b" " * (FILE_MOST + 1 - len(raw)))
        return Found(raw, _moment(told_first), lambda: self._flag(uid))

    def _flag(self, uid: str) -> None:
        box = self._box
        if box is None:
            return  # the connection broke meanwhile; the mail comes once more and is known by its key
        point("flag:before")
        kind, answer = box.client.uid("STORE", uid, "+FLAGS.SILENT", "(\\Seen)")
        if kind != "OK":
            raise imaplib.IMAP4.error(f"the mail could not be flagged: {answer!r}")
        point("flag:after")

    def check(self) -> None:
        """Connect, log in, open the folder (`referee doctor`). Raises TransportError."""
        try:
            self._box = self._connected()
        except _TROUBLES as error:
            raise self._failure(error) from error
        finally:
            self.close()

    def close(self) -> None:
        """Log out, or hang up where nobody listens."""
        box, self._box = self._box, None
        if box is not None:
            with contextlib.suppress(*_TROUBLES):
                box.logout()
            with contextlib.suppress(*_TROUBLES):
                box.client.shutdown()  # a log-out that failed leaves the socket open

    def _connected(self) -> BaseMailBox:
        source = self._source
        where: dict[str, Any] = {"host": source.host, "port": source.port, "timeout": TIMEOUT}
        box: BaseMailBox
        if source.tls == "tls":
            box = MailBox(**where, ssl_context=ssl.create_default_context())
        else:
            box = MailBoxUnencrypted(**where)
        try:
            if source.tls == "starttls":
                if "STARTTLS" not in box.client.capabilities:
                    raise ValueError("it offers no STARTTLS; look at tls and port")
                box.client.starttls(ssl.create_default_context())
            elif source.tls == "none":
                peer = box.client.sock.getpeername()[0]
                if not ipaddress.ip_address(peer).is_loopback:
                    raise ValueError(
                        f'it is another machine; tls = "none" is refused there ({peer})'
                    )
            box.login(source.user, self._password, initial_folder=source.folder)
        except BaseException:
            with contextlib.suppress(*_TROUBLES):
                box.client.shutdown()
            raise
        return box

    def _failure(self, error: BaseException) -> TransportError:
        where = f"IMAP {self._source.host}:{self._source.port}"
        trouble: Trouble = "temporary"
        text = told(error)
        if isinstance(error, ssl.SSLCertVerificationError):
            trouble, text = "configuration", f"its certificate is not to be trusted: {text}"
        elif isinstance(error, ssl.SSLError | ValueError):
            trouble = "configuration"
        elif isinstance(error, MailboxLoginError):
            throttled = re.search(r"UNAVAILABLE|LIMIT|THROTTL|too many|INUSE", text, re.IGNORECASE)
            trouble = "temporary" if throttled else "configuration"
            text = f"the login was refused: {text}"
        return TransportError(f"{where}: {text}", trouble)


def _joined(answer: tuple[str, list[Any]]) -> bytes:
    """Return all that a FETCH answered, as one text."""
    pieces: list[bytes] = []
    for piece in answer[1]:
        pieces += [p for p in piece if p] if isinstance(piece, tuple) else [piece or b""]
    return b" ".join(pieces)


def _moment(answer: bytes) -> datetime | None:
    """Return when the server got the mail (its INTERNALDATE, M94)."""
    match = _DATE.search(answer)
    if match is None:
        return None
    try:
        when = datetime.strptime(match[1].decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z")
    except ValueError:
        return None
    return when.astimezone(UTC)
