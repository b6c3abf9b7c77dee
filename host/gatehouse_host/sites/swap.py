"""The files of a site change places with those that were unpacked beside them. Folders move whole, between folders that only root can write: what a site's
programs do in their own meanwhile moves along. Each move is in the journal with the inode that it moves, which alone tells whether it was done."""
from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from ..durable import write_whole
from ..journal import Journal, Step
from ..rooms import find, move, open_folder, opened
from ..system import Failed

NAMES: Final = ("public", "private")
# Where the former files are until the site is as it should be. Also by this name in restore.bash and replace.py.
FORMER: Final = ".replacing"
SERVED: Final = "public"
# A file of the job: visitors may have written into the folder that is no longer served. Also by this name in transfer.bash.
RETURNING: Final = "returning"
_EXCHANGE: Final = 2


def swap_files(home: str, staged: str, user: int, journal: Journal) -> None:
    """The folders of files that were unpacked into `staged` take the place of those in `home`. user: whom they have to belong to. Raises Failed or OSError; what it
    has done until then is taken back by the journal."""
    with opened(home) as to, opened(staged) as source:
        require_own_home(to)
        _require_folders(source, staged, user)
        if find(FORMER, to) is not None:
            raise Failed({"code": "former-there", "path": f"{home}/{FORMER}"})
        journal.note({"step": "make-folder", "home": home})
        os.mkdir(FORMER, 0o700, dir_fd=to)
        os.fsync(to)
        with _within(FORMER, to) as former:
            for name in NAMES:
                _move(journal, name, (home, to), (f"{home}/{FORMER}", former))
            for name in NAMES:
                _move(journal, name, (staged, source), (home, to))


def _move(journal: Journal, name: str, source: tuple[str, int], target: tuple[str, int]) -> None:
    info = find(name, source[1])
    if info is None:
        return
    journal.note({"step": "move", "name": name, "from": source[0], "to": target[0], "inode": info.st_ino})
    move(name, source[1], target[1])


def undo_move(step: Step) -> None:
    name = str(step["name"])
    with opened(str(step["to"])) as there:
        info = find(name, there)
        if info is None or info.st_ino != step["inode"]:
            return
        with opened(str(step["from"])) as back:
            move(name, there, back)


def undo_make_folder(step: Step) -> None:
    with opened(str(step["home"])) as home:
        if find(FORMER, home) is not None:
            os.rmdir(FORMER, dir_fd=home)
            os.fsync(home)


def exchange_served(home: str, staged: str, user: int, folder: str, journal: Journal) -> None:
    """The folder that is served changes places with the one in `staged` at one moment, so that visitors always find one. folder: of the job. Raises as swap_files."""
    with opened(home) as to, opened(staged) as source:
        require_own_home(to)
        _require_folders(source, staged, user, [SERVED])
        inode = os.stat(SERVED, dir_fd=source, follow_symlinks=False).st_ino
        journal.note({"step": "exchange", "home": home, "staged": staged, "inode": inode, "folder": folder})
        exchange(SERVED, to, source)


def undo_exchange(step: Step) -> None:
    with opened(str(step["home"])) as home, opened(str(step["staged"])) as staged:
        info = find(SERVED, home)
        if info is None or info.st_ino != step["inode"]:
            return
        write_whole(f"{step['folder']}/{RETURNING}", "")
        exchange(SERVED, home, staged)


def exchange(name: str, room: int, other: int) -> None:
    """Exchanges the entries of that name in two open folders. Returns once that is on the disk. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(room, os.fsencode(name), other, os.fsencode(name), _EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), name)
    os.fsync(room)
    os.fsync(other)


def require_own_home(home: int) -> None:
    """Everything here relies on it: programs of the site could put links there otherwise."""
    info = os.fstat(home)
    if info.st_uid != os.geteuid() or info.st_mode & 0o022:
        raise Failed({"code": "home-writable"})


def _require_folders(source: int, staged: str, user: int, names: Sequence[str] = NAMES) -> None:
    """Asked at the last moment: what goes into the home of a site is a folder of the site's."""
    for name in names:
        info = find(name, source)
        if info is None or not stat.S_ISDIR(info.st_mode) or info.st_uid != user:
            raise Failed({"code": "no-own-folder", "path": f"{staged}/{name}"})



@contextmanager
def _within(name: str, room: int) -> Iterator[int]:
    fd = open_folder(name.encode(), room)
    try:
        yield fd
    finally:
        os.close(fd)
