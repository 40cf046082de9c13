"""What a registered game must have; the names of what it lacks."""

from __future__ import annotations

import inspect
import re
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from referee import report
from referee.core.game import Game
from referee.core.picture import Picture
from referee.core.verdict import CODES
from referee.games import REGISTRY, load, names
from tests.referee.games_at_play import SETUPS, WORDS

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data"
RULING = re.compile(r'"((?:all|hex|focus|lightning|spiral)-[a-z]+(?:-[a-z]+)*)"')


def lacks(slug: str, name: str) -> list[str]:
    """Return what a game lacks, in words."""
    wanted = {
        f"referee/games/{slug}/picture.py": find_spec(f"{REGISTRY[name]}.picture") is not None,
        f"templates/rules/{slug}.md": (ROOT / "templates" / "rules" / f"{slug}.md").is_file(),
        f"templates/examples/{slug}.moves": (
            ROOT / "templates" / "examples" / f"{slug}.moves"
        ).is_file(),
        f"tests/data/{slug}/cases.toml": (DATA / slug / "cases.toml").is_file(),
        f"tests/data/{slug}/ok": any((DATA / slug / "ok").glob("*.moves")),
        f"tests/data/{slug}/bad": any((DATA / slug / "bad").glob("*.moves")),
        f"tests/data/{slug}/perft.toml": (DATA / slug / "perft.toml").is_file(),
        f"tests/data/{slug}/playthrough": any((DATA / slug / "playthrough").glob("*.txt")),
        f"tests/referee/slow/{slug}.py": (
            ROOT / "tests" / "referee" / "slow" / f"{slug}.py"
        ).is_file(),
        "a setup in games_at_play.SETUPS": name in SETUPS,
        "its words in games_at_play.WORDS": name in WORDS,
    }
    return [what for what, there in wanted.items() if not there]


@pytest.mark.parametrize("name", names())
def test_a_game_has_all_that_a_game_has(name: str) -> None:
    game = load(name)
    assert game is not None
    assert game.name == name
    missing = lacks(game.slug, name)
    assert not missing, f"{name} lacks {', '.join(missing)}"


@pytest.mark.parametrize(
    ("kind", "protocol"), [("GAME", Game), ("PICTURE", Picture)], ids=["rules", "picture"]
)
@pytest.mark.parametrize("name", names())
def test_a_game_can_do_all_that_its_protocols_say(name: str, kind: str, protocol: type) -> None:
    module = import_module(REGISTRY[name] + (".picture" if kind == "PICTURE" else ""))
    found = getattr(module, kind)
    for wanted, spec in vars(protocol).items():
        if wanted.startswith("_"):
            continue
        assert hasattr(found, wanted), f"{name} has no {kind}.{wanted}"
        if callable(spec):
            want = list(inspect.signature(spec).parameters)[1:]
            assert len(inspect.signature(getattr(found, wanted)).parameters) == len(want)


@pytest.mark.parametrize("name", names())
def test_every_ruling_that_a_game_cites_has_its_words(name: str) -> None:
    folder = Path(inspect.getfile(import_module(REGISTRY[name]))).parent
    cited = {
        ruling
        for path in folder.glob("*.py")
        for ruling in RULING.findall(path.read_text(encoding="utf-8"))
    }
    assert cited
    dumb = sorted(ruling for ruling in cited if not report.ruling(ruling))
    assert not dumb


def test_every_ruling_of_the_rules_has_its_words(shared: Path) -> None:
    text = (shared / "spec" / "rules.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| ([a-z]+-[a-z-]+) \|", text, re.MULTILINE)
    assert len(told) > 40
    words = tomllib.loads(
        (ROOT / "templates" / "rules" / "rulings.toml").read_text(encoding="utf-8")
    )
    assert sorted(words["rulings"]) == sorted(told)


def test_every_code_of_the_notation_is_met_by_some_case() -> None:
    met = {
        case["code"]
        for table in DATA.glob("*/cases.toml")
        for case in tomllib.loads(table.read_text(encoding="utf-8")).values()
        if "code" in case
    }
    assert met == set(CODES)
