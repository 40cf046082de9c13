"""Alembic's entry: runs migrations on the connection that it is given."""

from __future__ import annotations

from alembic import context

from referee.store.migrations import VERSION_TABLE
from referee.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
