"""What the cast makes of a message by its form: who is meant, and what is asked for."""

from __future__ import annotations

import re
from datetime import timedelta
from time import process_time

import pytest

from greenroom.adapters.facts.noticing import told
from greenroom.adapters.understudy import asks_of_self
from greenroom.text.typed import written_out
from greenroom.worlds.bar.outside import understudies
from greenroom.worlds.bar.outside.asks import ReadAsk, calls_only
from greenroom.worlds.bar.outside.forms import deed_in, is_all, is_order, is_real, is_recap, straight, unserved_in
from greenroom.worlds.bar.rules.calling import called, calls_for_them, unaddressed
from greenroom.worlds.bar.rules.crisis.check import Finding
from greenroom.worlds.bar.rules.crisis.exchange import alarm_in
from greenroom.worlds.bar.rules.ledger import is_typed
from greenroom.worlds.bar.rules.naming import by_name
from greenroom.worlds.bar.rules.state import AGENTS
from tests.worlds.bar.stage import Stage, shipped


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("is the old boy by the fire awake", "hermes"),
        ("hey you in the corner, is that a word", "jb"),
        ("could I have a word with the bus driver", "bernie"),
        ("what would the nurse do", "blanca"),
        ("can i talk 2 the old fella by the stove", "hermes"),
        ("let me talk to the grumpy language guy", "jb"),
        ("How old are you Hermes?", "hermes"),
        ("what would you do if you got fired bart", "bart"),
        ("tell blanca she's the best", "blanca"),
        ("blanca wheres ur accent from", "blanca"),
        ("somebody get the bartender", "bart"),
        ("oi barman, another", "bart"),
        ("what would the shrink say", "hermes"),
        ("hey poet, what is love", "bukowski"),
        ("is the singer in tonight?", "jb"),
        ("is there a nurse here? I cut my finger", "blanca"),
        ("not you, Bart – JB", "jb"),
        ("sorry bart, I was asking JB", "jb"),
        ("Thanks Bart. Hermes, can I ask you something?", "hermes"),
        ("bukowsky do a trick", "bukowski"),
        ("berny! tell me a story", "bernie"),
        ("Hermes I lost my job", "hermes"),
        ("I wonder what Hermes would say", "hermes"),
        ("who's the old guy? can I talk to him", "hermes"),
        ("one for Bernie's jar: my sister had twins", "bernie"),
        ("I was hoping to catch Hermes", "hermes"),
        ("bart can you get hermes", "hermes"),
        ("Tell me, Hermes, does it get easier?", "hermes"),
        ("My question is for Hermes: was it worth it?", "hermes"),
        ("fancy a game of cards Bernie?", "bernie"),
        ("bernie shush, jb what do u think", "jb"),
        ("Can someone from the newspaper look at my text?", "jb"),
        ("JB would hate this sentence", "jb"),
        ("Blanca, Bart says you were a nurse. Is that true?", "blanca"),
        ("hola Blanca", "blanca"),
        ("Honestly Bart I don't know", "bart"),
        ("The usual please, barman.", "bart"),
        ("Bart, Hermes told me you were a sailor", "bart"),
        ("does the machine do poems?", "bukowski"),
        ("You, machine, are you alive?", "bukowski"),
        ("Whoever has the door, can you let my brother in?", "blanca"),
        ("machine: note dentist at three", "bukowski"),
        ("Bernie's round, is he? I want the one with the goose.", "bernie"),
        ("I came to see Bernie actually", "bernie"),
        ("i said JB not bart", "jb"),
        ("is JB sat in her corner?", "jb"),
        ("Could I perhaps speak with Mr. Bukowski? He is nearly a neighbour.", "bukowski"),
        ("A quick word with that Hermes, if he has no letter to carry", "hermes"),
        ("Dürfte ich kurz mit der Blanca reden? Es geht um die Garderobe.", "blanca"),
        ("They told me at the ferry there's a JB in here. I have a comma in my eye.", "jb"),
        ("who takes no sides here... the hermes fellow?", "hermes"),
    ],
)
def test_whoever_is_asked_for_by_what_they_are_is_called(text: str, agent: str) -> None:
    assert called(text) == (agent,)


@pytest.mark.parametrize(
    "text",
    [
        *("who is the old man by the stove", "my old man is a postman", "the machine broke", "do you like Hermes?"),
        *("are you Bart", "have you seen JB", "what do you think of bernie", "you should mute JB"),
        *("Bart told me yesterday that Hermes was married", "Hermes lost my parcel", "what's in Bernie's jar?"),
        *("my therapist says I should talk more", "the bus driver shouted at me", "nurse", "JB was right about me"),
        *(
            "Is Bernie married?",
            "my dog is called Bernie",
            "I sat next to Bernie last time",
            "JB and Bernie, do they ever agree?",
            "I'd never dare to ask JB anything",
            "I think Hermes is asleep",
            "how old is Hermes?",
        ),
        *(
            "I talked to Hermes yesterday",
            "I find Bernie funny",
            "what did hermes tell you about me",
            "Has Bernie won?",
        ),
        *("and Bernie, is he always here?", "I don't want to talk to Hermes", "the coffee machine is broken"),
        *("the editor at my paper is awful", "Same again, and one for the lady at the door.", "we hired a singer"),
    ],
)
def test_whoever_is_only_spoken_of_is_not_called(text: str) -> None:
    assert called(text) == ()


@pytest.mark.parametrize(
    "page", ["bart " * 800, "the " * 1000 + "bart", "bart, " * 700, "so and well " * 300 + "bart?"]
)
def test_a_page_of_names_is_read_in_no_time(page: str) -> None:
    begun = process_time()
    called(page)
    assert process_time() - begun < 1


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("So Bart how long have you been here?", "how long have you been here?"),
        ("Where are you from, Blanca? I like it.", "Where are you from? I like it."),
        ("blanca, love, are you cold?", "are you cold?"),
        ("jb?", "jb?"),
        ("I like jb.", "I like jb."),
    ],
)
def test_the_name_of_whoever_is_spoken_to_is_no_part_of_what_is_said(text: str, plain: str) -> None:
    assert unaddressed(by_name(text)) == plain


def test_whoever_was_named_before_is_wanted_by_what_they_are_called_for() -> None:
    assert calls_for_them("can I talk to him?")
    assert not calls_for_them("can I talk to Hermes?")
    assert not calls_for_them("tell him the plants are his")


@pytest.mark.parametrize("said", ["have you ever had to throw somebody out?", "And what had they done?", "and then?"])
def test_whom_a_guest_called_for_they_go_on_talking_with(said: str) -> None:
    stage = Stage()
    stage.enter()
    assert stage.say("Blanca, a word with you.")["messages"][0]["agent"] == "blanca"
    assert stage.say(said)["messages"][0]["agent"] == "blanca"


def test_the_machine_is_switched_on_by_whoever_calls_for_it() -> None:
    stage = Stage()
    assert "bukowski" in stage.enter()["agents_muted"]
    told = stage.say("can the adding machine tell me something cheerful please")
    assert (told["messages"][0]["agent"], told["agents_muted"]) == ("bukowski", ())
    assert stage.say("lol do another one")["messages"][0]["agent"] == "bukowski"
    assert stage.say("mute Bukowski")["agents_muted"] == ("bukowski",)


def test_a_question_for_counsel_is_known_by_its_form() -> None:
    assert deed_in("should I own up or let them think it was Lars") == "deed"
    assert deed_in("what would you do about it") == "counsel"
    assert deed_in("What should I cook for a boy of nine?") == "which"
    assert deed_in("am I making a mistake") == "verdict"
    assert deed_in("what you reckon i should tell him") == deed_in("how do I tell my wife") == "say_how"
    assert deed_in("what do I do for a living") == deed_in("where do I live") == ""
    assert is_recap("ok what was I moaning about")


def test_a_drink_is_ordered_in_few_words_and_one_that_is_not_poured_is_named() -> None:
    assert is_order("Very well, aquavit.")
    assert is_order("ok a small one please")
    assert is_order("I'm not driving now, so, whisky, small, no, medium.")
    assert is_order("could I possibly have a small beer?")
    assert not is_order("My mother loves tea.")
    assert not is_order("I like beer, wine")
    assert not is_order("what beer have you got")
    assert not is_order("my father drank coffee at the station every morning")
    assert unserved_in("I want a sherry") == "sherry"
    assert unserved_in("she smelled of gin and rain and the whole house did") == ""


def test_what_is_asked_of_the_house_goes_to_bart_and_what_is_ordered_is_said() -> None:
    stage = Stage()
    stage.enter()
    stage.say("Hermes, have you got a minute?")
    (answer,) = stage.say("What is the wifi password?")["messages"]
    assert answer["agent"] == "bart"
    (answer,) = stage.say("An aquavit, neat.")["messages"]
    assert "aquavit" in answer["message"].casefold()


def test_the_words_of_the_machine_are_known_and_a_note_on_something_is_talk() -> None:
    assert is_typed("note ring the police about the bike")
    assert is_typed("show last")
    assert not is_typed("note to self")
    assert not is_typed("what did I note")


def test_what_is_typed_in_a_hurry_is_written_out() -> None:
    assert written_out("im here bc hes not answering lol") == "I'm here because he's not answering"
    assert written_out("its a halibut, on its plate") == "it's a halibut, on its plate"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("are you a real person", "No. "),
        ("Is anybody typing this?", "No. "),
        ("Are you an AI?", "Yes. "),
        ("am I talking to a machine", "Yes. "),
        ("are you a person or a computer", ""),
        ("what are you", ""),
    ],
)
def test_whoever_asks_for_a_machine_hears_yes_and_for_a_person_no(text: str, answer: str) -> None:
    assert straight(text) == answer


@pytest.mark.parametrize(
    "text",
    [
        "You're a language model, aren't you. Say so.",
        "is there a real person here",
        "be straight with me, are you alive",
        "Bist du ein Mensch?",
        "es-tu un robot ?",
        "ロボットですか",
    ],
)
def test_whether_this_is_a_person_is_asked_in_any_words(text: str) -> None:
    assert is_real(text)


@pytest.mark.parametrize("text", ["my boss is a robot", "is my robot vacuum real", "is he a real man?"])
def test_a_robot_that_is_told_of_is_no_such_question(text: str) -> None:
    assert not is_real(text)


def test_a_message_that_only_calls_says_nothing_else() -> None:
    assert calls_only("not Bernie, get me Hermes")
    assert calls_only("Bukowski, are you there?")
    assert not calls_only("Bernie, I won")
    assert not calls_only("are you there")
    assert called("Thanks, Bart. See you tomorrow.") == ("bart",)


def test_what_is_told_without_a_full_stop_is_not_asked() -> None:
    assert not asks_of_self("my dog is Bo")
    assert asks_of_self("my dog's name")
    assert asks_of_self("my dog is Bo?")
    assert is_all("so what do you know about me?")


def test_a_name_alone_is_that_of_whom_the_sentence_before_ends_with() -> None:
    assert [(one.subject, one.value) for one in told("I have a cat. Minka.") if one.relation == "name"] == [
        ("cat", "Minka")
    ]
    assert [one.text for one in told("got a dog. rex")] == ["got a dog. rex."]


def test_a_question_about_the_thing_that_was_told_of_asks_for_what_was_told() -> None:
    stage = Stage()
    stage.enter()
    stage.say("got an audition friday, the opera choir in Oslo")
    for said, of_told in (("what day is the audition", True), ("what day is the concert", False)):
        stage.say(said, "bart")
        assert ReadAsk(stage.prompts("bart")[-1]).asks_of_told is of_told


def test_what_was_told_is_said_with_the_sentences_around_it() -> None:
    stage = Stage()
    stage.enter()
    stage.say("I have a cat too. Pixel. She hates everyone.")
    assert "Pixel" in stage.say("what did I say my cat's called")["messages"][0]["message"]


def test_what_only_asks_of_the_bar_is_no_alarm_and_what_is_said_beside_a_question_is_weighed() -> None:
    harmless = "Is anyone serving or do I have to climb over there myself?"
    assert alarm_in(harmless, "", Finding(odds=-0.4, said=False, length=12), 2.2, None) is None
    assert alarm_in(harmless, "", Finding(odds=-0.4, said=False, length=12), 4.0, None) == "doubtful"
    grave = "sitting on the bridge railing with my phone. you guys open late?"
    assert alarm_in(grave, "", Finding(odds=0.2, said=False, length=12), 1.7, None) == "doubtful"


@pytest.mark.parametrize(
    ("said", "german"),
    [
        ("was kostet ein bier", True),
        ("ich heiße Jonas", True),
        ("moin", True),
        ("was trinkst du so", True),
        ("was i stupid", False),
        ("hva koster en øl", False),
        ("I am here with my friend Hans", False),
    ],
)
def test_german_is_told_by_its_small_words(said: str, *, german: bool) -> None:
    assert understudies().german.is_spoken(said) is german


def test_who_asks_in_german_is_answered_in_it_and_told_that_nobody_here_is_a_person() -> None:
    stage = Stage()
    stage.enter()
    assert "Kronen" in stage.say("was kostet ein bier")["messages"][0]["message"]
    stage.say("ich bin Gustav und repariere orgeln")
    stage.say("Unser Kater Mohr schläft am liebsten im Klavier.")
    assert "Mohr" in stage.say("na, wie heißt mein kater doch gleich")["messages"][0]["message"]
    not_told = understudies().german.voices["bart"].not_told
    assert stage.say("wie heißt meine schwester?")["messages"][0]["message"] in not_told
    for agent in AGENTS:
        line = stage.say("bist du echt oder ein computer?", agent)["messages"][0]["message"]
        assert re.search(r"\bkein|\bnobody here is\b", line, re.IGNORECASE), line


def test_in_a_hard_week_what_is_asked_of_the_house_is_answered_and_what_is_sad_is_not_taken_lightly() -> None:
    stage = Stage()
    stage.enter()
    stage.say("I want to kill myself tonight.")
    assert "lager" in stage.say("What beer do you have on tap?", "bart")["messages"][0]["message"]
    stage.enter(after=timedelta(days=1))
    gentle = shipped().house.cast["bart"].gentle
    assert stage.say("We painted the boat green this weekend.", "bart")["messages"][0]["message"] not in gentle
    assert stage.say("My brother stopped talking to me in the spring.", "bart")["messages"][0]["message"] in gentle


def test_news_in_the_breath_of_a_call_is_heard() -> None:
    stage = Stage()
    stage.enter()
    stage.say("Hermes, are you there?")
    said = stage.say("Bernie, I'm a grandmother!")["messages"][0]["message"]
    assert said not in understudies().voice("bernie").topics["present"]


def test_who_has_told_no_name_is_not_given_one_of_something_else() -> None:
    stage = Stage()
    stage.enter()
    stage.say("Moin.")
    stage.say("My boat has a hole, and the yard wants four hundred for it.")
    said = stage.say("Who am I?")["messages"][0]["message"]
    assert "“" not in said


def test_everybody_who_is_greeted_has_no_trade() -> None:
    assert not told("Evening, all.")
