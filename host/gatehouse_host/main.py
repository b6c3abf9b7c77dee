"""Reads one request, does it, and ends with 0 if that is done, else with 1; with 2 if the request is none, 3 if what it asks for is refused and nothing is changed,
and 28 if the disk is full."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from .confined import Confine, confine
from .protocol import LONGEST_REQUEST, Emit, Event, ReadSite, Refused, Request, format_event, parse_request
from .sites.contents import read_site
from .sites.tar import OutputGone
from .system import Failed, explain, write_all

DISK_FULL: Final = 28
PROGRAM: Sequence[str] = (sys.executable, "-I", "-S", "-B", "-X", "utf8", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> None:
    sys.exit(run(confine))


def run(confined: Confine) -> int:
    try:
        request = parse_request(sys.stdin.buffer.read(LONGEST_REQUEST + 1))
    except Refused as error:
        tell({"code": "bad-request", "error": str(error)})
        return 2
    return finish(lambda: _do(request, confined), _tell_aside if isinstance(request, ReadSite) else tell)


def finish(work: Callable[[], bool], emit: Emit) -> int:
    """The exit code of work that says whether it is done. What it raises is emitted."""
    try:
        return 0 if work() else 1
    except Failed as failed:
        emit(failed.event)
        return failed.code
    except (OutputGone, BrokenPipeError):
        return 1
    except Exception as error:  # noqa: BLE001
        event = explain(error)
        emit(event)
        return DISK_FULL if event["code"] == "disk-full" else 1


def _do(request: Request, confined: Confine) -> bool:
    if isinstance(request, ReadSite):
        return read_site(request, lambda content: write_all(1, content), _tell_aside)
    # The confined part starts in half the time without what the others need.
    from .work import do_work

    return do_work(request, tell, PROGRAM, confined)


def tell(event: Event) -> None:
    os.write(1, f"{format_event(event)}\n".encode("utf-8", "backslashreplace"))


def _tell_aside(event: Event) -> None:
    os.write(2, f"{format_event(event)}\n".encode("utf-8", "backslashreplace"))
