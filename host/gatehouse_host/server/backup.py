"""The nightly backup of a server: configuration, crontabs, sites and every database in one verified archive; then one of each site. Its end is noted for
whoever lists the backups."""
from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Sequence
from typing import Final

from .. import places
from ..durable import lock
from ..protocol import Emit, Event
from ..system import Failed, explain
from . import room, sites, store
from .archive import find_parts, prove_archive, stop_archive, write_archive
from .databases import LiveServer
from .lacks import Lacks
from .status import State, write_status
from .trial import prove_dumps, stop_trial

# A reader that checks whether a backup is running holds the lock for a moment.
_LOCK_SECONDS: Final = 5
_EXPIRY_SECONDS: Final = 20
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stopped(BaseException):
    """Whoever runs the unit wants it to end."""


def back_up_server(emit: Emit, program: Sequence[str]) -> bool:
    """Whether everything is in a new backup. program: the command of this program. Raises Failed if another one is running."""
    os.umask(0o077)
    os.makedirs(places.server_backups(), mode=0o700, exist_ok=True)
    with lock(f"{places.server_backups()}/.lock", _LOCK_SECONDS) as held:
        if not held:
            raise Failed({"code": "backup-running"})
        return _run(emit, program)


def _run(emit: Emit, program: Sequence[str]) -> bool:
    _attempt(lambda: write_status("running", []), emit)
    state: State
    try:
        for each in _SIGNALS:
            signal.signal(each, _stop)
        # What is to be deleted may be the room that is needed.
        _attempt(lambda: sites.expire(_EXPIRY_SECONDS), emit)
        state, said = _back_up(emit)
        failed = sites.back_up_sites(emit, program)
        if failed:
            if state == "done":
                state = "partial"
            said.append({"code": "sites-not-backed-up", "names": ", ".join(failed)})
    except Stopped:
        state, said = "failed", [{"code": "stopped"}]
    except Exception as error:  # noqa: BLE001
        state, said = "failed", [explain(error)]
    finally:
        _clean_up()
    for event in said:
        emit(event)
    write_status(state, said)
    return state == "done"


def _stop(_signal: int, _frame: object) -> None:
    # Nothing interrupts what is tidied up.
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise Stopped


def _attempt(work: Callable[[], object], emit: Emit) -> None:
    try:
        work()
    except Exception as error:  # noqa: BLE001
        emit(explain(error))


def _clean_up() -> None:
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    stop_trial()
    stop_archive()
    shutil.rmtree(places.server_work(), ignore_errors=True)


def _back_up(emit: Emit) -> tuple[State, list[Event]]:
    """Of the server itself. Whatever ends it ends nothing else."""
    shutil.rmtree(places.server_work(), ignore_errors=True)
    os.mkdir(places.server_work(), 0o700)
    lacks = Lacks(emit)
    try:
        name = _make(lacks)
    except Exception as error:  # noqa: BLE001
        return "failed", [explain(error)]
    finally:
        stop_trial()
        shutil.rmtree(places.server_work(), ignore_errors=True)
    emit({"code": "backup-made", "name": name})
    summary = lacks.summary()
    if summary is None:
        return "done", []
    return "partial", [summary]


def _make(lacks: Lacks) -> str:
    """The name of the archive. Raises Failed and OSError."""
    work = places.server_work()
    parts = find_parts()
    live = LiveServer(lacks)
    data = live.find()
    room.require_room(parts, data)
    required, beside = ["etc/passwd"], []
    if data is not None:
        beside = ["databases", "unproven"]
        for each in beside:
            os.mkdir(f"{work}/{each}", 0o700)
        dumps = live.dump_all(f"{work}/databases")
        prove_dumps(dumps, live, lacks)
        required += [f"{'databases' if dump.fault is None else 'unproven'}/{dump.file}" for dump in dumps]
    archive = f"{work}/archive.tar.gz"
    write_archive(archive, parts, beside, lacks)
    hashed = prove_archive(archive, required)
    name = store.keep(archive, hashed, lacks)
    store.rotate()
    return name
