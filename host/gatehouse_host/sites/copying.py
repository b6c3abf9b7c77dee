"""Files from one site to another, by rsync as root, because the two have different users, in a world of nothing but their two homes: whatever links a program of a
site puts in its way, there is nothing else to read or to write."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from ..system import program_failed, run
from .site import Site

# Its bash kills it when a job died: staging/copying.bash.
_UNIT: Final = "gatehouse-transfer.service"
_HIDDEN: Final = (
    "-/etc -/root -/srv -/var -/opt -/mnt -/media -/boot -/tmp "
    "-/run/mysqld -/run/gatehouse -/run/gatehouse-load -/run/gatehouse-sites -/run/credentials -/run/dbus"
)
_SECONDS: Final = 6 * 3600
# A site whose programs still work deletes files meanwhile.
_GONE_MEANWHILE: Final = 24


def copy_files(source: Site, target: Site, options: Sequence[str], listed: str = os.devnull) -> None:
    """options: of rsync, with its two folders. listed: a file that is its input. What it writes belongs to the target. Raises Failed or OSError."""
    user, group = target.owner
    properties = (
        "PrivateDevices=yes",
        "PrivateNetwork=yes",
        "ProtectSystem=strict",
        "ProtectProc=invisible",
        "NoNewPrivileges=yes",
        "ProtectKernelTunables=yes",
        "ProtectControlGroups=yes",
        "CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_FSETID",
        "TemporaryFileSystem=/home:ro",
        f"BindReadOnlyPaths={source.home}",
        f"BindPaths={target.home}",
        f"InaccessiblePaths={_HIDDEN}",
    )
    unit = ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", f"--unit={_UNIT}", *(word for each in properties for word in ("-p", each))]
    rsync = ["/usr/bin/rsync", "-rlptog", "--modify-window=-1", "--no-devices", "--no-specials", "--numeric-ids", f"--chown={user}:{group}", "--chmod=ug-s"]
    with open(listed, "rb") as given:
        ended = run([*unit, *rsync, *options], stdin=given.fileno(), seconds=_SECONDS, check=False)
    if ended.code not in (0, _GONE_MEANWHILE):
        raise program_failed("rsync", ended.code, ended.error)


def copy_listed(source: Site, target: Site, paths: tuple[str, str], listed: str, *options: str) -> None:
    """paths: from where to where. listed: a file of paths, each ended by NUL; of a folder, what is in it is not copied. Some may be gone. Files become hard links, so who
    is writing one keeps writing the one that is served."""
    chosen = ["--no-recursive", "--dirs", "--ignore-missing-args", "--from0", "--files-from=-"]
    copy_files(source, target, [*chosen, f"--link-dest={paths[0]}", *options, *(f"{each}/" for each in paths)], listed)
