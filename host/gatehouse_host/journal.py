"""What a job has begun, and how it is undone. Each step is on the disk with what its undo needs before it acts, so whatever is killed when, and also after a
power cut, a take-back knows all that may have been done. It undoes the newest first, and notes each one, so it can be killed and begin again."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Final

from .durable import sync
from .protocol import Value
from .system import Failed

VERSION: Final = 1

Step = Mapping[str, Value]
# Undoes a step that may have been done, or not, or undone already. Raises OSError or Failed.
Undo = Callable[[Step], None]


class Journal:
    """A file of lines of JSON, in a folder that only root can enter."""

    def __init__(self, fd: int, steps: list[Step]) -> None:
        self._fd = fd
        self._steps = steps

    @classmethod
    def begin(cls, path: str) -> Journal:
        """There must be none yet. Raises OSError."""
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        journal = cls(fd, [])
        journal._write({"journal": VERSION})
        sync(os.path.dirname(path))
        return journal

    @classmethod
    def resume(cls, path: str) -> Journal | None:
        """None if there is none: nothing was begun. Raises OSError or, if it is no journal of this version, Failed."""
        try:
            fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        lines = _read(fd)
        if not lines:
            # Killed before its first line was whole.
            return cls(fd, [])
        if lines[0] != {"journal": VERSION}:
            raise _unreadable()
        steps: list[Step] = []
        for line in lines[1:]:
            if "undone" in line:
                del steps[int(line["undone"]) :]
            else:
                steps.append(line)
        return cls(fd, steps)

    @classmethod
    def open(cls, path: str) -> Journal:
        """The one that is there, or a new one. Raises as both do."""
        return cls.resume(path) or cls.begin(path)

    def note(self, step: Step) -> None:
        """Returns once it is on the disk. The step may be done only then."""
        self._write(step)
        self._steps.append(step)

    def take_back(self, undo: Mapping[str, Undo]) -> None:
        """undo: by the member `step`. What one raises leaves it and the earlier ones to the next time."""
        while self._steps:
            last = self._steps[-1]
            undo[str(last["step"])](last)
            self._write({"undone": len(self._steps) - 1})
            self._steps.pop()

    def close(self) -> None:
        os.close(self._fd)

    def _write(self, line: Step) -> None:
        content = f"{json.dumps(line)}\n".encode()
        # In one piece: of a line that is not whole, nothing was done.
        if os.write(self._fd, content) != len(content):
            raise OSError("a line of the journal could not be written")
        os.fsync(self._fd)


def _unreadable() -> Failed:
    return Failed({"code": "journal-unreadable"})


def _read(fd: int) -> list[Step]:
    """The lines that are whole. What a power cut has left of another one is cut off, so that the next begins a line."""
    content = b""
    while piece := os.read(fd, 65536):
        content += piece
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) != len(content):
        os.ftruncate(fd, len(whole))
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
    except ValueError:
        raise _unreadable() from None
    if not all(isinstance(line, dict) for line in lines):
        raise _unreadable()
    return lines
