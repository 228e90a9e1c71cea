"""What "she", "that grant" or "bên đó" of a question stand for, from what was said before it."""

import re

from policy.language.english_phrases import FINITE, PARTICIPLE_END, PERSON
from policy.language.nested_english import is_role
from policy.language.openings import PERSONAL as _PERSONAL
from policy.language.openings import Message, asks
from policy.language.questions import question_anchors
from policy.language.wording import UPPER, language_of, pattern, typed_bare

_NAME = rf"[{UPPER}0-9][\w'’.-]*(?: (?:of |the )?[{UPPER}0-9][\w'’.-]*)*"
_HEAD_VI = (
    r"dự án|phòng thí nghiệm|phòng ban|phòng|nhóm|công ty|lab|tổ chức|văn phòng|xưởng|chi nhánh"
    r"|hợp đồng|khoản tài trợ|khoản|chương trình|khóa học|sản phẩm|cảm biến|thiết bị|máy|lỗi"
    r"|chính sách|quy định|trường|viện|bệnh viện|quỹ|giải|khách hàng|tàu|sông|thành phố|sách|phim"
)
_PERSON_EN = r"\b(?:he|she|him|her|his|that person|this person)\b"
_THING_EN = (
    r"\b(?:it|its|they|them|their|(?:that|this|the said) (?:one|[a-z]+)|(?<=for )that|(?<=of )that"
    r"|there(?! (?:is|are|was|were)))\b"
)
_PERSON_VI = (
    r"giảng viên|chủ sản phẩm|quản lý|nhân viên|kỹ sư|chuyên viên|giám đốc|trưởng phòng"
    r"|trưởng nhóm|đầu mối|người"
)
_REFERS_VI = (
    r"(?<!\w)(?:(?:anh|cô|ông|bà|chị) (?:ấy|ta)|người (?:đó|này|ấy)|(?:(?!nơi|của|cho|với|là|do|ở)"
    r"[^\s,]+ )?(?!anh|cô|ông|bà|chị|người)[^\s,]+ (?:đó|này|ấy)|nó|họ)(?!\w)"
)
_SPEAKER_VI = r"(?:em|mình|tôi|tớ|tui|anh|chị|bên em|bên mình)(?: đang)?"
_ROLE_PHRASE = (
    r"^(?P<who>[Tt]he (?:[a-z]+ ){1,3}of (?:the )?"
    + _NAME
    + r"(?: [a-z]+)?)(?= [a-z]+s\b| [a-z]+ed\b|$)"
)
_WHOEVER = re.compile(
    r"^(?P<who>[Ww]hoever .+?|[Tt]he (?:person|one|man|woman) who .+?) (?=used to|was|is|has|had"
    r"|also|works?|worked)"
)
_VERBAL = r"\b(?:is|was|are|were|has|have|had|won|lost|got|made|went|came|[a-z]+ed)\b"
_VERB_VI = (
    r"lo|làm|xử lý|phụ trách|tài trợ|nhận|có|được|do|của|mà|ở|tại|và|là|đã|đang|phát triển|nằm"
    r"|thuộc|để|theo dõi|chăm(?: sóc)?|làm việc"
)


def bridged(message: Message, *, marked: bool = True) -> list[str]:
    """Two questions, where the background holds what the question refers to; else none.

    "It was built by a yard in Hull, and that yard was founded when?" asks for the yard first.
    """
    of_time = _in_a_time(message.question) or _done_with_it(message)
    if of_time:
        return of_time
    nested = _asked_of_the_last(message.question)
    nested = nested or (_asked_in_a_clause(message.question) if marked else [])
    if nested:
        return nested
    for before, after in _halves(message):
        vietnamese = language_of(f"{before} {after}") == "vi"
        found = (_bridged_vietnamese if vietnamese else _bridged_english)(before, after)
        if found:
            return found
    return []


def _in_a_time(question: str) -> list[str]:
    """ "Trong quý có doanh thu cao nhất, khách phàn nàn gì": which quarter, then what in it."""
    folded = typed_bare(question)
    shape = (
        r"^(?:(?:trong|vào|ở|hồi) )?(?:cái |các )?(?P<time>quý|tháng|năm|tuần)"
        r" (?P<clause>(?!nào|này|nay|sau|tới|trước|đó|ấy|đầu|cuối)[^\W\d_]+ (?:[^,]|,(?=\d)){4,}?)"
        r"(?: (?:ấy|đó|kia))?,(?: thì)? (?P<rest>.+)$"
    )
    found = pattern(shape, folded).match(question)
    if found is None or language_of(question) != "vi":
        return []
    told = pattern(r"(?<!\w)nhất(?!\w)|(?:thu|đạt|doanh) .*\d", folded).search(found["clause"])
    if told is None or asks(found["clause"]) or not asks(found["rest"]):
        return []
    which = "nao" if folded else "nào"
    time = found["time"].lower()
    return [f"{time.capitalize()} {which} {found['clause']}", f"Trong {{s1}}, {found['rest']}"]


def _done_with_it(message: Message) -> list[str]:
    """ "Tôi có khoản hoàn ứng, người duyệt khoản này là ai": who approves it."""
    text = f"{message.background}, {message.question}".strip(", ")
    shape = (
        rf"^{_SPEAKER_VI} có (?P<what>(?:một )?(?P<noun>đơn|khoản|hợp đồng|hồ sơ|đề xuất"
        r"|yêu cầu|phiếu)[^,]*), người (?:sẽ |phải )?"
        r"(?P<does>duyệt|phê duyệt|ký|xử lý|phụ trách)(?: cụ thể| nó| (?P=noun) này)? là "
        r"(?:ai|(?:anh|chị|ông|bà|cô|anh chị|ông bà) nào)$"
    )
    found = pattern(shape, typed_bare(text)).match(text)
    return [f"Ai {found['does']} {found['what']}"] if found else []


_AT_THE_END = re.compile(
    r"^(?P<does>.+ (?:by|from|to|for|with|in)) an? (?P<noun>[a-z]+(?: [a-z]+)?)"
    r" (?:with how many (?P<count>[a-z]+)(?P<where> .+)?|(?P<done>[a-z]+ed|led|run) by whom)$"
)


_NOUN_PHRASE = r"(?:(?!of\b|by\b|in\b|at\b|for\b|to\b|with\b|from\b)[\w-]+ ){0,4}?[\w-]+"
_CLAUSE_AT_THE_END = re.compile(
    rf"^(?P<does>.+) (?:an?|the|one of the) (?P<noun>{_NOUN_PHRASE}(?: and {_NOUN_PHRASE})?)"
    rf" (?:(?P<whose>whose)|who|that|which|(?P<done>{PARTICIPLE_END})(?= (?:in|at|on|by|for|where"
    r"|when|what|which|how)\b)) (?P<clause>[^,]*\b(?:what|which|where|when|whom|how many|how much)"
    r"\b.*)$"
)
_IS = re.compile(r" (?:is|was|are|were)(?: one of)?$")
_OWN_SUBJECT = re.compile(
    rf"(?:the|an?|we|you|they|he|she|it|i|my|our|their|his|her|[{UPPER}]\S*) "
)


def _asked_in_a_clause(question: str) -> list[str]:
    """ "Halo was bred by the trainer who died at what airport": who bred it, then where they died.

    "Halo is a band that won what award" asks it of Halo itself.
    """
    found = _CLAUSE_AT_THE_END.match(question)
    if found is None or asks(found["does"]) or not question_anchors(f"of {found['does']}"):
        return []
    if _OWN_SUBJECT.match(found["clause"]) or re.search(r" (?:has|have|had)$", found["does"]):
        return []
    does, noun = found["does"], found["noun"]
    clause = f"was {found['done']} {found['clause']}" if found["done"] else found["clause"]
    subject = _IS.sub("", does).strip() if _IS.search(does) else "{s1}"
    second = f"{subject}'s {clause}" if found["whose"] else f"{subject} {clause}"
    if subject != "{s1}":
        return [second]
    if noun.split()[-1][0].isupper() or re.search(rf" {FINITE}\b", found["clause"]):
        return []
    person = PERSON.search(noun) or is_role(noun.split()[-1]) or re.search(_OF_WORK, noun)
    return [f"{does} whom" if person else f"{does} which {noun}", second]


_OF_WORK = r"(?:[a-z]{3,}(?:ist|ian)|actor|actress|singer|poet|host|player)$"


def _asked_of_the_last(question: str) -> list[str]:
    """ "It was launched by a lab with how many people": which lab, then what is asked of it."""
    found = _AT_THE_END.match(question)
    if found is None or asks(found["does"]):
        return []
    first = f"{found['does']} which {found['noun']}"
    if found["count"]:
        return [first, f"How many {found['count']} does {{s1}} have{found['where'] or ''}"]
    return [first, f"By whom was {{s1}} {found['done']}"]


def _bridged_english(before: str, after: str) -> list[str]:
    for reference in re.finditer(r"\b(?:that|this|the said|the same) ([a-z]+)\b", after):
        noun = reference[1]
        indefinite = re.search(
            rf"\b(?:[Aa]n?|[Ss]ome|[Oo]ne"
            rf"|a certain) (?P<noun>(?:[a-z-]+ ){{0,2}}?{noun})(?P<of>['’]s)?(?!\w)",
            before,
        )
        if indefinite:
            which = f"which {indefinite['noun']}{indefinite['of'] or ''}"
            first = before[: indefinite.start()] + which + before[indefinite.end() :]
            return [first, after[: reference.start()] + "{s1}" + after[reference.end() :]]
    return _owned(before, after) or _whoever(before, after)


def _owned(before: str, after: str) -> list[str]:
    """ "Lab Delta is part of a university. Its rector's name?": the one thing without a name."""
    pronoun = re.search(
        r"\b(?:(?P<whose>its|his|her|their)|it|he|she|they)\b", after, re.IGNORECASE
    )
    shape = (
        r"\b(?:[Aa]n?|one of the|a certain) (?P<noun>[a-z-]+(?: [a-z-]+)?)"
        r"(?P<rel> (?:that|which|who))?"
    )
    found = list(re.finditer(shape, before))
    if pronoun is None or len(found) != 1 or not question_anchors(before):
        return []
    noun, rest = found[0]["noun"], before[found[0].end() :].strip()
    person = re.match(rf"(?:{_PERSON_EN})", pronoun[0], re.IGNORECASE) is not None
    if person != (PERSON.search(noun) is not None or is_role(noun)):
        return []
    if found[0]["rel"]:
        first = f"Which {noun} {rest}"
    elif _PERSONAL.match(before):
        return []
    else:
        first = f"{before[: found[0].start()]}which {noun} {rest}".strip()
    said = "{s1}'s" if pronoun["whose"] else "{s1}"
    second = after[: pronoun.start()] + said + after[pronoun.end() :]
    name = re.fullmatch(r"(?P<whose>.+)['’]s name", second)
    return [first, f"Who is {name['whose']}" if name else second]


def _whoever(before: str, after: str) -> list[str]:
    somebody = re.match(r"(?:Someone|Somebody) (?!who\b)(?P<did>.+)$", before, re.IGNORECASE)
    pronoun = re.search(_PERSON_EN, after)
    personal = re.search(r"\b(?:my|our|me|us|i|we)\b", before, re.IGNORECASE)
    if somebody and pronoun and not personal and question_anchors(somebody["did"]):
        owner = pronoun[0] in ("his", "her") and re.match(r" [a-z]", after[pronoun.end() :])
        said = "{s1}'s" if owner else "{s1}"
        return [f"Who {somebody['did']}", after[: pronoun.start()] + said + after[pronoun.end() :]]
    who = _WHOEVER.match(before) or re.match(_ROLE_PHRASE, before)
    if not (who and pronoun):
        return []
    subject = re.sub(r"^(?:[Ww]hoever|[Tt]he (?:person|one|man|woman) who) ", "Who ", who["who"])
    first = (
        subject if subject.startswith("Who ") else f"Who is {who['who'][0].lower()}{who['who'][1:]}"
    )
    owner = pronoun[0] in ("his", "her") and re.match(r" [a-z]", after[pronoun.end() :])
    second = (
        f"{after[: pronoun.start()]}{{s1}}{chr(39) + 's' if owner else ''}{after[pronoun.end() :]}"
    )
    names = question_anchors(before[who.end() :])
    if names:
        second = re.sub(r"\bthere$", f"at {names[-1]}", second)
    return [first, second]


def _halves(message: Message) -> list[tuple[str, str]]:
    halves = []
    if message.background:
        halves.append((message.background.strip(" .,;"), message.question))
    for cut in re.finditer(r"(?:,|;| -| –| —) (?:and |và |thì )?", message.question):
        before, after = message.question[: cut.start()], message.question[cut.end() :]
        if asks(after) and not asks(before):
            halves.append((before, after))
    return halves


def _bridged_vietnamese(before: str, after: str) -> list[str]:
    folded = typed_bare(before + after)
    for reference in pattern(r"(?<!\w)(?:đó|này|ấy)(?!\w)", folded).finditer(after):
        words = list(re.finditer(r"[^\s,]+", after[: reference.start()]))[-3:]
        for word in words:
            noun = after[word.start() : reference.start()].strip()
            found = pattern(
                rf"(?<!\w)(?P<one>một|có|vài) (?:cái )?(?P<noun>{re.escape(noun)})"
                rf"(?P<more>(?: (?!(?:{_VERB_VI})(?!\w))[^\s,.;]+){{0,5}})", folded,
            ).search(before)  # fmt: skip
            found = found or pattern(
                rf"(?<!\w)(?P<one>)(?P<noun>{re.escape(noun)})"
                r"(?P<more>(?: [^\s,.;]+){0,4}?) nào đó",
                folded,
            ).search(before)
            if found is None and pattern(r"người|vị|ông|bà|anh|chị", folded).fullmatch(noun):
                more = rf"(?P<more>(?: (?!(?:{_VERB_VI})(?!\w))[^\s,.;]+){{0,3}})"
                shape = rf"(?<!\w)(?P<one>một|có) (?P<noun>{_PERSON_VI}){more}"
                found = pattern(shape, folded).search(before)
            if found and not noun[0].isupper():
                if pattern(_SPEAKER_VI, folded).fullmatch(before[: found.start()].strip()):
                    own = f"{found['noun']}{found['more']}"
                    return [after[: word.start()] + own + after[reference.end() :]]
                second = f"{after[: word.start()]}{{s1}}{after[reference.end() :]}"
                return [_asked_vietnamese(before, found, folded), second]
    return []


def _asked_vietnamese(before: str, found: re.Match[str], folded: bool) -> str:
    """The background with "một công ty" made "công ty nào"."""
    which, of, is_what = ("nao", "cua", "la") if folded else ("nào", "của", "là")
    owner, noun, more = before[: found.start()].strip(), found["noun"], found["more"]
    has, ends = found["one"].casefold() in ("có", "co"), found.end() == len(before)
    if has and ends and owner and pattern(_PERSON_VI, folded).fullmatch(noun):
        role = pattern(r" kiêm .*$", folded).sub("", f"{noun}{more}")
        return f"Ai {is_what} {role} {of} {owner}"
    if has and ends and owner:
        return f"{noun[0].upper()}{noun[1:]}{more} {of} {owner} {is_what} {noun} {which}"
    if pattern(r"(?<!\w)(?:do|được|bị)$", folded).search(owner):
        if ends:
            return f"{owner} {noun} {which}{more}"
        if pattern(_PERSON_VI, folded).fullmatch(noun):
            return f"{owner} {noun}{more} {which}{before[found.end() :]}"
    more = "" if len(more.split()) <= 2 else more
    return f"{before[: found.start()]}{noun}{more} {which}{before[found.end() :]}"


def attached(message: Message) -> str:
    """The question, with what its background is about where it leans on that."""
    question, background = message.question, message.background.strip(" .,;:")
    vietnamese = language_of(f"{background} {question}") == "vi"
    if not background:
        return question
    again = _named_again(question, background) if vietnamese else question
    if again != question:
        return again
    if [one for one in question_anchors(question) if not one.isdigit()]:
        return question
    asked = re.fullmatch(
        r"(who|what) (?:is|was|are) (?:that|this|it|he|she)", question, re.IGNORECASE
    )
    if asked and re.match(r"(?:the|whoever) ", background, re.IGNORECASE):
        return f"{asked[1].capitalize()} is {background[0].lower()}{background[1:]}"
    if re.search(r"\b(?:that|this)$", question):
        return f"{question} ({background})"
    subject = _subject(background, vietnamese)
    if subject:
        return _put_in(question, subject, vietnamese)
    if not _PERSONAL.match(background) and len(background.split()) <= 6:
        return _put_in(question, background, vietnamese)
    pronoun = rf"{_PERSON_EN}|{_THING_EN}"
    leans = pattern(_REFERS_VI if vietnamese else pronoun, typed_bare(question)).search(question)
    short = len(question.split()) < (9 if vietnamese else 5)
    second = question.split(" ")[1:2]
    if second and not second[0][:1].isupper():
        question = f"{question[0].lower()}{question[1:]}"
    if not (leans or short):
        return question
    return f"{background}, {question}" if vietnamese else f"{question} ({background})"


def _named_again(question: str, background: str) -> str:
    """ "SIM này" as the phrase that the background has for it ("SIM dữ liệu của Trạm G2")."""
    folded = typed_bare(background + question)
    for reference in pattern(r"(?<!\w)(\S+) (?:này|đó|ấy)(?!\w)", folded).finditer(question):
        noun = re.escape(reference[1])
        found = pattern(rf"(?<!\w){noun} [^,.;]+$", folded).search(background)
        if found and question_anchors(found[0]) and len(found[0].split()) <= 9:
            return question[: reference.start()] + found[0] + question[reference.end() :]
    return question


def _subject(background: str, vietnamese: bool) -> str:
    """What the background is about: its first name with the noun phrase around it."""
    names = [one for one in question_anchors(background) if not one.isdigit()]
    names = [one for one in names if one.casefold() not in ("em", "mình", "tôi", "anh", "chị")]
    if not names:
        return ""
    name = max((one for one in names if names[0] in one), key=len, default=names[0])
    if vietnamese:
        more = "" if " " in name or not name.isalpha() else r"(?: (?!(?:là|và|thì|để)\b)[^\W\d_]+)?"
        head = rf"(?:{_HEAD_VI}|giám đốc|trưởng phòng|trưởng nhóm) {re.escape(name)}"
        found = pattern(rf"{head}{more}(?: {_NAME})?").search(background)
        return found[0] if found else name
    if len(background.split()) <= 6 and not re.search(
        rf"{_VERBAL}|{_PERSONAL.pattern}", background
    ):
        return background
    phrase = rf"\b((?i:the) [a-z][^,;]*?{re.escape(name)}[^,;]*?)(?: and)?$"
    described = re.search(phrase, background)
    return described[1] if described else name


def _put_in(question: str, subject: str, vietnamese: bool) -> str:
    if vietnamese:
        folded = typed_bare(question)
        refers = pattern(_REFERS_VI, folded).search(question)
        if refers:
            return question[: refers.start()] + subject + question[refers.end() :]
        bare_head = pattern(rf"(?<!\w)(?:{_HEAD_VI})(?= (?:là|có|do|đó|bao|được)(?!\w)|$)", folded)
        found = bare_head.search(question)
        if found and subject.casefold().startswith(found[0].casefold()):
            return bare_head.sub(subject, question)
        attribute = pattern(r"^(?P<what>[^,]+?) (?P<is>là|bao nhiêu)(?!\w)", folded).match(question)
        if attribute and not asks(attribute["what"]):
            of = "cua" if folded else "của"
            return f"{attribute['what']} {of} {subject}{question[attribute.end('what') :]}"
        return f"{question} ({subject})"
    pronoun = re.search(rf"{_PERSON_EN}|{_THING_EN}", question)
    if pronoun is None or re.match(r"(?:that|this)\b(?! person)", pronoun[0]):
        return f"{question} ({subject})"
    owner = pronoun[0] in ("his", "its", "their") or (
        pronoun[0] == "her" and re.match(r" [a-z]", question[pronoun.end() :])
    )
    at = "at " if pronoun[0] == "there" else ""
    said = f"{at}{subject}{chr(39) + 's' if owner else ''}"
    return question[: pronoun.start()] + said + question[pronoun.end() :]
