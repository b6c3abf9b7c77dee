"""What is not in an archive: counted, and the first hundred named."""
from __future__ import annotations

from typing import Final

from ..protocol import Emit, Reason, left_out

MOST_NAMED: Final = 100


class LeftOut:
    def __init__(self) -> None:
        self._count = 0
        self._first: list[tuple[int, bytes, Reason]] = []

    def add(self, path: bytes, reason: Reason) -> None:
        self._count += 1
        self._first.append((path.count(b"/"), path, reason))
        # A tenant can make more of them than there is memory.
        if len(self._first) > 10 * MOST_NAMED:
            self._cut()

    def _cut(self) -> None:
        """What is highest up comes first: it tells most."""
        self._first.sort()
        del self._first[MOST_NAMED:]

    def tell(self, emit: Emit) -> None:
        self._cut()
        for _, path, reason in self._first:
            emit(left_out(path, reason))
        if self._count > MOST_NAMED:
            emit({"code": "more-left-out", "count": self._count - MOST_NAMED})


def leads_inside(path: bytes, target: bytes, home: bytes) -> bool:
    """Whether a link stays within the site. path: of the link, from the home on. target: what it says, absolute or from its folder on."""
    at = path.split(b"/")[:-1]
    if target.startswith(b"/"):
        if target != home and not target.startswith(home + b"/"):
            return False
        at, target = [], target[len(home) :]
    for part in target.split(b"/"):
        if part in (b"", b"."):
            continue
        if part != b"..":
            at.append(part)
        elif not at:
            return False
        else:
            at.pop()
    return True
