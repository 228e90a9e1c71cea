"""Bytes → text, or where the first byte stands that does not fit."""

import codecs

from ingest.errors import RefusedError
from state.text import nfc

_KINDS = {b"%PDF": "a PDF", b"PK\x03\x04": "a ZIP archive or Office file", b"\x89PNG": "a picture"}


def decode(data: bytes) -> str:
    """UTF-8, or UTF-16 with a byte order mark, as text in NFC without the mark.

    Raises `RefusedError` with the position of the first byte that does not fit.
    """
    for opening, kind in _KINDS.items():
        if data.startswith(opening):
            raise RefusedError(f"it looks like a binary file: its content is {kind}")
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not utf16 and b"\x00" in data:
        raise RefusedError(f"it looks like a binary file (NUL byte at position {data.index(0)})")
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        # The codec counts from behind a UTF-8 mark.
        mark = 3 if not utf16 and data.startswith(codecs.BOM_UTF8) else 0
        position = error.start + mark
        shown = f"byte 0x{data[position]:02x} at position {position}"
        encoding = "UTF-16" if utf16 else "UTF-8"
        raise RefusedError(f"it is not {encoding} ({shown}): save it as UTF-8") from error
    if "\x00" in text:
        raise RefusedError("it looks like a binary file (NUL characters)")
    return nfc(text)
