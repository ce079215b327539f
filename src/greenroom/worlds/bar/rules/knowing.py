"""What is known of a guest: lines read once for facts, and facts set right."""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise
from typing import Any, Final

from greenroom.kernel.asks import Facts, Failed, Read
from greenroom.kernel.errors import Refused
from greenroom.kernel.facts import Correct, corrected
from greenroom.kernel.worlds import OPERATOR, CommandContext, Turn, done
from greenroom.recall.reading import facts_in, reading
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules import events as e
from greenroom.worlds.bar.rules import refusals
from greenroom.worlds.bar.rules.scene import Scene, scope
from greenroom.worlds.bar.rules.state import BART, GUEST, USER

#: Facts of a guest among which a correction, or a reading, finds its own.
MOST_FACTS: Final = 400


def take_notes(scene: Scene) -> Generator[Any, Any, None]:
    """Have the guest's lines read once for what patterns do not find; nobody waits for it."""
    unread = scene.state.unread
    if not unread:
        return
    talk = scene.state.session.talk if scene.state.session else ()
    ids = tuple(words.id for words in unread)
    said = ((before, one.words.id) for before, one in pairwise(talk) if before.agent != USER)
    answers = {id: before.words.id for before, id in said if id in ids}
    texts, known = yield (Read((*ids, *answers.values())), Facts(scope=scope(scene.given), limit=MOST_FACTS))
    ids = () if isinstance(texts, Failed) else tuple(id for id in ids if id in texts)
    if not ids or isinstance(known, Failed):
        return
    lines, before = [texts[id] for id in ids], [texts.get(answers.get(id, ""), "") for id in ids]
    scene.note(facts_in((yield reading(lines, known, before=before, seat=BART)), lines, known), unread[-1])


def correct(given: CommandContext[Correct]) -> Turn[e.Event]:
    """The guest, or whoever runs the house, sets a fact right; also when no session is in progress.

    Raises:
        Refused: somebody else asks, there is no such fact, or the words are too long.
    """
    if given.seat not in (GUEST, OPERATOR):
        raise Refused(refusals.NOT_YOURS)
    known = yield Facts(scope=scope(given), limit=MOST_FACTS)
    fact = None if isinstance(known, Failed) else next((one for one in known if one.id == given.command.fact), None)
    if fact is None:
        raise Refused(f"there is no fact {given.command.fact!r}; it may have been corrected already")
    text = None if given.command.text is None else given.command.text.text or ""
    if text is not None and not c.MESSAGE.least <= len(text) <= c.MESSAGE.most:
        raise Refused(f"a correction has {c.MESSAGE.least} to {c.MESSAGE.most} characters; this one has {len(text)}")
    event, memory = corrected(given, fact, agent=BART)
    return done(event, memories=(memory,))
