"""The events of a dump, which are left out while it is beside the live site, because they would run."""
from __future__ import annotations

import re
from collections.abc import Callable
from typing import IO, Final

from ..dump import EVENTS, EVENTS_END

# What ends the dump belongs to its beginning, which is not among them and differs by version.
_END: Final = re.compile(rb"/\*.* SET [A-Z_]*=@OLD_[A-Z_]* \*/;\n?$")


def copy_events(dump: IO[bytes], put: Callable[[bytes], object]) -> None:
    in_events = False
    for line in dump:
        in_events = in_events or line.startswith(EVENTS)
        if in_events and not _END.match(line):
            put(line)
        if in_events and line.startswith(EVENTS_END):
            in_events = False
