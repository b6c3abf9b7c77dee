"""The dump of a site's database: what MariaDB cannot read is left out by name, or ends the backup."""
from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .. import database
from ..database import READER, ask, dumper, named, quoted, rows
from ..protocol import Emit, Value, show_path
from ..system import Failed

# mariadb-dump would wait for locks of the site's programs for hours, while other work on sites waits for it.
_LOCK_SECONDS: Final = 60
_MOST_NAMES: Final = 20


@dataclass(frozen=True)
class Table:
    """One of the database, or a view. fault: why MariaDB cannot read it; empty if it can."""

    name: str
    is_view: bool
    is_versioned: bool
    fault: str


def dump(name: str, folder: str, emit: Emit, on_unreadable: Callable[[Failed], None]) -> None:
    """Writes database.sql of the site, and unreadable.txt if something is left out. on_unreadable: gets what a table says that cannot be opened, which may be
    damaged: a backup without it would be taken for whole. Raises Failed."""
    with database.login(dumper(name), READER, name) as login:
        _require_no_locks(name, login)
        tables = list_tables(name, login)
        for each in tables:
            if each.fault and not each.is_view:
                on_unreadable(Failed({"code": "table-unreadable", "table": show_path(each.name.encode()), "error": each.fault}))
                break
        left = [each.name for each in tables if each.fault]
        for each_left in left:
            _note(name, login, each_left, folder)
        _write(name, login, folder, history(name, login, tables, emit), [f"--ignore-table={name}.{each}" for each in left])
    if left:
        emit(_left_out(left))


def _left_out(names: list[str]) -> dict[str, Value]:
    shown = ", ".join(show_path(each.encode()) for each in names[:_MOST_NAMES])
    return {"code": "dump-lacks", "names": f"{shown}, …" if len(names) > _MOST_NAMES else shown}


def _require_no_locks(name: str, login: str) -> None:
    tables = rows(ask(f"SELECT HEX(table_name) FROM information_schema.tables WHERE table_schema = '{name}' AND table_type <> 'VIEW'"))
    # A table that is locked costs two seconds.
    looks = (f"SELECT 1 FROM {quoted(name)}.{quoted(named(each))} LIMIT 0;\n" for [each] in tables)
    statements = "SET SESSION lock_wait_timeout = 2;\n" + "".join(looks)
    if b"ERROR 1205 " in ask(statements, login=login, force=True, seconds=_LOCK_SECONDS).error:
        raise Failed({"code": "tables-locked"})


def list_tables(name: str, login: str) -> list[Table]:
    """MariaDB opens tables, and notes what is wrong with them, only for columns such as the length. That the definer of a view is gone shows only when it
    is read."""
    columns = "HEX(table_name), table_type, data_length, engine, table_comment"
    found = rows(ask(f"SELECT {columns} FROM information_schema.tables WHERE table_schema = '{name}'", login=login, seconds=600))
    views = [cells[0] for cells in found if cells[1] == b"VIEW" and cells[4] == b"VIEW"]
    readable = set()
    if views:
        looks = (f"SELECT '{each.decode()}' FROM (SELECT COUNT(*) FROM (SELECT * FROM {quoted(named(each))} LIMIT 0) v) w;\n" for each in views)
        readable = {cells[0] for cells in rows(ask("".join(looks), login=login, database=name, force=True, seconds=600))}
    return [_table(cells, readable) for cells in found]


def _table(cells: list[bytes], readable: set[bytes]) -> Table:
    hex_name, kind, _, engine, comment = cells
    is_view = kind == b"VIEW"
    is_read = hex_name in readable if is_view else engine != b"NULL"
    fault = "" if is_read else show_path(database.unescape(comment))[:200] if comment != b"VIEW" else "It cannot be read."
    return Table(named(hex_name), is_view, kind == b"SYSTEM VERSIONED", fault or ("" if is_read else "It cannot be read."))


def _note(name: str, login: str, table: str, folder: str) -> None:
    said = ask(f"SHOW CREATE TABLE {quoted(name)}.{quoted(table)}", login=login, check=False)
    with open(f"{folder}/unreadable.txt", "ab") as file:
        file.write(said.output + said.error)


def history(name: str, login: str, tables: list[Table], emit: Emit) -> list[str]:
    """The option by which a dump keeps the former rows of tables with system versioning. What cannot be kept is said."""
    versioned = [each.name for each in tables if each.is_versioned]
    if not versioned:
        return []
    if database.can("mariadb-dump", "--dump-history"):
        # Of rows by the number of a transaction, programs know no history.
        by_number = f"""SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = '{name}' AND is_generated = 'ALWAYS'
            AND generation_expression = 'ROW START' AND data_type = 'bigint'"""
        if rows(ask(by_number, login=login)) == [[b"0"]]:
            return ["--dump-history"]
    for each in versioned[:_MOST_NAMES]:
        emit({"code": "history-left-out", "table": show_path(each.encode())})
    return []


def _write(name: str, login: str, folder: str, history: list[str], ignored: list[str]) -> None:
    output = os.open(f"{folder}/database.sql", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        # Routines come first, because views may use them.
        database.write_routines(name, output)
        database.write_dump(login, name, ["--triggers", "--hex-blob", *history, *ignored], output)
        database.write_dump(login, name, ["--no-data", "--no-create-info", "--skip-triggers", "--events", *ignored], output)
    finally:
        os.close(output)
