"""Folders as file descriptors. Whoever writes in a folder may put a link in the way at any moment, so nothing is opened by a path through it:
each name is opened in the folder that is already open, and a link is refused there."""
from __future__ import annotations

import errno
import os
import resource
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

_PLAIN: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_AT_ONCE: Final = _PLAIN | os.O_NONBLOCK | os.O_NOCTTY
# What became something else, or is gone, since its name was read.
CHANGED: Final = frozenset({errno.ENOENT, errno.ELOOP, errno.ENOTDIR})


def open_root(path: str) -> int:
    """The folder of that path, all of whose parents only root can write. Raises OSError."""
    return os.open(path, _PLAIN | os.O_DIRECTORY)


@contextmanager
def opened(path: str) -> Iterator[int]:
    """The same, until the block ends."""
    fd = open_root(path)
    try:
        yield fd
    finally:
        os.close(fd)


def open_folder(name: bytes, room: int) -> int:
    """The folder of that name, never a link to one. Raises OSError."""
    return os.open(name, _PLAIN | os.O_DIRECTORY, dir_fd=room)


def open_file(name: bytes, room: int) -> tuple[int, os.stat_result] | None:
    """A plain file, or None if the name is of something else by now. Raises OSError."""
    fd, info = open_any(name, room)
    if stat.S_ISREG(info.st_mode):
        return fd, info
    os.close(fd)
    return None


def open_above(path: bytes, room: int, stack: ExitStack) -> tuple[bytes, int]:
    """The last name of a path below an open folder, and the folder that it is in. Each folder is opened in the one above it, until the stack ends. Raises OSError."""
    *above, last = path.split(b"/")
    for name in above:
        room = open_folder(name, room)
        stack.callback(os.close, room)
    return last, room


def open_below(path: bytes, room: int) -> int | None:
    """A plain file at a path below an open folder, or None if it is something else. Raises OSError."""
    with ExitStack() as stack:
        found = open_file(*open_above(path, room, stack))
    return found[0] if found else None


def open_any(name: bytes, room: int) -> tuple[int, os.stat_result]:
    """What has that name, unless it is a link. A pipe must not hold the work up, so nothing waits. Raises OSError."""
    fd = os.open(name, _AT_ONCE, dir_fd=room)
    try:
        return fd, os.fstat(fd)
    except OSError:
        os.close(fd)
        raise


def read_link(name: bytes, room: int) -> tuple[bytes, os.stat_result] | None:
    """Where a link leads, or None if the name is of something else by now. Raises OSError."""
    info = os.stat(name, dir_fd=room, follow_symlinks=False)
    if not stat.S_ISLNK(info.st_mode):
        return None
    try:
        return os.readlink(name, dir_fd=room), info
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


def list_room(room: int) -> Iterator[os.DirEntry[str]]:
    """What is in an open folder, in the order of the disk."""
    return iter(os.scandir(room))


def allow_depth() -> None:
    """A folder within a folder needs two descriptors each; the usual limit of 1,024 would end at a depth that a tenant can make."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 16384 if hard == resource.RLIM_INFINITY else min(hard, 16384)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def find(name: str, room: int) -> os.stat_result | None:
    """What has that name in an open folder, a link itself, or None. Raises OSError."""
    try:
        return os.stat(name, dir_fd=room, follow_symlinks=False)
    except FileNotFoundError:
        return None


def move(name: str, room: int, to: int) -> None:
    """From one open folder into another, in both of which only root can write; returns once that is on the disk. Raises OSError, also if the name is taken there."""
    if find(name, to) is not None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
    os.rename(name, name, src_dir_fd=room, dst_dir_fd=to)
    os.fsync(to)
    os.fsync(room)
