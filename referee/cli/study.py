"""`referee study`: questions answered by playing many games."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from referee.cli import unknown
from referee.study import STUDIES, load

if TYPE_CHECKING:
    from referee.study.frame import Progress
    from referee.study.session import Request

INTERRUPTED = 130


class _Studies(click.Group):
    """A group that loads a study when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the studies' names."""
        return list(STUDIES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of a study, None for no study."""
        return _command(name) if name in STUDIES else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the study; a mistyped one gets a suggestion."""
        if args and args[0] not in STUDIES and not args[0].startswith("-"):
            raise unknown("study", args[0], STUDIES, f"take {', '.join(STUDIES)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the studies, loading none."""
        with formatter.section("Studies"):
            formatter.write_dl([(name, help_) for name, (_, help_) in STUDIES.items()])


@click.group(cls=_Studies, short_help="Play many games to answer a question.")
def study() -> None:
    """Play many games to answer a question about a game.

    A study writes a table (CSV), charts (SVG) and a page in plain words (HTML and Markdown) into a
    folder. The same seed gives the same figures, with any number of jobs. It can be stopped with
    Ctrl-C and gone on with by --resume.
    """


def _command(name: str) -> click.Command:
    """Return a study as a command: its own options, then those of all studies."""
    found = load(STUDIES[name][0])
    own: list[click.Parameter] = [
        click.Option(
            [f"--{setting.name}", f"own_{number}"],
            metavar=setting.metavar,
            multiple=True,
            help=setting.help,
        )
        for number, setting in enumerate(found.settings)
    ]

    def run(
        games: int | None,
        seed: int | None,
        output: Path,
        resume: bool,
        jobs: int,
        scheduler: str | None,
        **own: tuple[str, ...],
    ) -> None:
        from referee.study.session import Request

        given = {
            setting.name: values
            for number, setting in enumerate(found.settings)
            if (values := own[f"own_{number}"])
        }
        for setting in found.settings:
            if not setting.many and len(given.get(setting.name, ())) > 1:
                raise click.UsageError(f"--{setting.name} is given twice; give it once")
        _run(Request(name, output, given, seed, games, resume, jobs, scheduler))

    return click.Command(
        name,
        callback=run,
        params=[*own, *_common(name)],
        help=found.help,
        short_help=STUDIES[name][1],
    )


MOST_GAMES = 100_000_000
"""Games of a setting; so many take months, and a slip of the finger is told at once."""


def _common(name: str) -> Sequence[click.Parameter]:
    folder = Path("output") / f"study-{name}"
    return (
        click.Option(
            ["--games"],
            type=click.IntRange(1, MOST_GAMES),
            metavar="N",
            help="Games of each setting, instead of the study's own number.",
        ),
        click.Option(
            ["--seed"],
            type=click.IntRange(0),
            metavar="N",
            help="Where all chance comes from; 1 unless given.",
        ),
        click.Option(
            ["--output"],
            type=click.Path(file_okay=False, path_type=Path),
            default=folder,
            show_default=True,
            metavar="DIR",
            help="The folder for all files.",
        ),
        click.Option(
            ["--resume"],
            is_flag=True,
            help="Go on with the run in the folder; with more --games, deepen it.",
        ),
        click.Option(
            ["--jobs"],
            type=click.IntRange(1),
            default=1,
            show_default=True,
            metavar="N",
            help="Play in N processes.",
        ),
        click.Option(
            ["--scheduler"],
            metavar="tcp://HOST:PORT",
            help="Play on the Dask cluster of this scheduler instead.",
        ),
    )


def _run(request: Request) -> None:
    from referee.study.session import StoppedError, conduct

    before = signal.signal(signal.SIGTERM, _as_interrupt)
    with _Telling() as telling:
        try:
            outcome = conduct(request, telling.hear)
        except StoppedError as stopped:
            telling.meter.clear()
            click.echo(f"referee: {stopped}", err=True)
            sys.exit(INTERRUPTED)
        finally:
            signal.signal(signal.SIGTERM, before)
    click.echo(outcome.report.answer)
    games = "1 game" if outcome.games == 1 else f"{outcome.games} games"
    pace = outcome.games / max(outcome.seconds, 1e-9)
    click.echo(f"{games}, {pace:.0f} a second of CPU time; see {outcome.files[0]}")


def _as_interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


class _Telling:
    """The bar of a run: what is done, how fast, and how long the rest will take."""

    def __init__(self) -> None:
        from referee.cli.progress import Meter

        self.meter = Meter("games", 1)
        self._done = 0

    def __enter__(self) -> _Telling:
        return self

    def __exit__(self, *_: object) -> None:
        self.meter.clear()

    def hear(self, progress: Progress) -> None:
        """Show a run's progress."""
        note = "" if progress.left is None else f", about {_spoken(progress.left)} left"
        self.meter.whole = progress.wanted
        self.meter.weight = progress.done
        new, self._done = progress.done - self._done, progress.done
        self.meter.step(new, 0, note)


def _spoken(seconds: float) -> str:
    """Return a length of time in words, rounded up."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60.0)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
