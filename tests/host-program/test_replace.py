"""The whole moment of a restore in one journal: place, files, tables and password, at every change to the disk and to MariaDB: done, failed, killed there, and killed
again while that is undone."""
from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from gatehouse_host import database, places, scratch
from gatehouse_host.journal import Journal
from gatehouse_host.protocol import Part, RestoreSite
from gatehouse_host.sites import exchange, replace, restore, site
from gatehouse_host.sites.exchange import kept_of
from gatehouse_host.sites.replace import keep_former
from gatehouse_host.sites.taken_back import UNDO
from gatehouse_host.system import Failed
from test_exchange import SITE, Job, Killed, begin, fail  # noqa: F401
from test_restore_faults import Disk, describe

THEN = "*" + "B" * 40
NAME = "shop.test-20261128-010203-manual.tar.zst"


@dataclass
class Restoring:
    job: Job
    home: Path

    def part(self, part: Part) -> None:
        restore.Restore(RestoreSite(part, "a-1", SITE, "shop.test", NAME, str(self.job.folder)), lambda _: None).do(part)

    def work(self) -> None:
        self.part("prepare")
        self.part("replace")

    def take_back(self) -> None:
        journal = Journal.resume(str(self.job.folder / "journal"))
        if journal:
            journal.take_back(UNDO)
            journal.close()

    @property
    def state(self) -> tuple[object, ...]:
        """Files with their inodes, and what the database of the site is."""
        return self.job.server.of_site, {str(path): describe(path) for path in sorted(self.home.rglob("*"))}


@pytest.fixture
def start(begin: Callable[[str], Job], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Restoring]:  # noqa: F811
    monkeypatch.setattr(site.Site, "owner", (os.getuid(), os.getgid()))

    def fresh(title: str) -> Restoring:
        job = begin(title)
        monkeypatch.setattr(places, "root", str(job.folder))
        home = job.folder / f"home/{SITE}"
        for where, content in ((home, "former"), (home / ".restoring/files", "then")):
            for name in ("public", "private"):
                (where / name).mkdir(parents=True)
                (where / name / "page").write_text(f"{content} {name}")
        (home / ".restoring/manifest").write_text(f"format 2\npassword {THEN}\n")
        monkeypatch.setattr(replace, "ask", job.server.ask)
        return Restoring(job, home)

    monkeypatch.setattr(restore, "remove", lambda _: None)
    return fresh


Start = Callable[[str], Restoring]


def test_undisturbed_files_tables_and_password_are_those_of_the_backup_and_the_former_ones_are_kept(start: Start) -> None:
    restoring = start("a")
    server = restoring.job.server
    restoring.work()
    assert (restoring.home / "public/page").read_text() == "then public"
    assert (restoring.home / ".replacing/public/page").read_text() == "former public"
    assert server.tables[SITE] == {"t": "then", "new": "then"}
    assert server.password == THEN
    keep_former(str(restoring.home), str(restoring.job.folder))
    keep_former(str(restoring.home), str(restoring.job.folder))
    assert (restoring.home / ".replaced/private/page").read_text() == "former private"
    assert (restoring.home / ".replaced/definitions.sql").read_bytes() == (restoring.job.folder / exchange.FORMER).read_bytes()


def test_what_was_done_whole_is_taken_back_with_the_place_of_the_former_tables(start: Start) -> None:
    restoring = start("a")
    before = restoring.state
    restoring.work()
    restoring.take_back()
    assert restoring.state == before
    assert kept_of(SITE) not in restoring.job.server.tables


@pytest.mark.parametrize("now", ["", "NULL", THEN])
def test_a_password_that_is_the_same_or_none_stays_and_an_empty_one_comes_back(start: Start, now: str) -> None:
    restoring = start("a")
    restoring.job.server.password = now
    restoring.work()
    assert restoring.job.server.password == (now if now == "NULL" else THEN)
    assert (restoring.job.folder / "hash").exists() == (now == "")
    restoring.take_back()
    assert restoring.job.server.password == now


def changes_of(restoring: Restoring, work: Callable[[], None]) -> tuple[int, int]:
    """To MariaDB, and to the disk."""
    restoring.job.server.made = 0
    disk = Disk(0, Killed)
    with disk.watched():
        work()
    return restoring.job.server.made, disk.made


def disturb(restoring: Restoring, work: Callable[[], None], stop: tuple[int, int], fault: Callable[[], BaseException], after: bool) -> None:
    """stop: at which change to MariaDB, or to the disk; 0 for none."""
    server = restoring.job.server
    server.made, server.stop, server.fault, server.after = 0, stop[0], fault, after
    try:
        with Disk(stop[1], fault, after).watched(), pytest.raises(type(fault())):
            work()
    finally:
        server.made = server.stop = 0


def stops(changes: tuple[int, int]) -> list[tuple[int, int]]:
    return [(number, 0) for number in range(1, changes[0] + 1)] + [(0, number) for number in range(1, changes[1] + 1)]


@pytest.mark.parametrize("fault", [fail, Killed])
@pytest.mark.parametrize("after", [False, True])
def test_at_every_change_it_fails_or_is_killed_and_is_as_before(start: Start, fault: Callable[[], BaseException], after: bool) -> None:
    changes = changes_of(whole := start("all"), whole.work)
    assert changes[0] > 14 and changes[1] > 14
    for stop in stops(changes):
        restoring = start(f"{stop}")
        before = restoring.state
        disturb(restoring, restoring.work, stop, fault, after)
        restoring.take_back()
        assert restoring.state == before, f"change {stop}"


def test_killed_in_the_undo_too_it_continues_from_where_it_was(start: Start) -> None:
    whole = start("all")
    whole.work()
    undoing = changes_of(whole, whole.take_back)
    assert undoing[0] > 8 and undoing[1] > 8
    for stop in stops(undoing):
        for after in (False, True):
            restoring = start(f"{stop}-{after}")
            before = restoring.state
            restoring.work()
            disturb(restoring, restoring.take_back, stop, Killed, after)
            restoring.take_back()
            assert restoring.state == before, f"undo {stop}, {after}"


def test_remains_of_an_earlier_restore_are_not_touched(start: Start) -> None:
    restoring = start("a")
    (restoring.home / ".replacing/public").mkdir(parents=True)
    before = restoring.state
    with pytest.raises(Failed, match="former-there"):
        restoring.work()
    restoring.take_back()
    assert restoring.state == before


def test_killed_at_every_change_and_again_at_every_change_of_its_undo_it_is_as_before(start: Start) -> None:
    changes = changes_of(whole := start("all"), whole.work)
    tried = 0
    for stop in stops(changes):
        killed = start(f"{stop}")
        disturb(killed, killed.work, stop, Killed, True)
        for undo_stop in stops(changes_of(killed, killed.take_back)):
            restoring = start(f"{stop}-{undo_stop}")
            before = restoring.state
            disturb(restoring, restoring.work, stop, Killed, True)
            disturb(restoring, restoring.take_back, undo_stop, Killed, True)
            restoring.take_back()
            assert restoring.state == before, f"change {stop}, undo {undo_stop}"
            tried += 1
    assert tried > 300


@pytest.mark.parametrize("after", [False, True])
def test_killed_at_every_change_while_it_tidies_up_it_is_restored_and_nothing_is_left(
    start: Start, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tidied(title: str) -> Restoring:
        restoring = start(title)
        restoring.work()
        monkeypatch.setattr(restore, "remove", lambda path: shutil.rmtree(path, ignore_errors=True))
        for module in (scratch, exchange):
            monkeypatch.setattr(module, "ask", restoring.job.server.ask)
        return restoring

    monkeypatch.setattr(database, "is_here", lambda: True)

    def tidy(restoring: Restoring) -> Callable[[], None]:
        return lambda: restoring.part("tidy")

    whole = tidied("all")
    of_site = whole.job.server.of_site
    changes = changes_of(whole, tidy(whole))
    assert changes[0] > 2 and changes[1] > 1
    for stop in stops(changes):
        restoring = tidied(f"{stop}")
        disturb(restoring, tidy(restoring), stop, Killed, after)
        restoring.part("tidy")
        assert restoring.job.server.of_site == of_site, f"change {stop}"
        assert sorted(path.name for path in restoring.home.iterdir()) == [".replaced", "private", "public"], f"change {stop}"
        assert sorted(restoring.job.server.tables) == sorted(whole.job.server.tables)
