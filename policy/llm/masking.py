"""Taking keys and personal data out of what is logged or shown when something goes wrong."""

import re

_SECRETS = re.compile(
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bAKIA[A-Z0-9]{16}\b"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAIza[A-Za-z0-9_-]{30,}"
    r"|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----)?"
    r"|(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{8,}",
    re.DOTALL,
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NUMBER = re.compile(r"(?<![\w.,])(?:\+?\d[\s.-]?){8,15}\d(?![\w])")
HIDDEN = "[hidden]"


def has_secret(text: str) -> bool:
    """Whether a text holds something that looks like a key or a private key."""
    return _SECRETS.search(text) is not None


def mask(text: str, keys: tuple[str, ...] = ()) -> str:
    """The text with known keys, things that look like keys, e-mail addresses and long numbers
    (telephones, identity cards) hidden."""
    for key in keys:
        if key:
            text = text.replace(key, HIDDEN)
    for pattern in (_SECRETS, _EMAIL, _NUMBER):
        text = pattern.sub(HIDDEN, text)
    return text
