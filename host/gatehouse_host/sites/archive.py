"""Writes the archive of a site: the confined part sends it, a program compresses it."""
from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO, Final

from ..confined import Confine
from ..protocol import LONGEST_LINE, Emit, Event, ReadSite, WriteArchive, format_request, parse_event
from ..system import Failed
from .tar import CHUNK

COMPRESSORS: Final[Mapping[str, Sequence[str]]] = {"zst": ("zstd", "-q", "-3", "-T0"), "gz": ("gzip", "-6")}
# What the confined part may say. It reads what tenants write, so anything else is not passed on.
PASSED_ON: Final = frozenset({"left-out", "more-left-out", "no-files", "disk-error", "program-error"})


def write_archive(request: WriteArchive, emit: Emit, program: Sequence[str], confine: Confine) -> int:
    """program: the command of this program. How many entries the files have. Raises Failed if the archive is not whole, so what is there of it is of no use."""
    asked = ReadSite(home=request.home, parts=request.parts, user=request.user, group=request.group)
    command = confine(program, [f"-{request.home}", request.parts])
    with open(os.open(request.archive, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "wb") as archive:
        with (
            subprocess.Popen(COMPRESSORS[request.compression], stdin=subprocess.PIPE, stdout=archive) as compressor,
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=compressor.stdin, stderr=subprocess.PIPE) as reader,
        ):
            assert compressor.stdin and reader.stdin and reader.stderr
            widen(compressor.stdin)
            compressor.stdin.close()
            _ask(reader.stdin, format_request(asked))
            end = _relay(reader.stderr, emit)
        size = os.fstat(archive.fileno()).st_size
    if reader.returncode != 0 or compressor.returncode != 0 or end is None:
        raise Failed({"code": "not-written"})
    files = end["files"]
    if not isinstance(files, int):
        raise Failed({"code": "not-written"})
    emit({"code": "archive-written", "files": files, "bytes": size})
    return files


def widen(pipe: IO[bytes]) -> None:
    """Each side then works for a while before it waits for the other. A user's limit of pipes may forbid it."""
    with contextlib.suppress(OSError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, CHUNK)


def _ask(stdin: IO[bytes], request: bytes) -> None:
    try:
        stdin.write(request)
        stdin.close()
    except BrokenPipeError:
        # It did not start, which its end says.
        pass


def _relay(lines: IO[bytes], emit: Emit) -> Event | None:
    """Passes events on. Returns the last one, `site-read`, or None if that never came."""
    end: Event | None = None
    while line := lines.readline(8 * LONGEST_LINE):
        event = parse_event(line)
        if event is None:
            continue
        if event["code"] == "site-read":
            end = event
        elif event["code"] in PASSED_ON:
            emit(event)
    return end
