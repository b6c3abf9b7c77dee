"""Archives that no program writes, with paths, links and kinds by the dice: what is taken stays in its folder."""
from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from archives import DUMP, MANIFEST, NAME, Backup, backup, target  # noqa: F401
from gatehouse_host.sites import manifest, wanted
from gatehouse_host.sites import unpack as unpacking
from gatehouse_host.sites.tar import BLOCK, FILE, FOLDER, HARD_LINK, LINK, TarWriter
from gatehouse_host.sites.unpack import Target, unpack
from gatehouse_host.sites.wanted import Wanted
from gatehouse_host.system import Ended, Failed
from seeds import SEED, seeded_runs, throw


class Generated:
    """An archive of entries that nobody's program writes."""

    def __init__(self) -> None:
        self.content = b""
        self.tar = TarWriter(self._put, 1000, 1000)

    def _put(self, content: bytearray) -> None:
        self.content += content

    def add(self, name: bytes, kind: bytes = FILE, link: bytes = b"", content: bytes = b"") -> None:
        self.tar.entry(name, kind, 0o644, len(content), 7, link)
        self.tar.data(content)
        self.tar.pad(len(content))

    def end(self) -> bytes:
        self.tar.end()
        return self.content


PIECES = (b"public", b"private", b"a", b"b", b"..", b".", b"", b"etc", b"files", b"link")
KINDS = (FILE, FOLDER, LINK, HARD_LINK, b"3", b"6", b"7")


def random_archive(dice: random.Random) -> bytes:
    archive = Generated()
    archive.add(b"manifest", content=MANIFEST.encode())
    archive.add(b"database.sql", content=DUMP.encode())
    archive.add(b"files/public", FOLDER)
    names = [b"files/public"]
    for _ in range(dice.randint(1, 5)):
        kind = dice.choices(KINDS, (6, 4, 4, 2, 0.2, 0.2, 0.2))[0]
        base = dice.choice(names) if dice.random() < 0.8 else b"files/" + dice.choice(PIECES)
        name = base + b"/" + dice.choice(PIECES[2:4] if dice.random() < 0.8 else PIECES)
        to = dice.choice((b"..", b"a", b"b/..", b"../a", b"/etc", b"/home/former/public", b"../../..", b".")) if kind == LINK else dice.choice(names)
        archive.add(name, kind, to, b"x" * dice.choice((0, 5, BLOCK)) if kind == FILE else b"")
        names.append(name)
    return archive.end()


def test_security_56_of_thousands_of_generated_archives_each_is_refused_or_lands_in_its_folder(
    backup: Backup, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the program that expands: that would take minutes."""
    content = [b""]

    @contextmanager
    def expand(*_: object) -> Iterator[BytesIO]:
        yield BytesIO(content[0])

    for module in (manifest, unpacking, wanted):
        monkeypatch.setattr(module, "expanded", expand)
    monkeypatch.setattr(unpacking, "run", lambda *_, **__: Ended(0, b"", b""))
    backup.path.touch()
    dice = throw()
    home = Path(target.home)
    taken = 0
    runs = seeded_runs(10_000)
    for number in range(runs):
        content[0] = random_archive(dice)
        try:
            backup.check(target.home)
        except Failed as failed:
            assert failed.code == 3
            continue
        there = Target(str(home), str(home / f".restoring-{number}"), target.user, target.group, target.former)
        try:
            unpack(Wanted(NAME), there)
            taken += 1
        except Failed as failed:
            assert failed.event == {"code": "backup-refused", "why": "damaged"}, f"SEED={SEED}, archive {number}"
    assert taken > runs // 10, f"SEED={SEED}"
    assert {each.name.split("-")[0] for each in home.iterdir()} == {".restoring"}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["home", "server", "work"]
    for path in home.rglob("*"):
        if path.is_symlink():
            inside = Path(os.path.normpath(path.parent / os.readlink(path)))
            assert home in inside.parents or inside == home, f"SEED={SEED}: {path}"
