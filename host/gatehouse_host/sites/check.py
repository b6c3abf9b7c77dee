"""What an archive of a site may hold: the parts of a backup, and files of the site in its folders public and private."""
from __future__ import annotations

import re
import stat
from dataclasses import dataclass, field
from typing import Final, Literal

from ..protocol import show_path
from ..system import Failed
from .left_out import leads_inside
from .tar import BLOCK, FILE, FOLDER, HARD_LINK, LINK, SPARSE
from .untar import Entry

MOST_ENTRIES: Final = 1_000_000
_PARTS: Final = re.compile(
    rb"manifest|database\.sql|unreadable\.txt|virtual-host|php-fpm\.conf|served\.pem|addresses|dkim\.pem|crontab|sftp-keys|apache/[^/]+\.conf"
)
_SERVED: Final = re.compile(rb"files/(?:public|private)(?=/|$)")
_BESIDE: Final = re.compile(rb"files/(?!(?:public|private)(?:/|$))([^/]+)")
_FILES: Final = (FILE, SPARSE)

Why = Literal[
    "too-many", "kind", "path", "leads-out", "hard-link", "no-folder", "owner", "runs-as-owner", "no-part", "twice", "below-link"
]  # fmt: skip


def refused(why: Why, name: bytes) -> Failed:
    return Failed({"code": "archive-refused", "why": why, "path": show_path(name)})


@dataclass
class Checker:
    """take: each entry in its order. Raises Failed. home: by which absolute links name the site. user, group, web: whose entries may be, beside root.
    former: how links name it too, if it was called otherwise. form: of the archive; those of the first form also have what was beside the two folders.

    parts: the sizes of what is beside the files. files: how many entries these have. left: what was beside the two folders. room: what it all takes on a
    disk."""

    home: bytes
    user: int
    group: int
    web: int
    former: bytes = b""
    form: int = 2
    parts: dict[bytes, int] = field(default_factory=dict)
    files: int = 0
    left: set[bytes] = field(default_factory=set)
    room: int = 0
    _count: int = 0
    _seen: set[bytes] = field(default_factory=set)
    _links: set[bytes] = field(default_factory=set)
    _plain: set[bytes] = field(default_factory=set)

    def take(self, entry: Entry) -> bytes | None:
        """The path of what is a part of the backup; None for what is beside."""
        name = entry.name[:-1] if entry.kind == FOLDER and entry.name.endswith(b"/") else entry.name
        self._count += 1
        self.room += 4096 + BLOCK + entry.size + -entry.size % BLOCK
        if self._count > MOST_ENTRIES:
            raise refused("too-many", name)
        if entry.kind not in (*_FILES, FOLDER, LINK, HARD_LINK):
            raise refused("kind", name)
        if b"//" in name or not all(part not in (b"", b".", b"..") for part in name.split(b"/")):
            raise refused("path", name)
        if self.form == 1 and (beside := _BESIDE.match(name)):
            self.left.add(beside[1])
            return None
        if entry.kind == LINK and not self._leads_inside(name, entry.link):
            raise refused("leads-out", name)
        if entry.kind == HARD_LINK and entry.link not in self._plain:
            raise refused("hard-link", name)
        if _SERVED.match(name):
            self._take_file(entry, name)
        else:
            self._take_part(entry, name)
        self._note(entry, name)
        return name

    def _leads_inside(self, name: bytes, target: bytes) -> bool:
        homes = [self.home, self.former] if self.former else [self.home]
        return name.startswith(b"files/") and any(leads_inside(name.removeprefix(b"files/"), target, home) for home in homes)

    def _take_file(self, entry: Entry, name: bytes) -> None:
        if name in (b"files/public", b"files/private") and entry.kind != FOLDER:
            raise refused("no-folder", name)
        if entry.user not in (0, self.user) or entry.group not in (0, self.group, self.web):
            raise refused("owner", name)
        if entry.kind != FOLDER and entry.mode & stat.S_ISUID:
            raise refused("runs-as-owner", name)
        self.files += 1

    def _take_part(self, entry: Entry, name: bytes) -> None:
        if entry.kind == FOLDER and name == b"apache":
            return
        if entry.kind not in _FILES or not _PARTS.fullmatch(name):
            raise refused("no-part", name)
        self.parts[name] = entry.real if entry.kind == SPARSE else entry.size

    def _note(self, entry: Entry, name: bytes) -> None:
        if name in self._seen:
            raise refused("twice", name)
        self._seen.add(name)
        if self._links:
            above = name
            while cut := above.rpartition(b"/")[0]:
                above = cut
                if above in self._links:
                    raise refused("below-link", name)
        if entry.kind == LINK:
            self._links.add(name)
        elif entry.kind in _FILES and name.startswith(b"files/"):
            self._plain.add(name)
