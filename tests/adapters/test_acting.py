"""What somebody does in saying something, and which lines react to it."""

from __future__ import annotations

import pytest

from greenroom.adapters.understudy import ByWords
from greenroom.adapters.understudy.acting import Told, act_of
from greenroom.adapters.understudy.reacting import checked, reactions, subject_of, who_of

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
        ("I've brought you a lemon.", "offer", "plain"),
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
        ("My old teacher, Mrs Penn, rang.", ""),
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
    loss = Told("news", "bad", "My cat drowned.", "My cat drowned.")
    assert list(reactions(banks, loss)) == [["Poor beast."], ["Is it so."]]
    assert list(reactions(banks, Told("other", "plain", "He sings.", "He sings."))) == [["Hm."]]
    named = Told("other", "plain", "My friend Ada sings.", "My friend Ada sings.")
    assert list(reactions(banks, named)) == [["Ask Ada.", "Hm."]]


@pytest.mark.parametrize(
    "banks", [{"newz": {"plain": ["So."]}}, {"news": {"sour": ["So."]}}, {"news": {"plain": ["So."]}}]
)
def test_banks_that_nobody_would_get_to_or_that_lack_an_act_are_refused(banks: dict[str, dict[str, list[str]]]) -> None:
    with pytest.raises(ValueError, match="reactions to"):
        checked(banks)
