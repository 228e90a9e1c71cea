"""Lists of rows, named: what a checkpoint holds in place of evidence, history and searches.

A row is named by the hash of its content. Full blocks of rows at the front of a list are named
as one, or else the names of a history of a hundred rows would outweigh what they name.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

_NAMED, _BLOCKS = "groundhop:rows", "groundhop:blocks"
_NAME_BYTES = 12
_BLOCK = 16
_IS_BLOCK = b"\0"

Names = list[bytes]
Rows = dict[bytes, Any]
"""What a name stands for: a row, or the names of the rows of a block."""
Seen = dict[int, tuple[Any, bytes, bytes]]
"""Rows with their names and data, by the identity that they have while they are held here."""


class Listed(NamedTuple):
    """A list that was named, with the names of its rows and of its full blocks."""

    value: list[Any]
    names: Names
    blocks: Names

    @property
    def stored(self) -> dict[str, bytes]:
        """What a checkpoint holds in its place."""
        rest = {_NAMED: b"".join(self.names[len(self.blocks) * _BLOCK :])}
        return {**rest, _BLOCKS: b"".join(self.blocks)} if self.blocks else rest


def name_list(
    value: Any, last: Listed | None = None, seen: Seen | None = None
) -> tuple[Listed, dict[bytes, bytes]] | None:
    """The names of a list of rows, and the data of those that `last` does not hold.

    Anything else gives None. A row that is the same object in `last`, or in `seen`, is not hashed
    again; `seen` takes up the others.
    """
    if not isinstance(value, list) or not value or {*map(type, value)} != {dict}:
        return None
    old, seen = last or Listed([], [], []), {} if seen is None else seen
    if value is old.value:
        return old, {}
    same = _same(value, old.value)
    names = old.names[:same]
    fresh: dict[bytes, bytes] = {}
    for row in value[same:]:
        known = seen.get(id(row))
        if known is None:  # a row that is held there lends its identity to no other
            data = json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")
            known = seen[id(row)] = (row, _name(data), data)
        names.append(known[1])
        fresh[known[1]] = known[2]
    blocks = [
        _IS_BLOCK + b"".join(names[end - _BLOCK : end])
        for end in range(_BLOCK, len(names) + 1, _BLOCK)
    ]
    listed = Listed(value, names, [_name(data) for data in blocks])
    new = zip(listed.blocks, blocks, strict=True)
    return listed, fresh | {name: data for name, data in new if name not in old.blocks}


def _same(value: list[Any], old: list[Any]) -> int:
    """How many rows at the front are still the same objects."""
    pairs = enumerate(zip(value, old, strict=False))
    return next(
        (place for place, (one, other) in pairs if one is not other), min(len(value), len(old))
    )


def parse(data: bytes) -> Any:
    """A stored row, or the names of a stored block."""
    if data.startswith(_IS_BLOCK):
        return _split(data[1:])
    return json.loads(data.decode("utf-8", "surrogatepass"))


def blocks_in(values: Iterable[Any]) -> Iterator[bytes]:
    """The names of the blocks in these values; those that are no lists of rows have none."""
    for value in values:
        if _is_named(value):
            yield from _split(value.get(_BLOCKS, b""))


def rows_in(values: Iterable[Any], known: Rows) -> Iterator[bytes]:
    """The names of the rows in these values, whose blocks are `known`."""
    for value in values:
        if _is_named(value):
            for block in _split(value.get(_BLOCKS, b"")):
                yield from known[block]
            yield from _split(value[_NAMED])


def whole(value: Any, known: Rows) -> Any:
    """The list that a value stands for; any other value as it is."""
    return [known[name] for name in rows_in([value], known)] if _is_named(value) else value


def _name(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_NAME_BYTES]


def _split(joined: bytes) -> Names:
    joined = bytes(joined)
    return [joined[at : at + _NAME_BYTES] for at in range(0, len(joined), _NAME_BYTES)]


def _is_named(value: Any) -> bool:
    return type(value) is dict and _NAMED in value
