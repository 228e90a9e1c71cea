"""Relatives of relatives: a grandmother is the mother of a parent."""

import re

from policy.language.wording import pattern, typed_bare
from state.text import fold_accents

_EN = re.compile(
    r"^who (?:is|was) (?:the )?(?:(?P<side>maternal|paternal) grand(?P<kin>mother|father) of"
    r" (?P<of>.+)|(?P<whose>.+?)['’]s? (?P<side2>maternal|paternal) grand(?P<kin2>mother|father))$",
    re.IGNORECASE,
)
_VI = (
    r"^(?:ai là )?(?P<kin>ông|bà) (?P<side>nội|ngoại) của (?P<of>.+?)"
    r"(?: (?:là ai|tên gì|tên là gì))?$"
)


def generations(question: str) -> list[str]:
    """The questions for a parent and for that one's parent ("{s1}"), or none.

    Only where the side is told: "grandmother" alone may be either of two people.
    """
    text = question.strip(" ?.")
    if found := _EN.match(text):
        side = (found["side"] or found["side2"]).lower()
        kin = (found["kin"] or found["kin2"]).lower()
        parent = "mother" if side == "maternal" else "father"
        of = found["of"] or found["whose"]
        return [f"Who is the {parent} of {of}?", f"Who is the {kin} of {{s1}}?"]
    folded = typed_bare(text)
    if found := pattern(_VI, folded).match(text):
        side, kin = fold_accents(found["side"].lower()), fold_accents(found["kin"].lower())
        parent = "Mẹ" if side == "ngoai" else "Bố"
        elder = "Bố" if kin == "ong" else "Mẹ"
        questions = [f"{parent} của {found['of']} là ai?", f"{elder} của {{s1}} là ai?"]
        return [fold_accents(one) for one in questions] if folded else questions
    return []
