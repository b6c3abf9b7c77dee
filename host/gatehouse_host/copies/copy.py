"""Copies the newest verified backup of a site to a repository. What is sent is its archive, not compressed, so that restic sends only what has changed since
the last copy. restic encrypts it here."""
from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from typing import IO, Final, Literal

from .. import places
from ..durable import write_whole
from ..protocol import CopySite, Emit
from ..sites import kept
from ..sites.expand import expanded
from ..sites.wanted import Wanted
from ..system import Failed
from .causes import failed
from .restic import Repository, Sink

_PIECE: Final = 1 << 20
_STEP: Final = 10


def copy_site(request: CopySite, emit: Emit) -> None:
    """Writes `SNAPSHOT BACKUP BYTES ADDED SHA256` into the file `result`: bytes and hash of the archive, not compressed, and how many bytes the repository grew
    by. Raises Failed."""
    wanted = newest(request.domain)
    emit({"code": "copy-begun", "name": wanted.name})
    repository = Repository(request.target)
    if repository.make_if_missing():
        emit({"code": "repository-made"})
    summary: dict[str, object] = {}
    size = os.stat(wanted.path).st_size
    read, hashed, sent = _Progress(size, emit), hashlib.sha256(), hashlib.sha256()

    def see(piece: bytes) -> None:
        hashed.update(piece)
        read.add(len(piece))

    tags = ("gatehouse", request.domain)
    with repository.adding(archive_name(wanted.name), tags, summary.update) as sink:
        with expanded(wanted.path, wanted.compression, see) as source:
            _pass(source, sink, sent.update)
        if hashed.hexdigest() != wanted.noted_hash():
            raise refused("changed")
    snapshot, total, added = (summary.get(each) for each in ("snapshot_id", "total_bytes_processed", "data_added"))
    if not isinstance(snapshot, str) or not isinstance(total, int) or not isinstance(added, int):
        raise failed("unknown")
    write_whole(request.result, f"{snapshot} {wanted.name} {total} {added} {sent.hexdigest()}\n")
    emit({"code": "copy-made", "name": wanted.name, "snapshot": snapshot[:8], "bytes": total, "added": added})


def newest(domain: str) -> Wanted:
    """The newest backup, if it was verified and has not changed since. Raises Failed, a refusal."""
    found = [name for name in _names() if (parts := kept.parts_of(name)) and parts[0] == domain]
    if not found:
        raise refused("none")
    proven = [name for name in found if _is_proven(name)]
    if not proven:
        raise refused("unverified")
    return Wanted(max(proven, key=lambda name: (kept.parts_of(name) or ("", "", ""))[1]))


def archive_name(backup: str) -> str:
    """The name of the archive in its snapshot, where it is not compressed."""
    return f"/{backup.rpartition('.')[0]}"


def refused(why: Literal["none", "unverified", "changed"]) -> Failed:
    return Failed({"code": "copy-refused", "why": why}, 3)


def _names() -> list[str]:
    if not os.path.isdir(places.backups()):
        return []
    return [entry.name for entry in os.scandir(places.backups()) if entry.is_file(follow_symlinks=False)]


def _is_proven(name: str) -> bool:
    try:
        note, archive = os.lstat(f"{places.backups()}/.{name}.proven"), os.lstat(f"{places.backups()}/{name}")
    except FileNotFoundError:
        return False
    return stat.S_ISREG(note.st_mode) and note.st_mtime_ns == archive.st_mtime_ns


def _pass(source: IO[bytes], sink: Sink, see: Callable[[bytes], object]) -> None:
    while piece := source.read(_PIECE):
        see(piece)
        sink.write(piece)


class _Progress:
    """Reports each tenth of the archive that was read."""

    def __init__(self, size: int, emit: Emit) -> None:
        self._size, self._emit, self._read, self._said = max(size, 1), emit, 0, 0

    def add(self, count: int) -> None:
        self._read += count
        percent = min(100, self._read * 100 // self._size)
        if percent >= self._said + _STEP:
            self._said = percent - percent % _STEP
            self._emit({"code": "copy-progress", "percent": self._said})
