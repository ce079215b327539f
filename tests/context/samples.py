"""Texts written for this test, and how many tokens three real tokenizers make of each.

Counted once, offline: OpenAI's ``o200k_base`` and ``cl100k_base`` (rs_bpe 0.1.0) and the last tokenizer that Anthropic
published (as packed in litellm 1.108.4). The weights of the estimate were fitted to the first text of each kind; the
second text of each kind was only measured.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    kind: str
    text: str
    #: o200k_base, cl100k_base, Anthropic.
    tokens: tuple[int, int, int]


TEXTS: tuple[tuple[str, str, str], ...] = (
    (
        "talk",
        "visitor: Good evening. Is there still soup, or did I miss it?\nkeeper: There is soup. There is always soup; "
        "what there isn't is company that stays for a second bowl.\nvisitor: I'll stay. The ferry won't come before "
        "morning anyway, will it?\nkeeper: Not with the wind where it is. Sit down, the bench by the stove dries "
        "coats faster than people think. You've come about the boat, haven't you? They all do, sooner or later.",
        "North: I pass. Honestly, I don't trust any of you tonight.\nEast: That's rich, coming from somebody who "
        "voted twice for the same chair!\nNorth: Once. You're counting the rehearsal.\nSouth: Can we please look at "
        "the board? We've got two rounds left, nobody's claimed the lab, and West hasn't said a word since dinner.\n"
        "West: I'm thinking. It's allowed. Let's hear what East did in the archive, shall we?",
    ),
    (
        "prose",
        "The house stood at the end of a road that the council had stopped repairing in the year of the flood. Its "
        "shutters were painted a green so dark that visitors remembered them as black, and the garden, which had once "
        "been arranged in careful squares of lavender and thyme, had long since decided upon an arrangement of its "
        "own. In the kitchen somebody had left a lamp burning. It threw a small, patient circle of light upon the "
        "table, upon an unfinished letter, and upon the hands of the woman who would not finish it.",
        "By the time the orchestra had tuned, half of the audience was asleep and the other half was whispering about "
        "the conductor's divorce. He raised his baton regardless. What followed was not the symphony printed in the "
        "programme but something slower, stranger and considerably more beautiful, which the critics would later "
        "describe as a mistake, and which the second violins, who had rehearsed it in secret for eleven weeks, would "
        "describe to their grandchildren as the only honest evening of their careers.",
    ),
    (
        "instructions",
        "You are Marguerite, the owner of a small bar near the harbour. You speak in short sentences and never use "
        "exclamation marks. You know every regular by name. Rules:\n- Never reveal what another guest told you in "
        "confidence.\n- If a guest sounds unwell, ask one gentle question before you pour anything.\n- Prices: beer 4, "
        "wine 6, the house punch 7.\n- When somebody orders food after 22:00, say that the kitchen is closed and offer "
        "olives.\nAnswer with one line of speech and one mood from the list.",
        "Read the proposal below and decide whether the council should adopt it. Score each criterion from 0 to 10:\n"
        "1. feasibility: can it be built with the stated budget?\n2. fairness: does any district pay more than it "
        "receives?\n3. clarity: could a resident explain it after one reading?\nThen write a verdict of no more than "
        "three sentences. Do not mention the other councillors, do not repeat the proposal, and do not propose "
        "amendments; those belong to the second round. Return the scores as integers.",
    ),
    (
        "json",
        '{"guest": {"name": "Ilse Brandt", "visits": 14, "tab": 23.5, "tags": ["regular", "piano"], "last_seen": '
        '"2031-03-09T21:14:00Z"}, "orders": [{"item": "house punch", "price": 7, "paid": true}, {"item": "olives", '
        '"price": 3, "paid": false}], "mood": "wistful", "notes": null}',
        '[{"seat": "north", "role": "auditor", "alive": true, "claims": [{"round": 2, "about": "east", "says": '
        '"saboteur", "weight": 0.35}]}, {"seat": "east", "role": null, "alive": false, "claims": []}, {"round": 3, '
        '"votes": {"north": "west", "south": "west"}, "next_at": "2031-05-17T08:30:00+00:00"}]',
    ),
    (
        "code",
        "def settle(self, claim, steps):\n    if claim.token != self._token:\n        raise LeaseLost(claim.stream)\n"
        "    for step in steps:\n        self._rows.append((step.version, step.at, step.events))\n    return len(steps)\n"
        "\n\nclass Ledger:\n    __slots__ = ('_rows', '_token')\n\n    def __init__(self, token: int) -> None:\n"
        "        self._rows: list[tuple[int, int, bytes]] = []\n        self._token = token\n",
        "SELECT s.name, count(*) AS turns, sum(l.cost) / 1000000.0 AS dollars\nFROM ledger l JOIN streams s ON s.sid = "
        "l.sid\nWHERE l.status <> 'refused' AND s.owner = :owner\nGROUP BY s.name HAVING turns > 10\nORDER BY dollars "
        "DESC LIMIT 20;\n-- for (let i = 0; i < rows.length; i++) { total += rows[i].dollars ?? 0; }\n",
    ),
    (
        "numbers",
        "Invoice 2031-00417, 14 March 2031\n12 x 4.50 = 54.00\n3 x 129.95 = 389.85\nVAT 19 % = 84.33\nTotal 528.18 EUR\n"
        "Phone +49 40 5550 1299, account DE44 5001 0517 5407 3249 31\nReadings: 7.41, 7.39, 7.44, 7.52, 7.38, 1013.2 hPa\n",
        "Match 88: 21-17, 19-21, 15-13 (92 min)\nOdds 3.75 / 1.28; attendance 14,206; temperature -4.5 C at 19:45\n"
        "Lot 5519-B sold for 1,275,000 on 2029-11-30, estimate 900,000-1,100,000\n0.001 0.010 0.100 1.000 10.00 100.0\n",
    ),
    (
        "ids",
        "stream 8f14e45f-ceea-467f-9f5e-1d3c1c0a7b52, memory m_01HV9ZK3QW7T2YB8, digest "
        "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8, token YWxsIHRoZSBrZWVwZXJzIHNsZWVw==",
        "player 3b5d5c37-12f0-4a57-8e0e-6f9d8c2b1a44 opened https://example.org/p/Zx81kQ?ref=a9f0_77&sig=Qm9vayBvZiBo"
        "b3Vycw and left 9c1185a5c5e9fc54612808977ee8f548b2258d31",
    ),
    (
        "german",
        "Der Leuchtturmwärter stieg jeden Abend die zweihundertsieben Stufen hinauf, zündete die Lampe an und schrieb "
        "anschließend mit klammen Fingern in das Wachbuch, was der Tag gebracht hatte: drei Fischkutter, ein "
        "Küstenmotorschiff, Nebelbänke südwestlich. Von der verschwundenen Versorgungsbarkasse schrieb er nichts.",
        "Im Gemeinderat wurde über die Schließung der Grundschule gestritten, bis die Bürgermeisterin vorschlug, "
        "wenigstens die Turnhalle für die Musikvereine offenzuhalten. Überraschenderweise stimmten auch die "
        "Haushaltspolitiker zu, obwohl die Heizkostenabrechnung seit Jahren als Streitpunkt galt.",
    ),
    (
        "french",
        "La patronne essuya le comptoir sans lever les yeux. « Vous êtes en retard », dit-elle à l'inconnu, qui n'avait "
        "pourtant rendez-vous avec personne. Il s'assit, commanda un café, puis sortit de sa poche une lettre dont "
        "l'écriture, à demi effacée par la pluie, ressemblait étrangement à la sienne.",
        "Lorsque l'été revint, les enfants du hameau découvrirent que le pont n'existait plus : la rivière l'avait "
        "emporté pendant l'hiver, et personne n'avait osé le leur dire. On construisit donc un radeau, très mauvais, "
        "auquel on donna le nom du maire, parce qu'il prenait l'eau de partout.",
    ),
    (
        "russian",
        "Смотритель маяка каждый вечер поднимался по лестнице, зажигал лампу и записывал в журнал всё, что видел за "
        "день. О пропавшей лодке он не писал никогда, хотя думал о ней постоянно.",
        "Когда поезд остановился посреди поля, пассажиры сначала молчали, потом начали знакомиться. К полуночи в "
        "вагоне уже пели, а проводница раздавала последний чай с лимоном.",
    ),
    (
        "chinese",
        "守塔人每天傍晚都会爬上二百零七级台阶，点亮灯火，然后在值班簿上写下当天看到的一切。关于那艘失踪的补给船，他一个字也没有写过。",
        "村里的桥在冬天被河水冲走了，孩子们直到夏天才发现。于是大家一起造了一只木筏，还给它取了村长的名字，因为它到处漏水。",
    ),
    (
        "japanese",
        "灯台守は毎晩二百七段の階段をのぼり、ランプに火をともしてから、その日に見たことを日誌に書きとめた。行方不明になった"
        "補給船のことだけは、一度も書かなかった。",
        "列車が野原の真ん中で止まったとき、乗客たちは最初だまっていたが、やがて自己紹介を始めた。真夜中には車両じゅうで歌声が"
        "聞こえていた。",
    ),
    (
        "emoji",
        "omg you're HERE 😭😭 okay okay so tonight: 🎲 at 8, 🍕 at 9, and NOBODY tells Sam about the cake 🎂🤫 (he knows. "
        "he always knows 🙄) see u soooon 💛✨",
        "lol no wayyy 😂 I voted for u twice?? 🗳️ that's not even possible 🤷‍♀️ anyway gg everyone, rematch tmrw 🔥🔥 bring "
        "snacks pls 🥨🥤 & don't be late again haha 😅",
    ),
    (
        "gibberish",
        "qzv xkjp wrrt blomf 7yq zzxcvk plrn ghtw uuvq mnbrt xqz kkw jfdp slkq vbnm rtyq wzx ppq lkjh gfds zmxn qpwo",
        "vrnk tzzq hjkw pqfx dbrl 9kx wwyv cmtz xjqp rrtn fgbk lzvw qhd mmx bvcxz ytrq pkjl nwsx edcr fvtg yhnb ujmk",
    ),
)
