"""Checkpoints that share their rows, so that a thread grows with its steps and not their square.

Every checkpoint holds the whole state, and the lists in it (evidence, history, searches) grow by
a few rows a step. So a row is stored once for its thread, under the hash of its content, and
checkpoints and the writes of tasks only name it (see `graph.naming`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.base import WRITES_IDX_MAP, BaseCheckpointSaver

from graph.database import DamagedThreadError
from graph.naming import Listed, Rows, Seen, blocks_in, name_list, parse, rows_in, whole

if TYPE_CHECKING:
    from graph.store import Cursor, Store

_AT_ONCE = 512
_REMEMBERED = 512
_KEPT = ("__interrupt__", "__resume__", "__error__")
_TOGETHER = "groundhop:writes"

NULL_TASK_ID = "00000000-0000-0000-0000-000000000000"
"""Under which LangGraph stores what no task wrote, such as a reply to a pause."""

Place = dict[str, Any]


@dataclass(frozen=True)
class Written:
    """Rows that tasks have named, and the names of those that are stored."""

    seen: Seen = field(default_factory=dict)
    stored: set[bytes] = field(default_factory=set)


class SharedRows(BaseCheckpointSaver[str]):
    """A saver that stores the rows of lists apart; for use as a mixin in front of one."""

    store: "Store"
    writes_table: str
    _last: dict[tuple[str, str, str], Listed]
    """The list of each channel that was stored last, by thread, namespace and channel: a row
    that is still the same object needs no hash."""
    _written: dict[tuple[str, str, str], "Written"]
    """What tasks have stored after a checkpoint, by thread, namespace and id."""

    # LangGraph's shortcuts read the tables themselves, and would not know a name from a value.
    get_delta_channel_history = BaseCheckpointSaver.get_delta_channel_history

    def get_next_version(self, current: Any, channel: None) -> str:
        """The next number. LangGraph's savers add a random one, to tell values of forks apart
        that are stored by their version; here none is."""
        return f"{int(str(current or 0).partition('.')[0]) + 1:032}"

    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        """Store a checkpoint and its new rows, and forget writes that it holds, all at once."""
        place = config["configurable"]
        written = self._written.pop(_key(place), None) or Written()
        values, fresh = self._named(place, checkpoint["channel_values"], written.seen)
        for name in written.stored:
            fresh.pop(name, None)
        changed: Any = {**checkpoint, "channel_values": values}
        keep = super().put

        def save() -> Any:
            with self.store.transaction() as cursor:
                self._insert(cursor, place["thread_id"], fresh)
                self._drop_writes(cursor, place)
                return keep(config, changed, metadata, new_versions)

        return self.store.steadily(save)

    def put_writes(
        self, config: Any, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what a task wrote: its rows apart, the rest as one.

        It is only of use until the next checkpoint, and need not reach the disk before.
        """
        place = config["configurable"]
        if task_id == NULL_TASK_ID or any(channel in WRITES_IDX_MAP for channel, _ in writes):
            super().put_writes(config, writes, task_id, task_path)  # more may come, and replace it
            return
        _bound(self._written)
        written = self._written.setdefault(_key(place), Written())
        named: list[tuple[str, Any]] = []
        fresh: dict[bytes, bytes] = {}
        for channel, value in writes:
            found = name_list(value, None, written.seen)
            named.append((channel, found[0].stored if found else value))
            fresh |= found[1] if found else {}
        keep = super().put_writes

        def save() -> None:
            with self.store.transaction() as cursor:
                cursor.execute(f"select * from {self.store.unhurried}")
                self._insert(cursor, place["thread_id"], fresh)
                keep(config, [(_TOGETHER, named)], task_id, task_path)

        self.store.steadily(save)
        written.stored.update(fresh)

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
        rows: Rows = {}
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
        stored = [value for found in super().list(config) for value in _values(found)]
        blocks: Rows = {}
        self._read(thread_id, blocks_in(stored), blocks)
        named = {*blocks, *rows_in(stored, blocks)}
        with self.store.transaction() as cursor:
            cursor.execute("select name from state_rows where thread = ?", (thread_id,))
            gone = [row[0] for row in cursor.fetchall() if bytes(row[0]) not in named]
            for name in gone:
                cursor.execute(
                    "delete from state_rows where thread = ? and name = ?", (thread_id, name)
                )

    def _named(
        self, place: Place, values: dict[str, Any], seen: Seen
    ) -> tuple[dict[str, Any], dict[bytes, bytes]]:
        """The values with lists of rows named, and the rows that may not be stored yet."""
        _bound(self._last)
        named: dict[str, Any] = {}
        fresh: dict[bytes, bytes] = {}
        for channel, value in values.items():
            key = (place["thread_id"], place["checkpoint_ns"], channel)
            found = name_list(value, self._last.get(key), seen)
            if found:
                self._last[key] = found[0]
                fresh |= found[1]
            named[channel] = found[0].stored if found else value
        return named, fresh

    def _insert(self, cursor: "Cursor", thread: str, rows: dict[bytes, bytes]) -> None:
        if rows:  # in order, or else two transactions could wait for each other
            seal = self.store.sealer.seal
            cursor.executemany(
                "insert into state_rows (thread, name, data) values (?, ?, ?)"
                " on conflict do nothing",
                [(thread, name, seal(data)) for name, data in sorted(rows.items())],
            )

    def _drop_writes(self, cursor: "Cursor", place: Place) -> None:
        """Forget what tasks wrote for checkpoints before the one that is being followed.

        Later checkpoints hold it. What tells of pauses and errors stays for the history.
        """
        kept = ", ".join(f"'{channel}'" for channel in _KEPT)
        cursor.execute(
            f"delete from {self.writes_table} where thread_id = ? and checkpoint_ns = ?"
            f" and checkpoint_id < ? and channel not in ({kept})",
            (place["thread_id"], place["checkpoint_ns"], place.get("checkpoint_id") or ""),
        )

    def _whole(self, found: Any, rows: Rows) -> Any:
        """A checkpoint with the rows that it names; `rows` keeps what was read."""
        thread, stored = found.config["configurable"]["thread_id"], _values(found)
        self._read(thread, blocks_in(stored), rows)
        self._read(thread, rows_in(stored, rows), rows)
        values = found.checkpoint["channel_values"]
        named = {channel: whole(value, rows) for channel, value in values.items()}
        return found._replace(
            checkpoint={**found.checkpoint, "channel_values": named},
            pending_writes=[
                (task, channel, whole(value, rows)) for task, channel, value in _writes(found)
            ],
        )

    def _read(self, thread: str, names: Iterable[bytes], rows: Rows) -> None:
        """Add the rows of these names to `rows`; raises DamagedThreadError where one is missing."""
        wanted = sorted({*names} - rows.keys())
        if not wanted:
            return
        with self.store.transaction() as cursor:
            for first in range(0, len(wanted), _AT_ONCE):
                some = wanted[first : first + _AT_ONCE]
                # Few lengths, so that PostgreSQL prepares few statements.
                some += some[-1:] * ((1 << (len(some) - 1).bit_length()) - len(some))
                marks = ", ".join("?" * len(some))
                cursor.execute(
                    f"select name, data from state_rows where thread = ? and name in ({marks})",
                    (thread, *some),
                )
                for name, data in cursor.fetchall():
                    rows[bytes(name)] = parse(self.store.sealer.open(data))
        if not rows.keys() >= {*wanted}:
            raise DamagedThreadError(
                f"Thread {thread} is damaged, as rows of its state are missing in "
                f"{self.store.place}: delete it with `groundhop delete {thread}`."
            )


def _key(place: Place) -> tuple[str, str, str]:
    return place["thread_id"], place["checkpoint_ns"], place.get("checkpoint_id") or ""


def _values(found: Any) -> list[Any]:
    """What a stored checkpoint and the writes after it hold."""
    return [*found.checkpoint["channel_values"].values(), *(one[2] for one in _writes(found))]


def _writes(found: Any) -> list[tuple[str, str, Any]]:
    """What tasks wrote after a checkpoint: task, channel and value."""
    return [
        (task, *one)
        for task, channel, value in found.pending_writes or ()
        for one in (value if channel == _TOGETHER else [(channel, value)])
    ]


def _bound(remembered: dict[Any, Any]) -> None:
    if len(remembered) > _REMEMBERED:
        remembered.clear()
