"""What one seat cannot tell apart: another game, equal in everything it may know and different in all it may not.

If whatever a seat is shown is the same in both, nothing it may not know was in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from greenroom.kernel.asks import AskModel
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.secret_agi.rules import bots, prompts, views
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.models import offered
from greenroom.worlds.secret_agi.rules.papers import paper_id, side_of
from greenroom.worlds.secret_agi.rules.rules import check, choices
from greenroom.worlds.secret_agi.rules.sight import Sight, sight
from greenroom.worlds.secret_agi.rules.state import NOBODY, OPEN, Game, Player, Record, place_of, revealed

STRANGER = "a stranger"


@dataclass(frozen=True, slots=True)
class Face:
    """Everything through which a seat learns of the game."""

    view: Callable[[Game, str], Any] = views.view
    shows: Callable[[Game, EventContext[e.Event], str], Any] = views.shows
    reply: Callable[[Game, Sequence[EventContext[e.Event]], str], Any] = views.reply
    ask: Callable[[Game, int], Any] = lambda game, i: prompt_of(game, i, views.view(game, game.players[i].id))
    check: Callable[[Game, int, Any], None] = check
    thinks: Callable[[Game, int], Any] = lambda game, i: thought_of(sight(game, i), choices(game, i))


def thought_of(seen: Sight, able: Sequence[c.Action]) -> Any:
    """What a strong player in this seat would do and say, with dice of its own."""
    if not able:
        return None
    action = bots.decide(bots.mind_of(seen, "StrongPlayer", Chance("dice"), 7), able)
    return c.label(action), action.claim if isinstance(action, c.SendChatMessage) else None


#: Commands that are mostly illegal; the reasons must not tell anything either.
PROBES: tuple[c.Action, ...] = (
    c.Nominate(target_id="player_1"),
    c.VoteTeam(vote=True),
    c.VoteEmergency(vote=True),
    c.CallEmergencySafety(),
    *(c.DiscardPaper(paper_id=paper_id(place)) for place in (0, 5)),
    *(c.PublishPaper(paper_id=paper_id(place)) for place in (1, 4)),
    c.DeclareVeto(),
    c.RespondVeto(agree=True),
    c.UsePower(target_id="player_2", power_type="view_allegiance"),
    c.SendChatMessage(text=Words("Hm.")),
    c.AskDirectly(target_id="player_3"),
)


def everything_shown(face: Face, game: Game, told: Sequence[EventContext[e.Event]], seat: str) -> dict[str, bytes]:
    """All that reaches a seat at one moment, as bytes."""
    i = place_of(game, seat)
    found = {
        "view": canonical(face.view(game, seat)),
        "events": canonical([face.shows(game, event, seat) for event in told]),
        "reply": canonical(face.reply(game, told, seat)),
    }
    if i != NOBODY:
        found["legal"] = canonical([c.label(action) for action in choices(game, i)])
        found["reasons"] = canonical([_reason(face, game, i, probe) for probe in PROBES])
        if i not in game.dead:
            found["prompt"] = canonical(face.ask(game, i))
            found["thought"] = canonical(face.thinks(game, i))
    return found


def prompt_of(game: Game, i: int, seen: views.View, note: Words | None = None) -> AskModel:
    """What a model in this seat is asked, or would be."""
    able = offered(game, i) or [c.Observe()]
    return prompts.ask(seen, able, {}, note=note or game.notes[i], role="quality")


def _reason(face: Face, game: Game, i: int, probe: c.Action) -> str:
    try:
        face.check(game, i, probe)
    except Refused as refusal:
        return str(refusal)
    return ""


# scrambling


def scrambled(game: Game, i: int, chance: Chance) -> Game:
    """Another game that this place cannot tell from the given one; the dead and strangers know the least."""
    i = NOBODY if i in game.dead else i
    players = _other_players(game, i, chance)
    known = _known_papers(game, i)
    hidden = [place for place in range(len(game.deck)) if place not in known]
    mixed = dict(zip(hidden, chance.shuffled(hidden), strict=True))
    deck = tuple(game.deck[mixed.get(place, place)] for place in range(len(game.deck)))
    director, engineer = i == game.director, i == game.engineer
    hand = game.hand
    if len(hand) == 2 and not (director or engineer):
        hand = tuple(sorted(chance.shuffled(game.drawn)[:2]))
    return replace(
        game,
        players=players,
        deck=deck,
        hand=hand,
        ballots=_other_ballots(game, i, chance),
        silent=tuple(k for k in game.silent if k == i) if game.silent else (),
        notes=tuple(
            words if k == i or words is None else Words(id="another note") for k, words in enumerate(game.notes)
        ),
        records=tuple(_other_record(record, i, chance, over=game.outcome is not None) for record in game.records),
        seed=game.seed + 1,
        moves=game.moves + 1,
        most_turns=game.most_turns + 1,
    )


def _other_players(game: Game, i: int, chance: Chance) -> tuple[Player, ...]:
    insider = i != NOBODY and game.players[i].role != "Safety"
    told = (i, revealed(game), *game.dead)
    open_ = [k for k in range(len(game.players)) if k not in told and not insider and game.outcome is None]
    denied = {target for _, target, is_agi in game.asked if not is_agi}
    carded = {target for viewer, target in game.seen if viewer == i}
    roles = [player.role for player in game.players]
    for _ in range(60):
        mixed = dict(zip(open_, chance.shuffled([roles[k] for k in open_]), strict=True))
        kept = all(side_of(mixed[k]) == side_of(roles[k]) for k in carded if k in mixed)
        if kept and not any(mixed.get(k) == "AGI" for k in denied):
            roles = [mixed.get(k, role) for k, role in enumerate(roles)]
            break
    agents: tuple[Any, ...] = ("RandomPlayer", "HeuristicPlayer", "LLMPlayer")
    return tuple(
        player if k == i else Player(player.id, chance.choose(agents), role, {"role": f"model {chance.below(9)}"})
        for k, (player, role) in enumerate(zip(game.players, roles, strict=True))
    )


def _known_papers(game: Game, i: int) -> set[int]:
    known = {record.paper for record in game.records if record.paper != NOBODY}
    for record in game.records:
        if game.outcome is not None or (i == record.director and i != NOBODY):
            known |= set(record.drawn)
        elif i == record.engineer and i != NOBODY:
            known |= set(record.passed)
    if i != NOBODY and i == game.director:
        known |= set(game.drawn)
    elif i != NOBODY and i == game.engineer and len(game.hand) == 2:
        known |= set(game.hand)
    return known


def _other_record(record: Record, i: int, chance: Chance, *, over: bool) -> Record:
    if over or not record.drawn or (i != NOBODY and i in (record.director, record.engineer)):
        return record
    others = [place for place in record.drawn if place != record.paper]
    kept = chance.shuffled(others)[: 1 if record.paper != NOBODY else 2]
    return replace(record, passed=tuple(sorted({*kept, record.paper} - {NOBODY})))


def _other_ballots(game: Game, i: int, chance: Chance) -> str:
    if not game.ballots:
        return ""
    others = [k for k in range(len(game.ballots)) if k != i and k not in game.dead]
    cast = {k: chance.choose(".yn") for k in others}
    if others and game.ballots[i if i != NOBODY else others[0]] != OPEN and "." not in cast.values():
        cast[others[0]] = "."
    return "".join(cast.get(k, ballot) for k, ballot in enumerate(game.ballots))


def other_event(told: EventContext[e.Event], other: Game, seat: str, chance: Chance) -> EventContext[e.Event]:
    """The event as it would have been in the other game."""
    return replace(told, event=_other_event(told.event, other, seat, chance))


def _other_event(event: e.Event, other: Game, seat: str, chance: Chance) -> e.Event:
    match event:
        case e.GameStarted():
            return replace(event, players=other.players, deck=other.deck, seed=other.seed)
        case e.Attempted() if event.seat != seat:
            return _other_attempt(event, other, chance)
        case e.AllegianceViewed() if event.viewer != seat:
            return replace(event, allegiance="Safety" if event.allegiance != "Safety" else "Acceleration")
        case e.NoteTaken() if event.seat != seat:
            return replace(event, words=Words(id="another note"))
        case e.ChatMessage():
            return replace(event, lie=not event.lie)
        case e.PapersReturned():
            return replace(event, papers=chance.shuffled(event.papers))
        case e.EmergencyLetPass():
            return e.EmergencyLetPass(seats=(seat,))
        case _:
            return event


def _other_attempt(event: e.Attempted, other: Game, chance: Chance) -> e.Attempted:
    changed = replace(event, tries=event.tries + 1, fallback=not event.fallback)
    if event.error:
        return replace(changed, error=f"another reason {chance.below(9)}", action="vote_team")
    if event.action in ("vote_team", "vote_emergency"):
        return replace(changed, yes=not event.yes)
    if event.action == "discard_paper":
        return replace(changed, paper=paper_id(chance.below(len(other.deck))))
    return changed


def leaks(face: Face, game: Game, told: Sequence[EventContext[e.Event]], seat: str, chance: Chance) -> list[str]:
    """Where this seat could tell the two games apart."""
    other = scrambled(game, place_of(game, seat), chance)
    knows_nothing = seat if place_of(game, seat) not in game.dead else ""
    changed = [other_event(event, other, knows_nothing, chance) for event in told]
    ours, theirs = everything_shown(face, game, told, seat), everything_shown(face, other, changed, seat)
    return [name for name in ours if ours[name] != theirs[name]]
