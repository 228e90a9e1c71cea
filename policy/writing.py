"""The reply: the bare fact first, then the sentences it rests on, word for word."""

from policy.comparing import Comparison, decide, read_comparison
from policy.decompose import self_contained
from policy.protocol import Draft, DraftSentence, Fact, WriteView
from policy.wording import language_of
from state.types import Subgoal


def write_view(view: WriteView) -> Draft:
    """Short answers, the comparison decided where one was asked, then the quotes.

    Names, dates and numbers come from answers that the grader took out of quotes.
    """
    language = language_of(view["original_question"])
    done = [one for one in view["subgoals"] if one.get("status") == "solved"]
    final = [one for one in done if not _feeds_another(one, view["subgoals"])]
    comparison = read_comparison(self_contained(view["original_question"]))
    if comparison and len(final) >= 2:
        decided, short = _compared(comparison, final[0], final[1], language)
        sentences = [decided]
    else:
        stated = final or done
        sentences = [_stated(one, len(stated) > 1) for one in stated]
        short = "; ".join(one.get("answer", "") for one in stated)
    ids = [one for part in done for one in part.get("evidence_ids", [])]
    sentences.extend(_quoted(fact) for fact in _in_order(view["facts"], ids))
    return Draft(sentences=sentences, short=short)


def _feeds_another(subgoal: Subgoal, subgoals: list[Subgoal]) -> bool:
    return any(subgoal["id"] in other.get("depends_on", []) for other in subgoals)


def _stated(subgoal: Subgoal, several: bool) -> DraftSentence:
    answer = subgoal.get("answer", "").rstrip(" .") or "“…”"
    question = subgoal.get("question", "").strip()
    text = f"{question} {answer}." if several else f"{answer[:1].upper()}{answer[1:]}."
    return DraftSentence(text=text, evidence_ids=list(subgoal.get("evidence_ids", [])))


def _quoted(fact: Fact) -> DraftSentence:
    quote = " ".join(fact["quote"].split()) if "\n" not in fact["quote"] else fact["quote"]
    return DraftSentence(text=f"“{quote}”", evidence_ids=[fact["id"]])


def _in_order(facts: list[Fact], ids: list[str]) -> list[Fact]:
    known = {fact["id"]: fact for fact in facts}
    return [known[one] for one in dict.fromkeys(reversed(ids)) if one in known]


def _compared(
    comparison: Comparison, first: Subgoal, second: Subgoal, language: str
) -> tuple[DraftSentence, str]:
    """The decision with both values, or only the values where they do not compare."""
    answers = (first.get("answer", "").strip(" ."), second.get("answer", "").strip(" ."))
    winner = decide(comparison, *answers)
    sides = "; ".join(
        f"{name}: {answer}" for name, answer in zip(comparison.names, answers, strict=True)
    )
    ids = [*first.get("evidence_ids", []), *second.get("evidence_ids", [])]
    if winner is None:
        return DraftSentence(text=f"{sides}.", evidence_ids=ids), sides
    if winner < 0:
        short = "bằng nhau" if language == "vi" else "the same"
    else:
        short = comparison.names[winner]
    return DraftSentence(text=f"{short[:1].upper()}{short[1:]} ({sides}).", evidence_ids=ids), short
