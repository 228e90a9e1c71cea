"""Rules on paths: `[[ingest.rules]]` of groundhop.toml.

A rule that cannot be read stops the ingest before it begins: it may be the one that keeps a
folder from being public.
"""

import contextlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from ingest.errors import RefusedError
from ingest.formats.protocol import Fields
from ingest.patterns import Pattern, compile_pattern, matches
from ingest.stated import KNOWN, Stated, stated_in
from retrieval.catalogue import Catalogue
from retrieval.errors import UsageError
from state.text import clean, nfc

SETTINGS_FILE = "groundhop.toml"
_RULES_FILE = "rules_file"
_KNOWN = ("match", *(name for name in KNOWN if name != "title"), "fields")
_FIELDS = ("records", "title", "text")


@dataclass(frozen=True)
class Rule:
    """What is stated about the files that a pattern covers."""

    match: str
    pattern: Pattern
    stated: Stated
    fields: Fields | None = None


@dataclass(frozen=True)
class Rules:
    """Rules in their order; paths count from `folder` if they lie in it.

    `file` is the settings file that they stand in, None where there is none.
    """

    folder: Path = Path("/")
    rules: tuple[Rule, ...] = ()
    file: Path | None = None

    def of(self, *paths: Path) -> list[Rule]:
        """The rules that cover a file which is reached by any of these absolute paths."""
        if not self.rules:
            return []
        shown = {_shown(path, self.folder) for path in paths}
        return [rule for rule in self.rules if any(matches(rule.pattern, one) for one in shown)]


def read_rules(tables: object, folder: Path, where: str = SETTINGS_FILE) -> Rules:
    """The rules of a settings file in `folder`. Raises `UsageError` that names the wrong one."""
    if not isinstance(tables, list) or not all(isinstance(one, Mapping) for one in tables):
        raise UsageError(f"`rules` in {where} must be tables: write each as [[ingest.rules]].")
    read = []
    for number, table in enumerate(tables, start=1):
        try:
            read.append(_rule(table))
        except (RefusedError, ValueError, re.error) as error:
            named = f" ({table['match']!r})" if "match" in table else ""
            raise UsageError(
                f"Rule {number}{named} of [[ingest.rules]] in {where} cannot be used, so nothing "
                f"was taken in: {error}."
            ) from error
    place = folder.resolve()
    return Rules(place, tuple(read), place / SETTINGS_FILE)


def keep_to(catalogue: Catalogue, rules: Rules, *, remember: bool = True) -> None:
    """Refuse an ingest without the rules of an earlier one, whose file is still there.

    From another folder they would not hold, and what they restrict would become public. Raises
    `UsageError`.
    """
    before, now = catalogue.get_setting(_RULES_FILE) or "", str(rules.file or "")
    if before and before != now and Path(before).is_file():
        raise UsageError(
            f"Nothing was taken in, because the rules on paths in {before} "
            f"do not hold here: run the ingest in {Path(before).parent}, or move the file into "
            f"{catalogue.folder}, where it holds for every folder without a {SETTINGS_FILE}."
        )
    wanted = now if rules.rules else ""
    if remember and before != wanted:
        catalogue.put_setting(_RULES_FILE, wanted)


def unused(rules: Rules, used: Iterable[str]) -> list[str]:
    """The patterns of the rules that covered no file: one of them may be misspelt."""
    seen = set(used)
    return [rule.match for rule in rules.rules if rule.match not in seen]


def _rule(table: Mapping[str, Any]) -> Rule:
    unknown = [name for name in table if name not in _KNOWN]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not known, only {', '.join(_KNOWN)}")
    match = table.get("match")
    if not isinstance(match, str) or not match.strip():
        raise ValueError('it needs `match`, a pattern such as "hr/**"')
    if match.startswith("!"):
        raise ValueError("`match` must not begin with `!`")
    if len(table) == 1:
        raise ValueError("it states nothing about the files that it covers")
    values = {name: _value(name, value) for name, value in table.items()}
    fields = _fields(values.pop("fields")) if "fields" in values else None
    stated = stated_in({name: value for name, value in values.items() if name != "match"}, "it")
    pattern = compile_pattern(match, anywhere=True, ignore_case=True)
    return Rule(match, pattern, Stated(**stated), fields)


def _value(name: str, value: object) -> Any:
    """A value as the reader of front matter has it: words, lists of words, mappings."""
    if isinstance(value, list | Mapping) or name == "access":
        return value
    if isinstance(value, date):
        return value.isoformat()[:10]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{name} must be a text, not {value!r}")
    return clean(str(value))


def _fields(value: object) -> Fields:
    if not isinstance(value, Mapping) or any(name not in _FIELDS for name in value):
        raise ValueError(f"`fields` must be a table with {', '.join(_FIELDS)}")
    text = value.get("text", [])
    paths = [text] if isinstance(text, str) else text
    named = [value.get("records", ""), value.get("title", "")]
    if not isinstance(paths, list) or not all(isinstance(one, str) for one in [*paths, *named]):
        raise ValueError('`fields` must hold dotted names such as "answer.text"')
    return Fields(named[0], named[1], tuple(paths))


def _shown(path: Path, folder: Path) -> str:
    with contextlib.suppress(ValueError):
        path = path.relative_to(folder)
    return nfc(path.as_posix()).strip("/")
