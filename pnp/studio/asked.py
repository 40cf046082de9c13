"""What a page asks for, untrusted, becomes Options, or faults that say where and what would be
right.

No path from a page is ever opened: where an option takes a file, it takes the name of one that is
shipped, or the text itself, which is written under a name of ours into a folder of ours.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pnp.errors import FitError, PnpError
from pnp.games import Component, component
from pnp.options import Option, Options, Value, suggestion
from pnp.resources import find
from pnp.studio.controls import TEXTS, options_of, shipped

LONGEST = 4000
"""Characters of one value; texts may be longer."""
LONGEST_TEXT = 100_000

MOST_VALUES = 200
"""Values of one task; a component has some fifty options."""

_MENTION = re.compile(r"--(?:no-)?([a-z][a-z-]*)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_ENDLESS = re.compile(r"(\S{300})\S{300,}")
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


class Fault(NamedTuple):
    """What is wrong: the option whose control shows it, "" for none, and a value that would do."""

    message: str
    option: str = ""
    fix: str = ""


class Refused(Exception):  # noqa: N818 - it is an answer, not an error
    """A page asks for what cannot be drawn."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].message)
        self.faults = faults


class Asked(NamedTuple):
    """What is to be drawn: a component, its options, and what was given of them: as it was written,
    and typed.
    """

    component: Component
    options: Options
    given: Mapping[str, object]
    typed: Mapping[str, Value]

    def command(self) -> str:
        """Return the command line that makes the same, quoted for sh."""
        words = ["pnp", "build", self.component.name]
        for name, raw in self.given.items():
            if isinstance(raw, bool):
                words.append(f"--{name}" if raw else f"--no-{name}")
            elif isinstance(raw, Mapping):
                for kind, number in raw.items():
                    words += [f"--{name}", f"{kind}={number}"]
            elif str(raw).startswith("-"):
                words.append(f"--{name}={raw}")
            else:
                words += [f"--{name}", str(raw)]
        return shlex.join(words)


def read(task: Mapping[str, object], folder: Path, environ: Mapping[str, str]) -> Asked:
    """Return what `task` asks for: its "component", "values" by option and "texts" by option.

    Texts are written into `folder`. Raises Refused with one fault for each value that is wrong.
    """
    name, values, texts = task.get("component"), task.get("values", {}), task.get("texts", {})
    if not isinstance(name, str) or not isinstance(values, dict) or not isinstance(texts, dict):
        raise Refused(Fault("this is no drawing that can be asked for"))
    try:
        found = component(name[:100])
    except PnpError as error:
        raise Refused(Fault(str(error))) from None
    if len(values) > MOST_VALUES:
        raise Refused(Fault(f"that are {len(values)} values; {MOST_VALUES} are enough"))
    known = options_of(found)
    given: dict[str, object] = {}
    typed: dict[str, Value] = {}
    faults: list[Fault] = []
    for key in [*(k for k in known if k in values), *(k for k in values if k not in known)]:
        try:
            if key not in known:
                near = suggestion(key[:100], known)
                raise PnpError(f"{found.name} has no option {key!r} here{near}")
            given[key] = raw = _clean(values[key])
            typed[key] = _typed(known[key], raw, texts.get(key), folder, environ)
        except PnpError as error:
            faults.append(Fault(_bare(str(error), key, folder), key if key in known else ""))
    if faults:
        raise Refused(*faults)
    try:
        options = Options(found.options, {**_printer(typed, environ), **typed}, environ)
    except PnpError as error:
        raise Refused(fault(error, known, folder)) from None
    return Asked(found, options, given, typed)


def fault(error: PnpError, known: Mapping[str, Option], folder: Path) -> Fault:
    """Return what went wrong in building, beside the first control that the message names, with the
    size that fits where the sheet found one.
    """
    message = str(error)
    named = [word for word in _MENTION.findall(message) if word in known]
    where = named[0] if named else ""
    bare = _bare(message, "", folder)
    for name, file in TEXTS.items():
        if name in known and bare.startswith((f"{file}:", f"{file} ")):
            where = name
    fix = ""
    if isinstance(error, FitError) and error.largest:
        size = next((word for word in named if known[word].kind == "length"), "")
        where, fix = size or where, f"{error.largest:g} mm" if size else ""
    return Fault(_bare(message, where, folder), where, fix)


def _bare(message: str, option: str, folder: Path) -> str:
    """Return a message without what the page shows anyway: which option it is, where texts lie; and
    without the middle of a word that never ends.
    """
    return _ENDLESS.sub(
        r"\1…",
        message.replace(f"{folder.as_posix()}/", "")
        .replace(f"{folder}\\", "")
        .removeprefix(f"--{option}: "),
    )


def _clean(raw: object) -> object:
    """Return a value as a command line could hold it, stripped. Raises PnpError for another."""
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, dict):
        return {str(_clean(str(k))): _clean(str(v)) for k, v in list(raw.items())[:100]}
    if not isinstance(raw, str):
        raise PnpError(f"{raw!r} is no value; write a text")
    if len(raw) > LONGEST:
        raise PnpError(f"this is {len(raw)} characters long; {LONGEST} are enough")
    if _CONTROL.search(raw):
        raise PnpError("there is a character in it that cannot be written")
    return raw.strip()


def _typed(
    option: Option, raw: object, text: object, folder: Path, environ: Mapping[str, str]
) -> Value:
    """Return a value typed as the command line would. Raises PnpError."""
    own, names = TEXTS.get(option.name), shipped(option.name, environ)
    if own is None and names is None:
        if option.kind == "file":  # one that joins and is not named in TEXTS
            raise PnpError("no file is read here; take the command line")
        return option.parse(raw)
    if own is not None and raw == own:
        return option.parse(str(_write(folder / own, text)))
    if names is None or raw not in names:
        known = [*(names or ()), *([own] if own else [])]
        raise PnpError(f"{raw!r} is none of {', '.join(known)}{suggestion(str(raw), known)}")
    if option.name == "set":
        return find("presets", "tiles", f"{raw}.toml")
    return str(raw)


def _write(path: Path, text: object) -> Path:
    if not isinstance(text, str) or not text.strip():
        raise PnpError(f"write the text of {path.name}")
    if len(text) > LONGEST_TEXT:
        raise PnpError(f"{path.name} is {len(text)} characters long; {LONGEST_TEXT} are enough")
    if _NO_TEXT.search(text):
        raise PnpError(f"there is a character in {path.name} that cannot be written")
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def _printer(typed: Mapping[str, Value], environ: Mapping[str, str]) -> Mapping[str, Value]:
    if not typed.get("printer"):
        return {}
    from pnp import printers

    return printers.load(str(typed["printer"]), environ)
