"""JSON and JSON Lines → Markdown, a heading for each record."""

import json
from collections.abc import Iterator
from typing import Any

from ingest.errors import RefusedError
from ingest.formats.composing import Composer, heading, one_line
from ingest.formats.decoding import decode
from ingest.formats.protocol import Fields, Loaded

_DEEPEST = 50
_MOST_RECORDS = 200_000


def load_json(data: bytes, fields: Fields) -> Loaded:
    """The records of a JSON file: a list, or what `fields.records` leads to."""
    try:
        value = json.loads(decode(data))
    except json.JSONDecodeError as error:
        raise RefusedError(f"it is not JSON at line {error.lineno}: {error.msg.lower()}") from error
    except RecursionError as error:
        raise RefusedError("its JSON is nested too deeply") from error
    found = at(value, fields.records)
    if found is None:
        raise RefusedError(f"it has nothing at {fields.records!r}, where its records should be")
    return _compose(found if isinstance(found, list) else [found], fields)


def load_json_lines(data: bytes, fields: Fields) -> Loaded:
    """A record on each line; blank lines are passed over."""
    records = []
    for number, line in enumerate(decode(data).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append(at(json.loads(line), fields.records))
        except (json.JSONDecodeError, RecursionError) as error:
            what = error.msg.lower() if isinstance(error, json.JSONDecodeError) else "too deep"
            raise RefusedError(f"its line {number} is not JSON: {what}") from error
    return _compose(records, fields)


def at(value: Any, path: str) -> Any:
    """What a dotted path leads to in mappings and lists, or None."""
    for name in filter(None, path.split(".")):
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def _compose(records: list[Any], fields: Fields) -> Loaded:
    if len(records) > _MOST_RECORDS:
        raise RefusedError(f"it has more than {_MOST_RECORDS:,} records: split it")
    composer = Composer()
    empty = 0
    for record in records:
        body = "\n\n".join(_texts(record, fields))
        if not body.strip():
            empty += 1
            continue
        composer.add(heading(2, at(record, fields.title) if fields.title else ""))
        composer.add(body)
    if records and empty == len(records) and fields.text:
        raise RefusedError(f"none of its records has a text at {' or '.join(fields.text)}")
    note = f"{empty} of its {len(records)} records hold no text" if empty else ""
    return Loaded(composer.finish()[0], access=_access(records), note=note)


def _texts(record: Any, fields: Fields) -> Iterator[str]:
    if not fields.text:
        yield "\n".join(line for line in _lines(record, "", 0) if line)
        return
    for path in fields.text:
        value = at(record, path)
        if isinstance(value, str):
            yield value
        elif value is not None:
            yield "\n".join(_lines(value, "", 0))


def _lines(value: Any, name: str, depth: int) -> Iterator[str]:
    """Every value under its dotted name."""
    if depth > _DEEPEST:
        raise RefusedError("its JSON is nested too deeply")
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _lines(inner, f"{name}.{key}" if name else str(key), depth + 1)
    elif isinstance(value, list):
        if all(not isinstance(one, dict | list) for one in value):
            yield from _lines(", ".join(one_line(one) for one in value), name, depth + 1)
        else:
            for inner in value:
                yield from _lines(inner, name, depth + 1)
    elif value is not None and str(value).strip():
        yield f"{name}: {value}" if name else str(value)


def _access(records: list[Any]) -> Any:
    """The `access` that the records agree on; a file is one document with one list of readers."""
    stated = [one["access"] for one in records if isinstance(one, dict) and "access" in one]
    if not stated:
        return None
    if len(stated) != len(records) or any(one != stated[0] for one in stated):
        raise RefusedError("its records differ in `access`: split it into a file for each")
    return stated[0]
