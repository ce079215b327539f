"""Secret AGI over HTTP: games for the operator, one seat for each player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from greenroom.kernel.asks import Json
from greenroom.kernel.errors import OutOfRange, Unknown
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.http import live
from greenroom.kit.http.access import Acting, Entered, EnteredStream, Operator, OperatorEntered, TheHouse
from greenroom.kit.http.problems import ADMITTED, CHANGE, STREAM
from greenroom.kit.http.records import MOST, Key, Limit, RequestBody, ResponseBody, Text, answer, event_told
from greenroom.kit.http.turns import giver
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import branches, games, history, metrics, recovery, stats
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules.commands import Discussion, GameConfig, Pause, Resume, SeatConfig

WORLD = NAME

routes = APIRouter(prefix="/agi", tags=["secret agi"])

Turn = Annotated[int | None, Query(ge=0, le=MOST, description="Which turn; the newest by default.")]
SinceTurn = Annotated[int, Query(ge=-1, le=MOST, description="Turns after this one; -1 for all.")]


def _game(place: EnteredStream) -> EnteredStream:
    if place.stream.world != NAME:
        raise Unknown(f"there is no game {place.name}")
    return place


async def _entered(place: Entered) -> EnteredStream:
    return _game(place)


async def _acting(place: Acting) -> EnteredStream:
    return _game(place)


async def _operated(place: OperatorEntered) -> EnteredStream:
    return _game(place)


Seen = Annotated[EnteredStream, Depends(_entered)]
Seated = Annotated[EnteredStream, Depends(_acting)]
Operated = Annotated[EnteredStream, Depends(_operated)]


# beginning


class SeatGiven(RequestBody):
    player_id: Text
    agent_type: Text = "RandomPlayer"
    agent_config: dict[str, Json] = Field(default_factory=dict)


class DiscussionGiven(RequestBody):
    on: bool = False
    K: int = 2


class NewGame(RequestBody):
    """A table; without seats, random players sit down."""

    player_count: int = 5
    seats: list[SeatGiven] = Field(default_factory=list, max_length=10)
    seed: int | None = None
    discussion: DiscussionGiven = DiscussionGiven()
    self_nomination: bool = True
    decision_seconds: int = 30
    max_turns: int = 2000
    rules: str = Field(default="classic", description="`classic`, or `long`: discards come back.")
    name: Text | None = None
    begins: bool = Field(default=True, description="False to wait for /start before anybody acts.")


class GameMade(ResponseBody):
    game: str
    status: str
    turn: int
    #: Person's seat → the ticket that opens it; told only now.
    tickets: dict[str, str]


def _seats(given: Sequence[SeatGiven]) -> tuple[SeatConfig, ...]:
    return tuple(SeatConfig(**seat.model_dump()) for seat in given)


@routes.post("/games", responses={**CHANGE, 201: {"model": GameMade}}, status_code=201)
async def create(house: TheHouse, caller: Operator, body: NewGame) -> Response:
    """Open a game. Each person's seat gets a ticket."""
    config = GameConfig(
        player_count=body.player_count,
        seats=_seats(body.seats),
        seed=body.seed,
        discussion=Discussion(**body.discussion.model_dump()),
        self_nomination=body.self_nomination,
        decision_seconds=body.decision_seconds,
        max_turns=body.max_turns,
        rules=body.rules,
        paused=not body.begins,
    )
    game = await games.create_game(house, config, name=body.name, seed=body.seed)
    return answer({**await _stands(house, game), "tickets": await _tickets(house, game)}, 201)


async def _tickets(house: House, game: str) -> dict[str, str]:
    found = {}
    for row in await games.players(house, game):
        if row["agent_type"] == "HumanPlayer":
            seat = row["player_id"]
            issued = await house.access.issue_player(
                owner=f"{game}/{seat}", seat=seat, stream=game, label=f"{seat} of a game"
            )
            found[seat] = issued.text
    return found


async def _stands(house: House, game: str) -> dict[str, Any]:
    row = await games.summary(house, game)
    return {"game": game, "status": row["status"], "turn": row["current_turn"]}


# the operator's commands


class Stands(ResponseBody):
    game: str
    status: str
    turn: int


_MOVED = {**CHANGE, 200: {"model": Stands}}


@routes.post("/games/{name:path}/start", responses=_MOVED)
async def start(house: TheHouse, place: Operated) -> Response:
    """Let a game begin that was made to wait."""
    await house.send(place.name, Resume(), seat=OPERATOR)
    return answer(await _stands(house, place.name))


@routes.post("/games/{name:path}/pause", responses=_MOVED)
async def pause(house: TheHouse, place: Operated) -> Response:
    """Nobody acts until the game is resumed."""
    await house.send(place.name, Pause(), seat=OPERATOR)
    return answer(await _stands(house, place.name))


@routes.post("/games/{name:path}/resume", responses=_MOVED)
async def resume(house: TheHouse, place: Operated) -> Response:
    """Go on with a game that is paused, or was interrupted."""
    found = await recovery.recover(house, place.name)
    if not await branches.unpause(house, place.name) and found["type"] is None:
        await house.send(place.name, Resume(), seat=OPERATOR)  # refused, with the reason
    await branches.go_on(house, place.name)
    return answer(await _stands(house, place.name))


class Branch(RequestBody):
    """Where to branch off, and who takes seats over."""

    turn: int | None = Field(default=None, ge=0, le=MOST)
    seats: list[SeatGiven] = Field(default_factory=list, max_length=10)
    seed: int | None = None
    name: Text | None = None


class Branched(Stands):
    of: str
    branched_at: int
    tickets: dict[str, str]


@routes.post("/games/{name:path}/branch", responses={**CHANGE, 201: {"model": Branched}}, status_code=201)
async def branch(house: TheHouse, place: Operated, body: Branch) -> Response:
    """Play on from any turn, with other agents if wished; the game itself stays as it is."""
    made = await branches.branch(
        house, place.name, turn=body.turn, seats=_seats(body.seats), seed=body.seed, name=body.name
    )
    told = {**await _stands(house, made.name), "of": place.name, "branched_at": made.forked_at - 1}
    return answer({**told, "tickets": await _tickets(house, made.name)}, 201)


# playing


class Act(RequestBody):
    """An action with its parameters."""

    action: Text
    parameters: dict[str, Json] = Field(default_factory=dict)
    seat: Text | None = Field(default=None, description="For the operator: who acts.")


class Acted(ResponseBody):
    success: bool
    error: str | None
    events: list[Any]
    state: Any
    legal: list[str]
    chat: list[Any]


@routes.post("/games/{name:path}/act", responses={**CHANGE, 200: {"model": Acted}})
async def act(house: TheHouse, place: Seated, body: Act, key: Key = None) -> Response:
    """Act. An invalid action is answered with the reason, recorded, and changes nothing."""
    seat = await giver(house, place, body.seat)
    person = place.caller.person
    return answer(await games.act(house, place.name, seat, body.action, body.parameters, key=key, person=person))


# looking


class State(ResponseBody):
    game: str
    turn: int
    newest: int
    seat: str
    state: Any
    legal: list[str]


class Events(ResponseBody):
    game: str
    seat: str
    events: list[Any]
    upto: int
    newest: int


@routes.get("/games/{name:path}/events", responses={**STREAM, 200: {"model": Events}})
async def events(house: TheHouse, place: Seen, after: SinceTurn = -1, limit: Limit = 100) -> Response:
    """What happened after a turn, as the seat may see it; `limit` counts turns."""
    upto = max(after + 1, min(after + 1 + limit, place.stream.version))
    found = [e async for e in house.events(place.name, seat=place.seat, after=after + 1, upto=upto)]
    told = [{"turn": event.version - 1, **event_told(event)} for event in found]
    newest = place.stream.version - 1
    return answer({"game": place.name, "seat": place.seat, "events": told, "upto": upto - 1, "newest": newest})


class Metrics(ResponseBody):
    game: str
    performance: dict[str, Any]
    decisions: list[Any]


@routes.get("/games/{name:path}/metrics", responses={**STREAM, 200: {"model": Metrics}})
async def measured(house: TheHouse, place: Operated) -> Response:
    """What every decision took, and what it comes to for each player."""
    told = {"performance": await metrics.performance(house, place.name)}
    return answer({"game": place.name, **told, "decisions": await metrics.rows(house, place.name)})


class Timeline(ResponseBody):
    game: str
    timeline: list[Any]
    recoveries: list[Any]


@routes.get("/games/{name:path}/timeline", responses={**STREAM, 200: {"model": Timeline}})
async def timeline(house: TheHouse, place: Operated) -> Response:
    """Actions, events and chat in one line, ordered by turn and sequence."""
    told = {"timeline": await history.timeline(house, place.name)}
    return answer({"game": place.name, **told, "recoveries": await history.recoveries(house, place.name)})


@routes.get("/games/{name:path}/export", responses={**STREAM, 200: {"description": "One game with everything."}})
async def export(house: TheHouse, place: Operated) -> Response:
    """One game with everything about it."""
    return answer(await history.record(house, place.name))


@routes.get("/games/{name:path}/analysis", responses={**STREAM, 200: {"description": "What interrupted it, if so."}})
async def analysis(house: TheHouse, place: Operated) -> Response:
    """Whether the game was interrupted, how, and which actions wait."""
    return answer({"game": place.name, **await recovery.analyze(house, place.name)})


@routes.get("/games/{name:path}/live", responses=STREAM | live.DESCRIBED, response_class=StreamingResponse)
async def follow(
    request: Request, house: TheHouse, place: Seen, after: live.After = None, last_event_id: live.LastId = None
) -> StreamingResponse:
    """Follow a game as it happens, as the seat may see it; ids are places in its stream."""
    return await live.follow(request, house, place, after, last_event_id)


class GameFacts(ResponseBody):
    game: str
    status: str
    turn: int
    players: int


class Games(ResponseBody):
    games: list[GameFacts]
    after: str | None


@routes.get("/games", responses={**ADMITTED, 200: {"model": Games}})
async def listed(
    house: TheHouse, caller: Operator, after: Annotated[str, Query(max_length=200)] = "", limit: Limit = 100
) -> Response:
    """Games by name, a page at a time."""
    found = await house.streams(world=NAME, after=after, limit=limit)
    told = []
    for stream in found:
        if not stream.version:
            continue  # it was refused before anybody sat down
        state = (await house.head(stream)).state
        facts = {"game": stream.name, "status": state.status, "turn": stream.version - 1}
        told.append({**facts, "players": len(state.players)})
    return answer({"games": told, "after": found[-1].name if len(found) == limit else None})


@routes.get("/interrupted", responses={**ADMITTED, 200: {"description": "Names of games."}})
async def interrupted(house: TheHouse, caller: Operator) -> Response:
    """Games in which something is begun and nobody works on it."""
    return answer({"games": await recovery.find_interrupted(house)})


@routes.get("/stats", responses={**ADMITTED, 200: {"description": "Shares with 95 % intervals."}})
async def statistics(house: TheHouse, caller: Operator) -> Response:
    """Win rates by table size, role and agent; invalid actions; what models used."""
    return answer(await stats.of_house(house))


@routes.get("/games/{name:path}", responses={**STREAM, 200: {"model": State}})
async def state(house: TheHouse, place: Seen, turn: Turn = None) -> Response:
    """The game as one seat may see it, now or after any turn, and what that seat may do."""
    newest = place.stream.version - 1
    if turn is not None and turn > newest:
        raise OutOfRange(f"game {place.name} has turns 0 to {newest}; {turn} is not among them")
    look = await house.view(place.name, seat=place.seat, version=None if turn is None else turn + 1)
    able = await games.able(house, place.name, place.seat) if turn in (None, newest) else []
    told = {"game": place.name, "turn": look.version - 1, "newest": newest, "seat": place.seat}
    return answer({**told, "state": look.body, "legal": able})
