"""Runs Debian's restic on one repository. Keys and the password are in its environment alone, which only root can read, and end with it."""
from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Final, cast

from ..system import Failed, first_line, run
from ..targets import Target
from .causes import LASTING, cause_of, failed
from .reach import reach

_MOST: Final = 65536
_NO_REPOSITORY: Final = 10
_SHORT: Final = 300.0
_SILENT: Final = 1800.0
_LONG: Final = 6 * 3600.0
# What a server serves comes first. Where the limit is reached restic is killed, so Go frees earlier what it does not use any more.
_LIMITED: Final = (
    "systemd-run", "--quiet", "--scope", "--collect", "--nice=19",
    "-p", "MemoryMax=300M", "-p", "MemorySwapMax=0", "-p", "TasksMax=256",
    # The scope is not of the job's unit. Where the job is killed, restic must not take the end of its input for that of the archive.
    "setpriv", "--pdeathsig", "KILL",
    "ionice", "-c", "3",
)  # fmt: skip


class Repository:
    """Raises Failed with `copy-failed`, which has the cause, or `program-failed` if that is not known."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._limit = ["--limit-upload", target.limitKb] if target.limitKb else []
        self._environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "LC_ALL": "C.UTF-8",
            "RESTIC_PASSWORD": target.password,
            # The default is sixty lines a second.
            "RESTIC_PROGRESS_FPS": "0.1",
            "GOMEMLIMIT": "200MiB",
            "GOGC": "50",
        }

    def make_if_missing(self) -> bool:
        """True if it was missing. Never replaces a repository: restic refuses that."""
        try:
            self._ask("cat", "config")
        except Failed as error:
            if error.event.get("why") != "missing":
                raise
        else:
            return False
        # That of Ubuntu 22.04 knows only the first format, which all others read.
        known = run(["restic", "init", "--help"], seconds=_SHORT, check=False).output
        self._ask("init", *(["--repository-version", "2"] if b"--repository-version" in known else []))
        return True

    @contextmanager
    def _started(self, command: Sequence[str], stdin: int, stdout: int) -> Iterator[tuple[subprocess.Popen[bytes], _Complaints]]:
        with reach(self._target) as reached:
            environment = {**self._environment, **reached.environment, "RESTIC_REPOSITORY": reached.repository}
            with _started(["restic", "--no-cache", *reached.options, *command], environment, stdin, stdout) as started:
                yield started

    def _ask(self, *command: str) -> None:
        with self._started(["--quiet", *command], subprocess.DEVNULL, subprocess.DEVNULL) as (restic, complaints):
            _require_success(restic, complaints, _SHORT)

    def output_of(self, *command: str) -> bytes:
        """What restic prints, which may take it hours."""
        with tempfile.TemporaryFile() as said, self._started(command, subprocess.DEVNULL, said.fileno()) as (restic, complaints):
            _require_success(restic, complaints, _LONG)
            said.seek(0)
            return said.read()

    def forgets(self, snapshot: str) -> bool:
        """Whether the target lets its key delete a snapshot."""
        try:
            self._ask("forget", snapshot)
        except Failed as error:
            if error.event.get("why") != "denied":
                raise
            return False
        return True

    @contextmanager
    def adding(self, filename: str, tags: Sequence[str], see: Callable[[dict[str, object]], None]) -> Iterator[Sink]:
        """A file that becomes one snapshot, unless the block raises: then restic is killed before it sees an end, and the repository has none. see: gets
        each message of restic, the summary last."""
        command = [*self._limit, "--json", "backup", "--stdin", "--stdin-filename", filename, "--host", "gatehouse"]
        for tag in tags:
            command += ["--tag", tag]
        with (
            tempfile.TemporaryFile() as said,
            self._started(command, subprocess.PIPE, said.fileno()) as (restic, complaints),
        ):
            assert restic.stdin
            try:
                yield Sink(restic, complaints)
            except BrokenPipeError:
                # restic has ended, and its exit code and messages say why.
                pass
            with contextlib.suppress(BrokenPipeError):
                restic.stdin.close()
            _require_success(restic, complaints, _SILENT)
            said.seek(0)
            for line in said:
                if (message := _message(line)) is not None:
                    see(message)

    @contextmanager
    def reading(self, snapshot: str, filename: str) -> Iterator[Source]:
        """A file of a snapshot. Raises Failed after the block, if it could not be read whole; a block that does not read it to its end has to raise."""
        # Reading needs no lock, which a key may not be allowed to write.
        with self._started(["--no-lock", "dump", snapshot, filename], subprocess.DEVNULL, subprocess.PIPE) as (restic, complaints):
            source = Source(restic, complaints)
            try:
                yield source
            finally:
                source.end()
            _require_success(restic, complaints, _SHORT)


class Sink:
    """The input of restic, which is ended once its target has taken nothing for long: a copy holds the lock of all that archives sites."""

    def __init__(self, restic: subprocess.Popen[bytes], complaints: _Complaints) -> None:
        self._restic, self._complaints = restic, complaints

    def write(self, piece: bytes) -> None:
        assert self._restic.stdin
        patience = threading.Timer(_SILENT, self._complaints.end_silent)
        patience.start()
        try:
            self._restic.stdin.write(piece)
        finally:
            patience.cancel()


class Source:
    """The output of restic, which is ended once its target has sent nothing for long: whatever reads a copy holds the lock of its site. That of Debian 12 itself waits
    for an answer without end."""

    def __init__(self, restic: subprocess.Popen[bytes], complaints: _Complaints) -> None:
        self._restic, self._complaints = restic, complaints
        self._since: float | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def read(self, size: int) -> bytes:
        assert self._restic.stdout
        self._since = time.monotonic()
        try:
            return self._restic.stdout.read(size)
        finally:
            self._since = None

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(_SILENT / 20):
            since = self._since
            if since is not None and time.monotonic() - since > _SILENT:
                self._complaints.end_silent()
                return


class _Complaints:
    """What restic writes to standard error. restic retries a refused request for a quarter of an hour: it is killed where that cannot help."""

    def __init__(self, restic: subprocess.Popen[bytes]) -> None:
        self._restic, self._text, self.was_silent = restic, b"", False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._restic.stderr
        while line := self._restic.stderr.readline(_MOST):
            self._text = (self._text + line)[-_MOST:]
            if b"retrying" in line and cause_of(line) in LASTING:
                self._restic.kill()

    def end_silent(self) -> None:
        self.was_silent = True
        self._restic.kill()

    def finish(self) -> bytes:
        self._thread.join()
        return self._text


@contextmanager
def _started(command: Sequence[str], environment: dict[str, str], stdin: int, stdout: int) -> Iterator[tuple[subprocess.Popen[bytes], _Complaints]]:
    """restic ends with the block, and is killed if the block raises."""
    # systemd-run becomes restic: its process and its environment, which systemd does not get.
    with subprocess.Popen([*_LIMITED, *command], env=environment, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE) as restic:
        complaints = _Complaints(restic)
        _let_end_first(restic.pid)
        try:
            yield restic, complaints
        except BaseException:
            restic.kill()
            if restic.stdin:
                with contextlib.suppress(OSError):
                    restic.stdin.close()
            raise
        finally:
            complaints.finish()


def _require_success(restic: subprocess.Popen[bytes], complaints: _Complaints, seconds: float) -> None:
    """Waits for the end of restic, and kills it after that many seconds. Raises Failed."""
    try:
        code = restic.wait(seconds)
    except subprocess.TimeoutExpired:
        complaints.end_silent()
        code = restic.wait()
    error = complaints.finish()
    if code != 0:
        raise failed("silent") if complaints.was_silent and cause_of(error) is None else explain_end(code, error)


def _let_end_first(pid: int) -> None:
    """Where memory runs out: the target says how much of it the password takes, and its index as well."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def _message(line: bytes) -> dict[str, object] | None:
    try:
        given = json.loads(line)
    except ValueError:
        return None
    return cast(dict[str, object], given) if isinstance(given, dict) else None


def explain_end(code: int, error: bytes) -> Failed:
    """By what restic wrote to standard error: the cause, if it is known."""
    if (why := cause_of(error)) is not None:
        return failed(why)
    if code == _NO_REPOSITORY:
        return failed("missing")
    # The kernel, which says nothing, or Go itself.
    if code == -signal.SIGKILL or b"out of memory" in error:
        return failed("memory")
    return Failed({"code": "program-failed", "program": "restic", "exit": str(code), "error": first_line(error.splitlines())})
