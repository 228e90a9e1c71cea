"""A written answer, line by line: read, checked against its evidence, and completed in code."""

import re

from policy.language.comparing import decided, read_comparison
from policy.language.wording import language_of
from policy.llm.masking import has_secret
from policy.llm.replies import without_thoughts
from policy.protocol import Draft, DraftSentence, Fact, WriteView
from state.anchors import contains_anchor, hard_anchors
from state.coverage import fill_in, solved
from state.language import detect_language
from state.queries import normal_query
from state.text import comparable, fold_accents
from state.types import Subgoal

MOST_SENTENCES = 8
MOST_FORGOTTEN = 2
_IDS = re.compile(r"\[\s*(e\d+(?:\s*[,;]\s*e\d+)*)\s*\]")
_FIELD = re.compile(r"^\W*(SHORT|FORGOTTEN)\W*:\s*(.*)$", re.IGNORECASE)
_NOTHING = {"", "none", "no", "n/a", "-", "không", "không có"}


def read_draft(text: str) -> Draft:
    """The sentences with their ids, the bare fact, and the parts said to be forgotten."""
    sentences: list[DraftSentence] = []
    short, forgotten = "", []
    for line in without_thoughts(text).splitlines():
        line = line.strip().strip("`").strip()
        field = _FIELD.match(line)
        if field and field[1].upper() == "SHORT":
            short = short or _IDS.sub("", field[2]).strip(' .*"“”')
        elif field:
            forgotten.append(field[2].strip())
        elif any(letter.isalnum() for letter in line):
            ids = [one.strip() for found in _IDS.findall(line) for one in re.split("[,;]", found)]
            said = " ".join(_IDS.sub("", line).replace(" .", ".").split()).lstrip("-*# ")
            sentences.append(DraftSentence(text=said, evidence_ids=list(dict.fromkeys(ids))))
    return Draft(sentences=sentences[:MOST_SENTENCES], short=short, unaddressed=forgotten)


def grounded(draft: Draft, facts: list[Fact]) -> Draft:
    """The draft with unknown ids gone, and the id of a fact added that holds a name left over."""
    known = {fact["id"]: fact for fact in facts}
    sentences = []
    for sentence in draft.sentences:
        ids = [one for one in sentence.evidence_ids if one in known]
        for anchor in missing_anchors(sentence.text, [known[one] for one in ids]) if ids else []:
            holder = next((one for one, fact in known.items() if _holds(fact, anchor)), None)
            ids += [holder] if holder and holder not in ids else []
        sentences.append(DraftSentence(text=sentence.text, evidence_ids=ids))
    return draft.model_copy(update={"sentences": sentences})


def problems(draft: Draft, view: WriteView) -> list[str]:
    """What a repair must change: ids, support, language, subgoals that no sentence is about."""
    known = {fact["id"]: fact for fact in view["facts"]}
    found = [] if draft.sentences else ["there is no sentence"]
    for sentence in draft.sentences:
        start = f"“{sentence.text[:80]}”"
        missing = missing_anchors(sentence.text, [known[one] for one in sentence.evidence_ids])
        if not sentence.evidence_ids:
            found.append(f"{start} ends with no id of the evidence")
        elif missing:
            found.append(f"{start} says {', '.join(missing)}, which its evidence does not state")
        elif has_secret(sentence.text):
            found.append(f"{start} gives away a key")
    text = " ".join(sentence.text for sentence in draft.sentences)
    asked = detect_language(view["original_question"])
    if len(text.split()) > 4 and detect_language(text) != asked and asked in ("vi", "en"):
        found.append(f"it must be written in {'Vietnamese' if asked == 'vi' else 'English'}")
    found += [f"nothing is said about {item['id']}" for item in _unsaid(draft, view)]
    return found


def completed(draft: Draft, view: WriteView) -> Draft:
    """Keys left out; a solved part that no sentence is about is quoted; the short answer filled.

    Sentences without support stay in, for the node that drops and lists them.
    """
    facts = {fact["id"]: fact for fact in view["facts"]}
    sentences = [one for one in draft.sentences if not has_secret(one.text)]
    draft = draft.model_copy(update={"sentences": sentences})
    for item in _unsaid(draft, view):
        ids = [one for one in item["evidence_ids"] if one in facts][:1]
        sentences += [
            DraftSentence(text=f"“{facts[one]['quote']}”", evidence_ids=[one]) for one in ids
        ]
    final = _final(view["subgoals"])
    if counted := _compared(final, view):
        rest = [
            one for one in sentences if not set(one.evidence_ids) & set(counted[0].evidence_ids)
        ]
        return Draft(sentences=[counted[0], *rest], short=counted[1])
    short = draft.short if not has_secret(draft.short) else ""
    if not short and len(final) == 1:
        short = final[0].get("answer", "")
    forgotten = [one for one in draft.unaddressed if _is_forgotten(one, view)][:MOST_FORGOTTEN]
    return Draft(sentences=sentences, short=short, unaddressed=forgotten)


def _compared(final: list[Subgoal], view: WriteView) -> tuple[DraftSentence, str] | None:
    """A comparison of two found values, decided by counting: a weak model gets it wrong."""
    comparison = read_comparison(view["original_question"])
    if comparison is None or len(final) != 2:
        return None
    first, second = (
        next((one for one in final if contains_anchor(one["question"], name)), None)
        for name in comparison.names
    )
    if first is None or second is None or first is second:
        return None
    text, short = decided(
        comparison, first["answer"], second["answer"], language_of(view["original_question"])
    )
    ids = [*first["evidence_ids"], *second["evidence_ids"]]
    return (DraftSentence(text=text, evidence_ids=ids), short) if short else None


def missing_anchors(text: str, facts: list[Fact]) -> list[str]:
    """Names, codes and numbers of a sentence that none of the facts holds."""
    return [
        anchor for anchor in hard_anchors(text) if not any(_holds(fact, anchor) for fact in facts)
    ]


def _holds(fact: Fact, anchor: str) -> bool:
    return contains_anchor(f"{fact['quote']}\n{fact['title']}\n{fact['version']}", anchor)


def _final(subgoals: list[Subgoal]) -> list[Subgoal]:
    """Solved required parts that feed no other solved part: what the question asks for."""
    done = [item for item in solved(subgoals) if item.get("required", True)]
    needed = {one for item in done for one in item.get("depends_on", [])}
    return [item for item in done if item["id"] not in needed]


def _unsaid(draft: Draft, view: WriteView) -> list[Subgoal]:
    """Final parts none of whose evidence a sentence rests on."""
    used = {one for sentence in draft.sentences for one in sentence.evidence_ids}
    return [
        item
        for item in _final(view["subgoals"])
        if item.get("evidence_ids") and not used & set(item["evidence_ids"])
    ]


def _is_forgotten(part: str, view: WriteView) -> bool:
    """Whether a part is really of the question, and of no subgoal: most of its words are asked
    for, and some word of it stands in no subgoal."""
    if comparable(part) in _NOTHING or len(part) > 300:
        return False
    subgoals = [fill_in(item["question"], view["subgoals"]) for item in view["subgoals"]]
    if normal_query(part) in {normal_query(one) for one in [*subgoals, *view["missing"]]}:
        return False
    words, asked = _words(part), _words(view["original_question"])
    planned = _words(" ".join([*subgoals, *view["missing"]]))
    return (
        bool(words) and len(words & asked) >= 0.6 * len(words) and bool((words & asked) - planned)
    )


def _words(text: str) -> set[str]:
    plain = fold_accents(comparable(text))
    return {word for word in re.findall(r"\w+", plain) if len(word) > 2 or word.isdigit()}
