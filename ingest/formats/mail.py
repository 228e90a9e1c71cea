"""EML → Markdown: the subject as heading, who wrote to whom and when, the text."""

import email
import email.policy
from email.message import EmailMessage, MIMEPart

from ingest.errors import RefusedError
from ingest.formats.composing import Composer, heading, one_line
from ingest.formats.html import html_to_markdown
from ingest.formats.protocol import Fields, Loaded

_SHOWN = ("From", "To", "Cc", "Date")


def load_mail(data: bytes, _: Fields) -> Loaded:
    """A message: its plain text, else its HTML; attachments are named, not read."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    if not message.keys() or not any(message[name] for name in ("From", "Date", "Subject", "To")):
        raise RefusedError("it is no e-mail: it has no sender, date or subject")
    subject = _header(message, "Subject")
    composer = Composer()
    composer.add(heading(1, subject))
    lines = [f"{name}: {_header(message, name)}" for name in _SHOWN if message[name]]
    composer.add("\n".join(lines))
    body = message.get_body(("plain", "html"))
    if body is not None:
        composer.add(_content(body))
    names = [one_line(part.get_filename()) for part in message.iter_attachments()]
    attached = [name for name in names if name]
    if attached:
        composer.add(f"Attachments: {', '.join(attached)}")
    note = f"{len(attached)} attachments were not read" if attached else ""
    date = _header(message, "Date")
    stated = {"from": _header(message, "From"), "date": date}
    return Loaded(composer.finish()[0], subject, metadata=stated, note=note)


def _header(message: EmailMessage, name: str) -> str:
    try:
        return one_line(message[name])
    except (ValueError, IndexError, AttributeError, TypeError):  # headers that cannot be parsed
        return ""


def _content(part: MIMEPart) -> str:
    try:
        text = str(part.get_content())
    except (LookupError, ValueError):  # a character set that does not exist, or is not the one
        payload = part.get_payload(decode=True)
        text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    if part.get_content_subtype() == "html":
        return html_to_markdown(text)[0]
    return text.replace("\r\n", "\n")
