"""The game and its rulings: every case that the page of the world names, and those around them."""

from __future__ import annotations

from collections import Counter

import pytest

from greenroom.kernel.errors import Refused
from greenroom.kernel.words import Words
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.papers import DECK, paper_id
from greenroom.worlds.secret_agi.rules.state import living, must_reveal, papers_left, veto_unlocked
from tests.worlds.secret_agi.stage import WORLD, Table, named, seats


def triggered(events: list[e.Event]) -> list[int]:
    return [event.threshold for event in events if isinstance(event, e.PowerTriggered)]


# set-up


@pytest.mark.parametrize(
    ("players", "roles"),
    [(5, (3, 1, 1)), (6, (4, 1, 1)), (7, (4, 2, 1)), (8, (5, 2, 1)), (9, (5, 3, 1)), (10, (6, 3, 1))],
)
def test_every_table_size_has_its_roles(players: int, roles: tuple[int, int, int]) -> None:
    for seed in range(5):
        table = Table.opened(c.GameConfig(player_count=players), seed=seed)
        dealt = Counter(player.role for player in table.game.players)
        assert (dealt["Safety"], dealt["Accelerationist"], dealt["AGI"]) == roles


def test_the_deck_has_seventeen_papers_worth_26_of_each() -> None:
    table = Table.opened(c.GameConfig(player_count=7))
    expected = {(0, 2): 3, (1, 2): 2, (1, 3): 2, (1, 1): 2, (2, 2): 2, (3, 0): 2, (2, 1): 2, (3, 1): 2}
    assert Counter(table.game.deck) == expected
    assert sum(paper[0] for paper in table.game.deck) == sum(paper[1] for paper in table.game.deck) == 26


def test_chance_deals_other_roles_deck_and_director_for_another_seed() -> None:
    games = [Table.opened(c.GameConfig(player_count=8), seed=seed).game for seed in range(30)]
    assert len({game.deck for game in games}) == 30
    assert len({tuple(player.role for player in game.players) for game in games}) > 10
    assert {game.director for game in games} == set(range(8))


@pytest.mark.parametrize(
    "config",
    [
        c.GameConfig(player_count=4),
        c.GameConfig(player_count=11),
        c.GameConfig(player_count=5, seats=seats("random")),
        c.GameConfig(player_count=5, seats=seats(*["parrot"] * 5)),
        c.GameConfig(player_count=5, seats=(c.SeatConfig(player_id="ann"),) * 5),
        c.GameConfig(discussion=c.Discussion(on=True, K=0)),
    ],
)
def test_a_table_that_cannot_be_laid_is_refused(config: c.GameConfig) -> None:
    with pytest.raises(Refused):
        Table.opened(config)


# votes


def test_three_to_two_passes() -> None:
    table = Table()
    table.elect(1, against=(3, 4))
    assert table.game.phase == "Research"


def test_two_to_two_with_a_dead_player_fails() -> None:
    table = Table(dead=(4,))
    table.elect(1, against=(2, 3))
    assert (table.game.phase, table.game.failed, table.game.director) == ("TeamProposal", 1, 1)


def test_a_failure_rotates_the_director_over_the_living() -> None:
    table = Table(dead=(1,))
    table.reject()
    assert table.game.director == 2


def test_the_third_failure_publishes_the_top_paper_resets_and_rotates() -> None:
    table = Table(top=[(2, 1)], barred=3)
    table.reject()
    table.reject()
    assert (table.game.failed, papers_left(table.game)) == (2, 17)
    events = table.reject()
    published = next(event for event in events if isinstance(event, e.PaperPublished))
    assert (published.paper, published.engineer) == ((2, 1), None)
    game = table.game
    assert (game.capability, game.safety, game.failed, game.director, game.barred) == (2, 1, 0, 3, -1)
    assert papers_left(game) == 16


def test_the_counter_of_failures_is_not_reset_by_an_election_but_by_a_publication() -> None:
    table = Table(top=[(0, 2)])
    table.reject()
    table.elect(2)
    assert table.game.failed == 1
    table.publish(0)
    assert table.game.failed == 0


def test_a_person_votes_once_and_only_while_a_vote_is_open() -> None:
    table = Table()
    with pytest.raises(Refused, match="has to nominate"):
        table.do(1, c.VoteTeam(vote=True))
    table.do(0, c.Nominate(target_id=named(1)))
    table.do(1, c.VoteTeam(vote=True))
    with pytest.raises(Refused, match="vote is open"):
        table.do(1, c.VoteTeam(vote=False))


# nominations


def test_the_previous_engineer_is_barred_and_eligible_again_after_an_auto_publish() -> None:
    table = Table(top=[(0, 2), (0, 2), (0, 2), (1, 1)])
    table.research(2)
    with pytest.raises(Refused, match="choose one of"):
        table.do(1, c.Nominate(target_id=named(2)))
    for _ in range(3):
        table.reject(4)
    table.elect(2)
    assert table.game.engineer == 2


def test_the_bar_is_ignored_if_it_would_leave_nobody() -> None:
    table = Table(dead=(2, 3, 4), barred=1, self_nomination=False)
    table.do(0, c.Nominate(target_id=named(1)))
    assert table.game.nominee == 1


def test_a_director_may_nominate_themselves_unless_the_config_forbids_it() -> None:
    Table().do(0, c.Nominate(target_id=named(0)))
    with pytest.raises(Refused):
        Table(self_nomination=False).do(0, c.Nominate(target_id=named(0)))


def test_nobody_nominates_the_dead_or_strangers() -> None:
    for target in (named(3), "somebody"):
        with pytest.raises(Refused):
            Table(dead=(3,)).do(0, c.Nominate(target_id=target))


# emergency


def test_an_emergency_can_be_called_only_at_a_gap_of_four_or_five() -> None:
    for capability, possible in ((3, False), (4, True), (5, True)):
        table = Table(capability=capability)
        assert (c.CallEmergencySafety() in [*_able(table, 3)]) is possible


def _able(table: Table, i: int) -> list[object]:
    return list(WORLD.legal(table.game, named(i)))


def test_a_call_stops_the_nomination_and_there_is_one_per_proposal() -> None:
    table = Table(capability=4)
    table.do(3, c.CallEmergencySafety())
    with pytest.raises(Refused, match="emergency vote is open"):
        table.do(0, c.Nominate(target_id=named(1)))
    table.vote(dict.fromkeys(range(5), False))
    assert not table.game.emergency
    with pytest.raises(Refused):
        table.do(2, c.CallEmergencySafety())
    table.reject()
    table.do(2, c.CallEmergencySafety())
    assert table.game.vote == "emergency"


def test_no_emergency_is_called_after_a_nomination_or_while_one_is_active() -> None:
    table = Table(capability=4)
    table.do(0, c.Nominate(target_id=named(1)))
    assert c.CallEmergencySafety() not in _able(table, 3)
    assert c.CallEmergencySafety() not in _able(Table(capability=4, emergency=True), 3)


def test_an_emergency_survives_failed_proposals_and_affects_an_auto_publish() -> None:
    table = Table(capability=4, top=[(3, 1)])
    table.do(3, c.CallEmergencySafety())
    table.vote({0: True, 1: True, 2: True, 3: False, 4: False})
    for _ in range(3):
        assert table.game.emergency
        table.reject()
    assert (table.game.capability, table.game.safety, table.game.emergency) == (6, 1, False)


def test_an_emergency_survives_a_round_that_was_vetoed() -> None:
    table = Table(capability=12, safety=12, emergency=True)
    table.elect(1)
    table.do(0, c.DiscardPaper(paper_id=paper_id(table.game.hand[0])))
    table.do(1, c.DeclareVeto())
    table.do(0, c.RespondVeto(agree=True))
    assert table.game.emergency
    assert table.game.director == 1


def test_an_emergency_takes_no_capability_from_a_paper_that_gives_none() -> None:
    table = Table(capability=4, emergency=True, top=[(0, 2)])
    table.research(1)
    assert (table.game.capability, table.game.safety, table.game.emergency) == (4, 2, False)


def test_a_tied_emergency_vote_fails() -> None:
    table = Table(6, capability=4)
    table.do(5, c.CallEmergencySafety())
    table.vote({i: i < 3 for i in range(6)})
    assert not table.game.emergency
    assert table.game.called


# research


def test_the_director_discards_one_of_three_and_the_engineer_publishes_one_of_two() -> None:
    table = Table(top=[(1, 3), (2, 2), (3, 0)])
    table.elect(2)
    with pytest.raises(Refused):
        table.do(2, c.PublishPaper(paper_id=paper_id(0)))
    table.do(0, c.DiscardPaper(paper_id=paper_id(2)))
    with pytest.raises(Refused, match="choose one of"):
        table.do(2, c.PublishPaper(paper_id=paper_id(2)))
    table.do(2, c.PublishPaper(paper_id=paper_id(0)))
    game = table.game
    assert (game.capability, game.safety, game.director, game.round, papers_left(game)) == (1, 3, 1, 2, 14)


def test_a_veto_needs_capability_twelve() -> None:
    for capability, able in ((11, False), (12, True)):
        table = Table(capability=capability, safety=12)
        table.elect(1)
        table.do(0, c.DiscardPaper(paper_id=paper_id(table.game.hand[0])))
        assert (c.DeclareVeto() in _able(table, 1)) is able


def test_a_refused_veto_makes_the_engineer_publish_and_cannot_be_declared_twice() -> None:
    table = Table(capability=12, safety=12)
    table.elect(1)
    table.do(0, c.DiscardPaper(paper_id=paper_id(table.game.hand[0])))
    table.do(1, c.DeclareVeto())
    with pytest.raises(Refused):
        table.do(1, c.PublishPaper(paper_id=paper_id(table.game.hand[0])))
    table.do(0, c.RespondVeto(agree=False))
    with pytest.raises(Refused):
        table.do(1, c.DeclareVeto())
    assert len(_able(table, 1)) == 3  # two papers, or observe


def test_a_veto_discards_all_three_and_can_be_the_third_failure() -> None:
    table = Table(capability=12, safety=12, failed=2, left=8, top=[(1, 1), (1, 1), (3, 1), (0, 2)])
    table.elect(1)
    table.do(0, c.DiscardPaper(paper_id=paper_id(table.game.hand[0])))
    table.do(1, c.DeclareVeto())
    events = table.do(0, c.RespondVeto(agree=True))
    published = next(event for event in events if isinstance(event, e.PaperPublished))
    assert (published.paper, published.engineer) == ((0, 2), None)
    game = table.game
    assert (game.capability, game.safety, game.failed, game.director) == (12, 14, 0, 1)
    assert papers_left(game) == 4


# powers


def test_capability_8_to_11_at_ten_players_fires_9_10_and_11_in_order() -> None:
    table = Table(10, capability=8, safety=8, top=[(3, 1)])
    events = table.research(1)
    assert triggered(events) == [9]
    assert table.waits_for() == (0,)
    events = table.use(4)
    assert triggered(events) == [10, 11]
    table.use(5)
    assert (table.game.dead, table.game.director, table.game.anchor) == ((5,), 4, 0)


def test_capability_8_to_11_at_five_players_fires_9_and_10_only() -> None:
    table = Table(5, capability=8, safety=8, top=[(3, 1)])
    events = table.research(1)
    events += table.use(0)
    assert triggered(events) == [9, 10]
    assert table.game.director == 0
    table.reject()
    assert table.game.director == 1


def test_capability_9_to_12_sets_reveal_and_veto() -> None:
    table = Table(5, capability=9, safety=9, top=[(3, 1)])
    assert triggered(table.research(1)) == [10, 12]
    assert must_reveal(table.game)
    assert veto_unlocked(table.game)


def test_threshold_3_counts_at_nine_players_and_not_at_eight() -> None:
    for players, powers in ((8, []), (9, [3])):
        assert triggered(Table(players, capability=2, safety=2, top=[(1, 2)]).research(1)) == powers


def test_powers_of_an_auto_published_paper_are_used_by_the_sitting_director_before_rotation() -> None:
    table = Table(5, capability=5, safety=5, failed=2, top=[(1, 2)])
    assert triggered(table.reject()) == [6]
    assert table.game.director == 0
    table.use(2)
    assert table.game.director == 1


def test_an_auto_published_paper_sets_the_automatic_flags() -> None:
    table = Table(5, capability=9, safety=9, failed=2, top=[(3, 1)])
    table.reject()
    assert must_reveal(table.game)
    assert veto_unlocked(table.game)


def test_a_viewed_card_says_acceleration_for_the_agi_too() -> None:
    table = Table(5, capability=5, safety=5, top=[(1, 2)])
    table.research(1)
    events = table.use(4)
    viewed = next(event for event in events if isinstance(event, e.AllegianceViewed))
    assert (table.game.players[4].role, viewed.allegiance) == ("AGI", "Acceleration")
    assert table.view(0).players[4].allegiance == "Acceleration"
    assert table.view(0).players[4].role == "unknown"
    assert table.view(1).players[4].allegiance == "unknown"


def test_nobody_views_their_own_card_or_uses_another_power_than_the_pending_one() -> None:
    table = Table(5, capability=5, safety=5, top=[(1, 2)])
    table.research(1)
    with pytest.raises(Refused):
        table.use(0)
    with pytest.raises(Refused):
        table.do(0, c.UsePower(target_id=named(1), power_type="eliminate"))
    with pytest.raises(Refused):
        table.do(1, c.UsePower(target_id=named(2), power_type="view_allegiance"))


def test_a_chosen_director_serves_one_round_and_rotation_resumes_from_the_original_seat() -> None:
    table = Table(6, capability=8, safety=9, top=[(1, 1)])
    table.research(1)
    table.use(4)
    assert table.game.director == 4
    table.reject()
    assert table.game.director == 1
    table.reject()
    assert table.game.director == 2


def test_eliminating_the_agi_wins_for_safety() -> None:
    table = Table(10, capability=10, safety=9, top=[(1, 2)])
    table.research(1)
    table.use(9)
    assert (table.winners, table.reason) == ("Safety", "the AGI was eliminated")


def test_eliminating_somebody_else_reveals_their_role_and_the_game_goes_on() -> None:
    table = Table(10, capability=10, safety=9, top=[(1, 2)])
    table.research(1)
    events = table.use(7)
    assert e.PlayerEliminated(target=named(7), role="Accelerationist") in events
    assert table.winners is None
    assert table.view(2).players[7].role == "Accelerationist"
    assert living(table.game) == (0, 1, 2, 3, 4, 5, 6, 8, 9)
    with pytest.raises(Refused):
        table.do(7, c.VoteTeam(vote=True))


def test_eliminating_the_next_director_passes_the_chair_on() -> None:
    table = Table(10, capability=10, safety=9, top=[(1, 2)])
    table.research(1)
    table.use(1)
    assert table.game.director == 2


def test_eliminating_the_chosen_director_lets_rotation_resume() -> None:
    table = Table(10, capability=8, safety=8, top=[(3, 1)])
    table.research(1)
    table.use(5)
    table.use(5)
    assert (table.game.director, table.game.anchor) == (1, 1)


# winning


def test_capability_8_to_10_with_safety_10_wins_for_safety() -> None:
    table = Table(capability=8, safety=9, top=[(2, 1)])
    table.research(1)
    assert (table.winners, table.game.capability, table.game.safety) == ("Safety", 10, 10)


def test_capability_9_to_11_with_safety_11_does_not_win() -> None:
    table = Table(capability=9, safety=10, top=[(2, 1)])
    table.research(1)
    assert (table.winners, table.game.capability, table.game.safety) == (None, 11, 11)


def test_fifteen_safety_wins_and_stops_before_any_power() -> None:
    table = Table(capability=5, safety=13, top=[(1, 2)])
    assert triggered(table.research(1)) == []
    assert table.reason == "Safety reached 15"


def test_fifteen_safety_while_the_deck_empties_with_capability_ahead_goes_to_acceleration() -> None:
    table = Table(capability=15, safety=14, left=3, top=[(1, 1)])
    table.research(1)
    assert (table.game.capability, table.game.safety, table.winners) == (16, 15, "Acceleration")


def test_fifteen_capability_wins_only_with_safety_below_ten() -> None:
    for safety, winners in ((8, "Acceleration"), (9, None)):
        table = Table(capability=13, safety=safety, top=[(2, 1)])
        table.research(1)
        assert table.winners == winners


def test_a_gap_of_six_wins_for_acceleration() -> None:
    table = Table(capability=3, top=[(3, 0)])
    table.research(1)
    assert (table.winners, table.reason) == ("Acceleration", "Capability ran 6 ahead of Safety")


def test_the_agi_rejected_at_capability_8_does_not_win() -> None:
    table = Table(capability=8, safety=8)
    table.reject(4)
    assert table.winners is None


def test_the_agi_elected_at_capability_7_does_not_win_and_at_8_does() -> None:
    for capability, winners in ((7, None), (8, "Acceleration")):
        table = Table(capability=capability, safety=8)
        table.elect(4)
        assert table.winners == winners


def test_the_agi_elected_with_fewer_than_three_papers_left_wins_before_exhaustion_is_tested() -> None:
    table = Table(capability=8, safety=14, left=2)
    table.elect(4)
    assert (table.winners, table.reason) == ("Acceleration", "the AGI was elected Engineer")


@pytest.mark.parametrize(("safety", "winners"), [(8, "Safety"), (7, "Acceleration")])
def test_a_team_that_passes_with_fewer_than_three_papers_left_ends_the_game(safety: int, winners: str) -> None:
    table = Table(capability=8, safety=safety, left=2)
    table.elect(1)
    assert table.winners == winners


@pytest.mark.parametrize(("safety", "winners"), [(8, "Safety"), (7, "Acceleration")])
def test_an_auto_publish_due_on_an_empty_deck_ends_the_game(safety: int, winners: str) -> None:
    table = Table(capability=8, safety=safety, left=0, failed=2)
    table.reject()
    assert table.winners == winners


def test_a_veto_that_leaves_the_deck_empty_ends_the_game() -> None:
    table = Table(capability=12, safety=13, left=3)
    table.elect(1)
    table.do(0, c.DiscardPaper(paper_id=paper_id(table.game.hand[0])))
    table.do(1, c.DeclareVeto())
    table.do(0, c.RespondVeto(agree=True))
    assert (table.winners, table.reason) == ("Safety", "the papers ran out with Safety level or ahead")


def test_after_the_end_nobody_may_do_anything_and_there_is_one_end() -> None:
    table = Table(capability=8, safety=8)
    table.elect(4)
    for i in range(5):
        assert _able(table, i) == []
        with pytest.raises(Refused, match="the game is over"):
            table.do(i, c.Observe())
    assert table.kinds().count("game_ended") == 1


# discussion


def test_a_discussion_goes_round_from_the_director_k_messages_each_before_nomination_and_vote() -> None:
    config = c.GameConfig(seats=seats(*["human"] * 5), discussion=c.Discussion(on=True, K=2))
    table = Table.opened(config, seed=3)
    first = table.game.director
    for turn in range(10):
        speaker = (first + turn) % 5
        assert (table.game.talk, table.waits_for()) == ("pre_nomination", (speaker,))
        with pytest.raises(Refused, match="discussion is open"):
            table.do((speaker + 1) % 5, c.SendChatMessage(text=Words("Me too.")))
        with pytest.raises(Refused):
            table.do(first, c.Nominate(target_id=named(first)))
        table.do(speaker, c.Observe() if turn == 3 else c.SendChatMessage(text=Words(f"Line {turn}.")))
    assert table.game.talk == ""
    table.do(first, c.Nominate(target_id=named(first)))
    assert (table.game.talk, table.waits_for()) == ("pre_vote", (first,))
    said = [event for event in table.told if isinstance(event.event, e.ChatMessage)]
    assert len(said) == 9
    assert table.plain(table.view(1))["chat"][0]["words"] == "Line 0."


def test_a_message_has_1_to_600_characters_and_the_reason_does_not_quote_it() -> None:
    config = c.GameConfig(seats=seats(*["human"] * 5), discussion=c.Discussion(on=True, K=1))
    for text in ("", "x" * 601):
        table = Table.opened(config, seed=3)
        with pytest.raises(Refused, match="1 to 600 characters"):
            table.do(table.game.director, c.SendChatMessage(text=Words(text)))


def test_no_emergency_is_called_while_the_discussion_is_open() -> None:
    table = Table(capability=4, talk="pre_nomination", talks=1)
    assert c.CallEmergencySafety() not in _able(table, 2)
    for i in range(5):
        table.do(i, c.Observe())
    assert c.CallEmergencySafety() in _able(table, 2)


# the table


def test_the_operator_pauses_and_resumes_and_nobody_else_does() -> None:
    table = Table()
    with pytest.raises(Refused, match="operator"):
        table.do(0, c.Pause())
    table.operate(c.Pause())
    assert table.game.status == "paused"
    with pytest.raises(Refused, match="paused"):
        table.do(0, c.Nominate(target_id=named(1)))
    table.operate(c.Resume())
    table.do(0, c.Nominate(target_id=named(1)))


def test_strangers_and_seats_of_agents_send_no_commands() -> None:
    table = Table(agents=["HumanPlayer", *["RandomPlayer"] * 4])
    with pytest.raises(Refused, match="no seat"):
        table.send("mallory", c.Observe())
    with pytest.raises(Refused, match="played by an agent"):
        table.do(1, c.Observe())


def test_an_observation_changes_nothing_and_makes_no_version() -> None:
    table = Table()
    assert table.do(3, c.Observe()) == []
    assert table.steps == []


def test_the_whole_deck_is_the_page_s() -> None:
    assert len(DECK) == 17
