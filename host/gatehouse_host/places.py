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
