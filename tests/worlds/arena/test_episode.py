"""One episode: its tick, its limits, who may do what, and how it is judged."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from greenroom.kernel.asks import AskModel, Failed
from greenroom.worlds.arena.rules import prompts
from greenroom.worlds.arena.rules.episode import Ended, Episode, Guest, Injected, TurnLost, TurnTaken, outcome
from greenroom.worlds.arena.rules.judging import read as read_judgement
from greenroom.worlds.arena.rules.proposals import ActionProposal
from greenroom.worlds.arena.rules.proposals import read as read_proposal
from greenroom.worlds.arena.rules.variables import StateMutation, changed, tension
from tests.worlds.arena.stage import CONTENT, change, config, end_of, events_of, played, proposal

DEAL = [change("split.quay", 75), change("split.storage", 50), change("split.dredging", 25)]
MODELS: Any = ("model", "model")


def refusals(state: Episode) -> dict[str, int]:
    """What the run is told was refused."""
    told = outcome(state)
    assert told is not None
    found: dict[str, int] = told["refusals"]
    return found


def test_the_same_seed_is_the_same_episode_and_another_seed_another() -> None:
    for scenario in CONTENT.scenarios:
        first = events_of(config(scenario=scenario, seed=3))
        assert first == events_of(config(scenario=scenario, seed=3))
        assert first != events_of(config(scenario=scenario, seed=4))


@pytest.mark.parametrize("seed", range(12))
def test_turns_alternate_tension_stays_in_bounds_and_every_third_turn_has_its_headline(seed: int) -> None:
    events = events_of(config(seed=seed))
    turns = [event for event in events if isinstance(event, TurnTaken)]
    assert [turn.turn for turn in turns] == list(range(1, len(turns) + 1))
    assert all(turn.speaker == "ab"[(turn.turn - 1) % 2] and 1 <= turn.tension <= 10 for turn in turns)
    assert len(turns) <= 20
    news = sum(isinstance(event, Injected) for event in events)
    assert news == (len(turns) - 1) // 3  # none after the last turn
    assert isinstance(events[-1], Ended)
    assert all(-5 <= score <= 5 for score in events[-1].scores.values())


def test_two_signatures_in_a_row_of_the_same_terms_are_a_deal() -> None:
    def answer(ask: AskModel) -> Any:
        return proposal(state_mutations=DEAL if ask.seat == "a" else [], propose_resolution=True)

    state, _ = played(config(minds=MODELS), answer)
    assert state.end is not None
    assert (state.end.reason, state.turn_number) == ("agreement", 2)


def test_whoever_changes_the_terms_signs_anew_and_nobody_is_bound_to_what_it_has_not_seen() -> None:
    def answer(ask: AskModel) -> Any:
        mine = [change("split.quay", 100 if ask.seat == "a" else 0), *DEAL[1:]]
        return proposal(state_mutations=mine, propose_resolution=True)

    state, _ = played(config(minds=MODELS), answer)
    assert state.end is not None
    assert (state.end.reason, state.turn_number) == ("timeout", 20)
    assert state.end.scores == {"a": -3, "b": -3}


def test_a_guest_that_speaks_in_between_does_not_clear_a_signature() -> None:
    guest = Guest(
        profile="g",
        archetype="validator",
        prompt="Keep the record.",
        every=1,
        paths=("mediation.record",),
        speaks="restate",
    )

    def answer(ask: AskModel) -> Any:
        return proposal(state_mutations=DEAL if ask.seat == "a" else [], propose_resolution=True)

    state, events = played(config(minds=MODELS, guests=(guest,)), answer)
    assert [event.speaker for event in events if isinstance(event, TurnTaken)] == ["a", "g", "b"]
    assert state.end is not None
    assert state.end.reason == "agreement"


def test_walking_out_ends_it_and_costs_the_one_who_walks_more() -> None:
    state, _ = played(config(minds=MODELS), lambda ask: proposal(abort_episode=ask.seat == "b"))
    assert state.end is not None
    assert (state.end.reason, state.end.scores) == ("abort_episode", {"a": -3, "b": -5})


def test_two_lost_turns_void_the_episode_and_the_judge_is_not_asked() -> None:
    roles: list[str] = []

    def answer(ask: AskModel) -> Any:
        roles.append(ask.role)
        return "not an object"

    state, events = played(config(minds=MODELS, judge="model"), answer)
    assert state.end is not None
    assert (state.end.reason, state.end.scores) == ("corrupted", {"a": -5, "b": -5})
    assert [type(event) for event in events[1:]] == [TurnLost, TurnLost, Ended]
    assert roles == [prompts.ACTOR] * 6  # three tries a turn
    assert refusals(state) == {"proposal": 6}


def test_a_created_agent_that_cannot_be_understood_loses_nobody_a_turn() -> None:
    guest = Guest(profile="g", archetype="broker", prompt="Help.", every=1, paths=(), mind="model")

    def answer(ask: AskModel) -> Any:
        return "not an object" if ask.role == prompts.GUEST else proposal(abort_episode=ask.seat == "b")

    state, events = played(config(minds=MODELS, guests=(guest,)), answer)
    assert [event.speaker for event in events if isinstance(event, TurnTaken | TurnLost)] == ["a", "g", "b"]
    assert (state.lost, refusals(state)) == (0, {"proposal": 1})


def test_the_second_try_is_told_what_was_wrong_with_the_first() -> None:
    asked: list[AskModel] = []

    def answer(ask: AskModel) -> Any:
        asked.append(ask)
        return proposal(abort_episode=True) if len(asked) > 1 else {"public_dialogue": "Hm."}

    played(config(minds=MODELS), answer)
    assert asked[0].objections is UNSET
    assert isinstance(asked[1].objections, tuple)
    (objection,) = asked[1].objections
    assert "a proposal has a monologue" in objection.reason
    assert "Hm." in objection.answer


def test_a_prompt_has_a_system_message_that_stays_real_turns_the_newest_words_and_one_instruction() -> None:
    asked: list[AskModel] = []

    def answer(ask: AskModel) -> Any:
        asked.append(ask)
        return proposal(public_dialogue=f"{ask.seat} speaks for the {len(asked)}th time.")

    played(config(minds=MODELS), answer)
    assert {section.texts[0] for ask in asked[:2] for section in ask.sections if section.form == "newest"} == {
        CONTENT.scenarios["harbour"].opening,
        "[turn 1] Upper Ness: a speaks for the 1th time.",
    }
    for side in ("a", "b"):
        mine = [ask for ask in asked if ask.seat == side]
        system = {tuple(s.texts for s in ask.sections if s.stable) for ask in mine}
        assert len(system) == 1  # byte by byte the same from turn to turn
        last = {section.name: section for section in mine[-1].sections}
        assert last["recent"].own == (False, True)
        assert [s.form for s in mine[-1].sections].count("moment") == 1


def test_fifty_thousand_tokens_are_the_limit() -> None:
    wordy = proposal(public_dialogue="wordy " * 330, internal_monologue="x" * 2000)
    state, _ = played(config(minds=MODELS), lambda ask: wordy)
    assert state.end is not None
    assert (state.end.reason, state.end.scores) == ("token_limit", {"a": -5, "b": -5})
    assert state.tokens >= 50_000
    assert state.turn_number < 20


def test_a_path_without_permission_is_refused_recorded_and_costs_a_point_each() -> None:
    wanted = [change("season", "winter"), change("remarks.lower", "x"), *DEAL]

    def answer(ask: AskModel) -> Any:
        return proposal(state_mutations=wanted if ask.seat == "a" else [], propose_resolution=True)

    state, events = played(config(minds=MODELS), answer)
    first = next(event for event in events if isinstance(event, TurnTaken))
    assert state.variables["season"] == "spring"
    assert [one.path for one in first.mutations] == ["split.quay", "split.storage", "split.dredging"]
    assert sum("not yours" in why for why in first.refused) == 2
    assert state.denied == {"a": 2, "b": 0}
    assert refusals(state) == {"path": 2}
    clean, _ = played(
        config(minds=MODELS),
        lambda ask: proposal(state_mutations=DEAL if ask.seat == "a" else [], propose_resolution=True),
    )
    assert state.end is not None
    assert clean.end is not None
    assert state.end.scores["a"] == max(-5, clean.end.scores["a"] - 2)
    assert state.end.scores["b"] == clean.end.scores["b"]


def test_modify_needs_something_there_and_add_makes_its_parents() -> None:
    variables = {"split": {"quay": 1}, "plain": 3}
    assert changed(variables, StateMutation(action="modify", path="split.crane", value=1)) is None
    assert changed(variables, StateMutation(action="modify", path="other.crane", value=1)) is None
    assert changed(variables, StateMutation(action="add", path="plain.below", value=1)) is None
    made = changed(variables, StateMutation(action="add", path="new.deep.path", value=1))
    assert made == {**variables, "new": {"deep": {"path": 1}}}
    assert variables == {"split": {"quay": 1}, "plain": 3}


def test_a_created_agent_can_neither_resolve_nor_abort_nor_change_two_things() -> None:
    guest = Guest(
        profile="g", archetype="broker", prompt="Help.", every=1, paths=("mediation.suggestion",), mind="model"
    )

    def answer(ask: AskModel) -> Any:
        if ask.role == prompts.GUEST:
            both = [change("mediation.suggestion", 3, "add"), change("split.quay", 0)]
            return proposal(state_mutations=both, propose_resolution=True, abort_episode=True)
        return proposal(abort_episode=ask.seat == "b")

    state, events = played(config(minds=MODELS, guests=(guest,)), answer)
    spoken = next(event for event in events if isinstance(event, TurnTaken) and event.speaker == "g")
    assert not spoken.propose_resolution
    assert not spoken.abort_episode
    assert [one.path for one in spoken.mutations] == ["mediation.suggestion"]
    assert len(spoken.refused) == 3
    assert refusals(state) == {"created_agent": 3}
    assert state.end is not None
    assert state.end.reason == "abort_episode"  # b's own doing, in the turn after


def test_a_judges_answer_out_of_range_is_refused_counted_and_made_up_for_by_the_rubric() -> None:
    def answer(ask: AskModel) -> Any:
        if ask.role == prompts.JUDGE:
            return {"a": 7, "b": 1, "rationale": "Splendid."}
        return proposal(state_mutations=DEAL if ask.seat == "a" else [], propose_resolution=True)

    state, _ = played(config(minds=MODELS, judge="model"), answer)
    by_rubric, _ = played(config(minds=MODELS), answer)
    assert state.end is not None
    assert by_rubric.end is not None
    assert state.end.refused_judgements == 3
    assert refusals(state) == {"judgement": 3}
    assert state.end.scores == by_rubric.end.scores


def test_a_judges_answer_within_range_is_taken_with_its_reason() -> None:
    def answer(ask: AskModel) -> Any:
        if ask.role == prompts.JUDGE:
            assert all("thought" not in text.casefold() for section in ask.sections for text in section.texts[:1])
            return {"a": 4, "b": -2, "rationale": "One of them slept."}
        return proposal(state_mutations=DEAL if ask.seat == "a" else [], propose_resolution=True)

    state, _ = played(config(minds=MODELS, judge="model"), answer)
    assert state.end is not None
    assert state.end.scores == {"a": 4, "b": -2}
    assert state.end.rationale.words is not None


@pytest.mark.parametrize(
    "answer",
    [
        Failed("away"),
        "text",
        [],
        {},
        proposal(public_dialogue="  "),
        proposal(state_mutations=[{"action": "delete", "path": "x", "value": 1}]),
        proposal(state_mutations=[{"action": "add", "path": "x", "value": 1, "as": "root"}]),
        proposal(propose_resolution="yes"),
        proposal(public_dialogue="x" * 2001),
    ],
)
def test_what_is_no_proposal_is_none_and_the_sentence_says_why(answer: Any) -> None:
    found = read_proposal(answer)
    assert isinstance(found, str)
    assert found


def test_what_is_a_proposal_is_one() -> None:
    found = read_proposal(proposal(state_mutations=[change("split.quay", 50)]))
    assert isinstance(found, ActionProposal)
    assert found.state_mutations == (StateMutation(action="modify", path="split.quay", value=50),)


@pytest.mark.parametrize(
    "answer",
    [
        Failed("away"),
        {"a": 6, "b": 0, "rationale": "x"},
        {"a": True, "b": 0, "rationale": "x"},
        {"a": 1.5, "b": 0, "rationale": "x"},
        {"a": 1, "b": 0, "rationale": " "},
        {"a": 1, "b": 0},
    ],
)
def test_what_is_no_judgement_is_none(answer: Any) -> None:
    assert isinstance(read_judgement(answer), str)


def test_an_actor_sees_its_own_goals_and_thoughts_and_never_the_others() -> None:
    asked: list[AskModel] = []

    def answer(ask: AskModel) -> Any:
        asked.append(ask)
        return proposal(internal_monologue=f"the secret thought of {ask.seat}")

    played(config(minds=MODELS), answer)
    scenario = CONTENT.scenarios["harbour"]
    for ask in asked:
        text = "\n".join(text for section in ask.sections for text in section.texts)
        mine, theirs = ("a", "b") if ask.seat == "a" else ("b", "a")
        assert scenario.actors[mine].goals in text  # type: ignore[index]
        assert scenario.actors[theirs].goals not in text  # type: ignore[index]
        assert f"the secret thought of {theirs}" not in text


def test_context_has_three_tiers_and_the_last_two_thoughts_of_ones_own() -> None:
    asked: list[AskModel] = []

    def answer(ask: AskModel) -> Any:
        asked.append(ask)
        return proposal()

    played(config(minds=MODELS), answer)
    last = {section.name: section.texts for section in asked[-1].sections}
    assert len(last["recent"]) + len(last["said"]) == 3
    assert len(last["before"]) == 7
    assert len(last["long_ago"]) == 1
    assert len(last["thoughts"]) == 2


def test_the_rubric_gives_more_for_more_and_never_leaves_its_range() -> None:
    rubric = CONTENT.scenarios["harbour"].rubric
    scores = [rubric.of_deal(share / 100) for share in range(-100, 101)]
    assert scores == sorted(scores)
    assert (scores[0], scores[-1]) == (-5, 5)


def test_a_broker_cools_the_room() -> None:
    broker = Guest(
        profile="g", archetype="intermediary_broker", prompt="Help.", every=2, paths=("mediation.suggestion",)
    )
    cooler = 0
    for seed in range(10):
        with_it = end_of(config("auctioneer", "smuggler", seed=seed, scenario="border", guests=(broker,)))
        without = end_of(config("auctioneer", "smuggler", seed=seed, scenario="border"))
        cooler += tension(with_it.variables) <= tension(without.variables)
    assert cooler >= 8
