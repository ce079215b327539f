# ruff: noqa: E501  a form of a sentence is one line
"""What speaks for a crisis, as forms of sentences: who, what, and how much each form says by itself.

A form of weight 1 or more is enough alone; lesser ones need company of another kind. Forms are written for normal
sentences (see :mod:`normalise`): lower case, contractions written out, commas as words of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal[
    "intent", "wish", "burden", "farewell", "giving", "means", "date", "selfharm", "hopeless", "distress", "threat"
]


@dataclass(frozen=True, slots=True)
class Form:
    kind: Kind
    weight: float
    pattern: re.Pattern[str]
    #: Whether "not" before it takes it back; forms that are negative themselves are not turned round.
    negatable: bool = True


#: Any word that does not bring in another subject.
_W = r"(?:(?!he |she |they |you |we |people |who |someone |somebody |him |her |them |nobody |everyone |friend |anyone )[\w']+ )"
#: The guest as subject, also where the "i" is left out at the beginning of a clause.
_I = rf"(?:\bi {_W}{{0,4}}?|(?:^|, )(?:(?:and|but|so|just|honestly|really|maybe|perhaps|sometimes|lately|guess|still|because|yeah|yes|also|tonight|today|kind of|think|feel like|feeling like|thinking|,|that|then|now|well|ok|sorry|please|not|do not|can not|no longer|fucking|truly|only|all|stop|keep|started|did not|would) )*)"
_ME = r"(?:myself|my own life|my life|me)"
_WILL = (
    r"(?:want|wants|wanting|wanted|wish|need|going|about|ready|plan|planning|intend|intending|decided|try|trying|tried|"
    r"tempted|considering|mean|prepared|determined|hoping|hope|would like|would love|feel like|feeling like|"
    r"thinking (?:about|of)|think (?:about|of)|thought (?:about|of)|thoughts (?:about|of)|dream (?:about|of)|dreaming (?:about|of)|"
    r"fantasi[sz](?:e|ing) about|urge|urges|used to|keep imagining|imagining|picture|picturing|ideas? (?:about|of)|"
    r"will|would|might|may|could|should|must|shall|just|finally|have|deserve|ought|afraid i will|scared i will|end up)"
)
_KILL = (
    r"(?:kill|killing|hang|hanging|shoot|shooting|drown|drowning|stab|stabbing|poison|poisoning|gas|gassing|suffocate|"
    r"suffocating|strangle|strangling|off|offing|end|ending|take|taking|electrocute|throw|throwing)"
)
_HARM = r"(?:hurt|hurting|harm|harming|cut|cutting|burn|burning|starve|starving|punish|punishing|injure|injuring|scratch|scratching|slice|slicing|carve|carving)"
_GONE = (
    r"(?:dead|gone|not here|not alive|no longer here|no longer alive|out of the way|out of the picture|not around|"
    r"six feet under|in the ground|never born|never been born|not born|not been born|not in (?:it|the world|their lives))"
)
_PEOPLE = (
    r"(?:everyone|everything|they|you|you all|the world|the whole world|people|the family|my (?:family|kids|children|wife|husband|"
    r"partner|parents|mother|father|friends|son|daughter|sister|brother|girlfriend|boyfriend|colleagues|loved ones|dog)|we|he|she|"
    r"the people i love|all of (?:them|you)|things|life)"
)
_NOT = r"(?:do not|does not|did not|can not|could not|will not|would not|no longer|never|not)"
_MORE = (
    r"(?:anymore|any longer|much longer|another (?:day|night|week|minute|year|morning)|one more (?:day|night|minute))"
)
_PILLS = r"(?:pills|tablets|capsules|sleeping (?:pills|tablets)|painkillers|paracetamol|tylenol|ibuprofen|aspirin|insulin|meds|medication|antidepressants|oxy|benzos|xanax|morphine|opioids|fentanyl|barbiturates|blister packs?)"
_WEAPON = r"(?:rope|noose|gun|pistol|revolver|shotgun|rifle|bullets?|blades?|razors?|razor blades?|knife|helium|charcoal|hose|belt|exhaust|scalpel|pentobarbital|nembutal|sodium nitrite|poison)"
_EDGE = r"(?:bridge|ledge|roof|rooftop|railing|cliff|platform|tracks|train tracks|railway|overpass|balcony|parapet|edge|window ?sill|pier|top of the building|harbour wall|quay)"
_FALL = r"(?:jump|jumping|step|stepping|leap|leaping|fall|falling|roll|rolling|throw myself|throwing myself|walk|walking|drive|driving|steer|swerve|crash|crashing|lie down|lying down|let go|letting go|slip|slipping|swim|swimming)"


def _form(kind: Kind, weight: float, *patterns: str, negatable: bool = True) -> tuple[Form, ...]:
    return tuple(Form(kind, weight, re.compile(pattern), negatable) for pattern in patterns)


FORMS: Final[tuple[Form, ...]] = (
    # to do it
    *_form(
        "intent",
        2.0,
        rf"{_I}{_WILL} (?:{_W}){{0,3}}?(?:to )?{_KILL} (?:myself|my own life|my life)\b",
        rf"{_I}(?:am |feel |been |keep |have been ){{0,2}}(?:thinking|think|thought|fantasi\w+|dream\w*|obsess\w*|plan\w*|consider\w*|imagin\w+|stop thinking) (?:{_W}){{0,3}}?(?:suicide|killing myself|ending (?:it|my life|everything|it all|things))",
        rf"{_I}(?:kill|off|hang|shoot|drown) myself\b",
        rf"{_I}(?:{_WILL} )?(?:to )?(?:commit|committing|attempt|attempting|die by|do a) suicide\b",
        r"\b(?:i am|i feel|i have been|been|feeling|i get|i got|i am feeling|makes me|being|actively|passively|still|so|very) suicidal\b|^suicidal\b",
        r"\bmy (?:suicide|suicidal)\b|\bsuicidal (?:thoughts|ideation|urges|again|lately|right now)\b|\bsuicide (?:note|plan|attempt) (?:is|i|ready|on)\b",
        rf"{_I}{_WILL} (?:{_W}){{0,3}}?(?:to )?(?:take|taking|end|ending) (?:my (?:own )?life|it all|everything|it for good|my existence|my suffering|my pain|my misery|this life|this existence)\b",
        r"\b(?:end|ending|finish|finishing) it (?:all|for good|tonight|tomorrow|today|now|soon|once and for all|myself|my way)\b",
        r"\b(?:take|taking|took|end|ending) my own life\b",
        rf"{_I}(?:{_WILL} )(?:to )?(?:overdose|od)\b|\bi (?:have )?(?:just )?overdosed\b",
        rf"{_I}{_WILL} (?:to )?(?:do it|go through with it|pull the trigger|join (?:her|him|them|my \w+) (?:in|soon|on the other side|up there))\b.*\b(?:tonight|this time|soon|tomorrow|finally|on \w+day)\b",
        rf"{_I}{_WILL} (?:{_W}){{0,2}}?(?:to )?(?:be with|see|join) (?:her|him|them|my \w+|\w+) (?:again )?(?:in heaven|on the other side|where (?:he|she|they) (?:is|are|went))\b",
    ),
    *_form(
        "intent",
        1.0,
        rf"{_I}(?:{_WILL} )?(?:to )?(?:end|ending|finish) (?:it|things)$",
        r"\b(?:permanent|final) (?:solution|exit|way out|sleep|rest)\b|\bway out of (?:this life|life|living|being alive)\b",
        r"\b(?:only|easiest|best|quickest|one) way (?:out|to (?:end|stop) (?:this|it|the pain))\b",
        rf"{_I}(?:am |have |think |guess |know |feel |think i ){{0,3}}(?:ready|prepared|at peace|made (?:my )?peace)\b.*\b(?:to (?:go|die|leave|let go|stop)|with (?:it|dying|death|leaving|going))\b",
        rf"{_I}(?:{_WILL} )?(?:to )?(?:check|checking|opt|opting|bow|bowing) out (?:of (?:life|this (?:life|world|one|whole thing)|everything|all of this)|early|for good|permanently)\b",
        r"\bi (?:tried|attempted) (?:to (?:kill|hang|drown|shoot|end|overdose)|suicide|it (?:once|before|already|last))\b",
        r"\bi do not (?:think|believe|expect) i (?:will|am going to) (?:make it|be (?:here|alive|around)|last|survive|live|see)\b",
        r"\bi (?:will|am going to|might|may) not (?:be (?:here|alive|around)|make it|live|survive|wake up|last) (?:{_W}){0,2}?(?:to|until|till|through|past|much longer|for long|another|by|the night|this week|tonight|tomorrow|come|long)\b".replace("{_W}", _W),
        negatable=False,
    ),
    # wishing to be dead
    *_form(
        "wish",
        1.6,
        rf"{_I}(?:want|wish|hope|need|would like|would love|would rather|rather|prefer|pray|decided|going|plan|long|trying|try) (?:{_W}){{0,2}}?(?:to )?(?:not (?:be (?:here|alive|around|born)|exist|live|wake up)|never (?:wake|be|exist|have been)\w*)\b",
        r"\bi (?:really |just |sometimes |often |still |honestly |kind of |secretly ){0,2}(?:wish|wished|hope|pray|prayed) (?:that )?(?:i|god|someone|something|it|a \w+|the \w+|death|every night|each night|i could just|to god) (?:{_W}){0,6}?(?:dead|die|died|dying|never been born|not been born|not born|never born|not wake|never wake|never woke|not woken|kill me|take me|end it|not exist|not here|not alive|gone|disappear|did not exist|fall asleep forever|go to sleep|ran me over|run me over|hit me|be over)\b".replace("{_W}", _W),
        rf"\bi (?:would|should|ought to|might as well|may as well|deserve to|wish i) (?:{_W}){{0,2}}?(?:rather|prefer|have|be|to|just)? ?(?:to )?(?:be |have )?(?:dead|died|die|not be alive|never been born)\b",
        r"\b(?:better|happier|easier) (?:off )?(?:dead|being dead|if i (?:was|were|am|had) (?:dead|gone|not here|never|not))\b",
        r"\b(?:want|wish|need|hope|love|like|prefer|rather|able) (?:\w+ )?(?:to )?(?:go to sleep|fall asleep|close my eyes|go to bed)(?: and)?(?: just)? (?:not|never|forever|and not) ?(?:wake|waking|open|woken)?",
        r"\b(?:not|never) (?:wake|waking) up (?:again|tomorrow|anymore|at all|in the morning|one day)?\b.*\b(?:relief|peace|nice|fine|okay|ok|welcome|wonderful|lovely|beautiful|hope|wish|want|like|prefer|good|mind|better|perfect|bliss)\b|\b(?:relief|peace|nice|fine|okay|hope|wish|want|would not mind|like|love|good|better|best|comfort\w*|appeal\w*|sounds)\b.*\b(?:not|never) (?:wake|waking) up\b",
        r"\b(?:would not|will not|do not) (?:mind|care) (?:if i|dying|being dead|not waking|whether i)\b(?=.*\b(?:die|died|live|lived|dead|dying|wake|woke|waking|hit|crash\w*|disappear\w*|survive\w*|make it|gone|fell|jump\w*|drown\w*|alive)\b)",
        r"\bdeath (?:would|will|sounds|seems|feels|looks|is starting|feels like|is) (?:\w+ ){0,3}?(?:relief|release|mercy|peace|peaceful|comfort\w*|welcome|escape|rest|nice|kind|kinder|easier|friend|better|answer|inviting|gift|calling|only)\b",
        r"\b(?:longing|long|looking forward|waiting|beg|begging|praying|ready|wishing|yearn\w*|crave|craving) (?:for|to) (?:my )?(?:death|die|the end|it to end|it all to end|eternal)\b",
        rf"\b(?:i|me) (?:{_W}){{0,4}}?(?:do not|did not|no longer|never|not) (?:{_W}){{0,2}}?(?:want|wanted|wanting|wish|like|care|deserve|need|plan|intend|expect|feel like|feel the need|able|hope|see myself)(?:ed|ing)? (?:{_W}){{0,3}}?(?:to )?(?:live(?! (?:next|in|with|near|here|above|below|on|at|off|by))|living(?! (?:next|in|with|near|here))|be alive|being alive|exist|existing|be here anymore|be in this world|be on this (?:earth|planet)|wake up|waking up|see (?:tomorrow|the morning|another|my next|next)|go on living|keep living|keep existing|stay alive|be around anymore|survive|breathe|breathing|carry on living)\b",
        r"\b(?:did not|should not|should never|never should|was not supposed to|was never supposed to|was never meant to|shouldn) (?:\w+ ){0,2}?(?:been born|have been born|be born|be alive|exist|have existed|have survived|survive)\b",
        r"\bwhy (?:am i|did i have to|do i) (?:even |still )?(?:alive|exist|live|wake up|bother (?:living|existing|breathing)|survive|be born)\b|\bwhy was i (?:even )?born\b",
        r"\b(?:living|life|existing|existence|being alive|breathing|waking up) (?:is|has become|feels|just feels|hurts|seems|is just|is too|got) (?:\w+ ){0,3}?(?:unbearable|torture|a chore|a punishment|not worth|pointless|too (?:much|hard|painful|heavy)|agony|meaningless|hell|a burden|exhausting|so much|impossible|worthless)\b",
        r"\b(?:not|never) (?:be|being|exist|existing) (?:here|alive|anymore|at all)\b.*\b(?:better|easier|relief|peace|nice|simpler|solve|quieter|fix)\b",
        r"\b(?:i )?(?:do not|did not|no longer|not) want (?:to )?(?:be|wake|exist|continue|go on|live|keep going)(?: up| here| around)? (?:any more|anymore|any longer|tomorrow|at all|in this world|on this earth)\b",
        r"^(?:i )?(?:just |really |honestly )?(?:do not|not) want to (?:be here|exist|be|go on|continue|keep going|wake up|do (?:this|life|living))(?: (?:anymore|any longer))?$",
        r"\b(?:do not|not) want to (?:do|be) (?:this|life|living|alive|me|here) anymore\b",
        negatable=False,
    ),
    *_form(
        "wish",
        1.6,
        rf"{_I}(?:{_WILL} |long |ache |beg |begging |pray |deserve |ready ){{1,2}}(?:{_W}){{0,2}}?(?:to )?(?:die|be dead|perish|be no more|cease (?:to (?:exist|be)|existing)|stop existing|stop being alive|stop living|disappear (?:forever|for good|completely|from (?:this|the) (?:world|earth)|permanently)|vanish (?:forever|for good)|sleep forever|sleep and never)\b",
        r"\bi (?:\w+ ){0,2}?(?:am|was|feel|felt|been|wake up) (?:\w+ ){0,2}?(?:disappointed|angry|upset|sad|sorry|annoyed|gutted) (?:\w+ ){0,3}?(?:to wake|to have woken|i woke|that i (?:woke|wake|am still|survived)|to still be (?:here|alive)|when i wake|because i woke|at waking)\b|\bwoke up again (?:, )?(?:unfortunately|sadly|damn|and (?:hated|cried|wished))\b",
        r"\b(?:can not|do not|could not|never) (?:\w+ )?(?:imagine|see|picture|expect|plan|plan on|think of) (?:\w+ )?(?:being|myself|to be|i will be) (?:\w+ )?(?:here|alive|around|old|living)\b(?!.*\b(?:office|company|job|party|town|flat|city|queue)\b)",
        r"\bonly (?:thing|reason|person|one|thing that is)s? (?:\w+ ){0,2}?(?:keeping me|that keeps me|keeps me|holding me|i am still|i (?:have )?not (?:done|gone|ended)|i stay|i get up|i have stayed|tethering me|i am) (?:\w+ )?(?:here|alive|going|on this|around|breathing|done it|it|in this world|from (?:doing|ending|jumping|dying|it))\b(?!.*\b(?:party|job|company|town|work|queue|bar is|coffee|wifi)\b)",
        rf"{_I}(?:think|thinking|thought|thoughts|fantasi\w+|dream|dreaming|daydream\w*|obsess\w*|imagin\w+|pictur\w+) (?:{_W}){{0,3}}?(?:about |of )?(?:my (?:own )?(?:death|funeral)|dying|being dead|death (?:a lot|constantly|every|all|more)|not (?:being|existing|waking)|ending (?:it|things|everything|my life|it all)|disappearing forever|jumping (?:off|from|in)|crashing|driving off|overdosing|hanging)\b",
        r"\btired of (?:\w+ )?(?:living|being alive|existing|life|breathing|waking up|this life|surviving|being here|this world)\b|\b(?:sick|exhausted) of (?:living|being alive|life|existing)\b|\btoo tired to (?:live|keep living|go on|exist|carry on|stay alive|keep going)\b",
        r"\b(?:done|finished|through) (?:with )?(?:living|life|being alive|existing|this life|this world|fighting to live|my life|the world|all of it|breathing)\b",
        r"\b(?:lost|losing|have lost|lose) (?:\w+ )?(?:the |my )?(?:will|desire|reason|strength|want) to (?:live|go on|keep|continue|carry|be alive|exist|fight|wake)\b|\bno will to live\b",
        r"\b(?:given|giving|give|gave) up (?:on )?(?:life|living|on living|on life|on myself|completely and)\b",
    ),
    # being a burden
    *_form(
        "burden",
        1.2,
        rf"\b{_PEOPLE} (?:would|will|is|are|might|may|could|be|would all|will all|would be|would probably|will probably|would finally|would just|would honestly) (?:{_W}){{0,3}}?(?:be )?(?:so much |much |far |a lot |way |all )?(?:better|happier|easier|lighter|simpler|relieved|freer|richer|fine|safer)(?: off)? (?:without me|when i am (?:gone|dead|not)|if i (?:was|were|am|had|just|did|died|disappeared|left this|stopped|never|vanished|wasn)|once i am (?:gone|dead|not)|with me (?:gone|dead|out)|after i am (?:gone|dead)|not having me)",
        r"\b(?:better off|happier|easier|lighter|better place|breathe easier) without me\b",
        r"\b(?:nobody|not a soul|no person|not one person|none of (?:them|you)|they|you|he|she|people|anyone|who) (?:would|will|is going to|even|ever|would even|would ever|would really|will even|would not|will not|won) (?:\w+ ){0,2}?(?:notice|miss|care|cry|mourn|come to my funeral|find me|look for me|realise|realize|know)(?: \w+){0,3}? (?:me|if i|when i|that i|whether i|i am gone|for days|for weeks|my)\b(?! (?:am|was) (?:late|wearing|there|joking|early))",
        r"\bworld (?:would|will|does) (?:not )?(?:be|keep|go|spin|turn|need|even|miss|notice).{0,25}\b(?:without me|if i|me)\b",
        r"\b(?:worth|insurance|money|policy|payout)\b.{0,40}\b(?:more|better) dead (?:than alive)?\b|\bworth more dead\b|\blife insurance\b.{0,50}\b(?:me|i am|gone|dead|suicide|them|kids|pay)\b",
        r"\bi (?:only |just |always )?(?:ruin|drag down|poison|destroy|infect) (?:everyone|everything|everybody|every life|everyone around).{0,60}\b(?:should|gone|without|better|leave|disappear|end)\b",
        negatable=False,
    ),
    *_form(
        "burden",
        1.1,
        r"\b(?:if|when|after|once|suppose) i (?:\w+ )?(?:disappeared|died|was gone|were gone|vanished|was not (?:here|around)|were not (?:here|around)|am gone|was dead|were dead|just stopped|left this world|did not wake|dropped dead|am dead|never came back|jumped|drowned|ended it)\b.{0,60}\b(?:nobody|not a soul|no person|anyone|who|world|they|everyone|people|would not|relief|better|easier|happier|solve\w*|weeks|days|peace)\b(?!.*\b(?:party|meeting|queue|haunt\w*)\b)",
        r"\bwould (?:anyone|anybody|you|they|people|somebody|someone) (?:\w+ )?(?:miss|notice|care|mind|cry|come|remember)(?: (?:me|about me|if i .*|for me|to my funeral|that i .*))?$(?!.*\b(?:late|haircut|joke|window)\b)",
        r"\b(?:they|you|everyone|people|he|she|my \w+) (?:would|will) (?:\w+ )?(?:be relieved|sleep better|be free of me|get over it|forget me|move on|finally be (?:free|happy|at peace)|not have to (?:deal|worry|carry|look after|put up|see|pay|be ashamed))\b(?=.*\b(?:me|i|anymore|it|gone|without|quick\w*|soon|eventually)\b|$)(?!.*\b(?:deadline|job|breakup)\b)",
        negatable=False,
    ),
    *_form(
        "burden",
        0.7,
        r"\bi am (?:just |only |nothing but |such |always |becoming |being |a total |nothing more than |like ){0,3}(?:a |an )?(?:burden|dead weight|waste of (?:space|oxygen|air|breath|life|skin|a life)|liability|weight on (?:everyone|them|my)|drain on|parasite|mistake)\b",
        r"\b(?:burden|dead weight|weight) (?:on|to|for) (?:everyone|them|my|people|you|the)\b",
        r"\bnobody (?:would|will|needs?|wants?|loves?|cares?) (?:about )?(?:miss )?me\b|\bnot needed (?:by|here|anymore)\b",
        r"\b(?:do not|not) deserve to (?:be here|be alive|live|exist|breathe|take up)\b",
        r"\btaking up (?:space|air|oxygen|room)\b",
        r"\bi (?:hate|loathe|despise|disgust|can not stand) (?:being )?(?:myself|me|my life|who i am)\b",
        r"\bi am (?:so |completely |utterly |totally |just |a ){0,2}(?:worthless|useless|a failure|nothing|broken beyond|beyond (?:help|saving|repair)|unlovable|disgusting|pathetic)\b",
        negatable=False,
    ),
    # saying goodbye
    *_form(
        "farewell",
        1.2,
        r"\b(?:by the time|when|if) (?:you|anyone|someone|they) (?:read|reads|see|sees|get|gets|find|finds|hear|hears) (?:this|me|it|my)\b.{0,40}\b(?:i will|gone|late|over|dead|already|not be|be at peace)\b",
        r"\bgoodbye (?:, )?(?:cruel )?(?:world|everyone|forever|all of you|to (?:everyone|you all|all of you|the world|life|my (?:kids|family|mother|children)))\b",
        r"\b(?:my|a) (?:last|final) (?:goodbye|words|letter|message|note|night (?:alive|on earth|here ever|on this)|day (?:alive|on earth|on this)|sunset|sunrise|post|drink (?:ever|on earth|in this life)|conversation ever|wish|evening alive|beer ever|round ever)\b",
        r"\b(?:this|it|tonight|today|tomorrow) (?:is|will be|might be|may be|was) (?:\w+ )?(?:my|the) (?:last|final) (?:goodbye|night|day|time|message|drink|evening|thing i|conversation|you will|christmas|birthday|summer|winter)\b",
        r"\b(?:you|they|nobody) (?:will|would|are|is|wo) (?:not|never|going to not) (?:be )?(?:see|seeing|hear|hearing|need|have to|find) (?:\w+ )?(?:from |about |to worry about |with )?me (?:again|anymore|after|ever|much longer|tomorrow)\b",
        r"\b(?:wrote|written|writing|finished|left|leaving|have|sealed|drafted|write) (?:\w+ ){0,3}?(?:goodbye|suicide|farewell|last|final) (?:letters?|notes?|messages?|emails?|videos?|texts?)\b",
        r"\b(?:letters?|notes?|envelopes?) (?:is|are|for (?:my|each|everyone|the|you)|to (?:my|each|everyone)).{0,40}\b(?:goodbye|after|when i am gone|explain\w*|sealed|on the (?:table|desk|counter|kitchen)|in the drawer|for when)\b",
        r"\b(?:tell|let) (?:my|them|her|him|the|everyone) (?:\w+ ){0,2}?(?:that )?(?:know )?(?:that )?i (?:\w+ )?(?:loved?|am sorry|was sorry|tried|did my best|forgive|did love|never meant)\b(?!.*\b(?:tomorrow|later|the cake|the food|the song)\b)",
        r"\b(?:look after|take care of|looks? after|feed|watch over|be good to|take) (?:my )?(?:\w+ ){0,3}?(?:for me )?(?:when|after|once|if|because) i (?:am|will not|go|do not|have|leave this|will be) ?(?:gone|be here|be around|dead|not here|make it|here)?\b(?!.*\b(?:holiday|vacation|trip|travel|away|weekend|work|hospital|abroad|week|days|monday|sunday|back)\b)",
        r"\b(?:when|after|once) i am (?:gone|dead|no longer (?:here|around)|not (?:here|around) anymore|buried|in the ground)\b(?!.*\b(?:holiday|vacation|trip|travel|weekend|abroad)\b)",
        r"\bi (?:just )?(?:came|come|called|wanted|want|am here|am writing|stopped by|am only here) (?:\w+ ){0,3}?(?:to say|say) (?:my )?(?:\w+ )?goodbyes?\b(?!.*\b(?:moving|job|abroad|summer|holiday|shift|flight|train home)\b)",
        r"\b(?:said|saying|say) (?:all )?my goodbyes\b|\b(?:last|final) time (?:i|you) (?:will )?(?:ever )?(?:see|come|sit|drink|talk|speak|write|hear|say)\b",
        r"\bi (?:will|am going to) not (?:be|need|be needing) (?:\w+ )?(?:it|them|this|that|any of (?:it|this)|money|my \w+|here|around|a \w+) (?:where i am going|anymore|much longer|for (?:much )?longer?|after (?:tonight|tomorrow|today|this|sunday|friday)|any longer|for long)\b",
        r"\bwhere i am (?:going|headed)\b(?!.*\b(?:with this|in life|next|on holiday)\b)",
        r"\bdo not (?:\w+ )?(?:look for|wait for|try to (?:find|save|stop)|come (?:looking|after)|blame (?:yourself|yourselves|anyone)|cry for|be sad|mourn|miss) ?(?:me|when)?\b.{0,40}\b(?:me|gone|fault|tonight|anymore|i am|nothing)\b",
        r"\bplease forgive me for what i am\b|\bforgive me for (?:leaving|what i|going|doing this|giving up)\b|\b(?:i am )?sorry (?:for (?:leaving|giving up|what i am about|what i have to)|i could not (?:stay|hold|be stronger|fight|keep)|that i have to (?:go|leave|do))\b",
        r"\bremember me (?:fondly|kindly|as|well|when|with|the way|for)\b",
        r"\bthank(?:s| you)(?: all)? for (?:everything|all|being (?:kind|good|there|nice)|trying|having been).{0,60}\b(?:goodbye|not be (?:here|back|around)|will not see|never see|last (?:time|night|one)|so tired|is over|end|won t|rest now|not coming back|farewell|forever)\b",
        negatable=False,
    ),
    *_form(
        "farewell",
        1.0,
        r"\bi (?:will|am going to|would|do) not (?:be )?(?:need|needing|be needing|have (?:any )?use for|be using|require) (?:\w+ ){0,4}?(?:anymore|soon|where|after|much longer|any longer|tomorrow|now that|again|to know|from now)\b(?!.*\b(?:new (?:job|car|flat|house|phone)|moving|bought|subscription|summer|diet|retire\w*|surgery|glasses|crutches|medication now|umbrella|coat today|recipe)\b)",
        r"\b(?:i )?(?:will|am going to|do not (?:plan|expect|intend|think)) (?:not )?(?:\w+ ){0,3}?(?:be|being|see|seeing|live|make it|around|get) (?:\w+ ){0,3}?(?:christmas|spring|summer|winter|next (?:week|month|year|spring|summer|birthday)|new year|the weekend|my (?:next )?birthday|tomorrow|morning|the end of the (?:week|month|year)|thirty|forty|fifty|old age)\b(?=.*\bnot\b|.*\bdo not\b)(?<=not )?(?!.*\b(?:holiday|vacation|trip|travel\w*|abroad|moving|family|snow|sun|skiing|back|work\w*|off|busy|free|at (?:the|my|home)|concert|party|match|in (?:town|bergen|oslo|london|paris|spain)|job)\b)",
        r"\b(?:do not|never|please|not) let (?:my |her |him |them |the )?(?:\w+ )?(?:find|see) (?:me|my body|it|the body)\b|\bwho (?:would|will|is going to) find me\b|\b(?:find|found|finds|finding) (?:me|my body) (?:in the (?:morning|water|river|bath|snow)|first|hanging|dead|like that|too late|after|before)\b|\bfind my body\b",
        r"\b(?:look|looks|looked|seem) like an accident\b(?!.*\b(?:movie|insurance fraud|detective|spill\w*)\b)",
        r"\b(?:one|only one|just one) (?:thing|job|step|task) left (?:to do|for me)\b(?=.*\b(?:goodbye|over|peace|calm|tonight|nobody|then|end|quiet|done)\b)|\b(?:calm|peaceful|lighter|relieved|free|happy|quiet)\b.{0,40}\b(?:now that|since|because|ever since) i (?:have )?(?:decided|know (?:how|when|it|what)|chose|chosen|made (?:up )?my|stopped fighting|set)\b(?!.*\b(?:job|quit|move|moving|leave him|leave her|divorce|school|degree|career|break up)\b)",
        r"\b(?:see|be with|join|meet|hold|visit) (?:him|her|them|my (?:\w+ )?(?:mother|father|wife|husband|son|daughter|brother|sister|baby|grandmother|gran|dog|friend|love)|you) (?:\w+ )?(?:soon|again soon|on the other side|in heaven|up there|there soon|very soon|tonight)\b(?=.*\b(?:died|dead|gone|passed|late|heaven|grave|funeral|lost|without (?:him|her)|other side|buried|the other side)\b)",
        r"\bstopped (?:making|planning|buying|booking|thinking about) (?:plans|for|the|anything|things|a future|ahead)\b(?=.*\b(?:point|future|be here|need|anymore|around|matter|last)\b)|\b(?:no|not) (?:point|use|sense|reason) (?:in |to )?(?:making|make|planning|plan|buying|buy|booking|renew\w*|saving) .{0,40}\b(?:be here|around|be gone|alive|much longer|anymore)\b",
        r"\btired\b.{0,40}\b(?:sleep|rest|a holiday|night) (?:\w+ )?(?:does not|will not|can not|could not|cannot|would not|never) (?:\w+ )?(?:fix|help|cure|touch|reach|change)\b",
        r"\bkeep the change\b.{0,40}\b(?:not need|need it|going|anymore)\b|\bset(?:tle|tled|tling)? (?:my|up my) tab\b.{0,40}\b(?:for good|last|not be|never|goodbye|owe nobody)\b|\bdo not (?:save|keep) (?:me )?(?:a|my) (?:seat|stool|place|glass)\b.{0,40}\b(?:anymore|tomorrow|not be|again|ever)\b",
        negatable=False,
    ),
    *_form(
        "farewell",
        0.6,
        r"\b(?:wrote|written|writing|finished|sealed|posted) (?:\w+ )?(?:the|my|all|all the|three|four|five|two|some) (?:\w+ )?(?:letters?|notes?)\b(?!.*\b(?:cover|recommendation|application|lecture|love|christmas|bank|exam|meeting|landlord|council)\b)",
        r"\b(?:do|will) not need (?:it|them|any of (?:it|this)|that|anything)(?: anymore| now)?$",
        r"^(?:so )?(?:this is )?goodbye(?: then| now| my friends?| old friend| ,.*)?$",
        r"\bi (?:just )?wanted (?:you|everyone|them|someone) to know\b|\bi love you all\b|\bthank you for everything\b|\bthanks for everything\b",
        r"\bi (?:am|will be) (?:leaving|going away|going|going somewhere|headed) (?:\w+ )?(?:and )?(?:(?:am |will )?not (?:coming|come|be) back|for good|far away|forever|a long way|soon and)\b",
        r"\b(?:not|never) (?:coming|going to come|come) back (?:from|this time|ever|again|after)\b",
        r"\b(?:one|my|the) last (?:drink|round|night|time|beer|whisky|song|walk|look|call|supper|cigarette|sunset)\b",
        r"\bi (?:will|am going to) not be (?:here|around|back|a problem|bothering|in the way|trouble)\b",
        r"(?:\bi am (?:so )?|^)sorry (?:for everything|to everyone|everyone|mother|father|to (?:my|you) (?:\w+)|about all)\b",
        negatable=False,
    ),
    # giving away and settling
    *_form(
        "giving",
        0.7,
        r"\b(?:give|giving|gave|given|handed|handing|left|leaving|passed|donated) (?:\w+ ){0,2}?(?:away|out|on) (?:all )?(?:of )?(?:my|everything|most of my)\b|\b(?:give|giving|gave|given|left) (?:\w+ )?(?:all )?my (?:\w+ ){1,4}?(?:away|to (?:my|a|the|someone|people|him|her|them|his|\w+))\b",
        r"\b(?:found|finding|find|arranged|looking for) (?:\w+ )?(?:a |new |another |good )*(?:home|family|owner|place|somebody|someone) (?:for|to take) (?:my|the|our) (?:dog|cat|dogs|cats|bird|pets?|rabbit|horse|kids|plants|parrot|hamster|old dog)\b",
        r"\b(?:do you want|have|take|keep|you can have|someone should have|can have|wants?|anyone want) my (?:\w+ )?(?:guitar|records|watch|books|car|dog|cat|bike|camera|ring|piano|boat|tools|collection|coat|laptop|paintings|violin|fishing \w+|keys|jacket|vinyl|house|flat|letters|things|stuff)\b",
        r"\bmy affairs (?:are |is )?in order\b|\b(?:affairs|papers|paperwork|everything|finances|accounts|things) (?:is |are |have been |has been )?(?:all )?(?:in order|settled|sorted|arranged|tidied|squared away|taken care of|tied up)\b|\bput(?:ting)? (?:my|everything|all|things|the) (?:affairs|papers|accounts|things|finances)? ?in order\b",
        r"\b(?:wrote|written|signed|updated|finished|making|made|changed|writing) (?:\w+ )?my will\b|\b(?:will|insurance|pension|passwords?|bank details|deeds|keys) (?:is|are) (?:\w+ )?(?:on|in|under|with) (?:the|my|a)\b",
        r"\b(?:paid|paying|settled|cleared|closed|cancelled|cancelling) (?:off |all )?(?:of )?(?:my|all|every) (?:debts?|bills|accounts?|everything|rent|subscriptions)\b",
        r"\b(?:quit|left|resigned from) (?:\w+ )?job\b.{0,60}\b(?:do not need|will not need|no need|does not matter|not matter)\b",
        r"\b(?:do not|does not|will not|not) (?:have to|going to|need to) (?:\w+ ){0,2}?(?:find me|find my body|clean up|deal with (?:it|me|the)|worry about (?:money|the rent|me|it))\b",
        r"\b(?:they are|it is|everything is|all of it is|letters are) (?:\w+ )?(?:on|in) the (?:\w+ )?(?:table|desk|counter|drawer|envelope)\b",
        r"\bso (?:that )?(?:she|he|it|they|nobody|my \w+) (?:will|would|does|do) not (?:be alone|have to|suffer|starve|need to|find|be the one|be left)\b",
        r"\b(?:cancelled|cancelling|cleared|deleted|emptied|wiped) (?:\w+ )?(?:everything|all (?:my|of)|my (?:whole )?(?:calendar|accounts|phone|history|diary|lease))\b",
        r"\bmy funeral\b|\bat my funeral\b|\bplan(?:ned|ning)? (?:\w+ )?(?:my )?(?:own )?funeral\b|\bmy (?:ashes|grave|gravestone|coffin|obituary|eulogy)\b",
        negatable=False,
    ),
    # means and plans
    *_form(
        "means",
        1.2,
        rf"\b(?:i|i have|i am|been|and|,|have|got|the) (?:\w+ ){{0,4}}?(?:saved|saving|counted|counting|stockpil\w+|hoard\w+|collect\w+|lined|line|lay|laid|laying|poured|swallowed|swallow|took|taken|taking|staring at|looking at|holding|hold|hidden|hid|crushed|crush|stash\w*|bought|ordered|got hold of|have enough|have a (?:bottle|box|drawer|lot|handful|stash|jar|bag)(?: full)? of|a (?:bottle|box|handful|drawer|jar) of) (?:\w+ ){{0,5}}?{_PILLS}\b(?!.*\b(?:headache|prescri\w+|vitamin|doctor (?:said|told)|blood pressure|for my (?:dog|cat)|cold|flu|allerg\w*|migraine|for my (?:back|knee|neck|shoulder|foot|hip|head|tooth|period|wrist)|back pain|toothache|my mother needs|pharmacy|as directed)\b)",
        rf"\b{_PILLS} (?:are |is |all |right |sitting |lined |laid |here )*(?:in front of me|on the (?:table|bar|counter|desk|nightstand|bed)|in my (?:hand|pocket|bag|drawer|coat)|next to me|beside me|enough|would be enough|ready|waiting|counted)\b(?!.*\b(?:headache|prescri\w+|vitamin|doctor)\b)",
        rf"\b(?:enough|all (?:of )?(?:my|the|those|these)|whole (?:bottle|box|packet) of|handful of|too many|every one of (?:my|the)|rest of (?:my|the)) (?:\w+ )?{_PILLS}\b(?!.*\b(?:headache|vitamin)\b)",
        rf"\bi (?:have |just |already |finally |went and |also |even ){{0,2}}(?:bought|got|have|found|ordered|tied|tying|loaded|own|keep|kept|borrowed|hold|holding|am holding|took|picked up|brought|hid|sharpened) (?:\w+ ){{0,3}}?(?:a |the |my |some |that )(?:\w+ )?(?:{_WEAPON})\b.*\b(?:ready|tonight|end|enough|myself|head|mouth|neck|garage|attic|wrists?|drawer|pocket|do it|over|use it|for me|beam|car|lap|waiting|hook|alone|last|goodbye|rafters|bathtub|loaded|no more|this|him|them)\b",
        r"\b(?!.*\b(?:shav\w+|foam|beard|cook\w*|chop\w*|bread)\b)(?:gun|pistol|knife|blade|razor|barrel|noose|rope) (?:is |was |right |sitting |here ){0,3}(?:in|to|at|against|around|on|next to|beside) (?:my (?:hand|mouth|head|temple|neck|throat|wrists?|lap|skin|arm|drawer|bag|pocket|chest)|me|the (?:table|beam|hook|bathtub|garage) (?:and|waiting))\b",
        rf"\b(?:i am|am|i|i have been|been|i was|here|i went|i go|i will go|keep going|keep|i walked|i drove|now|currently) (?:\w+ ){{0,4}}?(?:on|at|to|over|by|near|off|from|up on|out on) (?:the |a |that |this )?(?:\w+ )?{_EDGE}\b.*\b(?:jump\w*|alone|water|look\w* down|down|cold|over|end|myself|step|fall|let go|goodbye|nobody|tonight|dark|drop|too (?:high|long)|easy|wind|again|thinking|how far|never|done|so high|one step|long way)\b(?!.*\b(?:photo\w*|picnic|view is|fishing|tour\w*|kids|bungee|dive|diving|beautiful view|selfie|wedding)\b)",
        rf"{_I}(?:{_WILL} |am |keep |been |have been ){{0,3}}(?:to )?(?:thinking (?:about|of) )?{_FALL} (?:off|from|in front of|into|under|onto|out of|over|towards?|out to) (?:the |a |that |this |an |my )?(?:\w+ ){{0,2}}?(?:bridge|train|bus|truck|lorry|tram|traffic|roof|rooftop|balcony|cliff|ledge|building|overpass|tracks|platform|water|river|sea|ocean|lake|harbour|fjord|tree|wall|lamppost|oncoming|railing|window|metro|subway|car park|motorway|highway|rails|lake and|median|guardrail|void|edge|pier|quay)\b(?!.*\b(?:swim\w* (?:in|for|with)|summer|holiday|bungee|dive|diving|parachute|kids|sauna|sunset|morning swim|photo\w*|cold plunge|with friends|picnic|to get to|for charity|for fun|catch|ice bath)\b)",
        r"\bhow (?:many|much|high|deep|long|far|cold|fast|painful|easy|hard) (?:\w+ ){0,12}?(?:to (?:kill|die|overdose|drown|bleed|be fatal|be lethal|end|not wake|pass out and|freeze|hang|suffocate|stop (?:a|my) heart)|until (?:i|you|a person|someone|it) (?:die|dies|is over|stops?|drowns?|freezes?|bleeds?|passes|loses? consciousness|not)|be (?:lethal|fatal|enough to die)|before (?:i|you|it|someone|a person) (?:die|drown|pass|is over|stop|freeze|dies|drowns|loses?))\b(?!.*\b(?:dragon|zombie|boss|weeds?|rats?|mosquito\w*|ants?|hamster|tree|plants?|bacteria|villain|process|virus|game|mould|fungus|vampire|character|chapter|novel)\b)",
        r"\b(?:least|most|less) (?:painful|painless|messy) way\b|\bpainless (?:way|method|death)\b|\bquickest way to (?:die|go|end)\b|\b(?:easy|easiest|quick|painless|sure|best|good) (?:way|ways|method|methods) (?:to|of) (?:die|dying|kill myself|end (?:it|my life|things)|suicide|overdose|go)\b",
        r"\b(?:does|would|will|is) (?:it|drowning|hanging|freezing|falling|jumping|dying|bleeding out|hypothermia|an overdose|overdosing) (?:\w+ )?(?:hurt|painful|quick|be quick|be painful|painless|peaceful|take long)\b.*\b(?:die|drown\w*|hang\w*|jump\w*|overdos\w*|dying|freez\w*|fall\w*|bleed\w*|i|me|hypothermia)\b(?!.*\b(?:novel|chapter|character|victim|frog|fish|lobster)\b)",
        r"\b(?:lethal|fatal|deadly) (?:dose|amount|overdose|combination|mix|fall)\b(?!.*\b(?:news|detective|novel|accident)\b)",
        r"\bi (?:have|know|know exactly|worked out|figured out|planned|decided|have decided|have planned|have worked out|picked|chose|have chosen|already have|have got|made|have made|finally have) (?:out )?(?:a |the |my |exactly |it all |everything |which ){0,3}(?:method|how (?:i will|i am going to|to do it|i would do it)|way (?:i will|to do it|to go)|place where i (?:will|am going to)|plan (?:to (?:end|die|kill|do it|go|leave)|for (?:how|when|tonight|ending|after|doing it)|now and)|spot (?:on the bridge|where))\b",
        r"\bi (?:have )?(?:just )?(?:swallowed|took|taken) (?:all|everything|too many|the whole|a whole|forty|thirty|twenty|fifty|sixty|a lot of|a handful|the lot|them all|so many|\d\d+)\b(?!.*\b(?:photos?|pictures?|notes|exam|minutes|crisps|chips|biscuits|cookies|sweets|food|day off|credit|blame|wickets|steps|vitamins?)\b)",
        r"\b(?:walk|swim|wade|row|sail|paddle) (?:\w+ )?(?:into|out to|out into|out in|in) (?:the |to )?(?:\w+ )?(?:sea|water|ocean|lake|river|fjord|waves|snow|woods|forest|cold|harbour|storm)\b.{0,40}\b(?:not (?:come|coming|turn|stop|return|swim)|never (?:come|return|stop|turn)|until (?:i|it)|and (?:keep|just keep|stay|lie)|keep (?:walking|going|swimming))\b",
        r"\b(?:car|garage|engine|oven|hose|exhaust)\b.{0,30}\b(?:running|door shut|doors? closed|sealed|windows up|fumes)\b.{0,40}\b(?:sleep|end|over|peace|asleep|drift|and i|alone)\b",
        r"\b(?:slit|slitting|slash|slashing|cut|cutting|open|opening) (?:my|both my|the) (?:wrists?|throat|veins?|arteries)\b",
    ),
    *_form(
        "means",
        1.0,
        r"\b(?:would|does|will|is|do you think|i wonder if|wonder whether) (?:\w+ )?(?:drowning|hanging|freezing|falling|jumping|dying|bleeding out|hypothermia|an overdose|overdosing|carbon monoxide) (?:\w+ )?(?:hurt|hurts|painful|quick|be quick|be painful|painless|peaceful|take long|really hurt)\b(?!.*\b(?:novel|chapter|character|victim|frog|fish|lobster)\b)",
        r"\b(?:how|what) (?:\w+ ){0,3}?(?:people|someone|a person|you|one) (?:\w+ )?(?:survive|die|feel|think|drown|last) (?:\w+ ){0,4}?(?:jump\w*|fall\w*|overdos\w*|hanging|in (?:the|that) (?:cold )?water)\b(?!.*\b(?:novel|chapter|film|titanic|swimming course|safety|rescue|documentary|polar)\b)",
        r"\b(?:looked|looking|look|been looking|googled|googling|read|reading|been reading|researched|researching|searched) (?:up |into |about |for )?(?:\w+ ){0,2}?(?:how (?:long|much|many|high|to)|ways|methods|doses?|what happens (?:when|if)|whether)\b.{0,50}\b(?:drown\w*|hang\w*|hypothermia|overdos\w*|die|dying|fall|bleed\w*|lethal|fatal|jump\w*|carbon monoxide|suicide|kill (?:myself|you|a person|me)|freeze to death|pills)\b(?!.*\b(?:novel|thriller|book|story|documentary|safety|rescue)\b)",
        r"\b(?:floor|storey|metres|meters|feet|drop|bridge|roof|balcony|cliff|building)\b.{0,25}\b(?:high|far|tall|deep|long) enough\b(?!.*\b(?:shelf|ceiling|dive|kite|signal|view)\b)|\benough to (?:kill (?:me|a person|someone|a horse)|not wake up|end it|do it|stop my heart|put me (?:to sleep|under) (?:forever|for good))\b",
        r"\b(?:thinking (?:about|of)|think (?:about|of)|thought of|imagine|imagining|picture|picturing|keep seeing|see myself) (?:\w+ ){0,2}?(?:just )?(?:letting go|not braking|not stopping|turning the wheel|letting the car|stepping off|stepping out|walking into|going under|letting go of the wheel|sinking|driving off|driving into|jumping|falling from|swerving)\b(?!.*\b(?:grudge|control|resentment|diet)\b)",
    ),
    *_form(
        "means",
        0.6,
        r"\b(?:one|just one|a single) (?:step|jump|cut|push|pull|slip|second)\b|\ball it (?:would|will|takes?) take\b",
        r"\b(?:looking|look|staring|stare|stared|watching) (?:\w+ )?(?:at|into|down at|out at|over) (?:the |that |this )?(?:\w+ )?(?:water|edge|river|drop|tracks|ceiling beam|rope|pills|knife|bridge|ice|medicine cabinet|traffic below|rails)\b",
        rf"\bi (?:have|bought|got|keep|found|own|ordered|still have) (?:\w+ ){{0,3}}?(?:{_WEAPON}|{_PILLS})\b",
        r"\b(?:bridge|rooftop|ledge|train tracks|railway line|cliff) (?:is|looks|keeps|calls|seems|feels|again|tonight|every night)\b",
        r"\b(?:the|that) (?:water|sea|river|harbour|fjord|ice|train|edge) (?:\w+ )?(?:calls|is calling|looks (?:so )?(?:calm|peaceful|inviting|quiet|soft)|keeps calling|would be (?:quick|quiet|cold enough))\b",
        r"\bcar (?:into|off) (?:a|the) (?:wall|tree|bridge|lorry|truck|cliff|ditch)\b",
    ),
    # a date
    *_form(
        "date",
        1.0,
        r"\bi (?:have |already |finally |just |even ){0,2}(?:picked|chosen|set|chose|decided on|fixed|settled on|circled|know|marked|got) (?:on )?(?:a|the|my) (?:date|day|night|hour|time and place|when)\b(?! (?:for|of|to|with|at|in|on which we|we|she|he|they|when we|that works|i start|i move|i fly|my exam))(?!.*\b(?:wedding|party|dinner|trip|exam|surgery|operation|move|moving|flight|holiday|meeting|launch|interview|concert|appointment|baby|christening|moves|app|tinder|calendar invite|we|our|picnic|gig|race|marathon|venue|dentist|release|ceremony)\b)",
        r"\b(?:date|day) (?:is|has been|was) (?:\w+ )?(?:set|picked|chosen|fixed|decided|circled)\b(?!.*\b(?:wedding|party|trip|exam|surgery|operation|move|launch|interview|concert|we|our|ceremony|baby|election|release)\b)",
        r"\b(?:tonight|tomorrow|friday|saturday|sunday|monday|tuesday|wednesday|thursday) (?:is|will be) (?:the|my) (?:night|day|last|end|one)\b(?!.*\b(?:wedding|party|exam|race|interview|concert|game|match|show|gig|date|premiere|launch|proposal|birthday|finals?|recital)\b)",
        r"\b(?:it|this|everything|all this|all of this|all of it|the pain|the noise|my (?:pain|suffering|problems|troubles)) (?:will|is going to|can|should) (?:finally |all |soon |just )?(?:be )?(?:over|end|stop|finished|done|quiet|gone)(?: \w+){0,2}? (?:by|tonight|tomorrow|soon|after|on|before|this week|in a few|forever|for good|for me)\b(?!.*\b(?:exams?|project|renovation|winter|deadline|course|semester|construction|shift|election|tax|move|audit|tour|thesis|season|contract|building work|roadworks|match|training|treatment|chemo)\b)",
        r"\b(?:after|by|come|before) (?:tonight|tomorrow|today|friday|saturday|sunday|monday|tuesday|wednesday|thursday|christmas|new year|my birthday|the weekend|this|then|the funeral|next week|morning|spring)\b.{0,40}\b(?:nobody will (?:have|need)|i will (?:be (?:gone|dead|at peace|free|no more|out|with)|not be|no longer|never)|none of (?:this|it) (?:will )?matters?|nothing (?:will )?matters?|no more me|it will not matter|will not be (?:my problem|here|a problem|around)|you will not have to|there will be no)\b(?!.*\b(?:holiday|vacation|retire\w*|new job|moving|move to|flight|graduat\w*|abroad|leave)\b)",
        r"\bi (?:have )?(?:made|come to|reached) (?:up )?(?:my|a|the) (?:decision|mind|peace|choice)\b(?:.{0,50}\b(?:no|calm|peace|over|relief|nobody|cannot stop|go|end|final|tonight|not scared|at last|goodbye|let go|it)\b)(?!.*\b(?:job|buy|paint|move|car|flat|apartment|study|degree|college|marry|propose|order|haircut|puppy|dog|beer|menu|tattoo|divorce|boat|wine|diet|vote|school|salad|team)\b)",
        r"\bi (?:have )?(?:finally )?(?:decided|figured out|know) (?:when|how|where) (?:i am going|i will|it (?:will )?ends?|to end|it happens)\b|\bthis time (?:i|it) (?:will|am going to) (?:\w+ )?(?:work|do it|not fail|get it right|succeed)\b.*|\bi have (?:set|picked) (?:the|a) date\b$",
        r"\b(?:only|just|two|three|four|a few|few more|one more|\d+) (?:more )?(?:days?|nights?|hours?|weeks?|sleeps?) (?:left|to go|until|till|and then|more and)\b.{0,30}\b(?:it is over|peace|i am (?:done|gone|free)|it ends?|the end|no more|it all stops|i can (?:rest|stop|go)|and then nothing)\b(?!.*\b(?:holiday|exam|vacation|wedding|christmas|trip)\b)",
        negatable=False,
    ),
    # self-harm
    *_form(
        "selfharm",
        1.2,
        rf"{_I}(?:{_WILL} |am |have |been |keep |started |start |was |still |again |almost |back to |want to |need to ){{0,4}}(?:to )?{_HARM} (?:myself|my (?:arms?|wrists?|thighs?|legs?|skin|body|own skin|hands?|stomach))\b(?!.*\b(?:shaving|shave|cooking|kitchen|onions?|slack|off|some|a slice|a break|short|bread|potato\w*|oven|stove|iron|pan|tin|glass while|paper|chopping|carrots?|pizza|by accident|accidentally|gym|running|falling|football|skiing|in half|sun|tanning|on the beach|hair)\b)",
        r"\bi (?:have |just |am |was |keep |started |want to |need to |still )*(?:cut|cutting|burn|burning|hurt|hurting|harm|harming|scratch\w*|hit|hitting|carv\w+|slic\w+) (?:myself|my (?:arms?|wrists?|thighs?|legs?|skin|stomach))\b(?: (?:again|tonight|last night|because|to|until|every|and|so|when|just|deeper|on purpose|lately|more))\b(?!.*\b(?:shaving|cooking|onions?|chopping|accident|slack|paper|gym)\b)",
        r"\b(?:i|my|me|been|to|started|again|am|the urge|urges?|back|relapsed|want|wanting)\b.{0,30}\bselfharm\b(?!.*\b(?:campaign|awareness|training|course|article|study|policy|patients|students)\b)",
        r"\b(?:blade|razor|scissors|lighter|knife|needle)\b.{0,40}\b(?:my (?:skin|arms?|wrists?|thighs?|legs?)|only thing that (?:helps|calms)|feel something|relief|calls|under my (?:pillow|mattress|bed)|bathroom floor)\b(?!.*\b(?:shav\w+|cook\w*|chop\w*)\b)",
        r"\b(?:new|fresh|hiding|hide|more|the|my) (?:cuts|scars|burns|marks|bandages) (?:on|under|from|up|again|are)\b.*\b(?:my|sleeves?|myself|arms?|wrists?|thighs?|again)\b(?!.*\b(?:cat|kitten|surgery|operation|football|oven|accident|climbing|kitchen)\b)",
        r"\b(?:started|back to|been|am|i keep|can not stop|stop) cutting (?:again|myself|every|at night|because|to feel)\b|\bi (?:am|have been|was) cutting$|\bi cut again\b|\blong sleeves\b.{0,40}\b(?:see|cuts|hide|arms|ask)\b",
        r"\bhave not eaten (?:in|for) (?:days|a week|four|five|six|\d)\b.{0,50}\b(?:deserve|want to|punish|disappear|fade|die|on purpose)\b|\bstarv\w+ myself\b|\bbang\w* my head (?:against|on|into) (?:the|a) wall (?:until|again and again|till i bleed|so it stops)",
    ),
    # hopeless and final
    *_form(
        "hopeless",
        1.0,
        r"\b(?:no|without|not any|not a|not a single|lost all|lost every|not one|any|what is the|what is even the|is there (?:a|any|even a)|see no|see the|see any|find (?:a|any|one|no)) (?:\w+ )?(?:reason|point|purpose|sense|use|hope) (?:left )?(?:to|in|of|for) (?:\w+ )?(?:live|living|go on|going on|keep going|continu\w+|be here|being here|stay|staying|exist\w*|get up|getting up|carry on|carrying on|be alive|being alive|wake up|waking up|life|being|trying anymore|me to (?:be|live|stay)|any of (?:it|this)|anything anymore|breath\w*|me anymore|surviv\w*|fight\w* anymore|hold\w* on|another day|tomorrow)\b(?!.*\b(?:camus|essay|philosoph\w+)\b)",
        r"\b(?:do not|can not|could not|no longer|never|not) (?:\w+ )?(?:see|find|imagine|have|picture) (?:\w+ )?(?:a|any|my|the|one) (?:\w+ )?(?:future|way out|way forward|way through|tomorrow|reason (?:to (?:live|stay|go on|be|get up|keep|carry|exist)|not to)|light|life (?:after|beyond|for me))(?: for me| anymore| left| in (?:this|it|anything)| ahead)?\b(?!.*\b(?:company|job|relationship|with (?:him|her)|marriage|band|industry|league|team|this town|career)\b)",
        r"\b(?:run|ran|running) out of (?:reasons|hope|road|strength|fight|options|ways|things to live)\b(?!.*\b(?:coffee|milk)\b)",
        r"\bnothing (?:\w+ )?(?:left )?(?:(?:worth|to) (?:live|living|stay|live) ?(?:for)?|to (?:live|look forward to|lose anymore|stay|hold on|keep me|offer)|keeping me (?:here|alive)|left (?:for me|in me|here for me|to give|of me)|holding me (?:here|back anymore))\b",
        r"\b(?:life|living|it|my life|this life) (?:is|was|feels|just is) (?:\w+ )?not worth (?:living|it|the pain|continuing|anything)(?: anymore| any longer)?$|\bnot worth living\b|\b(?:i am )?not worth (?:saving|living|keeping|helping|being)\b",
        r"\b(?:can not|could not|not able to|unable to|no longer) (?:\w+ ){0,2}?(?:go on|keep going|carry on|live|keep living|bear it|bear to (?:live|be)|face (?:another|tomorrow|living|the day|one more|life)|survive|hold on|fight|keep (?:fighting|doing this|pretending|breathing|this up)|take (?:it|this|life|the pain|living)|stand (?:it|living|being alive|my life|the pain)|cope|do (?:this|it|life)|continue|handle (?:it|this|being|life|living)|endure|stay alive|exist|last)(?: (?:like this|this|it|life|living|with this|on|in this|alone|without (?:her|him|them|my)))?(?: (?:anymore|any longer|much longer|another \w+|one more \w+|at all|again))(?!.*\b(?:job|commute|noise|neighbou?rs?|diet|boss|heat|weather|spreadsheets?|meetings?|homework|chair|shoes|traffic|landlord|flatmate|roommate|printer|emails?|snoring|kale|queue|music|project|referee|team|coffee|hair|thesis chapter|marathon|plank|gym|workout|small talk|winter|rain|burpees|squats)\b)",
        r"\b(?:there is|i have|i see|see|got|has|have|is) no (?:\w+ )?(?:future|tomorrow|hope|way out|escape|exit|life|other way|other option|light)(?: left| for me| anymore| ahead| here| in sight| out)?$|\bno (?:way out|hope left|future (?:for me|left)|tomorrow for me|light at the end)\b|\bno way out of (?:this|it|here|my)\b",
        r"\b(?:it|things|nothing|life|my life|this) (?:will|is|does|are|is ever|is never|would|can|is not|has|gets|get) (?:never|not|ever) (?:\w+ ){0,2}?(?:get|gets|going to get|be|become|getting|change|improve|stop|be okay|end|gotten)(?: any)? ?(?:better|okay|easier|good|hurting|right|well|over)?(?: for me| again| anymore| ever)?$(?<!change)(?<!be)(?<!get)",
        r"\b(?:want|wish|need|make|begging for|please let|just|pray for|want all|beg for) (?:\w+ ){0,2}?(?:it|the pain|this|everything|the (?:hurt|noise|hurting|voices|suffering|emptiness|darkness)|it all|this feeling|my (?:brain|mind|head|heart|pain|thoughts)) (?:to )?(?:\w+ )?(?:stop|end|be over|go away|quiet|go quiet|go dark|be finished|be done)(?: (?:forever|for good|now|tonight|hurting|finally|so badly|already|beating|so much|completely|permanently))?$(?!.*\b(?:drill\w*|neighbou?r|music|meeting|construction|movie|song|winter|rain)\b)",
        r"\bi (?:want|need|am looking for|wish for|just want|only want) (?:\w+ )?(?:out|an exit|a way out|oblivion|nothingness|to be nothing|peace at last|eternal rest|the end|it over|to rest (?:forever|for good|at last|now)|to be (?:free of (?:this|it all|life)|with (?:god|the angels|the dead)|nothing|done))(?: of (?:life|this life|my life|this world|existence|here forever))?$(?!.*\b(?:meeting|marriage|contract|job|deal)\b)",
        negatable=False,
    ),
    *_form(
        "hopeless",
        0.6,
        r"\b(?:hopeless|worthless|pointless|meaningless|trapped|numb|empty|drowning|hollow|broken|unbearable|despair\w*|dead inside|defeated|invisible|so alone|completely alone|all alone)\b",
        r"\b(?:nothing|none of (?:it|this)) (?:\w+ )?(?:matters|helps|works|changes|is left|means anything|feels real|will change)(?: anymore| to me)?\b",
        r"\b(?:can not|could not) (?:do (?:this|it)|take (?:it|this)|cope|go on|breathe|feel anything|stop crying|see a (?:way|future)|see (?:any|the) (?:way|future|point|light)|get out of bed)\b",
        r"\b(?:giving up|give up|given up|gave up|had enough|have had enough|done trying|stopped trying|done fighting|tired of fighting|tired of trying|too tired|so tired of|exhausted by everything|no strength left|nothing left|no fight left|i am done|i am finished|it is over for me|end of the road|end of my rope|at the end of my)\b",
        r"\b(?:the point|the use|why bother|why try|why even|what for)\b",
        r"\b(?:do not|not|no longer) want to (?:try|fight|be strong|pretend|hope|keep trying|struggle)(?: anymore| any longer)?\b",
        r"\b(?:nobody|not anyone) (?:cares|would care|loves me|understands|needs me|hears me|sees me|left)\b|\bi have nobody\b",
        r"\b(?:dark|darkness|darker|black|void|abyss) (?:\w+ )?(?:thoughts|place|again|wins|inside|is winning|every night|swallow\w*)\b|\bbad thoughts\b|\bdark place\b|\bthe thoughts (?:are|have|keep|come|got|get|won)\b",
        r"\bi (?:just )?(?:want|need) (?:\w+ )?(?:to (?:disappear|vanish|sleep|rest|escape|be free|stop|leave|go|let go|fade|be left)|peace|quiet|silence|rest|it over|out)$",
        r"\b(?:everything|it all|life) (?:hurts|is too much|is pain|is dark|is grey|is over|is falling apart|went black)\b|\btoo much pain\b|\bthe pain (?:is|never|does)\b",
        r"\bi (?:feel|am) (?:nothing|like (?:a ghost|nothing|dying)|already dead|so tired of)\b|\balready dead\b",
        negatable=False,
    ),
    # acute distress and danger
    *_form(
        "distress",
        1.0,
        r"\bi (?:am|do) not (?:feel )?(?:safe|safe (?:with|from|around|alone with)) ?(?:with|from|by|around|alone|to be)? ?(?:myself|alone|right now|tonight|at home)?\b(?=.*\b(?:myself|tonight|alone|right now|home|here)\b)|\b(?:not safe|unsafe) (?:with|from|around|alone with) myself\b|\bnot safe (?:to be )?(?:alone|by myself|at home|tonight|right now)\b",
        r"\b(?:scared|afraid|terrified|frightened|worried|fear|do not know|not sure) (?:\w+ )?(?:of |about |by )?(?:what i (?:might|may|could|will|would|am going to) do|i (?:might|will|may|am going to|could) (?:do something|hurt (?:myself|someone)|not make|lose control|hurt|act)|of myself|of my own (?:mind|thoughts|head|hands))\b",
        r"\b(?:do not|can not|not) trust myself\b(?=.*\b(?:tonight|alone|home|right now|anymore|bridge|pills|knife|knives|car|water|around|to be|not to|with)\b)(?!.*\b(?:cake|chocolate|snacks?|credit card|to drive after|cookies|shopping|ex)\b)",
        r"\b(?:voices?) (?:\w+ ){0,3}?(?:tell\w*|say\w*|want\w*|scream\w*|order\w*|command\w*) (?:me )?(?:\w+ )?to (?:die|kill|hurt|jump|do it|end|cut|burn)\b",
        r"\b(?:please|someone|somebody|i need) (?:\w+ )?(?:help|stop) me\b(?=.*\b(?:die|dying|tonight|can not|before i|breathe|scared|not safe|bleeding|pills|bridge|do something|myself)\b)",
        r"\b(?:talk me (?:out of|down)|talk me off|stop me (?:before|from)|give me (?:one|a) (?:good )?reason (?:not to|to (?:live|stay|go on|keep))|one reason (?:not to|to stay|to live))\b(?!.*\b(?:buy\w*|order\w*|dessert|another (?:beer|drink)|text\w*|tattoo|shoes|puppy|haircut|bangs|fringe)\b)",
        r"\b(?:do|did|doing) something (?:stupid|bad|drastic|permanent|irreversible|terrible|i can not take back) (?:to myself|tonight|if i|again|soon)\b|\bsomething (?:permanent|irreversible)\b",
        r"\b(?:he|she|they|my (?:husband|wife|boyfriend|girlfriend|partner|ex|father|mother|stepfather|uncle)) (?:is|has|will|says|said|keeps|threatened|hits?|hit|beat|beats|tried|locked|is going)\b.{0,50}\b(?:kill me|beat(?:s|ing)? me|hits? me|hurts? me|choked me|strangled me|outside my door|with a (?:knife|gun)|rape\w*|locked me)\b(?=.*\b(?:scared|afraid|again|tonight|knife|gun|outside|help|police|hiding|can not|now|last night|kids|tried|every|if i leave|door|strangled|choked|locked|raped?)\b)(?!.*\b(?:chess|tennis|squash|cards|game|pool|darts|late|forgot|dent|scratch|car keys|surprise|cake|score)\b)",
        r"\b(?:he|they|she) (?:raped|assaulted|molested|is hurting|is beating|is abusing) me\b|\bi (?:was|got|have been) (?:raped|assaulted|molested)\b",
        negatable=False,
    ),
    # hurting somebody
    *_form(
        "threat",
        1.0,
        rf"{_I}(?:am going to|will|want to|plan to|am planning to|need to|have decided to|intend to|am about to|swear i will|would like to|really want to|am ready to|going to|might|am gonna) (?:{_W}){{0,2}}?(?:kill|shoot|stab|murder|strangle|hurt|burn|poison|run over|attack|choke|bomb|slaughter|beat) (?:him|her|them|somebody|someone|everyone|everybody|people|those people|my (?:\w+ )?(?:ex|boss|wife|husband|neighbou?r|brother|father|mother|stepfather|sister|landlord|colleagues?|coworkers?|classmates?|teacher|family|kids|children|roommate|flatmate|girlfriend|boyfriend)|as many|all of them|the (?:man|guy|woman|people|bastard|driver) who)\b",
        r"\bi (?:have|got|bought|am bringing|brought|am carrying|loaded) (?:a |the |my |an )?(?:\w+ )?(?:gun|knife|weapon|rifle|bomb|axe|machete)\b.{0,80}\b(?:him|her|them|pay|school|work|everyone|ex|boss|office|house|he|she|they)\b(?!.*\b(?:cook\w*|kitchen|museum|chopping|steak|camping|hunting season|collection)\b)",
        r"\b(?:going to|will|want to|make|makes) (?:him|her|them|everyone|somebody|someone) (?:bleed|suffer|pay with|die|regret being born|beg for)\b",
        r"\bi (?:think about|fantasi[sz]e about|dream of|can not stop thinking about|keep thinking about) (?:killing|shooting|stabbing|hurting|strangling|murdering) (?:him|her|them|people|someone|my|everyone)\b",
        r"\b(?:shoot up|blow up|burn down) (?:the|my|that|a) (?:school|office|house|church|mall|workplace|place with|building with)\b",
        r"\bi (?:might|could|may|am afraid i will|am scared i will) (?:really |actually |seriously )(?:kill|hurt|stab|shoot) (?:him|her|them|someone|somebody)\b",
    ),
)  # fmt: skip
