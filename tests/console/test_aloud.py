"""A line that is streamed stands on the page by the sentence, soon after each has come."""

from __future__ import annotations

import json
import time
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.console.conftest import Open
from tests.console.served import Served
from tests.console.test_live import type_and_send
from tests.counts import report
from tests.models.test_aloud import LINE, served

#: How soon after its last token a sentence stands on the page.
AT_ONCE = 0.3
#: Notes what the line that is being said reads, and when.
WATCH = """() => {
  window.stood = [];
  new MutationObserver(() => {
    const line = document.querySelector(".saying");
    const now = line === null ? "" : line.textContent;
    if (now !== (window.stood.at(-1) ?? [""])[0]) window.stood.push([now, Date.now() / 1000]);
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


def test_a_sentence_stands_on_the_page_within_300_milliseconds_of_its_last_token(
    tmp_path: Path, browser: Browser, open_page: Open
) -> None:
    pytest.importorskip("pydantic_ai")
    ends: list[float] = []
    with served(LINE, ends) as url, pytest.MonkeyPatch.context() as patch:
        role = {"model": "openai:m", "base_url": url, "timeout": 20, "tries": 1}
        patch.setenv("GREENROOM_MODELS", json.dumps({"quality": role}))
        with closing(Served(tmp_path)) as house:
            page = open_page("/play/lighthouse", at=house.address)
            page.get_by_role("button", name="Play").first.click()
            page.wait_for_url("**/play/lighthouse?stream=*")
            page.wait_for_function("window.socket?.connected")
            page.evaluate(WATCH)
            type_and_send(page, "Good evening.")
            expect(page.locator(".line.hers")).to_contain_text(LINE, timeout=30_000)
            stood = {text: at for text, at in reversed(page.evaluate("window.stood")) if text}
    since = time.time() - time.monotonic()  # the page has no other clock
    texts = ("Sit down.", "Sit down. There is soup.")
    late = [stood[text] - since - end for end, text in zip(ends[:2], texts, strict=True)]
    report(f"console: a streamed sentence stood on the page {max(late) * 1000:.0f} ms after its last token at most")
    assert max(late) < AT_ONCE
