"""A database beside the live one, which a dump is loaded into: all but its events, by a user who may do nothing else and defines the views in it."""
from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO

from . import database, places
from .database import LOADER, ask, dumper, quoted, rows, scratch_of
from .dump import Dump, DumpFilter, errors_only, line_of, makes_anything
from .protocol import show_path
from .system import Failed, write_all


class Loading:
    """feed: takes the dump in pieces. close: that was all of it. finish: waits for its end, and raises Failed if it has not loaded. reading: what the dump goes
    through on its way to the command."""

    def __init__(self, command: list[str], reading: Callable[[Callable[[bytes], object]], Dump]) -> None:
        # Its output is nothing that anybody needs: statements of a dump may select.
        self._client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, bufsize=0)
        self._dump = reading(self._put)
        self._errors: list[bytes] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._gone = False

    def _read(self) -> None:
        assert self._client.stderr
        with os.fdopen(os.dup(self._client.stderr.fileno()), "rb") as said:
            lines = errors_only(said)
            self._errors += islice(lines, 20)
            for _ in lines:
                pass

    def _put(self, content: bytes) -> None:
        assert self._client.stdin
        if self._gone:
            return
        try:
            write_all(self._client.stdin.fileno(), content)
        except BrokenPipeError:
            # It has ended by an error, which it says.
            self._gone = True

    def feed(self, content: bytes) -> None:
        self._dump.feed(content)

    def close(self) -> None:
        assert self._client.stdin
        self._dump.end()
        self._client.stdin.close()

    def finish(self) -> list[bytes]:
        """The names of the tables that the dump makes. It must have its last line."""
        self.wait()
        if not self._dump.is_whole:
            raise Failed({"code": "dump-cut"})
        return self._dump.tables

    def wait(self) -> None:
        """For its end; a part of a dump has no last line. Raises Failed."""
        code = self._client.wait()
        self._reader.join()
        if code != 0:
            raise self._failed()

    def _failed(self) -> Failed:
        error = next(iter(self._errors), b"")
        at = line_of(error)
        table = self._dump.table_at(at) if at is not None else None
        return Failed({"code": "dump-not-loaded", "error": show_path(error), "table": show_path(table or b"")})

    def stop(self) -> None:
        if self._client.poll() is None:
            self._client.kill()
            self._client.wait()


def load_definitions(name: str, login: str, files: list[str], target: str = "") -> None:
    """Into the live database of a site, by a login that may do nothing else and becomes the definer, whoever the files name. target: another database than that of the
    site whose work this is. Most sites have none, and are paused meanwhile. Raises Failed."""
    files = [path for path in files if makes_anything(path)]
    if not files:
        return
    with _client(name, login, target or name, with_events=True) as loader:
        for path in files:
            with open(path, "rb") as file:
                while piece := file.read(1 << 20):
                    loader.feed(piece)
        loader.close()
        loader.wait()


@contextmanager
def loading(name: str) -> Iterator[Loading]:
    """Makes the scratch database of a site and takes a dump into it; it goes when the block ends."""
    try:
        with _begun(name, keep=False) as loader:
            yield loader
    finally:
        drop(name)


def load(name: str, dump: IO[bytes]) -> list[bytes]:
    """Makes the scratch database of a site of a dump. It stays until it is dropped, with the user who defines the views in it. Gives the names of the tables that
    the dump makes. Raises Failed."""
    with _begun(name, keep=True) as loader:
        while piece := dump.read(1 << 20):
            loader.feed(piece)
        loader.close()
        return loader.finish()


@contextmanager
def _begun(name: str, *, keep: bool) -> Iterator[Loading]:
    target = scratch_of(name)
    drop(name)
    ask(f"CREATE DATABASE {quoted(target)} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci")
    with filling(name, target, keep=keep) as loader:
        yield loader


@contextmanager
def filling(name: str, target: str, *, keep: bool = False) -> Iterator[Loading]:
    """Loads a dump into an existing database, by a user of the same name, who may do nothing else. name: of the site whose work this is."""
    with database.login(target, LOADER, target, keep=keep) as file, _client(name, file, target) as loader:
        yield loader


@contextmanager
def _client(name: str, login: str, target: str, *, with_events: bool = False) -> Iterator[Loading]:
    with database.large_packets(name):
        database.stop_loading(name)
        loader = Loading(database.load_command(name, login, target), lambda put: DumpFilter(put, target.encode(), with_events))
        try:
            yield loader
        finally:
            loader.stop()
            database.stop_loading(name)


def require_tables(name: str, made: list[bytes]) -> None:
    """Each table that a dump makes is there. Raises Failed."""
    target = scratch_of(name)
    found = {name for [name] in rows(ask(f"SELECT HEX(table_name) FROM information_schema.tables WHERE table_schema = '{target}'"))}
    for each in made:
        if each.hex().upper().encode() not in found:
            raise Failed({"code": "table-missing", "table": show_path(each)})


def drop(name: str) -> None:
    target = scratch_of(name)
    path = f"{places.logins()}/{target}"
    if os.path.lexists(path):
        os.unlink(path)
    users = ", ".join(f"{quoted(each)}@localhost" for each in (target, dumper(name), dumper(target)))
    ask(f"DROP DATABASE IF EXISTS {quoted(target)};\nDROP USER IF EXISTS {users};\n", seconds=600)
