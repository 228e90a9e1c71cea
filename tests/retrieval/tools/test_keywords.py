"""Exact words, phrases and codes, by the lexical index alone."""

import pytest

from retrieval.access import Identity
from retrieval.errors import ToolError
from retrieval.filters import Filters
from retrieval.tools.keywords import search_keywords
from retrieval.tools.registry import call, registry
from tests.nodes.scripting import nfd
from tests.retrieval.conftest import document

CODE = document("code", "Lỗi ERR_4021: máy chủ đồng bộ từ chối chứng thư.")
OTHER = document("other", "Lỗi ERR_4022: máy chủ đồng bộ hết chỗ.")
PHRASE = document("phrase", "Mẫu đơn nghỉ phép năm được gửi trước ba ngày.")
APART = document("apart", "Phép thử: sau năm phút thì nghỉ, rồi gửi đơn.")
SECRET = document("secret", "Mã ERR_9000 của phòng kế toán.", access=("kế toán",))

NOBODY = Identity()


@pytest.fixture
def tools(knowledge_base_of):
    return registry(search_keywords(knowledge_base_of(CODE, OTHER, PHRASE, APART, SECRET)))


def found(tools, query, identity=NOBODY, top_k=5):
    result = call(tools, "search_keywords", {"query": query}, identity, top_k)
    return [passage["source"] for passage in result.passages]


@pytest.mark.parametrize("query", ["ERR_4021", "err_4021", "lỗi ERR_4021 là gì"])
def test_a_code_is_found_in_the_passage_that_holds_it_and_in_no_other(tools, query):
    assert found(tools, query) == ["code.md"]


def test_a_code_that_stands_nowhere_finds_nothing(tools):
    assert found(tools, "máy chủ ERR_4023") == []


@pytest.mark.parametrize(
    "query", ['"nghỉ phép năm"', nfd('"Nghỉ phép năm"'), '"nghi phep nam"', "“nghỉ phép năm”"]
)
def test_a_phrase_in_quotes_must_stand_as_it_is(tools, query):
    assert found(tools, query) == ["phrase.md"]


def test_a_phrase_whose_words_only_stand_apart_finds_nothing(tools):
    assert found(tools, '"phép gửi nghỉ"') == []


def test_words_without_quotes_find_every_passage_with_one_of_them(tools):
    assert set(found(tools, "nghỉ phép")) == {"phrase.md", "apart.md"}


def test_the_embedding_model_is_not_asked(tools, monkeypatch):
    from retrieval.embeddings.hashing import HashingEmbedder

    monkeypatch.setattr(HashingEmbedder, "queries", lambda *_: pytest.fail("it was asked"))
    assert found(tools, "chứng thư")[0] == "code.md"


def test_only_who_may_read_a_document_finds_its_words(tools):
    assert found(tools, "ERR_9000") == []
    assert found(tools, "ERR_9000", Identity(groups=frozenset({"kế toán"}))) == ["secret.md"]


def test_no_more_passages_than_asked_for_and_none_for_no_words(tools):
    assert len(found(tools, "máy chủ đồng bộ", top_k=1)) == 1
    with pytest.raises(ToolError, match="query of search_keywords is empty"):
        found(tools, " ")


def test_a_passage_is_that_of_document_search(tools):
    (passage,) = call(tools, "search_keywords", {"query": "ERR_4021"}, Identity(), 5).passages
    assert CODE.text[passage["start"] : passage["end"]] == passage["text"]
    assert {"bm25", "bm25_rank"} <= passage["scores"].keys()
    assert "dense" not in passage["scores"]


def test_its_description_says_when_to_use_it_and_when_not(tools):
    description = tools["search_keywords"].description
    assert "code" in description
    assert "Not for" in description


def test_the_filters_of_a_run_hold_for_words_too(tools):
    query, both = {"query": "máy chủ"}, {"code.md", "other.md"}
    for filters, expected in (
        (Filters(sources=("code.md",)), {"code.md"}),
        (Filters(collections=("documents",)), both),
        (Filters(collections=("kỹ thuật",)), set()),
    ):
        passages = call(tools, "search_keywords", query, NOBODY, 5, filters).passages
        assert {passage["source"] for passage in passages} == expected
