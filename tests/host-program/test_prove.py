"""Proofs of copies on a pretended server: the verdict on each fault, when a proof is postponed, and that nothing is left. restic only pretends; the real one is in
tests/portal/subjects/copies/planted-faults.test.ts."""
from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from gatehouse_host.copies import prove, restic
from gatehouse_host.copies.prove import prove_copy
from gatehouse_host.protocol import Event, ProveCopy
from gatehouse_host.sites import proof
from gatehouse_host.system import Failed
from gatehouse_host.targets import Bucket
from pretended import Server

TARGET = Bucket("https://s3.example.org", "eu-1", "copies", "fleet/a", "KEYID", "canary-secret", "p" * 43, "")
NAME = "one.test-20261128-021400-nightly.tar.zst"
MANIFEST = "format 2\nsite one.test\nname one\ndatabase yes\nuser 1000\ngroup 1000\nweb 33\n"
DUMP = "CREATE TABLE `words` (\n);\n-- Dump completed\n"


def furnish(server: Server, loading: str = "exit", manifest: str = MANIFEST) -> str:
    """The hash of an archive that restic gives."""
    work = server.folder / "work"
    (work / "files/public").mkdir(parents=True)
    (work / "manifest").write_text(manifest)
    (work / "database.sql").write_text(DUMP)
    (work / "files/public/page").write_text("a page")
    archive = server.folder / "archive.tar"
    owned = ["--format=gnu", "--owner=1000", "--group=1000"]
    subprocess.run(["tar", *owned, "-C", str(work), "-cf", str(archive), "manifest", "database.sql", "files/public"], check=True)
    server.program("restic", f'printf "%s\\n" "$*" >>"$asked.restic"; cat {archive}')
    server.answer("@@datadir", f"echo {server.folder}\n")
    server.answer("GLOBAL.max", "echo 4096\n")
    server.answer("HEX(table_name)", "echo 776F726473\n")
    client = (server.programs / "mariadb").read_text()
    server.program("mariadb", f'if [[ $* == *--defaults-file=*/login* ]]; then cat >{server.folder}/loaded; {loading}; fi\n{client}')
    return hashlib.sha256(archive.read_bytes()).hexdigest()


def verdict(server: Server, sha256: str = "") -> tuple[str, list[Event]]:
    events: list[Event] = []
    result = server.folder / "verdict"
    prove_copy(ProveCopy("one", "one.test", NAME, "0123abcd", sha256, str(result), TARGET), events.append)
    return result.read_text().strip(), events


def test_what_was_sent_and_loads_is_good_and_leaves_nothing(server: Server, valid_event: Callable[[object], bool]) -> None:
    sha256 = furnish(server)
    found, events = verdict(server, sha256)
    assert found == "good"
    assert [event["code"] for event in events] == ["proof-begun", "proven"]
    assert all(valid_event(event) for event in events)
    assert Path(f"{server.asked}.restic").read_text() == "--no-cache --no-lock dump 0123abcd /one.test-20261128-021400-nightly.tar\n"
    assert (server.folder / "loaded").read_text() == DUMP
    assert server.statements().rstrip().endswith("`gatehouse-load-gatehouse-scratch-one`@localhost;") or "DROP DATABASE IF EXISTS `gatehouse-scratch-one`" in server.statements()
    assert not (server.folder / "var/backups").exists()
    assert not any((server.folder / "run/gatehouse-load").glob("*scratch*"))


def test_a_target_that_sends_nothing_more_leaves_it_unknown_whether_the_copy_is_good(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restic, "_SILENT", 0.5)
    sha256 = furnish(server)
    server.program("restic", f"head -c 600 {server.folder}/archive.tar; exec sleep 30")
    assert verdict(server, sha256)[0] == "silent"


def test_another_hash_says_more_than_a_dump_that_does_not_load(server: Server) -> None:
    furnish(server, 'echo "ERROR 1064 (42000) at line 1: You have an error in your SQL syntax" >&2; exit 1')
    assert verdict(server, "c" * 64)[0] == "other-content"


@pytest.mark.parametrize(
    ("loading", "cause"),
    [
        ('echo "ERROR 1064 (42000) at line 1: You have an error in your SQL syntax" >&2; exit 1', "dump"),
        ('echo "ERROR 1273 (HY000) at line 1: Unknown collation" >&2; exit 1', "dump"),
        ('echo "ERROR 1114 (HY000) at line 1: The table is full" >&2; exit 1', "disk-full"),
        ('echo "ERROR 2013 (HY000) at line 1: Lost connection to server during query" >&2; exit 1', "database"),
        # The client is killed.
        ("kill -9 $$", "database"),
    ],
)
def test_a_full_disk_and_a_database_that_ends_are_not_the_dump(server: Server, loading: str, cause: str) -> None:
    sha256 = furnish(server, loading)
    found, events = verdict(server, sha256)
    assert found == cause
    assert events[-1] == {"code": "not-proven", "why": cause}


@pytest.mark.parametrize(
    ("script", "cause"),
    [
        ('head -c 3000 /dev/zero; echo "ciphertext verification failed" >&2; exit 1', "damaged"),
        ('echo "no matching ID found for prefix" >&2; exit 1', "missing"),
        ('echo "Fatal: wrong password or no key found" >&2; exit 1', "password"),
        ('echo "dial tcp: connect: connection refused" >&2; exit 1', "unreachable"),
        ('echo "InvalidAccessKeyId" >&2; exit 1', "key"),
        ("kill -9 $$", "memory"),
    ],
)
def test_what_restic_says_comes_before_what_is_read(server: Server, script: str, cause: str) -> None:
    furnish(server)
    server.program("restic", script)
    assert verdict(server)[0] == cause


def test_what_was_moved_while_old_copies_are_deleted_is_no_damage(server: Server) -> None:
    furnish(server)
    moved = server.folder / "moved"
    server.program("restic", f'[[ -e {moved} ]] || {{ touch {moved}; echo "key does not exist" >&2; exit 1; }}; cat {server.folder}/archive.tar')
    assert verdict(server)[0] == "good"


def test_a_restic_that_fails_for_an_unknown_reason_gives_no_verdict(server: Server) -> None:
    furnish(server)
    server.program("restic", 'echo "Fatal: something else" >&2; exit 1')
    with pytest.raises(Failed) as failed:
        verdict(server)
    assert failed.value.event["code"] == "program-failed"
    assert not (server.folder / "verdict").exists()


@pytest.mark.parametrize(
    ("manifest", "cause"),
    [
        (MANIFEST.replace("one.test", "two.test"), "other-content"),
        (MANIFEST.replace("format 2", "format 9"), "newer"),
        (MANIFEST.replace("user 1000", "user 1001"), "differs"),
        (MANIFEST.replace("database yes", "database no"), "no-database"),
    ],
)
def test_it_has_what_its_manifest_says(server: Server, manifest: str, cause: str) -> None:
    assert verdict(server, furnish(server, manifest=manifest))[0] == cause


def test_it_is_postponed_while_the_server_is_busy_and_without_room(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    furnish(server)
    monkeypatch.setattr(proof, "free_bytes", lambda _: 1 << 20)
    assert verdict(server)[0] == "room"
    (server.folder / "proc").mkdir()
    (server.folder / "proc/loadavg").write_text(f"{prove._BUSY * (os.cpu_count() or 1) + 1} 0.00 0.00 1/99 1\n")
    Path(f"{server.asked}.restic").unlink()
    assert verdict(server)[0] == "load"
    # Nothing is read then.
    assert not Path(f"{server.asked}.restic").exists()


def test_a_backup_of_another_site_is_refused(server: Server) -> None:
    with pytest.raises(Failed) as failed:
        prove_copy(ProveCopy("one", "other.test", NAME, "0123abcd", "", "/x", TARGET), lambda _: None)
    assert failed.value.event == {"code": "fetch-refused", "why": "other-site"}
