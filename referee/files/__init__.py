"""Records as files, without a club: begun, played on, drawn for, verified (mail.md, Files without a club)."""
