"""One backup of a live site: an archive of its files, its database, its virtual host and its certificate, with a manifest; hashed, and read back. What was removed
by hand is said to be missing. Other work on the site waits meanwhile."""
from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from .. import database, places
from ..confined import Confine
from ..durable import sync, write_whole
from ..protocol import BackUpSite, Compression, Emit, WriteArchive
from ..system import Failed, run
from . import kept, replaced, room
from .archive import write_archive
from .check import Checker
from .parts import gather
from .proof import Expected, prove
from .site import Site, web_group

_DOWNLOAD_KEPT: Final = "16min"


class Backup:
    """make: the whole work. Raises Failed, with leftovers that a take-back removes."""

    def __init__(self, request: BackUpSite, emit: Emit, program: Sequence[str], confine: Confine) -> None:
        self._site = Site(request.id, request.name, request.domain)
        self._reason = request.reason
        self._job = request.folder
        self._emit = emit
        self._run = (program, confine)
        is_gz = request.reason == "download" or shutil.which("zstd") is None
        self._compression: Compression = "gz" if is_gz else "zst"
        self._archive = f"{self._site.work}/archive"
        self._parts = f"{self._site.work}/site"

    def make(self) -> None:
        os.umask(0o077)
        os.makedirs(places.backups(), mode=0o700, exist_ok=True)
        self._expire()
        used = room.require_room(self._site, self._reason)
        shutil.rmtree(self._site.work, ignore_errors=True)
        os.mkdir(self._site.work, 0o700)
        if self._reason == "delete":
            self._stop_writing()
        room.limit_files()
        is_whole = gather(self._site, self._parts, self._reason, used, self._emit)
        files = self._write()
        with _reaching_disk(self._archive):
            hashed = self._prove(files)
        if self._reason == "download":
            self._keep_download()
        else:
            self._keep(hashed if is_whole else "")
        shutil.rmtree(self._site.work)
        if self._reason == "nightly":
            kept.rotate(self._site.domain)

    def _expire(self) -> None:
        """The nightly backup has done it before; of others, those that change the site hold the lock of it."""
        if self._reason in ("manual", "download"):
            kept.unless_changing(replaced.expire, kept.expire)
        elif self._reason != "nightly":
            kept.expire()

    def _stop_writing(self) -> None:
        """What the site's programs write from here on would be in no backup, and they could hold the dump up. The note first: a job that ends before it has
        deleted anything unlocks the database again."""
        if not database.exists(self._site.name):
            return
        write_whole(f"{self._job}/locked", "")
        user = f"{database.quoted(self._site.name)}@localhost"
        database.ask(f"ALTER USER IF EXISTS {user} ACCOUNT LOCK")
        database.ask(f"KILL HARD USER {user}", check=False)

    def _write(self) -> int:
        user, group = self._site.owner
        request = WriteArchive(self._site.home, self._parts, self._archive, self._compression, user, group)
        return write_archive(request, self._emit, *self._run)

    def _prove(self, files: int) -> str:
        """The hash of the archive. Before a deletion, empty if it cannot be verified: it is kept all the same, because there will be nothing else."""
        user, group = self._site.owner
        checker = Checker(os.fsencode(self._site.home), user, group, int(web_group() or group))
        parts = _sizes(self._parts)
        is_loaded = b"database.sql" in parts and self._reason != "download"
        if is_loaded:
            # It is in the archive, from which it is loaded, and that needs room.
            os.unlink(f"{self._parts}/database.sql")
        try:
            return prove(self._archive, self._compression, checker, Expected(self._site.name, parts, files), load=is_loaded)
        except Failed as failed:
            if self._reason != "delete":
                raise
            self._emit(failed.event)
            self._emit({"code": "unverified"})
            return ""

    def _keep(self, hashed: str) -> None:
        """First the name: a job that ends before it has changed anything removes the backup again."""
        at = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        name = f"{self._site.domain}-{at}-{self._reason}.tar.{self._compression}"
        if self._job:
            write_whole(f"{self._job}/backup", f"{name}\n")
        if hashed:
            note = f"{self._site.work}/proven"
            kept.note_hash(note, self._archive, hashed, name)
            os.rename(note, f"{places.backups()}/.{name}.proven")
        os.rename(self._archive, f"{places.backups()}/{name}")
        sync(places.backups())
        self._emit({"code": "backup-made", "name": name})

    def _keep_download(self) -> None:
        """The server deletes it, also while Gatehouse is off. Somebody who is reading it then reads on."""
        os.makedirs(places.downloads(), mode=0o700, exist_ok=True)
        path = f"{places.downloads()}/{os.path.basename(self._job)}"
        os.rename(self._archive, path)
        run(["systemd-run", "--quiet", "--collect", f"--on-active={_DOWNLOAD_KEPT}", "rm", "-f", "--", path], seconds=60)


def _sizes(folder: str) -> dict[bytes, int]:
    """Of each file below it, by its path from there."""
    found = ((above, name) for above, _, names in os.walk(folder) for name in names)
    paths = (os.path.join(above, name) for above, name in found)
    return {os.fsencode(os.path.relpath(path, folder)): os.lstat(path).st_size for path in paths}


@contextmanager
def _reaching_disk(path: str) -> Iterator[None]:
    """The file is on the disk after the block. Raises OSError."""
    errors: list[OSError] = []

    def reach() -> None:
        try:
            sync(path)
        except OSError as error:
            errors.append(error)

    thread = threading.Thread(target=reach, daemon=True)
    thread.start()
    yield
    thread.join()
    if errors:
        raise errors[0]
