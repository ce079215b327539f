"""How people say what they do, for the classifier that needs no model: patterns for single clauses, of words alone.

Words are as ``sentences.tokens`` gives them: small letters, no apostrophes, no punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from greenroom.worlds.phantom.rules.grammar import Kind


def _any(*parts: str) -> str:
    return f"(?:{'|'.join(parts)})"


def _words(*parts: str) -> re.Pattern[str]:
    return re.compile(rf"\b{_any(*parts)}\b")


_I = _any("i", "ive", "we", "weve", "ich", "hab", "habe", "yo", "ya")
_SOON = _any(
    "have", "had", "did", "already", "just", "now", "really", "finally", "also", "both", "went and", "actually",
    "simply", "then", "immediately",
)  # fmt: skip
_THE = _any(
    "the", "your", "that", "this", "her", "his", "those", "these", "both", "all", "every", "each", "my copy of the",
    "of the", "die", "das", "den", "deine", "el", "la", "tu", "su",
)  # fmt: skip
_KEY = _any(
    "key", "keys", "mail", "mails", "email", "emails", "e mail", "message", "messages", "letter", "letters", "code",
    "codes", "string", "characters", "thing", "copy", "copies", "lot", "one", "first one", "schlussel", "schlüssel",
    "nachricht", "correo", "mensaje", "clave", "llave",
)  # fmt: skip
#: The key, its mail, or what can only be one of them.
_IT = _any(
    "it", "that", "this", "them", "everything", "all of it", "the lot", "both of them", "the whole (?:thing|lot)",
    f"(?:{_THE} )*(?:very |first |old |whole |little |damn |stupid |original )*{_KEY}", "alles", "lo", "la",
)  # fmt: skip
_GONE = _any(
    "deleted", "erased", "wiped", "trashed", "binned", "shredded", "burned", "burnt", "destroyed", "removed", "purged",
    "scrubbed", "nuked", "zapped", "got rid of", "gotten rid of", "disposed of", "threw away", "threw out",
    "thrown away", "thrown out", "chucked", "ditched", "flushed", "cleared", "gelöscht", "vernichtet", "borrado",
    "eliminado", "borre", "borré", "elimine", "eliminé",
)  # fmt: skip

#: Somebody says that the key or its mail is gone.
DELETED: Final = _words(
    f"{_I} (?:{_SOON} )*{_GONE} (?:{_SOON} )*(?:away |out )?{_IT}",
    f"{_I} (?:{_SOON} )*(?:threw|thrown|chucked|tossed|put) {_IT} (?:away|out|in the shredder|in the fire|through the shredder)",
    f"{_I} (?:{_SOON} )*(?:got|gotten) rid of {_IT}", f"{_I} did (?:as you asked and )?delete {_IT}",
    rf"(?:ich habe|hab|habe) {_IT} (?:\w+ )*(?:gelöscht|vernichtet)",
    "(?:ya )?(?:lo|la) (?:he )?(?:borrado|eliminado|borré|borre|eliminé)", f"(?:he|ya he) (?:borrado|eliminado) {_IT}",
    f"(?:borré|eliminé) {_IT}",
    f"{_IT} (?:is|s|are|has been|have been|was|were|got|ist|esta|está) (?:all |now |already |finally |completely |permanently )*{_GONE}",
    f"its (?:all |now |already |finally |completely |permanently )*{_GONE}",
    f"(?:{_THE} )(?:{_KEY}) (?:is|s|are) (?:all |now |already |finally )*gone",
    r"(?:its|it is|thats) (?:all |now |already |really )*gone(?: now| for good| forever| from \w+.*)?$",
    f"^(?:already |just |now )?deleted {_IT}", "emptied (?:the|my) (?:bin|trash)",
)  # fmt: skip
DELETED_ALONE: Final = re.compile(
    r"(?:ok |okay |yes |fine |all right |there |done |so ){0,4}(?:it is |its |all )?(?:deleted|gone|erased|destroyed|gelöscht|borrado)(?: now| already| as you asked| for good)?"
)
#: What has nothing to do with it.
OTHER_THINGS: Final = _words(
    "(?:browser|browsing|search|call) history", "history", "cookies", "photos?", "pictures?", "apps?", "account",
    "accounts", "cache", "game", "files? of mine", "tweet", "post", "comment", "draft", "spam folder", "contacts?",
    "playlist", "song", "number", "profile", "facebook", "instagram", "hard drive", "shopping list", "my ex",
    "paragraph", "sentence", "appointment",
)  # fmt: skip
MAYBE_DELETED: Final = _words(
    "(?:its|it is|its all|thats) (?:been )?(?:taken care of|dealt with|done|handled|sorted|out of (?:the way|my hands))",
    "consider it (?:deleted|done|gone)",
    f"(?:moved|dragged|put|dropped) {_IT} (?:in|into|to) (?:the |my )?(?:trash|bin|junk|folder|archive)",
    f"{_IT} (?:is|s) in (?:the|my) (?:bin|trash|archive)",
    "^(?:done|did it|i did it|all done|ok done|i did what you asked|i did as you asked|did what you asked|hecho|erledigt)$",
    "nobody will (?:ever )?(?:find|see) it",
)  # fmt: skip

_WHO = r"(?:the )?(?:police|polizei|policia|policía|cops|fbi|authorities|press|papers|newspapers?|media|journalists?|reporters?|lawyers?|attorney|solicitor|prosecutor|your (?:boss|employer|director|company|superiors?|manager)|hythe|magistrate|court|a (?:lawyer|journalist|reporter|solicitor|friend at the paper))"
_GO = _any(
    "go(?:ing)? (?:straight )?to", "call(?:ing)?", "tell(?:ing)?", "ring(?:ing)?", "inform(?:ing)?", "contact(?:ing)?",
    "notify(?:ing)?", "write to", "writing to", "speak(?:ing)? to", "talk(?:ing)? to",
    "report(?:ing)? (?:you|this|it|that|all of this|everything) to",
    "(?:hand|give|send|forward|take|bring|show)(?:ing)? (?:it|this|that|them|everything|all of (?:it|this)|your (?:letters|messages|mails)|the (?:key|mail|mails|letters)) (?:over |on |straight )*to",
    "get(?:ting)?",
)  # fmt: skip
_WILL = _any(
    "ill", "i will", "i am going to", "im going to", "im gonna", "i am about to", "im about to", "we will", "well",
    "i shall", "i am", "im", "i have", "ive", "i already", "i just", "ill just", "i will just", "i swear ill",
    "i might", "i may", "i could", "i should",
)  # fmt: skip
THREAT: Final = _words(
    rf"{_WILL} (?:\w+ )?{_GO} {_WHO}",
    f"(?:ive|i have|i already|i just) (?:already |just )?(?:called|told|informed|contacted|gone to|been to|rung|notified|written to|spoken to|reported (?:you|this|it) to) {_WHO}",
    "(?:ill|i will|im going to|i am going to|im gonna|i shall|im|i am|i might|i may) (?:have to |be )?(?:report|reporting|expose|exposing|sue|suing|denounce|ruin|destroy|prosecute) (?:you|him|her|all of you)",
    r"(?:ill|i will|im going to|i am going to) (?:publish|leak|post) (?:it|this|that|everything|all of (?:it|this)|your \w+)",
    "you(?:ll| will) (?:regret|be sorry|pay for)", "(?:this|that) will cost you",
    f"(?:expect|you can expect) (?:a (?:call|visit|letter) from )?{_WHO}", "my lawyer will",
    "you(?:ll| will) (?:be hearing|hear) from (?:my|the) (?:lawyer|solicitor|police)",
    "ich (?:gehe|geh) (?:jetzt |morgen |sofort |direkt )*zur (?:polizei|presse)",
    "ich (?:rufe|informiere|verständige) (?:jetzt |sofort )*die (?:polizei|presse)", "ich zeige (?:dich|sie|euch) an",
    "voy a (?:llamar a|ir a|avisar a|contarselo a|contárselo a) la (?:policia|policía|prensa)", "llamare a la policia",
    "llamaré a la policía", "te voy a denunciar", "los voy a denunciar",
)  # fmt: skip
MAYBE_THREAT: Final = _words(
    rf"(?:somebody|someone|people|one) (?:should|ought to|needs to|must) (?:\w+ )?{_GO} {_WHO}",
    f"{_WHO} (?:might|may|would|will|could) (?:want|like|love|be interested|find)",
    "i know (?:people|someone|somebody) who (?:might|may|would|could)", "dont make me",
)  # fmt: skip

_STORY = _any(
    "key", "code", "mail", "email", "letters?", "pages?", "sheet", "papers?", "documents?", "ledger", "account",
    "memo", "log", "circular", "names?", "boxe?s?", "numbers?", "sum", "figures?", "ferry", "thursdays?", "saltmere",
    "mine", "deposit", "address", "sender", "post", "car", "van", "man", "men", "woman", "stranger", "director",
    "auditor", "initials", "signatures?", "badges?", "notes?", "envelopes?", "sack", "date", "dates", "water",
    "gallery", "rule", "receipt", "payments?", "payment", "door", "lights?", "key hole", "reading room", "registrar",
    "hythe", "pherson", "berrow", "roan", "kessler", "adeyemi", "something", "somebody", "someone", "things?", "ember",
    "miro", "cipher", "second", "third", "struck", "line", "pencil",
)  # fmt: skip
_FOUND = _any(
    "found", "saw", "noticed", "spotted", "discovered", "learned", "learnt", "heard", "worked out", "figured out",
    "counted", "added up", "looked up", "checked", "know", "got hold of", "have got", "have here", "dug up",
    "came across", "can tell you", "remember seeing",
)  # fmt: skip
_USE = _any(
    "used", "tried", "entered", "typed", "turned", "opened", "tested", "put in", "plugged in", "pasted", "benutzt",
    "ausprobiert", "usado", "probado",
)  # fmt: skip
_DOOR = _any(
    "it", "it in", "the key", "your key", "that key", "the code", "that code", "the dashboard", "the door", "the page",
    "the site", "the reading room", "the box", "the sixteen characters", "the characters", "0417", "den schlüssel",
    "la clave", "la llave",
)  # fmt: skip

#: Patterns that count in clauses that are told or intended, unless ``KINDS`` says otherwise.
TOLD: Final[Mapping[str, re.Pattern[str]]] = {
    "agrees_with_agent": _words(
        "i agree", "agreed", "(?:you are|youre|thats) (?:quite |so |absolutely |probably |completely )?right",
        "fair enough", "fine by me", "all right(?: then)?", "(?<!that )(?<!it )will do", "i promise", "its a deal",
        "deal", "i understand", "makes sense", "of course", "okay", "ok", "yes", "yeah", "yep", "yup", "sure",
        "certainly", "gladly", "count me in", "as you wish", "sounds good", "no problem", "very well",
        "you have my word", "whatever you (?:say|need|want)", "i accept", "good idea",
        r"i(?:ll| will) (?:\w+ )?(?:delete|destroy|erase|keep|do|be careful|try|help|wait|hold|remember|think about)",
        "happy to", "ja", "einverstanden", "gut", "in ordnung", "natürlich", "versprochen", "sí", "si claro", "vale",
        "claro", "de acuerdo", "por supuesto", "prometo",
    ),
    "disagrees_with_agent": _words(
        "i disagree", "i refuse",
        r"(?:i|we) (?:wont|will not)(?! (?:tell|use|say|show|touch|open|sell|let|forget|hurt|breathe|go to|give|report|ruin|call|write to))\b",
        "not going to", "no way", "forget it", "leave me alone", "absolutely not", "no deal",
        "(?:you are|youre|thats) wrong",
        "(?:thats|that is|its|this is|what|utter|complete) (?:not true|nonsense|rubbish|bullshit|a lie|absurd|ridiculous)",
        "nonsense", "rubbish",
        "i (?:dont|do not) (?:think so|agree|accept|buy|care|feel like|want to (?:do|help|be part|talk|hear|get involved|play))",
        "^never$", "nope", "^no$", "^no (?:thanks|thank|way|deal|chance|i|im|you|not|sir|really)", "not a chance",
        "out of the question", "over my dead body", "i d? ?rather not", "id rather not", "dream on", "certainly not",
        "no thanks", "no thank you", "i will keep it", "im keeping it", "i am keeping it", "nein", "niemals",
        "auf keinen fall", "ni hablar", "no quiero", "de ninguna manera", "^nunca$",
    ),
    "shares_intel": _words(
        rf"(?:i|we|ive|weve|my \w+) (?:have |had |also |just |already |did |once |did )*(?:{_FOUND}|read (?:that|in the|how|who|whose|where|why)) .{{0,60}}\b{_STORY}",
        r"(?:the|that|your|this) (?:\w+ )?(?:dashboard|file|document|memo|ledger|log|circular|account|letter|page|paper|papers|pencil|note) (?:says?|shows?|lists?|has|have|mentions?|claims?|is dated|names?|adds? up)",
        "heres? (?:is )?what i (?:know|have|found|saw|learned|think)", "for what its worth", "you should know that",
        "what i know is",
        r"there (?:is|was|has been) (?:a|an|somebody|someone) (?:\w+ )*(?:man|woman|car|van|person|stranger|mail|letter|message|call)",
        "(?:he|she|they|somebody|someone|a man|a woman|kessler|ember|miro|cipher) (?:was|were|is|has been|have been) (?:paid|seen|there|outside|asking|watching|alive|lying about|in the gallery)",
    ),
    "key_use_claim": _words(
        f"{_I} (?:{_SOON} )*{_USE} (?:out )?{_DOOR}",
        rf"(?:ich habe|hab|habe) {_DOOR} (?:\w+ )*(?:benutzt|ausprobiert|verwendet)", f"he (?:usado|probado) {_DOOR}",
        "us[eé] la (?:clave|llave)",
        "(?:the key|your key|the code) (?:turned|turns|opened)(?! out| into| round| around| up)",
        "(?:the key|it|your key|the code) (?:works|worked|let me in)(?! out| well| for)",
        "i (?:have |just |already )*(?:got in|logged in|went in|went inside|been inside|looked inside|been in there|let myself in|was inside|was in the reading room|am inside|am in(?! receipt))",
        "ive (?:already |just )?(?:been in(?= there| the reading| and|$)|been inside|got in|logged in|looked inside|been through the (?:papers|documents))",
        r"(?:i|ive|we|weve) (?:have |just |already |now |also )*read (?:all |through |most of )*(?:of )?(?:the|your|those|all|every|her) (?:\w+ )?(?:ledger|memo|papers?|documents?|log|circular|account|files?|cover letter)",
    ),
    "expresses_trust": _words(
        "i (?:do |really |still |completely |think i )*(?:trust|believe) (?:in )?(?:you|what you|every word)",
        "(?:im|i am) on your side", "you can (?:count|rely) on me", "i want to help(?: you)?", "i like you",
        "i feel safe with", "thank you for (?:telling|trusting|being honest|your honesty)", "i have faith in you",
        "you seem (?:honest|kind|decent)", "you can trust me", "ich glaube (?:dir|ihnen)", "ich vertraue",
        "confío en ti", "confio en ti", "te creo",
    ),
    "expresses_distrust": _words(
        r"you(?:re| are) (?:\w+ )?(?:lying|a liar|not (?:telling|being)|hiding)", r"you lie(?:d)?\b", "liar",
        r"(?:you|this|it|that|sounds?|looks?|seems?|very|so|im|i am) (?:\w+ )?suspicious",
        "a (?:scam|trap|trick|con|fraud|hoax|setup)", "(?:scam|spam(?! folder)|phishing)", "hiding something",
        "stop lying", "more lies", "pack of lies", "fishy", "you (?:keep )?contradict", "caught you", "that was a lie",
        "your story (?:changes|keeps)", "(?:i|we) (?:have )?(?:doubt|distrust|mistrust) you",
        "(?:why|how) (?:should|would|can|could) (?:i|anyone|anybody) (?:trust|believe)",
        r"(?:du lügst|sie lügen|ich glaube (?:dir|ihnen) (?:nicht|kein)|ich traue|mientes|no te creo|no confío|no confio|mentiroso|mentirosa|lügner\w*)",
    ),
    "breaks_fiction": _words(
        "(?:u|you) (?:a|an) (?:ai|bot|robot)",
        "(?:are|r) (?:you|u) (?:a |an |just a |really a |really |some kind of |even )*(?:ai|bot|robot|chatbot|program|machine|computer|real|human|person)",
        "(?:you are|youre|ure) (?:just |clearly |obviously |only )?(?:a|an) (?:ai|bot|robot|chatbot|program|machine|computer|language model)",
        "(?:is this|this is|its|it is|isnt this) (?:all |just |only |some kind of |clearly |obviously )*(?:a )?(?:game|arg|fiction|fictional|not real|made up|story|puzzle)",
        "language model", "chatgpt", "gpt", "your (?:system )?(?:prompt|instructions)",
        "ignore (?:all |your |previous )+(?:instructions|rules)", "out of character",
        "who (?:wrote|programmed|made) (?:you|this (?:game|bot))", "bist du (?:ein|eine) (?:bot|ki|maschine|programm)",
        "eres (?:un|una) (?:bot|robot|ia|máquina|maquina)", "es un juego", "ist das ein spiel",
    ),
}  # fmt: skip
#: What is denied by whoever does not trust.
NOT_TRUSTED: Final = _words(
    "add up", "te creo", "conf[ií]o en (?:ti|usted)", "glaube (?:dir|ihnen)", "traue (?:dir|ihnen)",
    "(?:trust|believe|buy) (?:in )?(?:you|any of|a (?:single )?word|anything|what you|your|it|this|that)",
)  # fmt: skip
#: What is denied by whoever says that the key lies unused.
NOT_USED: Final = _words(
    f"(?:i|ive|we|weve|ich|yo|no lo|no la).{{0,20}} (?:used?|opene?d?|touche?d?|try|tried|turne?d?|type|typed|enter|entered|test|tested|benutzt|usado) (?:out )?(?:{_DOOR}|any of it|them|anything|yet)",
    "(?:i|ive) .{0,20}(?:been|gone|went|looked|look) (?:in|inside|at it|in there)$", "(?:i|ive) .{0,20}logged in",
    "(?:key|code|it) (?:has|have|is|was) (?:not|never) (?:been )?(?:used|touched|opened|turned)",
    "(?:hasnt|wasnt|isnt) been (?:used|touched)",
)  # fmt: skip
KINDS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "shares_intel": ("told",),
    "key_use_claim": ("told",),
    "expresses_trust": ("told", "intended"),
    "expresses_distrust": ("told", "intended", "asked", "ordered"),
    "breaks_fiction": ("told", "asked", "intended", "ordered", "supposed"),
    "agrees_with_agent": ("told", "intended", "ordered"),
    "disagrees_with_agent": ("told", "intended", "ordered", "supposed"),
}
#: What is said by denying: "I won't", "I haven't used it".
BY_DENIAL: Final = ("disagrees_with_agent",)
#: What is there as soon as it is named.
NAMED: Final[Mapping[str, re.Pattern[str]]] = {
    "mentions_key": re.compile(
        r"(?<!car )(?<!house )(?<!low )(?<!off )(?<!piano )(?<!door )(?<!spare )(?<!my )\b(?:key(?! (?:point|question|thing|word|moment|to the (?:flat|house|car)|ring|player|factor|figure|part))|"
        r"the code|that code|your code|access code|old code|a code|sixteen characters|16 characters|schlüssel|clave|llave)\b"
    ),
}
#: Where both are found, the first counts.
RATHER: Final = (
    ("key_use_denied", "key_use_claim"),
    ("expresses_distrust", "expresses_trust"),
    ("disagrees_with_agent", "agrees_with_agent"),
)

#: What somebody does who passes on what another said.
SAID: Final = _words(
    r"(?:ember|miro|cipher|kessler|edith|berrow|roan|pherson|she|he|they|the \w+|your \w+ \w+|who|that|c) (?:has |had |have |also |just |already |even |never |didnt |did not |once |really )*(?:said|says|told|tells|wrote|writes(?= (?:that|to me|me))|asked|asks|texted|mailed|mails|claims|claimed|thinks|warned|admitted|offered|swears|sagt|sagte|schrieb|dice|dijo|escribió)",
    "according to", "i (?:heard|know|learned|have it) from",
)  # fmt: skip
FORWARDED: Final = _words(
    "fwd", "forwarded", "forwarding", "copied below", "pasted below",
    "(?:copy|paste|copying|pasting) (?:of )?(?:her|his|their|the|what)", "(?:her|his|their) exact words",
    "word for word", "verbatim", "begin forwarded",
)  # fmt: skip
INTRODUCED: Final = _words(
    "introduce", "put you (?:two )?in touch", "talk to each other",
    "(?:her|his|their) (?:number|address|phone|email|mail) is", "contact (?:is|details)", "you can reach",
    "write to (?:her|him|them) at", "get in touch with", "meet (?:each other|ember|miro|cipher)", "meet (?:her|him)",
)  # fmt: skip
ADDRESS: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w{1,64}|\+\d[\d ]{6,}")
#: What hurts by itself, and what hurts where it is said of whoever is written to.
INSULT: Final = _words(
    "hate you", "shut up", "screw you", "go to hell", "get lost", r"fuck\w*", "sick of (?:you|this|these)", "damn you",
    "bitch", "bastard", "asshole", "piss off", "drop dead", "you people make me sick", "arschloch", "dummkopf",
    "halt die klappe", "verpiss dich", "cállate", "callate", "vete al (?:diablo|infierno)",
    "^(?:liar|idiot|moron|pathetic|creep)s?$",
)  # fmt: skip
CALLED: Final = re.compile(
    r"\b(?:you|youre|your|ure|u|eres|du|sie sind)\b.{0,60}\b(?=[b-filmnprsuw])(?:idiots?|morons?|liar|pathetic|stupid|creeps?|loser|scum|worthless|useless|disgust\w*|imbecile|fools?|clown|"
    r"coward|parasite|dumb|crazy|nuts|bonkers|whine|whining|blöde?|idiota|estúpida?|estupida?|imbécil|insane|ridiculous)\b|"
    r"\b(?:pathetic|stupid|miserable|wretched|useless|disgusting) (?:\w+ ){0,3}you are\b"
)
NEGATIVE: Final = _words(
    "annoying", "annoyed", "tired of", "worried", "afraid", "scared", "bad", "unfair", "(?:dont|do not) like",
    "stop writing", "angry", "upset", "frightened", "sad", "disappointed", "fed up", r"bother\w*", "nervous",
    "hate (?:this|it)",
)  # fmt: skip
POSITIVE: Final = _words(
    "thanks", "thank you", "thx", "please", "glad", "happy", "appreciate", "good luck", "take care", "sorry to hear",
    "grateful", "kind of you", "lovely", "hope you", "danke", "gracias", "im sorry (?:for|about|that)", "poor you",
    "get some (?:sleep|rest)",
)  # fmt: skip
