"""Files of root's that have to be on the disk, whole, before work continues."""
from __future__ import annotations

import os


def write_whole(path: str, content: str) -> None:
    """Whole or not there, also after a power cut. Raises OSError."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
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
