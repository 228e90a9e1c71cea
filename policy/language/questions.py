"""What a single question asks for: the kind of its answer, and what it names."""

import itertools
import re
from dataclasses import dataclass
from typing import Literal

from policy.language.kinds import is_kind
from policy.language.relations import relations
from policy.language.wording import UPPER, bare, language_of, pattern, seek, terms, typed_bare
from state.anchors import anchors
from state.text import nfc

Kind = Literal["name", "place", "date", "number", "cause", "yesno", "thing"]
TYPED: tuple[Kind, ...] = ("name", "place", "date", "number")
"""Kinds of answers that a sentence visibly has or lacks."""

_VI_NUMBER = r"bao nhiêu|bao lâu|bao xa|mấy(?= (?!giờ)|[?.]*$)|mức nào|mấy giờ|tỷ lệ nào"
PHONE_VI = (
    r"(?:gọi|liên hệ|hotline|điện thoại)(?: tới| đến| vào)? số nào"
    r"|số (?:điện thoại|máy lẻ)(?! .*(?<!\w)ai(?!\w)).* (?:là gì|nào|bao nhiêu|mấy)$"
)
_KINDS_VI: tuple[tuple[Kind, str], ...] = (
    ("name", r"^(?:họ (?:và )?tên|tên|danh tính)(?!\w)"),
    ("yesno", r"(?<!\w)có .* nào .*không(?= *(?:ạ|vậy|thế|nhỉ)? *[?.]*$)"),
    ("date", r"khi nào|bao giờ|lúc nào|hôm nào|hồi nào|buổi nào|bữa nào|thứ mấy"
     r"|m[ùồ]ng mấy"
     r"|(?:năm|ngày|tháng|thời điểm) (?:nào|(?:mấy|bao nhiêu)"
     # "nghỉ phép năm mấy ngày" asks how many days, "ngày mấy tháng 5" which day.
     r"(?! (?:ngày|tuần|năm|giờ|tiếng|phút|buổi|lần|người|đồng|nghìn|triệu|tỷ|suất)(?!\w)))"
     r"|hạn (?:chót|cuối)? ?(?:là )?(?:khi|ngày) nào|từ bao giờ"),
    ("number", rf"{PHONE_VI}|{_VI_NUMBER}"),
    ("place", r"ở đâu|tại đâu|nơi nào|chỗ nào|đâu(?= *\?*$)|(?:thành phố|tỉnh|nước|quốc gia"
     r"|thị trấn|quê|địa chỉ|văn phòng|nơi) (?:nào|ở đâu|là gì|thế nào|ra sao)"
     r"|quê (?:quán )?(?:ở )?đâu"),
    ("cause", r"tại sao|vì sao|vì lý do gì|do đâu|nguyên nhân"),
    ("name", r"(?<!\w)ai(?!\w)|người nào|tên (?:là )?gì"),
    ("name", r"(?<!\w)(?!(?:thế|như) )\w+ nào(?!\w)"),
    ("thing", r"(?<!\w)gì(?!\w)|thế nào|như nào|ra sao|làm sao"),
    ("yesno", r"(?:có|được|phải|đúng|đã) .*(?:không|chưa)(?= *(?:ạ|vậy|thế|nhỉ)? *[?.]*$)"),
)  # fmt: skip
_OPENINGS_VI: tuple[tuple[Kind, str], ...] = (
    ("number", r"^(?:giá|giá trị|trị giá|ngân sách|kinh phí|chi phí|lương|phụ cấp|doanh thu|tổng số"
     r"|số (?:lượng|tiền|ngày|người)|mức|tỷ lệ|thời hạn|thời gian|định mức)(?!\w)"),
    ("date", r"^(?:ngày|hạn chót|hạn)(?!\w)"), ("place", r"^(?:địa chỉ|trụ sở|nơi)(?!\w)"),
    ("name", r"^(?:họ tên|tên|người)(?!\w)"),
)  # fmt: skip
"""What a phrase that stands for a question asks for: "Ngân sách của Dự án Sơn Trà"."""
_HOW_MANY = (
    r"how (?:many|much|long|high|old|far|large|big|heavy|tall|wide|deep|fast|often|soon)"
    r"|what (?:percentage|proportion|share|amount|number|sum)|at what (?:price|age|temperature)"
    r"|what(?:['’]s| is| was| are| were) (?!the name|the title)(?:[\w'’-]+ ){0,5}?"
    r"(?:amount|budget|price|cost"
    r"|weight|length|height|width|size|capacity|population|revenue|turnover|salary|limit|fee"
    r"|duration|number|temperature|percentage|battery life|volume|depth|age|distance|speed|area"
    r"|share|rate|quota|count|headcount|total)"
    r"|(?:what|which) (?:(?!is|was|are|were|kind|sort)\w+ )?(?:temperature|fee|price|cost|salary"
    r"|amount|weight|height|depth|speed|budget|duration)(?! of which)\b"
    r"|(?:at )?(?:what|which) intervals?"
    r"|what(?:['’]s| is| was) the (?:(?:most|least)(?= (?:that |which )?(?:we|i|you|one|it|they|he"
    r"|she|an?|the|any\w*|can|may)\b)"
    r"|maximum|minimum)"
    r"|what (?:does|did|do|must|should) .* (?:weigh|cost|earn|pay|charge"
    r"|(?:shell|fork) out)(?! for\b)|what (?:may|must|can|should) .* not exceed"
)
_KINDS_EN: tuple[tuple[Kind, str], ...] = (
    ("cause", r"\bwhy\b|what(?: \w+)? caused|the (?:cause|reason)"
     r"|(?:what|which) reason(?! code)|what (?:[a-z]+ ){1,4}to blame|the culprit"),
    ("number", rf"\b(?:{_HOW_MANY})\b"),
    ("date", r"^(?!.*\b(?:who|whom|what|which|where)\b.* when ).*\bwhen\b|since when"
     r"|(?:which|what) (?:year|date|month|day)(?!['’]s)|what deadline"),
    ("place", r"\bwhere\b|(?:which|what) (?:city|town|country|place|village|street|region|building"
     r"|campus|location)|birthplace|place of birth|headquarters"),
    ("name", r"\b(?:who|whom|whose|whoever)\b|what is the name|name of"),
    ("name", r"\b(?:which|what) (?!is\b|was\b|are\b|were\b|do\b|does\b|did\b|has\b|have\b|had\b"
     r"|can\b|should\b|must\b|may\b|might\b|will\b|would\b|could\b|happen\w*|kind\b|sort\b)\w+"),
    ("thing", r"\b(?:what|how|which)\b|what's"),
    ("yesno", r"^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|may|must|should)\b"),
)  # fmt: skip
_WH_NOUN = re.compile(r"\b(?i:which|what) ((?:[a-z-]+ ?){1,4})")
_VERB = re.compile(
    r"(?:is|was|are|were|do|does|did|has|have|had|can|must|should|will|the|a|an|of|in|for|to|by|i"
    r"|takes?|tells?|shows?|means?|says?|lets?"
    r"|came|went|began|ran|built|led|won|paid|met|made|ran|wrote|gave|got|took|holds?|leads?"
    r"|lies|lost|kept|sits?|bought|sold|lent|sent|taught|wrote|makes?|owns|runs?|plays|flows|pays"
    r"|hosts|sells|offers|belongs|carries|gives|teaches|writes|sings|covers|keeps|serves|produces"
    r"|supplies|operates|employs|supports|uses|works|lives|stands|directs|funds|handles|heads"
    r"|drew|grew|knew|threw|became|found|stood|said|spent"
    r"|includes?|contains?|features|stars|represents|requires|provides|involves|participates?"
    r"|stand|sit|lie|carry|belong|live|work|come|each|every|any|all|this|that|these|those|you|we"
    r"|they|he|she|it|someone|people"
    r"|\w{2,}ed)$"
)
_AUXILIARY = re.compile(
    r"(?:is|was|are|were|do|does|did|has|have|had|can|must|will|there|in|at|of|work|live)$"
)
_HEAD_VI = (
    r"(?:^|\s)((?:\S+ ){0,1}(?!(?:thế|như) nào)\S+)"
    r"(?: (?:chính|chủ yếu|chủ lực|cụ thể)(?= nào))? nào(?!\w)"
)
_CODE_VI = (
    r"(?<!\w)mã(?: số)?(?: (?:nhân viên|hợp đồng|lỗi|số|sản phẩm))?(?: của .+?)?,?"
    r" (?:là )?(?:bao nhiêu|gì|mấy|số mấy)(?!\w)"
    r"|^mã(?: số)?(?: \w+){0,2} của (?!.*\b(?:ai|gì|nào)\b)"
)
_WHAT_NOUN_VI = (
    r"(?<!\w)(phòng|nhóm|bộ phận|khối|văn phòng|công ty|ngành|môn|chức danh|chức vụ|giải"
    r"|giải thưởng|tiếng|mã) gì(?!\w)"
)
_WORTH = re.compile(
    r"(?<!\w)(?:(?:có )?(?:trị giá|giá trị)|(?:tri gia|gia tri)|worth|valued at)"
    r"(?: of)? (?=[€$£]?\d)",
    re.IGNORECASE,
)
"""Words that only lead in to an amount; they ask for none."""
_WHO_VI = r"ông|bà|anh|chị|cô|chú|bác|cậu|vị"
_NO_PERSON_VI = r"^(?:đơn|khẩu|chức|định|thú|tiếng|nước|môn|học) "
"""Before "vị" and "anh", which are no persons there: "đơn vị nào", "tiếng Anh nào"."""
WHO_IN_PERSON_VI = rf"(?<!đơn )(?<!khẩu )(?<!chức )(?<!tiếng )(?<!nước )(?:{_WHO_VI}) nào"
"""Asks for a person: "chị nào"."""
_NO_HEAD_VI = re.compile(
    r"^(?:ở|vào|là|của|thuộc|tại|với|từ|trước|do|cho|về|đến|bởi|trong|theo|qua|có|được|làm|học|ngồi"
    r"|nhận|đạt|và|o|vao|cua|tai|la|boi|trong|cho|lam|hoc|thuoc) (?=\S)"
)
_UNIT_EN = re.compile(r"\b(?i:how (?:many|much)) ((?:[a-z-]+ ?){1,3})")
_HOURS_VI = re.compile(
    r"(?<!\w)(bao nhiêu|mấy) tiếng(?!\w)(?! (?:anh|pháp|nói|việt))", re.IGNORECASE
)
_UNIT_VI = r"(?:bao nhiêu|mấy) (?!một|mỗi|là|thì|và|cho|để|trong|hằng|vậy|ạ|so|ở|tại|vào)([^\W\d]+)"
_QUARTER = re.compile(r"(?<!\w)(?:quý|quy|quarter) \d(?!\w)", re.IGNORECASE)
_OPENING_CLAUSE = re.compile(
    rf"^(?:Before|After|While|When) (?:(?:he|she|they|it)\b|joining (?:the|his|her)\b)"
    rf"[^,{UPPER}]*, (?=(?:which|what|who|where)\b)"
)
_BEFORE_CLAUSE = re.compile(
    r" (?:before|after|while|when|trước khi|sau khi) (?=(?:he|she|they|it|becoming|\w+ing)\b"
    r"|[a-zà-ỹđ]\w* \w+)"
)
_UNIT_NOUN = r"(?:phòng|nhóm|bộ phận|ban|khối|tổ)"
_NO_PART_OF_NAME = (
    r"^(?:là|có|được|do|của|và|ở|tại|thì|đang|đã|sẽ|hiện|phải|cần|chịu|nhận|xử|phụ|quản|làm|ngồi"
    r"|thuộc|gồm|báo|nào|gì|hay|với|cho|từ|vào|này|đó|ấy|không)$"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_HONORIFIC = re.compile(r"^(?:(?:Dr|Mr|Mrs|Ms|Prof|Sir|Ông|Bà|Anh|Chị|Cô)\.? )+")
_CALENDAR = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)


_MONTH_OF = re.compile(rf"(?:{'|'.join(sorted(_CALENDAR))})(?: \d{{1,4}})*")
"""A month with its year, which other sentences write in other ways ("01/2025")."""


@dataclass(frozen=True)
class Ask:
    """One question, read: everything that judging a sentence against it needs.

    `head` is the noun of "which NOUN" and "NOUN nào", `unit` that of "how many NOUN".
    """

    text: str
    language: str
    kind: Kind
    head: str
    unit: str
    anchors: tuple[str, ...]
    terms: tuple[str, ...]
    relations: frozenset[str]


def read(question: str) -> Ask:
    """The question's kind, head noun, unit, anchors, content words and relations."""
    question = " ".join(nfc(question).split())
    language = language_of(question)
    main = _BEFORE_CLAUSE.split(_OPENING_CLAUSE.sub("", question))[0]
    named = tuple(question_anchors(main))
    if language == "vi":
        named = _whole_units(main, tuple(_unit_name(main, one) for one in named))
    main = _HOURS_VI.sub(r"\1 giờ", main)
    head, unit = _head(main, language), _unit(main, language)
    without_names = _WORTH.sub(" ", main)
    for name in named:
        without_names = " ".join(without_names.replace(name, " ").split())
    kind = _kind(question, language)
    if kind == "thing" and head and language == "vi":
        kind = "name"
    return Ask(
        text=question,
        language=language,
        kind=kind,
        head=head,
        unit=unit,
        anchors=named,
        terms=terms(main),
        relations=_asked_relations(without_names, language, kind) | _of_grants(main, named),
    )


def _of_grants(question: str, named: tuple[str, ...]) -> frozenset[str]:
    """Who awards a grant funds it; who awards a medal does not."""
    of_grant = any({"grant", "fund"} & set(bare(one).split()) for one in named)
    return frozenset({"fund"} if of_grant and re.search(r"\baward", question) else ())


def question_anchors(question: str) -> list[str]:
    """The anchors of a question without possessive endings, honorifics and question words."""
    found = [" ".join(one.split()) for one in _QUARTER.findall(question)]
    for anchor in anchors(_QUARTER.sub(" , ", question)):
        for piece in re.split(r"['’]s ", anchor):
            name = _HONORIFIC.sub("", _POSSESSIVE.sub("", piece)).strip()
            name = re.sub(r"^(?:\d+ )+(?=\D)", "", name)
            name = "" if _MONTH_OF.fullmatch(bare(name)) else name
            if (
                (len(name) > 1 or name.isdigit())
                and bare(name) not in _CALENDAR
                and name not in found
            ):
                found.append(name)
    return found


def _asks_code(question: str) -> bool:
    """Whether a code is asked for as if it were a number ("mã nhân viên bao nhiêu")."""
    return pattern(_CODE_VI, typed_bare(question)).search(question) is not None


def _unit_name(question: str, name: str) -> str:
    """ "Kế" of "Phòng Kế toán" as "Kế toán": names of units have a capital at their first word."""
    last = name.split()[-1]
    if not last.isalpha() or not last[1:].islower():
        return name
    found = re.search(
        rf"(?i:{_UNIT_NOUN}) {re.escape(last)} (?P<more>[^\W\d_]+)(?!\w)", question
    ) or re.search(rf"{re.escape(name)} (?P<more>[^\W\d_]+)(?!\w)", question)
    of_unit = found and re.search(rf"(?i:{_UNIT_NOUN}) {re.escape(last)} ", question)
    more = found["more"] if found else ""
    if not of_unit or not more.islower() or seek(_NO_PART_OF_NAME, more):
        return name
    return f"{last} {more}"


def _whole_units(question: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """ "Kiểm định Chất lượng" of "Phòng Kiểm định Chất lượng" as one name."""
    stop = _NO_PART_OF_NAME[1:-1] + r"(?!\w)"
    word = rf"[{UPPER}][^\W\d_]* (?!{stop})(?-i:[^\W\d_{UPPER}])[^\W\d_]*"
    for found in re.finditer(rf"(?i:{_UNIT_NOUN}) (?P<name>{word}(?: (?:và )?{word})+)", question):
        parts = [one for one in named if one in found["name"]]
        if parts:
            kept = [found["name"] if one == parts[0] else one for one in named]
            named = tuple(one for one in kept if one not in parts)
    return named


def _kind(question: str, language: str) -> Kind:
    if language == "vi":
        if _asks_code(question):
            return "name"
        for kind, words in _KINDS_VI:
            if seek(words, question):
                return kind
        return next((kind for kind, opening in _OPENINGS_VI if seek(opening, question)), "thing")
    for kind, words in _KINDS_EN:
        if pattern(words).search(question):
            return kind
    return "thing"


def _head(question: str, language: str) -> str:
    if language == "vi":
        if _asks_code(question):
            return "mã"
        found = pattern(_HEAD_VI, typed_bare(question)).search(question)
        found = found or pattern(_WHAT_NOUN_VI, typed_bare(question)).search(question)
        return _noun_of(_NO_HEAD_VI.sub("", found[1].strip().lower())) if found else ""
    match = _WH_NOUN.search(question)
    words = match[1].split() if match else []
    head = list(itertools.takewhile(lambda word: not _VERB.match(word), words))
    return " ".join(_noun_alone(head, question[match.end() :] if match else ""))


def _noun_of(head: str) -> str:
    """The noun of "NOUN nào" where two syllables stand before it: "chỗ" of "miễn phí chỗ nào".

    "Ông nào" and "chị nào" ask who it is.
    """
    last = head.split()[-1] if head else ""
    if seek(rf"^(?:{_WHO_VI})$", last) and not seek(_NO_PERSON_VI, head):
        return "" if last == "anh" or not typed_bare(last) else head
    return last if seek(r"^(?:chỗ|nơi|hôm|buổi|bữa|dịp|lúc|hồi)$", last) else head


def _noun_alone(head: list[str], after: str) -> list[str]:
    """ "lab manufactures" before an object, and "university lab sigma", without what is no noun."""
    if len(head) > 2 and is_kind(head[0]):
        return head[:1]
    if len(head) > 1 and re.search(r"(?<!fami)(?<!supp)(?<!assemb)(?<!anoma)ly$", head[-1]):
        return head[:-1]
    verb = len(head) > 1 and re.search(r"(?<!s)s$", head[-1]) and not head[-2].endswith("s")
    return head[:-1] if verb and re.match(rf"[{UPPER}{{]", after) else head


def _unit(question: str, language: str) -> str:
    if language == "vi":
        found = pattern(_UNIT_VI, typed_bare(question)).search(question)
        return found[1].strip().lower() if found else ""
    match = _UNIT_EN.search(question)
    words = match[1].lower().split() if match else []
    counted = list(
        itertools.takewhile(lambda w: not (_AUXILIARY.match(w) or w.endswith("ed")), words)
    )
    plural = next((at for at, word in enumerate(counted) if re.search(r"[^s]s$", word)), None)
    return " ".join(counted if plural is None else counted[: plural + 1])


def _asked_relations(question: str, language: str, kind: Kind) -> frozenset[str]:
    """The relations that a question names; "where" alone asks for the seat."""
    if re.search(r"\bhow long (?:is|are|was|were)\b", question, re.IGNORECASE):
        return relations(re.sub(r"\bhow long\b", " ", question, flags=re.IGNORECASE))
    found = relations(re.sub(r"\b(?:before|earlier)\b(?= *\??$)", " ", question))
    return found or (frozenset({"seat"}) if kind == "place" else found)
