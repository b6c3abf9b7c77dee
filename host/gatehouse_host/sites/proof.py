"""Reads an archive back that was just written, or that was copied: to its end, which compares its checksums, entry by entry, while its dump is loaded into a
database beside the live one. What is read is what is hashed."""
from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Final

from .. import database, scratch
from ..protocol import Compression
from ..system import Failed
from .check import Checker
from .expand import expanded
from .room import SPARE, free_bytes
from .untar import Broken, Entry, TarReader

_DUMP: Final = b"database.sql"


@dataclass(frozen=True)
class Expected:
    """parts: the sizes of what is beside the files, by path. files: how many entries these have. name: of the site."""

    name: str
    parts: Mapping[bytes, int]
    files: int


class Reading:
    """read: an archive that is not compressed, to its end; take gets each entry in its order. Raises Broken or Failed. finish: waits for its dump, and raises
    Failed if that has not loaded. name: of the site whose scratch database takes the dump, until the stack ends."""

    def __init__(self, name: str, stack: ExitStack, *, load: bool = True) -> None:
        self._name, self._stack, self._load = name, stack, load
        self._loader: scratch.Loading | None = None

    def read(self, source: IO[bytes], take: Callable[[Entry, TarReader], object]) -> None:
        reader = TarReader(source)
        for entry in reader.entries():
            take(entry, reader)
            if self._load and entry.name == _DUMP:
                self._feed(entry, reader)

    def _feed(self, entry: Entry, reader: TarReader) -> None:
        _require_room(entry.size)
        self._loader = self._stack.enter_context(scratch.loading(self._name))
        for piece in reader.content():
            self._loader.feed(piece)
        self._loader.close()

    def finish(self) -> None:
        if self._loader is not None:
            scratch.require_tables(self._name, self._loader.finish())


def prove(archive: str, compression: Compression, checker: Checker, expected: Expected, *, load: bool = True) -> str:
    """Its hash, in hexadecimal. load: whether its dump is loaded. Raises Failed."""
    with ExitStack() as stack:
        reading = Reading(expected.name, stack, load=load)
        hashed = hashlib.sha256()
        with expanded(archive, compression, hashed.update) as source:
            try:
                reading.read(source, lambda entry, _: checker.take(entry))
            except Broken:
                raise Failed({"code": "not-read-back"}) from None
        if checker.parts != expected.parts or checker.files != expected.files:
            raise Failed({"code": "not-read-back"})
        reading.finish()
    return hashed.hexdigest()


def _require_room(dump: int) -> None:
    if dump + SPARE >= free_bytes(database.folder()):
        raise Failed({"code": "no-room-to-load"})
