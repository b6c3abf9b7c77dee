"""Writes archives as GNU tar does, which restores of all versions read: long names, files with holes, hard links."""
from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Final

BLOCK: Final = 512
RECORD: Final = 20 * BLOCK
CHUNK: Final = 1 << 20
# As large as most files of a site are.
SMALL: Final = 1 << 16
# Beyond this, a map of holes would take more memory than the rest of the file is worth.
MOST_RANGES: Final = 200_000

FILE, HARD_LINK, LINK, FOLDER, SPARSE = b"0", b"1", b"2", b"5", b"S"
_LONG_NAME, _LONG_LINK = b"L", b"K"
_NAME_SIZE: Final = 100

Range = tuple[int, int]


def _tail(kind: bytes, link: bytes, end: bytes) -> tuple[bytes, int]:
    """What a head has after its checksum, and the sum of that."""
    tail = kind + link[:_NAME_SIZE].ljust(_NAME_SIZE, b"\0") + b"ustar  \0" + bytes(80) + end
    return tail, sum(tail)


_NO_END: Final = bytes(167)
# The same for nearly all entries.
_PLAIN_TAILS: Final = {kind: _tail(kind, b"", _NO_END) for kind in (FILE, FOLDER)}


# What the checksum itself counts as.
_SPACES: Final = 8 * 32
_SMALL_TAIL: Final = _PLAIN_TAILS[FILE][0]
_SMALL_TOTAL: Final = _PLAIN_TAILS[FILE][1] + _SPACES
# What fills the last block of a content, by how much of it is used.
_PADS: Final = tuple(bytes(-used % BLOCK) for used in range(BLOCK))


class DiskError(Exception):
    """A file's content cannot be read from the disk."""


def number(value: int, width: int) -> bytes:
    """Octal, or in GNU's binary form where that is too short or the number negative."""
    if 0 <= value < 8 ** (width - 1):
        return b"%0*o\0" % (width - 1, value)
    binary: int = 256**width + value if value < 0 else (1 << (8 * width - 1)) + value
    return binary.to_bytes(width, "big")


class OutputGone(Exception):
    """Whoever takes the archive has ended. No OSError, because it must not be taken for one of the file that is being read."""


class TarWriter:
    """put: takes all bytes that it is given. user, group: whose all entries are."""

    def __init__(self, put: Callable[[bytearray], None], user: int, group: int) -> None:
        self._put = put
        owner = number(user, 8) + number(group, 8)
        self._who = [b"%07o\0" % mode + owner for mode in range(0o10000)]
        self._waiting = bytearray()
        self._sent = 0

    def entry(self, name: bytes, kind: bytes, mode: int, size: int, mtime: int, link: bytes = b"", end: bytes = _NO_END) -> None:
        """The head of an entry. end: what its last 167 bytes are, in files with holes their map."""
        if len(link) > _NAME_SIZE:
            self._long(_LONG_LINK, link)
        if len(name) > _NAME_SIZE:
            self._long(_LONG_NAME, name)
        self._head(name, kind, self._who[mode], size, mtime, link, end)

    def _long(self, kind: bytes, text: bytes) -> None:
        self._head(b"././@LongLink", kind, b"0000644\0" + b"0000000\0" * 2, len(text) + 1, 0, b"", _NO_END)
        self.data(text + b"\0")
        self.pad(len(text) + 1)

    def _head(self, name: bytes, kind: bytes, who: bytes, size: int, mtime: int, link: bytes, end: bytes) -> None:
        if 0 <= size < 8**11 and 0 <= mtime < 8**11:
            front = b"%b%b%011o\0%011o\0" % (name[:_NAME_SIZE].ljust(_NAME_SIZE, b"\0"), who, size, mtime)
        else:
            front = name[:_NAME_SIZE].ljust(_NAME_SIZE, b"\0") + who + number(size, 12) + number(mtime, 12)
        tail, total = _PLAIN_TAILS[kind] if kind in _PLAIN_TAILS and end is _NO_END else _tail(kind, link, end)
        self.data(b"%b%06o\0 %b" % (front, sum(front) + total + _SPACES, tail))

    def data(self, content: bytes) -> None:
        self._waiting += content
        self._sent += len(content)
        if len(self._waiting) >= CHUNK:
            self.flush()

    def pad(self, size: int) -> None:
        if size % BLOCK:
            self.data(bytes(-size % BLOCK))

    def flush(self) -> None:
        if self._waiting:
            try:
                self._put(self._waiting)
            except OSError as error:
                raise OutputGone(error.strerror) from error
            self._waiting = bytearray()

    def end(self) -> int:
        """Two empty blocks, up to a whole record. Returns the size of the archive."""
        self.data(bytes(2 * BLOCK))
        self.data(bytes(-self._sent % RECORD))
        self.flush()
        return self._sent

    def file(self, name: bytes, fd: int, info: os.stat_result, mode: int) -> None:
        """Exactly as many bytes as it had at first, whatever becomes of it meanwhile. Raises DiskError."""
        # Of its time, whole seconds.
        size, mtime = info.st_size, int(info[8])
        has_holes = info.st_blocks * BLOCK < size
        if size <= SMALL and len(name) <= _NAME_SIZE and mtime >= 0 and not has_holes:
            self._small(name, fd, size, mode, mtime)
            return
        ranges = find_data(fd, size) if has_holes else None
        if ranges is None:
            self.entry(name, FILE, mode, size, mtime)
            self._copy(fd, 0, size)
            self.pad(size)
            return
        stored = sum(length for _, length in ranges)
        self.entry(name, SPARSE, mode, stored, mtime, end=_map_head(ranges, size))
        self._map_rest(ranges[4:])
        for begin, length in ranges:
            self._copy(fd, begin, length)
        self.pad(stored)

    def _small(self, name: bytes, fd: int, size: int, mode: int, mtime: int) -> None:
        """In one piece and without further calls: sites have tens of thousands of these."""
        try:
            content = os.pread(fd, size, 0) if size else b""
        except OSError as error:
            raise DiskError(error.strerror) from error
        if len(content) != size:
            # It has become shorter.
            content = content.ljust(size, b"\0")
        front = b"%b%b%011o\0%011o\0" % (name.ljust(_NAME_SIZE, b"\0"), self._who[mode], size, mtime)
        whole = b"%b%06o\0 %b%b%b" % (front, sum(front) + _SMALL_TOTAL, _SMALL_TAIL, content, _PADS[size % BLOCK])
        self._waiting += whole
        self._sent += len(whole)
        if len(self._waiting) >= CHUNK:
            self.flush()

    def _map_rest(self, ranges: list[Range]) -> None:
        for at in range(0, len(ranges), 21):
            more = at + 21 < len(ranges)
            self.data(_pairs(ranges[at : at + 21]).ljust(504, b"\0") + (b"\1" if more else b"\0") + bytes(7))

    def _copy(self, fd: int, begin: int, length: int) -> None:
        end = begin + length
        while begin < end:
            try:
                content = os.pread(fd, min(end - begin, CHUNK), begin)
            except OSError as error:
                raise DiskError(error.strerror) from error
            # It has become shorter.
            if not content:
                content = bytes(min(end - begin, CHUNK))
            self.data(content)
            begin += len(content)


def find_data(fd: int, size: int) -> list[Range] | None:
    """Where a file has data, ending with its size; None if it has no holes, or its file system does not say."""
    ranges: list[Range] = []
    at = 0
    try:
        while at < size:
            begin = os.lseek(fd, at, os.SEEK_DATA)
            at = min(os.lseek(fd, begin, os.SEEK_HOLE), size) if len(ranges) < MOST_RANGES else size
            if begin < at:
                ranges.append((begin, at - begin))
            elif begin >= size:
                break
    except OSError as error:
        # No data is left.
        if error.errno != errno.ENXIO:
            return None
    if ranges == [(0, size)]:
        return None
    if not ranges or sum(ranges[-1]) < size:
        ranges.append((size, 0))
    return ranges


def _pairs(ranges: list[Range]) -> bytes:
    return b"".join(number(begin, 12) + number(length, 12) for begin, length in ranges)


def _map_head(ranges: list[Range], size: int) -> bytes:
    # After the names of owners, devices and 41 bytes that are not used here.
    return bytes(41) + _pairs(ranges[:4]).ljust(96, b"\0") + (b"\1" if len(ranges) > 4 else b"\0") + number(size, 12) + bytes(17)
