"""Fills any JSON schema from what was heard: choices by the words they share with it, texts by picking sentences.

Only what others said may be repeated. A persona, a hand of cards or a secret stands in other sections: such words weigh
in a choice and are never given out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from greenroom.adapters.models.schema import Schema, faults, resolved
from greenroom.kernel.asks import AskModel, Json
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import fingerprint

#: Sections that hold what was said aloud, newest last.
HEARD: frozenset[str] = frozenset(
    {"said", "heard", "message", "messages", "question", "input", "talk", "conversation", "recent", "history"}
    | {"transcript", "dialogue", "document"}
)
#: Said when there is nothing to repeat.
NEUTRAL = ("I see.", "Go on.", "Let me think about that.", "Perhaps.", "Tell me more.", "That may well be.")

_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NO = frozenset(
    ("no", "not", "never", "none", "nobod", "nothi", "witho", "canno", "don", "doesn", "didn", "won", "isn")
)
_STEM = 5
_DEPTH = 12


def fill(ask: AskModel, lexicon: Mapping[str, Sequence[str]]) -> Json:
    """A value that fits the ask's schema, as well as can be told without a model; the same ask gives the same value."""
    filler = _Filler(_weights(ask), _heard(ask), lexicon, Chance(fingerprint(ask).hex()), ask.schema or {})
    return filler.text("answer", {}) if ask.schema is None else filler.value("answer", ask.schema)


@dataclass(slots=True)
class _Filler:
    weights: Counter[str]
    heard: tuple[str, ...]
    lexicon: Mapping[str, Sequence[str]]
    chance: Chance
    root: Schema
    depth: int = 0

    def value(self, name: str, schema: Schema) -> Json:
        schema = resolved(schema, self.root)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.choice(schema["enum"])
        forms = schema.get("anyOf") or schema.get("oneOf")
        return self.form(name, forms) if forms else self.of_kind(name, schema)

    def form(self, name: str, forms: Sequence[Schema]) -> Json:
        """The first form that can be filled; null only if there is no other."""
        values = [self.value(name, form) for form in forms]
        fitting = [v for v, form in zip(values, forms, strict=True) if not faults(v, form, self.root)]
        return next((value for value in fitting if value is not None), None)

    def of_kind(self, name: str, schema: Schema) -> Json:
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if not isinstance(kind, str):
            kind = next(one for one in kind if one != "null")
        match kind:
            case "object":
                return self.object(schema)
            case "array":
                return self.array(name, schema)
            case "boolean":
                return self.holds(name, schema)
            case "integer" | "number":
                return self.number(schema, whole=kind == "integer")
            case "null":
                return None
            case _:
                return self.text(name, schema)

    def object(self, schema: Schema) -> Json:
        known: Mapping[str, Schema] = schema.get("properties", {})
        self.depth += 1
        names = schema.get("required", tuple(known)) if self.depth < _DEPTH else schema.get("required", ())
        filled = {name: self.value(name, known.get(name, {"type": "string"})) for name in names}
        self.depth -= 1
        return filled

    def array(self, name: str, schema: Schema) -> Json:
        items = resolved(schema.get("items", {"type": "string"}), self.root)
        least, most = schema.get("minItems", 0), schema.get("maxItems", 3)
        if "enum" in items:
            ranked = self.ranked(items["enum"])
            return [ranked[i % len(ranked)] for i in range(max(least, min(most, 1)))]
        if items.get("type", "" if items else "string") == "string":
            found = [self.cut(sentence, items) for sentence in self.heard[-most:] if most]
            found += [self.text(name, items) for _ in range(least - len(found))]
            return found
        return [self.value(name, items) for _ in range(least)]

    # leaves

    def choice(self, options: Sequence[Json]) -> Json:
        return self.ranked(options)[0] if options else None

    def ranked(self, options: Sequence[Json]) -> list[Json]:
        """Best first: by the weight of what the option and its lexicon share with the prompt, then by lot."""
        scores = [self.score(str(option)) for option in options]
        lots = [self.chance.below(1 << 30) for _ in options]
        order = sorted(range(len(options)), key=lambda i: (-scores[i], lots[i]))
        return [options[i] for i in order]

    def score(self, option: str) -> int:
        words = {*stems(option), *(stem for word in self.lexicon.get(option, ()) for stem in stems(word))}
        return sum(self.weights[word] for word in words)

    def holds(self, name: str, schema: Schema) -> bool:
        """Whether what was heard last speaks of the thing, and does not deny it."""
        about = set(stems(f"{name} {schema.get('description', '')}"))
        last = set(stems(self.heard[-1])) if self.heard else set()
        return bool(about & last) and not last & _NO

    def number(self, schema: Schema, *, whole: bool) -> int | float:
        least, most = schema.get("minimum"), schema.get("maximum")
        said = [float(number) for sentence in reversed(self.heard) for number in _NUMBER.findall(sentence)]
        within = (n for n in said if (least is None or n >= least) and (most is None or n <= most))
        middle = (least + most) / 2 if least is not None and most is not None else least if least is not None else most
        value = next((n for n in within if not whole or n.is_integer()), middle or 0)
        return int(value) if whole else float(value)

    def text(self, name: str, schema: Schema) -> str:
        about = set(stems(f"{name} {schema.get('description', '')}"))
        fitting = [one for one in self.heard if len(one) >= schema.get("minLength", 1)]
        best = max(enumerate(fitting), key=lambda at: (len(about & set(stems(at[1]))), at[0]), default=None)
        return self.cut(best[1] if best is not None else self.chance.choose(NEUTRAL), schema)

    @staticmethod
    def cut(sentence: str, schema: Schema) -> str:
        """Short enough, at a word's end if possible; long enough in any case."""
        most = schema.get("maxLength", 600)
        short = sentence if len(sentence) <= most else sentence[:most].rsplit(" ", 1)[0]
        return short.ljust(schema.get("minLength", 0), ".")


def stems(text: str) -> list[str]:
    return [word.casefold()[:_STEM] for word in _WORD.findall(text)]


def _heard(ask: AskModel) -> tuple[str, ...]:
    """The sentences said aloud, oldest first; a section called ``said`` is the newest wherever it stands."""
    sections = [section for section in ask.sections if section.name in HEARD]
    sections.sort(key=lambda section: section.name == "said")
    return tuple(sentence for section in sections for text in section.texts for sentence in _sentences(text))


def _sentences(text: str) -> Iterable[str]:
    for line in text.splitlines():
        _, colon, said = line.partition(": ")
        yield from (found for one in _SENTENCE.findall(said if colon else line) if (found := one.strip()))


def _weights(ask: AskModel) -> Counter[str]:
    """How much each stem of the prompt counts: what was said last most, what never changes least."""
    weights: Counter[str] = Counter()
    for section in ask.sections:
        for age, text in enumerate(reversed(section.texts)):
            weight = 1 if section.stable else 12 if section.name == "said" else 6 if age == 0 else 2
            for stem in set(stems(text)):
                weights[stem] += weight
    return weights
