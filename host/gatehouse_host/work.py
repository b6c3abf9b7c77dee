"""What the program does as root itself, by the kind of request. Reading a site's files is not among it: contents.py, in a confined process."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .confined import Confine
from .journal import Journal, Undo
from .protocol import BackUpSite, Emit, RestoreSite, TakeBack, Work
from .sites.backup import Backup
from .sites.exchange import undo_swap_database
from .sites.kept import expire
from .sites.replace import undo_make_place, undo_set_password
from .sites.restore import Restore
from .sites.swap import undo_make_folder, undo_move

UNDO: Final[Mapping[str, Undo]] = {
    "make-place": undo_make_place,
    "make-folder": undo_make_folder,
    "move": undo_move,
    "swap-database": undo_swap_database,
    "set-password": undo_set_password,
}


def do_work(request: Work, emit: Emit, program: Sequence[str], confined: Confine) -> None:
    """program: the command line that runs this program again, for the part that reads files."""
    if isinstance(request, BackUpSite):
        Backup(request, emit, program, confined).make()
    elif isinstance(request, RestoreSite):
        Restore(request, emit).do(request.part)
    elif isinstance(request, TakeBack):
        take_back(request)
    else:
        expire()


def take_back(request: TakeBack) -> None:
    journal = Journal.resume(request.journal)
    if journal is not None:
        journal.take_back(UNDO)
        journal.close()
