"""A small agent that speaks the Agent Client Protocol over its pipes, in one of several manners.

    python -m tests.worlds.realms.outsider MANNER FILE

``FILE`` gets a line for every life and for every answer that the agent was given.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any


class Outsider:
    """One life of the agent."""

    def __init__(self, manner: str, kept: Path) -> None:
        self.manner = manner
        self.kept = kept
        self._next = 100
        self._cwd = ""
        self.keep("born")

    def keep(self, line: str) -> None:
        with self.kept.open("a") as file:
            file.write(line.replace("\n", " ") + "\n")

    def lives(self) -> int:
        return self.kept.read_text().split("\n").count("born")

    def send(self, **message: Any) -> None:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def hear(self) -> Any:
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        return json.loads(line)

    def ask(self, method: str, **params: Any) -> Any:
        """Ask the client, and wait for its answer."""
        self._next += 1
        self.send(id=self._next, method=method, params={"sessionId": "s", **params})
        while (message := self.hear()).get("id") != self._next or "method" in message:
            pass
        answer = message.get("result", message.get("error"))
        self.keep(f"{method}: {json.dumps(answer)}")
        return answer

    def say(self, text: str, kind: str = "agent_message_chunk") -> None:
        update = {"sessionUpdate": kind, "content": {"type": "text", "text": text}}
        self.send(method="session/update", params={"sessionId": "s", "update": update})

    def run(self) -> None:
        while True:
            message = self.hear()
            match message.get("method"):
                case "initialize":
                    version = 2 if self.manner == "newer" else 1
                    self.send(id=message["id"], result={"protocolVersion": version, "agentCapabilities": {}})
                case "session/new":
                    self._cwd = message["params"]["cwd"]
                    self.send(id=message["id"], result={"sessionId": "s"})
                case "session/prompt":
                    self.prompted(message["params"]["prompt"][0]["text"])
                    self.send(id=message["id"], result={"stopReason": "end_turn"})
                case _:  # session/cancel: it is through with everything by the time it hears that
                    pass

    def prompted(self, prompt: str) -> None:
        getattr(self, self.manner)(prompt)

    # manners

    def act(self, **action: Any) -> None:
        self.say("I look around.", "agent_thought_chunk")
        self.say("Here is what I do: ")
        self.say(f"```json\n{json.dumps(action)}\n```")

    def report(self, prompt: str) -> None:
        """Read a file through the client, pin up what is in it, and be done."""
        if "[post_findings]" in prompt:
            self.act(action="done")
            return
        text = self.ask("fs/read_text_file", path=f"{self._cwd}/main.py", line=1, limit=1)["content"]
        self.act(action="post_findings", findings=[{"finding": f"main.py begins: {text}", "severity": "low"}])

    def talker(self, prompt: str) -> None:
        self.say("I have nothing but words.")

    def dies(self, prompt: str) -> None:
        """Die in the middle of the first turn, after a file was read."""
        self.ask("fs/read_text_file", path=f"{self._cwd}/main.py")
        if self.lives() == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        self.report(prompt)

    def always_dies(self, prompt: str) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def junk(self, prompt: str) -> None:
        for line in ("Loading...", "{", '{"jsonrpc": "1.0"}', "[1, 2]", '{"jsonrpc": "2.0", "id": 9999, "result": {}}'):
            print(line, flush=True)
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.buffer.flush()
        self.report(prompt)

    def floods(self, prompt: str) -> None:
        for _ in range(1_000):
            print("noise", flush=True)
        time.sleep(60)

    def slow(self, prompt: str) -> None:
        time.sleep(60)

    def escapes(self, prompt: str) -> None:
        for path in ("/etc/passwd", f"{self._cwd}/../secret.txt", f"{self._cwd}/.git/config", "link.txt", ""):
            self.ask("fs/read_text_file", path=path)
        self.ask("fs/write_text_file", path=f"{self._cwd}/main.py", content="mine")
        self.ask("terminal/create", command="sh")
        self.act(action="done")

    def asks(self, prompt: str) -> None:
        """Ask for permission to do something with its own hands."""
        options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"},
                   {"optionId": "n", "name": "No", "kind": "reject_once"}]  # fmt: skip
        call = {"toolCallId": "c", "title": "Delete main.py", "kind": "delete"}
        self.ask("session/request_permission", toolCall=call, options=options)
        self.act(action="done")


if __name__ == "__main__":
    Outsider(sys.argv[1], Path(sys.argv[2])).run()
