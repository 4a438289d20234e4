"""Alembic's way in: migrate on the connection that `crito.store.schema` opened and will commit."""

from alembic import context

from crito.store.tables.columns import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
