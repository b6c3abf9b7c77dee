"""The files of a site change places with those that were unpacked beside them. Folders move whole, between folders that only root can write: what a site's
programs do in their own meanwhile moves along. Each move is in the journal with the inode that it moves, which alone tells whether it was done."""
from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ..journal import Journal, Step
from ..protocol import SwapFiles
from ..rooms import find, move, open_folder, open_root
from ..system import Failed

NAMES: Final = ("public", "private")
# Where the former files are until the site is as it should be. Also by this name in restore.bash.
FORMER: Final = ".replacing"


def swap_files(request: SwapFiles) -> None:
    """Raises Failed or OSError; what it has done until then is taken back by the journal."""
    with _opened(request.home) as home, _opened(request.staged) as staged:
        require_own_home(home)
        _require_folders(staged, request)
        journal = Journal.begin(request.journal)
        try:
            _swap(request, journal, home, staged)
        finally:
            journal.close()


def _swap(request: SwapFiles, journal: Journal, home: int, staged: int) -> None:
    if find(FORMER, home) is not None:
        raise Failed({"code": "former-there", "path": f"{request.home}/{FORMER}"})
    journal.note({"step": "make-folder", "home": request.home})
    os.mkdir(FORMER, 0o700, dir_fd=home)
    os.fsync(home)
    with _within(FORMER, home) as former:
        for name in NAMES:
            _move(journal, name, (request.home, home), (f"{request.home}/{FORMER}", former))
        for name in NAMES:
            _move(journal, name, (request.staged, staged), (request.home, home))


def _move(journal: Journal, name: str, source: tuple[str, int], target: tuple[str, int]) -> None:
    info = find(name, source[1])
    if info is None:
        return
    journal.note({"step": "move", "name": name, "from": source[0], "to": target[0], "inode": info.st_ino})
    move(name, source[1], target[1])


def undo_move(step: Step) -> None:
    name = str(step["name"])
    with _opened(str(step["to"])) as there:
        info = find(name, there)
        if info is None or info.st_ino != step["inode"]:
            return
        with _opened(str(step["from"])) as back:
            move(name, there, back)


def undo_make_folder(step: Step) -> None:
    with _opened(str(step["home"])) as home:
        if find(FORMER, home) is not None:
            os.rmdir(FORMER, dir_fd=home)
            os.fsync(home)


def require_own_home(home: int) -> None:
    """Everything here relies on it: programs of the site could put links there otherwise."""
    info = os.fstat(home)
    if info.st_uid != os.geteuid() or info.st_mode & 0o022:
        raise Failed({"code": "home-writable"})


def _require_folders(staged: int, request: SwapFiles) -> None:
    """Asked at the last moment: what goes into the home of a site is a folder of the site's."""
    for name in NAMES:
        info = find(name, staged)
        if info is None or not stat.S_ISDIR(info.st_mode) or info.st_uid != request.user:
            raise Failed({"code": "no-own-folder", "path": f"{request.staged}/{name}"})


@contextmanager
def _opened(path: str) -> Iterator[int]:
    fd = open_root(path)
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def _within(name: str, room: int) -> Iterator[int]:
    fd = open_folder(name.encode(), room)
    try:
        yield fd
    finally:
        os.close(fd)
