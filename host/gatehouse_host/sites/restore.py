"""The restore of a site, part by part: between them, the job rewrites the configuration of its app by PHP, pauses the site and serves it again. All parts are the same
request, and what they have to know of each other is in the folder of the job."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Final

from .. import database
from ..disk import write_whole
from ..protocol import Emit, Part, RestoreSite
from . import wanted
from .room import SPARE, free_bytes, no_room
from .site import Site
from .unpack import Target, unpack
from .wanted import Sizes, Wanted

# A file of the job: what is in the backup takes so much. While it is there, restore.bash removes what is beside the site.
SIZES: Final = "unpacked-bytes"


class Restore:
    """do: the part that is asked for. Raises Failed or OSError; a refusal has changed nothing."""

    def __init__(self, request: RestoreSite, emit: Emit) -> None:
        self._site = Site(request.id, request.name, request.domain)
        self._wanted = Wanted(request.backup)
        self._job = request.folder
        self._emit = emit
        self._beside = f"{self._site.home}/.restoring"
        self._parts: Mapping[Part, Callable[[], None]] = {"check": self._check, "room": self._require_room, "unpack": self._unpack}

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
