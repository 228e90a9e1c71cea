"""A catalogue of the first schema is taken over, and filled up by the next ingest."""

import sqlite3
from contextlib import closing

from retrieval.schema import SCHEMA_VERSION
from tests.ingest.conftest import Base, Write

ADDED = {
    "documents": ("effective_from", "effective_to", "department", "authority", "recipe"),
    "chunks": ("section_start", "section_end", "page_breaks"),
}


def test_a_catalogue_of_the_first_schema_gets_the_new_columns(base: Base, write: Write) -> None:
    write("phép.md", "---\neffective_from: 2026\n---\n# Nghỉ phép\n\nĐược nghỉ 15 ngày.\n")
    base.sync()
    base.catalogue().close()
    with closing(sqlite3.connect(base.home / "catalogue.sqlite")) as connection:
        for table, columns in ADDED.items():
            for column in columns:
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        connection.execute("UPDATE settings SET value = '1' WHERE name = 'schema_version'")
        connection.commit()
    assert base.documents()["tài liệu/phép.md"].effective_from == ""
    assert base.catalogue().get_setting("schema_version") == str(SCHEMA_VERSION)
    assert base.sync().changed == 1
    assert base.documents()["tài liệu/phép.md"].effective_from == "2026-01-01"
    [(chunk, _)] = base.catalogue().all_chunks()
    assert chunk.section_end > 0
    base.assert_complete()


def test_documents_of_the_second_schema_are_in_the_default_collection(
    base: Base, write: Write
) -> None:
    write("phép.md", "# Nghỉ phép\n\nĐược nghỉ 15 ngày.\n")
    base.sync()
    base.catalogue().close()
    with closing(sqlite3.connect(base.home / "catalogue.sqlite")) as connection:
        connection.execute("ALTER TABLE documents DROP COLUMN collection")
        connection.execute("UPDATE settings SET value = '2' WHERE name = 'schema_version'")
        connection.commit()
    assert base.documents()["tài liệu/phép.md"].collection == "documents"
    assert base.sync().unchanged == 1
