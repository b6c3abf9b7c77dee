"""Proves that a site could be restored from a copy: it is read from the repository, decrypted, hashed, unpacked entry by entry and compared with its manifest,
while its dump is loaded into a database beside the live one, as a backup is verified when it is made. Nothing but that database is on the disk, and it goes at the
end, so what is interrupted leaves nothing and begins again.

What comes of it is no failure of this program but a verdict: `good`, or the cause why not."""
from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from contextlib import ExitStack
from typing import IO, Final, Literal, cast

from .. import places
from ..durable import write_whole
from ..protocol import Emit, Event, ProveCopy
from ..sites import kept
from ..sites.check import Checker
from ..sites.manifest import Manifest
from ..sites.proof import Reading
from ..sites.tar import FILE
from ..sites.untar import Broken, Entry, TarReader
from ..sites.wanted import checker_of
from ..system import Failed, explain
from .causes import WhyNot
from .copy import archive_name
from .restic import Repository, Source

Cause = WhyNot | Literal[
    "other-content", "truncated", "differs", "dump", "no-database",
    "load", "room", "disk-full", "database", "newer", "unmounted", "system-folder",
]  # fmt: skip

_PIECE: Final = 1 << 20
# Of each processor: what waits longer than that is served later for every proof.
_BUSY: Final = 3.0
_MAY_HAVE_MOVED: Final = frozenset({"missing", "damaged"})
_UNSUITABLE: Final[Mapping[str, Cause]] = {"newer": "newer", "no-database": "no-database"}
_DUMP_FAULTS: Final = frozenset({"dump-not-loaded", "dump-cut", "table-missing"})
# What MariaDB says of itself, and not of a dump: it is full, or ends, or ended this client, which then says nothing.
_FULL: Final = re.compile(r"ERROR (?:1021|1114) |No space left")
_NOT_OF_DUMP: Final = re.compile(r"^$|ERROR (?:1040|1053|1317|1927|1969|2002|2003|2006|2013|2026|2055|3024) ")


class _NotProven(Exception):
    """details: what is known beside the cause."""

    def __init__(self, cause: Cause, details: Event | None = None) -> None:
        super().__init__(cause)
        self.cause, self.details = cause, details


def prove_copy(request: ProveCopy, emit: Emit) -> None:
    """Writes the verdict into the file `result`. Raises Failed or OSError where there is none, with a database that a take-back drops."""
    parts = kept.parts_of(request.backup)
    if not parts or parts[0] != request.domain:
        raise Failed({"code": "fetch-refused", "why": "other-site"}, 3)
    emit({"code": "proof-begun", "name": request.backup, "snapshot": request.snapshot[:8]})
    try:
        _require_quiet()
        count = _prove_twice(request)
    except _NotProven as found:
        if found.details is not None:
            emit(found.details)
        verdict: str = found.cause
        said: Event = {"code": "not-proven", "why": verdict}
    else:
        verdict, said = "good", {"code": "proven", "name": request.backup, "bytes": count}
    write_whole(request.result, f"{verdict}\n")
    emit(said)


def _prove_twice(request: ProveCopy) -> int:
    """Whatever deletes old copies meanwhile moves what the others have in common: what was not found is found in its new place."""
    try:
        return _Proof(request).prove()
    except _NotProven as found:
        if found.cause not in _MAY_HAVE_MOVED:
            raise
    return _Proof(request).prove()


def _require_quiet() -> None:
    # A container may have a load beside that of its machine, which the system call says.
    try:
        with open(places.under("/proc/loadavg"), encoding="ascii") as file:
            load = float(file.read().split(" ")[0])
    except (OSError, ValueError):
        return
    if load > _BUSY * (os.cpu_count() or 1):
        raise _NotProven("load")


class _Source:
    """What restic sends, hashed. ended: it was asked for more than there was."""

    def __init__(self, source: Source) -> None:
        self._source, self.hashed, self.count, self.ended = source, hashlib.sha256(), 0, False

    def read(self, size: int) -> bytes:
        content = self._source.read(size)
        self.ended = self.ended or len(content) < size
        self.hashed.update(content)
        self.count += len(content)
        return content

    def read_rest(self) -> None:
        while self.read(_PIECE):
            pass


class _Proof:
    """prove: how many bytes the archive has, not compressed. Raises _NotProven, or what is no verdict."""

    def __init__(self, request: ProveCopy) -> None:
        self._request = request
        self._checker: Checker | None = None
        self._manifest = Manifest("")
        self._has_files = False

    def prove(self) -> int:
        with ExitStack() as stack:
            reading = Reading(self._request.name, stack)
            source, fault = self._read(reading)
            # The whole says more than the first thing in it that is wrong.
            if self._request.sha256 not in ("", source.hashed.hexdigest()):
                cut = fault is not None and fault.cause == "truncated"
                raise _NotProven("truncated" if cut else "other-content")
            if fault is not None:
                raise fault
            self._require_whole()
            try:
                reading.finish()
            except Failed as failed:
                raise _explain(failed) from None
        return source.count

    def _read(self, reading: Reading) -> tuple[_Source, _NotProven | None]:
        """To its end, also past what is wrong with it, which is returned: restic then says whether it could read everything."""
        fault: _NotProven | None = None
        try:
            with Repository(self._request.target).reading(self._request.snapshot, archive_name(self._request.backup)) as sent:
                source = _Source(sent)
                try:
                    reading.read(cast(IO[bytes], source), self._take)
                except Broken:
                    fault = _NotProven("truncated" if source.ended else "differs")
                except Failed as failed:
                    fault = _explain(failed)
                    if fault.cause in ("room", "disk-full", "database"):
                        raise
                source.read_rest()
        except Failed as failed:
            raise _explain(failed) from None
        except OSError as error:
            raise _explain_error(error) from None
        return source, fault

    def _take(self, entry: Entry, reader: TarReader) -> None:
        if self._checker is None:
            self._checker = self._begin(entry, reader)
        name = self._checker.take(entry) or b""
        self._has_files = self._has_files or name == b"files/public" or name.startswith(b"files/public/")

    def _begin(self, entry: Entry, reader: TarReader) -> Checker:
        if entry.name != b"manifest" or entry.kind != FILE:
            raise _not_as_said()
        self._manifest = Manifest.parse(next(reader.content(), b""))
        return checker_of(self._manifest, places.under(f"/home/{self._request.name}"))

    def _require_whole(self) -> None:
        """What the manifest names is there."""
        if self._manifest.value("site") not in ("", self._request.domain):
            raise _NotProven("other-content")
        if self._checker is None or not self._has_files or b"database.sql" not in self._checker.parts:
            raise _NotProven("differs")


def _not_as_said() -> Failed:
    return Failed({"code": "backup-refused", "why": "no-site"}, 3)


def _explain(failed: Failed) -> _NotProven:
    """Raises what is no verdict again: this program, or MariaDB, has failed."""
    code, event = failed.event["code"], failed.event
    if code == "copy-failed":
        return _NotProven(cast(WhyNot, event["why"]))
    if code in _DUMP_FAULTS:
        return _explain_dump(event)
    if code == "no-room-to-load":
        return _NotProven("room", event)
    if code == "disk-full":
        return _NotProven("disk-full")
    if code == "backup-refused":
        return _NotProven(_UNSUITABLE.get(str(event["why"]), "differs"))
    if code == "archive-refused":
        return _NotProven("differs", event)
    if code == "program-failed" and event["program"] == "mariadb":
        return _NotProven("database", event)
    raise failed


def _explain_dump(event: Event) -> _NotProven:
    error = str(event.get("error", "ERROR"))
    if _FULL.search(error):
        return _NotProven("disk-full", event)
    return _NotProven("database" if _NOT_OF_DUMP.search(error) else "dump", event)


def _explain_error(error: OSError) -> _NotProven:
    if explain(error)["code"] == "disk-full":
        return _NotProven("disk-full")
    raise error
