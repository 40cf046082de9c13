"""Options as plain data, and typed access to their values.

The command line, TOML presets, `pnp list` and the help read the same `Option` list. An option's raw
value, text from a command line or any value of a TOML file, becomes a typed one in `Option.parse`,
nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, cast

from pnp.errors import PnpError
from pnp.units import format_mm, parse_length

Kind = Literal["flag", "int", "number", "length", "lengths", "choice", "text", "file", "counts"]
"""How a value is written: yes or no; 11; 1.004; 8mm, 0.5in, 12pt; lengths with commas between; one
of `choices`; text; the path of a file; KIND=NUMBER, given again for more kinds."""

Value = bool | int | float | str | Path | tuple[float, ...] | Mapping[str, int] | None


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the known word nearest to a mistyped one, or ""."""
    from difflib import get_close_matches  # only for mistakes

    spelt = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), spelt, n=1, cutoff=0.5)
    return f"; did you mean {spelt[near[0]]!r}?" if near else ""


class Option(NamedTuple):
    """One option of a component.

    name      as on the command line without dashes: "cell-size"; in TOML also cell_size
    default   the value where none is given, already typed (lengths in mm)
    least, most   bounds of an int, number or length; `positive` lengths are more than 0 whatever
                  `least`
    choices   the words of a "choice"; for "counts" the kinds allowed, () for any
    names     words that stand for a number of an "int"
    metavar   what the help shows for the value; "" for the kind's own
    """

    name: str
    kind: Kind
    help: str
    default: Value = None
    choices: tuple[str, ...] = ()
    names: tuple[tuple[str, int], ...] = ()
    least: float | None = None
    most: float | None = None
    positive: bool = True
    metavar: str = ""

    def parse(self, raw: object) -> Value:
        """Return `raw`, text or a value from TOML, typed. Raises PnpError that names the option."""
        try:
            return self._parse(raw)
        except PnpError as error:
            raise PnpError(f"--{self.name}: {error}") from None

    def _parse(self, raw: object) -> Value:
        if self.kind == "flag":
            if not isinstance(raw, bool):
                raise PnpError(f"{raw!r} is not yes or no; write true or false")
            return raw
        if self.kind == "counts":
            return _counts(raw, self.choices)
        if self.kind == "lengths":
            parts = raw if isinstance(raw, list) else str(raw).split(",")
            return tuple(parse_length(str(part)) for part in parts)
        if isinstance(raw, bool | dict | list):
            raise PnpError(f"{raw!r} is not a value for it; write {self.shown_metavar()}")
        text = str(raw).strip()
        if self.kind == "choice":
            return _choice(text, self.choices)
        if self.kind == "int":
            named = dict(self.names).get(text.lower())
            number = _integer(text) if named is None else named
            return int(self._bounded(number, "{:.0f}".format))
        if self.kind == "number":
            return self._bounded(_number(text), "{:g}".format)
        if self.kind == "length":
            return self._bounded(parse_length(text, positive=self.positive), format_mm)
        return _path(text) if self.kind == "file" else str(raw)

    def _bounded(self, value: float, show: Callable[[float], str]) -> float:
        if self.least is not None and value < self.least:
            raise PnpError(f"{show(value)} is too small; {self._range(show)}")
        if self.most is not None and value > self.most:
            raise PnpError(f"{show(value)} is too large; {self._range(show)}")
        return value

    def _range(self, show: Callable[[float], str]) -> str:
        if self.least is None:
            return f"at most {show(cast('float', self.most))}"
        if self.most is None:
            return f"at least {show(self.least)}"
        return f"from {show(self.least)} to {show(self.most)}"

    def shown_metavar(self) -> str:
        """Return what the help shows for a value: `a|b`, MM, FILE."""
        if self.metavar or self.kind == "flag":
            return self.metavar
        if self.kind == "choice":
            return "|".join(self.choices)
        shown = {"length": "MM", "lengths": "MM,…", "file": "FILE", "counts": "KIND=N", "int": "N"}
        return shown.get(self.kind, self.kind.upper())

    def shown_default(self) -> str:
        """Return the default for people, "" for none."""
        if self.default in (None, (), {}) or self.default is False:
            return ""
        if self.default is True:
            return "yes"
        if self.kind == "length":
            return format_mm(cast("float", self.default))
        if isinstance(self.default, tuple):
            return ", ".join(format_mm(v) for v in self.default)
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)


def _path(text: str) -> Path:
    if "\0" in text:  # from a preset; no command line can hold it
        raise PnpError(f"{text!r} is no path")
    return Path(text)


def _choice(text: str, choices: tuple[str, ...]) -> str:
    if text.lower() not in choices:
        raise PnpError(f"{text!r} is none of {', '.join(choices)}{suggestion(text, choices)}")
    return text.lower()


def _integer(text: str) -> int:
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
        raise PnpError(f"{text!r} is not a whole number")
    return int(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise PnpError(f"{text!r} is not a number") from None
    if not abs(value) < 1e9:
        raise PnpError(f"{text!r} is not a number that can be used")
    return value


def _counts(raw: object, kinds: tuple[str, ...]) -> dict[str, int]:
    """Return kinds and numbers from "III=20", ("III=20", "V=0"), or a TOML table."""
    if isinstance(raw, Mapping):
        pairs = [(str(k), str(v)) for k, v in raw.items()]
    else:
        words = [raw] if isinstance(raw, str) else raw
        if not isinstance(words, list | tuple):
            raise PnpError(f"{raw!r} is not KIND=NUMBER")
        pairs = []
        for word in (w for text in words for w in str(text).split(",")):
            kind, sign, number = word.partition("=")
            if not sign:
                raise PnpError(f"{word!r} is not KIND=NUMBER, such as {(*kinds, 'III')[0]}=20")
            pairs.append((kind.strip(), number.strip()))
    found: dict[str, int] = {}
    for kind, number in pairs:
        named = next((k for k in kinds if k.lower() == kind.lower()), None) if kinds else kind
        if named is None:
            raise PnpError(f"{kind!r} is none of {', '.join(kinds)}{suggestion(kind, kinds)}")
        count = _integer(number)
        if not 0 <= count <= 100_000:
            raise PnpError(f"{kind}={count} is outside 0 to 100000")
        found[named] = count
    return found


class Values:
    """The values of a list of options, what was given, else the default; getters typed by kind."""

    def __init__(self, options: Iterable[Option], given: Mapping[str, Value]) -> None:
        """`given` maps names to typed values; names outside `options` are a bug (KeyError)."""
        self._options = {option.name: option for option in options}
        self._given = {name: given[name] for name in given if self._options[name]}

    def given(self, name: str) -> bool:
        """Return whether the option was given, by command line or preset."""
        return name in self._given

    def value(self, name: str) -> Value:
        """Return the value of an option of any kind. Raises KeyError for a name that was not
        declared.
        """
        option = self._options[name]
        return self._given.get(name, option.default)

    def flag(self, name: str) -> bool:
        """Return a "flag"."""
        return bool(self.value(name))

    def integer(self, name: str) -> int:
        """Return an "int"."""
        return cast("int", self.value(name))

    def number(self, name: str) -> float:
        """Return a "number"."""
        return cast("float", self.value(name))

    def length(self, name: str) -> float:
        """Return a "length" in mm that has a default."""
        return cast("float", self.value(name))

    def maybe_length(self, name: str) -> float | None:
        """Return a "length" in mm, None where it was not given and has no default."""
        return cast("float | None", self.value(name))

    def lengths(self, name: str) -> tuple[float, ...]:
        """Return "lengths" in mm."""
        return cast("tuple[float, ...]", self.value(name))

    def word(self, name: str) -> str:
        """Return a "choice", or a "text" that has a default."""
        return cast("str", self.value(name))

    def text(self, name: str) -> str | None:
        """Return a "text", None where it was not given and has no default."""
        return cast("str | None", self.value(name))

    def path(self, name: str) -> Path | None:
        """Return a "file", None where it was not given."""
        return cast("Path | None", self.value(name))

    def counts(self, name: str) -> Mapping[str, int]:
        """Return "counts"; no counts where none were given."""
        return cast("Mapping[str, int]", self.value(name) or {})
