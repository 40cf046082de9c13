"""Reading `club.toml`'s tables: each value of its type, each name a known one, every complaint with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from referee.errors import RefereeError

T = TypeVar("T")


class ClubError(RefereeError):
    """A club's folder or configuration that cannot stand. The message says where and what would be right."""


class Table:
    """One table of the file. Values are taken by name; `done` complains of names that nobody took."""

    def __init__(self, data: Mapping[str, Any], file: str, name: str = "") -> None:
        self._data = data
        self._file = file
        self._name = name
        self._known: set[str] = set()

    def fail(self, key: str, message: str) -> ClubError:
        """Return the error for a key."""
        place = f"[{self._name}] {key}" if self._name else key
        return ClubError(f"{self._file}: {place}: {message}")

    def _take(self, key: str, kind: type[T], what: str, default: T | None) -> T | None:
        self._known.add(key)
        if key not in self._data:
            return default
        value = self._data[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.fail(key, f"write {what}, not {value!r}")
        return value

    def text(
        self, key: str, default: str | None = None, check: Callable[[str], str | None] | None = None
    ) -> str:
        """Return a text; without a default it must be there. `check` returns what is wrong with it, or None."""
        value = self._take(key, str, 'a text in quotes, as "…"', default)
        if value is None:
            raise self.fail(key, "is missing")
        wrong = check(value) if check is not None and key in self._data else None
        if wrong is not None:
            raise self.fail(key, wrong)
        return value

    def optional(self, key: str) -> str | None:
        """Return a text, None where it is missing."""
        return self._take(key, str, 'a text in quotes, as "…"', None)

    def number(self, key: str, default: int, least: int, most: int) -> int:
        """Return a whole number within bounds."""
        value = self._take(key, int, "a whole number", default)
        assert value is not None
        if not least <= value <= most:
            raise self.fail(key, f"is from {least} to {most}, not {value}")
        return value

    def choice(self, key: str, default: str, choices: tuple[str, ...]) -> str:
        """Return one of the words given."""
        value = self.text(key, default)
        if value not in choices:
            near = get_close_matches(value, choices, 1)
            hint = f"; do you mean {near[0]}?" if near else ""
            raise self.fail(key, f"is one of {', '.join(choices)}, not {value!r}{hint}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty where it is missing."""
        values: list[Any] | None = self._take(key, list, 'a list of texts, as ["…"]', [])
        assert values is not None
        for value in values:
            if not isinstance(value, str):
                raise self.fail(key, f'write a list of texts, as ["…"]; {value!r} is none')
        return tuple(values)

    def table(self, key: str) -> Table:
        """Return a table in this one, empty where it is missing."""
        value: dict[str, Any] | None = self._take(key, dict, f"a table, [{key}]", {})
        assert value is not None
        return Table(value, self._file, f"{self._name}.{key}" if self._name else key)

    def done(self) -> None:
        """Complain of the first name that is not known here."""
        for key in self._data:
            if key not in self._known:
                near = get_close_matches(key, self._known, 1)
                hint = (
                    f"do you mean {near[0]}?"
                    if near
                    else f"there are {', '.join(sorted(self._known))}"
                )
                raise self.fail(key, f"is not known here; {hint}")
