"""The one finder of templates and fonts, the same in a wheel, a checkout and an editable install.

In the wheel `templates/` lies inside this package as `_templates`; in a checkout it stands beside it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pnp.errors import FileError, PnpError


@lru_cache(maxsize=1)
def templates() -> Path:
    """Return the folder of templates. Raises FileError where the installation is broken."""
    here = Path(__file__).resolve().parent
    for folder in (here / "_templates", here.parent / "templates"):
        if (folder / "fonts").is_dir():
            return folder
    raise FileError(
        f"the templates are missing: neither {here / '_templates'} nor {here.parent / 'templates'} is there; "
        "install again"
    )


def find(*parts: str) -> Path:
    """Return the path of a template, `find("themes", "grey.toml")`. Raises FileError if it is not there."""
    path = templates().joinpath(*parts)
    if not path.exists():
        raise FileError(f"{path} is missing; install again")
    return path


def read_text(*parts: str) -> str:
    """Return the text of a template. Raises FileError if it cannot be read."""
    path = find(*parts)
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error


def parse_toml(text: str, source: str) -> dict[str, object]:
    """Return what a TOML text holds; `source` names it in messages. Raises PnpError for what is none,
    for lists in lists without end and for a number of thousands of digits.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PnpError(f"{source}: not TOML: {error}") from error
    except RecursionError as error:
        raise PnpError(f"{source} is nested too deeply") from error
    except ValueError as error:  # Python reads no whole number of more than 4300 digits
        raise PnpError(f"{source} holds a number of too many digits") from error
