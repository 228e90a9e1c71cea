"""Attributes or owners joined by "and": "the name and address of X", "the rectors of A and B"."""

import re

from policy.wording import UPPER, pattern, typed_bare

_NOUNS = r"[a-z][a-z-]*(?: [a-z][a-z-]*){0,2}?"
_ATTRIBUTES_EN = re.compile(
    rf"^(?P<ask>(?:what|who) (?:are|were) )(?P<the>the |our |its |their |)(?P<one>{_NOUNS}) and "
    rf"(?:the |our |its |their )?(?P<two>{_NOUNS}) (?P<of>(?:of|for|in|at) .+)$",
    re.IGNORECASE,
)
_OWNERS_EN = re.compile(
    r"^(?P<ask>(?:what|who) (?:are|were) )(?P<noun>(?:the )?(?:[a-z-]+ ){0,3}?[a-z]+s) "
    r"(?P<of>of|for|at|in) (?P<one>[^,]+?) and (?:(?:of|for|at|in) )?(?P<two>[^,]+?)"
    r"(?P<rest> (?:at|in|during) [^,]+)?$",
    re.IGNORECASE,
)
_LOWER = r"[^\W\d_]\S*(?: (?-i:[^\W\dA-Z_])\S*){0,4}?"
_THING_VI = (
    r"văn phòng|dự án|công ty|phòng|nhóm|cảm biến|sản phẩm|hợp đồng|bệnh viện|trường|khách sạn"
    r"|cửa hàng|chi nhánh|xưởng|lab|tàu|xe|máy|lỗi|chương trình|khóa học"
)
_ATTRIBUTES_VI = (
    rf"^(?P<one>{_LOWER}) (?:và|với|cùng) (?P<two>{_LOWER}) (?P<of>của .+?|(?:{_THING_VI}) "
    rf"(?-i:[{UPPER}0-9])\S*.*?)(?P<ask> (?:là|bao nhiêu|thế nào|ra sao).*)?$"
)
_OWNERS_VI = (
    rf"^(?P<noun>.+? của )(?P<one>[^,]*?(?-i:[{UPPER}0-9])[^,]*?) (?:và|với) "
    rf"(?P<two>[^,]*?(?-i:[{UPPER}0-9])[^,]*?)(?P<ask> (?:là|lần lượt|bao nhiêu|thế nào).*)?$"
)


def distributed_english(text: str) -> list[str]:
    """One question for each of the things that "and" joins, or the text itself."""
    found = _ATTRIBUTES_EN.match(text)
    if found:
        ask = _singular_verb(found["ask"])
        nouns = (found["one"], found["two"])
        return [f"{ask}{found['the']}{noun} {found['of']}" for noun in nouns]
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
    of = "cua" if folded else "của"
    found = pattern(_ATTRIBUTES_VI, folded).match(text)
    if found:
        owner = found["of"] if found["of"].startswith(f"{of} ") else f"{of} {found['of']}"
        return [f"{found[side]} {owner}{found['ask'] or ''}" for side in ("one", "two")]
    found = pattern(_OWNERS_VI, folded).match(text)
    if found is None:
        return [text]
    return [f"{found['noun']}{found[side]}{found['ask'] or ''}" for side in ("one", "two")]
