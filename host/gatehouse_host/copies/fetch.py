"""Brings a backup back from a repository: compressed again, it is one of the backups of the server, with its former name. restic compares what it reads with
hashes that are encrypted with it, and this program the whole with what was sent, so nothing else becomes a backup."""
from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from typing import IO, Final, cast

from .. import places
from ..durable import sync
from ..protocol import Compression, Emit, FetchCopy
from ..sites import kept
from ..sites.archive import COMPRESSORS
from ..sites.room import SPARE, free_bytes
from ..sites.wanted import no_backup
from ..system import Failed, program_failed
from .copy import archive_name
from .restic import Repository

_PIECE: Final = 1 << 20
_BETWEEN: Final = 64 << 20
# By how much the clocks of two servers may differ.
_AHEAD: Final = 24 * 3600


def fetch_copy(request: FetchCopy, emit: Emit) -> None:
    """One of that name that is there is replaced. Raises Failed or OSError, with leftovers that a take-back removes."""
    parts = kept.parts_of(request.backup)
    if not parts or parts[0] != request.domain:
        raise Failed({"code": "fetch-refused", "why": "other-site"}, 3)
    # As the newest one it would be copied in place of all that are made later.
    if parts[1] > time.strftime("%Y%m%d-%H%M%S", time.gmtime(time.time() + _AHEAD)):
        raise Failed({"code": "fetch-refused", "why": "future"}, 3)
    os.umask(0o077)
    os.makedirs(places.backups(), mode=0o700, exist_ok=True)
    compression = cast(Compression, request.backup.rpartition(".")[2])
    if shutil.which(COMPRESSORS[compression][0]) is None:
        raise no_backup("no-zstd")
    emit({"code": "fetch-begun", "name": request.backup, "snapshot": request.snapshot[:8]})
    part = f"{places.backups()}/.fetched-{request.name}"
    if os.path.lexists(part):
        os.unlink(part)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "wb") as archive:
        count = _write(request, compression, archive)
    if count == 0:
        raise no_backup("damaged")
    _keep(part, request.backup)
    emit({"code": "fetched", "name": request.backup, "bytes": count})


def _write(request: FetchCopy, compression: Compression, archive: IO[bytes]) -> int:
    """How many bytes it has, not compressed."""
    command = COMPRESSORS[compression]
    count, checked, hashed = 0, 0, hashlib.sha256()
    with (
        Repository(request.target).reading(request.snapshot, archive_name(request.backup)) as source,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=archive, stderr=subprocess.DEVNULL) as compressor,
    ):
        assert compressor.stdin
        while piece := source.read(_PIECE):
            if count >= checked:
                checked = count + _BETWEEN
                _require_room()
            hashed.update(piece)
            compressor.stdin.write(piece)
            count += len(piece)
        compressor.stdin.close()
        if (code := compressor.wait()) != 0:
            raise program_failed(command[0], code, b"")
    if request.sha256 not in ("", hashed.hexdigest()):
        raise Failed({"code": "fetch-refused", "why": "other-content"}, 3)
    return count


def _require_room() -> None:
    if free_bytes(places.backups()) < SPARE:
        raise Failed({"code": "disk-full"}, 28)


def _keep(part: str, name: str) -> None:
    """With its hash: it was verified when it was made, and is what was copied then. Whatever fails here, one of the two is there."""
    hashed = kept.hash_of(part)
    sync(part)
    note = f"{places.backups()}/.{name}.proven"
    # What has none is not taken for verified.
    if os.path.lexists(note):
        os.unlink(note)
    os.rename(part, f"{places.backups()}/{name}")
    kept.note_hash(note, f"{places.backups()}/{name}", hashed, name)
    sync(places.backups())
