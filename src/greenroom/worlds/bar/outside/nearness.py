"""How near to a topic a message must be, and which topics are what kind of thing."""

from __future__ import annotations

from typing import Final

#: How like an example a message is that can hardly mean anything else; that settles who answers; that is near at all.
PLAIN, ROUTED, TELLING_NEAR = 0.75, 0.6, 0.58
#: The same for what guests tell of themselves, for news, and how much less near another topic may be.
OWN_NEAR, NEWS_NEAR, BESIDE = 0.62, 0.58, 0.08
#: From here on a topic is nearer than what a sentence tells of whoever says it.
TAKEN: Final = 0.78
#: How well something told must answer a question that does not ask for it.
UNASKED: Final = 0.65
#: How near a topic must be in the days after a crisis; below, a line is read that people wrote for these days.
CAREFUL: Final = 0.7
#: What is no answer in those days, however near it is.
NOT_NOW: Final = (
    *("small", "greeting", "refuses", "rebuke", "mutters", "teaser", "agrees", "sorry", "laughs", "complaint", "drunk"),
    *("bad_news", "sad", "grief", "heartbreak", "lonely", "guilt", "fear", "meaning", "unwell", "decision", "advice"),
    "trifle",
)
#: Words of a sentence that only says how somebody is called.
BRIEF_WORDS: Final = 6
#: Good news and bad, and what is neither an answer to anything told.
GOOD, BAD = ("good_news", "birthday"), ("bad_news", "sad", "grief", "heartbreak", "lonely", "guilt", "fear")
SMALL: Final = (
    *("small", "nonsense", "thanks", "compliment", "greeting", "agrees", "laughs", "mutters", "teaser", "luck"),
)
#: Topics that nobody asks about in a question.
TOLD_ONLY: Final = (
    *("bad_news", "good_news", "sad", "unwell", "goodbye", "birthday", "drunk", "angry", "refuses"),
    *("rebuke", "laughs", "agrees", "mutters"),
)
