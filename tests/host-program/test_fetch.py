"""Backups that come back from a copy: what restic is asked, what becomes a backup of the server, and what does not. restic only pretends."""
from __future__ import annotations

import errno
import gzip
import hashlib
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from gatehouse_host.copies import fetch, restic
from gatehouse_host.copies.fetch import fetch_copy
from gatehouse_host.protocol import Event, FetchCopy
from gatehouse_host.sites import kept
from gatehouse_host.sites.wanted import Wanted
from gatehouse_host.system import Failed
from gatehouse_host.targets import Bucket
from pretended import Server

TARGET = Bucket("https://s3.example.org", "eu-1", "copies", "fleet/a", "KEYID", "canary-secret", "p" * 43, "")
NAME = "one.test-20261128-021400-nightly.tar.gz"


def folder(server: Server) -> Path:
    return server.folder / "var/backups/gatehouse-sites"


def bring(server: Server, name: str = NAME, sha256: str = "") -> list[Event]:
    events: list[Event] = []
    fetch_copy(FetchCopy("one", "one.test", name, "0123abcd", sha256, TARGET), events.append)
    return events


def refused(server: Server, name: str = NAME) -> dict[str, Any]:
    with pytest.raises(Failed) as failed:
        bring(server, name)
    return {**failed.value.event, "exit": failed.value.code}


def test_it_is_a_verified_backup_with_its_former_name(server: Server) -> None:
    server.program("restic", 'printf "%s\\n" "$*" >>"$asked"; printf "what it has"')
    codes = [event["code"] for event in bring(server)]
    assert codes == ["fetch-begun", "fetched"]
    assert server.statements() == "--no-cache --no-lock dump 0123abcd /one.test-20261128-021400-nightly.tar\n"
    archive = folder(server) / NAME
    assert gzip.decompress(archive.read_bytes()) == b"what it has"
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert Wanted(NAME).noted_hash() == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert (folder(server) / f".{NAME}.proven").stat().st_mtime_ns == archive.stat().st_mtime_ns
    assert sorted(each.name for each in folder(server).iterdir()) == [f".{NAME}.proven", NAME]


def test_only_what_was_sent_becomes_a_backup(server: Server) -> None:
    server.program("restic", 'printf "what it has"')
    folder(server).mkdir(parents=True)
    with pytest.raises(Failed) as failed:
        bring(server, sha256=hashlib.sha256(b"what was sent").hexdigest())
    assert failed.value.event == {"code": "fetch-refused", "why": "other-content"}
    assert not (folder(server) / NAME).exists()
    bring(server, sha256=hashlib.sha256(b"what it has").hexdigest())
    assert (folder(server) / NAME).exists()


def test_it_replaces_one_that_was_changed(server: Server) -> None:
    server.program("restic", 'printf "what it has"')
    folder(server).mkdir(parents=True)
    (folder(server) / NAME).write_text("changed")
    bring(server)
    assert gzip.decompress((folder(server) / NAME).read_bytes()) == b"what it has"


@pytest.mark.parametrize(
    ("script", "event"),
    [
        # restic has written the beginning when it finds the damage.
        ('head -c 3000000 /dev/zero; echo "ciphertext verification failed" >&2; exit 1', {"code": "copy-failed", "why": "damaged"}),
        ('echo "no matching ID found for prefix" >&2; exit 1', {"code": "copy-failed", "why": "missing"}),
        ('echo "Fatal: wrong password or no key found" >&2; exit 1', {"code": "copy-failed", "why": "password"}),
        ("exit 0", {"code": "backup-refused", "why": "damaged"}),
    ],
)
def test_what_cannot_be_read_whole_becomes_no_backup(server: Server, script: str, event: Event) -> None:
    server.program("restic", script)
    folder(server).mkdir(parents=True)
    (folder(server) / NAME).write_text("the one that is there")
    failed = refused(server)
    assert {name: failed[name] for name in event} == event
    assert (folder(server) / NAME).read_text() == "the one that is there"


@pytest.mark.parametrize("name", ["other.test-20261128-021400-nightly.tar.gz", "one.test-nightly.tar.gz", "../one.test-20261128-021400-nightly.tar.gz"])
def test_a_backup_of_another_site_is_refused(server: Server, name: str) -> None:
    server.program("restic", "echo never; touch $answers/asked")
    assert refused(server, name) == {"code": "fetch-refused", "why": "other-site", "exit": 3}
    assert not (server.answers / "asked").exists()


def test_one_from_the_future_is_refused(server: Server) -> None:
    """It would be the newest for ever, and copied each night in place of those that are made."""
    server.program("restic", "echo never; touch $answers/asked")
    soon, late = (time.strftime("%Y%m%d-%H%M%S", time.gmtime(time.time() + hours * 3600)) for hours in (1, 49))
    assert refused(server, f"one.test-{late}-manual.tar.gz") == {"code": "fetch-refused", "why": "future", "exit": 3}
    assert refused(server, "one.test-99999999-999999-manual.tar.gz")["why"] == "future"
    assert not (server.answers / "asked").exists()
    bring(server, f"one.test-{soon}-manual.tar.gz")


def test_where_its_note_cannot_be_written_it_is_there_and_not_verified(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.program("restic", 'printf "what it has"')
    folder(server).mkdir(parents=True)
    (folder(server) / NAME).write_text("the one that is there")
    (folder(server) / f".{NAME}.proven").write_text("its hash")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(kept, "note_hash", fail)
    with pytest.raises(OSError):
        bring(server)
    assert gzip.decompress((folder(server) / NAME).read_bytes()) == b"what it has"
    assert Wanted(NAME).noted_hash() == ""


def test_a_link_in_its_way_is_not_followed(server: Server, tmp_path: Path) -> None:
    server.program("restic", "printf new")
    folder(server).mkdir(parents=True)
    other = tmp_path / "other"
    other.write_text("of another")
    os.symlink(other, folder(server) / ".fetched-one")
    bring(server)
    assert other.read_text() == "of another"


def test_a_target_that_sends_nothing_more_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restic, "_SILENT", 0.5)
    server.program("restic", "printf 'the beginning'; exec sleep 30")
    begun = time.monotonic()
    assert refused(server) == {"code": "copy-failed", "why": "silent", "exit": 1}
    assert time.monotonic() - begun < 20
    assert not (folder(server) / NAME).exists()


def test_it_ends_before_the_disk_is_full(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.program("restic", "exec cat /dev/zero")
    monkeypatch.setattr(fetch, "free_bytes", lambda _: 1000)
    assert refused(server) == {"code": "disk-full", "exit": 28}
