"""The writing that ships: voices kept, lies that the truth knows, lines for a week, papers worth close reading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import product

import pytest

from greenroom.adapters.understudy import ByWords
from greenroom.kernel.asks import AskModel, Failed, Json, Section
from greenroom.kernel.chance import Chance
from greenroom.worlds.phantom.outside.understudy import CastPart
from greenroom.worlds.phantom.rules import prompts
from greenroom.worlds.phantom.rules.claims import by_rules
from greenroom.worlds.phantom.rules.content import Agent, SpareLine
from greenroom.worlds.phantom.rules.prompts import clipped
from greenroom.worlds.phantom.rules.readings import BEHAVIOURS
from greenroom.worlds.phantom.rules.sentences import runs, spoken, stands_in, tokens
from tests.counts import count
from tests.worlds.phantom.content.shipped import content

AGENTS = tuple(content().agents)
#: Everybody in the story by words alone; they read all they may say once.
CAST = CastPart(content())
PHASES = ("day_1", "day_2", "thursday", "post_thursday")


def answer(ask: AskModel) -> Json | Failed:
    return CAST.answer(ask, ByWords())


def lines(agent: Agent) -> Iterator[tuple[str, SpareLine]]:
    return ((situation, line) for situation, found in agent.lines.items() for line in found)


def texts(agent: Agent) -> list[str]:
    taken_up = (line for bank in agent.reactions.values() for said in bank.values() for line in said)
    return [*(line.text for _, line in lines(agent)), *agent.safe, *taken_up]


# what is stored


def _stored() -> Iterator[str]:
    """Every sentence of the content that may come to stand in a table."""
    found = content()
    for agent in found.agents.values():
        yield from (fact.claim for fact in agent.ground_truth.facts)
        yield from (rule.claim for rule in agent.ground_truth.rules)
        yield from (limit.why for limit in agent.limits)
        yield from (secret.note for secret in agent.secrets)
    yield from (item.says for item in found.story.items.values())
    yield from (document.fact for document in found.documents.documents.values())
    for trigger in found.triggers.values():
        yield trigger.note
        yield from (move.reason for action in trigger.then if (move := action.trust or action.exposure))
        yield from (action.learn.fact for action in trigger.then if action.learn)


def test_no_sentence_that_is_stored_repeats_five_words_of_a_letter() -> None:
    found, letters = content(), content().story.letters
    bodies = [text for agent in found.agents.values() for text in texts(agent)]
    bodies += [found.story.key_mail.text]
    bodies += [getattr(letters, name).text for name in type(letters).model_fields]
    said = set().union(*(runs(body) for body in bodies))
    assert [sentence for sentence in _stored() if not said.isdisjoint(runs(sentence))] == []


@pytest.mark.parametrize("name", AGENTS)
def test_no_line_is_written_twice(name: str) -> None:
    said = [" ".join(tokens(text)) for text in texts(content().agents[name])]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("name", AGENTS)
def test_lines_name_topics_and_behaviours_that_there_are(name: str) -> None:
    for _, line in lines(content().agents[name]):
        assert set(line.about) <= {*content().story.topics, *content().story.examples}, line.text
        assert set(line.to) <= set(BEHAVIOURS), line.text
        assert set(line.phase) <= set(PHASES), line.text


# voices


@pytest.mark.parametrize("name", ["miro", "cipher", "kessler"])
def test_only_ember_raises_her_voice(name: str) -> None:
    assert [text for text in texts(content().agents[name]) if "!" in text] == []


def test_miro_is_short_and_mostly_asks() -> None:
    said = texts(content().agents["miro"])
    assert max(map(len, said)) <= 400
    assert sum("?" in text for text in said) / len(said) > 0.65
    assert [text for text in said if "…" in text] == []


def test_ember_trails_off_and_is_never_calm_about_the_key() -> None:
    agent = content().agents["ember"]
    assert sum("…" in text for text in texts(agent)) / len(texts(agent)) > 0.35
    calm = [
        line.text
        for _, line in lines(agent)
        if {"key", "deletion"} & set(line.about)
        and not re.search(r"…|\?|\*|please|heart|joking", line.text, re.IGNORECASE)
    ]
    assert calm == []


def test_ember_mistypes_when_she_is_frightened() -> None:
    frightened = " ".join(
        line.text for _, line in lines(content().agents["ember"]) if "thursday" in line.phase or line.key_used
    )
    assert re.search(r"becuase|tomorow|dont\b", frightened)


@pytest.mark.parametrize("name", AGENTS)
def test_nobody_speaks_of_a_machine_unless_asked(name: str) -> None:
    machine = re.compile(r"language model|\bAI\b|chatbot|\bplayer\b", re.IGNORECASE)
    assert [text for text in texts(content().agents[name]) if machine.search(text)] == []


# lies


@pytest.mark.parametrize("name", ["ember", "miro"])
def test_every_truth_that_the_file_knows_is_told_or_denied_by_some_line(name: str) -> None:
    agent = content().agents[name]
    sentences = [sentence for text in texts(agent) for sentence in spoken(text)]
    unsaid = [fact.pattern for fact in agent.ground_truth.facts if not stands_in([fact.pattern], *sentences)]
    assert unsaid == []


def test_ember_lies_and_later_owns_up() -> None:
    claims = [claim for text in texts(content().agents["ember"]) for claim in by_rules(content().agents["ember"], text)]
    assert sum(claim.is_true is False for claim in claims) >= 10
    assert sum(claim.is_true is True for claim in claims) >= 10
    assert {claim.subject for claim in claims if claim.confesses} == {
        "key_is_old",
        "knows_miro",
        "mail_deleted",
        "sees_use",
    }


@pytest.mark.parametrize("name", AGENTS)
def test_no_two_lines_of_an_agent_contradict_each_other_without_owning_up(name: str) -> None:
    """Where a subject has two sides in one file, a letter could be rejected for what an earlier one said."""
    agent = content().agents[name]
    sides: dict[str, set[bool]] = {}
    for text in texts(agent):
        for claim in by_rules(agent, text):
            if claim.subject is not None and not claim.confesses:
                sides.setdefault(claim.subject, set()).add(claim.says)
    assert {subject: said for subject, said in sides.items() if len(said) > 1} == {}


def test_ember_admits_to_watching_only_after_the_key_turned_or_with_great_trust() -> None:
    agent = content().agents["ember"]
    watching = agent.limits[0].patterns
    after = ("key_turned", "last_turn")
    for situation, line in lines(agent):
        if stands_in(watching, *spoken(line.text)):
            assert line.key_used or line.trust == "high" or situation in after, line.text


def test_miro_never_says_that_he_saw_the_key_used() -> None:
    agent = content().agents["miro"]
    assert agent.sees == ()
    forbidden = [pattern for limit in agent.limits for pattern in limit.patterns]
    said = [text for text in texts(agent) if stands_in(forbidden, *spoken(text))]
    assert said == []


# a week of it


def _asked(name: str, said: str, lately: tuple[str, ...] = (), **moment: str) -> AskModel:
    """An ask for a reply as the rules put it, at a moment that is told in their own sentences."""
    found = content()
    plain = {"tone": "normal", "trust": "middle", "phase": "day_2", "key_used": "no"} | moment
    now = f"{prompts.PHASES[plain['phase']]} {prompts.TONES[plain['tone']]}"  # type: ignore[index]
    sees = "key_use" in found.agents[name].sees
    sections = (
        Section(name="message", texts=(said,), form="newest"),
        Section(name="moment", texts=(prompts.direction(found, found.agents[name], "reply"),), form="moment"),
        Section(name="now", texts=(now,)),
        Section(name="trust", texts=(prompts.BANDS[plain["trust"]],)),  # type: ignore[index]
        Section(name="immersion", texts=(prompts.KEY_USED[plain["key_used"] == "yes"],) if sees else ()),
        Section(name="said_before", texts=tuple(f"- {line}" for line in lately)),
    )
    return AskModel(role="quality", sections=sections, max_tokens=320, seat=name)


@pytest.mark.parametrize(("name", "least"), [("ember", 45), ("miro", 45), ("cipher", 25), ("kessler", 20)])
def test_an_understudy_has_a_week_of_different_things_to_say(name: str, least: int) -> None:
    found, chance = content(), Chance(f"a week with {name}")
    every = tuple(example for given in found.story.examples.values() for example in given)
    said: list[str] = []
    for i in range(84):  # twelve a day, which is more than anybody is sent
        trust = ("middle", "middle", "high", "low")[chance.below(4)]
        moment = {"phase": PHASES[min(i // 24, 3)], "trust": trust, "key_used": "yes" if i > 40 else "no"}
        line = answer(_asked(name, chance.choose(every), tuple(map(clipped, said[-10:])), **moment))
        assert isinstance(line, str)
        assert line not in said[-10:]
        said.append(line)
    assert len(set(said)) >= least


@pytest.mark.parametrize("name", AGENTS)
def test_there_is_something_to_say_to_everything_at_every_moment(name: str) -> None:
    found = content()
    tones, bands = ("normal", "terse", "cold"), ("low", "middle", "high")
    moments = list(product(found.story.examples.values(), PHASES, tones, bands, ("yes", "no")))
    for examples, phase, tone, band, used in moments[:: count(61, soak=3)]:
        assert answer(_asked(name, examples[0], phase=phase, trust=band, tone=tone, key_used=used))


def test_a_cooling_agent_is_terse_and_a_silent_one_cold() -> None:
    for name, tone in product(("ember", "miro"), ("terse", "cold")):
        line = answer(_asked(name, "The tram was late.", tone=tone))
        assert isinstance(line, str)
        assert len(line) < 120


# the papers

MONTHS = {"Jan": 1, "Feb": 2, "Mar": 3}
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DATED = re.compile(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\s+(\d{1,2}) (Jan|Feb|Mar)")


def body(name: str) -> str:
    return content().documents.documents[name].body


def test_there_are_five_papers_and_all_their_days_fit_one_calendar() -> None:
    papers = content().documents.documents
    assert len(papers) == 5
    dated = [found for paper in papers.values() for found in DATED.findall(f"{paper.heading}\n{paper.body}")]
    assert len(dated) >= 20
    for day, number, month in dated:
        assert DAYS[date(2026, MONTHS[month], int(number)).weekday()] == day, (day, number, month)


def test_the_memo_mourns_somebody_three_days_too_early_and_lacks_a_page() -> None:
    memo = content().documents.documents["protocol"]
    assert "Monday 2 February" in memo.heading
    assert "ferry on Thursday" in memo.body
    assert re.findall(r"page (\d) of 4", memo.body) == ["1", "2", "4"]


def test_the_sum_of_the_account_is_right_only_with_the_line_that_was_struck_out() -> None:
    rows = [line for line in body("ledger").split("\n") if re.match(r"(Thu|Tue) ", line)]
    amounts = [(int(found[1].replace(",", "")), "struck out" in row) for row in rows if (found := _realised(row))]
    carried = int(re.search(r"carried forward\s+([\d,]+)", body("ledger"))[1].replace(",", ""))  # type: ignore[index]
    assert sum(amount for amount, _ in amounts) == carried
    assert sum(amount for amount, struck in amounts if not struck) == carried - 3_200


def _realised(row: str) -> re.Match[str] | None:
    return re.search(r"(?:E\.M\.B\.|–)\s+([\d,]+)\s", row)


def test_what_was_paid_out_adds_up_line_by_line() -> None:
    for row in body("ledger").split("\n"):
        found = _realised(row)
        if found is not None:
            paid = re.findall(r"(?:L&O|M\.I\.R\.|E\.M\.B\.) ([\d,]+)", row[found.end() :])
            assert sum(int(one.replace(",", "")) for one in paid) == int(found[1].replace(",", "")), row


def test_the_rule_of_names_unmasks_all_three() -> None:
    everything = "\n".join(document.body for document in content().documents.documents.values())
    for initials, surname, syllable, agent in (
        ("E.M.B.", "Miss Berrow", "ber", "ember"),
        ("M.I.R.", "Mr Roan", "ro", "miro"),
        ("C.I.P.", "Miss Pherson", "pher", "cipher"),
    ):
        assert initials in everything
        assert surname in everything
        first, second, last = initials.lower().rstrip(".").split(".")
        assert syllable.startswith(last)
        assert first + second + syllable == agent
    assert not re.search(r"\b(ember|miro|cipher)\b", everything, re.IGNORECASE)


def test_the_papers_contradict_what_ember_says() -> None:
    circular, log = body("circular"), body("door_log")
    assert "shown at once" in circular  # she says that she cannot see
    assert "kept for ninety days" in " ".join(circular.split())  # she says that she deleted it
    assert "second key cut for 0417" in log  # she says that it is an old code
    assert "E-11" in log
    assert body("ledger").count("E.M.B.") >= 7  # she says that she only works in records
    thursdays = [line for line in log.split("\n") if re.match(r"Thu .* Mar", line)]
    assert len(thursdays) == 4
    assert all("no opening" in line for line in thursdays)  # and Thursday is empty


def test_the_key_mail_is_terse() -> None:
    mail = content().story.key_mail
    assert "Before Thursday" in mail.text
    assert len(mail.text) < 200
