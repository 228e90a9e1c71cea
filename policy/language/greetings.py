"""Small talk and questions about Groundhop itself: the only things answered without a source."""

import re

from policy.language.wording import bare, language_of

_HELLO = re.compile(
    r"^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|xin chao|chao|alo"
    r"|howdy)\b"
)
_THANKS = re.compile(
    r"^(?:thanks?|thank you|thx|many thanks|cheers|cam on|cam ta|tks|great,? thanks|ok,? (?:thanks"
    r"|cam on)|da cam on|tuyet,? cam on)\b"
)
_BYE = re.compile(r"^(?:bye|goodbye|good night|see you|tam biet|hen gap lai|chao tam biet)\b")
_HOW_ARE_YOU = re.compile(
    r"how are you|how(?:'s| is) it going|(?:ban|em) (?:co )?khoe khong|khoe khong$"
)
_ABOUT_SELF = re.compile(
    r"who are you|what are you\b|what(?:'s| is) your name|what can you do|how can you help"
    r"|can you help me$|how do you work|what do you do\b|are you (?:a |an )?(?:bot|robot|ai|human"
    r"|person|chatgpt)|(?:what|who) is groundhop|are you there"
    r"|(?:ban|em|may|groundhop) la ai|ban (?:co the )?(?:lam|giup) (?:duoc )?(?:gi|nhung gi)"
    r"|ban ten (?:la )?gi|ban hoat dong|groundhop la gi|ban la (?:bot|robot|may)"
    r"|giup (?:duoc )?gi cho"
)
_FILLER = frozenset(
    "hi hello hey there all everyone again team good morning afternoon evening day night thanks "
    "thank you so much very a lot ok okay great nice cool bye goodbye see later xin chao ban "
    "anh chi "
    "em moi nguoi buoi sang chieu toi nhe nha cam on nhieu rat da vang duoc roi tam biet hen "
    "gap lai "
    "alo oi minh hay qua tuyet voi ca nha for your help the cheers many yes no vang groundhop "
    "that is it was helpful perfect a ah how are doing today khoe khong co hom nay".split()
)
_REPLIES = {
    ("hello", "vi"): "Chào bạn. Bạn muốn tra cứu điều gì trong tài liệu?",
    ("hello", "en"): "Hello. What would you like to find in the documents?",
    ("thanks", "vi"): "Không có gì. Bạn cần tra cứu gì thêm thì cứ hỏi.",
    ("thanks", "en"): "You're welcome. Ask whenever you need something else from the documents.",
    ("bye", "vi"): "Tạm biệt.",
    ("bye", "en"): "Goodbye.",
    ("self", "vi"): "Tôi là Groundhop. Tôi tìm câu trả lời trong các tài liệu đã nạp, trích dẫn "
    "nguyên văn và nói rõ khi không tìm thấy. Bạn cứ đặt câu hỏi về nội dung tài liệu.",
    ("self", "en"): "I am Groundhop. I look for answers in the documents that were ingested, quote "
    "them word for word, and say so when they do not hold the answer. Ask about the documents.",
}


def small_talk_reply(message: str) -> str | None:
    """The reply to small talk or a question about Groundhop; None where a source is needed."""
    plain = re.sub(r"[^\w\s']", " ", bare(message))
    plain = " ".join(plain.split())
    if not plain:
        return _REPLIES["hello", language_of(message)]
    kind = _kind(plain)
    return _REPLIES[kind, _language(plain)] if kind else None


def _kind(plain: str) -> str | None:
    words = plain.split()
    without_hello = re.sub(r"^(?:(?:hi|hello|hey|xin chao|chao|alo)(?: ban| there)?) ", "", plain)
    if _ABOUT_SELF.search(without_hello) and len(words) <= 14:
        return "self"
    if not all(word in _FILLER for word in words):
        return None
    for kind, shape in (("thanks", _THANKS), ("bye", _BYE), ("hello", _HELLO)):
        if shape.search(plain):
            return kind
    if re.search(r"\b(?:thanks|thank you|cam on)\b", plain):
        return "thanks"
    return "hello" if _HOW_ARE_YOU.search(plain) else None


def _language(plain: str) -> str:
    vietnamese = re.search(
        r"\b(?:chao|ban|cam on|tam biet|xin|khoe khong|giup|la ai|la gi|anh chi|moi nguoi|alo)\b",
        plain,
    )
    return "vi" if vietnamese else "en"
