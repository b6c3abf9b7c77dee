"""What the program does as root itself, by the kind of request. Reading a site's files is not among it: contents.py, in a confined process."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .confined import Confine
from .journal import Journal, Undo
from .protocol import BackUpServer, BackUpSite, Emit, SwapFiles, TakeBack, Work
from .server.backup import back_up_server
from .sites.backup import Backup
from .sites.swap import swap_files, undo_make_folder, undo_move

UNDO: Final[Mapping[str, Undo]] = {"make-folder": undo_make_folder, "move": undo_move}


def do_work(request: Work, emit: Emit, program: Sequence[str], confined: Confine) -> bool:
    """Whether all of it is done. program: the command line that runs this program again, for the part that reads files."""
    if isinstance(request, BackUpServer):
        return back_up_server(emit, program)
    if isinstance(request, BackUpSite):
        Backup(request, emit, program, confined).make()
    elif isinstance(request, SwapFiles):
        swap_files(request)
    else:
        take_back(request)
    return True


def take_back(request: TakeBack) -> None:
    journal = Journal.resume(request.journal)
    if journal is not None:
        journal.take_back(UNDO)
        journal.close()
