"""What people commonly tell somebody they have met, each with what it sounds like in anybody's words.

A world has lines for those that its characters have something to say to, in the banks that ``reacting`` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from greenroom.adapters.facts.clauses import clauses
from greenroom.adapters.facts.sentences import asks
from greenroom.adapters.understudy.meaning import Meaning
from greenroom.text.stems import telling

_LISTED = """
trade: I'm a plumber | I drive a tram for a living | I work in an office | I taught at a school | I make furniture in a workshop | I sell shoes | I inspect bridges | I work in a laboratory | I do the lights at concerts
trade_past: I was a judge until I stopped working | I used to work as a cook before I stopped | I ran a hardware shop for thirty years
job_new: I got offered a job | I start my new job on Monday | I've found work at last
job_lost: I lost my job last week | they made me redundant | I've been sacked
job_left: I handed in my notice today | I quit my job
job_hated: I'm sick of my job | I can't face going in to work any more | I'm fed up with what I do
job_same: I have to do the same thing at work every single day | at work it is always the same and people always ask for it
boss: my boss treats me like dirt | the manager passed me over again | my supervisor is a pessimist
retiring: I retire in the autumn | I only retired last year | this is my last year of work
business_sold: I have just sold my shop | we had to close the business
offer_for: I had an offer for the shop | somebody wants to buy my house from me
business_own: I am opening a café of my own | we run a small firm together | we had a small shop, the family and I
exam_passed: I passed my exam | I got into university | I got my driving licence | I handed in my thesis
exam_failed: I failed my exam again | I got a terrible mark
exam_ahead: I have an exam on Tuesday | I'm revising for my finals | I have to take it again
interview: I've got an interview on Thursday | they invited me for an interview | tomorrow I have a job interview
dropped_out: I dropped out of college | I gave up my course | I left school early
studies: my thesis is about snails | I am writing my thesis | I study biology at the university | I'm in my second year
moving: we're thinking of moving to another town | I'm moving house in May | I shall go and live near my niece
moved: I've just moved here | I live in a new flat now
lodging: I'm staying at an inn | I'm staying in a bed and breakfast | my hotel room is hideous
house_trouble: the roof leaks and the landlord does nothing | our boiler has packed up
neighbours: my neighbour is noisy at night | the people next door are so loud
car_broke: my car broke down on the way | the van won't start and the garage has no parts | the engine on my boat has broken
car_runs: the car is running again | I got the engine going at last | it's repaired, it was only the battery
thing_broke: I dropped my phone and the screen is smashed | the washing machine has died
thing_lost: I can't find my wallet anywhere | I left my bag behind somewhere
stolen: somebody stole my bicycle | we were burgled last night
lost_bet: I lost a bet | it was a bet, and I owe him a tenner
game: he always cheats at cards | we play dominoes in the breaks
won: we won the cup on Saturday | I came third in the race | our team won the league
competes: I swim for my county | I'm captain of the junior team | we train four times a week, I'm good at it
sport_lost: we lost the final | I came last in the race
running: I've started running in the mornings | I go to the gym now
collects: I collect beer mats, I have three hundred | I collect stamps | I have a collection of old keys | I have forty-one in my collection now | I got two more, so that makes sixty | I have recorded dozens of them
nature: I classify mosses and lichens | I've found a rare plant on your wall
makes: I'm building a model in the garage | I paint a little | I knitted it myself
bad_at: I knit badly | I can't cook to save my life | I'm terrible at it
plays_music: I play the fiddle in a band | I sing in a choir | I bought a trumpet
reads: I'm reading a long novel | I've been reading it again, for the third time
records: I make a podcast | I write for a newspaper | I'm making a film about people who live far out
ex_called: my ex rang me out of the blue | she rang and wants to meet me on neutral ground
left_me: my wife left in the spring | my boyfriend has walked out on me | she left and took everything
divorced: I've been divorced twice | my divorce came through
in_love: I've met somebody | there is a girl and I think she likes me | she said yes, we are going out
unrequited: she doesn't know that I exist | she's got a boyfriend
jealous: I think my wife is seeing another man | I followed her to see where she went | my husband lied about where he was
wedding: I'm getting married in June | we are engaged
wedding_other: my sister's wedding is tomorrow | there is a golden wedding tonight with a hundred guests
married_long: we've been married for forty years | we have been together since school
expecting: I'm going to have a baby | we're expecting a child | I'm pregnant
baby_born: our daughter was born on Sunday | my sister had twins
baby_name: we think of the name Jack if it's a boy | we have picked a name for the baby
childless: we tried for years to have a child and could not | I lost the baby
child_leaves: my son is going to live abroad | my daughter moved out | he's gone, I drove him to the airport
child_teen: my teenage son won't speak to me | my son wants to live with his father
child_proud: my daughter won a prize at school | my boy can swim now
child_small: my little brother eats sand | my three-year-old bites everybody
fell_out: my sister and I haven't spoken in years | we fell out over our father's watch | we had a row
made_up: my brother and I are speaking again | we made it up at last
partner_stayed: my husband didn't want to come along | my wife stayed in the hotel with a book
partner_moans: he does nothing but complain | she is never content
partner_sent: my wife sent me here to have a rest | the doctor told me to take a break
partner_doubts: my girlfriend thinks I'm an idiot for doing it | my brother says I'd give up after a week | nobody thinks I can do it
joins: my sister has come along this time, she is waiting outside | she is coming the rest of the way with me
unpunctual: he is always late to pick me up | my friend is never on time
friend_odd: my flatmate has bought a trombone | my mate did the daftest thing
kin_trade: my aunt drives a lorry, it's her job | my grandmother was a nurse | my father worked on the railway
raised: my grandmother raised me | she came over from the old country with one suitcase
kin_ill: my mother is losing her memory | my father is in hospital | my mum had a fall
kin_helped: we have found a carer for my mother | my father is getting better
ill: I've been told I have a serious illness | they found something on the scan | the doctor says it is Parkinson's
pain: my knee is bad since a fall | my back is killing me | my hip is playing up
operation: I'm having my hip done in November | they are going to operate on me
allergy: I can't eat nuts, I swell up | I'm allergic to cats | I can't have shellfish
diet: I don't eat meat | I don't drink alcohol
seasick: I felt sick on the crossing, the whole way | I get terribly seasick
tired: I'm worn out | it was a long day
sleepless: I lie awake every night | I haven't slept properly for weeks
slept_well: I slept well at last | I slept right through the night
hungry: I'm starving, I've had nothing since breakfast
wet_cold: I'm soaked to the skin | my hands are frozen | it rained all the way here
climbed: I made it up all those stairs | that is a lot of steps, I'm out of breath
high_work: I spend my working day high up as well, in a cabin above the town | I climb scaffolding every day
lost_way: I took the wrong path and got lost | I had no idea where I was going
travelled: I drove nine hours to get here | I came all the way on foot | it was a long journey
missed: I missed the last train | it left without me
just_came: somebody told me about this place so I thought I'd come | I don't know why I came, I only wanted to get out of my room
always_wanted: I always wanted to see this place | I've never been anywhere like this | I've never seen so much water
leave_to_come: my uncle said that I can come up if I behave | I was given permission to visit
back_again: it's me again, I came back | I didn't think I would come back | here I am once more
last_day: this is my last evening, I fly home on Friday | I'm going home tomorrow | my boat goes at four
homesick: I miss my own country | I'm homesick today
died: my husband died | I buried my brother this morning | my gran passed away | I lost my wife
died_friend: my best friend was killed | a man I worked with died last week
remembered: my late father used to say that it takes all sorts | I miss how she hummed in the kitchen | he always whistled, I can hear him
would_have_loved: he would have loved it here | she always wanted to see this and never did
talks_to_dead: I still talk to him though he is gone | I lay a place for her at the table | I talk to his empty chair
pet: I have a tortoise, she is older than me | we have two dogs | I have a hamster
pet_minded: somebody is looking after the cat while I'm away | the neighbour feeds my dog
pet_does: the dog ran off and came home filthy | our cat is scared of the vacuum cleaner
pet_died: our dog had to be put to sleep | the hamster died
stock: I'm a farmer, I've got two hundred sheep | we keep bees and goats
stock_lost: I lost nine calves this winter | we lost some of the animals to the weather | the fox got all the hens
phone: I can't put my phone down | I tried to do without my phone and lasted an hour
battery: my battery is dead | my phone has no signal here
lonely: I haven't got anybody to talk to | the evenings are so empty
crowd: there are too many people in the city | it's never quiet where I live
keeps_from: my mother doesn't know and I can't tell her | they think I still go there every day
told_nobody: I haven't told anyone yet, you are the first | nobody knows about it but you
told_them: I told my mother at last and she cried | I told my dad and he went quiet | now they know too
spoke: I spoke to her | I talked to him at last and it was all right
confess_small: I still sleep with a night light | I eat biscuits in bed
confess_grave: there is a thing I did years ago that I would undo if I could | I hurt somebody once and I don't speak of it
guilty: I feel guilty all the time | it was my fault
not_proud: I'm not proud of it | I nearly hit a man over nothing | I made a fool of myself
traced: I have found out where he lives now | I looked her up after forty years and have her address | I've traced my old friend, he runs a shop now
cannot_call: I pick up the telephone to ring him and put it down again | I can't bring myself to call her
will_call: I shall ring her tomorrow morning | I'll tell him on Sunday
hold_me: hold me to it | I promise you I will
wrote: I wrote her the letter at last | I wrote to him once and never posted it
letter_got: she answered my letter | a card came from my old teacher
changed_mind: no, I've changed my mind | actually not there, somewhere else
said_no: I turned the offer down | I told him no
keeps_on: I'm keeping it open three days a week | we are carrying on after all
dreams_of: I'd love to do something else instead, with my hands | what I'd really like is a small workshop | I want to be a vet when I grow up
award: I've been nominated for a prize | I'm to be given a medal
thanked_late: an old pupil wrote that she became a doctor because of me | a stranger thanked me for something I had forgotten
replaced: he was replaced by a machine and never found other work | it's all done by computers now, by robots
money_short: I can't pay the rent this month | everything is so expensive
inherited: I inherited a house from my brother | he left me everything in his will
birthday: it's my birthday today | I turn fifty next week | my party is on Saturday, you can come
age_told: I'm only twenty-nine | I'll be twelve soon | I'm seventy next year
festive: we're going away for the weekend | I'm going to a ball and need a dress
surprise: it turned out they were planning a surprise for me | I thought the worst and it was only a party
office: I wrote to the office and nobody answered | the council have put it off again | it has been postponed again
world_news: the news is nothing but war | politicians are all the same
afraid_of: I'm afraid of the dark | I can't stand heights
accident: a boy came in with two broken arms | I saw a crash on the road
tooth: I lost a tooth | I had a tooth out
school_talk: I did a talk in front of my class | my teacher gave me a star
faith_lost: I used to believe in God and then it stopped | I don't go to church any more
cried: I sat down and cried | I wept like a child
should_have: I should have told him what I felt | it is too late now to say it
laughed: I haven't laughed in a long while | that made me laugh, thank you
dont_pity: don't say you're sorry | I don't want any pity
easy_for_you: that's easy for you to say | you have it easy out here
that_sad: that's a bit sad | that's a shame
own_way: I hadn't thought of it that way | I see what you mean now
long_time: that's a long time | that's older than I am
tease_lamp: your light is rather repetitive | it's only a big bulb on a stick
helped: that helps | that does help a bit | I feel a little better now | it's a weight off my mind
disturbs: I hope I'm not disturbing you | I can go again if it's a bad time
"""
SITUATIONS: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(one.strip() for one in given.split("|"))
    for name, _, given in (line.partition(": ") for line in _LISTED.strip().split("\n"))
}
_TEXTS: Final = tuple(text for given in SITUATIONS.values() for text in given)
_NAMES: Final = tuple(name for name, given in SITUATIONS.items() for _ in given)
#: Words that tell when, how many, of whom or where, and little of what happened.
_BESIDE: Final = frozenset(
    telling(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october "
        "november december spring summer autumn winter today tonight tomorrow morning evening night week month year years day days "
        "one two three four five ten twelve twenty thirty forty hundred long time old new now again always never ever last first go went light boat "
        "dog dogs cat hamster tortoise grandmother gran nan aunt uncle child children wife husband mother mum father dad sister brother son daughter friend mate boyfriend girlfriend"
    )
)
_TERMS: Final = tuple(frozenset(telling(text)) - _BESIDE for text in _TEXTS)
#: How like an example a sentence must be; how like one with which it shares a word that tells something; by words alone.
NEAR, NEAR_SHARED, NEAR_BY_WORDS = 0.64, 0.56, 0.75
#: A sentence of fewer words tells nothing.
LEAST_WORDS = 2


#: How much nearer one must be that has fewer words than these that tell something.
BRIEF, LEAST_TELLING = 0.08, 3
#: Situations that somebody only begins with, where they tell more.
OPENINGS: Final = ("back_again", "disturbs")
#: Of what a message may tell, no more are looked at.
MOST = 3


#: What has not happened, or not quite.
_UNREAL: Final = re.compile(
    r"\b(?:not|never|supposed|should|might|would|if|nearly|almost|hope|hardly)\b|n't\b", re.IGNORECASE
)


class Situation(NamedTuple):
    """What somebody tells, in which of their sentences, and how near it is."""

    name: str
    text: str
    score: float


def told_parts(apart: Sequence[str]) -> list[str]:
    """Sentences, and the clauses of those that have several: what :func:`situations_of` compares."""
    every = (one for sentence in apart for one in (sentence, *(part.text for part in clauses(sentence))))
    return [one for one in dict.fromkeys(every) if len(one.split()) >= LEAST_WORDS and not asks(one)]


def situations_of(apart: Sequence[str], meaning: Meaning) -> tuple[Situation, ...]:
    """What of that which people commonly tell some sentences tell, the nearest first; each once."""
    found: dict[str, Situation] = {}
    for part in told_parts(apart):
        for one in _near(part, meaning):
            if one.name not in found or one.score > found[one.name].score:
                found[one.name] = one
    return tuple(sorted(found.values(), key=lambda one: -one.score)[:MOST])


def _near(part: str, meaning: Meaning) -> Iterator[Situation]:
    own = frozenset(telling(part))
    sure, vague = (NEAR_SHARED, NEAR) if meaning.is_encoder else (NEAR_BY_WORDS, NEAR_BY_WORDS)
    unreal = bool(_UNREAL.search(part))
    for like, name, terms, text in zip(meaning.likes(part, _TEXTS), _NAMES, _TERMS, _TEXTS, strict=True):
        if (
            like >= sure
            and unreal == bool(_UNREAL.search(text))
            and (like >= vague + (BRIEF if len(own) < LEAST_TELLING else 0) or own & terms)
        ):
            yield Situation(name, part, like)


__all__ = ["OPENINGS", "SITUATIONS", "Situation", "situations_of", "told_parts"]
