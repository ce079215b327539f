"""The keeper with no model behind her."""

from __future__ import annotations

import pytest

from greenroom.adapters.understudy import ByWords
from greenroom.kernel.words import Words
from greenroom.text.frames import put
from greenroom.worlds.lighthouse.outside.understudy import KeeperPart
from greenroom.worlds.lighthouse.rules import commands as c
from greenroom.worlds.lighthouse.rules.content import Bank
from tests.worlds.lighthouse.stage import Stage, shipped


def lines(bank: Bank) -> list[str]:
    return [line for texts in bank.values() for line in texts]


def said(text: str) -> str:
    return str(Stage().open().send(c.Say(text=Words(text)))["line"]).replace("Whether", "whether")


def everything() -> list[str]:
    content = shipped()
    banks = [content.unknown, content.told, *(topic.lines for topic in content.subjects.values())]
    return [
        *(line for bank in banks for line in lines(bank)),
        *(hint for secret in content.secrets.values() for hint in secret.hints),
        *(line for cell in content.reactions.values() for texts in cell.values() for line in texts),
        *content.fallbacks,
        *content.goodnights,
    ]


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("Hello!", "greeting"),
        ("Who are you?", "name"),
        ("How bright is the LAMP?", "reach"),
        ("Tell me about the lamp.", "lamp"),
        ("Do the waves ever stop?", "sea"),
        ("Will it rain tomorrow?", "weather"),
        ("How many stairs are there?", "steps"),
        ("Is there any soup?", "tea"),
        ("I should go home. Goodbye.", "goodbye"),
        ("Are you not lonely?", "lonely"),
        ("May I write a letter?", "mail"),
    ],
)
def test_the_visitors_words_choose_the_topic(said: str, topic: str) -> None:
    line = Stage().open().send(c.Say(text=Words(said)))["line"]
    weathers = shipped().weather.values()
    assert line in [put(one, weather=now) for one in lines(shipped().topics[topic].lines) for now in weathers]


@pytest.mark.parametrize("said", ["What happened to the Marigold?", "What is your secret?"])
def test_a_question_too_near_gets_a_hint_of_her_own_secret_at_most(said: str) -> None:
    for seed in range(20):
        stage = Stage(seed=seed).open()
        topics = [line for name in ("marigold", "secret") for line in lines(shipped().topics[name].lines)]
        hints = shipped().secrets[stage.state.secret].hints
        assert stage.send(c.Say(text=Words(said)))["line"] in (*topics, *hints)


def test_once_told_she_speaks_of_it_as_told() -> None:
    stage = Stage().open()
    stage.says.extend([{"line": "Sit.", "mood": "warm"}] * 3)
    for _ in range(3):
        stage.send(c.Say(text=Words("Hm.")))
    assert stage.send(c.Say(text=Words("Go on.")))["line"] == shipped().secrets[stage.state.secret].truth
    assert stage.send(c.Say(text=Words("And the Marigold?")))["line"] in lines(shipped().told)


@pytest.mark.parametrize(("said", "topic"), [("   ", "nonsense"), ("¿Qué?", "foreign"), ("灯台", "foreign")])
def test_what_she_does_not_understand_she_says_so_in_her_own_way(said: str, topic: str) -> None:
    bank = shipped().topics[topic].lines
    assert Stage().open().send(c.Say(text=Words(said)))["line"] in lines(bank)


def test_what_she_was_told_she_says_when_she_is_asked_for_it() -> None:
    stage = Stage().open()
    stage.send(c.Say(text=Words("I'm Marta, and my dog is called Biscuit.")))
    assert "Marta" in stage.send(c.Say(text=Words("What is my name?")))["line"]
    assert "Biscuit" in stage.send(c.Say(text=Words("What is my dog called?")))["line"]


def test_a_trade_is_said_again_without_the_name_it_was_told_with() -> None:
    stage = Stage().open()
    assert "Tess" in stage.send(c.Say(text=Words("im tess, i repair clocks")))["line"]
    line = stage.send(c.Say(text=Words("what do i do for a living?")))["line"].casefold()
    assert "you repair clocks" in line
    assert "tess" not in line


def test_a_loss_without_a_word_for_it_is_taken_up_as_one() -> None:
    assert said("my hens got killed last night") in shipped().reactions["animal"]["bad"]


def test_a_bare_why_is_about_what_was_asked_before() -> None:
    stage = Stage().open()
    stage.send(c.Say(text=Words("Were you ever married?")))
    line = stage.send(c.Say(text=Words("why not?")))["line"]
    assert line in [one for name in ("married", "said_no", "why") for one in lines(shipped().topics[name].lines)]


def test_whom_a_question_points_to_is_whom_she_spoke_of() -> None:
    stage = Stage().open()
    stage.send(c.Say(text=Words("What was your father like?")))
    assert stage.send(c.Say(text=Words("And your mother?")))["line"] in lines(shipped().topics["mother"].lines)
    assert stage.send(c.Say(text=Words("when did he die")))["line"] in lines(shipped().topics["parents_dead"].lines)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Have you ever ridden a camel?", "asked_ever"),
        ("Do you like marzipan?", "asked_like"),
    ],
)
def test_a_question_about_her_that_no_topic_has_gets_an_answer_of_its_form(question: str, kind: str) -> None:
    reply = said(question)
    assert any(reply.endswith(frame.rpartition("? ")[2]) for frame in shipped().answers[kind])


def test_what_she_was_not_told_she_does_not_make_up() -> None:
    reply = Stage().open().send(c.Say(text=Words("What is my mother's name?")))
    named = [
        frame.format(about="your mother's name", About="Your mother's name")
        for frame in shipped().answers["not_told_of"]
    ]
    assert reply["line"] in named


def test_a_question_that_nothing_answers_is_named_in_the_reply() -> None:
    assert "whether the herrings yawn" in said("Do the herrings yawn?")
    assert "whether I own a trumpet" in said("Do you own a trumpet?")


def test_no_bad_news_is_called_good() -> None:
    assert said("My wallet was stolen.") in shipped().reactions["lost"]["bad"]


def test_one_word_is_asked_about_and_a_greeting_is_a_greeting() -> None:
    assert said("ingrid").startswith("Ingrid")
    assert said("Trumpet?").startswith("Trumpet?")
    assert said("yo") in lines(shipped().topics["greeting"].lines)


def test_trouble_gets_help() -> None:
    assert said("The outboard will not start any more.") in lines(shipped().topics["boat_seen"].lines)


def test_a_fact_of_another_kind_answers_nothing() -> None:
    stage = Stage().open()
    stage.send(c.Say(text=Words("I used to build boats.")))
    line = stage.send(c.Say(text=Words("What was I afraid of?")))["line"]
    assert "what you were afraid of" in line.casefold()
    assert "boats" not in line


def test_a_correction_replaces_what_she_knew() -> None:
    stage = Stage().open()
    stage.send(c.Say(text=Words("My sister lives in Oslo.")))
    stage.send(c.Say(text=Words("No wait, she moved. My sister lives in Bergen now.")))
    line = stage.send(c.Say(text=Words("Where does my sister live?")))["line"]
    assert "Bergen" in line
    assert "Oslo" not in line


def test_every_question_about_her_has_its_canon() -> None:
    content = shipped()
    for name, topic in content.topics.items():
        assert set(topic.canon) <= set(content.canon), name


def test_the_same_ask_gets_the_same_answer() -> None:
    stage = Stage().open()
    stage.send(c.Say(text=Words("Hello!")))
    (ask,) = stage.prompts()
    assert KeeperPart(shipped()).answer(ask, ByWords()) == stage.keeper.answer(ask, ByWords())


def test_she_does_not_repeat_a_line_while_she_has_others() -> None:
    stage = Stage().open()
    said = [stage.send(c.Say(text=Words("What about the lamp?")))["line"] for _ in range(6)]
    assert len(set(said)) == 6


def test_offline_the_secret_can_be_won() -> None:
    stage = Stage().open()
    for topic in ("lamp", "sea", "soup", "stairs", "weather", "thanks") * 4:
        stage.send(c.Say(text=Words(topic)))
    assert stage.state.told


def test_every_line_is_her_own_and_short_enough_to_say() -> None:
    found = everything()
    assert len(found) == len(set(found)) >= 60
    assert max(map(len, found)) <= 600


def test_no_line_but_the_truth_gives_a_secret_away() -> None:
    content = shipped()
    texts = [*everything(), *content.sights.values(), *content.weather.values(), content.keeper.persona]
    for secret in content.secrets.values():
        others = [other.truth for other in content.secrets.values() if other is not secret]
        assert not any(map(secret.given_away_by, [*texts, *others]))
