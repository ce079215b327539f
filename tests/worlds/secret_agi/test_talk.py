"""Talk that means something: questions are understood and answered, lines are not repeated, lies are in the record."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, get_args

import pytest
from msgspec.structs import replace

from greenroom.adapters.embeddings import embedded_default
from greenroom.adapters.understudy import ByWords, Encoder
from greenroom.kernel.asks import Alike
from greenroom.kernel.chance import Chance
from greenroom.kernel.words import Words
from greenroom.worlds.secret_agi.rules import answering, bots, explaining, reading, talking
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.claims import Assertion, Topic
from greenroom.worlds.secret_agi.rules.papers import RULE_SETS
from greenroom.worlds.secret_agi.rules.sight import sight
from greenroom.worlds.secret_agi.rules.state import Claimed, Game, Poll, Record, place_of
from tests.counts import count, report
from tests.worlds.secret_agi.questions import OPEN, PASSING, PASSING_SEALED, SEALED, TYPED, WIDER, Asked
from tests.worlds.secret_agi.stage import CONTENT, Table, game_of, named, seats

#: How like the text of an ask each of the others is.
Compared: TypeAlias = Callable[[Alike], Sequence[float]]
PERSON = 0
ASKED = {"open": OPEN, "sealed": SEALED, "typed": TYPED, "wider": WIDER}
#: The kind of claim that answers a question.
ANSWERED_BY = {
    "drew": ("drew",),
    "received": ("received",),
    "choice": ("drew", "received"),
    "story": ("believe",),
    "quiet": ("believe",),
    "mood": ("table",),
    "changed": ("believe",),
    "card": ("card",),
    "role": ("role",),
    "suspect": ("believe",),
    "trust": ("believe",),
    "opinion": ("believe",),
    "why": ("believe",),
    "voted": ("vote",),
    "vote": ("vote",),
    "nominate": ("believe",),
    "table": ("table",),
    "which": ("believe",),
    "sure": ("believe",),
    "accused": ("role",),
    "ballots": ("fact",),
    "papers": ("fact",),
    "stories": ("fact",),
    "said": ("fact",),
    "next": ("fact",),
    "rules": ("rule",),
    "hello": ("chat",),
    "aside": ("chat",),
    **dict.fromkeys(("opinion", "earn", "look", "partner", "both", "pair", "plan", "elect", "rank"), ("believe",)),
    **dict.fromkeys(
        ("ballots", "mine", "alike", "named", "idle", "checked", "own", "count", "odds", "thinks", "about"), ("fact",)
    ),
    **dict.fromkeys(("policy", "thanks", "sorry", "praise", "promise", "bot"), ("chat",)),
    **dict.fromkeys(("silent", "looks", "dead"), ("fact",)),
    # What was not so is told: that one nominated nobody, never held that hand, or knows no more than others.
    "nominated": ("believe", "fact"),
    "clash": ("drew", "received", "fact"),
    "knows": ("card", "drew", "received", "fact"),
}


def table() -> Game:
    """Seven players in round 3: player_3 drew and player_5 published, player_2 saw the card of player_6."""
    laid = Table(7, agents=["HumanPlayer", *["StrongPlayer"] * 6], talk="pre_vote", talks=1, nominee=3).game
    drawn, passed = (0, 3, 12), (3, 12)
    record = Record(2, 2, 4, 12, laid.deck[12], drawn, passed)
    poll = Poll("team", 2, 2, 4, "yynynyy", True)
    return replace(laid, round=3, director=5, taken=3, records=(record,), polls=(poll,), seen=((1, 5),), seed=5)


def by_words(ask: Alike) -> Sequence[float]:
    return ByWords().likes(ask.text, ask.others)


@pytest.fixture(scope="module")
def by_meaning() -> Compared:
    embedder = embedded_default()
    assert embedder is not None
    encoder = Encoder(embedder, CONTENT.senses.compared)
    return lambda ask: asyncio.run(encoder.of([ask.text])).likes(ask.text, ask.others)


def both(game: Game, text: str, compared: Compared = by_words) -> tuple[Assertion | None, Assertion | None]:
    """What the person's words are taken for; by words where nothing else is said, as in a house without an encoder."""
    reading_it = reading.understood(CONTENT.senses, game, PERSON, text)
    try:
        ask = next(reading_it)
        while True:
            assert isinstance(ask, Alike)
            ask = reading_it.send(compared(ask))
    except StopIteration as ended:
        claims: tuple[Assertion | None, Assertion | None] = ended.value
        return claims


def understood(game: Game, text: str) -> Assertion | None:
    return both(game, text)[0]


def answered(game: Game, asked: Asked, compared: Compared = by_words) -> bool:
    """Whether whoever was asked, or anybody, answers with what was wanted; where it may mean two things, to one."""
    return any(_answers(game, asked, question) for question in both(game, asked.text, compared) if question is not None)


def _answers(game: Game, asked: Asked, question: Assertion) -> bool:
    if question.kind != "question" or question.about != asked.about:
        return False
    if asked.target is not None and question.target != asked.target:
        return False
    heard = replace(game, claims=(Claimed(PERSON, game.round, "pre_vote", question),))
    i = place_of(game, question.target or next(named(k) for k in (3, 4) if named(k) != asked.of))
    claim = talking.wanted(bots.mind_of(sight(heard, i), "StrongPlayer", Chance("dice"), game.seed))
    if claim is None or claim.kind not in ANSWERED_BY[asked.about] or claim.of != named(PERSON):
        return False
    return asked.about not in ("opinion", "why", "story") or asked.of is None or claim.target == asked.of


def test_people_s_questions_are_answered_to_the_point() -> None:
    """By words alone: a house with an encoder has more to go by."""
    game = table()
    missed = {name: [one.text for one in asked if not answered(game, one)] for name, asked in ASKED.items()}
    for name, asked in ASKED.items():
        report(f"secret_agi: {1 - len(missed[name]) / len(asked):.0%} of {len(asked)} {name} questions to the point")
    assert all(len(missed[name]) <= 0.15 * len(asked) for name, asked in ASKED.items()), missed


def test_with_an_encoder_questions_in_passing_are_answered_as_well(by_meaning: Compared) -> None:
    game = table()
    asked = {**ASKED, "passing": PASSING, "sealed passing": PASSING_SEALED}
    right = {name: sum(answered(game, one, by_meaning) for one in those) for name, those in asked.items()}
    for name, those in asked.items():
        report(
            f"secret_agi: with an encoder {right[name] / len(those):.0%} of {len(those)} {name} questions to the point"
        )
    assert right["passing"] + right["sealed passing"] >= 0.85 * (len(PASSING) + len(PASSING_SEALED))
    assert sum(right.values()) >= 0.9 * sum(map(len, asked.values()))


def test_nobody_is_asked_for_a_hand_or_a_card_that_they_never_had(by_meaning: Compared) -> None:
    game = table()

    def after(text: str, game: Game) -> set[str]:
        return {one.about for one in both(game, text, by_meaning) if one is not None}

    assert "card" in after("player_2 you got a look at 6. good or bad?", game)
    assert "card" not in after("what's the chance that the top card is bad", replace(game, seen=()))
    future = after("so what are you going to do with the cards, player_4?", game)
    assert not future & {"card", "drew", "received", "choice"}


def test_what_may_well_mean_two_things_is_answered_as_both(by_meaning: Compared) -> None:
    found = both(table(), "if capability gets to 8 what happens", by_meaning)
    assert [None if one is None else (one.about, one.rule) for one in found] == [("rules", "powers"), ("rules", "agi")]
    plain = both(table(), "player_4, who do you trust?", by_meaning)
    assert plain == (Assertion(kind="question", about="trust", target="player_4"), None)


def test_whoever_asks_a_player_by_rules_whether_it_is_a_bot_is_told_so(by_meaning: Compared) -> None:
    game = table()
    for text in ("player_4, are you a bot?", "am i talking to a computer player_4", "player_4 you sound like a robot"):
        (question, _) = both(game, text, by_meaning)
        assert question == Assertion(kind="question", about="bot", target="player_4")
        heard = replace(game, claims=(Claimed(PERSON, game.round, "pre_vote", question),))
        mind = bots.mind_of(sight(heard, 3), "StrongPlayer", Chance("dice"), game.seed)
        assert (answer := talking.wanted(mind)) is not None
        assert "rules" in talking.worded(CONTENT.voices, mind, answer)


@pytest.mark.parametrize(
    ("text", "about", "target"),
    [
        ("ha! player_3 that is a lie and everybody knows it", "accused", "player_3"),
        ("player_4 and what have you got against player_3 then", "why", "player_4"),
        ("player_5 was everything you told us true?", "lied", "player_5"),
        ("so are you safety or not player_3", "role", "player_3"),
        ("I need player_5 to explain why that paper went out", "choice", "player_5"),
        ("just between us, who does player_3 suspect?", "thinks", None),
    ],
)
def test_who_is_spoken_to_is_heard_where_nothing_sets_the_name_off(
    text: str, about: str, target: str | None, by_meaning: Compared
) -> None:
    found = both(table(), text, by_meaning)[0]
    assert found is not None
    assert (found.about, found.target) == (about, target)


def test_the_table_knows_no_sense_that_nobody_could_answer() -> None:
    for sense in CONTENT.senses.known:
        assert sense.topic in get_args(Topic)
        assert (sense.topic == "rules") == bool(sense.rule)
        assert not sense.rule or sense.rule in explaining.RULES


def test_half_a_question_leans_on_the_one_before() -> None:
    asked = Assertion(kind="question", about="suspect", target="player_4")
    told = Assertion(kind="believe", target="player_6", side="Acceleration", about="suspect", of="player_1")
    game = replace(table(), claims=(Claimed(PERSON, 3, "pre_vote", asked), Claimed(3, 3, "pre_vote", told)))
    assert understood(game, "why?") == Assertion(kind="question", about="why", target="player_4", of="player_6")
    assert understood(game, "who else") == Assertion(
        kind="question", about="suspect", target="player_4", other="player_6"
    )
    assert understood(game, "and you, player_5?") == Assertion(kind="question", about="suspect", target="player_5")


def test_whoever_is_accused_to_their_face_stands_up_for_themself() -> None:
    game, text = table(), "player_7 liar"
    claim = understood(game, text)
    assert claim == Assertion(kind="believe", target="player_7", side="Acceleration", about="accused")
    heard = replace(game, claims=(Claimed(PERSON, game.round, "pre_vote", claim),))
    mind = bots.mind_of(sight(heard, 6), "StrongPlayer", Chance("dice"), game.seed)
    answer = talking.wanted(mind)
    assert answer is not None
    assert (answer.kind, answer.side, answer.of) == ("role", "Safety", named(PERSON))
    assert named(PERSON) in talking.worded(CONTENT.voices, mind, answer)


def test_whoever_says_of_themself_which_side_they_are_on_hears_what_others_think_of_that() -> None:
    game = table()
    claim = understood(game, "im Safety, you can believe me")
    assert claim == Assertion(kind="role", side="Safety")
    heard = replace(game, claims=(Claimed(PERSON, game.round, "pre_vote", claim),))
    answer = talking.wanted(bots.mind_of(sight(heard, 6), "StrongPlayer", Chance("dice"), game.seed))
    assert answer is not None
    assert (answer.kind, answer.target, answer.of) == ("believe", named(PERSON), named(PERSON))


def test_whoever_was_looked_at_speaks_for_themself_and_others_tell_who_looked() -> None:
    game, question = table(), Assertion(kind="question", about="card", target="player_6")
    for i, kind in ((1, "card"), (5, "role"), (6, "fact")):
        asked = replace(question, target=named(i))
        heard = replace(game, claims=(Claimed(PERSON, game.round, "pre_vote", asked),))
        mind = bots.mind_of(sight(heard, i), "StrongPlayer", Chance("dice"), game.seed)
        answer = talking.wanted(mind)
        assert answer is not None
        assert answer.kind == kind
        assert talking.worded(CONTENT.voices, mind, answer)


def test_every_kind_of_answer_can_be_said_in_every_manner() -> None:
    game = table()
    for k, about in enumerate(get_args(Topic)[1:]):
        rule = "deck" if about == "rules" else ""
        asked = Assertion(kind="question", about=about, target=named(4), of=named(5), rule=rule)
        heard = replace(game, claims=(Claimed(PERSON, game.round, "pre_vote", asked),), seed=k)
        mind = bots.mind_of(sight(heard, 4), "StrongPlayer", Chance("dice"), k)
        answer = talking.wanted(mind)
        assert answer is not None
        assert "{" not in talking.worded(CONTENT.voices, mind, answer)


def both_of(message: c.SendChatMessage) -> list[Assertion]:
    return [claim for claim in (message.claim, message.also) if claim is not None]


def test_two_questions_in_one_message_are_both_answered() -> None:
    laid = Table(7, agents=["HumanPlayer", *["StrongPlayer"] * 6], talk="pre_vote", talks=1, nominee=3)
    asks = c.SendChatMessage(
        text=Words("two things"),
        claim=Assertion(kind="question", about="trust", target=named(1)),
        also=Assertion(kind="question", about="table", target=named(1)),
    )
    laid.do(0, asks)
    mind = bots.mind_of(sight(laid.game, 1), "StrongPlayer", Chance("dice"), 1)
    answer = talking.speech(mind, ())
    assert isinstance(answer, c.SendChatMessage)
    assert [one.about for one in both_of(answer)] == ["trust", "table"]
    answered = replace(
        laid.game, claims=(*laid.game.claims, *(Claimed(1, 1, "pre_vote", one) for one in both_of(answer)))
    )
    assert not answering.waiting_answers(bots.mind_of(sight(answered, 1), "StrongPlayer", Chance("dice"), 1))


def test_a_second_question_is_heard_as_one_of_its_own() -> None:
    game = table()
    for text in ("player_4, who do you trust? How will you vote?", "who do you trust and how will you vote, player_4?"):
        found = both(game, text)
        assert [None if one is None else one.about for one in found] == ["trust", "vote"]
        assert {one.target for one in found if one is not None} == {"player_4"}
    assert both(game, "player_4, who do you trust? And why?")[1] is None


def test_a_statement_is_remembered_as_the_claim_it_makes() -> None:
    game = replace(table(), players=table().players)
    told = {
        "I trust player_4.": Assertion(kind="believe", target="player_4", side="Safety"),
        "player 5 is lying": Assertion(kind="believe", target="player_5", side="Acceleration", about="accused"),
        "I don't trust player_3 at all": Assertion(
            kind="believe", target="player_3", side="Acceleration", about="accused"
        ),
        "I am Safety, I swear.": Assertion(kind="role", side="Safety"),
        "I will vote no on this.": Assertion(kind="vote", round=3, yes=False),
        "I got 3/0 and 2/1.": Assertion(kind="received", round=2, papers=((3, 0), (2, 1))),
        "I drew 3/0, 2/1 and 1/1 and passed 2/1 and 1/1": Assertion(
            kind="drew", round=2, papers=((3, 0), (2, 1), (1, 1)), passed=((2, 1), (1, 1))
        ),
        "The coffee is cold.": Assertion(kind="question", about="aside"),
        "One of us is lying.": Assertion(kind="question", about="remark", other=named(PERSON)),
        "player_1 is safety, write it on the wall.": Assertion(kind="role", side="Safety"),
    }
    assert {text: understood(game, text) for text in told} == told


# what bots say to each other


def spoken(players: int, rules: str, seed: int) -> Iterator[tuple[Game, e.ChatMessage, str]]:
    """Every message of a game among strong players, with its words and the game before it."""
    said: list[str] = []
    cast = seats(*["strong"] * players)
    config = c.GameConfig(
        player_count=players, seats=cast, seed=seed, rules=rules, discussion=c.Discussion(on=True, K=2)
    )
    before: Game | None = None
    for game, events in game_of(config, seed=seed, heard=lambda _, text: said.append(text)):
        for event in events:
            if isinstance(event, e.ChatMessage) and before is not None:
                yield before, event, said.pop(0)
        before = game


@pytest.mark.parametrize("rules", RULE_SETS)
def test_hardly_a_line_is_said_twice_in_a_game(rules: str) -> None:
    lines = repeats = 0
    for seed in range(count(1, soak=100)):
        for players in (5, 7, 10):
            told = Counter(text for _, _, text in spoken(players, rules, seed))
            lines += told.total()
            repeats += told.total() - len(told)
    report(f"secret_agi: {rules}: {repeats / lines:.1%} of {lines} lines repeat one of their game word for word")
    assert repeats / lines <= 0.10


@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_claim_contradicts_what_its_speaker_knows_unless_the_record_calls_it_a_lie(rules: str) -> None:
    claims = lies = 0
    for seed in range(count(3, soak=100)):
        for game, event, text in spoken(7, rules, seed):
            claims += 1
            lies += event.lie
            i = place_of(game, event.seat)
            assert "{" not in text
            assert 1 <= len(text) <= c.MESSAGE.most
            if game.players[i].role == "Safety":
                assert not event.lie, f"an honest player lies: {text}"
    report(f"secret_agi: {rules}: {lies} lies among {claims} claims, all by insiders and all in the record")
    assert lies


def test_everybody_at_a_table_of_six_has_a_manner_of_their_own() -> None:
    manners = CONTENT.voices.manners
    words = {line for voice in manners.values() for lines in voice.values() for line in lines}
    assert len(words) == sum(len(lines) for voice in manners.values() for lines in voice.values())


# the duty to answer


def test_from_capability_10_on_the_agi_answers_truthfully_and_everybody_hears_it() -> None:
    laid = Table(7, capability=10, safety=8, talk="pre_nomination", talks=1)
    agi = len(laid.game.players) - 1
    assert c.AskDirectly(target_id=named(agi)) in laid.game_options(0)
    events = laid.do(0, c.AskDirectly(target_id=named(agi)))
    assert e.AnsweredDirectly(seat=named(0), target=named(agi), is_agi=True) in events
    assert {laid.view(i).players[agi].role for i in range(7)} == {"AGI"}
    assert laid.waits_for() == (1,)
    laid.do(1, c.Observe())
    for i in range(2, 7):
        laid.do(i, c.Observe())
    assert not laid.game.talk


def test_each_player_may_ask_once_a_game_and_not_before_capability_10() -> None:
    early = Table(7, capability=9, safety=8, talk="pre_nomination", talks=1)
    assert not any(isinstance(option, c.AskDirectly) for option in early.game_options(0))
    laid = Table(7, capability=10, safety=8, talk="pre_nomination", talks=2)
    laid.do(0, c.AskDirectly(target_id=named(1)))
    for i in range(1, 7):
        laid.do(i, c.Observe())
    assert laid.waits_for() == (0,)
    assert not any(isinstance(option, c.AskDirectly) for option in laid.game_options(0))


def test_a_person_who_asks_in_plain_words_has_asked_directly() -> None:
    laid = Table(7, capability=10, safety=8, talk="pre_nomination", talks=1)
    events = laid.do(0, c.SendChatMessage(text=Words("Are you the AGI, player_7?")))
    assert e.AnsweredDirectly(seat=named(0), target=named(6), is_agi=True) in events
