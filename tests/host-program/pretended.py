"""A server in a folder: programs that only pretend, found before the real ones, and what they were asked."""
from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gatehouse_host import database, places

# Notes its statements, and answers by the files named after what it finds in them.
CLIENT = r"""
from_file() { [[ -e $answers/$1 ]] && cat "$answers/$1"; }
said=$(cat)
printf '%s\n' "$* <<$said" >>"$asked"
for each in "$answers"/*; do
  word=${each##*/}
  if [[ $said == *"${word//+/ }"* ]]; then . "$each"; fi
done
exit 0
"""


@dataclass
class Server:
    folder: Path
    programs: Path
    answers: Path
    asked: Path

    def program(self, name: str, script: str) -> None:
        path = self.programs / name
        path.write_text(f"#!/bin/bash\nanswers={self.answers} asked={self.asked}\n{script}\n")
        path.chmod(0o755)

    def answer(self, word: str, script: str) -> None:
        """What mariadb does when its statements have this word, in which + stands for a space."""
        (self.answers / word).write_text(script)

    def statements(self) -> str:
        return self.asked.read_text() if self.asked.exists() else ""


def furnish(folder: Path) -> Server:
    server = Server(folder, folder / "programs", folder / "answers", folder / "asked")
    for each in (server.programs, server.answers, folder / "run/gatehouse-load", folder / "var/lib/gatehouse"):
        each.mkdir(parents=True, exist_ok=True)
    server.program("mariadb", CLIENT)
    server.program("my_print_defaults", "echo --socket=/run/own.sock")
    server.program("systemctl", "exit 0")
    # A timer runs nothing yet.
    server.program("systemd-run", '[[ $* != *--on-active=* ]] || exit 0\nwhile [[ $1 == -* ]]; do if [[ $1 == -p ]]; then shift; fi; shift; done\nexec "$@"')
    return server


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = furnish(tmp_path / "server")
    monkeypatch.setenv("PATH", f"{server.programs}:{os.environ['PATH']}")
    monkeypatch.setattr(places, "root", str(server.folder))
    database.socket.cache_clear()
    database.can.cache_clear()
    yield server
    database.socket.cache_clear()
    database.can.cache_clear()
