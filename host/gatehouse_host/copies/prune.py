"""Deletes snapshots that the request names from a repository in a folder, and what only they need; then checks that the rest fits together. Never by a rule of
restic. Elsewhere the service does that, with a key that no server has: lib/service/restic/prune.ts. A folder is reached from here alone."""
from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from ..protocol import Emit, PruneCopies
from .causes import failed
from .restic import Repository

# restic renews a lock every five minutes while it works.
_HELD: Final = 3600.0
_AT_ONCE: Final = 500
_ID: Final = re.compile(r"[0-9a-f]{64}")
_WANTED: Final = re.compile(r"[0-9a-f]{8,64}")
# Of restic, which writes nanoseconds and the time zone of the server.
_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)")


def prune_copies(request: PruneCopies, emit: Emit) -> None:
    """Raises Failed."""
    repository = Repository(request.target)
    with open(request.list, encoding="ascii") as lines:
        wanted = [line for line in lines.read().split("\n") if _WANTED.fullmatch(line)]
    _remove_old_locks(repository)
    found = _find(wanted, _ids(repository.output_of("list", "snapshots", "--no-lock")))
    for start in range(0, len(found), _AT_ONCE):
        repository.output_of("forget", *found[start : start + _AT_ONCE])
    # Also after an earlier call that failed between the two.
    repository.output_of("prune")
    repository.output_of("check")
    emit({"code": "copies-pruned", "removed": len(found)})


def _find(wanted: Sequence[str], there: Sequence[str]) -> list[str]:
    """Those that are there, by their whole ids. Raises Failed if an id is of two."""
    found: list[str] = []
    for each in wanted:
        named = [whole for whole in there if whole.startswith(each)]
        if len(named) > 1:
            raise failed("ambiguous")
        found += named
    return found


def _remove_old_locks(repository: Repository) -> None:
    """restic's rule takes a lock for abandoned if its process is not on this server although the server has the same name: so locks go only when all are old."""
    locks = _ids(repository.output_of("list", "locks", "--no-lock"))
    for each in locks:
        if time.time() - _time_of(repository.output_of("cat", "lock", each, "--no-lock")) < _HELD:
            raise failed("locked")
    if locks:
        repository.output_of("unlock")


def _time_of(lock: bytes) -> float:
    """Seconds since 1970; now, if it cannot be read."""
    try:
        text = str(json.loads(lock)["time"])
    except (ValueError, KeyError, TypeError):
        return time.time()
    parts = _TIME.fullmatch(text)
    return datetime.fromisoformat(parts[1] + parts[2].replace("Z", "+00:00")).timestamp() if parts else time.time()


def _ids(printed: bytes) -> list[str]:
    return [line for line in printed.decode("ascii", "replace").splitlines() if _ID.fullmatch(line)]
