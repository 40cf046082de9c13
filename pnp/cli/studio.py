"""`pnp studio`: a page to design with, in the browser, served on this machine only."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from pnp.games import component


@click.command(
    "studio",
    epilog="The page's address holds all options: keep it or send it on. Nobody but this machine"
    " reaches the page. Example: pnp studio hex-lightning --open",
)
@click.argument("name", required=False)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="the port; without it one that is free",
)
@click.option(
    "--host",
    type=click.Choice(("127.0.0.1", "::1")),
    default="127.0.0.1",
    help="this machine's address, IPv4 or IPv6 [default: 127.0.0.1]",
)
@click.option("--open", "show", is_flag=True, help="open the page in the browser")
def command(name: str | None, port: int, host: str, show: bool) -> None:
    """Design with sliders and switches: every option, the live drawing, files to download.

    NAME is the component that the page begins with. Ctrl-C ends it.
    """
    fragment = f"#{component(name).name}" if name else ""

    from pnp.studio.server import StudioServer

    with _ended_by_term():
        server = StudioServer(host, port, os.environ)
        click.echo(f"The studio is at {server.url}{fragment}")
        click.echo("Ctrl-C ends it.", err=True)
        sys.stdout.flush()
        if show:
            import webbrowser

            if not webbrowser.open(server.url + fragment):
                click.echo("No browser could be opened; open that address yourself.", err=True)
        try:
            server.run()
        except KeyboardInterrupt:
            click.echo("The studio is closed.", err=True)


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
