"""Rulings 1 to 12 on what the seed leaves open."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from greenroom.kernel.asks import Failed
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.words import Scope
from greenroom.kernel.worlds import HOUSE
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import phantom, prompts
from greenroom.worlds.phantom.rules.claims import StoryClaim, brought_back, contradicted, search
from greenroom.worlds.phantom.rules.lifecycle import ready
from greenroom.worlds.phantom.rules.readings import BEHAVIOURS
from greenroom.worlds.phantom.rules.sentences import runs
from greenroom.worlds.phantom.rules.views import working
from tests.worlds.phantom.stage import both, classifies, gone, met, prompt_of, reading, words_in, writes

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
    tale.reply("What do you want from me?", "sms")
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
    tale.reply("What now?", "sms")
    assert "bees" not in words_in(prompt_of(tale))
    tale.after(hours=14)
    tale.reply("What now?", "email")
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
    tale.reply("Do you know the name of the cat? The Admiral?", "email")
    (section,) = [one for one in prompt_of(tale).sections if one.name == "memories"]
    owners = {(tale.memories[id].agent, tale.memories[id].kind) for id in section.memories}
    read = {kind for agent, kind in owners if agent == "ember"}
    assert read >= kinds if inheritance == "full_history" else read == kinds, "what fits the question best comes first"
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
    tale.reply("Hm.", "email")
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
    tale.reply("Do you know Miro?", "email")
    before = len(tale.asked)
    facts = tale.content.agents["ember"].ground_truth.facts
    claim = next(fact for fact in facts if fact.subject == "knows_miro" and fact.confesses)
    lying = claim.model_copy(update={"confesses": False})
    truth = tale.content.agents["ember"].ground_truth.model_copy(update={"facts": (*facts, lying)[-1:]})
    ember = tale.content.agents["ember"].model_copy(update={"ground_truth": truth})
    tale.world = phantom(tale.content.model_copy(update={"agents": {**tale.content.agents, "ember": ember}}))
    tale.models = writes("He had the night office.", denial)
    tale.reply("You do know Miro.", "email")
    asked = [words_in(ask) for ask in tale.asked[before:] if ask.role == "quality"]
    assert "contradicts what was said before: Ember denies knowing Miro." in asked[1]
    assert [row["claim"] for row in tale.table("agent_claims")].count(claim.claim) == 0
    assert tale.memories[tale.events(e.LetterWritten)[-1].words.id].text == denial


def test_a_contradiction_is_found_in_memory_when_the_claim_is_no_longer_at_hand() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes("I don't know anyone called Miro.")
    tale.reply("Do you know Miro?", "email")
    claims = tale.state.cast["ember"].claims
    tale.state = replace(tale.state, cast={**tale.state.cast, "ember": replace(tale.state.cast["ember"], claims=())})
    assert any(one.subject == "knows_miro" for one in claims)
    found = StoryClaim(claim="x", type="fact", is_true=None, significance="high", subject="knows_miro", says=True)
    (ask,) = search((found,), Scope(world="phantom", owner="ada", agent="ember"))
    (note,) = brought_back((found,), (tale._recalled(ask),))
    assert contradicted(found, (note,)) == note
    assert note.n == next(one.n for one in claims if one.subject == "knows_miro")


def test_owning_up_contradicts_the_older_claim_which_is_marked_and_cannot_come_back() -> None:
    """Ruling 4."""
    tale = met()
    denial, admission = "I don't know anyone called Miro.", "I said I didn't know him. He had the night office."
    tale.models = writes(denial)
    tale.reply("Do you know Miro?", "email")
    tale.models = writes(admission)
    tale.reply("You know Miro.", "email")
    rows = {row["claim"]: row for row in tale.table("agent_claims") if row["agent_id"] == "ember"}
    older, newer = rows["Ember denies knowing Miro."], rows["Ember admits that she worked beside Miro."]
    assert (older["contradicted_by"], newer["contradicted_by"]) == (newer["id"], None)
    assert (older["is_true"], newer["is_true"]) == (False, True)
    tale.after(hours=14)
    tale.models = writes(denial, "Please leave it.")
    tale.reply("So you do know Miro.", "email")
    letter = tale.events(e.LetterWritten)[-1]
    assert tale.memories[letter.words.id].text == "Please leave it."


def test_after_three_drafts_that_may_not_stand_a_safe_line_goes_out() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes(*["As an AI, I cannot."] * 3)
    claims = len(tale.table("agent_claims"))
    tale.reply("Hm.", "sms")
    letter = tale.events(e.LetterWritten)[-1]
    assert tale.memories[letter.words.id].text in tale.content.agents["miro"].safe
    assert len(tale.table("agent_claims")) == claims
    assert dict(tale.state.trace.steps)["validate"].startswith("replaced by a safe line: It fell out of the story.")


def test_opinions_and_promises_are_neither_true_nor_false_and_the_older_claim_is_marked() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes("I will not ask again. I do not lie.")
    tale.reply("Hm.", "sms")
    kinds = {row["claim_type"]: row["is_true"] for row in tale.table("agent_claims") if row["agent_id"] == "miro"}
    assert kinds["promise"] is None
    assert kinds["opinion"] is None


def test_an_agent_cannot_name_whom_it_has_never_heard_of_nor_a_use_it_cannot_see() -> None:
    """Ruling 4."""
    tale = met()
    tale.models = writes("Cipher will come.", "You used the key, did you not?", "I am listening.")
    tale.reply("Hm.", "sms")
    faults = [words_in(ask) for ask in tale.asked if ask.role == "quality"][-2:]
    assert "somebody the writer has never heard of" in faults[0]
    assert "use of the key that the writer cannot know of" in faults[1]


# 5


def test_no_words_of_a_message_stand_in_an_event_or_a_table() -> None:
    """Ruling 5."""
    tale = met()
    body = "The barometer in the hall fell eleven points last night, which never happens."
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
    tale.reply("Hm.", "sms")
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
    tale.reply("Who are you?", "email")
    (row,) = [row for row in tale.table("scheduled_messages") if row["status"] == "waiting"]
    assert row["due_at"] == tale.letter_of("ember").due_at.isoformat(timespec="microseconds")
    assert row["provider_key"] == tale.letter_of("ember").key
    tale.after(hours=2)
    (again,) = [one for one in tale.table("scheduled_messages") if one["id"] == row["id"]]
    assert (again["status"], again["settled_at"] is not None) == ("sent", True)


def test_a_letter_that_bounced_is_a_failed_row_with_its_reason() -> None:
    """Ruling 7."""
    tale = met()
    tale.reply("Who are you?", "email")
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
        tale.reply(text, "email")
        tale.after(hours=3)
    names = [section.name for section in prompt_of(tale).sections]
    for wanted in ("character", "trust", "knowledge", "immersion", "conversation", "memories", "consistency"):
        assert wanted in names
    assert prompts.BUDGET == 6000
    assert all(prepare(ask).input_tokens <= 6000 for ask in tale.asked)


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
