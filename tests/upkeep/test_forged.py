"""Files that somebody wrote to harm: with sums that fit, values that do not, or anything at all in them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from greenroom.kernel.errors import Malformed, UsageError
from greenroom.services.transfer import import_
from greenroom.services.verify import check_house
from tests.counts import count, report
from tests.upkeep.conftest import Open, Place
from tests.upkeep.test_transfer import exported

Records = list[dict[str, Any]]


def sealed(records: Records) -> list[bytes]:
    """Lines with a footer that fits them: whoever forges a file can count."""
    lines = [json.dumps(record).encode() + b"\n" for record in records[:-1]]
    counts: dict[str, int] = {}
    for record in records[1:-1]:
        counts[record["kind"]] = counts.get(record["kind"], 0) + 1
    footer = {"kind": "end", "counts": counts, "sha256": sha256(b"".join(lines)).hexdigest()}
    return [*lines, json.dumps(footer).encode() + b"\n"]


def first(records: Records, kind: str) -> dict[str, Any]:
    return next(record for record in records if record["kind"] == kind)


def put(kind: str, name: str, value: Any) -> Callable[[Records], None]:
    return lambda records: first(records, kind).__setitem__(name, value)


DEEP = "[" * 2_000 + "]" * 2_000
FORGED: dict[str, Callable[[Records], None]] = {
    "an outcome of its own": put("stream", "outcome", '{"won":true}'),
    "an outcome that is no JSON": put("stream", "outcome", "{"),
    "a deep outcome": put("stream", "outcome", DEEP),
    "born before time": put("stream", "born_at", -(2**62)),
    "born after time": put("stream", "born_at", 2**62),
    "woken after time": put("stream", "wake_at", 2**62),
    "recorded after time": put("stream", "recorded_at", 2**62),
    "a clock after time": put("stream", "clock_at", 2**80),
    "a seed for nobody": put("stream", "seed", 2**80),
    "a mark below": put("stream", "mark", -1),
    "an attempt after time": put("attempt", "at", 2**62),
    "an attempt beyond": put("attempt", "version", 10_000),
    "tries without end": put("attempt", "tries", 2**70),
    "a deep command": put("attempt", "command", DEEP),
    "kept nonsense": put("attempt", "kept", "{"),
    "deep events": put("step", "events", DEEP),
    "somebody else's memory": put("memory", "owner", "victim"),
    "a memory of the future": put("memory", "version", 10_000),
    "a memory after time": put("memory", "at", 2**62),
    "a memory with an end in it": put("memory", "text", "a\0b"),
    "a letter after time": put("letter", "due_at", 2**62),
    "a letter of the future": put("letter", "version", 10_000),
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=list(FORGED))
async def test_a_forged_file_is_refused_and_leaves_nothing(
    place: Place, open_place: Open, forge: Callable[[Records], None]
) -> None:
    await place.play("tale-1")
    records = [json.loads(line) for line in await exported(place, "tale-1")]
    forge(records)
    other = await open_place("other.db")
    with pytest.raises(Malformed, match="line "):
        await import_(other.backend, other.codecs, sealed(records))
    assert await other.backend.streams.list() == []
    assert list(await other.backend.upkeep.memories("victim")) == []
    assert (await check_house(other.backend, other.codecs)).problems == ()


async def test_a_line_nested_without_end_is_refused(place: Place, open_place: Open) -> None:
    await place.play("tale-1", lines=1)
    lines = await exported(place, "tale-1")
    other = await open_place("other.db")
    for deep in (b"[" * 100_000, b'{"kind":"row","table":"t","version":1,"values":{"a":' + DEEP.encode() + b"}}"):
        with pytest.raises(Malformed, match="line 2"):
            await import_(other.backend, other.codecs, [lines[0], deep + b"\n", *lines[1:]])


async def test_when_an_imported_stream_is_woken_is_what_the_rules_say(place: Place, open_place: Open) -> None:
    await place.play("tale-1")
    right = (await place.backend.streams.get("tale-1")).wake_at
    records = [json.loads(line) for line in await exported(place, "tale-1")]
    records[0]["wake_at"] = 1
    other = await open_place("other.db")
    assert (await import_(other.backend, other.codecs, sealed(records))).wake_at == right


VALUES: tuple[Any, ...] = (
    None,
    -1,
    0,
    2**53,
    2**64,
    -(2**64),
    1.5,
    "",
    "x",
    "\0",
    "{",
    DEEP,
    [],
    {},
    True,
    "tale-2",
    "ff",
)


def spoilt(records: Records, chance: random.Random) -> list[bytes]:
    """A file with something random done to it, mostly with a footer that fits."""
    made = [dict(record) for record in records]
    for _ in range(chance.randint(1, 3)):
        record = chance.choice(made[:-1])
        match chance.randrange(6):
            case 0:
                made.remove(record) if len(made) > 2 else None
            case 1:
                made.insert(chance.randrange(1, len(made)), dict(record))
            case 2:
                record[chance.choice(["kind", "extra", "stream", "version"])] = chance.choice(VALUES)
            case _:
                record[chance.choice(sorted(record))] = chance.choice(VALUES)
    lines = sealed(made) if all("kind" in one and isinstance(one["kind"], str) for one in made) else []
    if not lines or chance.random() < 0.1:
        raw = bytearray(b"".join(json.dumps(record).encode() + b"\n" for record in made))
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        lines = bytes(raw).splitlines(keepends=True)
    return lines


async def test_whatever_is_in_a_file_it_comes_in_sound_or_not_at_all(place: Place, open_place: Open) -> None:
    await place.play("tale-1", lines=3)
    records = [json.loads(line) for line in await exported(place, "tale-1")]
    other, chance = await open_place("other.db"), random.Random(35)
    # each that comes in wants another house, and a server has room for some dozens of open ones
    files, taken = count(150, soak=1_000 if place.url else 10_000), 0
    for _ in range(files):
        lines = spoilt(records, chance)
        try:
            stream = await import_(other.backend, other.codecs, lines)
        except UsageError:
            assert await other.backend.streams.list() == [], lines
            continue
        taken += 1
        assert (await check_house(other.backend, other.codecs)).problems == (), lines
        assert (await other.house.stream(stream.name)).version == stream.version
        await other.house.close()
        other = await open_place(f"other-{taken}.db")
    report(f"import: {files} spoilt files; {taken} came in sound, {files - taken} were refused and left nothing")
