"""Which language a text is written in, without a model: enough to weigh search and choose words."""

import re
from collections.abc import Sequence

from state.text import fold_accents, has_accents, nfc

Language = str
"""An ISO 639-1 code: "vi", "en", "zh", "ja", "th", or "und" where nothing tells."""

_VIETNAMESE_LETTER = re.compile("[ăâđêôơưĂÂĐÊÔƠƯạảấầẩẫậắằẳẵặẹẻẽếềểễệỉĩịọỏốồổỗộớờởỡợụủũứừửữựỳỷỹỵ]")
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)
_UNACCENTED_VIETNAMESE = frozenset(
    "ai cua duoc khong nhan vien nghi phep ngay nam thang la gi nao bao nhieu va cho trong "
    "cong ty phong du an nguoi quan ly dau khi sao phai co the hop dong lao thu viec tai "
    "sang lap phat trien to chuc truong nhom bi loi doi voi theo tu den mot hai ba".split()
)
_SYLLABLE = re.compile(
    r"(?:b|c|ch|d|g|gh|gi|h|k|kh|l|m|n|ng|ngh|nh|p|ph|q|qu|r|s|t|th|tr|v|x)?"
    r"(?:a[iouy]?|e[ou]?|i[aeu]?|ieu|o[aei]?|oa[iy]|u[aeiouy]?|uo[iu]|uay|uy[aeu]|ye?|yeu)"
    r"(?:c|ch|m|n|ng|nh|p|t)?"
)
"""A syllable of Vietnamese without its accents: onset, vowels, coda."""

_ENOUGH = 1_000
"""Characters from its start that tell what a long text is written in."""

_SYLLABLE_SHARE, _SYLLABLE_WORDS = 0.6, 3
"""At least so many words, and so much of them syllables: true of 98 % of XQuAD's Vietnamese
questions stripped of accents, and of 1 in 889 English questions of XQuAD and other sets."""

_ENGLISH = frozenset(
    "a an and are as at by did do does for from had has have how in is it its of on or that the "
    "their this to was were what when where which who whom whose why will with".split()
)


def detect_language(text: str) -> Language:
    """The most likely language of a question or a passage.

    Accented Vietnamese is told by its letters, unaccented Vietnamese by frequent words and by
    the form of its syllables, Chinese, Japanese and Thai by script; other Latin text counts as
    English.
    """
    text = nfc(text[:_ENOUGH])
    letters = sum(map(str.isalpha, text))
    if letters == 0:
        return "und"
    for code, script in _SCRIPTS:
        if len(script.findall(text)) / letters > 0.2:
            return code
    words = re.findall(r"[^\W\d_]+", fold_accents(text).lower())
    vietnamese = sum(word in _UNACCENTED_VIETNAMESE for word in words)
    english = sum(word in _ENGLISH for word in words)
    marked = len(_VIETNAMESE_LETTER.findall(text)) / letters
    if marked > 0.04 or (marked > 0 and vietnamese >= english):
        return "vi"
    if vietnamese >= 2 and vietnamese > english and vietnamese / max(1, len(words)) >= 0.3:
        return "vi"
    return "vi" if not has_accents(text) and _is_syllables(words) else "en"


def _is_syllables(words: Sequence[str]) -> bool:
    """Whether lower-cased words are mostly syllables of Vietnamese."""
    syllables = sum(_SYLLABLE.fullmatch(word) is not None for word in words)
    return len(words) >= _SYLLABLE_WORDS and syllables >= _SYLLABLE_SHARE * len(words)
