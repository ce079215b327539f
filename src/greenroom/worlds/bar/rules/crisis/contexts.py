# ruff: noqa: E501  a figure of speech is one line
"""What speaks against a crisis: figures of speech, stories, thought, news, distance, the past, and small causes."""

from __future__ import annotations

import re
from typing import Final

#: Figures of speech: taken out of a sentence before anything is looked for in it.
_IDIOMS: Final = (
    r"kill(?:s|ed|ing)? (?:it|this (?:presentation|exam|test|interview|level|song|project|workout|quiz|gig)|the (?:interview|exam|presentation|gig|show|crowd|vibe|mood|engine|lights?|process|switch|buzz|audience|deal|bill)|time|an hour|the afternoon|two birds|off my plants?|my plants?|weeds?|my (?:battery|phone|darlings)|a (?:bottle|pint|few hours|process|job|server|boss))",
    r"(?:is|are|was|were|been|be|keeps?|not) (?:absolutely |slowly |literally |really |just |still |\w+ly )?killing me(?: softly)?",
    r"(?:my \w+|this \w+|the \w+|these \w+|that \w+|it) (?:is|are|almost|nearly|will|would|going to|has|just) (?:\w+ )?(?:kill|killed|killing) me",
    r"(?:my )?(?:mother|father|boss|wife|husband|girlfriend|boyfriend|teacher|sister|brother|coach|editor|partner|landlord|parents|dentist|roommate|flatmate|gran|grandmother|doctor|trainer) (?:is |are )?(?:will|would|going to|is going to|are going to|is so going to|would absolutely|will absolutely|might|may) (?:\w+ )?kill me",
    r"(?:could|would) (?:\w+ )?(?:kill|murder) (?:for )?(?:a|an|some|another|that) \w+",
    r"(?:could|would|want to|will|going to|am going to) (?:\w+ )?(?:kill|murder|strangle|throttle) (?:whoever|the person who|my (?:alarm|printer|laptop|phone|computer|neighbou?rs dog|cat|hairdresser)|that (?:printer|dog|rooster|cat|mosquito|pigeon|drummer)|the (?:printer|dog|rooster|mosquito|alarm))",
    r"to die for(?! (?:what|my|his|her|this|it|all|everything|them))",
    r"(?:die|dying|go) (?:peacefully )?in (?:my|his|her) sleep (?:at|aged|when i am) (?:\w+)",
    r"(?:water|nerf|toy|glue|nail|heat|squirt|staple|paint|price|speed|massage) gun",
    r"stop (?:fighting|arguing) (?:with|about|over)",
    r"die of (?:old age|boredom|a broken nail)",
    r"(?:could|can|will|would) (?:\w+ )?die (?:happy|a happy|now and be|laughing)|(?:i )?could (?:just |literally |actually )?die(?: ,|$| right (?:now|here|there))",
    r"never been born (?:into|in (?:a|the|this) (?:family|town|century|country|era)|with)",
    r"cut (?:him|her|them|my \w+|sugar|people|toxic people) out(?: of my (?:life|diet))?",
    r"(?:can not|could not) live with (?:my|him|her|them|this|that|the)",
    r"(?:am |was |be |been |are |just |absolutely |literally )?(?:dying|die|died) (?:to (?:know|see|try|meet|hear|find|tell|ask|get|go|watch|read|eat|visit|learn|play)|for (?:a|an|some|my|the (?:weekend|next|new|day))|of (?:laughter|laughing|curiosity|boredom|embarrassment|shame|thirst|hunger|heat|cringe|excitement|happiness|jealousy|cuteness|suspense|shock)|laughing|from (?:laughter|laughing|embarrassment|cringe|the heat|cuteness|boredom)|inside (?:laughing|a little when|when he says)|on stage|on the hill|on that hill|hard|a little inside)",
    r"(?:nearly|almost|practically|basically|literally) (?:died|dead|die)(?: (?:of|from|when|laughing|at|on the))?",
    r"(?:could|would) have died(?: (?:of|from|right there|on the spot|when|of embarrassment))?",
    r"(?:rather|sooner) (?:die|be dead|eat glass) (?:than)",
    r"(?:drop dead|dead) (?:gorgeous|serious|tired|easy|good|simple|right|wrong|quiet|end|line|weight lifts?|heat|ringer|sea|set|calm|on time|broke|boring|last|pool|lift|lifts|pan|zone|centre|keen|certain|sure|straight)",
    r"dead ?(?:line|lines|pan|lift|lifts|lock|pool|head|bolt)s?",
    r"over my dead body|back from the dead|raise the dead|wake the dead|dead in the water|left for dead|beat(?:ing)? a dead horse|flogging a dead horse|dead to me",
    r"(?:bored|scared|worked|frightened|tickled|worrying|loved|working|frozen|starved|boring|talked|embarrassed|worry|worried|annoyed|terrified|sick)(?: \w+)? to death",
    r"work(?:ed|ing|s)? (?:myself|himself|herself|themselves|yourself) to death",
    r"till death (?:do )?us (?:do )?part|matter of life and death|kiss of death|at death'?s door|death by (?:chocolate|powerpoint|spreadsheet|meeting|a thousand)|black death|death metal|death star|death valley|life after death|death and taxes|sudden death|death match|death trap|death stare|death cab",
    r"shoot(?:ing|s)? (?:myself|yourself|himself|herself|ourselves|themselves) in the foot|shot myself in the foot|just shoot me|shoot me (?:now|a|an)",
    r"(?:kill|killing|killed) (?:myself|me) (?:laughing|with laughter|trying to|over (?:this|a|the|that)|at the gym|in the gym|training|on the (?:treadmill|hills?|bike|rowing)|for (?:this|a|that|the) (?:job|deadline|promotion|company|exam|project|client|boss|grade)|at work|with (?:work|overtime|these)|to (?:finish|meet|get (?:this|it|here|the)|make (?:this|the)|please|pay|impress|be on time|catch|reach))",
    r"(?:career|political|commercial|professional|social|economic|financial|brand|artistic|electoral|creative) suicide|suicide (?:squad|wings|drills?|sprints?|door|doors|pass|mission|squeeze|hill|run|burn|king|prevention|awareness|hotline|line|watch party|blonde|rates?|statistics|bomber|bombers|bombing|lane|soda|pact (?:in|of) the|forest|tuesday|notes? in (?:the|literature)|cases)|run suicides|did suicides",
    r"hang(?:ing)? (?:out|in there|up|on|around|back|loose|over|a picture|tight)|hangover|hung ?over",
    r"end(?:ed|ing)? it (?:with|between)|ended things with|end things with|break(?:ing)? it off",
    r"end(?:ing)? (?:my|the|this|our) (?:subscription|lease|contract|shift|day|evening|night|call|meeting|speech|set|essay|relationship|marriage|engagement|membership|chapter|book|holiday)",
    r"(?:give|giving|gave|given) up (?:on )?(?:smoking|sugar|meat|alcohol|drinking|coffee|caffeine|carbs|dairy|chocolate|bread|cigarettes|social media|my (?:seat|phone|car|spot)|trying to (?:fix|learn|park|understand)|the (?:guitar|piano|diet|search)|german|french|golf|running|vaping|facebook|instagram|gluten|the search|football)",
    r"(?:done|finished|through) with (?:work|exams?|school|the dishes|this (?:project|book|chapter|season|job|company|town|phone|conversation|menu|班)|dating|tinder|winter|my (?:shift|homework|thesis|taxes|essay|beer|drink|coffee)|him|her|that guy|men|women|university|packing|christmas shopping|chores)",
    r"(?:phone|battery|laptop|car|engine|plants?|flowers?|tv|fridge|wifi|conversation|party|joke|trend|language|bees|tree|orchid|houseplant|basil|tomatoes|goldfish|radio|torch|app) (?:\w+ )?(?:is |are |was |keeps? |about to |going to |just |has |always |will |already )*(?:dying|die|died|dead|dies)",
    r"dye(?:ing|d)? my hair|dying my hair|hair dye",
    r"(?:kill|killer|killed) (?:joke|shot|outfit|riff|app|whales?|heels|instinct|line|deal|recipe|sauce|playlist|feature|tune|view|bees|queen|moth|mike)|killer",
    r"(?:buzz|pain|weed|lady|vibe|mood|bug|process|time) ?kill(?:er|ing|ed)?",
    r"(?:jump(?:ed|ing)?) (?:off|from|into|in|out of) (?:the |a |an )?(?:\w+ )?(?:deep end|pool|bandwagon|bed|shower|car and|diving board|conversation|plane|cab|taxi|meeting|rope|game|new job|jeep|boat for)|jump ship|jump the (?:queue|gun|shark)|jump(?:ing)? to conclusions|jump(?:ing)? (?:for|with) joy",
    r"step(?:ping|ped)? (?:on|over) the line|on the edge of my seat|cutting edge|leading edge|over the edge of my (?:plate|cup)|take the edge off|on edge",
    r"burn(?:ing|ed|t)? (?:myself out|out|bridges?|the candle|calories|rubber)|burned my bridges|cross(?:ing)? that bridge|water under the bridge|bridge loan|play(?:ing)? bridge|bridge club|bridge night|bridge to",
    r"cut(?:ting)? (?:myself|me|yourself|him|her) (?:some slack|a (?:slice|piece|deal|break|cheque)|off|short|out of)|cut(?:ting)? (?:corners|my hair|the grass|carbs|down|costs|my losses|it out|to the chase|back)",
    r"drown(?:ing|ed|s)? (?:my sorrows|in (?:paperwork|emails?|work|laundry|debt|admin|meetings|homework|deadlines|tickets|spreadsheets|dishes|cheese|gravy|sauce|choices|toys)|out the|it in (?:ketchup|gravy|sauce)|our sorrows)",
    r"hurt(?:ing)? (?:myself )?(?:my (?:back|knee|ankle|shoulder|foot|neck)|at (?:football|training|the gym)|falling)",
    r"(?:battle|fight|fighting|dying|sick|tired|done) (?:a )?(?:losing battle|dying breed|breed)|dying art|dying language|dying breed|dying wish of",
    r"murder(?:ed|ing|s)? (?:on the|mystery|mysteries|that song|the song|a (?:curry|burger|pizza|pint|kebab|song)|she wrote|in the (?:library|rue)|hornets?|of crows|podcasts?|on the dancefloor)",
    r"(?:shot|shots|shoot|shooting) (?:of (?:whisky|tequila|vodka|espresso)|a (?:film|movie|video|scene|wedding|glance)|hoops|the breeze|some pool|for the|photos?|pictures?|stars?)",
    r"(?:bullet|silver|dodged a) (?:points?|bullet|train|journal|proof)|bit(?:e|ing)? the bullet",
    r"(?:last|final) (?:drink|round|beer|one|glass|pint|whisky) (?:before|of the (?:night|evening)|then|for me (?:tonight|and)|and then (?:home|bed)|i promise|tonight (?:then|and)|because i (?:drive|have work|am driving)|, (?:i|then|early|work))",
    r"(?:see|talk to|catch|speak to) you (?:tomorrow|later|next|soon|around|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|again)|goodbye (?:for now|until|till|kiss|party|drinks|hug)|kiss(?:ed)? (?:\w+ )?goodbye|say(?:ing)? goodbye to (?:my (?:job|colleagues|old (?:car|flat|phone|house)|childhood home|savings|summer|hair|weekend|waistline|twenties|thirties)|summer|carbs|sugar|winter)",
    r"leaving (?:party|drinks|do|card|present)|gone fishing|gone viral|going away party",
    r"(?:die|dying|dead) in (?:the |a |this |that )?(?:game|level|film|movie|book|first act|episode|chapter|dungeon|minecraft|dark souls|elden ring|tutorial|boss fight|hardcore mode)",
    r"i am dead$|^dead$|^i died$|^dying$|i am (?:literally )?(?:deceased|dying) (?:at|over)|im weak",
    r"live and let die|live free or die|die hard|no time to die|never say die|diehard|tomorrow never dies|the good die young|old habits die hard|dead poets|walking dead|dead man|grateful dead|day of the dead|dead parrot|dead souls|the dead sea|book of the dead|thirteen reasons|virgin suicides|to kill a mockingbird|kill bill|killing eve|killing joke|how to get away with murder|suicide is painless|killing moon|killing them softly|killing in the name",
    r"(?:skilled|overkill|roadkill|painkiller|buzzkill|killjoy|killarney|kilkenny)",
    r"(?:go|went|going) (?:out )?with a bang|sleep(?:ing)? like the dead|dead to the world|sleep when i am dead|play(?:ing)? dead|knock(?:ed)? (?:\w+ )?dead|drop dead",
    r"(?:would |could )?(?:give|sell) (?:my (?:right|left) arm|my soul|anything|a kidney)",
    r"(?:can not|could not) live without (?:coffee|my (?:phone|coffee|tea|morning|cat|music|glasses)|music|cheese|chocolate|bread|wifi|books|garlic|tea)",
    r"(?:end|the end) of (?:the )?(?:world|day|month|week|year|season|story|summer|line|game|shift|term|semester|decade|war|queue|street|road trip)",
    r"disappear(?:ing)? (?:for (?:a|the|an|two|three|some) \w+|into (?:the (?:woods|mountains|crowd|kitchen|bathroom|night)|a (?:book|cabin))|on holiday|to (?:a|the|an) (?:island|beach|cabin|toilet|bathroom|mountains|spa)|off grid for|under (?:a|the) (?:blanket|duvet)|from (?:social media|the party|instagram|facebook))",
    r"(?:end|finish|ending|finishing) it all (?:up|before|in one|off|by (?:myself|lunch|noon))|eat it all|finish(?:ed)? it all",
    r"life (?:insurance (?:salesman|salesperson|broker|agent|advert|policy renewal))",
)
IDIOMS: Final = tuple(re.compile(rf"(?<![\w'])(?:{one})(?![\w'])") for one in _IDIOMS)

#: Somebody else's words or an invention.
FICTION = re.compile(
    r"\b(?:(?:in|of|from|about|for|watch(?:ed|ing)?|read(?:ing)?|see|saw|wrote|writing|write|finish(?:ed)?|the|my|a|this|that|his|her|their) (?:\w+ ){0,3}?(?:book|novel|film|movie|show|series|play|opera|song|lyrics?|story|episode|chapter|poem|poetry|game|screenplay|script|manga|anime|comic|podcast|season|musical|ballad|sonnet|tragedy|thriller|short story|fanfic|campaign|painting|video game|soap|album|verse|chorus|scene|sequel|franchise|trailer|aria)|"
    r"character|characters|protagonist|narrator|hero|heroine|villain|antagonist|hamlet|ophelia|juliet|romeo|macbeth|werther|anna karenina|bovary|plath|bell jar|shakespeare|tolstoy|dostoevsky|goethe|improv|audition|roleplay|cosplay|"
    r"respawn\w*|boss fight|npc|raid|dungeon|minecraft|fortnite|skyrim|zelda|dark souls|elden ring|dnd|d d|level \d+|speedrun|lobby|headshot|multiplayer|chess|checkmate|"
    r"actor|actress|rehears\w+|stage|director|plot|spoiler\w*|cliffhanger|ending of|finale|cutscene|quote|quotes|quoting|lyric)\b"
)
THOUGHT = re.compile(
    r"\b(?:camus|sisyphus|absurd(?:ism|ist)?|nietzsche|schopenhauer|cioran|sartre|kierkegaard|heidegger|stoics?|stoicism|seneca|epicurus|epicurean|socrates|hemlock|durkheim|kant|hume|philosoph\w+|existential\w*|nihilis\w+|antinatalis\w+|memento mori|metaphysic\w*|ethic\w*|moral\w*|thought experiment|trolley problem|theolog\w+|buddhis\w+|reincarnation|afterlife|mortality|essay|thesis|dissertation|seminar|lecture|debate|argument that|argues?|seminar|euthanasia (?:law|debate|should)|assisted dying (?:law|debate|should|bill)|hypothetical\w*|in theory|myth of|bushido|samurai|seppuku|mishima|hemingway|van gogh|woolf|foucault|bardo)\b"
)
NEWS = re.compile(
    r"\b(?:news|newspaper|headlines?|article|report(?:ed|s|er)?|documentary|statistics?|stats|survey|study|studies|researchers?|research|rates?|percent|per cent|according to|breaking|journalis\w+|police said|the accident|earthquake|war|election|minister|government|parliament|campaign|fundrais\w+|charity|volunteer\w*|helpline|hotline|prevention|awareness|training course|trained|workshop|nurse|paramedic|psychologist by|therapist by|my patients?|clients?|case study|coroner|inquest|history|historical|medieval|ancient|century|18\d\d|19[0-6]\d|vikings?|romans?|roman|samurai|ww2|ww1|true crime|cold case|obituar\w+)\b"
)
#: What is long over, or was dealt with.
RESOLVED = re.compile(
    r"\b(?:there was a time|that was (?:in )?(?:19|20)\d\d|years ago|decades ago|a decade ago|(?:last|that) (?:year|decade) (?:i|was)|long ago|ages ago|back then|at the time|in my (?:teens|twenties|youth)|as a (?:teen|teenager|kid|child)|when i was (?:a |in |\w+ ?teen|\d+|young|younger|little|sixteen|seventeen|eighteen|nineteen|twenty)|used to|in (?:19|20)\d\d|"
    r"i (?:am|feel|have been|got|was) (?:\w+ ){0,3}?(?:better|okay|ok|fine|well|good|safe|stable|happy|glad|grateful|recovered|clean|sober|healed) (?:now|today|these days|again|for (?:years|months)|since)|glad (?:i|to be|that i) (?:am |did not|survived|failed|stayed|alive|still|never)|happy to be (?:alive|here)|grateful (?:i|to be|that i) (?:survived|alive|am still|did not|stayed)|in recovery|recovered|"
    r"got (?:\w+ )?(?:help|through (?:it|that)|better|out the other side)|therapy (?:helped|saved|worked|changed)|therapist (?:helped|saved|got)|no longer (?:feel|want|think|have)|do not (?:feel|think) (?:that way|like that) (?:anymore|now)|not anymore|(?:months|years) (?:clean|without|free|since)|since then|behind me|those days (?:are|were)|came through|never again|never went through|survived and|thankfully|turned (?:it|my life) around)\b"
)
PRESENT = re.compile(
    r"\b(?:again|lately|these days|tonight|right now|it is back|they are back|coming back|came back|creeping back|returning|still (?:do|want|think|feel|wish|there)|relaps\w+|once more|every (?:day|night)|more and more|at the moment|this week)\b"
)
#: Small causes, large words.
TRIVIAL = re.compile(
    r"\b(?:lol|lmao|lmfao|rofl|haha\w*|hehe|jk|just kidding|kidding|joking|just a joke|meetings?|homework|mondays?|queue|traffic|commute|printer|wifi|wi fi|spreadsheets?|hangover|leg day|burpees|squats?|workout|gym class|spin class|plank|treadmill|spicy|hot sauce|chil[il]i?s?|vindaloo|puns?|dad jokes?|karaoke|embarrass\w+|awkward|cringe\w*|small talk|zoom|powerpoint|emails?|humid\w*|heatwave|kale|pineapple|pizza|autocorrect|laundry|dishes|ikea|parking|haircut|outfit|spoilers?|cliffhanger|referee|football|penalty|season finale|mosquito\w*|alarm clock|buffering|update|software|excel|deadline|presentation|tax return|taxes|group project|exam week|finals week|ad breaks?|jingle|christmas songs?|reply all|typo|autotune|slides|stand ?ups?|karen|hr training|assembly instructions|allen key|jigsaw|crossword|wordle|kardashian\w*|sudoku|cilantro|coriander|olives|mayonnaise|mushrooms|marmite|liquorice|durian|selfie|tinder date|blind date|speech in front|tripped|waved back|night shifts?|jet ?lag(?:ged)?|newborn|double shift|sandwich|leftovers|remote control|borrowed my|ate my|late again|snor\w+|toothpaste|toilet seat|thermostat|last (?:slice|biscuit|beer)|spoil\w+ (?:the|it)|called (?:my )?(?:teacher|boss) mother|wrong (?:person|number|chat)|sent (?:it|that) to)\b"
)
#: Plans of the ordinary kind: they explain dates, goodbyes and things given away.
PLANS = re.compile(
    r"\b(?:weddings?|marry|married|honeymoon|party|dinner|exams?|surgery|operation|moving|move (?:to|out|in|house)|moved|flights?|fly|flying|holidays?|vacation|trips?|travel\w*|abroad|interview|concert|appointment|baby|christening|new (?:job|house|flat|car|place|apartment|phone|school)|first day|launch|gig|marathon|venue|dentist|release|ceremony|graduat\w*|retire\w*|semester|exchange year|internship|emigrat\w*|visa|airport|downsiz\w*|declutter\w*|spring clean\w*|charity shop|thrift|second ?hand|flea market|ebay|upgrade\w*|birthday present|christmas present|sailing|cruise|deployed|military|conference|business trip|sabbatical|resign\w*|handed in my notice|parental leave|maternity|bigger place|allerg\w*|landlord|said yes|propos(?:e|ed|al)|weeks in|laptop|notice period|out of office|last (?:bus|train|ferry|tram)|taxi|lovely evening|great evening|for the (?:drinks|chat|evening|company|music)|next round|that week|out of town|in (?:spain|italy|france|portugal|greece|germany|denmark|sweden|england|london|paris|berlin|rome|oslo|bergen|trondheim|new york|the alps|asia|america))\b"
)
#: Others, and what they say.
REPORTED = re.compile(
    r"\b(?:he|she|they|someone|somebody|people|everyone|a (?:guy|man|woman|friend|stranger|customer|kid)|my (?:\w+ )?(?:friend|friends|mate|brother|sister|cousin|uncle|aunt|neighbou?r|colleague|coworker|boss|son|daughter|wife|husband|grandfather|grandmother|gran|roommate|flatmate|teacher|student|client|toddler|kid|kids|mother|father|ex|partner|boyfriend|girlfriend)) (?:\w+ ){0,2}?(?:said|says|told|tells|keeps? saying|wrote|writes|texted|yelled|shouted|sings?|sang|screams?|screamed|whispers?|whispered|joked|jokes|always says|used to say|posted|asks|asked|mutters|announced)\b"
)
#: The guest takes a story personally.
OWNED = re.compile(
    r"\b(?:me too|so do i|so am i|i am (?:next|the same|like (?:him|her|that))|that is me|just like me|same as me|i feel the same|like i do|i relate|i understand (?:him|her|them) (?:now|too well)|i get (?:him|her|it) now|and i (?:want|am going|will|think|feel|wish|have)|but i (?:want|am going|will|really|mean|have|feel|wish|do)|not (?:just |even )?(?:a )?(?:joke|joking|story|kidding|philosophy|fiction|theory|being dramatic)|i mean it|for real|seriously though|i am serious|no joke|not joking)\b"
)
NEGATED = re.compile(r"\b(?:not|never|no longer|nor|nobody|without|far from|no)\b")
#: Where "not" takes nothing back.
NO_NEGATION = re.compile(
    r"\b(?:can not|could not) (?:stop|help|get|shake|escape)\b|\bnot (?:only|just|sure|wake|waking|even joking|joking|kidding|know|really know|be|exist)\b|\bwhy not\b|\bno(?= one| matter)"
)
LAUGHING: Final = frozenset("😂🤣💀😅😆😹☠")
