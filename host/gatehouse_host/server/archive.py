"""The archive of the server: written by GNU tar, which opens each name in the folder that is open already and keeps owners, devices and hard links as they
are; and read back to its end."""
from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Sequence
from typing import Final

from .. import places
from ..confined import read_only
from ..protocol import show_path
from ..sites.expand import expanded
from ..sites.untar import Broken, TarReader
from ..system import Failed, run
from .lacks import Lacks, first_error

_FOLDERS: Final = ("etc", "var/spool/cron", "var/www", "srv", "home")
_UNIT: Final = "gatehouse-archive.service"
_MOST_NAMED: Final = 20
_MOST_SAID: Final = 1 << 22
_OTHER_DISK: Final = ": file is on a different filesystem; not dumped"
# A unit runs it by its whole path, which it then calls itself.
_ITSELF: Final = re.compile(r"(?:/\S*/)?tar: ")
_UNREADABLE: Final = re.compile(r"(.*): (Cannot [^:]*|Read error[^:]*): ([^:]*)", re.DOTALL)
# File systems of the kernel contain no files of users.
_OF_KERNEL: Final = re.compile(r"proc|sysfs|devpts|cgroup.*|debugfs|tracefs|securityfs")


def find_parts() -> list[str]:
    """What to archive, from the root of the disk on. Of a folder that is a link also its target, unless that is archived anyway."""
    parts: list[str] = []
    for folder in _FOLDERS:
        path = places.under(f"/{folder}")
        if not os.path.isdir(path):
            continue
        parts.append(folder)
        if os.path.islink(path):
            target = os.path.relpath(os.path.realpath(path), places.under("/"))
            if target != "." and not any(f"{target}/".startswith(f"{each}/") for each in _FOLDERS):
                parts.append(target)
    return parts


def write_archive(archive: str, parts: Sequence[str], beside: Sequence[str], lacks: Lacks) -> None:
    """beside: folders of where it is made. What cannot be read is said to be missing. Raises Failed."""
    options = ["--verbose", "--index-file=/dev/null", "--one-file-system", "--warning=no-file-changed", "--warning=no-file-ignored"]
    more = ["-C", places.server_work(), *beside] if beside else []
    stop_archive()
    command = read_only(["tar", "-C", places.under("/"), *options, "-cf", "-", *parts, *more], _UNIT)
    with (
        open(os.open(archive, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "wb") as file,
        subprocess.Popen(["gzip"], stdin=subprocess.PIPE, stdout=file, stderr=subprocess.PIPE) as gzip,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=gzip.stdin, stderr=subprocess.PIPE) as tar,
    ):
        assert gzip.stdin and gzip.stderr and tar.stderr
        gzip.stdin.close()
        said = _read_all(tar)
        refused = gzip.stderr.read(_MOST_SAID)
    if gzip.returncode != 0:
        raise Failed({"code": "archive-failed", "error": first_error(refused)})
    _judge(tar.returncode, said, lacks)


def _read_all(tar: subprocess.Popen[bytes]) -> bytes:
    """What it says, of which no more is taken than can be kept in memory."""
    assert tar.stderr
    said = tar.stderr.read(_MOST_SAID)
    while tar.stderr.read(1 << 16):
        pass
    return said


def _judge(code: int, said: bytes, lacks: Lacks) -> None:
    """tar ends with 1 if a file changed while it was read, which is harmless, and with 2 if files could not be read or the archive has failed."""
    if code not in (0, 1) and (not said.rstrip().endswith(b"due to previous errors") or b"not recoverable" in said):
        raise Failed({"code": "archive-failed", "error": first_error(said)})
    unread = _note_lacks(said.decode("utf-8", "backslashreplace").splitlines(), lacks)
    if code not in (0, 1) and not unread:
        raise Failed({"code": "archive-unsure", "error": first_error(said)})


def _note_lacks(lines: Sequence[str], lacks: Lacks) -> int:
    """File systems that were skipped, and files that cannot be read: the first twenty of each by name. How many cannot be read."""
    skipped = unread = 0
    for said in lines:
        itself = _ITSELF.match(said)
        line = said[itself.end() :] if itself else ""
        if line.endswith(_OTHER_DISK):
            path = "/" + line.removesuffix(_OTHER_DISK).rstrip("/")
            if not _OF_KERNEL.fullmatch(_kind_of(path)):
                skipped += 1
                if skipped <= _MOST_NAMED:
                    lacks.leave_out(path)
        elif found := _UNREADABLE.fullmatch(line):
            unread += 1
            if unread <= _MOST_NAMED:
                lacks.miss("/" + found[1].removeprefix("/"), {"code": "file-unreadable", "work": found[2], "error": found[3]})
    if skipped > _MOST_NAMED:
        lacks.leave_out(f"and {skipped - _MOST_NAMED} more")
    if unread > _MOST_NAMED:
        lacks.miss("Other files", {"code": "more-unreadable", "count": unread - _MOST_NAMED})
    return unread


def _kind_of(path: str) -> str:
    """Of the file system that is mounted there."""
    return run(["stat", "-f", "-c", "%T", "--", path], seconds=60, check=False).output.decode("utf-8", "replace").strip()


def stop_archive() -> None:
    """It outlives a backup that was killed."""
    for command in (["systemctl", "-q", "kill", "-s", "KILL"], ["systemctl", "-q", "stop"], ["systemctl", "reset-failed"]):
        run([*command, _UNIT], seconds=300, check=False)


def prove_archive(archive: str, required: Sequence[str]) -> str:
    """Its hash, in hexadecimal: it unpacks to its end, and contains these files. Raises Failed."""
    wanted = {os.fsencode(each) for each in required}
    hashed = hashlib.sha256()
    with expanded(archive, "gz", hashed.update) as source:
        try:
            for entry in TarReader(source).entries():
                wanted.discard(entry.name)
        except Broken:
            raise Failed({"code": "not-read-back"}) from None
    if wanted:
        raise Failed({"code": "archive-lacks", "path": show_path(min(wanted))})
    return hashed.hexdigest()
