"""English typed without capitals, read with the names that the passages write."""

import re
from collections.abc import Sequence

from policy.extractive.naming import name_spans
from policy.language.kinds import is_kind
from policy.language.questions import Ask, read


def cased(ask: Ask, texts: Sequence[str]) -> Ask:
    """The question with the capitals of its names, where it was typed without any.

    Only names that the texts never write in lower case count: "aurora" may be a light.
    """
    if ask.language != "en" or any(letter.isupper() for letter in ask.text[1:]):
        return ask
    everything = "\n".join(texts)
    named = {name for text in texts for name, _, _ in name_spans(text) if len(name) > 3}
    named = {name for name in named if not is_kind(name.lower())}
    asked, opening = ask.text, ask.text[:1]
    for name in sorted(named, key=len, reverse=True):
        place = rf"(?<!\w){re.escape(name.lower())}(?!\w)"
        if not re.search(place, everything):
            asked = re.sub(place, name, asked, flags=re.IGNORECASE)
    return ask if asked[1:] == ask.text[1:] else read(f"{opening}{asked[1:]}")
