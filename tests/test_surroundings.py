"""The databases and the browser that other tests stand on."""

import pytest
import sqlalchemy
from playwright.sync_api import Page, expect
from sqlalchemy.pool import NullPool

from tests import surroundings
from tests.postgres import Postgres


def test_every_test_gets_a_database_without_tables(store_url: str) -> None:
    engine = sqlalchemy.create_engine(store_url, poolclass=NullPool)

    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("CREATE TABLE left_behind (id INTEGER)"))

    assert sqlalchemy.inspect(engine).get_table_names() == ["left_behind"]


@pytest.mark.postgres
def test_a_postgres_database_can_be_copied_with_what_is_in_it(postgres: Postgres) -> None:
    original = postgres.new_database()
    engine = sqlalchemy.create_engine(postgres.url(original), poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("CREATE TABLE carried_over (id INTEGER)"))

    copy = postgres.new_database(template=original)

    copied = sqlalchemy.create_engine(postgres.url(copy), poolclass=NullPool)
    assert sqlalchemy.inspect(copied).get_table_names() == ["carried_over"]
    postgres.drop_database(copy)
    postgres.drop_database(original)


def test_the_browser_renders_a_page(page: Page) -> None:
    page.set_content("<main><h1>Crito</h1></main>")

    expect(page.get_by_role("heading")).to_have_text("Crito")


def test_missing_surroundings_skip_on_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "")
    monkeypatch.delenv("CRITO_REQUIRE_ALL", raising=False)

    with pytest.raises(pytest.skip.Exception, match="Chromium: it is not installed"):
        surroundings.unavailable("Chromium", "it is not installed")


@pytest.mark.parametrize("name", ["CI", "CRITO_REQUIRE_ALL"])
def test_missing_surroundings_fail_where_everything_is_required(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")

    with pytest.raises(pytest.fail.Exception, match="Chromium is required in this run, but it is not installed"):
        surroundings.unavailable("Chromium", "it is not installed")
