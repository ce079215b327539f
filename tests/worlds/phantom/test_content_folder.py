"""A folder of content: errors with file and line, a new agent as a new file, and what a reload changes."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Container
from datetime import timedelta
from importlib.resources import files
from pathlib import Path

import pytest

from greenroom.adapters.inmem import Shelf
from greenroom.bootstrap import gathered
from greenroom.kernel.errors import Malformed, TryLater, Unknown
from greenroom.worlds.phantom.faces.app.simulation import SimulationPlan, simulate
from greenroom.worlds.phantom.outside import read_content as read_phantom
from greenroom.worlds.phantom.outside.reviewing import changes, over_budget
from greenroom.worlds.phantom.rules import events as e
from greenroom.worlds.phantom.rules import phantom
from tests.worlds.phantom.stage import START, Tale, classifies
from tests.worlds.phantom.trial import CONTENT

WARDEN = """\
name: Warden
pronoun: they
channel: sms
sender: Night desk
persona: You are the Warden, who keeps the night desk and counts the people who come in.
voice: [numbers first, no names]
sharing: {default_stance: open}
lifecycle:
  transitions:
    engaged_to_cooling: {triggers: [{trust_below: -50}], effects: {response_probability: 0.7, tone_modifier: terse}}
    cooling_to_silent: {triggers: [{days_in_state: 3}], effects: {response_probability: 0.2, tone_modifier: cold}}
    silent_to_gone: {triggers: [{days_in_state: 7}], effects: {response_probability: 0}}
spawn: {conditions: {any: [{exposure_gte: 10}, "messages >= 40"]}}
succeeds: miro
inheritance: partial
first_contact: {after: spawn, hours: [1, 2]}
delays: {usual: [5, 10], eager: [1, 2]}
lines:
  first_contact: [Eleven went in and ten came out. Were you counted.]
  reply: [Nine lamps are lit. Ask again at ten., Six. You are the seventh.]
safe: [The desk is open., Count to four and wait.]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shipped = Path(str(files("greenroom.worlds.phantom").joinpath("content")))
    return Path(shutil.copytree(shipped, tmp_path / "content"))


def edit(file: Path, old: str, new: str) -> int:
    """Change a text in a file; returns the line it stands in."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return text[: text.index(old)].count("\n") + 1


def refusal(folder: Path) -> str:
    with pytest.raises(Malformed) as caught:
        read_phantom(folder)
    return str(caught.value)


# errors


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("triggers.yaml", "trust.ember > 40", "trust.embr > 40", "there is no agent 'embr'"),
        ("triggers.yaml", "day >= 3", "day => 3", "a comparison looks like"),
        ("triggers.yaml", "phase == thursday", "phase == friday", "is compared by == or != with one of"),
        ("triggers.yaml", "accesses >= 5", "acesses >= 5", "there is no field 'acesses'"),
        ("triggers.yaml", "milestone: key_used", "milestone: key_usd", "there is no milestone 'key_usd'"),
        ("triggers.yaml", "agent: highest_trust", "agent: nobody", "there is no agent 'nobody'"),
        ("agents/miro.yaml", "trust_below: -50", "trust_beneath: -50", "a condition is a comparison"),
        ("agents/miro.yaml", "trust_below: -50", "trust_below: -500", "greater than or equal to -100"),
        ("agents/miro.yaml", "default_stance: transactional", "default_stance: greedy", "should be 'open'"),
        ("agents/miro.yaml", "always_shares: [", "always_shares: [no_such_item, ", "there is no item 'no_such_item'"),
        (
            "agents/miro.yaml",
            "first_contact: {after: ember",
            "first_contact: {after: amber",
            "there is no agent 'amber'",
        ),
        ("agents/miro.yaml", "usual: [60, 240]", "usual: [240, 60]", "the smaller one first"),
        ("agents/ember.yaml", "name: Ember", "nam: Ember", "nam is not known here"),
        ("story.yaml", "{key}", "the key", "the key mail must hold {key}"),
    ],
)
def test_a_fault_is_told_with_its_file_and_line(folder: Path, file: str, old: str, new: str, sentence: str) -> None:
    line = edit(folder / file, old, new)
    said = refusal(folder)
    assert sentence in said
    places = [one.split(": ", 1)[0] for one in said.splitlines()]
    assert all(place.startswith(f"{folder / file}:") for place in places)
    assert any(abs(int(place.rpartition(":")[2]) - line) <= 6 for place in places)


def test_broken_yaml_is_told_with_its_line(folder: Path) -> None:
    (folder / "agents" / "ember.yaml").write_text("name: Ember\nvoice: [one, two\nchannel: email\n")
    assert refusal(folder).startswith(f"{folder}/agents/ember.yaml:")


def test_a_missing_file_and_a_missing_folder_are_unknown(folder: Path) -> None:
    with pytest.raises(Unknown, match="there is no such folder"):
        read_phantom(folder / "nowhere")
    (folder / "triggers.yaml").unlink()
    with pytest.raises(Unknown, match="there is no such file"):
        read_phantom(folder)


def test_two_agents_of_the_beginning_cannot_share_a_channel(folder: Path) -> None:
    edit(folder / "agents" / "miro.yaml", "channel: sms", "channel: email")
    assert "agents/miro.yaml:1: ember has the channel 'email' from the start" in refusal(folder)


def test_the_key_mail_needs_a_sender_with_a_file(folder: Path) -> None:
    edit(folder / "story.yaml", "agent: ember", "agent: edna")
    assert "the key mail comes from 'edna', who has no file" in refusal(folder)


def test_an_agent_whose_file_fills_a_prompt_is_found(folder: Path) -> None:
    assert over_budget(read_phantom(folder)) == []
    edit(folder / "agents" / "miro.yaml", "You are Miro,", "You are Miro, " + "1, 2, 3, " * 55)
    content = read_phantom(folder)
    assert ["agents/miro.yaml:1" in one for one in over_budget(content)] == [True]


# a new agent


def test_a_new_agent_is_a_new_file_and_nothing_else(folder: Path) -> None:
    (folder / "agents" / "warden.yaml").write_text(WARDEN)
    tale = Tale(content=read_phantom(folder)).start().after(hours=9)
    tale.models = classifies(did=("mentioned_agent_to_other",))
    tale.say("Something.", "sms")
    assert tale.state.channels["sms:warden"].owner == "warden"
    assert "warden_spawned" in tale.state.milestones
    tale.models = lambda ask: None
    tale.after(days=1)
    first = next(one for one in tale.events(e.LetterWritten) if one.agent == "warden")
    assert tale.memories[first.words.id].text == "Eleven went in and ten came out. Were you counted."
    tale.say("Who are you?", "sms:warden")
    assert tale.events(e.MessageReceived)[-1].agent == "warden"
    assert {row["agent_id"] for row in tale.table("player_trust")} >= {"ember", "miro", "warden"}


def test_a_simulation_with_a_new_agent_holds_every_invariant(folder: Path) -> None:
    (folder / "agents" / "warden.yaml").write_text(WARDEN)
    result = asyncio.run(simulate(SimulationPlan(players=4, days=3, seed=5), Shelf(), content=read_phantom(folder)))
    assert (result.watch.troubles, result.failed, result.problems) == ([], [], [])
    assert any(agent == "warden" for _, agent in result.letters)


# reloading


def test_a_reload_tells_what_changes(folder: Path) -> None:
    assert changes(CONTENT, read_phantom(folder)) == ()
    edit(folder / "agents" / "miro.yaml", "usual: [60, 240]", "usual: [60, 200]")
    edit(folder / "agents" / "miro.yaml", "never an exclamation mark", "never a question mark")
    (folder / "agents" / "warden.yaml").write_text(WARDEN)
    found = changes(CONTENT, read_phantom(folder))
    assert "agents.warden: added" in found
    assert "agents.miro.delays.usual.1: 240 → 200" in found
    assert any(one.startswith("agents.miro.voice: removed never an exclamation") for one in found)
    assert any(one.startswith("agents.miro.voice: added never a question") for one in found)


def test_a_running_story_goes_on_with_new_content_and_writes_down_that_it_changed(folder: Path) -> None:
    tale = Tale().start().after(hours=9)
    edit(folder / "triggers.yaml", "accesses >= 5", "accesses >= 4")
    tale.content = read_phantom(folder)
    tale.__post_init__()
    tale.say("Hello.", "sms")
    (first, again) = tale.events(e.ContentRead)
    assert first.digest != again.digest
    (row,) = [row for row in tale.table("triggers") if row["trigger_id"] == "last_turn"]
    assert (row["condition"], row["content"]) == ("accesses >= 4", tale.content.digest)


def test_a_message_to_a_story_whose_content_lost_an_agent_waits_until_it_is_back(folder: Path) -> None:
    tale = Tale().start().after(hours=9)
    agents = {name: agent for name, agent in tale.content.agents.items() if name != "miro"}
    whole, tale.world = tale.world, phantom(tale.content.model_copy(update={"agents": agents}))
    with pytest.raises(TryLater, match="the content lost the agent 'miro'"):
        tale.say("Hello.", "email")
    assert tale.world.wake_at(tale.state) is None
    tale.world = whole
    tale.say("Hello.", "email")
    assert tale.events(e.MessageReceived)


def test_every_shipped_prompt_leaves_room(folder: Path) -> None:
    assert over_budget(CONTENT) == []


def test_time_conditions_wake_the_story(folder: Path) -> None:
    """Ruling 9."""
    with (folder / "triggers.yaml").open("a") as file:
        file.write(
            "  a_day_later:\n"
            "    when: {time_since: miro_first_contact, at_least: 30h}\n"
            "    then: [{exposure: {delta: 7, reason: Thirty hours went by.}}]\n"
            "    note: Time alone.\n"
            "  again_and_again:\n"
            "    when: {not: 'exposure < 7'}\n"
            "    then: [{trust: {agent: miro, delta: 1, reason: The affair showed.}}]\n"
            "    once: false\n"
            "    note: May come again.\n"
        )
    tale = Tale(content=read_phantom(folder)).start()
    tale.after(hours=9)
    since = tale.state.milestones["miro_first_contact"].at
    tale.until(since + timedelta(hours=30) - timedelta(seconds=1))
    assert tale.state.exposure == 0
    tale.until(since + timedelta(hours=30))
    assert tale.state.exposure == 7
    assert tale.state.fired["again_and_again"].count == 1
    tale.models = classifies(did=("key_deleted_claim",))
    tale.say("Gone.", "sms")
    assert not tale.state.fired["again_and_again"].holds
    tale.models = classifies(did=("mentioned_agent_to_other",))
    tale.say("Ember.", "sms")
    assert tale.state.fired["again_and_again"].count == 2
    assert tale.at > START


def test_a_house_uses_the_folder_of_its_settings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "agents" / "warden.yaml").write_text(WARDEN)
    monkeypatch.setenv("GREENROOM_PHANTOM_CONTENT", str(folder))
    assert "warden" in _agents_in_use()
    monkeypatch.delenv("GREENROOM_PHANTOM_CONTENT")
    assert "warden" not in _agents_in_use()


def _agents_in_use() -> Container[str]:
    (world,) = (world for world in gathered().worlds if world.name == "phantom")
    found: Container[str] = world.content.agents
    return found
