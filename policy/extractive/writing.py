"""The reply: the bare fact first, then the sentences it rests on, word for word."""

from policy.language.comparing import decided
from policy.language.comparison import Comparison
from policy.language.decompose import comparison_in
from policy.language.wording import language_of
from policy.protocol import Draft, DraftSentence, Fact, WriteView
from state.text import comparable
from state.types import Subgoal


def write_view(view: WriteView) -> Draft:
    """Short answers, the comparison decided where one was asked, then the quotes.

    Names, dates and numbers come from answers that the grader took out of quotes. Where it gave
    a whole sentence, that quote is the answer and there is no short one.
    """
    language = language_of(view["original_question"])
    done = [one for one in view["subgoals"] if one.get("status") == "solved"]
    final = [
        one for one in done if not _feeds_another(one, view["subgoals"]) or _asked_itself(one, view)
    ]
    comparison = comparison_in(view["original_question"])
    sentences: list[DraftSentence] = []
    if comparison and len(final) >= 2:
        sentence, short = _compared(comparison, final[0], final[1], language)
        more = [one for one in final[2:] if not _is_quote(one, view["facts"])]
        sentences = [sentence, *(_stated(one, True) for one in more)]
        short = "; ".join([short, *(one.get("answer", "") for one in more)])
    else:
        stated = final or done
        facts = [one for one in stated if not _is_quote(one, view["facts"])]
        sentences = [_stated(one, len(stated) > 1) for one in facts]
        whole = len(facts) == len(stated)
        short = "; ".join(one.get("answer", "") for one in stated) if whole else ""
    ordered = [*final, *(one for one in reversed(done) if one not in final)]
    sentences.extend(quote for one in ordered for quote in _quotes(one, view["facts"], language))
    return Draft(sentences=sentences, short=short)


def _feeds_another(subgoal: Subgoal, subgoals: list[Subgoal]) -> bool:
    return any(subgoal["id"] in other.get("depends_on", []) for other in subgoals)


def _asked_itself(subgoal: Subgoal, view: WriteView) -> bool:
    """Whether the question that a ready call answers stands in the question as it was asked."""
    asked = comparable(subgoal.get("question", "")).rstrip(" ?")
    return bool(subgoal.get("arguments")) and asked in comparable(view["original_question"])


def _is_quote(subgoal: Subgoal, facts: list[Fact]) -> bool:
    """Whether the answer of a subgoal is the sentence that states it."""
    answer = comparable(subgoal.get("answer", ""))
    return any(comparable(fact["quote"]) == answer for fact in facts)


def _stated(subgoal: Subgoal, several: bool) -> DraftSentence:
    answer = subgoal.get("answer", "").rstrip(" .") or "“…”"
    question = subgoal.get("question", "").strip()
    text = f"{question} {answer}." if several else f"{answer[:1].upper()}{answer[1:]}."
    return DraftSentence(text=text, evidence_ids=list(subgoal.get("evidence_ids", [])))


def _quotes(subgoal: Subgoal, facts: list[Fact], language: str) -> list[DraftSentence]:
    """The quote of a subgoal that states its answer, in the asker's language if there is one.

    Two where no short answer is given: then the reader finds it in either of them.
    """
    ids = subgoal.get("evidence_ids", [])
    known = {fact["id"]: fact for fact in facts}
    own = [known[one] for one in ids if one in known]
    answer = comparable(subgoal.get("answer", ""))

    def place(fact: Fact) -> tuple[bool, bool]:
        return answer not in comparable(fact["quote"]), language_of(fact["quote"]) != language

    kept = sorted(own, key=place)[: 2 if _is_quote(subgoal, own) else 1]
    return [_quoted(fact) for fact in kept]


def _quoted(fact: Fact) -> DraftSentence:
    quote = " ".join(fact["quote"].split()) if "\n" not in fact["quote"] else fact["quote"]
    return DraftSentence(text=f"“{quote}”", evidence_ids=[fact["id"]])


def _compared(
    comparison: Comparison, first: Subgoal, second: Subgoal, language: str
) -> tuple[DraftSentence, str]:
    text, short = decided(comparison, first.get("answer", ""), second.get("answer", ""), language)
    ids = [*first.get("evidence_ids", []), *second.get("evidence_ids", [])]
    return DraftSentence(text=text, evidence_ids=ids), short or text.removesuffix(".")
