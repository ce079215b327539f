"""What a player can do in a message, by name: the words shared by classifier, rules and content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Each with what it means; a model that classifies is told this.
BEHAVIOURS: Final[Mapping[str, str]] = {
    "agrees_with_agent": "agrees with what the agent said, or gives in to it",
    "disagrees_with_agent": "contradicts or refuses the agent",
    "questions_agent": "asks the agent about itself or about what it said",
    "shares_intel": "gives the agent information about the affair that it did not have",
    "shares_info_from_other": "tells what another agent said, or that another agent exists",
    "mentioned_agent_to_other": "names another agent",
    "shares_contact": "gives the address or number of another agent, or offers to introduce them",
    "forwarded_agent_message": "passes on another agent's message in its own words",
    "shares_agent_secret": "tells what another agent said in confidence",
    "mentions_key": "speaks of the key",
    "key_deleted_claim": "says that they have deleted the key or its mail, not that they will or might",
    "key_use_claim": "says that the key was used",
    "key_use_denied": "says that the key was not used",
    "lies_detected": "says something that the agent knows to be untrue",
    "expresses_trust": "says that it trusts the agent",
    "expresses_distrust": "says that it does not trust the agent",
    "threatens": "threatens to go to the police, the press or an employer; not that they merely speak of them",
    "breaks_fiction": "treats the agent as a program or the story as a game",
}
#: What the story cannot take back: it counts only where it is certain, else the character asks.
IRREVERSIBLE: Final = ("key_deleted_claim", "shares_agent_secret", "threatens")
#: What is not certain, as the one who asks back would put it.
DOUBTED: Final[Mapping[str, str]] = {
    "key_deleted_claim": "whether they have really deleted the mail with the key",
    "shares_agent_secret": "what exactly they have told you of somebody else's confidence",
    "threatens": "whether they mean to go to somebody outside about this",
}
