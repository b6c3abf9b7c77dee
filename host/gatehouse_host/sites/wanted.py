"""The backup that is to be restored: an archive that may come from anywhere, also from an earlier version. It is read to its end before anything is unpacked."""
from __future__ import annotations

import hashlib
import os
import shutil
import stat
from dataclasses import dataclass
from typing import Final, Literal, cast

from .. import places
from ..protocol import Compression, Emit, show_path
from ..system import Failed
from .check import Checker
from .expand import expanded
from .kept import hash_of, noted_hash
from .manifest import Manifest, read_manifest
from .parts import FORMAT
from .untar import Broken, TarReader

_MOST_NAMED: Final = 100

WhyNot = Literal["gone", "changed", "no-zstd", "no-site", "newer", "no-database", "no-owner", "damaged", "no-files"]


def no_backup(why: WhyNot) -> Failed:
    return Failed({"code": "backup-refused", "why": why}, 3)


@dataclass(frozen=True)
class Wanted:
    """A backup by its name."""

    name: str

    @property
    def path(self) -> str:
        return f"{places.backups()}/{self.name}"

    @property
    def compression(self) -> Compression:
        return cast(Compression, self.name.rpartition(".")[2])

    def manifest(self) -> Manifest:
        return read_manifest(self.path, self.compression)

    def noted_hash(self) -> str:
        return noted_hash(places.backups(), self.name)


@dataclass(frozen=True)
class Sizes:
    """room: what the files and the dump take on a disk, in bytes. dump: the dump alone."""

    room: int
    dump: int


def checker_of(manifest: Manifest, home: str) -> Checker:
    """home: of the site that it is restored into. Raises Failed, a refusal."""
    form, owners = manifest.form, manifest.owners
    if form is None:
        raise no_backup("no-site")
    if form > FORMAT:
        raise no_backup("newer")
    if manifest.value("database") != "yes":
        raise no_backup("no-database")
    if owners is None:
        raise no_backup("no-owner")
    return Checker(os.fsencode(home), *owners, former=f"/home/{manifest.name}".encode() if manifest.name else b"", form=form)


def check(wanted: Wanted, home: str, emit: Emit) -> Sizes:
    """Raises Failed, a refusal."""
    if not _is_plain(wanted.path):
        raise no_backup("gone")
    noted = wanted.noted_hash()
    hashed = hashlib.sha256()
    try:
        if wanted.compression == "zst" and shutil.which("zstd") is None:
            raise no_backup("no-zstd")
        checker = _read(wanted, home, hashed)
    except Failed:
        # That it was changed is why it cannot be read.
        if noted and hash_of(wanted.path) != noted:
            raise no_backup("changed") from None
        raise
    if noted and hashed.hexdigest() != noted:
        raise no_backup("changed")
    if b"database.sql" not in checker.parts:
        raise no_backup("no-database")
    _tell_left(checker, emit)
    return Sizes(checker.room, checker.parts[b"database.sql"])


def _read(wanted: Wanted, home: str, hashed: hashlib._Hash) -> Checker:
    checker = checker_of(wanted.manifest(), home)
    has_files = False
    try:
        with expanded(wanted.path, wanted.compression, hashed.update) as source:
            for entry in TarReader(source).entries():
                name = checker.take(entry) or b""
                has_files = has_files or name.startswith(b"files/public/") or name == b"files/public"
    except Broken:
        raise no_backup("damaged") from None
    except Failed as failed:
        if failed.event["code"] == "archive-refused":
            raise Failed({**failed.event, "code": "restore-refused"}, 3) from None
        raise no_backup("damaged") from None
    if not has_files:
        raise no_backup("no-files")
    return checker


def _is_plain(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False


def _tell_left(checker: Checker, emit: Emit) -> None:
    left = sorted(checker.left)
    for each in left[:_MOST_NAMED]:
        emit({"code": "not-restored", "path": show_path(each)})
    if len(left) > _MOST_NAMED:
        emit({"code": "more-not-restored", "count": len(left) - _MOST_NAMED})
