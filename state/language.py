"""Which language a text is written in, without a model: enough to weigh search and choose words."""

import re

from state.text import fold_accents, nfc

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
_ENGLISH = frozenset(
    "a an and are as at by did do does for from had has have how in is it its of on or that the "
    "their this to was were what when where which who whom whose why will with".split()
)


def detect_language(text: str) -> Language:
    """The most likely language of a question or a passage.

    Accented Vietnamese is told by its letters, unaccented Vietnamese by frequent syllables,
    Chinese, Japanese and Thai by script; other Latin text counts as English.
    """
    text = nfc(text)
    letters = sum(letter.isalpha() for letter in text)
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
    return "en"
