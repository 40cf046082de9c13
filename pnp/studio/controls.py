"""The options of all components as data for the page: the very options of the command line, said
so that a page can make controls of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypedDict, cast

from pnp import printers, themes
from pnp.games import Component, component, names
from pnp.games.hex_lightning.sets import RULES, SAVED
from pnp.options import COMMON, Option
from pnp.presets import catalogue
from pnp.resources import find, read_text
from pnp.units import format_mm

LEFT_OUT = {
    "output": "the browser asks where a file goes",
    "font": "no path of a page is ever opened",
}
"""Options that the studio has not, and why."""

TEXTS = {
    "theme": "theme.toml",
    "set": "set.toml",
    "puzzles": "puzzles.txt",
    "layout": "layout.toml",
}
"""Options that take a file: on the page its text is written, and the command line calls it so."""

_SAMPLES = {
    "theme": ("studio", "theme.toml"),
    "set": ("presets", "tiles", "standard.toml"),
    "puzzles": ("studio", "puzzles.txt"),
    "layout": ("spiral", "standard.toml"),
}
"""The templates with which such a text begins."""

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Paper", ("paper", "orientation", "margin", "copies", "split", "overlap")),
    ("Look", ("theme", "labels", "title")),
    ("Cutting", ("marks", "gutter", "bleed", "nest", "single", "cut-layer", "cut-only", "cut-width")),
    (
        "Backs and printer",
        ("backs", "front-offset", "back-offset", "back-rotate", "scale-x", "scale-y", "printer"),
    ),
    ("File", ("format", "dpi", "transparent")),
)  # fmt: skip
"""How the common options stand together; those that are not named stand under "More"."""

OWN = "Design"
"""The group of a component's own options."""
MORE = "More"

_SETS = ("presets", "tiles")


class Control(TypedDict):
    """One control. `default` is as it would be written, None for none; `choices` are all that may
    be taken where the kind is "choice", "file" or "several" (words with commas between), for
    "counts" the kinds, else what is offered;
    `text` is the name of the file that may be written on the page instead, "" for none, `sample`
    how it begins, and `holds` are the options whose values it has from then on.
    """

    name: str
    label: str
    help: str
    kind: str
    group: str
    default: str | bool | None
    choices: list[str]
    least: float | None
    most: float | None
    text: str
    sample: str
    holds: list[str]


class Example(TypedDict):
    """An entry of the catalogue: what it shows, and what is given for it."""

    name: str
    about: str
    component: str
    values: dict[str, object]


def options_of(found: Component) -> dict[str, Option]:
    """Return the options that the studio has of a component, by name: its own, then the common."""
    every = {o.name: o for o in found.options} | {
        o.name: o for o in COMMON if o.name not in {own.name for own in found.options}
    }
    return {name: option for name, option in every.items() if name not in LEFT_OUT}


def shipped(option: str, environ: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the names that may stand for a file: themes, sets of tiles, the printers that were
    measured on this machine; None for an option that has none.
    """
    if option == "theme":
        return themes.NAMES
    if option == "set":
        return tuple(sorted(path.stem for path in find(*_SETS).glob("*.toml")))
    if option == "printer":
        return tuple(sorted(path.stem for path in printers.folder(environ).glob("*.toml")))
    return None


def controls(found: Component, environ: Mapping[str, str]) -> list[Control]:
    """Return a component's controls in the order of the help."""
    own = {option.name for option in found.options}
    return [
        _control(option, OWN if option.name in own else _group(option.name), environ)
        for option in options_of(found).values()
    ]


def page_data(environ: Mapping[str, str]) -> dict[str, object]:
    """Return all components with their controls, and the examples, as the page wants them."""
    return {
        "components": [
            {"name": found.name, "help": found.help, "controls": controls(found, environ)}
            for found in map(component, names())
        ],
        "examples": [
            Example(
                name=entry.file,
                about=entry.about or component(entry.component).help,
                component=entry.component,
                values={name: _raw(value) for name, value in entry.options.items()},
            )
            for entry in catalogue()
        ],
    }


def _raw(value: object) -> object:
    """Return a value from TOML as the page would give it."""
    if isinstance(value, bool):
        return value
    if isinstance(value, dict):
        return {str(key): str(number) for key, number in value.items()}
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _group(name: str) -> str:
    return next((group for group, members in GROUPS if name in members), MORE)


def _control(option: Option, group: str, environ: Mapping[str, str]) -> Control:
    files = shipped(option.name, environ)
    choices: Iterable[str] = option.choices
    kind: str = option.kind
    if files is not None:
        kind, choices = "file", files
    elif option.name == "paper":
        from pnp.paper import PAPERS

        choices = PAPERS
    elif kind == "text" and "|" in option.metavar:
        kind, choices = "choice", option.metavar.split("|")
    elif kind == "text" and "," in option.metavar and option.default == option.metavar:
        kind, choices = "several", option.metavar.split(",")
    elif option.names:
        choices = (word for word, _ in option.names)
    default = _written(option)
    if option.name == "paper" and environ.get("PNP_PAPER"):
        default = environ["PNP_PAPER"]
    return Control(
        name=option.name,
        label=option.name.replace("-", " ").capitalize(),
        help=option.help,
        kind=kind,
        group=group,
        default=default,
        choices=list(choices),
        least=option.least,
        most=option.most,
        text=TEXTS.get(option.name, ""),
        sample=read_text(*_SAMPLES[option.name]) if option.name in TEXTS else "",
        holds=list(SAVED + RULES) if option.name == "set" else [],
    )


def _written(option: Option) -> str | bool | None:
    """Return the default as one would write it."""
    value = option.default
    if value is None or isinstance(value, bool):
        return value
    if option.kind == "length":
        return format_mm(cast("float", value))
    if isinstance(value, tuple):
        return ", ".join(format_mm(v) for v in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
