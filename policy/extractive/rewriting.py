"""Other ways to ask: the official word, the other language, the missing condition."""

import re

from policy.language.decompose import decompose, search_text, self_contained, through_parents
from policy.language.questions import question_anchors, read
from policy.language.wording import language_of, pattern, terms, typed_bare
from policy.protocol import Rewrite, RewriteView, Strategy
from state.anchors import conditions
from state.queries import normal_query
from state.text import fold_accents

_OFFICIAL_VI = (
    (r"nghỉ (?:đẻ|sinh con|sinh em bé|sinh)", "hưởng chế độ thai sản"),
    (r"lương tháng (?:thứ )?(?:13|mười ba)", "thưởng lương tháng 13"),
    (r"sếp(?: trực tiếp)?", "quản lý trực tiếp"),
    (r"tiền (?:đi )?công tác", "công tác phí"),
    (r"wfh|làm (?:việc )?(?:ở|tại) nhà", "làm việc từ xa"),
    (r"bỏ việc|xin nghỉ luôn|nghỉ làm luôn", "thôi việc"),
    (r"ot|tăng ca|làm (?:ngoài giờ|quá giờ)|làm thêm(?! giờ)", "làm thêm giờ"),
    (r"(?<=mấy )bữa|(?<=bao nhiêu )bữa", "ngày"),
    (r"sanh", "sinh"),
    (r"phải mổ|mổ(?= )", "phẫu thuật"),
    (r"hết (?:hiệu lực|hiệu hạn)|đáo hạn", "hết hạn"),
    (r"được cấp bao nhiêu (?:tiền|vốn)", "có ngân sách bao nhiêu"),
    (r"(?:e-?)?mail", "thư điện tử"),
    (r"bớt(?= (?:được |cho )?(?:bao nhiêu|mấy))", "giảm"),
    (r"lo(?= \S)", "chịu trách nhiệm"),
    (r"kêu ca|than phiền|chê", "phàn nàn"),
    (r"tiền ăn(?! trưa)", "tiền ăn trưa"),
    (r"ứng tiền", "tạm ứng"),
    (r"bị đuổi|sa thải", "chấm dứt hợp đồng"),
    (r"(?:là )?do đâu", "nguyên nhân là gì"),
    (r"làm ra", "phát triển"),
    (r"lập ra|dựng nên|gây dựng", "sáng lập"),
    (r"laptop", "máy tính xách tay"),
    (r"hiện lên", "xuất hiện"),

)  # fmt: skip
_OFFICIAL_EN = (
    (r"quit(?:ting)?|leave the company", "resignation notice period"),
    (r"wfh|work(?:ing)? from home", "remote work"),
    (r"boss", "line manager supervisor"),
    (r"time off|days off|holidays?|vacation", "annual leave"),
    (r"baby leave|having a baby", "maternity leave"),
    (r"pay(?: day)?|paycheck", "salary"),
    (r"fired|sacked", "dismissal termination"),
    (r"get back|money back", "reimbursement"),
    (r"is behind|behind", "developed by"),
    (r"made|built|created", "developed designed built"),
    (r"set up|started", "founded established"),
    (r"run by|runs|heads?|in charge of", "director led by"),
    (r"paid for|met|gave|bought", "funded by grant awarded"),
    (r"used to work|job before", "previous employer employed by"),
    (r"sick", "sick leave illness"),
    (r"how long does .* last", "duration"),
    (r"how much (?:does|did|is)", "amount price cost"),
    (r"come from|birthplace", "was born in"),
)  # fmt: skip
_ACROSS = (
    ("sáng lập", "founded by founder"), ("thành lập", "established founded"),
    ("phát triển", "developed by"), ("phụ trách", "led by in charge"),
    ("quản lý", "manager managed by"), ("trụ sở", "headquarters located"),
    ("ở đâu", "located in"), ("tài trợ", "funded by grant"), ("sinh", "born in"),
    ("học", "studied at university degree"), ("giải thưởng", "award prize"),
    ("ngân sách", "budget"), ("hạn", "deadline due"), ("nguyên nhân", "cause"),
    ("giá", "price"), ("lương", "salary"), ("nghỉ phép", "annual leave"),
    ("thử việc", "probation"), ("doanh thu", "revenue"), ("kết thúc", "end completed"),
    ("bắt đầu", "start began"), ("nhân viên", "employees staff"), ("bao lâu", "how long duration"),
    ("nặng", "weight"), ("giám đốc", "director"), ("làm việc", "works at employed by"),
)  # fmt: skip


_Proposal = tuple[Strategy, str, str, bool]
"""Strategy, query, why, and whether an anchor is dropped on purpose."""


def rewrite_view(view: RewriteView) -> Rewrite:
    """The first rewrite that was not tried yet, in the order that the reason suggests."""
    question = view["subgoal"].get("question", "") or view["original_question"]
    tried = {normal_query(one) for one in view["tried"]}
    parts = decompose(question) if _is_one_question(question) else []
    if len(parts) > 1 and question != self_contained(view["original_question"]):
        return Rewrite(
            reason="the question still holds another question",
            strategy="decompose",
            subgoals=parts,
        )
    if family := through_parents(question):
        return Rewrite(
            reason="a parent may be told, and whose child that one is",
            strategy="decompose",
            subgoals=family,
        )
    return _first_new(question, view, tried)


def _is_one_question(question: str) -> bool:
    """Whether no whole sentence was filled in, of which grammar would make nonsense."""
    return len(question.split()) <= 25 and not re.search(r"[.!?] \S", question)


def _first_new(question: str, view: RewriteView, tried: set[str]) -> Rewrite:
    proposals = _proposals(question, view["reason"])
    if _opens_chain(view):
        whole = search_text(view["original_question"])
        proposals.insert(0, ("expand", whole, "the words of the whole question", False))
    for strategy, query, why, abstract in proposals:
        query = " ".join(query.split())
        if query and normal_query(query) not in tried:
            return Rewrite(reason=why, strategy=strategy, query=query, abstraction=abstract)
    return Rewrite(reason="no other wording is known", strategy="expand", query="")


def _opens_chain(view: RewriteView) -> bool:
    """Whether a subgoal is the first hop of a chain: the rest of the question tells more of it."""
    own = view["subgoal"]
    if own.get("depends_on"):
        return False
    return any(own["id"] in part.depends_on for part in decompose(view["original_question"]))


def _proposals(question: str, reason: str) -> list[_Proposal]:
    language = language_of(question)
    expanded = official(question, language)
    found: list[_Proposal] = []
    condition = _missing_condition(question, reason)
    if condition:
        words = f"quy định dành cho {condition}" if language == "vi" else f"rules for {condition}"
        found.append(("specify", f"{question.rstrip('?')} {words}", f"asks for {condition}", False))
    if expanded != question:
        found.append(("expand", expanded, "the official words for the same thing", False))
    across = other_language(question, language)
    shorter: list[_Proposal] = [
        ("expand", _key_words(question), "only the words that decide", False)
    ]
    if across:
        place = 0 if "does not name" in reason else 1
        shorter.insert(place, ("expand", across, "the same question in the other language", False))
    found.extend(shorter)
    found.append(("hypothetical", _statement(question), "the sentence that would answer", False))
    dropped = _without_detail(question)
    if dropped:
        found.append(("abstract", dropped, "a detail left out", True))
    return found


def official(question: str, language: str) -> str:
    """The question with colloquial words in place of which documents use others."""
    folded = typed_bare(question)
    if language == "vi":
        for shape, words in _OFFICIAL_VI:
            question = pattern(rf"(?<!\w)(?:{shape})(?!\w)", folded).sub(
                fold_accents(words) if folded else words, question
            )
        return question
    extra = [
        words
        for shape, words in _OFFICIAL_EN
        if pattern(rf"(?<!\w)(?:{shape})(?!\w)").search(question)
    ]
    return f"{question.rstrip(' ?')} {' '.join(extra)}" if extra else question


def other_language(question: str, language: str) -> str:
    """Anchors and relation words in the other language; "" where no word is known."""
    named = " ".join(question_anchors(question))
    folded = typed_bare(question)
    if language == "vi":
        words = [
            en for vi, en in _ACROSS if pattern(rf"(?<!\w){vi}(?!\w)", folded).search(question)
        ]
    else:
        asked = read(question).relations
        words = [vi for vi, en in _ACROSS if asked & read(f"Who {en}?").relations]
    return f"{named} {' '.join(words)}".strip() if words or named else ""


def _missing_condition(question: str, reason: str) -> str:
    asked = conditions(question)
    return asked[0] if asked and ("the question about" in reason or "speak of" in reason) else ""


def _key_words(question: str) -> str:
    """Content words in their order, as typed."""
    content = set(terms(question))
    kept = [
        word for word in re.findall(r"[\w'’&.-]+", question.rstrip("?.! "))
        if set(terms(word)) & content
    ]  # fmt: skip
    query = " ".join(kept)
    return query if set(question_anchors(query)) >= set(question_anchors(question)) else question


def _statement(question: str) -> str:
    """A question turned into the opening of the sentence that would answer it."""
    folded = typed_bare(question)
    text = question.rstrip(" ?")
    if language_of(question) == "vi":
        shape = pattern(
            r"(?<!\w)(?:ai|gì|nào|ở đâu|bao nhiêu|khi nào|bao giờ|bao lâu|mấy)(?!\w)", folded
        )
        return " ".join(shape.sub(" ", text).split())
    return re.sub(
        r"^(?:who|what|which|when|where|how(?: \w+)?) (?:(?:is|was|are|were|did|does"
        r"|do) )?(?:the )?", "",
        text, flags=re.IGNORECASE,
    )  # fmt: skip


def _without_detail(question: str) -> str:
    """The question without a year or a number; "" where it has none."""
    shorter = re.sub(r"(?:,? ?(?:năm|in|vào năm|nam) )?(?<!\w)(?:19|20)\d\d(?!\w)", "", question)
    return shorter if shorter != question and len(shorter.split()) > 2 else ""
