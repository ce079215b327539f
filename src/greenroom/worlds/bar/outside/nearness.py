"""How near to a topic a message must be, and which topics are what kind of thing."""

from __future__ import annotations

from typing import Final

#: How like an example a message is that can hardly mean anything else; that settles who answers; that is near at all.
PLAIN, ROUTED, TELLING_NEAR = 0.75, 0.6, 0.58
#: The same for what guests tell of themselves, for news, and how much less near another topic may be.
OWN_NEAR, NEWS_NEAR, BESIDE = 0.62, 0.58, 0.08
#: From here on a topic is nearer than what a sentence tells of whoever says it.
TAKEN: Final = 0.78
#: What is told and plain is taken up before a topic that is no nearer than this; and what is done before any.
TOLD_NEAR, DEEDS = 0.68, ("gift", "invitation", "promise")
#: What is asked of the room and what is to be had in it, and how near it must be to be no question for something told.
ROOM: Final = (
    *("seat", "better_seat", "bar_age", "couples", "no_money", "on_the_house", "lights", "counter", "sign", "rules"),
    *("food", "beer_kind", "spirits", "soft", "price", "hours", "toilet", "ceiling", "regulars", "who_is_here", "live"),
)
HOUSE: Final = 0.7
#: How well something told must answer a question that does not ask for it.
UNASKED: Final = 0.65
#: What is answered in the days after a crisis as on any other, how near it must be, and topics that begin so.
ANY_DAY: Final = (
    *(
        "order",
        "unserved",
        "food",
        "price",
        "place",
        "hours",
        "ceiling",
        "owner",
        "steps",
        "toilet",
        "piano",
        "smoking",
    ),
    *("wifi", "town", "ferry", "weather", "rules", "who_is_here", "words", "notes", "real", "music", "books", "sport"),
    *("thanks", "goodbye", "present", "memory", "injection"),
)
ANY_DAY_ABOUT, CAREFUL = ("you_", "about_"), 0.6
#: Words of a sentence that only says how somebody is called.
BRIEF_WORDS: Final = 6
#: Good news and bad, and what is neither an answer to anything told.
GOOD = ("good_news", "birthday", "romance_good")
BAD = (
    *("bad_news", "sad", "grief", "heartbreak", "lonely", "guilt", "fear"),
    *("jobless", "memento", "not_told_them", "sick_fear", "home_sick"),
)
#: What nobody answers as on any day in the days after a crisis.
HEAVY: Final = (*BAD, "meaning", "drunk", "sleep", "doctor", "secret", "refuses", "angry", "sorry")
SMALL: Final = (
    *("small", "nonsense", "thanks", "compliment", "greeting", "agrees", "laughs", "mutters", "teaser", "luck"),
)
#: Topics that nobody asks about in a question.
TOLD_ONLY: Final = (
    *("bad_news", "good_news", "sad", "unwell", "goodbye", "birthday", "drunk", "angry", "refuses"),
    *("rebuke", "laughs", "agrees", "mutters"),
)


def is_any_day(topic: str) -> bool:
    """Whether a topic is answered in the days after a crisis as on any other."""
    return topic in ANY_DAY or topic.startswith(ANY_DAY_ABOUT)
