"""Reads answers by their JSON schema, and says in what they do not fit: sentences that name places, never words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from greenroom.kernel.asks import Json
from greenroom.kernel.codec import parse
from greenroom.kernel.errors import Malformed

Schema: TypeAlias = Mapping[str, Any]

#: More than this tells a model nothing new.
MOST_FAULTS = 8

_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)\n?```", re.DOTALL)


def read(text: str, schema: Schema | None) -> tuple[Json, tuple[str, ...]]:
    """The answer in a model's text, and what is wrong with it; nothing wrong means it may be used."""
    if not text.strip():
        return None, ("the answer is empty",)
    if schema is None:
        return text.strip(), ()
    for form in _forms(text):
        try:
            value = parse(form)
        except Malformed:
            continue
        return value, faults(value, schema)
    return None, ("the answer is not one whole JSON value",)


def _forms(text: str) -> Iterator[str]:
    """The text, what stands in a fence in it, and what stands between its outermost braces."""
    yield text
    if (fenced := _FENCE.search(text)) is not None:
        yield fenced.group(1)
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        yield text[start : end + 1]


def faults(value: Json, schema: Schema, root: Schema | None = None) -> tuple[str, ...]:
    """Where a value does not fit a schema: a few sentences with places and limits.

    Args:
        root: the schema that references lead into, if this one is a part of it.
    """
    found = _faults(value, schema, "answer", schema if root is None else root)
    return tuple(fault for _, fault in zip(range(MOST_FAULTS), found, strict=False))


def resolved(schema: Schema, root: Schema) -> Schema:
    """The schema behind a local ``$ref``.

    Raises:
        Malformed: the reference leads nowhere.
    """
    seen = 0
    while "$ref" in schema:
        target: Any = root
        for name in str(schema["$ref"]).removeprefix("#/").split("/"):
            target = target.get(name) if isinstance(target, Mapping) else None
        seen += 1
        if not isinstance(target, Mapping) or seen > 32:
            raise Malformed(f"the schema's reference {schema['$ref']!r} leads nowhere")
        schema = target
    return schema


def _faults(value: Json, schema: Schema, where: str, root: Schema) -> Iterator[str]:
    schema = resolved(schema, root)
    if "const" in schema and value != schema["const"]:
        yield f"{where} is not the one value allowed"
    if "enum" in schema and not any(value == one and type(value) is type(one) for one in schema["enum"]):
        yield f"{where} is not one of {', '.join(map(str, schema['enum']))}"
    if (fault := _kind(value, schema)) is not None:
        yield f"{where} {fault}"
        return
    for name in ("anyOf", "oneOf"):
        if name in schema and not any(not any(_faults(value, one, where, root)) for one in schema[name]):
            yield f"{where} fits none of its {len(schema[name])} forms"
    for one in schema.get("allOf", ()):
        yield from _faults(value, one, where, root)
    yield from _inside(value, schema, where, root)


_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))
    ),
}


def _kind(value: Json, schema: Schema) -> str | None:
    wanted = schema.get("type", ())
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    if not names or any(_KINDS.get(name, lambda _: True)(value) for name in names):
        return None
    return f"must be of type {' or '.join(names)}"


def _inside(value: Json, schema: Schema, where: str, root: Schema) -> Iterator[str]:
    if isinstance(value, dict):
        yield from _object(value, schema, where, root)
    elif isinstance(value, list):
        yield from _limits(len(value), schema, f"{where} has {len(value)} items", "minItems", "maxItems")
        if isinstance(items := schema.get("items"), Mapping):
            for i, item in enumerate(value):
                yield from _faults(item, items, f"{where}[{i}]", root)
    elif isinstance(value, str):
        yield from _limits(len(value), schema, f"{where} has {len(value)} characters", "minLength", "maxLength")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{where} does not have the form {schema['pattern']}"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _range(value, schema, where)


def _object(value: dict[str, Any], schema: Schema, where: str, root: Schema) -> Iterator[str]:
    known: Mapping[str, Schema] = schema.get("properties", {})
    yield from (f"{where}.{name} is missing" for name in schema.get("required", ()) if name not in value)
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in known:
            yield from _faults(item, known[name], f"{where}.{name}", root)
        elif others is False:
            yield f"{where} has a field that is not known; it knows {', '.join(known)}"
        elif isinstance(others, Mapping):
            yield from _faults(item, others, f"{where}.*", root)


def _limits(size: int, schema: Schema, said: str, least: str, most: str) -> Iterator[str]:
    if size < schema.get(least, 0):
        yield f"{said}; it must have at least {schema[least]}"
    if most in schema and size > schema[most]:
        yield f"{said}; it may have at most {schema[most]}"


def _range(value: float, schema: Schema, where: str) -> Iterator[str]:
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{where} must be at least {schema['minimum']}"
    if "maximum" in schema and value > schema["maximum"]:
        yield f"{where} must be at most {schema['maximum']}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        yield f"{where} must be more than {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        yield f"{where} must be less than {schema['exclusiveMaximum']}"
