"""`pnp studio`: a page to design with, in the browser, served on this machine only."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from pnp.errors import PnpError
from pnp.games import component, names
from pnp.terminal import quiet, quiet_option, words

if TYPE_CHECKING:
    from pnp.studio.server import StudioServer

USUAL_PORT = 8377
"""Among those that no registered service has."""


@click.command(
    "studio",
    epilog="\b\nExamples:\n  pnp studio --open\n  pnp studio hex-lightning --open\n"
    "  pnp studio mini-hex --port 8000\n\n"
    "The page's address holds all options: keep it or send it on. Nobody but this machine reaches"
    " the page. With --quiet its address is all that is said.",
)
@click.argument("name", required=False, shell_complete=words(*names()))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help=f"the port; without it {USUAL_PORT}, or where that is taken one that is free",
)
@click.option(
    "--host",
    type=click.Choice(("127.0.0.1", "::1")),
    default="127.0.0.1",
    help="this machine's address, IPv4 or IPv6 [default: 127.0.0.1]",
)
@click.option("--open", "show", is_flag=True, help="open the page in the browser")
@quiet_option
def command(name: str | None, port: int | None, host: str, show: bool) -> None:
    """Design with sliders and switches: every option, the live drawing, files to download.

    NAME is the component that the page begins with. Ctrl-C ends it.
    """
    fragment = f"#{component(name).name}" if name else ""

    with _ended_by_term():
        server = _listening(host, port)
        address = server.url + fragment
        click.echo(address if quiet() else f"The studio is at {address}")
        _tell("Ctrl-C ends it.")
        sys.stdout.flush()
        if show:
            import webbrowser

            if not webbrowser.open(address):
                click.echo("No browser could be opened; open that address yourself.", err=True)
        try:
            server.run()
        except KeyboardInterrupt:
            _tell("The studio is closed.")


def _listening(host: str, port: int | None) -> StudioServer:
    """Return the server at a port; without one at the usual port, so that kept addresses lead to
    the studio of another day, or where that is taken at a free one.
    """
    from pnp.studio.server import StudioServer

    if port is not None:
        return StudioServer(host, port, os.environ)
    try:
        return StudioServer(host, USUAL_PORT, os.environ)
    except PnpError:
        return StudioServer(host, 0, os.environ)


def _tell(text: str) -> None:
    if not quiet():
        click.echo(text, err=True)


@contextmanager
def _ended_by_term() -> Iterator[None]:
    """Let the signal that ends services end the studio as Ctrl-C does."""

    def end(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
