"""Delivery reports: which mails are, whom they are about, and whether trying again could help (RFC 3464, M45, M46)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from referee.mail.auth import addresses, split_plus
from referee.mail.languages import FAILED_SUBJECTS
from referee.mail.mime import Part, clean
from referee.mail.submission import Bounce, Trust

MAX_TEXT: Final = 20_000
"""Characters of a report's text that are searched for a status and an address."""

_NULL_PATH: Final = re.compile(r"<?\s*(?:mailer-daemon\S*)?\s*>?", re.IGNORECASE)
_DAEMON: Final = re.compile(
    r"\bmailer[-_]daemon\b|\bmail delivery (?:sub)?system\b|\bmail daemon\b", re.IGNORECASE
)
_MASTER: Final = re.compile(
    r"\bpost_?master\b|\bmail administrator\b|\bmaildelivery\b", re.IGNORECASE
)
_FIELD: Final = re.compile(r"^([A-Za-z-]+)\s*:[ \t]*(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_STATUS: Final = re.compile(r"(?<![\d.])([245])\.\d{1,3}\.\d{1,3}(?![\d.])")
_REPLY: Final = re.compile(r"(?<![\d.:-])([45])\d\d(?= - |[ -](?:#?\d\.|[A-Za-z<']))")
_ANGLE: Final = re.compile(r"<([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>")
_BARE: Final = re.compile(r"[\w.+=-]+@[\w-]+(?:\.[\w-]+)+")
_DELAYED: Final = re.compile(r"delay|warning|still being retried", re.IGNORECASE)
_FULL: Final = re.compile(r"mailbox (?:is )?full|over ?quota|try again later", re.IGNORECASE)
_ROBOT: Final = re.compile(r"(?:no|do|dont|donot|do[-_.]not)[-_.]?reply\b", re.IGNORECASE)
_COMPLAINT: Final = re.compile(r"complaint about message from [0-9a-f.:]+", re.IGNORECASE)
_ROBOT_BODY: Final = re.compile(
    r'"(?:notificationType|eventType)\\?"\s*:\s*\\?"(?:Bounce|Complaint)'
)


def is_null_path(mail: Part) -> bool:
    """Whether the envelope sender was the null one; `Return-Path: MAILER-DAEMON` says the same (M46)."""
    paths = mail.headers.all("return-path")
    return bool(paths) and _NULL_PATH.fullmatch(paths[0].strip()) is not None


def is_robot(address: str) -> bool:
    """Whether an address says itself that nobody reads it (M41)."""
    return _ROBOT.match(address) is not None


def find(mail: Part, recipient: str, trust: Trust) -> Bounce | None:
    """Return what a mail says about a failed delivery, None where it is no such report.

    A report of success is none: it asks for nothing and must not count against an address.
    """
    reports = _reports(mail)
    kind = mail.params.get("report-type", "").lower() if mail.kind == "multipart/report" else ""
    if not (reports or kind in ("delivery-status", "feedback-report") or _looks_failed(mail)):
        return None
    tag = split_plus(recipient)[1] or None
    failed = "" if kind == "feedback-report" else mail.headers.text("x-failed-recipients")
    for report in reports:
        action = report.get("action", "failed").lower()
        if action.startswith(("delivered", "relayed", "expanded")):
            continue
        address = _recipient(report) or _first(_BARE.findall(failed), trust)
        status = report.get("status", "")
        reason = clean(f"{status} {report.get('diagnostic-code', '')}")
        found = _STATUS.search(status) or _STATUS.search(reason) or _REPLY.search(reason)
        delayed = action.startswith("delayed")
        hard = found is not None and found[1] == "5" and not delayed
        return Bounce(hard, address, reason[:400] or "no reason given", tag, delayed)
    if reports:
        return None
    text = _text(mail)
    address = _first(_BARE.findall(failed), trust) or _first(_ANGLE.findall(text), trust)
    address = address or _first(_BARE.findall(text), trust)
    found = _STATUS.search(text) or _REPLY.search(text)
    delayed = _DELAYED.search(mail.headers.text("subject")) is not None
    hard = (found[1] == "5") if found else _FULL.search(text) is None
    reason = text[found.start() : found.start() + 300] if found else mail.headers.text("subject")
    hard = hard and not delayed and kind != "feedback-report"
    return Bounce(hard, address, clean(reason)[:400], tag, delayed)


def _looks_failed(mail: Part) -> bool:
    """Whether a mail without a machine-readable report is one all the same."""
    headers = mail.headers
    if "x-failed-recipients" in headers:
        return True
    sender = headers.text("from")
    subject = headers.text("subject")
    daemon = _DAEMON.search(sender) is not None
    if daemon or "mailer-daemon" in headers.raw("sender").lower():
        return True
    master = _MASTER.search(sender) is not None
    if is_null_path(mail):
        return master or _says_failed(subject) or _carries_original(mail)
    if master:
        return (
            _says_failed(subject)
            or _carries_original(mail)
            or _REPLY.search(_text(mail)) is not None
        )
    if is_robot(sender.rpartition("<")[2]):
        return _says_failed(subject) or _ROBOT_BODY.search(_text(mail)) is not None
    return _COMPLAINT.fullmatch(subject) is not None and _carries_original(mail)


def _says_failed(subject: str) -> bool:
    return FAILED_SUBJECTS.search(subject) is not None


def _carries_original(mail: Part) -> bool:
    kinds = [part.kind for part in mail.walk()]
    return "message/rfc822" in kinds or "text/rfc822-headers" in kinds


def _reports(mail: Part) -> list[dict[str, str]]:
    """Return the recipients' fields of all delivery-status parts, names in lower case."""
    found = []
    for part in mail.walk():
        if part.kind not in ("message/delivery-status", "message/global-delivery-status"):
            continue
        for group in re.split(r"\n[ \t]*\n", part.text()[:MAX_TEXT]):
            fields = {name.lower(): clean(value) for name, value in _FIELD.findall(group)}
            if fields.keys() & {"final-recipient", "original-recipient", "action", "status"}:
                found.append(fields)
    return found


def _recipient(report: dict[str, str]) -> str | None:
    """Return the address we wrote to if the report has it, else where it ended."""
    for name in ("original-recipient", "final-recipient", "x-actual-recipient"):
        match = _BARE.search(report.get(name, "").rpartition(";")[2])
        if match:
            return match[0].lower()
    return None


def _first(found: Iterable[str], trust: Trust) -> str | None:
    """Return the first address that is neither the club's nor a daemon's."""
    for address in found:
        low = address.lower()
        if split_plus(low)[0] != trust.club_address.lower() and not low.startswith(
            ("mailer-daemon", "postmaster")
        ):
            return low
    return None


def _text(mail: Part) -> str:
    """Return the beginning of all text in a mail, whatever its form."""
    out = []
    size = 0
    for part in mail.walk():
        if part.kind.startswith("text/") and size < MAX_TEXT:
            text = part.text()[: MAX_TEXT - size]
            size += len(text)
            out.append(text)
    return "\n".join(out)


def club_addresses(mail: Part, club: str) -> list[str]:
    """Return the addresses in To and Cc that are the club's, + part or not."""
    found = []
    for name in ("to", "cc"):
        for value in mail.headers.all(name)[:4]:
            found += [a.address for a in addresses(value) if split_plus(a.address)[0] == club]
    return found
