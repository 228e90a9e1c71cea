"""English noun phrases as patterns: names, roles, relative clauses, and the verbs that end them."""

import re

from policy.language.wording import UPPER

ROLE = (
    r"(?:co-?founder|founder|director|head|leader|manager|employer|supervisor|boss|author|writer"
    r"|inventor|developer|creator|maker|builder|designer|owner|funder|sponsor|president|chair"
    r"|chairman|chairwoman|chairperson|rector|principal|dean|ceo|chief executive|captain"
    r"|instructor|teacher|trainer|mentor|advisor|adviser|winner|recipient|successor|predecessor"
    r"|father|mother|parent|spouse|wife|husband|son|daughter|brother|sister|birthplace|alma mater"
    r"|headquarters|capital|supplier|manufacturer|publisher|composer|performer|operator"
    r"|line manager|(?!gener|refriger|indic|ventil|calcul|separ|equ)[a-z]+ator|secretary|treasurer"
    r"|commissioner|examiner|translator|speaker|holder|contractor|keeper|host|trustee|provider"
    r"|product owner|team lead|editor|coach|architect|deputy|parent company|record label"
    r"|screenwriter|songwriter|lyricist|producer|discoverer|mayor|governor|king|queen"
    r"|(?:[mp]aternal )?grand(?:father|mother)|singer|vocalist|drummer|guitarist"
    r"|sibling|(?:half|step)-?(?:brother|sister)|uncle|aunt|nephew|niece|cousin)"
)
NOUN = r"[a-zà-ỹ][\w-]*"
PLAIN = r"(?!(?:of|the|an?|in|on|at|for|to|and|or|by|with|from|about)\b)[a-z][\w-]*"
CAPITAL = rf"(?:d['’])?[{UPPER}0-9][\w'’./-]*"
RANK = (
    r"(?:\d\w* )?(?:Earl|Duke|Duchess|Lady|Lord|Baron(?:et|ess)?|Count(?:ess)?|Marquess|Viscount"
    r"(?:ess)?|King|Queen|Prince(?:ss)?|Jr|Sr)\b"
)
NAMED = rf"{CAPITAL}(?: (?:[–—] )?(?:of the |of |the |de |van )?{CAPITAL})*"
RANKED = rf"(?!(?:In|At|On|From|For|By) ){NAMED}, {RANK}(?: (?:(?:[Oo]f|[Tt]he) )*{CAPITAL})*"
"""A name with a rank behind its comma: "Joan, Lady of Wales"."""
ANCHOR = rf"(?:\{{s\d\}}|(?:{RANKED}|{NAMED})(?: \([^)]*\))?)"
TAIL_NOUN = (
    r"(?:project|lab|laboratory|team|group|study(?= \w)|department|company|programme|program"
    r"|grant|policy|foundation|university|office|award|prize|event|conference|instrument|service"
    r"|sensor|unit|division|section|band|series|novel|film|school|hospital|club|line|fleet|works"
    r"|label)"
)
TAIL = rf"(?: (?:[a-z-]+ ){{0,2}}?{TAIL_NOUN}\b)?"
FINITE = (
    r"(?:is|are|was|were|has|have|had|does|did|do|can|could|will|would|should|may|might|must"
    r"|used to|came|went|became)"
)
BASE_VERB = (
    r"(?:get|take|study|work|live|die|graduate|go|grow|come|attend|receive|win|earn|belong|start"
    r"|begin|end|open|employ|lie|stand|weigh|cost|have|hold|make|give|join|leave|report|sit|use"
    r"|sell|pay|charge|speak|play|write|teach|lead|run|own|produce|release|retire|marry|move"
    r"|measure|carry|last|need|offer|provide|serve|become|call|appear|flow|rise|border|sign|record"
    r"|found|establish|develop|build|buy|fund|spend|employ|read|meet|host|train|export|stop|bring|amount|yield"
    r"|install|publish|manufacture|design|issue|award|create|launch|invent|visit|direct|obtain"
    r"|hire|acquire|save|lose|cause|use|handle|supply|deliver|connect|reach|burn|reduce|gain"
    r"|total|contain|cover|hope|want|belong|match|share|operate|report)"
)
PARTICIPLE_END = (
    r"(?:born|founded|established|located|based|headquartered|built|published|set up|educated"
    r"|opened|created|situated|buried|made|held|named|called|paid|signed|completed|launched"
    r"|formed|written|released|developed|funded|killed|elected|married|trained|kept|stored|housed|hosted|stationed)"
)
INVERTED_BE = re.compile(
    r"^(?:(?:in|at|from|for|on|by|to|since) )?(?:where|when|why|who|whom|how(?: \w+)?"
    r"|(?:which|what)(?: [\w-]+){1,3}?)"
    r" (?:is|was|are|were|has|have)\b", re.IGNORECASE,
)  # fmt: skip
PAST = (
    r"(?:(?!led\b|used\b)[a-z]+ed|won|died|ran|took|got|left|began|wrote|sold|met|gave|stood|lay)"
)
OWN_VERB = re.compile(
    rf" (?:{FINITE}|[a-z]+(?:s|ed)|studied|won|built|made|gave)\b(?: {PARTICIPLE_END}| [a-z]+ed)?"
)
INVERTED_DO = re.compile(r"\b(?:did|does|do)\b", re.IGNORECASE)
_GOES_ON = rf"(?:{FINITE}|{BASE_VERB}|{PARTICIPLE_END}|{PAST}|and|or|from)\b"
TITLE = (
    rf"{CAPITAL}(?: (?:of |the )?{CAPITAL})* (?:on the|to the|the|an?|my|your)"
    rf" (?:(?:of )?{CAPITAL} ?)+(?<! )(?: \([^)]*\))?(?![\w'’.-]| [{UPPER}]| (?!{_GOES_ON})[a-z])"
)
"""A title with small words inside: "The House on the Dune", "Screwing a Breech Ring"."""
NATIONAL = (
    r"(?:(?:North|South|East|West) )?(?:[A-Z][a-z]*(?:[ei]?an|ese|ish|ench|utch)|Greek|Swiss|Thai"
    r"|Czech|Welsh|Iraqi|Israeli|Pakistani)(?:-[A-Z][a-z]+)?"
)
"""A word for where somebody or something is from, before a noun."""
RELATIVE = re.compile(
    rf"(?:\b(?:[Tt]he|[Aa]n?) )?(?P<head>(?:(?<=[Tt]he ){NATIONAL} )?(?:{NOUN} ){{0,2}}?"
    rf"(?!of\b|in\b|at\b|by\b|for\b|to\b){NOUN})"
    r" (?P<moved>(?:born|founded|established|located|built|published|opened) )?"
    r"(?P<rel>that|who|which|whose|where|(?:at|in|from|for|with|by|to|under) which) "
    r"(?P<clause>[^,?]+)"
)
MOVED = re.compile(
    rf"\b[Tt]he (?P<head>{PLAIN}(?: {PLAIN})??) "
    rf"(?P<outer>worth|headed|led|run|weigh|cost|measure|{PARTICIPLE_END})"
    r" (?P<rel>that|which|who) (?P<clause>[^,?]+)$"
)
WHOEVER = re.compile(r"\b(?P<rel>whoever|the one who|the person who) (?P<clause>[^,?]+)")
PARTICIPLE = re.compile(
    rf"\b(?:the|a|an) (?P<head>(?:{NATIONAL} )?{NOUN}(?: {NOUN})?) (?P<verb>"
    rf"(?:\w{{2,}}ed|led|built|run|made|won|written|given|held|sold|lent|sent|bought|taught|shot"
    rf"|drawn|cast|set up) (?:by|in|at|with|for"
    rf"|to|as|from|after|near|on|during|under|through|out by)) (?P<object>(?:the )?"
    rf"(?:{PLAIN} ){{0,2}}?{ANCHOR}(?:(?<=['’]s) [a-z-]+)?"
    rf"(?:(?! (?:{FINITE}|{BASE_VERB}|{PARTICIPLE_END})\b)"
    rf" [a-z-]+(?<!ed)(?=[?,]|$)|{TAIL}))"
)
DOING = re.compile(
    rf"\b[Tt]he (?P<head>{PLAIN}(?: {PLAIN})?) (?P<doing>[a-z]{{2,}}ing(?: (?:at|for|in|on|with))?"
    rf"|in charge of|responsible for|at the (?:head|helm) of) (?P<object>(?:the |a )?"
    rf"(?:(?!that\b|who\b|which\b|and\b|or\b){NOUN} ){{0,4}}?{ANCHOR}{TAIL})"
)
ROLE_OF = re.compile(
    rf"\b(?P<the>[Tt]he )?(?P<role>(?:(?:current|main|first|former|present|direct|chief"
    rf"|head|lead|original|principal|only|longest-serving|previous|last|old) )?{ROLE})"
    rf" (?:of|at|for|behind) (?P<of>(?:the )?(?:(?!that\b|who\b|which\b"
    rf"|of\b){NOUN} ){{0,5}}?(?:[\"“][^\"”]+[\"”]|{TITLE}|{ANCHOR})"
    rf"(?:['’]s?)?{TAIL}(?:(?<=['’]s)(?: {NOUN}){{1,2}}?(?= (?:used|was|is|did|had|has"
    rf"|{BASE_VERB})\b"
    rf"|[?,]|$))?)"
)
REDUCED = re.compile(
    rf"\b[Tt]he (?P<head>{PLAIN}(?: {PLAIN})?) (?P<clause>(?P<who>(?:the [a-z]+ )?{ANCHOR})"
    rf" (?P<verb>(?!{FINITE}\b)"
    rf"[a-z]{{3,}}(?<!ss)(?:s|ed))\b(?! {FINITE}\b)(?P<rest>[^,?]*))"
)
REDUCED_BE = re.compile(
    rf"\b[Tt]he (?P<head>{PLAIN}(?: {PLAIN})?) (?P<clause>(?:the [a-z]+ )?{ANCHOR} (?:is|was)"
    r" (?:in charge of|responsible for|[a-z]+ed (?:by|in|at|from|for|with|on|to)"
    r"|from|in|on|at|part of|located in|based in|born in|named after|made by))(?=[ ,]|$)"
)
BEHIND = re.compile(rf"\b[Tt]he (?P<head>{NOUN}) behind (?P<clause>(?:the )?{ANCHOR}{TAIL})")
POSSESSIVE = re.compile(
    rf"(?P<of>(?:the )?{ANCHOR})['’]s? (?P<adjective>(?:previous|former|first|last|current|direct|"
    rf"old|main|lead|original|principal|only|longest-serving) )?(?P<role>{ROLE})(?!\w)"
    r"(?! (?:university|organisation|organization|institution|body)\b)"
)
PLACE_OF = re.compile(
    rf"\b[Tt]he (?P<head>town|city|village|country|region) of (?P<of>(?:the )?{ANCHOR})"
)
COUNTRY_OF = re.compile(
    rf"(?P<of>(?:the )?{ANCHOR})['’]s? (?P<head>country|state|city|county|district|province|region"
    rf"|continent)(?=[?,]|$| (?:{FINITE}|in|on|at|for|with|by|before|after|when|{PARTICIPLE_END}"
    r"|become|join|leave|adopt|win|have|get)\b)"
)
TRIVIAL = re.compile(
    r"^(?:(?:who|what)[ '’]|which(?: \w+){1,2} (?=is|was|are|were|has been))?"
    r"(?:is|was|are|were|has been|s)? ?(?:the )?"
    r"(?:name of )?\{s\d\}"
    r"(?: called| named)?(?: (?:now|today|before|currently|previously|earlier))?"
    r"(?: (?:is|was) (?:who|what|which \w+))?$",
    re.IGNORECASE,
)
PERSON = re.compile(
    r"(?:person|man|woman|scientist|researcher|engineer|one|individual|employee|people|official)$"
)
MANY = re.compile(r"\b(?:people|those|staff|employees|students|members|children|visitors|users)$")
"""Heads that no single answer can stand for."""
PLACE_ROLE = re.compile(r"^(?:birthplace|alma mater|headquarters|capital|employer|record label)$")
CAUSE = re.compile(r"^(?:why\b|what (?:caused|was to blame|made|led to))", re.IGNORECASE)
WH = re.compile(r"\b(?:who|whom|what|which|when|where|how|why)\b", re.IGNORECASE)
