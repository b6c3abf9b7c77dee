"""Reads one request, does it, and ends with 0 if that is done, else with 1; with 2 if the request is refused."""
from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from .confined import Confine, confine
from .journal import Journal, Undo, Unreadable
from .protocol import LONGEST_REQUEST, Event, ReadSite, Refused, SwapFiles, TakeBack, format_event, parse_request
from .sites.archive import write_archive
from .sites.contents import read_site
from .sites.swap import swap_files, undo_make_folder, undo_move
from .sites.tar import OutputGone
from .system import Failed

UNDO: Mapping[str, Undo] = {"make-folder": undo_make_folder, "move": undo_move}

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
        if isinstance(request, SwapFiles):
            swap_files(request)
            return 0
        if isinstance(request, TakeBack):
            take_back(request)
            return 0
        return 0 if write_archive(request, emit, PROGRAM, confined) else 1
    except Refused as error:
        emit({"code": "bad-request", "error": str(error)})
        return 2
    except Failed as error:
        emit(error.event)
        return error.code
    except Unreadable:
        emit({"code": "journal-unreadable"})
        return 1
    except (OutputGone, BrokenPipeError):
        return 1
    except Exception as error:  # noqa: BLE001
        # Without its text, which may quote what a tenant wrote.
        emit({"code": "program-error", "error": type(error).__name__})
        return 1


def take_back(request: TakeBack) -> None:
    journal = Journal.resume(request.journal)
    if journal is not None:
        journal.take_back(UNDO)
        journal.close()


def _put(content: bytearray) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(1, view) :]


def _tell(event: Event) -> None:
    os.write(1, f"{format_event(event)}\n".encode("utf-8", "backslashreplace"))


def _tell_aside(event: Event) -> None:
    os.write(2, f"{format_event(event)}\n".encode("utf-8", "backslashreplace"))
