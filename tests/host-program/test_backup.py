"""A whole backup of a site on a pretended server: done, failed and killed at each step. What is left is what a take-back removes."""
from __future__ import annotations

import grp
import hashlib
import json
import os
import pwd
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import PYTHON, Event, events_of
from pretended import Server, furnish

JOB = Path(__file__).parent / "back_up.py"
NAME = "nobody"
DUMP = "CREATE TABLE `words` (\n);\nINSERT INTO `words` VALUES (1);\n-- Dump completed"
EXISTS = "WHERE+schema_name"


@dataclass
class Made:
    code: int
    events: list[Event]

    @property
    def codes(self) -> list[str]:
        return [event["code"] for event in self.events]


class Place:
    """A site with a file, a database with one table, and the settings that a site has."""

    def __init__(self, folder: Path) -> None:
        self.server: Server = furnish(folder)
        self.folder = folder
        self.home = folder / "home" / NAME
        self.settings = folder / "etc/gatehouse/sites" / NAME
        self.backups = folder / "var/backups/gatehouse-sites"
        self.job = folder / "job"
        for each in (self.home / "public", self.home / "private", self.settings / "apache", self.job, folder / "data" / NAME):
            each.mkdir(parents=True)
        self.backups.parent.mkdir(parents=True)
        (self.home / "public/page").write_text("a page")
        (self.settings / "site").write_text(f"id its-id\nname {NAME}\ndomain one.test\nphp 8.2\nowner {'0f' * 16}\n")
        (self.settings / "apache/own.conf").write_text("own")
        (self.settings / "apache/gatehouse-pause.conf").write_text("pause")
        (self.settings / "php-fpm.conf").write_text("fpm")
        self._furnish_database()

    def _furnish_database(self) -> None:
        self.server.answer(EXISTS, "echo 1\n")
        self.server.answer("@@datadir", f"echo {self.folder}/data\n")
        self.server.answer("GLOBAL.max", "echo 4096\n")
        self.server.answer("SELECT+VERSION", "echo 11.8-MariaDB\n")
        self.server.answer("authentication_string", f"echo '*{'A' * 40}'\n")
        self.server.answer("data_length", "printf '776F726473\\tBASE TABLE\\t1\\tInnoDB\\t\\n'\n")
        self.server.answer("gatehouse-scratch-nobody'", "echo 776F726473\n")
        self.server.program("mariadb-dump", f"[[ $* == *--events* ]] || printf '%s\\n' '{DUMP}'; echo '-- Dump completed'")
        client = (self.server.programs / "mariadb").read_text()
        self.server.program("mariadb", f'if [[ $* == *--defaults-file=*/login* ]]; then cat >{self.folder}/loaded; exit; fi\n{client}')

    def start(self, reason: str = "manual", path: str = "") -> subprocess.Popen[bytes]:
        request = {"protocol": 1, "job": "back-up-site", "id": "its-id", "name": NAME, "domain": "one.test", "reason": reason}
        text = json.dumps({**request, "folder": "" if reason == "nightly" else str(self.job)})
        assert len(text) < 4096
        environment = {**os.environ, "PATH": f"{path or self.server.programs}:{os.environ['PATH']}"}
        child = subprocess.Popen(
            [*PYTHON, str(JOB), str(self.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
        )
        assert child.stdin
        child.stdin.write(text.encode())
        child.stdin.close()
        child.stdin = None
        return child

    def make(self, reason: str = "manual") -> Made:
        child = self.start(reason)
        said, _ = child.communicate(timeout=60)
        return Made(child.returncode, events_of(said))

    def kept(self) -> list[str]:
        return sorted(each.name for each in self.backups.iterdir() if each.is_file()) if self.backups.exists() else []

    def inside(self, name: str, part: str) -> str:
        done = subprocess.run(["tar", "-xOf", str(self.backups / name), part], capture_output=True, check=True)
        return done.stdout.decode()

    def manifest(self, name: str) -> dict[str, str]:
        return dict(line.split(" ", 1) for line in self.inside(name, "manifest").splitlines())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    yield Place(tmp_path / "server")


def test_a_backup_is_made_and_verified(place: Place) -> None:
    made = place.make()
    hash_note, name = place.kept()
    assert (made.code, made.codes) == (0, ["no-virtual-host", "archive-written", "backup-made"])
    assert made.events[-1]["name"] == name == (place.job / "backup").read_text().strip()
    assert name.startswith("one.test-") and name.endswith("-manual.tar.zst") and hash_note == f".{name}.proven"
    assert (place.backups / hash_note).read_text() == f"{hashlib.sha256((place.backups / name).read_bytes()).hexdigest()}  {name}\n"
    times = [os.stat(place.backups / each).st_mtime_ns for each in (hash_note, name)]
    assert times[0] == times[1]
    assert [os.stat(place.backups / each).st_mode & 0o777 for each in (hash_note, name)] == [0o600, 0o600]
    assert (place.folder / "loaded").read_text().startswith(DUMP)
    assert not any(each.is_dir() for each in place.backups.iterdir())
    user = pwd.getpwnam(NAME)
    manifest = place.manifest(name)
    assert manifest.pop("made") and int(manifest.pop("bytes")) > 0
    assert manifest == {
        "format": "2", "destination": "local", "site": "one.test", "id": "its-id", "name": NAME, "reason": "manual", "database": "yes",
        "mariadb": "11.8-MariaDB", "php": "8.2", "user": str(user.pw_uid), "group": str(user.pw_gid),
        "web": str(grp.getgrnam("www-data").gr_gid), "email": "off", "owner": "0f" * 16, "hourly-mail": "", "aliases": "",
        "password": f"*{'A' * 40}",
    }  # fmt: skip


def test_what_an_archive_has_and_a_download_has_not(place: Place) -> None:
    (place.settings / "mail").mkdir()
    (place.settings / "mail/dkim.pem").write_text("a key")
    crontabs = place.folder / "var/spool/cron/gatehouse-sites" / NAME
    crontabs.mkdir(parents=True)
    (crontabs / NAME).write_text("# DO NOT EDIT THIS FILE - edit\n# (- installed on x)\n# (Cron version x)\n1 2 * * * work\n")
    place.make()
    name = place.kept()[-1]
    listing = subprocess.run(["tar", "-tf", str(place.backups / name)], capture_output=True, check=True).stdout.decode().splitlines()
    assert listing[0] == "manifest"
    assert sorted(listing[1:]) == sorted(
        ["apache/", "apache/own.conf", "crontab", "database.sql", "dkim.pem", "files/private/", "files/public/", "files/public/page", "php-fpm.conf"]
    )
    assert place.inside(name, "crontab") == "1 2 * * * work\n"
    assert place.inside(name, "database.sql") == f"{DUMP}\n" + "-- Dump completed\n" * 2

    assert place.make("download").codes[-1] == "archive-written"
    file = place.backups / ".downloads/job"
    assert file.read_bytes()[:2] == b"\x1f\x8b"
    listing = subprocess.run(["tar", "-tf", str(file)], capture_output=True, check=True).stdout.decode().splitlines()
    assert "dkim.pem" not in listing and "database.sql" in listing
    said = subprocess.run(["tar", "-xOf", str(file), "manifest"], capture_output=True, check=True).stdout.decode()
    assert "password" not in said and "owner" not in said and "reason download\n" in said


def test_a_site_without_database_and_files(place: Place) -> None:
    place.server.answer(EXISTS, "echo 0\n")
    subprocess.run(["rm", "-r", str(place.home)], check=True)
    made = place.make("delete")
    assert (made.code, made.codes[:3]) == (0, ["no-database", "no-virtual-host", "no-files"])
    assert place.manifest(made.events[-1]["name"])["database"] == "no"
    assert len(place.kept()) == 2


failures: dict[str, tuple[str, str, int, Event]] = {
    "the folder of data is not known": ("answer:@@datadir", "echo no >&2; exit 1", 1, {"code": "program-failed", "program": "mariadb", "exit": "1", "error": "no"}),
    "a table is locked": ("answer:lock_wait_timeout+=+2", "echo 'ERROR 1205 (HY000): x' >&2", 1, {"code": "tables-locked"}),
    "a table cannot be opened": (
        "answer:data_length",
        "printf '776F726473\\tBASE TABLE\\tNULL\\tNULL\\tis crashed\\n'",
        1,
        {"code": "table-unreadable", "table": "words", "error": "is crashed"},
    ),
    "the dump fails": ("mariadb-dump", "echo gone >&2; exit 2", 1, {"code": "program-failed", "program": "mariadb-dump", "exit": "2", "error": "gone"}),
    "the dump is killed": ("mariadb-dump", "kill -KILL $$", 1, {"code": "program-failed", "program": "mariadb-dump", "exit": "-9", "error": ""}),
    "the dump is cut": ("mariadb-dump", "echo x", 1, {"code": "dump-cut"}),
    "the archive is not written": ("zstd", "[[ $* == *-d* ]] || exit 1; exec /usr/bin/zstd \"$@\"", 1, {"code": "not-written"}),
    "the archive is not read back": ("zstd", "[[ $* != *-d* ]] || { head -c 99; exit 1; }; exec /usr/bin/zstd \"$@\"", 1, {"code": "not-read-back"}),
    "what is read back ends too early": (
        "zstd",
        "[[ $* != *-d* ]] || { /usr/bin/zstd -dc | head -c 3000; cat >/dev/null; exit 0; }; exec /usr/bin/zstd \"$@\"",
        1,
        {"code": "not-read-back"},
    ),
    "the dump does not load": (
        "mariadb-load",
        "cat >/dev/null; echo \"ERROR 1062 (23000) at line 3: Duplicate entry 'secret' for key 1\" >&2; exit 1",
        1,
        {"code": "dump-not-loaded", "error": "ERROR 1062 (23000) at line 3: Duplicate entry", "table": "words"},
    ),
    "the client is killed": ("mariadb-load", "head -c 9 >/dev/null; kill -KILL $$", 1, {"code": "dump-not-loaded", "error": "", "table": ""}),
    "a table is missing afterwards": ("answer:gatehouse-scratch-nobody'", "echo 00", 1, {"code": "table-missing", "table": "words"}),
}  # fmt: skip


def replace(place: Place, what: str, script: str) -> None:
    if what.startswith("answer:"):
        place.server.answer(what.removeprefix("answer:"), f"{script}\n")
    elif what == "mariadb-load":
        client = (place.server.programs / "mariadb").read_text().replace(f"cat >{place.folder}/loaded; exit", script)
        (place.server.programs / "mariadb").write_text(client)
    else:
        place.server.program(what, script)


@pytest.mark.parametrize(("what", "script", "code", "event"), failures.values(), ids=failures.keys())
def test_a_step_that_fails_ends_the_backup_with_its_cause(place: Place, what: str, script: str, code: int, event: Event) -> None:
    replace(place, what, script)
    made = place.make()
    assert (made.code, made.events[-1]) == (code, event)
    assert place.kept() == [] and not (place.job / "backup").exists()
    assert os.listdir(place.folder / "run/gatehouse-load") == []


@pytest.mark.parametrize("what", ["mariadb-load", "answer:data_length"])
def test_before_a_deletion_what_cannot_be_verified_is_kept_all_the_same(place: Place, what: str) -> None:
    load = failures["the dump does not load" if what == "mariadb-load" else "a table cannot be opened"]
    replace(place, what, load[1])
    made = place.make("delete")
    assert made.code == 0
    assert ("unverified" in made.codes) == (what == "mariadb-load")
    [name] = place.kept()
    assert name.endswith("-delete.tar.zst") and made.events[-1] == {"code": "backup-made", "name": name}
    statements = place.server.statements()
    assert statements.index("ALTER USER IF EXISTS `nobody`@localhost ACCOUNT LOCK") < statements.index("KILL HARD USER")
    assert (place.job / "locked").exists()


def test_without_room_nothing_is_written(place: Place) -> None:
    place.server.program("du", "printf '%s\\tx\\n' 99999999999999999")
    made = place.make()
    assert (made.code, made.codes) == (3, ["no-room"])
    assert (made.events[0]["work"], made.events[0]["reason"]) == ("backup", "manual")
    assert made.events[0]["needed"] > made.events[0]["free"]
    assert place.make("download").events[0]["work"] == "archive"
    assert place.kept() == []


STEPS = {
    "mariadb-dump": "the dump",
    "zstd -q -3": "the archive",
    "zstd -q -dc": "the proof",
    "mariadb-load": "the load",
}


@pytest.mark.parametrize("step", STEPS.keys(), ids=STEPS.values())
def test_killed_at_a_step_it_leaves_only_what_is_swept_and_the_next_one_is_whole(place: Place, step: str) -> None:
    mark = place.folder / "reached"
    name, _, argument = step.partition(" ")
    real = {"zstd": "/usr/bin/zstd"}.get(name)
    former = {each.name: each.read_text() for each in place.server.programs.iterdir()}
    if real:
        place.server.program(name, f'if [[ "$*" == "{argument}"* ]]; then touch {mark}; sleep 20; fi\nexec {real} "$@"')
    else:
        replace(place, name, f"touch {mark}; exec sleep 20")
    child = place.start()
    until = time.monotonic() + 20
    while not mark.exists():
        assert time.monotonic() < until and child.poll() is None
        time.sleep(0.05)
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate()
    assert place.kept() == [] and not (place.job / "backup").exists()
    assert sorted(each.name for each in place.backups.iterdir()) == [f".making-{NAME}"]
    for path in place.server.programs.iterdir():
        if path.name in former:
            path.write_text(former[path.name])
        else:
            path.unlink()
    assert place.make().code == 0
    assert len(place.kept()) == 2


def test_of_nightly_backups_seven_stay_and_what_has_expired_goes(place: Place) -> None:
    place.backups.mkdir()
    old = time.time() - 8 * 24 * 3600
    for day in range(1, 10):
        (place.backups / f"one.test-2026010{day}-000000-nightly.tar.zst").write_text("x")
    for name in ("a-one.test-20260101-000000-nightly.tar.zst", "one.test-20260101-000000-push.tar.gz", "one.test-20260101-000000-manual.tar.zst", "notes"):
        (place.backups / name).write_text("x")
        os.utime(place.backups / name, (old, old))
    assert place.make("nightly").code == 0
    assert [name for name in place.kept() if "one.test-202601" in name and name.startswith("one")][:2] == [
        "one.test-20260101-000000-manual.tar.zst",
        "one.test-20260101-000000-push.tar.gz",
    ]
    assert len([name for name in place.kept() if name.startswith("one.test-") and "nightly" in name]) == 7
    assert place.make().code == 0
    left = place.kept()
    assert "one.test-20260101-000000-push.tar.gz" not in left and "a-one.test-20260101-000000-nightly.tar.zst" not in left
    assert "one.test-20260101-000000-manual.tar.zst" in left and "notes" in left
