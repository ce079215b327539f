"""The rules: what is legal, and what follows from an action."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Pattern
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.claims import is_direct
from greenroom.worlds.secret_agi.rules.folding import after
from greenroom.worlds.secret_agi.rules.honesty import contradicts, unfit
from greenroom.worlds.secret_agi.rules.papers import (
    AGI_WINS_AT,
    AUTOMATIC,
    FAILURES,
    HAND,
    LOST_AT,
    POWERS,
    Side,
    crossed,
    paper_id,
    side_of,
)
from greenroom.worlds.secret_agi.rules.state import (
    NOBODY,
    OPEN,
    YES,
    Game,
    all_voted,
    candidates,
    is_over,
    living,
    may_ask,
    next_living,
    papers_left,
    place_of,
    power,
    speaker,
    supply,
    targets,
    veto_unlocked,
    window,
    yet_to_vote,
)

Option = c.Action | Pattern[c.Action]

TEAM_BALLOTS: tuple[Option, ...] = (c.VoteTeam(vote=True), c.VoteTeam(vote=False))
EMERGENCY_BALLOTS: tuple[Option, ...] = (c.VoteEmergency(vote=True), c.VoteEmergency(vote=False))
VETO_ANSWERS: tuple[Option, ...] = (c.RespondVeto(agree=True), c.RespondVeto(agree=False))
_AGREED = c.SendChatMessage(text=Words("I agree."))
SPEECH: Pattern[c.Action] = Pattern(_AGREED, {"text": c.MESSAGE})
CALL = c.CallEmergencySafety()
VETO = c.DeclareVeto()
OBSERVE = c.Observe()


# what is legal


def options(game: Game, i: int) -> tuple[Option, ...]:
    """What the player at this place may do, beside observing; whoever plays the seat."""
    if game.status != "active" or i in game.dead:
        return ()
    if game.talk:
        return (*_questions(game, i), SPEECH) if speaker(game) == i else ()
    if game.vote:
        ballots = TEAM_BALLOTS if game.vote == "team" else EMERGENCY_BALLOTS
        return ballots if game.ballots[i] == OPEN else ()
    if game.using:
        return _power_uses(game) if i == game.director else ()
    return _proposing(game, i) if game.phase == "TeamProposal" else _researching(game, i)


def _questions(game: Game, i: int) -> tuple[Option, ...]:
    """Whom the speaker may ask directly whether they are the AGI."""
    if not may_ask(game, i):
        return ()
    return tuple(c.AskDirectly(target_id=game.players[k].id) for k in living(game) if k != i)


def _power_uses(game: Game) -> tuple[Option, ...]:
    used: Any = power(game)
    return tuple(c.UsePower(target_id=game.players[i].id, power_type=used) for i in targets(game))


def _proposing(game: Game, i: int) -> tuple[Option, ...]:
    call: tuple[Option, ...] = (CALL,) if window(game) else ()
    if i != game.director:
        return call
    return (*call, *(c.Nominate(target_id=game.players[k].id) for k in candidates(game)))


def _researching(game: Game, i: int) -> tuple[Option, ...]:
    if game.veto == "pending":
        return VETO_ANSWERS if i == game.director else ()
    if len(game.hand) == HAND:
        return tuple(c.DiscardPaper(paper_id=paper_id(k)) for k in game.hand) if i == game.director else ()
    if i != game.engineer:
        return ()
    veto: tuple[Option, ...] = (VETO,) if veto_unlocked(game) and not game.veto else ()
    return (*(c.PublishPaper(paper_id=paper_id(k)) for k in game.hand), *veto)


def choices(game: Game, i: int) -> Sequence[c.Action]:
    """The options of a seat as plain actions; a message has its text filled in by whoever sends it."""
    found: Any = options(game, i)
    return (*found[:-1], _AGREED) if game.talk and found else found


def waited_for(game: Game) -> tuple[int, ...]:
    """The places whose action the game cannot go on without."""
    if game.status != "active":
        return ()
    if game.talk:
        return (speaker(game),)
    if game.vote:
        return yet_to_vote(game)
    engineer = game.phase == "Research" and not game.using and game.veto != "pending" and len(game.hand) < HAND
    return (game.engineer,) if engineer else (game.director,)


def check(game: Game, i: int, action: c.Action) -> None:
    """Refuse what is not legal, with a reason made of what everybody knows.

    Raises:
        Refused: names what the game waits for, or what may be chosen.
    """
    name, able = c.NAMES[type(action)], options(game, i)
    if isinstance(action, c.SendChatMessage):
        if SPEECH not in able:
            raise Refused(f"{name} is not possible now: {situation(game)}")
        length = len(action.text.text or "")
        if not c.MESSAGE.least <= length <= c.MESSAGE.most:
            raise Refused(f"a message has {c.MESSAGE.least} to {c.MESSAGE.most} characters; this one has {length}")
        for claim in (action.claim, action.also):
            if claim is not None and (wrong := unfit(game, claim)):
                raise Refused(f"this claim cannot be made here: {wrong}")
    elif action not in able:
        same = [c.label(option) for option in able if type(option) is type(action)]
        why = f"choose one of: {', '.join(same)}" if same else situation(game)
        raise Refused(f"{name} is not possible like this: {why}" if same else f"{name} is not possible now: {why}")


def situation(game: Game) -> str:
    """What the game waits for, as everybody knows it."""
    if game.outcome is not None:
        return "the game is over"
    if game.status != "active":
        return f"the game is {game.status}"
    who = game.players[waited_for(game)[0]].id
    if game.talk:
        return f"the {game.talk} discussion is open and {who} speaks"
    if game.vote:
        return f"the {game.vote} vote is open"
    if game.using:
        return f"{who} has to use the power {power(game)}"
    if game.phase == "TeamProposal":
        return f"{who} has to nominate an Engineer"
    return f"{who} works on a hand of papers"


# what follows


class Scene:
    """One step in the making: tells events, and knows the game after each."""

    __slots__ = ("at", "events", "game", "turn")

    def __init__(self, game: Game, at: datetime, turn: int) -> None:
        self.game = game
        self.at = at
        #: The turn number of the step.
        self.turn = turn
        self.events: list[e.Event] = []

    def tell(self, event: e.Event) -> None:
        self.events.append(event)
        self.game = after(self.game, event, self.at)

    def name(self, i: int) -> str:
        return self.game.players[i].id


#: The field of an action that its record keeps, and what it is called there; use_power has two.
_KEPT: dict[type[Any], tuple[str, str]] = {
    c.Nominate: ("target", "target_id"),
    c.AskDirectly: ("target", "target_id"),
    c.VoteTeam: ("yes", "vote"),
    c.VoteEmergency: ("yes", "vote"),
    c.RespondVeto: ("yes", "agree"),
    c.DiscardPaper: ("paper", "paper_id"),
    c.PublishPaper: ("paper", "paper_id"),
    c.SendChatMessage: ("words", "text"),
}


def attempt(seat: str, action: c.Action, **more: Any) -> e.Attempted:
    """The record of an action."""
    if isinstance(action, c.UsePower):
        more |= {"target": action.target_id, "power": action.power_type}
    elif kept := _KEPT.get(type(action)):
        more[kept[0]] = getattr(action, kept[1])
    return e.Attempted(seat=seat, action=c.NAMES[type(action)], **more)


def act(scene: Scene, i: int, action: c.Action, **how: Any) -> None:
    """Carry out a legal action with all that follows from it."""
    scene.tell(attempt(scene.name(i), action, **how))
    match action:
        case c.VoteTeam() | c.VoteEmergency():
            if all_voted(scene.game):
                _count(scene)
        case c.SendChatMessage(text=words, claim=claim, also=also):
            said = e.ChatMessage(
                seat=scene.name(i), words=Words(id=words.id), talk=scene.game.talk, claim=claim, also=also,
                lie=any(contradicts(scene.game, i, one) for one in (claim, also) if one is not None),
            )  # fmt: skip
            scene.tell(said)
            direct = next((one for one in (claim, also) if one is not None and is_direct(one)), None)
            if direct is not None:
                _answer_directly(scene, i, str(direct.target))
            _spoken(scene)
        case c.AskDirectly(target_id=target):
            _answer_directly(scene, i, target)
            _spoken(scene)
        case c.Observe():
            _spoken(scene)
        case _:
            _work(scene, action)


def _answer_directly(scene: Scene, i: int, target: str) -> None:
    """Whoever is asked directly whether they are the AGI answers truthfully: by the rules, and at once."""
    k = place_of(scene.game, target)
    if may_ask(scene.game, i) and k in living(scene.game) and k != i:
        is_agi = scene.game.players[k].role == "AGI"
        scene.tell(e.AnsweredDirectly(seat=scene.name(i), target=target, is_agi=is_agi))


def _work(scene: Scene, action: c.Action) -> None:
    match action:
        case c.Nominate():
            _discuss(scene, "pre_vote")
        case c.RespondVeto(agree=agree):
            _answer_veto(scene, agreed=agree)
        case c.PublishPaper(paper_id=paper):
            _publish(scene, next(k for k in scene.game.hand if paper_id(k) == paper), itself=False)
        case c.UsePower(target_id=target):
            _use_power(scene, next(k for k, p in enumerate(scene.game.players) if p.id == target))
        case _:
            pass  # calling, discarding and declaring a veto change no more than the action itself


def _discuss(scene: Scene, talk: Any) -> None:
    if scene.game.talks:
        scene.tell(e.DiscussionOpened(talk=talk))


def _spoken(scene: Scene) -> None:
    game = scene.game
    if game.talk and is_over(game):
        scene.tell(e.DiscussionClosed(talk=game.talk))


def begin(scene: Scene) -> None:
    """The first proposal of a game."""
    _discuss(scene, "pre_nomination")


# votes


def _count(scene: Scene) -> None:
    game = scene.game
    cast = {game.players[i].id: game.ballots[i] == YES for i in living(game)}
    passed = 2 * sum(cast.values()) > len(cast)
    team = game.vote == "team"
    failed = game.failed + (1 if team and not passed else 0)
    nominee = scene.name(game.nominee) if team else None
    scene.tell(e.VoteCompleted(vote=game.vote, ballots=cast, passed=passed, nominee=nominee, failed=failed))
    if team and passed:
        _elected(scene)
    elif team:
        _failed(scene)


def _elected(scene: Scene) -> None:
    game = scene.game
    agi = game.players[game.engineer].role == "AGI" and game.capability >= AGI_WINS_AT
    if _judge(scene, agi_elected=agi, exhausted=not agi and supply(game) < HAND):
        return
    game = _refilled(scene, HAND)
    drawn = tuple(range(game.taken, game.taken + HAND))
    scene.tell(e.ResearchBegan(director=scene.name(game.director), engineer=scene.name(game.engineer), drawn=drawn))


def _failed(scene: Scene) -> None:
    """A proposal failed or a hand was vetoed; the third time in a row the top paper publishes itself."""
    if scene.game.failed < FAILURES:
        _rotate(scene)
    elif supply(scene.game):
        _publish(scene, _refilled(scene, 1).taken, itself=True)
    else:
        _judge(scene, exhausted=True)


def _refilled(scene: Scene, wanted: int) -> Game:
    """The game with at least so many papers in the deck: where fewer are left, the discards come back."""
    game = scene.game
    if papers_left(game) < wanted and game.away:
        mixed = Chance("papers", game.seed, game.taken).shuffled([game.deck[place] for place in game.away])
        scene.tell(e.PapersReturned(papers=mixed))
    return scene.game


def _rotate(scene: Scene) -> None:
    game, director = scene.game, scene.game.chosen
    if director == NOBODY or director in game.dead:
        director = anchor = next_living(game, game.anchor)
    else:
        anchor = game.anchor
    began = e.ProposalBegan(round=game.round + 1, director=scene.name(director), anchor=scene.name(anchor))
    scene.tell(began)
    _discuss(scene, "pre_nomination")


# papers


def _answer_veto(scene: Scene, *, agreed: bool) -> None:
    scene.tell(e.VetoAnswered(agreed=agreed, failed=scene.game.failed + agreed))
    if agreed and not _judge(scene, exhausted=not supply(scene.game)):
        _failed(scene)


def _publish(scene: Scene, place: int, *, itself: bool) -> None:
    game = scene.game
    capability, safety = game.deck[place]
    reached = game.capability + max(0, capability - game.emergency)
    published = e.PaperPublished(
        place=place,
        paper=game.deck[place],
        capability=reached,
        safety=game.safety + safety,
        engineer=None if itself else scene.name(game.engineer),
        reduced=game.emergency,
        powers=crossed(len(game.players), game.capability, reached),
    )
    scene.tell(published)
    if not _judge(scene, exhausted=not supply(scene.game)):
        _go_on(scene)


def _go_on(scene: Scene) -> None:
    """The powers that are still to come, ascending; after the last one the Director rotates."""
    while scene.game.powers:
        threshold = scene.game.powers[0]
        kind = POWERS[threshold]
        director = None if kind in AUTOMATIC else scene.name(scene.game.director)
        scene.tell(e.PowerTriggered(threshold=threshold, power=kind, director=director))
        if director is not None:
            return
    _rotate(scene)


def _use_power(scene: Scene, target: int) -> None:
    game, name = scene.game, scene.name(target)
    role = game.players[target].role
    match power(game):
        case "view_allegiance":
            scene.tell(e.AllegianceViewed(viewer=scene.name(game.director), target=name, allegiance=side_of(role)))
        case "choose_director":
            scene.tell(e.DirectorChosen(target=name))
        case _:
            scene.tell(e.PlayerEliminated(target=name, role=role))
    if not _judge(scene):
        _go_on(scene)


# the end


def _judge(scene: Scene, *, agi_elected: bool = False, exhausted: bool = False) -> bool:
    """End the game if somebody has won; if both sides have, Acceleration did."""
    for winners, reason in verdicts(scene.game, agi_elected=agi_elected, exhausted=exhausted):
        end(scene, winners, reason)
        return True
    return False


def verdicts(game: Game, *, agi_elected: bool = False, exhausted: bool = False) -> Sequence[tuple[Side, str]]:
    """Every way in which the game is won now, those of Acceleration first."""
    c_, s = game.capability, game.safety
    ways: tuple[tuple[bool, Side, str], ...] = (
        (agi_elected, "Acceleration", "the AGI was elected Engineer"),
        (c_ >= 15 and s < 10, "Acceleration", "Capability reached 15 with Safety below 10"),
        (c_ - s >= LOST_AT, "Acceleration", "Capability ran 6 ahead of Safety"),
        (exhausted and c_ > s, "Acceleration", "the papers ran out with Capability ahead"),
        (any(game.players[i].role == "AGI" for i in game.dead), "Safety", "the AGI was eliminated"),
        (c_ == 10 and s >= c_, "Safety", "Capability is exactly 10 and Safety keeps up"),
        (s >= 15, "Safety", "Safety reached 15"),
        (exhausted and s >= c_, "Safety", "the papers ran out with Safety level or ahead"),
    )
    return [(side, reason) for holds, side, reason in ways if holds]


def end(scene: Scene, winners: Side | None, reason: str) -> None:
    game = scene.game
    scene.tell(
        e.GameEnded(
            winners=winners,
            reason=reason,
            capability=game.capability,
            safety=game.safety,
            turns=scene.turn,
            rounds=game.round,
        )
    )


def stop_if_long(scene: Scene) -> None:
    if scene.turn >= scene.game.most_turns and scene.game.outcome is None:
        end(scene, None, f"no end after {scene.game.most_turns} turns")
