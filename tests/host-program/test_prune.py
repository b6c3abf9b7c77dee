"""Copies in a folder are deleted by their ids alone. restic only pretends."""
from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from gatehouse_host.copies import mounted
from gatehouse_host.copies.prune import prune_copies
from gatehouse_host.protocol import Event, PruneCopies
from gatehouse_host.system import Failed
from gatehouse_host.targets import Folder
from pretended import Server

ONE, TWO, LOCK = "abcdef12" + "0" * 56, "abcdef13" + "0" * 56, "d" * 64
RESTIC = """
printf '%s\\n' "$*" >>"$asked"
case $* in
  *'list snapshots'*) cat "$answers/snapshots" ;;
  *'list locks'*) cat "$answers/locks" 2>/dev/null || true ;;
  *'cat lock'*) cat "$answers/lock" ;;
esac
"""


@pytest.fixture
def folder(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setattr(mounted, "_SYSTEM", frozenset())
    monkeypatch.setattr(mounted, "mount_points", lambda _: [str(tmp_path)])
    server.program("systemd-run", 'while [[ $1 != restic ]]; do shift; done; exec "$@"')
    server.program("restic", RESTIC)
    server.answer("snapshots", f"{ONE}\n{TWO}\n")
    return Folder(f"{tmp_path}/one", "p" * 43, "")


def prune(server: Server, folder: Folder, *ids: str) -> list[Event]:
    events: list[Event] = []
    listed = server.folder / "ids"
    listed.write_text("".join(f"{each}\n" for each in ids))
    prune_copies(PruneCopies(str(listed), folder), events.append)
    return events


def refused(server: Server, folder: Folder, *ids: str) -> Any:
    with pytest.raises(Failed) as failed:
        prune(server, folder, *ids)
    return failed.value.event["why"]


def asked(server: Server) -> list[str]:
    return [line.removeprefix("--no-cache ") for line in server.statements().splitlines() if line.startswith("--no-cache")]


def test_the_named_snapshots_go_and_no_rule_chooses_others(server: Server, folder: Folder) -> None:
    assert prune(server, folder, "abcdef12", "f" * 64, "--keep-last=1") == [{"code": "copies-pruned", "removed": 1}]
    assert asked(server) == ["list locks --no-lock", "list snapshots --no-lock", f"forget {ONE}", "prune", "check"]


def test_of_two_with_one_short_id_none_goes(server: Server, folder: Folder) -> None:
    server.answer("snapshots", f"{ONE}\n{ONE[:-1]}1\n")
    assert refused(server, folder, "abcdef12") == "ambiguous"
    assert not [line for line in asked(server) if line.startswith(("forget", "prune"))]


def test_a_lock_is_removed_once_nobody_has_held_it_for_an_hour(server: Server, folder: Folder) -> None:
    server.answer("locks", f"{LOCK}\n")
    for text in ({"time": _ago(600)}, {"time": "yesterday"}, {}):
        server.answer("lock", json.dumps(text))
        assert refused(server, folder, ONE) == "locked"
    assert "unlock" not in asked(server)
    server.answer("lock", json.dumps({"time": _ago(4000)}))
    assert prune(server, folder, ONE) == [{"code": "copies-pruned", "removed": 1}]
    assert "unlock" in asked(server)


def test_a_folder_without_storage_is_left_alone(server: Server, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounted, "mount_points", lambda _: ["/"])
    assert refused(server, folder, ONE) == "unmounted"
    assert asked(server) == []


def _ago(seconds: int) -> str:
    """As restic writes it, with nanoseconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - seconds)) + ".123456789+00:00"
