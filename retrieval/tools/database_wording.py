"""Rows in words: the passage that a call of a database returns."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from retrieval.errors import ToolError
from retrieval.tools.database_settings import HOLE, Language
from retrieval.tools.database_values import Rows

Json = dict[str, Any]

LONGEST = 20_000
"""Characters of the text of one call."""
_NONE: dict[str, str] = {"vi": "không có", "en": "none"}
_YES_NO: dict[str, tuple[str, str]] = {"vi": ("có", "không"), "en": ("yes", "no")}


def passage(
    database: str, title: str, statement: str, parameters: Json, found: Rows, wording: "Wording"
) -> Json:
    """All rows of a call as one passage, a line each; rows that are too many are left out."""
    lines: list[str] = []
    size = 0
    for row in found.rows:
        line = wording.line(row, parameters)
        size += len(line) + 1
        if lines and size > LONGEST:
            found.cut.append(f"only the first {len(lines)} rows are shown")
            break
        lines.append(line)
    rows = found.rows[: len(lines)]
    text = "\n".join(lines)
    key = json.dumps([statement, parameters, text], sort_keys=True, ensure_ascii=False)
    identifier = _digest(f"{database}\n{key}")[:16]
    return {
        "id": identifier,
        "kind": "rows",
        "document_id": f"database:{database}",
        "chunk_id": identifier,
        "source": f"{database} database",
        "title": title,
        "heading": "",
        "page": None,
        "page_breaks": [],
        "text": text,
        "columns": "",
        "start": 0,
        "end": len(text),
        "sha256": _digest(text),
        "version": "",
        "language": wording.language,
        "scores": {},
        "answer": wording.short(rows[0], parameters) if len(rows) == 1 else "",
        "statement": statement,
        "parameters": parameters,
        "rows": rows,
        "retrieved_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


class Wording:
    """How the rows of a query are put into words in one language."""

    def __init__(
        self,
        says: Mapping[Language, str],
        answer: Mapping[Language, str],
        language: Language | None,
    ) -> None:
        wanted: Language = language or ("vi" if "vi" in says or not says else "en")
        self.language: Language = wanted if wanted in says or not says else next(iter(says))
        self._says = says.get(self.language, "")
        self._answer = answer.get(self.language, "")

    def line(self, row: Json, parameters: Json) -> str:
        """One row on one line: in the operator's words, or as names and values."""
        if self._says:
            return " ".join(self._filled(self._says, row, parameters).split())
        return "; ".join(f"{name}: {self._worded(value)}" for name, value in row.items())

    def short(self, row: Json, parameters: Json) -> str:
        """The short form of a single row; of a row of one value it is that value."""
        if self._answer:
            return self._filled(self._answer, row, parameters)
        return self._worded(next(iter(row.values()))) if len(row) == 1 else ""

    def _filled(self, template: str, row: Json, parameters: Json) -> str:
        values = {**parameters, **row}

        def value(hole: re.Match[str]) -> str:
            if hole[1] not in values:
                raise ToolError(
                    f"The wording {template!r} names {hole[1]!r}, which is neither a column nor "
                    f"a parameter ({', '.join(values)}): correct it in the settings."
                )
            return self._worded(values[hole[1]])

        return HOLE.sub(value, template)

    def _worded(self, value: Any) -> str:
        if value is None:
            return _NONE[self.language]
        if isinstance(value, bool):
            return _YES_NO[self.language][not value]
        if isinstance(value, float):
            value = int(value) if value.is_integer() else value
            return str(value).replace(".", ",") if self.language == "vi" else str(value)
        return " ".join(str(value).split())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
