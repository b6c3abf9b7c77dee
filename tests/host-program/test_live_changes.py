"""What a push keeps of live, from a pull on: files that really are copied, by a pretended rsync, and compared by their content."""
from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count, product
from pathlib import Path

import pytest
from gatehouse_host import places, rooms
from gatehouse_host.protocol import Event, FindLiveChanges, TransferPart, TransferSite
from gatehouse_host.sites import site, swap
from gatehouse_host.sites.listing import list_files, read_list, write_list
from gatehouse_host.sites.live_changes import compare, matcher, tell_live_changes
from gatehouse_host.sites.transfer import KEPT, NEXT, Transfer
from pretended import Server

# Copies as rsync does, as far as transfers ask for it: python RSYNC WORD... <LIST.
RSYNC = r"""
import os, re, shutil, sys
words = sys.argv[sys.argv.index("/usr/bin/rsync") + 1 :]
source, target = (os.fsencode(each) for each in words[-2:])
def put(path):
    one, other = source + path, target + path
    if not os.path.lexists(one):
        return
    if "--update" in words and os.path.lexists(other) and os.lstat(other).st_mtime_ns > os.lstat(one).st_mtime_ns:
        return
    os.makedirs(os.path.dirname(other), exist_ok=True)
    if os.path.isdir(one) and not os.path.islink(one):
        os.makedirs(other, exist_ok=True)
        return
    if os.path.lexists(other):
        os.unlink(other)
    shutil.copy2(one, other, follow_symlinks=False)
form = lambda pattern: pattern.strip("/").replace("*", "[^/]*")
left = [form(each[10:]) for each in words if each.startswith("--exclude=/")]
only = [form(each[10:]) for each in words if each.startswith("--include=/")]
if "--files-from=-" in words:
    for each in sys.stdin.buffer.read().split(b"\0")[:-1]:
        put(each)
else:
    for above, folders, files in os.walk(source):
        for name in files + folders:
            path = os.path.relpath(os.path.join(above, name), source)
            text = os.fsdecode(path)
            if any(re.match(each + "(/|$)", text) for each in left) or (only and not any(re.match(each + "(/|$)", text) for each in only)):
                continue
            put(path)
"""
FOLDER = b"folder"
# What is at a path below a folder: the text of a file, a link's target after an arrow, or a folder.
Tree = dict[bytes, bytes]


@dataclass
class Sites:
    job: Path
    events: list[Event] = field(default_factory=list)

    def path(self, name: str) -> bytes:
        return os.fsencode(places.under(f"/home/{name}/public"))

    def change(self, name: str, tree: Mapping[bytes, bytes | None]) -> None:
        """None removes."""
        for path, content in tree.items():
            full = os.path.join(self.path(name), path)
            if content is None or os.path.lexists(full):
                subprocess.run(["rm", "-rf", "--", full], check=True)
            if content is None:
                continue
            os.makedirs(os.path.dirname(full), exist_ok=True)
            if content == FOLDER:
                os.mkdir(full)
            elif content.startswith(b"->"):
                os.symlink(content[2:], full)
            else:
                Path(os.fsdecode(full)).write_bytes(content)

    def tree(self, name: str, folder: str = "public") -> Tree:
        top = os.path.join(os.path.dirname(self.path(name)), folder.encode())
        return {path: self.content(os.path.join(top, path)) for path in list_files(os.fsdecode(top)) if path}

    def content(self, path: bytes) -> bytes:
        if os.path.islink(path):
            return b"->" + os.readlink(path)
        return FOLDER if os.path.isdir(path) else Path(os.fsdecode(path)).read_bytes()

    def do(self, part: TransferPart, direction: str = "push", replaces: bool = False) -> list[Event]:
        self.events = []
        request = TransferSite(part, "pull" if direction == "pull" else "push", "one", "onecopy", True, replaces, str(self.job))
        Transfer(request, self.events.append).do(part)
        return self.events

    def exchange(self, name: str) -> None:
        home = os.path.dirname(self.path(name))
        with rooms.opened(os.fsdecode(home)) as one, rooms.opened(os.fsdecode(home + b"/.staging")) as other:
            swap.exchange("public", one, other)

    def finish(self, name: str) -> None:
        """As the job does after the exchange."""
        settings = Path(places.settings("onecopy"))
        os.replace(self.job / NEXT, settings / "files.gz")
        for each in self.job.iterdir():
            each.unlink()

    def pull(self) -> None:
        self.do("files", "pull")
        self.exchange("onecopy")
        self.finish("onecopy")
        (Path(places.settings("onecopy")) / "own-files").touch()

    def push(self, replaces: bool = False) -> Tree:
        self.do("files", replaces=replaces)
        self.exchange("one")
        self.finish("one")
        return self.tree("one")

    def said(self) -> dict[str, str]:
        return {str(each["kind"]): str(each["names"]) for each in self.events if each["code"] == "live-changed"}


@pytest.fixture
def sites(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sites:
    monkeypatch.setattr(site.Site, "owner", (os.getuid(), os.getgid()))
    (tmp_path / "rsync.py").write_text(RSYNC)
    server.program("systemd-run", f'exec {sys.executable} -I {tmp_path}/rsync.py "$@"')
    for name in ("one", "onecopy"):
        os.makedirs(places.under(f"/home/{name}/public"))
    os.makedirs(places.settings("onecopy"))
    (tmp_path / "job").mkdir()
    return Sites(tmp_path / "job")


# At a path when it was pulled, on live and on the copy.
STATES: tuple[bytes | None, ...] = (None, b"one", b"the other", b"->link", b"->other link")
CASES = {b"%d.txt" % number: case for number, case in enumerate(product(STATES, repeat=3)) if case != (None, None, None)}


def expected(then: bytes | None, now: bytes | None, here: bytes | None) -> bytes | None:
    if now == then:
        return here
    return None if now is None and here == then else here if now is None else now


def test_each_change_of_live_is_kept_and_each_other_one_of_the_copy_pushed(sites: Sites) -> None:
    sites.change("one", {path: then for path, (then, _, _) in CASES.items()})
    sites.pull()
    assert sites.tree("onecopy") == {path: then for path, (then, _, _) in CASES.items() if then is not None}
    for at, name in ((1, "one"), (2, "onecopy")):
        sites.change(name, {path: case[at] for path, case in CASES.items() if case[at] != case[0]})
    after = sites.push()
    wanted = {path: content for path, case in CASES.items() if (content := expected(*case)) is not None}
    assert after == wanted
    # What was kept stays kept.
    sites.change("onecopy", {b"new.txt": b"newer"})
    assert sites.push() == {**wanted, b"new.txt": b"newer"}


def test_whoever_chooses_so_replaces_all(sites: Sites) -> None:
    sites.change("one", {b"a": b"a", b"own/b": b"b"})
    sites.pull()
    edits: dict[bytes, bytes | None] = {b"a": b"changed", b"c": b"c", b"own": None}
    sites.change("one", edits)
    assert sites.push(replaces=True) == {b"a": b"a", b"own": FOLDER, b"own/b": b"b"}
    sites.do("files", replaces=True)
    assert sites.said() == {}
    sites.change("one", {b"a": b"changed"})
    assert [each["code"] for each in sites.do("files", replaces=True)] == ["live-changed", "files-ready"]
    assert sites.said() == {"all": "a"}
    assert not (sites.job / KEPT).exists()


@pytest.mark.parametrize(("then", "now", "here", "after"), [
    # A file where the copy has a folder, and a folder where it has a file.
    ({b"a": b"x"}, {b"a": None, b"a/b": b"live"}, {b"a": b"staging"}, {b"a": FOLDER, b"a/b": b"live"}),
    ({b"a/b": b"x"}, {b"a": b"live"}, {b"a/c": b"staging"}, {b"a": b"live"}),
    ({b"a": b"x"}, {b"a": None, b"a/b": b"live"}, {b"a": None, b"a/c": b"staging"}, {b"a": FOLDER, b"a/b": b"live", b"a/c": b"staging"}),
    # A folder that live has deleted goes if the copy has put nothing into it.
    ({b"a/b/c": b"x"}, {b"a": None}, {}, {}),
    ({b"a/b/c": b"x"}, {b"a": None}, {b"a/new": b"y"}, {b"a": FOLDER, b"a/new": b"y"}),
    ({b"a/b/c": b"x"}, {b"a": None}, {b"a/b/c": b"y"}, {b"a": FOLDER, b"a/b": FOLDER, b"a/b/c": b"y"}),
    # A link to outside is as it is on live, and nothing is written through it.
    ({b"a/b": b"x"}, {b"a": b"->/etc"}, {b"a/b": b"y"}, {b"a": b"->/etc"}),
    ({b"a": b"->/etc"}, {b"a": None, b"a/b": b"x"}, {}, {b"a": FOLDER, b"a/b": b"x"}),
    ({}, {b"odd\n\xff'\\ name": b"live"}, {}, {b"odd\n\xff'\\ name": b"live"}),
])  # fmt: skip
def test_what_is_in_the_way_of_live_goes(
    sites: Sites, then: Tree, now: Mapping[bytes, bytes | None], here: Mapping[bytes, bytes | None], after: Tree
) -> None:
    sites.change("one", {**then, b"same": b"same"})
    sites.pull()
    sites.change("one", now)
    sites.change("onecopy", here)
    assert sites.push() == {**after, b"same": b"same"}


def test_what_changed_is_named_and_counted_without_folders(sites: Sites) -> None:
    sites.change("one", {b"%d" % each: b"x" for each in range(8)} | {b"gone": b"x", b"both": b"x", b"dir/in": b"x"})
    sites.pull()
    sites.change("one", {b"%d" % each: b"changed" for each in range(8)} | {b"gone": None, b"both": b"y", b"dir": None, b"new": FOLDER})
    sites.change("onecopy", {b"both": b"zz"})
    sites.do("files")
    assert [each for each in sites.events if each["code"] == "live-changed"] == [
        {"code": "live-changed", "kind": "kept", "names": "0, 1, 2, 3, 4", "unnamed": 3},
        {"code": "live-changed", "kind": "both", "names": "both", "unnamed": 0},
        {"code": "live-changed", "kind": "deleted", "names": "dir/in, gone", "unnamed": 0},
    ]
    assert (sites.job / KEPT).read_text() == "11\n"


def test_files_of_one_content_are_the_same_whenever_they_were_written(sites: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    sites.change("one", {b"a": b"pulled", b"b/c": b"pulled"})
    sites.pull()
    for name, text in (("one", b"edited"), ("onecopy", b"edited")):
        sites.change(name, {b"a": text, b"b/c": text})
        os.utime(os.path.join(sites.path(name), b"a"), ns=(5, len(name) * 10**9 + 5))
    assert [each["code"] for each in sites.do("files")] == ["files-ready"]
    # Without time to read them they count as changed.
    clock = count(0, 1000)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    sites.do("files")
    assert sites.said() == {"both": "a, b/c"}


def test_the_configuration_of_the_app_is_no_change(sites: Sites) -> None:
    sites.change("one", {b"wp-config.php": b"of live", b"conf/local.xml": b"x", b"conf/other": b"x", b"wp-config.phps": b"x"})
    sites.pull()
    sites.change("one", {b"wp-config.php": b"changed", b"conf/local.xml": b"changed", b"conf/other": b"changed", b"wp-config.phps": b"changed"})
    sites.do("files")
    assert sites.said() == {"kept": "conf/other, wp-config.phps"}


def test_without_a_note_of_the_pull_what_only_live_has_stays_and_what_was_written_since(sites: Sites) -> None:
    settings = Path(places.settings("onecopy"))
    sites.change("one", {b"old": b"x", b"edited": b"x", b"both": b"x", b"staging": b"x"})
    sites.pull()
    (settings / "files.gz").unlink()
    (settings / "pulled").write_text(time.strftime("%Y-%m-%dT%H:%M:%SZ\n", time.gmtime(1_700_000_000)))
    for name in ("one", "onecopy"):
        for path in sites.tree(name):
            os.utime(os.path.join(sites.path(name), path), (1_600_000_000,) * 2)
    sites.change("one", {b"edited": b"live's", b"both": b"live's", b"new": b"live's"})
    sites.change("onecopy", {b"both": b"copy", b"staging": b"of staging", b"old": None})
    after = sites.push()
    assert [each["code"] for each in sites.events] == ["files-not-noted", "live-changed", "live-changed", "files-ready"]
    assert sites.said() == {"kept": "edited, new, old", "both": "both"}
    assert after == {b"old": b"x", b"edited": b"live's", b"both": b"live's", b"staging": b"of staging", b"new": b"live's"}


def test_a_note_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """As find and gzip made it."""
    note = tmp_path / "files.gz"
    note.write_bytes(gzip.compress(b"d\0\0f 3 1700000000.1234567890\0a\nb\0l t o\0c\0end\0/\0"))
    assert read_list(str(note)) == {b"": b"d", b"a\nb": b"f 3 1700000000.1234567890", b"c": b"l t o"}
    page = tmp_path / "site/page"
    page.parent.mkdir()
    page.write_text("abc")
    os.utime(page, ns=(0, 1_700_000_000_123_456_789))
    assert list_files(str(page.parent)) == {b"": b"d", b"page": b"f 3 1700000000.1234567890"}
    again = tmp_path / "again"
    write_list(str(again), list_files(str(page.parent)))
    assert read_list(str(again)) == list_files(str(page.parent))
    note.write_bytes(gzip.compress(b"d\0\0f 3 1.0\0a\0d\0"))
    with pytest.raises(ValueError):
        read_list(str(note))


@pytest.mark.parametrize(("one", "other", "same"), [
    (b"f 3 17.0000000000", b"f 3 17.5000000000", True),
    (b"f 3 17.4000000000", b"f 3 17.5000000000", False),
    (b"f 3 17.0000000000", b"f 3 18.0000000000", False),
    (b"f 3 17.0000000000", b"f 4 17.0000000000", False),
    (b"f 3 -2.0000000000", b"f 3 -2.1000000000", True),
    (b"l f 3 17.0", b"f 3 17.0", False),
])  # fmt: skip
def test_an_archive_keeps_whole_seconds(one: bytes, other: bytes, same: bool) -> None:
    changes = compare({b"a": b"d"}, {b"a": one}, {b"a": other}, 0, lambda _: False, lambda _: False)
    assert (changes.named == []) == same


@pytest.mark.parametrize(("pattern", "path", "matches"), [
    ("/conf/local*", b"conf/local.xml", True),
    ("/conf/local*", b"conf/local/deep/er", True),
    ("/conf/local*", b"conf/loca", False),
    ("/conf/local*", b"a/conf/local", False),
    ("/a?c", b"a\nc", True),
    ("/a?c", b"a/c", False),
    ("/a.c", b"abc", False),
    ("/\udcff", b"\xff", True),
])  # fmt: skip
def test_patterns_are_those_of_rsync(pattern: str, path: bytes, matches: bool) -> None:
    assert matcher([pattern])(path) == matches
    assert not matcher([])(path)


def test_caches_devices_and_what_is_deeper_than_programs_can_open_do_not_hinder_a_list(sites: Sites) -> None:
    sites.change("one", {b"wp-content/cache/page": b"x", b"wp-content/cached": b"x"})
    os.mkfifo(os.path.join(sites.path("one"), b"pipe"))
    room = os.open(sites.path("one"), os.O_RDONLY)
    for _ in range(1500):
        os.mkdir(b"deep", dir_fd=room)
        room = os.open(b"deep", os.O_RDONLY, dir_fd=(above := room))
        os.close(above)
    os.close(room)
    found = list_files(os.fsdecode(sites.path("one")))
    # Python's own cannot, by which pytest removes its folders.
    subprocess.run(["rm", "-rf", "--", sites.path("one")], check=True)
    assert len(found) == 1 + 1 + 1 + 1500
    assert {path for path in found if not path.startswith(b"deep")} == {b"", b"wp-content", b"wp-content/cached"}


def test_the_page_of_a_push_names_the_first_hundred(sites: Sites) -> None:
    sites.change("one", {b"both": b"x", b"gone": b"x"})
    sites.pull()
    sites.change("one", {b"f%03d" % each: b"x" for each in range(120)} | {b"both": b"yy", b"gone": None})
    sites.change("onecopy", {b"both": b"zzz"})
    events: list[Event] = []
    tell_live_changes(FindLiveChanges("one", "onecopy"), events.append)
    assert events[0] == {"code": "live-changes", "count": 122, "noted": "yes"}
    assert events[1] == {"code": "changed-on-both", "path": "both"}
    assert [each["path"] for each in events[2:]] == [f"f{each:03d}" for each in range(100)]
