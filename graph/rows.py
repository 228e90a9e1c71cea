"""Checkpoints that share their rows, so that a thread grows with its steps and not their square.

Every checkpoint holds the whole state, and the lists in it (evidence, history, searches) grow by
a few rows a step. So a row is stored once for its thread, under the hash of its content, and a
checkpoint only names it: forty steps take 1.2 MB instead of 3.1, a hundred 3.5 instead of 14.6.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from graph.database import RunStoreError

if TYPE_CHECKING:
    from graph.store import Cursor, Store

_NAMED = "groundhop:rows"
_NAME_BYTES = 12
_AT_ONCE = 500
_REMEMBERED = 512
_KEPT = ("__interrupt__", "__resume__", "__error__")

Names = list[bytes]


class SharedRows(BaseCheckpointSaver[str]):
    """A saver that stores the rows of lists apart; for use as a mixin in front of one."""

    store: "Store"
    writes_table: str
    _last: dict[tuple[str, str, str], tuple[list[Any], Names]]
    """The list of each channel that was stored last, by thread, namespace and channel, with the
    names of its rows: a row that is still the same object needs no hash."""

    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        """Store a checkpoint, its new rows first."""
        place = config["configurable"]
        values, fresh = self._named(
            place["thread_id"], place["checkpoint_ns"], checkpoint["channel_values"]
        )
        with self.store.transaction() as cursor:
            self._insert(cursor, place["thread_id"], fresh)
            self._drop_writes(cursor, place)
        changed: Any = {**checkpoint, "channel_values": values}
        return super().put(config, changed, metadata, new_versions)

    def get_tuple(self, config: Any) -> Any:
        """A checkpoint with its rows."""
        found = super().get_tuple(config)
        return found and self._whole(found, {})

    def list(
        self,
        config: Any,
        *,
        filter: dict[str, Any] | None = None,
        before: Any = None,
        limit: int | None = None,
    ) -> Iterator[Any]:
        """Checkpoints with their rows."""
        found = [*super().list(config, filter=filter, before=before, limit=limit)]
        rows: dict[bytes, Any] = {}
        for one in found:
            yield self._whole(one, rows)

    def delete_thread(self, thread_id: str) -> None:
        """Forget a thread: its checkpoints, their rows, and the account of its calls."""
        super().delete_thread(thread_id)
        with self.store.transaction() as cursor:
            for table in ("state_rows", "ledger"):
                cursor.execute(f"delete from {table} where thread = ?", (thread_id,))

    def drop_unnamed_rows(self, thread_id: str) -> None:
        """Forget the rows that no checkpoint of the thread names any more."""
        config: Any = {"configurable": {"thread_id": thread_id}}
        named = {
            name
            for one in super().list(config)
            for value in one.checkpoint["channel_values"].values()
            for name in _names(value)
        }
        with self.store.transaction() as cursor:
            cursor.execute("select name from state_rows where thread = ?", (thread_id,))
            gone = [row[0] for row in cursor.fetchall() if bytes(row[0]) not in named]
            for name in gone:
                cursor.execute(
                    "delete from state_rows where thread = ? and name = ?", (thread_id, name)
                )

    def _named(
        self, thread: str, namespace: str, values: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[bytes, bytes]]:
        """The values with lists of rows named, and the rows that may not be stored yet."""
        if len(self._last) > _REMEMBERED:
            self._last.clear()
        named: dict[str, Any] = {}
        fresh: dict[bytes, bytes] = {}
        for channel, value in values.items():
            if not isinstance(value, list) or not value or not _are_rows(value):
                named[channel] = value
                continue
            key = (thread, namespace, channel)
            old, known = self._last.get(key, ([], []))
            names: Names = []
            for place, row in enumerate(value):
                if place < len(old) and old[place] is row:
                    names.append(known[place])
                else:
                    data = json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")
                    names.append(hashlib.sha256(data).digest()[:_NAME_BYTES])
                    fresh[names[-1]] = data
            self._last[key] = (value, names)
            named[channel] = {_NAMED: b"".join(names)}
        return named, fresh

    def _insert(self, cursor: "Cursor", thread: str, rows: dict[bytes, bytes]) -> None:
        for name, data in rows.items():
            cursor.execute(
                "insert into state_rows (thread, name, data) values (?, ?, ?)"
                " on conflict do nothing",
                (thread, name, self.store.sealer.seal(data)),
            )

    def _drop_writes(self, cursor: "Cursor", place: dict[str, Any]) -> None:
        """Forget what tasks wrote for checkpoints before the one that is being followed.

        Later checkpoints hold it. What tells of pauses and errors stays for the history.
        """
        kept = ", ".join(f"'{channel}'" for channel in _KEPT)
        cursor.execute(
            f"delete from {self.writes_table} where thread_id = ? and checkpoint_ns = ?"
            f" and checkpoint_id < ? and channel not in ({kept})",
            (place["thread_id"], place["checkpoint_ns"], place.get("checkpoint_id") or ""),
        )

    def _whole(self, found: Any, rows: dict[bytes, Any]) -> Any:
        """A checkpoint with the rows that it names; `rows` keeps what was read."""
        values = found.checkpoint["channel_values"]
        wanted = {name for value in values.values() for name in _names(value)} - rows.keys()
        if wanted:
            self._read(found.config["configurable"]["thread_id"], sorted(wanted), rows)
        whole = {
            channel: [rows[name] for name in _names(value)] if _is_named(value) else value
            for channel, value in values.items()
        }
        return found._replace(checkpoint={**found.checkpoint, "channel_values": whole})

    def _read(self, thread: str, names: Sequence[bytes], rows: dict[bytes, Any]) -> None:
        with self.store.transaction() as cursor:
            for first in range(0, len(names), _AT_ONCE):
                some = names[first : first + _AT_ONCE]
                marks = ", ".join("?" * len(some))
                cursor.execute(
                    f"select name, data from state_rows where thread = ? and name in ({marks})",
                    (thread, *some),
                )
                for name, data in cursor.fetchall():
                    text = self.store.sealer.open(data).decode("utf-8", "surrogatepass")
                    rows[bytes(name)] = json.loads(text)
        if not rows.keys() >= set(names):
            raise RunStoreError(
                f"Thread {thread} is damaged, as rows of its state are missing in "
                f"{self.store.place}: delete it with `groundhop delete {thread}`."
            )


def _are_rows(value: list[Any]) -> bool:
    return all(type(item) is dict for item in value)


def _is_named(value: Any) -> bool:
    return type(value) is dict and _NAMED in value


def _names(value: Any) -> Names:
    if not _is_named(value):
        return []
    joined = bytes(value[_NAMED])
    return [joined[at : at + _NAME_BYTES] for at in range(0, len(joined), _NAME_BYTES)]
