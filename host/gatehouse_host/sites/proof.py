"""Reads an archive back that was just written: to its end, which compares its checksums, entry by entry, while its dump is loaded into a database beside the
live one. What is read is what is hashed."""
from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Final

from .. import database, scratch
from ..protocol import Compression
from ..system import Failed
from .archive import widen
from .check import Checker
from .room import SPARE, free_bytes
from .untar import Broken, TarReader

EXPANDERS: Final[Mapping[str, Sequence[str]]] = {"zst": ("zstd", "-q", "-dc"), "gz": ("gzip", "-dc")}
_PIECE: Final = 1 << 20
_DUMP: Final = b"database.sql"


@dataclass(frozen=True)
class Expected:
    """parts: the sizes of what is beside the files, by path. files: how many entries these have. name: of the site."""

    name: str
    parts: Mapping[bytes, int]
    files: int


def prove(archive: str, compression: Compression, checker: Checker, expected: Expected, *, load: bool = True) -> str:
    """Its hash, in hexadecimal. load: whether its dump is loaded. Raises Failed."""
    with ExitStack() as stack:
        loader = None
        hashed = hashlib.sha256()
        with expanded(archive, compression, hashed) as source:
            reader = TarReader(source)
            try:
                for entry in reader.entries():
                    checker.take(entry)
                    if load and entry.name == _DUMP:
                        _require_room(entry.size)
                        loader = stack.enter_context(scratch.loading(expected.name))
                        for piece in reader.content():
                            loader.feed(piece)
                        loader.close()
            except Broken:
                raise Failed({"code": "not-read-back"}) from None
        if checker.parts != expected.parts or checker.files != expected.files:
            raise Failed({"code": "not-read-back"})
        if loader is not None:
            scratch.require_tables(expected.name, loader.finish())
    return hashed.hexdigest()


def _require_room(dump: int) -> None:
    if dump + SPARE >= free_bytes(database.folder()):
        raise Failed({"code": "no-room-to-load"})


@contextlib.contextmanager
def expanded(archive: str, compression: Compression, hashed: hashlib._Hash) -> Iterator[IO[bytes]]:
    """What is in it. hashed: gets what is read. Raises Failed after the block, if it could not be read whole."""
    errors: list[OSError] = []
    with subprocess.Popen(EXPANDERS[compression], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=_PIECE) as expander:
        assert expander.stdin and expander.stdout
        widen(expander.stdout)
        feeder = threading.Thread(target=_feed, args=(archive, expander.stdin, hashed, errors), daemon=True)
        feeder.start()
        try:
            yield expander.stdout
        except BaseException:
            expander.kill()
            feeder.join()
            raise
        feeder.join()
    if errors or expander.returncode != 0:
        raise Failed({"code": "not-read-back"})


def _feed(archive: str, to: IO[bytes], hashed: hashlib._Hash, errors: list[OSError]) -> None:
    fd = os.open(archive, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        while piece := os.read(fd, _PIECE):
            hashed.update(piece)
            to.write(piece)
    except OSError as error:
        errors.append(error)
    finally:
        os.close(fd)
        with contextlib.suppress(OSError):
            to.close()
