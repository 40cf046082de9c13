"""A headless Chromium driven over its DevTools pipe: real clicks and keys, no package besides the browser.

Messages are JSON with a zero byte after each; the browser reads them from file 3 and answers on file 4.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

WAIT = 30.0
"""Seconds that anything on a page may take; the machines of tests are busy."""

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--remote-debugging-pipe",
)
PLACE = """import os, sys
orders, told, *command = sys.argv[1:]
os.dup2(int(orders), 3)
os.dup2(int(told), 4)
os.execv(command[0], command)"""
"""Becomes the browser with the pipes where it looks for them."""
KEYS = {"ArrowUp": 38, "ArrowDown": 40, "ArrowRight": 39, "Tab": 9, " ": 32, "Enter": 13}


class Browser:
    """One browser, and the pages that are open in it."""

    def __init__(self, program: str, profile: Path) -> None:
        orders, self._orders = _pipe()
        self._told, told = _pipe()
        command = [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", PLACE, str(orders), str(told), *command],
            pass_fds=(orders, told),
            stderr=subprocess.DEVNULL,
        )
        os.close(orders)
        os.close(told)
        self._rest = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, session: str = "", **params: object) -> dict[str, Any]:
        """Send an order and return its result; events that come before it are kept."""
        self._number += 1
        order: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if session:
            order["sessionId"] = session
        data = json.dumps(order).encode() + b"\0"
        while data:
            data = data[os.write(self._orders, data) :]
        until = monotonic() + WAIT
        while True:
            message = self._next(until)
            if message.get("id") == self._number:
                assert "error" not in message, message["error"]
                found: dict[str, Any] = message["result"]
                return found
            if "method" in message:
                self.events.append(message)

    def _next(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._told], [], [], max(0.0, until - monotonic()))
            assert ready, "the browser does not answer"
            data = os.read(self._told, 1 << 20)
            assert data, "the browser has ended"
            self._rest += data
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def open(self, url: str, width: int = 1300, height: int = 900, *, dark: bool = False) -> Page:
        """Return a new page of this size, loaded."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        page.send("Page.enable")
        page.send("Runtime.enable")
        page.send("Log.enable")
        page.shape(width, height, dark=dark)
        page.go(url)
        return page

    def close(self) -> None:
        """End the browser."""
        with suppress(OSError, AssertionError):
            self.send("Browser.close")
        for file in (self._orders, self._told):
            os.close(file)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Page:
    """One page of a browser."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser, self._session, self._target = browser, session, target

    def send(self, method: str, **params: object) -> dict[str, Any]:
        """Send an order to this page."""
        return self._browser.send(method, self._session, **params)

    def shape(self, width: int, height: int, *, dark: bool = False) -> None:
        """Give the page a size in pixels and light or dark colours; narrow ones are phones."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[feature])

    def go(self, url: str) -> None:
        """Load an address, anew even where only its fragment differs."""
        self.send("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'")
        self.send("Page.navigate", url=url)
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'")

    def eval(self, code: str) -> Any:
        """Return the value of an expression, a promise's when it is kept."""
        made = self.send("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in made, made["exceptionDetails"]
        return made["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until a condition holds."""
        until = monotonic() + WAIT
        while not self.eval(f"Boolean({condition})"):
            assert monotonic() < until, f"{condition} does not come true"
            select.select([], [], [], 0.05)

    def click(self, selector: str) -> None:
        """Scroll an element into view and click into its middle; something else there is a fault."""
        x, y = self.eval(
            f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: 'center'}});
            const box = e.getBoundingClientRect();
            const x = box.x + box.width / 2, y = box.y + box.height / 2;
            const hit = document.elementFromPoint(x, y);
            if (!e.contains(hit) && !hit?.contains(e)) throw new Error(
              'covered: ' + {json.dumps(selector)} + ' by ' + hit?.outerHTML.slice(0, 99));
            return [x, y]; }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, selector: str, text: str) -> None:
        """Click into a field and write over what stands there."""
        self.click(selector)
        self.eval(f"document.querySelector({json.dumps(selector)}).select()")
        self.send("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press and let go a key."""
        for kind in ("keyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code="Space" if key == " " else key,
                windowsVirtualKeyCode=KEYS[key],
                text=" " if key == " " and kind == "keyDown" else "",
            )

    def choose(self, selector: str, value: str) -> None:
        """Choose an entry of a list, which a headless browser cannot open."""
        self.eval(
            f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.value = {json.dumps(value)};
            if (e.value !== {json.dumps(value)}) throw new Error('no such entry');
            e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"""
        )

    def downloads(self, folder: Path) -> None:
        """Let downloads go into a folder."""
        self._browser.send(
            "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder)
        )

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write what the page looks like as PNG."""
        made = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(made["data"]))

    def errors(self) -> list[Mapping[str, Any]]:
        """Return the exceptions, errors and breaches of the page's policy that it has told of."""
        self.eval("0")
        found = []
        for event in self._browser.events:
            if event.get("sessionId") != self._session:
                continue
            entry = event["params"].get("entry", {})
            wrong = event["method"] == "Runtime.exceptionThrown" or entry.get("level") == "error"
            refused = "status of 4" in entry.get("text", "")
            if wrong and not refused:
                found.append(event["params"])
        return found

    def close(self) -> None:
        """Close the page."""
        self._browser.send("Target.closeTarget", targetId=self._target)


def _pipe() -> tuple[int, int]:
    """Return a pipe whose ends are neither 3 nor 4, where the browser's are to be."""
    ends = []
    for end in os.pipe():
        ends.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10))
        os.close(end)
    return ends[0], ends[1]
