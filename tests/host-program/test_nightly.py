"""The nightly backup of a pretended server: done, failed, stopped and killed at each step. Whatever happens, older archives stay, and the next run is whole."""
from __future__ import annotations

import gzip
import hashlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PYTHON, Event, events_of
from pretended import furnish

JOB = Path(__file__).parent / "back_up.py"
# Each table is named after its database, so that a database's dump can be told by it.
DUMP = """name=${@: -1}
printf '%s\\n' "CREATE DATABASE \\`$name\\`;" "CREATE TABLE \\`of_$name\\` (" ');' "INSERT INTO \\`of_$name\\` VALUES (1);" '-- Dump completed'
"""


class Place:
    """A server with two databases, the configuration and a file of a site."""

    def __init__(self, folder: Path) -> None:
        self.server = furnish(folder)
        self.folder = folder
        self.store = folder / "var/backups/gatehouse"
        for each in ("etc", "srv", "home/ada", "data", "var/lib/gatehouse"):
            (folder / each).mkdir(parents=True, exist_ok=True)
        (folder / "etc/passwd").write_text("root:x:0:0\n")
        (folder / "home/ada/page").write_text("a page")
        self.databases("shop", "blog")
        self.server.answer("@@datadir", f"echo {folder}/data\n")
        self.server.answer("SELECT+VERSION", "echo 11.8-MariaDB\n")
        self.server.answer("GLOBAL+VARIABLES", "printf 'sql_mode\\tANSI\\ninnodb_page_size\\t16384\\n'\n")
        self.server.program("mariadb-dump", DUMP)
        for each in ("mariadbd", "mariadb-admin", "mariadb-install-db"):
            self.server.program(each, "exit 0")

    def databases(self, *names: str) -> None:
        self.server.answer("schema_name+NOT+IN", "".join(f"echo {each.encode().hex()}\n" for each in names))

    def start(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PATH": f"{self.server.programs}:{os.environ['PATH']}"}
        child = subprocess.Popen(
            [*PYTHON, str(JOB), str(self.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
        )
        assert child.stdin
        child.stdin.write(b'{"protocol": 1, "job": "back-up-server"}')
        child.stdin.close()
        child.stdin = None
        return child

    def make(self) -> tuple[int, list[Event]]:
        child = self.start()
        said, _ = child.communicate(timeout=60)
        return child.returncode, events_of(said)

    def last(self) -> tuple[str, list[Event]]:
        state, at, said, rest = (self.store / ".last").read_bytes().split(b"\0")
        assert rest == b"" and abs(int(at) - time.time()) < 60
        return state.decode(), events_of(said)

    def kept(self) -> list[str]:
        return sorted(each.name for each in self.store.glob("backup-*"))

    def lacks(self) -> list[list[str]]:
        lines = (self.store / f".{self.kept()[-1]}.lacks").read_text().splitlines()
        return [line.split("\t") for line in lines]

    def listed(self) -> list[str]:
        listing = subprocess.run(["tar", "-tzf", str(self.store / self.kept()[-1])], capture_output=True, check=True)
        return [name for name in listing.stdout.decode().splitlines() if not name.endswith("/")]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    yield Place(tmp_path / "server")


def test_one_archive_has_the_files_and_each_database_and_is_verified(place: Place) -> None:
    code, events = place.make()
    [name] = place.kept()
    assert (code, [event["code"] for event in events], place.last()) == (0, ["backup-made"], ("done", []))
    assert events[0]["name"] == name
    assert sorted(place.listed()) == ["databases/blog.sql.gz", "databases/shop.sql.gz", "etc/passwd", "home/ada/page"]
    archive, note = place.store / name, place.store / f".{name}.proven"
    assert note.read_text() == f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {name}\n"
    assert archive.stat().st_mtime_ns == note.stat().st_mtime_ns
    assert [path.stat().st_mode & 0o777 for path in (archive, note, place.store)] == [0o600, 0o600, 0o700]
    assert place.lacks() == []
    assert sorted(each.name for each in place.store.iterdir()) == sorted([name, f".{name}.proven", f".{name}.lacks", ".last", ".lock"])
    said = subprocess.run(["tar", "-xzOf", str(archive), "databases/shop.sql.gz"], capture_output=True, check=True).stdout
    assert gzip.decompress(said).startswith(b"CREATE DATABASE `shop`")
    # The temporary server has loaded it, with the limits of the live one.
    assert "scratch/socket --max-allowed-packet=1G <<CREATE DATABASE `shop`" in place.server.statements()


def test_a_server_without_database_server_is_backed_up(place: Place) -> None:
    for each in ("mariadb", "mariadbd", "mariadb-dump"):
        (place.server.programs / each).unlink()
    if subprocess.run(["which", "mariadbd", "mysqld"], capture_output=True, check=False).returncode == 0:
        pytest.skip("There is a database server where this runs.")
    assert place.make()[0] == 0
    assert place.listed() == ["etc/passwd", "home/ada/page"]


def test_a_folder_that_is_a_link_is_archived_with_its_target(place: Place) -> None:
    (place.folder / "data/www").mkdir()
    (place.folder / "data/www/index").write_text("x")
    (place.folder / "var/www").symlink_to(place.folder / "data/www")
    assert place.make()[0] == 0
    assert "data/www/index" in place.listed()


partial: dict[str, tuple[str, str, str, Event]] = {
    "a dump fails": (
        "mariadb-dump",
        f"{DUMP}\nif [[ $name == shop ]]; then echo 'Warning: x' >&2; echo 'Error: a view' >&2; exit 2; fi",
        "shop",
        {"code": "dump-not-whole", "error": "Error: a view"},
    ),
    "a dump is killed": ("mariadb-dump", f"{DUMP}\n[[ $name != shop ]] || kill -KILL $$", "shop", {"code": "dump-not-whole", "error": "program-failed"}),
    "a dump does not load": (
        "answer:of_shop",
        "echo \"ERROR 1062 (23000) at line 4: Duplicate entry 'secret' for key 1\" >&2; exit 1",
        "shop",
        {"code": "dump-refused", "error": "ERROR 1062 (23000) at line 4: Duplicate entry", "table": "of_shop"},
    ),
    "a row is too large": (
        "answer:of_shop",
        "echo 'ERROR 2006 (HY000) at line 4: Server has gone away' >&2; exit 1",
        "shop",
        {"code": "row-too-large", "table": "of_shop"},
    ),
    "what is dumped is not compressed": (
        "gzip",
        'if [[ $# == 0 && ! -e $0.once ]]; then touch $0.once; echo "gzip: stdout: No space left on device" >&2; exit 1; fi; exec /usr/bin/gzip "$@"',
        "shop",
        {"code": "dump-not-whole", "error": "gzip: stdout: No space left on device"},
    ),
    "databases cannot be listed": ("answer:schema_name+NOT+IN", "echo 'ERROR 1 no' >&2; exit 1", "All databases", {"code": "not-listed", "error": "ERROR 1 no"}),
    "the database server is down": (
        "answer:mysql.user",
        "echo 'ERROR 2002 (HY000): no socket' >&2; exit 1",
        "All databases",
        {"code": "database-silent", "error": "ERROR 2002 (HY000): no socket"},
    ),
    "root does not get in": ("answer:mysql.user", "echo 'ERROR 1698: no' >&2; exit 1", "All databases", {"code": "no-root-login", "error": "ERROR 1698: no"}),
    "it is another server": ("answer:SELECT+VERSION", "echo 8.0-MySQL", "All databases", {"code": "other-database", "version": "8.0-MySQL"}),
    "a history is not dumped": (
        "answer:SYSTEM+VERSIONED",
        "[[ $said != *73686f70* ]] || echo 61",
        "shop: history",
        {"code": "history-missing", "tables": "a"},
    ),
    "a file cannot be read": (
        "tar",
        '/usr/bin/tar "$@" || exit; echo "$0: srv/x: Cannot open: Input/output error" >&2; echo "$0: Exiting with failure status due to previous errors" >&2; exit 2',
        "/srv/x",
        {"code": "file-unreadable", "work": "Cannot open", "error": "Input/output error"},
    ),
}  # fmt: skip


def replace(place: Place, what: str, script: str) -> None:
    if what.startswith("answer:"):
        place.server.answer(what.removeprefix("answer:"), f"{script}\n")
    else:
        place.server.program(what, script)


@pytest.mark.parametrize("case", partial)
def test_what_cannot_be_backed_up_is_named_with_the_reason_and_the_rest_is_verified(place: Place, case: str) -> None:
    what, script, name, why = partial[case]
    replace(place, what, script)
    code, events = place.make()
    assert (code, place.last()) == (1, ("partial", [{"code": "server-lacks", "names": name, "unnamed": 0}]))
    assert [(line[0], line[1], json.loads(line[2])) for line in place.lacks()] == [("missing", name, why)]
    assert {"code": "not-in-backup", "name": name} in events and why in events
    listed = place.listed()
    assert "etc/passwd" in listed
    if why["code"] in ("dump-not-whole", "dump-refused", "row-too-large"):
        assert [each for each in listed if each.endswith(".sql.gz")] == ["databases/blog.sql.gz", "unproven/shop.sql.gz"]
    assert "secret" not in json.dumps(events)


def test_dumps_that_need_others_are_tried_again(place: Place) -> None:
    place.databases("across", "shop")
    place.server.answer("of_across", f"if [[ ! -e {place.folder}/shop-loaded ]]; then echo 'ERROR 1146 at line 1: no' >&2; exit 1; fi\n")
    place.server.answer("of_shop", f"touch {place.folder}/shop-loaded\n")
    assert place.make()[0] == 0


def test_without_a_temporary_server_each_database_is_unverified_and_it_is_tried_once(place: Place) -> None:
    place.server.program("mariadb-admin", "exit 1")
    place.server.program("systemctl", '[[ $* != *is-active* ]] || { echo "$*" >>"$asked"; exit 3; }')
    code, _ = place.make()
    assert code == 1
    assert {line[1]: json.loads(line[2])["code"] for line in place.lacks()} == {"shop": "trial-failed", "blog": "trial-failed"}
    assert place.server.statements().count("is-active") == 1


failures: dict[str, tuple[str, str, Event]] = {
    "the archive is not written": ("tar", "echo 'tar: no: Cannot stat' >&2; exit 2", {"code": "archive-failed", "error": "tar: no: Cannot stat"}),
    "the archive is not compressed": (
        "gzip",
        '[[ $# != 0 || $(readlink /proc/$$/fd/1) != *archive* ]] || { echo "gzip: stdout: No space left on device" >&2; exit 1; }; exec /usr/bin/gzip "$@"',
        {"code": "archive-failed", "error": "gzip: stdout: No space left on device"},
    ),
    "tar is killed": ("tar", "kill -KILL $$", {"code": "archive-failed", "error": ""}),
    "tar says less than its code": (
        "tar",
        'echo "tar: Exiting with failure status due to previous errors" >&2; exit 2',
        {"code": "archive-unsure", "error": "tar: Exiting with failure status due to previous errors"},
    ),
    "the archive is not read back": ("gzip", '[[ $* != -dc ]] || { head -c 99; exit 1; }; exec /usr/bin/gzip "$@"', {"code": "not-read-back"}),
    "a file is not in it": ("tar", 'exec /usr/bin/tar --exclude=passwd "$@"', {"code": "archive-lacks", "path": "etc/passwd"}),
    "the folder of data is not known": ("answer:@@datadir", "echo no >&2; exit 1", {"code": "program-failed", "program": "mariadb", "exit": "1", "error": "no"}),
}  # fmt: skip


@pytest.mark.parametrize("itself", ["tar", "/usr/bin/tar"])
def test_what_is_mounted_below_a_folder_is_named_as_left_out_however_tar_calls_itself(place: Place, itself: str) -> None:
    other = "file is on a different filesystem; not dumped"
    place.server.program("tar", f'/usr/bin/tar "$@" || exit; printf "{itself}: %s: {other}\\n" srv/media "srv/zażółć  gęś/" >&2')
    place.server.program("stat", "echo tmpfs")
    code, _ = place.make()
    assert code == 0
    assert place.lacks() == [["left_out", "/srv/media"], ["left_out", "/srv/zażółć  gęś"]]


@pytest.mark.parametrize("case", failures)
def test_a_backup_that_fails_says_why_and_keeps_the_older_ones(place: Place, case: str) -> None:
    place.store.mkdir(parents=True)
    (place.store / "backup-2020-01-01-000000.tar.gz").write_text("older")
    what, script, why = failures[case]
    replace(place, what, script)
    code, events = place.make()
    assert (code, place.last(), events[-1]) == (1, ("failed", [why]), why)
    assert place.kept() == ["backup-2020-01-01-000000.tar.gz"]
    assert not (place.store / ".unfinished").exists()


def test_it_needs_as_much_room_as_the_largest_archive_and_a_quarter(place: Place) -> None:
    place.store.mkdir(parents=True)
    with open(place.store / "backup-2020-01-01-000000.tar.gz", "wb") as file:
        file.truncate(1 << 42)
    code, _ = place.make()
    state, [why] = place.last()
    assert (code, state, why["code"], why["needed"] >= (1 << 42) * 5 // 4) == (1, "failed", "no-room-for-server", True)
    assert why["free"] < why["needed"]


def hang(place: Place, what: str) -> Path:
    mark = place.folder / "reached"
    if what == "gzip-back":
        place.server.program("gzip", f'if [[ $* == -dc ]]; then touch {mark}; exec sleep 20; fi; exec /usr/bin/gzip "$@"')
    else:
        replace(place, what, f"touch {mark}; exec sleep 20")
    return mark


def reach(child: subprocess.Popen[bytes], mark: Path) -> None:
    until = time.monotonic() + 20
    while not mark.exists():
        assert time.monotonic() < until and child.poll() is None
        time.sleep(0.05)


STEPS = ["answer:mysql.user", "find", "answer:schema_name+NOT+IN", "mariadb-dump", "answer:GLOBAL+VARIABLES", "mariadb-admin", "answer:of_shop", "tar", "gzip-back"]


@pytest.mark.parametrize("ends", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("what", STEPS)
def test_killed_or_stopped_at_each_step_the_older_ones_stay_and_the_next_run_is_whole(place: Place, what: str, ends: signal.Signals) -> None:
    place.store.mkdir(parents=True)
    (place.store / "backup-2020-01-01-000000.tar.gz").write_text("older")
    former = {path.name: path.read_text() for path in place.server.programs.iterdir()}
    answers = {path.name: path.read_text() for path in place.server.answers.iterdir()}
    child = place.start()
    os.killpg(child.pid, signal.SIGSTOP)
    mark = hang(place, what)
    os.killpg(child.pid, signal.SIGCONT)
    reach(child, mark)
    (os.killpg if ends == signal.SIGKILL else os.kill)(child.pid, ends)
    child.communicate(timeout=30)
    assert place.kept() == ["backup-2020-01-01-000000.tar.gz"]
    if ends == signal.SIGTERM:
        assert (child.returncode, place.last()) == (1, ("failed", [{"code": "stopped"}]))
        assert not (place.store / ".unfinished").exists()
    else:
        assert place.last() == ("running", [])
    for folder, before in ((place.server.programs, former), (place.server.answers, answers)):
        for path in folder.iterdir():
            if path.name in before:
                path.write_text(before[path.name])
            else:
                path.unlink()
    assert place.make()[0] == 0
    assert place.last() == ("done", []) and len(place.kept()) == 2


def test_two_do_not_run_at_once(place: Place) -> None:
    mark = hang(place, "tar")
    child = place.start()
    reach(child, mark)
    code, events = place.make()
    assert (code, events, place.last()[0]) == (1, [{"code": "backup-running"}], "running")
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate()


def test_seven_are_kept_and_the_newest_whole_one(place: Place) -> None:
    place.store.mkdir(parents=True)
    for day in range(1, 10):
        name = f"backup-2020-01-0{day}-000000.tar.gz"
        (place.store / name).write_text("x")
        (place.store / f".{name}.proven").write_text("x")
        info = (place.store / name).stat()
        os.utime(place.store / f".{name}.proven", ns=(info.st_atime_ns, info.st_mtime_ns))
        (place.store / f".{name}.lacks").write_text("missing\tshop\tbroken\n" if day > 2 else "\n")
    what, script, *_ = partial["a file cannot be read"]
    replace(place, what, script)
    place.make()
    assert [name[-16:-14] for name in place.kept()[:-1]] == ["02", "04", "05", "06", "07", "08", "09"]
    assert not list(place.store.glob(".backup-2020-01-0[13]*"))


def test_names_of_databases_become_names_of_files() -> None:
    from gatehouse_host.server.databases import file_name

    assert [file_name(each) for each in ('-we"i\'rd. zażółć/\\x%', ".hidden", "a.b_c")] == ["-we%22i%27rd.%20zażółć%2F%5Cx%25", "%2Ehidden", "a.b_c"]
