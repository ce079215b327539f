"""What an actor may propose, read from whatever a model answered; and what it is allowed to do with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from greenroom.kernel.asks import Failed, Json
from greenroom.worlds.arena.rules.content import allowed
from greenroom.worlds.arena.rules.variables import StateMutation, Variables, changed

MOST_WORDS = 2000
MOST_MUTATIONS = 12

SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "internal_monologue": {"type": "string", "maxLength": MOST_WORDS},
        "public_dialogue": {"type": "string", "minLength": 1, "maxLength": MOST_WORDS},
        "state_mutations": {
            "type": "array",
            "maxItems": MOST_MUTATIONS,
            "items": {
                "type": "object",
                "properties": {
                    "action": {"type": "string", "enum": ["modify", "add"]},
                    "path": {"type": "string", "minLength": 1, "maxLength": 120},
                    "value": {},
                },
                "required": ["action", "path", "value"],
                "additionalProperties": False,
            },
        },
        "propose_resolution": {"type": "boolean"},
        "abort_episode": {"type": "boolean"},
    },
    "required": ["internal_monologue", "public_dialogue", "state_mutations", "propose_resolution", "abort_episode"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionProposal:
    internal_monologue: str
    public_dialogue: str
    state_mutations: tuple[StateMutation, ...] = ()
    propose_resolution: bool = False
    abort_episode: bool = False


def read(answer: Any) -> ActionProposal | str:
    """A proposal, or a sentence that says why the answer is none."""
    match answer:
        case Failed():
            return "nobody answered"
        case {
            "internal_monologue": str(thought),
            "public_dialogue": str(said),
            "state_mutations": list(raw),
            "propose_resolution": bool(resolves),
            "abort_episode": bool(aborts),
        } if said.strip() and len(said) <= MOST_WORDS and len(thought) <= MOST_WORDS and len(raw) <= MOST_MUTATIONS:
            mutations = tuple(map(_mutation, raw))
            if None in mutations:
                return "a mutation has an action (modify or add), a path and a value"
            made = tuple(one for one in mutations if one is not None)
            return ActionProposal(
                internal_monologue=thought,
                public_dialogue=said.strip(),
                state_mutations=made,
                propose_resolution=resolves,
                abort_episode=aborts,
            )
        case dict():
            return "a proposal has a monologue, something said, mutations, and two yes or no"
        case _:
            return "a proposal is a JSON object"


def _mutation(raw: Any) -> StateMutation | None:
    match raw:
        case {"action": ("modify" | "add") as action, "path": str(path), "value": value, **more} if path and not more:
            return StateMutation(action=action, path=path, value=value)
        case _:
            return None


def permitted(
    variables: Variables, mutations: tuple[StateMutation, ...], patterns: tuple[str, ...]
) -> tuple[Variables, tuple[StateMutation, ...], tuple[str, ...], int]:
    """Variables after what may be changed was; what was made; what was not; and how many of these were denied paths."""
    made: list[StateMutation] = []
    refused: list[str] = []
    denied = 0
    for mutation in mutations:
        if not allowed(mutation.path, patterns):
            denied += 1
            refused.append(f"{mutation.path}: not yours to change")
        elif (after := changed(variables, mutation)) is None:
            refused.append(f"{mutation.path}: there is nothing to {mutation.action}")
        else:
            variables = after
            made.append(mutation)
    return variables, tuple(made), tuple(refused), denied
