"""The files of a site into an archive, in one walk: what is chosen is what is read, whatever the site's programs exchange meanwhile."""
from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .. import rooms
from ..protocol import Reason
from .left_out import LeftOut, leads_inside
from .tar import FOLDER, HARD_LINK, LINK, DiskError, TarWriter

SERVED: Final = (b"public", b"private")
# Gatehouse puts these beside the two folders for a while.
OURS: Final = (b".restoring", b".staging", b".gatehouse-app")
OURS_BEGINS: Final = b".replac"
# As long as the longest path that a program can open.
LONGEST_PATH: Final = 4000

# No program of an archive runs as its owner, and nobody else may write what is unpacked.
KEPT_MODE: Final = 0o7777 & ~(stat.S_ISUID | stat.S_ISGID | stat.S_IWOTH)


def mode_of(info: os.stat_result) -> int:
    return info.st_mode & KEPT_MODE


@dataclass
class _Level:
    room: int
    path: bytes
    entries: Iterator[os.DirEntry[str]]


class SiteFiles:
    """tar: gets the entries, below files/. home: the path by which absolute links name the site."""

    def __init__(self, tar: TarWriter, left: LeftOut, home: bytes) -> None:
        self._tar = tar
        self._left = left
        self._home = home
        self._linked: dict[tuple[int, int], bytes] = {}
        self._levels: list[_Level] = []
        self._device = -1
        self.count = 0

    def send(self, home: int) -> None:
        """home: the open folder. Raises DiskError."""
        rooms.allow_depth()
        self._device = os.fstat(home).st_dev
        try:
            for entry in rooms.list_room(home):
                self._top(home, entry)
                self._below()
        finally:
            for level in self._levels:
                os.close(level.room)

    def _top(self, home: int, entry: os.DirEntry[str]) -> None:
        name = os.fsencode(entry.name)
        if name in OURS or name.startswith(OURS_BEGINS):
            return
        if name not in SERVED:
            self._left.add(name, "beside")
        elif not entry.is_dir(follow_symlinks=False):
            self._left.add(name, "no-folder")
        else:
            self._entry(home, name, name, entry)

    def _below(self) -> None:
        while self._levels:
            level = self._levels[-1]
            try:
                is_over = self._through(level)
            except OSError as error:
                raise DiskError(error.strerror) from error
            if is_over:
                os.close(self._levels.pop().room)

    def _through(self, level: _Level) -> bool:
        """The entries of a folder, up to a folder in it, which comes first. Whether it has no more. Raises OSError if it cannot be listed."""
        room, prefix, depth = level.room, level.path + b"/", len(self._levels)
        for entry in level.entries:
            # As os.fsencode does; the program runs with UTF-8 whatever the server's language is.
            name = entry.name.encode("utf-8", "surrogateescape")
            self._entry(room, name, prefix + name, entry)
            if len(self._levels) > depth:
                return False
        return True

    def _entry(self, room: int, name: bytes, path: bytes, entry: os.DirEntry[str]) -> None:
        try:
            if entry.is_file(follow_symlinks=False) and len(path) <= LONGEST_PATH:
                fd, info = rooms.open_any(name, room)
                try:
                    reason = self._send_file(path, fd, info)
                finally:
                    os.close(fd)
            else:
                reason = self._add(room, name, path, entry)
        except OSError as error:
            if error.errno == errno.EIO:
                raise DiskError(error.strerror) from error
            # What went away meanwhile is none of the site.
            reason = None if error.errno in rooms.CHANGED else "unreadable"
        if reason is not None:
            self._left.add(path, reason)

    def _add(self, room: int, name: bytes, path: bytes, entry: os.DirEntry[str]) -> Reason | None:
        if len(path) > LONGEST_PATH:
            return "long-path"
        if entry.is_symlink():
            return self._add_link(room, name, path)
        if entry.is_dir(follow_symlinks=False):
            return self._add_folder(room, name, path)
        return "kind"

    def _add_folder(self, room: int, name: bytes, path: bytes) -> Reason | None:
        folder = rooms.open_folder(name, room)
        try:
            info = os.fstat(folder)
            self._tar.entry(b"files/" + path + b"/", FOLDER, mode_of(info), 0, int(info.st_mtime))
            self.count += 1
            # Another file system is not the site's.
            if info.st_dev != self._device:
                return None
            self._levels.append(_Level(folder, path, rooms.list_room(folder)))
            folder = -1
            return None
        finally:
            if folder >= 0:
                os.close(folder)

    def _add_link(self, room: int, name: bytes, path: bytes) -> Reason | None:
        found = rooms.read_link(name, room)
        if found is None:
            return None
        target, info = found
        if not leads_inside(path, target, self._home):
            return "leads-out"
        self._tar.entry(b"files/" + path, LINK, mode_of(info), 0, int(info.st_mtime), target)
        self.count += 1
        return None

    def _send_file(self, path: bytes, fd: int, info: os.stat_result) -> Reason | None:
        kind = info.st_mode
        if not stat.S_ISREG(kind):
            return "kind"
        self.count += 1
        name = b"files/" + path
        if info.st_nlink > 1:
            first = self._linked.setdefault((info.st_dev, info.st_ino), name)
            if first != name:
                self._tar.entry(name, HARD_LINK, kind & KEPT_MODE, 0, int(info.st_mtime), first)
                return None
        self._tar.file(name, fd, info, kind & KEPT_MODE)
        return None
