"""ADK's session contract: what its base class and its own services promise, on theirs and on ours.

A test that takes ``service`` holds for every service of the package too, so that nothing here is our own idea of ADK; a
test that takes ``ours`` is about what those services do not agree on.
"""

from __future__ import annotations

import asyncio
import copy
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="ADK's sessions in a house: run 'make interop'")

from google.adk.errors import StaleSessionError
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.session import Session
from google.adk.tools.tool_confirmation import ToolConfirmation
from google.genai import types

INN = {"app_name": "inn", "user_id": "ada"}


async def stored(service: Any, session: Any, **config: Any) -> Any:
    """The session as it is read again."""
    found = await service.get_session(
        app_name=session.app_name,
        user_id=session.user_id,
        session_id=session.id,
        config=GetSessionConfig(**config) if config else None,
    )
    assert found is not None
    return found


def said(text: str = "hello", **more: Any) -> Any:
    content = types.Content(role="user", parts=[types.Part(text=text)])
    return Event(**({"author": "user", "invocation_id": "i", "content": content} | more))


def changing(**delta: Any) -> Any:
    """An event that changes the state; the first underscore of a name is the colon of its scope."""
    scoped = {k.replace("_", ":", 1) if k.split("_")[0] in ("app", "user", "temp") else k: v for k, v in delta.items()}
    return said(actions=EventActions(state_delta=scoped))


# making, finding, listing, deleting


async def test_a_session_that_is_not_there_is_none(service: Any) -> None:
    assert await service.get_session(**INN, session_id="unknown") is None


async def test_a_session_is_found_equal_to_what_was_made(service: Any) -> None:
    made = await service.create_session(**INN, state={"lamp": "lit"})
    assert (made.app_name, made.user_id, made.state, made.events) == ("inn", "ada", {"lamp": "lit"}, [])
    assert made.id.strip()
    assert abs(made.last_update_time - time.time()) < 60
    assert await stored(service, made) == made


async def test_ids_are_made_and_all_different(service: Any) -> None:
    assert len({(await service.create_session(**INN)).id for _ in range(20)}) == 20


async def test_an_id_is_taken_as_given(service: Any) -> None:
    assert (await service.create_session(**INN, session_id="a/b:c é")).id == "a/b:c é"


async def test_an_id_that_is_taken_is_refused_and_the_session_stays(service: Any) -> None:
    await service.create_session(**INN, session_id="s", state={"n": 1, "user:n": 1, "app:n": 1})
    with pytest.raises(AlreadyExistsError):
        await service.create_session(**INN, session_id="s", state={"n": 2, "user:n": 2, "app:n": 2})
    found = await service.get_session(**INN, session_id="s")
    assert found.state == {"n": 1, "user:n": 1, "app:n": 1}


async def test_one_id_stands_for_another_session_with_another_user_or_app(service: Any) -> None:
    mine = await service.create_session(**INN, session_id="s")
    await service.append_event(mine, said())
    for place in ({"app_name": "inn", "user_id": "bob"}, {"app_name": "bar", "user_id": "ada"}):
        assert await service.get_session(**place, session_id="s") is None
        other = await service.create_session(**place, session_id="s")
        assert (await stored(service, other)).events == []
        await service.delete_session(**place, session_id="s")
    assert len((await stored(service, mine)).events) == 1


async def test_sessions_are_listed_with_their_state_and_without_events(service: Any) -> None:
    for n in range(5):
        made = await service.create_session(**INN, session_id=f"s{n}", state={"n": n, "app:a": 1, "user:u": 2})
        await service.append_event(made, said())
    listed = (await service.list_sessions(**INN)).sessions
    assert {one.id: one.state["n"] for one in listed} == {f"s{n}": n for n in range(5)}
    assert all(one.state["app:a"] == 1 and one.state["user:u"] == 2 for one in listed)
    assert [one.events for one in listed] == [[]] * 5


async def test_the_session_used_last_is_listed_last(service: Any) -> None:
    made = [await service.create_session(**INN, session_id=name) for name in ("a", "b", "c")]
    await service.append_event(made[0], said(timestamp=made[2].last_update_time + 5))
    assert [one.id for one in (await service.list_sessions(**INN)).sessions] == ["b", "c", "a"]


async def test_sessions_of_one_moment_are_listed_by_user_and_id(service: Any) -> None:
    for user, id in (("bob", "a"), ("ada", "b"), ("ada", "a")):
        made = await service.create_session(app_name="inn", user_id=user, session_id=id)
        await service.append_event(made, said(timestamp=2_000_000_000.0))
    listed = (await service.list_sessions(app_name="inn")).sessions
    assert [(one.user_id, one.id) for one in listed] == [("ada", "a"), ("ada", "b"), ("bob", "a")]


async def test_without_a_user_those_of_all_are_listed_each_with_their_own_state(service: Any) -> None:
    for user in ("ada", "bob"):
        await service.create_session(app_name="inn", user_id=user, state={"user:name": user, "s": user})
    await service.create_session(app_name="bar", user_id="ada")
    listed = (await service.list_sessions(app_name="inn", user_id=None)).sessions
    assert {one.user_id: one.state for one in listed} == {
        user: {"user:name": user, "s": user} for user in ("ada", "bob")
    }
    assert [one.user_id for one in (await service.list_sessions(app_name="inn", user_id="bob")).sessions] == ["bob"]


async def test_an_unknown_app_or_user_has_no_sessions(service: Any) -> None:
    await service.create_session(**INN)
    assert (await service.list_sessions(app_name="nowhere")).sessions == []
    assert (await service.list_sessions(app_name="inn", user_id="nobody")).sessions == []
    assert (await service.list_sessions(app_name="inn", user_id="")).sessions == []


async def test_a_deleted_session_is_gone_with_its_events_and_leaves_what_is_shared(service: Any) -> None:
    made = await service.create_session(**INN, session_id="s", state={"user:u": 1, "app:a": 1, "s": 1})
    await service.append_event(made, said())
    await service.delete_session(**INN, session_id="s")
    assert await service.get_session(**INN, session_id="s") is None
    again = await service.create_session(**INN, session_id="s")
    assert again.state == {"user:u": 1, "app:a": 1}
    assert (await stored(service, again)).events == []


async def test_deleting_what_is_not_there_does_nothing(service: Any) -> None:
    made = await service.create_session(**INN, session_id="s")
    for place in (INN | {"session_id": "t"}, INN | {"user_id": "bob", "session_id": "s"}):
        await service.delete_session(**place)
    assert await stored(service, made) == made


# state


async def test_the_state_of_an_app_is_shared_by_all_its_users(service: Any) -> None:
    one = await service.create_session(**INN, state={"app:a": 1})
    await service.append_event(one, changing(app_b=2))
    other = await service.create_session(app_name="inn", user_id="bob")
    assert other.state == {"app:a": 1, "app:b": 2}
    assert (await stored(service, one)).state == {"app:a": 1, "app:b": 2}
    assert (await service.create_session(app_name="bar", user_id="ada")).state == {}


async def test_the_state_of_a_user_is_shared_by_their_sessions_alone(service: Any) -> None:
    one = await service.create_session(**INN, state={"user:a": 1})
    await service.append_event(one, changing(user_b=2))
    assert (await service.create_session(**INN)).state == {"user:a": 1, "user:b": 2}
    assert (await service.create_session(app_name="inn", user_id="bob")).state == {}


async def test_the_state_of_a_session_is_shared_with_none(service: Any) -> None:
    one = await service.create_session(**INN, state={"a": 1})
    await service.append_event(one, changing(b=2))
    assert (await stored(service, one)).state == {"a": 1, "b": 2}
    assert (await service.create_session(**INN)).state == {}


async def test_a_name_that_only_looks_scoped_is_the_sessions_own(service: Any) -> None:
    one = await service.create_session(**INN, state={"session:a": 1, "apps:b": 2, "App:c": 3})
    assert one.state == {"session:a": 1, "apps:b": 2, "App:c": 3}
    assert (await service.create_session(**INN)).state == {}


async def test_what_is_temporary_stays_on_the_object_and_in_no_event(service: Any) -> None:
    one = await service.create_session(**INN)
    event = changing(temp_out="x", kept="y")
    await service.append_event(one, event)
    assert one.state == {"temp:out": "x", "kept": "y"}
    assert event.actions.state_delta == {"kept": "y"}
    again = await stored(service, one)
    assert again.state == {"kept": "y"}
    assert again.events[0].actions.state_delta == {"kept": "y"}


async def test_what_is_temporary_at_the_beginning_is_not_kept_at_all(service: Any) -> None:
    one = await service.create_session(**INN, state={"temp:a": 1, "b": 2})
    assert one.state == (await stored(service, one)).state == {"b": 2}


@pytest.mark.parametrize("scope", ["", "app:", "user:"])
async def test_a_value_replaces_another_whole(service: Any, scope: str) -> None:
    name = f"{scope}profile"
    one = await service.create_session(**INN, state={name: {"name": "ada", "role": "keeper"}})
    event = said(actions=EventActions(state_delta={name: {"name": "bob"}}))
    await service.append_event(one, event)
    assert one.state == (await stored(service, one)).state == {name: {"name": "bob"}}


@pytest.mark.parametrize("scope", ["", "app:", "user:"])
async def test_none_is_a_value(service: Any, scope: str) -> None:
    one = await service.create_session(**INN, state={f"{scope}flag": True})
    await service.append_event(one, said(actions=EventActions(state_delta={f"{scope}flag": None})))
    assert one.state == (await stored(service, one)).state == {f"{scope}flag": None}


async def test_values_keep_their_types_while_others_change(service: Any) -> None:
    state = {"no": False, "whole": 1, "part": 0.1 + 0.2, "large": 1 << 60, "text": "ß\n", "deep": {"a": [1, None, {}]}}
    one = await service.create_session(**INN, state=state)
    await service.append_event(one, changing(yes=True))
    again = (await stored(service, one)).state
    assert again == state | {"yes": True}
    assert [type(again[name]) for name in state] == [type(value) for value in state.values()]
    assert again["yes"] is True
    assert again["no"] is False


async def test_the_state_of_a_user_can_be_read_without_a_session(service: Any) -> None:
    assert await service.get_user_state(**INN) == {}
    one = await service.create_session(**INN)
    await service.append_event(one, changing(user_profile={"name": "Ada"}, own=1, app_a=2))
    assert await service.get_user_state(**INN) == {"profile": {"name": "Ada"}}
    await service.append_event(one, changing(user_profile=2))
    assert await service.get_user_state(**INN) == {"profile": 2}
    assert await service.get_user_state(app_name="inn", user_id="bob") == {}
    assert await service.get_user_state(app_name="bar", user_id="ada") == {}


async def test_what_was_read_is_a_copy(service: Any) -> None:
    one = await service.create_session(**INN, state={"a": [1], "user:u": [1], "app:a": [1]})
    for read in (one, await stored(service, one), (await service.list_sessions(**INN)).sessions[0]):
        for value in read.state.values():
            value.append(2)
        read.state["new"] = 1
    (await service.get_user_state(**INN))["u"].append(2)
    assert (await stored(service, one)).state == {"a": [1], "user:u": [1], "app:a": [1]}


# events


async def test_an_event_is_put_on_the_object_and_stored(service: Any) -> None:
    one = await service.create_session(**INN)
    event = said("who is there?")
    assert await service.append_event(session=one, event=event) is event
    assert one.events == [event]
    assert (await stored(service, one)).events == [event]


async def test_every_field_of_an_event_comes_back(service: Any) -> None:
    one = await service.create_session(**INN)
    event = Event(
        author="keeper",
        invocation_id="i1",
        branch="a.b",
        content=types.Content(role="model", parts=[types.Part(text="hm"), types.Part(text="so", thought=True)]),
        turn_complete=True,
        partial=False,
        interrupted=True,
        error_code="E",
        error_message="nothing serious",
        long_running_tool_ids={"t1", "t2"},
        custom_metadata={"a": [1, {"b": None}]},
        grounding_metadata=types.GroundingMetadata(web_search_queries=["lamps"]),
        usage_metadata=types.GenerateContentResponseUsageMetadata(prompt_token_count=3, total_token_count=5),
        citation_metadata=types.CitationMetadata(),
        input_transcription=types.Transcription(text="in", finished=True),
        output_transcription=types.Transcription(text="out", finished=False),
        actions=EventActions(artifact_delta={"map": 2}, transfer_to_agent="other", escalate=True),
        timestamp=1_700_000_000.123,
    )  # fmt: skip
    await service.append_event(one, event)
    assert await stored(service, one) == one
    assert (await stored(service, one)).events == [event]


async def test_bytes_come_back_as_bytes(service: Any) -> None:
    one = await service.create_session(**INN)
    data = bytes(range(256))
    content = types.Content(role="user", parts=[types.Part.from_bytes(data=data, mime_type="image/png")])
    grounding = types.GroundingMetadata(search_entry_point=types.SearchEntryPoint(sdk_blob=data))
    await service.append_event(one, said(content=content, grounding_metadata=grounding))
    (event,) = (await stored(service, one)).events
    assert event.content.parts[0].inline_data.data == data
    assert event.grounding_metadata.search_entry_point.sdk_blob == data


async def test_calls_answers_and_confirmations_come_back(service: Any) -> None:
    one = await service.create_session(**INN)
    parts = [
        types.Part(function_call=types.FunctionCall(id="c", name="light", args={"lamp": 1, "deep": {"a": [None]}})),
        types.Part(function_response=types.FunctionResponse(id="c", name="light", response={"lit": True})),
    ]
    asked = {"c": ToolConfirmation(hint="sure?", confirmed=False, payload={"lamp": 1})}
    event = said(content=types.Content(parts=parts), actions=EventActions(requested_tool_confirmations=asked))
    await service.append_event(one, event)
    assert (await stored(service, one)).events == [event]


async def test_a_partial_event_is_given_back_and_leaves_no_trace(service: Any) -> None:
    one = await service.create_session(**INN)
    event = changing(a=1, user_b=2, temp_c=3)
    event.partial = True
    assert await service.append_event(one, event) is event
    assert (one.events, one.state) == ([], {})
    assert await stored(service, one) == one
    assert await service.get_user_state(**INN) == {}


async def test_a_session_is_as_old_as_its_last_event_whatever_the_clock_says(service: Any) -> None:
    one = await service.create_session(**INN)
    for at in (one.last_update_time + 1000, 1_700_000_000.5, 86_400.0):
        await service.append_event(one, said(timestamp=at))
        assert one.last_update_time == pytest.approx(at, abs=1e-6)
        assert (await stored(service, one)).last_update_time == pytest.approx(at, abs=1e-6)


@pytest.fixture
def autumn() -> Iterator[None]:
    """A place where an hour comes twice in the night of 3 November 2024."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "America/New_York"
    time.tzset()
    yield
    os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
    time.tzset()


@pytest.mark.usefixtures("autumn")
async def test_an_hour_that_comes_twice_is_told_apart(service: Any) -> None:
    one = await service.create_session(**INN)
    twice = [datetime(2024, 11, 3, 5, 30, tzinfo=UTC).timestamp(), datetime(2024, 11, 3, 6, 30, tzinfo=UTC).timestamp()]
    for at in twice:
        await service.append_event(one, said(timestamp=at))
    assert [event.timestamp for event in (await stored(service, one)).events] == twice


async def test_moments_are_kept_to_the_microsecond(service: Any) -> None:
    one = await service.create_session(**INN)
    moments = [1_700_000_000.000001, 1_700_000_000.000002, 1_700_000_000.999999]
    for at in moments:
        await service.append_event(one, said(timestamp=at))
    assert [event.timestamp for event in (await stored(service, one)).events] == moments
    assert [e.timestamp for e in (await stored(service, one, after_timestamp=moments[1])).events] == moments[1:]


async def five(service: Any) -> Any:
    one = await service.create_session(**INN)
    for n in range(1, 6):
        await service.append_event(one, said(str(n), timestamp=1_700_000_000.0 + n))
    return one


@pytest.mark.parametrize(
    ("config", "wanted"),
    [
        ({}, "12345"),
        ({"num_recent_events": 3}, "345"),
        ({"num_recent_events": 0}, ""),
        ({"num_recent_events": 9}, "12345"),
        ({"after_timestamp": 1_700_000_004.0}, "45"),
        ({"after_timestamp": 1_700_000_003.5}, "45"),
        ({"after_timestamp": 1_800_000_000.0}, ""),
        ({"after_timestamp": 0.0}, "12345"),
        ({"num_recent_events": 3, "after_timestamp": 1_700_000_004.0}, "45"),
        ({"num_recent_events": 1, "after_timestamp": 1_700_000_002.0}, "5"),
        ({"num_recent_events": 0, "after_timestamp": 1_700_000_002.0}, ""),
    ],
)
async def test_a_config_chooses_among_the_events(service: Any, config: dict[str, Any], wanted: str) -> None:
    found = await stored(service, await five(service), **config)
    assert "".join(event.content.parts[0].text for event in found.events) == wanted


async def test_a_session_read_in_part_can_be_appended_to(service: Any) -> None:
    part = await stored(service, await five(service), num_recent_events=2)
    await service.append_event(part, said("6", timestamp=1_700_000_006.0))
    assert len(part.events) == 3
    assert len((await stored(service, part)).events) == 6


async def test_an_event_cannot_be_appended_to_a_session_that_is_not_stored(service: Any) -> None:
    one = await service.create_session(**INN)
    await service.delete_session(**INN, session_id=one.id)
    with pytest.raises(SessionNotFoundError):
        await service.append_event(one, changing(user_u=1))
    assert one.events == []
    assert await service.get_user_state(**INN) == {}
    with pytest.raises(ValueError, match="not found"):
        await service.append_event(Session(id="never", **INN), said())


# what ADK's own services do not agree on: ours keeps each of their promises


async def test_an_id_loses_the_blanks_around_it_wherever_it_is_given(ours: Any) -> None:
    made = await ours.create_session(**INN, session_id="order-42\n", state={"cart": "book"})
    assert made.id == "order-42"
    with pytest.raises(AlreadyExistsError):
        await ours.create_session(**INN, session_id="  order-42 ")
    assert (await ours.get_session(**INN, session_id=" order-42\t")).state == {"cart": "book"}
    await ours.delete_session(**INN, session_id="order-42\n")
    assert await ours.get_session(**INN, session_id="order-42") is None


@pytest.mark.parametrize("blank", [None, "", "   ", "\n"])
async def test_no_id_and_a_blank_one_are_the_same(ours: Any, blank: str | None) -> None:
    assert (await ours.create_session(**INN, session_id=blank)).id.strip()


async def test_an_event_that_is_delivered_twice_is_stored_once(ours: Any) -> None:
    one = await ours.create_session(**INN)
    event = changing(counter=1)
    for again in (event, event, event.model_copy(deep=True)):
        await ours.append_event(one, again)
    found = await stored(ours, one)
    assert (len(found.events), found.state, len(one.events)) == (1, {"counter": 1}, 1)


async def test_different_events_of_one_id_are_both_stored(ours: Any) -> None:
    one = await ours.create_session(**INN)
    for author in ("user", "keeper"):
        await ours.append_event(one, said(id="same", author=author))
    assert [event.author for event in (await stored(ours, one)).events] == ["user", "keeper"]


async def test_events_of_one_moment_stay_in_the_order_in_which_they_came(ours: Any) -> None:
    one = await ours.create_session(**INN)
    for id in "zam":
        await ours.append_event(one, said(id=id, timestamp=100.0))
    assert "".join(event.id for event in (await stored(ours, one)).events) == "zam"
    assert "".join(event.id for event in (await stored(ours, one, num_recent_events=2)).events) == "am"


async def test_whoever_does_not_know_the_last_event_is_refused_and_nothing_is_written(ours: Any) -> None:
    one = await ours.create_session(**INN)
    stale = await stored(ours, one)
    await ours.append_event(one, changing(a=1))
    before = copy.deepcopy(stale)
    with pytest.raises(StaleSessionError, match="modified in storage") as refusal:
        await ours.append_event(stale, changing(a=2, user_b=2, app_c=2))
    assert isinstance(refusal.value, ValueError)
    assert stale == before
    found = await stored(ours, one)
    assert (len(found.events), found.state) == (1, {"a": 1})


async def test_that_holds_even_where_both_events_have_one_moment(ours: Any) -> None:
    one = await ours.create_session(**INN)
    stale = one.model_copy(deep=True)
    await ours.append_event(one, said(timestamp=one.last_update_time))
    with pytest.raises(StaleSessionError):
        await ours.append_event(stale, said(timestamp=one.last_update_time))


async def test_of_two_who_append_at_once_one_is_refused_every_time(ours: Any) -> None:
    one = await ours.create_session(**INN)
    for turn in range(8):
        copies = [(await stored(ours, one)).model_copy(deep=True) for _ in range(2)]
        events = [changing(**{f"t{turn}": n}) for n in range(2)]
        done = await asyncio.gather(*map(ours.append_event, copies, events), return_exceptions=True)
        assert sorted(isinstance(result, StaleSessionError) for result in done) == [False, True]
    found = await stored(ours, one)
    assert (len(found.events), len(found.state)) == (8, 8)


async def test_branches_that_share_an_object_append_at_once(ours: Any) -> None:
    one = await ours.create_session(**INN)
    await asyncio.gather(*(ours.append_event(one, changing(**{f"b{n}": n})) for n in range(10)))
    assert len(one.events) == len((await stored(ours, one)).events) == 10
    assert (await stored(ours, one)).state == {f"b{n}": n for n in range(10)}


async def test_an_object_without_a_marker_goes_by_its_time_and_then_by_its_last_event(ours: Any) -> None:
    one = await ours.create_session(**INN)
    await ours.append_event(one, said(timestamp=one.last_update_time + 10))
    one._storage_update_marker = None
    one.last_update_time -= 0.0001
    await ours.append_event(one, said(timestamp=one.last_update_time + 10))
    stale = await stored(ours, one, num_recent_events=0)
    stale._storage_update_marker = None
    stale.last_update_time -= 0.0001
    with pytest.raises(StaleSessionError):
        await ours.append_event(stale, said())


async def test_a_rounded_time_does_not_make_an_object_stale(ours: Any) -> None:
    one = await ours.create_session(**INN)
    await ours.append_event(one, said())
    one.last_update_time -= 0.0001
    await ours.append_event(one, said())
    assert len((await stored(ours, one)).events) == 2


async def test_a_session_made_anew_is_not_the_old_one(ours: Any) -> None:
    old = await ours.create_session(**INN, session_id="s")
    await ours.delete_session(**INN, session_id="s")
    new = await ours.create_session(**INN, session_id="s")
    with pytest.raises(StaleSessionError):
        await ours.append_event(old, said())
    await ours.append_event(new, said())


async def test_a_value_that_is_no_json_is_kept_by_what_it_is_called(ours: Any) -> None:
    one = await ours.create_session(**INN, state={"made": datetime(2031, 3, 1, tzinfo=UTC)})
    assert one.state["made"].startswith("2031-03-01T00:00:00")
    event = said(actions=EventActions(state_delta={"call": print, "ok": 2}))
    await ours.append_event(one, event)
    found = await stored(ours, one)
    assert found.state["ok"] == 2
    assert "print" in found.state["call"]


async def test_moments_are_kept_to_the_last_bit(ours: Any) -> None:
    one = await ours.create_session(**INN)
    at = 1_700_000_000.1234567
    await ours.append_event(one, said(timestamp=at))
    found = await stored(ours, one)
    assert found.last_update_time == found.events[0].timestamp == one.last_update_time == at
    assert found == one


async def test_a_text_may_hold_any_character(ours: Any) -> None:
    text = "\x00 \uf8fe ' \" \\ 🪔"
    one = await ours.create_session(app_name="inn\x00", user_id="Ädä'", session_id="s\x00t", state={text: text})
    await ours.append_event(one, said(text))
    found = await stored(ours, one)
    assert found.state == {text: text}
    assert found.events[0].content.parts[0].text == text
