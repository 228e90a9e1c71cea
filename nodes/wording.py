"""The few fixed sentences that code itself says, in the question's language."""

from state.language import detect_language

_WORDS = {
    "en": {
        "missing": "Not found in the documents: {parts}",
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
