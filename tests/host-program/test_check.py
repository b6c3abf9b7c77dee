"""Tests of targets from a server: what is mounted, what a folder and a pretended SFTP server say, and that no key is in an argument."""
from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gatehouse_host.copies import mounted
from gatehouse_host.copies.check import check_target
from gatehouse_host.copies.mounted import mount_points, why_not_mounted
from gatehouse_host.copies.reach import reach, ssh_settings
from gatehouse_host.copies.restic import explain_end
from gatehouse_host.protocol import CheckTarget, Event
from gatehouse_host.system import Failed
from gatehouse_host.targets import Folder, Sftp
from pretended import Server

STORAGE = Sftp("storage.test", "2222", "copies", "sftp", "fleet", f"ssh-ed25519 {'A' * 68}", "canary" + "b" * 300, "p" * 43, "")


def check(target: Sftp | Folder) -> Event:
    events: list[Event] = []
    check_target(CheckTarget(target), events.append)
    assert len(events) == 1
    return events[0]


def refused(target: Sftp | Folder) -> Any:
    with pytest.raises(Failed) as failed:
        check(target)
    return failed.value.event["why"]


@pytest.mark.parametrize(
    ("folder", "why"),
    [
        ("/mnt/backups", None),
        ("/mnt/backups/a/b", None),
        ("/mnt/backups2", "unmounted"),
        ("/mnt", "unmounted"),
        ("/data", "unmounted"),
        ("/home/one/public", "system-folder"),
        ("/var/backups", "system-folder"),
        ("/proc", "system-folder"),
    ],
)
def test_copies_go_only_where_storage_is_mounted(folder: str, why: str | None) -> None:
    assert why_not_mounted(folder, ["/", "/proc", "/home", "/mnt/backups"]) == why


def test_a_mount_point_may_have_spaces() -> None:
    assert mount_points(["36 35 98:0 / /mnt/my\\040disk rw,noatime - ext4 /dev/sdb rw\n"]) == ["/mnt/my disk"]


def test_a_folder_is_written_overwritten_and_left_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(Folder(str(tmp_path), "", "")) == "system-folder"
    monkeypatch.setattr(mounted, "_SYSTEM", frozenset())
    assert refused(Folder(str(tmp_path), "", "")) == "unmounted"
    monkeypatch.setattr(mounted, "mount_points", lambda _: [str(tmp_path)])
    event = check(Folder(str(tmp_path), "", ""))
    assert (event["code"], event["deletes"], event["overwrites"]) == ("target-passed", 1, 1)
    assert abs(int(event["ahead"])) < 60
    assert os.listdir(tmp_path) == []
    assert refused(Folder(f"{tmp_path}/absent", "", "")) == "missing"


SFTP = """
printf '%s\\n' "$*" >>"$asked"
cat >"$answers/batch"
[[ ! -e $answers/refuses ]] || { cat "$answers/refuses" >&2; exit 255; }
while read -r verb first second third; do
  case $verb in
    put) name=$second; cp "$first" "$answers/object" ;;
    -put) [[ -e $answers/keeps ]] || cp "$first" "$answers/object" ;;
    get) [[ ! -e $answers/floods ]] || exec head -c 50000000 /dev/zero >"$third"; cp "$answers/object" "$third"; touch -d "${ahead:-now}" "$third" ;;
    ls) echo "sftp> ls -1 $second"; echo "$name" ;;
    -ls) echo "sftp> -ls -1 $second"; [[ ! -e $answers/keeps ]] || echo "$name" ;;
  esac
done <"$answers/batch"
"""


def test_an_sftp_server_is_tried_with_the_key_of_servers(server: Server) -> None:
    server.program("sftp", SFTP)
    assert check(STORAGE) == {"code": "target-passed", "deletes": 1, "overwrites": 1, "ahead": 0}
    server.answer("keeps", "")
    assert check(STORAGE) == {"code": "target-passed", "deletes": 0, "overwrites": 0, "ahead": 0}
    assert STORAGE.privateKey not in server.statements()
    assert (server.answers / "batch").read_text().startswith("cd fleet\nmkdir gatehouse-test-")


RESTIC = """
printf '%s\\n' "$*" >>"$asked"
case $* in
  *'cat config'*) echo 'Fatal: unable to open config file: <config/> does not exist' >&2; exit 1 ;;
  *backup*) cat >"$answers/sent"; echo '{"message_type": "summary", "snapshot_id": "0123abcd"}' ;;
  *dump*) cat "$answers/sent" ;;
  *forget*) [[ ! -e $answers/keeps ]] || { echo 'Remove(<snapshot/0123abcd>) returned error, retrying after 720ms: blob not removed, server response: 403 Forbidden (403)' >&2; exec sleep 30; } ;;
esac
"""


def test_by_rclone_a_repository_is_made_and_its_snapshot_is_not_forgotten(server: Server) -> None:
    target = replace(STORAGE, access="rclone", folder="fleet/gatehouse-test-a")
    server.program("systemd-run", 'while [[ $1 != restic ]]; do shift; done; exec "$@"')
    server.program("restic", RESTIC)
    assert check(target) == {"code": "target-passed", "deletes": 1, "overwrites": 1}
    server.answer("keeps", "")
    assert check(target) == {"code": "target-passed", "deletes": 0, "overwrites": 0}
    assert "-o rclone.program=ssh -F /proc/" in server.statements() and STORAGE.privateKey not in server.statements()
    with reach(target) as reached:
        assert reached.repository == "rclone:gatehouse-test-a"


@pytest.mark.parametrize("said", ["rclone: bash: line 1: exec: rclone: not found\n", "rclone: bash: line 1: serve: command not found\n"])
def test_a_target_without_rclone_has_a_code(said: str) -> None:
    assert explain_end(1, said.encode() + b"Fatal: error talking HTTP to rclone: exit status 127\n").event["why"] == "no-rclone"


def test_by_rclone_a_snapshot_that_is_missing_has_its_code() -> None:
    assert explain_end(1, b"Fatal: failed to find snapshot: <snapshot/0123abcd45> does not exist\n").event["why"] == "missing"


def test_a_target_that_sends_without_end_fills_neither_disk_nor_memory(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.program("sftp", SFTP)
    server.answer("floods", "")
    sizes: list[int] = []
    monkeypatch.setattr(tempfile.TemporaryDirectory, "cleanup", _note_sizes(sizes))
    assert refused(STORAGE) == "altered"
    assert max(sizes) <= 4096


def _note_sizes(sizes: list[int]) -> Callable[[tempfile.TemporaryDirectory[str]], None]:
    clean_up = tempfile.TemporaryDirectory.cleanup

    def note(own: tempfile.TemporaryDirectory[str]) -> None:
        sizes.extend(each.stat().st_size for each in Path(own.name).iterdir())
        clean_up(own)

    return note


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("No ED25519 host key is known for target and you have requested strict checking.\nHost key verification failed.\n", "host-key"),
        ("copies@storage.test: Permission denied (publickey).\n", "key"),
        ("ssh: connect to host storage.test port 22: Connection refused\n", "unreachable"),
        ("subsystem request failed on channel 0\n", "no-sftp"),
        ('remote mkdir "gatehouse-test-a": Permission denied\n', "denied"),
        ('stat remote: No such file or directory\n', "missing"),
        ("something else\n", "unknown"),
    ],
)
def test_what_refuses_has_its_code(server: Server, said: str, why: str) -> None:
    server.program("sftp", SFTP)
    server.answer("refuses", said)
    assert refused(STORAGE) == why


def test_a_session_that_did_not_start_has_a_code_also_without_what_ssh_says() -> None:
    said = b"Fatal: unable to open repository at sftp:target:fleet: unable to start the sftp session, error: EOF\n"
    assert explain_end(1, said).event["why"] == "no-session"
    assert explain_end(1, b"subprocess ssh: Host key verification failed.\n" + said).event["why"] == "host-key"


def test_the_key_is_in_memory_that_no_folder_names_and_gone_afterwards() -> None:
    with ssh_settings(STORAGE) as settings:
        text = Path(settings).read_text()
        key = next(line.split()[1] for line in text.splitlines() if "IdentityFile" in line)
        assert Path(key).read_text().startswith("-----BEGIN OPENSSH PRIVATE KEY-----\ncanary")
        assert os.stat(key).st_mode & 0o777 == 0o600
        assert os.readlink(key).startswith("/memfd:")
        assert "StrictHostKeyChecking yes" in text
    assert not os.path.exists(key)


def test_restic_gets_the_key_in_no_argument() -> None:
    with reach(STORAGE) as reached:
        assert reached.repository == "sftp:target:fleet"
        assert STORAGE.privateKey not in f"{reached}"
