import shutil
import sqlite3
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from retrieval.access import Identity
from retrieval.catalogue import Chunk, open_catalogue
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.errors import EmbeddingError, KnowledgeBaseError
from retrieval.filters import Filters
from retrieval.knowledge_base import Tuning, open_knowledge_base
from retrieval.lexical_build import build_lexical
from tests.retrieval.conftest import document, whole, write, write_indexes

EVERYBODY = Identity()
LEAVE = document("leave", "Nhân viên chính thức được nghỉ phép năm 12 ngày.")
CONTRACT = document("contract", "Hợp đồng lao động được ký lại sau 36 tháng làm việc.")
REPORT = document("report", "The annual report of Lab Sigma was written by Helena Brandt.")
SALARY = document("salary", "Lương của giám đốc là 90 triệu đồng.", access=("kế toán",))


def ids(result):
    return [hit.document.id for hit in result.hits]


@pytest.mark.parametrize(
    ("body", "query", "best"),
    [
        ([LEAVE], "nghỉ phép năm mấy ngày?", "leave"),
        ([CONTRACT, LEAVE], "nghỉ phép năm mấy ngày?", "leave"),
        ([LEAVE, REPORT], "Who wrote the annual report?", "report"),
        ([CONTRACT, REPORT, LEAVE], "nghi phep nam may ngay", "leave"),
    ],
)
def test_the_right_document_is_first_in_a_tiny_body(knowledge_base_of, body, query, best):
    result = knowledge_base_of(*body).search(query, EVERYBODY, 5)
    assert ids(result)[0] == best
    assert result.degraded == []


def test_an_empty_body_finds_nothing_and_is_not_degraded(home, knowledge_base_of):
    result = knowledge_base_of().search("nghỉ phép", EVERYBODY, 5)
    assert (result.hits, result.degraded) == ([], [])
    knowledge_base = knowledge_base_of(LEAVE)
    write(home, [], removed=["leave"])
    assert knowledge_base.search("nghỉ phép", EVERYBODY, 5).hits == []


@pytest.mark.parametrize(("query", "top_k"), [("", 5), ("  \n", 5), ("nghỉ phép", 0)])
def test_nothing_asked_for_finds_nothing(knowledge_base_of, query, top_k):
    assert knowledge_base_of(LEAVE).search(query, EVERYBODY, top_k).hits == []


def test_a_query_without_a_known_word_is_ranked_by_vectors_alone(knowledge_base_of):
    result = knowledge_base_of(LEAVE, CONTRACT).search("zzz", EVERYBODY, 5)
    assert len(result.hits) == 2
    assert all({"dense", "fused"} <= set(hit.scores) for hit in result.hits)
    assert not any("bm25" in hit.scores for hit in result.hits)


def test_a_hit_tells_where_it_stands_and_how_it_scored(knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT)
    hit, _ = knowledge_base.search("nghỉ phép năm", EVERYBODY, 2).hits
    text = knowledge_base.text(hit.document.id)
    assert text[hit.chunk.start : hit.chunk.end] == hit.chunk.text
    assert hit.document.text == ""
    assert hit.scores["dense_rank"] == hit.scores["bm25_rank"] == 1
    assert hit.scores["bm25"] > 0
    assert 0 < hit.scores["dense"] <= 1
    assert hit.scores["fused"] == pytest.approx(1.0)
    assert hit.scores["fused_rank"] == 1
    assert 0 <= hit.scores["reranked"] <= 1
    assert hit.ranked_by == "best sentence"


def test_at_most_top_k_hits_come_back(knowledge_base_of):
    body = [document(f"d{n}", f"Nghỉ phép năm, quy định số {n}.") for n in range(60)]
    knowledge_base = knowledge_base_of(*body)
    assert len(knowledge_base.search("nghỉ phép", EVERYBODY, 3).hits) == 3
    assert len(knowledge_base.search("nghỉ phép", EVERYBODY, 60).hits) == 60


@pytest.mark.parametrize("query", ["Hợp đồng lao động ký lại khi nào?", "hoà giải ở đâu"])
def test_unicode_form_and_tone_place_do_not_matter(knowledge_base_of, query):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT, document("peace", "Hoà giải ở toà án."))
    plain = knowledge_base.search(query, EVERYBODY, 5).hits
    decomposed = knowledge_base.search(unicodedata.normalize("NFD", query), EVERYBODY, 5).hits
    other_tone = knowledge_base.search(query.replace("hoà", "hòa"), EVERYBODY, 5).hits
    assert [hit.chunk.id for hit in plain] == [hit.chunk.id for hit in decomposed]
    assert plain == other_tone


def test_unreadable_documents_are_found_by_nobody_else(knowledge_base_of):
    secret = document("secret", "Lương của mọi người.", access=())
    knowledge_base = knowledge_base_of(LEAVE, SALARY, secret)
    query = "Lương của giám đốc là bao nhiêu?"
    accountant = Identity("minh", frozenset({"kế toán"}))
    assert ids(knowledge_base.search(query, EVERYBODY, 9)) == ["leave"]
    assert ids(knowledge_base.search(query, Identity("lan"), 9)) == ["leave"]
    assert ids(knowledge_base.search(query, accountant, 9)) == ["salary", "leave"]
    assert ids(knowledge_base.search(query, EVERYBODY, 9)) == ["leave"]


def test_unreadable_documents_take_no_place_from_readable_ones(knowledge_base_of):
    hidden = [document(f"h{n}", f"Nghỉ phép năm {n} ngày.", access=("sếp",)) for n in range(60)]
    knowledge_base = knowledge_base_of(*hidden, LEAVE)
    (hit,) = knowledge_base.search("nghỉ phép năm", EVERYBODY, 5).hits
    assert (hit.document.id, hit.scores["dense_rank"], hit.scores["bm25_rank"]) == ("leave", 1, 1)


def test_access_that_was_taken_away_counts_before_the_indexes_know(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT)
    assert set(ids(knowledge_base.search("nghỉ phép năm", EVERYBODY, 5))) == {"leave", "contract"}
    catalogue = open_catalogue(home / "catalogue.sqlite")
    closed = document("leave", LEAVE.text, access=())
    catalogue.replace(closed, whole(closed))
    result = knowledge_base.search("nghỉ phép năm", EVERYBODY, 5)
    assert ids(result) == ["contract"]
    assert "groundhop ingest" in result.degraded[0]
    write_indexes(home, catalogue)
    assert knowledge_base.search("nghỉ phép năm", EVERYBODY, 5).degraded == []
    catalogue.close()


def test_a_passage_that_stands_twice_is_returned_once(knowledge_base_of):
    copy = document("copy", LEAVE.text)
    newer = document("newer", LEAVE.text, version="2026")
    found = ids(knowledge_base_of(LEAVE, copy, newer).search("nghỉ phép", EVERYBODY, 5))
    assert len(found) == 2
    assert "newer" in found


def test_two_equal_paragraphs_of_one_file_are_no_error(home, knowledge_base_of):
    text = "Nghỉ phép.\n\nNghỉ phép."
    knowledge_base = knowledge_base_of(LEAVE)
    catalogue = open_catalogue(home / "catalogue.sqlite")
    chunks = [Chunk("t1", "twice", 0, text[:10], 0, 10), Chunk("t2", "twice", 1, text[12:], 12, 22)]
    catalogue.replace(document("twice", text), chunks)
    write_indexes(home, catalogue)
    catalogue.close()
    assert ids(knowledge_base.search("nghỉ phép", EVERYBODY, 5)) == ["twice", "leave"]


def test_new_text_is_found_and_old_text_is_gone_without_opening_again(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT)
    before = knowledge_base.generation()
    assert knowledge_base.search("ERR_4021", EVERYBODY, 1).hits
    changed = document("leave", "Mã lỗi ERR_4021 nghĩa là mất kết nối.")
    write(home, [changed], removed=["contract"])
    hit, *others = knowledge_base.search("ERR_4021", EVERYBODY, 5).hits
    assert others == []
    assert hit.chunk.text == changed.text
    assert hit.scores["bm25_rank"] == hit.scores["dense_rank"] == 1
    assert knowledge_base.generation() > before


def test_what_another_process_ingested_is_found_by_vectors_and_words(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE)
    knowledge_base.search("nghỉ phép", EVERYBODY, 5)
    program = (
        "import sys; from pathlib import Path; from tests.retrieval.conftest import *\n"
        f"write(Path(sys.argv[1]), [document('contract', {CONTRACT.text!r})], ['leave'])"
    )
    subprocess.run([sys.executable, "-c", program, str(home)], check=True)
    (hit,) = knowledge_base.search("hợp đồng lao động", EVERYBODY, 5).hits
    assert (hit.document.id, hit.scores["dense_rank"], hit.scores["bm25_rank"]) == (
        "contract", 1, 1,
    )  # fmt: skip


def test_lost_vectors_leave_keyword_search_and_say_so(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT)
    shutil.rmtree(home / "vectors")
    result = knowledge_base.search("nghỉ phép năm", EVERYBODY, 5)
    assert ids(result) == ["leave"]
    assert result.degraded[0].startswith("vector search failed: ")
    assert "groundhop ingest --rebuild" in result.degraded[0]


def test_a_lost_lexical_index_leaves_vector_search_and_says_so(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT)
    shutil.rmtree(home / "lexical")
    result = knowledge_base.search("nghỉ phép năm", EVERYBODY, 5)
    assert ids(result)[0] == "leave"
    assert result.degraded[0].startswith("keyword search failed: ")


def test_an_embedding_model_that_fails_leaves_keyword_search(home, knowledge_base_of, monkeypatch):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT)

    def fail(texts):
        raise EmbeddingError("the endpoint did not answer")

    monkeypatch.setattr(knowledge_base.embedder, "queries", fail)
    result = knowledge_base.search("nghỉ phép", EVERYBODY, 5)
    assert ids(result) == ["leave"]
    assert result.degraded == ["vector search failed: the endpoint did not answer"]


def test_when_neither_search_works_the_error_names_both(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE)
    shutil.rmtree(home / "vectors")
    shutil.rmtree(home / "lexical")
    with pytest.raises(KnowledgeBaseError, match=r"vector search failed.*keyword search failed"):
        knowledge_base.search("nghỉ phép", EVERYBODY, 5)


def test_terms_weigh_the_same_when_the_lexical_index_is_lost(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT)
    assert knowledge_base.idf("36") != 1.0
    shutil.rmtree(home / "lexical")
    assert knowledge_base.idf("36") == 1.0


def test_a_code_in_a_vietnamese_question_finds_english_text(knowledge_base_of):
    manual = [document(f"e{n}", f"Code ERR_{n} means failure {n} of the sync.") for n in range(60)]
    noise = [document(f"v{n}", f"Mã lỗi này nghĩa là gì, câu hỏi {n}?") for n in range(60)]
    knowledge_base = knowledge_base_of(*manual, *noise)
    assert "e41" in ids(knowledge_base.search("Mã lỗi ERR_41 nghĩa là gì?", EVERYBODY, 5))


def test_a_question_without_accents_follows_words_where_vectors_mislead(knowledge_base_of):
    misleading = [document(f"m{n}", f"nghi phep {n} hoan toan khac") for n in range(3)]
    found = knowledge_base_of(*misleading, LEAVE, CONTRACT).search(
        "hop dong lao dong ky lai khi nao", EVERYBODY, 5
    )
    assert ids(found)[0] == "contract"


def test_a_lexical_index_older_than_the_documents_is_told(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE)
    shutil.rmtree(home / "lexical")
    build_lexical(home / "lexical", [("leave-0", LEAVE.text), ("gone-0", LEAVE.text)], 0)
    result = knowledge_base.search("nghỉ phép", EVERYBODY, 5)
    assert ids(result) == ["leave"]
    assert "behind the documents" in result.degraded[0]


def test_the_stage_that_ran_is_named_where_nothing_was_reranked(home, knowledge_base_of):
    knowledge_base_of(LEAVE, CONTRACT)
    for fusion, name in (("sum", "sum of scores"), ("ranks", "reciprocal ranks")):
        tuning = Tuning(fusion=fusion, rerank=False)
        opened = open_knowledge_base(home, HashingEmbedder(256), tuning=tuning)
        (hit, *_) = opened.search("nghỉ phép năm", EVERYBODY, 5).hits
        opened.close()
        assert (hit.document.id, hit.ranked_by) == ("leave", name)
        assert "reranked" not in hit.scores


def test_a_reranker_that_fails_leaves_the_order_of_the_fusion_and_says_so(home, knowledge_base_of):
    class Broken:
        name = "broken"

        def rerank(self, asked, passages):
            raise EmbeddingError("out of memory")

    knowledge_base_of(LEAVE, CONTRACT)
    opened = open_knowledge_base(home, HashingEmbedder(256), reranker=Broken())
    result = opened.search("nghỉ phép năm", EVERYBODY, 5)
    opened.close()
    assert ids(result)[0] == "leave"
    assert result.hits[0].ranked_by == "sum of scores"
    assert result.degraded == ["reranking failed: out of memory"]


def test_weak_passages_are_dropped_rather_than_filled_up(knowledge_base_of):
    body = [document(f"d{n}", f"Chuyện phiếm số {n} về mưa nắng.") for n in range(40)]
    result = knowledge_base_of(LEAVE, *body).search("nghỉ phép năm mấy ngày", EVERYBODY, 41)
    assert ids(result)[0] == "leave"
    assert len(result.hits) < 41
    scores = [hit.scores["fused"] for hit in result.hits]
    assert min(scores) >= Tuning().minimum * max(scores)


def test_a_phrase_in_quotes_is_found_as_it_stands(knowledge_base_of):
    apart = document("apart", "Hợp của lao, động của đồng: hợp đồng và lao động, động lao hợp.")
    knowledge_base = knowledge_base_of(LEAVE, apart, CONTRACT)
    found = knowledge_base.search('"hợp đồng lao động"', EVERYBODY, 5).hits
    assert found[0].document.id == "contract"
    assert [hit.document.id for hit in found if "bm25" in hit.scores] == ["contract"]
    plain = knowledge_base.search('"hop dong lao dong"', EVERYBODY, 5)
    assert ids(plain)[0] == "contract"


def test_quotes_around_what_stands_nowhere_are_set_aside(knowledge_base_of):
    result = knowledge_base_of(LEAVE, CONTRACT).search('"phép nghỉ mười ngày"', EVERYBODY, 5)
    assert ids(result)[0] == "leave"


def test_filters_act_before_ranking(knowledge_base_of):
    def policy(name, **fields):
        return replace(document(name, f"Nghỉ phép năm theo {name}."), **fields)

    others = [policy(f"other{n}", department="it", version="2024") for n in range(60)]
    wanted = policy("wanted", department="Nhân sự", version="2026", effective_from="2026-01-01")
    knowledge_base = knowledge_base_of(*others, wanted, REPORT)
    for filters in (
        Filters(departments=("nhân sự",)),
        Filters(versions=("2026",)),
        Filters(sources=("wanted.md",)),
    ):
        (hit,) = knowledge_base.search("nghỉ phép năm", EVERYBODY, 5, filters).hits
        assert (hit.document.id, hit.scores["dense_rank"], hit.scores["bm25_rank"]) == (
            "wanted", 1, 1,
        )  # fmt: skip
    assert ids(knowledge_base.search("report", EVERYBODY, 5, Filters(languages=("en",)))) == [
        "report"
    ]
    before = knowledge_base.search("nghỉ phép", EVERYBODY, 99, Filters(as_of="2025-06-30"))
    assert "wanted" not in ids(before)
    assert knowledge_base.search("nghỉ", EVERYBODY, 5, Filters(departments=("x",))).hits == []


def test_the_version_in_force_comes_first_and_a_named_year_gets_its_own(knowledge_base_of):
    def rule(name, days, begun, ended, version):
        text = f"Nhân viên được nghỉ phép {days} ngày mỗi năm theo quy định {version}."
        return replace(
            document(name, text, version=version), effective_from=begun, effective_to=ended
        )

    old = rule("old", 12, "2024-01-01", "2024-12-31", "2024")
    new = rule("new", 14, "2025-01-01", "", "2025")
    knowledge_base = knowledge_base_of(old, new, CONTRACT)
    query = "Nhân viên được nghỉ phép bao nhiêu ngày mỗi năm?"
    assert ids(knowledge_base.search(query, EVERYBODY, 5))[:2] == ["new", "old"]
    assert ids(knowledge_base.search(f"{query} 2024", EVERYBODY, 5))[:2] == ["old", "new"]
    assert ids(knowledge_base.search(f"{query} 2025", EVERYBODY, 5))[:2] == ["new", "old"]
    then = knowledge_base.search(query, EVERYBODY, 5, Filters(as_of="2024-06-30"))
    assert "new" not in ids(then)
    assert then.hits[0].document.version == "2024"


def test_what_is_hidden_changes_no_rank_no_score_and_no_count(home, knowledge_base_of):
    hidden = [document(f"h{n}", f"Nghỉ phép năm {n} ngày.", access=("sếp",)) for n in range(60)]
    open_ones = [LEAVE, CONTRACT, REPORT]
    knowledge_base = knowledge_base_of(*open_ones, *hidden)
    seen = knowledge_base.search("nghỉ phép năm", EVERYBODY, 9)
    assert all(hit.document.access is None for hit in seen.hits)
    assert [hit.scores["dense_rank"] for hit in seen.hits if "dense_rank" in hit.scores] == [
        1, 2, 3,
    ]  # fmt: skip


def test_opening_before_any_ingest_names_the_command(home):
    with pytest.raises(
        KnowledgeBaseError, match=r"Nothing has been ingested in .*groundhop ingest"
    ):
        open_knowledge_base(home, HashingEmbedder(256))
    open_catalogue(home / "catalogue.sqlite", create=True).close()
    with pytest.raises(
        KnowledgeBaseError, match=r"Nothing has been ingested in .*groundhop ingest"
    ):
        open_knowledge_base(home, HashingEmbedder(256))


def test_another_embedding_model_is_refused_by_both_names_and_the_command(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE)
    with pytest.raises(
        KnowledgeBaseError, match=r"'hashing-256'.*'hashing-64'.*groundhop ingest --rebuild"
    ):
        open_knowledge_base(home, HashingEmbedder(64))
    catalogue = open_catalogue(home / "catalogue.sqlite")
    catalogue.put_setting("embedding_model", "hashing-64")
    catalogue.mark_all_pending()
    catalogue.close()
    for _ in range(2):
        with pytest.raises(KnowledgeBaseError, match=r"'hashing-64'.*groundhop ingest --rebuild"):
            knowledge_base.search("nghỉ phép", EVERYBODY, 5)


def test_a_damaged_catalogue_is_one_sentence(home, knowledge_base_of):
    knowledge_base_of(LEAVE).close()
    for one in home.glob("catalogue.sqlite*"):
        one.unlink()
    (home / "catalogue.sqlite").write_bytes(b"x" * 4096)
    with pytest.raises(KnowledgeBaseError, match="damaged"):
        open_knowledge_base(home, HashingEmbedder(256))


def test_a_catalogue_held_by_a_writer_is_still_read(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE)
    writer = sqlite3.connect(home / "catalogue.sqlite", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert ids(knowledge_base.search("nghỉ phép", EVERYBODY, 5)) == ["leave"]
    writer.close()


def test_many_threads_search_while_documents_change(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE, CONTRACT)
    knowledge_base.warm_up()
    with ThreadPoolExecutor(5) as pool:
        asked = [
            pool.submit(knowledge_base.search, "nghỉ phép năm", EVERYBODY, 5) for _ in range(60)
        ]
        write(home, [REPORT])
        assert {ids(one.result())[0] for one in asked} == {"leave"}
    assert "report" in ids(knowledge_base.search("annual report", EVERYBODY, 5))


def test_warming_up_reports_nothing_when_the_indexes_are_missing(home, knowledge_base_of):
    knowledge_base = knowledge_base_of(LEAVE)
    shutil.rmtree(home / "vectors")
    knowledge_base.warm_up()
    assert ids(knowledge_base.search("nghỉ phép", EVERYBODY, 5)) == ["leave"]
