"""Every situation of the mail cases has a test that names it, and the page that lists them is true."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tools import mail_cases


def test_every_case_has_a_test() -> None:
    tests = mail_cases.named()
    assert [case for case in mail_cases.cases() if not tests[case]] == []


def test_no_test_names_a_case_that_is_none() -> None:
    assert set(mail_cases.named()) <= set(mail_cases.cases())


def test_the_table_has_the_cases_that_were_handed_over(shared: Path) -> None:
    text = (shared / "cases" / "mail-cases.md").read_text(encoding="utf-8")
    assert list(mail_cases.cases()) == re.findall(r"^- (M[0-9]+):", text, re.MULTILINE)


def test_the_page_is_the_one_that_the_tool_writes() -> None:
    """A test that is renamed, added or dropped: `python -m tests.tools.mail_cases` writes the page anew."""
    assert mail_cases.PAGE.read_text(encoding="utf-8") == mail_cases.page()
