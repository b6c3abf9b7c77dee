"""What changed on live since the pull, which a push keeps. The pull notes beside the record of the copy which files it has copied: listing.py. Live and the copy are
compared with that note; without one, which earlier versions did not make, by the time of the pull."""
from __future__ import annotations

import calendar
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from .. import rooms
from ..protocol import Emit, FindLiveChanges, show_path
from .listing import FOLDER, Listing, is_same_content, list_files, read_list
from .site import Site, first_match

# kept: only live changed it. both: the copy too. deleted: on live, and unchanged in the copy.
Kind = Literal["kept", "both", "deleted"]
# How long files are compared by their content before they count as changed.
_READ_SECONDS: Final = 3
_MOST_NAMED: Final = 100
_MOST_IN_LINE: Final = 5
_LONGEST_NAME: Final = 80
_FILE: Final = re.compile(rb"f (\d+) (-?\d+)\.(\d+)")


@dataclass
class Changes:
    """What a push does: paths below the folder that it serves. next: the list that the next push compares with. named: files and links, by how they changed.
    keep: is copied from live, once what is in its way is removed. folders: are removed if they are empty, the deepest first. live, staged: both lists."""

    live: Listing
    staged: Listing
    next: Listing
    is_noted: bool
    named: list[tuple[Kind, bytes]] = field(default_factory=list)
    keep: list[bytes] = field(default_factory=list)
    remove: list[bytes] = field(default_factory=list)
    folders: list[bytes] = field(default_factory=list)

    def add(self, kind: Kind, path: bytes) -> None:
        here = self.staged.get(path)
        if self.live.get(path, here) != FOLDER:
            self.named.append((kind, path))
        if kind != "deleted":
            self.keep.append(path)
            # Also what is in the way of its folder.
            ends = [at for at, byte in enumerate(path) if byte == ord("/")]
            self.remove += [above for end in ends if self.staged.get(above := path[:end], FOLDER) != FOLDER]
            self.remove += [path] if here is not None else []
        elif here == FOLDER:
            self.folders.insert(0, path)
        else:
            self.remove.append(path)


def own_patterns(live: Site, copy: Site) -> list[str]:
    """The app's own configuration of the target stays, as patterns of rsync: that of known apps, and what named the site when the copy was made. None before a pull
    has copied files."""
    path = f"{copy.settings}/own-files"
    if not os.path.exists(path):
        return []
    served = first_match(live.virtual_host, re.compile(rf"  DocumentRoot {re.escape(live.home)}/public/(.*)"))
    folders = ("", f"/{served}") if served else ("",)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return [f"{folder}/{name}" for folder in folders for name in ("wp-config.php", "conf/local*")] + [each for each in file.read().split("\n") if each]


def find_live_changes(live: Site, copy: Site, folder: str, seconds: float) -> Changes:
    """folder: has the files of the copy. seconds: how long contents are compared. Raises OSError or ValueError."""
    note = f"{copy.settings}/files.gz"
    here, now = (list_files(each) for each in (folder, f"{live.home}/public"))
    then = read_list(note) if os.path.exists(note) else None
    until = time.monotonic() + seconds
    with rooms.opened(folder) as one, rooms.opened(f"{live.home}/public") as other:

        def is_equal(path: bytes) -> bool:
            return is_same_content(path, one, other, lambda: time.monotonic() > until)

        return compare(then, now, here, _pulled_at(copy), matcher(own_patterns(live, copy)), is_equal)


def matcher(patterns: Sequence[str]) -> Callable[[bytes], bool]:
    """Whether a path, or a folder above it, is one of them."""
    wildcards = {"*": "[^/]*", "?": "[^/]"}
    texts = ("".join(wildcards.get(each, re.escape(each)) for each in pattern.removeprefix("/")) for pattern in patterns)
    form = re.compile("|".join(texts).join(("(?:", ")(?:/|$)")).encode("utf-8", "surrogateescape"), re.DOTALL)
    return lambda path: bool(patterns) and form.match(path) is not None


def _pulled_at(copy: Site) -> int:
    """In seconds since 1970; 0 if nobody knows."""
    try:
        with open(f"{copy.settings}/pulled", encoding="ascii") as file:
            return calendar.timegm(time.strptime(file.read().strip(), "%Y-%m-%dT%H:%M:%SZ"))
    except (OSError, ValueError):
        return 0


def compare(
    then: Listing | None, live: Listing, staged: Listing, since: int, is_own: Callable[[bytes], bool], is_equal: Callable[[bytes], bool]
) -> Changes:
    """then: what the pull noted; None if it noted nothing. since: when it was. is_own: whether a path is of the app's configuration. is_equal: whether the files at a
    path, which have one size, have one content."""
    changes = Changes(live, staged, dict(staged), then is not None)
    for path in sorted(live.keys() | staged.keys()):
        now, here = live.get(path), staged.get(path)
        if _is_same(now, here) or is_own(path):
            continue
        known = None if then is None else then.get(path)
        kind = _by_time(now, here, since) if then is None else _by_note(known, now, here)
        if kind is None or (_have_one_size(now, here) and is_equal(path)):
            continue
        changes.add(kind, path)
        if known is not None:
            changes.next[path] = known
        elif then is not None:
            changes.next.pop(path, None)
    return changes


def _by_note(then: bytes | None, now: bytes | None, here: bytes | None) -> Kind | None:
    if _is_same(now, then):
        return None
    is_as_pulled = _is_same(here, then)
    if now is None:
        return "deleted" if is_as_pulled else None
    return "kept" if is_as_pulled else "both"


def _by_time(now: bytes | None, here: bytes | None, since: int) -> Kind | None:
    if now is None or (here is not None and not _is_newer(now, since)):
        return None
    return "both" if here is not None and _is_newer(here, since) else "kept"


def _is_same(one: bytes | None, other: bytes | None) -> bool:
    if one is None or other is None or one == other:
        return one == other
    first, second = _FILE.fullmatch(one), _FILE.fullmatch(other)
    if not first or not second or first.group(1, 2) != second.group(1, 2):
        return False
    # An archive keeps whole seconds only.
    return not (first[3].strip(b"0") and second[3].strip(b"0"))


def _is_newer(known: bytes, since: int) -> bool:
    found = _FILE.fullmatch(known)
    return found is not None and int(found[2]) >= since


def _have_one_size(now: bytes | None, here: bytes | None) -> bool:
    first, second = _FILE.fullmatch(now or b""), _FILE.fullmatch(here or b"")
    return first is not None and second is not None and first[1] == second[1]


def clear_way(changes: Changes, staged: str, aside: str) -> None:
    """Removes from the staged files what live has deleted, and what is in the way of what it has. aside: a new folder beside them, where only root gets; it goes with them.
    Raises OSError."""
    os.mkdir(aside, 0o700)
    with rooms.opened(staged) as top, rooms.opened(aside) as to:
        for number, path in enumerate(changes.remove):
            # It went with its folder.
            with suppress(FileNotFoundError, NotADirectoryError), ExitStack() as stack:
                name, room = rooms.open_above(path, top, stack)
                os.rename(name, str(number), src_dir_fd=room, dst_dir_fd=to)
        for path in changes.folders:
            # What staging has put into it stays.
            with suppress(OSError), ExitStack() as stack:
                name, room = rooms.open_above(path, top, stack)
                os.rmdir(name, dir_fd=room)


def tell_push(changes: Changes, replaces: bool, emit: Emit) -> None:
    """What a push keeps, or replaces."""
    if replaces:
        _tell([path for _, path in changes.named], "all", emit)
        return
    if not changes.is_noted:
        emit({"code": "files-not-noted"})
    for kind in ("kept", "both", "deleted"):
        _tell([path for each, path in changes.named if each == kind], kind, emit)


def _tell(paths: list[bytes], kind: str, emit: Emit) -> None:
    if paths:
        names = ", ".join(show_path(each)[:_LONGEST_NAME] for each in paths[:_MOST_IN_LINE])
        emit({"code": "live-changed", "kind": kind, "names": names, "unnamed": max(0, len(paths) - _MOST_IN_LINE)})


def tell_live_changes(request: FindLiveChanges, emit: Emit) -> None:
    """For the page on which a push begins. Raises OSError or ValueError."""
    live, copy = (Site("", each, "") for each in (request.name, request.copy))
    changes = find_live_changes(live, copy, f"{copy.home}/public", _READ_SECONDS)
    emit({"code": "live-changes", "count": len(changes.named), "noted": "yes" if changes.is_noted else "no"})
    told: Counter[bool] = Counter()
    for kind, path in changes.named:
        told[kind == "both"] += 1
        if told[kind == "both"] <= _MOST_NAMED:
            emit({"code": "changed-on-both" if kind == "both" else "changed", "path": show_path(path)})
