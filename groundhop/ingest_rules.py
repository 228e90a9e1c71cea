"""The rules on paths of groundhop.toml, for `groundhop ingest`."""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.rules import Rules

_KNOWN = ("rules",)


def load_rules(path: Path) -> "Rules":
    """The rules of a settings file; none without it.

    Raises `UsageError` for a file or a rule that cannot be read: it may restrict a folder.
    """
    from ingest.rules import Rules, read_rules
    from retrieval.errors import UsageError

    try:
        tables: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Rules()
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    ingest = tables.get("ingest", {})
    unknown = [name for name in ingest if name not in _KNOWN] if isinstance(ingest, dict) else [""]
    if unknown:
        named = f" {unknown[0]!r}" if unknown[0] else ""
        raise UsageError(
            f"[ingest] in {path} holds{named} what is not known: it has [[ingest.rules]]."
        )
    return read_rules(ingest.get("rules", []), path.parent, str(path))
