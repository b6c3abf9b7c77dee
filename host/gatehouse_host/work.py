"""What the program does as root itself, by the kind of request. Reading a site's files is not among it: contents.py, in a confined process."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .confined import Confine
from .journal import Journal, Undo
from .protocol import BackUpSite, Emit, RestoreSite, SwapDatabase, SwapFiles, TakeBack, Work
from .sites.backup import Backup
from .sites.exchange import swap_database, undo_swap_database
from .sites.kept import expire
from .sites.restore import Restore
from .sites.swap import swap_files, undo_make_folder, undo_move

UNDO: Final[Mapping[str, Undo]] = {"make-folder": undo_make_folder, "move": undo_move, "swap-database": undo_swap_database}


def do_work(request: Work, emit: Emit, program: Sequence[str], confined: Confine) -> None:
    """program: the command line that runs this program again, for the part that reads files."""
    if isinstance(request, BackUpSite):
        Backup(request, emit, program, confined).make()
    elif isinstance(request, RestoreSite):
        Restore(request, emit).do(request.part)
    elif isinstance(request, SwapFiles):
        swap_files(request)
    elif isinstance(request, SwapDatabase):
        swap_database(request)
    elif isinstance(request, TakeBack):
        take_back(request)
    else:
        expire()


def take_back(request: TakeBack) -> None:
    journal = Journal.resume(request.journal)
    if journal is not None:
        journal.take_back(UNDO)
        journal.close()
