"""A temporary database server that nothing else can reach: a dump that loads into it can be restored. Loading runs what programs of sites wrote into their
databases, as root of that server, so it runs as a user that nothing else has, and sees nothing of this server."""
from __future__ import annotations

import gzip
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from .. import database, places
from ..database import rows, unescape
from ..dump import Dump as DumpText
from ..protocol import Event
from ..scratch import Loading
from ..system import Failed, run
from .databases import Dump, LiveServer
from .lacks import Lacks, first_error

_UNIT: Final = "gatehouse-proof.service"
_PIECE: Final = 1 << 20
_START_SECONDS: Final = 300
# The settings that decide whether the live server accepts a table or a row. Plugins are left out, because some contact other servers.
_LIMITS: Final = (
    "character_set_server", "character_set_collations", "collation_server", "explicit_defaults_for_timestamp", "innodb_default_row_format",
    "innodb_page_size", "innodb_read_only_compressed", "innodb_strict_mode", "log_bin_trust_function_creators", "lower_case_table_names",
    "max_allowed_packet", "old_mode", "sql_mode",
)  # fmt: skip
# These two are fixed when the data folder is created.
_FIXED: Final = ("innodb_page_size", "lower_case_table_names")
_HIDDEN: Final = "-/etc/gatehouse -/root -/srv -/opt -/mnt -/media -/run/mysqld -/run/gatehouse-load"
# Its arguments: the data folder, how many options it is created with, these, and those that it only runs with.
_RUN: Final = """mariadb-install-db --no-defaults --auth-root-authentication-method=socket --auth-root-socket-user=root --datadir="$0" --skip-test-db "${@:2:$1}" &&
  exec mariadbd --no-defaults --datadir="$0" --socket="$0/socket" --pid-file="$0/pid" --skip-networking --innodb-buffer-pool-size=64M \\
    --innodb-flush-log-at-trx-commit=0 "${@:$1+2}\""""
# Who exists on the live server exists there too, without a password: views run functions as their definers, also while they are loaded. Nobody else gets
# to that server, and what an account may do is not what a dump has to prove.
_ACCOUNTS: Final = """SELECT CONCAT('CREATE USER IF NOT EXISTS ', QUOTE(User), '@', QUOTE(Host), '; GRANT ALL PRIVILEGES ON *.* TO ', QUOTE(User), '@', QUOTE(Host), ';')
  FROM mysql.global_priv WHERE JSON_VALUE(Priv, '$.is_role') IS NULL AND User NOT IN ('', 'root', 'mariadb.sys', 'PUBLIC')"""


class NoTrial(Exception):
    """The temporary server does not start. why: what it says."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class TrialServer:
    """load: loads a dump, with the limits of the live server."""

    def __init__(self, live: LiveServer) -> None:
        self._live = live
        self._limits = self._read_limits()
        self._runs = False
        self._broken: NoTrial | None = None

    @property
    def folder(self) -> str:
        return f"{places.server_work()}/scratch"

    @property
    def _client(self) -> list[str]:
        return ["mariadb", "--no-defaults", f"--socket={self.folder}/socket"]

    def _read_limits(self) -> list[tuple[str, str]]:
        names = ", ".join(f"'{each}'" for each in _LIMITS)
        found = rows(self._live.ask(f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names})"))
        return [(name.decode(), unescape(value).decode("utf-8", "surrogateescape")) for name, value in found]

    def load(self, path: str) -> Event | None:
        """Why it does not load; None if it does."""
        try:
            self._start()
            self._load(path)
        except NoTrial as broken:
            return {"code": "trial-failed", "error": broken.why}
        except Failed as failed:
            error, table = str(failed.event.get("error", "")), str(failed.event.get("table", ""))
            # The client says that the server is gone also if that has refused a packet that is too large.
            if ("gone away" in error or "Lost connection" in error) and self._answers():
                return {"code": "row-too-large", "table": table}
            return {"code": "dump-refused", "error": error, "table": table}
        return None

    def _load(self, path: str) -> None:
        # Clients know the option since a flaw by which a dump could run programs.
        confined = ["--sandbox"] if database.can("mariadb", "--sandbox") else []
        loading = Loading([*self._client, *confined, "--max-allowed-packet=1G"], DumpText)
        try:
            # A dump that is not whole is said to be that already.
            with suppress(EOFError), gzip.open(path) as dump:
                while piece := dump.read(_PIECE):
                    loading.feed(piece)
            loading.close()
            loading.wait()
        finally:
            loading.stop()

    def _answers(self) -> bool:
        asked = ["mariadb-admin", "--no-defaults", f"--socket={self.folder}/socket", "ping"]
        return run(asked, seconds=60, check=False).code == 0

    def _start(self) -> None:
        """Also again after a dump has crashed it. Raises NoTrial."""
        if self._broken is not None:
            raise self._broken
        if self._runs and self._answers():
            return
        self.stop()
        os.mkdir(self.folder)
        # Nobody but root gets into the folder above.
        os.chmod(self.folder, 0o777)
        with open(f"{places.server_work()}/scratch.log", "wb"):
            pass
        self._runs = True
        if run(self._command(), seconds=60, check=False).code != 0 or not self._has_started():
            self._broken = NoTrial(self._complaint())
            raise self._broken
        self._copy_accounts()

    def _command(self) -> list[str]:
        log = f"append:{places.server_work()}/scratch.log"
        properties = (
            "DynamicUser=yes", "PrivateNetwork=yes", "PrivateDevices=yes", "ProtectHome=yes", "ProtectProc=invisible", "TemporaryFileSystem=/var:ro",
            f"BindPaths={self.folder}", f"InaccessiblePaths={_HIDDEN}", "RuntimeMaxSec=11h", f"StandardOutput={log}", f"StandardError={log}",
        )  # fmt: skip
        options = [word for each in properties for word in ("-p", each)]
        fixed = [f"--loose-{name}={value}" for name, value in self._limits if name in _FIXED]
        all_ = [f"--loose-{name}={value}" for name, value in self._limits]
        unit = ["systemd-run", "--quiet", "--collect", f"--unit={_UNIT}", *options]
        return [*unit, "/bin/bash", "-c", _RUN, self.folder, str(len(fixed)), *fixed, *all_]

    def _has_started(self) -> bool:
        until = time.monotonic() + _START_SECONDS
        while not self._answers():
            if time.monotonic() > until or not _is_active():
                return False
            time.sleep(0.1)
        return True

    def _complaint(self) -> str:
        with open(f"{places.server_work()}/scratch.log", "rb") as file:
            lines = [line for line in file.read(1 << 20).splitlines() if b"Note" not in line]
        return first_error(b"\n".join(lines))

    def _copy_accounts(self) -> None:
        with suppress(Failed):
            statements = b"".join(unescape(statement) + b"\n" for [statement] in rows(self._live.ask(_ACCOUNTS)))
            run([*self._client, "--force"], text=statements, seconds=600, check=False)

    def stop(self) -> None:
        stop_trial()
        self._runs = False
        shutil.rmtree(self.folder, ignore_errors=True)


def stop_trial() -> None:
    """It outlives a backup that was killed."""
    for command in (["systemctl", "-q", "kill", "-s", "KILL"], ["systemctl", "-q", "stop"], ["systemctl", "reset-failed"]):
        run([*command, _UNIT], seconds=300, check=False)


def _is_active() -> bool:
    return run(["systemctl", "-q", "is-active", _UNIT], seconds=60, check=False).code == 0


@contextmanager
def trial(live: LiveServer) -> Iterator[TrialServer]:
    server = TrialServer(live)
    try:
        yield server
    finally:
        server.stop()


def prove_dumps(dumps: Sequence[Dump], live: LiveServer, lacks: Lacks) -> None:
    """Loads every dump. Views may need other databases, so those that do not load are tried again as long as others succeed. One that is not whole, or does
    not load, goes to the folder beside those that do."""
    work = places.server_work()
    left = list(dumps)
    refusals: dict[str, Event] = {}
    with trial(live) as server:
        while left:
            again = []
            for dump in left:
                refusal = server.load(f"{work}/databases/{dump.file}")
                if refusal is not None:
                    refusals[dump.file] = refusal
                    again.append(dump)
            if len(again) == len(left):
                break
            left = again
    for dump in left:
        dump.fault = dump.fault or refusals[dump.file]
    for dump in dumps:
        if dump.fault is not None:
            os.rename(f"{work}/databases/{dump.file}", f"{work}/unproven/{dump.file}")
            lacks.miss(dump.database, dump.fault)
