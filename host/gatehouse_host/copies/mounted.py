"""Whether a folder of this server may have copies: storage has to be mounted there, because copies on the disk of the server are lost with it."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Final, Literal

from ..system import Failed

WhyNotMounted = Literal["unmounted", "system-folder"]

# Of the system, of sites, or emptied at the next boot.
_SYSTEM: Final = frozenset(
    ("bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "proc", "root", "run", "sbin", "sys", "tmp", "usr", "var")
)


def require_mounted(folder: str) -> None:
    """folder: from the root; need not exist itself. Raises Failed `copy-failed`."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as lines:
        why = why_not_mounted(os.path.realpath(folder), mount_points(lines))
    if why is not None:
        raise Failed({"code": "copy-failed", "why": why})


def why_not_mounted(folder: str, points: Iterable[str]) -> WhyNotMounted | None:
    """folder: without links. points: where something is mounted."""
    if folder.split("/")[1] in _SYSTEM:
        return "system-folder"
    return None if any(point != "/" and f"{folder}/".startswith(f"{point}/") for point in points) else "unmounted"


def mount_points(lines: Iterable[str]) -> list[str]:
    """Of the lines of /proc/self/mountinfo, where spaces and backslashes are written as octal numbers."""
    return [re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), line.split(" ")[4]) for line in lines]
