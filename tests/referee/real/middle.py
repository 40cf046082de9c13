"""Somebody between the referee and its server: he breaks off, is silent, dawdles, or shows his own certificate."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.referee.real.servers import HOST, Papers


@dataclass
class Middle:
    """A port of loopback; each connection to it is handled by `meet` in a thread."""

    meet: Callable[[socket.socket, int], None]
    port: int = 0
    met: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def run(self, listener: socket.socket) -> None:
        while not self.over.is_set():
            try:
                client, _ = listener.accept()
            except OSError:
                return
            self.met += 1
            threading.Thread(target=self._one, args=(client, self.met), daemon=True).start()

    def _one(self, client: socket.socket, number: int) -> None:
        with client, contextlib.suppress(OSError):
            self.meet(client, number)


@contextlib.contextmanager
def middle(meet: Callable[[socket.socket, int], None], host: str = HOST) -> Iterator[Middle]:
    """Listen on a free port of loopback. `meet` hears the connection and its number from 1."""
    with socket.create_server((host, 0)) as listener:
        made = Middle(meet, listener.getsockname()[1])
        thread = threading.Thread(target=made.run, args=(listener,), daemon=True)
        thread.start()
        try:
            yield made
        finally:
            made.over.set()
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)


def passing(
    port: int, look: Callable[[bytes], bytes | None]
) -> Callable[[socket.socket, int], None]:
    """Pass a connection on to a server; what the server says goes through `look`, None breaks off."""

    def meet(client: socket.socket, number: int) -> None:
        with socket.create_connection((HOST, port)) as server:
            back = threading.Thread(target=_pump, args=(client, server, lambda data: data))
            back.daemon = True
            back.start()
            _pump(server, client, look)
            for end in (client, server):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    return meet


def _pump(
    source: socket.socket, target: socket.socket, look: Callable[[bytes], bytes | None]
) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            seen = look(data)
            if seen is None:
                return
            target.sendall(seen)


def impostor(papers: Papers) -> Callable[[socket.socket, int], None]:
    """Speak TLS with a certificate of one's own, and keep what is said."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(papers.certificate, papers.key)

    def meet(client: socket.socket, number: int) -> None:
        with (
            contextlib.suppress(ssl.SSLError),
            context.wrap_socket(client, server_side=True) as tls,
        ):
            tls.sendall(b"* OK I am your server\r\n")
            heard.append(tls.recv(1000))

    heard: list[bytes] = []
    meet.heard = heard  # type: ignore[attr-defined]
    return meet


def says(*lines: bytes, hang_up: bool = True) -> Callable[[socket.socket, int], None]:
    """Say each line after something was heard, the first at once; then hang up, or be silent."""

    def meet(client: socket.socket, number: int) -> None:
        for line in lines:
            client.sendall(line)
            if not client.recv(4096):
                return
        if not hang_up:
            while client.recv(4096):
                pass

    return meet
