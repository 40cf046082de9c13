"""The conformance cases of all games as one page that another implementer can use.

`python -m tests.tools.conformance_page` writes `tests/data/CONFORMANCE.md` from the cases' files.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "data"
PAGE = DATA / "CONFORMANCE.md"
GAMES = ("hex", "focus", "lightning", "spiral")
HEAD = """# Conformance cases

Short records of Hex, Focus, Lightning and Spiral with the verdict that the rules give them. Each case has a number
for good, the ruling it is about, and the reason in a sentence. A program that judges such records agrees with this
one if it gives the same verdict to each. The fields: `plies` legal plies, `to_move`, `result`, `reason`, `position`,
`needs`, and of a fault `code`, `ply` and `token`; null where there is none. Fields that a case does not name are free.

Where the rules can be read two ways, the ruling says which way was taken; cases named after such a ruling are the
disputed points.
"""


def page() -> str:
    """Return the page as Markdown."""
    out = [HEAD]
    for slug in GAMES:
        table: dict[str, dict[str, Any]] = tomllib.loads(
            (DATA / slug / "cases.toml").read_text(encoding="utf-8")
        )
        refused = sum(not case["legal"] for case in table.values())
        out.append(f"## {slug.capitalize()}\n\n{len(table)} cases, {refused} of them refusals.\n")
        for name, case in table.items():
            number, _, words = name.partition("-")
            record = (DATA / slug / ("ok" if case["legal"] else "bad") / f"{name}.moves").read_text(
                encoding="utf-8"
            )
            out.append(
                f"### {number} {words.replace('-', ' ')}\n\nRuling `{case['rule']}`: {case['why']}.\n"
            )
            out.append(f"```\n{record.strip()}\n```\n")
            verdict = "legal" if case["legal"] else f"refused, `{case['code']}`"
            rest = [
                f"{field} {'null' if case[field] == 'null' else f'`{case[field]}`'}"
                for field in (
                    "ply",
                    "token",
                    "plies",
                    "to_move",
                    "result",
                    "reason",
                    "needs",
                    "position",
                )
                if field in case
            ]
            out.append(f"**{verdict}**; " + ", ".join(rest) + "\n")
    return "\n".join(out)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
