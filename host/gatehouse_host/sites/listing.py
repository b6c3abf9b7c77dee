"""What is known of each file below the served folder of a site, as a list that is kept with a staging copy: of a file its size and time, of a link its target, and
the folders."""
from __future__ import annotations

import gzip
import os
import stat
from collections.abc import Callable
from contextlib import ExitStack
from itertools import chain
from typing import Final

from .. import rooms

# By path below the folder. The folder itself has an empty path.
Listing = dict[bytes, bytes]
FOLDER: Final = b"d"
# WordPress makes it again.
_CACHE: Final = b"wp-content/cache"
# Lists of earlier versions end with it.
_END: Final = b"/"
_PIECE: Final = 1 << 20


def list_files(folder: str) -> Listing:
    """Files that disappear meanwhile are left out. Raises OSError if anything else cannot be listed: a list that lacks files would look like one of deleted ones."""
    rooms.allow_depth()
    top = rooms.open_root(folder)
    device = os.fstat(top).st_dev
    found: Listing = {b"": FOLDER}
    levels = [(top, b"", rooms.list_room(top))]
    try:
        while levels:
            room, above, entries = levels[-1]
            entry = next(entries, None)
            if entry is None:
                os.close(levels.pop()[0])
                continue
            name = os.fsencode(entry.name)
            path = above + name
            try:
                below = None if path == _CACHE else _look(name, room, path, entry, found)
            except OSError as error:
                if error.errno not in rooms.CHANGED:
                    raise
                continue
            if below is None:
                continue
            # Another file system is not the site's.
            if os.fstat(below).st_dev == device:
                levels.append((below, path + b"/", rooms.list_room(below)))
            else:
                os.close(below)
    finally:
        for room, _, _ in levels:
            os.close(room)
    return found


def _look(name: bytes, room: int, path: bytes, entry: os.DirEntry[str], found: Listing) -> int | None:
    """Notes one entry. Returns a folder, open. Raises OSError."""
    if entry.is_symlink():
        link = rooms.read_link(name, room)
        if link:
            found[path] = b"l " + link[0]
    elif entry.is_dir(follow_symlinks=False):
        folder = rooms.open_folder(name, room)
        found[path] = FOLDER
        return folder
    elif entry.is_file(follow_symlinks=False):
        info = os.stat(name, dir_fd=room, follow_symlinks=False)
        if stat.S_ISREG(info.st_mode):
            # As find prints it, by which earlier versions made these lists.
            seconds, part = divmod(info.st_mtime_ns, 10**9)
            found[path] = b"f %d %d.%09d0" % (info.st_size, seconds, part)
    return None


def write_list(path: str, listing: Listing) -> None:
    """Compressed, as it is kept. Raises OSError."""
    text = b"\0".join(chain.from_iterable((known, name) for name, known in sorted(listing.items())))
    with open(path, "wb") as file:
        file.write(gzip.compress(text + b"\0", 1))


def read_list(path: str) -> Listing:
    """Raises OSError or ValueError."""
    with gzip.open(path, "rb") as file:
        words = file.read().split(b"\0")[:-1]
    found = dict(zip(words[1::2], words[::2], strict=True))
    found.pop(_END, None)
    return found


def is_same_content(path: bytes, one: int, other: int, is_over: Callable[[], bool]) -> bool:
    """Of two plain files at that path below two open folders. is_over: there is no time left. False if that is not known."""
    with ExitStack() as stack:
        files = []
        for room in (one, other):
            try:
                found = rooms.open_below(path, room)
            except OSError:
                return False
            if found is None:
                return False
            stack.callback(os.close, found)
            files.append(found)
        while not is_over():
            pieces = [os.read(each, _PIECE) for each in files]
            if pieces[0] != pieces[1]:
                return False
            if not pieces[0]:
                return True
    return False
