"""HTTP on a loopback address: the page, the data of its controls, drawings and files."""

from __future__ import annotations

import json
import os
import secrets
import socket
import socketserver
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from string import Template
from typing import NamedTuple, cast
from urllib.parse import quote

from pnp import resources
from pnp.errors import PnpError
from pnp.studio.bench import Bench
from pnp.studio.controls import page_data
from pnp.studio.drawing import Made
from pnp.studio.guard import HEADERS, Refusal, guard

HOSTS = ("127.0.0.1", "::1")
"""Where the studio listens: this machine only."""

MOST_BODY = 600_000
"""Bytes of a request; what a page sends holds texts of 100,000 characters each at most."""
MOST_ADDRESS = 2_000
MOST_AT_ONCE = 32
"""Connections; a browser opens six."""
IDLE = 30.0
"""Seconds after which a silent connection is closed."""
DRAWING, FILE = 4.0, 60.0
"""Seconds that a drawing and a file may take."""

_FILES = {
    "/studio.css": ("studio.css", "text/css; charset=utf-8"),
    "/studio.js": ("studio.js", "text/javascript; charset=utf-8"),
    "/state.js": ("state.js", "text/javascript; charset=utf-8"),
    "/controls.js": ("controls.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}


class Answer(NamedTuple):
    """What goes back: status, kind of body, body, more headers."""

    status: int
    kind: str
    body: bytes
    more: Mapping[str, str] = {}


def plain(status: int, text: str) -> Answer:
    """Return an answer of one line."""
    return Answer(status, "text/plain; charset=utf-8", f"{text}\n".encode())


class StudioServer(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """The studio; `url` is where it is. Raises PnpError where it cannot listen there."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 16
    allow_reuse_address = os.name != "nt"  # on Windows it would let others take the port over

    def __init__(self, host: str, port: int, environ: Mapping[str, str]) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), Handler)
        except OSError as error:
            raise PnpError(
                f"port {port} of {host} cannot be had: {error.strerror or error};"
                " take another --port, or none for one that is free"
            ) from None
        number = self.server_address[1]
        self.guard = guard(host, number, secrets.token_urlsafe(24))
        self.url = f"http://[{host}]:{number}/" if ":" in host else f"http://{host}:{number}/"
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._folder = tempfile.TemporaryDirectory(prefix="pnp-studio-", ignore_cleanup_errors=True)
        self.drawings = Bench(_made(self._folder.name, "drawings"), DRAWING, environ)
        self.files = Bench(_made(self._folder.name, "files"), FILE, environ)
        page = Template(resources.read_text("studio", "index.html"))
        self.pages = {
            "/": Answer(
                200,
                "text/html; charset=utf-8",
                page.substitute(key=self.guard.key).encode("utf-8"),
            ),
            "/components.json": Answer(
                200, "application/json", json.dumps(page_data(environ)).encode("ascii")
            ),
        }
        for path, (file, kind) in _FILES.items():
            text = resources.read_text("studio", file)
            self.pages[path] = Answer(200, kind, text.encode("utf-8"))

    def run(self) -> None:
        """Serve until interrupted."""
        self.drawings.warm()
        try:
            self.serve_forever(poll_interval=0.2)
        finally:
            self.close()

    def close(self) -> None:
        """Stop the processes that draw and give the port back."""
        self.drawings.close()
        self.files.close()
        self.server_close()
        self._folder.cleanup()

    def process_request(self, request: object, client_address: object) -> None:
        """Serve a connection in a thread of its own, or drop it where there are too many."""
        connection = cast("socket.socket", request)
        if not self._places.acquire(blocking=False):
            self.shutdown_request(connection)
            return
        try:
            super().process_request(connection, client_address)
        except RuntimeError:  # no more threads
            self._places.release()
            self.shutdown_request(connection)

    def process_request_thread(self, request: object, client_address: object) -> None:
        """Serve a connection and give its place back."""
        try:
            super().process_request_thread(cast("socket.socket", request), client_address)
        finally:
            self._places.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing where a browser went away; a bug is told as one."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(cast("socket.socket", request), client_address)


def _made(folder: str, name: str) -> Path:
    path = Path(folder) / name
    path.mkdir()
    return path


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pnp", ""
    timeout = IDLE
    disable_nagle_algorithm = True
    wbufsize = -1
    server: StudioServer

    def do_GET(self) -> None:
        """Answer with one of the fixed pages."""
        self._answer(self._got())

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        """Answer with a drawing or a file."""
        self._answer(self._posted())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: the terminal is for what matters."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer what the library refuses (a method, a line that is none) in a line of ours."""
        self.close_connection = True
        with suppress(OSError):
            self._answer(plain(code, message or "this is no request that the studio takes"))

    def _got(self) -> Answer:
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # a body that nobody reads must not be taken for a request
        if refusal := self._refusal("GET"):
            return plain(*refusal)
        if len(self.path) > MOST_ADDRESS:
            return plain(414, "this address is too long; options stand behind its #")
        path = self.path.partition("?")[0]
        return self.server.pages.get(path) or plain(404, "there is nothing of this name here")

    def _posted(self) -> Answer:
        body = self._body()
        if isinstance(body, Answer):
            self.close_connection = True  # what was not read must not be taken for a request
            return body
        try:
            asked = json.loads(body)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            return plain(400, "this is no JSON object")
        page = str(asked.pop("tab", ""))[:40]
        if self.path == "/draw":
            asked.pop("file", None)
            return _drawn(self.server.drawings.answer(page, asked))
        if not isinstance(asked.get("file"), str):
            return plain(400, "which file it is to be is not said")
        return _filed(self.server.files.answer(page, asked))

    def _body(self) -> bytes | Answer:
        if refusal := self._refusal("POST"):
            return plain(*refusal)
        if self.path not in ("/draw", "/file"):
            return plain(404, "there is nothing of this name here")
        if self.headers.get_content_type() != "application/json":
            return plain(415, "the studio takes application/json")
        length = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not length.isdecimal() or len(length) > 9:
            return plain(411, "how long the request is must be said")
        if int(length) > MOST_BODY:
            return plain(413, f"a request has at most {MOST_BODY:,} bytes")
        return self.rfile.read(int(length))

    def _refusal(self, method: str) -> Refusal | None:
        headers = {name.title(): value for name, value in self.headers.items()}
        if len(self.headers.get_all("Host", ())) > 1:
            return Refusal(400, "a request has one Host")
        return self.server.guard.refusal(method, headers)

    def _answer(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in {**HEADERS, **answer.more}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)
        self.wfile.flush()


def _drawn(made: Made) -> Answer:
    """Return a drawing: the facts and the picture as JSON, 422 for faults, 409 where the page has
    asked for a later one."""
    facts = dict(made.facts)
    if made.data:
        facts["svg"] = made.data.decode("utf-8")
    status = 422 if "faults" in facts else 409 if "superseded" in facts else 200
    return Answer(status, "application/json", json.dumps(facts).encode("ascii"))


def _filed(made: Made) -> Answer:
    """Return a file to be saved, or what is wrong as JSON."""
    if "name" not in made.facts:
        return _drawn(made)
    name = quote(str(made.facts["name"]))
    return Answer(
        200,
        str(made.facts["type"]),
        made.data,
        {"Content-Disposition": f'attachment; filename="{name}"'},
    )
