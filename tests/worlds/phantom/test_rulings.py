"""The twenty-four rulings on what the seed leaves open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from greenroom.kernel.asks import AskModel, Failed
from greenroom.kernel.errors import Refused
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.words import Scope, Words
from greenroom.kernel.worlds import HOUSE, OPERATOR
from greenroom.worlds.phantom import commands as c
from greenroom.worlds.phantom import events as e
from greenroom.worlds.phantom import phantom, prompts
from greenroom.worlds.phantom.behaviours import BEHAVIOURS
from greenroom.worlds.phantom.claims import Claim, brought_back, contradicted, search
from greenroom.worlds.phantom.content import Item, Sharing
from greenroom.worlds.phantom.exchanges import alliance, share
from greenroom.worlds.phantom.minds import mind
from greenroom.worlds.phantom.pipeline import STEPS
from greenroom.worlds.phantom.rules import DOOR
from greenroom.worlds.phantom.sentences import runs
from greenroom.worlds.phantom.spawning import ready
from greenroom.worlds.phantom.state import Character, Passed
from greenroom.worlds.phantom.working import working
from tests.worlds.phantom.stage import START, Tale, classifies, reading, writes


def met(**more: Any) -> Tale:
    """A story in which Ember and Miro have both written, and nobody has answered."""
    return Tale(**more).start().after(hours=9)


def both(tale: Tale) -> Tale:
    """The player has spoken with both."""
    tale.say("Good morning.", "email")
    tale.say("Good morning.", "sms")
    return tale


def gone(tale: Tale, agent: str, channel: str) -> Tale:
    """An agent has left."""
    tale.models = classifies(trust_delta=-20)
    while tale.state.cast[agent].trust > -81:
        tale.dice = {1000: [999]}
        tale.say("Something.", channel)
    tale.models = lambda ask: None
    return tale.after(days=8)


def prompt_of(tale: Tale, role: str = "quality") -> AskModel:
    return next(ask for ask in reversed(tale.asked) if ask.role == role)


def words_in(ask: AskModel) -> str:
    return "\n".join(text for section in ask.sections for text in section.texts)


# 1


def test_awareness_belongs_to_the_receiver_and_accumulates() -> None:
    """Ruling 1."""
    tale = both(met())
    tale.models = classifies(did=("shares_info_from_other", "mentioned_agent_to_other", "expresses_distrust"))
    tale.say("Miro told me things.", "email")
    keys = working(tale.content, tale.state, tale.at)
    assert keys["agent:miro:knows_about:ember"] is True
    first = keys["agent:miro:learned_from:ember"]
    assert first
    tale.models = classifies(did=("shares_info_from_other", "mentioned_agent_to_other", "threatens"))
    tale.say("Miro told me more.", "email")
    again = working(tale.content, tale.state, tale.at)["agent:miro:learned_from:ember"]
    assert again[: len(first)] == first
    assert "agent:ember:learned_from:miro" not in keys


# 2


def test_an_agent_is_shown_its_own_conversation_and_never_the_other_ones() -> None:
    """Ruling 2."""
    tale = met()
    tale.say("The heron stood in the canal all afternoon.", "email")
    tale.say("What do you want from me?", "sms")
    shown = words_in(prompt_of(tale))
    assert prompt_of(tale).seat == "miro"
    assert "heron" not in shown
    assert not runs(shown) & runs("The heron stood in the canal all afternoon.")
    assert all(one.agent in ("ember", "miro", "system", "house") for one in tale.memories.values())


def test_every_fact_carries_the_agent_and_the_channel_it_was_told_to() -> None:
    """Ruling 2."""
    tale = met()
    tale.models = classifies(new_knowledge=["The player keeps bees on a roof."])
    tale.say("Something about hives.", "email")
    (row,) = [row for row in tale.table("player_knowledge") if "bees" in row["fact"]]
    assert (row["told_to"], row["channel"], row["source_agent"]) == ("ember", "email", "player")
    tale.models = lambda ask: None
    tale.say("What now?", "sms")
    assert "bees" not in words_in(prompt_of(tale))
    tale.say("What now?", "email")
    assert "bees" in words_in(prompt_of(tale))


@pytest.mark.parametrize(
    ("inheritance", "kinds"), [("full_history", {"message"}), ("partial", {"summary"}), ("none", set())]
)
def test_an_heir_reads_everything_summaries_or_nothing_of_those_before_it(inheritance: str, kinds: set[str]) -> None:
    """Ruling 2."""
    content = met().content
    cipher = content.agents["cipher"].model_copy(update={"inheritance": inheritance})
    changed = content.model_copy(update={"agents": {**content.agents, "cipher": cipher}})
    tale = met(content=changed)
    tale.say("The lighthouse keeper's cat is called Admiral.", "email")
    gone(tale, "ember", "email")
    assert tale.state.channels["email"].owner == "cipher"
    tale.say("Do you know the name of the cat? The Admiral?", "email")
    (section,) = [one for one in prompt_of(tale).sections if one.name == "memories"]
    owners = {(tale.memories[id].agent, tale.memories[id].kind) for id in section.memories}
    assert {kind for agent, kind in owners if agent == "ember"} == kinds, "what fits the question best comes first"
    before = {id for id in section.memories if tale.memories[id].agent == "ember"}
    assert all(tale.memories[id].kind == "summary" for id in before) or inheritance == "full_history"


# 3


def test_the_classifier_knows_the_behaviours_that_exposure_and_exchanges_need() -> None:
    """Ruling 3."""
    needed = {
        "forwarded_agent_message",
        "mentioned_agent_to_other",
        "shares_contact",
        "shares_info_from_other",
        "key_deleted_claim",
    }
    assert needed <= set(BEHAVIOURS)
    tale = both(met())
    tale.say("I deleted the key. Fwd: this is what Miro wrote; his number is +4915199999999.", "email")
    found = next(one for one in reversed(tale.events(e.Classified))).classification
    assert all(found["behaviors"][name] for name in needed)
    assert found["key_moment_type"] == "betrayal"
    assert found["reason"]


def test_junk_is_asked_for_once_more_and_then_the_rules_decide() -> None:
    """Ruling 3."""
    tale = met()
    answers: list[Any] = [{"intent": "?"}, Failed("the provider is down")]
    tale.models = lambda ask: answers.pop(0) if ask.role == "fast" and answers else None
    before = len(tale.asked)
    tale.say("I trust you.", "sms")
    asks = [ask for ask in tale.asked[before:] if any(section.name == "task" for section in ask.sections)]
    assert len(asks) == 2
    assert "did not fit" in words_in(asks[1])
    assert tale.events(e.Classified)[-1].classification["classified_by"] == "rules"


def test_a_good_second_answer_is_taken() -> None:
    """Ruling 3."""
    tale = met()
    answers: list[Any] = ["nonsense", reading(trust_delta=7, reason="The player was patient.")]
    tale.models = lambda ask: answers.pop(0) if ask.role == "fast" and answers else None
    tale.say("Something.", "sms")
    assert tale.events(e.TrustChanged)[-1].reason == "The player was patient."


# 4


def test_claims_are_kept_with_the_accepted_letter_and_a_rejected_draft_leaves_none() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes("As an AI I deleted the email.", "I deleted the email. Please believe me.")
    tale.say("Hm.", "email")
    claims = tale.table("agent_claims")
    assert len([row for row in claims if row["agent_id"] == "ember" and row["message_id"]]) == len(claims)
    assert sum("fell out of the story" in words_in(ask) for ask in tale.asked) == 1
    (letter,) = [one for one in tale.events(e.LetterWritten) if one.agent == "ember" and one.situation == "reply"]
    assert tale.memories[letter.words.id].text == "I deleted the email. Please believe me."


def test_a_contradiction_of_a_weighty_claim_is_written_anew_with_the_reason() -> None:
    """Ruling 4."""
    tale = met()
    denial = "I never worked there. Ask anybody."
    tale.models = writes("I don't know anyone called Miro.")
    tale.say("Do you know Miro?", "email")
    before = len(tale.asked)
    facts = tale.content.agents["ember"].ground_truth.facts
    claim = next(fact for fact in facts if fact.subject == "knows_miro" and fact.confesses)
    lying = claim.model_copy(update={"confesses": False})
    truth = tale.content.agents["ember"].ground_truth.model_copy(update={"facts": (*facts, lying)[-1:]})
    ember = tale.content.agents["ember"].model_copy(update={"ground_truth": truth})
    tale.world = phantom(tale.content.model_copy(update={"agents": {**tale.content.agents, "ember": ember}}))
    tale.models = writes("He had the night office.", denial)
    tale.say("You do know Miro.", "email")
    asked = [words_in(ask) for ask in tale.asked[before:] if ask.role == "quality"]
    assert "contradicts what was said before: Ember denies knowing Miro." in asked[1]
    assert [row["claim"] for row in tale.table("agent_claims")].count(claim.claim) == 0
    assert tale.memories[tale.events(e.LetterWritten)[-1].words.id].text == denial


def test_a_contradiction_is_found_in_memory_when_the_claim_is_no_longer_at_hand() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes("I don't know anyone called Miro.")
    tale.say("Do you know Miro?", "email")
    claims = tale.state.cast["ember"].claims
    tale.state = replace(tale.state, cast={**tale.state.cast, "ember": replace(tale.state.cast["ember"], claims=())})
    assert any(one.subject == "knows_miro" for one in claims)
    found = Claim(claim="x", type="fact", is_true=None, significance="high", subject="knows_miro", says=True)
    (ask,) = search((found,), Scope(world="phantom", owner="ada", agent="ember"))
    (note,) = brought_back((found,), (tale._recalled(ask),))
    assert contradicted(found, (note,)) == note
    assert note.n == next(one.n for one in claims if one.subject == "knows_miro")


def test_owning_up_contradicts_the_older_claim_which_is_marked_and_cannot_come_back() -> None:
    """Ruling 4."""
    tale = met()
    denial, admission = "I don't know anyone called Miro.", "I said I didn't know him. He had the night office."
    tale.models = writes(denial)
    tale.say("Do you know Miro?", "email")
    tale.models = writes(admission)
    tale.say("You know Miro.", "email")
    rows = {row["claim"]: row for row in tale.table("agent_claims") if row["agent_id"] == "ember"}
    older, newer = rows["Ember denies knowing Miro."], rows["Ember admits that she worked beside Miro."]
    assert (older["contradicted_by"], newer["contradicted_by"]) == (newer["id"], None)
    assert (older["is_true"], newer["is_true"]) == (False, True)
    tale.after(hours=14)
    tale.models = writes(denial, "Please leave it.")
    tale.say("So you do know Miro.", "email")
    letter = tale.events(e.LetterWritten)[-1]
    assert tale.memories[letter.words.id].text == "Please leave it."


def test_after_three_drafts_that_may_not_stand_a_safe_line_goes_out() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes(*["As an AI, I cannot."] * 3)
    claims = len(tale.table("agent_claims"))
    tale.say("Hm.", "sms")
    letter = tale.events(e.LetterWritten)[-1]
    assert tale.memories[letter.words.id].text in tale.content.agents["miro"].safe
    assert len(tale.table("agent_claims")) == claims
    assert dict(tale.state.trace.steps)["validate"] == "replaced by a safe line"


def test_opinions_and_promises_are_neither_true_nor_false_and_the_older_claim_is_marked() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes("I will not ask again. I do not lie.")
    tale.say("Hm.", "sms")
    kinds = {row["claim_type"]: row["is_true"] for row in tale.table("agent_claims") if row["agent_id"] == "miro"}
    assert kinds["promise"] is None
    assert kinds["opinion"] is None


def test_an_agent_cannot_name_whom_it_has_never_heard_of_nor_a_use_it_cannot_see() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes("Cipher will come.", "You used the key, did you not?", "I am listening.")
    tale.say("Hm.", "sms")
    faults = [words_in(ask) for ask in tale.asked if ask.role == "quality"][-2:]
    assert "somebody the writer has never heard of" in faults[0]
    assert "use of the key that the writer cannot know of" in faults[1]


# 5


def test_no_words_of_a_message_stand_in_an_event_or_a_table() -> None:
    """Ruling 5."""
    tale = met()
    body = "My grandmother's barometer fell eleven points last night, which never happens."
    tale.models = classifies(
        new_knowledge=[f"The player says: {body}"],
        reason=body,
        is_key_moment=True,
        key_moment_type="revelation",
        key_moment_summary=body,
        trust_delta=3,
    )
    tale.say(body, "email")
    stored = tale.codec.events([told.event for told in tale.told]).decode() + repr(tale.rows) + repr(tale.state)
    assert runs(body).isdisjoint(runs(stored))
    assert "barometer" in "".join(tale.texts())


def test_claims_are_stored_in_the_third_person_and_matched_on_the_drafts_own_sentence() -> None:
    """Ruling 5."""
    tale = met()
    tale.models = writes("I have page three. It is in my coat.")
    tale.say("Hm.", "sms")
    (row,) = [row for row in tale.table("agent_claims") if "missing sheet" in row["claim"]]
    assert row["claim"].startswith("Miro says")
    assert row["is_true"] is True


# 6


def test_messages_are_taken_in_order_and_named_by_their_number() -> None:
    """Ruling 6; that one provider id counts once is shown in the house."""
    tale = met()
    tale.say("One.", "sms", provider_id="SM1")
    tale.say("Two.", "sms", provider_id="SM2")
    received = tale.events(e.MessageReceived)
    assert [(one.ref, one.provider_id) for one in received] == [("in.1", "SM1"), ("in.2", "SM2")]


# 7


def test_a_letter_is_a_row_due_at_a_time_and_settles_as_sent() -> None:
    """Ruling 7."""
    tale = met()
    tale.say("Who are you?", "email")
    (row,) = [row for row in tale.table("scheduled_messages") if row["status"] == "waiting"]
    assert row["due_at"] == tale.letter_of("ember").due_at.isoformat(timespec="microseconds")
    assert row["provider_key"] == tale.letter_of("ember").key
    tale.after(hours=2)
    (again,) = [one for one in tale.table("scheduled_messages") if one["id"] == row["id"]]
    assert (again["status"], again["settled_at"] is not None) == ("sent", True)


def test_a_letter_that_bounced_is_a_failed_row_with_its_reason() -> None:
    """Ruling 7."""
    tale = met()
    tale.say("Who are you?", "email")
    key = tale.letter_of("ember").key
    tale.letters.pop(key)
    tale.do(LetterSettled(key=key, status="failed", reason="no such mailbox"), seat=HOUSE)
    (row,) = [row for row in tale.table("scheduled_messages") if row["provider_key"] == key]
    assert (row["status"], row["reason"]) == ("failed", "no such mailbox")


# 8


def test_spawn_conditions_are_names_and_who_is_ready_is_derived() -> None:
    """Ruling 8."""
    tale = both(met())
    tale.models = classifies(did=("mentions_key",))
    tale.say("About the key.", "sms")
    assert "player_mentioned_key_to_miro" in tale.state.conditions
    assert "cipher" in ready(tale.content, tale.state)
    (world,) = tale.table("world_state")
    assert "player_mentioned_key_to_miro" in world["spawn_conditions_met"]


def test_whoever_is_spawned_gets_a_channel_a_first_letter_and_a_milestone() -> None:
    """Ruling 8."""
    tale = both(met())
    tale.models = classifies(did=("mentions_key",))
    tale.say("About the key.", "sms")
    assert tale.state.channels["email:cipher"].owner == "cipher"
    assert "cipher_spawned" in tale.state.milestones
    assert [plan.situation for plan in tale.state.plans if plan.agent == "cipher"] == ["first_contact"]


@pytest.mark.parametrize(("level", "who"), [(50, "cipher"), (80, "kessler")])
def test_exposure_brings_cipher_at_fifty_and_kessler_at_eighty(level: int, who: str) -> None:
    """Ruling 8."""
    tale = both(met())
    tale.models = classifies(did=("mentioned_agent_to_other",))
    while who not in tale.state.cast:
        assert tale.state.exposure < level
        tale.say("Something.", "sms")
    assert level <= tale.state.exposure < level + 10


# 9


def test_triggers_fire_on_a_change_and_on_the_clock_once_and_say_why() -> None:
    """Ruling 9."""
    tale = met()
    assert tale.state.key is not None
    tale.do(c.UseKey(key=tale.state.key.value))
    tale.do(c.UseKey(key=tale.state.key.value))
    history = [row for row in tale.table("trigger_history") if row["trigger_id"] == "key_turned"]
    assert [row["because"] for row in history] == ["key_used"]
    tale.after(days=5)
    assert [row["trigger_id"] for row in tale.table("trigger_history")].count("the_day_after") == 1
    (row,) = [row for row in tale.table("triggers") if row["trigger_id"] == "key_turned"]
    assert (row["fired_count"], row["once"]) == (1, True)


# 10


def test_every_prompt_has_the_seeds_sections_and_keeps_to_its_budget() -> None:
    """Ruling 10; the simulation holds every prompt against it."""
    from greenroom.adapters.models.prompt import prepare  # noqa: PLC0415

    tale = both(met())
    for text in ("What? " * 1000, "🦜" * 4000, "文字" * 3000, "x" * 8000):
        tale.say(text, "email")
        tale.after(hours=3)
    names = [section.name for section in prompt_of(tale).sections]
    for wanted in ("character", "trust", "knowledge", "immersion", "conversation", "memories", "consistency"):
        assert wanted in names
    assert prompts.BUDGET == 2800
    assert all(prepare(ask).input_tokens <= 2800 for ask in tale.asked)


# 11


def test_the_working_state_is_a_function_of_the_stored_state() -> None:
    """Ruling 11."""
    tale = both(met())
    read = tale.codec.read_state(tale.codec.state(tale.state), tale.world.shape, "")
    assert working(tale.content, read, tale.at) == working(tale.content, tale.state, tale.at)
    assert list(working(tale.content, read, tale.at)) == list(working(tale.content, tale.state, tale.at))


# 12


def test_the_sixth_use_of_a_key_is_refused_and_logged() -> None:
    """Ruling 12; fifty at once are let in five times, which is shown in the house."""
    tale = met()
    assert tale.state.key is not None
    for _ in range(7):
        tale.do(c.UseKey(key=tale.state.key.value, ip_address="192.0.2.1", user_agent="test"))
    log = tale.table("key_access_log")
    assert [row["success"] for row in log].count(True) == 5
    assert [row["success"] for row in log].count(False) == 2
    (key,) = tale.table("player_keys")
    assert (key["access_count"], key["access_limit"]) == (5, 5)


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
    tale.say("Who are you?", "email", provider_id="<a b@example.org>")
    post = tale.letter_of("ember")
    assert (post.channel, post.to) == ("email", "mailto:ada@example.org?In-Reply-To=%3Ca%20b@example.org%3E")
    tale.say("Who are you?", "sms", provider_id="SM7")
    assert (tale.letter_of("miro").channel, tale.letter_of("miro").to) == ("sms", "+4915112345678")
    codes = [one for one in tale.events(e.LetterWritten) if one.agent is None]
    assert {one.carrier for one in codes} == {"system:email", "system:sms"}
    assert {one.channel for one in codes} == {"system"}


# 15


def test_a_conversation_is_closed_after_twelve_silent_hours_with_a_summary() -> None:
    """Ruling 15."""
    tale = met()
    tale.models = classifies()
    tale.say("Something about the key.", "sms")
    wrote = tale.at
    rows = [row for row in tale.table("messages") if row["agent_id"] == "miro"]
    assert {row["session_id"] for row in rows} == {"miro-1"}
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
    tale.say("And now?", "sms")
    assert not tale.events(e.ExchangeSurfaced)
    tale.until(told + timedelta(hours=25))
    tale.say("And now?", "sms")
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
        tale.step(wakes_first=True)
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
    written = {one.key for one in tale.events(e.LetterWritten)}
    tale.models = lambda ask: None
    tale.after(days=3)
    assert written <= {key for _, key in tale.sent}


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
    tale.say("What now?", "sms")
    shown = words_in(prompt_of(tale)).casefold()
    assert "exposure" not in shown
    assert "key_used" not in shown
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
        tale.models = classifies(trust_delta=1, new_knowledge=facts)
        tale.say(f"Message number {n}.", "sms")
    tale.models = lambda ask: None
    tale.after(hours=20)
    tale.say("And now?", "sms")
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
    assert [name for name, _ in tale.state.trace.steps] == list(STEPS)
    assert len(STEPS) == 12
    assert "skipped" not in dict(tale.state.trace.steps).values()
    board = tale.world.view(tale.state, OPERATOR, tale.at)
    assert board.trace.steps == tale.state.trace.steps


def test_stop_ends_all_sending_at_once_and_start_takes_it_up_again() -> None:
    """Breaking the fiction is answered inside it; the one word is not."""
    tale = both(met())
    assert tale.letters
    tale.say("STOP", "sms")
    assert tale.stopped()
    assert not tale.letters
    assert not tale.state.plans
    sent = len(tale.sent)
    tale.say("Are you still there?", "email")
    tale.after(days=10)
    assert len(tale.sent) == sent
    tale.say("start", "sms")
    assert not tale.stopped()
    tale.say("Are you still there?", "email")
    tale.after(days=1)
    assert len(tale.sent) > sent


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
