"""Requests and events follow protocol.schema.json, which TypeScript is tested against too."""
from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from gatehouse_host.protocol import (
    LONGEST_LINE,
    BackUpServer,
    BackUpSite,
    CheckTarget,
    CopyServer,
    CopySite,
    FetchCopy,
    FindLiveChanges,
    ProveCopy,
    PruneCopies,
    ReadSite,
    Refused,
    Request,
    RestoreSite,
    TakeBack,
    TransferSite,
    format_event,
    format_request,
    left_out,
    parse_event,
    parse_request,
)
from gatehouse_host.targets import Bucket, Folder, Sftp

Valid = Callable[[object], bool]

STORAGE = Sftp("2001:db8::1", "2222", "u123-sub1", "rclone", "copies/a", f"ssh-ed25519 {'A' * 68}", "b" * 350, "p" * 43, "500")

asked = (
    BackUpSite(id="a-1", name="one", domain="one.test", reason="manual", folder="/var/lib/gatehouse/site-jobs/a"),
    BackUpSite(id="a_1", name="a1", domain="xn--1.a-b.test", reason="nightly", folder=""),
    BackUpServer(),
    ReadSite(home="/home/a", parts="/var/x/site", user=0, group=0),
    TakeBack(journal="/var/x/journal"),
    TransferSite("load", "pull", "one", "onestaging", True, False, "/var/lib/gatehouse/site-jobs/a"),
    FetchCopy("one", "one.test", "one.test-20261128-021400-nightly.tar.zst", "0123abcd", "c" * 64, Bucket("https://s3.test:9", "eu-1", "copies", "a/b", "KEYID", "'\"$x\\secret", "p" * 43, "500")),
    CopySite("one.test", "/var/lib/gatehouse/site-jobs/a/copy", Bucket("https://s3.test:9", "eu-1", "copies", "a/b", "KEYID", "'\"$x\\secret", "p" * 43, "500")),
    FindLiveChanges("one", "onestaging"),
    CopySite("one.test", "/var/lib/gatehouse/site-jobs/a/copy", STORAGE),
    CopySite("one.test", "/var/lib/gatehouse/site-jobs/a/copy", Folder("/mnt/backups/a", "p" * 43, "")),
    CopyServer("/var/lib/gatehouse/site-jobs/a/copy", STORAGE),
    CheckTarget(Sftp("storage.test", "22", "copies", "sftp", "", "", "", "", "")),
    CheckTarget(Folder("/mnt/backups", "", "")),
    PruneCopies("/run/gatehouse-snapshots.a1", Folder("/mnt/backups/a", "p" * 43, "")),
    ProveCopy("one", "one.test", "one.test-20261128-021400-nightly.tar.zst", "0123abcd", "c" * 64, "/var/lib/gatehouse/site-jobs/a/proof", Bucket("https://s3.test:9", "eu-1", "copies", "a/b", "KEYID", "'\"$x\\secret", "p" * 43, "")),
    RestoreSite("check", "a-1", "one", "one.test", "one.test-20261128-010203-manual.tar.zst", "/var/lib/gatehouse/site-jobs/a"),
)


@pytest.mark.parametrize("request_", asked)
def test_a_request_is_what_the_schema_says_and_is_read_as_it_was_written(request_: Request, valid_request: Valid) -> None:
    text = format_request(request_)
    assert valid_request(json.loads(text))
    assert parse_request(text) == request_


backing_up = json.loads(format_request(asked[0]))
reading = json.loads(format_request(asked[3]))
transferring = json.loads(format_request(asked[5]))
copying = json.loads(format_request(asked[6]))
sending = json.loads(format_request(asked[9]))
mounting = json.loads(format_request(asked[10]))
restoring = json.loads(format_request(asked[-1]))
BAD: dict[str, tuple[object, ...]] = {
    "id": ("", "a b", "a" * 65, 1, None),
    "name": ("", "A", "1a", "../x", "a\n", "a" * 33),
    "domain": ("", ".", "-a", "a/b", "a\n", "A.test", "a" * 260),
    "reason": ("", "later", 1),
    "folder": ("x", "/..", "/a/", 1),
    "home": ("home/a", "/home/../etc", "/home//a", "/home/a/", "", 1),
    "user": (-1, True, "1", 2**32),
    "protocol": (2, "1"),
    "job": ("format-disk", "write-archive", 1),
    "part": ("", "everything", 1),
    "transfer": ("", "check", 1),
    "direction": ("", "both", None),
    "copy": ("", "A", "../x", 1),
    "files": ("yes", 1, None),
    "replaces": ("no", 0, None),
    "backup": ("../a-20261128-010203-manual.tar.zst", "a-20261128-010203-manual.tar.zst\n", "a-20261128-010203-manual.tar", 1),
    "more": ("fields",),
    "target": (
        {},
        "s3",
        *({**copying["target"], name: value} for name, value in (
            ("endpoint", "https://s3.test/path"),
            ("endpoint", "file:///etc"),
            ("bucket", "../etc"),
            ("folder", "a/../b"),
            ("folder", "/a"),
            ("folder", ""),
            ("keySecret", "with a space"),
            ("password", "short"),
            ("region", 1),
            ("kind", "sftp"),
            ("more", "fields"),
        )),
        *({**sending["target"], name: value} for name, value in (
            ("host", "-oProxyCommand=id"),
            ("host", "storage.test\n  ProxyCommand id"),
            ("user", "-l"),
            ("user", "copies\nProxyCommand id"),
            ("port", "0"),
            ("folder", "a/../b"),
            ("folder", "a b"),
            ("hostKey", ""),
            ("hostKey", f"ssh-ed25519 {'A' * 68}\n* ssh-ed25519 {'B' * 68}"),
            ("privateKey", ""),
            ("privateKey", "-----BEGIN"),
            ("kind", "ftp"),
        )),
        *({**mounting["target"], "folder": folder} for folder in ("mnt/backups", "/", "/mnt/../etc", "")),
    ),
}
changes = [
    (given, {name: value})
    for given in (backing_up, reading, transferring, copying, restoring)
    for name, values in BAD.items()
    for value in values
    if name in given or name == "more"
]


@pytest.mark.parametrize(("given", "change"), changes)
def test_any_other_request_is_refused(given: dict[str, object], change: dict[str, object]) -> None:
    with pytest.raises(Refused):
        parse_request(json.dumps({**given, **change}).encode())


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b'{"protocol":1}', b" " * 5000])
def test_what_is_no_request_is_refused(text: bytes) -> None:
    with pytest.raises(Refused):
        parse_request(text)


@pytest.mark.parametrize(("given", "name"), [(given, name) for given in (backing_up, reading, transferring, copying, restoring) for name in given])
def test_a_request_without_a_field_is_refused(given: dict[str, object], name: str, valid_request: Valid) -> None:
    assert valid_request(given)
    less = {key: value for key, value in given.items() if key != name}
    assert not valid_request(less)
    with pytest.raises(Refused):
        parse_request(json.dumps(less).encode())


@pytest.mark.parametrize("path", [b"public/" + b"x" * 5000, b'public/"\\' * 600, "public/ü€".encode() * 300, b"public/\xff\n\x1b[31m"])
def test_an_event_is_one_line_that_no_log_cuts(path: bytes, valid_event: Valid) -> None:
    line = format_event(left_out(path, "beside"))
    assert len(line) <= LONGEST_LINE
    assert line.isprintable()
    event = json.loads(line)
    assert valid_event(event)
    assert event["path"].startswith("public/")
    assert parse_event(line.encode()) == event


def test_bytes_that_cannot_be_printed_are_escaped() -> None:
    assert left_out(b"a\xff\n\x7f\xe2\x80\xae", "kind")["path"] == "a\\xff\\x0a\\x7f\\xe2\\x80\\xae"


@pytest.mark.parametrize("line", [b"", b"x", b"[1]", b"{}", b'{"code":1}', b'{"code":"a","b":[]}', b'{"code":"a","b":true}', b"[" * 100_000])
def test_what_is_no_event_is_not_taken_for_one(line: bytes) -> None:
    assert parse_event(line) is None
