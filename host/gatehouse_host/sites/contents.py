"""What an archive of a site consists of: its parts, the manifest first, then its files. Runs confined: confined.py."""
from __future__ import annotations

import os
from collections.abc import Callable

from .. import rooms
from ..protocol import Emit, ReadSite
from .files import SiteFiles, mode_of
from .left_out import LeftOut
from .tar import FOLDER, DiskError, TarWriter


def read_site(request: ReadSite, put: Callable[[bytearray], None], emit: Emit) -> bool:
    """put: takes the archive. Whether it is whole."""
    left = LeftOut()
    tar = TarWriter(put, request.user, request.group)
    files = SiteFiles(tar, left, os.fsencode(request.home))
    try:
        _send_parts(tar, request.parts)
        try:
            home = rooms.open_root(request.home)
        except FileNotFoundError:
            emit({"code": "no-files", "path": request.home})
        else:
            files.send(home)
    except DiskError:
        emit({"code": "disk-error"})
        return False
    size = tar.end()
    left.tell(emit)
    emit({"code": "site-read", "files": files.count, "bytes": size})
    return True


def _send_parts(tar: TarWriter, path: str) -> None:
    """Only root writes there. Restores expect the manifest first, and the dump before the files."""
    room = rooms.open_root(path)
    names = sorted(os.fsencode(entry.name) for entry in rooms.list_room(room))
    for name in sorted(names, key=lambda each: each != b"manifest"):
        _send_part(tar, room, name, name)
    os.close(room)


def _send_part(tar: TarWriter, room: int, name: bytes, path: bytes) -> None:
    try:
        folder = rooms.open_folder(name, room)
    except NotADirectoryError:
        found = rooms.open_file(name, room)
        if found is None:
            raise
        tar.file(path, *found, mode_of(found[1]))
        os.close(found[0])
        return
    info = os.fstat(folder)
    tar.entry(path + b"/", FOLDER, mode_of(info), 0, int(info.st_mtime))
    for each in sorted(os.fsencode(entry.name) for entry in rooms.list_room(folder)):
        _send_part(tar, folder, each, path + b"/" + each)
    os.close(folder)
