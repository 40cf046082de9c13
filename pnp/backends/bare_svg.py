"""svgwrite without what no SVG of ours needs; the one place that imports it.

Two thirds of svgwrite's time to import go into `urllib.request`, with which it could embed fonts
from the network, and most of the rest into the expressions by which it could check a drawing. While
it is imported, stand-ins lie in the place of those modules: their functions import the real ones
when they are called, and afterwards everybody else finds the real ones too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


class _StandIn(ModuleType):
    """A module all of whose functions are imported when they are called."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)

        def function(*args: Any, **more: Any) -> Any:
            return getattr(import_module(self.__name__), name)(*args, **more)

        return function


@contextmanager
def _spared(*names: str) -> Iterator[None]:
    """Leave modules that are not there yet unread while others are imported."""
    missing = [name for name in names if name not in sys.modules]
    sys.modules.update({name: _StandIn(name) for name in missing})
    try:
        yield
    finally:
        for name in missing:
            if isinstance(sys.modules.get(name), _StandIn):
                del sys.modules[name]


with _spared("urllib.request", "svgwrite.data.svgparser"):
    from svgwrite import Drawing
    from svgwrite.container import Group
    from svgwrite.masking import ClipPath

__all__ = ["ClipPath", "Drawing", "Group"]
