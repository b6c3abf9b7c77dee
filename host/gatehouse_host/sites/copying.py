"""Copies files from one site to another by rsync. It runs as root, because the sites have different users, in a unit that sees only their two homes: a link that a
program of a site creates meanwhile leads to nothing else."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from ..system import program_failed, run
from .site import Site

# staging/copying.bash kills this unit if its job dies.
_UNIT: Final = "gatehouse-transfer.service"
_HIDDEN: Final = (
    "-/etc -/root -/srv -/var -/opt -/mnt -/media -/boot -/tmp "
    "-/run/mysqld -/run/gatehouse -/run/gatehouse-load -/run/gatehouse-sites -/run/credentials -/run/dbus"
)
_SECONDS: Final = 6 * 3600
# The exit code of rsync if files disappeared, as programs of the site may delete some.
_GONE_MEANWHILE: Final = 24


def copy_files(source: Site, target: Site, options: Sequence[str], listed: str = os.devnull) -> None:
    """options: of rsync, with its two folders. listed: a file for its input. The files that it writes belong to the target. Raises Failed or OSError."""
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
    """paths: source and target. listed: a file of paths, each ended by NUL; folders are copied without their content. Missing paths are skipped. Files become hard links,
    so a program that is writing one continues to write the file that is served."""
    chosen = ["--no-recursive", "--dirs", "--ignore-missing-args", "--from0", "--files-from=-"]
    copy_files(source, target, [*chosen, f"--link-dest={paths[0]}", *options, *(f"{each}/" for each in paths)], listed)
