"""Reads an archive back that was just written: to its end, which compares its checksums, entry by entry, while its dump is loaded into a database beside the
live one. What is read is what is hashed."""
from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from .. import database, scratch
from ..protocol import Compression
from ..system import Failed
from .check import Checker
from .expand import expanded
from .room import SPARE, free_bytes
from .untar import Broken, TarReader

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
        with expanded(archive, compression, hashed.update) as source:
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
