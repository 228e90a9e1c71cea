"""Which post a question asks for, and whether a sentence is about that one and who holds it."""

import re

from policy.extractive.naming import SERIES
from policy.language.questions import Ask
from policy.language.relations import relations
from policy.language.wording import UPPER, bare, holds, seek

_POSTS = frozenset({"lead", "manage", "sponsor", "approve", "own", "recipient", "write", "found"})
_POST = re.compile(r"(?:Người|Đầu mối|Chủ) (?P<does>[^,.;]{2,60}?) là (?=[^\W\d_])")


def other_post(ask: Ask, sentence: str) -> str:
    """The post that a sentence fills ("Người phụ trách … là") where another one is asked for."""
    found = _POST.match(sentence)
    asked = ask.relations & _POSTS
    stated = relations(found[0]) & _POSTS if found else frozenset[str]()
    return min(asked) if found and asked and stated and not asked & stated else ""


_UNIT = (
    r"^(?P<opens>ai là )?(?P<post>(?:phó )?(?:tổng )?giám đốc"
    r"|(?:trưởng|phó) (?:phòng|nhóm|ban|bộ phận|khoa))"
    rf"(?: của)? (?P<of>(?-i:[{UPPER}]).+?)"
    r"(?(opens)|(?: là ai| tên (?:là )?gì| tên chi))\?*$"
)


_POST_NAMES = r"(?:phó )?tổng giám đốc|giám đốc|(?:trưởng|phó) (?:phòng|nhóm|ban|bộ phận|khoa)"


def other_unit(ask: Ask, near: str) -> str:
    """The unit whose head is asked for ("Giám đốc Tài chính"), where a text does not hold it."""
    found = seek(_UNIT, ask.text)
    if not found:
        return ""
    posts = {bare(one[0]) for one in re.finditer(_POST_NAMES, near, re.IGNORECASE)}
    if posts and bare(found["post"]) not in posts:
        return found["post"]
    words = found["of"].split()
    while len(words) > 1 and bare(words[0]) in SERIES:
        words = words[1:]
    return "" if holds(" ".join(words), near) else found["of"]


def names_holder(ask: Ask, sentence: str) -> bool:
    """Whether a sentence says who holds the very post that is asked for."""
    found = seek(_UNIT, ask.text)
    post = f"{found['post']} {found['of']}" if found else ""
    return (
        bool(post)
        and re.search(rf"(?<!\w)la {re.escape(bare(post))}(?!\w)", bare(sentence)) is not None
    )
