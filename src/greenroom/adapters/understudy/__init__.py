"""Parts that a character with no model behind it is made of: what kind of thing was said, and what answers it.

Everything here is deterministic: scores are rounded to two digits, and of equals the first is taken. By an encoder
where the house has one, by words where it has none; no other part knows the difference.
"""

from greenroom.adapters.understudy.asking import asks_of_self
from greenroom.adapters.understudy.hearing import Heard, Subjects
from greenroom.adapters.understudy.kinds import EXAMPLES, is_foreign, is_insult, is_leaving, is_nonsense
from greenroom.adapters.understudy.lines import fresh, pick
from greenroom.adapters.understudy.meaning import ByVectors, ByWords, Encoder, Meaning
from greenroom.adapters.understudy.persons import to_you
from greenroom.adapters.understudy.remembering import FoundMemory, remembered

__all__ = [
    "EXAMPLES",
    "ByVectors",
    "ByWords",
    "Encoder",
    "FoundMemory",
    "Heard",
    "Meaning",
    "Subjects",
    "asks_of_self",
    "fresh",
    "is_foreign",
    "is_insult",
    "is_leaving",
    "is_nonsense",
    "pick",
    "remembered",
    "to_you",
]
