"""What goes wrong in words for people: one sentence that says what to do next."""


class GroundhopError(Exception):
    """An error whose message is a sentence for people; shown without a traceback."""


class KnowledgeBaseError(GroundhopError):
    """The knowledge base is missing, damaged, foreign, or built with another model."""


class EmbeddingError(GroundhopError):
    """A text could not be turned into a vector."""


class ToolError(GroundhopError):
    """A tool that does not exist was called, or one with arguments that do not fit."""
