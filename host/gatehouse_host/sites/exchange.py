"""The tables of a site change places with those of the database beside it, by one RENAME. What MariaDB cannot rename (views, triggers, routines and events) is
written again, with the site's user as definer. The former tables stay in a separate database."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from .. import database
from ..database import LOADER, READER, ask, dumper, quoted, rows, scratch_of
from ..durable import sync
from ..journal import Journal, Step
from ..scratch import load_definitions
from ..system import write_all
from .events import copy_events
from .tables import list_tables

# Names of the files in the folder of the job. former.sql has the same name in replace.py.
DEFINITIONS: Final = "definitions.sql"
EVENTS: Final = "events.sql"
FORMER: Final = "former.sql"
# What takes long is as many tables.
SLOW: Final = 600


def kept_of(name: str) -> str:
    return f"gatehouse-kept-{name}"


def mark_of(name: str) -> str:
    """A database whose one table is renamed with the others, so its name tells whether they have changed places. Programs of the site do not get there."""
    return f"gatehouse-restore-{name}"


def _held(name: str) -> str:
    return f"gatehouse-held-{name}"


def prepare_database(name: str, staged: str, folder: str) -> None:
    """Reads what the exchange of a site's tables writes again, as far as it is there before the pause. staged: the folder of the dump. folder: of the job. Raises
    Failed or OSError."""
    _write_definitions(scratch_of(name), f"{folder}/{DEFINITIONS}")
    with open(f"{staged}/database.sql", "rb") as dump, written(f"{folder}/{EVENTS}") as output:
        copy_events(dump, lambda line: write_all(output, line))
    mark = quoted(mark_of(name))
    ask(f"DROP DATABASE IF EXISTS {mark};\nCREATE DATABASE {mark};\nCREATE TABLE {mark}.`before` (a INT);\n")


def swap_database(name: str, folder: str, journal: Journal) -> None:
    """The tables that were loaded beside a site's database take the place of the live ones. folder: of the job. Raises Failed or OSError; what it has done until then is
    taken back by the journal."""
    journal.note({"step": "swap-database", "name": name, "folder": folder})
    with _held_user(name) as login:
        _write_definitions(name, f"{folder}/{FORMER}.new")
        # From here on, what is dropped can be written again.
        os.rename(f"{folder}/{FORMER}.new", f"{folder}/{FORMER}")
        sync(folder)
        drop_definitions(name)
        drop_definitions(scratch_of(name))
        move_tables(name, scratch_of(name), kept_of(name), _marked(name, "before", "after"))
        load_definitions(name, login, [f"{folder}/{DEFINITIONS}", f"{folder}/{EVENTS}"])
    release_user(name)


def undo_swap_database(step: Step) -> None:
    name, folder = str(step["name"]), str(step["folder"])
    if os.path.exists(f"{folder}/{FORMER}"):
        swapped = has_swapped(name)
        with _held_user(name) as login:
            drop_definitions(name)
            # A backup of a job that came between may have removed it.
            ask(f"CREATE DATABASE IF NOT EXISTS {quoted(scratch_of(name))} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
            if swapped:
                move_tables(name, kept_of(name), scratch_of(name), _marked(name, "after", "before"))
            load_definitions(name, login, [f"{folder}/{FORMER}"])
    release_user(name)


def has_swapped(name: str) -> bool:
    """Raises Failed if the database does not say."""
    found = ask(f"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '{mark_of(name)}' AND table_name = 'after'")
    return rows(found) == [[b"1"]]


def drop_mark(name: str) -> None:
    ask(f"DROP DATABASE IF EXISTS {quoted(mark_of(name))};\n")


@contextmanager
def _held_user(name: str) -> Iterator[str]:
    """Nobody can log in as the site's user, and what is written as the user belongs to the site. Gives the login."""
    if not _has_user(_held(name)):
        ask(f"RENAME USER {quoted(name)}@localhost TO {quoted(_held(name))}@localhost")
    ask(f"KILL HARD USER {quoted(name)}@localhost", check=False)
    ask(f"DROP USER IF EXISTS {quoted(name)}@localhost")
    with database.login(name, LOADER, name) as login:
        yield login


def release_user(name: str) -> None:
    if _has_user(_held(name)):
        user = f"{quoted(name)}@localhost"
        ask(f"DROP USER IF EXISTS {user};\nRENAME USER {quoted(_held(name))}@localhost TO {user};\n")


def _has_user(user: str) -> bool:
    return rows(ask(f"SELECT COUNT(*) FROM mysql.user WHERE user = '{user}' AND host = 'localhost'")) == [[b"1"]]


def _write_definitions(source: str, path: str) -> None:
    """What RENAME leaves behind. Routines come first, because views may use them."""
    with database.login(dumper(source), READER, source) as login, written(path) as output:
        tables = list_tables(source, login)
        ignored = [f"--ignore-table={source}.{each.name}" for each in tables if each.fault]
        views = [each.name for each in tables if each.is_view and not each.fault]
        database.write_routines(source, output)
        database.write_dump(login, source, ["--no-data", "--no-create-info", "--triggers", "--events", *ignored], output)
        if views:
            database.write_dump(login, source, ["--no-data", "--skip-triggers"], output, views)


# Of each kind, where MariaDB lists them and how they are dropped.
KINDS: Final = (
    ("SELECT trigger_name AS n, 'TRIGGER' AS t FROM information_schema.triggers WHERE trigger_schema = '{0}'"),
    ("SELECT table_name AS n, 'VIEW' AS t FROM information_schema.tables WHERE table_schema = '{0}' AND table_type = 'VIEW'"),
    ("SELECT event_name AS n, 'EVENT' AS t FROM information_schema.events WHERE event_schema = '{0}'"),
    ("SELECT name AS n, type AS t FROM mysql.proc WHERE db = '{0}' AND type IN ('FUNCTION', 'PROCEDURE', 'PACKAGE')"),
)


def drop_definitions(source: str, kinds: Sequence[str] = KINDS) -> None:
    drop = "EXECUTE IMMEDIATE CONCAT('DROP ', found.t, ' {0}.`', REPLACE(found.n, '`', '``'), '`');".format(quoted(source))
    loops = "".join(f"  FOR found IN ({kind.format(source)}) DO\n    {drop}\n  END FOR;\n" for kind in kinds)
    ask(f"DELIMITER //\nBEGIN NOT ATOMIC\n{loops}END //\n")


def _marked(name: str, now: str, then: str) -> str:
    mark = quoted(mark_of(name))
    return f"{mark}.`{now}` TO {mark}.`{then}`"


def move_tables(name: str, source: str, former: str, first: str = "", only: Sequence[str] = ()) -> None:
    """The tables of the site go to `former`, then those of `source` to the site, at one moment. first: another move of the same RENAME. only: these tables, by name in hexadecimal."""
    begin = f"', ', 'RENAME TABLE {first}'" if first else "' ', 'RENAME TABLE'"
    among = f" AND HEX(table_name) IN ({digits_of(only)})" if only else ""
    quoted_name = "REPLACE(table_name, '`', '``')"
    pair = (
        f"'`', table_schema, '`.`', {quoted_name}, '` TO `', IF(table_schema = '{name}', '{former}', '{name}'), '`.`', {quoted_name}, '`'"
    )
    ask(
        "SET SESSION group_concat_max_len = 16777216, foreign_key_checks = 0;\n"
        f"SELECT GROUP_CONCAT({pair} ORDER BY table_schema = '{name}' DESC SEPARATOR ', ')\n"
        f"FROM information_schema.tables WHERE table_schema IN ('{source}', '{name}') AND table_type <> 'VIEW'{among} INTO @moves;\n"
        f"EXECUTE IMMEDIATE CONCAT_WS({begin}, @moves);\n",
        seconds=SLOW,
    )


def digits_of(names: Sequence[str]) -> str:
    """Names in hexadecimal, as a list for SQL."""
    return ", ".join(f"'{each}'" for each in names)


@contextmanager
def written(path: str) -> Iterator[int]:
    """A new file, on the disk when the block ends."""
    output = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield output
        os.fsync(output)
    finally:
        os.close(output)
