"""What speaks for and against a sentence beyond its features."""

from policy.calibration import SURE, Features
from policy.objections import holds_anchor, is_soft
from policy.questions import Ask
from policy.relations import UNNAMED, relations

_TYPED = ("name", "place", "date", "number")
_DEEDS = frozenset(
    "found lead chair fund award born die study own replace approve write develop employ".split()
)
"""What people and organisations do to a thing: who did one of it, did not thereby do another."""


def other_deed(ask: Ask, words: str) -> bool:
    """Whether somebody is asked for and the sentence tells only who did something else."""
    asked = ask.relations & _DEEDS
    if ask.kind != "name" or not asked:
        return False
    told = relations(words)
    return bool(told & _DEEDS) and not told & ask.relations


def says_nothing(ask: Ask) -> bool:
    """Whether a yes-or-no question has no word besides names that a sentence could confirm."""
    named = {word for anchor in ask.anchors for word in anchor.lower().split()}
    return ask.kind == "yesno" and not any(term not in named for term in ask.terms)


def states_it(ask: Ask, title: str, features: Features, words: str) -> bool:
    """Whether a sentence about the titled thing holds the relation and an answer of the type."""
    named = [one for one in ask.anchors if not one.isdigit()]
    return (
        ask.kind in _TYPED
        and bool(named)
        and all(holds_anchor(title, one, ask) and not is_soft(one, ask) for one in named)
        and bool(relations(words) & ask.relations - UNNAMED)
        and features.fit >= SURE
        and not features.conflict
        and not features.row
    )
