import unicodedata

import pytest

from retrieval.phrases import holds_phrase, phrases

TEXT = "Hợp đồng lao động, loại 36 tháng, được ký lại."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('tìm "hợp đồng lao động" ở đâu', ["hợp đồng lao động"]),
        ("“nghỉ phép” và «thai sản»", ["nghỉ phép", "thai sản"]),
        ('mã "ERR_4021"', []),
        ('một dấu " thôi', []),
        ("không có gì", []),
    ],
)
def test_phrases_are_two_words_or_more_in_double_quotes(query, found):
    assert phrases(query) == found


@pytest.mark.parametrize(
    "phrase", ["hợp đồng lao động", "HỢP ĐỒNG", "lao động loại", "hop dong lao dong", "ký lại"]
)
def test_words_side_by_side_are_found_without_case_or_punctuation(phrase):
    assert holds_phrase(TEXT, phrase)
    assert holds_phrase(unicodedata.normalize("NFD", TEXT), phrase)
    assert holds_phrase(TEXT, unicodedata.normalize("NFD", phrase))


@pytest.mark.parametrize("phrase", ["đồng hợp", "hợp động", "lao đông", "36 thán", "p đồng"])
def test_other_words_other_accents_and_parts_of_words_are_not_found(phrase):
    assert not holds_phrase(TEXT, phrase)
