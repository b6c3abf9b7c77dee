"""The tables of a restore at every change that they make to MariaDB: done, failed, killed there, and killed again while that is undone. MariaDB is a
pretended one, which does what it is asked to its users, tables and definitions."""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import pytest
from gatehouse_host import database
from gatehouse_host.database import scratch_of
from gatehouse_host.journal import Journal
from gatehouse_host.sites import exchange
from gatehouse_host.sites.events import copy_events
from gatehouse_host.sites.exchange import kept_of, mark_of, prepare_database, swap_database
from gatehouse_host.sites.tables import Table
from gatehouse_host.sites.taken_back import UNDO
from gatehouse_host.system import Ended, Failed, write_all

SITE = "shop"
SCRATCH, KEPT, MARK = scratch_of(SITE), kept_of(SITE), mark_of(SITE)


class Killed(BaseException):
    """Nothing of the program runs any more."""


@dataclass
class Server:
    """users: whose login each name has. stop: at which change the fault comes; after: once that change is made."""

    users: dict[str, str] = field(default_factory=lambda: {SITE: "the site"})
    tables: dict[str, dict[str, str]] = field(
        default_factory=lambda: {SITE: {"t": "former", "only": "former"}, SCRATCH: {"t": "then", "new": "then"}, KEPT: {}}
    )
    definitions: dict[str, set[str]] = field(default_factory=lambda: {SITE: {"former view"}, SCRATCH: {"view of then"}, KEPT: set()})
    password: str = "*" + "A" * 40
    made: int = 0
    stop: int = 0
    after: bool = False
    fault: Callable[[], BaseException] = Killed

    def change(self, act: Callable[[], None]) -> None:
        self.made += 1
        if self.made != self.stop:
            act()
            return
        if self.after:
            act()
        raise self.fault()

    def ask(self, statements: str, *, check: bool = True, **_: object) -> Ended:
        if found := re.search(r"FROM mysql.user WHERE user = '(.*?)'", statements):
            return Ended(0, b"%d\n" % (found[1] in self.users), b"")
        if "authentication_string" in statements:
            return Ended(0, f"{self.password}\n".encode(), b"")
        if "COUNT(*)" in statements:
            return Ended(0, b"%d\n" % ("after" in self.tables.get(MARK, {})), b"")
        for each in ["all"] if "EXECUTE" in statements else statements.strip().split("\n"):
            self.change(lambda text=statements if each == "all" else each: self.do(text))  # type: ignore[misc]
        return Ended(0, b"", b"")

    def do(self, text: str) -> None:
        if text.startswith("DELIMITER"):
            self.definitions[re.findall(r"WHERE trigger_schema = '(.*?)'", text)[0]] = set()
        elif "RENAME TABLE" in text:
            self.move(text)
        elif found := re.match(r"RENAME USER `(.*?)`@localhost TO `(.*?)`", text):
            if found[2] in self.users:
                raise Failed({"code": "program-failed"})
            self.users[found[2]] = self.users.pop(found[1])
        elif found := re.match(r"DROP USER IF EXISTS `(.*?)`", text):
            self.users.pop(found[1], None)
        elif found := re.match(r"ALTER USER `shop`@localhost IDENTIFIED BY PASSWORD '(.*)'", text):
            self.password = found[1]
        elif found := re.match(r"DROP DATABASE IF EXISTS `(.*?)`", text):
            self.tables.pop(found[1], None)
        elif found := re.match(r"CREATE DATABASE (?:IF NOT EXISTS )?`(.*?)`", text):
            self.tables.setdefault(found[1], {})
        elif found := re.match(r"CREATE TABLE `(.*?)`.`(.*?)`", text):
            self.tables[found[1]][found[2]] = "a mark"
        else:
            assert text.startswith("KILL HARD USER")

    def move(self, text: str) -> None:
        """All or nothing, as MariaDB renames."""
        [(name, former)] = re.findall(r"IF\(table_schema = '(.*?)', '(.*?)',", text)
        [(source, _)] = re.findall(r"table_schema IN \('(.*?)', '(.*?)'\)", text)
        [(mark, old, new)] = re.findall(r"RENAME TABLE `(.*?)`.`(.*?)` TO `.*?`.`(.*?)`", text)
        marks = self.tables.get(mark, {})
        # Tables with triggers are not renamed into another database.
        if old not in marks or self.definitions[name] or self.definitions.get(source) or set(self.tables[former]) & set(self.tables[name]):
            raise Failed({"code": "program-failed"})
        self.tables[former].update(self.tables[name])
        self.tables[name] = self.tables[source]
        self.tables[source] = {}
        marks[new] = marks.pop(old)

    @contextmanager
    def login(self, user: str, rights: str, of: str) -> Iterator[str]:
        self.change(lambda: self.users.__setitem__(user, rights))
        try:
            yield user
        except Killed:
            raise
        except BaseException:
            self.users.pop(user, None)
            raise
        self.change(lambda: self.drop(user))

    def drop(self, user: str) -> None:
        self.users.pop(user, None)

    def dump(self, file: str, of: str, options: Sequence[str], output: int, only: Sequence[str] = ()) -> None:
        assert file in self.users
        self.change(lambda: write_all(output, "".join(f"{each}\n" for each in sorted(self.definitions[of])).encode()))

    def load(self, name: str, login: str, files: list[str]) -> None:
        """One by one, so that it may be killed between them."""
        assert self.users[login] == database.LOADER
        for path in files:
            for line in Path(path).read_text().splitlines():
                self.change(lambda each=line: self.definitions[name].add(each))  # type: ignore[misc]

    @property
    def of_site(self) -> tuple[object, ...]:
        """What the site is. A login of what reads a database goes with that which was loaded beside it."""
        users = {user: whose for user, whose in self.users.items() if "-dump-" not in user}
        return deepcopy((self.tables[SITE], self.definitions[SITE], users, self.password))


@dataclass
class Job:
    server: Server
    folder: Path

    def swap(self) -> None:
        journal = Journal.open(str(self.folder / "journal"))
        try:
            swap_database(SITE, str(self.folder), journal)
        finally:
            journal.close()

    def take_back(self) -> None:
        journal = Journal.resume(str(self.folder / "journal"))
        if journal:
            journal.take_back(UNDO)
            journal.close()

    def run(self, work: Callable[[], None], stop: int, fault: Callable[[], BaseException], after: bool) -> None:
        server = self.server
        server.made, server.stop, server.fault, server.after = 0, stop, fault, after
        try:
            with pytest.raises(type(fault())):
                work()
        finally:
            server.made = server.stop = 0


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Job]:
    def fresh(title: str) -> Job:
        server = Server()
        folder = tmp_path / title
        folder.mkdir()
        (folder / "database.sql").write_bytes(b"-- Dumping events for database 'x'\nevent of then\n")
        for name, does in {"ask": server.ask, "load_definitions": server.load, "list_tables": lambda *_: [Table("v", True, False, "")]}.items():
            monkeypatch.setattr(exchange, name, does)
        for name, does in {"login": server.login, "write_dump": server.dump, "write_routines": lambda *_: None}.items():
            monkeypatch.setattr(database, name, does)
        prepare_database(SITE, str(folder), str(folder))
        server.made = 0
        return Job(server, folder)

    # Thousands of times, the disk of the tests would take minutes.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return fresh


def fail() -> Failed:
    return Failed({"code": "program-failed"})


def count(job: Job, work: Callable[[], None]) -> int:
    job.server.made = 0
    work()
    return job.server.made


def test_undisturbed_the_tables_change_places_and_the_former_ones_are_kept(begin: Callable[[str], Job]) -> None:
    job = begin("a")
    job.swap()
    server = job.server
    assert server.tables[SITE] == {"t": "then", "new": "then"}
    assert server.tables[KEPT] == {"t": "former", "only": "former"}
    assert {"view of then", "event of then"} <= server.definitions[SITE]
    assert "former view" not in server.definitions[SITE]
    assert server.users == {SITE: "the site"}


def test_what_was_done_whole_is_taken_back_when_a_later_step_of_the_job_fails(begin: Callable[[str], Job]) -> None:
    job = begin("a")
    before = job.server.of_site
    job.swap()
    job.take_back()
    assert job.server.of_site == before
    job.take_back()
    assert job.server.of_site == before


@pytest.mark.parametrize("fault", [fail, Killed])
@pytest.mark.parametrize("after", [False, True])
def test_at_every_change_it_fails_or_is_killed_and_is_as_before(begin: Callable[[str], Job], fault: Callable[[], BaseException], after: bool) -> None:
    changes = count(job := begin("all"), job.swap)
    assert changes > 12
    for stop in range(1, changes + 1):
        job = begin(str(stop))
        before = job.server.of_site
        job.run(job.swap, stop, fault, after)
        job.take_back()
        assert job.server.of_site == before, f"change {stop}"


@pytest.mark.parametrize("fault", [fail, Killed])
def test_killed_in_the_undo_too_it_goes_on_from_where_it_was(begin: Callable[[str], Job], fault: Callable[[], BaseException]) -> None:
    changes = count(job := begin("all"), job.swap)
    tried = 0
    for stop in range(1, changes + 1):
        job = begin(f"undo-{stop}")
        job.run(job.swap, stop, Killed, True)
        undoing = count(job, job.take_back)
        for undo_stop in range(1, undoing + 1):
            for after in (False, True):
                job = begin(f"{stop}-{undo_stop}-{after}")
                before = job.server.of_site
                job.run(job.swap, stop, Killed, True)
                job.run(job.take_back, undo_stop, fault, after)
                job.take_back()
                assert job.server.of_site == before, f"change {stop}, undo {undo_stop}, {after}"
                tried += 1
    assert tried > 100


@pytest.mark.parametrize("end", [b"-- Dumping routines for database 'shop'\n", b"-- Dump completed on 2026-11-25\n"])
def test_the_events_of_a_dump_are_copied_without_what_ends_it(end: bytes) -> None:
    events = [b"-- Dumping events for database 'shop'\n", b"/*!50106 SET @save_time_zone= @@TIME_ZONE */ ;\n", b"CREATE EVENT `e`;;\n"]
    ends = [b"/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;\n", b"/*M!100616 SET NOTE_VERBOSITY=@OLD_NOTE_VERBOSITY */;\n"]
    copied: list[bytes] = []
    dump = [b"CREATE TABLE `t` (a INT);\n", *events, *ends, end, b"CREATE PROCEDURE `p`()\n"]
    copy_events(BytesIO(b"".join(dump)), copied.append)
    assert copied == [*events, end]
