"""A pull or a push, part by part: files and tables of one site are copied beside those of another, which is its staging copy or has it as one, and then change places with
them. Between the parts, the job rewrites addresses by PHP."""
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
from ..rooms import opened
from ..system import Failed, run
from .compare import compare_copied, compare_routines, count_rows
from .copying import copy_files, copy_listed
from .listing import list_files, read_list, write_list
from .live_changes import clear_way, find_live_changes, own_patterns, tell_push
from .restore import JOURNAL
from .site import Site
from .swap import RETURNING, SERVED, exchange_served, require_own_home
from .swap_tables import PLAIN, Chosen, digits, former_of, prepare_tables, staged_of, swap_tables
from .tables import history, list_tables
from .unpack import SLOW, remove

# Files of the job: when the tables were read, for transfer.bash, and how many rows they had.
SINCE: Final = "since"
ROWS: Final = "rows-loaded"
# Which files are copied from live before the exchange, and after it; what live had, and what a push put there; how many files changed on live and were kept, for push.bash; and
# what the next push compares with, for transfer.bash.
KEEP: Final = "files.keep"
LATE: Final = "files.late"
LIVE: Final = "files.live"
READY: Final = "files.ready"
KEPT: Final = "files.kept"
NEXT: Final = "files.next"
# How long files are compared by their content before they count as changed.
_READ_SECONDS: Final = 30
_TEXT: Final = "CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"


class Transfer:
    """do: the part that is asked for. Raises Failed or OSError."""

    def __init__(self, request: TransferSite, emit: Emit) -> None:
        self._name = request.name
        self._pulls = request.direction == "pull"
        self._live, self._copy = (Site("", each, "") for each in (request.name, request.copy))
        self._from, self._to = (self._live, self._copy) if self._pulls else (self._copy, self._live)
        self._files = request.files
        self._replaces = request.replaces
        self._job = request.folder
        self._chosen = Chosen.read(request.folder)
        self._beside = f"{self._to.home}/.staging"
        self._staged = f"{self._beside}/{SERVED}"
        self._say = emit
        self._parts: Mapping[TransferPart, Callable[[], None]] = {
            "files": self._stage_files,
            "late": self._bring_late,
            "load": self._load,
            "compare": self._compare,
            "replace": self._replace,
            "drop": self._drop,
        }

    def do(self, part: TransferPart) -> None:
        os.umask(0o077)
        self._parts[part]()

    def _stage_files(self) -> None:
        """Only root can enter the folder beside the target until all is there."""
        own = own_patterns(self._live, self._copy)
        self._copy_files(own)
        if self._pulls:
            write_list(f"{self._job}/{NEXT}", list_files(self._staged))
        else:
            self._keep_live_changes()
        if own:
            options = ["--prune-empty-dirs", "--include=*/", *(f"--include={each}" for each in own), "--exclude=*"]
            copy_files(self._from, self._to, [*options, f"{self._to.home}/{SERVED}/", f"{self._staged}/"])
        ready = list_files(self._staged)
        write_list(f"{self._job}/{READY}", ready)
        self._say({"code": "files-ready", "count": sum(known.startswith(b"f ") for known in ready.values())})
        # The site's own user writes the rest.
        os.chown(self._beside, -1, self._to.owner[1])
        os.chmod(self._beside, 0o710)

    def _copy_files(self, own: list[str]) -> None:
        """Files that are the same become hard links."""
        with opened(self._to.home) as home:
            require_own_home(home)
        remove(self._beside)
        os.mkdir(self._beside, 0o700)
        os.mkdir(self._staged, 0o700)
        os.chown(self._staged, *self._to.owner)
        os.chmod(self._staged, 0o750)
        options = [f"--link-dest={self._to.home}/{SERVED}", "--exclude=/wp-content/cache/", *(f"--exclude={each}" for each in own)]
        copy_files(self._from, self._to, [*options, f"{self._from.home}/{SERVED}/", f"{self._staged}/"])

    def _keep_live_changes(self) -> None:
        """Brings them to the staged files, unless a push replaces them."""
        changes = find_live_changes(self._live, self._copy, self._staged, _READ_SECONDS)
        write_list(f"{self._job}/{LIVE}", changes.live)
        write_list(f"{self._job}/{NEXT}", changes.staged if self._replaces else changes.next)
        if not self._replaces:
            clear_way(changes, self._staged, f"{self._beside}/removed")
            self._copy_listed((f"{self._to.home}/{SERVED}", self._staged), KEEP, changes.keep)
            write_whole(f"{self._job}/{KEPT}", f"{len(changes.named)}\n")
        tell_push(changes, self._replaces, self._say)

    def _bring_late(self) -> None:
        """Copies what visitors wrote last from the folder that is no longer served, unless something newer is there. After a take-back that is the one that was
        pushed."""
        before = read_list(f"{self._job}/{READY if os.path.exists(f'{self._job}/{RETURNING}') else LIVE}")
        late = [path for path, known in list_files(self._staged).items() if before.get(path) != known]
        self._copy_listed((self._staged, f"{self._to.home}/{SERVED}"), LATE, late, "--update")
        if late:
            self._say({"code": "late-kept", "count": len(late)})

    def _copy_listed(self, folders: tuple[str, str], file: str, paths: list[bytes], *options: str) -> None:
        if not paths:
            return
        with open(f"{self._job}/{file}", "wb") as listed:
            listed.write(b"".join(b"./%b\0" % each for each in sorted(paths)))
        copy_listed(self._from, self._to, folders, f"{self._job}/{file}", *options)

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
