"""The restore of a site, part by part: between them, the job rewrites the configuration of its app by PHP, pauses the site and serves it again. All parts are the
same request, and what they have to know of each other is in the folder of the job."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from .. import database, scratch
from ..durable import write_whole
from ..journal import Journal
from ..protocol import Emit, Part, RestoreSite
from ..system import Failed
from . import wanted
from .compare import compare
from .exchange import drop_mark, prepare_database
from .manifest import Manifest
from .replace import keep_former, make_place, replace
from .room import SPARE, free_bytes, no_room
from .site import Site, mariadb_version
from .unpack import Target, remove, unpack
from .wanted import Sizes, Wanted

# A file of the job: what is in the backup takes so much. While it is there, restore.bash removes what is beside the site.
SIZES: Final = "unpacked-bytes"
# Another one, by the same name in restore.bash, which has it taken back.
JOURNAL: Final = "journal"
# Another one: the names of the tables that the dump makes, in hexadecimal.
TABLES: Final = "tables-made"
_VERSION: Final = re.compile(r"([0-9]+)\.([0-9]+)")
_NEEDS_NEWER: Final = re.compile(
    "unknown (collation|character set|storage engine|system variable|data type)|error in your SQL syntax", re.IGNORECASE
)


class Restore:
    """do: the part that is asked for. Raises Failed or OSError; a refusal has changed nothing."""

    def __init__(self, request: RestoreSite, emit: Emit) -> None:
        self._site = Site(request.id, request.name, request.domain)
        self._wanted = Wanted(request.backup)
        self._job = request.folder
        self._emit = emit
        self._beside = f"{self._site.home}/.restoring"
        self._parts: Mapping[Part, Callable[[], None]] = {
            "check": self._check,
            "room": self._require_room,
            "unpack": self._unpack,
            "load": self._load,
            "compare": self._compare,
            "prepare": self._prepare,
            "replace": self._replace,
            "tidy": self._tidy,
            "drop": self._drop,
        }

    def do(self, part: Part) -> None:
        os.umask(0o077)
        self._parts[part]()

    def _check(self) -> None:
        sizes = wanted.check(self._wanted, self._site.home, self._emit)
        write_whole(f"{self._job}/{SIZES}", json.dumps({"room": sizes.room, "dump": sizes.dump}))
        self._require_room()

    def _require_room(self) -> None:
        """Once more after a backup of the present site, which takes room itself."""
        with open(f"{self._job}/{SIZES}", encoding="ascii") as file:
            sizes = Sizes(**json.load(file))
        # Of a site that is still to be created.
        place = self._site.home if os.path.isdir(self._site.home) else os.path.dirname(self._site.home)
        data = database.folder()
        # The dump is unpacked, and then loaded.
        loaded = sizes.dump * 2
        needed = sizes.room + SPARE + (loaded if os.stat(data).st_dev == os.stat(place).st_dev else 0)
        if needed >= free_bytes(place):
            raise no_room("unpack", "restore", needed, place)
        if loaded + SPARE >= free_bytes(data):
            raise no_room("load", "restore", loaded + SPARE, data)

    def _unpack(self) -> None:
        user, group = self._site.owner
        unpack(self._wanted, Target(self._site.home, self._beside, user, group, self._wanted.manifest().name))

    def _load(self) -> None:
        """Beside the live database, with all that the exchange can read before the site is paused."""
        try:
            with open(f"{self._beside}/database.sql", "rb") as dump:
                made = scratch.load(self._site.name, dump)
        except Failed as failed:
            newer = _newer(failed, self._wanted.manifest().value("mariadb"))
            if newer is None:
                raise
            self._emit(failed.event)
            raise newer from None
        write_whole(f"{self._job}/{TABLES}", json.dumps([each.hex() for each in made]))
        prepare_database(self._site.name, self._beside, self._job)

    def _compare(self) -> None:
        with open(f"{self._job}/{TABLES}", encoding="ascii") as file:
            made = [bytes.fromhex(each) for each in json.load(file)]
        compare(self._site.name, made, self._emit)

    def _prepare(self) -> None:
        """What takes long, before the pause. The site that an earlier restore replaced goes only now, when nothing but the exchange is left to do."""
        remove(f"{self._site.home}/.replaced")
        with self._journal() as journal:
            make_place(self._site.name, journal)

    def _replace(self) -> None:
        with open(f"{self._beside}/manifest", "rb") as file:
            manifest = Manifest.parse(file.read())
        with self._journal() as journal:
            replace(self._site, self._beside, self._job, manifest.password, journal)

    def _tidy(self) -> None:
        """Once the site is restored. It may begin again, also after a boot."""
        keep_former(self._site.home, self._job)
        self._drop()

    def _drop(self) -> None:
        """What was unpacked and loaded beside the site."""
        if os.path.isdir(self._beside):
            if database.is_here():
                scratch.drop(self._site.name)
                drop_mark(self._site.name)
            remove(self._beside)

    @contextmanager
    def _journal(self) -> Iterator[Journal]:
        journal = Journal.open(f"{self._job}/{JOURNAL}")
        try:
            yield journal
        finally:
            journal.close()


def _newer(failed: Failed, made: str) -> Failed | None:
    """A refusal, if the dump needs what only the MariaDB has that made it."""
    if failed.event["code"] != "dump-not-loaded" or not _NEEDS_NEWER.search(str(failed.event["error"])):
        return None
    here, there = _VERSION.match(mariadb_version()), _VERSION.match(made)
    if not here or not there:
        return None
    if (int(there[1]), int(there[2])) <= (int(here[1]), int(here[2])):
        return None
    return Failed({"code": "newer-mariadb", "made": there[0], "here": here[0]}, 3)
