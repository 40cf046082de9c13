"""Printer profiles: what was measured of a printer, kept in a file apart from all templates (P33).

A profile NAME is the file NAME.toml in the folder PNP_PRINTERS, else in `pnp/printers` of the
user's folder of configurations:

    back-offset = [0.5, -1.0]    # right, up, in mm, as one looks at the back
    scale-x = 1.004
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from pnp.errors import FileError, PnpError
from pnp.options import COMMON, Value, suggestion
from pnp.presets import read_toml

KEPT = ("front-offset", "back-offset", "back-rotate", "scale-x", "scale-y")
"""The options that a profile may hold."""

_OPTIONS = {option.name: option for option in COMMON if option.name in KEPT}
_NAME = re.compile(r"\w[\w .-]*")


def folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of profiles, whether or not it is there."""
    if environ.get("PNP_PRINTERS"):
        return Path(environ["PNP_PRINTERS"])
    if environ.get("XDG_CONFIG_HOME"):
        base = Path(environ["XDG_CONFIG_HOME"])
    elif os.name == "nt" and environ.get("APPDATA"):
        base = Path(environ["APPDATA"])
    else:
        base = Path(environ.get("HOME") or os.path.expanduser("~")) / ".config"
    return base / "pnp" / "printers"


def find(name: str, environ: Mapping[str, str]) -> Path:
    """Return the file of a profile: of a name, or the file itself where the name ends in `.toml`.

    Raises PnpError for a name that is none.
    """
    if name.lower().endswith(".toml"):
        return Path(name)
    if not _NAME.fullmatch(name) or name.endswith("."):
        raise PnpError(f"--printer: {name!r} is no name; write letters and digits, such as office")
    return folder(environ) / f"{name}.toml"


def load(name: str, environ: Mapping[str, str]) -> dict[str, Value]:
    """Return the options that a profile holds, typed.

    Raises FileError where there is none of this name, PnpError where its file has been spoilt.
    """
    path = find(name, environ)
    if not path.exists():
        known = sorted(p.stem for p in path.parent.glob("*.toml"))
        hint = suggestion(name, known) or "; measure it with `pnp calibrate`"
        raise FileError(f"--printer: there is no {path}{hint}")
    data = {key.replace("_", "-"): raw for key, raw in read_toml(path, "printer profile").items()}
    for key in data:
        if key not in _OPTIONS:
            hint = suggestion(key, KEPT) or f"; it may hold {', '.join(KEPT)}"
            raise PnpError(f"{path}: {key!r} is nothing that a printer profile holds{hint}")
    try:
        return {key: _OPTIONS[key].parse(raw) for key, raw in data.items()}
    except PnpError as error:
        raise PnpError(f"{path}: {error}") from None


def save(name: str, values: Mapping[str, Value], environ: Mapping[str, str]) -> Path:
    """Keep values in a profile, beside those that it holds already, and return its file.

    Raises FileError where it cannot be written, and what `load` raises for a spoilt file.
    """
    from pnp.backends.files import write_bytes

    path = find(name, environ)
    held = load(name, environ) if path.exists() else {}
    lines = [f"# The printer {path.stem}, for pnp build --printer; lengths in mm, right and up"]
    lines += [f"{key} = {_toml(value)}" for key, value in sorted({**held, **values}.items())]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder {path.parent} cannot be made: {error.strerror}") from error
    write_bytes(path, ("\n".join(lines) + "\n").encode("utf-8"))
    return path


def _toml(value: Value) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(f"{number:.6g}" for number in value) + "]"
    return f'"{value}"' if isinstance(value, str) else f"{value:.9g}"
