"""MariaDB by its own clients: asked as root, or as a user who is made for one piece of work and has no rights in any other database.

A site's programs may change its tables at any moment into views that run functions of theirs as whoever reads them, and what a dump says is not
trusted. So root reads no table of a site and loads no dump.
"""
from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Final

from . import places
from .protocol import show_path
from .system import Ended, Failed, run, write_all

READER: Final = "SELECT, SHOW VIEW, LOCK TABLES, TRIGGER, EVENT, EXECUTE"
LOADER: Final = "ALL PRIVILEGES"
DUMP_SECONDS: Final = 3 * 3600
# What MariaDB has by default. With other modes of the server, text would be read differently from how it is written here.
_MODE: Final = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION"
_PLAIN: Final = {b"n": b"\n", b"t": b"\t", b"0": b"\0"}

Row = list[bytes]
# Runs statements, and raises Failed.
Ask = Callable[[str], Ended]


@cache
def socket() -> str:
    try:
        said = run(["my_print_defaults", "--mysqld"], seconds=30).output.decode("utf-8", "replace")
    except Failed:
        said = ""
    found = [line.removeprefix("--socket=") for line in said.splitlines() if line.startswith("--socket=")]
    return found[-1] if found else "/run/mysqld/mysqld.sock"


def is_here() -> bool:
    return shutil.which("mariadb") is not None


@cache
def can(program: str, option: str) -> bool:
    """Whether this version of a program knows an option."""
    return option.encode() in run([program, "--no-defaults", "--help"], seconds=30, check=False).output


def ask(statements: str, *, login: str | None = None, database: str = "", seconds: int = 30, force: bool = False, check: bool = True) -> Ended:
    """Runs statements as root, or with a login file. It waits for no lock for long. What takes longer is ended by MariaDB too: it must not go on after what
    takes it back. force: continues after errors. Raises Failed."""
    wait = f"SET SESSION sql_mode = '{_MODE}', lock_wait_timeout = 10, innodb_lock_wait_timeout = 10, max_statement_time = {seconds}"
    who = [f"--defaults-file={login}"] if login else ["--no-defaults", "-u", "root"]
    options = ["--protocol=socket", f"--socket={socket()}", "--default-character-set=utf8mb4", "--batch", "--skip-column-names"]
    more = ["--force"] if force else []
    return run(
        ["mariadb", *who, *options, f"--init-command={wait}", *more, *([database] if database else [])],
        text=statements.encode(),
        seconds=seconds,
        check=check and not force,
    )


def rows(ended: Ended) -> list[Row]:
    return [line.split(b"\t") for line in ended.output.split(b"\n")[:-1]]


def unescape(cell: bytes) -> bytes:
    """What a cell holds: in batch mode, the client escapes what would break a line."""
    return re.sub(rb"\\(.)", lambda found: _PLAIN.get(found[1], found[1]), cell, flags=re.DOTALL)


def named(digits: bytes) -> str:
    """A name that was asked for as HEX()."""
    return bytes.fromhex(digits.decode()).decode()


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


@contextmanager
def login(user: str, rights: str, database: str, ask: Ask = ask, *, keep: bool = False) -> Iterator[str]:
    """Makes a database user with these rights in that database alone, for as long as the block runs. Gives the file by which a program logs in. ask: as root.
    keep: the user stays, as who defines what was made."""
    password = os.urandom(24).hex()
    # Unescaped, it would stand for any character.
    only = database.replace("_", "\\_")
    # Not in an argument, where others could see it.
    ask(f"CREATE OR REPLACE USER {quoted(user)}@localhost IDENTIFIED BY '{password}';\nGRANT {rights} ON `{only}`.* TO {quoted(user)}@localhost;\n")
    try:
        with login_file(user, password) as path:
            yield path
    finally:
        if not keep:
            ask(f"DROP USER IF EXISTS {quoted(user)}@localhost;\n")


@contextmanager
def login_file(user: str, password: str) -> Iterator[str]:
    """A login for a program, which exists while the block runs."""
    path = f"{places.logins()}/{user}"
    try:
        os.makedirs(places.logins(), mode=0o700, exist_ok=True)
        if os.path.lexists(path):
            os.unlink(path)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w", encoding="ascii") as file:
            file.write(f"[client]\nuser={user}\npassword={password}\n")
        yield path
    finally:
        if os.path.lexists(path):
            os.unlink(path)


def dumper(database: str) -> str:
    return f"gatehouse-dump-{database}"


def scratch_of(name: str) -> str:
    """The database beside the live one, which a dump is loaded into to see that it loads."""
    return f"gatehouse-scratch-{name}"


def exists(database: str) -> bool:
    if not is_here():
        return False
    found = rows(ask(f"SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '{database}'"))
    return found == [[b"1"]]


def folder() -> str:
    """MariaDB's data folder."""
    return unescape(rows(ask("SELECT @@datadir"))[0][0]).decode()


def write_dump(file: str, database: str, options: Sequence[str], output: int, only: Sequence[str] = ()) -> None:
    """What the options say of a database, to the descriptor output. file: the login. only: these tables. Raises Failed."""
    whole = ["--protocol=socket", "--max-allowed-packet=1G", "--default-character-set=utf8mb4", "--single-transaction"]
    command = ["mariadb-dump", f"--defaults-file={file}", *whole, f"--socket={socket()}", *options, "--", database, *only]
    run(command, stdout=output, seconds=DUMP_SECONDS)


def write_routines(database: str, output: int, ask: Ask = ask) -> None:
    """Functions, procedures and packages, as statements that make them again. Root asks, because others are not shown those of others. Not by
    mariadb-dump: it has views prepared, for which MariaDB runs functions. Raises Failed."""
    kinds = "'FUNCTION', 'PROCEDURE', 'PACKAGE', 'PACKAGE BODY'"
    listed = rows(ask(f"SELECT type, HEX(name) FROM mysql.proc WHERE db = '{database}' AND type IN ({kinds}) ORDER BY type, name"))
    wanted = [(kind.decode(), named(name)) for kind, name in listed]
    shown = rows(ask("".join(f"SHOW CREATE {kind} {quoted(database)}.{quoted(name)};\n" for kind, name in wanted))) if wanted else []
    for (kind, name), cells in zip(wanted, shown, strict=True):
        _, mode, create, _, collation, *_ = [unescape(cell) for cell in cells]
        if create == b"NULL":
            raise Failed({"code": "no-routine", "name": show_path(name.encode())})
        text = b"DROP %b IF EXISTS %b;\n" % (kind.encode(), quoted(name).encode())
        text += b"SET @former_mode = @@sql_mode, @former_collation = @@collation_connection;\n"
        text += b"SET sql_mode = '%b', collation_connection = '%b';\n" % (mode, collation)
        text += b"DELIMITER ;;\n%b ;;\nDELIMITER ;\n" % create
        text += b"SET sql_mode = @former_mode, collation_connection = @former_collation;\n"
        write_all(output, text)


@contextmanager
def large_packets(name: str) -> Iterator[None]:
    """The text of a row in a dump may be twice as long as the row, and so longer than the server takes. Sessions have the limit of when they begin.
    The notes are shared with jobs that load dumps by bash: the limit goes back once nobody is loading. name: of the site."""
    home = places.logins()
    os.makedirs(home, mode=0o700, exist_ok=True)
    with _held_packet():
        if not os.path.exists(f"{home}/packet"):
            with open(f"{home}/packet.new", "wb") as file:
                file.write(ask("SELECT @@GLOBAL.max_allowed_packet").output)
            os.replace(f"{home}/packet.new", f"{home}/packet")
        with open(f"{home}/raised-{name}", "wb"):
            pass
        ask("SET GLOBAL max_allowed_packet = 1073741824")
    try:
        yield
    finally:
        with _held_packet():
            _restore_packet(home, name)


def _restore_packet(home: str, name: str) -> None:
    if os.path.exists(f"{home}/raised-{name}"):
        os.unlink(f"{home}/raised-{name}")
    if any(each.startswith("raised-") for each in os.listdir(home)) or not os.path.exists(f"{home}/packet"):
        return
    with open(f"{home}/packet", encoding="ascii") as file:
        former = int(file.read())
    ask(f"SET GLOBAL max_allowed_packet = {former}")
    os.unlink(f"{home}/packet")


@contextmanager
def _held_packet() -> Iterator[None]:
    """Two jobs must not count each other half."""
    with open(places.packet_lock(), "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def load_command(name: str, file: str, database: str) -> list[str]:
    """The command of a client that no user has beside it, whose input is a dump. name: of the site. file: the login. Clients know the option since a flaw by which
    a dump could run programs."""
    limits = ["--sandbox"] if can("mariadb", "--sandbox") else []
    properties = [
        "DynamicUser=yes", f"LoadCredential=login:{file}", "PrivateNetwork=yes", "ProtectProc=invisible", "ProtectHome=yes",
        "MemoryMax=1G", "TasksMax=8", "RuntimeMaxSec=3h",
    ]  # fmt: skip
    unit = ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", f"--unit={_load_unit(name)}"]
    unit += [word for each in properties for word in ("-p", each)]
    client = ["/bin/sh", "-c", 'exec mariadb --defaults-file="$CREDENTIALS_DIRECTORY/login" "$@"', "load", *limits, "--protocol=socket"]
    client += [f"--socket={socket()}", "--default-character-set=utf8mb4", "--max-allowed-packet=1G", "--batch", "--", database]
    return [*unit, *client]


def _load_unit(name: str) -> str:
    return f"gatehouse-load-{name}.service"


def stop_loading(name: str) -> None:
    """A client that loads a dump outlives a job that is killed."""
    for command in (["systemctl", "kill", "-s", "KILL"], ["systemctl", "-q", "stop"]):
        subprocess.run([*command, _load_unit(name)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)
