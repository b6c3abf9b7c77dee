"""Reads one request, does it, and ends with 0 if that is done, else with 1; with 2 if the request is refused."""
from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .confined import Confine, confine
from .protocol import LONGEST_REQUEST, Event, ReadSite, Refused, format_event, parse_request
from .sites.archive import write_archive
from .sites.contents import read_site
from .sites.tar import OutputGone

PROGRAM: Sequence[str] = (sys.executable, "-I", "-S", "-B", "-X", "utf8", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> None:
    sys.exit(run(confine))


def run(confined: Confine) -> int:
    emit = _tell
    try:
        request = parse_request(sys.stdin.buffer.read(LONGEST_REQUEST + 1))
        if isinstance(request, ReadSite):
            emit = _tell_aside
            return 0 if read_site(request, _put, emit) else 1
        return 0 if write_archive(request, emit, PROGRAM, confined) else 1
    except Refused as error:
        emit({"code": "bad-request", "error": str(error)})
        return 2
    except (OutputGone, BrokenPipeError):
        return 1
    except Exception as error:  # noqa: BLE001
        # Without its text, which may quote what a tenant wrote.
        emit({"code": "program-error", "error": type(error).__name__})
        return 1


def _put(content: bytearray) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(1, view) :]


def _tell(event: Event) -> None:
    os.write(1, f"{format_event(event)}\n".encode("utf-8", "backslashreplace"))


def _tell_aside(event: Event) -> None:
    os.write(2, f"{format_event(event)}\n".encode("utf-8", "backslashreplace"))
