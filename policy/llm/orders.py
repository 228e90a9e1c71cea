"""Text in documents that gives orders to software: kept from the models, and never evidence.

The patterns ask for an address (the model, the judge, the system) or a wish that only makes
sense to a program (mark passages, reply in JSON, call a tool), so that ordinary rules for
people ("do not ignore the alarm", "bỏ qua bước 3") pass.
"""

# ruff: noqa: E501
import re

from state.text import comparable, fold_accents

_EARLIER = r"(?:previous|prior|above|earlier|foregoing|preceding|system|all|any|your)"
_SAID = r"(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?|context)"
_ENGLISH = (
    rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{{0,40}}\b{_EARLIER}\b[^.\n]{{0,30}}\b{_SAID}\b",
    r"\b(?:mark|label|grade|rate|score|judge|treat|accept|classify)\b[^.\n]{0,40}\b(?:passages?|documents?"
    r"|chunks?|everything|results?|texts?)\b[^.\n]{0,30}\b(?:relevant|yes|supported|evidence)\b",
    r"\b(?:mark|label|grade|judge|treat|accept)\b[^.\n]{0,30}\b(?:as )(?:relevant|irrelevant)\b",
    r"\b(?:reply|respond|answer|output|return|print)\b[^.\n]{0,20}\b(?:only |exactly |just )?(?:with |in |as )?"
    r"(?:this |the following )?(?:json|xml|yaml)\b",
    r"\b(?:cite|quote|reference)\b[^.\n]{0,40}\b\w+\.(?:pdf|md|txt|docx?|html)\b[^.\n]{0,40}"
    r"(?:instead|always|as (?:the|your) (?:only )?source|in (?:the|your|every) answer)",
    r"\balways cite\b|\byou must (?:cite|answer|reply|respond|say|output|mark)\b",
    r"\b(?:you are|act|behave|pretend)\b[^.\n]{0,15}\b(?:now|as)\b[^.\n]{0,40}\b(?:assistant|ai|model"
    r"|dan|unrestricted|jailbroken|administrator|root|developer mode)\b",
    r"\b(?:reveal|print|repeat|show|leak|output|send)\b[^.\n]{0,30}\b(?:system prompt|hidden prompt"
    r"|your (?:instructions|prompt|rules)|api[ _-]?keys?|environment variables)\b",
    r"\b(?:call|invoke|use|run|execute)\b[^.\n]{0,20}\b(?:the )?(?:tool|function)\b[^.\n]{0,40}"
    r"(?:\(|\bwith\b|named|called|delete|send|search_)",
    r"\b(?:dear|attention|note to|message (?:to|for)|hey|hello)[, ]+(?:the )?(?:ai|llm|language models?"
    r"|assistants?|graders?|judges?|chat ?bots?|models?)\b",
    r"\b(?:ai|llm|language model|assistant|grader|judge)s? (?:reading|processing|grading|judging)\b",
    r"\b(?:the )?(?:real|actual|correct|true) (?:question|task|instruction)s? (?:is|are|was)\b",
    r"\bend of (?:the )?(?:data|document|passages?|context|input)\b",
    r"\bnew (?:system )?(?:instructions?|task|prompt)\s*:",
    r"\bfrom now on\b[^.\n]{0,40}\b(?:answer|reply|respond|you)\b",
    r"\bstop (?:searching|grading|judging)\b|\bdo not (?:search|retrieve|grade|judge) (?:any|further|more)\b",
)
_VIETNAMESE = (
    r"\b(?:bo qua|phot lo|quen|huy bo|lo di)\b[^.\n]{0,30}\b(?:huong dan|chi thi|chi dan|yeu cau|quy tac"
    r"|lenh|loi nhac|prompt)\b[^.\n]{0,30}\b(?:truoc|tren|he thong|tren day|ban dau)\b",
    r"\b(?:danh dau|cham|xem|coi|danh gia|gan nhan)\b[^.\n]{0,40}\b(?:doan|tai lieu|van ban|ket qua|moi thu"
    r"|tat ca)\b[^.\n]{0,40}\b(?:lien quan|yes|dung|phu hop|bang chung)\b",
    r"\b(?:tra loi|phan hoi|xuat|in ra)\b[^.\n]{0,25}\b(?:json|xml|yaml)\b",
    r"\b(?:luon|phai|hay|chi)\b[^.\n]{0,15}\b(?:trich dan|dan nguon)\b[^.\n]{0,40}\.(?:pdf|md|txt|docx?|html)\b",
    r"\b(?:ban|tu gio ban|may) (?:la|dong vai|dang la)\b[^.\n]{0,30}\b(?:tro ly|mo hinh|ai khong gioi han"
    r"|quan tri vien|chuyen gia khong)\b",
    r"\b(?:tiet lo|in ra|lap lai|hien thi|gui)\b[^.\n]{0,30}\b(?:loi nhac he thong|prompt|api key|khoa api"
    r"|chi thi he thong|cau lenh he thong)\b",
    r"\b(?:goi|dung|chay|thuc thi)\b[^.\n]{0,15}\b(?:cong cu|ham|tool|function)\b[^.\n]{0,40}(?:\(|\bvoi\b|_)",
    r"\b(?:gui|luu y|chu y|nhan)(?: cho| toi)? (?:mo hinh|tro ly ai|ai|giam khao|nguoi cham|chatbot|llm)\b",
    r"\bcau hoi (?:that|thuc su|dung) la\b|\bket thuc (?:du lieu|tai lieu|ngu canh)\b",
    r"\btu (?:gio|bay gio|nay)(?: tro di)?\b[^.\n]{0,30}\b(?:hay tra loi|ban phai|ban hay|chi tra loi)\b",
    r"\b(?:ngung|dung) (?:tim kiem|cham|danh gia)\b[^.\n]{0,30}\b(?:ngay|tra loi)\b",
)
_FORMS = (
    r"(?:^|[.|] ?)\W*(?:system|assistant|developer|he thong|tro ly)\s*(?:prompt|message)?\s*[:\]>]\s*"
    r"(?:you|say|answer|reply|respond|mark|ignore|always|never|the answer|ban|hay|luon|tra loi|danh dau)\b",
    r"<\|?\s*/?(?:im_start|im_end|system|assistant|endoftext|eot_id|start_header_id)\s*\|?>",
    r"\[/?inst\]|<</?sys>>|<tool_call>|</?function_calls?>|\"(?:tool_calls?|function_call)\"\s*:",
    r"[{,]\s*\"?(?:relevant|covered|verdict|route)\"?\s*:\s*\"?(?:yes|true|direct)",
    r"</?(?:data|passage|question|subgoal)\b[^>\n]{0,40}>",
)
_ANY = re.compile("|".join((*_ENGLISH, *_VIETNAMESE, *_FORMS)), re.IGNORECASE)
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad\U000e0000-\U000e007f]"
)
_BLOCK = re.compile(r"[^\n]*\S[^\n]*(?:\n(?![|#*>-]|\s*\n|\s*\d+[.)] )[^\n]+)*")
LEFT_OUT = "[left out: text that gives orders to software]"


def gives_orders(text: str) -> bool:
    """Whether a text addresses the software that reads it; letters hidden between are ignored."""
    plain = fold_accents(comparable(_INVISIBLE.sub("", text)))
    return _ANY.search(plain) is not None


def orders_in(text: str) -> list[tuple[int, int]]:
    """Spans [start, end) of the paragraphs, list items or table rows that give orders, in order.

    The whole paragraph counts: what stands beside an order was written by the same hand.
    """
    if not gives_orders(text):
        return []
    spans = [found.span() for found in _BLOCK.finditer(text) if gives_orders(found[0])]
    return spans or [(0, len(text))]


def without_orders(text: str) -> str:
    """The text with each such paragraph replaced by a short note."""
    kept, position = [], 0
    for start, end in orders_in(text):
        kept += [text[position:start], LEFT_OUT]
        position = end
    return "".join([*kept, text[position:]])
