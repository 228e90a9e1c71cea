"""English questions for an attribute, in the words in which texts state it."""

import re

from policy.language.wording import UPPER

_PLAINER = (
    (r"(?:what|when) (?:is|was) (?:the )?(?:date|day|year) of birth of (?P<whom>.+)",
     "When was {whom} born?"),
    (r"(?:what|when) (?:is|was) (?:the )?(?:date|day|year) of death of (?P<whom>.+)",
     "When did {whom} die?"),
    (r"(?:what|when) (?:is|was) (?P<whom>.+?) ?['’]s (?:birthday|date of birth|birth date)",
     "When was {whom} born?"),
    (r"(?:what|when) (?:is|was) (?P<whom>.+?) ?['’]s (?:date of death)", "When did {whom} die?"),
    (r"(?:what|where) (?:is|was) (?:the )?place of birth of (?P<whom>.+)",
     "Where was {whom} born?"),
    (r"(?:what|where) (?:is|was) (?:the )?place of death of (?P<whom>.+)",
     "Where did {whom} die?"),
    (r"(?:what|where) (?:is|was) (?:the )?place of burial of (?P<whom>.+)",
     "Where is {whom} buried?"),
)  # fmt: skip

_GOES_ON = re.compile(rf"[{UPPER}}}\d][^ ]*(?: [a-z]+)+$|^[^{UPPER}{{]+$")
"""Words behind a name, or no name at all: "an employee recorded"."""


def plainly(question: str) -> str:
    """ "When was Ann Lee born?" for "What is the date of birth of Ann Lee?"; others as they are.

    Texts say that somebody was born somewhere; the noun for it has another meaning each time.
    """
    text = question.strip(" ?")
    for shape, plainer in _PLAINER:
        found = re.fullmatch(shape, text, re.IGNORECASE)
        if found and not _GOES_ON.search(found["whom"]):
            return plainer.format(whom=found["whom"])
    return question
