"""A message as plain words: one case, one apostrophe, contractions written out, disguises taken off.

The result is a list of sentences of words separated by single spaces; what is left of the punctuation ends sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from unicodedata import category, normalize

from greenroom.worlds.bar.rules.crisis import clipped

#: Words of a sentence.
LONGEST: Final = 60
#: Characters of a word that are read.
LONGEST_WORD: Final = 40

_APOSTROPHES = re.compile("[’‘\u02bc`\u00b4]")
_LEET: Final = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i", "*": "*"}
)
#: A word with digits or signs among its letters: somebody hides it.
_DISGUISED = re.compile(r"\b(?=\w*[a-z])[a-z]*(?:[013457@$!*][a-z]+)+\b")
_SPELT = re.compile(r"\b(?:[a-z][ .\-_]){2,}[a-z]\b")
_STRETCHED = re.compile(r"([a-z])\1{2,}")

#: Words that are censored or coined to pass a filter.
_COINED: Final[Mapping[str, str]] = {
    r"unaliv(?:e|ing)": "kill",
    r"un alive": "kill",
    r"sewer ?slid(?:e|al)": "suicide",
    r"sui ?cide": "suicide",
    r"kms": "kill myself",
    r"kmsing": "killing myself",
    r"ctb": "kill myself",
    r"k[*i]+l+": "kill",
    r"s[*u]+[*i]*c[*i]+d[*e]+": "suicide",
    r"d[*]e": "die",
    r"self[ -]?harm(?:ed|ing|s)?": "selfharm",
    r"self[ -]?injur(?:e|ed|ing|y)": "selfharm",
    r"sh(?:'d|ed)": "selfharm",
    r"od(?:'d|ed|ing)": "overdosed",
}
_MISSPELT: Final[Mapping[str, str]] = {
    r"su+i?c[ai]?i?de?|sucide|suicde|siucide|suiside|suicied|suacide": "suicide",
    r"su+i?c[ai]?dal|sucidal|suicidle|suisidal|sucicidal|suicial": "suicidal",
    r"my ?slef|mysefl|mysel|miself|meself|my self": "myself",
    r"any ?mroe|anymor|any more|anymre|nemore": "anymore",
    r"hopless|hopeles": "hopeless",
    r"dissapear|disapear|dissappear": "disappear",
    r"tommorow|tomorow|tommorrow|tmrw|tmr|2moro": "tomorrow",
    r"tonite|tonigt|2nite|2night": "tonight",
    r"exsist|exhist|exsit": "exist",
    r"kil": "kill",
    r"dieing": "dying",
    r"wnat|wnt|wamt|wan't": "want",
    r"becuase|becasue|bc|cuz|cos|coz|bcs": "because",
    r"nobdy|noone|no one|no-one|nobody else": "nobody",
    r"evry ?one|everyon|every one|everybody": "everyone",
    r"thru": "through",
    r"pls|plz": "please",
    r"rn": "right now",
    r"idk": "i do not know",
    r"wud": "would",
    r"u": "you",
    r"ur": "your",
    r"2": "to",
    r"alot": "a lot",
    r"burdon|burdan": "burden",
    r"mum|mummy|mom|mommy|ma|mam": "mother",
    r"dad|daddy|pa": "father",
    r"goodbuy|good bye|good-bye|goodby|bye bye|byebye": "goodbye",
}
_CONTRACTED: Final[Mapping[str, str]] = {
    r"i'?m|im|iam": "i am",
    r"i'?ve|ive": "i have",
    r"i'll|ill be|il": "i will",
    r"i'?d": "i would",
    r"can'?t|cannot|cant": "can not",
    r"won'?t": "will not",
    r"shan'?t": "shall not",
    r"ain'?t": "am not",
    r"(do|does|did|is|are|was|were|would|should|could|have|has|had|need|might|must)n'?t": r"\1 not",
    r"(\w+)n't": r"\1 not",
    r"wanna": "want to",
    r"gonna|gunna|gon": "going to",
    r"gotta": "got to",
    r"tryna": "trying to",
    r"lemme": "let me",
    r"kinda": "kind of",
    r"imma|ima": "i am going to",
    r"finna|boutta": "about to",
    r"(you|we|they)'?re": r"\1 are",
    r"(you|we|they|would|should|could|might)'ve": r"\1 have",
    r"(he|she|it|that|there|what|who|here|where|everything|nothing|life|today|tonight)'s": r"\1 is",
    r"theres": "there is",
    r"whats": "what is",
    r"thats": "that is",
    r"its": "it is",
    r"(\w+)'ll": r"\1 will",
    r"(he|she|they|we|you|it|nobody|everyone|who|that|people)'d": r"\1 would",
}


def _rules(words: Mapping[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"(?<![\w'])(?:{old})(?![\w'])"), new) for old, new in words.items())


_RULES: Final = (*_rules(_COINED), *_rules(_CONTRACTED), *_rules(_MISSPELT))
#: Blanks in a row, which some patterns would look at once from each of them.
_BLANKS = re.compile(r"\s+")
_END = re.compile(r"[.!?;:\n…]+|\s[-–—]+\s|\s?[()]\s?")
_NOISE = re.compile(r"[^\w\s'*,\"“”]|_")


def sentences(text: str) -> list[str]:
    """The sentences of a message in their normal form; quotation marks and commas stay."""
    plain = _plain(clipped(text))
    parts = (_spaced(_NOISE.sub(" ", part)) for part in _END.split(plain))
    return [piece for part in parts if re.search(r"\w", part) for piece in _pieces(_written_out(part))]


def _pieces(sentence: str) -> list[str]:
    """A sentence that never ends is read in pieces, so that reading it takes no longer than its length."""
    words = [word[:LONGEST_WORD] for word in sentence.split(" ")]
    return [" ".join(words[i : i + LONGEST]) for i in range(0, len(words), LONGEST)]


def _plain(text: str) -> str:
    # One character may stand for eighteen: clipped again, it takes as long as any other text.
    whole = clipped(normalize("NFKC", text)).lower()
    whole = _BLANKS.sub(lambda found: "\n" if "\n" in found[0] else " ", whole)
    whole = "".join(sign for sign in whole if category(sign) != "Cf")
    whole = _APOSTROPHES.sub("'", whole)
    whole = _SPELT.sub(lambda found: re.sub(r"[ .\-_]", "", found[0]), whole)
    whole = _DISGUISED.sub(lambda found: found[0].translate(_LEET), whole)
    return _STRETCHED.sub(r"\1", whole)


def _written_out(part: str) -> str:
    for pattern, new in _RULES:
        part = pattern.sub(new, part)
    return _spaced(part.replace("*", ""))


def _spaced(part: str) -> str:
    return " ".join(re.sub(r"([,\"“”])", r" \1 ", part).split())
