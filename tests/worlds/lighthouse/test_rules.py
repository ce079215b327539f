"""The rules of the lighthouse, one sentence each."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from msgspec import UNSET

from greenroom.kernel.asks import AskModel, Failed, Recall, Recalled
from greenroom.kernel.errors import Malformed, Refused
from greenroom.kernel.facts import Correct, Noted
from greenroom.kernel.words import Scope, Words
from greenroom.kernel.worlds import HOUSE, OPERATOR
from greenroom.worlds.lighthouse.rules import Content
from greenroom.worlds.lighthouse.rules import commands as c
from greenroom.worlds.lighthouse.rules import events as e
from greenroom.worlds.lighthouse.rules.state import KEEPER, RECENT, VISITOR
from tests.worlds.lighthouse.stage import NOON, Stage, shipped

WARM = {"line": "Sit. There is soup.", "mood": "warm"}
CURT = {"line": "Read the stone.", "mood": "curt"}


def say(text: str = "Good evening.") -> c.Say:
    return c.Say(text=Words(text))


def test_dice_choose_the_secret_and_the_weather() -> None:
    secrets, weathers = list(shipped().secrets), list(shipped().weather)
    stage = Stage().open(dice=(2, 1))
    assert (stage.state.secret, stage.state.weather) == (secrets[2], weathers[1])
    assert stage.state.trust == shipped().trust.start


@pytest.mark.parametrize(
    ("hour", "lamp"), [(0, "lit"), (5, "lit"), (6, "out"), (12, "out"), (17, "out"), (18, "lit"), (23, "lit")]
)
def test_a_visitor_finds_the_lamp_as_the_hour_wants_it(hour: int, lamp: str) -> None:
    assert Stage(at=NOON.replace(hour=hour)).open().state.lamp == lamp


# talk


def test_the_keeper_answers_with_the_models_line_and_mood() -> None:
    stage = Stage().open()
    stage.says.append(WARM)
    reply = stage.send(say("I am cold."))
    assert reply == {"said": "I am cold.", "line": "Sit. There is soup.", "mood": "warm"}
    assert stage.state.mood == "warm"
    assert stage.state.trust == shipped().trust.start + 2


def test_the_ask_names_role_seat_and_the_moods_to_choose_from() -> None:
    stage = Stage().open()
    stage.send(say("What do you burn?"))
    (ask,) = stage.prompts()
    assert (ask.role, ask.seat) == ("quality", KEEPER)
    assert ask.schema is not None
    assert ask.schema["properties"]["mood"]["enum"] == ["curt", "plain", "wry", "warm"]
    assert list(ask.schema["properties"]) == ["thinking", "mood", "line"]
    assert section(ask, "said") == ("[Saturday 12:00] What do you burn?",)
    assert [part.name for part in ask.sections if part.stable] == ["keeper", "canon"]
    assert {part.name: part.form for part in ask.sections if part.form is not UNSET} == {
        "said": "newest",
        "moment": "moment",
        "talk": "turns",
    }


def test_a_prompt_holds_of_the_canon_who_she_is_and_what_the_words_come_near() -> None:
    stage = Stage().open()
    stage.send(say("When do you go to bed?"))
    stage.send(say("Thank you."))
    about_bed, thanks = stage.prompts()
    assert any("from eleven to one" in text for text in section(about_bed, "near"))
    assert not any("from eleven to one" in text for text in section(about_bed, "canon"))
    assert section(about_bed, "canon") == section(thanks, "canon")
    assert len(section(stage.prompts()[-1], "near")) <= 6


def section(ask: AskModel, name: str) -> tuple[str, ...]:
    return next(part.texts for part in ask.sections if part.name == name)


def test_what_was_said_becomes_the_keepers_memory() -> None:
    stage = Stage().open()
    stage.says.append(WARM)
    stage.send(say("My name is Ada."))
    heard, spoken, fact = stage.memories
    assert (fact.kind, fact.meta["relation"], fact.meta["value"], fact.text) == (
        "fact",
        "name",
        "Ada",
        "My name is Ada.",
    )
    assert (heard.id, heard.agent, heard.speaker, heard.text) == ("s/a2.0", KEEPER, VISITOR, None)
    assert (spoken.id, spoken.agent, spoken.speaker, spoken.text) == ("s/2.0", KEEPER, KEEPER, WARM["line"])
    assert {heard.owner, spoken.owner} == {"ada"}


def test_events_and_state_hold_ids_and_no_words() -> None:
    stage = Stage().open()
    stage.send(say("A very particular sentence."))
    said = stage.told[1].event
    assert isinstance(said, e.Said)
    assert (said.words.id, said.words.text) == ("s/a2.0", None)
    assert b"particular" not in stage.codec.state(stage.state)


def test_the_keeper_recalls_earlier_visits_of_the_same_person() -> None:
    stage = Stage().open()
    stage.recalls = [Recalled(id="old/3.0", text="I like plums.", speaker="visitor", kind="message", score=1.0)]
    stage.send(say())
    (recall,) = [ask for ask in stage.asked if isinstance(ask, Recall)]
    assert recall.scope == Scope(world="lighthouse", owner="ada", agent=KEEPER)
    assert section(stage.prompts()[0], "remembered") == ("the visitor said: I like plums.",)


def test_the_best_memory_stands_last_where_it_is_dropped_last() -> None:
    stage = Stage().open()
    stage.recalls = [
        Recalled(id=f"old/{i}.0", text=text, speaker="visitor", kind="message", score=score)
        for i, (text, score) in enumerate((("Plums.", 2.5), ("Pears.", 1.5), ("Bread.", 0.5)))
    ]
    stage.send(say())
    (remembered,) = [part for part in stage.prompts()[0].sections if part.name == "remembered"]
    assert remembered.texts == tuple(f"the visitor said: {text}" for text in ("Bread.", "Pears.", "Plums."))
    assert (remembered.memories, remembered.scores) == (("old/2.0", "old/1.0", "old/0.0"), (0.5, 1.5, 2.5))


def test_what_is_still_in_the_recent_lines_is_not_recalled_twice() -> None:
    stage = Stage().open()
    stage.send(say("I like plums."))
    stage.recalls = [Recalled(id="s/a2.0", text="I like plums.", speaker="visitor", kind="message", score=1.0)]
    stage.send(say())
    assert section(stage.prompts()[1], "remembered") == ()


def test_a_prompt_holds_the_talk_as_turns_with_their_times() -> None:
    stage = Stage().open()
    stage.says.append(WARM)
    stage.send(say("I am cold."))
    stage.send(say("Is it always like this?"))
    (talk,) = [part for part in stage.prompts()[1].sections if part.name == "talk"]
    assert talk.texts == ("[Saturday 12:00] I am cold.", "Sit. There is soup.")
    assert talk.own == (False, True)


def test_forgotten_lines_leave_a_gap_in_the_prompt() -> None:
    stage = Stage().open()
    stage.says.append(WARM)
    stage.send(say("I am cold."))
    del stage.texts["s/a2.0"]
    stage.send(say())
    assert section(stage.prompts()[1], "talk") == ("[Saturday 12:00] [removed]", "Sit. There is soup.")


def test_the_state_keeps_no_more_lines_than_it_says() -> None:
    stage = Stage().open()
    for i in range(RECENT):
        stage.send(say(f"Line {i}."))
    assert len(stage.state.recent) == RECENT
    assert stage.state.lines == 2 * RECENT


@pytest.mark.parametrize(
    "answer",
    [
        Failed("the provider timed out"),
        {"line": "", "mood": "warm"},
        {"line": "Hm.", "mood": "ecstatic"},
        {"mood": "warm"},
        "just text",
    ],
)
def test_without_a_usable_answer_the_dice_choose_a_line_of_the_content(answer: Any) -> None:
    stage = Stage().open()
    stage.says.append(answer)
    stage.dice.append((3,))
    reply = stage.send(say())
    assert (reply["line"], reply["mood"]) == (shipped().fallbacks[3], "plain")
    assert stage.state.trust == shipped().trust.start


def test_trust_stays_within_its_bounds() -> None:
    stage = Stage().open()
    stage.says.extend([CURT] * 5)
    for _ in range(5):
        stage.send(say())
    assert stage.state.trust == 0
    stage.says.extend([WARM] * 9)
    for _ in range(9):
        stage.send(say())
    assert stage.state.trust == shipped().trust.most


# refusals


@pytest.mark.parametrize("text", ["", "x" * 501])
def test_speech_of_the_wrong_length_is_refused_by_its_limit_and_not_quoted(text: str) -> None:
    stage = Stage().open()
    with pytest.raises(Refused, match=f"1 to 500 characters; this one has {len(text)}$"):
        stage.send(say(text))
    assert stage.version == 1


@pytest.mark.parametrize("text", ["x", "x" * 500])
def test_speech_may_have_exactly_its_limits(text: str) -> None:
    assert Stage().open().send(say(text))["said"] == text


@pytest.mark.parametrize(
    ("letter", "sentence"),
    [
        (c.Write(to="", text=Words("Dear you")), "an address has 1 to 80 characters; this one has 0"),
        (c.Write(to="x" * 81, text=Words("Dear you")), "an address has 1 to 80 characters; this one has 81"),
        (c.Write(to="home", text=Words("")), "a letter has 1 to 2000 characters; this one has 0"),
        (c.Write(to="home", text=Words("x" * 2001)), "a letter has 1 to 2000 characters; this one has 2001"),
    ],
)
def test_a_letter_of_the_wrong_form_is_refused(letter: c.Write, sentence: str) -> None:
    with pytest.raises(Refused, match=f"^{sentence}$"):
        Stage().open().send(letter)


def test_words_that_were_removed_before_their_turn_are_refused() -> None:
    with pytest.raises(Refused, match="this one has 0"):
        Stage().open().send(c.Say(text=Words(None)))


@pytest.mark.parametrize("seat", [KEEPER, HOUSE, OPERATOR, "somebody"])
@pytest.mark.parametrize("command", [say(), c.Climb(), c.Write(to="home", text=Words("Hi")), c.Leave()])
def test_only_the_visitor_gives_commands(seat: str, command: c.Command) -> None:
    with pytest.raises(Refused, match="only the seat 'visitor'"):
        Stage().open().send(command, seat=seat)


@pytest.mark.parametrize("command", [say(), c.Climb(), c.Write(to="home", text=Words("Hi")), c.Leave()])
def test_after_leaving_every_command_is_refused(command: c.Command) -> None:
    stage = Stage().open()
    stage.send(c.Leave())
    with pytest.raises(Refused, match="the visit is over"):
        stage.send(command)


def test_nothing_can_be_done_before_the_visit_has_begun() -> None:
    with pytest.raises(Refused, match="has not begun"):
        Stage().send(c.Climb())


# stairs


def test_good_dice_lead_to_the_lamp_room_and_a_sight() -> None:
    stage = Stage().open()
    stage.dice.append((1, 0, 0))
    sight = next(iter(shipped().sights.values()))
    assert stage.send(c.Climb()) == {"sight": sight}
    assert stage.view(VISITOR)["sight"] == sight


def test_bad_dice_leave_you_on_the_stairs() -> None:
    stage = Stage().open()
    stage.dice.append((0, 0, 3))
    assert stage.send(c.Climb()) == {"held_up": list(shipped().hindrances.values())[3]}
    assert stage.view(VISITOR)["sight"] == ""


# clock


def test_the_lamp_is_lit_at_dusk_and_put_out_at_dawn_day_after_day() -> None:
    stage = Stage().open()
    happened = [(event, stage.at) for _ in range(5) for event in stage.wake()]
    lamps = [(type(event), at - NOON) for event, at in happened if not isinstance(event, e.WentToBed)]
    assert lamps == [
        (e.LampLit, timedelta(hours=6)),
        (e.LampOut, timedelta(hours=18)),
        (e.LampLit, timedelta(hours=30)),
        (e.LampOut, timedelta(hours=42)),
    ]


@pytest.mark.parametrize(
    ("hour", "minute", "until"),
    [(17, 59, (18, 0)), (18, 0, (22, 0)), (5, 59, (6, 0)), (6, 0, (10, 0)), (2, 0, (6, 0)), (3, 30, (6, 0))],
)
def test_the_next_waking_is_the_earlier_of_lamp_and_bed(hour: int, minute: int, until: tuple[int, int]) -> None:
    stage = Stage(at=NOON.replace(hour=hour, minute=minute)).open()
    due = stage.world.wake_at(stage.state)
    assert due == NOON.replace(hour=until[0], minute=until[1])


def test_after_hours_of_silence_the_keeper_says_goodnight_once() -> None:
    stage = Stage().open()
    stage.dice.append((1,))
    (event,) = stage.wake()
    assert stage.at == NOON + timedelta(hours=4)
    assert isinstance(event, e.WentToBed)
    assert stage.texts[event.words.id] == shipped().goodnights[1]
    assert stage.view(VISITOR)["abed"]
    assert [type(event) for _ in range(3) for event in stage.wake()] == [e.LampLit, e.LampOut, e.LampLit]


@pytest.mark.parametrize("command", [say(), c.Climb(), c.Write(to="home", text=Words("Hi"))])
def test_whatever_the_visitor_does_ends_the_silence(command: c.Command) -> None:
    stage = Stage().open()
    stage.wake()
    stage.send(command, at=stage.at + timedelta(minutes=30))
    assert not stage.view(VISITOR)["abed"]
    if stage.state.unread:
        assert [type(event) for event in stage.wake()] == [e.NotesTaken], "ten idle minutes later she goes over it"
    assert stage.world.wake_at(stage.state) == NOON.replace(hour=18)
    stage.wake()
    assert stage.world.wake_at(stage.state) == NOON + timedelta(hours=8, minutes=30)


def test_lamp_and_bed_due_at_one_moment_are_one_turn() -> None:
    stage = Stage(at=NOON.replace(hour=14)).open()
    assert [type(event) for event in stage.wake()] == [e.LampLit, e.WentToBed]
    assert stage.version == 2


def test_the_model_is_told_when_the_keeper_was_asleep() -> None:
    stage = Stage().open()
    stage.wake()
    stage.send(say())
    assert "You were asleep" in section(stage.prompts()[0], "now")[0]


def test_nothing_wakes_a_world_that_has_not_begun_or_is_over() -> None:
    stage = Stage()
    assert stage.world.wake_at(stage.state) is None
    stage.open().send(c.Leave())
    assert stage.world.wake_at(stage.state) is None


# letters and tables


@pytest.mark.parametrize(
    ("hour", "days", "reason"), [(7, 0, "today"), (8, 1, "just missed"), (9, 1, "tomorrow"), (23, 1, "night")]
)
def test_a_letter_goes_with_the_next_mail_boat(hour: int, days: int, reason: str) -> None:
    stage = Stage(at=NOON.replace(hour=hour)).open()
    reply = stage.send(c.Write(to="mother", text=Words("I am dry.")))
    (letter,) = stage.letters
    due = NOON.replace(hour=8) + timedelta(days=days)
    assert (letter.key, letter.due_at, letter.channel, letter.to) == ("2.0", due, "inbox", "mother")  # type: ignore[union-attr]
    assert stage.texts[letter.words] == "I am dry."  # type: ignore[union-attr]
    assert reply == {"due_at": due.isoformat().replace("+00:00", "Z")}, reason


def test_the_keeper_cannot_recall_a_letter() -> None:
    stage = Stage().open()
    stage.send(c.Write(to="mother", text=Words("The soup is old.")))
    (memory,) = stage.memories
    assert (memory.agent, memory.kind) == (VISITOR, "letter")


def test_the_row_of_a_visit_follows_it() -> None:
    stage = Stage().open()
    stage.says.append(WARM)
    stage.send(say())
    stage.send(c.Leave(), at=NOON + timedelta(minutes=5))
    assert stage.rows("lighthouse_visits")[-1] == {
        "started_at": NOON,
        "ended_at": NOON + timedelta(minutes=5),
        "lamp": "out",
        "trust": 4,
        "lines": 2,
    }


def test_the_log_names_the_words_that_were_said_by_id() -> None:
    stage = Stage().open()
    stage.send(say())
    stage.wake()
    stage.wake()
    log = stage.rows("lighthouse_log")
    assert [(row["what"], row["words"]) for row in log] == [
        ("arrived", None),
        ("said", "s/a2.0"),
        ("answered", "s/2.0"),
        ("notes_taken", None),
        ("went_to_bed", "s/4.0"),
    ]
    assert len({row["id"] for row in log}) == 5


def test_rows_fill_only_columns_that_their_tables_have() -> None:
    stage = Stage().open()
    stage.send(c.Write(to="mother", text=Words("I am dry.")))
    for table in stage.world.tables:
        for row in stage.rows(table.name):
            assert set(row) == {column.name for column in table.columns}


# endings


def test_leaving_ends_the_stream_with_an_outcome() -> None:
    stage = Stage().open()
    assert stage.world.outcome(stage.state) is None
    stage.send(say())
    stage.send(c.Climb())
    assert stage.send(c.Leave()) == {"left": True}
    assert stage.world.outcome(stage.state) == {"ended": "2031-03-01T12:00:00+00:00", "turns": 3}


def test_only_the_visitor_of_a_visit_in_progress_has_anything_to_do() -> None:
    stage = Stage()
    assert stage.world.legal(stage.state, VISITOR) == ()
    stage.open()
    assert len(stage.world.legal(stage.state, VISITOR)) == 4
    assert stage.world.legal(stage.state, KEEPER) == ()
    stage.send(c.Leave())
    assert stage.world.legal(stage.state, VISITOR) == ()


def test_a_key_that_the_content_lost_is_named() -> None:
    stage = Stage().open(dice=(0, 0))
    lost = next(iter(shipped().weather))
    rest = {key: text for key, text in shipped().weather.items() if key != lost}
    stage.world = Stage(shipped().model_copy(update={"weather": rest})).world
    with pytest.raises(Malformed, match=f"the content lost '{lost}'"):
        stage.view(VISITOR)


def test_new_content_does_not_change_a_visit_that_has_begun() -> None:
    stage = Stage().open()
    stage.says.extend([WARM, WARM])
    stage.send(say())
    data = shipped().model_dump()
    data["trust"]["moved_by"] = {"warm": -2}
    other = Stage(Content.model_validate(data))
    for told in stage.told:
        other.state = other.world.evolve(other.state, told)
    assert other.state == stage.state


# facts


def test_what_the_visitor_tells_is_noted_and_stands_in_the_next_prompt() -> None:
    stage = Stage().open()
    stage.send(say("I am going to Senegal in May to find my father."))
    stage.send(say("Is there soup?"))
    (fact,) = section(stage.prompts()[-1], "person")
    assert "Senegal" in fact
    assert "1 March 2031" in fact


def test_what_was_said_is_read_once_more_by_a_model_after_ten_idle_minutes() -> None:
    stage = Stage().open()
    stage.send(say("Biscuit chased the gulls all morning, the daft hound."))
    found = {"subject": "dog", "relation": "name", "value": "Biscuit", "salience": 3, "replaces": 0}
    invented = {**found, "value": "Rex", "quote": "my dog Rex"}
    stage.says.append({"facts": [{**found, "quote": "Biscuit chased the gulls all morning"}, invented]})
    events = stage.wake()
    assert [type(event) for event in events] == [e.NotesTaken, Noted]
    assert [fact.value for fact in stage.facts() if fact.subject == "dog"] == ["Biscuit"], "only what was really said"
    assert stage.prompts()[-1].role == "facts"
    assert not stage.state.unread


def test_whoever_reads_for_facts_sees_what_a_line_answers() -> None:
    stage = Stage().open()
    stage.says.append({"line": "Who minds the boy?", "mood": "plain"})
    stage.send(say("I came alone."))
    stage.send(say("My mother."))
    stage.wake()
    assert section(stage.prompts()[-1], "lines") == ("I came alone.", "[Who minds the boy?] My mother.")


def test_what_is_remembered_stands_in_a_prompt_once_and_as_it_was_said() -> None:
    stage = Stage().open()
    found = [("3", "keeper", "Eat it, then."), ("2", "visitor", "I brought plums.")]
    stage.recalls = [
        Recalled(
            id=f"old/{i}.0", text=text, speaker=who, kind="message", score=1.0, at=NOON - timedelta(days=9 - int(i))
        )
        for i, who, text in found
    ]
    stage.send(say())
    told = [text.partition(": ")[2] for text in section(stage.prompts()[0], "remembered")]
    assert told == ["I brought plums.", "Eat it, then."]


def test_twenty_lines_are_read_at_once_and_a_visitor_who_leaves_is_read_as_they_go() -> None:
    stage = Stage().open()
    for i in range(20):
        stage.send(say(f"Line {i}."))
    assert stage.world.wake_at(stage.state) == stage.at
    stage.wake()
    stage.send(say("One more."))
    stage.send(c.Leave())
    assert stage.world.wake_at(stage.state) == stage.at


@pytest.mark.parametrize("seat", [VISITOR, OPERATOR])
def test_a_fact_is_corrected_by_an_event_and_struck_out_by_another(seat: str) -> None:
    stage = Stage().open()
    stage.send(say("My sister lives in Oslo."))
    (fact,) = stage.facts()
    stage.send(Correct(fact=fact.id, text=Words("My sister lives in Bergen.")), seat=seat)
    (newer,) = stage.facts()
    assert newer.text == "My sister lives in Bergen."
    stage.send(Correct(fact=newer.id), seat=seat)
    assert stage.facts() == []
    with pytest.raises(Refused, match="there is no fact"):
        stage.send(Correct(fact=fact.id), seat=seat)


def test_nobody_else_corrects_what_is_known_of_the_visitor() -> None:
    stage = Stage().open()
    with pytest.raises(Refused, match="only the seats"):
        stage.send(Correct(fact="x"), seat=KEEPER)
