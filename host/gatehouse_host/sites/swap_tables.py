"""Some tables of a site change places with those that were loaded beside them, by one RENAME, while the site is served. Their triggers and views, which MariaDB
cannot rename, are written again, with the site's user as definer."""
from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .. import database
from ..database import READER, ask, dumper, quoted, rows
from ..dump import makes_anything
from ..durable import write_whole
from ..journal import Journal, Step
from ..scratch import load_definitions
from ..system import Failed
from .exchange import DEFINITIONS, FORMER, digits_of, drop_definitions, move_tables, written
from .replace import HASH, hash_of, put_hash
from .tables import list_tables

# What mariadb-dump leaves away where its text is one of several.
PLAIN: Final = ("--skip-add-locks", "--skip-comments")


@dataclass(frozen=True)
class Chosen:
    """The chosen tables, and their views, by name in hexadecimal. transfer.bash writes them into files of the job."""

    tables: tuple[str, ...]
    views: tuple[str, ...]

    @classmethod
    def read(cls, folder: str) -> Chosen:
        return cls(_lines(f"{folder}/tables"), _lines(f"{folder}/views"))


def _lines(path: str) -> tuple[str, ...]:
    if not os.path.exists(path):
        return ()
    with open(path, encoding="ascii") as file:
        return tuple(file.read().split())


def digits(name: str) -> str:
    return name.encode().hex().upper()


def staged_of(name: str) -> str:
    """The database of the tables that will replace those of a site. transfer.bash uses the same name."""
    return f"{name}_new"


def former_of(name: str) -> str:
    """The database of the former tables, until the work is done."""
    return f"{name}_old"


def prepare_tables(source: str, target: str, folder: str) -> bool:
    """Dumps what will be written again, before anything changes. source: the site that the tables were copied from. folder: of the job. Returns whether the target
    gets routines. Raises Failed or OSError."""
    chosen = Chosen.read(folder)
    # Views and triggers may use routines, so a target without any gets them. One that has some keeps its own.
    brings = not _has_routines(target) and _has_routines(source)
    _write(target, chosen, f"{folder}/{FORMER}", lambda _: None)
    _write(source, chosen, f"{folder}/{DEFINITIONS}", lambda output: database.write_routines(source, output) if brings else None)
    former = hash_of(target)
    if former is None:
        raise Failed({"code": "no-password", "name": target})
    write_whole(f"{folder}/{HASH}", former)
    return brings


def swap_tables(site: str, target: str, folder: str, brings: bool, journal: Journal) -> None:
    """site: whose work this is. brings: the result of prepare_tables. Raises Failed or OSError; what it has done until then is taken back by the journal."""
    chosen = Chosen.read(folder)
    journal.note({"step": "swap-tables", "site": site, "name": target, "folder": folder, "routines": int(brings)})
    drop_definitions(target, [_triggers(chosen)])
    move_tables(target, staged_of(target), former_of(target), only=chosen.tables)
    _load(site, target, folder, DEFINITIONS)


def undo_swap_tables(step: Step) -> None:
    name, folder = str(step["name"]), str(step["folder"])
    chosen = Chosen.read(folder)
    brought = [_ROUTINES] if step["routines"] else []
    drop_definitions(name, [_triggers(chosen), *([_views(chosen)] if chosen.views else []), *brought])
    # All of them move at one moment.
    if rows(ask(f"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '{staged_of(name)}'")) == [[b"0"]]:
        move_tables(name, former_of(name), staged_of(name), only=chosen.tables)
    _load(str(step["site"]), name, folder, FORMER)


def _triggers(chosen: Chosen) -> str:
    among = f"HEX(event_object_table) IN ({digits_of(chosen.tables)})"
    return f"SELECT trigger_name AS n, 'TRIGGER' AS t FROM information_schema.triggers WHERE trigger_schema = '{{0}}' AND {among}"


def _views(chosen: Chosen) -> str:
    among = f"table_type = 'VIEW' AND HEX(table_name) IN ({digits_of(chosen.views)})"
    return f"SELECT table_name AS n, 'VIEW' AS t FROM information_schema.tables WHERE table_schema = '{{0}}' AND {among}"


_ROUTINES: Final = "SELECT name AS n, type AS t FROM mysql.proc WHERE db = '{0}' AND type IN ('FUNCTION', 'PROCEDURE', 'PACKAGE')"


def _has_routines(name: str) -> bool:
    return rows(ask(f"SELECT COUNT(*) FROM mysql.proc WHERE db = '{name}'")) != [[b"0"]]


def _write(source: str, chosen: Chosen, path: str, begin: Callable[[int], None]) -> None:
    """Dumps what RENAME does not move: triggers of the chosen tables, and the chosen views, as far as they exist."""
    with database.login(dumper(source), READER, source) as login, written(path) as output:
        listed = list_tables(source, login)
        tables = [each.name for each in listed if not each.is_view and digits(each.name) in chosen.tables]
        views = [each.name for each in listed if each.is_view and not each.fault and digits(each.name) in chosen.views]
        begin(output)
        if tables:
            database.write_dump(login, source, ["--no-create-info", "--no-data", "--triggers", *PLAIN], output, tables)
        if views:
            database.write_dump(login, source, ["--no-data", "--skip-triggers", *PLAIN], output, views)


def _load(site: str, name: str, folder: str, file: str) -> None:
    """Loads definitions as the site's own database user, who becomes their definer, whatever the file says. Its password is unknown, so for a moment it has a
    second one."""
    if not makes_anything(f"{folder}/{file}"):
        return
    with open(f"{folder}/{HASH}", encoding="ascii") as noted:
        former = noted.read()
    password = os.urandom(24).hex()
    both = f"mysql_native_password USING '{former}' OR mysql_native_password USING PASSWORD('{password}')"
    ask(f"ALTER USER {quoted(name)}@localhost IDENTIFIED VIA {both};\n")
    try:
        with database.login_file(name, password) as login:
            load_definitions(site, login, [f"{folder}/{file}"], name)
    except Exception:
        put_hash(name, former)
        raise
    put_hash(name, former)
