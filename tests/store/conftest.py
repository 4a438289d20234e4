"""The same databases as the contracts of the store run on."""

from tests.contracts.conftest import (  # noqa: F401 - fixtures
    postgres_record,
    postgres_template,
    record_url,
    sqlite_record,
    sqlite_template,
    store,
)
