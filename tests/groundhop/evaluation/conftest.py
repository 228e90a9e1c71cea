"""A small set with passages of its own, in both languages, and an embedder without a model."""

import json
from pathlib import Path
from typing import Any

import pytest

PASSAGES = [
    ("p1", "Lab Delta", "Lab Delta do Minh Trần sáng lập năm 2019.", "vi"),
    ("p2", "Project Aurora", "Project Aurora do Lab Delta phát triển.", "vi"),
    ("p3", "Lab Sigma", "Lab Sigma was founded by Ana Costa in 2015.", "en"),
    ("p4", "Project Borealis", "Project Borealis was developed by Lab Sigma.", "en"),
]
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "vi-1",
        "question": "Ai sáng lập Lab Delta?",
        "answers": ["Minh Trần"],
        "supporting_ids": ["p1"],
        "answerable": True,
        "lang": "vi",
        "type": "single",
    },
    {
        "id": "vi-2",
        "question": "Ai sáng lập tổ chức đã phát triển Project Aurora?",
        "answers": ["Minh Trần"],
        "supporting_ids": ["p2", "p1"],
        "answerable": True,
        "lang": "vi",
        "type": "bridge",
        "hops": 2,
    },
    {
        "id": "en-1",
        "question": "Who founded Lab Sigma?",
        "answers": ["Ana Costa"],
        "supporting_ids": ["p3"],
        "answerable": True,
        "lang": "en",
        "type": "single",
        "split": "heldout",
    },
    {
        "id": "en-2",
        "question": "Who painted the bridge of Port Averil?",
        "answers": [],
        "answerable": False,
        "lang": "en",
        "type": "null",
    },
]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """The folder of a set: four questions about four passages."""
    folder = tmp_path / "labs"
    folder.mkdir()
    passages = [dict(zip(("id", "title", "text", "lang"), row, strict=True)) for row in PASSAGES]
    for name, rows in (("corpus.jsonl", passages), ("questions.jsonl", QUESTIONS)):
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
