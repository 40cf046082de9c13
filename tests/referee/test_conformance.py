"""The numbered cases of all games: short records with the verdict that the rules give them.

A game's cases lie in `tests/data/<slug>/`: each is one record, `ok/<name>.moves` (legal) or `bad/<name>.moves`
(refused), and `cases.toml` says of each, under its name, what must come out. A name is the game's letter, three
digits and a few words, `F012-name`; a number is never used again. The fields of a case:

    rule      the ruling of rules.md that the case is about, or "notation"
    why       the sentence from which the verdict follows
    legal     true in ok/, false in bad/
    plies, to_move, result, reason, position, needs     as in the JSON of notation.md
    code, ply, token     the fault's; only in bad/
    cites     the fault's `rule`

The text "null" stands for null, which TOML has not. Fields that are left out are not compared, but `rule`, `why`,
`legal` and `plies` are always there, and in bad/ `code`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.judge import judge
from referee.notation.moves import read, split

DATA = Path(__file__).resolve().parent.parent / "data"
RULING = re.compile(r"(?:all|hex|focus|lightning|spiral)-[a-z-]+|notation")
FIELDS = {"plies", "to_move", "result", "reason", "position", "needs"}
FAULT_FIELDS = {"code", "ply", "token", "cites"}
TABLES: dict[str, dict[str, dict[str, Any]]] = {
    path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted(DATA.glob("*/cases.toml"))
}
CASES = [(slug, name) for slug, table in TABLES.items() for name in table]


def verdict(path: Path) -> dict[str, Any]:
    """Return the JSON object of the one record in a file."""
    with path.open(encoding="utf-8", newline="") as lines:
        (source,) = split(lines, path.name)
    return judge(read(source)).as_json(path.name, 1)


@pytest.mark.parametrize(("slug", "name"), CASES, ids=[name for _, name in CASES])
def test_case(slug: str, name: str) -> None:
    case = TABLES[slug][name]
    assert set(case) <= {"rule", "why", "legal", *FIELDS, *FAULT_FIELDS}
    assert RULING.fullmatch(case["rule"])
    assert case["why"]
    said = verdict(DATA / slug / ("ok" if case["legal"] else "bad") / f"{name}.moves")
    fault = said.pop("error")
    assert said["legal"] == case["legal"], fault
    assert case["legal"] == (fault is None) == ("code" not in case)
    got = {
        **said,
        **{("cites" if key == "rule" else key): value for key, value in (fault or {}).items()},
    }
    want = {
        key: None if case[key] == "null" else case[key]
        for key in (FIELDS | FAULT_FIELDS) & set(case)
    }
    assert "plies" in want
    assert {key: got.get(key) for key in want} == want


@pytest.mark.parametrize("slug", TABLES)
def test_every_file_has_its_case(slug: str) -> None:
    for folder, legal in (("ok", True), ("bad", False)):
        files = {path.stem for path in (DATA / slug / folder).iterdir()}
        assert files == {name for name, case in TABLES[slug].items() if case["legal"] is legal}


@pytest.mark.parametrize("slug", TABLES)
def test_numbers_are_used_once(slug: str) -> None:
    numbers = Counter(name.partition("-")[0] for name in TABLES[slug])
    assert all(re.fullmatch(r"[A-Z][0-9]{3}", number) for number in numbers)
    assert max(numbers.values()) == 1


@pytest.mark.parametrize("slug", TABLES)
def test_half_of_the_cases_are_refusals(slug: str) -> None:
    refused = sum(not case["legal"] for case in TABLES[slug].values())
    assert 2 * refused >= len(TABLES[slug])
