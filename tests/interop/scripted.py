"""Models that answer by a rule, for ADK agents."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from greenroom.kernel.chance import Chance


def speaks(text: str) -> Any:
    return types.Content(role="model", parts=[types.Part(text=text)])


def calls(name: str, **args: Any) -> Any:
    return types.Content(role="model", parts=[types.Part(function_call=types.FunctionCall(name=name, args=args))])


class Scripted(BaseLlm):  # type: ignore[misc]
    """Answers with what a function makes of the conversation."""

    answer: Callable[[list[Any]], Any]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        yield LlmResponse(content=self.answer(llm_request.contents))


def texts(contents: list[Any], role: str) -> list[str]:
    return [part.text for content in contents if content.role == role for part in content.parts if part.text]


def answered(contents: list[Any]) -> bool:
    """Whether the newest thing in the conversation is what a tool said."""
    return any(part.function_response for part in contents[-1].parts)


def counting(contents: list[Any]) -> Any:
    """Says how much it has heard, and looks the lamp up first when somebody asks for it."""
    heard = texts(contents, "user")
    if "lamp" in heard[-1] and not answered(contents):
        return calls("light", lamp=len(heard))
    return speaks(f"{len(heard)} heard, the last: {heard[-1]}")


def dying(contents: list[Any], flag: Path, word: str) -> Any:
    """The same, but the process is killed at a word, once."""
    if word in texts(contents, "user")[-1]:
        die_once(flag)
    return counting(contents)


def die_once(flag: Path) -> None:
    """Kill this process, unless that was done before."""
    if not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)


class Chooser:
    """Chooses any of the options that its newest message names; keeps what it was shown."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.shown: list[dict[str, Any]] = []

    def __call__(self, contents: list[Any]) -> Any:
        if answered(contents):
            return speaks("Done.")
        told = texts(contents, "user")[-1]
        self.shown.append(json.loads(told[told.index("{") :]))
        options = self.shown[-1]["options"]
        acts = [option for option in options if option["do"] != "observe"]
        if not {option["do"] for option in acts} <= {"call_emergency_safety", "send_chat_message"}:
            options = acts  # elsewhere to observe is no pass
        option = options[Chance(self._seed, len(self.shown), 0).below(len(options))]
        return calls("choose", option=option["option"], text="I trust nobody yet.")
