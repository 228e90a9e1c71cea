"""Questions inside Vietnamese questions: the head stands first, what limits it comes after."""

import re

from policy.nested_english import Found
from policy.wording import UPPER, pattern, typed_bare

ROLE = (
    r"(?:người )?quản lý trực tiếp|quản lý khách hàng|người quản lý|quản lý|sếp trực tiếp|sếp"
    r"|cấp trên trực tiếp|cấp trên|trưởng phòng|trưởng nhóm|trưởng ban|trưởng bộ phận|trưởng dự án"
    r"|trưởng khoa|trưởng(?= \{)|phó phòng|tổng giám đốc|giám đốc|chủ tịch|hiệu trưởng|chủ nhiệm"
    r"|chủ sản phẩm|chủ sở hữu|chủ đầu tư"
    r"|người (?:phụ trách|sáng lập|đứng đầu|bảo trợ|lãnh đạo|điều hành|hướng dẫn|kế nhiệm"
    r"|giảng chính|dẫn dắt|chịu trách nhiệm|phát minh|thiết kế|đại diện|kèm cặp)"
    r"|nhà sáng lập|nhà tài trợ|nhà cung cấp|nhà phát triển|nhà sản xuất|đơn vị tài trợ"
    r"|giảng viên chính|tác giả|đạo diễn|vợ|chồng|bố|cha|mẹ|con trai|con gái"
)
_HEAD = (
    r"tổ chức|công ty|doanh nghiệp|đơn vị|cơ quan|hãng|nhóm|phòng thí nghiệm|phòng ban|phòng"
    r"|bộ phận|ban|lab|viện nghiên cứu|viện|trường đại học|đại học|trường|quỹ|dự án|sản phẩm"
    r"|thiết bị|cảm biến|máy đo|máy|phần mềm|người|nhà khoa học|nhà nghiên cứu|văn phòng"
    r"|chi nhánh|xưởng|thành phố|tỉnh|nơi|quý|tháng|năm|hợp đồng|nhà cung cấp|đối tác"
    r"|khoản tài trợ|chương trình|khóa học|giải thưởng|cuốn sách|bộ phim|bài hát|gói"
)
_VERB = (
    r"phát triển|sáng lập|thành lập|chế tạo|thiết kế|xây dựng|phụ trách|xử lý|lo|chịu trách nhiệm"
    r"|quản lý|cung cấp|bán|sản xuất|tài trợ|nhận|viết|dẫn dắt|đứng đầu|thực hiện|tạo ra|mua"
    r"|giành|đoạt|trao|tổ chức|điều hành|vận hành|sở hữu|giảng|dạy|hướng dẫn|duyệt|ký|đo|chỉ"
    r"|sử dụng|dùng|làm ra|lập ra|khắc phục|đạt|đăng cai|chăm sóc|sửa|chi tiền|bỏ tiền|có(?! bao)"
    r"|được(?! bao| mấy| nghỉ| hưởng| cấp)|đã|từng|bị"
)
_QUESTION_WORD = r"ai|gì|nào|đâu|bao nhiêu|bao giờ|bao lâu|mấy|thế nào|ra sao|sao"
_BOUNDARY = (
    r"(?: (?:là(?= (?:ai|gì|bao|khi|ngày|năm|\w+ nào|\w+ \w+ nào|mấy|nơi))|tên|làm việc|làm ở"
    r"|làm tại|ngồi|đang|sinh|quê|ở đâu|ở (?=\w+ nào)|tại đâu|bao giờ|khi nào|ngày nào|năm nào"
    r"|vào (?:làm|công ty)"
    r"|báo cáo|thuộc|nằm|đặt ở|đặt tại|học|tốt nghiệp|bắt đầu|kết thúc|khai trương|hết hạn|do ai"
    r"|bao nhiêu|mấy|và|hay|có (?:ngân sách|bao nhiêu|trụ sở|mấy|những|số)|được (?:bao nhiêu"
    r"|thành lập|sinh|trao|tài trợ)|nhận (?:giải|lương)|trị giá|từng|trước đây|đoạt|giành|gồm"
    r"|thành lập|chịu|ra đời|mang|(?:nặng|dài|cao|rộng|giá)(?= bao| mấy))(?!\w))|[,?]|$"
)
_NARROW = r"(?: (?:là|có|tên|ở đâu|bao giờ|khi nào|và|do ai|bao nhiêu|thành lập|được)(?!\w))|[,?]|$"
_PLACE = r"văn phòng|chi nhánh|xưởng|thành phố|tỉnh|nơi|phòng|trường|công ty|đại học|tổ chức|viện"
_TRIVIAL = (
    r"^(?:cho (?:biết|xin) )?(?:(?:ai|gì) (?:là )?\{s\d\}|\{s\d\} (?:tên )?(?:là )?(?:tên )?"
    r"(?:ai|gì)|\{s\d\} là (?:\w+ )?\w+ nào|\{s\d\})$"
)


def innermost(text: str, name: str) -> Found | None:
    """The innermost noun phrase of a question that is a question of its own."""
    folded = typed_bare(text)
    found = [*_relatives(text, name, folded), *_roles(text, name, folded)]
    return max(found, key=lambda one: (one.start, -one.end), default=None)


def is_trivial(text: str) -> bool:
    """Whether a question only asks for its placeholder ("{s1} là ai")."""
    text = text.strip(" ?.")
    return bool(pattern(_TRIVIAL, typed_bare(text)).match(text))


def _asks(text: str, folded: bool, *, opens: bool = False) -> bool:
    """Whether a question word stands in a text; a capital opens a name ("Sao Mai") or a "
    "question."""
    words = pattern(rf"(?<!\w)(?:{_QUESTION_WORD})(?!\w)", folded).finditer(text)
    return any(word[0].islower() or (opens and word.start() == 0) for word in words)


def _limit(text: str, start: int, boundary: str, folded: bool) -> int:
    found = pattern(boundary, folded).search(text, start)
    return found.start() if found else len(text)


def _relatives(text: str, name: str, folded: bool) -> list[Found]:
    opening = pattern(
        rf"(?<!\w)(?:những |các )?(?P<head>{_HEAD}) (?P<rel>mà|nơi mà|nơi|do(?! (?-i:ai)(?!\w))"
        rf"|{_VERB})(?!\w)",
        folded,
    )
    found = []
    for match in opening.finditer(text):
        relative = match["rel"].casefold()
        subject = relative in ("mà", "nơi", "nơi mà", "ma", "noi", "noi ma")
        boundary = _NARROW if subject or relative == "do" else _BOUNDARY
        end = _limit(text, match.end() + 1, boundary, folded)
        clause = text[match.start("rel") : end].strip()
        rest = text[: match.start()] + text[end:]
        if pattern(r"^\S+(?: \S+)?(?: trực tiếp)? của ", folded).match(clause) and not subject:
            continue
        if end <= match.end() or _asks(clause, folded) or not _asks(rest, folded, opens=True):
            continue
        question = _relative_question(match["head"].lower(), clause, subject, folded)
        found.append(Found(match.start(), end, question, name))
    return found


def _relative_question(head: str, clause: str, subject: bool, folded: bool) -> str:
    which = "nao" if folded else "nào"
    if subject:
        clause = pattern(r"^(?:nơi mà|mà|nơi) ", folded).sub("", clause)
        place = pattern(rf"^(?:{_PLACE})$", folded).match(head)
        at = " ở" if place and not re.search(r"(?: ở| tại| cho| về)$", clause) else ""
        return f"{clause}{at} {head} {which}?"
    if head in ("người", "nguoi"):
        return f"Ai {clause}?"
    return f"{head[0].upper()}{head[1:]} {which} {clause}?"


def _roles(text: str, name: str, folded: bool) -> list[Found]:
    opening = pattern(rf"(?<!\w)(?P<role>{ROLE})(?!\w)(?! nào| gì)(?: của)? ", folded)
    found = []
    for match in opening.finditer(text):
        end = _limit(text, match.end(), _BOUNDARY, folded)
        of = text[match.end() : end].strip()
        rest = text[: match.start()] + text[end:]
        if of[:1].islower() and pattern(rf"(?:{_VERB})(?!\w)", folded).match(of):
            continue
        if (
            not of
            or _asks(of, folded)
            or not _asks(rest, folded, opens=True)
            or not _names_something(of)
        ):
            continue
        is_who = "la" if folded else "là"
        role = text[match.start("role") : end].strip()
        question = f"Ai {is_who} {role[0].lower()}{role[1:]}?"
        found.append(Found(match.start(), end, question, name))
    return found


def _names_something(text: str) -> bool:
    """Whether a phrase points at one thing: by a name, a code, a placeholder, or ≥ 2 words."""
    return re.search(rf"[{UPPER}0-9{{]", text) is not None or len(text.split()) >= 2
