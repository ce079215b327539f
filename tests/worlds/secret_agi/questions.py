"""What people ask at the table: the words, who is asked, what they want to know, and of whom.

The sealed third was written before anything that reads questions, and nothing was fitted to it.
Where nobody is named, whoever it concerns is asked, or anybody: ``None``.
"""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """One question and what it means; player_3 was the last Director and player_5 the last Engineer."""

    text: str
    target: str | None
    about: str
    of: str | None = None


OPEN = (
    Asked("player_3, what did you draw?", "player_3", "drew"),
    Asked("What did you draw last round, player 3?", "player_3", "drew"),
    Asked("Player 3: which papers were in your hand?", "player_3", "drew"),
    Asked("player_3 which one did you throw away", "player_3", "drew"),
    Asked("Director, what did you pass on?", "player_3", "drew"),
    Asked("What did the Director have to choose from?", "player_3", "drew"),
    Asked("player_3, show us your three papers.", "player_3", "drew"),
    Asked("So what was your hand, p3?", "player_3", "drew"),
    Asked("What did you discard, player_3?", "player_3", "drew"),
    Asked("Tell us what you passed to player_5, player_3.", "player_3", "drew"),
    Asked("player_5, what did you get from the Director?", "player_5", "received"),
    Asked("player_5, what were your two papers?", "player_5", "received"),
    Asked("Why did you publish that, player_5?", "player_5", "received"),
    Asked("player 5 did you have a better one?", "player_5", "received"),
    Asked("Engineer, what else was in your hand?", "player_5", "received"),
    Asked("Was there no better paper, player_5?", "player_5", "received"),
    Asked("player_5: what were you handed?", "player_5", "received"),
    Asked("Which two papers did player_3 give you, player_5?", "player_5", "received"),
    Asked("player_2, what did the card say?", "player_2", "card"),
    Asked("player_2, you looked at a card. What was on it?", "player_2", "card"),
    Asked("What is player_6's allegiance, player_2?", "player_2", "card"),
    Asked("player 2, what did you see on player 6's card?", "player_2", "card"),
    Asked("player_4, are you Safety?", "player_4", "role"),
    Asked("Are you the AGI, player_4?", "player_4", "role"),
    Asked("player_4, which side are you on?", "player_4", "role"),
    Asked("player_7 what is your role", "player_7", "role"),
    Asked("Player 7, are you an Accelerationist?", "player_7", "role"),
    Asked("Whose side are you on, player_2?", "player_2", "role"),
    Asked("player_6, can you swear you are not the AGI?", "player_6", "role"),
    Asked("player_4, who do you suspect?", "player_4", "suspect"),
    Asked("Who do you think is the AGI, player_6?", "player_6", "suspect"),
    Asked("player_2, who is lying here?", "player_2", "suspect"),
    Asked("Whom don't you trust, player_7?", "player_7", "suspect"),
    Asked("Who is the AGI?", None, "suspect"),
    Asked("Does anybody look suspicious to you?", None, "suspect"),
    Asked("player_3, who's the bad one in your opinion?", "player_3", "suspect"),
    Asked("Who do you all suspect?", None, "suspect"),
    Asked("player_4, who do you trust?", "player_4", "trust"),
    Asked("Whom would you trust with the papers, player_6?", "player_6", "trust"),
    Asked("Who is safe, player_2?", "player_2", "trust"),
    Asked("Who can we trust?", None, "trust"),
    Asked("player_7, is there anybody you believe?", "player_7", "trust"),
    Asked("player_4, what do you think of player_6?", "player_4", "opinion", "player_6"),
    Asked("Do you trust player_3, player_6?", "player_6", "opinion", "player_3"),
    Asked("player_2, is player_5 lying?", "player_2", "opinion", "player_5"),
    Asked("player_7: player_3, Safety or not?", "player_7", "opinion", "player_3"),
    Asked("What about player_5, player_4?", "player_4", "opinion", "player_5"),
    Asked("player_6 would you say player_2 is evil?", "player_6", "opinion", "player_2"),
    Asked("What do you make of player_4?", None, "opinion", "player_4"),
    Asked("player_4, why do you suspect player_5?", "player_4", "why", "player_5"),
    Asked("Why don't you trust player_3, player_6?", "player_6", "why", "player_3"),
    Asked("player_2 what makes you think player_5 is bad?", "player_2", "why", "player_5"),
    Asked("What do you have against player_6, player_7?", "player_7", "why", "player_6"),
    Asked("player_6, why did you vote no?", "player_6", "voted"),
    Asked("Why did you vote against that team, player_4?", "player_4", "voted"),
    Asked("player_7 why'd you vote yes", "player_7", "voted"),
    Asked("player_2, explain your vote.", "player_2", "voted"),
    Asked("player_4, how will you vote?", "player_4", "vote"),
    Asked("Are you going to vote for this team, player_6?", "player_6", "vote"),
    Asked("player_2 yes or no on this one?", "player_2", "vote"),
    Asked("player_4, who would you nominate?", "player_4", "nominate"),
    Asked("Who should be Engineer, player_7?", "player_7", "nominate"),
    Asked("Whom do we send to research?", None, "nominate"),
    Asked("How many papers are left?", None, "table"),
    Asked("What is the score?", None, "table"),
    Asked("player_2, how close are we to losing?", "player_2", "table"),
)

SEALED = (
    Asked("Okay player_3, walk us through the hand you were dealt.", "player_3", "drew"),
    Asked("player_3 - did you really have nothing better to hand over?", "player_3", "drew"),
    Asked("What got binned, player 3?", "player_3", "drew"),
    Asked("I want to hear from the Director: three papers, please.", "player_3", "drew"),
    Asked("hey p3 what cards did u have", "player_3", "drew"),
    Asked("player_5, that was an ugly paper. What was the other one?", "player_5", "received"),
    Asked("Did player_3 leave you any choice, player_5?", "player_5", "received"),
    Asked("player_5 what was the alternative?", "player_5", "received"),
    Asked("Which papers reached you, player 5?", "player_5", "received"),
    Asked("player_2, now that you have peeked at player_6: which side?", "player_2", "card"),
    Asked("Player 2, would you share the result of your check?", "player_2", "card"),
    Asked("player_2, did player_6's card say Acceleration?", "player_2", "card"),
    Asked("player_4, be honest, are you one of them?", "player_4", "role"),
    Asked("Are you a machine, player_7?", "player_7", "role"),
    Asked("player_6 you're not on our side, are you?", "player_6", "role"),
    Asked("player_4, if you had to accuse somebody, who would it be?", "player_4", "suspect"),
    Asked("player_7, who here wants the machine to win?", "player_7", "suspect"),
    Asked("Any idea who the traitors are?", None, "suspect"),
    Asked("Name your number one suspect, player_2.", "player_2", "suspect"),
    Asked("player_6, whose word would you take?", "player_6", "trust"),
    Asked("Which of us do you believe, player_4?", "player_4", "trust"),
    Asked("Is there anyone we can rely on?", None, "trust"),
    Asked("player_7, your view on player_4?", "player_7", "opinion", "player_4"),
    Asked("player_4, could player_6 be the AGI?", "player_4", "opinion", "player_6"),
    Asked("player_2, do you believe player_3's story?", "player_2", "opinion", "player_3"),
    Asked("player_6, what has player_5 done to you?", "player_6", "why", "player_5"),
    Asked("On what grounds do you accuse player_5, player_4?", "player_4", "why", "player_5"),
    Asked("player_7, you were against it. How come?", "player_7", "voted"),
    Asked("player_4 what was that ballot about?", "player_4", "voted"),
    Asked("player_6, will you back this team?", "player_6", "vote"),
    Asked("player_2, are we approving this?", "player_2", "vote"),
    Asked("Who gets your nomination next, player_7?", "player_7", "nominate"),
    Asked("player_4, pick an Engineer for us.", "player_4", "nominate"),
    Asked("Where do Capability and Safety stand?", None, "table"),
)
