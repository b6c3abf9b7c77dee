"""Copies of backups: which one is sent, what restic gets, and what a copy that does not succeed says. restic only pretends."""
from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gatehouse_host.copies import restic
from gatehouse_host.copies.copy import copy_server, copy_site
from gatehouse_host.copies.restic import explain_end
from gatehouse_host.protocol import CopyServer, CopySite, Event
from gatehouse_host.system import Failed
from gatehouse_host.targets import Bucket
from pretended import Server

TARGET = Bucket("https://s3.example.org", "eu-1", "copies", "fleet/a", "KEYID", "canary-secret", "p" * 43, "")
SUMMARY = json.dumps({"message_type": "summary", "snapshot_id": "0123abcd", "total_bytes_processed": 10240, "data_added": 512})
RESTIC = f"""
printf '%s\\n' "$*" >>"$asked"
env >>"$asked.environment"
case $* in
  *'cat config'*) [[ ! -e $answers/missing ]] || {{ echo 'Stat: The specified key does not exist.' >&2; exit 1; }} ;;
  'init --help') echo '      --repository-version string   repository format version to use' ;;
  *init*) ;;
  *) cat >"$answers/sent"; touch "$answers/whole"; [[ ! -e $answers/refuses ]] || {{ cat "$answers/refuses" >&2; exec sleep 30; }}; echo '{SUMMARY}' ;;
esac
"""


def back_up(server: Server, at: str, *, proven: bool = True, name: str = "") -> Path:
    folder = server.folder / "var/backups/gatehouse-sites"
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"one.test-{name or at}-manual.tar.gz"
    archive.write_bytes(gzip.compress(at.encode()))
    if proven:
        note = folder / f".{archive.name}.proven"
        note.write_text(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")
        info = archive.stat()
        os.utime(note, ns=(info.st_atime_ns, info.st_mtime_ns))
    return archive


def back_up_server(server: Server, at: str, *, proven: bool = True) -> Path:
    folder = server.folder / "var/backups/gatehouse"
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"backup-{at}.tar.gz"
    archive.write_bytes(gzip.compress(at.encode()))
    if proven:
        note = folder / f".{archive.name}.proven"
        note.write_text(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")
        info = archive.stat()
        os.utime(note, ns=(info.st_atime_ns, info.st_mtime_ns))
    return archive


def copy_of_server(server: Server) -> list[Event]:
    events: list[Event] = []
    copy_server(CopyServer(str(server.folder / "result"), TARGET), events.append)
    return events


def copy(server: Server, target: Bucket = TARGET) -> list[Event]:
    events: list[Event] = []
    copy_site(CopySite("one.test", str(server.folder / "result"), target), events.append)
    return events


def refused(server: Server) -> dict[str, Any]:
    with pytest.raises(Failed) as failed:
        copy(server)
    return {**failed.value.event, "exit": failed.value.code}


def test_the_newest_verified_backup_is_sent_without_its_compression(server: Server, valid_event: Callable[[object], bool]) -> None:
    server.program("restic", RESTIC)
    server.answer("missing", "")
    back_up(server, "20261127-010000")
    back_up(server, "20261128-010000")
    back_up(server, "20261129-010000", proven=False)
    events = copy(server)
    assert (server.answers / "sent").read_text() == "20261128-010000"
    assert [event["code"] for event in events] == ["copy-begun", "repository-made", "copy-progress", "copy-made"]
    assert all(valid_event(event) for event in events)
    sent = hashlib.sha256(b"20261128-010000").hexdigest()
    assert (server.folder / "result").read_text() == f"0123abcd one.test-20261128-010000-manual.tar.gz 10240 512 {sent}\n"
    assert "--stdin-filename /one.test-20261128-010000-manual.tar " in server.statements()
    assert "--tag one.test" in server.statements()


def test_a_repository_has_the_format_of_debian_12_where_restic_knows_several(server: Server) -> None:
    server.program("restic", RESTIC)
    server.answer("missing", "")
    back_up(server, "20261128-010000")
    copy(server)
    assert "init --repository-version 2\n" in server.statements()


def test_a_restic_that_knows_one_format_makes_a_repository_of_that(server: Server) -> None:
    server.program("restic", RESTIC.replace("--repository-version", "--repo"))
    server.answer("missing", "")
    back_up(server, "20261128-010000")
    assert "copy-made" in [event["code"] for event in copy(server)]
    assert "--quiet init\n" in server.statements()
    assert "--repository-version" not in server.statements()


def test_what_opens_the_repository_is_in_no_argument_and_in_no_event(server: Server) -> None:
    server.program("restic", RESTIC)
    back_up(server, "20261128-010000")
    said = f"{copy(server)}{server.statements()}"
    environment = Path(f"{server.asked}.environment").read_text()
    for secret in (TARGET.keySecret, TARGET.password):
        assert secret not in said
        assert secret in environment
    assert "RESTIC_REPOSITORY=s3:https://s3.example.org/copies/fleet/a" in environment


def test_a_limit_is_that_of_what_is_sent(server: Server) -> None:
    server.program("restic", RESTIC)
    back_up(server, "20261128-010000")
    copy(server)
    assert "--limit-upload" not in server.statements()
    copy(server, replace(TARGET, limitKb="500"))
    assert "--no-cache --limit-upload 500 --json backup" in server.statements()


def test_a_site_without_a_verified_backup_is_refused(server: Server) -> None:
    server.program("restic", RESTIC)
    assert refused(server) == {"code": "copy-refused", "why": "none", "exit": 3}
    back_up(server, "20261128-010000", proven=False)
    assert refused(server) == {"code": "copy-refused", "why": "unverified", "exit": 3}
    assert server.statements() == ""


def test_of_a_server_its_newest_verified_backup_is_sent_and_no_other_archive_beside_it(server: Server, valid_event: Callable[[object], bool]) -> None:
    server.program("restic", RESTIC)
    back_up(server, "20261201-010000")
    for at in ("2026-11-27-021400", "2026-11-28-021400", "of an admin"):
        back_up_server(server, at)
    back_up_server(server, "2026-11-29-021400", proven=False)
    events = copy_of_server(server)
    assert all(valid_event(event) for event in events)
    sent = hashlib.sha256(b"2026-11-28-021400").hexdigest()
    assert (server.folder / "result").read_text() == f"0123abcd backup-2026-11-28-021400.tar.gz 10240 512 {sent}\n"
    assert "--stdin-filename /backup-2026-11-28-021400.tar " in server.statements()
    assert "--tag server_itself" in server.statements()


def test_a_server_without_a_verified_backup_is_refused(server: Server) -> None:
    server.program("restic", RESTIC)
    with pytest.raises(Failed) as none:
        copy_of_server(server)
    back_up_server(server, "2026-11-28-021400", proven=False)
    with pytest.raises(Failed) as unverified:
        copy_of_server(server)
    assert [failed.value.event["why"] for failed in (none, unverified)] == ["server-none", "server-unverified"]
    assert server.statements() == ""


def test_a_backup_that_was_changed_becomes_no_snapshot(server: Server) -> None:
    server.program("restic", RESTIC)
    archive = back_up(server, "20261128-010000")
    info = archive.stat()
    subprocess.run(["bash", "-c", f"printf other | gzip >'{archive}'"], check=True)
    os.utime(archive, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert refused(server) == {"code": "copy-refused", "why": "changed", "exit": 3}
    # restic is killed before its input ends.
    assert not (server.answers / "whole").exists()
    assert not (server.folder / "result").exists()


def test_what_is_refused_for_good_is_not_tried_for_a_quarter_of_an_hour(server: Server) -> None:
    server.program("restic", RESTIC)
    back_up(server, "20261128-010000")
    server.answer("refuses", "Save(<data/1>) returned error, retrying after 500ms: Access Denied\n")
    assert refused(server) == {"code": "copy-failed", "why": "denied", "exit": 1}


def test_a_target_that_takes_nothing_more_ends_the_copy(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restic, "_SILENT", 0.5)
    server.program("restic", "case $* in *--stdin*) exec sleep 20 ;; esac")
    # More than a pipe holds.
    back_up(server, "20261128-010000" + "0" * 4_000_000, name="20261128-010000")
    began = time.monotonic()
    assert refused(server) == {"code": "copy-failed", "why": "silent", "exit": 1}
    assert time.monotonic() - began < 10


def test_where_memory_runs_out_restic_ends_first(server: Server) -> None:
    server.program("restic", f"for _ in {{1..50}}; do read -r score </proc/$$/oom_score_adj; [[ $score != 1000 ]] || break; sleep 0.1; done; echo \"$score\" >>\"$asked.score\"\n{RESTIC}")
    back_up(server, "20261128-010000")
    copy(server)
    assert Path(f"{server.asked}.score").read_text() == "1000\n1000\n"


def test_restic_runs_within_300_mb_and_after_what_the_server_serves(server: Server) -> None:
    server.program("systemd-run", 'printf "%s\\n" "$*" >>"$asked.limits"; while [[ $1 == -* ]]; do if [[ $1 == -p ]]; then shift; fi; shift; done; exec "$@"')
    server.program("restic", RESTIC)
    back_up(server, "20261128-010000")
    copy(server)
    for limited in Path(f"{server.asked}.limits").read_text().splitlines():
        assert all(each in limited for each in ("--scope", "MemoryMax=300M", "--nice=19", "setpriv --pdeathsig KILL ionice -c 3 restic"))
        # systemd shows its arguments to everybody.
        assert "canary" not in limited and "p" * 43 not in limited
    assert "GOMEMLIMIT=200MiB" in Path(f"{server.asked}.environment").read_text()


def test_a_program_that_is_killed_leaves_no_snapshot_of_a_part(server: Server) -> None:
    # It reads as long as there is something, as the real one does.
    server.program("restic", "case $* in *--stdin*) touch $answers/begun; cat >/dev/null; sleep 0.3; touch $answers/whole ;; esac")
    back_up(server, "20261128-010000")
    server.program("gzip", "exec cat /dev/zero")
    request = {"protocol": 1, "job": "copy-site", "domain": "one.test", "result": str(server.folder / "result"), "target": vars(TARGET)}
    program = subprocess.Popen([sys.executable, "-B", str(Path(__file__).with_name("back_up.py")), str(server.folder)], stdin=subprocess.PIPE)
    assert program.stdin
    program.stdin.write(json.dumps(request).encode())
    program.stdin.close()
    until = time.monotonic() + 10
    while not (server.answers / "begun").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert (server.answers / "begun").exists()
    program.kill()
    program.wait()
    time.sleep(1)
    assert not (server.answers / "whole").exists()


def test_restic_that_the_kernel_ends_had_too_little_memory(server: Server) -> None:
    server.program("restic", "case $* in *--stdin*) kill -9 $$ ;; esac")
    back_up(server, "20261128-010000")
    assert refused(server) == {"code": "copy-failed", "why": "memory", "exit": 1}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Fatal: wrong password or no key found", "password"),
        ("Stat: Access Denied.", "denied"),
        ("dial tcp 127.0.0.1:9: connect: connection refused", "unreachable"),
        ("x509: certificate signed by unknown authority", "certificate"),
        ("Error response code NoSuchBucket.", "bucket"),
        ("XMinioStorageFull", "full"),
    ],
)
def test_each_cause_has_its_code(said: str, why: str) -> None:
    assert explain_end(1, said.encode()).event == {"code": "copy-failed", "why": why}


def test_an_unknown_cause_is_named_as_restic_writes_it() -> None:
    assert explain_end(1, b"Fatal: something else\n").event == {"code": "program-failed", "program": "restic", "exit": "1", "error": "Fatal: something else"}
