"""Unpacks a backup into a folder that only root can enter, until it is exchanged for the live site. Each name is made in a folder that is open already, and nothing
is written through a link. All is the site's then, whoever the archive says it belongs to, and nobody else may write it."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..rooms import allow_depth, find, open_folder, opened
from ..system import run, write_all
from .expand import expanded
from .swap import require_own_home
from .tar import FOLDER, HARD_LINK, LINK
from .untar import Broken, Entry, TarReader
from .wanted import Wanted, checker_of, no_backup

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Rights that no file of a site is given: to run as its owner or group, and to be written by everybody.
_NEVER: Final = 0o7002
# Times outside of this, some 500 years, no file system keeps.
_FARTHEST: Final = 1 << 34
# As a new site has them.
_TWO: Final = {b"files/public": 0o750, b"files/private": 0o700}
_SESSIONS: Final = b"files/private/sessions"
SLOW: Final = 3600
_TRIES: Final = 50


@dataclass(frozen=True)
class Target:
    """A site and the folder beside its files. former: how it was called in the backup; links that name its folder then name the one of now."""

    home: str
    folder: str
    user: int
    group: int
    former: str


def unpack(wanted: Wanted, target: Target) -> None:
    """What an earlier restore has left in the folder goes. It is on the disk afterwards. Raises Failed or OSError."""
    allow_depth()
    name = os.path.basename(target.folder)
    with opened(target.home) as home:
        require_own_home(home)
        remove(target.folder)
        os.mkdir(name, 0o700, dir_fd=home)
        room = open_folder(os.fsencode(name), home)
    try:
        _fill(wanted, target, room)
    finally:
        os.close(room)
    run(["sync", "-f", "--", target.folder], seconds=SLOW)


def remove(folder: str) -> None:
    """By a program: Python's own cannot enter folders as deep as a site can make them. Programs of the site that are still in there can only delay it.
    Raises Failed."""
    command = ["rm", "-rf", "--one-file-system", "--", folder]
    for _ in range(_TRIES - 1):
        if run(command, seconds=SLOW, check=False).code == 0:
            return
    run(command, seconds=SLOW)


def _fill(wanted: Wanted, target: Target, room: int) -> None:
    # It was checked before; what is unpacked is checked again.
    checker = checker_of(wanted.manifest(), target.home)
    unpacker = Unpacker(target, room)
    try:
        with expanded(wanted.path, wanted.compression) as source:
            reader = TarReader(source)
            for entry in reader.entries():
                name = checker.take(entry)
                if name is not None:
                    unpacker.take(entry, name, reader.content())
    except (Broken, FileExistsError, NotADirectoryError):
        # The last two: a file is also the folder of others.
        raise no_backup("damaged") from None
    finally:
        unpacker.close()
    unpacker.finish()


class Unpacker:
    """take: each entry, by the path that it has been checked to have. finish: gives folders their rights and times, which must wait until they are filled."""

    def __init__(self, target: Target, room: int) -> None:
        self._target = target
        self._open = [(b"", room)]
        self._folders: dict[bytes, tuple[int, int | None]] = {}
        os.mkdir("files", 0o700, dir_fd=room)

    def take(self, entry: Entry, name: bytes, content: Iterable[bytes]) -> None:
        above, _, last = name.rpartition(b"/")
        room = self._enter(above)
        if entry.kind == FOLDER:
            self._make_folder(name, last, room, entry)
        elif entry.kind == LINK:
            os.symlink(self._renamed(entry.link), last, dir_fd=room)
            os.chown(last, self._target.user, self._target.group, dir_fd=room, follow_symlinks=False)
            os.utime(last, ns=_times(entry.mtime), dir_fd=room, follow_symlinks=False)
        elif entry.kind == HARD_LINK:
            self._link(entry.link, last, room)
        else:
            self._make_file(name, last, room, entry, content)

    def close(self) -> None:
        self._leave(1)

    def finish(self) -> None:
        """The deepest first, because rights and times of those above would change, or forbid it."""
        for name in (*_TWO, _SESSIONS):
            above, _, last = name.rpartition(b"/")
            room = self._enter(above)
            if find(os.fsdecode(last), room) is None:
                os.mkdir(last, 0o700, dir_fd=room)
                self._folders[name] = (0o700, None)
        for name, mode in _TWO.items():
            self._folders[name] = (mode, self._folders[name][1])
        for name in sorted(self._folders, reverse=True):
            mode, mtime = self._folders[name]
            room = self._enter(name)
            self._own(room, mode)
            if mtime is not None:
                os.utime(room, ns=_times(mtime))
        self.close()

    def _make_folder(self, name: bytes, last: bytes, room: int, entry: Entry) -> None:
        # Only one that had to be made for what came before it, because no path is twice in an archive.
        with contextlib.suppress(FileExistsError):
            os.mkdir(last, 0o700, dir_fd=room)
        if name.startswith(b"files/"):
            self._folders[name] = (entry.mode, entry.mtime)

    def _make_file(self, name: bytes, last: bytes, room: int, entry: Entry, content: Iterable[bytes]) -> None:
        fd = os.open(last, _NEW, 0o600, dir_fd=room)
        try:
            if entry.ranges is None:
                for piece in content:
                    write_all(fd, piece)
            else:
                _write_ranges(fd, entry, content)
            # The other parts stay root's.
            if name.startswith(b"files/"):
                self._own(fd, entry.mode)
                os.utime(fd, ns=_times(entry.mtime))
        finally:
            os.close(fd)

    def _own(self, fd: int, mode: int) -> None:
        os.fchown(fd, self._target.user, self._target.group)
        os.fchmod(fd, mode & ~_NEVER)

    def _link(self, other: bytes, last: bytes, room: int) -> None:
        """To a file that was unpacked before."""
        above, _, name = other.rpartition(b"/")
        room = os.dup(room)
        try:
            os.link(name, last, src_dir_fd=self._enter(above), dst_dir_fd=room, follow_symlinks=False)
        finally:
            os.close(room)

    def _renamed(self, link: bytes) -> bytes:
        former, home = f"/home/{self._target.former}".encode(), os.fsencode(self._target.home)
        is_of_former = self._target.former and (link == former or link.startswith(former + b"/"))
        return home + link[len(former) :] if is_of_former else link

    def _enter(self, path: bytes) -> int:
        """The folder, each part opened in the one above it. What follows in an archive is mostly in the same one."""
        parts = path.split(b"/") if path else []
        same = 0
        while same < len(parts) and same + 1 < len(self._open) and self._open[same + 1][0] == parts[same]:
            same += 1
        self._leave(same + 1)
        for at, part in enumerate(parts[same:], same + 1):
            room = self._open[-1][1]
            try:
                fd = open_folder(part, room)
            except FileNotFoundError:
                os.mkdir(part, 0o700, dir_fd=room)
                fd = open_folder(part, room)
                if parts[0] == b"files":
                    self._folders[b"/".join(parts[:at])] = (0o755, None)
            self._open.append((part, fd))
        return self._open[-1][1]

    def _leave(self, keep: int) -> None:
        """Closes all but the first ones. The very first is not this object's."""
        for _, fd in self._open[keep:]:
            os.close(fd)
        del self._open[keep:]


def _write_ranges(fd: int, entry: Entry, content: Iterable[bytes]) -> None:
    """Only where there is something; the rest are holes again."""
    pieces = iter(content)
    piece = memoryview(b"")
    for begin, length in entry.ranges or ():
        os.lseek(fd, begin, os.SEEK_SET)
        while length:
            piece = piece or memoryview(next(pieces))
            write_all(fd, piece[:length])
            written = min(length, len(piece))
            length -= written
            piece = piece[written:]
    os.ftruncate(fd, entry.real)


def _times(seconds: int) -> tuple[int, int]:
    at = min(max(seconds, -_FARTHEST), _FARTHEST) * 10**9
    return at, at
