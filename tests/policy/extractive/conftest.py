import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from policy.extractive import Extractive
from policy.language.wording import terms
from policy.support import SentenceSupport
from state.sentences import sentences


def overlap(question: str, passages: Sequence[tuple[str, str]]) -> list[list[SentenceSupport]]:
    """A scorer by shared words; its cosine spreads like that of a real embedding."""
    asked = set(terms(question))
    rows = []
    for context, text in passages:
        row = []
        whole = len(asked & set(terms(f"{context} {text}"))) / max(1, len(asked))
        for one in sentences(text):
            alone = len(asked & set(terms(one.text))) / max(1, len(asked))
            both = len(asked & set(terms(f"{context} {one.text}"))) / max(1, len(asked))
            row.append(
                SentenceSupport(
                    one.text, one.start, one.end, 0.74 + 0.17 * alone, 0.74 + 0.17 * both,
                    alone, both, whole,
                )
            )  # fmt: skip
        rows.append(row)
    return rows


@pytest.fixture
def policy() -> Extractive:
    return Extractive(overlap)


@pytest.fixture
def passage() -> Callable[..., dict[str, Any]]:
    def make(text: str, title: str = "", heading: str = "", **more: Any) -> dict[str, Any]:
        language = "vi" if re.search("[ạ-ỹăđơư]", text) else "en"
        made = {
            "id": more.get("id", text[:20]), "text": text, "title": title,
            "heading": heading or title, "source": f"{title}.md", "version": "",
            "language": language,
        }  # fmt: skip
        return {**made, **more}

    return make


@pytest.fixture
def grade(policy: Extractive) -> Callable[..., Any]:
    def run(question: str, *passages: dict[str, Any], facts: Sequence[Any] = ()) -> Any:
        view: Any = {
            "original_question": question,
            "subgoal": {"id": "s1", "question": question},
            "passages": list(passages),
            "facts": list(facts),
        }
        return policy.grade(view)[0]

    return run


@pytest.fixture
def plan(policy: Extractive) -> Callable[..., Any]:
    def run(question: str, conversation: Sequence[Any] = (), subgoals: Sequence[Any] = ()) -> Any:
        view: Any = {
            "original_question": question, "conversation": list(conversation),
            "subgoals": list(subgoals), "facts": [], "tried": [], "tools": [],
        }  # fmt: skip
        return policy.plan(view)[0]

    return run
