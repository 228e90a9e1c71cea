"""The few fixed sentences that code itself says, in the question's language."""

from collections.abc import Collection

from state.coverage import fill_in, open_placeholders
from state.language import detect_language
from state.types import RunState

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
    """The required parts that stayed unsolved; one that waits for another of them is not told."""
    open_ones = [
        item
        for item in state["subgoals"]
        if item.get("required", True) and item["status"] != "solved"
    ]
    ids = {item["id"] for item in open_ones}
    return [
        fill_in(item["question"], state["subgoals"])
        for item in open_ones
        if not ids & set(open_placeholders(item["question"]))
    ]


def denied_parts(state: RunState) -> list[str]:
    """Those of the missing parts that the asker's rights do not reach."""
    ids = {row["subgoal_id"] for row in state["history"] if row.get("action") == "not_allowed"}
    refused = [
        fill_in(item["question"], state["subgoals"])
        for item in state["subgoals"]
        if item["id"] in ids and item["status"] != "solved"
    ]
    return [part for part in missing_parts(state) if part in refused]


def say_missing(state: RunState, besides: Collection[str] = ()) -> list[str]:
    """A line for the parts that were not found, and one for those that access was refused to.

    Parts in `besides` are told in other words elsewhere.

    What is behind a refusal, or whether anything is, is not said.
    """
    question, denied = state["original_question"], denied_parts(state)
    unfound = [part for part in missing_parts(state) if part not in {*denied, *besides}]
    known = bool((state.get("asked_as") or {}).get("user"))
    lines = []
    if unfound:
        lines.append(say(question, "missing", parts="; ".join(unfound)))
    if denied:
        name = "denied" if known else "denied_unknown"
        lines.append(say(question, name, parts="; ".join(denied)))
    return lines
