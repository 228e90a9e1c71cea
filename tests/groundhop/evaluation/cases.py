"""Questions, answers and records for the tests."""

from typing import Any

from groundhop.evaluation.recording import Record
from groundhop.evaluation.schema import Question

DELTA, SIGMA, AURORA = "labs/delta.md", "labs/sigma.md", "projects/aurora.md"
FOUNDER = Question(
    id="q1",
    question="Ai sáng lập tổ chức đã phát triển Project Aurora?",
    answers=("Minh Trần", "Trần Minh"),
    parts=(("Minh Trần", "Trần Minh"),),
    gold=((AURORA,), (DELTA,)),
    type="bridge",
    lang="vi",
    hops=2,
)


def citation(source: str, quote: str, number: int = 1) -> dict[str, Any]:
    return {
        "number": number,
        "evidence_id": f"e{number}",
        "source": source,
        "title": "",
        "heading": "",
        "page": None,
        "start": 0,
        "end": len(quote),
        "quote": quote,
        "version": "",
    }


def answered(short: str, *citations: dict[str, Any], text: str = "") -> dict[str, Any]:
    return {"short": short, "text": text or short, "citations": list(citations)}


def accepted(source: str, number: int = 1, quote: str = "…") -> dict[str, Any]:
    return {"id": f"e{number}", "source": source, "document_id": source, "quote": quote}


def search(*sources: str) -> list[dict[str, Any]]:
    return [{"source": one, "chunk_id": f"{one}#1"} for one in sources]


def run_of(
    status: str = "answered",
    answer: dict[str, Any] | None = None,
    searches: list[list[dict[str, Any]]] | None = None,
    evidence: list[dict[str, Any]] | None = None,
    **more: Any,
) -> Record:
    return Record(
        status=status,
        answer=answer or {},
        searches=searches or [],
        evidence=evidence or [],
        **more,
    )
