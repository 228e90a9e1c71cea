"""Normal forms of text that every layer agrees on.

Vietnamese is written in NFC or NFD, with the tone mark on either vowel of "oa", "oe" and
"uy" (hòa or hoà), and often without accents at all. These functions make such spellings
comparable; none of them is ever applied to text that is quoted.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import filterfalse
from typing import Any

_OLD_STYLE_TONE = {
    f"{marked}{vowel}": f"{base}{target}"
    for base, vowel, tones in (("o", "a", "òóỏõọ"), ("o", "e", "òóỏõọ"), ("u", "y", "ùúủũụ"))
    for marked, target in zip(tones, {"a": "àáảãạ", "e": "èéẻẽẹ", "y": "ỳýỷỹỵ"}[vowel], strict=True)
}
_OLD_STYLE = re.compile("(" + "|".join(_OLD_STYLE_TONE) + r")(?!\w)", re.IGNORECASE)


def nfc(text: str) -> str:
    """The text in Unicode normal form C."""
    return unicodedata.normalize("NFC", text)


def clean(text: str) -> str:
    """NFC text without NUL and without lone surrogates, which SQLite and JSON refuse."""
    valid = text.encode("utf-8", "replace").decode("utf-8")
    return nfc(valid.replace("\x00", " "))


def clean_all(value: Any) -> Any:
    """A JSON value with every text in it cleaned."""
    if isinstance(value, dict):
        return {clean(name): clean_all(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [clean_all(inner) for inner in value]
    return clean(value) if isinstance(value, str) else value


def unify_tone_marks(text: str) -> str:
    """NFC text with the tone mark of a final "oa", "oe", "uy" on its second vowel."""
    return _OLD_STYLE.sub(_move_tone, text)


def _move_tone(match: re.Match[str]) -> str:
    found = match.group(0)
    moved = _OLD_STYLE_TONE[found.lower()]
    return "".join(
        new.upper() if old.isupper() else new for old, new in zip(found, moved, strict=True)
    )


def fold_accents(text: str) -> str:
    """The text without diacritics ("Hợp đồng" becomes "Hop dong"); "đ" is no accent to Unicode."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    bare = "".join(filterfalse(unicodedata.combining, decomposed))
    return nfc(bare.replace("đ", "d").replace("Đ", "D"))


def has_accents(text: str) -> bool:
    """Whether the text holds at least one letter that `fold_accents` would change."""
    return fold_accents(text) != nfc(text)


@lru_cache(maxsize=2048)
def comparable(text: str) -> str:
    """Case, white space, tone-mark position and Unicode form folded; accents kept."""
    return " ".join(unify_tone_marks(clean(text)).casefold().split())
