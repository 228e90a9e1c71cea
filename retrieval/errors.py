"""What goes wrong in words for people: one sentence that says what to do next."""


class GroundhopError(Exception):
    """An error whose message is a sentence for people; shown without a traceback."""

    exit_code = 1
    """What the command line ends with: 1 for a failure, 2 for a request that cannot be met."""


class UsageError(GroundhopError):
    """What was asked for cannot be done as asked; nothing is broken."""

    exit_code = 2


class KnowledgeBaseError(GroundhopError):
    """The knowledge base is missing, damaged, foreign, or built with another model."""


class DamagedCatalogueError(KnowledgeBaseError):
    """The catalogue can be read no more, or is something else: only the files can restore it."""


class NothingIngestedError(KnowledgeBaseError):
    """There is no knowledge base yet."""

    exit_code = 2


class EmbeddingError(GroundhopError):
    """A text could not be turned into a vector."""


class ToolError(GroundhopError):
    """A tool that does not exist was called, or one with arguments that do not fit."""
