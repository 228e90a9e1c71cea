"""Anchors of a question: what a rewritten query may not lose.

Names, numbers, years, codes and conditions ("thử việc", "part-time") decide which fact is
asked for. A rewrite that drops one of them asks another question.
"""

import re

from state.text import comparable, fold_accents, has_accents, nfc

_CODE = re.compile(r"(?<!\w)[^\W\d_](?:-?\w)*")
# No possessive repeat of a group: Python before 3.11.5 matches "7," with one.
_NUMBER = re.compile(r"(?<![\w.,])(?<![^\W\d_]-)\d+(?:[.,]\d+)*%?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_TOKEN = re.compile(r"(?!I['’](?:m|d|ve|ll)\b)\w+(?:(?:[&-]|['’](?!s\b))\w+)*")
_COMMA_IN_NUMBER = re.compile(r"(?<=\d),(?=\d)")
_CONTRACTED_NOT = re.compile(r"n['’]t\b")
_OWNS = re.compile(r"['’]s (?!an?\b|the\b|not\b|no\b)[a-z]+")
_FINAL_PARTICLE = re.compile(r"(?:\bhay)?\s*\b(?:không|khong|chưa|chua)$")
_JOINS_A_NAME = frozenset({"of", "de", "van", "von", "the"})
_AGAINST = re.compile(r"v\. (?P<other>[^\W\d_])")
"""Between the two sides of a case: "Craig v. Boren"."""

CONDITIONS = (
    "thử việc", "chính thức", "bán thời gian", "toàn thời gian", "thai sản", "thực tập",
    "thời vụ", "làm từ xa", "part-time", "full-time", "probation", "permanent", "intern",
    "remote", "contractor", "maternity", "paternity",
)  # fmt: skip
NEGATIONS = (
    "không", "chưa", "chẳng", "trừ", "ngoại trừ", "not", "never", "no", "without", "except",
    "cannot",
)  # fmt: skip

_NOT_A_NAME = frozenset(
    "ai gì nào đâu khi sao bao có không còn và hay hoặc thì là của cho các những một hai ba hãy "
    "xin theo trong nếu tại ở từ đến với về được bị do vì để nhân quản trưởng người dự công tổ "
    "phòng văn chính lương mức số ngày tháng năm quý nghỉ mã lỗi khách nhà giám kỹ hợp chế quy "
    "loại bên chiếc cái con chỗ sếp bàn mỗi mọi vị ngôi tất cả nơi lúc tiền gặp tên chủ đầu thẻ "
    "lịch việc cách khoản gói máy kho "
    "who whom whose what when where which why how is are was were do does did can could has "
    "have had in on at for from the a an and or of to if i we he she it they name list tell "
    "give show please compare between during after before by with under as that this these "
    "there here let since until while both regarding concerning about its his her their our your "
    "my each every all some many most several another".split()
)


_NO_NAME_ALONE = _NOT_A_NAME | frozenset("yes no true false unknown đúng sai rồi chưa".split())

_FORMS_OF_ADDRESS = frozenset("ông bà anh chị cô chú em thầy mr mrs ms dr".split())

_LABELS = frozenset(
    "plan option party appendix annex grade class team building block section zone part group lab "
    "level type vitamin phase floor room phòng bên tổ khu hạng loại mục nhà ca nhóm lớp tòa toà "
    "khối điểm câu".split()
)
"""What a letter behind it numbers: "Appendix A. Employees must sign."."""

_OPENS_A_NAME = frozenset({"An", "Quy", "Hai", "Ba"})
"""Function words that within a sentence open names of places and people ("Quy Nhơn")."""


def anchors(text: str) -> list[str]:
    """Names, codes, numbers and conditions of a text, as written, in order, without repeats."""
    text = nfc(text)
    found = [*_codes(text), *_names(text), *_numbers(text), *conditions(text)]
    kept: dict[str, str] = {}
    for anchor in found:
        kept.setdefault(comparable(anchor), anchor)
    return list(kept.values())


def _codes(text: str) -> list[str]:
    """Tokens that mix capitals and digits: ERR_4021, SPX-210, E042, Q3."""
    return [
        code
        for code in _CODE.findall(text)
        if code[0].isupper() and any(letter.isdigit() for letter in code)
    ]


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(text)


def names(text: str) -> list[str]:
    """Runs of capitalised words, with a number that closes them ("Halo II", "Ban 3").

    Question and function words that open a run are cut off. A lone capitalised word at the
    start of a sentence is no name, unless it has a capital or a digit inside or owns something
    ("Loam's cores").
    """
    return _names(nfc(text))


def _names(text: str) -> list[str]:
    found = []
    for run in _capitalised_runs(text):
        opens = _opens_sentence(text, run[0].start())
        words = _words(text, run)
        while words and (
            (words[0].isdigit() and len(words) > 1)
            or (
                words[0].casefold() in _NOT_A_NAME
                and (opens or words[0] not in _OPENS_A_NAME or len(words) == 1)
            )
        ):
            words, opens = words[1:], False
        while words and words[-1].casefold() in _JOINS_A_NAME:
            words = words[:-1]
        if all(word.isdigit() for word in words):
            continue  # A number, or the beginning of one: "Còn 12,5 ngày".
        spelled = [word for word in words if not _YEAR.fullmatch(word)]
        words = words if len(spelled) > 1 or not opens else spelled
        owner = _OWNS.match(text, run[-1].end()) is not None
        if not (opens and len(words) == 1 and words[0][1:].islower() and not owner):
            found.append(" ".join(words))
    return found


def _capitalised_runs(text: str) -> list[list[re.Match[str]]]:
    runs: list[list[re.Match[str]]] = []
    run: list[re.Match[str]] = []
    for match in _TOKEN.finditer(text):
        word = match.group(0)
        gap = text[run[-1].end() : match.start()] if run else ""
        touching = gap.isspace() or (bool(run) and _is_initial(run, gap, word))
        versus = _AGAINST.match(text, match.start())
        against = versus is not None and versus["other"].isupper()
        joins = touching and (word in _JOINS_A_NAME or word.isdigit() or against)
        if (word[0].isupper() and (touching or not run)) or joins:
            run.append(match)
            continue
        runs.append(run)
        run = [match] if word[0].isupper() else []
    runs.append(run)
    return [run for run in runs if run]


def _is_initial(run: list[re.Match[str]], gap: str, following: str) -> bool:
    """Whether a letter with a point belongs to the name that goes on: "Scott R. Dunlap", "A v. B".

    "Plan B." and "Phòng A." end there, and nothing goes on in another line.
    """
    letter = run[-1][0]
    if letter == "v" and re.fullmatch(r"\. ?", gap):
        return following[0].isupper()
    if re.fullmatch(r"\. ?", gap) is None or len(letter) != 1 or not letter.isupper():
        return False
    if len(run) > 1 and run[-2][0].casefold() in _LABELS:
        return False
    return following[0].isupper() and following.casefold() not in _NOT_A_NAME | _FORMS_OF_ADDRESS


def _words(text: str, run: list[re.Match[str]]) -> list[str]:
    """The words of a run as written, initials with their points: "J.K." is one word."""
    words: list[str] = []
    joined = False
    for number, word in enumerate(run):
        following = run[number + 1].start() if number + 1 < len(run) else word.end()
        gap = text[word.end() : following]
        written = f"{word[0]}." if gap.startswith(".") else word[0]
        words = [*words[:-1], words[-1] + written] if joined else [*words, written]
        joined = gap == "."
    return words


def _opens_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\n\"'“‘(*-")
    return not before or before[-1] in ".!?:;"


def conditions(text: str) -> list[str]:
    """The conditions of `CONDITIONS` that a text names; accents may be missing."""
    plain, bare = comparable(text), fold_accents(comparable(text))
    typed_bare = plain == bare
    return [
        condition
        for condition in CONDITIONS
        if _contains(plain, condition) or (typed_bare and _contains(bare, fold_accents(condition)))
    ]


def negated(text: str) -> bool:
    """Whether a statement holds a negation; a final "không" or "chưa" only asks (yes or no)."""
    plain = _FINAL_PARTICLE.sub("", comparable(text).rstrip(" ?.!"))
    words = NEGATIONS if has_accents(plain) else [*NEGATIONS, *map(fold_accents, NEGATIONS)]
    return bool(_CONTRACTED_NOT.search(plain)) or any(_contains(plain, word) for word in words)


def hard_anchors(text: str) -> list[str]:
    """Names, codes and numbers only: what a statement may not say without evidence.

    A statement of one capitalised word is a name ("Huế"), unless it only says yes or no.
    """
    text = nfc(text)
    lone = text.strip(" .!?")
    named = lone.isalpha() and lone[0].isupper() and lone.casefold() not in _NO_NAME_ALONE
    alone = [lone] if named else []
    return list(dict.fromkeys([*_codes(text), *_names(text), *alone, *_numbers(text)]))


def lost_anchors(original: str, rewritten: str) -> list[str]:
    """The anchors of `original` that `rewritten` no longer holds, accents and case aside."""
    return [anchor for anchor in anchors(original) if not contains_anchor(rewritten, anchor)]


def contains_anchor(text: str, anchor: str) -> bool:
    """Whether a text holds an anchor as whole words, accents and case aside.

    A number may be followed by its unit ("10km") but not by more digits; a comma inside it
    counts as a point, because Vietnamese and English use them the other way round.
    """
    text, anchor = _bare(text), _bare(anchor)
    if _NUMBER.fullmatch(anchor):
        found = rf"(?<!\w)(?<!\d\.){re.escape(anchor)}(?!\.?\d)"
        return re.search(found, text) is not None
    return _contains(text, anchor)


def _bare(text: str) -> str:
    return _COMMA_IN_NUMBER.sub(".", fold_accents(comparable(text)))


def _contains(haystack: str, needle: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(needle)}(?!\w)", haystack) is not None
