"""Tests from this server whether copies can be stored at a target: writes, overwrites, reads, lists and deletes a small file there, and compares the clocks. What it
writes it deletes again, as far as it may."""
from __future__ import annotations

import os
import resource
import secrets
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from ..protocol import CheckTarget, Emit
from ..system import Failed, run
from ..targets import Folder, Sftp
from .causes import cause_of, failed
from .mounted import require_mounted
from .reach import ssh_settings
from .restic import Repository

_SCAN_SECONDS: Final = 10
_SFTP_SECONDS: Final = 25.0
# Bytes. What is written has 64, but a target may answer without end.
_MOST: Final = 4096
_PREFERRED: Final = ("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521")


@dataclass(frozen=True)
class Found:
    """deletes, overwrites: whether whoever has the key of servers could. ahead: seconds by which the clock of the target is ahead; None if that is
    not known."""

    deletes: bool
    overwrites: bool
    ahead: int | None


def check_target(request: CheckTarget, emit: Emit) -> None:
    """Emits `target-passed`, or `host-key` if it is asked for that. Raises Failed `copy-failed`."""
    target = request.target
    if isinstance(target, Sftp) and target.hostKey == "":
        emit({"code": "host-key", "key": _scan(target)})
        return
    found = _check_folder(target) if isinstance(target, Folder) else _check_rclone(target) if target.access == "rclone" else _check_sftp(target)
    clock = {} if found.ahead is None else {"ahead": found.ahead}
    emit({"code": "target-passed", "deletes": int(found.deletes), "overwrites": int(found.overwrites), **clock})


def _scan(target: Sftp) -> str:
    """The key that the target shows now. Whoever asks has to confirm it."""
    command = ["ssh-keyscan", "-T", str(_SCAN_SECONDS), "-t", "ed25519,ecdsa", "-p", target.port, "--", target.host]
    lines = run(command, seconds=_SFTP_SECONDS, check=False).output.decode("ascii", "replace").splitlines()
    keys = dict(line.split(" ")[1:3] for line in lines if line.count(" ") == 2 and not line.startswith("#"))
    kind = next((each for each in _PREFERRED if each in keys), None)
    if kind is None:
        raise failed("unreachable")
    return f"{kind} {keys[kind]}"


def _check_folder(target: Folder) -> Found:
    require_mounted(target.folder)
    place = f"{target.folder}/gatehouse-test-{secrets.token_hex(8)}"
    name = f"{place}/object"
    contents = [secrets.token_bytes(64), secrets.token_bytes(64)]
    try:
        os.mkdir(place, 0o700)
        for content in contents:
            with open(name, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        ahead = round(os.stat(name).st_mtime - time.time())
        with open(name, "rb") as file:
            read = file.read(_MOST)
        listed = os.listdir(place)
    except OSError as error:
        raise failed(cause_of((error.strerror or "").encode()) or "unknown") from None
    finally:
        deletes = _remove(place, name)
    if listed != ["object"]:
        raise failed("altered")
    return Found(deletes, _is_overwritten(read, contents), ahead)


def _remove(place: str, name: str) -> bool:
    try:
        if os.path.lexists(name):
            os.unlink(name)
        if os.path.lexists(place):
            os.rmdir(place)
    except OSError:
        return False
    return True


def _check_sftp(target: Sftp) -> Found:
    name = f"gatehouse-test-{secrets.token_hex(8)}"
    contents = [secrets.token_bytes(64), secrets.token_bytes(64)]
    with tempfile.TemporaryDirectory() as own, ssh_settings(target) as settings:
        sources = [f"{own}/first", f"{own}/second"]
        for source, content in zip(sources, contents):
            with open(source, "wb") as file:
                file.write(content)
        back = f"{own}/back"
        commands = [
            *([f"cd {target.folder}"] if target.folder else []),
            f"mkdir {name}",
            f"put {sources[0]} {name}/object",
            f"-put {sources[1]} {name}/object",
            f"get -p {name}/object {back}",
            f"ls -1 {name}",
            f"-rm {name}/object",
            f"-ls -1 {name}",
            f"-rmdir {name}",
        ]
        with _small_files():
            ended = run(
                ["sftp", "-F", settings, "-b", "-", "target"], text="".join(f"{each}\n" for each in commands).encode(), seconds=_SFTP_SECONDS, check=False
            )
        if ended.code == -signal.SIGXFSZ:
            raise failed("altered")
        if ended.code != 0:
            raise failed(cause_of(ended.error) or "unknown")
        with open(back, "rb") as file:
            read = file.read(_MOST)
        ahead = round(os.stat(back).st_mtime - time.time())
    lists = [part.splitlines() for part in ended.output.decode("utf-8", "replace").split("sftp> ") if part.startswith(("ls ", "-ls "))]
    if len(lists) != 2 or f"{name}/object" not in lists[0][1:]:
        raise failed("altered")
    return Found(f"{name}/object" not in lists[1][1:], _is_overwritten(read, contents), ahead)


def _check_rclone(target: Sftp) -> Found:
    """rclone serves repositories and nothing else: the target is one that is made for the test. One option of rclone decides on deleting and overwriting."""
    repository, content, summary = Repository(target), secrets.token_bytes(64), dict[str, object]()
    if not repository.make_if_missing():
        raise failed("altered")
    with repository.adding("/object", ("gatehouse-test",), summary.update) as sink:
        sink.write(content)
    snapshot = str(summary.get("snapshot_id", ""))
    with repository.reading(snapshot, "/object") as source:
        read = source.read(_MOST)
        source.read(_MOST)
    if read != content:
        raise failed("altered")
    deletes = repository.forgets(snapshot)
    return Found(deletes, deletes, None)


@contextmanager
def _small_files() -> Iterator[None]:
    """Of programs that are run: they end where a file would grow beyond."""
    former = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST, former[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, former)


def _is_overwritten(read: bytes, contents: list[bytes]) -> bool:
    if read not in contents:
        raise failed("altered")
    return read == contents[1]
