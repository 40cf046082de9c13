"""Mail in by LMTP: one answer for each recipient, each after its mail is stored for good (mail.md, Mail in)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from referee.club import MailIn
from referee.errors import RefereeError
from referee.mail.auth import split_plus
from referee.mail.maildir import FILE_MOST
from referee.mail.transport import TransportError, told

Keep = Callable[[bytes, str], None]
"""Stores a mail (its bytes, the envelope's recipient) for good. Raises RefereeError where it cannot now."""

LONGEST_LINE: Final = 8 << 20
"""No line of a mail loses its end (M14); what is longer than any mail is refused in words."""


class _Server(LMTP):
    line_length_limit = LONGEST_LINE

    def __init__(self, handler: _Handler, hostname: str) -> None:
        super().__init__(
            handler,
            data_size_limit=FILE_MOST,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="referee",
            timeout=120,
            loop=asyncio.get_event_loop(),
        )
        self._answers = 1

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - the protocol's name
        """Take a mail; what is refused as a whole is refused for every recipient (RFC 2033, 4.2)."""
        self._answers = len(self.envelope.rcpt_tos) if self.envelope else 1
        await super().smtp_DATA(arg)

    async def push(self, status: Any) -> None:
        """Answer; a mail that is too large has an answer for each recipient."""
        if isinstance(status, str) and status.startswith(("552 Error", "500 Line")):
            status = "\r\n".join([status] * max(1, self._answers))
        await super().push(status)


class _Handler:
    """What is done with recipients and mails."""

    def __init__(self, club_address: str, keep: Keep) -> None:
        self._club = club_address.lower()
        self._keep = keep

    async def handle_RCPT(  # noqa: N802 - the hook's name
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if split_plus(address)[0] != self._club:
            return "550 5.1.1 there is no such mailbox here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content or b""
        raw = content.encode() if isinstance(content, str) else bytes(content)
        loop = asyncio.get_running_loop()
        answers = []
        for address in envelope.rcpt_tos:
            answers.append(await loop.run_in_executor(None, self._kept, raw, address))
        return "\r\n".join(answers)

    def _kept(self, raw: bytes, address: str) -> str:
        try:
            self._keep(raw, address)
        except RefereeError as error:
            return f"451 4.3.0 try again later: {_ascii(told(error))}"
        except Exception:  # whatever it is, the mail stays with the server that has it
            return "451 4.3.0 try again later"
        return "250 2.0.0 stored"


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()[:400]


class Listener:
    """A listening LMTP server in a thread of its own."""

    def __init__(self, source: MailIn, club_address: str, keep: Keep) -> None:
        """Begin to listen: on the Unix socket, mode 0660, or on TCP if a host is named. Raises TransportError."""
        self._source = source
        self._handler = _Handler(club_address, keep)
        self._hostname = club_address.rpartition("@")[2]
        self._path: Path | None = None if source.host else source.path
        if self._path is not None:
            _vacant(self._path)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._error: OSError | None = None
        self._servers: weakref.WeakSet[_Server] = weakref.WeakSet()
        self._thread = threading.Thread(target=self._run, name="lmtp", daemon=True)
        self._thread.start()
        self._ready.wait()
        self._complain()

    def _complain(self) -> None:
        if self._error is not None:
            self._thread.join()
            where = self._path or f"{self._source.host}:{self._source.port}"
            raise TransportError(f"LMTP {where}: {told(self._error)}", "configuration")

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            server = self._loop.run_until_complete(self._listening())
        except OSError as error:
            self._error = error
            self._loop.close()
            self._ready.set()
            return
        self._ready.set()
        try:
            self._loop.run_forever()
        finally:
            # asyncio forgets a connection that was accepted and not yet made when its server closes
            self._loop.run_until_complete(asyncio.sleep(0.05))
            server.close()
            self._end_tasks()
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    async def _listening(self) -> asyncio.AbstractServer:
        def protocol() -> _Server:
            server = _Server(self._handler, self._hostname)
            self._servers.add(server)
            return server

        if self._path is None:
            return await self._loop.create_server(protocol, self._source.host, self._source.port)
        before = os.umask(0o117)  # the socket is born with 0660: nobody connects before a chmod
        try:
            return await self._loop.create_unix_server(protocol, str(self._path))
        finally:
            os.umask(before)

    def _end_tasks(self) -> None:
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        for server in list(self._servers):
            if server.transport is not None:
                server.transport.close()
        self._loop.run_until_complete(asyncio.sleep(0))

    def close(self) -> None:
        """Stop listening; a mail whose 250 is not yet out stays with its server."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        if self._path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._path)


def _vacant(path: Path) -> None:
    """Take away a socket that nobody listens on. Raises TransportError where somebody does."""
    if not path.exists():
        return
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.settimeout(2.0)
            probe.connect(str(path))
        except OSError:
            with contextlib.suppress(OSError):
                path.unlink()
            return
    raise TransportError(f"LMTP {path}: another process listens there", "configuration")
