"""What somebody does in saying something, and which lines react to it."""

from __future__ import annotations

import pytest

from greenroom.adapters.understudy import ByWords
from greenroom.adapters.understudy.acting import Told, act_of
from greenroom.adapters.understudy.anchoring import anchors_of, when_of, who_of
from greenroom.adapters.understudy.reacting import checked, reactions
from greenroom.adapters.understudy.situations import SITUATIONS, Situation, situations_of
from greenroom.adapters.understudy.subjects import subject_of

WORDS = ByWords()


@pytest.mark.parametrize(
    ("said", "act", "tone"),
    [
        ("My flat was flooded and the carpet is wrecked.", "news", "bad"),
        ("I won the raffle at last!", "news", "good"),
        ("My cousin drives a tram.", "other", "plain"),
        ("I used to deliver milk by bicycle.", "story", "plain"),
        ("We're moving to Cork in the spring.", "plan", "plain"),
        ("I'm worried that he will not come home.", "worry", "bad"),
        ("I was nervous before the ferry.", "worry", "good"),
        ("I don't know whether to tell her.", "torn", "plain"),
        ("I don't think I'll sell it. I might sell it.", "torn", "plain"),
        ("I ate the last one. Don't tell my sister.", "secret", "plain"),
        ("Two burnt pies out of two. Story of my life.", "joke", "wry"),
        ("If you ask me, cheese is wasted on mice.", "opinion", "plain"),
        ("These stairs are killing me.", "complaint", "plain"),
        ("The parcel's late again, typical.", "grumble", "plain"),
        ("Could you pass me the bread", "request", "plain"),
        ("I've brought you a lemon.", "gift", "plain"),
        ("Let me carry the basket for you.", "offer", "plain"),
        ("You should come to us at Easter.", "invitation", "plain"),
        ("I'll let you know how it went, goodbye.", "promise", "plain"),
        ("My mum thinks I should go back there.", "other", "plain"),
        ("You're quite right.", "agreement", "plain"),
        ("Nope, not at all.", "disagreement", "plain"),
        ("Sorry about the mud.", "sorry", "plain"),
        ("Thanks for the soup.", "thanks", "plain"),
        ("You're very kind to strangers.", "compliment", "plain"),
        ("I'll report you to the council.", "threat", "plain"),
        ("Well, I'd better get back to her before the tide turns and the boat goes.", "goodbye", "plain"),
        ("There is a ship behind the reef.", "remark", "plain"),
    ],
)
def test_the_form_of_a_sentence_shows_the_act(said: str, act: str, tone: str) -> None:
    assert act_of(said, WORDS)[:2] == (act, tone)


def test_of_several_sentences_the_one_counts_that_most_wants_an_answer() -> None:
    told = act_of("Evening. It rained all the way. My brother lost his leg. Is the soup hot?", WORDS)
    assert (told.act, told.tone, told.text) == ("other", "bad", "My brother lost his leg.")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Six weeks of plaster. My girl broke her wrist. It was a trampoline.", "My girl broke her wrist."),
        ("I've brought you a hook. I made it myself. For the kettle or whatever.", "I've brought you a hook."),
        ("Good soup. My Frank's been gone three years. I baked today.", "My Frank's been gone three years."),
        ("We won the cup! It was raining.", "We won the cup!"),
    ],
)
def test_what_weighs_most_is_taken_up_wherever_it_stands(said: str, text: str) -> None:
    assert act_of(said, WORDS).text == text


def test_after_a_question_a_mere_remark_answers_it() -> None:
    assert act_of("The sixth of June.", WORDS, asked=True).act == "answer"
    assert act_of("The sixth of June.", WORDS).act == "remark"


def test_a_laugh_makes_it_wry_and_no_loss_a_joke() -> None:
    assert act_of("I fell off the pier", WORDS, "i fell off the pier lol").tone == "wry"
    assert act_of("My dog died", WORDS, "my dog died haha").tone == "bad"


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("Our goat eats the neighbour's roof, and our goat is not sorry.", "animal"),
        ("It sounded like a cow.", ""),
        ("They closed the factory.", "work"),
        ("Nothing of the kind.", ""),
    ],
)
def test_a_subject_is_what_most_words_speak_of(said: str, subject: str) -> None:
    assert subject_of(said) == subject


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("My sister Pat rows better than I do.", "Pat"),
        ("My boss never sleeps.", "your boss"),
        ("My uncle was a diver.", ""),
        ("My old teacher, Mrs Penn, rang.", "your old teacher"),
        ("My aunt and my cousin own it.", ""),
    ],
)
def test_only_one_who_is_there_is_named(said: str, who: str) -> None:
    assert who_of(said) == who


def test_a_subject_comes_before_an_act_and_a_line_names_nobody_where_nobody_is_known() -> None:
    banks = {
        "news": {"plain": ["Is it so."]},
        "animal": {"bad": ["Poor beast."]},
        "other": {"plain": ["Ask {who}.", "Hm."]},
    }
    loss = Told("news", "bad", "My cat drowned.", "My cat drowned.", (), "animal")
    assert list(reactions(banks, loss)) == [["Poor beast."], ["Is it so."]]
    assert list(reactions(banks, Told("other", "plain", "He sings.", "He sings."))) == [["Hm."]]
    named = Told("other", "plain", "My friend Ada sings.", "My friend Ada sings.")
    assert list(reactions(banks, named)) == [["Ask Ada."], ["Hm."]]


def test_what_people_commonly_tell_comes_before_subject_and_act_and_has_lines_for_the_affairs_of_others() -> None:
    banks = {
        "news": {"plain": ["Is it so."]},
        "retiring": {"plain": ["{When}. And then?", "At last."], "other": ["Poor {who}."]},
    }
    own = act_of("I retire next spring.", WORDS)._replace(
        situations=(Situation("retiring", "I retire next spring.", 0.9),)
    )
    assert next(reactions(banks, own)) == ["Next spring. And then?"]
    assert next(reactions(banks, own, ["Next year. And then?"])) == ["At last."]
    text = "My uncle retires soon."
    other = Told("other", "plain", text, text, (Situation("retiring", text, 0.9),))
    assert next(reactions(banks, other)) == ["Poor your uncle."]


@pytest.mark.parametrize(
    ("said", "situations"),
    [
        ("I handed in my notice today, at noon.", ["job_left"]),
        ("My uncle has a pond.", []),
    ],
)
def test_what_people_commonly_tell_is_known_by_its_examples(said: str, situations: list[str]) -> None:
    assert [one.name for one in situations_of([said], WORDS)] == situations


def test_somebody_who_comes_back_and_tells_more_is_answered_for_that() -> None:
    assert [one.name for one in act_of("It's me again, I came back.", WORDS).situations] == ["back_again"]
    assert act_of("It's me again, I came back. My flat was flooded.", WORDS).situations == ()


def test_every_example_is_of_one_situation_only() -> None:
    texts = [text for given in SITUATIONS.values() for text in given]
    assert len(texts) == len(set(texts))
    assert all(SITUATIONS.values())


def test_a_name_given_after_a_question_is_the_answer() -> None:
    told = act_of("ok, I never said. It's Ludlow. Don't tease.", WORDS, asked=True)
    assert (told.act, told.text) == ("answer", "It's Ludlow.")


@pytest.mark.parametrize(
    ("said", "anchors"),
    [
        ("My brother Nico says I would fail.", {"who": "Nico"}),
        ("We move to Ghent in the spring.", {"place": "Ghent", "when": "in the spring"}),
        (
            "I have kept them for twenty-two years, and there are 412 now.",
            {"span": "twenty-two years", "number": "412"},
        ),
        ("I am forty and it was 1984.", {}),
        ("My aunt died in May.", {}),
    ],
)
def test_only_what_is_certain_is_held_on_to(said: str, anchors: dict[str, str]) -> None:
    assert {name: value for name, value in anchors_of(said).items() if name.islower()} == anchors


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("I sing on Friday.", "on Friday"),
        ("It is in May.", "in May"),
        ("It closed on Friday.", ""),
        ("Since May I rest.", ""),
    ],
)
def test_a_time_is_one_that_is_to_come(said: str, when: str) -> None:
    assert when_of(said) == when


@pytest.mark.parametrize(
    "banks", [{"newz": {"plain": ["So."]}}, {"news": {"sour": ["So."]}}, {"news": {"plain": ["So."]}}]
)
def test_banks_that_nobody_would_get_to_or_that_lack_an_act_are_refused(banks: dict[str, dict[str, list[str]]]) -> None:
    with pytest.raises(ValueError, match="reactions to"):
        checked(banks)
