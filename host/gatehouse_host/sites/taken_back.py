"""Undoes what a job of a site has noted in its journal, the newest first."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..journal import Journal, Undo
from ..protocol import TakeBack
from .exchange import undo_swap_database
from .replace import undo_make_place, undo_set_password
from .swap import undo_exchange, undo_make_folder, undo_move
from .swap_tables import undo_swap_tables

UNDO: Final[Mapping[str, Undo]] = {
    "make-place": undo_make_place,
    "make-folder": undo_make_folder,
    "move": undo_move,
    "swap-database": undo_swap_database,
    "set-password": undo_set_password,
    "exchange": undo_exchange,
    "swap-tables": undo_swap_tables,
}


def take_back(request: TakeBack) -> None:
    journal = Journal.resume(request.journal)
    if journal is not None:
        journal.take_back(UNDO)
        journal.close()
