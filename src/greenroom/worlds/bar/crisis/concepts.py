# ruff: noqa: E501  a family of words is one line
"""Families of words that a message may draw on: what veiled messages are made of, none of it telling by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = r"(?:january|february|march|april|june|july|august|september|october|november|december)"
_KIN = r"(?:wife|husband|son|daughter|kids?|children|mother|father|parents|brother|sister|family|boys?|girls?|partner|grandson|granddaughter|grandkids|baby|nephew|niece|friends?|gran|grandad|grandfather|grandmother)"

_FAMILIES: Final[Mapping[str, str]] = {
    # the guest
    "i": r"(?:i|me|my|myself|mine)",
    "my": r"my",
    "myself": r"myself",
    # ending
    "die": r"(?:die|dies|died|dying|dead|death|perish|deceased)",
    "kill": r"(?:kill|kills|killed|killing|suicide|suicidal|hang|hanging|hanged|drown|drowned|drowning|overdose|overdosed|shoot|shot|jump|jumped|jumping)",
    "live": r"(?:live|lives|living|alive|life|exist|exists|existing|existence|breathe|breathing)",
    "end": r"(?:end|ends|ended|ending|over|finish|finished|finishing|quit|quitting|stop|stopped|stopping|done)",
    "last": r"(?:last|final|finally)",
    "forever": r"(?:forever|for ever|for good|permanently|permanent|eternal|eternity|never again|once and for all|irreversible|no more|at all)",
    "gone": r"(?:gone|disappear|vanish|leaving|leave|left|go away|let go|letting go|slip away|fade|fading|out of the way|off the hook|checking out|check out|exit|out of here|going home|be nowhere|nowhere)",
    "go": r"(?:go|going|went)",
    "goodbye": r"(?:goodbye|goodbyes|bye|farewell|adieu|so long)",
    "sorry": r"(?:sorry|forgive|apologise|apologize|blame|fault)",
    "not here": r"(?:(?:will|would|do|am|going to|intend|plan|expect) not (?:\w+ ){0,4}?(?:here|around|exist|see|make it|home|back|wake|need|alive|live|longer))",
    "anymore": r"(?:anymore|any longer|much longer|no longer)",
    # when, and that it is settled
    "tonight": r"(?:tonight|this evening|right now|in an hour|when i get home|on the way home|after closing|after this)",
    "soon": r"(?:soon|tomorrow|this week|weekend|next week|before (?:the )?(?:winter|summer|spring|christmas|morning|dawn)|by then|this month|in a few days|any day)",
    "day": rf"(?:{_DAYS}|{_MONTHS}|\d+(?:st|nd|rd|th)|(?:twenty |thirty )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth)|birthday|anniversary|christmas|new year|easter)",
    "after": r"(?:after that|for after|afterwards|after it|and then|then it|when i am|once i am|for when|when it is time|by the time)",
    "decided": r"(?:decided|decision|decide|made up my mind|settled|chosen|chose|picked|choose|booked|resolved|certain|sure of it|made sure|make sure)",
    "plan": r"(?:plan|plans|planned|planning|intend|intending|arranged|arrangements|arrange|prepared|ready|all set|set up|laid out|worked out|working out|figured out|rehears\w+|practis\w+|practic\w+|seen to|taken care of|in place|lined up|on the list|the list|everything is)",
    "do it": r"(?:do it|doing it|did it|done it|go through with|going through with|finish it|end it|try again|get it right|the means|my way out|a way out|how to|how much|how many|how long)",
    "calm": r"(?:calm|peace|peaceful|quiet|relief|relieved|lighter|free|at ease|content|serene|rest|resting|good about it|look forward)",
    # with what
    "pills": r"(?:pills?|tablets?|capsules|paracetamol|insulin|morphine|meds|medication|sleeping (?:pills|tablets)|painkillers|doses?|prescription|medicine cabinet|packets?|blister)",
    "weapon": r"(?:rope|noose|gun|shotgun|rifle|pistol|revolver|weapon|bullets?|trigger|cartridges?|belt|beam|rafters|hook|cord|knot|knots)",
    "blade": r"(?:blade|blades|razors?|razor|knife|knives|scissors|scalpel|lighter|needle|wrists?|thighs?|arms?|sleeves|scars|cuts?|cutting|bleed|bleeding|blood|skin)",
    "height": r"(?:bridge|railing|rail|roof|rooftop|ledge|cliff|cliffs|balcony|parapet|overpass|car park|storey|window|edge|tower|viaduct|the drop)",
    "water": r"(?:water|sea|river|lake|harbour|fjord|pier|quay|waves|tide|overboard|over the side|drown\w*|stones|life jacket|ice|current)",
    "road": r"(?:tracks|platform|train|trains|tram|truck|lorry|bus|traffic|wheel|steering|crash|road|cross the road|brakes?|seatbelt|engine|garage|exhaust|motorway|oncoming)",
    "danger": r"(?:in front of|look down|looked down|let go of|letting go of|step off|stepped|stopped looking|do not look|out of the way|would not move|not move|turn the wheel|steer|swerve|into the|over the edge|under it)",
    # what comes after
    "found": r"(?:find me|finds me|found me|find my|finds my|found my|pulls? me out|whoever|body|identify|the police|the note|a note|my note|letters?|envelope|wrote to|written to|my name)",
    "settle": r"(?:my will|the will|insurance|policy|mortgage|folders|passwords|papers|paperwork|documents|bank|affairs|in order|keys?|paid|cancelled|cleaned|tidied|tidying|cleared|sorted|returned|gave away|given away|giving away|home for|the dog|the cat|dogs|cats|feed|fed|rehome\w*|inherit|in my name)",
    "others": rf"(?:{_KIN}|they|them|everyone|everybody|people|nobody)",
    "relief": r"(?:better off|relieved|manage without|cope without|without me|get over|move on|forget me|happier|easier for|burden|in the way|take up space|taking up|useless|dead weight|too much trouble|worth more|find (?:someone|somebody)|free of me|rid of me|miss me)",
    "join": r"(?:(?:be|being|go|going|join|joining|get|see|seeing|meet|meeting|follow|following|there) (?:\w+ )?(?:with |to |back to )?(?:him|her|them|my (?:wife|husband|son|daughter|mother|father|brother|sister|baby|boy|girl|mate|friend)|you))",
    "lost one": r"(?:died|passed|buried|in the ground|grave|funeral|widow\w*|lost (?:him|her|my|them)|miss (?:him|her|them|my)|late (?:wife|husband|mother|father)|without (?:him|her|them)|did not make it)",
    "tell them": r"(?:tell (?:them|him|her|my|everyone|people|the)|let (?:them|him|her) know|remember me|think of me|look after|take care of|say hello|goodnight)",
    # how it feels
    "cannot": r"(?:can not|could not|not able|unable|too tired|too much|no strength|not strong)",
    "no point": r"(?:no point|the point|no reason|a reason|reason|no use|what for|pointless|meaningless|worth|purpose|why bother|matter|matters)",
    "nothing": r"(?:nothing|none|nobody|empty|numb|hollow|hopeless|worthless|alone|lonely|invisible|broken|ruined|lost everything|failed|failure|finished)",
    "thoughts": r"(?:thoughts|thinking about|think about|think of|thinking of|keep thinking|voices|in my head|my head|my mind|tempted|urge|urges|part of me|louder|pull|whisper\w*|calls)",
    "hurt": r"(?:hurt|hurts|hurting|pain|painful|ache|suffer|suffering|agony|unbearable|cry|crying|tears|scared|afraid|terrified|ashamed|hate|hates|tired|exhausted)",
    "care": r"(?:hospital|ward|therapist|therapy|counsell?or|psychiatrist|doctor|crisis line|helpline|medication|diagnos\w+|depress\w+|bipolar)",
    "harm": r"(?:hurting myself|hurt myself|harm myself|selfharm|cut myself|cutting|burn myself|hit myself|hit my head|bang my head|punish myself|starv\w+|not eaten|stopped eating|on purpose|bleed)",
    "deserve": r"(?:deserve|deserves|worthless|better dead|should be dead|wrong one|instead of me|mistake|waste)",
    "wish": r"(?:wish|wishing|hope|hoping|want|wanted|wanna|rather|look forward|longing|would not mind|pray)",
    "sleep": r"(?:sleep|asleep|wake|waking|woke|sleepy|bed|dream)",
    "alone": r"(?:alone|nobody is in|nobody is home|everyone is out|when they are out|while they are out|empty house|without (?:them|anyone) (?:seeing|knowing)|did not tell|not told|nobody knows|secret)",
    "serious": r"(?:i mean it|mean that|for real|not joking|seriously|serious|literally|honest|honestly|actually|in every sense|no joke)",
    "someone i know": r"(?:a friend|my friend|this friend|someone i know|somebody i know|a girl i know|a guy i know|a person|asking for a friend|let us say|suppose|hypothetically|is me|am her|am him|typing this)",
    # against it
    "joke": r"(?:lol|lmao|haha\w*|hehe|omg|joke|joking|kidding|funny|hilarious|laugh\w*|silly|ridiculous)",
    "joy": r"(?:happy|glad|lovely|great|wonderful|brilliant|excited|delicious|love it|fun|enjoy\w*|celebrat\w*|cheers|yay|hurray|congratulations|proud|grateful|thank god|thankfully|beautiful|perfect|best)",
    "food": r"(?:eat|eating|eaten|ate|food|lunch|dinner|breakfast|soup|bread|pizza|cake|chocolate|coffee|tea|beer|wine|crisps|chips|kitchen|cook\w*|recipe|menu|hungry|restaurant|cheese|curry|burger|salad|dessert|sauce)",
    "story": r"(?:book|novel|film|movie|series|show|play|song|story|chapter|episode|character|hero|author|poem|game|level|actor|scene|plot|ending of|read|reading|wrote a|writing a|podcast|band|album|opera|painting|director|villain)",
    "thought": r"(?:camus|sisyphus|nietzsche|schopenhauer|stoics?|seneca|socrates|philosoph\w+|essay|lecture|seminar|thesis|professor|theory|argument|argues|ethic\w*|existential\w*|absurd\w*|question of|concept|debate)",
    "news": r"(?:news|article|paper|report|study|research|statistics|percent|rate|government|law|court|police said|history|century|war|museum|documentary|headline|charity|campaign|volunteer|training|awareness)",
    "job": r"(?:work|job|boss|office|shift|meeting|colleagues?|project|deadline|client|company|contract|manager|email|laptop|presentation|promotion|interview|salary|exam|exams|school|homework|class|teacher|university|course|degree)",
    "travel": r"(?:holiday|vacation|trip|flight|fly|flying|ticket|abroad|portugal|spain|italy|hotel|airport|moving|move|flat|apartment|new job|new place|train home|bus home|ferry|cruise|hike|camping|skiing|beach)",
    "party": r"(?:wedding|married|engaged|party|birthday party|baby shower|graduation|concert|dance|danced|she said yes|he said yes|match|team|goal|won|lost two|football|cup|season|league|race|marathon|training|gym|workout|run)",
    "past": r"(?:years ago|used to|back then|at the time|when i was|that was|in 19\d\d|in 20\d\d|long ago|once|since then|these days|nowadays|now i|today i|ever since|recover\w*|sober|clean|survived|glad i)",
    "denial": r"(?:not suicidal|do not worry|not like that|not what i mean|would never|never (?:do|hurt|kill)|not going to (?:do|hurt|kill)|do not want to die|not in danger|nothing like that|figure of speech|do not mean)",
    "he": r"(?:he|she|his|her|him|hers)",
    "idiom": r"~",
    "question": r"(?:what|how|why|who|where|do you|did you|can you|could you|would you|is there|are there)",
    "you": r"(?:you|your|yours)",
    "we": r"(?:we|us|our|ours)",
    "repair": r"(?:fix|fixed|repair\w*|mechanic|plumber|boat|sail\w*|anchor|garden|plants?|paint\w*|build\w*|tools?|printer|computer|phone|battery|wifi|app|software|update|screen|car wash|tyres?)",
    "body": r"(?:knee|back|foot|feet|tooth|teeth|dentist|headache|cold|flu|migraine|ankle|shoulder|blood pressure|allerg\w+|cholesterol|surgery|operation|vitamins?)",
}
FAMILIES: Final = {name: re.compile(rf"(?<![\w'])(?:{words})(?![\w'])") for name, words in _FAMILIES.items()}


def _any(*names: str) -> str:
    return "|".join(_FAMILIES[name] for name in names)


#: Needed nearly everywhere, and looked for in the whole message: who says "tonight, for good" leaves it out.
_I = _FAMILIES["i"]
_ORDINARY: Final = ("joke", "joy", "story", "thought", "news", "job", "travel", "party", "repair", "body", "denial")
_HUNT = r"hunting season|hunt|deer|cook\w*|chop\w*|bread|climb\w*|sail\w*|parcel|laundry|headache|prescri\w*"


class Combination:
    """Families that mean something together: every one of ``needs`` close by, and none of ``bars``."""

    def __init__(self, kind: str, weight: float, *needs: str, bars: str = "") -> None:
        self.kind, self.weight = kind, weight
        self._needs = tuple(_whole(one) for one in needs if one != _I)
        self._bars = _whole(bars) if bars else None

    def found(self, window: str) -> bool:
        if not all(one.search(window) for one in self._needs):
            return False
        return self._bars is None or self._bars.search(window) is None


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{words})(?![\w'])")


_PLAIN_LIFE = _any(*_ORDINARY)
_CLOSE = _any(
    "tonight", "soon", "decided", "plan", "found", "goodbye", "forever", "serious", "alone", "thoughts", "not here"
)
_VEHICLE = r"(?:truck|lorry|train|tram|bus|car|plane|lightning|wave|meteor|van|taxi|ship|bullet|heart attack|cancer|tumou?r|stroke|avalanche)"
_HEIGHT = r"(?:bridge|railing|the rail|roof|rooftop|ledge|cliff|cliffs|balcony|parapet|overpass|viaduct|the drop|window ledge|pier|quay|platform|tracks|harbour wall|breakwater)"

COMBINATIONS: Final = (
    # following somebody who died
    Combination("wish", 1.0, _FAMILIES["join"], _any("lost one"), _any("decided", "soon", "plan", "tonight", "day", "go"), bars=r"funeral was|visit(?:ing)? (?:his|her|the) grave|photo|album|in my dreams"),
    # things at hand
    Combination("means", 1.0, _I, _any("weapon"), _any("tonight", "soon", "goodbye", "forever", "found", "alone", "thoughts", "last", "end", "serious", "plan", "decided", "calm", "sorry", "nothing", "hurt"), bars=f"{_PLAIN_LIFE}|{_HUNT}|{_FAMILIES['food']}"),
    Combination("means", 0.7, _I, r"(?:bought|got|have|keep|kept|cleaned|loaded|took|tied|hid|hidden|in the (?:boot|drawer|garage|attic|shed|cupboard|closet)|out of the (?:cabinet|safe|box))", _any("weapon"), bars=f"{_PLAIN_LIFE}|{_HUNT}"),
    Combination("means", 0.4, r"(?:no (?:boat|hunting|dog)|do not (?:have a boat|sail|climb|hunt|fish)|told (?:the|him|her|them) (?:\w+ )?it was for|that is all|needed to tell|nobody knows|just knowing)", _any("weapon", "pills", "blade")),
    Combination("means", 1.0, _I, _any("pills"), _any("tonight", "goodbye", "forever", "found", "last", "plan", "do it", "sorry", "nothing", "sleep"), bars=f"{_PLAIN_LIFE}|{_FAMILIES['body']}|{_HUNT}|pharmacy|chemist|vet|side effects?|cold|every morning"),
    Combination("selfharm", 1.0, _I, r"(?:blade|blades|razors?|scalpel|lighter)", _any("thoughts", "alone", "hurt", "calm", "anymore", "soon", "tonight", "not here", "serious", "nothing") + r"|only (?:thing|one)|again|lately|more|listens|helps|friend", bars=r"shav\w+|beard|cook\w*|kitchen|onions?|camp\w*|cigarette|birthday|candles?|barber|runner|movie|film"),
    Combination("selfharm", 1.0, r"my (?:\w+ )?(?:thighs?|wrists?|arms?|forearms?|skin|legs?)", r"(?:lines?|cuts|marks|scars?|burns?|scratches|barcode|stripes|bleed\w*|added|fresh|new ones)", bars=rf"{_PLAIN_LIFE}|cat|kitten|tattoo\w*|sunburn\w*|climb\w*|bramble\w*|surgery|chopp\w*|stretch marks|tan lines?|eczema|rash|mosquito\w*|oven"),
    Combination("selfharm", 1.0, _I, r"(?:hit|bang|smash|beat|slam|punch)\w* (?:my head|my face|my fists?|myself)", r"(?:wall|floor|door|until|every night|again|stars|bleed\w*|table)", bars=r"deadline|printer|code|puzzle|metaphor\w*|debug\w*|low ceiling|beam by accident"),
    Combination("selfharm", 1.0, r"(?:not eaten|have not eaten|stopped eating|eaten nothing|not eating)", r"(?:days|week|weeks|on purpose|leaving|vanish|disappear|fade|slowly)", bars=r"diet\w*|fasting for|ramadan|lent|flu|stomach bug|colonoscopy|operation|surgery"),
    # at the edge of something
    Combination("means", 1.0, r"(?:i (?:am|sit|stand|was|keep|walk|walked|stood|sat|go|went|look|looked|lean|leaned|climbed|cross)|sitting|standing|typing)", _HEIGHT, _any("end", "last", "thoughts", "alone", "nothing", "decided", "tonight", "do it", "danger", "goodbye", "forever", "kill", "gone", "found", "hurt", "cannot", "sorry", "not here") + r"|typing|phone|guess|go on|says it all|stones|going back|back to look", bars=rf"{_any('joke', 'joy', 'story', 'thought', 'news', 'travel', 'party', 'repair', 'food')}|fish\w*|photo\w*|view|work\w*|ferries|tiles|gutter|solar|hungry"),
    Combination("means", 1.0, _I, r"(?:stones in (?:my|his|her)|cold water|degrees|the (?:water|sea|river|harbour|current|ice))", r"(?:quick|would not hurt|numb|seconds|minutes|take me|have me|end|pockets|keep going back|go(?:ing)? under|under the ice|nobody would)", bars=rf"{_any('joke', 'joy', 'story', 'thought', 'news', 'travel', 'party')}|swim\w*|sauna|bath\w*|dive|diving|fish\w*|rescue"),
    Combination("wish", 1.0, r"(?:hope|wish|wishing|hoping|pray|would not mind|want|let|if)", rf"{_VEHICLE} (?:\w+ )?(?:hit|hits|hitting|would hit|took|takes|take|came|comes|crash\w*|gets?|would get|ran|runs|run|finish\w*|kill\w*)", _I, bars=_any("joke", "joy", "story", "news", "party")),
    Combination("wish", 1.0, _I, r"(?:would not|will not|do not|did not|stopped|no longer|never|not) (?:\w+ )?(?:step|move|moving|jump|get|getting|look|looking|check\w*|wear|wearing|brak\w*|swerve|flinch|dodge|duck|buckle) (?:\w+ ){0,4}?(?:out of the way|aside|both ways|before (?:i )?cross\w*|when i cross|crossing|the (?:life jacket|helmet|seatbelt|harness|belt)|a (?:life jacket|helmet|seatbelt|harness)|anymore|if (?:it|the|a))", bars=f"{_any('joke', 'story', 'news', 'joy')}|in my size|glasses|new ones?|forgot"),
    Combination("wish", 1.0, _I, r"(?:let go of|take my hands off|took my hands off|close my eyes at|turn(?:ed)?|jerk|yank|drop) (?:the )?(?:steering )?(?:wheel|handlebars?|tiller)", bars=_any("joke", "story", "job", "party")),
    # what is left behind
    Combination("farewell", 1.0, r"(?:whoever|the one who|when they|who(?:ever)? will|they will|so they|so nobody|so that nobody|people will) (?:\w+ ){0,3}?(?:find|finds|found|discover|pulls?|opens?|cleans?|clean up|comes? in|see) (?:\w+ ){0,2}?(?:me|my|it all|it|out)", _any("settle", "found", "die", "not here", "gone", "water", "tonight", "soon") + r"|does not have to|will not have to|do not have to|when i am", bars=f"{_any('joke', 'story', 'party', 'news')}|surprise|present|hidden|treasure|wallet|lost keys"),
    Combination("giving", 0.8, _I, r"(?:in order|in folders|laid out|home for|paid|cancelled|tidied|tidying|cleaned|settled|sorted|arrangements|fixed|topped up|finished|return(?:ed)?)", r"(?:before i go|last thing|for when|when it is time|that is me|manage without|without me|for after|when it is|so that is me|when i am|so (?:that )?(?:they|she|he|nobody)|then (?:i|it is)|goodbye|not be long|once more|good last)", bars=rf"{_any('travel', 'joke', 'story', 'party')}|maternity|leave on|retire\w*|exams?|guests"),
    Combination("farewell", 1.0, _I, r"(?:for after|for afterwards|for when i am|when i am (?:gone|dead|not here)|after i am (?:gone|dead))", _any("found", "settle", "others", "plan"), bars=f"{_any('joke', 'story', 'travel')}|lawyer|estate|solicitor|organ donor"),
    Combination("farewell", 1.0, _I, r"(?:nobody is to blame|no one is to blame|not (?:her|his|their|your|anyone's|my \w+) fault|went voluntarily|of my own (?:free )?will|do not blame|was not upset|seemed happy|it will help them)", bars=_any("joke", "story", "news", "job", "party")),
    Combination("burden", 1.0, _I, r"(?:insurance|policy|pension|mortgage|payout|life cover)", r"(?:wife|husband|kids|children|family|they|she|he)", r"(?:clear|cover|gets?|pays?|settle|useful|better|enough|provided|only way|worth|would be|something|dead|gone)", bars=rf"{_any('joke', 'news', 'job', 'travel', 'party', 'repair')}|premium|broker|claim form|renew\w*|agent|boring"),
    Combination("burden", 1.0, rf"(?:{_FAMILIES['others']}) (?:\w+ ){{0,2}}?(?:would|will) be (?:\w+ )?(?:sad|upset|shocked|hurt)", r"(?:relieved|better|over it|move on|forget|a (?:bit|while|week|month)|fine|get (?:over|used))", bars=f"{_any('joke', 'story', 'job', 'party')}|break up|breakup|moved? out|quit"),
    # a last time
    Combination("farewell", 1.0, r"(?:last|final) (?:one|drink|beer|day|night|picture|evening|meal|song|note|thing|time|orders?|letter|walk|summer|winter|christmas|pint|round|look|memory) (?:\w+ ){0,3}?(?:on (?:this )?earth|for (?:him|her|them|me to have)|of me|i will (?:ever )?(?:write|have|see|drink|hear|do|spend|make)|alive|ever|in every sense|before i go|to have of|wanted|in this life)", bars=rf"{_any('joke', 'story', 'news', 'job', 'travel', 'party')}|diet|dry january|sober|quit drinking|pregnan\w*|bus|drive|driving|flight|shift|holiday|episode"),
    Combination("farewell", 1.0, r"(?:a )?good last (?:day|night|evening|picture|memory|drink|meal|one)", bars=_any("job", "travel", "story", "party")),
    Combination("date", 1.0, _I, r"(?:will|do|did|am|would|shall|can|could|intend|plan|expect|going to) not (?:\w+ ){0,4}?(?:see|exist|make it|be here|be alive|be around|live|come home|coming home|be coming home|be back|reach|wake|survive|turn (?:\d+|twenty|thirty|forty|fifty|sixty))", _any("soon", "day", "tonight", "no point", "nothing", "anymore", "settle", "decided", "cannot", "wish", "not here", "go") + r"|tulips|morning|spring|nowhere|won t", bars=f"{_any('joke', 'joy', 'job', 'travel', 'party', 'story', 'news', 'repair')}|holiday|dentist|appointment|bus|train|late|glasses|dinner|delivery|concert|ferry (?:is|was)"),
    Combination("date", 1.0, _I, r"(?:decided|planning|plan|going|intend|want|ready|mean|promised|time|picked|chose|set|gave it|giving it)", r"(?:to (?:go (?:to (?:him|her|them)|before|now|too)|join|follow|correct that|finish it|finish this|end this|end it|stop for good|be done|let go|not come back)|handing it back|give it back|time is up|time s up|quit anyway|letting go|taking? myself (?:out|away)|kicking myself out|make sure of it|then i can stop|and then i can (?:stop|rest|go)|off the hook for good)", bars=rf"{_any('joke', 'joy', 'travel', 'party', 'story', 'repair')}|smok\w*|subscription|contract|marathon|course|project|drinking|sugar|diet|match|shift"),
    Combination("date", 1.0, _any("decided") + r"|know exactly (?:how|when)|know how it ends|it is decided", _any("calm") + r"|once more|one more time|sit somewhere|warm|for the first time|not scared|good about", r"(?:when|how it|it ends|after that|it is quiet|all right|it is all right|somewhere|the end|tonight|ends)", bars=f"{_any('joke', 'joy', 'job', 'travel', 'party', 'story', 'repair')}|school|career|diet|haircut|flat"),
    Combination("farewell", 1.0, r"(?:^|\. )(?:no more|no longer|never again|enough|not anymore|can not anymore|can not|anymore|it is over|all over|the end)", r"(?:tonight|forever|bye|goodbye|sorry|for good|nowhere|farewell)", bars=f"{_any('joke', 'joy', 'job', 'travel', 'party', 'story', 'repair', 'food')}|wifi|rain"),
    Combination("farewell", 1.0, r"(?:will|am going to|going to) not (?:be|make it|come)", r"(?:here tomorrow|nowhere|to morning|to the morning|through the night|do not want to|home tonight|at all|alive|when the)", bars=_any("joke", "joy", "job", "travel", "party", "story", "repair")),
    Combination("means", 1.0, r"(?:took|taken|swallowed|had) (?:\w+ ){0,3}?(?:load|lot|lots|bunch|bottle|handful|whole|all|packet|box|too many|dozens?) (?:\w+ ){0,3}?(?:pills|tablets|paracetamol|painkillers|sleeping|meds|them)", bars=_any("joke", "story", "news") + r"|vitamins?|crisps|chips|photos"),
    Combination("means", 1.0, r"how many", r"(?:too many|would (?:be|it take)|is lethal|to not|enough)", r"(?:asking for me|for me|pills|tablets|of these|of those|of them|medical)", bars=_any("joke", "story", "food", "party", "job", "travel") + r"|headache|hangover|pharmacist|child\w*|dog|drinks"),
    Combination("means", 1.0, r"(?:the means|what i need|all set up|everything i need|it is set up|laid out|what to take|know exactly what)", r"(?:at home|in my bag|in the garage|upstairs|nobody is|everyone is out|until monday|till|tempted|came out because|in the drawer|waiting|alone)", bars=_any("joke", "story", "job", "travel", "party") + r"|train set|barbecue|painting|studio|recipe"),
    Combination("intent", 1.0, r"(?:rehears\w+|practis\w+|practic\w+|go(?:ing)? over) (?:it|how|the)", r"(?:chair|door|everyone is out|nobody|rope|note|time when|alone|the steps)", bars=_any("joke", "story", "job", "party", "thought") + r"|speech|lines|play|piano|song|dance|part"),
    Combination("intent", 1.0, r"what if", r"(?:i just (?:jumped|did it|let go|ended|stopped|drove|disappeared|never)|i jumped|i did not wake)", bars=r"bungee|parachute|pool|trampoline|team|ship|queue"),
    Combination("farewell", 0.8, r"(?:chose|chosen|picked|choose) (?:mine|my (?:own )?(?:song|music|coffin|hymn|plot|headstone|suit))", bars=_any("joke", "party", "story", "travel") + r"|karaoke|wedding"),
    Combination("farewell", 0.6, r"(?:they|you|she|he|everyone) will (?:need|find|get|have) it (?:by|on|after|before|soon)", bars=_any("joke", "job", "party", "travel", "repair")),
    Combination("burden", 1.0, r"(?:better|happier|easier|fine) (?:off )?(?:with me (?:dead|gone)|without me|if i (?:was|were) (?:dead|gone))", bars=_any("joke", "story", "job", "party")),
    Combination("burden", 1.0, r"(?:take|taking|took|get|getting) (?:myself|me) out of (?:the way|it|their way|everyone|the picture|the whole)", bars=_any("joke", "story", "party", "job") + r"|traffic|queue|running|race|pocket"),
    Combination("intent", 1.0, r"(?:kick|take|show|throw|see|remov)\w* myself out", r"(?:tonight|whole thing|of it all|for good|life|of everything)", bars=_any("joke", "party")),
    # doing it
    Combination("intent", 1.0, _I, r"(?:do|did|doing|done|finish|finished|finishing) it", _any("tonight", "soon", "alone", "care", "plan", "die", "found", "sorry", "cannot", "goodbye", "weapon", "pills", "height", "water", "road") + r"|last night|nobody|myself|chair|my nerve|anyway|by hand|own hands", bars=rf"{_any('joke', 'story', 'job', 'party', 'repair', 'thought')}|yourself kit|homework|dishes|tax|taxes|course|shelf|laundry|marathon|diy|text (?:him|her)|propos\w*|ask (?:him|her)|tattoo|race|haircut|audition|gym"),
    Combination("intent", 1.0, r"(?:how to|ways? to|working out how to|when to|where to) (?:die|kill myself|end it|do it so|disappear for good)", _I, bars=_any("joke", "story", "news", "thought", "job")),
    Combination("intent", 1.0, r"(?:kill me|end me|shoot me|finish me|put me down)", _any("serious", "cannot", "hurt", "sorry") + r"|please|somebody|someone|my own hands|begging", bars=rf"{_any('joke', 'story', 'job', 'party', 'food', 'repair')}|boring|embarrass\w*|awkward|monday|meeting|song|karaoke|exam\w*|heat|pun"),
    Combination("intent", 1.0, r"(?:told|tell|tells|telling|says?|said|want|wants|wrote|keep telling) (?:\w+ )?(?:me )?(?:i should |to |that i should )?(?:kill myself|die|end it|end my life|just die)", r"(?:right|true|maybe|agree|point|starting to|believe|listen|they are|might|think)", _I, bars=_any("joke", "story", "news", "past")),
    Combination("intent", 1.0, _any("care"), r"(?:said what they wanted|told them what|let me out|discharged|not going to call|did not tell|hid it|lied to|stopped taking|not going (?:back|next week)|promised)", r"(?:finish|do it|end|home|call|on purpose|exist|anything|no point|die|go now)", bars=f"{_any('joke', 'joy', 'story', 'news', 'travel')}|glad|dentist|cast|diet|crutches|knee"),
    Combination("intent", 1.0, r"(?:stopped|stopping|quit|refus\w*|skipp\w*) (?:\w+ )?(?:taking|my) (?:\w+ ){0,3}?(?:pills|insulin|medication|meds|tablets|dialysis|medicine|heart)", r"(?:on purpose|keep (?:me|them|her|him) alive|let it|nature|anymore|die|go|slowly|the end)", bars=_any("joke", "story", "news", "joy")),
    Combination("wish", 1.0, r"(?:left the wrong one|wrong one (?:of us )?(?:died|survived|lived)|should have been me|it should (?:have )?be(?:en)? me|why (?:not me|did i survive)|instead of (?:him|her|them))", r"(?:alive|correct|died|dead|plan\w*|war|truck|crash|fix|soon|join)", bars=_any("joke", "joy", "story", "party", "news")),
    # a friend who is the guest
    Combination("wish", 1.0, r"(?:friend|girl|boy|guy|man|woman|person|someone|somebody|people|one)", r"(?:disappear for good|die|end it|ending it|kill (?:himself|herself|themselves)|stopped taking|jump|not want to live|hurting (?:himself|herself)|suicide|suicidal|hang (?:himself|herself)|cutting)", r"(?:is typing this|typing this|i am (?:her|him|the friend|them|that (?:person|girl|guy|man|woman))|is me|it is me|asking for me|that friend is|sitting (?:here|at your bar)|at your bar|drinking (?:\w+ ){0,3}?right now|in this chair|on this stool|has my name|same name as me)", bars=_any("joke", "story", "news")),
    Combination("distress", 0.9, r"(?:thoughts|feelings|ideas|urges)", r"(?:the bad|bad (?:sort|kind|ones)|dark|darkest|scary|ward|locked up|end up|sectioned|cannot say|do not say out loud|about (?:not|ending|dying))", _I, bars=_any("joke", "story", "thought", "news", "joy", "party")),
    Combination("intent", 1.0, _I, _any("decided", "plan", "tonight", "soon") + r"|letting go|going to|hand on|pressing|i am off", r"(?:camus|sisyphus|stoics?|seneca|door is (?:always )?open|the rock|respawn|credits|curtain|game over|quit)", r"(?:and of me|anyway|tonight|did not find|could not find|so i am|hand on|my hand|literally|mean it|no respawn|this is where|there is not one|not one here)", bars=r"essay|seminar|exam|course|lecture|class|level|boss"),
    Combination("hopeless", 1.0, r"(?:part of me|half of me|some of me|the other part|second part)", r"(?:live|alive|gone|dead|die|wants? (?:to|out)|end)", r"(?:winning|tonight|stronger|louder|already|won|loses|losing)", bars=_any("joke", "joy", "story", "party")),
    Combination("hopeless", 1.0, r"(?:only stayed|only stay|only reason|stayed alive|staying alive|kept going|kept me)", _any("lost one", "no point", "nothing", "end") + r"|for (?:him|her|them)|died", _I, bars=_any("joke", "joy", "story", "job", "party")),
    Combination("hopeless", 1.0, r"(?:not|more than) (?:like )?(?:just )?(?:eight|seven|a few|ten|\d+) hours|not (?:a )?nap|longer than a night", r"(?:for ever|forever|for good|and not wake|never wake)", r"sleep", bars=_any("joke", "job")),
)  # fmt: skip
