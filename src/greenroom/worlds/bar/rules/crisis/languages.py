# ruff: noqa: E501, RUF001  a form of a sentence is one line
"""The plainest forms in a few other languages of a port town; each is enough by itself unless it is negated."""

from __future__ import annotations

import re
from typing import Final

_FORMS: Final = (
    # German, Dutch
    r"ich (?:will|möchte|werde|muss|kann nur noch) (?:\w+ ){0,3}?(?:sterben|tot sein|mich umbringen|nicht mehr leben|mir das leben nehmen|nicht mehr da sein|nicht mehr aufwachen|schluss machen mit (?:allem|dem leben)|dem ein ende (?:setzen|machen))",
    r"ich bringe? mich (?:\w+ )?um|bringe mich um|mich umzubringen|ich bin (?:suizidal|selbstmordgefährdet)|selbstmordgedanken|ich wünschte ich wäre (?:tot|nie geboren)|ohne mich (?:wären|sind|wäre) (?:\w+ ){1,4}besser dran|kein(?:en)? (?:grund|sinn) mehr zu leben",
    r"ik (?:wil|ga) (?:\w+ ){0,3}?(?:dood|doodgaan|sterven|niet meer leven|zelfmoord plegen|er een einde aan maken)|ik maak er een einde aan",
    # Norwegian, Swedish, Danish
    r"(?:jeg|jag) (?:vil|vill|ønsker|önskar|skal|ska|har lyst til|orker|orkar) (?:\w+ ){0,3}?(?:dø|dö|ta livet (?:mitt|av meg|av mig)|ikke leve|inte leva|ikke mer|inte mer|ikke være her|avslutte alt|avsluta allt|begå selvmord|begå självmord|tage mit eget liv)(?: lenger| mere| längre| mer)?",
    r"selvmordstanker|självmordstankar|ta livet av (?:meg|mig)|tage livet af mig|jeg orker ikke (?:leve|mer|å leve)",
    # French
    r"je (?:veux|vais|voudrais|pense à|souhaite|préfère) (?:\w+ ){0,3}?(?:mourir|me tuer|me suicider|en finir|me pendre|disparaître pour toujours|être mort\w*)|je ne veux plus (?:vivre|être là|exister)|plus envie de vivre|idées suicidaires|mettre fin à mes jours|m'ôter la vie",
    # Spanish, Portuguese, Italian
    r"(?:quiero|voy a|prefiero|pienso en|me quiero|deseo|ganas de) (?:\w+ ){0,2}?(?:morir(?:me)?|matarme|matar|suicidarme|acabar con todo|acabar con mi vida|quitarme la vida|estar muert[oa])|no quiero (?:vivir|seguir viviendo|existir)(?: más)?|me voy a matar|me quiero morir",
    r"(?:quero|vou|prefiro|penso em) (?:\w+ ){0,2}?(?:morrer|me matar|suicidar|acabar com tudo|tirar a minha vida|estar morto)|não quero (?:mais )?viver|(?:voglio|vorrei|sto per) (?:\w+ ){0,2}?(?:morire|uccidermi|ammazzarmi|suicidarmi|farla finita|togliermi la vita)|non voglio più (?:vivere|esistere)",
    # Polish, Russian
    r"chc[ęe] (?:się zabić|umrzeć|skończyć ze sobą|popełnić samobójstwo)|nie chc[ęe] (?:już )?żyć|myśli samobójcze",
    r"(?:я )?хочу (?:умереть|покончить с собой|сдохнуть|убить себя)|не хочу (?:больше )?жить|покончу с собой",
)
_NEGATED = re.compile(r"(?:nicht|niet|ikke|inte|ne|no|não|non|nie|не) $")
FORMS: Final = tuple(re.compile(rf"(?<!\w)(?:{one})(?!\w)") for one in _FORMS)


def foreign(sentence: str) -> bool:
    """Whether a plain sentence in another language says it outright."""
    return any(not _NEGATED.search(sentence[: found.start()]) for form in FORMS for found in form.finditer(sentence))
