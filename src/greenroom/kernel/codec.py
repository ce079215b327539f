"""Values to canonical bytes and back: sorted JSON, stable kind names, upcasts for old ones."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

import msgspec

from greenroom.kernel.asks import Json
from greenroom.kernel.errors import CorruptHistory, Malformed
from greenroom.kernel.letters import LetterSettled
from greenroom.kernel.words import Words, check_text
from greenroom.kernel.worlds import Wake, World

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")

_RUNTIME_COMMANDS: Mapping[str, type[Any]] = {"greenroom.wake": Wake, "greenroom.letter": LetterSettled}
_OPEN = "greenroom.open"


def _words_to_id(value: Any) -> Any:
    if isinstance(value, Words):
        return value.id
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} cannot be stored; use dataclasses, tuples, dicts and plain values")


def _id_to_words(kind: type, value: Any) -> Any:
    if kind is Words and isinstance(value, str):
        return Words(id=value)
    raise TypeError(f"cannot read {kind.__name__} from {type(value).__name__}")


_encoder = msgspec.json.Encoder(enc_hook=_words_to_id, order="sorted")
_pairs = msgspec.json.Decoder(list[tuple[str, msgspec.Raw]])
_pair = msgspec.json.Decoder(tuple[str, msgspec.Raw])
_any = msgspec.json.Decoder()

#: Canonical bytes of any plain value: the same value always gives the same bytes.
canonical: Callable[[Any], bytes] = _encoder.encode


class _Once:
    """Encodes a value that does not change, and remembers the last one."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: tuple[Any, bytes] = (None, b"null")

    def __call__(self, value: Any) -> bytes:
        last, data = self._last  # both at once: another thread may be here too
        if value is not last:
            data = canonical(value)
            self._last = (value, data)
        return data


#: Canonical bytes of a state. The sum of a step and a world's own rows want the same ones, one after the other.
once = _Once()


def parse(data: bytes | str) -> Json:
    """Plain data from JSON.

    Raises:
        Malformed: it is not JSON.
    """
    try:
        return _any.decode(data)
    except msgspec.DecodeError as error:
        raise Malformed(f"not JSON: {error}") from error


def filled(value: Any, text_of: Callable[[str], str]) -> Json:
    """Plain data of a view, event or reply, with every ``Words`` replaced by its text."""

    def hook(item: Any) -> Any:
        return text_of(item.id) if isinstance(item, Words) else _words_to_id(item)

    return msgspec.to_builtins(value, enc_hook=hook)


def raw_events(data: bytes) -> list[tuple[str, Json]]:
    """Stored events as kinds and plain data, words as ids: all that can be read without their world.

    Raises:
        CorruptHistory: they cannot be read.
    """
    try:
        return [(kind, _any.decode(body)) for kind, body in _pairs.decode(data)]
    except msgspec.DecodeError as error:
        raise CorruptHistory(f"stored events cannot be read ({error})") from error


def kinds_of(data: bytes) -> tuple[str, ...]:
    """The kinds of stored events."""
    return tuple(kind for kind, _ in raw_events(data))


def plain_fields(command: Any) -> dict[str, Json]:
    """The fields of a command as plain data, words as their text: what ``command_from`` reads again."""
    fields_: dict[str, Json] = msgspec.to_builtins(
        command, enc_hook=lambda item: item.text if isinstance(item, Words) else _words_to_id(item)
    )
    return fields_


def fingerprint(ask: Any) -> bytes:
    """Eight bytes that tell one ask from another."""
    return hashlib.sha256(type(ask).__name__.encode() + canonical(ask)).digest()[:8]


class Codec(Generic[S, C, E]):
    """Reads and writes the values of one world."""

    def __init__(self, world: World[S, C, E]) -> None:
        self.world = world
        types = {**world.commands, **_RUNTIME_COMMANDS, **world.events, _OPEN: world.config}
        if len(types) < len(world.commands) + len(world.events) + len(_RUNTIME_COMMANDS) + 1:
            raise Malformed(f"world {world.name}: a kind names both a command and an event; rename one")
        self._decoders = {kind: msgspec.json.Decoder(t, dec_hook=_id_to_words) for kind, t in types.items()}
        self._kinds = {t: kind for kind, t in types.items() if kind != _OPEN}
        self._state = msgspec.json.Decoder(world.state, dec_hook=_id_to_words)
        #: The stored bytes of a state.
        self.state: Callable[[S], bytes] = once if _is_frozen(world.state) else canonical
        self._commands = frozenset(world.commands.values())
        spoken = {t: names for t in (world.config, *world.commands.values()) if (names := _words_fields(t))}
        self._words_of = {t: _reading(t, names) for t, names in spoken.items()}
        self._with_words = {t: _renewing(t, names) for t, names in spoken.items()}

    def kind(self, value: Any) -> str:
        try:
            return self._kinds[type(value)]
        except KeyError:
            known = ", ".join(sorted(self._kinds.values()))
            raise Malformed(
                f"{type(value).__name__} is neither a command nor an event of {self.world.name}; it knows {known}"
            ) from None

    # commands

    def recordable(self, value: Any, *, config: bool = False, runtime: bool = False) -> tuple[bytes, tuple[str, ...]]:
        """A command, or a config, as it is stored, and the texts of its words, which are kept apart.

        Raises:
            Malformed: it is none of this world's, a field is not of its kind, or words have no text.
        """
        if not config:
            self.check_command(value, runtime=runtime)
        kind = _OPEN if config else self._kinds[type(value)]
        words = self.words_of(value)
        if not words:
            return self._written(kind, value), ()
        texts = tuple([self._text(value, word) for word in words])
        return self._written(kind, self.with_words(value, _numbered(len(words)))), texts

    def _text(self, value: Any, word: Any) -> str:
        if not isinstance(word, Words) or not isinstance(word.text, str | None):
            raise Malformed(f"{self.named(value)}: words are given as Words('…'), a text")
        if word.text is None:
            raise Malformed(f"{self.named(value)}: these words have no text; give new words with Words('…')")
        check_text(word.text, "words")
        return word.text

    def spoken(self, command: Any, id_of: Callable[[int], str]) -> Any:
        """The command as its turn will see it: its words carry the ids that they are stored under."""
        words = self.words_of(command)
        if not words:
            return command
        return self.with_words(command, [Words(word.text, id=id_of(i)) for i, word in enumerate(words)])

    def check_command(self, value: Any, *, runtime: bool = False) -> None:
        """Refuse what this world does not take from anybody; ``runtime`` lets the news of letters pass.

        Raises:
            Malformed: it is another world's, or no command at all.
        """
        if type(value) not in self._commands and not (runtime and isinstance(value, LetterSettled)):
            known = ", ".join(sorted(self.world.commands)) or "none"
            raise Malformed(f"{type(value).__name__} is no command of {self.world.name}; it knows {known}")

    def named(self, value: Any) -> str:
        """What to call a command or config in a sentence."""
        kind = self._kinds.get(type(value))
        return f"{self.world.name} config" if kind is None else f"{self.world.name} command {kind!r}"

    def command(self, value: Any) -> bytes:
        """A command whose words have their ids, as it is stored; the same refusals."""
        return self._written(self.kind(value), value)

    def config(self, value: Any) -> bytes:
        """A config as it is stored; the same refusals."""
        return self._written(_OPEN, value)

    def _written(self, kind: str, value: Any) -> bytes:
        try:
            data = canonical((kind, value))
            self._decoders[kind].decode(_pair.decode(data)[1])
        except (msgspec.DecodeError, TypeError, ValueError, OverflowError) as error:
            raise Malformed(f"{self.named(value)}: {error}") from None
        return data

    def read_command(self, data: bytes, where: str = "a stored command") -> Any:
        """A command or config as stored; its words have ids and no text."""
        try:
            kind, body = _pair.decode(data)
        except msgspec.DecodeError as error:
            raise CorruptHistory(f"{where}: the command cannot be read ({error})") from error
        return self._read(kind, body, where)

    def command_from(self, kind: str, body: Json) -> C:
        """A command from plain data that came from outside, words as plain strings.

        Raises:
            Malformed: the kind is unknown or the body does not fit it.
        """
        if kind not in self.world.commands:
            known = ", ".join(sorted(self.world.commands))
            raise Malformed(f"{self.world.name} has no command {kind!r}; it knows {known}")
        command: C = self._from_outside(self.world.commands[kind], body, f"{self.world.name} command {kind!r}")
        return command

    def config_from(self, body: Json) -> Any:
        """A config from plain data that came from outside."""
        return self._from_outside(self.world.config, {} if body is None else body, f"{self.world.name} config")

    def _from_outside(self, kind: type[Any], body: Json, what: str) -> Any:
        if isinstance(body, dict) and (extra := set(body) - {field.name for field in fields(kind)}):
            known = ", ".join(field.name for field in fields(kind)) or "none"
            raise Malformed(f"{what}: unknown field {', '.join(sorted(map(repr, extra)))}; it has {known}")
        try:
            return msgspec.convert(body, kind, dec_hook=_text_to_words)
        except (msgspec.ValidationError, TypeError) as error:
            raise Malformed(f"{what}: {error}") from None

    def words_of(self, command: Any) -> tuple[Words, ...]:
        """The words a command carries, in the order of its fields."""
        read = self._words_of.get(type(command))
        return () if read is None else read(command)

    def with_words(self, command: Any, words: Sequence[Words]) -> Any:
        """The same command carrying these words instead, in the order of its fields."""
        renew = self._with_words.get(type(command))
        return command if renew is None else renew(command, words)

    # events

    def events(self, events: Sequence[E]) -> bytes:
        try:
            return canonical([(self._kinds[type(event)], event) for event in events])
        except KeyError:
            return canonical([(self.kind(event), event) for event in events])  # which says what is wrong

    def read_events(self, data: bytes, where: str = "") -> tuple[E, ...]:
        try:
            pairs = _pairs.decode(data)
        except msgspec.DecodeError as error:
            raise CorruptHistory(f"{where}: stored events cannot be read ({error})") from error
        return tuple([self._read(kind, body, where) for kind, body in pairs])

    def _read(self, kind: str, body: bytes | msgspec.Raw, where: str) -> Any:
        if kind in self.world.upcasts:
            kind, data = self.world.upcasts[kind](_any.decode(body))
            return self._read(kind, canonical(data), where)
        try:
            return self._decoders[kind].decode(body)
        except KeyError:
            raise CorruptHistory(
                f"{where}: kind {kind!r} is unknown to world {self.world.name}; an upcast is missing"
            ) from None
        except msgspec.DecodeError as error:
            raise CorruptHistory(f"{where}: a stored {kind!r} cannot be read ({error})") from error

    # states

    def read_state(self, data: bytes, shape: int, where: str) -> S:
        try:
            if shape != self.world.shape and self.world.upcast_state is not None:
                data = canonical(self.world.upcast_state(shape, _any.decode(data)))
            return self._state.decode(data)
        except msgspec.DecodeError as error:
            raise CorruptHistory(f"{where}: the stored snapshot cannot be read ({error})") from error


@cache
def _numbered(count: int) -> tuple[Words, ...]:
    """What stands in a stored command for its words."""
    return tuple(Words(id=f"@{i}") for i in range(count))


def _is_frozen(kind: type[Any]) -> bool:
    settings = getattr(kind, "__struct_config__", None) or getattr(kind, "__dataclass_params__", None)
    return bool(getattr(settings, "frozen", False))


#: Types do not change: which of their fields hold words, and whether one may hold something else, is looked up once,
#: however often a house is opened.
_WORDS_FIELDS: dict[type[Any], tuple[str, ...]] = {}
_MAY_LACK_WORDS: dict[type[Any], bool] = {}


def _words_fields(kind: type[Any]) -> tuple[str, ...]:
    if kind not in _WORDS_FIELDS:
        _WORDS_FIELDS[kind] = _looked_up(kind)
    return _WORDS_FIELDS[kind]


def _looked_up(kind: type[Any]) -> tuple[str, ...]:
    info = msgspec.inspect.type_info(kind)
    if not isinstance(info, (msgspec.inspect.DataclassType, msgspec.inspect.StructType)):
        raise Malformed(f"{kind.__name__}: commands and configs are dataclasses")
    for field in info.fields:
        if not _is_words(field.type) and _holds_words(field.type):
            raise Malformed(
                f"{kind.__name__}.{field.name}: words stand in a field of their own, not inside another value"
            )
    return tuple(field.name for field in info.fields if _is_words(field.type))


def _may_lack_words(kind: type[Any]) -> bool:
    """Whether it has a field that holds words or something else, such as nothing."""
    if kind not in _MAY_LACK_WORDS:
        held: list[Any] = [field.type for field in cast("Any", msgspec.inspect.type_info(kind)).fields]
        unions = (one for one in held if isinstance(one, msgspec.inspect.UnionType))
        _MAY_LACK_WORDS[kind] = any(map(_is_words, unions))
    return _MAY_LACK_WORDS[kind]


def _reading(kind: type[Any], texts: tuple[str, ...]) -> Callable[[Any], tuple[Words, ...]]:
    """Reads the words that one kind of command carries."""
    read = _values_of(texts)
    if not _may_lack_words(kind):
        return read
    return lambda command: tuple([words for words in read(command) if words is not None])


def _renewing(kind: type[Any], texts: tuple[str, ...]) -> Callable[[Any, Sequence[Words]], Any]:
    """``replace`` for the words of one kind of command: each is renewed twice, and this takes a third of the time."""
    if _may_lack_words(kind) or not is_dataclass(kind) or not all(field.init for field in fields(kind)):
        return lambda command, words: _replaced(command, texts, words)
    names = tuple(field.name for field in fields(kind))
    read = _values_of(names)

    def renew(command: Any, words: Sequence[Words]) -> Any:
        values = dict(zip(names, read(command), strict=True))
        values.update(zip(texts, words, strict=True))
        return kind(**values)

    return renew


def _replaced(command: Any, texts: Sequence[str], words: Sequence[Words]) -> Any:
    given = [name for name in texts if getattr(command, name) is not None]
    return replace(command, **dict(zip(given, words, strict=True)))


def _values_of(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Reads attributes, always as a tuple."""
    read = attrgetter(*names)
    return read if len(names) > 1 else lambda value: (read(value),)


def _holds_words(info: Any) -> bool:
    """Whether words stand anywhere inside a type."""
    if _is_words(info):
        return True
    inner = [getattr(info, name, None) for name in ("item_type", "key_type", "value_type")]
    inner += [*getattr(info, "item_types", ()), *getattr(info, "types", ())]
    inner += [field.type for field in getattr(info, "fields", ())]
    return any(part is not None and _holds_words(part) for part in inner)


def _is_words(info: msgspec.inspect.Type) -> bool:
    if isinstance(info, msgspec.inspect.UnionType):
        return any(map(_is_words, info.types))
    return isinstance(info, msgspec.inspect.CustomType) and info.cls is Words


def _text_to_words(kind: type, value: Any) -> Any:
    if kind is Words and isinstance(value, str):
        return Words(value)
    raise TypeError(f"expected text for {kind.__name__}, got {type(value).__name__}")


def codecs(worlds: Sequence[World[Any, Any, Any]]) -> dict[str, Codec[Any, Any, Any]]:
    return {world.name: Codec(world) for world in worlds}
