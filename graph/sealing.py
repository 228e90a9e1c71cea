"""What is stored is packed small, and encrypted where the deployment has a key."""

import base64
import binascii
import os
import zlib
from typing import Any

from langgraph.checkpoint.serde.base import CipherProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer

from graph.database import DamagedThreadError
from graph.words import WORDS
from retrieval.errors import GroundhopError, UsageError

_LEVEL = 3
"""Above it the time grows for a few more hundredths of the bytes."""
_WINDOW, _MEMORY = 14, 6
"""Most of what is packed is short: zlib's usual 256 KB of working memory take five times as long to
set up as the packing takes, and make nothing smaller."""
_PLAIN, _SEALED = b"w", b"t"
_OLD_SEALED = b"s"
"""Packed without the words that all states are made of; `z` was its name where it is plain."""
_NONCE = 12
_TEXT = "sealed:"


class SealError(GroundhopError):
    """Something stored cannot be read with the key that is set."""


class Sealer:
    """Packs bytes, and with a key of 16, 24 or 32 bytes encrypts them (AES-GCM)."""

    def __init__(self, key: bytes | None = None) -> None:
        self._cipher = _cipher(key) if key else None

    def seal(self, data: bytes) -> bytes:
        """Pack and encrypt."""
        packing = zlib.compressobj(_LEVEL, wbits=_WINDOW, memLevel=_MEMORY, zdict=WORDS)
        packed = packing.compress(data) + packing.flush()
        if self._cipher is None:
            return _PLAIN + packed
        nonce = os.urandom(_NONCE)
        return _SEALED + nonce + self._cipher.encrypt(nonce, packed, None)

    def open(self, stored: bytes | str) -> bytes:
        """The bytes that were sealed.

        Raises SealError where the key is missing or another, DamagedThreadError.
        """
        if isinstance(stored, str):  # written before results were packed
            return stored.encode()
        kind, body = bytes(stored[:1]), bytes(stored[1:])
        if kind in (_SEALED, _OLD_SEALED):
            body = self._decrypt(body)
        try:  # what was packed without the words does not ask for them
            return zlib.decompressobj(zdict=WORDS).decompress(body)
        except zlib.error as error:
            raise DamagedThreadError(
                f"Something that was stored of this thread is damaged ({error}): forget the thread "
                "with `groundhop delete ID`, and ask again."
            ) from None

    def seal_text(self, text: str) -> str:
        """Text for a column of text: as it is without a key."""
        if self._cipher is None:
            return text
        return _TEXT + base64.b64encode(self.seal(text.encode())).decode()

    def open_text(self, stored: str) -> str:
        """The text that was sealed."""
        if not stored.startswith(_TEXT):
            return stored
        return self.open(base64.b64decode(stored.removeprefix(_TEXT))).decode()

    def _decrypt(self, body: bytes) -> bytes:
        if self._cipher is None:
            raise SealError("This thread is encrypted: set GROUNDHOP_AES_KEY to read it.")
        from cryptography.exceptions import InvalidTag

        try:
            opened: bytes = self._cipher.decrypt(body[:_NONCE], body[_NONCE:], None)
        except InvalidTag:
            raise SealError(
                "This thread was encrypted with another key than GROUNDHOP_AES_KEY holds, or "
                "was altered: set the key that wrote it."
            ) from None
        return opened


def sealing_serializer(sealer: Sealer) -> EncryptedSerializer:
    """LangGraph's serializer, sealed; it also reads what was stored unsealed."""
    return EncryptedSerializer(_Cipher(sealer))


class _Cipher(CipherProtocol):
    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        return "sealed", self._sealer.seal(plaintext)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        return self._sealer.open(ciphertext)


def parse_key(text: str) -> bytes:
    """A key given as base64 or hexadecimal; raises UsageError unless it has 16, 24 or 32 bytes."""
    for decode in (bytes.fromhex, lambda one: base64.b64decode(one, validate=True)):
        try:
            key = decode(text.strip())
        except (ValueError, binascii.Error):
            continue
        if len(key) in (16, 24, 32):
            return key
    raise UsageError(
        "GROUNDHOP_AES_KEY is not 16, 24 or 32 bytes in base64 or hexadecimal: make one with "
        "`openssl rand -hex 32`."
    )


def _cipher(key: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError:
        raise UsageError(
            "GROUNDHOP_AES_KEY is set, but the package for encryption is not installed: "
            "`pip install 'groundhop[encryption]'`."
        ) from None
    return AESGCM(key)
