"""Where things are on a server."""
from __future__ import annotations

# Tests put another folder before all paths.
root = ""


def under(path: str) -> str:
    return f"{root}{path}"


def backups() -> str:
    """The backups of sites, and what is being made of them. Root's only."""
    return under("/var/backups/gatehouse-sites")


def downloads() -> str:
    return f"{backups()}/.downloads"


def settings(name: str = "") -> str:
    """What Gatehouse knows of a site, or of all."""
    return under(f"/etc/gatehouse/sites/{name}").rstrip("/")


def logins() -> str:
    """Files by which programs log in to MariaDB. Root's only, in memory."""
    return under("/run/gatehouse-load")


def sites_lock() -> str:
    return under("/var/lib/gatehouse/sites.lock")


def packet_lock() -> str:
    return under("/var/lib/gatehouse/packet.lock")


def archives_lock() -> str:
    """Held by whatever archives a site without changing it."""
    return under("/var/lib/gatehouse/archives.lock")


def site_locks() -> str:
    """A lock for each site, which whoever archives or changes it holds."""
    return under("/run/gatehouse/site-locks")


def site_jobs() -> str:
    return under("/var/lib/gatehouse/site-jobs")


def server_backups() -> str:
    """The archives of the server itself. Root's only."""
    return under("/var/backups/gatehouse")


def server_work() -> str:
    """Where the next one is made."""
    return f"{server_backups()}/.unfinished"
