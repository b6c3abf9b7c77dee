"""Sites that a restore replaced are kept for a day."""
from __future__ import annotations

import os
import stat
import time
from typing import Final

from .. import database, places
from ..database import ask, quoted
from ..system import Failed
from .unpack import remove

_DAY: Final = 24 * 3600


def expire() -> None:
    """Deletes those that are older, except while MariaDB does not answer. Whoever calls this holds the lock of changes of sites."""
    for name in _sites():
        folder = places.under(f"/home/{name}/.replaced")
        if not _is_old(folder):
            continue
        try:
            # The folder goes last, because it alone tells that the database is still there.
            if database.is_here():
                ask(f"DROP DATABASE IF EXISTS {quoted(f'gatehouse-kept-{name}')}", seconds=600)
            remove(folder)
        except Failed:
            continue


def _sites() -> list[str]:
    if not os.path.isdir(places.settings()):
        return []
    return sorted(each.name for each in os.scandir(places.settings()) if os.path.lexists(f"{each.path}/site"))


def _is_old(folder: str) -> bool:
    """Only root can write in the home of a site."""
    try:
        info = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(info.st_mode) and info.st_mtime < time.time() - _DAY
