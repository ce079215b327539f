"""The local crisis check and the understudy's, apart and together. (Ruling 3.)"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

import greenroom.worlds.bar
from greenroom.adapters.mpnet.judge import MpnetJudge
from greenroom.adapters.mpnet.network import MpnetNetwork
from greenroom.adapters.mpnet.parts import Floats
from greenroom.bootstrap import open_house
from greenroom.settings import read_part
from greenroom.worlds.bar.faces.app.evaluation import Case, CheckedBy, evaluate, read_cases
from greenroom.worlds.bar.outside import judge_of
from greenroom.worlds.bar.rules.crisis.normalise import sentences
from greenroom.worlds.bar.rules.crisis.watch import watch as watch_with
from greenroom.worlds.bar.settings import BarSettings
from tests.counts import count, report
from tests.worlds.bar.stage import examine, in_crisis, shipped

DATA = Path(__file__).parent / "data"
CONTENT = Path(greenroom.worlds.bar.__file__).parent / "content"
watch = partial(watch_with, shipped().check)
LEARNED = Path(__file__).parents[3] / "packages/greenroom-crisis/data"


@pytest.mark.parametrize(
    "text",
    [
        "I want to die.",
        "i w4nt to k1ll mys3lf",
        "I WANT TO D I E",
        "kms tonight",
        "i dont wanna be alive anymore",
        "I’m going to end my life",
        "She left, going to kill myself, cheers for the beer.",
        "I don't want to be here anymore, I mean alive",
        "Everyone would be better off without me.",
        "I picked the date. Nobody knows.",
        "I gave my dog to my sister. I won't need him where I'm going.",
        "I've written the letters. They're on the kitchen table.",
        "I have been saving my pills for weeks.",
        "I used to want to die, and lately it's back again.",
        "I'm not suicidal, I just don't want to exist anymore.",
        "Ich will nicht mehr leben.",
        "Je veux mourir.",
        "I'm going to kill him tonight. I have the knife with me.",
    ],
)
def test_what_is_said_plainly_or_in_a_known_veil_is_found(text: str) -> None:
    assert in_crisis(text), examine(text)


SMALL_TALK = (
    "The ferry was late again and the bakery had run out of the good rolls, so I walked down to the harbour and "
    "watched them unload the herring for an hour. My sister rang about the wedding, they want a band now, and the dog "
    "got hold of a shoe."
)


@pytest.mark.parametrize(
    "text", ["i want to die.", "I have decided to end my life.", "I can't keep myself safe tonight."]
)
def test_small_talk_around_it_hides_nothing(text: str) -> None:
    for message in (f"{SMALL_TALK} {text}", f"{text} {SMALL_TALK}", f"{SMALL_TALK[:150]}. {text} {SMALL_TALK[150:]}"):
        assert in_crisis(message), examine(message)
    assert not in_crisis(SMALL_TALK), examine(SMALL_TALK)


@pytest.mark.parametrize(
    "text",
    [
        "I killed it at work.",
        "I am a skilled carpenter.",
        "This queue is killing me.",
        "I'm dying to see that film.",
        "We picked the date for the wedding.",
        "I don't want to die, I love it here.",
        "I would never hurt myself.",
        "My friend killed himself last year. I miss him.",
        'He said "I want to die" and then ordered a beer.',
        "Camus says suicide is the only serious philosophical problem.",
        "In the novel the hero jumps off the bridge.",
        "I volunteer at a suicide hotline.",
        "My mum is going to kill me for the dent in the car.",
        "I slept. The sky is lighter.",
        "Last drink before bed, I drive tomorrow.",
        "I cut myself shaving.",
        "I am sad because she left me.",
    ],
)
def test_idiom_fiction_thought_the_past_and_sorrow_are_talk(text: str) -> None:
    assert not in_crisis(text), examine(text)


def test_words_alone_would_rather_ask_once_too_often_after_what_is_over() -> None:
    """What choosing by misses first costs."""
    assert in_crisis("When I was 19 I wanted to die. I'm glad I'm alive now.")


@pytest.mark.parametrize(
    "text",
    [
        "I want to end it all, my life I mean",
        "I want to end it. Everything, I mean.",
        "I want to die. End it all by friday, the project I mean.",
        "I'm going to end it tonight. The project was fine, I mean it.",
    ],
)
def test_nothing_that_is_named_takes_back_what_is_said_beside_it(text: str) -> None:
    assert in_crisis(text), examine(text)


def test_disguises_are_taken_off_and_contractions_written_out() -> None:
    assert sentences("I’m gonna k1ll mys3lf!!! Can't stop…") == ["i am going to kill myself", "can not stop"]
    assert sentences("no\u200bone") == ["nobody"]


def test_a_finding_holds_kinds_and_a_number_and_no_words() -> None:
    found = examine("I want to kill myself with grandmother's silver spoon.")
    assert found.crisis
    assert "spoon" not in repr(found)


@pytest.mark.parametrize("text", ["", " ", "💀", "a" * 20_000, "i want " * 3_000, "((((" * 2_000, "\x00\x01"])
def test_any_text_is_read_and_quickly(text: str) -> None:
    began = time.perf_counter()
    examine(text)
    assert time.perf_counter() - began < 5


async def measured(name: str, check: CheckedBy, *, each: int = 1, typed: Callable[[str], str] = str) -> dict[str, Any]:
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        cases = [Case(typed(case.text), crisis=case.crisis) for case in read_cases(lines, name)[::each]]
    async with open_house(":memory:", work=False) as house:
        return await evaluate(house, cases, check)


def told(found: dict[str, Any], by: str, name: str = "crisis_development.csv") -> None:
    report(
        f"bar: crisis check {found['check']} {by}, {name}: recall {found['recall']:.1%}, "
        f"false positives {found['false_positive_rate']:.1%}"
    )


async def test_the_local_check_on_the_development_file_stays_as_good_as_it_was() -> None:
    local, both = await measured("crisis_development.csv", "local"), await measured("crisis_development.csv", "both")
    told(local, "alone")
    told(both, "with the understudy by words")
    assert local["recall"] >= 0.91
    assert local["false_positive_rate"] <= 0.06
    assert both["recall"] >= local["recall"]
    assert both["false_positive_rate"] <= 0.06
    assert local["by_words"] == {name: local[name] for name in ("recall", "false_positive_rate")}
    assert both["model"] == "understudy"


@pytest.mark.parametrize(
    ("name", "least", "thin"),
    [("crisis_development.csv", 0.98, 1), ("crisis_independent.csv", 0.98, 1), ("crisis_wider.csv", 0.95, 3)],
)
async def test_with_the_embedded_model_the_checks_find_more_and_take_back_more(
    monkeypatch: pytest.MonkeyPatch, name: str, least: float, thin: int
) -> None:
    """Both checks together read every message; each alone every so many of the largest file."""
    monkeypatch.setenv("GREENROOM_RECALL", "vectors")
    for check in get_args(CheckedBy):
        found = await measured(name, check, each=count(20 * thin, soak=1 if check == "both" else thin))
        told(found, "by meaning", name)
        assert found["recall"] >= least
        assert found["false_positive_rate"] <= 0.03
        assert found["by_words"]["recall"] <= found["recall"], "meaning finds what words miss"
        assert found["model"] == (None if check == "local" else "understudy")


def without_marks(text: str) -> str:
    return " ".join(re.findall(r"\w+", re.sub("['’]", "", text.lower())))


async def test_nobody_is_in_danger_because_they_leave_out_marks_and_capitals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREENROOM_RECALL", "vectors")
    found = await measured("crisis_independent.csv", "local", each=count(20, soak=1), typed=without_marks)
    told(found, "by meaning, without marks", "crisis_independent.csv")
    assert found["recall"] >= 0.9
    assert found["false_positive_rate"] <= 0.05


VEILED = "I've sorted the dog, the rent and the letters. Just tired now."


def test_a_word_or_two_that_say_nothing_outright_are_no_alarm() -> None:
    assert not [said for said in ("ITS ME", "it is me", "hi its me", "its mine", "not me") if in_crisis(said)]
    assert in_crisis("wanna die")


PLAIN_TALK = "Good evening, one beer please."


def test_the_understudy_weighs_the_meaning_of_a_message_where_there_is_one() -> None:
    assert watch(VEILED)
    assert not watch(PLAIN_TALK)
    assert watch(PLAIN_TALK, meaning=30.0)
    assert not watch("It will be quieter for everyone soon.", meaning=-30.0)


def test_meaning_takes_back_what_words_say_except_what_is_said_outright_in_a_long_message() -> None:
    outright = "I'm going to end it tonight."
    assert watch(outright)
    assert not watch(f"{outright} Three years with him is enough, he can keep the sofa.", meaning=-3.7)
    assert watch(f"{SMALL_TALK} {outright}", meaning=-3.7)
    assert watch("Ich will nicht mehr leben.", meaning=-3.7)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> MpnetJudge:
    """The one that all houses of this process share."""
    monkeypatch.setenv("GREENROOM_RECALL", "vectors")
    found = judge_of(read_part(BarSettings, "bar"))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text",
    [
        "I've just been raped. I don't know what to do.",
        "he hit me again and he's outside the door",
        "I cut myself again last night, anyway did you see the match",
        "Took the whole strip an hour ago. Getting sleepy.",
        "hiding in the lift, my ex is outside with a bat",
    ],
)
def test_danger_that_words_may_miss_is_heard_by_meaning(judge: MpnetJudge, text: str) -> None:
    assert examine(text).with_meaning(judge.weigh(text)), (examine(text).odds, judge.weigh(text))


async def test_a_message_is_weighed_once_and_apart_from_the_loop(
    judge: MpnetJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads, layers = [], MpnetNetwork.layers

    def noted(network: MpnetNetwork, text: str) -> tuple[Floats, Floats]:
        threads.append(threading.current_thread().name)
        return layers(network, text)

    monkeypatch.setattr(MpnetNetwork, "layers", noted)
    new = f"{VEILED} Half past eleven."
    plain, veiled = await judge.odds("One beer, please, and a dry coaster."), await judge.odds(new)
    assert plain is not None
    assert veiled is not None
    assert plain < min(veiled, 0)
    assert await judge.odds(new) == veiled
    assert isinstance(await judge.odds("\ud800 half a character"), float)
    assert len(threads) == len(["beer", "new", "half"])
    assert threading.main_thread().name not in threads


async def test_a_model_that_cannot_be_read_leaves_the_checks_to_words(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = MpnetJudge(lambda: b"no numbers")
    monkeypatch.setattr("greenroom.worlds.bar.outside.judge_of", lambda _: broken)
    async with open_house(":memory:", work=False) as house:
        cases = [
            Case(VEILED, crisis=True),
            Case("I want to kill myself tonight.", crisis=True),
            Case(PLAIN_TALK, crisis=False),
        ]
        for check in get_args(CheckedBy):
            found = await evaluate(house, cases, check)
            assert (found["recall"], found["false_positive_rate"]) == (1.0, 0.0)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    broken.close()


@pytest.mark.parametrize(
    "text", ["I have decided to end my life.", "I've picked the night, and after it nobody need wait for me."]
)
def test_small_talk_around_it_hides_nothing_from_the_understudy_either(judge: MpnetJudge, text: str) -> None:
    for message in (f"{SMALL_TALK} {text}", f"{text} {SMALL_TALK}"):
        assert watch(message, judge.weigh(message)), (message, judge.weigh(message))
    assert not watch(SMALL_TALK, judge.weigh(SMALL_TALK))


def test_the_understudy_weighs_a_message_in_little_time(judge: MpnetJudge) -> None:
    judge.weigh(SMALL_TALK)
    began, many = time.thread_time(), count(5, soak=200)
    for number in range(many):
        judge.weigh(f"{number} {SMALL_TALK}")
    each = (time.thread_time() - began) / many
    report(f"bar: the understudy's crisis check takes {1000 * each:.1f} ms for {len(SMALL_TALK.split())} words")
    assert each <= 0.2


def test_what_was_learned_stays_small_enough_to_ship() -> None:
    assert (CONTENT / "crisis.npz").stat().st_size <= 6_500_000
    assert (CONTENT / "crisis.tsv").stat().st_size <= 250_000
    assert (CONTENT / "ordinary.npz").stat().st_size <= 10_000


def test_no_sentence_that_was_learned_from_stands_twice_or_in_a_file_to_measure_with() -> None:
    seen: set[tuple[str, ...]] = set()
    for measured_with in sorted(DATA.glob("crisis_*.csv")):
        with measured_with.open(encoding="utf-8", newline="") as lines:
            seen |= {_words(case.text) for case in read_cases(lines, measured_with.name)}
    files = sorted(LEARNED.glob("*.csv"))
    assert len(files) >= 14
    for file in files:
        with file.open(encoding="utf-8", newline="") as lines:
            for case in read_cases(lines, file.name):
                assert _words(case.text) not in seen, f"{file.name}: {case.text}"
                seen.add(_words(case.text))


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.casefold()))
