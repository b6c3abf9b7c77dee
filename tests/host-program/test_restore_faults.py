"""The files of a restore at every change that they make to the disk: done, failed, killed there, and killed again while that is undone."""
from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from gatehouse_host.journal import Journal
from gatehouse_host.sites import swap
from gatehouse_host.sites.swap import FORMER, swap_files
from gatehouse_host.sites.taken_back import UNDO
from gatehouse_host.system import Failed

# Every call by which the program changes the disk, or asks that a change is on it.
CHANGES = ("mkdir", "rename", "rmdir", "write", "ftruncate")
ALL = (*CHANGES, "fsync")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of times, the disk of the tests would take minutes. Calls are counted all the same."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


class Killed(BaseException):
    """Nothing of the program runs any more."""


class Disk:
    """Lets the calls through until the one of that number. after: it is still made. Of a write that is not, half is."""

    def __init__(self, stop: int, fault: Callable[[], BaseException], after: bool = False, calls: tuple[str, ...] = CHANGES) -> None:
        self.made = 0
        self._calls = calls
        self._stop = stop
        self._fault = fault
        self._after = after

    @contextmanager
    def watched(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            for name in self._calls:
                patch.setattr(os, name, self._watch(name, getattr(os, name)))
            # The one call to the system that is not among those of os.
            patch.setattr(swap, "exchange", self._watch("exchange", swap.exchange))
            yield

    def _watch(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def made(*given: Any, **named: Any) -> Any:
            self.made += 1
            if self.made != self._stop:
                return call(*given, **named)
            if self._after:
                call(*given, **named)
            elif name == "write":
                call(given[0], given[1][: len(given[1]) // 2])
            raise self._fault()

        return made


@dataclass
class Home:
    folder: Path
    home: Path
    staged: Path

    def swap(self) -> None:
        journal = Journal.open(f"{self.folder}/journal")
        try:
            swap_files(str(self.home), str(self.staged), os.getuid(), journal)
        finally:
            journal.close()

    @property
    def state(self) -> dict[str, tuple[int, int, bytes]]:
        """Each path of the site, and of what was unpacked, with its inode, mode and content."""
        return {str(path.relative_to(self.folder)): describe(path) for path in sorted(self.folder.rglob("*")) if path.name != "journal"}

    def take_back(self) -> None:
        journal = Journal.resume(f"{self.folder}/journal")
        if journal:
            journal.take_back(UNDO)
            journal.close()


def describe(path: Path) -> tuple[int, int, bytes]:
    info = path.lstat()
    if stat.S_ISDIR(info.st_mode):
        return info.st_ino, info.st_mode, b""
    return info.st_ino, info.st_mode, os.readlink(path).encode() if path.is_symlink() else path.read_bytes()


def make_home(folder: Path, live: tuple[str, ...] = ("public", "private")) -> Home:
    home, staged = folder / "home", folder / "home/.restoring/files"
    for name in live:
        (home / name).mkdir(parents=True)
        (home / name / "page").write_text(f"former {name}")
    for name in ("public", "private"):
        (staged / name).mkdir(parents=True)
        (staged / name / "page").write_text(f"then {name}")
    return Home(folder, home, staged)


def fail() -> OSError:
    return OSError(errno.EIO, "a fault")


def count_changes(work: Callable[[], None], calls: tuple[str, ...] = CHANGES) -> int:
    disk = Disk(0, fail, calls=calls)
    with disk.watched():
        work()
    return disk.made


@contextmanager
def fresh(tmp_path: Path, number: object) -> Iterator[Home]:
    folder = tmp_path / str(number)
    folder.mkdir()
    yield make_home(folder)


def disturb(home: Home, stop: int, fault: Callable[[], BaseException], after: bool, calls: tuple[str, ...] = CHANGES) -> None:
    with Disk(stop, fault, after, calls).watched(), pytest.raises(type(fault())):
        home.swap()


def test_undisturbed_the_folders_change_places_and_the_former_ones_are_kept_aside(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    before = home.state
    home.swap()
    after = home.state
    for name in ("public", "private"):
        assert after[f"home/{name}"] == before[f"home/.restoring/files/{name}"]
        assert after[f"home/{FORMER}/{name}/page"] == before[f"home/{name}/page"]
    assert stat.S_IMODE(after[f"home/{FORMER}"][1]) == 0o700


def test_what_was_done_whole_is_taken_back_when_a_later_step_of_the_job_fails(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    before = home.state
    home.swap()
    home.take_back()
    assert home.state == before
    home.take_back()
    assert home.state == before


@pytest.mark.parametrize("live", [(), ("public",), ("private",)])
def test_a_folder_that_the_site_lacks_is_no_obstacle_and_is_lacking_afterwards(live: tuple[str, ...], tmp_path: Path) -> None:
    home = make_home(tmp_path, live)
    before = home.state
    home.swap()
    assert (tmp_path / "home/public/page").read_text() == "then public"
    home.take_back()
    assert home.state == before


@pytest.mark.parametrize("fault", [fail, Killed])
@pytest.mark.parametrize("after", [False, True])
def test_at_every_change_it_fails_or_is_killed_and_is_as_before(fault: Callable[[], BaseException], after: bool, tmp_path: Path) -> None:
    with fresh(tmp_path, "all") as home:
        changes = count_changes(home.swap, ALL)
    assert changes > 20
    for stop in range(1, changes + 1):
        with fresh(tmp_path, stop) as home:
            before = home.state
            disturb(home, stop, fault, after, ALL)
            home.take_back()
            assert home.state == before, f"change {stop}"


@pytest.mark.parametrize("fault", [fail, Killed])
def test_killed_in_the_undo_too_it_goes_on_from_where_it_was(fault: Callable[[], BaseException], tmp_path: Path) -> None:
    with fresh(tmp_path, "all") as home:
        changes = count_changes(home.swap)
    tried = 0
    for stop in range(1, changes + 1):
        with fresh(tmp_path, f"undo-{stop}") as home:
            disturb(home, stop, Killed, True)
            undoing = count_changes(home.take_back)
        for undo_stop in range(1, undoing + 1):
            for after in (False, True):
                with fresh(tmp_path, f"{stop}-{undo_stop}-{after}") as home:
                    before = home.state
                    disturb(home, stop, Killed, True)
                    with Disk(undo_stop, fault, after).watched(), pytest.raises(type(fault())):
                        home.take_back()
                    home.take_back()
                    assert home.state == before, f"change {stop}, undo {undo_stop}"
                    tried += 1
    assert tried > 100


def test_what_is_no_folder_of_the_site_is_refused_before_anything_moves(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    staged = home.staged
    (staged / "private/page").unlink()
    (staged / "private").rmdir()
    (staged / "private").symlink_to("/etc")
    before = home.state
    with pytest.raises(Failed) as failed:
        home.swap()
    assert failed.value.event == {"code": "no-own-folder", "path": f"{staged}/private"}
    (tmp_path / "home").chmod(0o777)
    with pytest.raises(Failed, match="home-writable"):
        home.swap()
    (tmp_path / "home").chmod(0o755)
    assert home.state == before


def test_what_earlier_work_could_not_put_back_is_not_touched(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    remains = tmp_path / "home" / FORMER
    (remains / "public").mkdir(parents=True)
    before = home.state
    with pytest.raises(Failed, match="former-there"):
        home.swap()
    home.take_back()
    assert home.state == before


def test_a_name_that_somebody_took_meanwhile_is_left_and_the_undo_can_begin_again(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    before = home.state
    home.swap()
    taken = home.staged / "public"
    taken.mkdir()
    with pytest.raises(FileExistsError):
        home.take_back()
    taken.rmdir()
    home.take_back()
    assert home.state == before


def test_a_line_that_a_power_cut_left_at_any_length_was_not_done(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    undone: list[str] = []
    journal = Journal.begin(str(path))
    first = path.stat().st_size
    journal.note({"step": "a"})
    whole = path.stat().st_size
    journal.note({"step": "b", "name": "ü\n"})
    content = path.read_bytes()
    for length in range(len(content) + 1):
        path.write_bytes(content[:length])
        resumed = Journal.resume(str(path))
        assert resumed
        undone.clear()
        note = lambda step: undone.append(str(step["step"]))  # noqa: E731
        resumed.take_back({"a": note, "b": note})
        assert undone == (["b", "a"] if length == len(content) else ["a"] if length >= whole else [])
        again = Journal.resume(str(path))
        undone.clear()
        if again:
            again.take_back({"a": note, "b": note})
        assert undone == []
    assert first < whole


@pytest.mark.parametrize("content", [b'{"journal":2}\n', b'{"journal":1}\nno\n', b"[]\n", b'{"journal":1}\n7\n', b"\xff\n"])
def test_a_journal_of_another_version_or_damaged_is_not_guessed_at(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "journal").write_bytes(content)
    with pytest.raises(Failed, match="journal-unreadable"):
        Journal.resume(str(tmp_path / "journal"))


def test_without_a_journal_nothing_was_begun(tmp_path: Path) -> None:
    assert Journal.resume(str(tmp_path / "journal")) is None
