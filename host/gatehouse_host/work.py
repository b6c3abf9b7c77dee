"""What the program does as root itself, by the kind of request. Reading a site's files is not among it: contents.py, in a confined process."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .confined import Confine
from .copies.check import check_target
from .copies.copy import copy_server, copy_site
from .copies.fetch import fetch_copy
from .copies.prove import prove_copy
from .journal import Journal, Undo
from .protocol import (
    BackUpServer,
    BackUpSite,
    CheckTarget,
    CopyServer,
    CopySite,
    Emit,
    FetchCopy,
    FindLiveChanges,
    ProveCopy,
    RestoreSite,
    TakeBack,
    TransferSite,
    Work,
)
from .server.backup import back_up_server
from .sites.backup import Backup
from .sites.exchange import undo_swap_database
from .sites.live_changes import tell_live_changes
from .sites.replace import undo_make_place, undo_set_password
from .sites.restore import Restore
from .sites.swap import undo_exchange, undo_make_folder, undo_move
from .sites.swap_tables import undo_swap_tables
from .sites.transfer import Transfer

UNDO: Final[Mapping[str, Undo]] = {
    "make-place": undo_make_place,
    "make-folder": undo_make_folder,
    "move": undo_move,
    "swap-database": undo_swap_database,
    "set-password": undo_set_password,
    "exchange": undo_exchange,
    "swap-tables": undo_swap_tables,
}


def do_work(request: Work, emit: Emit, program: Sequence[str], confined: Confine) -> bool:
    """Whether all of it is done. program: the command line that runs this program again, for the part that reads files."""
    if isinstance(request, BackUpServer):
        return back_up_server(emit, program)
    if isinstance(request, BackUpSite):
        Backup(request, emit, program, confined).make()
    elif isinstance(request, CheckTarget):
        check_target(request, emit)
    elif isinstance(request, CopyServer):
        copy_server(request, emit)
    elif isinstance(request, CopySite):
        copy_site(request, emit)
    elif isinstance(request, FetchCopy):
        fetch_copy(request, emit)
    elif isinstance(request, ProveCopy):
        prove_copy(request, emit)
    elif isinstance(request, FindLiveChanges):
        tell_live_changes(request, emit)
    elif isinstance(request, RestoreSite):
        Restore(request, emit).do(request.part)
    elif isinstance(request, TransferSite):
        Transfer(request, emit).do(request.transfer)
    else:
        take_back(request)
    return True


def take_back(request: TakeBack) -> None:
    journal = Journal.resume(request.journal)
    if journal is not None:
        journal.take_back(UNDO)
        journal.close()
