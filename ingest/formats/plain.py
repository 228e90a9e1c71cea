"""Markdown and plain text: the text is the file."""

from ingest.formats.decoding import decode
from ingest.formats.protocol import Fields, Loaded


def load_plain(data: bytes, _: Fields) -> Loaded:
    """The file, decoded and in NFC; nothing else of it changes."""
    return Loaded(decode(data))
