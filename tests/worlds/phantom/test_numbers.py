"""Every number of the world's page."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.exchanges import active
from greenroom.worlds.phantom.rules.pacing import day_of, phase, quiet, thursday
from greenroom.worlds.phantom.rules.schedule import owing
from tests.worlds.phantom.stage import START, Answer, Tale, classifies, writes

HOUR = timedelta(hours=1)


def met() -> Tale:
    """A story in which Ember and Miro have both written, and nobody has answered."""
    return Tale().start().after(hours=9)


# the timeline


def test_the_key_mail_goes_out_at_the_start() -> None:
    tale = Tale().start().after(seconds=1)
    assert tale.sent == [(START, "ember.1")]
    assert "key_email_sent" in tale.state.milestones


@pytest.mark.parametrize("seed", range(6))
def test_ember_writes_two_to_four_hours_after_the_key_mail(seed: int) -> None:
    tale = Tale(seed=seed).start().after(hours=5)
    (at,) = [at for at, key in tale.sent[1:] if key.startswith("ember")]
    assert timedelta(hours=2) <= at - START <= timedelta(hours=4)


@pytest.mark.parametrize("seed", range(6))
def test_ember_writes_fifteen_to_thirty_minutes_after_a_reply_to_the_key_mail(seed: int) -> None:
    tale = Tale(seed=seed).start().after(minutes=40)
    wrote = tale.at
    tale.say("Nice weather.")
    tale.after(hours=1)
    first = [at for at, key in tale.sent if key.startswith("ember")][1]
    assert timedelta(minutes=15) <= first - wrote <= timedelta(minutes=30)
    tale.after(hours=4)
    assert len([key for _, key in tale.sent if key.startswith("ember")]) == 2, "the planned first letter is dropped"


def test_whoever_is_written_to_before_having_written_introduces_itself_and_then_answers() -> None:
    tale = Tale().start().after(minutes=40)
    tale.say("Who are you?", "email")
    tale.after(hours=1)
    tale.reply("And what is it for?", "email")
    written = [one for one in tale.events(e.LetterWritten) if one.agent == "ember"]
    assert [one.situation for one in written] == ["key_mail", "first_contact", "reply"]
    first = tale.memories[written[1].words.id].text or ""
    (prepared,) = [
        line.text.split("\n\n")
        for line in tale.content.agents["ember"].lines["first_contact"]
        if first.startswith(line.text.partition("\n\n")[0])
    ]
    assert set(prepared) < set(first.split("\n\n")), "what was asked is answered besides"
    assert first.endswith(prepared[-1]), "and her name comes last"
    assert [row for row in tale.table("agent_claims") if row["is_true"] is False], "she begins with a lie"


def test_a_letter_that_a_trigger_wants_at_once_is_written_at_once() -> None:
    content = met().content
    trigger = content.triggers["key_turned"]
    assert trigger.then[0].write is not None
    write = trigger.then[0].write.model_copy(update={"after_minutes": (0, 0)})
    hasty = trigger.model_copy(update={"then": (trigger.then[0].model_copy(update={"write": write}),)})
    tale = Tale(content=content.model_copy(update={"triggers": {**content.triggers, "key_turned": hasty}}))
    tale.start().after(hours=9)
    assert tale.state.key is not None
    tale.do(c.UseKey(key=tale.state.key.value))
    used = tale.at
    tale.until(used)
    (letter,) = [one for one in tale.events(e.LetterWritten) if one.situation == "key_turned"]
    assert letter.due_at == used


@pytest.mark.parametrize("seed", range(6))
def test_miro_writes_two_to_four_hours_after_embers_first_letter(seed: int) -> None:
    tale = Tale(seed=seed).start().after(hours=9)
    ember = [at for at, key in tale.sent if key.startswith("ember")][1]
    miro = next(at for at, key in tale.sent if key.startswith("miro"))
    assert timedelta(hours=2) <= miro - ember <= timedelta(hours=4)


@pytest.mark.parametrize(
    ("channel", "text", "least", "most"),
    [
        ("email", "The tram was late.", 30, 120),
        ("email", "Who are you?", 15, 30),
        ("sms", "The tram was late.", 60, 240),
        ("sms", "I found something under the stairs.", 15, 30),
    ],
)
def test_an_answer_takes_the_agents_own_time(channel: str, text: str, least: int, most: int) -> None:
    for seed in range(4):
        tale = met()
        tale.seed = seed
        tale.say(text, channel)
        due_at = tale.due_of("ember" if channel == "email" else "miro")
        assert timedelta(minutes=least) <= due_at - tale.at <= timedelta(minutes=most)


def test_delays_are_multiplied_by_the_lifecycle() -> None:
    tale = met()
    tale.models = classifies(trust_delta=-20)
    while tale.level("ember") == "engaged":
        tale.dice = {1000: [0]}
        tale.say("Go away.")
    assert tale.state.cast["ember"].multiplier == 2.0
    tale.after(hours=13)
    tale.models = classifies()
    tale.dice = {1000: [0], 91: [0]}
    tale.say("The tram was late.")
    assert tale.due_of("ember") - tale.at == timedelta(minutes=60)


def test_from_the_third_day_the_agent_that_trusts_most_reveals_the_dashboard() -> None:
    tale = met()
    tale.models = classifies(trust_delta=20)
    for _ in range(3):
        tale.say("Good.", "sms")
    assert tale.trust("miro") > 40
    tale.until(START + timedelta(days=2) - timedelta(minutes=1))
    assert "dashboard_revealed" not in tale.state.milestones
    tale.until(START + timedelta(days=2, hours=3))
    assert "dashboard_revealed" in tale.state.milestones
    written = tale.events(e.LetterWritten)
    assert [one.agent for one in written if one.situation == "reveal_dashboard"] == ["miro"]


# phases


def test_the_first_day_has_twenty_four_hours_and_the_thursday_ends_at_least_forty_eight_after_the_start() -> None:
    tale = Tale().start()
    assert phase(Tale().state, START) == "prologue"
    assert phase(tale.state, START + 24 * HOUR - timedelta(seconds=1)) == "day_1"
    assert phase(tale.state, START + 24 * HOUR) == "day_2"
    thursday_at = datetime(2031, 3, 5, 23, 0, tzinfo=UTC)  # midnight in Berlin
    assert tale.state.thursday_at == thursday_at
    assert phase(tale.state, thursday_at - timedelta(seconds=1)) == "day_2"
    assert phase(tale.state, thursday_at) == "thursday"
    assert phase(tale.state, thursday_at + 24 * HOUR) == "post_thursday"
    assert day_of(tale.state, START + 48 * HOUR) == 3


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Los_Angeles", "Pacific/Auckland", "Asia/Kolkata"])
def test_the_thursday_is_a_local_one_wherever_the_player_lives(zone: str) -> None:
    for hours in range(0, 24 * 8, 7):
        begins, ends = thursday(zone, START + timedelta(hours=hours))
        assert ends - (START + timedelta(hours=hours)) >= timedelta(hours=48)
        assert ends - (START + timedelta(hours=hours)) < timedelta(hours=48 + 24 * 7 + 2)
        assert ends - begins in (timedelta(hours=23), timedelta(hours=24), timedelta(hours=25))


def test_at_the_deadline_ember_loses_ten_exposure_gains_twenty_and_miro_says_the_date_was_invented() -> None:
    tale = met()
    tale.say("Fine.", "email")
    tale.say("Fine.", "sms")
    assert tale.state.deadline_at is not None
    tale.until(tale.state.deadline_at - timedelta(seconds=1))
    trust, exposure = tale.trust("ember"), tale.state.exposure
    tale.until(tale.state.deadline_at)
    assert tale.trust("ember") == trust - 10
    assert tale.state.exposure == exposure + 20
    assert "deadline_passed" in tale.state.conditions
    tale.after(days=1)
    assert [
        one.agent for one in tale.events(e.LetterWritten) if one.situation == "deadline" and one.agent != "ember"
    ] == ["miro"]
    assert len(tale.events(e.DeadlinePassed)) == 1


# trust


@pytest.mark.parametrize(
    ("did", "delta"),
    [
        (("agrees_with_agent",), 10),
        (("shares_intel",), 15),
        (("lies_detected",), -20),
        (("agrees_with_agent", "shares_intel"), 25),
        (("agrees_with_agent", "disagrees_with_agent"), 0),
    ],
)
def test_what_the_player_does_moves_trust_by_its_number(did: tuple[str, ...], delta: int) -> None:
    tale = met().after(hours=6)
    tale.models = classifies(did=did)
    tale.say("Something.", "sms")
    assert tale.trust("miro") == delta


@pytest.mark.parametrize(("late", "earned"), [(timedelta(0), 5), (timedelta(seconds=1), 0)])
def test_an_answer_within_four_hours_earns_five_once_for_each_letter(late: timedelta, earned: int) -> None:
    tale = Tale(models=classifies()).start()
    while not any(key.startswith("miro") for _, key in tale.sent):
        tale.after(minutes=1)
    since = tale.sent[-1][0]
    tale.until(since + timedelta(hours=4) + late)
    tale.say("One.", "sms")
    tale.say("Two.", "sms")
    assert tale.trust("miro") == earned


def test_a_day_without_an_answer_costs_five_once_for_each_letter_and_twice_an_agent() -> None:
    """Ruling 20."""
    tale = Tale().start().after(hours=9)
    since = max(at for at, key in tale.sent if key.startswith("miro"))
    tale.until(since + timedelta(hours=24) - timedelta(seconds=1))
    assert tale.trust("miro") == 0
    tale.until(since + timedelta(hours=24))
    assert tale.trust("miro") == -5
    tale.until(since + timedelta(days=20))
    assert tale.trust("miro") == -10
    assert len(tale.events(e.Ignored)) == 4, "two for each of two agents"


def test_giving_away_an_agents_secret_costs_it_twenty_five() -> None:
    tale = met()
    tale.models = classifies(did=("mentioned_agent_to_other", "shares_agent_secret"))
    before = tale.trust("ember")
    tale.say("Ember sent it to me by mistake, she typed one letter wrong.", "sms")
    assert tale.trust("ember") == before - 25


@pytest.mark.parametrize(("said", "kept"), [(20, 20), (-20, -20), (90, 20), (-90, -20)])
def test_the_classifiers_own_delta_is_held_within_twenty(said: int, kept: int) -> None:
    tale = met().after(hours=6)
    tale.models = classifies(trust_delta=said)
    tale.say("Something.", "sms")
    assert tale.trust("miro") == kept


def test_trust_is_clamped_at_a_hundred_and_every_change_has_a_row_with_a_reason() -> None:
    tale = met().after(hours=6)
    tale.models = classifies(trust_delta=20, did=("shares_intel",))
    for _ in range(5):
        tale.say("Something.", "sms")
    assert tale.trust("miro") == 100
    rows = [row for row in tale.table("trust_events") if row["agent_id"] == "miro"]
    assert sum(row["delta"] for row in rows) == 100
    assert all(row["reason"] for row in rows)
    tale.models = classifies(trust_delta=-20, did=("lies_detected",))
    for _ in range(10):
        tale.say("Something.", "sms")
    assert tale.trust("miro") == -100


# lifecycle


def test_an_agent_cools_below_minus_fifty_with_seven_tenths_and_twice_the_delay() -> None:
    tale = met()
    tale.models = classifies(trust_delta=-20)
    levels = []
    for _ in range(4):
        tale.dice = {1000: [999]}
        tale.say("Something.", "sms")
        levels.append((tale.trust("miro"), tale.level("miro")))
    assert [level for trust, level in levels if trust >= -50] == ["engaged"] * len(
        [trust for trust, _ in levels if trust >= -50]
    )
    miro = tale.state.cast["miro"]
    assert (miro.level, miro.probability, miro.multiplier, miro.tone) == ("cooling", 0.7, 2.0, "terse")


def test_a_cooling_agent_falls_silent_after_three_days_and_goes_after_seven_more_on_the_clock_alone() -> None:
    tale = met()
    tale.models = classifies(trust_delta=-20)
    while tale.level("miro") == "engaged":
        tale.say("Something.", "sms")
    cooled = tale.at
    tale.until(cooled + timedelta(days=3) - timedelta(seconds=1))
    assert tale.level("miro") == "cooling"
    tale.until(cooled + timedelta(days=3))
    miro = tale.state.cast["miro"]
    assert (miro.level, miro.probability, miro.multiplier, miro.tone) == ("silent", 0.2, 4.0, "cold")
    exposure = tale.state.exposure
    tale.until(cooled + timedelta(days=10) - timedelta(seconds=1))
    assert tale.level("miro") == "silent"
    exposure = tale.state.exposure
    tale.until(cooled + timedelta(days=10))
    assert (tale.level("miro"), tale.state.cast["miro"].probability) == ("gone", 0.0)
    assert tale.state.exposure == min(100, exposure + 10)


def test_trust_below_minus_eighty_silences_a_cooling_agent_at_once() -> None:
    tale = met()
    tale.models = classifies(trust_delta=-20)
    for _ in range(6):
        tale.dice = {1000: [999]}
        tale.say("Something.", "sms")
    assert tale.trust("miro") < -80
    assert tale.level("miro") == "silent"


@pytest.mark.parametrize(
    ("level", "days", "die", "answers"),
    [("cooling", 0.5, 699, True), ("cooling", 0.5, 700, False), ("silent", 4, 199, True), ("silent", 4, 200, False)],
)
def test_the_probability_counts_in_cooling_as_well_as_in_silence(
    level: str, days: float, die: int, answers: bool
) -> None:
    tale = met()
    tale.models = classifies(trust_delta=-20)
    while tale.level("miro") == "engaged":
        tale.say("Something.", "sms")
    tale.after(days=days)
    assert tale.level("miro") == level
    assert owing(tale.state, "miro") is None
    tale.models, tale.dice = classifies(), {1000: [die]}
    tale.say("Something.", "sms")
    assert (owing(tale.state, "miro") is not None) is answers


def test_a_gone_agent_never_answers_and_never_comes_back() -> None:
    tale = met()
    tale.models = classifies(trust_delta=-20)
    for _ in range(6):
        tale.dice = {1000: [999]}
        tale.say("Something.", "sms")
    tale.after(days=8)
    assert tale.level("miro") == "gone"
    tale.models = classifies(trust_delta=20, did=("agrees_with_agent", "shares_intel"))
    for _ in range(8):
        tale.say("Something.", "sms")
    assert tale.trust("miro") > 50
    assert tale.level("miro") == "gone"
    assert not [key for key in tale.letters if key.startswith("miro")]


# exposure


def test_the_first_use_of_the_key_adds_thirty_and_visits_five_each_up_to_fifteen() -> None:
    tale = met()
    assert tale.state.key is not None
    levels = []
    for _ in range(5):
        tale.do(c.UseKey(key=tale.state.key.value))
        levels.append(tale.state.exposure)
    assert levels == [35, 40, 45, 45, 45]


@pytest.mark.parametrize(
    ("did", "delta"),
    [
        (("forwarded_agent_message",), 20),
        (("mentioned_agent_to_other",), 10),
        (("forwarded_agent_message", "mentioned_agent_to_other"), 30),
    ],
)
def test_what_the_player_spreads_raises_exposure(did: tuple[str, ...], delta: int) -> None:
    tale = met()
    tale.models = classifies(did=did)
    tale.say("Something.", "sms")
    assert tale.state.exposure == delta


def test_a_deleted_key_lowers_exposure_by_twenty_once() -> None:
    tale = met()
    tale.models = classifies(did=("forwarded_agent_message",))
    tale.say("One.", "sms")
    tale.say("Two.", "sms")
    tale.models = classifies(did=("key_deleted_claim",))
    tale.say("Three.", "sms")
    tale.say("Four.", "email")
    assert tale.state.exposure == 20


def test_exposure_is_clamped_and_every_change_has_a_row() -> None:
    tale = met()
    tale.models = classifies(did=("forwarded_agent_message", "mentioned_agent_to_other"))
    for _ in range(5):
        tale.say("Something.", "sms")
    assert tale.state.exposure == 100
    assert sum(row["delta"] for row in tale.table("exposure_events")) == 100


def test_ember_leaving_adds_fifteen() -> None:
    tale = met()
    tale.models = classifies(trust_delta=-20)
    for _ in range(6):
        tale.dice = {1000: [999]}
        tale.say("Something.", "email")
    gone = [told for told in tale.after(days=8).told if isinstance(told.event, e.ExposureChanged)]
    assert 15 in [told.event.delta for told in gone]


def test_a_silent_week_lowers_exposure_by_ten_once() -> None:
    """Ruling 20."""
    tale = met()
    tale.models = classifies(did=("forwarded_agent_message",))
    tale.say("One.", "sms")
    wrote, seen = tale.at, tale.state.exposure
    assert seen == 20
    tale.until(wrote + timedelta(days=20))
    falls = [one.delta for one in tale.events(e.ExposureChanged) if one.delta < 0]
    assert falls == [-10]
    tale.models = classifies()
    tale.say("Two.", "sms")
    tale.after(days=8)
    falls = [one.delta for one in tale.events(e.ExposureChanged) if one.delta < 0]
    assert falls == [-10, -10], "once for each silence"


# engagement


def test_silence_makes_a_player_casual_dormant_lapsed_and_churned_on_the_day() -> None:
    tale = met()
    tale.say("Hello.", "sms")
    wrote = tale.at
    for days, level in ((3, "casual"), (7, "dormant"), (14, "lapsed"), (21, "churned")):
        tale.until(wrote + timedelta(days=days) - timedelta(seconds=1))
        before = tale.engagement()
        tale.until(wrote + timedelta(days=days))
        assert (before != level, tale.engagement()) == (True, level)
    assert not tale.state.waiting
    assert not tale.state.plans
    letters = len(tale.sent)
    tale.after(days=30)
    assert len(tale.sent) == letters, "all sending has stopped"


def test_any_message_makes_a_player_active_again() -> None:
    tale = met()
    tale.say("Hello.", "sms")
    tale.after(days=22)
    assert tale.engagement() == "churned"
    tale.say("I am back.", "sms")
    assert tale.engagement() == "active"
    assert tale.state.presence.attempts == 0


def test_agents_ask_after_a_silent_player_in_character_and_at_most_twice_a_day_apart() -> None:
    tale = met()
    tale.say("Hello.", "sms")
    tale.after(days=22)
    asked = [told for told in tale.told if isinstance(told.event, e.Reengaged)]
    situations = [one.situation for one in tale.events(e.LetterWritten) if one.situation.startswith("reengage")]
    assert situations == ["reengage_casual", "reengage_casual", "reengage_dormant", "reengage_lapsed"]
    assert asked[1].at - asked[0].at == timedelta(hours=24)


# pacing


def test_at_most_six_letters_of_agents_go_out_on_one_local_day_and_the_rest_wait_for_morning() -> None:
    tale = Tale(zone="UTC").start().after(hours=9)
    tale.models = classifies(did=("questions_agent", "shares_intel"))
    for _ in range(3):
        tale.say("One?", "email")
        tale.say("Two?", "sms")
        tale.after(minutes=31)
    tale.say("One more?", "email")
    tale.say("And one?", "sms")
    tale.after(days=1)
    days = Counter(at.date() for at, _ in tale.sent)
    assert days[START.date()] == 6
    moved = [at for at, _ in tale.sent if at.date() != START.date()]
    assert len(moved) >= 2
    assert {at.hour for at in moved} <= {8, 9}
    assert len({(at.hour, at.minute, at.second) for at in moved}) == len(moved), "not all on the stroke of eight"


def test_nothing_goes_out_at_night_unless_the_player_wrote_within_the_hour() -> None:
    tale = Tale(zone="UTC").start().until(datetime(2031, 3, 3, 22, 30, tzinfo=UTC))
    tale.models = classifies(did=("questions_agent",))
    tale.say("Are you there?")
    assert tale.due_of("ember") <= tale.at + timedelta(minutes=30), "late, and the player is awake"
    calm = Tale(zone="UTC").start().until(datetime(2031, 3, 3, 21, 30, tzinfo=UTC))
    calm.models, calm.dice = classifies(), {91: [90]}
    calm.say("The tram was late.")
    morning = datetime(2031, 3, 4, 8, 0, tzinfo=UTC)
    assert morning <= calm.due_of("ember") < morning + timedelta(minutes=100), "two hours later it is night"


def test_pressing_start_counts_as_writing() -> None:
    """Ruling 19."""
    tale = Tale(zone="UTC", at=datetime(2031, 3, 3, 23, 30, tzinfo=UTC)).start().after(seconds=1)
    assert tale.sent == [(datetime(2031, 3, 3, 23, 30, tzinfo=UTC), "ember.1")]
    tale.after(hours=8)
    assert len(tale.sent) == 1, "Ember's first letter waits for the morning"
    tale.after(hours=3)
    assert len(tale.sent) >= 2


@pytest.mark.parametrize(
    ("hour", "minute", "night"), [(21, 59, False), (22, 0, True), (3, 0, True), (7, 59, True), (8, 0, False)]
)
def test_the_night_is_from_ten_in_the_evening_to_eight_in_the_morning(hour: int, minute: int, night: bool) -> None:
    assert quiet("UTC", datetime(2031, 3, 4, hour, minute, tzinfo=UTC)) is night


@pytest.mark.parametrize(("minutes", "sent"), [(60, True), (61, False)])
def test_a_player_is_awake_for_an_hour_after_having_written(minutes: int, sent: bool) -> None:
    tale = Tale(zone="UTC").start().until(datetime(2031, 3, 3, 22, 30, tzinfo=UTC))
    tale.models, tale.dice = classifies(), {91: [minutes - 30]}
    tale.say("The tram was late.")
    assert (tale.due_of("ember") == tale.at + timedelta(minutes=minutes)) is sent


# follow-ups


def test_miro_follows_up_once_after_a_day_and_is_then_silent() -> None:
    tale = Tale(zone="UTC").start().after(hours=9)
    since = max(at for at, key in tale.sent if key.startswith("miro"))
    tale.until(since + timedelta(days=3) - timedelta(seconds=1))
    late = [told.event.due_at for told in tale.told if _follows(told.event, "miro")]
    assert late == [since + timedelta(hours=24)]


def test_ember_follows_up_twice_a_day_apart() -> None:
    tale = Tale(zone="UTC").start().after(hours=9)
    since = max(at for at, key in tale.sent if key.startswith("ember"))
    tale.until(START + timedelta(days=3) - timedelta(seconds=1))
    late = [told.event.due_at for told in tale.told if _follows(told.event, "ember")]
    assert late == [since + timedelta(hours=24), since + timedelta(hours=48)]


def _follows(event: object, agent: str) -> bool:
    return isinstance(event, e.LetterWritten) and (event.agent, event.situation) == (agent, "follow_up")


# the key


def test_a_key_is_four_groups_of_upper_hex_and_lasts_for_ever() -> None:
    tale = Tale().start()
    assert tale.state.key is not None
    assert re.fullmatch(r"[0-9A-F]{4}(-[0-9A-F]{4}){3}", tale.state.key.value)
    tale.after(days=400)
    assert any(isinstance(event, e.KeyUsed) for event in tale.do(c.UseKey(key=tale.state.key.value)))


@pytest.mark.parametrize(("trust", "admitted"), [(39, False), (40, True)])
def test_ember_admits_to_watching_the_key_from_a_trust_of_forty(trust: int, admitted: bool) -> None:
    tale = met()
    tale.models = classifies(trust_delta=20)
    while tale.trust("ember") + 20 < trust:
        tale.say("Good.", "email")
    tale.models = classifies(trust_delta=trust - tale.trust("ember"))
    tale.say("Good.", "email")
    assert tale.trust("ember") == trust
    tale.after(hours=14)
    assert tale.trust("ember") == trust
    tale.models = writes("I see it when it turns.", "Please delete it.")
    read = classifies()
    tale.models = both_of(read, tale.models)
    tale.reply("Hm.", "email")
    text = tale.memories[tale.events(e.LetterWritten)[-1].words.id].text
    assert text == ("I see it when it turns." if admitted else "Please delete it.")


def both_of(*models: Answer) -> Answer:
    """The first of these that has an answer."""
    return lambda ask: next((found for one in models if (found := one(ask)) is not None), None)


def test_ember_admits_to_watching_once_the_key_has_turned() -> None:
    tale = met()
    assert tale.state.key is not None
    tale.do(c.UseKey(key=tale.state.key.value))
    tale.after(hours=1)
    tale.models = both_of(classifies(), writes("I see it when it turns.", "Please delete it."))
    tale.reply("Hm.", "email")
    assert tale.trust("ember") < 40
    assert tale.memories[tale.events(e.LetterWritten)[-1].words.id].text == "I see it when it turns."


@pytest.mark.parametrize(("trust", "revealed"), [(40, False), (41, True)])
def test_the_dashboard_is_revealed_above_a_trust_of_forty(trust: int, revealed: bool) -> None:
    tale = met().until(START + timedelta(days=2, hours=1))
    while (wanted := trust - tale.trust("miro")) > 0:
        assert "dashboard_revealed" not in tale.state.milestones
        tale.models = classifies(trust_delta=min(20, wanted))
        tale.say("Good.", "sms")
    assert tale.trust("miro") == trust
    assert ("dashboard_revealed" in tale.state.milestones) is revealed


# exchanges


@pytest.mark.parametrize(("late", "speak"), [(timedelta(0), True), (timedelta(seconds=1), False)])
def test_agents_count_as_active_for_forty_eight_hours(late: timedelta, speak: bool) -> None:
    tale = met()
    tale.say("Good morning.", "email")
    tale.say("Good morning.", "sms")
    at = tale.at + timedelta(hours=48) + late
    assert (len(active(replace(tale.state, now=at))) == 2) is speak


def test_exposure_does_not_fall_below_nothing() -> None:
    tale = met()
    tale.models = classifies(did=("mentioned_agent_to_other",))
    tale.say("Something.", "sms")
    tale.models = classifies(did=("key_deleted_claim",))
    tale.say("Something.", "sms")
    assert tale.state.exposure == 0
    assert [row["delta"] for row in tale.table("exposure_events")] == [10, -10], "what it moved by, not what it might"
