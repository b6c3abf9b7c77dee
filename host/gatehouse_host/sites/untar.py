"""Reads archives in the formats of GNU tar, entry by entry, in one pass: its own, with long names and files with holes; and those of POSIX, without holes."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Final

from .tar import BLOCK, FILE, HARD_LINK, SPARSE, Range

_LONGEST_NAME: Final = 1 << 16
_LONGEST_RECORDS: Final = 1 << 20
_MOST_RANGES: Final = 2_000_000
_PIECE: Final = 1 << 18
_LONG_NAME, _LONG_LINK, _OLD_FILE = b"L", b"K", b"\0"
_RECORDS, _RECORDS_OF_ALL = b"x", b"g"
_ABOUT_NEXT: Final = (_LONG_NAME, _LONG_LINK, _RECORDS, _RECORDS_OF_ALL)
_EMPTY: Final = bytes(BLOCK)


class Broken(Exception):
    """This is no such archive, or it is cut."""


@dataclass
class Entry:
    """size: the bytes that are stored, of a file with holes without these. ranges: where these bytes are in such a file; real: its size. mtime: in seconds."""

    name: bytes
    kind: bytes
    mode: int
    user: int
    group: int
    size: int
    mtime: int
    link: bytes
    ranges: list[Range] | None = None
    real: int = 0


class TarReader:
    """entries: one after the other; what content() has not read of one is skipped. Raises Broken."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._left = self._pad = 0

    def entries(self) -> Iterator[Entry]:
        said: dict[bytes, bytes] = {}
        while (head := self._exactly(BLOCK)) != _EMPTY:
            entry = _parse(head)
            if entry.kind in _ABOUT_NEXT:
                self._begin(entry.size)
                said |= self._about_next(entry)
                continue
            _apply(entry, said)
            said = {}
            self._begin(entry.size)
            if entry.kind == SPARSE:
                self._read_map(entry, head)
            yield entry
            self._skip()
        if said:
            raise Broken
        self._end()

    def content(self) -> Iterator[bytes]:
        """Of the entry that came last."""
        while self._left:
            piece = self._exactly(min(self._left, _PIECE))
            self._left -= len(piece)
            yield piece

    def _begin(self, size: int) -> None:
        self._left, self._pad = size, -size % BLOCK

    def _about_next(self, entry: Entry) -> dict[bytes, bytes]:
        is_name = entry.kind in (_LONG_NAME, _LONG_LINK)
        if entry.size > (_LONGEST_NAME if is_name else _LONGEST_RECORDS):
            raise Broken
        text = b"".join(self.content())
        self._skip()
        if is_name:
            return {b"path" if entry.kind == _LONG_NAME else b"linkpath": text.rstrip(b"\0")}
        records = _records(text)
        # Nobody but who archives a version of a program says anything of all entries, and that is a comment.
        if entry.kind == _RECORDS_OF_ALL and set(records) - {b"comment"}:
            raise Broken
        return records if entry.kind == _RECORDS else {}

    def _skip(self) -> None:
        if self._left or self._pad:
            for _ in self.content():
                pass
            self._exactly(self._pad)
            self._pad = 0

    def _read_map(self, entry: Entry, head: bytes) -> None:
        ranges, more = _pairs(head[386:482]), head[482]
        while more:
            block = self._exactly(BLOCK)
            ranges += _pairs(block[:504])
            more = block[504]
            if len(ranges) > _MOST_RANGES:
                raise Broken
        entry.real = _number(head[483:495])
        at = 0
        for begin, length in ranges:
            if begin < at or length < 0:
                raise Broken
            at = begin + length
        if at > entry.real or sum(length for _, length in ranges) != entry.size:
            raise Broken
        entry.ranges = ranges

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
    name, link = _text(head[:100]), _text(head[157:257])
    # What GNU's own format has there is something else.
    if head[257:263] == b"ustar\0" and head[345]:
        name = _text(head[345:500]) + b"/" + name
    size = 0 if kind == HARD_LINK else _number(head[124:136])
    if size < 0:
        raise Broken
    mode, user, group, mtime = (_number(head[begin:end]) for begin, end in ((100, 108), (108, 116), (116, 124), (136, 148)))
    return Entry(name, kind, mode & 0o7777, user, group, size, mtime, link)


def _apply(entry: Entry, said: dict[bytes, bytes]) -> None:
    """What came before it is said of it."""
    if not said:
        return
    # Of such files, the name and the size in their heads are others.
    if any(key.startswith(b"GNU.sparse.") for key in said):
        raise Broken
    entry.name = said.get(b"path", entry.name)
    entry.link = said.get(b"linkpath", entry.link)
    entry.user = _decimal(said, b"uid", entry.user)
    entry.group = _decimal(said, b"gid", entry.group)
    entry.mtime = _decimal(said, b"mtime", entry.mtime)
    if entry.kind != HARD_LINK:
        entry.size = _decimal(said, b"size", entry.size)
    if entry.size < 0 or b"\0" in entry.name or b"\0" in entry.link:
        raise Broken


def _records(text: bytes) -> dict[bytes, bytes]:
    """Each is its length, a space, a key, an equals sign, a value and a line break."""
    found: dict[bytes, bytes] = {}
    at = 0
    while at < len(text):
        digits, _, _ = text[at : at + 8].partition(b" ")
        if not digits.isdigit():
            raise Broken
        record = text[at + len(digits) + 1 : at + int(digits)]
        key, equals, value = record[:-1].partition(b"=")
        if not equals or not record.endswith(b"\n") or at + int(digits) > len(text):
            raise Broken
        found[key] = value
        at += int(digits)
    return found


def _decimal(said: dict[bytes, bytes], key: bytes, otherwise: int) -> int:
    """Without what is behind the point, which times have."""
    if key not in said:
        return otherwise
    try:
        return int(said[key].partition(b".")[0])
    except ValueError:
        raise Broken from None


def _text(field: bytes) -> bytes:
    return field.split(b"\0", 1)[0]


def _pairs(field: bytes) -> list[Range]:
    """Unused ones are empty."""
    found = (field[at : at + 24] for at in range(0, len(field), 24))
    return [(_number(each[:12]), _number(each[12:])) for each in found if each[0] or each[12]]


def _number(field: bytes) -> int:
    if field[0] & 0x80:
        whole = int.from_bytes(field, "big")
        return whole - (1 << (8 * len(field) - 1)) if field[0] == 0x80 else whole - (1 << (8 * len(field)))
    try:
        return int(field.split(b"\0", 1)[0].strip(b" ") or b"0", 8)
    except ValueError:
        raise Broken from None
