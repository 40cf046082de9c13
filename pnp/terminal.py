"""What both command lines do on a terminal: colour, how much is said, examples in helps, completion.

Colour is for terminals only, never where NO_COLOR is set, and never tells anything by itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from io import TextIOWrapper
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])

Completes = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]
"""What a word that is begun may become."""

SHELLS = ("bash", "zsh", "fish")
_LOUD = "pnp.loud"
_WORDS = {"fault": "red", "good": "green", "soft": "bright_black"}
"""The colour of a kind of text."""
_QUIET = (("-q", "--quiet"), "Say nothing but what is asked for and what is wrong.")
_VERBOSE = (("-v", "--verbose"), "Say more: sizes, counts, times.")


def spare_letters(*streams: IO[Any] | None) -> None:
    """Let streams that cannot write every letter, as pipes on Windows, write "?" for what they lack."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="replace")


def coloured(stream: IO[Any] | None, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether colour may be written to a stream (no-color.org: NO_COLOR, if it is not empty); None
    is one that the shell has closed.
    """
    if stream is None or environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def painted(text: str, kind: str, stream: IO[Any] | None, *, bold: bool = False) -> str:
    """Return text in the colour of its kind ("fault", "good", "soft"), where the stream has any."""
    if not coloured(stream):
        return text
    return click.style(text, fg=_WORDS[kind], bold=bold or None)


def _choose(ctx: click.Context, param: click.Parameter, given: bool) -> None:
    if given:
        ctx.meta[_LOUD] = 1 if param.name == "verbose" else -1


def loudness() -> list[click.Option]:
    """Return the options `--quiet` and `--verbose`."""
    return [
        click.Option(list(names), is_flag=True, expose_value=False, callback=_choose, help=text)
        for names, text in (_QUIET, _VERBOSE)
    ]


def quiet_option(function: F) -> F:
    """Add `--quiet` to a command."""
    names, text = _QUIET
    return click.option(*names, is_flag=True, expose_value=False, callback=_choose, help=text)(
        function
    )


def loud_options(function: F) -> F:
    """Add `--quiet` and `--verbose` to a command."""
    names, text = _VERBOSE
    add = click.option(*names, is_flag=True, expose_value=False, callback=_choose, help=text)
    return quiet_option(add(function))


def quiet() -> bool:
    """Whether the command that runs was told `--quiet`."""
    return _loud() < 0


def verbose() -> bool:
    """Whether the command that runs was told `--verbose`."""
    return _loud() > 0


def _loud() -> int:
    context = click.get_current_context(silent=True)
    found: int = 0 if context is None else context.meta.get(_LOUD, 0)
    return found


def say(text: str) -> None:
    """Print what was done, for those who did not ask for quiet."""
    if not quiet():
        click.echo(text)


def tell_person(text: str) -> None:
    """Say what only a person at a terminal wants to hear: a script knows what it named."""
    if sys.stdout.isatty():
        say(text)


def detail(text: str) -> None:
    """Write to standard error what only those want who asked for more."""
    if verbose():
        click.echo(text, err=True)


def with_examples(command: click.Command, lines: Sequence[str]) -> click.Command:
    """Return a command whose help ends with examples, each a line as it is typed; done once."""
    if lines and "Examples:" not in (command.epilog or ""):
        told = "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))
        command.epilog = f"{command.epilog}\n\n{told}" if command.epilog else told
    return command


def files(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Let the shell complete a file's name."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type="file")]


def words(*known: str) -> Completes:
    """Return what completes one of these words."""

    def complete(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(word) for word in known if word.startswith(begun)]

    return complete


def completion(program: str, group: Callable[[], click.Group]) -> click.Command:
    """Return the command that prints what a shell needs to complete `program`."""
    lines = {
        "bash": f'eval "$({program} completion bash)"        # in ~/.bashrc',
        "zsh": f'eval "$({program} completion zsh)"         # in ~/.zshrc, after compinit',
        "fish": f"{program} completion fish > ~/.config/fish/completions/{program}.fish",
    }

    def show(shell: str) -> None:
        from click.shell_completion import get_completion_class

        found = get_completion_class(shell)
        assert found is not None
        variable = f"_{program}_complete".upper()
        made = found(group(), {}, program, variable)
        click.echo(made.source_template % made.source_vars())

    command = click.Command(
        "completion",
        params=[click.Argument(["shell"], type=click.Choice(SHELLS))],
        callback=show,
        help=f"Print what SHELL needs to complete commands, options and names of {program}.",
    )
    return with_examples(command, tuple(lines.values()))
