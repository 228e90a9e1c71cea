"""The few fixed sentences that code itself says, in the question's language."""

from collections.abc import Collection

from state.coverage import fill_in, open_placeholders
from state.language import detect_language
from state.types import RunState, Subgoal

_WORDS = {
    "en": {
        "missing": "Not found in the documents: {parts}",
        "denied_unknown": "Not answered, because it needs to be known who asks: {parts}",
        "denied": "Not answered, because the asker's rights do not reach so far: {parts}",
        "disagree": "The sources disagree: {first} against {second}",
        "disagree_ranked": "The sources disagree: {first}, which counts more, against {second}",
        "too_few": "Not confirmed by enough independent sources: {part} So far: {quote}",
        "gave_up": "I could not find the answer in the documents that I may read.",
        "failed": "The search itself failed, so I cannot say whether the documents have it.",
        "stopped": "Stopped because: {why}.",
        "searched": "Searched: {queries}",
        "closest": "Looked at and turned down: {titles}",
        "broken": "Search errors: {errors}",
        "solved": "every part is answered",
        "budget_exhausted": "the budget is used up ({detail})",
        "repeated_query": "further searches would only repeat earlier ones",
        "no_progress": "the last rounds brought no new evidence",
        "insufficient_evidence": "every way of asking was tried",
        "tools_failed": "every search failed",
    },
    "vi": {
        "missing": "Không tìm thấy trong tài liệu: {parts}",
        "denied_unknown": "Không trả lời vì cần biết ai đang hỏi: {parts}",
        "denied": "Không trả lời vì quyền của người hỏi không cho phép: {parts}",
        "disagree": "Các nguồn không thống nhất: {first} so với {second}",
        "disagree_ranked": "Các nguồn không thống nhất: {first}, được ưu tiên, so với {second}",
        "too_few": "Chưa đủ nguồn độc lập xác nhận: {part} Đến nay: {quote}",
        "gave_up": "Tôi không tìm thấy câu trả lời trong các tài liệu được phép đọc.",
        "failed": "Việc tìm kiếm bị lỗi, nên tôi không thể nói tài liệu có câu trả lời hay không.",
        "stopped": "Dừng vì: {why}.",
        "searched": "Đã tìm: {queries}",
        "closest": "Đã xem và loại: {titles}",
        "broken": "Lỗi khi tìm: {errors}",
        "solved": "mọi phần đã được trả lời",
        "budget_exhausted": "đã dùng hết ngân sách ({detail})",
        "repeated_query": "tìm thêm chỉ lặp lại các lần trước",
        "no_progress": "các vòng gần nhất không đem lại bằng chứng mới",
        "insufficient_evidence": "đã thử mọi cách hỏi",
        "tools_failed": "mọi lần tìm đều lỗi",
    },
}


def say(question: str, name: str, **values: str) -> str:
    """A fixed sentence in Vietnamese for a Vietnamese question, else in English."""
    language = "vi" if detect_language(question) == "vi" else "en"
    return _WORDS[language][name].format(**values)


def missing_parts(state: RunState) -> list[str]:
    """The required parts of the question that stayed unsolved."""
    return [_told(item, state) for item in _missing(state)]


def denied_parts(state: RunState) -> list[str]:
    """Those of the missing parts that the asker's rights do not reach."""
    denied = _denied(state)
    return [_told(item, state) for item in _missing(state) if item["id"] in denied]


def say_missing(state: RunState, besides: Collection[str] = ()) -> list[str]:
    """A line for the parts that were not found, and one for those that access was refused to.

    Parts in `besides` are told in other words elsewhere. What is behind a refusal, or whether
    anything is, is not said; a part that only waits for a refused one is not named.
    """
    question, denied = state["original_question"], _denied(state)
    unfound = [_told(item, state) for item in _missing(state) if not _behind(item, denied)]
    unfound = [part for part in unfound if part not in besides]
    refused = denied_parts(state)
    lines = []
    if unfound:
        lines.append(say(question, "missing", parts="; ".join(unfound)))
    if refused:
        known = bool((state.get("asked_as") or {}).get("user"))
        name = "denied" if known else "denied_unknown"
        lines.append(say(question, name, parts="; ".join(refused)))
    return lines


def only_denied(state: RunState) -> bool:
    """Whether nothing is missing but what access was refused to, and what waits for it."""
    denied = _denied(state)
    return bool(denied) and all(_behind(item, denied) for item in _missing(state))


def _missing(state: RunState) -> list[Subgoal]:
    return [
        item
        for item in state["subgoals"]
        if item.get("required", True) and item["status"] != "solved"
    ]


def _denied(state: RunState) -> set[str]:
    return {row["subgoal_id"] for row in state["history"] if row.get("action") == "not_allowed"}


def _behind(item: Subgoal, denied: set[str]) -> bool:
    """Whether access was refused to a part of the question, or to one that it waits for."""
    return item["id"] in denied or not denied.isdisjoint(open_placeholders(item["question"]))


def _told(item: Subgoal, state: RunState) -> str:
    return fill_in(item["question"], state["subgoals"])
