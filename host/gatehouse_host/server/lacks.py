"""What a backup of the server lacks: said in the journal of the run, and noted beside the archive."""
from __future__ import annotations

import re
from typing import Final

from ..protocol import Emit, Event, format_event, show_path
from ..system import MOST_SAID

_SAYS_WHY: Final = re.compile(rb"error|denied|no space", re.IGNORECASE)
_NAMED: Final = 5


class Lacks:
    """missing: the names of databases and files that are not in the backup, or not whole."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._lines: list[str] = []
        self.missing: list[str] = []

    def miss(self, name: str, why: Event) -> None:
        shown = show_path(name.encode("utf-8", "surrogateescape"))
        self.missing.append(shown)
        self._lines.append(f"missing\t{shown}\t{format_event(why)}\n")
        self._emit({"code": "not-in-backup", "name": shown})
        self._emit(why)

    def leave_out(self, path: str) -> None:
        """A file system that is mounted there: no backup has these, so the backup is whole without it."""
        self._lines.append(f"left_out\t{path}\n")

    def text(self) -> str:
        """The note beside the archive. An empty one says that nothing is missing, no note that nobody knows."""
        return "".join(self._lines)

    def summary(self) -> Event | None:
        if not self.missing:
            return None
        return {"code": "server-lacks", "names": ", ".join(self.missing[:_NAMED]), "unnamed": max(0, len(self.missing) - _NAMED)}


def first_error(said: bytes) -> str:
    """Of what a program has said, the first line that looks like an error, else the first; fit to be shown."""
    lines = [line for line in said.splitlines() if line.strip()]
    line = next((each for each in lines if _SAYS_WHY.search(each)), lines[0] if lines else b"")
    return show_path(line.strip()[:MOST_SAID])
