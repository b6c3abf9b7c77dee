"""The nightly backups of all sites of a server. Other work on the same site waits meanwhile, and so do other archives of sites."""
from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Sequence

from .. import places, scratch
from ..durable import lock
from ..protocol import BackUpSite, Emit, format_request
from ..sites import kept, replaced
from ..sites.site import Site, first_match
from ..system import Failed, run

_LOCK_SECONDS = 600
_SITE_SECONDS = 12 * 3600
_DAY = 24 * 3600
_READING = frozenset({"backup", "copy", "download"})


def expire(seconds: float) -> bool:
    """Deletes what is kept no longer. seconds: how long work that changes sites is waited for; whether that has ended."""
    kept.expire()
    return expire_replaced(seconds)


def expire_replaced(seconds: float) -> bool:
    """Not while a site is changed: a restore may be about to keep another one."""
    with lock(places.sites_lock(), seconds) as held:
        if held:
            replaced.expire()
        return held


def back_up_sites(emit: Emit, program: Sequence[str]) -> list[str]:
    """The domains of those that have no new backup. program: the command of this program."""
    if not os.path.isdir(places.settings()):
        return []
    os.makedirs(places.site_locks(), mode=0o700, exist_ok=True)
    # While a site is being changed for long, the backups of others come first.
    is_late = not expire(0)
    failed = [site.domain for site in _list() if not _back_up(site, emit, program)]
    if is_late:
        expire_replaced(_LOCK_SECONDS)
    return failed


def _list() -> list[Site]:
    """Without staging copies, which can be pulled again."""
    names = sorted(entry.name for entry in os.scandir(places.settings()) if os.path.lexists(f"{entry.path}/site"))
    sites = [Site(_recorded(name, "id"), name, _recorded(name, "domain")) for name in names]
    return [site for site in sites if not site.recorded("staging-of")]


def _recorded(name: str, key: str) -> str:
    return first_match(f"{places.settings(name)}/site", re.compile(f"{key} (.*)"))


def _back_up(site: Site, emit: Emit, program: Sequence[str]) -> bool:
    with lock(f"{places.site_locks()}/{site.name}", _LOCK_SECONDS) as own, lock(places.archives_lock(), _LOCK_SECONDS) as others:
        if not own or not others:
            emit({"code": "site-busy", "domain": site.domain})
            return False
        # It may have been deleted meanwhile.
        if not os.path.lexists(f"{site.settings}/site"):
            return True
        if is_interrupted(site.name):
            emit({"code": "site-interrupted", "domain": site.domain})
            return False
        emit({"code": "site-begun", "domain": site.domain})
        return _make(site, emit, program)


def _make(site: Site, emit: Emit, program: Sequence[str]) -> bool:
    """In a separate process: whatever ends that ends nothing else. What it says goes to the same journal."""
    request = BackUpSite(site.id, site.name, site.domain, "nightly", "")
    try:
        code = run(program, text=format_request(request), stdout=1, seconds=_SITE_SECONDS, check=False).code
        if code != 0:
            _sweep(site)
    except Failed as failed:
        emit(failed.event)
        return False
    return code == 0


def _sweep(site: Site) -> None:
    """What a backup that has failed leaves. Raises Failed."""
    if os.path.isdir(site.work):
        try:
            scratch.drop(site.name)
        finally:
            shutil.rmtree(site.work, ignore_errors=True)


def is_interrupted(name: str) -> bool:
    """Whether a job that changes the site has died and is still to be taken back. Whoever asks holds the lock of the site, so no such job is at work."""
    if not os.path.isdir(places.site_jobs()):
        return False
    return any(_is_of_dead_job(entry.path, name) for entry in os.scandir(places.site_jobs()))


def _is_of_dead_job(folder: str, name: str) -> bool:
    try:
        if not os.path.lexists(f"{folder}/at-work") or os.stat(f"{folder}/events").st_mtime < time.time() - _DAY:
            return False
        with open(f"{folder}/events", "rb") as events:
            last = events.read().splitlines()[-1:]
        with open(f"{folder}/site", "rb") as file:
            kind, _, of, *_ = file.read().decode("utf-8", "replace").split("\0")
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    has_ended = any(line.split(b"\t")[3:4] in ([b"done"], [b"failed"]) for line in last)
    return not has_ended and of == name and kind not in _READING
