"""What was loaded beside a site, compared with the site as it is: nothing of the dump may be missing, and differences are said."""
from __future__ import annotations

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
    for event in differences[:_MOST_NAMED]:
        emit(event)
    if len(differences) > _MOST_NAMED:
        emit({"code": "more-differences", "count": len(differences) - _MOST_NAMED})
    routines, routines_before = count_routines(scratch_of(name)), count_routines(name)
    # A new site has nothing that could be compared.
    if before and routines != routines_before:
        emit({"code": "routines-differ", "now": routines, "before": routines_before})


def count_rows(source: str) -> Counts:
    """Tables that cannot be read are left out: a restore may be what mends them. Raises Failed."""
    kinds = "table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')"
    listed = rows(ask(f"SELECT HEX(table_name), table_type FROM information_schema.tables WHERE table_schema = '{source}' AND {kinds} ORDER BY table_name"))
    if not listed:
        return {}
    statements = "".join(_count(source, table, kind == b"SYSTEM VERSIONED") for table, kind in listed)
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
