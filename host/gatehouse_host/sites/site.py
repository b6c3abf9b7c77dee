"""A site as its server knows it. All that belongs to it follows from its name; what cannot is in files of root's."""
from __future__ import annotations

import grp
import os
import pwd
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .. import database, places
from ..system import Failed

_HOURLY_MAIL: Final = "200"


@dataclass(frozen=True)
class Site:
    id: str
    name: str
    domain: str

    @property
    def home(self) -> str:
        return places.under(f"/home/{self.name}")

    @property
    def settings(self) -> str:
        return places.settings(self.name)

    @property
    def virtual_host(self) -> str:
        return places.under(f"/etc/apache2/sites-available/zz-gatehouse-{self.name}.conf")

    @property
    def work(self) -> str:
        """Where a backup of it is made."""
        return f"{places.backups()}/.making-{self.name}"

    @property
    def owner(self) -> tuple[int, int]:
        """Its user and group; 0 for what was removed by hand."""
        try:
            user = pwd.getpwnam(self.name)
        except KeyError:
            return 0, 0
        return user.pw_uid, user.pw_gid

    def recorded(self, key: str) -> str:
        """What its record says; empty if nothing."""
        return first_match(f"{self.settings}/site", re.compile(rf"{key} (.*)"))

    def aliases(self) -> str:
        return first_match(self.virtual_host, re.compile("  ServerAlias (.*)"))

    def hourly_mail(self) -> str:
        """How many mails its programs may send in an hour; empty where that is not limited."""
        if not os.path.exists(places.under("/etc/systemd/system/gatehouse-mail-limits.service")):
            return ""
        return first_match(f"{self.settings}/mail-per-hour", re.compile("([1-9][0-9]{0,3})")) or _HOURLY_MAIL

    def password(self) -> str:
        """The hash of its database user's password; empty if that is empty, or if the user signs in otherwise."""
        asked = f"SELECT JSON_VALUE(Priv, '$.authentication_string') FROM mysql.global_priv WHERE User = '{self.name}' AND Host = 'localhost'"
        found = _or_empty(lambda: database.rows(database.ask(asked))[0][0].decode())
        return found if re.fullmatch(r"\*[0-9A-F]{40}", found) else ""


def first_match(path: str, line: re.Pattern[str]) -> str:
    """The group of the first line that matches as a whole; empty without the file or such a line."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return next((found[1] for each in file if (found := line.fullmatch(each.rstrip("\n")))), "")
    except FileNotFoundError:
        return ""


def mariadb_version() -> str:
    return _or_empty(lambda: database.rows(database.ask("SELECT VERSION()"))[0][0].decode())


def web_group() -> str:
    try:
        return str(grp.getgrnam("www-data").gr_gid)
    except KeyError:
        return ""


def _or_empty(asked: Callable[[], str]) -> str:
    try:
        return asked()
    except (Failed, IndexError, UnicodeDecodeError):
        return ""
