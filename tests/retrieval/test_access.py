import unicodedata

from retrieval.access import Identity, may_read

LAN = Identity("lan", frozenset({"kế toán"}))


def test_a_document_without_a_list_is_open_to_everybody():
    assert may_read(Identity(), None)
    assert may_read(LAN, None)


def test_an_empty_list_lets_nobody_in():
    assert not may_read(Identity(), ())
    assert not may_read(LAN, ())


def test_a_list_lets_in_its_users_and_the_members_of_its_groups():
    assert may_read(LAN, ("lan",))
    assert may_read(LAN, ("kế toán", "giám đốc"))
    assert not may_read(LAN, ("giám đốc",))


def test_without_an_identity_only_open_documents_are_readable():
    assert not may_read(Identity(), ("lan",))
    assert not may_read(Identity(user="", groups=frozenset({""})), ("",))


def test_a_group_is_the_same_in_either_unicode_form():
    decomposed = unicodedata.normalize("NFD", "kế toán")
    assert may_read(Identity(groups=frozenset({decomposed})), ("kế toán",))
