"""The studio used as a person uses it: clicks, keys, downloads, in a headless Chromium."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import quote

import pytest

from pnp.cli import run
from pnp.games import names
from pnp.studio.server import StudioServer
from tests.pnp.studio.browser import Browser, Page

pytestmark = pytest.mark.outside("chromium")

COMMAND = "document.getElementById('command').textContent"
STATUS = "document.getElementById('status').textContent"
PICTURE = """(async () => { const sheet = document.getElementById('sheet'); await sheet.decode();
  const canvas = document.createElement('canvas'); canvas.width = 400; canvas.height = 560;
  canvas.getContext('2d').drawImage(sheet, 0, 0, 400, 560); return canvas.toDataURL(); })()"""
DRAWN = "document.documentElement?.dataset.drawn === location.hash"


@pytest.fixture(scope="module")
def page(browser: Browser, studio: StudioServer) -> Iterator[Page]:
    """One page for all tests; each begins with an address of its own."""
    found = browser.open(studio.url)
    found.wait(DRAWN)
    yield found
    assert found.errors() == []
    found.close()


@pytest.fixture
def at(page: Page) -> Page:
    """The page at the size of a desk."""
    page.shape(1300, 900)
    return page


def go(page: Page, studio: StudioServer, fragment: str) -> None:
    """Follow a link to an address of the studio, and wait until it is drawn or refused."""
    page.eval(
        f"""(() => {{ delete document.documentElement.dataset.drawn;
        if (location.hash === {fragment!r}) location.reload(); else location.hash = {fragment!r}; }})()"""
    )
    page.wait(DRAWN)


def downloaded(path: Path, size: int) -> bytes:
    """Return a file that is being downloaded, once it has its size."""
    until = monotonic() + 20
    while not path.exists() or path.stat().st_size < size:
        assert monotonic() < until, f"{path.name} does not come"
        sleep(0.02)
    return path.read_bytes()


def settled(page: Page, command: str) -> None:
    """Wait for the drawing that this command makes."""
    page.wait(f"{COMMAND} === {command!r} && {DRAWN}")


def test_designing_a_set_of_tiles(at: Page, studio: StudioServer, tmp_path: Path) -> None:
    go(at, studio, "#hex-lightning")
    assert at.eval(STATUS) == "2 pages · 66 tiles"
    at.click("#forward")
    at.wait("document.getElementById('pages').value === '2' && " + DRAWN)
    assert "80 fill a sheet" in at.eval("document.getElementById('notes').textContent")
    at.click("#c-shape label:nth-child(2)")
    settled(at, "pnp build hex-lightning --shape square")
    kinds = "[...document.querySelectorAll('.kind .name')].map(e => e.textContent).join()"
    assert at.eval(kinds) == "VV2,MM1,MM2,VM2L,VM2R,P1"
    at.wait("[...document.querySelectorAll('.kind img')].every(e => e.complete && e.naturalWidth)")
    at.click(".kind:nth-child(6) .step:last-child")
    settled(at, "pnp build hex-lightning --shape square --count P1=7")
    assert at.eval(STATUS) == "1 page · 37 tiles"
    at.type(".kind:nth-child(1) input", "0")
    at.click("#c-coloured .switch")
    at.choose("#o-theme", "colour-blind")
    settled(
        at,
        "pnp build hex-lightning --shape square --count P1=7 --count VV2=0 --coloured --theme colour-blind",
    )
    address = at.eval("location.href")
    before = at.eval(PICTURE)
    at.go(address)
    at.wait(DRAWN)
    assert at.eval(PICTURE) == before
    assert len(before) > 10_000
    assert at.eval("document.querySelector('.kind:nth-child(6) input').value") == "7"
    assert at.eval("document.getElementById('o-coloured').checked")
    at.click("#copy")
    at.wait("document.getElementById('told').textContent")
    at.click("#c-coloured .reset")
    at.click("#c-count .reset")
    settled(at, "pnp build hex-lightning --shape square --theme colour-blind")
    at.click("#reset")
    settled(at, "pnp build hex-lightning")
    at.eval("history.back()")
    settled(at, "pnp build hex-lightning --shape square --theme colour-blind")


def test_sheets_to_colour(at: Page, studio: StudioServer, tmp_path: Path) -> None:
    go(at, studio, "#mini-hex")
    assert at.eval(STATUS) == "1 page · 12 boards"
    at.click("#o-size")
    at.press("ArrowDown")
    at.press("ArrowDown")
    settled(at, "pnp build mini-hex --size 5")
    at.click("#c-pen label:nth-child(2)")
    settled(at, "pnp build mini-hex --size 5 --pen crayon")
    at.choose("#o-puzzles", "puzzles.txt")
    at.wait(f"{COMMAND}.includes('--puzzles puzzles.txt') && {DRAWN}")
    assert "puzzle" in at.eval(STATUS)
    at.type("#c-puzzles textarea", "..../.r../..b./.... | z9")
    at.wait("!document.querySelector('#c-puzzles .fault').hidden")
    fault = at.eval("document.querySelector('#c-puzzles .fault').textContent")
    assert "'z9' is no cell of a board of 4" in fault
    assert at.eval("document.querySelector('#c-puzzles textarea').getAttribute('aria-invalid')")
    at.type("#c-puzzles textarea", "..../.r../..b./.... | c1")
    at.wait(
        f"document.getElementById('faults').hidden && {STATUS}.startsWith('2 pages') && {DRAWN}"
    )
    address = at.eval("location.href")
    at.go(address)
    at.wait(DRAWN)
    assert "| c1" in at.eval("document.querySelector('#c-puzzles textarea').value")


def test_what_does_not_fit_is_told_and_mended_by_a_click(at: Page, studio: StudioServer) -> None:
    go(at, studio, "#hex")
    at.type("#o-cell-size", "30mm")
    at.wait("!document.querySelector('#c-cell-size .fault').hidden")
    assert at.eval("document.body.classList.contains('stale')")
    alert = at.eval("document.querySelector('[role=alert]').textContent")
    assert "largest" in alert
    assert alert.startswith("⚠ --cell-size Hex 11 × 11 with ")
    at.click("#c-cell-size .fix")
    settled(at, "pnp build hex --cell-size '15 mm'")
    assert at.eval("document.querySelector('#c-cell-size .fault').hidden")
    at.click("#c-stones .switch")
    at.type("#o-stone-size", "much")
    at.wait("!document.querySelector('#c-stone-size .fault').hidden")
    assert "write it as 8mm" in at.eval(
        "document.querySelector('#c-stone-size .fault').textContent"
    )
    go(at, studio, "#hex?bleed=1mm")
    at.wait("!document.getElementById('faults').hidden")
    alert = at.eval("document.querySelector('[role=alert]').textContent")
    assert alert.startswith("⚠ --bleed 1 mm needs ")


def test_a_set_as_text_begins_with_the_set_that_is_chosen(at: Page, studio: StudioServer) -> None:
    go(at, studio, "#hex-lightning?shape=triangle&count=VM2%3D9&board=none&paper=letter")
    tiles = at.eval(STATUS)
    at.choose("#o-set", "set.toml")
    settled(at, "pnp build hex-lightning --set set.toml --board none --paper letter")
    assert at.eval(STATUS) == tiles
    text = at.eval("document.querySelector('#c-set textarea').value")
    assert 'shape = "triangle"' in text
    assert "VM2 = 9" in text
    assert at.eval("document.querySelectorAll('.kind').length") == 3


@pytest.mark.parametrize(
    ("fragment", "file"),
    [
        ("#hex?size=5&title=a%20%27b%27", "hex.pdf"),
        pytest.param("#hex?size=5&format=svg", "hex.svg", marks=pytest.mark.long),
        pytest.param("#hex?size=5&format=png&dpi=40", "hex.png", marks=pytest.mark.long),
    ],
)
def test_what_is_downloaded_is_what_the_command_makes(
    at: Page,
    studio: StudioServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fragment: str,
    file: str,
) -> None:
    go(at, studio, fragment)
    at.downloads(tmp_path)
    at.click("#download")
    at.wait(f"document.getElementById('told').textContent.startsWith('{file}')")
    command = shlex.split(at.eval(COMMAND))
    monkeypatch.chdir(tmp_path)
    assert run(command[1:]) == 0
    made = tmp_path / "output" / file
    assert downloaded(tmp_path / file, made.stat().st_size) == made.read_bytes()


@pytest.mark.long
def test_every_component_by_its_tab(at: Page, studio: StudioServer) -> None:
    go(at, studio, "#hex?theme=grey")
    for name in names()[1:]:
        at.click(f"#components a[data-name={name}]")
        at.wait(
            f"{COMMAND}.startsWith('pnp build {name}') && {COMMAND}.endsWith('--theme grey') && {DRAWN}"
        )
        assert re.match(r"\d+ page", at.eval(STATUS))
        assert at.eval("document.getElementById('faults').hidden")
    at.choose("#examples", at.eval("document.getElementById('examples').options[1].value"))
    at.wait(f"{COMMAND} !== '' && {DRAWN}")
    go(at, studio, "#kit")
    settled(at, "pnp build kit --game spiral")


def test_an_address_cannot_bring_script_in(at: Page, studio: StudioServer) -> None:
    evil = "<img src=x onerror=window.hit=1>\"'</title><script>window.hit=1</script>"
    for fragment in (
        f"#hex?title={quote(evil)}",
        f"#hex?size={quote(evil)}",
        f"#hex?{quote(evil)}=1",
        f"#{quote(evil)}",
        f"#hex-lightning?count={quote(evil)}",
        f"#hex-lightning?set=set.toml&set.text={quote(evil)}",
        "#hex?__proto__=1&constructor=2",
        "#%E0%A4%A",
        "#constructor?toString=1",
        "#hex-lightning?count=__proto__%3D1,toString%3D2",
    ):
        go(at, studio, fragment)
        assert at.eval("window.hit === undefined")
        assert at.eval("document.querySelectorAll('img[src=x], section script').length") == 0


CONTRAST = """(() => {
  const lum = (c) => { const f = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * f[0] + .7152 * f[1] + .0722 * f[2]; };
  const parse = (s) => s.match(/[\\d.]+/g).map(Number);
  const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > .9) return c.slice(0, 3); } return [255, 255, 255]; };
  let worst = [99, ''], wide = [];
  for (const e of document.querySelectorAll('body *')) {
    if (!e.checkVisibility({opacityProperty: true}) || e.closest(':disabled, .hidden, .skip')) continue;
    const box = e.getBoundingClientRect();
    if (box.right > innerWidth + 1 && !e.closest('nav, textarea, #desk')) wide.push(e.outerHTML.slice(0, 80));
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const a = lum(parse(getComputedStyle(e).color).slice(0, 3)), b = lum(ground(e));
    const c = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (c < worst[0]) worst = [c, e.outerHTML.slice(0, 80)];
  }
  return {worst, wide, scroll: document.documentElement.scrollWidth}; })()"""

FOCUS = """(e => [e.closest('.control')?.id || e.id || e.dataset.name || e.tagName,
  getComputedStyle(e.closest('.segments label')?.querySelector('span') ?? e).outlineStyle])(document.activeElement)"""

UNNAMED = """[...document.querySelectorAll('input, select, textarea, button')].filter(e =>
  !e.closest('[aria-hidden=true]') && !e.labels?.length && !e.getAttribute('aria-label') &&
  !e.textContent.trim()).map(e => e.outerHTML.slice(0, 90))"""


@pytest.mark.parametrize(
    ("width", "dark"),
    [
        (390, False),
        (1000, True),
        pytest.param(390, True, marks=pytest.mark.long),
        pytest.param(1000, False, marks=pytest.mark.long),
    ],
)
def test_it_is_readable_on_phone_and_desk_by_day_and_night(
    at: Page, studio: StudioServer, width: int, dark: bool
) -> None:
    at.shape(width, 844, dark=dark)
    go(at, studio, "#hex-lightning?count=P1%3D3&bleed=1mm")
    at.eval("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = at.eval(CONTRAST)
    assert found["worst"][0] >= 4.5, found["worst"]
    assert found["wide"] == []
    assert found["scroll"] <= width
    tab = "document.querySelector('[aria-current]').getBoundingClientRect()"
    assert at.eval(f"{tab}.left >= 0 && {tab}.right <= innerWidth")
    assert at.eval(UNNAMED) == []
    go(at, studio, "#hex-lightning?page=2")
    box = at.eval(
        "(b => [b.width, b.height, b.left, b.right, b.bottom])"
        "(document.getElementById('sheet').getBoundingClientRect())"
    )
    assert box[0] / box[1] == pytest.approx(210 / 297, rel=0.01)
    assert box[1] >= 250
    assert box[2] >= 0
    assert box[3] <= width
    assert box[4] <= 844


@pytest.mark.long
def test_by_the_keyboard_alone(at: Page, studio: StudioServer) -> None:
    at.go(studio.url + "#hex-lightning")
    at.wait(DRAWN)
    seen = []
    for _ in range(60):
        at.press("Tab")
        where, outline = at.eval(FOCUS)
        seen.append(where)
        assert outline != "none", where
        if where == "c-nodes":
            at.press(" ")
            break
    assert seen[0] == "skip"
    assert {"hex", "examples", "c-shape", "c-tile-size", "c-count", "c-blanks"} <= set(seen)
    settled(at, "pnp build hex-lightning --nodes")


def test_the_latest_wins_while_a_slider_is_drawn(at: Page, studio: StudioServer) -> None:
    go(at, studio, "#hex")
    at.eval(
        """(async () => { const s = document.querySelector('#c-size input[type=range]');
        for (let n = 2; n <= 30; n++) { s.value = n; s.dispatchEvent(new Event('input', {bubbles: true}));
          await new Promise(r => setTimeout(r, 8)); } })()"""
    )
    settled(at, "pnp build hex --size 30")
    title = at.eval("document.getElementById('sheet').alt")
    assert title.startswith("Hex 30 × 30")


def test_the_address_holds_the_last_of_many_changes(at: Page, studio: StudioServer) -> None:
    """Browsers let an address change so often only: Chromium in silence, Safari with an error."""
    go(at, studio, "#hex")
    at.eval(
        """(() => { const put = history.replaceState.bind(history); let left = 5;
        history.replaceState = (...given) => {
          if (left-- > 0) put(...given); else throw new DOMException('too often', 'SecurityError'); };
        const s = document.querySelector('#c-size input[type=range]');
        for (let n = 2; n <= 30; n++) { s.value = n; s.dispatchEvent(new Event('input', {bubbles: true})); }
        setTimeout(() => { history.replaceState = put; }, 1500); })()"""
    )
    at.wait("location.hash === '#hex?size=30'")
    settled(at, "pnp build hex --size 30")


def test_a_text_that_comes_when_it_is_no_longer_wanted(at: Page, studio: StudioServer) -> None:
    go(at, studio, "#hex-lightning?each=4")
    at.choose("#o-set", "set.toml")
    at.eval("document.querySelector('#components a[data-name=hex]').click()")
    settled(at, "pnp build hex")
    at.eval("document.querySelector('#components a[data-name=hex-lightning]').click()")
    settled(at, "pnp build hex-lightning --each 4")
