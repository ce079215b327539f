"""German at the table, word for word in English: enough for what is read of a question, and nothing more."""

from __future__ import annotations

import re

#: Words that no English sentence has.
_SURE = {
    "wer": "who", "wen": "who", "wem": "who", "warum": "why", "wieso": "why", "weshalb": "why", "wie": "how",
    "welche": "which", "welchen": "which", "welches": "which", "wann": "when", "ich": "i", "du": "you", "ihr": "you",
    "dir": "you", "dich": "you", "euch": "you", "mir": "me", "mich": "me", "wir": "we", "uns": "us", "dein": "your",
    "deine": "your", "deiner": "your", "nicht": "not", "kein": "no", "keine": "no", "bist": "are", "seid": "are",
    "ist": "is", "sind": "are", "hast": "did", "habt": "did", "habe": "have", "kannst": "can", "kann": "can",
    "können": "can", "wirst": "will", "würdest": "would", "soll": "should", "sollen": "should", "lass": "let us",
    "lasst": "let us", "jemand": "anyone", "niemand": "nobody", "nein": "no", "ja": "yes", "gegen": "against",
    "für": "for", "fuer": "for", "mit": "with", "über": "about", "sicher": "sure", "und": "and", "oder": "or",
}  # fmt: skip
#: Words that are read so once it is German.
_THEN = {
    "was": "what", "die": "the", "der": "the", "das": "that", "den": "the", "ein": "a", "eine": "a", "zu": "to",
    "gezogen": "draw", "bekommen": "get", "weggeworfen": "discard", "abgeworfen": "discard", "weitergegeben": "pass",
    "gegeben": "pass", "veröffentlicht": "published", "gesehen": "see", "gestimmt": "vote", "abgestimmt": "vote",
    "stimmst": "vote", "stimmt": "vote", "stimmen": "vote", "gelogen": "lied", "lügt": "is lying", "luegt": "is lying",
    "lügst": "lying", "luegst": "lying", "lügner": "liar", "glaub": "think", "glaube": "think", "glaubst": "believe",
    "denkst": "think", "meinst": "think", "meinung": "opinion", "vertraust": "trust", "vertraue": "trust",
    "traust": "trust",
    "traut": "trust", "traue": "trust", "wenigsten": "least", "meisten": "most", "verdächtigst": "suspect",
    "verdacht": "suspect", "verdächtig": "suspicious", "böse": "evil",
    "gut": "good", "schlecht": "bad", "karte": "card", "karten": "papers", "papiere": "papers", "papier": "paper",
    "nächster": "next", "nächste": "next", "nächstes": "next", "dran": "turn", "regeln": "rules", "gewinnen": "win",
    "gewinnt": "win", "verlieren": "lose", "rolle": "role", "seite": "side", "viele": "many", "noch": "still",
    "direktor": "director", "ingenieur": "engineer", "hallo": "hello", "spielst": "play", "immer": "always",
    "runde": "round", "letzte": "last", "passiert": "happens", "wenn": "if", "als": "the", "schlimmer": "worse",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")
#: German puts the verb before the pronoun, English a word before both.
_TURNED = re.compile(r"\b(trust|believe|think|suspect|vote) you\b")


def in_english(text: str) -> str:
    """German words in English ones, in their order; any other text as it is."""
    words = [word.lower() for word in _WORD.findall(text)]
    known = sum(word in _SURE or word in _THEN for word in words)
    if not any(word in _SURE for word in words) or 2 * known <= len(words):
        return text
    said = _WORD.sub(lambda word: _SURE.get(word[0].lower()) or _THEN.get(word[0].lower(), word[0]), text)
    return _TURNED.sub(r"do you \1", said)
