"""ADK's memory and artifact services on a house."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="ADK's memories and artifacts in a house: run 'make interop'")

from google.adk.artifacts.in_memory_artifact_service import InMemoryArtifactService
from google.adk.errors.input_validation_error import InputValidationError
from google.adk.events.event import Event
from google.adk.memory.in_memory_memory_service import InMemoryMemoryService
from google.adk.sessions.session import Session
from google.genai import types

from greenroom.integrations.adk import HouseArtifactService, HouseMemoryService

INN: dict[str, Any] = {"app_name": "inn", "user_id": "ada"}
FILE = {**INN, "session_id": "s", "filename": "map.txt"}


@pytest.fixture(params=["ours", "theirs"])
def memories(request: pytest.FixtureRequest, house: Any) -> Any:
    return HouseMemoryService(house) if request.param == "ours" else InMemoryMemoryService()


@pytest.fixture(params=["ours", "theirs"])
def artifacts(request: pytest.FixtureRequest, house: Any) -> Any:
    return HouseArtifactService(house) if request.param == "ours" else InMemoryArtifactService()


def said(id: str, text: str | None, at: float = 1_700_000_000.0) -> Any:
    content = None if text is None else types.Content(role="user", parts=[types.Part(text=text)])
    return Event(id=id, author="user", content=content, timestamp=at)


def a_session(*events: Any, id: str = "s", **place: Any) -> Any:
    return Session(id=id, events=list(events), **(INN | place))


async def found(memories: Any, query: str, **place: Any) -> list[str]:
    response = await memories.search_memory(**(INN | place), query=query)
    return [memory.id for memory in response.memories]


# memories


async def test_what_shares_a_word_with_the_question_is_found(memories: Any) -> None:
    await memories.add_session_to_memory(
        a_session(said("a", "The lamp burns at night"), said("b", "Gulls cry"), said("c", None))
    )
    assert await found(memories, "Where is the LAMP?") == ["a"]
    assert await found(memories, "porridge") == await found(memories, "") == []


async def test_what_shares_more_words_comes_first_and_ten_are_enough(memories: Any) -> None:
    many = [said(f"m{n}", f"lamp number {n}") for n in range(15)]
    await memories.add_session_to_memory(a_session(*many, said("best", "the red lamp in the tower")))
    first, *rest = await found(memories, "red lamp tower")
    assert first == "best"
    assert len(rest) == 9


async def test_a_memory_says_who_said_what_when(memories: Any) -> None:
    await memories.add_session_to_memory(a_session(said("a", "a lamp")))
    (memory,) = (await memories.search_memory(**INN, query="lamp")).memories
    assert (memory.author, memory.content.parts[0].text) == ("user", "a lamp")
    assert memory.timestamp == datetime.fromtimestamp(1_700_000_000.0).isoformat()  # noqa: DTZ006


async def test_memories_are_one_users_in_one_app(memories: Any) -> None:
    await memories.add_session_to_memory(a_session(said("a", "a lamp")))
    assert await found(memories, "lamp", user_id="bob") == await found(memories, "lamp", app_name="bar") == []


async def test_a_session_may_be_added_again_and_in_parts(memories: Any) -> None:
    one = a_session(said("a", "a lamp"))
    await memories.add_session_to_memory(one)
    one.events.append(said("b", "another lamp"))
    await memories.add_session_to_memory(one)
    await memories.add_events_to_memory(**INN, events=[said("b", "another lamp"), said("c", "lamps")], session_id="s")
    await memories.add_events_to_memory(**INN, events=[said("d", "one lamp more")])
    assert sorted(await found(memories, "lamp lamps")) == ["a", "b", "c", "d"]


async def test_a_deleted_memory_is_not_found_and_does_not_come_back(memories: Any) -> None:
    one = a_session(said("a", "a lamp"), said("b", "a lamp too"))
    await memories.add_session_to_memory(one)
    await memories.delete_memory(**INN, memory_id="a")
    await memories.delete_memory(**INN)
    await memories.add_session_to_memory(one)
    assert await found(memories, "lamp") == ["b"]


async def test_words_in_scripts_without_spaces_are_found(memories: Any) -> None:
    await memories.add_session_to_memory(a_session(said("a", "私はPythonを使う"), said("b", "Ñandú")))
    assert await found(memories, "Python") == ["a"]
    assert await found(memories, "ñandú") == ["b"]


# artifacts


async def test_each_save_makes_a_version(artifacts: Any) -> None:
    assert await artifacts.load_artifact(**FILE) is None
    parts = [types.Part(text="one"), types.Part.from_bytes(data=b"\x00two", mime_type="image/png")]
    assert [await artifacts.save_artifact(**FILE, artifact=part) for part in parts] == [0, 1]
    assert await artifacts.load_artifact(**FILE) == parts[1]
    assert await artifacts.load_artifact(**FILE, version=0) == parts[0]
    assert await artifacts.load_artifact(**FILE, version=2) is None
    assert await artifacts.list_versions(**FILE) == [0, 1]
    assert await artifacts.list_versions(**FILE | {"filename": "other"}) == []


async def test_a_file_of_the_user_is_in_every_session(artifacts: Any) -> None:
    for session, name in (("s", "b"), ("s", "a"), ("t", "c"), ("s", "user:u")):
        await artifacts.save_artifact(**INN, session_id=session, filename=name, artifact=types.Part(text=name))
    assert await artifacts.list_artifact_keys(**INN, session_id="s") == ["a", "b", "user:u"]
    assert await artifacts.list_artifact_keys(**INN, session_id="t") == ["c", "user:u"]
    assert await artifacts.list_artifact_keys(**INN) == ["user:u"]
    assert await artifacts.list_artifact_keys(app_name="inn", user_id="bob", session_id="s") == []
    assert (await artifacts.load_artifact(**INN, session_id="t", filename="user:u")).text == "user:u"
    assert (await artifacts.load_artifact(**INN, filename="user:u")).text == "user:u"


async def test_a_deleted_file_is_gone_with_all_its_versions(artifacts: Any) -> None:
    for text in ("one", "two"):
        await artifacts.save_artifact(**FILE, artifact=types.Part(text=text))
    for _ in range(2):
        await artifacts.delete_artifact(**FILE)
    assert await artifacts.load_artifact(**FILE) is None
    assert await artifacts.list_artifact_keys(**INN, session_id="s") == []
    assert await artifacts.save_artifact(**FILE, artifact=types.Part(text="new")) == 0


async def test_a_version_tells_what_it_is(artifacts: Any) -> None:
    meta = {"by": "ada", "tags": [1]}
    await artifacts.save_artifact(**FILE, artifact=types.Part(text="one"), custom_metadata=meta)
    bytes_ = types.Part.from_bytes(data=b"2", mime_type="image/png")
    await artifacts.save_artifact(**FILE, artifact={"inlineData": {"mimeType": "image/png", "data": "Mg=="}})
    first, second = await artifacts.list_artifact_versions(**FILE)
    assert (first.version, first.mime_type, first.custom_metadata) == (0, "text/plain", meta)
    assert (second.version, second.mime_type, second.custom_metadata) == (1, "image/png", {})
    assert first.canonical_uri.endswith("apps/inn/users/ada/sessions/s/artifacts/map.txt/versions/0")
    assert await artifacts.get_artifact_version(**FILE) == second
    assert await artifacts.get_artifact_version(**FILE, version=0) == first
    assert await artifacts.get_artifact_version(**FILE, version=9) is None
    assert await artifacts.load_artifact(**FILE) == bytes_


async def test_what_is_no_file_is_refused(artifacts: Any) -> None:
    with pytest.raises(InputValidationError):
        await artifacts.save_artifact(**FILE, artifact=types.Part(function_call=types.FunctionCall(name="f")))
    for wrong in ({"app_name": "../inn"}, {"user_id": ""}, {"session_id": "/etc"}):
        with pytest.raises(InputValidationError):
            await artifacts.save_artifact(**FILE | wrong, artifact=types.Part(text="x"))
    assert await artifacts.list_artifact_keys(**INN, session_id="s") == []


async def test_a_reference_is_followed_within_its_scope_and_not_for_ever(artifacts: Any) -> None:
    def to(address: str) -> Any:
        return types.Part(file_data=types.FileData(file_uri=f"artifact://apps/inn/users/{address}"))

    await artifacts.save_artifact(**FILE, artifact=types.Part(text="the map"))
    here = FILE | {"filename": "link"}
    await artifacts.save_artifact(**here, artifact=to("ada/sessions/s/artifacts/map.txt/versions/0"))
    assert (await artifacts.load_artifact(**here)).text == "the map"
    with pytest.raises(InputValidationError):
        await artifacts.save_artifact(**here, artifact=to("bob/sessions/s/artifacts/map.txt/versions/0"))
    loop = FILE | {"filename": "loop"}
    await artifacts.save_artifact(**loop, artifact=to("ada/sessions/s/artifacts/loop/versions/0"))
    with pytest.raises(InputValidationError):
        await artifacts.load_artifact(**loop)


async def test_an_empty_part_and_a_rewound_one_load_as_nothing(artifacts: Any) -> None:
    gone = types.Part.from_bytes(data=b"", mime_type="application/octet-stream")
    await artifacts.save_artifact(**FILE, artifact=gone)
    assert await artifacts.load_artifact(**FILE) is None
    assert await artifacts.list_versions(**FILE) == [0]


async def test_without_a_session_a_file_is_the_users(house: Any) -> None:
    ours = HouseArtifactService(house)
    await ours.save_artifact(**INN, filename="plain", artifact=types.Part(text="x"))
    assert await ours.list_artifact_keys(**INN) == ["user:plain"]
    loaded = await ours.load_artifact(**INN, session_id="any", filename="user:plain")
    assert loaded is not None
    assert loaded.text == "x"
