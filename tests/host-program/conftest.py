"""A site in a folder, and the program as it is run on servers, without what confines it there."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(__file__).parents[2] / "host"
sys.path.insert(0, str(PROGRAM))
sys.dont_write_bytecode = True

from jsonschema import Draft7Validator  # noqa: E402
from pretended import server  # noqa: E402, F401

Event = dict[str, Any]
PYTHON = (sys.executable, "-I", "-S", "-B", "-X", "utf8")
WRITER = Path(__file__).parent / "write_archive.py"

schema = json.loads((PROGRAM / "protocol.schema.json").read_text())


def _validator(part: str) -> Callable[[object], bool]:
    validator = Draft7Validator({**schema, "$ref": f"#/definitions/{part}"})
    return lambda instance: bool(validator.is_valid(instance))


@pytest.fixture
def valid_request() -> Callable[[object], bool]:
    return _validator("request")


@pytest.fixture
def valid_event() -> Callable[[object], bool]:
    return _validator("event")


@dataclass
class Site:
    folder: Path
    home: Path = field(init=False)
    parts: Path = field(init=False)
    archive: Path = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.folder / "home"
        self.parts = self.folder / "site"
        self.archive = self.folder / "archive"
        for each in (self.home / "public", self.home / "private", self.parts):
            each.mkdir(parents=True)
        (self.parts / "manifest").write_text("format 2\n")

    def read_request(self) -> dict[str, object]:
        return {"protocol": 1, "job": "read-site", "home": str(self.home), "parts": str(self.parts), "user": 1234, "group": 2345}

    def write_request(self) -> dict[str, object]:
        """For the part of a backup that writes its archive."""
        fields = {name: value for name, value in self.read_request().items() if name not in ("protocol", "job")}
        return {**fields, "archive": str(self.archive), "compression": "gz"}

    def read(self) -> tuple[bytes, list[Event]]:
        """The archive and the events of the confined part."""
        archive, said = start(self.read_request()).communicate()
        return archive, events_of(said)

    def listed(self) -> list[str]:
        """What GNU tar lists, as path and, of links, target."""
        archive, _ = self.read()
        listing = subprocess.run(["tar", "--quoting-style=literal", "-tf", "-"], input=archive, capture_output=True, check=True)
        return listing.stdout.decode().splitlines()

    def unpack(self) -> Path:
        archive, _ = self.read()
        to = self.folder / "unpacked"
        to.mkdir()
        subprocess.run(["tar", "-xpf", "-", "-C", str(to)], input=archive, check=True)
        return to


def start(request: dict[str, object], environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    command = [*PYTHON, str(PROGRAM if "job" in request else WRITER)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert child.stdin
    child.stdin.write(json.dumps(request).encode())
    child.stdin.flush()
    child.stdin.close()
    child.stdin = None
    return child


def events_of(lines: bytes) -> list[Event]:
    return [json.loads(line) for line in lines.splitlines()]


@pytest.fixture(autouse=True)
def same_umask() -> Iterator[None]:
    """Work that is done within the process of the tests changes it."""
    former = os.umask(0o022)
    yield
    os.umask(former)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    yield Site(tmp_path)


@pytest.fixture
def without_confinement(tmp_path: Path) -> dict[str, str]:
    """The environment in which `systemd-run` only runs its command: there is no systemd where tests run."""
    programs = tmp_path / "programs"
    programs.mkdir()
    script = programs / "systemd-run"
    script.write_text('#!/bin/bash\nwhile [[ $1 != /* ]]; do shift; done\nexec "$@"\n')
    script.chmod(0o755)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
