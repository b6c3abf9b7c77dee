"""Reads archives in GNU tar's format, entry by entry, in one pass."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Final

from .tar import BLOCK, FILE, SPARSE

_LONGEST_NAME: Final = 1 << 16
_PIECE: Final = 1 << 18
_LONG_NAME, _LONG_LINK, _OLD_FILE = b"L", b"K", b"\0"
_EMPTY: Final = bytes(BLOCK)


class Broken(Exception):
    """This is no such archive, or it is cut."""


@dataclass
class Entry:
    """size: the bytes that are stored, of a file with holes without these."""

    name: bytes
    kind: bytes
    mode: int
    user: int
    group: int
    size: int
    link: bytes


class TarReader:
    """entries: one after the other; what content() has not read of one is skipped. Raises Broken."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._left = self._pad = 0

    def entries(self) -> Iterator[Entry]:
        name = link = None
        while (head := self._exactly(BLOCK)) != _EMPTY:
            entry = _parse(head)
            self._left, self._pad = entry.size, -entry.size % BLOCK
            if entry.kind in (_LONG_NAME, _LONG_LINK):
                if entry.size > _LONGEST_NAME:
                    raise Broken
                text = b"".join(self.content()).rstrip(b"\0")
                name, link = (text, link) if entry.kind == _LONG_NAME else (name, text)
                self._skip()
                continue
            if entry.kind == SPARSE:
                self._skip_maps(head)
            entry.name, entry.link = entry.name if name is None else name, entry.link if link is None else link
            name = link = None
            yield entry
            self._skip()
        self._end()

    def content(self) -> Iterator[bytes]:
        """Of the entry that came last."""
        while self._left:
            piece = self._exactly(min(self._left, _PIECE))
            self._left -= len(piece)
            yield piece

    def _skip(self) -> None:
        if self._left or self._pad:
            for _ in self.content():
                pass
            self._exactly(self._pad)
            self._pad = 0

    def _skip_maps(self, head: bytes) -> None:
        more = head[482]
        while more:
            more = self._exactly(BLOCK)[504]

    def _end(self) -> None:
        """A second empty block, and nothing else up to the end of the record."""
        rest = self._source.read(_PIECE)
        if len(rest) < BLOCK or rest.count(0) != len(rest) or self._source.read(1):
            raise Broken

    def _exactly(self, size: int) -> bytes:
        content = self._source.read(size)
        if len(content) != size:
            raise Broken
        return content


def _parse(head: bytes) -> Entry:
    if _number(head[148:156]) != sum(head) - sum(head[148:156]) + 8 * 32:
        raise Broken
    kind = FILE if head[156:157] == _OLD_FILE else head[156:157]
    name, link = head[:100].split(b"\0", 1)[0], head[157:257].split(b"\0", 1)[0]
    return Entry(name, kind, _number(head[100:108]), _number(head[108:116]), _number(head[116:124]), _number(head[124:136]), link)


def _number(field: bytes) -> int:
    if field[0] & 0x80:
        return int.from_bytes(field, "big") - (1 << (8 * len(field) - 1)) if field[0] == 0x80 else -1
    try:
        return int(field.rstrip(b"\0 ") or b"0", 8)
    except ValueError:
        raise Broken from None
