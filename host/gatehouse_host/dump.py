"""The text of a dump on its way into a database, and what MariaDB says when it does not load."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import IO, Final

_SOMEBODY: Final = rb"`(?:[^`]|``)*`"
_MODE: Final = re.compile(rb"/\*M?!\d+ SET @OLD_SQL_MODE=")
_OF_SOMEBODY: Final = re.compile(rb"(?:CREATE|/\*!50003 CREATE\*/|/\*!50106 CREATE\*/|/\*!50013) ")
_DEFINER: Final = re.compile(rb" ?DEFINER=" + _SOMEBODY + rb"(?:@" + _SOMEBODY + rb")?")
_ALTER: Final = re.compile(rb"ALTER DATABASE " + _SOMEBODY + rb" ")
_TABLE: Final = re.compile(rb"(?:INSERT INTO|CREATE TABLE|LOCK TABLES) `((?:[^`]|``)*)`")
EVENTS: Final = b"-- Dumping events for database "
EVENTS_END: Final = (b"-- Dumping routines for database ", b"-- Dump completed")


# Comments, and how what follows is read.
_MAKES_NOTHING: Final = re.compile(rb"\s*(?:--.*|/\*M!\d+\\- enable the sandbox mode \*/|/\*!\d+ SET [^;*]*\*/;)?\s*")


def makes_anything(path: str) -> bool:
    """Whether a dump has statements, beside those that say how it is read. Raises OSError."""
    with open(path, "rb") as dump:
        return any(not _MAKES_NOTHING.fullmatch(line) for line in dump)


class Dump:
    """Writes no file outside the data folder: a dump may place tables elsewhere, where the live server keeps its own. A text of a row never begins a line,
    because dumps escape line ends.

    put: takes what is left, in pieces. tables: those that the dump makes. places: from which line on, of what is left, it is about a table.
    """

    def __init__(self, put: Callable[[bytes], object]) -> None:
        self._put = put
        self._begun = bytearray()
        self._line = 0
        self._last = b""
        self.tables: list[bytes] = []
        self.places: list[tuple[int, bytes]] = []
        self.is_whole = False

    def feed(self, content: bytes) -> None:
        cut = content.rfind(b"\n") + 1
        if not cut:
            self._begun += content
            return
        lines = (bytes(self._begun) + content[:cut] if self._begun else content[:cut]).split(b"\n")
        self._begun = bytearray(content[cut:])
        lines.pop()
        self._put(b"".join([each for line in lines for each in self._take(line)]))

    def end(self) -> None:
        if self._begun:
            self._put(b"".join(self._take(bytes(self._begun))))

    def _take(self, line: bytes) -> tuple[bytes, ...]:
        first = line[:1]
        if first == b"-":
            self.is_whole = line.startswith(b"-- Dump completed")
        self._line += 1
        if first in (b"I", b"C", b"L"):
            self._note(line)
        if first == b"/":
            line = self._without_folders(line)
        return line, b"\n"

    def _note(self, line: bytes) -> None:
        found = _TABLE.match(line)
        if not found:
            return
        name = found[1].replace(b"``", b"`")
        if line.startswith(b"CREATE") and line.endswith(b"("):
            self.tables.append(name)
        if name != self._last:
            self._last = name
            self.places.append((self._line, name))

    def _without_folders(self, line: bytes) -> bytes:
        if _MODE.match(line):
            return line.replace(b"SQL_MODE='NO_AUTO_VALUE_ON_ZERO'", b"SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_DIR_IN_CREATE'", 1)
        return line

    def table_at(self, number: int) -> bytes | None:
        """Which table the line of that number is about."""
        return next((name for line, name in reversed(self.places) if line <= number), None)


class DumpFilter(Dump):
    """Names nobody as definer, so that whoever loads it is one; names the database that it is loaded into; and leaves out events, which would run, unless it is
    asked for them."""

    def __init__(self, put: Callable[[bytes], object], database: bytes, with_events: bool = False) -> None:
        super().__init__(put)
        self._alter = b"ALTER DATABASE `%b` " % database
        self._in_events = False
        self._with_events = with_events

    def _take(self, line: bytes) -> tuple[bytes, ...]:
        first = line[:1]
        if first == b"-" and self._is_heading(line) and not self._with_events:
            return ()
        if self._in_events and not self._with_events:
            return ()
        self._line += 1
        if first in (b"I", b"C", b"L"):
            self._note(line)
        if first in (b"C", b"/", b"A"):
            line = self._change(line)
        return line, b"\n"

    def _is_heading(self, line: bytes) -> bool:
        """Whether it belongs to the events."""
        self.is_whole = line.startswith(b"-- Dump completed")
        if line.startswith(EVENTS):
            self._in_events = True
        elif self._in_events and line.startswith(EVENTS_END):
            self._in_events = False
            return True
        return self._in_events

    def _change(self, line: bytes) -> bytes:
        if _MODE.match(line):
            return self._without_folders(line)
        if _OF_SOMEBODY.match(line):
            return _DEFINER.sub(b"", line, count=1)
        return _ALTER.sub(lambda _: self._alter, line, count=1) if line.startswith(b"ALTER") else line


# Errors that quote what a row holds after their first words.
_QUOTING: Final = re.compile(
    rb"(ERROR (?:1062|1064|1136|1264|1265|1292|1366|1367|1406|1411|1525|1644|1690|4025) [^:]*(?:: (?:You have an error in your SQL syntax|Duplicate entry))?).*",
    re.DOTALL,
)
_LINE: Final = re.compile(rb" at line (\d+)")
_RULE: Final = b"--------------"
_LONGEST: Final = 4096


def errors_only(said: IO[bytes]) -> Iterator[bytes]:
    """What MariaDB's client says, without the statements that it prints, and without what rows hold."""
    in_statement = goes_on = False
    while piece := said.readline(_LONGEST):
        begins, goes_on = not goes_on, not piece.endswith(b"\n")
        line = piece.rstrip(b"\n")
        if not begins:
            continue
        if line == _RULE:
            in_statement = not in_statement
        elif not in_statement and line.strip():
            yield _QUOTING.sub(rb"\1", line)[:300]


def line_of(error: bytes) -> int | None:
    found = _LINE.search(error)
    return int(found[1]) if found else None
