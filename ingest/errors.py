"""Why a file is not taken in."""

from retrieval.errors import GroundhopError


class RefusedError(GroundhopError):
    """The content of a file cannot be taken in; the message continues "the file … :"."""
