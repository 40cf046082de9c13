"""What the command says of itself, and what it loads for that."""

from __future__ import annotations

import subprocess
import sys

import pytest

from referee import pages
from referee.cli import COMMANDS
from tests.referee.cli.run import referee

HEAVY = (
    "reportlab",
    "svgwrite",
    "cairosvg",
    "pypdfium2",
    "sqlalchemy",
    "jinja2",
    "referee.judge",
    "pnp.fonts",
)


def test_help_lists_all_commands_and_loads_none() -> None:
    code = (
        "import sys\nfrom referee.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(*sorted(m for m in sys.modules if '.' not in m or m.startswith(('referee', 'pnp'))))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    loaded = set(out.splitlines()[-1].split())
    assert not loaded & set(HEAVY)
    assert {m for m in loaded if m.startswith("referee.cli")} == {"referee.cli"}
    for name, entry in COMMANDS.items():
        assert f"  {name} " in out
        assert entry.help.split()[0] in out


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself(name: str) -> None:
    result = referee(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: referee " + name)


@pytest.mark.parametrize(
    ("typed", "meant"), [("adjudicte", "adjudicate"), ("diagarm", "diagram"), ("strat", "start")]
)
def test_a_mistyped_command_gets_a_suggestion(typed: str, meant: str) -> None:
    result = referee(typed)
    assert result.exit_code == 2
    assert f"do you mean '{meant}'?" in result.stderr


def test_a_mistyped_game_gets_a_suggestion() -> None:
    result = referee("help", "sprial")
    assert result.exit_code == 2
    assert "do you mean Spiral?" in result.stderr


@pytest.mark.parametrize("game", ["hex", "Focus", "lightning", "SPIRAL"])
def test_the_page_of_a_game(game: str) -> None:
    result = referee("help", game)
    assert result.exit_code == 0
    assert result.stdout.lower().startswith(game.lower())
    assert max(map(len, result.stdout.splitlines())) <= 80
    for sign in ("**", "```", "\n#", "\x1b"):
        assert sign not in result.stdout


def test_markdown_becomes_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "# A game\n\nSome **strong** words and `code` that are too long for one line of this width.\n\n"
        "- one item that is long enough to be wrapped\n- two\n\n```\n  a b\n\n  c\n```\n\n"
        "| sign | what |\n|---|---|\n| `f6` | a stone |\n"
    )
    monkeypatch.setattr(pages, "read_text", lambda *parts: source)
    lines = pages.page("any", 40).splitlines()
    assert lines[:2] == ["A game", "======"]
    assert "Some strong words and code that are too" in lines
    assert "- one item that is long enough to be" in lines
    assert "  wrapped" in lines
    assert "      a b" in lines
    assert "sign  what" in lines
    assert "f6    a stone" in lines
    assert "\x1b[1mstrong\x1b[0m" in pages.page("any", 40, bold=True)
