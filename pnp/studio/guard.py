"""Which requests are let in: those of the studio's own page, and people who follow a link to it.

A page of another site can make a browser send requests here. It cannot read the answers, for no
CORS header is ever sent; a name of its own that leads here (DNS rebinding) is told by the Host; what
costs work needs a key that only the page knows, in a header that no form and no link can send.
"""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest
from typing import NamedTuple

KEY_HEADER = "X-Studio-Key"

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""What goes with every answer."""


class Refusal(NamedTuple):
    """Why a request is not let in, with its HTTP status."""

    status: int
    reason: str


class Guard(NamedTuple):
    """The names that the studio goes by, and the key of this run."""

    hosts: frozenset[str]
    key: str

    def refusal(self, method: str, headers: Mapping[str, str]) -> Refusal | None:
        """Return why a request is not let in, None where it is. `headers` are by
        their names in title case."""
        if headers.get("Host", "").lower() not in self.hosts:
            return Refusal(421, "the studio answers on its own address only")
        site = headers.get("Sec-Fetch-Site", "same-origin")
        if method in ("GET", "HEAD"):
            link = (
                headers.get("Sec-Fetch-Mode") == "navigate"
                and headers.get("Sec-Fetch-Dest", "document") == "document"
            )
            if site not in ("same-origin", "none") and not link:
                return Refusal(403, "another site's page may not use the studio")
            return None
        origin = headers.get("Origin", "")
        if site != "same-origin" or (
            origin and origin.lower() not in {f"http://{h}" for h in self.hosts}
        ):
            return Refusal(403, "another site's page may not use the studio")
        key = headers.get(KEY_HEADER, "")
        if not compare_digest(key.encode("utf-8", "replace"), self.key.encode("ascii")):
            return Refusal(403, "this page is of an earlier run of the studio; load it again")
        return None


def guard(host: str, port: int, key: str) -> Guard:
    """Return the guard of a studio that listens on a loopback address."""
    names = {"localhost", f"[{host}]" if ":" in host else host}
    hosts = {f"{name}:{port}" for name in names}
    return Guard(frozenset(hosts | names if port == 80 else hosts), key)
