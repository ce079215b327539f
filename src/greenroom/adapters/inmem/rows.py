"""What a SQL back-end's tables would not take, refused here too."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import Malformed
from greenroom.kernel.tables import Change, Column, Drop, Put, Table
from greenroom.kernel.words import Words

_KINDS: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "integer": (int,),
    "real": (int, float),
    "boolean": (bool, int),
    "moment": (datetime, str),
    "date": (date, str),
    "words": (str, Words),
}
_MOST = (1 << 63) - 1


def check_change(tables: Mapping[str, Table], change: Change) -> None:
    """Refuse a change that its table cannot hold, naming column and table and never the value.

    Raises:
        Malformed: no such table or column, no key, or a value of the wrong kind.
    """
    table = tables.get(change.table)
    if table is None:
        raise Malformed(f"there is no table {change.table}")
    columns = {column.name: column for column in table.columns}
    key = change.values if isinstance(change, Put) else change.key
    values = {} if isinstance(change, Drop) else change.values
    missing, strange = set(table.key) - key.keys(), {*key, *values} - columns.keys()
    if missing or strange:
        raise Malformed(f"{table.name}: a change must name its key and no other columns than the table has")
    named = columns.values() if isinstance(change, Put) else [columns[name] for name in values]
    for column in named:
        _check_value(table, column, values.get(column.name))


def _check_value(table: Table, column: Column, value: Any) -> None:
    where = f"{table.name}.{column.name}"
    if value is None:
        if not column.optional:
            raise Malformed(f"{where} may not be empty")
        return
    if column.kind == "json":
        _check_json(where, value)
    elif not isinstance(value, _KINDS[column.kind]):
        raise Malformed(f"{where} holds {column.kind}, not {type(value).__name__}")
    if isinstance(value, int) and abs(value) > _MOST:
        raise Malformed(f"{where} holds numbers of 64 bits")
    if isinstance(value, str) and not _storable(value):
        raise Malformed(f"{where} holds text that can be stored")
    if column.among and value not in column.among:
        raise Malformed(f"{where} is one of {', '.join(column.among)}")


def _check_json(where: str, value: Any) -> None:
    try:
        canonical(value)
    except (TypeError, ValueError) as error:
        raise Malformed(f"{where} holds plain data") from error


def _storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
