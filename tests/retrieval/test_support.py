import pytest

from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.support import question_terms, support_scorer

EMBEDDER = HashingEmbedder(256)
LEAVE = "Nhân viên chính thức được nghỉ phép năm 12 ngày. Ngày lễ không tính vào phép năm."
QUESTION = "Nhân viên chính thức được nghỉ phép năm bao nhiêu ngày?"


def even(term):
    return 1.0


def scored(question, *passages, idf=even):
    return support_scorer(EMBEDDER, idf)(question, passages)


def test_every_sentence_of_every_passage_is_scored_where_it_stands():
    first, second, third = scored(QUESTION, ("", LEAVE), ("", ""), ("", "Một câu."))
    assert [LEAVE[one.start : one.end] for one in first] == [one.text for one in first]
    assert (len(first), len(second), len(third)) == (2, 0, 1)


def test_nothing_to_score_gives_nothing():
    assert scored(QUESTION) == []
    assert scored(QUESTION, ("Tiêu đề", "---")) == [[]]


def test_the_sentence_that_answers_covers_more_and_is_nearer():
    ((answer, other),) = scored(QUESTION, ("", LEAVE))
    assert answer.coverage == pytest.approx(1.0)
    assert other.coverage < answer.coverage
    assert other.cosine < answer.cosine <= 1.0


def test_rare_terms_weigh_more():
    idf = {"erebus": 9.0, "report": 1.0}.get
    question = "the Erebus report"
    ((rare, common),) = scored(question, ("", "Erebus. A report."), idf=lambda one: idf(one[1:]))
    assert rare.coverage == pytest.approx(0.9)
    assert common.coverage == pytest.approx(0.1)


def test_the_context_counts_only_for_the_context_coverage():
    ((one,),) = scored("Thời gian thử việc ở Lab Sigma?", ("Lab Sigma", "Thử việc 2 tháng."))
    assert one.coverage < one.context_coverage < 1.0


@pytest.mark.parametrize("question", ["nhan vien chinh thuc duoc nghi phep nam bao nhieu ngay?"])
def test_a_question_without_accents_is_compared_without_them(question):
    ((answer, _),) = scored(question, ("", LEAVE))
    assert answer.coverage == pytest.approx(1.0)


def test_an_accented_question_is_not_covered_by_other_words_of_the_same_letters():
    ((one,),) = scored("đường dài", ("", "Dưỡng dai."))
    assert one.coverage == 0.0


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Ai là người sáng lập công ty?", {"sáng", "lập", "công", "ty"}),
        ("nghi phep la gi?", {"~nghi", "~phep"}),
        ("Who founded the company?", {"~founded", "~company"}),
        ("ERR_4021 là gì?", {"err_4021", "err", "4021"}),
    ],
)
def test_question_and_function_words_are_no_terms(question, left):
    assert set(question_terms(question, even)) == left


def test_a_question_of_function_words_covers_nothing():
    ((one,),) = scored("who is it?", ("", "It is who."))
    assert (one.coverage, one.context_coverage) == (0.0, 0.0)


def test_the_idf_of_the_body_is_what_weighs(knowledge_base_of):
    from tests.retrieval.conftest import document

    texts = ["Nghỉ phép năm.", "Nghỉ phép tháng.", "Nghỉ phép Erebus."]
    knowledge_base = knowledge_base_of(*(document(f"d{n}", one) for n, one in enumerate(texts)))
    ((rare, common),) = support_scorer(EMBEDDER, knowledge_base.idf)(
        "nghỉ Erebus", [("", "Erebus.\n\nNghỉ.")]
    )
    assert rare.coverage > 0.5 > common.coverage > 0


def test_a_sentence_is_also_compared_under_its_title_and_innermost_heading():
    question = "Lab Sigma"
    ((bare,),) = scored(question, ("", "Thử việc 2 tháng."))
    ((under,),) = scored(question, ("Lab Sigma > Quy định > Nhân sự", "Thử việc 2 tháng."))
    assert bare.in_context == pytest.approx(bare.cosine)
    assert under.in_context > under.cosine == pytest.approx(bare.cosine)


def test_the_passage_coverage_counts_every_sentence_and_the_headings():
    question = "Thời gian thử việc ở Lab Sigma?"
    first, second = scored(question, ("Lab Sigma", "Thời gian ngắn. Thử việc 2 tháng."))[0]
    assert first.passage_coverage == second.passage_coverage == pytest.approx(1.0)
    assert first.context_coverage < 1.0
