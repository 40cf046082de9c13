"""Mail out by SMTP: TLS with real certificates, and errors told apart by what mends them (M80)."""

from __future__ import annotations

import contextlib
import ipaddress
import smtplib
import socket
import ssl
from dataclasses import replace
from typing import Final

from referee.club import MailOut
from referee.mail.transport import Failed, Parcel, Trouble, told

TIMEOUT: Final = 60.0
"""Seconds that a server may take for one answer."""

AUTHENTICATION: Final = (530, 534, 535, 538)
"""Codes that say: log in, or log in otherwise (RFC 4954)."""


class _NotLoopbackError(OSError):
    """`tls = "none"`, and the host is not this machine."""


class SmtpOut:
    """An SMTP server; one connection serves as many mails as there are."""

    def __init__(self, out: MailOut, password: str, our_name: str) -> None:
        self._out = out
        self._password = password
        self._our_name = our_name
        self._server: smtplib.SMTP | None = None

    def send(self, parcel: Parcel) -> Failed | None:
        """Send a mail; None after its 250."""
        try:
            server = self._server or self._connected()
            self._server = server
        except _TROUBLES as error:
            self.close()
            return replace(_connecting(error, self._out), everything=True)
        try:
            server.sendmail(parcel.sender, [parcel.recipient], parcel.data)
        except _TROUBLES as error:
            failed = _sending(error)
            if not isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError):
                self.close()
                return replace(failed, everything=failed.trouble == "configuration")
            if server.sock is None:
                self.close()  # after a 421 smtplib has hung up; the next letter needs a new connection
            return failed
        return None

    def check(self) -> Failed | None:
        """Connect and log in without sending anything (`referee doctor`)."""
        try:
            self._server = self._connected()
        except _TROUBLES as error:
            return _connecting(error, self._out)
        finally:
            self.close()
        return None

    def close(self) -> None:
        """Say good-bye, or hang up where nobody listens."""
        server, self._server = self._server, None
        if server is not None:
            with contextlib.suppress(*_TROUBLES):
                server.quit()
            server.close()

    def _connected(self) -> smtplib.SMTP:
        out = self._out
        server: smtplib.SMTP
        if out.tls == "tls":
            context = ssl.create_default_context()
            server = smtplib.SMTP_SSL(
                out.host, out.port, self._our_name, timeout=TIMEOUT, context=context
            )
        else:
            server = smtplib.SMTP(out.host, out.port, self._our_name, timeout=TIMEOUT)
        try:
            if out.tls == "starttls":
                server.starttls(context=ssl.create_default_context())
            elif out.tls == "none":
                _only_here(server, out.host)
            if out.user:
                server.login(out.user, self._password)
        except BaseException:
            server.close()
            raise
        return server


def _only_here(server: smtplib.SMTP, host: str) -> None:
    """Without TLS the other end must be this machine, whatever its name says."""
    assert server.sock is not None
    peer = server.sock.getpeername()[0]
    if not is_here(peer):
        raise _NotLoopbackError(f'{host} is {peer}, another machine; tls = "none" is refused there')


def is_here(peer: str) -> bool:
    """Whether the address of the other end is this machine's own."""
    return ipaddress.ip_address(peer).is_loopback


_TROUBLES: Final = (smtplib.SMTPException, OSError, ValueError)
"""All that a server, or the way to it, may do."""


def _connecting(error: BaseException, out: MailOut) -> Failed:
    """Say what failed before any mail was spoken of."""
    where = f"{out.host}:{out.port}"
    trouble: Trouble = "temporary"
    if isinstance(error, ssl.SSLCertVerificationError):
        return Failed(
            "configuration", f"{where}: its certificate is not to be trusted: {told(error)}"
        )
    if isinstance(error, ssl.SSLError):
        return Failed(
            "configuration", f"{where}: no TLS there: {told(error)}; look at tls and port"
        )
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return Failed("configuration", f"{where}: {told(error)}; look at tls and user")
    if isinstance(error, smtplib.SMTPAuthenticationError):
        trouble = "temporary" if 400 <= error.smtp_code < 500 else "configuration"
        return Failed(trouble, f"{where}: the login was refused: {_said(error)}")
    if isinstance(error, _NotLoopbackError):
        return Failed("configuration", told(error))
    if isinstance(error, smtplib.SMTPResponseException):
        trouble = "temporary" if 400 <= error.smtp_code < 500 else "configuration"
        return Failed(trouble, f"{where}: {_said(error)}")
    if isinstance(error, socket.gaierror) and error.errno == socket.EAI_NONAME:
        return Failed("configuration", f"{where}: there is no such host")
    return Failed("temporary", f"{where}: {told(error)}")


def _sending(error: BaseException) -> Failed:
    """Say what failed about one mail."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()), (450, b"refused"))
        return _by_code(code, said)
    if isinstance(error, smtplib.SMTPSenderRefused):
        failed = _by_code(error.smtp_code, error.smtp_error)
        if failed.trouble == "permanent":
            return Failed("configuration", f"the envelope's sender is refused: {failed.reason}")
        return failed
    if isinstance(error, smtplib.SMTPResponseException):
        return _by_code(error.smtp_code, error.smtp_error)
    if isinstance(error, smtplib.SMTPNotSupportedError | ValueError):
        return Failed("permanent", told(error))
    return Failed("temporary", told(error))


def _by_code(code: int, said: bytes | str) -> Failed:
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    reason = f"{code} {' '.join(words.split())}"
    if code in AUTHENTICATION:
        return Failed("configuration", reason)
    return Failed("permanent" if 500 <= code < 600 else "temporary", reason)


def _said(error: smtplib.SMTPResponseException) -> str:
    return _by_code(error.smtp_code, error.smtp_error).reason
