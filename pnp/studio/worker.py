"""The process that draws. It reads tasks from standard input and writes answers to standard output;
the server can stop it at any moment, which is what makes a drawing that takes too long harmless.

A message is two lengths of four bytes each, a JSON object and bytes. The process ends with its
input, however the server ended.
"""

from __future__ import annotations

import json
import struct
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from pnp.studio.asked import Fault, Refused
from pnp.studio.drawing import Made, Studio

MEMORY = 3 * 1024**3
"""Address space in bytes; a page of 80 million pixels takes less than half."""

_LENGTHS = struct.Struct(">II")


def write_message(stream: IO[bytes], head: Mapping[str, object], data: bytes = b"") -> None:
    """Write one message. Raises OSError where nobody reads."""
    text = json.dumps(head).encode("ascii")
    stream.write(_LENGTHS.pack(len(text), len(data)) + text + data)
    stream.flush()


def read_message(stream: IO[bytes]) -> tuple[dict[str, object], bytes] | None:
    """Return the next message, None at the end of the stream."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head, data = _LENGTHS.unpack(lengths)
    text, rest = stream.read(head), stream.read(data)
    if len(text) < head or len(rest) < data:
        return None
    found: dict[str, object] = json.loads(text)
    return found, rest


def told(*faults: Fault) -> dict[str, object]:
    """Return faults as an answer holds them."""
    return {"faults": [fault._asdict() for fault in faults]}


def answer(studio: Studio, task: Mapping[str, object]) -> Made:
    """Return the answer to a task; what is wrong is an answer too."""
    try:
        return studio.answer(task)
    except Refused as refused:
        return Made(told(*refused.faults))
    except MemoryError:
        return Made(told(Fault("this takes more memory than the studio has; take fewer or less")))
    except Exception:  # a bug: whoever runs the studio sees it, the page goes on
        traceback.print_exc()
        return Made(told(Fault("the studio stumbled; its terminal says over what")))


def work(tasks: IO[bytes], answers: IO[bytes], folder: Path) -> None:
    """Answer tasks until they end."""
    studio = Studio(folder)
    while (message := read_message(tasks)) is not None:
        made = answer(studio, message[0])
        write_message(answers, made.facts, made.data)


def main() -> None:
    """Work for the server that started this process."""
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    out = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints must not spoil an answer
    with suppress(BrokenPipeError, KeyboardInterrupt):
        work(sys.stdin.buffer, out, Path(sys.argv[1]))


if __name__ == "__main__":
    main()
