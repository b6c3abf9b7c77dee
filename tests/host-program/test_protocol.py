"""Requests and events follow protocol.schema.json, which TypeScript is tested against too."""
from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from conftest import Site
from gatehouse_host.protocol import (
    LONGEST_LINE,
    Refused,
    ReadSite,
    Request,
    SwapFiles,
    TakeBack,
    WriteArchive,
    format_event,
    format_request,
    left_out,
    parse_event,
    parse_request,
)

Valid = Callable[[object], bool]

asked = (
    WriteArchive(home="/home/a", parts="/var/x/site", archive="/var/x/archive", compression="zst", user=1001, group=1001),
    ReadSite(home="/home/a", parts="/var/x/site", user=0, group=0),
    SwapFiles(home="/home/a", staged="/home/a/.restoring/files", journal="/var/x/journal", user=1001),
    TakeBack(journal="/var/x/journal"),
)


@pytest.mark.parametrize("request_", asked)
def test_a_request_is_what_the_schema_says_and_is_read_as_it_was_written(request_: Request, valid_request: Valid) -> None:
    text = format_request(request_)
    assert valid_request(json.loads(text))
    assert parse_request(text) == request_


changes: list[dict[str, object]] = [
    {"protocol": 2},
    {"protocol": "1"},
    {"job": "format-disk"},
    {"home": "home/a"},
    {"home": "/home/../etc"},
    {"home": "/home//a"},
    {"home": "/home/a/"},
    {"home": 1},
    {"parts": "/"},
    {"archive": ""},
    {"compression": "xz"},
    {"user": -1},
    {"user": True},
    {"group": "1001"},
    {"group": 2**32},
    {"more": "fields"},
]


@pytest.mark.parametrize("change", changes)
def test_any_other_request_is_refused(change: dict[str, object], site: Site) -> None:
    with pytest.raises(Refused):
        parse_request(json.dumps({**site.write_request(), **change}).encode())


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b'{"protocol":1}', b" " * 5000])
def test_what_is_no_request_is_refused(text: bytes) -> None:
    with pytest.raises(Refused):
        parse_request(text)


@pytest.mark.parametrize("name", ["home", "parts", "archive", "compression", "user", "group", "job", "protocol"])
def test_a_request_without_a_field_is_refused(name: str, site: Site, valid_request: Valid) -> None:
    given = site.write_request()
    assert valid_request(given)
    del given[name]
    assert not valid_request(given)
    with pytest.raises(Refused):
        parse_request(json.dumps(given).encode())


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
