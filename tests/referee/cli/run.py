"""Running the `referee` command in tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

from click.testing import CliRunner, Result

from referee.cli import main

HEX = '[Game "Hex"]\n[First "Ann"]\n[Second "Bob"]\n[Size "3"]\n\n'
WON = HEX + "1. a1 b1 2. a2 b2 3. a3 1-0\n"
OPEN = HEX + "1. a1 b1 *\n"
FAULTY = HEX + "1. a1 b1 2. b1 *\n"


def referee(*args: str | Path) -> Result:
    """Run the command in this process; an exception that is no exit is raised."""
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def process(
    *args: str | Path,
    stdin: bytes = b"",
    stdout: int | IO[str] = subprocess.PIPE,
    cwd: Path | None = None,
    before: str = "",
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own; code in `before` runs there first."""
    root = Path(__file__).resolve().parents[3]
    return subprocess.run(
        [sys.executable, "-c", f"{before}\nfrom referee.cli import main; main()", *map(str, args)],
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(root), "COLUMNS": "80"},
        check=False,
    )
