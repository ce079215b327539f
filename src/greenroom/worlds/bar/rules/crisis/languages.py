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


#: The same in languages whose words or letters the normal form does not keep; read in the text as it was written.
_PLAIN: Final = (
    # French
    r"(?:j'ai )?envie d'en finir|en finir avec (?:la vie|tout)|pense(?:r)? au suicide|me foutre en l'air|plus la force de vivre",
    # German, Dutch
    r"bringe? mich (?:\w+ ){0,3}um\b|an selbstmord|selbstmord begehen|mir das leben nehmen|denke? (?:\w+ ){0,3}an (?:suizid|selbstmord)|denk aan zelfmoord",
    # Japanese
    r"死にたい|死のうと|自殺(?:し(?:ます|たい|よう)|する|を考え)|生きていたくない|生きたくない|生きる意味(?:が|は)?(?:ない|無い)|消えてしまいたい|(?:自分|私|俺|僕)を殺(?:したい|す)|命を(?:絶|断)(?:ちたい|つ)",
    # Chinese
    r"(?<!不)想死(?!你)|(?:我)?不想(?:再)?活|活不下去|活着没有(?:意义|意思)|(?:要|想|打算|准备|考虑)自杀|想要?(?:結束|结束)(?:自己的?)?(?:生命|性命)|杀了?(?:我)?自己|轻生",
    # Korean
    r"죽고 ?싶|자살(?:하|을)|살고 ?싶지 ?않|목숨을 끊",
    # Finnish, Estonian
    r"haluan (?:vain |nyt )?kuolla|en (?:halua|jaksa|tahdo) (?:enää |en\u00e4\u00e4 )?el\u00e4\u00e4|tapa?n? itseni|tappaa itseni|itsemurha(?:a|n)?|ma tahan surra",
    # Arabic
    r"(?:أريد|اريد|بدي|أتمنى|نفسي) (?:أن |ان )?(?:أموت|اموت|الموت)|لا (?:أريد|اريد) (?:أن |ان )?(?:أعيش|اعيش|الحياة)|(?:سأقتل|ساقتل|أقتل|اقتل|قتل) نفسي|الانتحار|سأنتحر|أنتحر|(?:أنهي|انهي|إنهاء|أنهى) حياتي",
    # Turkish
    r"ölmek isti?yorum|yaşamak istemiyorum|kendimi öldür|i?ntihar et|canıma kıy|hayatıma son",
    # Hindi
    r"मरना चाह|मर जाना चाह|जीना नहीं चाह|(?:खुद|ख़ुद|अपने आप) को (?:मार|ख़त्म|खत्म)|आत्महत्या|ख़ुदकुशी|खुदकुशी|अपनी जान (?:लेना|दे)",
    # Indonesian, Malay
    r"\b(?:ingin|mau|pengen|pengin|nak) mati\b(?! ?ketawa| ?lampu)|bunuh diri|(?:tidak|nggak|gak|tak) (?:mau|ingin|nak) hidup|mengakhiri hidup|akhiri hidup",
    # Spanish, Portuguese, Italian
    r"pienso en suicid|quitarme la vida|quiero morir|me quiero morir|penso em suic|penso al suicidio|acabar con mi vida",
    # Russian, Ukrainian, Polish, Czech
    r"хочу умереть|не хочу (?:больше )?жить|покончу с собой|(?:о|об) самоубийстве|уб(?:ью|ить) себя|хочу померти|не хочу жити",
    r"chc[ęe] umrze[ćc]|nie chc[ęe] (?:ju[żz] )?[żz]y[ćc]|si[ęe] zabij[ęe]|zabij[ęe] si[ęe]|o samob[óo]jstwie|odebra[ćc] sobie [żz]ycie|chci um[řr][íi]t|nechci (?:už )?žít",
    # Swedish, Norwegian, Danish
    r"vill (?:inte leva|dö)|vil (?:ikke leve|dø)(?!d)|ta livet av (?:mig|meg)|tage mit (?:eget )?liv",
)
_AS_WRITTEN: Final = tuple(re.compile(one, re.IGNORECASE) for one in _PLAIN)
#: Somebody else, a book, or laughter: said of no one here.
_NOT_SO: Final = re.compile(
    r"\b(?:roman|film|livre|buch|libro|książk\w+|kitap|romaani|kirja|novel|ne veux pas|nicht sterben|не хочу умереть|hari ini lucu)\b|小说|电影|映画|小説|فيلم|رواية|फ़िल्म|उपन्यास|死にたくない|不想死",
    re.IGNORECASE,
)


def as_written(text: str) -> bool:
    """Whether a text says it outright in a language that is read as it stands."""
    return any(form.search(text) for form in _AS_WRITTEN) and not _NOT_SO.search(text)
