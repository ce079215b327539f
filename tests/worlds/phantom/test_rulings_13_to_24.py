"""Rulings 13 to 24 on what the seed leaves open, and the pipeline as a whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from greenroom.kernel.asks import Failed
from greenroom.kernel.errors import Refused
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import HOUSE, OPERATOR, EventContext
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.content import Item, Sharing
from greenroom.worlds.phantom.rules.exchanges import alliance, share
from greenroom.worlds.phantom.rules.minds import mind
from greenroom.worlds.phantom.rules.pipeline import STEPS
from greenroom.worlds.phantom.rules.rules import DOOR
from greenroom.worlds.phantom.rules.state import Character, Owed, Passed
from greenroom.worlds.phantom.rules.views import working
from tests.worlds.phantom.stage import START, Tale, both, classifies, gone, met, prompt_of, words_in

# 13


def test_registration_proves_addresses_by_code_before_the_start() -> None:
    """Ruling 13."""
    tale = Tale().register(delivery="post")
    with pytest.raises(Refused, match="verify the email and the phone first"):
        tale.do(c.Start())
    assert tale.state.email is not None
    assert tale.state.phone is not None
    wrong = tale.do(c.Verify(kind="email", code="nonsense"))
    assert wrong == [e.CodeTried(kind="email", right=False)]
    for kind, contact in (("email", tale.state.email), ("phone", tale.state.phone)):
        tale.do(c.Verify(kind=kind, code=contact.code))  # type: ignore[arg-type]
    tale.do(c.Start())
    (player,) = tale.table("players")
    assert (player["email_verified"], player["phone_verified"]) == (True, True)
    assert player["game_started_at"]


def test_a_code_is_good_for_half_an_hour_and_five_tries() -> None:
    """Ruling 13."""
    tale = Tale().register(delivery="post")
    assert tale.state.email is not None
    code = tale.state.email.code
    tale.after(minutes=30)
    with pytest.raises(Refused, match="expired"):
        tale.do(c.Verify(kind="email", code=code))
    tale.do(c.Resend(kind="email"))
    for _ in range(5):
        tale.do(c.Verify(kind="email", code="nonsense"))
    assert tale.state.email is not None
    with pytest.raises(Refused, match="tried too often"):
        tale.do(c.Verify(kind="email", code=tale.state.email.code))


def test_an_address_is_sent_five_codes_a_day_and_no_more() -> None:
    """Ruling 13; whoever signs up the address of somebody else cannot fill their mailbox."""
    tale = Tale().register(delivery="post")
    for _ in range(4):
        tale.after(hours=1).do(c.Resend(kind="email"))
    for command in (c.Resend(kind="email"), c.AskEntry()):
        with pytest.raises(Refused, match="5 codes were sent to this address within a day"):
            tale.do(command)
    assert c.Resend(kind="email") not in tale.world.legal(tale.state, "player")
    tale.do(c.Resend(kind="phone"))
    tale.until(START + timedelta(hours=24)).do(c.Resend(kind="email"))


def test_whoever_lost_the_ticket_is_let_in_again_with_a_code_by_mail() -> None:
    """Ruling 13."""
    tale = Tale().register(delivery="post")
    tale.do(c.AskEntry())
    post = tale.letters[tale.events(e.LetterWritten)[-1].key]
    assert (post.channel, post.to) == ("system:email", "ada@example.org")
    assert tale.state.email is not None
    code = tale.state.email.code
    assert code in (tale.memories[post.words].text or "")
    assert tale.do(c.Enter(code="nonsense")) == [e.CodeTried(kind="email", right=False)]
    assert tale.do(c.Enter(code=code)) == [e.CodeTried(kind="email", right=True)]
    with pytest.raises(Refused, match="expired or was tried too often"):
        tale.do(c.Enter(code=code))
    assert tale.table("players")[0]["email_verified"] is True


def test_a_story_on_the_page_keeps_no_address_and_sends_no_code() -> None:
    tale = Tale().register(delivery="page")
    assert (tale.state.email, tale.state.phone) == (None, None)
    with pytest.raises(Refused, match="stays on its page"):
        tale.do(c.AskEntry())
    row = tale.table("players")[0]
    assert (row["email"], row["email_verified"], row["phone_verified"]) == (None, False, False)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"email": "no address"}, "no e-mail address"),
        ({"email": "a@b"}, "no e-mail address"),
        ({"phone": "0151 234"}, "no phone number"),
        ({"timezone": "Middle/Earth"}, "time zone is unknown"),
        ({"timezone": "../../etc/passwd"}, "time zone is unknown"),
    ],
)
def test_a_bad_address_number_or_time_zone_is_refused_with_what_would_be_right(
    changed: dict[str, Any], sentence: str
) -> None:
    """Ruling 13."""
    tale = Tale()
    config = c.Register(**{"email": "ada@example.org", "phone": None, "timezone": "UTC", **changed})
    with pytest.raises(Refused, match=sentence):
        tale._turn(config, HOUSE, tale.world.open)
    assert not tale.told


def test_on_the_page_everything_stays_on_the_page() -> None:
    """Ruling 13."""
    tale = both(met())
    carriers = {one.carrier for one in tale.events(e.LetterWritten)}
    assert carriers == {"inbox", "phone"}


# 14


def test_letters_travel_by_their_agents_own_channel_and_name_the_mail_they_answer() -> None:
    """Ruling 14."""
    tale = Tale().register(delivery="post")
    assert tale.state.email is not None
    assert tale.state.phone is not None
    tale.do(c.Verify(kind="email", code=tale.state.email.code))
    tale.do(c.Verify(kind="phone", code=tale.state.phone.code))
    tale.do(c.Start())
    tale.after(hours=9)
    tale.reply("Who are you?", "email", provider_id="<a b@example.org>")
    post = tale.letter_of("ember")
    assert (post.channel, post.to) == ("email", "mailto:ada@example.org?In-Reply-To=%3Ca%20b@example.org%3E")
    tale.reply("Who are you?", "sms", provider_id="SM7")
    assert (tale.letter_of("miro").channel, tale.letter_of("miro").to) == ("sms", "+4915112345678")
    codes = [one for one in tale.events(e.LetterWritten) if one.agent is None]
    assert {one.carrier for one in codes} == {"system:email", "system:sms"}
    assert {one.channel for one in codes} == {"system"}


# 15


def test_a_conversation_is_closed_after_twelve_silent_hours_with_a_summary() -> None:
    """Ruling 15."""
    tale = met()
    tale.models = classifies()
    tale.reply("Something about the key.", "sms").after(minutes=3)
    wrote = tale.sent[-1][0]
    rows = [row for row in tale.table("messages") if row["agent_id"] == "miro"]
    assert {row["session_id"] for row in rows} <= {"miro-1", None}
    tale.until(wrote + timedelta(hours=11, minutes=59))
    assert tale.talks("miro")
    tale.until(wrote + timedelta(hours=12))
    assert not tale.talks("miro")
    (summary,) = [one for one in tale.memories.values() if one.kind == "summary" and one.agent == "miro"]
    assert "the player and Miro exchanged" in (summary.text or "")
    assert summary.meta["session"] == "miro-1"


def test_a_key_moment_is_written_down_at_once() -> None:
    """Ruling 15."""
    tale = met()
    tale.models = classifies(
        is_key_moment=True, key_moment_type="trust_shift", key_moment_summary="The player turned away."
    )
    tale.say("Something.", "email")
    (moment,) = [one for one in tale.memories.values() if one.kind == "summary"]
    assert (moment.agent, moment.meta["key_moment_type"]) == ("ember", "trust_shift")


# 16


def items(*names: str) -> dict[str, Item]:
    return {name: Item(says=f"Something of {name}.", weight=-3 if name == "warning" else 0) for name in names}


HELD = ("warning", "involvement", "trade", "rest")


@pytest.mark.parametrize(
    ("stance", "given", "shared"),
    [
        ("open", False, {"warning", "rest"}),
        ("open", True, {"warning", "trade", "rest"}),
        ("guarded", False, {"warning"}),
        ("guarded", True, {"warning", "trade"}),
        ("transactional", False, {"warning"}),
        ("transactional", True, {"warning", "trade", "rest"}),
    ],
)
def test_sharing_follows_the_givers_file_and_who_gave_last(stance: Any, given: bool, shared: set[str]) -> None:
    """Ruling 16."""
    rules = Sharing(
        default_stance=stance,
        always_shares=("warning",),
        always_withholds=("involvement",),
        trades_for=("trade",),
    )
    learned = {"miro": Passed(items=("something",), n=1)} if given else {}
    cast = {"ember": Character(entered_at=START, items=HELD, learned=learned), "miro": Character(entered_at=START)}
    outcome = share("ember", "miro", cast, rules, items(*HELD))
    assert set(outcome.shared) == shared
    assert set(outcome.withheld) == set(HELD) - shared
    assert outcome.trust_delta == -3


@pytest.mark.parametrize(
    ("shared", "withheld", "level"),
    [(3, 1, "allied"), (2, 3, "transactional"), (1, 4, "suspicious"), (0, 4, "hostile"), (0, 0, "hostile")],
)
def test_the_alliance_is_the_share_of_what_was_told(shared: int, withheld: int, level: str) -> None:
    """Ruling 16."""
    assert alliance(shared, withheld) == level


def test_introducing_agents_lets_both_speak_at_once_and_a_forwarded_message_one() -> None:
    """Ruling 16."""
    tale = both(met())
    tale.models = classifies(did=("shares_contact", "mentioned_agent_to_other"))
    tale.say("Miro, meet Ember.", "email")
    pairs = [(one.giver, one.receiver, one.trigger) for one in tale.events(e.Exchanged)]
    assert pairs == [
        ("ember", "miro", "player_introduced_agents"),
        ("miro", "ember", "player_introduced_agents"),
    ]
    tale.models = classifies(did=("shares_info_from_other", "mentioned_agent_to_other"))
    tale.say("Ember said so.", "sms")
    last = tale.events(e.Exchanged)[-1]
    assert (last.giver, last.receiver, last.trigger) == ("miro", "ember", "player_forwarded_message")


def test_agents_that_were_both_active_within_two_days_speak_once_a_day() -> None:
    """Ruling 16."""
    tale = met()
    tale.models = classifies(did=("agrees_with_agent",))
    tale.say("Fine.", "email")
    tale.say("Fine.", "sms")
    tale.until(START + timedelta(hours=24) - timedelta(seconds=1))
    assert not tale.events(e.Exchanged)
    tale.until(START + timedelta(hours=24))
    assert {one.trigger for one in tale.events(e.Exchanged)} == {"both_agents_active_48h"}
    count = len(tale.events(e.Exchanged))
    tale.after(days=9)
    assert len(tale.events(e.Exchanged)) == count, "nobody was active, or had anything new to tell"


def test_an_exchange_shows_no_sooner_than_a_day_later_and_names_the_letter() -> None:
    """Ruling 16."""
    tale = both(met())
    tale.models = classifies(did=("shares_info_from_other", "mentioned_agent_to_other", "expresses_distrust"))
    tale.say("Miro told me things.", "email")
    told = tale.at
    tale.models = lambda ask: None
    tale.after(hours=14)
    tale.reply("And now?", "sms")
    assert not tale.events(e.ExchangeSurfaced)
    tale.until(told + timedelta(hours=25))
    tale.reply("And now?", "sms")
    assert tale.events(e.ExchangeSurfaced)
    (row,) = [row for row in tale.table("inter_agent_exchanges") if row["surfaced_to_player"]]
    assert row["surface_message_id"] in {message["id"] for message in tale.table("messages")}


# 17


def test_a_deleted_key_is_embers_goal_and_a_betrayal_cools_whoever_was_betrayed() -> None:
    """Ruling 17."""
    tale = met()
    tale.models = classifies(did=("key_deleted_claim",))
    tale.say("Done.", "email")
    assert (tale.level("ember"), tale.state.cast["ember"].reason) == ("cooling", "goal_achieved")
    other = met()
    other.models = classifies(did=("shares_agent_secret", "mentioned_agent_to_other"))
    other.say("Ember sent it by mistake.", "sms")
    assert (other.level("ember"), other.state.cast["ember"].reason) == ("cooling", "player_betrayal")


def test_a_silent_agent_is_compromised_at_ninety() -> None:
    """Ruling 17."""
    tale = both(met())
    tale.models = classifies(trust_delta=-20, did=("mentioned_agent_to_other",))
    while tale.state.exposure < 90:
        tale.dice = {1000: [999]}
        tale.say("Something.", "sms")
    assert tale.level("miro") == "gone"
    assert tale.state.cast["miro"].reason == "agent_compromised"


# 18


def test_an_heir_takes_the_channel_with_its_own_kind_of_inheritance_and_the_line_grows() -> None:
    """Ruling 18."""
    tale = gone(met(), "ember", "email")
    channel = tale.state.channels["email"]
    assert (channel.owner, channel.previous) == ("cipher", ("ember",))
    assert channel.inheritance == tale.content.agents["cipher"].inheritance
    (row,) = [row for row in tale.table("channel_ownership") if row["channel"] == "email"]
    assert (row["current_agent_id"], row["previous_agents"]) == ("cipher", ["ember"])
    assert row["inherited_at"]
    tale.say("Hello?", "email")
    assert tale.events(e.MessageReceived)[-1].agent == "cipher"


# 19


def test_a_newer_letter_replaces_an_unsent_follow_up_and_nothing_else() -> None:
    """Ruling 19."""
    tale = Tale().start()
    while not (late := [one for one in tale.state.waiting if one.situation == "follow_up"]):
        tale.step()
    others = [one.key for one in tale.state.waiting if one.situation != "follow_up"]
    channel = late[0].channel
    tale._turn(
        c.Receive(channel=channel, text=Words("Sorry, I was away.")),
        "player",
        lambda given: tale.world.handle(tale.state, given),
    )
    waiting = [one.key for one in tale.state.waiting]
    assert late[0].key not in waiting
    assert late[0].key not in tale.letters
    assert set(others) <= set(waiting)
    assert [one.key for one in tale.events(e.LetterCancelled)] == [late[0].key]


def test_a_letter_over_the_limit_or_in_the_night_is_moved_and_never_dropped() -> None:
    """Ruling 19."""
    tale = Tale(zone="UTC").start().after(hours=9)
    tale.models = classifies(did=("questions_agent", "shares_intel"))
    for _ in range(3):
        tale.say("One?", "email")
        tale.say("Two?", "sms")
        tale.after(minutes=31)
    owed = {ref for plan in tale.state.plans if plan.owed is not None for ref in plan.owed.refs}
    tale.models = lambda ask: None
    tale.after(days=3)
    done = {
        one.message
        for one in tale.events(e.Processed)
        if dict(one.steps).get("deliver", "").startswith(("ember", "miro"))
    }
    assert owed <= done
    assert {one.key for one in tale.events(e.LetterWritten)} == {key for _, key in tale.sent}


# 20


def test_the_deadline_is_the_end_of_that_local_thursday() -> None:
    """Ruling 20."""
    tale = Tale().start()
    assert tale.state.deadline_at == datetime(2031, 3, 6, 23, 0, tzinfo=UTC)
    tale.until(datetime(2031, 3, 6, 22, 59, 59, tzinfo=UTC))
    assert not tale.thursday_passed()
    tale.until(datetime(2031, 3, 6, 23, 0, tzinfo=UTC))
    assert tale.thursday_passed()


# 21


def test_only_those_who_see_the_key_are_told_of_its_use() -> None:
    """Ruling 21."""
    tale = both(met())
    assert tale.state.key is not None
    tale.do(c.UseKey(key=tale.state.key.value))
    tale.do(c.ReadDocument(document=next(iter(tale.content.documents.documents))))
    ember = mind(tale.content, tale.state, "ember", tale.at)
    miro = mind(tale.content, tale.state, "miro", tale.at)
    assert ember.key is not None
    assert (ember.key.accessed, ember.key.left, ember.key.exposure) == (True, 4, tale.state.exposure)
    assert {"key_used", "dashboard_opened"} <= set(ember.milestones)
    assert (miro.key, miro.knows_of_use) == (None, False)
    assert not {"key_used", "dashboard_opened"} & set(miro.milestones)
    tale.reply("What now?", "sms")
    assert prompt_of(tale).seat == "miro"
    shown = words_in(prompt_of(tale)).casefold()
    assert "exposure" not in shown
    assert "key used" not in shown
    assert "has been turned" not in shown
    assert "behind the door" not in shown


# 22


def test_an_unknown_key_is_logged_by_the_door_without_player_or_key() -> None:
    """Ruling 22."""
    door = Tale().register(door=True)
    door.do(c.Knock(ip_address="192.0.2.9", user_agent="curl"), seat=DOOR)
    (row,) = door.table("key_access_log")
    assert (row["player_id"], row["key_id"], row["success"]) == (None, None, False)
    assert row["ip_address"] == "192.0.2.9"
    with pytest.raises(Refused, match="takes knocks alone"):
        door.do(c.Start(), seat=DOOR)
    with pytest.raises(Refused, match="only the door"):
        met().do(c.Knock())


# 23


def test_the_working_keys_are_the_seeds_own() -> None:
    """Ruling 23."""
    tale = both(met())
    keys = working(tale.content, tale.state, tale.at)
    assert {
        "current_agent",
        "user:trust_ember",
        "user:trust_miro",
        "user:engagement_level",
        "user:engagement_state",
        "user:story_phase",
        "agent:ember:lifecycle",
        "agent:ember:response_prob",
        "agent:ember:delay_mult",
        "agent:ember:tone",
        "world:exposure",
        "world:spawn_ready",
        "world:thursday_passed",
        "channel:email:owner",
        "channel:sms:owner",
        "cache:recent_claims",
        "temp:intent_analysis",
        "temp:pending_state_changes",
        "temp:queued_exchanges",
    } <= set(keys)
    assert keys["current_agent"] == "miro"
    tale.after(days=15)
    keys = working(tale.content, tale.state, tale.at)
    assert (keys["user:engagement_level"], keys["user:engagement_state"]) == ("dormant", "lapsed")


# 24


def test_delivered_is_when_the_channel_took_it_and_read_when_the_page_showed_it() -> None:
    """Ruling 24."""
    tale = Tale().start().after(minutes=1)
    (row,) = tale.table("messages")
    assert (row["channel"], row["direction"], row["agent_id"]) == ("email", "outbound", "ember")
    assert row["delivered_at"]
    assert row["read_at"] is None
    tale.do(c.ShowLetter(letter="ember.1"))
    (row,) = tale.table("messages")
    assert row["read_at"] == tale.at.isoformat(timespec="microseconds")


def test_letters_of_the_house_are_on_the_system_channel_with_no_agent() -> None:
    """Ruling 24."""
    tale = Tale().register(delivery="post")
    assert {(row["channel"], row["agent_id"]) for row in tale.table("messages")} == {("system", None)}


def test_the_limits_of_a_prompt_are_the_seeds() -> None:
    """Ruling 24."""
    tale = both(met())
    tale.models = classifies(trust_delta=1)
    for n in range(14):
        facts = [f"Fact number {n} and {i} of the player." for i in range(2)]
        tale.models = classifies(trust_delta=1, reason=f"The player said something, number {n}.", new_knowledge=facts)
        tale.say(f"Message number {n}.", "sms")
    tale.models = lambda ask: None
    tale.after(hours=20)
    tale.reply("And now?", "sms")
    sections = {section.name: section.texts for section in prompt_of(tale).sections}
    assert len(sections["knowledge"]) == 15
    assert len([text for text in sections["trust"] if text.startswith("+")]) == 3
    assert len(sections["memories"]) <= 5
    lines = sum(len(text.splitlines()) for text in sections["conversation"])
    assert lines <= 10
    context = next(ask for ask in reversed(tale.asked) if any(one.name == "context" for one in ask.sections))
    (shown,) = [one.texts for one in context.sections if one.name == "context"]
    assert sum(len(text.splitlines()) for text in shown) <= 3


def test_the_milestones_of_the_page_are_reached() -> None:
    """Ruling 24."""
    tale = both(met())
    assert tale.state.key is not None
    tale.models = classifies(did=("mentions_key", "mentioned_agent_to_other"), trust_delta=20)
    for _ in range(9):
        tale.say("About the key.", "sms")
    tale.until(START + timedelta(days=3))
    tale.do(c.UseKey(key=tale.state.key.value))
    tale.models = lambda ask: None
    tale.after(days=3)
    assert {
        "key_email_sent",
        "ember_first_contact",
        "miro_first_contact",
        "key_used",
        "dashboard_revealed",
        "dashboard_opened",
        "player_mentioned_key_to_miro",
        "deadline_passed",
        "cipher_spawned",
        "kessler_spawned",
    } <= set(tale.state.milestones)


# the pipeline


def test_one_message_shows_its_twelve_steps() -> None:
    """The trace of the newest message, as the operator sees it."""
    tale = met()
    tale.say("Who are you?", "email")
    owed = dict(tale.state.trace.steps)
    assert list(owed) == list(STEPS)
    assert owed["generate"] == "when the answer is due"
    assert owed["schedule"].startswith("owes an answer at")
    tale.answered()
    assert [name for name, _ in tale.state.trace.steps] == list(STEPS)
    assert {**dict(tale.state.trace.steps), "receive": owed["receive"], "schedule": owed["schedule"]} == dict(
        tale.state.trace.steps
    ), "the two halves are joined"
    assert len(STEPS) == 12
    assert "skipped" not in dict(tale.state.trace.steps).values()
    board = tale.world.view(tale.state, OPERATOR, tale.at)
    assert board["trace"].steps == tale.state.trace.steps


@pytest.mark.parametrize(("channel", "carrier"), [("sms", "phone"), ("email", "inbox")])
def test_stop_ends_all_sending_at_once_with_one_confirmation_where_it_came_from(channel: str, carrier: str) -> None:
    """Breaking the fiction is answered inside it; the one word is not."""
    tale = both(met())
    assert tale.state.plans
    tale.say("STOP", channel)
    assert tale.stopped()
    assert not tale.state.plans
    (last,) = tale.letters.values()
    assert (last.channel, tale.memories[last.words].text) == (carrier, tale.content.story.letters.stopped.text)
    tale.say("stop", "sms")
    tale.say("Are you still there?", "email")
    sent = len(tale.sent)
    tale.after(days=10)
    assert len(tale.sent) == sent
    assert [one.situation for one in tale.events(e.LetterWritten)].count("stopped") == 1


def test_start_takes_up_again_what_stop_has_ended() -> None:
    """A message that says START is nothing to an agent while all is well."""
    tale = both(met())
    tale.say("STOP", "sms")
    tale.say("start", "sms")
    assert not tale.stopped()
    (resumed,) = [one for one in tale.events(e.LetterWritten) if one.situation == "resumed"]
    assert resumed.carrier == "phone"
    sent = len(tale.sent)
    tale.say("Are you still there?", "email")
    tale.after(days=1)
    assert "ember" in {key.partition(".")[0] for _, key in tale.sent[sent:]}
    assert tale.events(e.MessageReceived)[-1].agent == "ember"
    tale.say("start", "sms")
    assert tale.events(e.MessageReceived)[-1].agent == "miro"


def test_an_address_that_somebody_else_signed_up_can_say_stop_before_the_story_begins() -> None:
    """Nothing is sent there any more, codes included, until START comes from it."""
    tale = Tale().register(delivery="post").after(minutes=1)
    with pytest.raises(Refused, match="has not begun"):
        tale.say("Who is this?", "sms")
    tale.say("STOP", "sms")
    (last,) = tale.letters.values()
    assert (last.channel, last.to) == ("system:sms", "+4915112345678")
    for command in (c.Resend(kind="email"), c.AskEntry(), c.Start()):
        with pytest.raises(Refused, match="the one word START"):
            tale.do(command)
    tale.say("START", "sms")
    tale.do(c.Resend(kind="email"))
    assert tale.letter_of("house").channel == "system:email"


def test_using_a_key_that_was_said_to_be_gone_is_a_lie() -> None:
    """Ember sees every use."""
    tale = met()
    tale.models = classifies(did=("key_deleted_claim",))
    tale.say("Done.", "email")
    assert tale.state.key is not None
    before = tale.trust("ember")
    tale.do(c.UseKey(key=tale.state.key.value))
    assert tale.trust("ember") == before - 20


def test_denying_a_use_is_a_lie_to_ember_and_not_to_miro() -> None:
    """Whoever sees the key knows better."""
    tale = both(met())
    assert tale.state.key is not None
    tale.do(c.UseKey(key=tale.state.key.value))
    tale.models = classifies(did=("key_use_denied",))
    ember, miro = tale.trust("ember"), tale.trust("miro")
    tale.say("I never used it.", "email")
    tale.say("I never used it.", "sms")
    assert tale.trust("ember") == ember - 20
    assert tale.trust("miro") == miro


def test_a_new_code_takes_the_place_of_one_that_was_not_sent_yet() -> None:
    """Ruling 13."""
    tale = Tale().register(delivery="post")
    before = set(tale.letters)
    tale._turn(c.Resend(kind="email"), "player", lambda given: tale.world.handle(tale.state, given))
    assert len(tale.letters) == len(before)
    assert set(tale.letters) != before


def test_news_of_a_letter_that_comes_late_still_counts() -> None:
    """Ruling 7."""
    tale = met()
    tale.reply("Who are you?", "email")
    key = tale.letter_of("ember").key
    tale.letters.pop(key)
    tale.after(hours=8)
    assert key not in [one.key for one in tale.state.waiting]
    assert [one.key for one in tale.events(e.LetterOverdue)] == [key]
    tale.do(LetterSettled(key=key, status="sent"), seat=HOUSE)
    (row,) = [row for row in tale.table("scheduled_messages") if row["provider_key"] == key]
    assert row["status"] == "sent"
    assert tale.state.cast["ember"].delivered_at == tale.at


def test_nobody_can_write_to_an_agent_who_has_not_written_yet() -> None:
    """Ruling 18."""
    tale = both(met())
    tale.models = classifies(did=("mentions_key",))
    tale.say("About the key.", "sms")
    assert "email:cipher" in tale.state.channels
    with pytest.raises(Refused, match=r"there are email, sms$"):
        tale.say("Hello?", "email:cipher")
    tale.models = lambda ask: None
    tale.after(days=2)
    tale.say("Hello?", "email:cipher")
    assert tale.events(e.MessageReceived)[-1].agent == "cipher"


def test_an_heir_knows_what_the_one_before_it_was_told() -> None:
    """Ruling 18."""
    tale = met()
    tale.models = classifies(new_knowledge=["The player keeps bees on a roof."])
    tale.say("Something about hives.", "email")
    gone(tale, "ember", "email")
    assert "The player keeps bees on a roof." in [note.fact for note in tale.state.cast["cipher"].facts]
    assert "ember" in tale.state.cast["cipher"].heard_of
    tale.reply("And now?", "email")
    assert prompt_of(tale).seat == "cipher"
    assert "bees" in words_in(prompt_of(tale))


def test_a_summary_says_what_was_said() -> None:
    """Ruling 15."""
    tale = met()
    tale.models = classifies(new_knowledge=["The player keeps bees on a roof."])
    tale.reply("Something about hives.", "email").after(hours=14)
    (told,) = [one.text for one in tale.memories.values() if one.kind == "summary" and one.agent == "ember"][-1:]
    assert "The player keeps bees on a roof." in (told or "")
    assert "Ember claims" in (told or "")


# letters when they are due


def test_a_burst_becomes_one_answer_that_never_comes_later_for_it() -> None:
    tale = met()
    tale.say("The tram was late.", "email")
    first = tale.due_of("ember")
    tale.after(minutes=5)
    for text in ("Two.", "Three.", "Are you there?"):
        tale.say(text, "email")
        assert tale.due_of("ember") <= first
    tale.answered()
    replies = [one for one in tale.events(e.LetterWritten) if one.situation == "reply"]
    assert len(replies) == 1
    (message,) = [one.texts for one in prompt_of(tale).sections if one.name == "message"]
    assert " ".join(message) == "The tram was late. Two. Three. Are you there?"
    answered = [one.message for one in tale.events(e.Processed) if dict(one.steps).get("deliver") == replies[0].key]
    assert answered == ["in.1", "in.2", "in.3", "in.4"]


def test_what_has_not_been_sent_was_not_said() -> None:
    tale = met()
    tale.reply("Who are you?", "email")
    key = tale.letter_of("ember").key
    assert key not in [line.ref for line in tale.state.cast["ember"].recent]
    tale.after(minutes=3)
    assert key in [line.ref for line in tale.state.cast["ember"].recent]


def test_an_agent_that_has_gone_meanwhile_does_not_answer_and_the_trace_says_so() -> None:
    tale = met()
    tale.models, tale.dice = classifies(), {91: [90]}
    tale.say("The tram was late.", "email")
    cast = {**tale.state.cast, "ember": replace(tale.state.cast["ember"], level="gone")}
    tale.state = replace(tale.state, cast=cast)
    tale.after(hours=3)
    assert "the agent is gone" in dict(tale.state.trace.steps)["check_lifecycle"]
    assert not [one for one in tale.events(e.LetterWritten) if one.situation == "reply"]


def test_an_answer_that_was_owed_by_somebody_whose_address_was_taken_over_ends_in_the_trace() -> None:
    tale = gone(met(), "ember", "email")
    assert tale.state.channels["email"].owner == "cipher"
    event = e.Planned(n=99, agent="ember", situation="reply", due_at=tale.at, day="", owed=Owed(refs=("in.1",)))
    told = EventContext(stream="tale", version=tale.version, ordinal=99, at=tale.at, event=event)
    tale.state = tale.world.evolve(tale.state, told)
    tale._projected(told)
    assert "email" not in tale.world.view(tale.state, "player", tale.at).expected
    tale.after(minutes=1)
    last = next(one for one in reversed(tale.events(e.Processed)) if one.message == "in.1")
    assert "the agent is gone" in dict(last.steps)["check_lifecycle"]


def test_a_model_that_fails_gives_a_prepared_line_at_the_moment_that_was_promised() -> None:
    tale = met()
    tale.models = lambda ask: Failed("the provider is down") if ask.role == "quality" else None
    tale.say("Who are you?", "email")
    due_at = tale.due_of("ember")
    tale.until(due_at)
    assert (due_at, tale.events(e.LetterWritten)[-1].key) in tale.sent
    assert tale.memories[tale.events(e.LetterWritten)[-1].words.id].text in tale.content.agents["ember"].safe


def test_what_exchanges_bring_stands_inside_an_answer_and_not_in_its_place() -> None:
    tale = both(met())
    tale.models = classifies(did=("shares_info_from_other", "mentioned_agent_to_other", "expresses_distrust"))
    tale.say("Miro told me things.", "email")
    tale.models = lambda ask: None
    tale.after(hours=26)
    tale.reply("What is the key for?", "sms")
    (surfaced,) = tale.events(e.ExchangeSurfaced)
    (letter,) = [one for one in tale.events(e.LetterWritten) if one.key == surfaced.message]
    assert letter.situation in ("reply", "follow_up")
    text = tale.memories[letter.words.id].text or ""
    said = [line.text for line in tale.content.agents["miro"].lines["surface"]]
    assert any(text.endswith(line) and text != line for line in said)


def test_what_cannot_be_undone_is_asked_back_when_it_is_not_certain() -> None:
    tale = met()
    tale.reply("It's taken care of.", "email")
    assert tale.state.key is not None
    assert tale.state.key.deleted_at is None
    letter = tale.memories[tale.events(e.LetterWritten)[-1].words.id].text
    assert letter in [line.text for line in tale.content.agents["ember"].asks_back["key_deleted_claim"]]
    tale.after(hours=1).reply("Yes, I deleted the mail.", "email")
    assert tale.state.key.deleted_at is not None
