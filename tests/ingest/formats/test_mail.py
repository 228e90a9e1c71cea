from email.message import EmailMessage

import pytest

from ingest.errors import RefusedError
from ingest.formats.mail import load_mail
from ingest.formats.protocol import Fields


def message(**options: str) -> EmailMessage:
    made = EmailMessage()
    made["Subject"], made["From"] = "Nghỉ phép năm 2026", "Lan <lan@example.vn>"
    made["To"], made["Date"] = "nhansu@example.vn", "Mon, 05 Jan 2026 09:00:00 +0700"
    made.set_content(options.get("text", "Chào anh,\n\nTôi xin nghỉ 3 ngày.\n"))
    return made


def test_a_message_shows_subject_people_date_and_text() -> None:
    found = load_mail(message().as_bytes(), Fields())
    assert found.title == "Nghỉ phép năm 2026"
    assert found.text == (
        "# Nghỉ phép năm 2026\n\nFrom: Lan <lan@example.vn>\nTo: nhansu@example.vn\n"
        "Date: Mon, 05 Jan 2026 09:00:00 +0700\n\nChào anh,\n\nTôi xin nghỉ 3 ngày.\n"
    )
    assert found.metadata["from"] == "Lan <lan@example.vn>"


def test_the_html_of_a_message_is_read_where_it_has_no_plain_text() -> None:
    made = message()
    made.set_content("<p>Xin nghỉ <b>3 ngày</b></p><script>x()</script>", subtype="html")
    text = load_mail(made.as_bytes(), Fields()).text
    assert "Xin nghỉ 3 ngày" in text
    assert "x()" not in text


def test_attachments_are_named_and_noted() -> None:
    made = message()
    made.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="đơn.pdf")
    found = load_mail(made.as_bytes(), Fields())
    assert "Attachments: đơn.pdf" in found.text
    assert found.note == "1 attachments were not read"


def test_an_unknown_character_set_does_not_lose_the_message() -> None:
    data = message().as_bytes().replace(b'charset="utf-8"', b'charset="x-unknown"')
    assert "Nghỉ phép năm 2026" in load_mail(data, Fields()).text


@pytest.mark.parametrize("data", [b"Not a message.", b"\x00\x01\x02", b"a: b\n\ntext"])
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(RefusedError, match="it is no e-mail"):
        load_mail(data, Fields())
