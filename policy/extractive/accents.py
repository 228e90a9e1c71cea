"""Vietnamese typed without accents, read with the words that the passages write."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from policy.language.questions import Ask, read
from policy.language.wording import bare, typed_bare
from state.text import comparable

_USUAL = (
    "bao nhiêu", "bao lâu", "bao giờ", "khi nào", "ở đâu", "như thế nào", "là gì", "tên gì",
    "mấy tiếng", "mấy giờ", "mấy ngày", "mấy tháng", "mấy năm", "mấy người", "ngày mấy",
    "phần trăm", "tối đa", "tối thiểu", "được không", "có được", "phải không", "mỗi tháng",
    "một năm", "một ngày", "một tuần", "ngày nào", "năm nào", "người nào", "phòng nào", "của ai",
)  # fmt: skip
"""Words of questions, which passages seldom hold."""
_WORD = re.compile(r"[^\W\d_]+")


def accented(ask: Ask, texts: Sequence[str]) -> Ask:
    """The question with its accents put back where passages show which they are.

    What kind of answer it asks for is known from the words as typed; the rest is read anew, so
    that it is compared by meaning as a question with accents is.
    """
    if ask.language != "vi" or not typed_bare(ask.text):
        return ask
    restored = _restored(ask.text, texts)
    if restored == ask.text:
        return ask
    again = read(restored)
    return replace(
        again, language="vi", kind=ask.kind, head=ask.head, unit=ask.unit, relations=ask.relations
    )


def _mostly(forms: Counter[str] | None, typed: str) -> str:
    """The form that a word mostly has, where that is three quarters of all."""
    if forms is None:
        return typed
    form, count = forms.most_common(1)[0]
    return form if count >= 0.75 * forms.total() else typed


def _restored(text: str, texts: Sequence[str]) -> str:
    """Every word as the passages write it beside its neighbours, else as they mostly write it."""
    pairs: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    alone: dict[str, Counter[str]] = {}
    for passage in (*texts, *_USUAL):
        held = [comparable(one) for one in _WORD.findall(passage)]
        for one in held:
            alone.setdefault(bare(one), Counter())[one] += 1
        for pair in pairwise(held):
            key = (bare(pair[0]), bare(pair[1]))
            pairs.setdefault(key, Counter())[pair] += 1
    words = list(_WORD.finditer(text))
    chosen: dict[int, tuple[int, str]] = {}
    for number in range(len(words) - 1):
        key = (bare(words[number][0]), bare(words[number + 1][0]))
        if key not in pairs:
            continue
        pair, count = pairs[key].most_common(1)[0]
        for at, written in ((number, pair[0]), (number + 1, pair[1])):
            if count > chosen.get(at, (0, ""))[0]:
                chosen[at] = (count, written)
    pieces, position = [], 0
    shouted = sum(word[0].isupper() for word in words)
    for number, word in enumerate(words):
        if shouted < len(words) and word[0].isupper() and len(word[0]) > 1:
            continue  # "IT" is an abbreviation, unless everything is typed in capitals
        found = chosen.get(number, (0, _mostly(alone.get(bare(word[0])), word[0])))[1]
        found = f"{found[0].upper()}{found[1:]}" if word[0][0].isupper() else found
        pieces += [text[position : word.start()], found]
        position = word.end()
    return "".join([*pieces, text[position:]])
