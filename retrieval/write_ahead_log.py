"""SQLite files that are read while they are written, begun by several processes at once."""

import sqlite3


def use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Turn the file's write-ahead log on; it stays on. Raises sqlite3.Error for any other fault.

    The switch does not wait for a lock as statements do: of two processes that begin a file in
    the same moment, one is refused. It need not try again, since the other has switched.
    """
    try:
        connection.execute("pragma journal_mode = wal")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
