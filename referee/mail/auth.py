"""Who wrote it, as far as our own mail server can say: addresses, and DMARC from Authentication-Results (mail.md)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from referee.mail.charsets import decode_words
from referee.mail.mime import Headers, clean
from referee.mail.submission import Dmarc, Trust

MAX_FIELD: Final = 4096
"""Address and result fields are read to this many characters."""

_ADDRESS: Final = re.compile(
    r"[^\x00-\x20\x7f-\xa0<>()\[\]\\,;:\"@]{1,256}@[^\x00-\x20\x7f-\xa0<>()\\,;:\"@]{1,256}"
)
_QUOTED_LOCAL: Final = re.compile(
    r'"(?:[^\x00-\x1f\x7f"\\]|\\[ -~]){1,256}"@[^\x00-\x20\x7f-\xa0<>()\\,;:"@]{1,256}'
)
_RESULT: Final = re.compile(r"dmarc(?:\s*/\s*1)?\s*=\s*([a-z]+)(.*)", re.DOTALL | re.IGNORECASE)
_HEADER_FROM: Final = re.compile(r"header\.from\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)
_COMMENT: Final = re.compile(r"\([^()]*\)")
_NESTED: Final = 8
_BY: Final = re.compile(r"(?:^|\s)by\s+(\S+)", re.IGNORECASE)


class Address(NamedTuple):
    """An address, lower case, and the name beside it."""

    address: str
    name: str = ""


def addresses(value: str) -> list[Address]:
    """Return the addresses of a From, To or Delivered-To field in order; comments and groups are passed over."""
    found = []
    for piece in _split(value[:MAX_FIELD], ","):
        bare = without_comments(piece)
        angle = bare.rfind("<")
        if angle >= 0 and ">" in bare[angle:]:
            name, inside = bare[:angle], bare[angle + 1 : bare.index(">", angle)]
        else:
            name, inside = "", bare.rpartition(":")[2].strip(" ;")
        match = _ADDRESS.fullmatch(inside.strip()) or _QUOTED_LOCAL.fullmatch(inside.strip())
        if match is None:
            continue
        words = decode_words(name.strip())
        if len(words) > 1 and words[0] == words[-1] == '"':
            words = re.sub(r"\\(.)", r"\1", words[1:-1])
        local, _, domain = match[0].lower().rpartition("@")
        found.append(Address(f"{local}@{ascii_domain(domain)}", clean(words)[:200]))
    return found


_LOCAL: Final = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def deliverable(address: str, club: str) -> str | None:
    """Return an address as mail can be sent to it, lower case and its domain in ASCII; None where it is no such one.

    Letters outside ASCII before the @ are left to servers that know them (RFC 6531); ours need not. The club's own
    address, with a + part or without, is nobody's.
    """
    local, at, domain = address.strip().lower().rpartition("@")
    labels = domain.split(".") if domain != domain.strip(".") else ascii_domain(domain).split(".")
    domain = ".".join(labels)
    fits = len(local) <= 64 and len(domain) <= 253 and bool(at)
    if not fits or not _LOCAL.fullmatch(local) or not all(map(_LABEL.fullmatch, labels)):
        return None
    whole = f"{local}@{domain}"
    return None if split_plus(whole)[0] == club.lower() else whole


def split_plus(address: str) -> tuple[str, str]:
    """Return an address without its + part, and the + part ("" without one), both lower case."""
    local, at, domain = address.lower().rpartition("@")
    base, _, tag = local.partition("+")
    return f"{base}{at}{domain}", tag


def dmarc(headers: Headers, trust: Trust, sender: str) -> Dmarc:
    """Return what our own server found for the domain in From.

    Only the topmost Authentication-Results counts, only with our `authserv_id`, and only if it stands above every
    Received that our own servers did not write: below that anybody can have put it there (M51). A pass for another
    domain than the sender's is none.
    """
    if trust.authserv_id is None or not sender:
        return "none"
    for name, value in headers.fields:
        if name == "received" and _writer(value) not in trust.trusted_hosts:
            return "none"
        if name == "authentication-results":
            pieces = _split(without_comments(value[: MAX_FIELD * 4]), ";")
            words = pieces[0].strip().strip('"').split()
            if not words or words[0].strip('"').lower() != trust.authserv_id.lower():
                return "none"
            return _verdict(pieces[1:], sender)
    return "none"


def _verdict(results: list[str], sender: str) -> Dmarc:
    """Return the worst of the dmarc results."""
    verdicts: list[Dmarc] = []
    domain = ascii_domain(sender.rpartition("@")[2])
    for result in results:
        match = _RESULT.fullmatch(result.strip())
        if match is None:
            continue
        said = match[1].lower()
        if said == "pass":
            header_from = _HEADER_FROM.search(match[2])
            named = header_from[1].rpartition("@")[2] if header_from else ""
            verdicts.append("pass" if ascii_domain(named) == domain else "fail")
        elif said in ("fail", "permerror"):
            verdicts.append("fail")
        elif said == "temperror":
            verdicts.append("temperror")
        else:
            verdicts.append("none")
    order: tuple[Dmarc, ...] = ("fail", "temperror", "none", "pass")
    return next((verdict for verdict in order if verdict in verdicts), "none")


def ascii_domain(domain: str) -> str:
    """Return a domain in lower case, letters outside ASCII in the form that the DNS uses."""
    domain = domain.strip(".").lower()
    if domain.isascii() or len(domain) > 253:
        return domain
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain


def _writer(received: str) -> str:
    """Return the host that a Received field says wrote it, lower case; "" where it does not say."""
    match = _BY.search(without_comments(received[:MAX_FIELD]))
    return match[1].strip(";.").lower() if match else ""


def without_comments(value: str) -> str:
    """Return a structured field without its (nested) comments."""
    if "(" not in value:
        return value
    if '"' not in value and "\\" not in value:
        for _ in range(_NESTED):
            value, found = _COMMENT.subn(" ", value)
            if not found:
                return value
    out: list[str] = []
    depth, quoted, skip = 0, False, False
    for char in value:
        if skip:
            skip = False
            if depth == 0:
                out.append(char)
            continue
        if char == "\\":
            skip = True
        elif char == '"' and depth == 0:
            quoted = not quoted
        elif char == "(" and not quoted:
            depth += 1
            continue
        elif char == ")" and not quoted and depth:
            depth -= 1
            if depth == 0:
                out.append(" ")
            continue
        if depth == 0:
            out.append(char)
    return "".join(out)


def _split(value: str, mark: str) -> list[str]:
    """Part a field at a mark that stands outside quotes, comments and angle brackets."""
    if mark not in value:
        return [value]
    if '"' not in value and "(" not in value and "<" not in value:
        return value.split(mark)
    pieces: list[str] = []
    start = depth = 0
    quoted = skip = False
    for index, char in enumerate(value):
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif char == '"' and depth == 0:
            quoted = not quoted
        elif quoted:
            continue
        elif char in "(<":
            depth += 1
        elif char in ")>":
            depth = max(depth - 1, 0)
        elif char == mark and depth == 0:
            pieces.append(value[start:index])
            start = index + 1
    pieces.append(value[start:])
    return pieces
