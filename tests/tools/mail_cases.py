"""The situations of mail cases, each with the tests that name it, as one page.

`python -m tests.tools.mail_cases` writes `tests/data/MAIL_CASES.md`. A test names a case in its name (`test_m8_…`), or
as `M8` in its docstring, its comments or its data.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
TABLE = TESTS / "data" / "mail-cases.toml"
PAGE = TESTS / "data" / "MAIL_CASES.md"
HEAD = """# Mail cases

What users of play-by-mail servers and mail robots ran into, what is right here, and the tests that hold the club to
it. Written by `python -m tests.tools.mail_cases`.

| case | what holds | tests |
|---|---|---|
"""

_IN_NAME = re.compile(r"(?<=_)m([0-9]{1,3})(?=_)")
_IN_TEXT = re.compile(r"\bM([0-9]{1,3})\b")


def cases() -> dict[str, dict[str, str]]:
    """Return the cases: by number, what holds and a note."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def named() -> dict[str, list[str]]:
    """Return the tests that name each case, in order of their files."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        if path.name != "test_mail_cases.py":
            for case, test in _in_file(path):
                found[case].append(test)
    return found


def _in_file(path: Path) -> Iterator[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    if not (_IN_NAME.search(text) or _IN_TEXT.search(text)):
        return
    lines = text.splitlines()
    where = path.relative_to(TESTS).as_posix()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
            source = "\n".join(lines[first : node.end_lineno])
            numbers = {*_IN_NAME.findall(node.name), *_IN_TEXT.findall(source)}
            for number in sorted(numbers, key=int):
                yield f"M{number}", f"`{where}::{node.name}`"


def page() -> str:
    """Return the page as Markdown."""
    tests = named()
    out = HEAD
    for case, told in cases().items():
        note = f" ({told['note']})" if "note" in told else ""
        out += f"| {case} | {told['what']}{note} | {'<br>'.join(tests[case])} |\n"
    return out


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
