"""The samples are what they say: quotes stand in the documents, halves are halves."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from state.text import nfc

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
SAMPLES = ["handbook-vi", "labs-en"]


def questions(sample: str, name: str = "questions.jsonl") -> list[dict[str, Any]]:
    lines = (EXAMPLES / sample / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def text_of(path: Path) -> str:
    """The text of a document with white space and cell borders folded."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = BeautifulSoup(text, "html.parser").get_text(" ")
    return folded(text)


def folded(text: str) -> str:
    return " ".join(re.sub(r"[|]", " ", nfc(text)).split())


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("name", ["questions.jsonl", "tuning.jsonl", "fresh.jsonl"])
def test_every_supporting_quote_stands_in_its_document(sample: str, name: str) -> None:
    wrong = [
        row["id"]
        for row in questions(sample, name)
        for support in row["supporting"]
        if folded(support["quote"]) not in text_of(EXAMPLES / sample / support["document"])
    ]
    assert wrong == []


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_has_enough_questions_of_which_a_third_has_no_full_answer(sample: str) -> None:
    rows = questions(sample)
    assert len(rows) >= 60
    assert len({row["id"] for row in rows}) == len(rows)
    kinds = Counter(row["answerable"] for row in rows)
    assert (kinds["no"] + kinds["partial"]) / len(rows) >= 0.3


@pytest.mark.parametrize("sample", SAMPLES)
def test_half_of_a_sample_is_kept_out_of_tuning(sample: str) -> None:
    rows = questions(sample)
    halves = Counter(row["split"] for row in rows)
    assert halves["dev"] == halves["heldout"] == len(rows) // 2
    assert {row["split"] for row in questions(sample, "tuning.jsonl")} == {"dev"}


@pytest.mark.parametrize("sample", SAMPLES)
def test_documents_have_between_100_and_400_words(sample: str) -> None:
    documents = [path for path in (EXAMPLES / sample / "documents").rglob("*.*") if path.is_file()]
    documents = [path for path in documents if path.suffix in (".md", ".txt", ".html")]
    assert len(documents) >= 25
    lengths = {path.name: len(text_of(path).split()) for path in documents}
    assert {name: n for name, n in lengths.items() if not 100 <= n <= 400} == {}
