"""How the newest nightly run ended, for whoever lists the backups: its state, seconds since 1970, and events, one on a line; each ends with a NUL."""
from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Literal

from .. import places
from ..protocol import Event, format_event
from ..system import write_all

State = Literal["running", "done", "partial", "failed"]


def write_status(state: State, said: Sequence[Event]) -> None:
    """On a full disk, the former file is overwritten in place, which needs no new block. Raises OSError if that fails too."""
    path = f"{places.server_backups()}/.last"
    text = "\n".join(format_event(event) for event in said)
    content = f"{state}\0{int(time.time())}\0{text}\0".encode("utf-8", "backslashreplace")
    try:
        _write(f"{path}-new", os.O_TRUNC, content)
        os.replace(f"{path}-new", path)
    except OSError:
        if os.path.lexists(f"{path}-new"):
            os.unlink(f"{path}-new")
        _write(path, 0, content)


def _write(path: str, more: int, content: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | more, 0o600)
    try:
        write_all(fd, content)
        os.fsync(fd)
    finally:
        os.close(fd)
