"""What strace saw programs do to names that a tenant can exchange. Such a name has to be looked up alone, in a folder that is open already, and no link may be
followed there: whoever opens by a path follows whatever the tenant has put into it meanwhile."""
from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TEXT: Final = r'"((?:[^"\\]|\\.)*)"'
_CALL: Final = re.compile(r"(\w+)\((.*)\) += (.*)")
# A name in an open folder, as strace writes both.
_IN_FOLDER: Final = re.compile(r"(AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>(?:\(deleted\))?, " + _TEXT)
_ALONE: Final = re.compile(r"(?:^|, )" + _TEXT)
_ESCAPE: Final = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-f]{2})|(.))")
_PLAIN: Final = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f"}
# What acts on the name itself, whatever that is of.
_NEVER_FOLLOWS: Final = frozenset("mkdirat mknodat readlinkat renameat renameat2 symlinkat unlinkat".split())
# These programs compare where it has led them with where they came from.
_MAY_GO_UP: Final = frozenset({"du", "find", "rm", "tar"})


@dataclass(frozen=True)
class Call:
    """program: its file's name. named: the folder that each path is from, None where that is not an open one, with the path."""

    program: str
    text: str
    name: str
    arguments: str
    named: tuple[tuple[str | None, str], ...]

    @property
    def follows(self) -> bool:
        """Whether a link as the last part of its path would lead it elsewhere."""
        if self.name in _NEVER_FOLLOWS:
            return False
        if self.name == "linkat":
            return "AT_SYMLINK_FOLLOW" in self.arguments
        creates = "O_CREAT" in self.arguments and "O_EXCL" in self.arguments
        return not creates and not any(flag in self.arguments for flag in ("O_NOFOLLOW", "AT_SYMLINK_NOFOLLOW", "RESOLVE_NO_SYMLINKS"))


@dataclass
class Traced:
    """code: how the command ended."""

    code: int
    output: bytes
    calls: list[Call]

    def inside(self, is_tenants: Callable[[str], bool]) -> list[Call]:
        """Those that name something in a folder that a tenant can write."""
        return [call for call in self.calls if any(_begins_below(each, is_tenants) for each in call.named)]

    def wrong(self, is_tenants: Callable[[str], bool]) -> list[str]:
        """Those that resolve a path below such a folder."""
        return [f"{call.program}: {call.text}" for call in self.calls if any(_is_wrong(call, each, is_tenants) for each in call.named)]


def trace(command: Sequence[str], text: bytes, folder: Path, environment: dict[str, str], cwd: str = "/") -> Traced:
    """Runs it with all the programs that it runs. text: its input. folder: a new one, for what strace writes."""
    folder.mkdir()
    options = ["-ff", "--seccomp-bpf", "-y", "-s", "5000", "-e", "trace=%file,fchdir", "-o", str(folder / "of")]
    done = subprocess.run(["/usr/bin/strace", *options, *command], input=text, capture_output=True, env=environment, cwd=cwd, timeout=120, check=False)
    calls = [call for path in folder.iterdir() for call in _read(path, cwd)]
    assert calls, done.stderr.decode()
    return Traced(done.returncode, done.stdout, calls)


def _read(path: Path, cwd: str) -> Iterator[Call]:
    """Of one process. Before it runs a program it is a copy of the one that has started it."""
    program = ""
    for line in path.read_text(errors="replace").splitlines():
        found = _CALL.match(line)
        if not found:
            continue
        name, arguments = found[1], found[2]
        named = tuple(_named(name, arguments, cwd))
        yield Call(program, line, name, arguments, named)
        if name == "execve" and found[3] == "0":
            program = os.path.basename(named[0][1])
        if name == "chdir" and found[3] == "0":
            cwd = os.path.join(cwd, named[0][1])


def _named(name: str, arguments: str, cwd: str) -> Iterator[tuple[str | None, str]]:
    if name == "fchdir":
        # From there on, names alone would be paths.
        yield None, _unescape(arguments[arguments.index("<") + 1 : arguments.rindex(">")]) + "/."
        return
    found = [(None if fd == "AT_FDCWD" else _unescape(folder), _unescape(path), _unescape(folder)) for fd, folder, path in _IN_FOLDER.findall(arguments)]
    if found:
        yield from ((open_folder, path if open_folder else os.path.join(folder, path)) for open_folder, path, folder in found)
        return
    paths = [_unescape(each) for each in _ALONE.findall(arguments)]
    if name == "execve":
        paths = paths[:1]
    if name == "symlink":
        paths = paths[1:]
    yield from ((None, os.path.join(cwd, each)) for each in paths)


def _unescape(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        if found[3]:
            return _PLAIN.get(found[3], found[3])
        return chr(int(found[1], 8) if found[1] else int(found[2], 16))

    return _ESCAPE.sub(plain, text)


def _begins_below(named: tuple[str | None, str], is_tenants: Callable[[str], bool]) -> bool:
    folder, path = named
    return is_tenants(folder) if folder is not None else is_tenants(os.path.dirname(path.rstrip("/")))


def _is_wrong(call: Call, named: tuple[str | None, str], is_tenants: Callable[[str], bool]) -> bool:
    folder, path = named
    if folder is None or path.startswith("/"):
        return _leads_through_open(path) or _passes(path, is_tenants)
    if path == "" or not (is_tenants(folder) or _passes(os.path.join(folder, path), is_tenants)):
        # The open folder itself, or root's.
        return False
    if path == "..":
        return call.program not in _MAY_GO_UP
    return not is_tenants(folder) or "/" in path or call.follows


def _passes(path: str, is_tenants: Callable[[str], bool]) -> bool:
    """Whether a part of a whole path is looked up in a folder that a tenant can write."""
    parts = [part for part in path.split("/") if part]
    return any(is_tenants("/" + "/".join(parts[:count])) for count in range(len(parts)))


def _leads_through_open(path: str) -> bool:
    """Whether it goes by a descriptor, whose folder nobody sees here."""
    return re.match(r"/proc/[^/]+/(?:fd|cwd|root)/.", path) is not None
