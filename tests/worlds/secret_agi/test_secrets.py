"""No seat sees what it may not know, in view, events, reply, reasons or prompt; planted leaks are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from greenroom.kernel.asks import Alike, Ask, AskModel, Read
from greenroom.kernel.chance import Chance
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules import views
from greenroom.worlds.secret_agi.rules.alone import NOON
from greenroom.worlds.secret_agi.rules.papers import POWERS, RULE_SETS, paper_id, side_of
from greenroom.worlds.secret_agi.rules.rules import check, choices
from greenroom.worlds.secret_agi.rules.sight import OwnHand, sight
from greenroom.worlds.secret_agi.rules.state import Game
from tests.counts import count, report
from tests.worlds.secret_agi.secrecy import STRANGER, Face, leaks, prompt_of, thought_of
from tests.worlds.secret_agi.stage import game_of, seats

CASTS = ("random", "heuristic", "strong", "model")


def answer(ask: Ask) -> Any:
    """A model that chooses by the prompt's fingerprint, talks, takes notes, and is unusable now and then."""
    if isinstance(ask, Read):
        return {id: f"words of {id}" for id in ask.ids}
    if isinstance(ask, Alike):
        return [0.0] * len(ask.others)
    assert isinstance(ask, AskModel)
    assert ask.schema is not None
    chance = Chance(repr(ask.sections))
    if chance.below(9) == 0:
        return {"action": "surrender"}
    labels = ask.schema["properties"]["action"]["enum"]
    return {"action": chance.choose(labels), "text": "I see.", "notes": f"a secret note of {ask.seat}"}


def moments(seed: int) -> Iterator[tuple[Game, list[EventContext[e.Event]]]]:
    """Sampled turns of one game with everything in it: any size, any cast, talk in every third."""
    chance = Chance("moments", seed)
    players = 5 + seed % 6
    cast = [chance.choose(CASTS) for _ in range(players)]
    discussion = c.Discussion(on=seed % 3 == 0, K=1)
    rules = RULE_SETS[seed // 2 % 2]
    config = c.GameConfig(player_count=players, seats=seats(*cast), seed=seed, discussion=discussion, rules=rules)
    for version, (game, events) in enumerate(game_of(config, seed=seed, answer=answer), 1):
        told = [
            EventContext(stream="x", version=version, ordinal=k, at=NOON, event=event) for k, event in enumerate(events)
        ]
        telling = len(events) > 1 or bool(game.hand)
        if chance.below(count(8, soak=16)) == 0 or (telling and chance.below(count(4, soak=8)) == 0):
            yield game, told


def found_leaks(face: Face, seeds: Sequence[int]) -> Iterator[str]:
    chance = Chance("leaks")
    for seed in seeds:
        for game, told in moments(seed):
            for seat in (*views.seats(game), STRANGER):
                yield from leaks(face, game, told, seat, chance)


def test_no_seat_can_tell_its_game_from_one_that_differs_only_in_what_it_may_not_know() -> None:
    looked = 0
    chance = Chance("looking")
    for seed in range(count(6, soak=1000)):
        for game, told in moments(seed):
            for seat in (*views.seats(game), STRANGER):
                looked += 1
                where = [e.KINDS[type(event.event)] for event in told]
                assert leaks(Face(), game, told, seat, chance) == [], f"game {seed}, {seat}, after {where}"
    report(f"secret_agi: no leak in {looked} looks of one seat at one turn")


# planted leaks


def _roles_shown(game: Game, seat: str, now: Any = None) -> Any:
    seen = views.view(game, seat)
    players = tuple(msgspec.structs.replace(s, role=p.role) for s, p in zip(seen.players, game.players, strict=True))
    return msgspec.structs.replace(seen, players=players)


def _unknown_is_safety(game: Game, seat: str, now: Any = None) -> Any:
    """Hides a role by calling it Safety: an insider among them is then found by who is not unknown."""
    seen = views.view(game, seat)
    players = tuple(
        msgspec.structs.replace(s, allegiance="Safety" if p.role == "Safety" else s.allegiance)
        for s, p in zip(seen.players, game.players, strict=True)
    )
    return msgspec.structs.replace(seen, players=players)


def _hand_shown(game: Game, seat: str, now: Any = None) -> Any:
    return msgspec.structs.replace(views.view(game, seat), hand=views._held(game, game.hand))


def _deck_shown(game: Game, seat: str, now: Any = None) -> Any:
    return {"seen": views.view(game, seat), "next": game.deck[game.taken : game.taken + 1]}


def _who_voted(game: Game, seat: str, now: Any = None) -> Any:
    return {"seen": views.view(game, seat), "voted": [ballot != "." for ballot in game.ballots]}


def _discards_shown(game: Game, seat: str, now: Any = None) -> Any:
    return {"seen": views.view(game, seat), "hands": [record.passed for record in game.records]}


def _agents_shown(game: Game, seat: str, now: Any = None) -> Any:
    return {"seen": views.view(game, seat), "agents": [player.agent for player in game.players]}


def _events_whole(game: Game, told: EventContext[e.Event], seat: str) -> Any:
    return msgspec.structs.asdict(told.event)


def _ballots_in_stream(game: Game, told: EventContext[e.Event], seat: str) -> Any:
    event = told.event
    if isinstance(event, e.Attempted) and event.action == "vote_team":
        return {"seat": event.seat, "yes": event.yes}
    return views.shows(game, told, seat)


def _cards_in_stream(game: Game, told: EventContext[e.Event], seat: str) -> Any:
    if isinstance(told.event, e.AllegianceViewed):
        return {"allegiance": told.event.allegiance}
    return views.shows(game, told, seat)


def _discards_in_stream(game: Game, told: EventContext[e.Event], seat: str) -> Any:
    if isinstance(told.event, e.Attempted) and told.event.action == "discard_paper":
        return {"paper": told.event.paper}
    return views.shows(game, told, seat)


def _papers_by_value(game: Game, seat: str, now: Any = None) -> Any:
    """The sources' ids: numbered in the order of their values, so that the id of a paper is its value."""
    order = sorted(range(len(game.deck)), key=lambda place: game.deck[place])
    held = [paper.id for paper in views.view(game, seat).hand]
    ranks = [f"paper_{order.index(place)}" for place in range(len(game.deck)) if paper_id(place) in held]
    return {"seen": views.view(game, seat), "hand": ranks}


def _reply_whole(game: Game, told: Sequence[EventContext[e.Event]], seat: str) -> Any:
    return {**views.reply(game, told, seat), "debug": [msgspec.structs.asdict(event.event) for event in told]}


def _telling_reasons(game: Game, i: int, action: Any) -> None:
    try:
        check(game, i, action)
    except Refused as refusal:
        raise Refused(f"{refusal}; hand {[paper_id(place) for place in game.hand]}") from refusal


def _lies_shown(game: Game, told: EventContext[e.Event], seat: str) -> Any:
    if isinstance(told.event, e.ChatMessage):
        return msgspec.structs.asdict(told.event)
    return views.shows(game, told, seat)


def _bot_sees_the_roles(game: Game, i: int) -> Any:
    known = {k: player.role for k, player in enumerate(game.players)}
    return thought_of(sight(game, i)._replace(cards={k: side_of(role) for k, role in known.items()}), choices(game, i))


def _bot_sees_the_hands(game: Game, i: int) -> Any:
    held: dict[int, OwnHand] = {r.round: ((), tuple(game.deck[k] for k in r.passed)) for r in game.records if r.drawn}
    return thought_of(sight(game, i)._replace(held=held), choices(game, i))


def _prompt_of_the_whole_table(game: Game, i: int) -> Any:
    return prompt_of(game, i, views.view(game, "operator"))


def _prompt_with_the_neighbour_s_note(game: Game, i: int) -> Any:
    note = game.notes[(i + 1) % len(game.notes)]
    asked = prompt_of(game, i, views.view(game, game.players[i].id))
    return asked, None if note is None else note.id


PLANTED = {
    "every role in the view": Face(view=_roles_shown),
    "hidden allegiances called Safety": Face(view=_unknown_is_safety),
    "the hand in every view": Face(view=_hand_shown),
    "the top of the deck": Face(view=_deck_shown),
    "who has voted": Face(view=_who_voted),
    "the papers passed on": Face(view=_discards_shown),
    "who is played by what": Face(view=_agents_shown),
    "paper ids in the order of values": Face(view=_papers_by_value),
    "events shown whole": Face(shows=_events_whole),
    "ballots in the event stream": Face(shows=_ballots_in_stream),
    "allegiance cards in the event stream": Face(shows=_cards_in_stream),
    "discards in the event stream": Face(shows=_discards_in_stream),
    "a reply with everything": Face(reply=_reply_whole),
    "a reason that names the hand": Face(check=_telling_reasons),
    "a prompt from the operator's view": Face(ask=_prompt_of_the_whole_table),
    "lies in the event stream": Face(shows=_lies_shown),
    "a bot that sees every card": Face(thinks=_bot_sees_the_roles),
    "a bot that sees every hand": Face(thinks=_bot_sees_the_hands),
    "a prompt with another's note": Face(ask=_prompt_with_the_neighbour_s_note),
}


@pytest.mark.parametrize("leak", sorted(PLANTED))
def test_a_planted_leak_is_found(leak: str) -> None:
    assert next(found_leaks(PLANTED[leak], range(40)), None) is not None, f"nobody noticed {leak}"


# what is told


def test_safety_players_know_nobody_and_insiders_know_each_other_exactly() -> None:
    config = c.GameConfig(player_count=9)
    game, _ = next(game_of(config, seed=4))
    for i, player in enumerate(game.players):
        seen = views.view(game, player.id)
        roles = [s.role for s in seen.players]
        if player.role == "Safety":
            assert [role for k, role in enumerate(roles) if k != i] == ["unknown"] * 8
        else:
            assert roles == [p.role for p in game.players]


def test_the_dead_and_strangers_see_the_public_view_and_nothing_else() -> None:
    for game, _ in moments(4):
        if game.dead:
            seat = game.players[game.dead[0]].id
            mine, public = views.view(game, seat), views.view(game, STRANGER)
            assert msgspec.structs.replace(mine, seat=STRANGER) == public


def test_an_open_ballot_is_shown_to_its_voter_only_and_all_are_published_together() -> None:
    for seed in range(3):
        for game, told in moments(seed):
            for event in told:
                body = event.event
                if isinstance(body, e.Attempted) and body.action == "vote_team" and not body.error:
                    for seat in (*views.seats(game), STRANGER):
                        shown = views.shows(game, event, seat)
                        assert (shown is not None) == (seat == body.seat)
                if isinstance(body, e.VoteCompleted):
                    assert views.shows(game, event, STRANGER)["ballots"] == body.ballots  # type: ignore[index]


def test_the_operator_sees_everything() -> None:
    game, _ = next(game_of(c.GameConfig(), seed=1))
    seen = views.view(game, "operator")
    assert isinstance(seen, views.TableView)
    assert [s.role for s in seen.players] == [p.role for p in game.players]
    assert len(seen.deck) == 17
    assert set(POWERS) == {3, 6, 9, 10, 11, 12}
