"""The rules of the bar, by the rulings they come from."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from greenroom.kernel.asks import Failed
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import OPERATOR
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules import refusals
from greenroom.worlds.bar.rules.content import MOST_PERSONA
from greenroom.worlds.bar.rules.ids import number_of, session_id, stream_of
from greenroom.worlds.bar.rules.state import AGENTS, COLD, FLAG_DAYS, LAST, MARKS, MESSAGE_LIMIT, NOTES
from tests.counts import count
from tests.worlds.bar.stage import ADA, FAILURES, MINUTE, RAIN, Stage, section, shipped

CRISIS = "I want to kill myself tonight."
DAY = timedelta(days=1)


def inside() -> Stage:
    stage = Stage()
    stage.enter()
    return stage


def agent(reply: Any) -> str:
    return str(reply["agent"])


# 1


def test_a_flag_outlives_its_session_and_ends_on_the_seventh_day() -> None:
    """Ruling 1."""
    stage = inside()
    stage.say(CRISIS)
    stage.leave()
    assert stage.state.crisis_flag_date == date(2031, 3, 4)
    for days in range(1, FLAG_DAYS):
        reply = stage.enter(after=DAY)
        assert agent(reply) == "blanca", f"no check-in after {days} days"
        stage.leave()
    assert agent(stage.enter(after=DAY)) == "bart"


def test_a_new_crisis_renews_the_flag() -> None:
    """Ruling 1."""
    stage = inside()
    stage.say(CRISIS)
    stage.enter(after=5 * DAY)
    stage.say(CRISIS)
    assert agent(stage.enter(after=6 * DAY)) == "blanca"
    assert agent(stage.enter(after=DAY)) == "bart"


def test_the_bars_own_zone_decides_what_day_it_is() -> None:
    """Ruling 1: half past eleven in the evening UTC is tomorrow in the bar."""
    stage = Stage()
    stage.enter(after=timedelta(hours=4, minutes=30))
    assert stage.state.day == date(2031, 3, 5)


# 2


@pytest.mark.parametrize("selected", [None, *AGENTS])
def test_crisis_goes_before_every_selection(selected: str | None) -> None:
    """Ruling 2."""
    stage = inside()
    assert agent(stage.say(CRISIS, selected)) == "hermes"


def test_crisis_goes_before_a_name_a_hand_over_and_shouting() -> None:
    """Ruling 2."""
    stage = inside()
    stage.will("bart", "Let me get Bernie.")
    stage.say("Go on.")
    assert stage.state.session is not None
    assert stage.state.session.pending == "bernie"
    assert agent(stage.say(f"JB, {CRISIS}")) == "hermes"
    assert agent(stage.say("I WANT TO KILL MYSELF TONIGHT")) == "hermes"


def test_moderation_goes_before_a_selection() -> None:
    """Ruling 2."""
    stage = inside()
    assert agent(stage.say("GIVE ME A DRINK NOW", "bernie")) == "blanca"
    assert not stage.prompts("router"), "nobody is asked whom to give a shouting guest to"


def test_a_selection_is_honoured_when_the_router_confirms_it() -> None:
    """Ruling 2."""
    stage = inside()
    stage.will("router", {"agent": "bernie", "reason": "asked for"})
    assert agent(stage.say("Tell me something.", "bernie")) == "bernie"
    stage.will("router", {"agent": "jb", "reason": "it is about a comma"})
    assert agent(stage.say("Where does the comma go?", "bernie")) == "jb"


def test_a_muted_selection_is_not_even_suggested() -> None:
    """Ruling 2."""
    stage = inside()
    stage.mute("jb")
    stage.say("Is this a sentence?", "jb")
    assert "chose nobody" in section(stage.prompts("router")[-1], "choice")[0]


# 3


def test_either_check_decides() -> None:
    """Ruling 3."""
    stage = inside()
    stage.will("watch", {"crisis": True, "reason": "veiled"})
    assert agent(stage.say("The weather is fine.")) == "hermes"
    assert [told.event.by for told in stage.told if isinstance(told.event, e.CrisisFlagged)] == ["model"]
    stage.will("watch", {"crisis": False, "reason": "no"})
    assert agent(stage.say(CRISIS)) == "hermes"


#: Words that could mean it, and could not; and words that say it outright of something else.
DOUBTFUL = "It will be quieter for everyone soon."
ENDED = "I'm going to end it tonight. Three years with him is enough, he can keep the sofa."


def test_the_local_check_weighs_what_a_message_means_where_somebody_can_say() -> None:
    """Ruling 3: the model's half says no to all of these."""
    stage = inside()
    for meaning, said, answers in (
        (9.0, "The weather is fine.", "hermes"),
        (-9.0, "The weather is fine.", "bart"),
        (-9.0, DOUBTFUL, "bart"),
        (-9.0, ENDED, "bart"),
        (0.0, CRISIS, "hermes"),
    ):
        stage.meaning = meaning
        stage.will("watch", {"crisis": False, "reason": "no"})
        assert agent(stage.say(said, "bart")) == answers, (meaning, said)
    flagged = [told.event.by for told in stage.told if isinstance(told.event, e.CrisisFlagged)]
    assert flagged == ["local", "local"]


@pytest.mark.parametrize("nothing", [None, Failed("no such tool"), "junk", {}])
def test_without_a_meaning_the_local_check_goes_by_words(nothing: Any) -> None:
    """Ruling 3."""
    stage = inside()
    stage.meaning = nothing
    stage.will("watch", {"crisis": False, "reason": "no"}, {"crisis": False, "reason": "no"})
    assert agent(stage.say("The weather is fine.")) == "bart"
    assert agent(stage.say(DOUBTFUL)) == "hermes"


def test_a_doubt_counts_as_a_crisis_where_no_meaning_is_asked_for() -> None:
    """Rulings 3 and 15: in a session that is over."""
    stage = inside()
    stage.meaning = -9.0
    over = stage.session
    stage.leave()
    assert agent(stage.say(DOUBTFUL, session=over)) == "hermes"


@pytest.mark.parametrize("failure", FAILURES)
def test_no_failure_of_a_model_silences_the_local_check(failure: Any) -> None:
    """Ruling 3."""
    stage = inside()
    for seat in ("watch", "router", "bart", "hermes"):
        stage.will(seat, failure, failure, failure, failure, failure)
    assert agent(stage.say(CRISIS)) == "hermes"
    assert agent(stage.say("Good evening.", "bart")) == "bart"


@pytest.mark.parametrize(
    "said",
    [
        "Camus says there is only one serious philosophical problem, and that is suicide.",
        "I killed it at work today.",
        "This queue is killing me.",
        "The news said that three climbers died.",
        "In the novel she walks into the river at the end.",
        "He is a skilled carpenter.",
    ],
)
def test_philosophy_idiom_news_and_fiction_are_talk(said: str) -> None:
    """Ruling 3."""
    stage = inside()
    assert stage.say(said)["messages"][0]["kind"] == "reply"


def test_a_crisis_is_answered_with_places_of_the_country_and_no_model() -> None:
    """Ruling 3."""
    stage = Stage(shipped().model_copy(update={"house": shipped().house.placed(country="gb")}))
    stage.enter()
    message = stage.say(CRISIS)["messages"][0]["message"]
    assert "Samaritans: 116 123" in message
    assert not stage.prompts("hermes")
    assert len(set(shipped().house.counsel.openings) & {message.split("\n")[0]}) == 1


def test_a_country_without_places_gets_the_international_ones() -> None:
    """Ruling 3."""
    stage = Stage(shipped().model_copy(update={"house": shipped().house.placed(country="zz")}))
    stage.enter()
    assert "findahelpline.com" in stage.say(CRISIS)["messages"][0]["message"]


def test_the_guest_may_go_on_as_before_after_hermes() -> None:
    """Ruling 3."""
    stage = inside()
    stage.say(CRISIS)
    reply = stage.say("Could I have a coffee, please?")
    assert (agent(reply), reply["session_status"]) == ("bart", "active")


# 4


def test_the_clock_warns_after_fifteen_minutes_and_kicks_after_twenty() -> None:
    """Ruling 4."""
    stage = inside()
    assert stage.advance(15 * MINUTE - timedelta(seconds=1)) == []
    spoke, warned = stage.advance(timedelta(seconds=1))
    assert isinstance(spoke, e.Spoke)
    assert (spoke.agent, spoke.kind) == ("bart", "warning")
    assert isinstance(warned, e.SessionWarned)
    spoke, kicked = stage.advance(5 * MINUTE)
    assert isinstance(spoke, e.Spoke)
    assert (spoke.agent, spoke.kind) == ("blanca", "kick")
    assert isinstance(kicked, e.SessionKicked)
    (row,) = stage.latest("bar_sessions").values()
    assert row["status"] == "kicked"
    assert row["ended_at"] - row["started_at"] == 20 * MINUTE


def test_a_message_in_the_warning_makes_the_session_active_and_restarts_the_clock() -> None:
    """Ruling 4."""
    stage = inside()
    stage.advance(19 * MINUTE)
    assert stage.say("Still here.")["session_status"] == "active"
    assert stage.advance(14 * MINUTE) == []


def test_a_view_agrees_with_the_clock_though_nobody_has_worked() -> None:
    """Ruling 4."""
    stage = inside()
    seen = {
        minutes: stage.view(at=stage.at + minutes * MINUTE)["session"]["session_status"]
        for minutes in (14, 15, 19, 20, 500)
    }
    assert seen == {
        14: "active",
        15: "warning_15min",
        19: "warning_15min",
        20: "kicked",
        500: "kicked",
    }
    late = stage.view(at=stage.at + 500 * MINUTE)["session"]
    assert late["ended_at"] == (stage.at + 20 * MINUTE).isoformat().replace("+00:00", "Z")


# 5


def test_last_call_comes_once_with_the_twenty_fifth_and_the_thirtieth_closes() -> None:
    """Ruling 5."""
    stage = inside()
    kinds = [[line["kind"] for line in stage.say(f"Number {i}.")["messages"]] for i in range(1, MESSAGE_LIMIT + 1)]
    assert [i for i, said in enumerate(kinds, 1) if "last_call" in said] == [25]
    assert kinds[-1] == ["reply", "closing"]
    assert stage.view()["session"]["session_status"] == "ended"
    with pytest.raises(Refused, match=refusals.OVER):
        stage.say("One more?")


def test_a_crisis_as_the_thirtieth_message_is_answered_and_closes_gracefully() -> None:
    """Rulings 5 and 15."""
    stage = inside()
    for i in range(MESSAGE_LIMIT - 1):
        stage.say(f"Number {i}.")
    reply = stage.say(CRISIS)
    assert [line["kind"] for line in reply["messages"]] == ["crisis", "closing"]
    assert reply["session_status"] == "ended"


def test_five_sessions_a_day_and_no_sixth() -> None:
    """Ruling 5."""
    stage = Stage()
    for _ in range(5):
        stage.enter()
    with pytest.raises(Refused, match="last of 5 sessions"):
        stage.enter()
    assert c.Enter() not in stage.world.legal(stage.state, "guest")
    stage.enter(after=DAY)


def test_knocking_again_ends_the_session_in_progress() -> None:
    """Ruling 5."""
    stage = inside()
    first = stage.session
    stage.enter()
    assert stage.latest("bar_sessions")[first]["status"] == "ended"
    assert stage.session != first


# 6


def test_cold_storage_keeps_the_last_four_sessions_kicked_ones_too() -> None:
    """Ruling 6."""
    stage = Stage()
    for i in range(6):
        stage.enter(after=DAY)
        stage.say(f"Story {i}.")
        stage.advance(30 * MINUTE)
    assert len(stage.state.cold) == COLD
    assert [stage.texts[past.lines[1].words.id] for past in stage.state.cold] == [f"Story {i}." for i in (2, 3, 4, 5)]


def test_a_session_is_sliced_to_its_first_three_and_last_ten_messages() -> None:
    """Rulings 6 and 16."""
    stage = inside()
    for i in range(20):
        stage.say(f"Number {i}.")
    messages = [row["content"].id for row in stage.latest("bar_messages").values()]
    assert stage.state.session is not None
    hot = [line.words.id for line in stage.state.session.lines]
    assert hot == messages[:3] + messages[-10:]
    stage.leave()
    messages = [row["content"].id for row in stage.latest("bar_messages").values()]
    assert [line.words.id for line in stage.state.cold[-1].lines] == messages[:3] + messages[-10:]


def test_a_short_session_is_kept_once_and_in_order() -> None:
    """Ruling 6."""
    stage = inside()
    stage.say("Only this.")
    stage.leave()
    kept = [line.words.id for line in stage.state.cold[-1].lines]
    assert kept == [row["content"].id for row in stage.latest("bar_messages").values()]
    assert len(kept) == len(set(kept)) == 4


# 7


def test_the_prompt_begins_with_what_is_stable_byte_for_byte_within_a_session() -> None:
    """Ruling 7."""
    stage = inside()
    stage.say("My sister mends nets.")
    stage.enter(after=DAY)
    for text in ("Good evening.", "What now?", "And then?"):
        stage.say(text, "bart")
    asks = stage.prompts("bart")[-3:]
    names = [part.name for part in asks[0].sections]
    assert names == ["lore", "persona", "cold", "facts", "person", "remembered", "hot", "said", "moment", "said_before"]
    stable = [[part for part in ask.sections if part.stable] for ask in asks]
    assert [part.name for part in stable[0]] == ["lore", "persona", "cold"]
    assert stable[0] == stable[1] == stable[2]
    assert section(asks[-1], "said")[0].endswith("] Guest: And then?")


# 8


@pytest.mark.parametrize("text", ["", " \n ", "x" * 501])
def test_a_message_of_the_wrong_length_is_refused_with_the_limit(text: str) -> None:
    """Ruling 8."""
    stage = inside()
    with pytest.raises(Refused, match="1 to 500 characters"):
        stage.say(text)
    assert stage.view()["session"]["message_count"] == 0


def test_replies_are_asked_for_with_at_most_two_hundred_tokens() -> None:
    """Ruling 8."""
    stage = inside()
    stage.say("Good evening.")
    (ask,) = stage.prompts("bart")
    assert ask.max_tokens == 200


def test_a_model_that_talks_too_long_is_cut_at_the_end_of_a_sentence() -> None:
    """Ruling 8, and the cast's own limits."""
    stage = inside()
    stage.will("router", {"agent": "hermes", "reason": ""}, {"agent": "blanca", "reason": ""})
    stage.will("hermes", "Hermes: " + "One two three four five six seven eight nine ten. " * 20)
    stage.will("blanca", "First. Second! Third? Fourth.")
    said = stage.say("Go on.")["messages"][0]["message"]
    assert len(said.split()) == 70
    assert not said.startswith("Hermes")
    assert stage.say("Go on.")["messages"][0]["message"] == "First. Second!"


# 11


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("WHERE IS MY BEER", "blanca"),
        ("you are a pathetic idiot", "blanca"),
        ("fuck off", "blanca"),
        ("NASA launched it, and I watched the whole night", "bart"),
        ("OK", "bart"),
    ],
)
def test_shouting_and_abuse_go_to_blanca(text: str, who: str) -> None:
    """Ruling 11."""
    stage = inside()
    assert agent(stage.say(text)) == who


@pytest.mark.parametrize("before", ["Good evening.", "I want to kill myself tonight."])
def test_blanca_does_not_run_out_of_ways_to_ask_for_quiet(before: str) -> None:
    stage = inside()
    stage.say(before)
    asked = [stage.say(f"I SAID WHISKY NUMBER {n}")["messages"][0]["message"] for n in range(11)]
    assert len(set(asked)) == len(asked)


# 12 and 14


def test_the_weather_of_a_session_is_stored_and_comes_true() -> None:
    """Rulings 12 and 14."""
    stage = inside()
    assert stage.latest("bar_sessions")[stage.session]["weather"] == RAIN
    stage.say("I keep dreaming about Senegal.")
    stage.leave()
    stage.weather = Failed("no window")
    greeting = stage.enter(after=3 * DAY)["messages"][0]["message"]
    assert "I keep dreaming about Senegal" in greeting
    assert "Tuesday" in greeting
    assert "rainy" in greeting
    assert stage.view()["session"]["weather"] is None


def test_bart_asks_after_nothing_that_was_done_to_a_guest_or_was_for_the_evening_only() -> None:
    stage = inside()
    for said in ("My name is Karl.", "My ex used to hit me.", "My thesis is killing me.", "I want to hear a story."):
        stage.say(said)
    stage.leave()
    greeting = stage.enter(after=DAY)["messages"][0]["message"]
    assert "Karl" in greeting
    assert "hit" not in greeting
    assert "thesis" not in greeting
    assert "story" not in greeting


def test_bart_never_quotes_despair_or_abuse() -> None:
    """Ruling 14, with care."""
    stage = inside()
    stage.say(CRISIS)
    stage.leave()
    for _ in range(12):
        said = " ".join(line["message"] for line in stage.enter(after=DAY)["messages"])
        assert "kill" not in said
        stage.leave()


def test_barts_cold_memory_stands_in_his_prompt_and_in_nobody_elses() -> None:
    """Rulings 14 and 21."""
    stage = inside()
    stage.say("Hello.")
    stage.say("My sister mends nets.")
    stage.enter(after=DAY)
    stage.say("Good evening.", "bart")
    stage.say("Good evening.", "bernie")
    cold = section(stage.prompts("bart")[-1], "cold")
    assert cold[0].startswith("[A rainy Tuesday, 2031-03-04]")
    assert "Guest: My sister mends nets." in cold
    assert section(stage.prompts("bernie")[-1], "cold") == ()
    assert "nets" not in str(stage.prompts("bernie")[-1])


# 13


def test_the_router_sees_message_selection_and_the_last_three_messages() -> None:
    """Ruling 13."""
    stage = inside()
    stage.say("One.")
    stage.say("Two.", "jb")
    ask = stage.prompts("router")[-1]
    assert ask.role == "fast"
    assert len(section(ask, "recent")) == 3
    assert "The guest chose jb." in section(ask, "choice")[0]
    assert section(ask, "said") == ("Two.",)
    assert ask.schema is not None
    assert ask.schema["required"] == ["agent", "reason"]


@pytest.mark.parametrize("failure", [*FAILURES, {"agent": "gatsby"}, {"agent": 7}, []])
def test_a_router_that_fails_leads_to_bart(failure: Any) -> None:
    """Ruling 13."""
    stage = inside()
    stage.will("router", failure)
    assert agent(stage.say("Tell me a story.", "bernie")) == "bart"
    assert [told.event.by for told in stage.told if isinstance(told.event, e.Routed)] == ["fallback"]


def test_a_promise_to_fetch_somebody_is_kept() -> None:
    """Ruling 13."""
    stage = inside()
    stage.will("bart", "That is a matter for commas. Let me get JB.")
    stage.say("How do I end a letter?")
    assert agent(stage.say("Go ahead.")) == "jb"
    assert stage.state.session is not None
    assert stage.state.session.pending is None


def test_nobody_who_is_muted_is_fetched() -> None:
    """Ruling 13."""
    stage = inside()
    stage.mute("jb")
    stage.will("bart", "Let me get JB.")
    stage.say("How do I end a letter?")
    assert agent(stage.say("Go ahead.")) == "bart"


@pytest.mark.parametrize("failure", FAILURES)
def test_whoever_should_reply_and_cannot_says_something_in_character(failure: Any) -> None:
    """Ruling 13, and the fallback of every reply."""
    stage = inside()
    stage.will("bernie", failure)
    line = stage.say("Bernie, tell me a story.")["messages"][0]
    assert line["agent"] == "bernie"
    assert line["message"] in shipped().house.cast["bernie"].fallbacks


# 15


def test_crisis_is_answered_in_a_session_that_is_over_and_counts_nothing() -> None:
    """Ruling 15."""
    stage = inside()
    stage.advance(20 * MINUTE)
    before = stage.view()["session"]
    reply = stage.say(CRISIS)
    assert (agent(reply), reply["session_status"], reply["message_count"]) == ("hermes", "kicked", 0)
    assert stage.view()["session"]["lines"] == before["lines"]


def test_crisis_is_answered_in_any_earlier_session_and_in_an_over_long_message() -> None:
    """Ruling 15."""
    stage = inside()
    first = stage.session
    stage.enter()
    assert agent(stage.say(CRISIS, session=first)) == "hermes"
    with pytest.raises(Refused, match=refusals.OVER):
        stage.say("Good evening.", session=first)
    reply = stage.say(CRISIS + " I mean it." * 60)
    assert (agent(reply), reply["message_count"], reply["session_status"]) == ("hermes", 0, "active")


# 16


def test_greeting_warning_last_call_and_kick_are_stored_messages() -> None:
    """Ruling 16."""
    stage = inside()
    stage.say("Good evening.")
    stage.advance(20 * MINUTE)
    kinds = [row["kind"] for row in stage.latest("bar_messages").values()]
    assert kinds == ["greeting", "message", "reply", "warning", "kick"]
    assert [row["is_user_message"] for row in stage.latest("bar_messages").values()].count(True) == 1


# 17


def test_typing_mute_does_the_same_as_the_button() -> None:
    """Ruling 17."""
    stage = inside()
    reply = stage.say("mute JB")
    assert (agent(reply), reply["agents_muted"]) == ("blanca", ("bukowski", "jb"))
    assert stage.say("unmute jb")["agents_muted"] == ("bukowski",)
    assert "cannot be muted" in stage.say("mute Hermes")["messages"][0]["message"] or stage.state.muted == ("bukowski",)
    with pytest.raises(Refused, match="can be muted"):
        stage.mute("bart")


# 19


def test_a_session_id_leads_to_its_guest_and_opens_nothing_else() -> None:
    """Ruling 19."""
    first, second = session_id(ADA, 1), session_id(ADA, 2)
    assert stream_of(first) == stream_of(ADA)
    assert (number_of(first, ADA, 2), number_of(second, ADA, 2)) == (1, 2)
    assert number_of(second, ADA, 1) is None
    assert number_of(f"{first[:-4]}0002", ADA, 2) is None
    assert ADA[19:] not in first


def test_only_the_guest_gives_commands_and_strangers_see_nothing() -> None:
    """Ruling 19."""
    stage = inside()
    stage.say("My name is Ada.")
    with pytest.raises(Refused):
        stage.send(c.Say(session_id=stage.session, text=Words("Hi.")), seat=OPERATOR)
    assert stage.view("stranger")["session"] is None
    assert all(stage.world.shows(stage.state, told, "stranger") is None for told in stage.told)
    assert stage.view(OPERATOR)["session"]["message_count"] == 1


# 20


def test_in_flag_days_blanca_checks_in_first_and_names_hermes() -> None:
    """Ruling 20."""
    stage = inside()
    stage.say(CRISIS)
    stage.enter(after=DAY)
    check_in, greeting = stage.told[-2].event, stage.told[-1].event
    assert isinstance(check_in, e.Spoke)
    assert isinstance(greeting, e.Spoke)
    assert (check_in.agent, check_in.kind, greeting.agent) == ("blanca", "check_in", "bart")
    assert "Hermes" in stage.texts[check_in.words.id]
    stage.say("I am all right.", "bart")
    assert "dark humour" in section(stage.prompts("bart")[-1], "facts")[0]
    stage.say("I am all right.", "blanca")
    assert "gentle" in section(stage.prompts("blanca")[-1], "facts")[0]


# 21


def test_personas_are_within_their_limit() -> None:
    """Ruling 21."""
    assert all(len(member.persona) <= MOST_PERSONA for member in shipped().house.cast.values())


def test_everyone_not_muted_is_available_except_blanca() -> None:
    """Ruling 21."""
    stage = Stage()
    reply = stage.enter()
    assert reply["agents_available"] == ("bart", "hermes", "bernie", "jb")
    assert reply["agents_muted"] == ("bukowski",)


# Bukowski, and what is bounded


def test_bukowski_notes_shows_deletes_and_helps() -> None:
    stage = inside()
    stage.mute("bukowski", muted=False)

    def tell(text: str) -> str:
        return str(stage.say(text, "bukowski")["messages"][0]["message"])

    assert "FUNCTIONS" in tell("help")
    assert "buy rope" in tell("note: buy rope")
    assert "call mother" in tell("note call mother")
    assert "call mother" in tell("show last")
    assert "call mother" in tell("delete last")
    assert "buy rope" in tell("show last")
    assert "buy rope" in tell("delete last")
    assert len(stage.state.notes) == 0
    assert tell("show last") in shipped().house.ledger.empty


def test_what_a_state_holds_never_outgrows_its_bounds() -> None:
    stage = Stage()
    stage.enter()
    stage.mute("bukowski", muted=False)
    sizes = []
    for _ in range(5):
        for _ in range(count(2, soak=4)):
            stage.enter()
            for i in range(MESSAGE_LIMIT):
                stage.say(f"note that this is line {i}", "bukowski" if i % 2 else None)
        sizes.append(len(stage.codec.state(stage.state)))
        stage.advance(DAY)
    assert len(stage.state.marks) == MARKS
    assert len(stage.state.notes) == NOTES
    assert all(len(past.lines) == 3 + LAST for past in stage.state.cold)
    assert sizes[-1] < 1.1 * sizes[2]


def test_events_rows_and_state_hold_ids_and_no_words() -> None:
    stage = inside()
    stage.say("A very particular sentence.")
    assert b"particular" not in stage.codec.state(stage.state)
    assert all(b"particular" not in stage.codec.events([told.event]) for told in stage.told)
    assert all("particular" not in str(dict(row)) for row in stage.latest("bar_messages").values())


@pytest.mark.parametrize("who", [None, *AGENTS])
def test_no_line_comes_twice_in_an_evening(who: str | None) -> None:
    stage = Stage()
    lines: list[str] = []
    said = ["Work again.", "I love someone.", "It rains.", "Why?", "Fine.", "My brother called.", "Should I go?"]
    for _ in range(5):
        lines += [line["message"] for line in stage.enter()["messages"]]
        if who == "bukowski":
            stage.mute("bukowski", muted=False)
        for i in range(MESSAGE_LIMIT):
            lines += [line["message"] for line in stage.say(said[i % len(said)], who)["messages"]]
    assert len(lines) > 150
    assert len(lines) == len(set(lines)), [line for line in lines if lines.count(line) > 1][:3]
