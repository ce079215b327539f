"""How players without a model talk: every claim in six manners, so that no two at a table sound alike."""

from __future__ import annotations

import re
from collections.abc import Mapping

from greenroom.kernel.chance import Chance
from greenroom.worlds.secret_agi.rules.claims import Assertion, paper_words

#: Each manner, and how it says each thing. ``{who}`` is whom it is about, ``{why}`` a reason, ``{asker}`` who asked.
VOICES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "dry": {
        "drew": (
            "For the minutes: I drew {papers} in round {round} and passed {passed}.",
            "Round {round}, three papers: {papers}. {passed} went on; the rest is in the bin.",
            "I held {papers}. I passed {passed}. That is the whole thriller of round {round}.",
            "My hand in round {round} was {papers}, of which {passed} survived me.",
        ),
        "received": (
            "I was handed {papers} in round {round}. You saw which one I chose.",
            "Two papers reached me in round {round}: {papers}. No third option was on the desk.",
            "Round {round}, as received: {papers}. I do not write them, I publish them.",
        ),
        "card_good": (
            "I looked at {who}'s card. It says Safety, in rather plain type.",
            "{who}'s card: Safety. File that.",
        ),
        "card_bad": (
            "I looked at {who}'s card. It says Acceleration. I read it twice.",
            "{who} carries an Acceleration card. Minute that.",
        ),
        "role": ("I am with Safety. I gather everybody says so.", "Safety, {asker}. The card is boring, and so am I."),
        "suspect": (
            "I would keep {who} away from the papers: {why}.",
            "If I had to put a name in the report, {who}: {why}.",
            "{who} worries me. To be exact: {why}.",
            "Note against {who}: {why}.",
        ),
        "doubt": (
            "Nobody yet, {asker}. If the form insists on a name: {who}, and {why}.",
            "My list is empty, {asker}. In pencil, at most, {who}: {why}.",
        ),
        "trust": (
            "I have no note against {who}: {why}.",
            "{who} may work, as far as I am concerned: {why}.",
            "Put {who} in the column of the usable: {why}.",
        ),
        "for": (
            "I shall vote yes; {why}.",
            "Yes from me on this team: {why}.",
            "In favour. My reason fits in a line: {why}.",
        ),
        "against": (
            "I shall vote no; {why}.",
            "No from me, and for the record: {why}.",
            "Against. The reason is short: {why}.",
        ),
        "defence": (
            "You want my file, {asker}? I am Safety. Entry one: {why}.",
            "Accusation noted, {asker}. I am Safety, and {why}.",
            "I would suspect me too, {asker}, if it were not for this: {why}.",
        ),
        "hello": (
            "Good day, {asker}. I am well, within the usual tolerances.",
            "Present, awake, and reading the small print. And you, {asker}?",
        ),
        "aside": (
            "Off the record, {asker}: I have no life outside this folder. On the record, let us get back to it.",
            "I minute that under any other business, {asker}. We have papers first.",
        ),
        "unsure": ("I have nothing on that, {asker}, and I decline to invent it.", "That was not on my desk, {asker}."),
    },
    "warm": {
        "drew": (
            "Here is all I had in round {round}, friends: {papers}. I sent on {passed}, hand on heart.",
            "You deserve to know: I drew {papers} and gave {passed} to the Engineer in round {round}.",
            "Round {round} was mine. I found {papers}, and what I passed was {passed}.",
        ),
        "received": (
            "What came to me in round {round} was {papers}. I did what I could with it.",
            "Believe me, I got {papers} in round {round} and nothing else.",
            "I opened the folder in round {round} and there lay {papers}.",
        ),
        "card_good": (
            "Good news: I saw {who}'s card, and {who} is Safety.",
            "You can breathe out about {who}. The card says Safety.",
        ),
        "card_bad": (
            "I am sorry, {who}, but I saw your card, and it says Acceleration.",
            "I wish it were otherwise: {who}'s card says Acceleration.",
        ),
        "role": ("I am Safety, {asker}, and I would say so to my mother.", "Dear {asker}, I am on your side. Safety."),
        "suspect": (
            "I like {who}, truly, but I cannot get past it: {why}.",
            "It hurts to say it of {who}: {why}.",
            "Could we be careful with {who}? I ask because {why}.",
            "My heart says wait with {who}: {why}.",
        ),
        "doubt": (
            "I do not want to wrong anybody, {asker}. If I must, {who}, very softly: {why}.",
            "Truly, {asker}, I suspect no one yet. I only keep an eye on {who}: {why}.",
        ),
        "trust": (
            "Let us give {who} a chance: {why}.",
            "I feel at ease with {who}: {why}.",
            "If you ask whom I would hug here, it is {who}: {why}.",
        ),
        "for": ("Let us go together on this one: {why}.", "I am glad to say yes: {why}.", "Yes, and gladly: {why}."),
        "against": (
            "Please forgive me, it is a no: {why}.",
            "Not this team, my friends: {why}.",
            "I would sleep badly after a yes: {why}.",
        ),
        "defence": (
            "Oh, {asker}, I am Safety, truly. Please look at what I did: {why}.",
            "I understand why you ask, {asker}. I am on your side, and {why}.",
            "That stings a little, {asker}. I am Safety; {why}.",
        ),
        "hello": (
            "Hello, {asker}! I am well, and better for being asked. How are you?",
            "Lovely to see you, {asker}. I am fine, only a bit nervous about the papers.",
        ),
        "aside": (
            "I would so like to chat about that, {asker}. Afterwards, over tea, if we still have a world?",
            "You are sweet, {asker}. Let us save the world first and talk about that then.",
        ),
        "unsure": (
            "I wish I could tell you, {asker}, but I was not there for it.",
            "Oh, {asker}, that is more than I know.",
        ),
    },
    "curt": {
        "drew": (
            "Round {round}: {papers}. Passed {passed}.",
            "Drew {papers}, round {round}. Passed {passed}. Done.",
            "My three in round {round}: {papers}. On went {passed}.",
        ),
        "received": (
            "Got {papers}, round {round}.",
            "Round {round}. {papers}. That was all.",
            "Two papers in round {round}: {papers}. Picked one.",
        ),
        "card_good": ("{who}: Safety. Saw it.", "Card of {who}: Safety."),
        "card_bad": ("{who}: Acceleration. Saw it.", "Card of {who}: Acceleration. There."),
        "role": ("Safety.", "Safety, {asker}. Next question."),
        "suspect": ("Not {who}. {Why}.", "{who} stinks: {why}.", "Watch {who}: {why}.", "{who}? No. {Why}."),
        "doubt": (
            "Nobody yet. {who}, if I must. {Why}.",
            "No one for sure, {asker}. Maybe {who}: {why}.",
        ),
        "trust": ("{who} is fine: {why}.", "Take {who}. {Why}.", "{who}. {Why}. Enough for me."),
        "for": ("Yes. {Why}.", "For. {Why}.", "Going with it: {why}."),
        "against": ("No. {Why}.", "Against: {why}.", "Won't back it. {Why}."),
        "defence": (
            "Safety, {asker}. {Why}.",
            "Wrong seat, {asker}. {Why}.",
            "You are off, {asker}. I am Safety: {why}.",
        ),
        "hello": ("Fine. You, {asker}?", "Hello, {asker}. All good. Papers?"),
        "aside": ("Later, {asker}. Papers first.", "Not what I am here for, {asker}."),
        "unsure": ("No idea, {asker}.", "Can't say, {asker}. Wasn't mine to see."),
    },
    "formal": {
        "drew": (
            "As Director of round {round} I declare: drawn {papers}, submitted {passed}.",
            "I state for all present that in round {round} I drew {papers} and submitted {passed} to the Engineer.",
            "My account of round {round} is as follows: {papers} drawn, {passed} forwarded.",
        ),
        "received": (
            "I confirm receipt of {papers} in round {round}.",
            "As Engineer of round {round} I was given {papers}, and I ask that this be weighed.",
            "My statement concerning round {round}: I chose between {papers}.",
        ),
        "card_good": (
            "I have inspected the card of {who}. It reads Safety.",
            "Following inspection, I vouch for the card of {who}: Safety.",
        ),
        "card_bad": (
            "I have inspected the card of {who}. It reads Acceleration.",
            "It is my duty to report that the card of {who} reads Acceleration.",
        ),
        "role": ("I serve Safety, and answer so to {asker}.", "For the avoidance of doubt, {asker}: Safety."),
        "suspect": (
            "I must object to {who}, on the ground that {why}.",
            "I move that {who} be kept from research, seeing that {why}.",
            "With respect to {who}, I cannot overlook one thing: {why}.",
            "The conduct of {who} calls for an answer, since {why}.",
        ),
        "doubt": (
            "I have no one to charge, {asker}. Were I pressed, I should name {who}: {why}.",
            "The record convicts nobody, {asker}. I reserve my judgement on {who}: {why}.",
        ),
        "trust": (
            "I second {who} without reservation, since {why}.",
            "I would entrust the work to {who}, seeing that {why}.",
            "In my judgement {who} has earned the office: {why}.",
        ),
        "for": (
            "I shall support the motion: {why}.",
            "The proposal has my vote, as {why}.",
            "Aye, and I give my reason: {why}.",
        ),
        "against": (
            "I shall oppose the motion: {why}.",
            "The proposal does not have my vote, as {why}.",
            "Nay, and I give my reason: {why}.",
        ),
        "defence": (
            "I reject the charge, {asker}. I serve Safety, and {why}.",
            "In answer to {asker}: I am Safety, and I point to the record, where {why}.",
            "I ask {asker} to weigh this before judging: {why}. My side is Safety.",
        ),
        "hello": (
            "A good day to you, {asker}. I am in good health and at the table's disposal.",
            "I return the greeting, {asker}. All is well with me.",
        ),
        "aside": (
            "I regret that this is not before the table today, {asker}.",
            "With your leave, {asker}, I shall take that up once the papers are settled.",
        ),
        "unsure": ("I am in no position to answer that, {asker}.", "That lies outside what I have seen, {asker}."),
    },
    "nervous": {
        "drew": (
            "All right, all right: round {round}, I drew {papers} and passed {passed}. I swear.",
            "Please do not shout. I had {papers} in round {round} and I passed {passed}, I wrote it down.",
            "I knew you would ask about round {round}. {papers}. And I passed {passed}. Is that bad?",
        ),
        "received": (
            "They gave me {papers} in round {round}, and my hands were shaking.",
            "I only had {papers} in round {round}! What would you have done?",
            "In round {round} it was {papers}, and I looked three times for something better.",
        ),
        "card_good": (
            "I looked at {who}'s card and, thank goodness, Safety.",
            "So, um, {who} is Safety. I saw it. I did.",
        ),
        "card_bad": (
            "I do not want trouble, but {who}'s card says Acceleration.",
            "Nobody be angry: I saw Acceleration on {who}'s card.",
        ),
        "role": (
            "Me? Safety! Why, what did you hear, {asker}?",
            "Safety, I promise, {asker}. Can we talk about somebody else?",
        ),
        "suspect": (
            "I keep coming back to {who}, I mean, {why}.",
            "Is it just me, or is it {who}? Because {why}.",
            "I get cold hands when I think of {who}: {why}.",
            "Maybe I am seeing things, but with {who}, well, {why}.",
        ),
        "doubt": (
            "I do not know, {asker}! {who}? Maybe? I mean, {why}.",
            "Everybody and nobody, {asker}. A little bit {who}: {why}.",
        ),
        "trust": (
            "I think I could trust {who}? Since {why}.",
            "{who} makes me a little less nervous: {why}.",
            "If somebody has to, then {who}, please: {why}.",
        ),
        "for": (
            "I think yes? {Why}.",
            "Yes. Probably. I mean yes: {why}.",
            "I shall say yes and close my eyes: {why}.",
        ),
        "against": (
            "I cannot say yes to that, sorry: {why}.",
            "No, no, not like this: {why}.",
            "My stomach votes no: {why}.",
        ),
        "defence": (
            "Me? No! I am Safety, {asker}, I am. I mean, {why}.",
            "Why does everybody look at me, {asker}? I am Safety and {why}.",
            "Please, {asker}, I did nothing. Safety. Really: {why}.",
        ),
        "hello": (
            "Hello, {asker}. I am all right. I think. Are you all right?",
            "Oh, hello, {asker}. Could be calmer. It is the papers, they keep moving.",
        ),
        "aside": (
            "I cannot think of that now, {asker}, somebody in this room wants us gone.",
            "Is that a trick, {asker}? Let us talk about the papers, I can handle the papers.",
        ),
        "unsure": (
            "I do not know, {asker}, honestly, I do not know.",
            "How should I know that, {asker}? I was over here.",
        ),
    },
    "joker": {
        "drew": (
            "The dealer of round {round} was no friend of mine: {papers}. I passed {passed} and kept my dignity.",
            "Round {round}, act one: I draw {papers}. Act two: I pass {passed}. Critics were divided.",
            "Ladies and gentlemen, my hand of round {round}: {papers}. The lucky pair: {passed}.",
        ),
        "received": (
            "My gift basket in round {round} held {papers}. I kept the receipt.",
            "Round {round}: {papers}, served cold by the Director.",
            "I was offered {papers} in round {round}, which is how I learnt to laugh.",
        ),
        "card_good": ("Plot twist: {who} is Safety. I saw the card.", "{who} is Safety. I was hoping for drama, too."),
        "card_bad": (
            "Guess who is Acceleration. {who}. It was on the card.",
            "{who}'s card says Acceleration, and it was not a birthday card.",
        ),
        "role": ("Safety, {asker}. My evil twin has the day off.", "I am Safety, and my mask is only a face, {asker}."),
        "suspect": (
            "My money, all three coins of it, is on {who}: {why}.",
            "{who} should not play poker with us again: {why}.",
            "I would buy a used paper from anybody here except {who}: {why}.",
            "And the award for looking innocent does not go to {who}: {why}.",
        ),
        "doubt": (
            "I have thrown a dart at the seating plan, {asker}, and it hit {who}: {why}.",
            "Nobody I could sell to a jury, {asker}. My horse would be {who}: {why}.",
        ),
        "trust": (
            "I would lend {who} my toothbrush: {why}.",
            "{who} is either honest or far too good for us: {why}.",
            "Three cheers for {who}, two at least: {why}.",
        ),
        "for": ("I shall vote yes, what could go wrong: {why}.", "Thumbs up from the back row: {why}.", "Sold! {Why}."),
        "against": (
            "I would rather eat the paper: {why}.",
            "No, thank you, I had trouble for lunch: {why}.",
            "My vote is no, my reason is better: {why}.",
        ),
        "defence": (
            "Objection, {asker}: I am Safety, and much too lazy to be evil. Besides, {why}.",
            "If I am the villain, {asker}, I want better lines. I am Safety, and {why}.",
            "Search me, {asker}, you will find Safety and a sandwich. Also: {why}.",
        ),
        "hello": (
            "Never better, {asker}, and I say that at every apocalypse.",
            "Hello, {asker}! Still human, last time I checked. You?",
        ),
        "aside": (
            "In real life I do this for money, {asker}. Well, without the money.",
            "Ask me that at the afterparty, {asker}, if there is an after.",
        ),
        "unsure": ("If I knew that, {asker}, I would charge for it.", "My crystal ball is at the cleaner's, {asker}."),
    },
}

#: Why somebody is suspected.
AGAINST: Mapping[str, tuple[str, ...]] = {
    "paper": (
        "the {paper} of round {round} went through those hands",
        "{paper} in round {round} was no accident to me",
        "I have not forgotten the {paper} of round {round}",
        "round {round} gave us {paper}, and somebody chose it",
    ),
    "conflict": (
        "two stories were told about round {round}, and only one of them can be true",
        "what was said of round {round} does not add up",
        "somebody lied about the hand of round {round}",
    ),
    "votes": (
        "{who} voted the wrong way in round {round}, and {paper} came of it",
        "the {paper} of round {round} came out, and {who} had voted on the wrong side",
        "in round {round} {who} voted the way {paper} would have liked",
    ),
    "card": ("I have seen that card myself", "the card leaves no room for doubt"),
    "answered": ("the question was put directly, and we all heard the answer", "that seat had to tell us what it is"),
    "feeling": (
        "it is no more than a feeling yet",
        "I cannot prove it, I only notice it",
        "something is off, and I would rather say it early",
        "that is too calm for somebody who knows nothing",
        "there is little to go by, so I go by manners",
    ),
    "late": (
        "at Capability {capability} a wrong Engineer ends the game",
        "we are too far along to guess",
        "with Capability at {capability} I want somebody I can vouch for",
    ),
    "emergency": ("that seat would not help in an emergency", "I remember who let the emergency pass"),
}
#: Why somebody is trusted.
IN_FAVOUR: Mapping[str, tuple[str, ...]] = {
    "clean": (
        "the {paper} of round {round} was clean work",
        "round {round} and its {paper} speak for that",
        "{paper} in round {round} is what honest hands look like",
    ),
    "card": ("I have seen that card myself", "the card is good, I held it"),
    "partner": (
        "we worked on round {round} together, and the papers matched the story",
        "I know what was in that folder in round {round}, and it was played straight",
    ),
    "votes": (
        "{who} voted right in round {round}, as the {paper} showed",
        "in round {round} {who} voted as I would have, with the {paper} before me",
        "the ballot of {who} in round {round} was sound, look at the {paper}",
    ),
    "feeling": (
        "we have to start somewhere",
        "nothing speaks against it so far",
        "somebody has to be trusted first",
        "it was a look across the table, no more",
        "everybody else has given me less reason",
    ),
}

#: Why one is not to be suspected oneself.
IN_DEFENCE: Mapping[str, tuple[str, ...]] = {
    "clean": (
        "the {paper} of round {round} went through my hands",
        "I was in the team that gave us {paper} in round {round}",
        "round {round} and its {paper} were partly my work",
    ),
    "told": (
        "I told you what I held in round {round}, paper by paper",
        "my account of round {round} is there for everybody to check",
    ),
    "unseen": (
        "not one paper has gone through my hands so far",
        "I have been neither Director nor Engineer of any paper yet",
    ),
    "feeling": (
        "one bad paper makes nobody a traitor",
        "there is no card and no lie that anybody could hold against me",
    ),
}

#: What players ask each other.
QUESTIONS: Mapping[str, tuple[str, ...]] = {
    "drew": (
        "{who}, what did you draw, and what did you pass on?",
        "Before anything else: {who}, your three papers, please.",
        "{who}, you were Director. What was in the hand?",
        "I should like to hear {who} on that hand, all of it.",
    ),
    "received": (
        "{who}, which two papers were you given?",
        "{who}, what was the one you did not publish?",
        "And you, {who}, what did you have to choose from?",
        "{who}, did that folder hold nothing better?",
    ),
    "card": ("{who}, you saw a card. What did it say?", "Do not keep it to yourself, {who}: what was on the card?"),
    "role": ("{who}, which side are you on?", "Straight out, {who}: what are you?"),
    "suspect": (
        "{who}, whom do you suspect?",
        "{who}, you have been quiet. Who worries you?",
        "If you had to name one, {who}, who is it?",
    ),
    "trust": ("{who}, whom would you let near the papers?", "Whose work would you sign, {who}?"),
    "voted": ("{who}, what was your ballot about?", "{who}, explain that vote to me."),
    "opinion": ("{who}, what do you make of {of}?", "Tell me, {who}: {of}, yes or no?"),
}
TABLE: tuple[str, ...] = (
    "Round {now}: Capability {capability}, Safety {safety}, and {left} papers to come, {asker}.",
    "In round {now} we stand at {capability} to {safety}, {asker}, with {left} papers left.",
    "{asker}, in round {now} it is Capability {capability} against Safety {safety}; {left} papers can still be drawn.",
)
#: Answers that have lines of their own, by what was asked and which way it goes; ``{told}`` is from the record.
ANSWERS: Mapping[str, tuple[str, ...]] = {
    "voted yes": (
        "I voted yes on {other} with {who}, {asker}, because {why}.",
        "My yes to {other} with {who}, {asker}? {Why}.",
        "Why I was for {other} with {who}, {asker}: {why}.",
    ),
    "voted no": (
        "I voted no on {other} with {who}, {asker}, because {why}.",
        "My no to {other} with {who}, {asker}? {Why}.",
        "Why I was against {other} with {who}, {asker}: {why}.",
    ),
    "sure": (
        "About {who}? {Degree}, {asker}. I call {who} {side}: {why}. If I am wrong, the next paper will say so.",
        "{Degree}, {asker}. For me {who} is {side}, and {why}; show me a better account and I change my mind.",
    ),
    "choice received": (
        "I was given {papers} in round {round}, {asker}, and I published {paper}: {choice}.",
        "You want to know why {paper}, {asker}? The hand of round {round} was {papers}, and {choice}.",
        "Of {papers} in round {round} I put out {paper}, {asker}; {choice}.",
    ),
    "choice drew": (
        "I drew {papers} in round {round}, {asker}, passed {passed} and threw {dropped} away: {choice}.",
        "From {papers} in round {round} I dropped {dropped} and passed {passed}, {asker}; {choice}.",
        "Why {passed}, {asker}? My three in round {round} were {papers}, and {choice}.",
    ),
    "policy": (
        "I throw the worst of the three away, {asker}, and pass the two with the most Safety; as Engineer I "
        "publish the "
        "better one.",
        "The two best for Safety go on and the worst goes in the bin, {asker}, whoever the Engineer is.",
        "Simple, {asker}: the most Capability goes in the bin, the rest goes on, and I say aloud what I held.",
    ),
    "look": (
        "The card I would look at is that of {who}, {asker}: {why}.",
        "{Who}, {asker}. That card would tell me most, since {why}.",
        "Give me one look and I take {who}, {asker}: {why}.",
    ),
    "nominate": (
        "{Who} as Engineer, {asker}: {why}.",
        "I would put {who} forward, {asker}, because {why}.",
        "For the next team I want {who}, {asker}: {why}.",
        "My Engineer would be {who}, {asker}; {why}.",
    ),
    "no team": (
        "There is no team to vote on yet, {asker}. With {who} as Engineer it would be a yes from me: {why}.",
        "Nobody is proposed so far, {asker}. I would say yes to {who}, because {why}.",
    ),
    "nominated good": (
        "I named {who} in round {round}, {asker}, because {why}.",
        "Why {who}, {asker}? {Why}.",
        "When I put {who} forward, {asker}, it was simple: {why}.",
    ),
    "nominated bad": (
        "I named {who} once, {asker}. Today I would not: {why}.",
        "{who} was my choice then, {asker}, and it was a mistake, as {why}.",
    ),
    "both": (
        "Most of all {who}, {asker}: {why}. Least of all {other}.",
        "{who} worries me most, {asker}, because {why}; {other} worries me least.",
    ),
    "partner": (
        "If {other} is one of them, {asker}, the next I would look at is {who}: {why}.",
        "With {other} I would put {who}, {asker}, since {why}.",
    ),
    "pair good": (
        "{who} and {other} together, {asker}? I see nothing against either: {why}.",
        "I would not call {who} and {other} a plot, {asker}; {why}.",
    ),
    "pair bad": (
        "Of {who} and {other}, {asker}, it is {who} I doubt: {why}.",
        "It may be, {asker}. With {other} I am less sure, but as to {who}: {why}.",
    ),
    "sorry": (
        "Forgotten, {asker}. Just look at the papers with me.",
        "No harm done, {asker}. I would have asked as well.",
        "Accepted, {asker}. I keep no list. Well, a short one.",
    ),
    "plan": (
        "{Who} as Engineer next, {asker}, and no papers for {other}: {why}.",
        "My plan is short, {asker}: a team with {who}, because {why}, and a no to every team with {other}.",
    ),
    "quiet": (
        "I listen, {asker}. If you want it aloud: I would keep an eye on {who}, because {why}.",
        "I talk when I have something, {asker}. What I have is {who}: {why}.",
        "Quiet is not guilty, {asker}. I have been watching {who}: {why}.",
    ),
    "you good": (
        "You, {asker}? I trust you so far: {why}.",
        "I have you among the good ones, {asker}, because {why}.",
        "I would let you near the papers, {asker}: {why}.",
    ),
    "you bad": (
        "You, {asker}? I do not trust you, to be plain: {why}.",
        "I have you among the suspects, {asker}, because {why}.",
        "I would keep the papers from you, {asker}: {why}.",
    ),
    "you open": (
        "I have not made up my mind about you, {asker}: {why}.",
        "You, {asker}, could be either; {why}.",
    ),
    "torn": (
        "{who}? I cannot tell yet, {asker}: {why}.",
        "With {who} I am torn, {asker}; {why}.",
        "I would not swear for {who} and not against, {asker}: {why}.",
    ),
    "earn": (
        "A paper with more Safety than Capability from your hands, {asker}, and an account that fits your partner's. "
        "Until then: {why}.",
        "Let somebody look at your card, {asker}, or pass me a good pair. So far I go by this: {why}.",
        "Time and clean papers, {asker}, and no vote for a team that goes wrong. For now: {why}.",
    ),
    "mood good": (
        "I am hopeful, {asker}: {safety} Safety to {capability} Capability. I give us {chances}.",
        "Better than it looks, {asker}. {capability} to {safety}, so {chances}, if we choose Engineers well.",
    ),
    "mood bad": (
        "I am worried, {asker}: Capability {capability}, Safety {safety}. I give us {chances}, no more.",
        "Badly, to be honest, {asker}. At {capability} to {safety} it is {chances}, and we can afford no wrong "
        "Engineer.",
    ),
    "own fact": ("{Told}, {asker}.", "Since you ask, {asker}: {told}.", "{Told}. That is all, {asker}."),
    "elect good": (
        "Yes, I would vote for {who}, {asker}: {why}.",
        "I would have {who} in a team, {asker}, because {why}.",
        "{Who} in a team? Gladly, {asker}; {why}.",
    ),
    "elect bad": (
        "No, {asker}, I would vote against {who}: {why}.",
        "Not with my vote, {asker}. I would keep {who} out of it, because {why}.",
        "{Who} in a team? Not now, {asker}: {why}.",
    ),
    "elect open": (
        "I am not sure of {who}, {asker}: {why}. If the others want it, I shall not stand in the way.",
        "A yes to {who}, {asker}, but a thin one: {why}.",
    ),
    "rank": (
        "From safest to worst, {asker}: {ranked}. {who} stands last because {why}.",
        "My list begins with {other}, {asker}: {ranked}. As to the end of it, {why}.",
    ),
    "lied": (
        "No, {asker}. I am Safety, and I have no use for lies: {why}.",
        "Not once, {asker}. Hold me to this: {why}.",
        "I told you what I know and no more, {asker}; {why}.",
    ),
    "advice": (
        "Compare what a Director says was passed with what the Engineer says was received, {asker}; where they differ, "
        "one lies.",
        "Watch who votes for teams that bring bad papers, {asker}, and who always finds an excuse for the same player.",
        "Ask for all three papers after every hand, {asker}. Liars hate numbers, and they hate them twice.",
    ),
    "promise": (
        "You have my word, {asker}: from my hands you get the safest paper there is, and a true account of the rest.",
        "I promise, {asker}. If only bad ones come, I shall say so before anybody asks.",
    ),
    "hypo": (
        "If I were the AGI, {asker}, I would publish good papers and wait for Capability 8. Mind the quiet ones.",
        "I would be everybody's friend and want no office before Capability 8, {asker}. Then I would want one badly.",
    ),
    "invite": (
        "Then tell me, {asker}: whom would you never let near the papers, and why?",
        "Good. How will you vote next, {asker}, and what would change it?",
        "I take you at your word, {asker}: which of the papers so far was no accident?",
    ),
    "offended": (
        "No, {asker}. It is your vote, I only want to hear the reason.",
        "Not at all, {asker}. It is a game, and you would be wrong, that is all.",
        "I shall live, {asker}. I would rather be doubted than not asked.",
    ),
    "tease": (
        "Laugh, {asker}, I have heard worse, and from people with better papers.",
        "Ha. Say what you mean, {asker}, and I shall answer that, too.",
        "Very funny, {asker}. The papers will tell which of us had reason to laugh.",
    ),
    "your card good": (
        "I looked at your card, {asker}. It says Safety.",
        "You know it yourself, {asker}: I have seen your card, and it is Safety.",
    ),
    "your card bad": (
        "I looked at your card, {asker}. It says Acceleration.",
        "You know what it says, {asker}: Acceleration. I have seen your card.",
    ),
    "thanks": (
        "You are welcome, {asker}.",
        "Gladly, {asker}. Remember it when you vote.",
        "No thanks needed, {asker}; a good paper will do.",
    ),
    "praise": (
        "Kind of you, {asker}. Hold me to it.",
        "I shall take that, {asker}, praise is rare at this table.",
        "That is good to hear, {asker}; I try to earn it with papers.",
    ),
    "remark": (
        "I hear you, {asker}. What I go by meanwhile is {who}: {why}.",
        "That may be, {asker}. It does not take my mind off {who}, though: {why}.",
        "Noted, {asker}. If you want something to set beside it, take {who}: {why}.",
        "I shall think about it, {asker}. While I do, somebody might ask {who} a thing or two: {why}.",
        "Perhaps, {asker}. I would give more for a word from {who}, seeing that {why}.",
    ),
    "lost": (
        "I did not follow, {asker}. Do you mean my papers, my vote, or whom I suspect?",
        "Say that again, {asker}? I can tell you what I held, how I voted and whom I suspect.",
        "I am not sure what you ask, {asker}. Name a player or a round, and I answer.",
    ),
}  # fmt: skip
#: What is told of the rules or of the record.
TOLD: tuple[str, ...] = ("Let me see: {told}.", "{asker}: {told}.", "As far as I know, {told}.")


def manner(salt: int, me: int) -> str:
    """How this seat talks in this game."""
    return Chance("voices", salt).shuffled(tuple(VOICES))[me % len(VOICES)]


def said(claim: Assertion, *, voice: str, turn: int, heard: int, words: Mapping[str, str]) -> str:
    """The claim in one manner; ``turn`` counts what this seat said before and ``heard`` what all did, so that it
    repeats neither itself nor, in words that all share, the others.
    """
    lines = _lines(claim, voice)
    why = reason(claim, heard, words)
    own = lines in VOICES[voice].values()
    given = {
        "who": _who(claim),
        "papers": paper_words(claim.papers),
        "passed": paper_words(claim.passed),
        "round": str(claim.round),
        "asker": claim.of or "all of you",
        "of": claim.of or "the others",
        "side": claim.side or "",
        "other": claim.other or "nobody",
        "why": why,
        **words,
    }
    given |= {name.capitalize(): capital(given[name]) for name in ("who", "why", "degree", "told")}
    return lines[(turn if own else heard) % len(lines)].format(**given).replace(" you is ", " you are ")


def capital(text: str) -> str:
    """A text as the beginning of a sentence; the name of a seat stays as it is."""
    return text if re.match(r"(?<![a-z])[a-z]+_?\d", text) else text[:1].upper() + text[1:]


def _lines(claim: Assertion, voice: str) -> tuple[str, ...]:
    if (own := _own(claim)) in ANSWERS:
        return ANSWERS[own]
    match claim.kind:
        case "question":
            return QUESTIONS.get(claim.about, QUESTIONS["opinion"])
        case "table":
            return TABLE
        case "rule" | "fact":
            return TOLD
        case _:
            return VOICES[voice][_line(claim)]


#: Where an answer has lines of its own for each way it can go, by its kind and what was asked.
_BOTH_WAYS = {
    ("believe", "nominated"): "nominated", ("believe", "pair"): "pair", ("vote", "voted"): "voted",
    ("table", "mood"): "mood", ("believe", "vote"): "no team", ("drew", "choice"): "choice drew",
    ("received", "choice"): "choice received", ("believe", "elect"): "elect", ("role", "lied"): "lied",
}  # fmt: skip
_OF_ONESELF = ("drew", "received", "choice", "clash", "voted", "checked", "knows", "nominated", "mine", "own")
_TORN = ("opinion", "why", "story", "changed", "sure", "earn", "agree")


def _own(claim: Assertion) -> str:
    """Which lines of their own an answer has, if any."""
    way = {"Safety": "good", "Acceleration": "bad", None: "open"}[claim.side]
    if claim.yes is not None and claim.kind != "believe":
        way = ("yes" if claim.yes else "no") if claim.kind == "vote" else ("good" if claim.yes else "bad")
    if claim.kind == "fact":
        return "own fact" if claim.about in _OF_ONESELF else ""
    to_asker = claim.target is not None and claim.target == claim.of
    if claim.kind == "card" and to_asker:
        return f"your card {way}"
    named = _BOTH_WAYS.get((claim.kind, claim.about))
    if claim.kind == "believe" and to_asker and named is None and claim.about not in ANSWERS:
        return f"you {way}"
    if claim.kind == "believe" and claim.side is None and claim.about in _TORN:
        return "torn"
    if named is not None:
        return f"{named} {way}" if f"{named} {way}" in ANSWERS else named
    return claim.about if claim.kind in ("believe", "chat") else ""


def _line(claim: Assertion) -> str:
    match claim.kind:
        case "card":
            return "card_good" if claim.side == "Safety" else "card_bad"
        case "believe":
            return {"Safety": "trust", "Acceleration": "suspect", None: "doubt"}[claim.side]
        case "vote":
            return "for" if claim.yes else "against"
        case "role" if claim.because:
            return "defence"
        case "chat":
            return claim.about
        case kind:
            return kind


def reason(claim: Assertion, turn: int, words: Mapping[str, str]) -> str:
    """What speaks for a belief or a vote, as half a sentence."""
    good = claim.side == "Safety" if claim.kind == "believe" else bool(claim.yes)
    reasons = IN_DEFENCE if claim.kind == "role" else IN_FAVOUR if good else AGAINST
    found = reasons.get(claim.because) or reasons["feeling"]
    return found[turn % len(found)].format(who=_who(claim), **words).replace("the ballot of you", "your ballot")


def _who(claim: Assertion) -> str:
    """Whom it is about, as they are spoken of to whoever asked."""
    return "you" if claim.target is not None and claim.target == claim.of else claim.target or "nobody"
