"""`referee completion`: what a shell needs to complete its command line."""

from __future__ import annotations

from typing import cast

import click

from pnp.terminal import completion as made


def _referee() -> click.Group:
    from referee.cli import main

    return cast(click.Group, main)


completion = made("referee", _referee)
