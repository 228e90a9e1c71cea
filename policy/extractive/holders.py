"""From a post to the person who holds it: "Trưởng phòng Kế toán duyệt" names nobody yet."""

from collections.abc import Sequence

from policy.extractive.answer_names import is_title
from policy.language.questions import WHO_IN_PERSON_VI, read
from policy.language.wording import language_of, seek, typed_bare
from policy.protocol import PlannedSubgoal
from state.coverage import open_placeholders
from state.types import Subgoal

_BY_NAME = (
    r"(?<!\w)(?:^(?:họ tên|danh tính|tên) (?:của )?(?:người|ai)"
    rf"|{WHO_IN_PERSON_VI}|(?:họ )?tên (?:là )?(?:gì|ai)|tên của ai"
    r"|đích danh|(?:xin|biết|cần|ghi|nêu|rõ)(?: \S+)? (?:họ )?tên|họ tên"
    r"|tên (?:cụ thể|người|luôn)|ai (?:là người |đang )?giữ chức|cụ thể là ai|ai cụ thể)(?!\w)"
)
_NAMED_AFTER = r"(?<!\w)(?:đặt|gọi)(?: \S+){0,2} theo tên (?:của )?(?:ai|người nào)(?!\w)"
_LEADER = r"(?<!\w)(?P<post>trưởng (?:nhóm|phòng|ban|bộ phận)) nào(?!\w)"
_WHO = (
    r"^(?:ai|người nào|(?:họ )?tên)(?!\w)|(?<!\w)(?:ai|tên gì|tên là gì"
    rf"|người nào|{WHO_IN_PERSON_VI})(?!\w)"
)


def with_holder(subgoals: list[PlannedSubgoal], question: str) -> list[PlannedSubgoal]:
    """The plan with one more hop where a person's name is asked for and a post may be found."""
    last = subgoals[-1]
    if language_of(question) != "vi" or not seek(_BY_NAME, question):
        return subgoals
    if seek(_NAMED_AFTER, last.question):
        return subgoals
    if len(subgoals) > 1 and not last.depends_on:
        return subgoals
    ask = read(last.question)
    led = seek(_LEADER, last.question)
    asks_who = ask.head in ("", "người") and seek(_WHO, last.question)
    if ask.kind != "name" or not (led or asks_who):
        return subgoals
    name = f"s{len(subgoals) + 1}"
    of = "cua" if typed_bare(question) else "của"
    post = f"{led['post']} {of} {{{last.id}}}" if led else f"{{{last.id}}}"
    who = _who(post, question)
    return [*subgoals, PlannedSubgoal(id=name, question=who, query=who, depends_on=[last.id])]


def through_holder(subgoal: Subgoal, known: Sequence[Subgoal]) -> list[PlannedSubgoal]:
    """A hop about a post's holder before a hop that leans on the post; none where it needs none."""
    question = subgoal["question"]
    if language_of(question) != "vi" or _asks_for_holder(question):
        return []
    found = [
        one for one in known
        if one["id"] in open_placeholders(question) and is_title(one.get("answer", ""))
    ]  # fmt: skip
    if not found:
        return []
    post = found[0]
    name = f"{post['id']}_who"
    who = _who(post["answer"], question)
    changed = question.replace(f"{{{post['id']}}}", f"{{{name}}}")
    return [
        PlannedSubgoal(id=name, question=who, query=who.rstrip("?"), depends_on=[post["id"]]),
        PlannedSubgoal(
            id=subgoal["id"], question=changed, query=changed.rstrip("?"),
            tool=subgoal.get("tool") or "search_documents",
            depends_on=[*subgoal.get("depends_on", []), name],
            required=subgoal.get("required", True),
        ),
    ]  # fmt: skip


def repeated(subgoal: Subgoal, known: Sequence[Subgoal]) -> str:
    """The question of a subgoal; that of the one before it where that named a person already."""
    question = subgoal["question"]
    if _asks_for_holder(question):
        before = {one["id"]: one for one in known}.get(open_placeholders(question)[0])
        if before and before.get("answer") and not is_title(before["answer"]):
            return before["question"]
    return question


def _who(post: str, question: str) -> str:
    return f"Ai {'la' if typed_bare(question) else 'là'} {post}?"


def _asks_for_holder(question: str) -> bool:
    return seek(r"^Ai là \{s\d\}\?$", question) is not None
