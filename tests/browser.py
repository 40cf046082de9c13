"""Pages looked at in a headless Chromium: one start of the browser for many pages, sizes and clicks."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import need_program


class View(NamedTuple):
    """A page in a frame of this width (px); `script` is the body of a function of (document, window)
    whose value is told, awaited after the page has loaded.
    """

    page: Path
    width: int
    script: str


OUTER = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const views = %s;
const told = views.map(() => null);
let left = views.length;
views.forEach((view, number) => {
  const frame = document.createElement("iframe");
  frame.width = view.width; frame.height = 900; frame.style.border = 0;
  frame.onload = async () => {
    frame.onload = null;
    const run = new (async () => {}).constructor("frame", "document", "window", view.script);
    try { told[number] = await run(frame, frame.contentDocument, frame.contentWindow); }
    catch (error) { told[number] = {error: String(error)}; }
    if (--left === 0) {
      const all = document.createElement("pre");
      all.id = "told"; all.textContent = JSON.stringify(told); document.body.append(all);
    }
  };
  frame.src = view.page;
  document.body.append(frame);
});
</script>"""
ALONE = (
    "headless no-sandbox disable-gpu no-first-run disable-sync disable-background-networking "
    "disable-component-update allow-file-access-from-files virtual-time-budget=20000 dump-dom"
)


def look(folder: Path, views: Iterable[View]) -> list[Any]:
    """Return what each view's script tells; the test is skipped where there is no Chromium.

    `folder` is for the browser's profile and the page that holds the frames.
    """
    chromium = need_program("chromium")
    asked = [
        {"page": view.page.as_uri(), "width": view.width, "script": view.script} for view in views
    ]
    outer = folder / "frames.html"
    outer.write_text(OUTER % json.dumps(asked).replace("<", "\\u003c"), encoding="utf-8")
    options = [*ALONE.split(), f"user-data-dir={folder / 'profile'}"]
    command = [chromium, *(f"--{option}" for option in options), outer.as_uri()]
    # on a busy machine the browser's own time may run out before a page has loaded
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        found = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
        if found:
            break
    assert found, done.stderr[-1000:]
    told: list[Any] = json.loads(unescape(found[1]))
    return told


SEEN = """
for (const image of document.images) { image.loading = "eager"; }
await Promise.all([...document.images].map(image => new Promise(done => {
  if (image.complete && image.naturalWidth) { done(); }
  image.addEventListener("load", done);
  image.addEventListener("error", done);
})));
return {
  wide: document.documentElement.scrollWidth, inner: window.innerWidth,
  images: document.images.length,
  broken: [...document.images].filter(image => !image.naturalWidth).map(image => image.src),
  small: Math.min(...[...document.querySelectorAll("body *")].filter(one => one.textContent.trim())
    .map(one => parseFloat(window.getComputedStyle(one).fontSize))),
  out: [...document.querySelectorAll("[src], [href]")].map(one => one.src || one.href)
    .filter(at => typeof at === "string" && !/^(file|data):/.test(at)),
  targets: [...document.querySelectorAll("a")].map(a => decodeURI(a.href)),
};
"""
"""Tells how a page sits in its frame: its width, pictures that do not load, the smallest writing, addresses that need a
network, and where its links lead."""
