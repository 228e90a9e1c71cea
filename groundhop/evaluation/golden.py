"""Turning a run that went wrong into a case that is asked from then on."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from groundhop.evaluation import samples
from groundhop.evaluation.rows import RowError, make_all, read_rows
from groundhop.evaluation.schema import Json
from retrieval.errors import UsageError
from state.language import detect_language
from state.text import comparable


def case_of(
    state: Json, answers: Sequence[str], documents: Sequence[str], answerable: str, thread: str
) -> Json:
    """The case of a thread, in the samples' layout.

    `answers` and `documents` are what would have been right. Raises UsageError where the case
    says nothing that could be checked.
    """
    # A follow-up ("And Lab Omicron?") cannot be asked alone; what it was understood as can.
    follows = state.get("question_number", 1) > 1 and state.get("resolved_question")
    question = follows or state.get("original_question", "")
    if not question:
        raise UsageError(f"Thread {thread} holds no question.")
    if answerable != "no" and not answers and not documents:
        raise UsageError(
            "Say what would have been right: --answer TEXT, --document SOURCE, or --unanswerable."
        )
    if answerable == "no" and (answers or documents):
        raise UsageError("An unanswerable case has neither --answer nor --document.")
    asker = state.get("asked_as") or {}
    case: Json = {
        "id": f"golden-{datetime.now(UTC).strftime('%Y%m%d%H%M%S')}-{thread[:8]}",
        "question": question,
        "answers": list(answers),
        "supporting": [{"document": one} for one in documents],
        "answerable": answerable,
        "type": "golden",
        "lang": detect_language(question),
        "hops": max(1, len(documents)),
        "thread": thread,
    }
    if asker.get("user"):
        case["user"] = asker["user"]
    if asker.get("groups"):
        case["groups"] = list(asker["groups"])
    try:
        samples.question(case)
    except RowError as error:
        raise UsageError(f"That makes no case: {error}.") from None
    return case


def append(path: Path, case: Json) -> int:
    """Add the case as a line of the file; gives the number of cases in it then.

    Raises UsageError where the same question of the same asker is there already.
    """
    known: list[Json] = []
    if path.exists():
        rows, problems = read_rows(path)
        _, more = make_all(rows, samples.question, lambda one: one.id)
        if problems + more:
            raise UsageError(f"{path} has a line that cannot be used: {(problems + more)[0]}.")
        known = [row.values for row in rows]
    for place, one in enumerate(known, 1):
        if _asked(one) == _asked(case):
            raise UsageError(f"{path} has this question already, as case {place} ({one['id']}).")
    line = json.dumps(case, ensure_ascii=False) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        if known and not _ends_with_a_line(path):
            line = "\n" + line
        file.write(line)
    return len(known) + 1


def _asked(case: Json) -> tuple[str, str, tuple[str, ...]]:
    groups = tuple(sorted(case.get("groups", [])))
    return comparable(case["question"]), case.get("user") or "", groups


def _ends_with_a_line(path: Path) -> bool:
    return path.read_bytes().endswith(b"\n")
