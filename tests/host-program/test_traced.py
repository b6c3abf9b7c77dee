"""What root does to a site's files under strace, while its tenant exchanges links, files and folders all the time: no call resolves a path below what the tenant
can write."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import PYTHON, events_of
from gatehouse_host.sites.listing import list_files, write_list
from gatehouse_host.sites.swap import RETURNING
from test_backup import EXISTS, JOB, NAME, Place
from traced import Traced, trace

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="Only root can have a tenant.")

TENANT = 65534
# Below the home: where the folders of the site are, and where a restore puts them.
ROOMS = ("", ".replacing/", ".replaced/", ".restoring/files/", ".staging/")
# The staging copy: another site, of a user that each Debian has.
COPY = "games"

# Beginning with a home whose descriptor it is given, because nobody but root gets to the folders of tests by a path.
SWAPPER = """
import os, sys
home, secret = int(sys.argv[1]), sys.argv[2]
os.setgroups([]), os.setgid(65534), os.setuid(65534)
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW

def attempt(work, *given, **named):
    try:
        return work(*given, **named)
    except OSError:
        return None

def furnish(room):
    for name in ("folder", "other-folder"):
        attempt(os.mkdir, name, 0o755, dir_fd=room)
    for name in ("file", "folder-kind", "folder/mine", "other-folder/mine"):
        fd = attempt(os.open, name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644, dir_fd=room)
        if fd is not None:
            os.close(fd)
    attempt(os.symlink, secret, "folder-link", dir_fd=room)
    attempt(os.symlink, secret + "/secret.txt", "file-link", dir_fd=room)
    attempt(os.mkdir, "file-kind", 0o755, dir_fd=room)

def swap(room):
    for name in ("folder", "file"):
        for other in (name + "-link", name + "-kind"):
            for source, to in ((name, "aside"), (other, name), (name, other), ("aside", name)):
                attempt(os.rename, source, to, src_dir_fd=room, dst_dir_fd=room)

rooms = []
while True:
    for name in ("public", "private", "public/deep"):
        fd = attempt(os.open, name, FOLDER, dir_fd=home)
        if fd is not None:
            rooms.append(fd)
            furnish(fd)
    # Folders that were exchanged stay open, as they do in programs of a site.
    while len(rooms) > 12:
        os.close(rooms.pop(0))
    print(len(rooms), flush=True)
    for _ in range(100):
        for room in rooms:
            swap(room)
"""


def furnish_restore(place: Place) -> None:
    """What the pretended programs answer to a restore and to a nightly backup of the server."""
    server = place.server
    (place.folder / "etc/passwd").write_text("root:x:0:0\n")
    for each in ("gatehouse-scratch-nobody'", EXISTS):
        (server.answers / each).unlink()
    server.answer("WHERE+schema_name+=", "echo 1\n")
    server.answer("SELECT+HEX(table_name)+FROM+information_schema.tables+WHERE+table_schema+=+'gatehouse-scratch", "echo 776F726473\n")
    server.answer("SELECT+HEX(table_name),+table_type+FROM", "printf '776F726473\\tBASE TABLE\\n'\n")
    server.answer("SELECT+'776F726473',+COUNT", "printf '776F726473\\t1\\t1\\n'\n")
    server.answer("SELECT+COUNT(*)+FROM+mysql.proc", "echo 0\n")
    server.answer("schema_name+NOT+IN", f"echo {NAME.encode().hex()}\n")
    server.answer("SHOW+CREATE+DATABASE", f"printf '{NAME}\\tCREATE DATABASE x\\n'\n")
    server.answer("GLOBAL+VARIABLES", "printf 'sql_mode\\tANSI\\n'\n")
    for each in ("mariadbd", "mariadb-admin", "mariadb-install-db", "sync"):
        server.program(each, "exit 0")


class Tenancy:
    """A place whose site belongs to a tenant who exchanges what is in it, in the folders of before a restore too."""

    def __init__(self, place: Place, folder: Path) -> None:
        self.place = place
        self._traces = folder / "traces"
        self._traces.mkdir()
        self.secret = folder / "secret"
        self.secret.mkdir()
        (self.secret / "secret.txt").write_text("the secret")
        for each in (self.secret, self.secret / "secret.txt"):
            each.chmod(0o700)
        self._furnish(place)
        self.traced: dict[str, Traced] = {}
        homes = (place.home, place.home.parent / COPY)
        self._rooms = tuple(f"{home}/{room}{name}/" for home in homes for room in ROOMS for name in ("public", "private"))

    def _furnish(self, place: Place) -> None:
        for each in (place.home / "public/deep/deeper/and/deeper/still/a/b/c", place.home / "public/beside"):
            each.mkdir(parents=True)
            (each / "page").write_text("x")
            (each / "link").symlink_to("page")
            os.link(each / "page", each / "again")
        for each in (place.home / "public", place.home / "private"):
            subprocess.run(["chown", "-Rh", f"{TENANT}:{TENANT}", str(each)], check=True)
        for each in (place.home, *place.home.parents):
            if each == place.folder.parent:
                break
            each.chmod(0o755)
        furnish_restore(place)

    def is_tenants(self, path: str) -> bool:
        return f"{path}/".startswith(self._rooms)

    def do(self, job: str, expected: int = 0, **fields: object) -> None:
        request = json.dumps({"protocol": 1, "job": job, **fields}).encode()
        title = f"{len(self.traced)} {job} {fields.get('part', fields.get('transfer', fields.get('reason', '')))}"
        environment = {**os.environ, "PATH": f"{self.place.server.programs}:/usr/bin:/bin"}
        traced = trace([*PYTHON, str(JOB), str(self.place.folder)], request, self._traces / title, environment)
        assert traced.code == expected, (title, events_of(traced.output))
        self.traced[title] = traced

    def back_up(self, reason: str) -> str:
        """The name of the backup."""
        self.do("back-up-site", id="its-id", name=NAME, domain="one.test", reason=reason, folder=str(self.place.job))
        return (self.place.job / "backup").read_text().strip() if reason != "download" else ""

    def restore(self, backup: str, *parts: str) -> None:
        for part in parts:
            self.do("restore-site", part=part, id="its-id", name=NAME, domain="one.test", backup=backup, folder=str(self.place.job))

    def furnish_copy(self) -> None:
        """rsync runs in a world of the two homes, where links lead nowhere else, so it is not traced: whoever asks for it waits until it is done."""
        place = self.place
        (place.home.parent / COPY / "public/beside").mkdir(parents=True)
        settings = place.settings.parent / COPY
        settings.mkdir()
        (settings / "own-files").touch()
        write_list(str(settings / "files.gz"), list_files(str(place.home / "public/deep")))
        for each in ("asked", "done"):
            os.mkfifo(place.folder / each)
        ask = f"echo >{place.folder}/asked; read -r _ <{place.folder}/done"
        place.server.program("systemd-run", f"cat >/dev/null; {ask}")
        threading.Thread(target=self._copy, daemon=True).start()

    def _copy(self) -> None:
        staged = self.place.home / ".staging/public"
        while True:
            (self.place.folder / "asked").read_text()
            if not any(staged.iterdir()):
                (staged / "gone/with").mkdir(parents=True)
                for each in ("page", "gone/with/it", "beside"):
                    (staged / each).write_text("x")
                subprocess.run(["chown", "-Rh", f"{TENANT}:{TENANT}", str(staged)], check=True)
            (self.place.folder / "done").write_text("\n")

    def push(self, *parts: str) -> None:
        for part in parts:
            self.do("transfer-site", transfer=part, direction="push", name=NAME, copy=COPY, files=True, replaces=False, folder=str(self.place.job))

    def judge(self, least: int) -> None:
        """least: so many calls at least name something of the tenant's; else the judge would have seen nothing."""
        assert sum(len(each.inside(self.is_tenants)) for each in self.traced.values()) >= least
        assert {title: wrong for title, each in self.traced.items() if (wrong := each.wrong(self.is_tenants))} == {}
        assert (self.secret / "secret.txt").read_text() == "the secret"
        for path in (self.secret, self.secret / "secret.txt"):
            assert (path.stat().st_uid, path.stat().st_mode & 0o777) == (0, 0o700)


@pytest.fixture
def tenancy(tmp_path: Path) -> Iterator[Tenancy]:
    tenancy = Tenancy(Place(tmp_path / "server"), tmp_path)
    home = os.open(tenancy.place.home, os.O_RDONLY | os.O_DIRECTORY)
    said = tmp_path / "swapper"
    with said.open("wb") as output:
        child = subprocess.Popen([sys.executable, "-c", SWAPPER, str(home), str(tenancy.secret)], pass_fds=[home], stdout=output)
    os.close(home)
    try:
        while not said.stat().st_size:
            assert child.poll() is None
            time.sleep(0.02)
        yield tenancy
        assert child.poll() is None
        assert len(said.read_text().splitlines()) > 3
    finally:
        child.kill()
        child.wait()


EXCHANGED = ("check", "room", "unpack", "load", "compare", "prepare", "replace")


def test_backups_and_downloads_resolve_no_path_of_the_tenants(tenancy: Tenancy) -> None:
    for reason in ("manual", "download", "delete"):
        tenancy.back_up(reason)
    tenancy.judge(least=200)


def test_a_restore_that_is_kept_resolves_no_path_of_the_tenants_nor_does_what_deletes_the_former_site(tenancy: Tenancy) -> None:
    backup = tenancy.back_up("manual")
    tenancy.restore(backup, *EXCHANGED, "tidy")
    replaced = tenancy.place.home / ".replaced"
    assert (replaced / "public").is_dir()
    os.utime(replaced, (1, 1))
    tenancy.do("back-up-server")
    assert not replaced.exists()
    tenancy.judge(least=400)


def test_a_restore_that_is_taken_back_resolves_no_path_of_the_tenants(tenancy: Tenancy) -> None:
    backup = tenancy.back_up("manual")
    tenancy.restore(backup, *EXCHANGED)
    tenancy.do("take-back", journal=str(tenancy.place.job / "journal"))
    tenancy.restore(backup, "drop")
    assert sorted(path.name for path in tenancy.place.home.iterdir()) == ["private", "public"]
    tenancy.judge(least=300)


def test_a_push_that_is_kept_resolves_no_path_of_the_tenants(tenancy: Tenancy) -> None:
    tenancy.furnish_copy()
    tenancy.do("find-live-changes", name=NAME, copy=COPY)
    tenancy.push("files", "replace", "late", "drop")
    tenancy.judge(least=100)


def test_a_push_that_is_taken_back_resolves_no_path_of_the_tenants(tenancy: Tenancy) -> None:
    tenancy.furnish_copy()
    tenancy.push("files", "replace")
    tenancy.do("take-back", journal=str(tenancy.place.job / "journal"))
    assert (tenancy.place.job / RETURNING).exists()
    tenancy.push("late", "drop")
    assert not (tenancy.place.home / ".staging").exists()
    tenancy.judge(least=100)


# What must not be done, and what may be, with the folder of a tenant: by its path `public`, and open as `room`.
PLANTED = {
    "open": "open(f'{public}/file')",
    "open without following": "os.open(f'{public}/file', os.O_RDONLY | os.O_NOFOLLOW)",
    "ask": "os.path.exists(f'{public}/folder/mine')",
    "ask of a link itself": "os.lstat(f'{public}/folder/mine')",
    "walk": "list(os.walk(public))",
    "go there": "os.chdir(public), open('file')",
    "go there by its descriptor": "os.fchdir(room), open('file')",
    "two names at once": "os.open('folder/mine', os.O_RDONLY | os.O_NOFOLLOW, dir_fd=room)",
    "a link that is followed": "os.open('file', os.O_RDONLY, dir_fd=room)",
    "up": "os.open('..', os.O_RDONLY | os.O_NOFOLLOW, dir_fd=room)",
    "from its parent on": "os.stat('public/file', dir_fd=home, follow_symlinks=False)",
    "by a descriptor as a path": "open(f'/proc/self/fd/{room}/file')",
    "make": "os.mkdir(f'{public}/new')",
    "make over a link": "os.open('new', os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=room)",
    "delete": "os.unlink(f'{public}/file')",
    "delete whole": "shutil.rmtree(f'{public}/folder')",
    "move into it": "os.rename(f'{root}/other', f'{public}/other')",
    "move out of it": "os.rename(f'{public}/file', 'out', dst_dir_fd=home)",
    "owner": "os.chown('file', 0, 0, dir_fd=room)",
    "mode": "os.chmod('file', 0o600, dir_fd=room)",
    "copy": "shutil.copyfile(f'{root}/other', f'{public}/other')",
    "a program": "subprocess.run(['cat', f'{public}/file'])",
    "a program that goes there": "subprocess.run(['cat', 'file'], cwd=public)",
}
ALLOWED = {
    "the folder itself": "os.listdir(public), os.stat(public)",
    "open": "os.open('file', os.O_RDONLY | os.O_NOFOLLOW, dir_fd=room)",
    "ask": "os.stat('file', dir_fd=room, follow_symlinks=False), os.fstat(room)",
    "make": "os.mkdir('new', dir_fd=room), os.open('more', os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=room)",
    "owner": "os.chown('file', 0, 0, dir_fd=room, follow_symlinks=False), os.fchmod(os.open('file', os.O_RDONLY | os.O_NOFOLLOW, dir_fd=room), 0o600)",
    "move": "os.rename('file', 'file', src_dir_fd=room, dst_dir_fd=home)",
    "link": "os.symlink(f'{public}/file', 'new', dir_fd=room), os.link('file', 'again', src_dir_fd=room, dst_dir_fd=room, follow_symlinks=False)",
    "list": "[each.is_dir(follow_symlinks=False) for each in os.scandir(room)]",
    "a program": "subprocess.run(['rm', '-rf', '--', public])",
}


def planted(code: str, folder: Path) -> tuple[Traced, Callable[[str], bool]]:
    public = folder / "home/public"
    (public / "folder").mkdir(parents=True)
    for each in (public / "file", public / "folder/mine", folder / "other"):
        each.write_text("x")
    begin = "import os, shutil, subprocess; FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW"
    opened = f"root = {str(folder)!r}; public = {str(public)!r}; home = os.open(root + '/home', FOLDER); room = os.open('public', FOLDER, dir_fd=home)"
    environment = {**os.environ, "PATH": "/usr/bin:/bin"}
    traced = trace([*PYTHON, "-c", f"{begin}; {opened}; {code}"], b"", folder / "trace", environment)
    assert traced.code == 0
    return traced, lambda path: f"{path}/".startswith(f"{public}/")


@pytest.mark.parametrize("code", PLANTED.values(), ids=PLANTED.keys())
def test_what_would_follow_what_a_tenant_has_put_there_is_noticed(code: str, tmp_path: Path) -> None:
    traced, is_tenants = planted(code, tmp_path)
    assert traced.wrong(is_tenants) != []


@pytest.mark.parametrize("code", ALLOWED.values(), ids=ALLOWED.keys())
def test_what_names_one_thing_in_an_open_folder_is_allowed(code: str, tmp_path: Path) -> None:
    traced, is_tenants = planted(code, tmp_path)
    assert traced.wrong(is_tenants) == []
    assert traced.inside(is_tenants) != [] or code.startswith(("os.listdir", "[each"))
