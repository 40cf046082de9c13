"""`pnp completion`: what a shell needs to complete its command line."""

from __future__ import annotations

from typing import cast

import click

from pnp.terminal import completion


def _pnp() -> click.Group:
    from pnp.cli import pnp

    return cast(click.Group, pnp)


command = completion("pnp", _pnp)
