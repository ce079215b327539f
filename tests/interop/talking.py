"""A conversation of an ADK runner in a process of its own: ``… -m tests.interop.talking HOUSE FLAG WORD MESSAGE…``.

It goes on wherever the stored session stands: an invocation that was cut short is resumed, then the messages that were
not said yet are said.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import Any

from google.adk.agents.llm_agent import LlmAgent
from google.adk.apps.app import App, ResumabilityConfig
from google.adk.runners import Runner
from google.adk.tools.tool_context import ToolContext
from google.genai import types

import greenroom
from greenroom.integrations.adk import HouseArtifactService, HouseMemoryService, HouseSessionService
from tests.interop.scripted import Scripted, die_once, dying, texts

HERE = {"user_id": "ada", "session_id": "evening"}


async def talk(place: str, flag: Path, word: str, messages: list[str]) -> None:
    async def light(lamp: int, tool_context: ToolContext) -> dict[str, Any]:
        """Light a lamp."""
        if word == "tool":
            die_once(flag)
        tool_context.state["lamp"] = lamp
        tool_context.state["user:lamps"] = tool_context.state.get("user:lamps", 0) + 1
        await tool_context.save_artifact("lamp.txt", types.Part(text=f"lamp {lamp}"))
        return {"lit": lamp}

    async with greenroom.open(place, plugins=(), work=False) as house:
        model = Scripted(model="scripted", answer=partial(dying, flag=flag, word=word))
        keeper = LlmAgent(name="keeper", model=model, tools=[light])
        app = App(name="inn", root_agent=keeper, resumability_config=ResumabilityConfig(is_resumable=True))
        sessions = HouseSessionService(house)
        runner = Runner(
            app=app,
            session_service=sessions,
            memory_service=HouseMemoryService(house),
            artifact_service=HouseArtifactService(house),
            auto_create_session=True,
        )
        await resume(runner, sessions)
        told = await sessions.get_session(app_name="inn", **HERE)
        said = 0 if told is None else len(texts([e.content for e in told.events if e.author == "user"], "user"))
        for message in messages[said:]:
            content = types.Content(role="user", parts=[types.Part(text=message)])
            async for _ in runner.run_async(**HERE, new_message=content):
                pass
        await runner.memory_service.add_session_to_memory(await sessions.get_session(app_name="inn", **HERE))


async def resume(runner: Any, sessions: Any) -> None:
    """Finish an invocation whose last event is no last word of the agent."""
    told = await sessions.get_session(app_name="inn", **HERE)
    if told is None or not told.events:
        return
    last = told.events[-1]
    if last.is_final_response() and last.author == "keeper":
        return
    async for _ in runner.run_async(**HERE, invocation_id=last.invocation_id):
        pass


if __name__ == "__main__":
    asyncio.run(talk(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:]))
