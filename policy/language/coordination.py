"""Attributes or owners joined by "and": "the name and address of X", "the rectors of A and B"."""

import re

from policy.language.openings import asks
from policy.language.wording import UPPER, pattern, typed_bare

_NOUNS = r"[a-z][a-z-]*(?: [a-z][a-z-]*){0,2}?"
_ATTRIBUTES_EN = re.compile(
    rf"^(?P<ask>(?:what|who) (?:are|were|(?P<one_verb>is|was)) )(?P<the>the |our |its |their |)"
    rf"(?P<one>{_NOUNS}) and (?(one_verb)(?:the|our|its|their) |(?:the |our |its |their )?)"
    rf"(?P<two>{_NOUNS}) (?P<of>(?:of|for|in|at) .+)$",
    re.IGNORECASE,
)
_OWNERS_EN = re.compile(
    r"^(?P<ask>(?:what|who) (?:are|were) )(?P<noun>(?:the )?(?:[a-z-]+ ){0,3}?[a-z]+s) "
    r"(?P<of>of|for|at|in) (?P<one>[^,]+?) and (?:(?:of|for|at|in) )?(?P<two>[^,]+?)"
    r"(?P<rest> (?:at|in|during) [^,]+)?$",
    re.IGNORECASE,
)
_SUBJECTS_EN = re.compile(
    rf"^(?P<ask>(?i:(?:in |at |from |for )?(?:what|which|where|when|who|how)(?: [a-z]+){{0,2}}? "
    rf"(?:did|do|were|are|was|is)))"
    rf" (?P<one>(?:the )?[{UPPER}0-9][^,]*?) and "
    rf"(?P<two>(?:the )?[{UPPER}0-9]\S*(?: [{UPPER}0-9]\S*)*) "
    r"(?P<rest>[a-z].*)$"
)
_TOGETHER_EN = re.compile(
    r"\b(?:both|together|share|common|between|differ|than|or)\b", re.IGNORECASE
)
_LOWER = r"[^\W\d_]\S*(?: (?-i:[^\W\dA-Z_])\S*){0,4}?"
_THING_VI = (
    r"văn phòng|dự án|công ty|phòng|nhóm|cảm biến|sản phẩm|hợp đồng|bệnh viện|trường|khách sạn"
    r"|cửa hàng|chi nhánh|xưởng|lab|tàu|xe|máy|lỗi|chương trình|khóa học"
)
_WITH_VI = r"với(?! (?:tư cách|sự(?! kiện)|mục đích (?:là|gì|để))(?!\w))"
_ATTRIBUTES_VI = (
    rf"^(?P<one>{_LOWER})(?<!hợp đồng)(?<!hợp tác)(?<!thỏa thuận)(?<!liên hệ)(?<!làm việc)"
    rf" (?:và|{_WITH_VI}|cùng) (?P<two>{_LOWER}) (?P<of>của .+?|(?:{_THING_VI}) "
    rf"(?-i:[{UPPER}0-9])\S*.*?)(?P<ask> (?:là|bao nhiêu|thế nào|ra sao).*)?$"
)
_OWNERS_VI = (
    rf"^(?P<noun>.+? của )(?P<one>[^,]*?(?-i:[{UPPER}0-9])[^,]*?) (?:và|{_WITH_VI}) "
    rf"(?P<two>[^,]*?(?-i:[{UPPER}0-9])[^,]*?)(?P<ask> (?:là|lần lượt|bao nhiêu|thế nào).*)?$"
)
_PARALLEL_VI = (
    r"^(?P<one>(?P<noun>[^\W\d_]+ [^\W\d_]+) [^,]+?) (?:và|với|cùng) (?P<two>(?P=noun) [^,]+?)"
    r"(?: lần lượt)? (?:là|tên) (?:(?:những|các) )?(?P<ask>ai|gì|bao nhiêu|người nào|đâu)$"
)
_NAMED_VI = rf"(?:[^\W\d_]+ ){{0,3}}?(?-i:[{UPPER}0-9])\S*(?: (?-i:[{UPPER}0-9])\S*)*"
_SUBJECTS_VI = (
    rf"^(?P<one>{_NAMED_VI}) và (?P<two>{_NAMED_VI})"
    r" (?P<rest>(?:hiện |đang )?(?:do|có|thuộc|ở|nằm|đặt|thành lập|sinh|được) .+)$"
)
_PLACES_VI = (
    r"^(?P<before>.*?)(?P<at>cho|vào|ở|tại|với) (?P<one>[^,]+?) và (?P=at) (?P<two>[^,]+?)"
    r"(?P<rest> (?:được|là|thì|có|mất|bao nhiêu) .+)?$"
)
_TOGETHER_VI = r"(?<!\w)(?:hơn|chung|cùng|nhau|giống|khác|giữa|tổng)(?!\w)"
_PHRASES_VI = (
    rf"^(?P<one>[^,]*?(?-i:[{UPPER}0-9])[^,]*?) (?:và|cũng như|cùng với|cùng|kèm)"
    r" (?P<two>(?-i:[^\W\dA-Z_])[^\W\d_]*(?: [^,]+){1,})$"
)
"""Two phrases that each stand for a question: "ngân sách của X cũng như người phụ trách"."""
_IN_TURN = r" (?:lần lượt|tương ứng)(?= (?:là|bao|ở|do|có))"


def distributed_english(text: str) -> list[str]:
    """One question for each of the things that "and" joins, or the text itself."""
    found = _ATTRIBUTES_EN.match(text)
    if found:
        ask = _singular_verb(found["ask"])
        nouns = (found["one"], found["two"])
        return [f"{ask}{found['the']}{noun} {found['of']}" for noun in nouns]
    found = _SUBJECTS_EN.match(text)
    if found and not _TOGETHER_EN.search(text):
        ask = _singular_verb(f"{found['ask']} ")
        return [f"{ask}{found[side]} {found['rest']}" for side in ("one", "two")]
    found = _OWNERS_EN.match(text)
    if found is None:
        return [text]
    head = f"{_singular_verb(found['ask'])}{_singular(found['noun'])} {found['of']}"
    return [f"{head} {found[side]}{found['rest'] or ''}" for side in ("one", "two")]


def _singular_verb(ask: str) -> str:
    return ask.replace(" are ", " is ").replace(" were ", " was ")


def _singular(noun: str) -> str:
    return re.sub(r"ies$", "y", noun) if noun.endswith("ies") else noun.removesuffix("s")


def distributed_vietnamese(text: str) -> list[str]:
    """One question for each of the things that "và" joins, or the text itself."""
    folded = typed_bare(text)
    if pattern(r"(?:ngoài|bên cạnh) (?!ra|đó)[^,]* và [^,]*,", folded).match(text):
        return [text]
    of = "cua" if folded else "của"
    text = pattern(_IN_TURN, folded).sub("", text)
    parallel = pattern(_PARALLEL_VI, folded).match(text)
    if parallel:
        is_what = "la" if folded else "là"
        return [f"{parallel[side]} {is_what} {parallel['ask']}" for side in ("one", "two")]
    found = pattern(_ATTRIBUTES_VI, folded).match(text)
    if found:
        owner = found["of"] if found["of"].startswith(f"{of} ") else f"{of} {found['of']}"
        return [f"{found[side]} {owner}{found['ask'] or ''}" for side in ("one", "two")]
    person = pattern(r"(?<!\w)(?:người|vị|anh|chị|ông|bà) (?:này|đó|ấy)(?!\w)", folded)
    phrases = (
        None if asks(text) or person.search(text) else pattern(_PHRASES_VI, folded).match(text)
    )
    if phrases:
        return [phrases["one"], phrases["two"]]
    together = pattern(_TOGETHER_VI, folded).search(text)
    found = None if together else pattern(_PLACES_VI, folded).match(text)
    if found:
        before, at, rest = found["before"], found["at"], found["rest"] or ""
        return [f"{before}{at} {found[side]}{rest}" for side in ("one", "two")]
    found = None if together else pattern(_SUBJECTS_VI, folded).match(text)
    if found:
        return [f"{found[side]} {found['rest']}" for side in ("one", "two")]
    found = pattern(_OWNERS_VI, folded).match(text)
    if found is None:
        return [text]
    return [f"{found['noun']}{found[side]}{found['ask'] or ''}" for side in ("one", "two")]
