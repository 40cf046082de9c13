"""The store's schema through time, by Alembic. Both functions take a connection; no file of settings is read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text

VERSION_TABLE: Final = "alembic_version"


def current(connection: Connection) -> str | None:
    """Return the migration that a database stands at. Looks into its table; Alembic itself is not loaded."""
    found: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
    return found


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run all migrations that a database lacks, up to one, within the connection's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
