"""What the program does as root itself, by the kind of request. Each reads only the modules that it needs: a job starts the program several times, also while a site
is paused. Reading a site's files is not among it: contents.py, in a confined process."""
from __future__ import annotations

from collections.abc import Sequence

from .confined import Confine
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
    PruneCopies,
    RestoreSite,
    TransferSite,
    Work,
)


def do_work(request: Work, emit: Emit, program: Sequence[str], confined: Confine) -> bool:
    """Whether all of it is done. program: the command line that runs this program again, for the part that reads files."""
    if isinstance(request, BackUpServer):
        from .server.backup import back_up_server

        return back_up_server(emit, program)
    if isinstance(request, BackUpSite):
        from .sites.backup import Backup

        Backup(request, emit, program, confined).make()
    elif isinstance(request, RestoreSite):
        from .sites.restore import Restore

        Restore(request, emit).do(request.part)
    elif isinstance(request, TransferSite):
        from .sites.transfer import Transfer

        Transfer(request, emit).do(request.transfer)
    elif isinstance(request, FindLiveChanges):
        from .sites.live_changes import tell_live_changes

        tell_live_changes(request, emit)
    elif isinstance(request, (CheckTarget, CopyServer, CopySite, FetchCopy, ProveCopy, PruneCopies)):
        _copy(request, emit)
    else:
        from .sites.taken_back import take_back

        take_back(request)
    return True


def _copy(request: CheckTarget | CopyServer | CopySite | FetchCopy | ProveCopy | PruneCopies, emit: Emit) -> None:
    if isinstance(request, CheckTarget):
        from .copies.check import check_target

        check_target(request, emit)
    elif isinstance(request, CopyServer):
        from .copies.copy import copy_server

        copy_server(request, emit)
    elif isinstance(request, CopySite):
        from .copies.copy import copy_site

        copy_site(request, emit)
    elif isinstance(request, FetchCopy):
        from .copies.fetch import fetch_copy

        fetch_copy(request, emit)
    elif isinstance(request, ProveCopy):
        from .copies.prove import prove_copy

        prove_copy(request, emit)
    else:
        from .copies.prune import prune_copies

        prune_copies(request, emit)
