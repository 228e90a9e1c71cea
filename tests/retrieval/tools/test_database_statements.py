from retrieval.tools.database_statements import for_driver, placeholders

TEXT = (
    "SELECT a::text, ':no', \"b:no\", $$ :no $$, $x$ :no $x$, E'it\\'s :no' FROM t -- :no\n"
    "WHERE d = :ngay AND e = :user_id /* :no */ AND f LIKE '50%' AND g % 2 = :ngay"
)


def test_placeholders_are_read_outside_of_texts_names_casts_and_comments() -> None:
    assert placeholders(TEXT) == ["ngay", "user_id"]
    assert placeholders("SELECT 12:30, a:b FROM t") == []


def test_each_driver_gets_its_own_form() -> None:
    assert for_driver(TEXT, "sqlite") == TEXT
    written = for_driver(TEXT, "postgresql")
    assert "d = %(ngay)s AND e = %(user_id)s" in written
    assert "LIKE '50%%' AND g %% 2 = %(ngay)s" in written
    assert written.count(":no") == TEXT.count(":no")
    assert "a::text" in written
