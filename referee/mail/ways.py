"""The ways out of a club: which one its settings name."""

from __future__ import annotations

from collections.abc import Mapping

from referee.club import Club, secret
from referee.mail.transport import Way


def way_out(club: Club, environ: Mapping[str, str]) -> Way:
    """Return the way out that `club.toml` names. Raises ClubError where a password is missing."""
    out = club.mail_out
    if out.kind == "maildir":
        from referee.mail.maildir import MaildirOut

        return MaildirOut(out.path)
    from referee.mail.smtp import SmtpOut

    password = secret(out.password_file, out.password_env, environ, "the password for SMTP")
    return SmtpOut(out, password, club.host)
