"""Writing an archive: done, failed and killed at each step, and what a tenant does meanwhile."""
from __future__ import annotations

import errno
import gzip
import json
import os
import signal
import stat
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from conftest import PYTHON, WRITER, Event, Site, events_of, start
from gatehouse_host import rooms
from gatehouse_host.protocol import ReadSite
from gatehouse_host.sites.contents import read_site
from gatehouse_host.sites.left_out import leads_inside
from gatehouse_host.sites.tar import OutputGone

Environment = dict[str, str]


def replace(environment: Environment, name: str, script: str) -> None:
    """A program that is found before the real one."""
    path = Path(environment["PATH"].split(":")[0]) / name
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o755)


def write(site: Site, environment: Environment, **change: object) -> tuple[list[Event], int]:
    child = start({**site.write_request(), **change}, environment)
    said, _ = child.communicate(timeout=60)
    return events_of(said), child.returncode


@pytest.mark.parametrize(("compression", "expand"), [("gz", "gzip"), ("zst", "zstd")])
def test_a_whole_archive(site: Site, without_confinement: Environment, compression: str, expand: str) -> None:
    (site.home / "public" / "page").write_text("hello")
    (site.home / "public" / "out").symlink_to("/etc")
    events, code = write(site, without_confinement, compression=compression)
    size = site.archive.stat().st_size
    assert (code, events[1:]) == (0, [{"code": "archive-written", "files": 3, "bytes": size}])
    assert events[0] == {"code": "left-out", "reason": "leads-out", "path": "public/out"}
    assert stat.S_IMODE(site.archive.stat().st_mode) == 0o600
    plain = subprocess.run([expand, "-dc"], stdin=site.archive.open("rb"), capture_output=True, check=True).stdout
    assert plain == site.read()[0]


def test_what_is_there_already_stays(site: Site, without_confinement: Environment) -> None:
    site.archive.write_text("before")
    events, code = write(site, without_confinement)
    assert (code, events) == (1, [{"code": "program-error", "error": "FileExistsError"}])
    assert site.archive.read_text() == "before"


def test_a_link_in_place_of_the_archive_is_not_followed(site: Site, without_confinement: Environment, tmp_path: Path) -> None:
    site.archive.symlink_to(tmp_path / "elsewhere")
    assert write(site, without_confinement)[1] == 1
    assert not (tmp_path / "elsewhere").exists()


failures = {
    "the confinement cannot be had": ("systemd-run", "exit 1"),
    "the confined part says nothing": ("systemd-run", "cat >/dev/null"),
    "the confined part ends before its end": ("systemd-run", 'while [[ $1 != /* ]]; do shift; done; "$@" | head -c 100'),
    "the confined part is killed": ("systemd-run", "cat >/dev/null; kill -KILL $$"),
    "the confined part fails after its last word": ("systemd-run", 'while [[ $1 != /* ]]; do shift; done; "$@"; exit 1'),
    "the compressor fails at once": ("gzip", "exit 1"),
    "the compressor fails after a while": ("gzip", "head -c 100; exit 1"),
    "the compressor is killed": ("gzip", "head -c 100; kill -KILL $$"),
}


@pytest.mark.parametrize(("program", "script"), failures.values(), ids=failures.keys())
def test_no_failure_is_taken_for_an_archive(site: Site, without_confinement: Environment, program: str, script: str) -> None:
    (site.home / "public" / "large").write_bytes(os.urandom(5_000_000))
    replace(without_confinement, program, script)
    events, code = write(site, without_confinement)
    assert (code, events[-1]) == (1, {"code": "not-written"})


def test_without_the_compressor(site: Site, without_confinement: Environment) -> None:
    programs = without_confinement["PATH"].split(":")[0]
    events, code = write(site, {**without_confinement, "PATH": programs})
    assert (code, events) == (1, [{"code": "program-error", "error": "FileNotFoundError"}])


def test_without_the_parts(site: Site, without_confinement: Environment) -> None:
    (site.parts / "manifest").unlink()
    site.parts.rmdir()
    events, code = write(site, without_confinement)
    assert (code, events) == (1, [{"code": "program-error", "error": "FileNotFoundError"}, {"code": "not-written"}])


def test_what_the_confined_part_says_is_passed_on_only_if_it_is_known(site: Site, without_confinement: Environment) -> None:
    said = '{"code":"left-out","reason":"kind","path":"a"}\\nTraceback: secret\\n{"code":"archive-written","files":1,"bytes":1}\\n'
    replace(without_confinement, "systemd-run", f"cat >/dev/null; printf '{said}' >&2; head -c 100000 /dev/zero | tr '\\0' x >&2")
    events, code = write(site, without_confinement)
    assert (code, events) == (1, [{"code": "left-out", "reason": "kind", "path": "a"}, {"code": "not-written"}])


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def until(condition: Callable[[], bool]) -> None:
    for _ in range(200):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail("It did not come to that within 10 seconds.")


@pytest.mark.parametrize("compressor", ["exec sleep 60", "head -c 3000000 >/dev/null; exec sleep 60"])
def test_the_confined_part_ends_when_the_job_is_killed(site: Site, without_confinement: Environment, compressor: str) -> None:
    (site.home / "public" / "large").write_bytes(os.urandom(20_000_000))
    replace(without_confinement, "gzip", compressor)
    # As on a server, it is no process of the job.
    pid = site.folder / "pid"
    replace(without_confinement, "systemd-run", f'while [[ $1 != /* ]]; do shift; done; echo $$ >{pid}; exec setsid "$@"')
    command = [*PYTHON, str(WRITER)]
    request = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=without_confinement, start_new_session=True
    )
    assert request.stdin
    request.stdin.write(json.dumps(site.write_request()).encode())
    request.stdin.close()
    until(lambda: pid.exists() and pid.read_text().strip() != "")
    time.sleep(0.3)
    confined = int(pid.read_text())
    assert is_there(confined)
    os.killpg(request.pid, signal.SIGKILL)
    request.wait()
    until(lambda: not is_there(confined))


class Sink:
    def __init__(self) -> None:
        self.archive = b""
        self.events: list[Event] = []

    def put(self, content: bytearray) -> None:
        self.archive += content

    def emit(self, event: object) -> None:
        self.events.append(dict(event))  # type: ignore[call-overload]


def read(site: Site) -> tuple[bool, Sink]:
    sink = Sink()
    request = ReadSite(home=str(site.home), parts=str(site.parts), user=1, group=1)
    return read_site(request, sink.put, sink.emit), sink


def names_in(archive: bytes) -> list[str]:
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        return tar.getnames()


Patch = pytest.MonkeyPatch


def test_a_file_that_the_disk_does_not_give_ends_the_archive(site: Site, monkeypatch: Patch) -> None:
    (site.home / "public" / "bad").write_text("x")

    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pread", fail)
    done, sink = read(site)
    assert (done, sink.events) == (False, [{"code": "disk-error"}])


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES, errno.ENOENT, errno.ELOOP])
def test_a_file_that_cannot_be_opened(site: Site, monkeypatch: Patch, number: int) -> None:
    for name in ("bad", "good"):
        (site.home / "public" / name).write_text("x")
    before = rooms.open_any

    def fail(name: bytes, room: int) -> tuple[int, os.stat_result]:
        if name == b"bad":
            raise OSError(number, os.strerror(number))
        return before(name, room)

    monkeypatch.setattr(rooms, "open_any", fail)
    done, sink = read(site)
    codes = [(event["code"], event.get("reason")) for event in sink.events]
    if number == errno.EIO:
        assert (done, codes) == (False, [("disk-error", None)])
        return
    assert done
    assert codes == [("left-out", "unreadable")] * (number == errno.EACCES) + [("site-read", None)]
    assert "files/public/good" in names_in(sink.archive)


def test_an_archive_that_nobody_takes_any_more_is_not_read_on(site: Site) -> None:
    (site.home / "public" / "large").write_bytes(os.urandom(3_000_000))

    def refuse(_: bytearray) -> None:
        raise BrokenPipeError

    with pytest.raises(OutputGone):
        read_site(ReadSite(home=str(site.home), parts=str(site.parts), user=1, group=1), refuse, lambda _: None)


@pytest.mark.parametrize("size", [0, 10, 5_000_000])
def test_a_file_that_changes_its_size_meanwhile_takes_the_place_that_it_had(site: Site, monkeypatch: Patch, size: int) -> None:
    path = site.home / "public" / "changing"
    path.write_bytes(b"a" * 2_000_000)
    (site.home / "public" / "other").write_text("other")
    before = os.pread

    def change(fd: int, count: int, at: int) -> bytes:
        if os.fstat(fd).st_ino == path.stat().st_ino:
            os.truncate(path, size)
        return before(fd, count, at)

    monkeypatch.setattr(os, "pread", change)
    _, sink = read(site)
    with tarfile.open(fileobj=BytesIO(sink.archive)) as tar:
        content = tar.extractfile("files/public/changing")
        assert content is not None
        assert content.read() == (b"a" * min(size, 2_000_000)).ljust(2_000_000, b"\0")
        assert tar.getmember("files/public/other").size == 5


def test_nothing_below_the_two_folders_is_opened_by_a_path(site: Site, monkeypatch: Patch) -> None:
    (site.parts / "apache").mkdir()
    (site.parts / "apache" / "own.conf").write_text("x")
    (site.home / "public" / "deep" / "deeper").mkdir(parents=True)
    (site.home / "public" / "deep" / "deeper" / "file").write_text("x")
    (site.home / "public" / "deep" / "link").symlink_to("deeper/file")
    seen: list[tuple[str, object, bool]] = []

    def watch(name: str) -> None:
        before = getattr(os, name)

        def call(path: object, *rest: object, dir_fd: int | None = None, **more: object) -> object:
            seen.append((name, path, dir_fd is not None))
            return before(path, *rest, **more) if dir_fd is None else before(path, *rest, dir_fd=dir_fd, **more)

        monkeypatch.setattr(os, name, call)

    for name in ("open", "stat", "lstat", "readlink", "scandir", "listdir"):
        watch(name)
    done, sink = read(site)
    monkeypatch.undo()
    assert done
    assert "files/public/deep/link" in names_in(sink.archive)
    by_path = [(name, path) for name, path, in_folder in seen if not in_folder and not isinstance(path, int)]
    assert by_path == [("open", str(site.parts)), ("open", str(site.home))]
    names = [path for _, path, in_folder in seen if in_folder]
    assert b"file" in names and b"link" in names
    assert all(isinstance(path, bytes) and b"/" not in path for path in names)


swapper = """
import os, sys
os.chdir(sys.argv[1])
while True:
    for name in ("folder", "file", "deep/folder"):
        for other in (f"{name}-link", f"{name}-kind"):
            os.rename(name, "aside")
            os.rename(other, name)
            os.rename(name, other)
            os.rename("aside", name)
"""


@pytest.fixture
def swapping(site: Site, tmp_path: Path) -> Iterator[Site]:
    """Folders and files change places with links to a secret, and with each other, all the time."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "secret.txt").write_text("the secret")
    public = site.home / "public"
    for name in ("folder", "deep/folder"):
        (public / name).mkdir(parents=True)
        (public / name / "mine.txt").write_text("mine")
        (public / f"{name}-link").symlink_to(secret)
        (public / f"{name}-kind").write_text("mine")
    (public / "file").write_text("mine")
    (public / "file-link").symlink_to(secret / "secret.txt")
    (public / "file-kind").mkdir()
    child = subprocess.Popen([sys.executable, "-c", swapper, str(public)])
    yield site
    assert child.poll() is None
    child.kill()
    child.wait()


def test_links_that_a_tenant_swaps_lead_to_nothing_of_others(swapping: Site) -> None:
    until_time = time.monotonic() + 3
    seen: set[str] = set()
    turns = 0
    while time.monotonic() < until_time:
        done, sink = read(swapping)
        assert done
        turns += 1
        with tarfile.open(fileobj=BytesIO(sink.archive)) as tar:
            for entry in tar:
                seen.add(entry.name)
                assert "secret" not in entry.name
                if entry.isfile() and entry.name.startswith("files/"):
                    content = tar.extractfile(entry)
                    assert content is not None and content.read() == b"mine"
                if entry.issym():
                    path = entry.name.removeprefix("files/").encode()
                    assert leads_inside(path, entry.linkname.encode(), str(swapping.home).encode())
        assert not any(event["code"] == "disk-error" for event in sink.events)
    assert turns > 20
    assert "files/public/folder/mine.txt" in seen


def test_the_swapping_would_be_noticed_by_a_walk_that_follows_paths(swapping: Site) -> None:
    until_time = time.monotonic() + 5
    while time.monotonic() < until_time:
        for folder, _, files in os.walk(swapping.home / "public"):
            for name in files:
                try:
                    if (Path(folder) / name).read_text() == "the secret":
                        return
                except OSError:
                    pass
    pytest.fail("The swapping was never met.")


def test_a_compressed_archive_of_nothing_but_holes_is_small(site: Site, without_confinement: Environment) -> None:
    with (site.home / "public" / "holes").open("wb") as file:
        file.truncate(8 * 2**40)
    events, code = write(site, without_confinement)
    assert code == 0
    assert site.archive.stat().st_size < 10_000
    assert len(gzip.decompress(site.archive.read_bytes())) < 50_000
    assert events[-1]["code"] == "archive-written"
