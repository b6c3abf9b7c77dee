"""Where tenants' files are read: root's program with one capability, in a world in which nothing of others can be read but these folders.

Not as the tenant: a backup has also what root or www-data has put there, in modes that the tenant cannot read.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

# command, and the folders that it may read beside programs: those that begin with a hyphen may be missing.
Confine = Callable[[Sequence[str], Sequence[str]], list[str]]

_HIDDEN: Final = (
    "-/etc -/root -/srv -/opt -/mnt -/media -/boot -/tmp -/run/mysqld -/run/gatehouse-sites -/run/gatehouse-load -/run/dbus"
)


def confine(command: Sequence[str], folders: Sequence[str]) -> list[str]:
    """The command that runs it as a unit, with the same input and outputs. It outlives the job by no more than what it writes next."""
    properties = (
        "PrivateDevices=yes",
        "PrivateNetwork=yes",
        "ProtectSystem=strict",
        "ProtectProc=invisible",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=CAP_DAC_READ_SEARCH",
        "TemporaryFileSystem=/home:ro /var:ro",
        f"BindReadOnlyPaths={' '.join(folders)}",
        f"InaccessiblePaths={_HIDDEN}",
        "LimitNOFILE=16384",
        "MemoryMax=1G",
        "RuntimeMaxSec=12h",
    )
    options = [word for each in properties for word in ("-p", each)]
    return ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", *options, *command]


def read_only(command: Sequence[str], unit: str) -> list[str]:
    """The command that runs it as a unit of that name, with the same input and outputs: it may read everything and change nothing."""
    properties = (
        "PrivateNetwork=yes",
        "ProtectSystem=strict",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=CAP_DAC_READ_SEARCH",
        "Nice=10",
        "IOSchedulingClass=idle",
        "RuntimeMaxSec=12h",
    )
    options = [word for each in properties for word in ("-p", each)]
    return ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", f"--unit={unit}", "--setenv=LC_ALL=C.UTF-8", *options, *command]
