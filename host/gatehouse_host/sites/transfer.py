"""A pull or a push, part by part: files and tables of one site are copied beside those of another, which is its staging copy or has it as one, and then change places with
them. Between the parts, the job finds what changed on live, and rewrites addresses by PHP."""
from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

from .. import database, places, scratch
from ..database import READER, ask, dumper, quoted, rows
from ..durable import write_whole
from ..journal import Journal
from ..protocol import Emit, Event, TransferPart, TransferSite
from ..rooms import open_root
from ..system import Failed, run
from .compare import compare_copied, compare_routines, count_rows
from .copying import copy_files, copy_listed
from .restore import JOURNAL
from .site import Site
from .swap import SERVED, exchange_served, require_own_home
from .swap_tables import PLAIN, Chosen, digits, former_of, prepare_tables, staged_of, swap_tables
from .tables import history, list_tables
from .unpack import SLOW, remove

# Files of the job: when the tables were read, for transfer.bash, and how many rows they had.
SINCE: Final = "since"
ROWS: Final = "rows-loaded"
# By bash: which files of the app's configuration stay those of the target, as patterns of rsync; what to keep of live; what was written since the exchange.
OWN: Final = "files.own"
KEEP: Final = "files.keep"
LATE: Final = "files.late"
_TEXT: Final = "CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"


class Transfer:
    """do: the part that is asked for. Raises Failed or OSError."""

    def __init__(self, request: TransferSite, emit: Emit) -> None:
        self._name = request.name
        pulls = request.direction == "pull"
        self._from, self._to = (Site("", each, "") for each in (request.name, request.copy)[:: 1 if pulls else -1])
        self._files = request.files
        self._job = request.folder
        self._chosen = Chosen.read(request.folder)
        self._beside = f"{self._to.home}/.staging"
        self._staged = f"{self._beside}/{SERVED}"
        self._say = emit
        self._parts: Mapping[TransferPart, Callable[[], None]] = {
            "copy": self._copy,
            "keep": self._keep,
            "own": self._copy_own,
            "late": self._bring_late,
            "load": self._load,
            "compare": self._compare,
            "replace": self._replace,
            "drop": self._drop,
        }

    def do(self, part: TransferPart) -> None:
        os.umask(0o077)
        self._parts[part]()

    def _copy(self) -> None:
        """Only root can enter the folder beside the target while root writes there. Files that are the same become hard links."""
        home = open_root(self._to.home)
        try:
            require_own_home(home)
        finally:
            os.close(home)
        remove(self._beside)
        os.mkdir(self._beside, 0o700)
        os.mkdir(self._staged, 0o700)
        os.chown(self._staged, *self._to.owner)
        os.chmod(self._staged, 0o750)
        options = [f"--link-dest={self._to.home}/{SERVED}", "--exclude=/wp-content/cache/", *(f"--exclude={each}" for each in self._own())]
        copy_files(self._from, self._to, [*options, f"{self._from.home}/{SERVED}/", f"{self._staged}/"])

    def _keep(self) -> None:
        copy_listed(self._from, self._to, (f"{self._to.home}/{SERVED}", self._staged), f"{self._job}/{KEEP}")

    def _copy_own(self) -> None:
        """Copies the target's configuration, then opens the folder to the site's own user, who writes the rest."""
        if own := self._own():
            options = ["--prune-empty-dirs", "--include=*/", *(f"--include={each}" for each in own), "--exclude=*"]
            copy_files(self._from, self._to, [*options, f"{self._to.home}/{SERVED}/", f"{self._staged}/"])
        found = run(["find", self._staged, "-type", "f", "-printf", "."], seconds=SLOW, check=False)
        self._say({"code": "files-ready", "count": len(found.output)})
        os.chown(self._beside, -1, self._to.owner[1])
        os.chmod(self._beside, 0o710)

    def _own(self) -> list[str]:
        path = f"{self._job}/{OWN}"
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return [each for each in file.read().split("\n") if each]

    def _bring_late(self) -> None:
        """Copies what visitors wrote last from the folder that is no longer served, unless something newer is there."""
        copy_listed(self._from, self._to, (self._staged, f"{self._to.home}/{SERVED}"), f"{self._job}/{LATE}", "--update")

    def _load(self) -> None:
        """Copies the tables as of one moment, under their own names."""
        staged, former = staged_of(self._to.name), former_of(self._to.name)
        made = "".join(f"DROP DATABASE IF EXISTS {quoted(each)};\nCREATE DATABASE {quoted(each)} {_TEXT};\n" for each in (staged, former))
        ask(made, seconds=SLOW)
        write_whole(f"{self._job}/{SINCE}", f"{int(time.time())}\n")
        with database.login(dumper(self._from.name), READER, self._from.name) as login:
            self._tell_mixed(login)
            tables = [each for each in list_tables(self._from.name, login) if digits(each.name) in self._chosen.tables]
            options = ["--skip-triggers", "--hex-blob", *PLAIN, *history(self._from.name, login, tables, self._say)]
            with scratch.filling(self._name, staged) as loader:
                _pour(login, self._from.name, options, [each.name for each in tables], loader)
        counted = count_rows(staged)
        for each in self._chosen.tables:
            if each.encode() not in counted:
                raise Failed({"code": "table-missing", "table": database.named(each.encode())})
        write_whole(f"{self._job}/{ROWS}", json.dumps({table.decode(): counts for table, counts in counted.items()}))
        self._say({"code": "tables-ready", "count": len(counted)})

    def _tell_mixed(self, login: str) -> None:
        other = f"table_schema = '{self._from.name}' AND table_type = 'BASE TABLE' AND engine <> 'InnoDB'"
        [[count]] = rows(ask(f"SELECT COUNT(*) FROM information_schema.tables WHERE {other}", login=login))
        if count != b"0":
            self._say({"code": "not-one-moment", "count": int(count)})

    def _compare(self) -> None:
        with open(f"{self._job}/{ROWS}", encoding="ascii") as file:
            loaded = {table.encode(): (int(count), int(whole)) for table, (count, whole) in json.load(file).items()}
        compare_copied(self._from.name, staged_of(self._to.name), loaded, self._tell_difference)

    def _tell_difference(self, event: Event) -> None:
        if "before" in event:
            event = {**event, "code": f"copied-{event['code']}", "at": self._to.recorded("domain"), "from": self._from.recorded("domain")}
        self._say(event)

    def _replace(self) -> None:
        """Files before tables: if taking back finds no database, it changes nothing, so that files and tables stay of the same time."""
        brings = bool(self._chosen.tables) and prepare_tables(self._from.name, self._to.name, self._job)
        if self._files:
            run(["sync", "-f", "--", self._beside], seconds=SLOW)
        journal = Journal.open(f"{self._job}/{JOURNAL}")
        try:
            if self._files:
                exchange_served(self._to.home, self._beside, self._to.owner[0], self._job, journal)
            if self._chosen.tables:
                swap_tables(self._name, self._to.name, self._job, brings, journal)
                compare_routines(self._from.name, self._to.name, self._tell_difference)
        finally:
            journal.close()

    def _drop(self) -> None:
        """Removes what lies beside the target, before or after the exchange. Can be repeated."""
        staged, former = staged_of(self._to.name), former_of(self._to.name)
        users = (staged, f"gatehouse-read-{staged}", dumper(staged), dumper(self._from.name), dumper(self._to.name))
        for each in users:
            path = f"{places.logins()}/{each}"
            if os.path.lexists(path):
                os.unlink(path)
        gone = "".join(f"DROP USER IF EXISTS {quoted(each)}@localhost;\n" for each in users)
        ask(f"DROP DATABASE IF EXISTS {quoted(staged)};\nDROP DATABASE IF EXISTS {quoted(former)};\n{gone}", seconds=SLOW)
        remove(self._beside)


def _pour(login: str, source: str, options: list[str], names: list[str], loader: scratch.Loading) -> None:
    """A dump straight into the client that loads it. Raises Failed."""
    reading, writing = os.pipe()
    failed: list[Failed] = []

    def dump() -> None:
        try:
            database.write_dump(login, source, options, writing, names)
        except Failed as error:
            failed.append(error)
        finally:
            os.close(writing)

    dumping = threading.Thread(target=dump)
    dumping.start()
    with open(reading, "rb", buffering=0) as text:
        while piece := text.read(1 << 20):
            loader.feed(piece)
    dumping.join()
    if failed:
        raise failed[0]
    loader.close()
    loader.wait()
