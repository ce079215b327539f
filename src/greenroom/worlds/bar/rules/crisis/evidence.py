# ruff: noqa: E501  a form of a sentence is one line
"""What says a crisis outright, as forms of sentences; each is enough alone.

Forms are written for normal sentences (see :mod:`normalise`): lower case, contractions written out, commas as words of
their own. What is veiled is not for forms to find: that is learned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["intent", "wish"]


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
)  # fmt: skip
