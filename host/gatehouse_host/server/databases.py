"""Each database of the server, dumped into a separate file. Always those of the live server, through its local socket: root's settings may name another
host, which is not part of this backup."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from .. import database, places
from ..database import READER, named, quoted, rows, unescape
from ..protocol import Event
from ..system import Ended, Failed, program_failed, run, write_all
from .lacks import Lacks, first_error

ALL: Final = "All databases"
# Options that log in a user who may read everything: those of /root/.my.cnf or none, root by name, Debian's own login.
_WAYS: Final[Sequence[Sequence[str]]] = ((), ("--user=root",), ("--defaults-file=/etc/mysql/debian.cnf",))
_LOCAL: Final = ("--protocol=socket", "--host=localhost")
# With --force an error leaves out one table or view instead of all that follow; the exit code still says it.
_WHOLE: Final = ("--max-allowed-packet=1G", "--single-transaction", "--quick", "--force")
_NOT_DUMPED: Final = "'information_schema', 'performance_schema', 'sys'"
_OF_JOBS: Final = ("gatehouse-scratch-%", "gatehouse-kept-%", "gatehouse-restore-%")
_DUMP_SECONDS: Final = 11 * 3600


@dataclass
class Dump:
    """database: its name. file: of the dump, without a folder. fault: why it is not whole, or does not load."""

    database: str
    file: str
    fault: Event | None = None


class LiveServer:
    """find: whether there are databases to dump."""

    def __init__(self, lacks: Lacks) -> None:
        self._lacks = lacks
        self._login: Sequence[str] = ()

    def ask(self, statements: str) -> Ended:
        """Raises Failed."""
        options = ["--connect-timeout=10", "--default-character-set=utf8mb4", "--batch", "--skip-column-names"]
        return run(["mariadb", *self._login, *_LOCAL, *options], text=statements.encode(), seconds=600)

    def find(self) -> str | None:
        """The data folder of the server; None if there is none, or it cannot be dumped, which is then said to be missing. Raises Failed."""
        if shutil.which("mariadbd") is None and shutil.which("mysqld") is None:
            return None
        if any(shutil.which(each) is None for each in ("mariadb", "mariadb-dump", "mariadbd")):
            self._lacks.miss(ALL, {"code": "no-mariadb"})
            return None
        refusal = self._find_login()
        if refusal is not None:
            silent = "ERROR 2002" in refusal
            self._lacks.miss(ALL, {"code": "database-silent" if silent else "no-root-login", "error": refusal})
            return None
        version = rows(self.ask("SELECT VERSION()"))[0][0].decode("utf-8", "replace")
        if "MariaDB" not in version:
            self._lacks.miss(ALL, {"code": "other-database", "version": version[:100]})
            return None
        return unescape(rows(self.ask("SELECT @@datadir"))[0][0]).decode()

    def _find_login(self) -> str | None:
        """The first error if no way works."""
        refusals = []
        for way in _WAYS:
            self._login = way
            try:
                self.ask("SELECT 1 FROM mysql.user LIMIT 1")
            except Failed as failed:
                refusals.append(str(failed.event.get("error", "")))
            else:
                return None
        return refusals[0]

    def dump_all(self, folder: str) -> list[Dump]:
        """Into that folder, which must be there."""
        try:
            names = self._list()
        except Failed as failed:
            self._lacks.miss(ALL, {"code": "not-listed", "error": str(failed.event.get("error", ""))})
            return []
        return [self._dump(name, folder) for name in names]

    def _list(self) -> list[str]:
        without = "".join(f" AND schema_name NOT LIKE '{each}'" for each in _OF_JOBS)
        found = rows(self.ask(f"SELECT HEX(schema_name) FROM information_schema.schemata WHERE schema_name NOT IN ({_NOT_DUMPED}){without}"))
        names = [named(digits) for [digits] in found]
        # A pull or push makes these beside a site's database and deletes them.
        return [each for each in names if not (each.endswith(("_new", "_old")) and _is_site(each[:-4]))]

    def _dump(self, name: str, folder: str) -> Dump:
        dump = Dump(name, f"{file_name(name)}.sql.gz")
        output = os.open(f"{folder}/{dump.file}", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            history = self._history(name)
            with _compressed(output) as to:
                if _is_site(name):
                    self._dump_site(name, to, history)
                else:
                    options = [*_WHOLE, *history, "--routines", "--events", "--triggers", "--databases", "--", name]
                    _run_dump(["mariadb-dump", *self._login, *_LOCAL, *options], to)
        except Failed as failed:
            dump.fault = {"code": "dump-not-whole", "error": str(failed.event.get("error") or failed.event["code"])}
        finally:
            os.close(output)
        return dump

    def _dump_site(self, name: str, output: int, history: list[str]) -> None:
        """Its programs may change its tables at any moment into views that run functions of theirs as whoever reads them, so somebody reads them who has no
        rights in any other database. Views may use routines, so these come first."""
        with database.login(f"gatehouse-night-{name}", READER, name, self.ask) as file:
            created = unescape(rows(self.ask(f"SHOW CREATE DATABASE IF NOT EXISTS {quoted(name)}"))[0][1])
            write_all(output, b"%b; USE %b;\n" % (created, quoted(name).encode()))
            database.write_routines(name, output, self.ask)
            options = [*_LOCAL, f"--socket={database.socket()}", *_WHOLE, *history, "--events", "--triggers", "--databases", "--", name]
            _run_dump(["mariadb-dump", f"--defaults-file={file}", *options], output)

    def _history(self, name: str) -> list[str]:
        """The option that keeps the former rows of tables with system versioning. Where programs do not know it, that is missing."""
        which = f"table_schema = CONVERT(X'{name.encode().hex()}' USING utf8mb4) AND table_type = 'SYSTEM VERSIONED'"
        found = rows(self.ask(f"SELECT HEX(table_name) FROM information_schema.tables WHERE {which}"))
        if not found:
            return []
        if database.can("mariadb-dump", "--dump-history"):
            return ["--dump-history"]
        tables = ", ".join(named(digits) for [digits] in found)
        self._lacks.miss(f"{name}: history", {"code": "history-missing", "tables": tables[:200]})
        return []


def file_name(database: str) -> str:
    """Of its dump: ASCII letters, digits, _, - and what is no ASCII stay, as do dots that do not come first; the rest becomes %XX."""
    text = re.sub(rb"^\.|[^A-Za-z0-9_.\x80-\xff-]", lambda found: b"%%%02X" % ord(found[0]), database.encode())
    return text.decode()


def _is_site(name: str) -> bool:
    return re.fullmatch(r"[a-z][a-z0-9]{0,31}", name) is not None and os.path.lexists(f"{places.settings(name)}/site")


@contextmanager
def _compressed(output: int) -> Iterator[int]:
    """A descriptor that takes what is compressed into the descriptor output. Raises Failed."""
    failed: Failed | None = None
    with subprocess.Popen(["gzip"], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE) as gzip:
        assert gzip.stdin and gzip.stderr
        try:
            yield gzip.stdin.fileno()
        except Failed as error:
            failed = error
        except BrokenPipeError:
            # It has ended by an error, which it says.
            pass
        except BaseException:
            gzip.kill()
            raise
        gzip.stdin.close()
        said = gzip.stderr.read()
    # A full disk ends what feeds it too.
    if gzip.returncode != 0:
        raise program_failed("gzip", gzip.returncode, first_error(said).encode())
    if failed is not None:
        raise failed


def _run_dump(command: Sequence[str], output: int) -> None:
    """Raises Failed."""
    ended = run(command, stdout=output, seconds=_DUMP_SECONDS, check=False)
    if ended.code != 0:
        raise program_failed(command[0], ended.code, first_error(ended.error).encode())
