"""Views as the nodes make them."""

from typing import Any

QUESTION = "Nhân viên thử việc năm 2026 được nghỉ phép mấy ngày?"
STATED = "Năm 2026, nhân viên thử việc được nghỉ 6 ngày phép."


def subgoal(question: str = QUESTION, **fields: Any) -> Any:
    return {
        "id": "s1",
        "question": question,
        "query": "",
        "tool": "search_documents",
        "status": "pending",
        "required": True,
        "depends_on": [],
        "answer": "",
        "reason": "",
        "evidence_ids": [],
        "rewrites": 0,
        **fields,
    }


def passage(text: str = STATED, number: int = 1, **fields: Any) -> Any:
    return {
        "id": f"s1:c{number}",
        "text": text,
        "title": "Quy định nghỉ phép",
        "heading": "Quy định nghỉ phép > Thử việc",
        "source": "nghi-phep.md",
        "version": "2026",
        "language": "vi",
        **fields,
    }


def fact(quote: str = STATED, identifier: str = "e1", **fields: Any) -> Any:
    return {
        "id": identifier,
        "subgoal_id": "s1",
        "quote": quote,
        "title": "Quy định nghỉ phép",
        "source": "nghi-phep.md",
        "version": "2026",
        **fields,
    }


def plan_view(question: str = QUESTION, **fields: Any) -> Any:
    tools = [{"name": "search_documents", "description": "Finds passages."}]
    view = {"original_question": question, "conversation": [], "subgoals": [], "facts": []}
    return {**view, "tried": [], "tools": tools, **fields}


def grade_view(*passages: Any, question: str = QUESTION, **fields: Any) -> Any:
    return {
        "original_question": question,
        "subgoal": subgoal(question),
        "passages": list(passages) or [passage()],
        "facts": [],
        **fields,
    }


def rewrite_view(**fields: Any) -> Any:
    return {
        "original_question": QUESTION,
        "subgoal": subgoal(),
        "reason": "chỉ nói về nhân viên chính thức",
        "tried": [QUESTION],
        "turned_down": ["Quy định nghỉ phép"],
        "tools": [{"name": "search_documents", "description": "Finds passages."}],
        **fields,
    }


def write_view(*facts: Any, **fields: Any) -> Any:
    done = subgoal(status="solved", answer="6 ngày", evidence_ids=["e1"])
    return {
        "original_question": QUESTION,
        "subgoals": [done],
        "facts": list(facts) or [fact()],
        "missing": [],
        **fields,
    }
