"""Questions inside Vietnamese questions: the head stands first, what limits it comes after."""

import re

from policy.language.kinds import SURNAME, is_organisation
from policy.language.nested_english import Found
from policy.language.vietnamese_phrases import (
    ADDRESS,
    AFTER_NAME,
    AS_VERB,
    BEFORE_HEAD,
    BOUNDARY,
    HEAD,
    NARROW,
    NOT_A_VERB,
    OWN_VERB,
    PERSON,
    PERSON_NAME,
    PLACE,
    QUESTION_WORD,
    ROLE,
    SPEAKER,
    STAFF,
    THING,
    TIME,
    TIME_WORD,
    TRIVIAL,
    UNIT,
    VERB,
)
from policy.language.wording import UPPER, pattern, seek, typed_bare
from state.text import fold_accents

_DOES = r"nhận|phụ trách|xử lý|quản lý|lo|duyệt|ký|giữ|điều hành|dẫn dắt|hướng dẫn|đứng đầu|chăm"
"""What "bạn", "anh" or "chị" of "sếp của bạn nhận hồ sơ" does who is described, not addressed."""
_OF_PERSON = r" ?(?:vào làm|vô làm|thuộc|ngồi|làm việc|là|sinh|báo cáo|có mã|có sếp)(?!\w)"
"""What is asked of somebody, after which "chị" or "cô" is no form of address."""
_ROLE_OF = (
    r"quản lý|phụ trách|lãnh đạo|điều hành|giám sát|bảo trợ|sáng lập|đứng đầu|cung cấp|sản xuất"
    r"|phát triển|thiết kế|tài trợ|sở hữu|hướng dẫn|đại diện"
)
"""Verbs that with "của" behind them are nouns: "người quản lý của X"."""
_DEED = rf"(?!có|được|đã|đang|từng|bị|làm|đo)(?:{VERB})(?!\w)"
"""What "nơi" does as an organisation; where something lies is a place."""
_ANYBODY = r"kỹ sư|nhân viên|chuyên viên|cán bộ|khách hàng"
_AMOUNT = r"(?<!\w)(?:bao nhiêu|mấy|bao lâu)(?!\w)|(?<!\w)không$"
"""With `_ANYBODY` a rule is asked for ("kỹ sư trực đêm được phụ cấp mấy đồng"), not a person."""


def innermost(text: str, name: str) -> Found | None:
    """The innermost noun phrase of a question that is a question of its own."""
    folded = typed_bare(text)
    has = _has_role(text, name, folded)
    if has:
        return has
    clauses = _relatives(text, name, folded)
    known = {one.end for one in clauses}
    others = [one for one in _whatever(text, name, folded) if one.end not in known]
    found = [*clauses, *others, *_roles(text, name, folded), *_units(text, name, folded)]
    found += _seats(text, name, folded)
    inner = max(found, key=lambda one: (one.start, -one.end), default=None)
    return inner or _headed_unit(text, name, folded)


def is_trivial(text: str) -> bool:
    """Whether a question only asks for its placeholder ("{s1} là ai")."""
    text = text.strip(" ?.")
    return bool(pattern(TRIVIAL, typed_bare(text)).match(text))


def _asks(text: str, folded: bool, *, opens: bool = False) -> bool:
    """Whether a question word stands in a text; a capital opens a name ("Sao Mai")
    or a question."""
    words = pattern(rf"(?<!\w)(?:{QUESTION_WORD})(?!\w)", folded).finditer(text)
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
        second = pattern(rf" (?!{AFTER_NAME[1:]})(?!(?:{VERB})(?!\w))[^\W\d_]+", folded)
        rest = second.match(text, named.end()) if named[0].strip().isalpha() else None
        at = rest.end() if rest and rest.end() <= end else named.end()
        more = re.compile(rf"(?: [{UPPER}0-9][^\s,]*)+").match(text, at, end)
        at = more.end() if more else at
        own = None if own_verb else pattern(OWN_VERB, folded).match(text, at)
        after = pattern(AFTER_NAME, folded).search(text, own.end() if own else at, end)
        end = after.start() if after else end
    return end


def _relatives(text: str, name: str, folded: bool) -> list[Found]:
    opening = pattern(
        rf"(?<!\w)(?:những |các |cái |con )?(?:(?P<head>{HEAD}|(?:{THING})"
        rf" (?-i:[^\W\dA-Z_])[^\W\d_]*(?= được (?:chọn|giao|ký|dùng|cấp|trao|đặt|xây|thuê|mua)))"
        rf" (?P<rel>mà|nơi mà|nơi|do(?! (?-i:ai)(?!\w))|(?:phải )?(?:{VERB}))|(?P<person>{PERSON})"
        rf" (?P<does>(?!(?:{NOT_A_VERB})(?!\w))(?-i:[^\W\dA-Z_])\w*))(?!\w)",
        folded,
    )
    found = []
    asking = _asks(text, folded, opens=True)
    for match in opening.finditer(text):
        part = "rel" if match["rel"] else "does"
        relative = match[part].casefold()
        if match[part][0].isupper() or _is_name_of_unit(text, match):
            continue
        subject = relative in ("mà", "nơi", "nơi mà", "ma", "noi", "noi ma")
        boundary = NARROW if subject or relative == "do" else BOUNDARY
        own_verb = not subject and relative != "do"
        end = _limit(text, match.end() + 1, boundary, folded, own_verb)
        clause = text[match.start(part) : end].strip()
        clause = pattern(r"^phải (?!\S+$)", folded).sub("", clause)
        rest = text[: match.start()] + text[end:]
        if pattern(rf"^(?:{_ROLE_OF})(?: trực tiếp)? của ", folded).match(clause) and not subject:
            continue
        if (
            end <= match.end()
            or _asks(clause, folded)
            or (asking and not _asks(rest, folded, opens=True))
        ):
            continue
        if pattern(SPEAKER, folded).search(clause):
            continue
        if match["person"] and _is_anyone(text, match, clause, folded):
            continue
        vague = pattern(rf"^(?:{ADDRESS})$", folded).match(match["person"] or match["head"])
        owned = pattern(r"(?<!\w)(?:của|cho) $", folded).search(text[: match.start()])
        told = match.start() == 0 and pattern(_OF_PERSON, folded).match(text[end:])
        if vague and (owned or told) and len(clause.split()) >= 3:
            vague = None if pattern(rf"(?:{_DOES})(?!\w)", folded).match(clause) else vague
        if pattern(r"(?<!\w)(?:loại|mức|hạng|bậc) [a-z](?!\w)", folded).search(clause):
            continue
        anybody = pattern(rf"^(?:{_ANYBODY})$", folded).match(match["person"] or match["head"])
        of_rule = pattern(_AMOUNT, folded).search(rest) or not asking
        if anybody and not _holds_name(clause) and of_rule:
            continue
        weak = pattern(r"^(?:có|được|đã|đang|từng|bị)$", folded).match(match[part])
        if (vague or weak or len(clause.split()) < 3) and not (
            _holds_name(clause) or seek(r"(?<!\w)nhất(?!\w)", clause)
        ):
            continue
        if vague and (folded or pattern(r"(?:tiếng|nước) $").search(text[: match.start()])):
            continue
        head = (match["head"] or match["person"]).lower()
        question = _relative_question(head, clause, subject, folded)
        found.append(Found(match.start(), end, question, _instead(text, match.start(), head, name)))
    return found


def _is_anyone(text: str, match: re.Match[str], clause: str, folded: bool) -> bool:
    """Whether nobody in particular is described: "một người nộp đơn", "khi anh chơi ở …"."""
    if pattern(rf"\S+(?: \S+)? (?:khi|lúc) (?-i:[{UPPER}])", folded).match(clause):
        return True
    before = text[: match.start()]
    single = pattern(r"(?<!\w)(?:một|mỗi|bất kỳ) $", folded).search(before)
    if single and match["person"].casefold() in ("người", "nguoi"):
        return True
    if pattern(rf"^(?:{ADDRESS})$", folded).match(match["person"]):
        return bool(pattern(r"(?<!\w)(?:khi|lúc|trong lúc) $", folded).search(before))
    many = pattern(r"(?:những|các) ", folded).match(match[0])
    many = many or pattern(r"(?<!\w)nhiều $", folded).search(before)
    of = pattern(r"(?<!\w)của $", folded).search(before)
    return bool(many) and not of and not _holds_name(clause)


def _is_name_of_unit(text: str, match: re.Match[str]) -> bool:
    """Whether a head in the middle of a text has a capital: "Ban điều hành" is a name."""
    head = match["head"] or ""
    inside = match.start("head") > 0 and text[: match.start("head")].rstrip()[-1:] not in ".?!:"
    return inside and head[:1].isupper() and match["rel"] is not None


def _instead(text: str, start: int, head: str, name: str) -> str:
    """What stands for a description: of "trưởng nhóm xử lý …" the noun must stay."""
    folded = typed_bare(text)
    if pattern(r"(?<!\w)(?:trưởng|phó) $", folded).search(text[:start]):
        return f"{head} {'cua' if folded else 'của'} {name}"
    return name


def _whatever(text: str, name: str, folded: bool) -> list[Found]:
    """ "ngôi chùa mà vua Trần Minh xây": any noun, as "mà" and "nơi" mark the clause."""
    found = []
    for match in pattern(r"(?<!nhưng)(?<!thế)(?<!vậy) (?:nơi mà|mà|nơi) ", folded).finditer(text):
        head = pattern(rf"(?:{BEFORE_HEAD}) ?", folded).split(text[: match.start()])[-1].strip(" ,")
        end = _limit(text, match.end(), NARROW, folded, own_verb=False)
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
        if pattern(TIME, folded).match(head):
            return f"{head.capitalize()} {which} {clause}?"
        place = pattern(rf"^(?:{PLACE})$", folded).match(head)
        at = " ở" if place and not re.search(r"(?: ở| tại| cho| về)$", clause) else ""
        return f"{clause}{at} {head} {which}?"
    if pattern(rf"^(?:{PERSON}|{STAFF})$", folded).match(head):
        return f"Ai {clause}?"
    if pattern(r"^(?:nơi|chỗ)$", folded).match(head) and pattern(_DEED, folded).match(clause):
        head = fold_accents("đơn vị") if folded else "đơn vị"
    return f"{head[0].upper()}{head[1:]} {which} {clause}?"


def _roles(text: str, name: str, folded: bool) -> list[Found]:
    opening = pattern(rf"(?<!\w)(?:cái )?(?P<role>{ROLE})(?!\w)(?! nào| gì)(?: của)? ", folded)
    found = []
    asking = _asks(text, folded, opens=True)
    for match in opening.finditer(text):
        end = _limit(text, match.end(), BOUNDARY, folded)
        of = text[match.end() : end].strip()
        rest = text[: match.start()] + text[end:]
        if _titles(match["role"], match[0], of, folded) or pattern(TIME_WORD, folded).match(of):
            continue
        if of[:1].islower() and pattern(rf"(?:{VERB})(?!\w)", folded).match(of):
            continue
        if pattern(AS_VERB, folded).search(text[: match.start()]) or of in ("trực tiếp", "đó"):
            continue
        if _manages(text[: match.start()], match["role"], of, folded):
            continue
        if (
            not of
            or _asks(of, folded)
            or (asking and not _asks(rest, folded, opens=True))
            or not _names_something(of, folded)
        ):
            continue
        is_who = "la" if folded else "là"
        role = text[match.start("role") : end].strip()
        question = f"Ai {is_who} {role[0].lower()}{role[1:]}?"
        found.append(Found(match.start(), end, question, name))
    return found


def _manages(before: str, role: str, of: str, folded: bool) -> bool:
    """Whether "quản lý" is what an institution does: "công ty quản lý dược phẩm"."""
    if not pattern(r"quản lý", folded).fullmatch(role) or _holds_name(of):
        return False
    institution = r"(?<!\w)(?:công ty|chính quyền|cơ quan|tổ chức|đơn vị)(?: [^\W\d_]+){0,3} $"
    return bool(pattern(institution, folded).search(before))


def _titles(role: str, whole: str, of: str, folded: bool) -> bool:
    """Whether a post stands before the name of who holds it: "chủ sản phẩm Mai Thị Tuyết Nhung"."""
    post = pattern(r"(?:trưởng|phó|giám đốc|tổng giám đốc|chủ|kỹ sư)", folded).match(role)
    owned = pattern(r" của $", folded).search(whole)
    person = re.search(rf"(?:^| )(?:{SURNAME})(?: [{UPPER}][^\W\d_]*){{2,3}}$", of)
    return bool(post and person and not owned)


def _units(text: str, name: str, folded: bool) -> list[Found]:
    """ "Phòng của Trần Quốc Bình": where a person belongs."""
    shape = rf"(?<!\w)(?P<unit>{UNIT})(?: làm việc)? của (?P<who>{PERSON_NAME})"
    office = r"(?<!\w)(?P<unit>văn phòng)(?: làm việc)? của (?P<who>\{s\d\})"
    found = []
    for match in (
        *pattern(shape, folded).finditer(text),
        *pattern(office, folded).finditer(text),
    ):
        rest = text[: match.start()] + text[match.end() :]
        if not _asks(rest, folded, opens=True) or is_organisation(match["who"]):
            continue
        unit, which = match["unit"].lower(), "nao" if folded else "nào"
        belongs = "làm việc ở" if pattern("văn|chi nhánh", folded).match(unit) else "thuộc"
        belongs = fold_accents(belongs) if folded else belongs
        question = f"{match['who']} {belongs} {unit} {which}?"
        instead = _instead(text, match.start(), unit, name)
        found.append(Found(match.start(), match.end(), question, instead))
    return found


def _seats(text: str, name: str, folded: bool) -> list[Found]:
    """ "Nơi Ngô Văn Thắng ngồi làm việc mở cửa …": where somebody works."""
    shape = (
        r"(?<!\w)(?:(?:văn phòng|trụ sở|xưởng) )?(?:nơi|chỗ) (?:mà )?"
        rf"(?P<who>{PERSON_NAME}|\{{s\d\}}) (?:đang )?"
        r"(?:ngồi làm việc|làm việc|ngồi|công tác)(?!\w)"
    )
    found = []
    for match in pattern(shape, folded).finditer(text):
        rest = text[: match.start()] + text[match.end() :]
        address = pattern(r"^địa chỉ(?!\w)", folded).match(text)
        if (address or _asks(rest, folded, opens=True)) and len(rest.split()) > 1:
            where = "lam viec o dau" if folded else "làm việc ở đâu"
            question = f"{match['who']} {where}?"
            found.append(Found(match.start(), match.end(), question, name))
    shape = (
        rf"^(?P<who>{PERSON_NAME}|\{{s\d\}}) (?P<does>(?:đang )?(?:làm việc|ngồi|làm|công tác)"
        rf" (?:ở|tại)) (?P<at>{UNIT}|nơi|chỗ|trụ sở|xưởng)"
        r" (?=(?:mà )?(?:do|có|được|nằm|đặt|mở)(?!\w))"
    )
    seat = pattern(shape, folded).match(text)
    if seat and _asks(text[seat.end() :], folded):
        which = "nao" if folded else "nào"
        question = f"{seat['who']} {seat['does']} {seat['at']} {which}?"
        found.append(Found(0, seat.end() - 1, question, name))
    return found


def _has_role(text: str, name: str, folded: bool) -> Found | None:
    """ "Dự án Cửu Long có người phụ trách vào làm …": first who that is."""
    not_yet = r"(?!(?:là|nào|không|tên|của|cho|với|trực tiếp)(?!\w))"
    shape = rf"^(?P<what>[^,]+?) có (?P<role>{ROLE}) {not_yet}"
    match = pattern(shape, folded).match(text)
    if not match or _asks(match["what"], folded) or not _asks(text[match.end() :], folded):
        return None
    if pattern(rf"^(?:{SPEAKER}|tui|anh|chị)$", folded).match(match["what"]):
        return None
    named = re.match(rf"(?:[^\W\d_]+ ){{0,2}}(?:[{UPPER}]\S*|\{{)", match["what"])
    simple = not pattern(rf"(?<!\w)(?:thuộc|{VERB})(?!\w)", folded).search(match["what"])
    if not named or not simple:
        return None
    is_who, of = ("la", "cua") if folded else ("là", "của")
    question = f"Ai {is_who} {match['role'].lower()} {of} {match['what']}?"
    return Found(0, match.end() - 1, question, name)


def _headed_unit(text: str, name: str, folded: bool) -> Found | None:
    """ "X thuộc phòng có trưởng phòng …": the unit first, then who heads it."""
    shape = (
        rf"^(?P<ask>\S+.*? (?:thuộc|làm ở|làm việc ở|ở) (?:{UNIT})) (?:mà )?có (?P<role>{ROLE}) "
    )
    match = pattern(shape, folded).match(text)
    if not match or _asks(match["ask"], folded) or not _asks(text[match.end() :], folded):
        return None
    which, of = ("nao", "cua") if folded else ("nào", "của")
    role = match["role"]
    instead = f"{role[0].upper()}{role[1:]} {of} {name}"
    return Found(0, match.end() - 1, f"{match['ask']} {which}?", instead)


def _names_something(text: str, folded: bool) -> bool:
    """Whether a phrase points at one thing: by a name, a code, a placeholder, or 2 to 4 words."""
    if _holds_name(text):
        return True
    return 2 <= len(text.split()) <= 4 and not pattern(SPEAKER, folded).search(text)


def _holds_name(text: str) -> bool:
    return re.search(rf"[{UPPER}0-9{{]", text) is not None


def is_role(noun: str) -> bool:
    """Whether a noun says what somebody is to another ("người sáng lập")."""
    return pattern(ROLE, typed_bare(noun)).fullmatch(noun) is not None
