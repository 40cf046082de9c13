"""One studio and one browser for all tests of the studio."""

from __future__ import annotations

import http.client
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from pnp.studio.guard import KEY_HEADER
from pnp.studio.server import StudioServer
from tests.conftest import need_program
from tests.pnp.studio.browser import Browser


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.body)
        return found


Ask = Callable[..., Reply]


@pytest.fixture(scope="package")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A headless Chromium."""
    found = Browser(need_program("chromium"), tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


@pytest.fixture(scope="package")
def printers_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of printer profiles with one in it."""
    folder = tmp_path_factory.mktemp("printers")
    (folder / "office.toml").write_text("scale-x = 1.01\n")
    return folder


@pytest.fixture(scope="package")
def studio(printers_folder: Path) -> Iterator[StudioServer]:
    """A studio that serves in a thread of its own."""
    server = StudioServer("127.0.0.1", 0, {**os.environ, "PNP_PRINTERS": str(printers_folder)})
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()


@pytest.fixture
def ask(studio: StudioServer) -> Ask:
    """A function that sends a request as the page does; headers given replace its own, None leaves one out."""

    def send(
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Reply:
        host, port = studio.server_address[:2]
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        own: dict[str, str | None] = {"Host": f"{host}:{port}"}
        if method == "POST":
            own |= {
                "Content-Type": "application/json",
                "Content-Length": str(len(data or b"")),
                KEY_HEADER: studio.guard.key,
                "Origin": f"http://{host}:{port}",
                "Sec-Fetch-Site": "same-origin",
            }
        own |= headers or {}
        connection = http.client.HTTPConnection(str(host), int(port), timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in own.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(data)
        response = connection.getresponse()
        reply = Reply(response.status, dict(response.getheaders()), response.read())
        connection.close()
        return reply

    return send
