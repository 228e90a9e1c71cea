"""Several questions in one: split at "and", each part made complete by the shared subject."""

import re

from policy.language.coordination import distributed_english, distributed_vietnamese
from policy.language.questions import question_anchors, read
from policy.language.wording import UPPER, language_of, pattern, typed_bare

FIRST_ANSWER = "{first}"
_WH_EN = (
    r"(?:(?:in|at|from|for|on|with|by|to|since|above|below|under|of|about|after|before) )?"
    r"(?:who|whom|whose|what|which|when|where|why|how)\b"
)
_CUT_EN = re.compile(rf",? and (?:also )?(?={_WH_EN})|, (?={_WH_EN})|; ", re.IGNORECASE)
_WH_VI = (
    r"(?<!\w)(?:ai|gì|nào|đâu|bao nhiêu|bao giờ|bao lâu|mấy|vì sao|tại sao|thế nào|ra sao|thì sao)"
    r"(?!\w)"
)
_CUT_VI = r",? (?:và|đồng thời|cũng như) |,? với (?=(?:ai|bao|mấy|khi|ở đâu|do ai)(?!\w))|, |; "
_TWO_WORDS_EN = re.compile(
    r"^(?P<one>when|where|why|how) and (?P<two>(?:by |with |in |at |for )?(?:whom|when|where|why"
    r"|how|(?:what|which) [a-z]+)) (?P<rest>(?:is|was|are|were|did|does|do|has|have)\b.+)$",
    re.IGNORECASE,
)
_ONLY_ASKS_EN = re.compile(rf"^{_WH_EN}(?: [a-z]+)?$", re.IGNORECASE)
_WHO_DID_EN = re.compile(r"^who (?P<did>[a-z]+ed|built|made|wrote) (?P<what>.+)$", re.IGNORECASE)
_THEY = re.compile(
    r"\b(?P<whose>his|her|their|its)\b|\b(?P<who>he|she|him|they|it)\b", re.IGNORECASE
)
_YEAR_TOO = (
    r"^(?:còn )?(?:sang |tới |đến |qua |vào )?(?:năm )?(?P<year>(?:19|20)\d\d)"
    r"(?: thì)?(?: (?P<rest>.+))?$"
)
_SPAN_VI = (
    r"^(?P<what>.+?)(?: (?:chạy|kéo dài|diễn ra|thực hiện|áp dụng|có hiệu lực))?"
    r" từ (?P<unit>ngày|tháng|năm|khi) nào (?:đến|tới) (?:ngày|tháng|năm|khi) nào$"
)
_AND_WHAT_OF_VI = r"^còn (?:(?:đối )?với )?(?P<other>.+?)(?: thì)? (?:sao|thế nào|bao nhiêu)$"
_THEY_VI = (
    r"(?<!\w)(?:người (?:quản lý|phụ trách|duyệt|ký|đó|này|ấy)(?: (?:đó|này|ấy))(?!\w)"
    r"|(?:vị|sếp|quản lý|trưởng phòng|trưởng nhóm|nhân viên|cấp trên) (?:đó|này|ấy)(?!\w)"
    r"|anh ấy|cô ấy|ông ấy|bà ấy|chị ấy|người đó|người này|người ấy|nó|họ)(?!\w)"
)
_ATTRIBUTE_VI = (
    r"^(?:(?:Nguyên nhân|Ngân sách|Kinh phí|Giá(?: trị| bán)?|Địa chỉ|Thời hạn|Cách xử lý|Tên"
    r"|Mục tiêu)(?: (?:của|gây ra))? )(?=\S)"
)
"""What is asked of a thing in the first part, and not what the next one is about."""
_PLACE_VI = r"văn phòng|chi nhánh|xưởng|trụ sở|thành phố|tỉnh|phòng|nơi|chỗ"
_WHO_VI = r"(?<!\w)(?:ai|người nào|(?:giám đốc|trưởng (?:phòng|nhóm|ban)|sếp|nhân viên) nào)(?!\w)"
_SUBJECT_VI = (
    r"^(?P<subject>.+?) (?:là|thuộc|ở|tại|có|do|được|hiện|xuất hiện|sinh|nằm|đặt|học|làm|bắt đầu"
    r"|kết thúc|ngồi|thành lập|khai trương|phải|cần)(?!\w)"
)


def cut_parts(text: str) -> list[str]:
    """The questions joined in a text (without "?") as they stand there, or the text itself."""
    vietnamese = language_of(text) == "vi"
    span = pattern(_SPAN_VI, typed_bare(text)).match(text) if vietnamese else None
    if span:
        when = f"{span['unit']} {'nao' if typed_bare(text) else 'nào'}"
        words = ("bat dau", "ket thuc") if typed_bare(text) else ("bắt đầu", "kết thúc")
        return [f"{span['what']} {word} {when}" for word in words]
    pieces = _cut_vietnamese(text) if vietnamese else _cut_english(text)
    if len(pieces) > 1:
        return pieces[:3]
    return distributed_vietnamese(text) if vietnamese else distributed_english(text)


def complete(pieces: list[str]) -> list[str]:
    """The parts with the subject of the first in those that lack one.

    A later part that says "she" or "người đó" of the answer of the first part holds
    `FIRST_ANSWER` in its place.
    """
    first = _owned_too(pieces)
    finish = _complete_vietnamese if language_of(first) == "vi" else _complete_english
    return [first, *(finish(piece, first, FIRST_ANSWER) for piece in pieces[1:])]


def _owned_too(pieces: list[str]) -> str:
    """The first part with "của X" of the last one, where it is about nothing named itself."""
    first, last = pieces[0], pieces[-1]
    of = pattern(r" của [^,]+$", typed_bare(first + last)).search(last)
    if len(pieces) < 2 or not of or question_anchors(first) or not question_anchors(of[0]):
        return first
    does = pattern(r"^ai (?!là)", typed_bare(first)).match(first)
    return f"{first}{of[0].replace(' của', '', 1) if does else of[0]}"


def _cut_english(text: str) -> list[str]:
    shared = _TWO_WORDS_EN.match(text)
    if shared:
        return [f"{shared[side]} {shared['rest']}" for side in ("one", "two")]
    pieces = [piece.strip(" ,") for piece in _CUT_EN.split(text)]
    asking = [piece for piece in pieces if re.search(_WH_EN, piece, re.IGNORECASE)]
    long_enough = all(len(piece.split()) >= 3 or _WHO_DID_EN.match(text) for piece in pieces)
    return pieces if len(asking) == len(pieces) and long_enough else [text]


def _cut_vietnamese(text: str) -> list[str]:
    folded = typed_bare(text)
    asks = pattern(_WH_VI, folded)
    pieces: list[str] = []
    opening = 0
    for cut in pattern(_CUT_VI, folded).finditer(text):
        before, after = text[opening : cut.start()], text[cut.end() :]
        if asks.search(before) and asks.search(after):
            pieces.append(before.strip(" ,"))
            opening = cut.end()
    return [*pieces, text[opening:].strip(" ,")]


def _complete_english(piece: str, first: str, answer: str) -> str:
    subject = _subject(first)
    done = _WHO_DID_EN.match(first) if _ONLY_ASKS_EN.match(piece) else None
    if done:
        did = "written" if done["did"] == "wrote" else done["did"]
        return f"{piece} was {done['what']} {did}"
    person = read(first).kind == "name" and re.match(r"who", first, re.IGNORECASE)
    pronoun = _THEY.search(piece)
    if pronoun:
        human = pronoun[0].lower() in ("he", "she", "him", "his", "her") or not subject
        stands_for = answer if person and human else subject
        if not stands_for:
            return piece
        replacement = f"{stands_for}'s" if pronoun["whose"] else stands_for
        return piece[: pronoun.start()] + replacement + piece[pronoun.end() :]
    if not question_anchors(piece) and "{" not in piece and subject:
        return f"{piece} ({subject})"
    return piece


def _complete_vietnamese(piece: str, first: str, answer: str) -> str:
    folded = typed_bare(first + piece)
    subject = _subject(first)
    if piece.split()[:3] == first.split()[:3]:
        return piece
    other = pattern(_AND_WHAT_OF_VI, folded).match(piece)
    if other and (asked_too := _instead_of_first(first, other["other"])):
        return asked_too
    again = _named_before(piece, first, folded)
    if again:
        return again
    year = pattern(_YEAR_TOO, folded).match(piece)
    years = re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", first)
    if (
        year
        and len(years) == 1
        and all(word in first.split() for word in (year["rest"] or "").split())
    ):
        return first.replace(years[0], year["year"])
    same = _that_one(piece, first, folded, answer)
    if same:
        return same
    pronoun = pattern(_THEY_VI, folded).search(piece)
    if pronoun:
        stands_for = answer if pattern(_WHO_VI, folded).search(first) else subject
        return piece[: pronoun.start()] + (stands_for or pronoun[0]) + piece[pronoun.end() :]
    when = pattern(r"^(?:sau khi|trước khi|khi|từ khi) .+? thì ", folded).match(piece)
    if when and subject and _starts_as_predicate(piece[when.end() :], folded):
        return f"{subject} {piece}"
    if question_anchors(piece) or "{" in piece:
        return piece
    does = pattern(r"^(?:ngồi|làm việc|báo cáo|vào làm|vô làm)(?!\w)", folded).match(piece)
    if does and pattern(_WHO_VI, folded).search(first):
        return f"{answer} {piece}"
    who = pattern(r"^.+ là ai$", folded).match(first)
    if who and _starts_as_predicate(piece, folded):
        return f"{answer} {piece}"
    before = pattern(_SUBJECT_VI, folded).match(first)
    topic = before["subject"].strip() if before else ""
    topic = "" if pattern(_WH_VI, folded).search(topic) else topic
    if subject and topic and subject.casefold() in topic.casefold():
        brings_noun = pattern(_WH_VI, folded).search(piece) is not None and not (
            _starts_as_predicate(piece, folded)
        )
        subject = pattern(_ATTRIBUTE_VI).sub("", topic) if brings_noun else topic
    if not subject:
        topic = topic or _before_question_word(first, folded)
        return f"{piece} ({topic})" if topic else piece
    return f"{subject} {piece}" if _starts_as_predicate(piece, folded) else f"{piece} {subject}"


def _instead_of_first(first: str, other: str) -> str:
    """The first part about another thing: "còn Công ty B thì sao" after one about Công ty A."""
    named = [one for one in question_anchors(first) if not one.isdigit()]
    others = [one for one in question_anchors(other) if not one.isdigit()]
    if not named or not others:
        return ""
    name, noun = named[0], other[: other.find(others[0])]
    start = first.find(name)
    if noun and first[:start].casefold().endswith(noun.casefold()):
        start -= len(noun)
    return f"{first[:start]}{other}{first[first.find(name) + len(name) :]}"


def _named_before(piece: str, first: str, folded: bool) -> str:
    """The part with the name that the first has for "dự án này"; "" where there is none."""
    name = rf"(?-i:[{UPPER}0-9])\S*(?: (?-i:[{UPPER}0-9])\S*)*"
    shape = r"(?<!\w)(?P<noun>[^\W\d_]+(?: [^\W\d_]+)?) (?:này|đó|đấy|ấy)(?!\w)"
    for reference in pattern(shape, folded).finditer(piece):
        words = reference["noun"].split()
        for noun in (" ".join(words), words[-1]):
            found = pattern(rf"(?<!\w){re.escape(noun)} {name}", folded).search(first)
            if found:
                start = reference.end("noun") - len(noun)
                return f"{piece[:start]}{found[0]}{piece[reference.end() :]}"
        opening = pattern(rf"^{re.escape(reference['noun'])}(?: [^\W\d_]+){{2}}", folded).match(
            first
        )
        if opening:
            told = f"{opening[0][0].lower()}{opening[0][1:]}"
            return f"{piece[: reference.start()]}{told}{piece[reference.end() :]}"
    return ""


def _that_one(piece: str, first: str, folded: bool, answer: str) -> str:
    """The part with the answer for "nhóm đó" where the first asks "nhóm nào"; else ""."""
    there = pattern(r"(?<!\w)(?:chỗ|nơi|ở|bên) (?:đó|đấy|này|ấy)(?!\w)", folded).search(piece)
    if there and pattern(rf"(?<!\w)(?:{_PLACE_VI}) nào(?!\w)", folded).search(first):
        at = "ở " if pattern(r"^ở", folded).match(there[0]) else ""
        return f"{piece[: there.start()]}{at}{answer}{piece[there.end() :]}"
    for asked in pattern(r"(\S+(?: \S+){0,2}) nào(?!\w)", folded).finditer(first):
        words = asked[1].split()
        for noun in (" ".join(words[start:]) for start in range(len(words))):
            shape = rf"(?<!\w)(?P<head>(?:trưởng|phó) )?{re.escape(noun)} (?:đó|này|ấy)(?!\w)"
            found = pattern(shape, folded).search(piece)
            if found:
                of = "cua" if folded else "của"
                head = f"{found['head']}{noun} {of} " if found["head"] else ""
                return f"{piece[: found.start()]}{head}{answer}{piece[found.end() :]}"
    return ""


def _starts_as_predicate(piece: str, folded: bool) -> bool:
    return bool(
        pattern(
            r"^(?:do|ở|là|có|được|thuộc|trực thuộc|vào|vô|báo cáo|đang|từng|sinh|nằm"
            r"|bắt đầu|kết thúc|lương|trị giá|học|làm|ngồi"
            r"|khi nào|hết|nhận|đạt|giành|đã|sẽ|mở|ra đời|gồm|dài|nặng|cao|rộng|kéo dài"
            r"|mất|qua đời|viết|sáng lập|phát triển|lãnh đạo|quản lý|phụ trách|trở thành)"
            r"(?!\w)", folded,
        ).match(piece)
    )  # fmt: skip


def _before_question_word(first: str, folded: bool) -> str:
    asked = pattern(_WH_VI, folded).search(first)
    return first[: asked.start()].strip() if asked else ""


def _subject(first: str) -> str:
    """What the first part is about: its placeholder, else its first name or code."""
    placeholder = re.search(r"\{s\d\}", first)
    if placeholder:
        return placeholder[0]
    named = [one for one in question_anchors(first) if not one.isdigit()]
    return re.sub(_ATTRIBUTE_VI, "", named[0]) if named else ""
