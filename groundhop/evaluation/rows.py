"""Reading rows of files that others wrote: every complaint names the line and the field."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from groundhop.evaluation.schema import Json, Problem
from retrieval.errors import UsageError
from state.text import clean

Made = TypeVar("Made")


class RowError(Exception):
    """A row that cannot be used; the message says what is wrong with it."""


@dataclass(frozen=True)
class Row:
    """One object of a file, and where it stands."""

    where: str
    values: Json


def read_rows(path: Path) -> tuple[list[Row], list[Problem]]:
    """The objects of a JSONL file, or of a JSON file that holds a list or one object.

    Broken lines are problems; raises UsageError where the file itself cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    whole = _whole(data) if path.suffix != ".jsonl" else None
    if whole is not None:
        return _numbered(path, whole)
    return _lines(path, data)


def _whole(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return None


def _numbered(path: Path, value: Any) -> tuple[list[Row], list[Problem]]:
    items = value if isinstance(value, list) else [value]
    rows, problems = [], []
    for number, item in enumerate(items, 1):
        where = f"{path.name}, entry {number}"
        if isinstance(item, dict):
            rows.append(Row(where, item))
        else:
            problems.append(Problem(where, f"it is {_kind(item)}, not an object"))
    return rows, problems


def _lines(path: Path, data: bytes) -> tuple[list[Row], list[Problem]]:
    rows, problems = [], []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        where = f"{path.name}, line {number}"
        if not line.strip():
            continue
        try:
            item = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError:
            problems.append(Problem(where, "it is not UTF-8"))
        except ValueError as error:
            problems.append(Problem(where, f"it is not JSON ({error})"))
        except RecursionError:
            problems.append(Problem(where, "it is not JSON that can be read (too deep)"))
        else:
            if isinstance(item, dict):
                rows.append(Row(where, item))
            else:
                problems.append(Problem(where, f"it is {_kind(item)}, not an object"))
    return rows, problems


def make_all(
    rows: list[Row], make: Callable[[Json], Made], identity: Callable[[Made], str]
) -> tuple[list[Made], list[Problem]]:
    """What `make` makes of every row; rows it refuses, and second ones of an id, are problems."""
    made: dict[str, Made] = {}
    places: dict[str, str] = {}
    problems = []
    for row in rows:
        try:
            item = make(row.values)
        except RowError as error:
            problems.append(Problem(row.where, str(error)))
            continue
        name = identity(item)
        if name in made:
            problems.append(Problem(row.where, f"the id {name!r} is that of {places[name]}"))
            continue
        made[name], places[name] = item, row.where
    return list(made.values()), problems


def text(values: Json, *names: str, default: str | None = None) -> str:
    """The first of the named fields that is there, as text; RowError without one or a default."""
    for name in names:
        if (value := values.get(name)) is None:
            continue
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return clean(str(value)).strip()
        raise RowError(f"the field {name!r} is {_kind(value)}, not text")
    if default is None:
        raise RowError(f"the field {names[0]!r} is missing")
    return default


def needed(values: Json, *names: str) -> str:
    """Like `text`, and not empty."""
    found = text(values, *names)
    if not found:
        raise RowError(f"the field {names[0]!r} is empty")
    return found


def texts(values: Json, *names: str, default: list[str] | None = None) -> tuple[str, ...]:
    """The first of the named fields that is there, as a list of texts; one text counts as one."""
    for name in names:
        if (value := values.get(name)) is None:
            continue
        if isinstance(value, str):
            value = [value]
        if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
            return tuple(clean(str(one)).strip() for one in value)
        raise RowError(f"the field {name!r} is not a list of texts")
    if default is None:
        raise RowError(f"the field {names[0]!r} is missing")
    return tuple(default)


def objects(values: Json, name: str, *, required: bool = True) -> Iterator[Json]:
    """The objects of a list field."""
    value = values.get(name)
    if value is None and not required:
        return
    if not isinstance(value, list):
        what = "missing" if value is None else f"{_kind(value)}, not a list"
        raise RowError(f"the field {name!r} is {what}")
    for one in value:
        if not isinstance(one, dict):
            raise RowError(f"the field {name!r} holds {_kind(one)}, not only objects")
        yield one


def number(values: Json, name: str, default: int) -> int:
    """A whole number, or the default where the field is not there."""
    value = values.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RowError(f"the field {name!r} is {_kind(value)}, not a whole number")
    return value


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")
