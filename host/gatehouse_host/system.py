"""Programs of the server: each gets a list of arguments and descriptors, never a shell's text."""
from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .protocol import Event, show_path

MOST_SAID: Final = 300


@dataclass(frozen=True)
class Ended:
    """code: below zero if a signal ended it. error: what it wrote to standard error."""

    code: int
    output: bytes
    error: bytes


class Failed(Exception):
    """What was asked cannot be done. code: how the program ends; 3 is a refusal that has changed nothing, 28 a full disk."""

    def __init__(self, event: Event, code: int = 1) -> None:
        super().__init__(event["code"])
        self.event = event
        self.code = code


def write_all(output: int, content: bytes | bytearray | memoryview) -> None:
    """The whole of it: one write may take a part. Raises OSError."""
    view = memoryview(content)
    while view:
        view = view[os.write(output, view) :]


def run(
    command: Sequence[str],
    *,
    text: bytes | None = None,
    stdin: int | None = None,
    stdout: int | None = None,
    seconds: float,
    check: bool = True,
) -> Ended:
    """text, or else the descriptor stdin, is its input; without both it has none. Its output goes to the descriptor stdout, or is returned.

    Raises Failed if it does not end with 0, does not start, or takes longer.
    """
    try:
        done = subprocess.run(
            command,
            **_source(text, stdin),
            stdout=subprocess.PIPE if stdout is None else stdout,
            stderr=subprocess.PIPE,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed({"code": "too-slow", "program": command[0], "seconds": int(seconds)}) from None
    except OSError as error:
        raise program_failed(command[0], 127, (error.strerror or "").encode()) from None
    ended = Ended(done.returncode, done.stdout or b"", done.stderr)
    if check and ended.code != 0:
        raise program_failed(command[0], ended.code, ended.error)
    return ended


def _source(text: bytes | None, stdin: int | None) -> dict[str, Any]:
    if text is not None:
        return {"input": text}
    return {"stdin": subprocess.DEVNULL if stdin is None else stdin}


def program_failed(program: str, code: int, error: bytes) -> Failed:
    return Failed({"code": "program-failed", "program": program, "exit": str(code), "error": first_line(error.splitlines())})


def first_line(lines: Iterable[bytes]) -> str:
    """The first that says something, cut, and fit to be shown."""
    for line in lines:
        if line.strip():
            return show_path(line.strip()[:MOST_SAID])
    return ""


# The last two are what the limit of a file's size, and a quota, end in.
FULL: Final = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})


def explain(error: Exception) -> Event:
    """Without its text, which may quote what a tenant wrote."""
    if isinstance(error, Failed):
        return error.event
    if isinstance(error, OSError) and error.errno in FULL:
        return {"code": "disk-full"}
    return {"code": "program-error", "error": type(error).__name__}
