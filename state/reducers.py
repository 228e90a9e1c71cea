"""How updates of a node join the state: pure, and the same on every replay."""

from typing import Any

CONVERSATION_TURNS = 8


def append(old: list[Any] | None, new: list[Any] | None) -> list[Any]:
    """The old items, then the new ones."""
    return [*(old or []), *(new or [])]


def append_bounded(old: list[Any] | None, new: list[Any] | None) -> list[Any]:
    """Like `append`, but only the last `CONVERSATION_TURNS` items are kept."""
    return append(old, new)[-CONVERSATION_TURNS:]


def merge_by_id(
    old: list[dict[str, Any]] | None, new: list[dict[str, Any]] | None
) -> list[dict[str, Any]]:
    """Items by their `id`: a known one takes the new fields and keeps its place."""
    merged = {item["id"]: item for item in old or []}
    for item in new or []:
        known = merged.get(item["id"])
        merged[item["id"]] = {**known, **item} if known else item
    return list(merged.values())


def keep_first_by_id(
    old: list[dict[str, Any]] | None, new: list[dict[str, Any]] | None
) -> list[dict[str, Any]]:
    """Items by their `id`; what was accepted first stays as it was accepted."""
    merged = {item["id"]: item for item in old or []}
    for item in new or []:
        merged.setdefault(item["id"], item)
    return list(merged.values())


def merge_seen(
    old: list[dict[str, Any]] | None, new: list[dict[str, Any]] | None
) -> list[dict[str, Any]]:
    """Seen queries by normal form, tool and subgoal."""
    merged = {_seen_key(row): row for row in old or []}
    for row in new or []:
        merged.setdefault(_seen_key(row), row)
    return list(merged.values())


def _seen_key(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["normal"], row["tool"], row["subgoal_id"]


def merge_budget(old: dict[str, Any] | None, new: dict[str, Any] | None) -> dict[str, Any]:
    """The last limits stand; what was spent adds up."""
    old, new = old or {}, new or {}
    spent = dict(old.get("spent", {}))
    for name, amount in new.get("spent", {}).items():
        spent[name] = spent.get(name, 0) + amount
    return {"limits": {**old.get("limits", {}), **new.get("limits", {})}, "spent": spent}
