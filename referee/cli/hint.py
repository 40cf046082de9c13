"""`referee hint`: what each choice of cards leads to in Spiral."""

from __future__ import annotations

import click


@click.command(short_help="Say which cards to take in Spiral.")
@click.argument("file")
@click.option(
    "--ply",
    type=click.IntRange(0),
    metavar="N",
    help="The position after N turns; the last one unless said.",
)
@click.option(
    "--record",
    "number",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="K",
    help="Which record of the file, from 1.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 100_000),
    default=60,
    show_default=True,
    metavar="N",
    help="How many games are played on for each of the best choices.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="Text for people, or JSON.",
)
def hint(file: str, ply: int | None, number: int, games: int, form: str) -> None:
    """Say what each choice of cards leads to in the Spiral record in FILE (- is standard input).

    Within the deal every card lies open, and all ways through it are searched: who wins by force,
    in how many turns, what Dr. Brooks turns up. Beyond it the chance to win is measured by games
    played on with cards shuffled afresh; a record's own deals to come are not looked at.
    """
    import json

    from referee.cli.progress import Meter
    from referee.study.spiral.hint import advise
    from referee.study.spiral.hint_text import as_json, as_text
    from referee.study.spiral.moment import moment_of

    frame = moment_of(file, number, ply)
    with Meter("games played on") as meter:
        advice = advise(frame.position, games, meter.step)
    if form == "json":
        head = {"file": file, "index": number, "game": frame.game.name, "ply": len(frame.moves)}
        click.echo(json.dumps({**head, **as_json(advice)}, ensure_ascii=False))
    else:
        click.echo(as_text(advice, file))
