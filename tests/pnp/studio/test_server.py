"""The studio serves its own page and nobody else's; what takes long is stopped; it ends clean."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from pnp.cli import run
from pnp.studio.bench import SUPERSEDED, Bench
from pnp.studio.guard import KEY_HEADER
from pnp.studio.server import MOST_ADDRESS, MOST_AT_ONCE, MOST_BODY, StudioServer
from tests.pnp.studio.conftest import Ask

HEX = {"component": "hex", "values": {"size": "3"}, "tab": "t"}


def test_the_page_stands_alone_and_holds_no_script(ask: Ask) -> None:
    page = ask("GET", "/")
    assert page.status == 200
    text = page.body.decode()
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
    assert scripts == [""]
    assert not re.search(r"<style| style=| on[a-z]+=|javascript:", text)
    for path in re.findall(r'(?:src|href)="(/[^"]+)"', text):
        assert ask("GET", path).status == 200, path
    assert "http" not in re.sub(r'http-equiv|"http://www.w3.org[^"]*"', "", text)
    data = json.loads(ask("GET", "/components.json").body)
    assert [c["name"] for c in data["components"]][:2] == ["hex", "mini-hex"]
    printers = [c for c in data["components"][0]["controls"] if c["name"] == "printer"]
    assert printers[0]["choices"] == ["office"]


def test_a_printer_that_was_measured(ask: Ask) -> None:
    drawn = ask("POST", "/draw", {**HEX, "values": {"size": "3", "printer": "office"}})
    assert "scale(1.01 1)" in str(drawn.json()["svg"])


@pytest.mark.parametrize("path", ["/", "/studio.js", "/components.json", "/nothing", "/draw"])
def test_every_answer_has_its_safe_headers(ask: Ask, path: str) -> None:
    found = ask("POST" if path == "/draw" else "GET", path, HEX if path == "/draw" else None)
    policy = found.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert found.headers["X-Content-Type-Options"] == "nosniff"
    assert found.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not [name for name in found.headers if name.startswith("Access-Control")]


def test_a_drawing_and_files(ask: Ask) -> None:
    drawn = ask("POST", "/draw", HEX)
    assert drawn.status == 200
    assert str(drawn.json()["svg"]).startswith("<svg ")
    for suffix, first in ((".pdf", b"%PDF-"), (".svg", b"<svg "), (".png", b"\x89PNG")):
        values = {"size": "3", "format": suffix[1:], "dpi": "20"}
        made = ask("POST", "/file", {**HEX, "values": values, "file": suffix})
        assert made.status == 200
        assert made.body.startswith(first)
        assert made.headers["Content-Disposition"] == f'attachment; filename="hex{suffix}"'


def test_faults_are_an_answer(ask: Ask) -> None:
    found = ask("POST", "/draw", {**HEX, "values": {"size": "99", "turn": "round"}})
    assert found.status == 422
    faults = found.json()["faults"]
    assert isinstance(faults, list)
    assert [fault["option"] for fault in faults] == ["size", "turn"]


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{}", "", None]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_other_names_that_lead_here_are_refused(
    ask: Ask, studio: StudioServer, method: str, host: str | None
) -> None:
    port = studio.server_address[1]
    named = host.format(port) if host else host
    found = ask(
        method,
        "/" if method == "GET" else "/draw",
        HEX if method == "POST" else None,
        {"Host": named},
    )
    assert found.status == 421
    assert studio.guard.key.encode() not in found.body


def test_its_own_names_are_let_in(ask: Ask, studio: StudioServer) -> None:
    port = studio.server_address[1]
    for name in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}"):
        assert ask("GET", "/", headers={"Host": name}).status == 200
        origin = {"Host": name, "Origin": f"http://{name}"}
        assert ask("POST", "/draw", HEX, origin).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {KEY_HEADER: None},
        {KEY_HEADER: "x"},
        {KEY_HEADER: "\u00e9"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
@pytest.mark.parametrize("path", ["/draw", "/file"])
def test_another_sites_page_can_have_nothing_drawn(
    ask: Ask, path: str, headers: dict[str, str | None]
) -> None:
    found = ask("POST", path, {**HEX, "file": ".pdf"}, headers)
    assert found.status == 403


def test_another_sites_page_can_take_nothing_in(ask: Ask) -> None:
    script = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "no-cors",
        "Sec-Fetch-Dest": "script",
    }
    frame = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "iframe",
    }
    link = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    typed = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert [ask("GET", "/", headers=h).status for h in (script, frame, link, typed)] == [
        403,
        403,
        200,
        200,
    ]
    assert ask("GET", "/components.json", headers=script).status == 403


def test_a_link_draws_nothing(ask: Ask) -> None:
    for path in ("/draw", "/file", "/draw?component=hex"):
        assert ask("GET", path).status == 404
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"):
        assert ask(method, "/draw").status == 501


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{}", {"Content-Type": "text/plain"}, 415),
        (b"{}", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"Content-Length": None}, 411),
        (b"{}", {"Content-Length": "-1"}, 411),
        (b"2\r\n{}\r\n0\r\n\r\n", {"Content-Length": None, "Transfer-Encoding": "chunked"}, 411),
        (b"", {"Content-Length": str(MOST_BODY + 1)}, 413),
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b"[" * 100_000, {}, 400),
        (b"\xff", {}, 400),
        (b"{}", {}, 422),
    ],
)
def test_what_is_no_request_is_refused(
    ask: Ask, body: bytes, headers: dict[str, str | None], status: int
) -> None:
    assert ask("POST", "/draw", body, headers).status == status


def test_long_addresses_and_paths(ask: Ask) -> None:
    assert ask("GET", "/?" + "x" * MOST_ADDRESS).status == 414
    assert ask("GET", "/" + "x" * 70_000).status == 414
    for path in (
        "/../pyproject.toml",
        "/%2e%2e/pyproject.toml",
        "//etc/passwd",
        "/studio.js/",
        "/index.html",
    ):
        assert ask("GET", path).status == 404


def talk(studio: StudioServer, data: bytes) -> bytes:
    with socket.create_connection(studio.server_address[:2], timeout=10) as connection:  # type: ignore[arg-type]
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(4096):
            answer += part
        return answer


def test_a_body_that_nobody_reads_is_no_second_request(studio: StudioServer) -> None:
    host = studio.url.removeprefix("http://").rstrip("/").encode()
    hidden = b"GET /icon.svg HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
    length = str(len(hidden)).encode()
    head = b"GET /state.js HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: " + length
    answer = talk(studio, head + b"\r\n\r\n" + hidden)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_two_hosts_are_none(studio: StudioServer) -> None:
    host = studio.url.removeprefix("http://").rstrip("/").encode()
    answer = talk(studio, b"GET / HTTP/1.1\r\nHost: evil.example\r\nHost: " + host + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")


def test_lines_that_are_no_http_are_answered(
    studio: StudioServer, capfd: pytest.CaptureFixture[str]
) -> None:
    for data in (
        b"\x16\x03\x01\0\xa5\x01\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n",
    ):
        answer = talk(studio, data)
        assert re.match(rb"HTTP/1.1 (4\d\d|505) ", answer) or answer.startswith(
            (b"Bad request", b"Invalid")
        )
    assert talk(studio, b"") == b""
    assert capfd.readouterr().err == ""


def test_who_hangs_up_leaves_no_traceback(
    studio: StudioServer, ask: Ask, capfd: pytest.CaptureFixture[str]
) -> None:
    body = json.dumps({**HEX, "tab": "gone"}).encode()
    host, port = studio.server_address[:2]
    head = (
        f"POST /draw HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
        f"{KEY_HEADER}: {studio.guard.key}\r\nContent-Length: "
    )
    for data in (
        head.encode() + b"9\r\n\r\n{",
        head.encode() + f"{len(body)}\r\n\r\n".encode() + body,
    ):
        with socket.create_connection((str(host), int(port)), timeout=10) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.sendall(data)
    assert ask("POST", "/draw", HEX).status == 200
    assert capfd.readouterr().err == ""


def test_connections_beyond_the_most_are_dropped_and_others_go_on(
    studio: StudioServer, ask: Ask
) -> None:
    held = [
        socket.create_connection(studio.server_address[:2], timeout=10) for _ in range(MOST_AT_ONCE)
    ]  # type: ignore[arg-type]
    with socket.create_connection(studio.server_address[:2], timeout=10) as late:  # type: ignore[arg-type]
        assert late.recv(1) == b""
    for connection in held:
        connection.close()
    until = monotonic() + 10
    while True:
        try:
            assert ask("GET", "/").status == 200
            break
        except OSError:
            assert monotonic() < until
            sleep(0.02)


# -- the process that draws --------------------------------------------------------------------------------------------

LONG = {"component": "hex-lightning", "values": {"each": "1000", "copies": "4"}, "file": ".pdf"}
"""Five hundred pages: seconds of work."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path, 60.0, os.environ)
    yield made
    made.close()


def test_the_latest_drawing_of_a_page_wins(bench: Bench) -> None:
    bench.answer("other", HEX)
    answers = {}

    def draw(name: str, page: str, task: dict[str, object]) -> threading.Thread:
        thread = threading.Thread(target=lambda: answers.update({name: bench.answer(page, task)}))
        thread.start()
        sleep(0.1)
        return thread

    threads = [
        draw("running", "page", LONG),
        draw("waiting", "page", LONG),
        draw("another page", "other", HEX),
        draw("latest", "page", HEX),
    ]
    for thread in threads:
        thread.join()
    assert answers["running"] is answers["waiting"] is SUPERSEDED
    assert answers["latest"].data.startswith(b"<svg ")
    assert answers["another page"].data == answers["latest"].data


def test_what_takes_too_long_is_stopped(tmp_path: Path) -> None:
    bench = Bench(tmp_path, 0.01, os.environ)
    made = bench.answer("page", LONG)
    assert "longer than 0.01 seconds" in str(made.facts["faults"])
    assert bench._process is None
    bench.close()


def test_a_process_that_breaks_is_begun_anew(bench: Bench) -> None:
    bench.warm()
    assert bench._process
    first = bench._process.pid
    os.kill(first, signal.SIGKILL)
    bench._process.wait()
    assert bench.answer("page", HEX).data
    assert bench._process.pid != first


@pytest.mark.long
def test_a_drawing_that_breaks_off_is_told(bench: Bench) -> None:
    bench.warm()
    worker = bench._process
    assert worker
    threading.Timer(0.2, worker.kill).start()
    assert "broke off" in str(bench.answer("page", LONG).facts["faults"])
    assert bench.answer("page", HEX).data


def test_a_bug_is_told_and_the_next_drawing_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pnp.studio import drawing, worker

    studio = drawing.Studio(tmp_path, {})
    with monkeypatch.context() as patch:
        patch.setattr(drawing.Studio, "_laid", lambda *_: 1 / 0)
        assert "stumbled" in str(worker.answer(studio, HEX).facts)
        patch.setattr(drawing.Studio, "_laid", lambda *_: [0] * (1 << 60))
        assert "memory" in str(worker.answer(studio, HEX).facts)
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert worker.answer(studio, HEX).data


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_it_ends_clean(number: int, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "pnp", "studio", "mini-hex"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout
    line = process.stdout.readline()
    assert re.fullmatch(r"The studio is at http://127\.0\.0\.1:\d+/#mini-hex\n", line)
    until = monotonic() + 20
    while not list(tmp_path.glob("pnp-studio-*")):
        assert monotonic() < until
        sleep(0.02)
    sleep(0.3)
    process.send_signal(number)
    rest, errors = process.communicate(timeout=20)
    assert process.returncode == 0
    assert rest == ""
    assert "Traceback" not in errors
    assert "closed" in errors
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_told(
    studio: StudioServer, capsys: pytest.CaptureFixture[str]
) -> None:
    port = str(studio.server_address[1])
    assert run(["studio", "--port", port]) == 2
    assert f"port {port} of 127.0.0.1 cannot be had" in capsys.readouterr().err
    assert run(["studio", "hexx"]) == 2
    assert "did you mean 'hex'" in capsys.readouterr().err
    assert run(["studio", "--host", "0.0.0.0"]) == 2


def test_ipv6_where_there_is_any(ask: Ask) -> None:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("this machine has no ::1")
    server = StudioServer("::1", 0, os.environ)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    with socket.create_connection(("::1", server.server_address[1]), timeout=20) as connection:
        connection.sendall(
            f"GET / HTTP/1.1\r\nHost: [::1]:{server.server_address[1]}\r\nConnection: close\r\n\r\n".encode()
        )
        assert connection.recv(12) == b"HTTP/1.1 200"
    server.shutdown()
    thread.join()
    assert server.url.startswith("http://[::1]:")
