"""reportlab without what no PDF of ours needs; the one place that imports it.

A third of reportlab's time to import goes into Pillow, for pictures. Its module is put in place
unread (the standard library's way of lazy imports): whoever does use it later, here or elsewhere in
the process, has it read at that moment and finds it whole.
"""

from __future__ import annotations

import importlib.util
import sys


def _lazily(package: str, module: str) -> None:
    """Put a package's module in place, to be read when something of it is first used."""
    name = f"{package}.{module}"
    spec = None if name in sys.modules else importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        return
    loader = importlib.util.LazyLoader(spec.loader)
    spec.loader = loader
    unread = sys.modules[name] = importlib.util.module_from_spec(spec)
    loader.exec_module(unread)
    setattr(sys.modules[package], module, unread)


_lazily("PIL", "Image")

from reportlab.pdfbase import pdfdoc, ttfonts  # noqa: E402 - once that is in place

__all__ = ["pdfdoc", "ttfonts"]
