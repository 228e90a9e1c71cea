"""Pieces of evidence as `grade` accepts them."""

import hashlib
from typing import Any

from state.independence import sketch
from state.types import Evidence


def evidence(name: str, quote: str, **fields: Any) -> Evidence:
    """Evidence of a document of its own, read on 1 June 2026; the passage is the quote."""
    text = fields.pop("text", quote)
    plain = {
        "id": name,
        "kind": "passage",
        "quote": quote,
        "document_id": f"d-{name}",
        "chunk_id": f"c-{name}",
        "source": f"{name}.md",
        "title": f"Tài liệu {name}",
        "version": "",
        "sha256": hashlib.sha256(f"{name} {text}".encode()).hexdigest(),
        "sketch": sketch(text),
        "contradicts": [],
        "retrieved_at": "2026-06-01T08:00:00+00:00",
    }
    return {**plain, **fields}  # type: ignore[typeddict-item]
