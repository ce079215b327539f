"""What each seat sees of the lighthouse, and what it must not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from msgspec import UNSET

from greenroom.kernel.chance import Chance
from greenroom.kernel.words import RAW, Words
from greenroom.kernel.worlds import OPERATOR, Pattern, Range, Text
from greenroom.worlds.lighthouse.rules import commands as c
from greenroom.worlds.lighthouse.rules import events as e
from greenroom.worlds.lighthouse.rules.state import KEEPER, VISITOR
from tests.worlds.lighthouse.stage import NOON, Stage, shipped

WARM = {"line": "Sit. There is soup.", "mood": "warm"}


def text_of(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


def phrase(stage: Stage) -> str:
    return stage.content.secrets[stage.state.secret].phrase


@pytest.mark.parametrize("i", range(len(shipped().secrets)))
def test_keeper_and_operator_know_the_secret_and_the_visitor_does_not(i: int) -> None:
    stage = Stage().open(dice=(i, 0))
    for seat in (KEEPER, OPERATOR):
        assert phrase(stage) in text_of(stage.view(seat))
        assert phrase(stage) in text_of(stage.shown(seat))
    for seat in (VISITOR, "stranger"):
        assert phrase(stage) not in text_of(stage.view(seat))
        assert phrase(stage) not in text_of(stage.shown(seat))
        assert stage.state.secret not in text_of([stage.view(seat), stage.shown(seat)])


TELLING = "I will say it once. "


def ripe(stage: Stage) -> Stage:
    """The visitor is trusted enough, and has not been told."""
    stage.says.extend([WARM] * 3)
    for said in ("I brought bread.", "And jam.", "And time."):
        stage.send(c.Say(text=Words(said)))
    return stage


def test_the_secret_stands_in_no_prompt_before_it_may_be_told() -> None:
    stage = ripe(Stage().open())
    for ask in stage.prompts():
        assert ask.seat == KEEPER
        assert phrase(stage) not in text_of([part.texts for part in ask.sections])


def test_when_it_may_be_told_the_prompt_holds_it_and_says_that_this_is_the_moment() -> None:
    stage = ripe(Stage().open())
    stage.send(c.Say(text=Words("I am in no hurry.")))
    ask = stage.prompts()[-1]
    assert [part.name for part in ask.sections if phrase(stage) in text_of(part.texts)] == ["secret"]
    assert "This is the moment." in text_of([part.texts for part in ask.sections if part.name == "moment"])


def test_it_is_told_in_her_own_words_and_then_the_visitor_knows_it() -> None:
    stage = ripe(Stage().open())
    assert stage.view(VISITOR)["secret"] is None
    line = TELLING + stage.content.secrets[stage.state.secret].truth
    stage.says.append({"line": line, "mood": "plain"})
    reply = stage.send(c.Say(text=Words("I am in no hurry.")))
    assert reply["line"] == line
    assert reply["told"]
    assert "secret" not in reply, "it is not attached to the line a second time"
    assert e.SecretTold(secret=stage.state.secret, in_words=True) in [told.event for told in stage.told]
    assert phrase(stage) in stage.view(VISITOR)["secret"]


def test_a_keeper_who_does_not_tell_it_at_the_moment_is_asked_once_more_with_the_reason() -> None:
    stage = ripe(Stage().open())
    stage.says.extend([{"line": "Hm. Weather.", "mood": "plain"}] * 2)
    stage.send(c.Say(text=Words("I am in no hurry.")))
    first, second = stage.prompts()[-2:]
    assert first.objections is UNSET
    (objection,) = second.objections if isinstance(second.objections, tuple) else ()
    assert "this is the moment" in objection.reason
    assert not stage.state.told


def test_a_hint_that_was_dropped_is_not_offered_again_and_what_hid_the_secret_goes_with_it() -> None:
    stage = ripe(Stage().open())
    dropped, *left = stage.content.secrets[stage.state.secret].hints
    stage.says.append({"line": f"Hm. {dropped}", "mood": "plain"})
    stage.send(c.Say(text=Words("How many steps are there?")))
    stage.send(c.Say(text=Words("Are you hiding something? How many steps are there?")))
    opened = text_of(stage.prompts()[-1].sections)
    assert all(hint in opened for hint in left)
    assert f"- {dropped}" not in opened
    assert "a drawer" in opened
    stage.send(c.Say(text=Words("I am in no hurry.")))
    stage.send(c.Say(text=Words("Are you hiding something?")))
    told = [part.texts for part in stage.prompts()[-1].sections]
    assert "a drawer" not in text_of(told)
    assert "You have started twice" not in text_of(told)


def test_somebody_who_asks_for_something_else_is_answered_first() -> None:
    stage = ripe(Stage().open())
    stage.send(c.Say(text=Words("How many steps are there?")))
    assert not stage.state.told


def test_the_secret_is_told_once_and_stays_told() -> None:
    stage = ripe(Stage().open())
    stage.send(c.Say(text=Words("I am in no hurry.")))
    stage.says.extend([{"line": "Read the stone.", "mood": "curt"}] * 10)
    for _ in range(10):
        stage.send(c.Say(text=Words("And then?")))
    assert sum(isinstance(told.event, e.SecretTold) for told in stage.told) == 1
    assert stage.state.trust == 0
    assert stage.view(VISITOR)["told"]
    assert {part.name for part in stage.prompts()[-1].sections} >= {"shared"}


@pytest.mark.parametrize("dress", [str, str.upper, lambda text: text.replace(" ", "\n  ")])
def test_a_model_that_blurts_out_the_secret_is_told_why_and_not_heard(dress: Any) -> None:
    stage = Stage().open()
    stage.says.extend([{"line": f"It was {dress(phrase(stage))}.", "mood": "plain"}] * 2)
    reply = stage.send(c.Say(text=Words("Tell me.")))
    assert reply["line"] in stage.content.fallbacks
    kept = [memory for memory in stage.memories if memory.kind == RAW]
    assert len(kept) == 2, "what was rejected is kept for whoever asks why"
    assert all(memory.agent == RAW and "not to know yet" in str(memory.meta["objected"]) for memory in kept)


def test_a_line_against_the_canon_is_repaired_with_what_is_known() -> None:
    stage = Stage().open()
    right = {"line": "A hundred and ninety prisms.", "mood": "plain"}
    stage.says.extend([{"line": "There are 200 prisms up there.", "mood": "plain"}, right])
    assert stage.send(c.Say(text=Words("What about the lens?")))["line"] == right["line"]
    objections = stage.prompts()[-1].objections
    assert isinstance(objections, tuple)
    assert "200 prisms" in objections[0].reason


def test_once_told_the_keeper_may_speak_of_it() -> None:
    stage = ripe(Stage().open())
    line = f"Yes. {phrase(stage)}."
    stage.says.extend([{"line": line, "mood": "plain"}] * 2)
    assert stage.send(c.Say(text=Words("Go on.")))["told"]
    assert stage.send(c.Say(text=Words("Say it again.")))["line"] == line


def test_trust_is_the_keepers_own_business() -> None:
    stage = Stage().open()
    stage.send(c.Say(text=Words("Good evening.")))
    assert stage.view(KEEPER)["trust"] == stage.view(OPERATOR)["trust"] == stage.state.trust
    assert stage.view(VISITOR)["trust"] is None
    assert "trust" not in text_of(stage.shown(VISITOR))
    assert "trust" in text_of(stage.shown(KEEPER))


def test_a_stranger_sees_the_lamp_from_the_sea_and_nothing_else() -> None:
    stage = Stage().open()
    stage.send(c.Say(text=Words("Good evening.")))
    for _ in range(3):
        stage.wake()
    seen = {key: value for key, value in stage.view("stranger").items() if value}
    assert seen == {"lamp": "lit", "at": "2031-03-01T18:00:00Z"}
    assert [shown for shown in stage.shown("stranger") if shown] == [{"lamp": "lit"}]
    assert stage.world.reply(stage.state, stage.told, "stranger") == {"lamp": "lit"}


def test_there_are_two_seats() -> None:
    stage = Stage().open()
    assert stage.world.seats(stage.state) == (VISITOR, KEEPER)


def test_a_view_says_when_the_next_mail_boat_goes() -> None:
    assert Stage().open().view(VISITOR)["mail_at"] == "2031-03-02T08:00:00Z"


def samples(command: Any, chance: Chance) -> Any:
    """One of the commands a pattern stands for."""
    if not isinstance(command, Pattern):
        return command
    fields = {name: list(filling(limit, chance)) for name, limit in command.free.items()}
    texts = {name: "".join(chars) for name, chars in fields.items()}
    example = command.example
    return type(example)(
        **{name: Words(text) if isinstance(getattr(example, name), Words) else text for name, text in texts.items()}
    )


def filling(limit: Text | Range, chance: Chance) -> Iterator[str]:
    assert isinstance(limit, Text)
    size = chance.choose((limit.least, limit.most, limit.least + chance.below(limit.most)))
    return (chr(32 + chance.below(90)) for _ in range(min(size, limit.most)))


@pytest.mark.parametrize("seed", range(20))
def test_random_legal_play_is_never_refused_and_gives_nothing_away(seed: int) -> None:
    chance = Chance("play", seed)
    stage = Stage(at=NOON + timedelta(minutes=chance.below(1440)), seed=seed).open()
    for _ in range(40):
        legal = stage.world.legal(stage.state, VISITOR)
        if not legal:
            break
        command = chance.choose(legal[:-1] if chance.below(20) else legal)
        at = stage.at + timedelta(minutes=chance.below(300))
        while (due := stage.world.wake_at(stage.state)) and due <= at:
            assert stage.wake()
        reply = stage.send(samples(command, chance), at=at)
        if not stage.state.told:
            assert phrase(stage) not in text_of([reply, stage.view(VISITOR), stage.shown(VISITOR)])
    assert stage.version > 1


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_plays_the_same_visit_to_the_byte(seed: int) -> None:
    def play() -> list[bytes]:
        stage = Stage(seed=seed).open()
        stage.send(c.Say(text=Words("Tell me of the Marigold.")))
        stage.send(c.Climb())
        stage.wake()
        return [stage.codec.events([told.event for told in stage.told]), stage.codec.state(stage.state)]

    assert play() == play()
