"""Questions inside Vietnamese questions: the head stands first, what limits it comes after."""

import re

from policy.nested_english import Found
from policy.wording import UPPER, pattern, seek, typed_bare

ROLE = (
    r"công ty mẹ|(?:người )?quản lý trực tiếp|quản lý khách hàng|người quản lý|quản lý"
    r"|sếp trực tiếp|sếp"
    r"|cấp trên trực tiếp|cấp trên|trưởng phòng|trưởng nhóm|trưởng ban|trưởng bộ phận|trưởng dự án"
    r"|trưởng khoa|trưởng(?= \{)|phó phòng|tổng giám đốc|giám đốc|chủ tịch|hiệu trưởng|chủ nhiệm"
    r"|chủ sản phẩm|chủ sở hữu|chủ đầu tư"
    r"|(?:người|thầy|cô) (?:phụ trách|sáng lập|đứng đầu|bảo trợ|lãnh đạo|điều hành|hướng dẫn"
    r"|kế nhiệm"
    r"|giảng chính|dẫn dắt|chịu trách nhiệm|phát minh|thiết kế|đại diện|kèm cặp)"
    r"|nhà sáng lập|nhà tài trợ|nhà cung cấp|nhà phát triển|nhà sản xuất|đơn vị tài trợ"
    r"|giảng viên chính|tác giả|đạo diễn|vợ|chồng|bố|cha|mẹ|con trai|con gái"
)
_ADDRESS = r"thầy|cô|anh|chị|ông|bà|bác|bạn|vị"
"""Heads that also address or name people: a description only where it holds a name."""
_PERSON = (
    rf"người|{_ADDRESS}|nhà khoa học|nhà nghiên cứu|nhà văn|nhà thơ|ca sĩ"
    r"|nhạc sĩ|họa sĩ|bác sĩ|kỹ sư|kiến trúc sư|nghệ sĩ|cầu thủ|thuyền trưởng|vị vua|vị"
)
_THING = (
    r"tổ chức|công ty|doanh nghiệp|đơn vị|cơ quan|hãng|tập đoàn|ngân hàng|nhóm|đội|câu lạc bộ|hội"
    r"|phòng thí nghiệm|phòng ban|phòng|bộ phận|ban nhạc|ban|bên|lab|viện nghiên cứu|bệnh viện|viện"
    r"|trường đại học|đại học|trường|quỹ|dự án|sản phẩm|thiết bị|cảm biến|máy đo|máy|phần mềm"
    r"|văn phòng|chi nhánh|xưởng|nhà máy|cửa hàng|khách sạn|thư viện|bảo tàng|thành phố|thị trấn"
    r"|tỉnh|huyện|làng|đảo|nước|quốc gia|nơi|quý|tháng|năm|mùa|hợp đồng|nhà cung cấp|nhà xuất bản"
    r"|nhà sản xuất|nhà thầu|nhà tài trợ|đối tác|khách hàng|khoản tài trợ|chương trình|khóa học"
    r"|giải thưởng|lễ hội|cuốn sách|cuốn|bộ phim|phim|bài hát|tác phẩm|tạp chí|tờ báo|con tàu|tàu"
    r"|cây cầu|con sông|sông|gói|tòa nhà|trung tâm|cơ sở|khoa|lớp|kho|trạm|cảng|sân bay"
)
_HEAD = rf"{_PERSON}|{_THING}"
_NOT_A_VERB = (
    r"ta|ấy|này|đó|kia|nào|dùng|lao|em|ơi|là|của|sinh|ở|tại|tên|mình|và|hay|với|thì|nhà|bạn|nước"
    r"|sĩ|sư|văn|thơ|khoa|khác|mới|cũ|lớn|già|trẻ|thân|con|chị|họ|sáng lập"
)
_VERB = (
    r"phát triển|sáng lập|thành lập|chế tạo|thiết kế|xây dựng|xây|phụ trách|xử lý|lo|chịu trách"
    r" nhiệm|quản lý|cung cấp|bán|sản xuất|tài trợ|nhận|viết|dẫn dắt|đứng đầu|đứng sau|thực hiện"
    r"|tạo ra|mua|giành|đoạt|thắng|vô địch|trao|tổ chức|điều hành|vận hành|sở hữu|giảng|dạy|hướng"
    r" dẫn|duyệt|ký|đo|chỉ|sử dụng|dùng|làm|lập|khắc phục|đạt|đăng cai|chăm|sửa|chi tiền|bỏ tiền"
    r"|đóng|sáng tác|hát|đạo diễn|xuất bản|phát hành|khám phá|phát hiện|phát minh|chảy|mang|chứa"
    r"|trưng bày|lưu giữ|in|vẽ|quay|nuôi|trồng|khai thác|nhập|xuất khẩu|lắp|vận chuyển|chở|thuê"
    r"|cho (?:thuê|vay|mượn)|bảo trì|bảo dưỡng|giám sát|kiểm tra|nấu|phục vụ|giao|giữ|đào tạo"
    r"|nghiên cứu|bắc qua|nối|đi qua|khởi xướng|khởi công|kể|nói|có(?! bao)|được(?! bao| mấy"
    r"| nghỉ| hưởng| cấp)|đã"
    r"|đang|từng|bị"
)
_QUESTION_WORD = r"ai|gì|nào|đâu|bao nhiêu|bao giờ|bao lâu|mấy|thế nào|ra sao|sao"
_LOWER_INSIDE = rf"(?-i:[{UPPER}])[^\W\d_]* (?!là|có|báo|làm|do|thì|ở|được)(?-i:[^\W\dA-ZĐ_])"
"""A name of an office goes on ("Chính sách và Phúc lợi"); people and places have capitals."""
_BOUNDARY = (
    r"(?: (?:là(?= (?:ai|gì|bao|khi|ngày|năm|\w+ nào|\w+ \w+ nào|mấy|nơi))|tên|làm việc|làm ở"
    r"|làm tại|ngồi|đang|sinh|quê|ở đâu|ở (?=\w+ nào)|tại đâu|bao giờ|khi nào|ngày nào|năm nào"
    r"|vào (?:làm|công ty)"
    r"|báo cáo|thuộc|nằm|đặt ở|đặt tại|học|tốt nghiệp|bắt đầu|kết thúc|khai trương|hết hạn|do ai"
    rf"|bao nhiêu|mấy|và(?! {_LOWER_INSIDE})|hay|có (?:ngân sách|bao nhiêu|trụ sở|mấy|những|số)|được (?:bao nhiêu"
    r"|thành lập|sinh|trao|tài trợ)|nhận (?:giải|lương)|trị giá|từng|trước đây|đoạt|giành|gồm"
    r"|thành lập|chịu|ra đời|mang|(?:nặng|dài|cao|rộng|giá)(?= bao| mấy))(?!\w))|[,?]|$"
)
_AFTER_NAME = (
    r" (?:là|đã|đang|từng|sẽ|vốn|hiện(?: nay| giờ| tại)?|bình thường|thường|được|bị|có|thì|sinh|mất"
    r"|qua đời|ngồi|làm|học(?! (?-i:[A-ZĐ]))|vào|nằm|đặt|ở|tên|ra|mở|bắt đầu|kết thúc|hết|do"
    r"|nhận|thuộc|gồm|chịu|báo cáo"
    r"|cách|cao|rộng|dài|nặng|sâu|bán|chảy|chở|nói|trị giá|tốt nghiệp|lấy)(?!\w)"
)
_OWN_VERB = r" (?:đã |đang |từng )?\S+(?: (?:ra|việc|lập|sống|trú|nghiệp|học|hiện)(?!\w))?"
_NARROW = (
    r"(?: (?:là|thì|có|tên|ở đâu|bao giờ|khi nào|và|do ai|bao nhiêu|thành lập|được)(?!\w))|[,?]|$"
)
_TIME = r"^(?:quý|tháng|năm|mùa)$"
_PLACE = r"văn phòng|chi nhánh|xưởng|thành phố|tỉnh|nơi|phòng|trường|công ty|đại học|tổ chức|viện"
_BEFORE_HEAD = (
    r"(?<!\w)(?:của|do|là|ở|tại|cho|với|trong|từ|đến|vào|gần|ai|các|những|cái|và|thì|[^\W\d_]+ bởi"
    r"|bao nhiêu|thiết kế|quản lý|xây|mở)(?!\w)|[,:;]"
)
_SPEAKER = r"(?<!\w)(?:em|mình|tôi|tớ|được nghỉ|sắp|đi|phải|bị)(?!\w)"
_TRIVIAL = (
    r"^(?:cho (?:biết|xin) )?(?:tên (?:của )?)?(?:(?:ai|gì) (?:là )?\{s\d\}"
    r"|\{s\d\} (?:tên )?(?:là )?(?:tên )?"
    r"(?:ai|gì)|\{s\d\} là (?:(?!(?:trưởng|phó|chủ|giám|sếp|quản|của)\b)\w+ ){0,2}\w+ nào"
    r"|\{s\d\}|\{s\d\} (?:bao nhiêu|mấy)(?: \w+){0,2})$"
)


def innermost(text: str, name: str) -> Found | None:
    """The innermost noun phrase of a question that is a question of its own."""
    folded = typed_bare(text)
    clauses = _relatives(text, name, folded)
    known = {one.end for one in clauses}
    others = [one for one in _whatever(text, name, folded) if one.end not in known]
    found = [*clauses, *others, *_roles(text, name, folded)]
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


def _limit(text: str, start: int, boundary: str, folded: bool, own_verb: bool = True) -> int:
    """Where a description ends: at a word that opens the outer predicate.

    After its first name nearly every verb does; where the name is the subject of the
    description itself (`own_verb` false) only the words of `boundary` do.
    """
    found = pattern(boundary, folded).search(text, start)
    end = found.start() if found else len(text)
    named = re.compile(rf"(?:[{UPPER}0-9{{][^\s,]*(?: (?=[{UPPER}0-9])|$|(?=[ ,])))+").search(
        text, start, end
    )
    if named:
        # "Kế toán" and "Lưu trữ" have a capital on their first syllable only.
        second = pattern(rf" (?!{_AFTER_NAME[1:]})(?!(?:{_VERB})(?!\w))[^\W\d_]+", folded)
        rest = second.match(text, named.end()) if named[0].strip().isalpha() else None
        at = rest.end() if rest and rest.end() <= end else named.end()
        own = None if own_verb else pattern(_OWN_VERB, folded).match(text, at)
        after = pattern(_AFTER_NAME, folded).search(text, own.end() if own else at, end)
        end = after.start() if after else end
    return end


def _relatives(text: str, name: str, folded: bool) -> list[Found]:
    opening = pattern(
        rf"(?<!\w)(?:những |các |cái |con )?(?:(?P<head>{_HEAD}) (?P<rel>mà|nơi mà|nơi"
        rf"|do(?! (?-i:ai)(?!\w))|{_VERB})|(?P<person>{_PERSON})"
        rf" (?P<does>(?!(?:{_NOT_A_VERB})(?!\w))(?-i:[^\W\dA-Z_])\w*))(?!\w)",
        folded,
    )
    found = []
    for match in opening.finditer(text):
        part = "rel" if match["rel"] else "does"
        relative = match[part].casefold()
        subject = relative in ("mà", "nơi", "nơi mà", "ma", "noi", "noi ma")
        boundary = _NARROW if subject or relative == "do" else _BOUNDARY
        own_verb = not subject and relative != "do"
        end = _limit(text, match.end() + 1, boundary, folded, own_verb)
        clause = text[match.start(part) : end].strip()
        rest = text[: match.start()] + text[end:]
        if pattern(r"^\S+(?: \S+)?(?: trực tiếp)? của ", folded).match(clause) and not subject:
            continue
        if end <= match.end() or _asks(clause, folded) or not _asks(rest, folded, opens=True):
            continue
        if pattern(_SPEAKER, folded).search(clause):
            continue
        vague = pattern(rf"^(?:{_ADDRESS})$", folded).match(match["person"] or match["head"])
        weak = pattern(r"^(?:có|được|đã|đang|từng|bị)$", folded).match(match[part])
        if (vague or weak or len(clause.split()) < 3) and not (
            _holds_name(clause) or seek(r"(?<!\w)nhất(?!\w)", clause)
        ):
            continue
        if vague and (folded or pattern(r"(?:tiếng|nước) $").search(text[: match.start()])):
            continue
        head = (match["head"] or match["person"]).lower()
        found.append(
            Found(match.start(), end, _relative_question(head, clause, subject, folded), name)
        )
    return found


def _whatever(text: str, name: str, folded: bool) -> list[Found]:
    """ "ngôi chùa mà vua Trần Minh xây": any noun, as "mà" and "nơi" mark the clause."""
    found = []
    for match in pattern(r"(?<!nhưng)(?<!thế)(?<!vậy) (?:nơi mà|mà|nơi) ", folded).finditer(text):
        head = (
            pattern(rf"(?:{_BEFORE_HEAD}) ?", folded).split(text[: match.start()])[-1].strip(" ,")
        )
        end = _limit(text, match.end(), _NARROW, folded, own_verb=False)
        clause = text[match.start() + 1 : end].strip()
        if not 1 <= len(head.split()) <= 4 or _asks(clause, folded) or not _holds_name(clause):
            continue
        start = match.start() - len(head)
        question = _relative_question(head.lower(), clause, True, folded)
        found.append(Found(start, end, question, name))
    return found


def _relative_question(head: str, clause: str, subject: bool, folded: bool) -> str:
    which = "nao" if folded else "nào"
    if subject:
        clause = pattern(r"^(?:nơi mà|mà|nơi) ", folded).sub("", clause)
        if pattern(_TIME, folded).match(head):
            return f"{head.capitalize()} {which} {clause}?"
        place = pattern(rf"^(?:{_PLACE})$", folded).match(head)
        at = " ở" if place and not re.search(r"(?: ở| tại| cho| về)$", clause) else ""
        return f"{clause}{at} {head} {which}?"
    if pattern(rf"^(?:{_PERSON})$", folded).match(head):
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
            or not _names_something(of, folded)
        ):
            continue
        is_who = "la" if folded else "là"
        role = text[match.start("role") : end].strip()
        question = f"Ai {is_who} {role[0].lower()}{role[1:]}?"
        found.append(Found(match.start(), end, question, name))
    return found


def _names_something(text: str, folded: bool) -> bool:
    """Whether a phrase points at one thing: by a name, a code, a placeholder, or 2 to 4 words."""
    if _holds_name(text):
        return True
    return 2 <= len(text.split()) <= 4 and not pattern(_SPEAKER, folded).search(text)


def _holds_name(text: str) -> bool:
    return re.search(rf"[{UPPER}0-9{{]", text) is not None


def is_role(noun: str) -> bool:
    """Whether a noun says what somebody is to another ("người sáng lập")."""
    return pattern(ROLE, typed_bare(noun)).fullmatch(noun) is not None
