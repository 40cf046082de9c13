"""Several processes handle mail at once: what of it must be handled in order of receipt stands beside it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; mail that waits already has its lanes found when it is read."""
    op.add_column("spool", sa.Column("lanes", sa.Text(), nullable=True))
