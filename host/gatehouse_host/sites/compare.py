"""What was loaded beside a site, compared with the site as it is: nothing of the dump may be missing, and differences are reported."""
from __future__ import annotations

from collections.abc import Container
from typing import Final

from .. import database
from ..database import READER, ask, dumper, named, quoted, rows, scratch_of
from ..protocol import Emit, Event, show_path
from ..system import Failed

_SLOW: Final = 3600
_MOST_NAMED: Final = 40
# Of a table, by its name in hexadecimal: its rows, and these with the former ones where it keeps them.
Counts = dict[bytes, tuple[int, int]]


def compare(name: str, made: list[bytes], emit: Emit) -> None:
    """made: the tables that the dump makes. Raises Failed."""
    now = count_rows(scratch_of(name))
    for each in made:
        if each.hex().upper().encode() not in now:
            raise Failed({"code": "table-missing", "table": show_path(each)})
    before = count_rows(name)
    differences = [event for table in now if table in before for event in _differences(table, now[table], before[table])]
    _tell(differences, emit)
    # A new site has nothing that could be compared.
    if before:
        compare_routines(name, scratch_of(name), emit)


def compare_copied(source: str, copied: str, loaded: Counts, emit: Emit) -> None:
    """Compares tables that were copied into a separate database, before they are served. loaded: their counts right after loading. Raises Failed."""
    now = count_rows(copied)
    for table, (count, whole) in loaded.items():
        name = show_path(named(table).encode())
        if table not in now:
            raise Failed({"code": "table-missing", "table": name})
        if now[table][0] < count or now[table][1] < whole:
            raise Failed({"code": "rows-missing", "table": name, "now": now[table][0], "before": count})
    before = count_rows(source, loaded)
    _tell([event for table in loaded if table in before for event in _differences(table, now[table], before[table])], emit)


def compare_routines(source: str, target: str, emit: Emit) -> None:
    now, before = count_routines(target), count_routines(source)
    if now != before:
        emit({"code": "routines-differ", "now": now, "before": before})


def _tell(differences: list[Event], emit: Emit) -> None:
    for event in differences[:_MOST_NAMED]:
        emit(event)
    if len(differences) > _MOST_NAMED:
        emit({"code": "more-differences", "count": len(differences) - _MOST_NAMED})


def count_rows(source: str, only: Container[bytes] | None = None) -> Counts:
    """Tables that cannot be read are left out: a restore may repair them. only: these tables, by name in hexadecimal. Raises Failed."""
    kinds = "table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')"
    listed = rows(ask(f"SELECT HEX(table_name), table_type FROM information_schema.tables WHERE table_schema = '{source}' AND {kinds} ORDER BY table_name"))
    statements = "".join(_count(source, table, kind == b"SYSTEM VERSIONED") for table, kind in listed if only is None or table in only)
    if not statements:
        return {}
    with database.login(dumper(source), READER, source) as login:
        counted = rows(ask(statements, login=login, seconds=_SLOW, force=True))
    return {table: (int(count), int(whole)) for table, count, whole in counted}


def _count(source: str, table: bytes, is_versioned: bool) -> str:
    path = f"{quoted(source)}.{quoted(named(table))}"
    if is_versioned:
        return f"SELECT '{table.decode()}', (SELECT COUNT(*) FROM {path}), (SELECT COUNT(*) FROM {path} FOR SYSTEM_TIME ALL);\n"
    return f"SELECT '{table.decode()}', COUNT(*), COUNT(*) FROM {path};\n"


def _differences(table: bytes, now: tuple[int, int], before: tuple[int, int]) -> list[Event]:
    name = show_path(named(table).encode())
    found: list[Event] = []
    if now[0] != before[0]:
        found.append({"code": "rows-differ", "table": name, "now": now[0], "before": before[0]})
    former, former_before = now[1] - now[0], before[1] - before[0]
    if former != former_before:
        found.append({"code": "history-differs", "table": name, "now": former, "before": former_before})
    return found


def count_routines(source: str) -> int:
    kinds = "'FUNCTION', 'PROCEDURE', 'PACKAGE'"
    return int(rows(ask(f"SELECT COUNT(*) FROM mysql.proc WHERE db = '{source}' AND type IN ({kinds})"))[0][0])
