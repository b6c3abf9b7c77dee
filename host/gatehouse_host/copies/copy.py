"""Copies the newest verified backup of a site, or of the server itself, to a repository. What is sent is its archive, not compressed, so that restic sends only
what has changed since the last copy. restic encrypts it here."""
from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from typing import IO, Final

from ..durable import write_whole
from ..protocol import CopyServer, CopySite, Emit
from ..sites.expand import expanded
from ..targets import Target
from .causes import failed
from .newest import Newest, newest_of_server, newest_of_site, refused
from .restic import Repository, Sink

_PIECE: Final = 1 << 20
_STEP: Final = 10
# No domain has an underscore, so no site has this tag.
_SERVER_TAG: Final = "server_itself"


def copy_site(request: CopySite, emit: Emit) -> None:
    """As _copy does."""
    _copy(newest_of_site(request.domain), request.domain, request.target, request.result, emit)


def copy_server(request: CopyServer, emit: Emit) -> None:
    """The backup with the configuration and the databases of the server, as _copy does."""
    _copy(newest_of_server(), _SERVER_TAG, request.target, request.result, emit)


def _copy(newest: Newest, tag: str, target: Target, result: str, emit: Emit) -> None:
    """Writes `SNAPSHOT BACKUP BYTES ADDED SHA256` into the file `result`: bytes and hash of the archive, not compressed, and how many bytes the repository grew
    by. Raises Failed."""
    emit({"code": "copy-begun", "name": newest.name})
    repository = Repository(target)
    if repository.make_if_missing():
        emit({"code": "repository-made"})
    summary: dict[str, object] = {}
    size = os.stat(newest.path).st_size
    read, hashed, sent = _Progress(size, emit), hashlib.sha256(), hashlib.sha256()

    def see(piece: bytes) -> None:
        hashed.update(piece)
        read.add(len(piece))

    with repository.adding(archive_name(newest.name), ("gatehouse", tag), summary.update) as sink:
        with expanded(newest.path, newest.compression, see) as source:
            _pass(source, sink, sent.update)
        if hashed.hexdigest() != newest.hashed:
            raise refused("changed")
    snapshot, total, added = (summary.get(each) for each in ("snapshot_id", "total_bytes_processed", "data_added"))
    if not isinstance(snapshot, str) or not isinstance(total, int) or not isinstance(added, int):
        raise failed("unknown")
    write_whole(result, f"{snapshot} {newest.name} {total} {added} {sent.hexdigest()}\n")
    emit({"code": "copy-made", "name": newest.name, "snapshot": snapshot[:8], "bytes": total, "added": added})


def archive_name(backup: str) -> str:
    """The name of the archive in its snapshot, where it is not compressed."""
    return f"/{backup.rpartition('.')[0]}"


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
