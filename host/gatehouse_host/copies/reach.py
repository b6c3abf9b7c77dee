"""How programs reach a target. Whatever opens it is in their environment, or in memory that ends with this process: never in an argument, and in no folder."""
from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from ..targets import Bucket, Sftp, Target
from .mounted import require_mounted

_CONNECT_SECONDS: Final = 10


@dataclass(frozen=True)
class Reached:
    """What restic needs. options: its arguments."""

    repository: str
    options: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def reach(target: Target) -> Iterator[Reached]:
    """Raises Failed `copy-failed` where a folder is not what it was when the target was added."""
    if isinstance(target, Bucket):
        yield Reached(
            f"s3:{target.endpoint}/{target.bucket}/{target.folder}",
            environment={"AWS_ACCESS_KEY_ID": target.keyId, "AWS_SECRET_ACCESS_KEY": target.keySecret, "AWS_DEFAULT_REGION": target.region},
        )
    elif isinstance(target, Sftp):
        with ssh_settings(target) as settings:
            if target.access == "rclone":
                # The line of authorized_keys takes the last word of the command for the folder of the repository.
                yield Reached(f"rclone:{target.folder.rpartition('/')[2]}", ("-o", f"rclone.program=ssh -F {settings} target"))
                return
            yield Reached(f"sftp:target:{target.folder}", ("-o", f"sftp.command=ssh -F {settings} target -s sftp"))
    else:
        require_mounted(target.folder)
        yield Reached(target.folder)


@contextmanager
def ssh_settings(target: Sftp) -> Iterator[str]:
    """The path of the settings of ssh for the host `target`. Only the host key of the target is accepted, and only its private key is tried."""
    with (
        _hidden("key", render_key(target.privateKey)) as key,
        _hidden("hosts", f"target {target.hostKey}\n") as hosts,
        _hidden("settings", _render_settings(target, key, hosts)) as settings,
    ):
        yield settings


def render_key(body: str) -> str:
    lines = [body[start : start + 70] for start in range(0, len(body), 70)]
    return "\n".join(["-----BEGIN OPENSSH PRIVATE KEY-----", *lines, "-----END OPENSSH PRIVATE KEY-----", ""])


def _render_settings(target: Sftp, key: str, hosts: str) -> str:
    values = {
        "HostName": target.host,
        "Port": target.port,
        "User": target.user,
        "HostKeyAlias": "target",
        # A server with several keys has to show this one.
        "HostKeyAlgorithms": target.hostKey.partition(" ")[0],
        "UserKnownHostsFile": hosts,
        "GlobalKnownHostsFile": "/dev/null",
        "StrictHostKeyChecking": "yes",
        "UpdateHostKeys": "no",
        "CheckHostIP": "no",
        "IdentityFile": key,
        "IdentitiesOnly": "yes",
        "IdentityAgent": "none",
        "PreferredAuthentications": "publickey",
        "BatchMode": "yes",
        "ConnectTimeout": str(_CONNECT_SECONDS),
        "ServerAliveInterval": "30",
        "ServerAliveCountMax": "4",
        "LogLevel": "ERROR",
    }
    return "Host target\n" + "".join(f"  {name} {value}\n" for name, value in values.items())


@contextmanager
def _hidden(name: str, content: str) -> Iterator[str]:
    """A file in memory that no folder names, for programs that this process starts: gone with it, however it ends."""
    file = os.memfd_create(name, os.MFD_CLOEXEC)
    try:
        os.fchmod(file, 0o600)
        os.write(file, content.encode())
        yield f"/proc/{os.getpid()}/fd/{file}"
    finally:
        os.close(file)
