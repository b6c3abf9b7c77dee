"""What is on the disk once a call returns, and locks that end with whoever holds them."""
from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager


def write_whole(path: str, content: str) -> None:
    """Whole or not there, also after a power cut. Raises OSError."""
    with open(f"{path}.new", "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.rename(f"{path}.new", path)
    sync(os.path.dirname(path))


def sync(path: str) -> None:
    """Of a folder, the names in it. Raises OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextmanager
def lock(path: str, seconds: float = 0) -> Iterator[bool]:
    """Whether it is held. seconds: for how long others are waited for. What runs meanwhile does not inherit it."""
    until = time.monotonic() + seconds
    with open(path, "ab") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    yield False
                    return
                time.sleep(0.1)
            else:
                yield True
                return
