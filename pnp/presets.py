"""Options in TOML files: presets for `--preset`, and the catalogue of `pnp build all`.

A preset has options at its top, as on the command line without dashes, and may have a table for a
component:

    paper = "a3"
    cell-size = "12mm"      # cell_size will do

    [hex]
    size = 13

What stands in a component's table goes before what stands at the top, and the command line before
both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pnp import resources
from pnp.errors import FileError, PnpError
from pnp.options import COMMON, Option, suggestion


def shipped(path: Path) -> Path:
    """Return the path of a preset that comes with the house where `path` is its bare name and no
    file of the user's; else `path`.
    """
    if path.suffix or len(path.parts) != 1 or path.exists():
        return path
    found = resources.templates() / "presets" / f"{path}.toml"
    return found if found.is_file() else path


def read_preset(
    path: Path, own: Mapping[str, Sequence[Option]], others: Sequence[str] = ()
) -> dict[str, dict[str, object]]:
    """Return raw values by component and option name.

    `own` are the options of the components that are built, `others` the names of all components,
    whose tables are left alone. Raises FileError where the file cannot be read and PnpError, with
    the file's name, for what is no TOML and for a name that is no option.
    """
    path = shipped(path)
    data = read_toml(path, "preset")
    common = {option.name for option in COMMON}
    named = {name: common | {o.name for o in options} for name, options in own.items()}
    known = set().union(common, *named.values())
    result: dict[str, dict[str, object]] = {name: {} for name in own}
    for key, value in data.items():
        option = key.replace("_", "-")
        if option in known:
            for name in own:
                if option in named[name]:
                    result[name].setdefault(option, value)
        elif not isinstance(value, dict) or key not in (*own, *others):
            hint = suggestion(option, (*known, *others))
            raise PnpError(f"{path}: {key!r} is no option{hint}")
    for name in own:
        table = data.get(name, {})
        if isinstance(table, dict):
            result[name].update(_table(table, named[name], f"{path}: [{name}]"))
    return result


def _table(table: Mapping[str, object], known: set[str], where: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in table.items():
        option = key.replace("_", "-")
        if option not in known:
            raise PnpError(f"{where}: {key!r} is no option{suggestion(option, known)}")
        found[option] = value
    return found


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the catalogue: the file's name without suffix, what it shows, and raw options."""

    file: str
    component: str
    about: str = ""
    options: Mapping[str, object] = field(default_factory=dict)


def catalogue() -> tuple[Entry, ...]:
    """Return what `pnp build all` makes, from templates/presets/catalogue.toml.

    Raises PnpError where that file has been spoilt.
    """
    source = "catalogue.toml"
    data = resources.parse_toml(resources.read_text("presets", source), source)
    entries: list[Entry] = []
    items = data.get("item", [])
    if not isinstance(items, list):
        raise PnpError(f"{source}: item is no list; write [[item]]")
    for number, item in enumerate(items, 1):
        where = f"{source}: item {number}"
        if not isinstance(item, dict) or not isinstance(item.get("component"), str):
            raise PnpError(f'{where} has no component = "NAME"')
        options = item.get("options", {})
        if not isinstance(options, dict):
            raise PnpError(f"{where}: options is no table")
        names = {key.replace("_", "-"): value for key, value in options.items()}
        file = str(item.get("file", item["component"]))
        entries.append(Entry(file, item["component"], str(item.get("about", "")), names))
    if not entries:
        raise PnpError(f"{source}: it lists nothing; write [[item]]")
    return tuple(entries)


def read_toml(path: Path, what: str) -> dict[str, object]:
    """Return a TOML file of the user's. Raises FileError and PnpError that name it and say `what`
    it was to be.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: the {what} is not UTF-8 text") from error
    except OSError as error:
        raise FileError(f"{path}: the {what} cannot be read: {error.strerror}") from error
    return resources.parse_toml(text, str(path))
