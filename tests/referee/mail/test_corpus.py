"""1,200 move mails as eleven programs send them in six languages: every meant command is read, and no other."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from referee.mail import commands
from tests.referee.mail import corpus
from tests.referee.mail.mails import game_reader, read

READERS = {name: game_reader(name) for name in ("Hex", "Focus")}


@pytest.fixture(scope="module")
def outcomes() -> list[tuple[corpus.Mail, corpus.Meant, str, str]]:
    """Each mail with the commands that may be carried out of it, its kind and its token."""
    found = []
    for mail in corpus.mails():
        submission = read(mail.raw)
        reading = commands.parse(submission, READERS[mail.game])
        done = () if reading.mixed else tuple((c.name, c.args) for c in reading.commands)
        found.append((mail, done, submission.kind, submission.token))
    return found


def test_every_meant_command_is_read_and_no_other(
    outcomes: list[tuple[corpus.Mail, corpus.Meant, str, str]],
) -> None:
    wrong = [
        f"{mail.name}: {done}, not {mail.meant}"
        for mail, done, _, _ in outcomes
        if done != mail.meant
    ]
    assert wrong == []


def test_people_and_machines_are_told_apart(
    outcomes: list[tuple[corpus.Mail, corpus.Meant, str, str]],
) -> None:
    assert [mail.name for mail, _, kind, _ in outcomes if kind != mail.kind] == []


def test_m55_the_quoted_token_is_found_in_every_answer(
    outcomes: list[tuple[corpus.Mail, corpus.Meant, str, str]],
) -> None:
    answers = [
        (m.name, token)
        for m, _, kind, token in outcomes
        if kind == "human" and m.way != "forwarded"
    ]
    assert [name for name, token in answers if token != corpus.TOKEN] == []


def test_the_corpus_is_what_it_says(
    outcomes: list[tuple[corpus.Mail, corpus.Meant, str, str]],
) -> None:
    """At least 300 mails, each program in each language; `pytest -s` prints the table."""
    table: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for mail, done, _, _ in outcomes:
        program, language, _ = mail.name.split(", ", 2)
        table[program][language] += 1
        table[mail.way]["mails"] += 1
        table[mail.way]["meant"] += len(mail.meant)
        table[mail.way]["done"] += len(done)
    assert len(outcomes) >= 300
    assert len({mail.name for mail, _, _, _ in outcomes}) == len(outcomes)
    assert (
        len({mail.raw for mail, _, _, _ in outcomes}) > 1100
    )  # Gmail forwards in one way on all its devices
    programs = [name for name in table if "mails" not in table[name]]
    assert len(programs) == 11
    assert all(len(table[name]) == 6 for name in programs)
    for way, row in table.items():
        print(way, dict(row))
