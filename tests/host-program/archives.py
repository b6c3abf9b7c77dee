"""Backups as archives, by GNU tar or bit by bit, in a server that pretends."""
from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from gatehouse_host import places
from gatehouse_host.protocol import Event
from gatehouse_host.sites.unpack import Target
from gatehouse_host.sites.wanted import Wanted, check
from pretended import Server

NAME = "one.test-20261128-010203-manual.tar.gz"
MANIFEST = "format 2\nid a-1\nname former\ndatabase yes\nuser 1000\ngroup 1000\nweb 33\n"
DUMP = "CREATE TABLE `t` (\n  a INT\n);\n-- Dump completed\n"


@dataclass
class Backup:
    """work: what tar archives. events: what checking it said."""

    work: Path
    events: list[Event] = field(default_factory=list)

    @classmethod
    def begin(cls, work: Path) -> Backup:
        (work / "files/public").mkdir(parents=True)
        (work / "files/private").mkdir()
        (work / "files/public/page").write_text("page\n")
        (work / "manifest").write_text(MANIFEST)
        (work / "database.sql").write_text(DUMP)
        Path(places.backups()).mkdir(parents=True, exist_ok=True)
        return cls(work)

    @property
    def path(self) -> Path:
        return Path(places.backups()) / NAME

    def tar(self, options: str = "manifest database.sql files/public files/private", form: str = "gnu") -> bytes:
        command = f"tar --format={form} --sort=name --numeric-owner --owner=1000 --group=33 -P -cf - {options}"
        return subprocess.run(["bash", "-c", command], cwd=self.work, capture_output=True, check=True).stdout

    def keep(self, archive: bytes) -> None:
        self.path.write_bytes(subprocess.run(["gzip", "-c"], input=archive, capture_output=True, check=True).stdout)

    def note_hash(self) -> None:
        (self.path.parent / f".{NAME}.proven").write_text(f"{hashlib.sha256(self.path.read_bytes()).hexdigest()}  {NAME}\n")

    def check(self, home: str = "/home/one") -> object:
        return check(Wanted(NAME), home, self.events.append)


def state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Each path below it with its mode, time and content or target."""
    found: dict[str, tuple[int, int, bytes]] = {}
    for path in sorted(folder.rglob("*")):
        info = path.lstat()
        content = os.readlink(path).encode() if path.is_symlink() else b"" if path.is_dir() else path.read_bytes()
        found[str(path.relative_to(folder))] = (info.st_mode, int(info.st_mtime), content)
    return found


@pytest.fixture
def backup(server: Server, tmp_path: Path) -> Backup:
    return Backup.begin(tmp_path / "work")


@pytest.fixture
def target(tmp_path: Path) -> Target:
    home = tmp_path / "home/one"
    home.mkdir(parents=True)
    home.chmod(0o751)
    return Target(str(home), str(home / ".restoring"), os.getuid(), os.getgid(), "former")
