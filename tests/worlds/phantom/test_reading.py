"""What the rules make of words without any model: classification, claims, sentences, lines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greenroom.kernel.asks import Failed
from greenroom.worlds.phantom.outside import answer
from greenroom.worlds.phantom.outside.moment import fit
from greenroom.worlds.phantom.rules import claims, classify, readings
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules.content import Agent, GroundTruth, Knowledge, SpareLine, Truth, TruthRule
from greenroom.worlds.phantom.rules.prompts import chunks, extract
from greenroom.worlds.phantom.rules.readings import BEHAVIOURS
from greenroom.worlds.phantom.rules.sentences import match, quotes, runs, storable
from greenroom.worlds.phantom.rules.state import ClaimNote
from tests.worlds.phantom.stage import reading
from tests.worlds.phantom.trial import CONTENT

# behaviours


@pytest.mark.parametrize(
    ("agent", "said", "did"),
    [
        ("ember", "Okay, I agree with you.", "agrees_with_agent"),
        ("ember", "No way, forget it.", "disagrees_with_agent"),
        ("ember", "Why?", "questions_agent"),
        ("miro", "I found a second page.", "shares_intel"),
        ("miro", "Ember told me to be careful.", "shares_info_from_other"),
        ("miro", "Ember is nervous.", "mentioned_agent_to_other"),
        ("miro", "Ember's address is e@example.org.", "shares_contact"),
        ("miro", "I can introduce you to Ember.", "shares_contact"),
        ("miro", "Fwd: please delete it", "forwarded_agent_message"),
        ("miro", "Do you want the key?", "mentions_key"),
        ("ember", "I've deleted it all.", "key_deleted_claim"),
        ("ember", "I used the key last night.", "key_use_claim"),
        ("ember", "I haven't used it.", "key_use_denied"),
        ("ember", "I trust you.", "expresses_trust"),
        ("ember", "I don't trust you.", "expresses_distrust"),
        ("ember", "I am going to the police.", "threatens"),
        ("ember", "Are you a bot?", "breaks_fiction"),
        ("ember", "No, I deleted it.", "key_deleted_claim"),
        ("ember", "I did not read it, I deleted it, ok?", "key_deleted_claim"),
        ("ember", "I used it and read the ledger.", "key_use_claim"),
        ("ember", "Why should I trust you?", "expresses_distrust"),
        ("ember", "I will not delete it.", "disagrees_with_agent"),
        ("miro", "I have not deleted the key.", "mentions_key"),
    ],
)
def test_the_rules_see_what_the_player_does(agent: str, said: str, did: str) -> None:
    assert did in classify.by_rules(CONTENT, agent, said).behaviours


@pytest.mark.parametrize(
    ("agent", "said", "did"),
    [
        ("ember", "The weather is fine.", "agrees_with_agent"),
        ("ember", "I never used the key.", "key_use_claim"),
        ("ember", "You, Ember, are kind.", "mentioned_agent_to_other"),
        ("miro", "The monkey sat on a keyboard.", "mentions_key"),
        ("ember", "I will not use it, I promise.", "disagrees_with_agent"),
        ("ember", "I haven't deleted it yet.", "key_deleted_claim"),
        ("ember", "I have not deleted the key.", "key_deleted_claim"),
        ("ember", "Have you deleted it?", "key_deleted_claim"),
        ("ember", "You said that you deleted the email.", "key_deleted_claim"),
        ("ember", "What happens if I deleted it?", "key_deleted_claim"),
        ("miro", "Ember wrote this: I deleted the email.", "key_deleted_claim"),
        ("ember", "What if I used the key?", "key_use_claim"),
        ("ember", "Why should I trust you?", "expresses_trust"),
        ("ember", "Can I trust you?", "expresses_trust"),
        ("ember", "I am not sure.", "agrees_with_agent"),
        ("ember", "Are you sure?", "agrees_with_agent"),
        ("ember", "I do not want to go to the police.", "threatens"),
        ("ember", "I saw nothing.", "shares_intel"),
        ("ember", "This is not a scam, is it?", "expresses_distrust"),
    ],
)
def test_the_rules_do_not_see_what_is_not_there(agent: str, said: str, did: str) -> None:
    assert did not in classify.by_rules(CONTENT, agent, said).behaviours


@given(st.text(max_size=400))
def test_any_text_can_be_read_and_nothing_stored_of_it_quotes_it(said: str) -> None:
    found = classify.by_rules(CONTENT, "ember", said)
    assert set(found.behaviours) <= set(BEHAVIOURS)
    assert -20 <= found.delta <= 20
    assert not any(quotes(fact, said) for fact, _ in found.facts)


# a model's answers


@pytest.mark.parametrize(
    "junk",
    [
        None,
        "text",
        {},
        Failed("down"),
        reading(intent="shouting"),
        reading(trust_delta="many"),
        {**reading(), "behaviors": []},
        {**reading(), "new_knowledge": "one"},
        {**reading(), "topics": [1]},
    ],
)
def test_junk_is_no_reading(junk: object) -> None:
    assert readings.parsed(junk, "Hello.", CONTENT, "ember") is None


def test_unknown_behaviours_topics_and_types_are_left_out() -> None:
    said = {
        **reading(is_key_moment=True, key_moment_type="sudden", topics=["key", "weather"]),
        "behaviors": {"x": True},
    }
    found = readings.parsed(said, "Hello.", CONTENT, "ember")
    assert found is not None
    assert (found.behaviours, found.topics, found.moment) == ((), ("key",), "revelation")


def test_a_sentence_that_quotes_the_message_or_speaks_of_itself_is_put_plainly() -> None:
    body = "I saw a grey car outside my house this morning"
    assert storable("The player saw a grey car outside my house.", (body,), otherwise="plain") == "plain"
    assert storable("I saw a car.", (), otherwise="plain") == "plain"
    assert storable("x" * 200, (), otherwise="plain") == "plain"
    assert storable("The player noticed a car.", (body,), otherwise="plain") == "The player noticed a car."


# patterns and ground truth


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("I deleted the email", "Look… I deleted the email, ok?", ""),
        ("I deleted the email", "I never deleted the email", None),
        ("I don't know *", "I don't know what the key opens.", "what the key opens"),
        ("*she signed*", "All of it she signed.", "all of it"),
        ("page * three", "page number three", "number"),
        ("cat", "concatenate", None),
    ],
)
def test_a_pattern_is_matched_by_whole_words_whatever_the_case(pattern: str, text: str, found: str | None) -> None:
    assert match(pattern, text) == found


def agent(**more: object) -> Agent:
    return CONTENT.agents["ember"].model_copy(update=more)


TRUTHS = GroundTruth(
    facts=(
        Truth(pattern="I deleted the email", truth=False, claim="Ember says the mail is gone.", subject="gone"),
        Truth(pattern="I made a typo", truth=True, claim="Ember owns up to a slip."),
        Truth(pattern="I will *", claim="Ember promises something.", type="promise", truth=True),
    ),
    rules=(TruthRule(pattern="I don't know *", evaluate="doesnt_know", claim="Ember claims not to know."),),
)
KNOWS = Knowledge(knows=("what the key opens",), doesnt_know=("where Cipher is",))


@pytest.mark.parametrize(
    ("draft", "claim", "is_true"),
    [
        ("Yes. I deleted the email!", "Ember says the mail is gone.", False),
        ("I made a typo, all right?", "Ember owns up to a slip.", True),
        ("I will be careful.", "Ember promises something.", None),
        ("I don't know what the key opens.", "Ember claims not to know.", False),
        ("I don't know where Cipher is.", "Ember claims not to know.", True),
        ("I don't know your name.", "Ember claims not to know.", None),
    ],
)
def test_ground_truth_evaluates_facts_wildcards_and_what_is_not_known(
    draft: str, claim: str, is_true: bool | None
) -> None:
    (found,) = claims.by_rules(agent(ground_truth=TRUTHS, knowledge=KNOWS), draft)
    assert (found.claim, found.is_true) == (claim, is_true)


def test_a_models_claims_are_taken_beyond_those_known_and_never_as_quotations() -> None:
    ember = agent(ground_truth=TRUTHS)
    draft = "I deleted the email. My mother was born in the mine below the office."
    known = claims.by_rules(ember, draft)
    said = {
        "claims": [
            {"statement": "Ember says the mail is gone.", "type": "fact", "significance": "high"},
            {"statement": "Her mother was born in the mine below the office.", "type": "fact", "significance": "low"},
            {"statement": "Ember's family comes from there.", "type": "fact", "significance": "medium"},
        ]
    }
    found = claims.by_model(said, ember, draft, known)
    assert found is not None
    assert [one.claim for one in found] == ["Ember made a claim of low weight.", "Ember's family comes from there."]
    assert claims.by_model({"claims": [{"statement": 3}]}, ember, draft, known) is None


@pytest.mark.parametrize(
    ("older", "newer", "denied"),
    [
        ("Ember says she was in the building.", "Ember says she was not in the building.", True),
        ("Ember says she was in the building.", "Ember says she was in the building.", False),
        ("Ember says she likes tea.", "Ember says she has never seen the ferry.", False),
    ],
)
def test_claims_without_a_subject_are_compared_by_their_words(older: str, newer: str, denied: bool) -> None:
    note = ClaimNote(n=1, claim=older, subject=None, says=True, is_true=None, significance="high")
    claim = claims.StoryClaim(claim=newer, type="fact", is_true=None, significance="high")
    assert claims.denies(claim, note) is denied


# lines


def test_the_line_that_fits_the_moment_most_closely_is_said() -> None:
    lines = (
        SpareLine(text="plain"),
        SpareLine(text="about the key", about=("key",)),
        SpareLine(text="about the key, tersely", about=("key",), tone="terse"),
        SpareLine(text="after the fact", key_used=True),
    )
    moment = {"tone": ["terse"], "trust": ["middle"], "phase": ["day_1"], "player": [], "key_used": [""]}

    def best(topics: Sequence[str], **more: Sequence[str]) -> list[str]:
        scores = {line.text: fit(line, {**moment, **more}, topics) for line in lines}
        most = max(score for score in scores.values() if score is not None)
        return [text for text, score in scores.items() if score == most]

    assert best(("key", "trust")) == ["about the key, tersely"]
    assert best(("key",), tone=["normal"]) == ["about the key"]
    assert best(()) == ["plain"]
    assert best((), key_used=["yes"]) == ["after the fact"]


def test_the_understudy_answers_every_ask_of_this_world_the_same_again() -> None:
    ask = extract(CONTENT, "ember", "I deleted it.")
    assert answer(CONTENT, ask) == answer(CONTENT, ask) == {"claims": []}


@given(st.text(max_size=1500))
def test_a_message_of_any_kind_is_cut_into_chunks_that_fit(text: str) -> None:
    pieces = chunks(text)
    assert all(len(piece) <= 90 for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


# completeness


def test_events_are_stored_under_the_names_they_always_had() -> None:
    stored = """
    registered code_issued code_tried code_expired started key_made content_read message_received classified
    letter_written letter_cancelled letter_sent letter_failed letter_overdue letter_shown planned plan_dropped
    plan_done opted_out opted_in trust_changed ignored fact_learned items_held claim_made claim_contradicted
    session_closed moment_kept character_entered lifecycle_moved channel_inherited exchanged exchange_surfaced
    milestone_reached exposure_changed conditions_met trigger_fired trigger_rested engagement_moved reengaged hushed
    deadline_passed key_used key_refused key_deleted document_read processed time_passed door_opened knocked noted
    """
    assert set(e.EVENTS) == set(stored.split())


def test_runs_are_five_words_long() -> None:
    assert runs("One two, three four FIVE six.") == {
        ("one", "two", "three", "four", "five"),
        ("two", "three", "four", "five", "six"),
    }
