"""Requests and events. A request is one JSON object on standard input, an event one line of JSON. Both are described by protocol.schema.json.

Events are codes with values. The sentences are in TypeScript: lib/service/machines/debian/host/sentences.ts.
"""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal, cast, get_args

from .targets import Bucket, Folder, Sftp, Target, parse_target

VERSION: Final = 1

Compression = Literal["gz", "zst"]
Reason = Literal["beside", "kind", "no-folder", "leads-out", "long-path", "unreadable"]
Made = Literal["manual", "nightly", "restore", "push", "delete", "download"]
Part = Literal["check", "room", "unpack", "load", "compare", "prepare", "replace", "tidy", "drop"]
TransferPart = Literal["files", "late", "load", "compare", "replace", "drop"]
Direction = Literal["pull", "push"]
Value = str | int
Event = Mapping[str, Value]
Emit = Callable[[Event], None]

# Job logs cut lines at 500 characters, which would leave half a line of JSON.
LONGEST_LINE: Final = 480
LONGEST_REQUEST: Final = 4096


class Refused(Exception):
    """The request is not one that this version knows."""


@dataclass(frozen=True)
class WriteArchive:
    """A site's archive. home: the folder of its files. parts: what else is in the archive, first of all the manifest. No request: part of a backup."""

    home: str
    parts: str
    archive: str
    compression: Compression
    user: int
    group: int


@dataclass(frozen=True)
class ReadSite:
    """Sends a site's archive to standard output, not compressed; events go to standard error. For the confined part of WriteArchive."""

    home: str
    parts: str
    user: int
    group: int


@dataclass(frozen=True)
class BackUpSite:
    """Makes and verifies a backup of a live site, or writes its archive for a download. reason: why. folder: of the job; empty for the nightly backup."""

    id: str
    name: str
    domain: str
    reason: Made
    folder: str


@dataclass(frozen=True)
class BackUpServer:
    """The nightly backup: of the server itself, then of each of its sites. Ends with 1 if anything is missing."""


@dataclass(frozen=True)
class RestoreSite:
    """A part of the restore of a site. backup: the name of the archive; empty where a job that died is taken back. folder: of the job."""

    part: Part
    id: str
    name: str
    domain: str
    backup: str
    folder: str


@dataclass(frozen=True)
class TransferSite:
    """A part of a pull or a push. name: of the live site. copy: of its staging copy. files: whether files change places too. replaces: whether a push replaces files that
    changed on live. folder: of the job, in which the chosen tables and the lists of files are: transfer.py."""

    transfer: TransferPart
    direction: Direction
    name: str
    copy: str
    files: bool
    replaces: bool
    folder: str


@dataclass(frozen=True)
class FindLiveChanges:
    """Tells which files changed on a live site since they were pulled to its staging copy. Changes nothing. name: of the live site. copy: of the copy."""

    name: str
    copy: str


@dataclass(frozen=True)
class CopySite:
    """Sends the newest verified backup of a site to a repository. result: the file that gets what the operation answers."""

    domain: str
    result: str
    target: Target


@dataclass(frozen=True)
class CopyServer:
    """Sends the newest verified backup of the server itself to a repository; the rest as in CopySite."""

    result: str
    target: Target


@dataclass(frozen=True)
class FetchCopy:
    """Brings a backup back from a repository. name, domain: of the site. backup: its name. snapshot: in which it is. sha256: of its archive, not
    compressed; empty if that is not known."""

    name: str
    domain: str
    backup: str
    snapshot: str
    sha256: str
    target: Target


@dataclass(frozen=True)
class CheckTarget:
    """Tests from this server whether copies can be stored at a target. folder of the target: that of all repositories; empty for none."""

    target: Sftp | Folder


@dataclass(frozen=True)
class PruneCopies:
    """Deletes snapshots from a repository. list: a file with their ids, one a line: more than a request may have."""

    list: str
    target: Folder


@dataclass(frozen=True)
class ProveCopy:
    """Proves that the site could be restored from a copy; the rest as in FetchCopy. result: the file that gets the verdict."""

    name: str
    domain: str
    backup: str
    snapshot: str
    sha256: str
    result: str
    target: Target


@dataclass(frozen=True)
class TakeBack:
    """Undoes all that a job has noted. Nothing if it has not begun."""

    journal: str


# What root does itself; files are read by a confined process.
Work = BackUpServer | BackUpSite | CopyServer | CopySite | FetchCopy | FindLiveChanges | ProveCopy | PruneCopies | RestoreSite | CheckTarget | TransferSite | TakeBack
Request = ReadSite | Work
JOBS: Final[Mapping[str, type[Request]]] = {
    "read-site": ReadSite,
    "back-up-site": BackUpSite,
    "back-up-server": BackUpServer,
    "copy-server": CopyServer,
    "copy-site": CopySite,
    "fetch-copy": FetchCopy,
    "find-live-changes": FindLiveChanges,
    "prove-copy": ProveCopy,
    "prune-copies": PruneCopies,
    "restore-site": RestoreSite,
    "transfer-site": TransferSite,
    "take-back": TakeBack,
    "check-target": CheckTarget,
}
_CHOICES: Final = {name: get_args(kind) for name, kind in {"reason": Made, "part": Part, "transfer": TransferPart, "direction": Direction}.items()}
_FORMS: Final = {
    "id": re.compile(r"[A-Za-z0-9_-]{1,64}"),
    "name": re.compile(r"[a-z][a-z0-9]{0,31}"),
    "copy": re.compile(r"[a-z][a-z0-9]{0,31}"),
    "sha256": re.compile(r"|[0-9a-f]{64}"),
    "snapshot": re.compile(r"[0-9a-f]{8,64}"),
    "domain": re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?"),
    "backup": re.compile(r"|[a-z0-9][a-z0-9.-]{0,252}-[0-9]{8}-[0-9]{6}-(manual|nightly|restore|push|delete)\.tar\.(zst|gz)"),
}


def parse_request(text: bytes) -> Request:
    """Raises Refused."""
    if len(text) > LONGEST_REQUEST:
        raise Refused("too long")
    try:
        given = json.loads(text)
    except ValueError:
        raise Refused("no JSON") from None
    if not isinstance(given, dict) or given.pop("protocol", None) != VERSION:
        raise Refused("another version")
    kind = JOBS.get(str(given.pop("job", "")))
    if kind is None:
        raise Refused("unknown job")
    _check_fields(kind, given)
    if "target" in given:
        given["target"] = parse_target(given["target"], whole=False)
    return kind(**given)


def _check_fields(kind: type[Request], given: dict[str, object]) -> None:
    if set(given) != set(kind.__dataclass_fields__):
        raise Refused("other fields")
    for name, value in given.items():
        if not (_is_target(kind, value) if name == "target" else _is_field(name, value)):
            raise Refused(name)


def _is_field(name: str, value: object) -> bool:
    if name in ("user", "group"):
        return type(value) is int and 0 <= value < 2**32
    if name in ("files", "replaces"):
        return type(value) is bool
    if choices := _CHOICES.get(name):
        return value in choices
    if form := _FORMS.get(name):
        return isinstance(value, str) and form.fullmatch(value) is not None
    return _is_clean_path(value) or (name == "folder" and value == "")


def _is_target(kind: type[Request], value: object) -> bool:
    target = parse_target(value, whole=kind is not CheckTarget)
    if kind is PruneCopies:
        return isinstance(target, Folder)
    return target is not None and not (kind is CheckTarget and isinstance(target, Bucket))


def _is_clean_path(value: object) -> bool:
    if not isinstance(value, str) or not value.startswith("/") or "\0" in value:
        return False
    return all(part not in ("", ".", "..") for part in value[1:].split("/"))


def format_request(request: Request) -> bytes:
    job = next(name for name, kind in JOBS.items() if isinstance(request, kind))
    return json.dumps({"protocol": VERSION, "job": job, **asdict(request)}).encode()


def left_out(path: bytes, reason: Reason) -> Event:
    return {"code": "left-out", "reason": reason, "path": show_path(path)}


def show_path(path: bytes) -> str:
    """What cannot be printed is escaped as \\xNN, as are bytes that are no UTF-8."""
    text = path.decode("utf-8", "backslashreplace")
    return "".join(each if each.isprintable() else "".join(f"\\x{byte:02x}" for byte in each.encode()) for each in text)


def format_event(event: Event) -> str:
    """One line. The longest text loses its end if that would make the line too long."""
    line = _dump(event)
    while len(line) > LONGEST_LINE:
        name, text = max(((name, value) for name, value in event.items() if isinstance(value, str)), key=lambda each: len(each[1]))
        text = text.removesuffix("…")
        event = {**event, name: f"{text[: max(1, len(text) - max(1, (len(line) - LONGEST_LINE) // 2))]}…"}
        line = _dump(event)
    return line


def _dump(event: Event) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def parse_event(line: bytes) -> Event | None:
    """None for what is no event: the confined part is not trusted to say nothing else."""
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not isinstance(given.get("code"), str):
        return None
    if not all(type(value) in (str, int) for value in given.values()):
        return None
    return cast(Event, given)
