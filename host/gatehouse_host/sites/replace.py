"""The moment of a restore: files, tables and the password of the database user change together, and one journal takes them all back."""
from __future__ import annotations

import os
import re
import shutil
from typing import Final

from .. import database
from ..database import ask, quoted, rows
from ..durable import write_whole
from ..journal import Journal, Step
from .exchange import SLOW, kept_of, swap_database
from .site import Site
from .swap import swap_files

# A file of the job: the hash of the password before. While it is there, restore.bash says that the password is another.
HASH: Final = "hash"
# A site's programs may have set an empty one.
_OF_PASSWORD: Final = re.compile(r"(\*[0-9A-F]{40})?")


def make_place(name: str, journal: Journal) -> None:
    """Where the former tables go. Raises Failed or OSError."""
    journal.note({"step": "make-place", "name": name})
    place = quoted(kept_of(name))
    ask(f"DROP DATABASE IF EXISTS {place};\nCREATE DATABASE {place} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;\n", seconds=SLOW)


def undo_make_place(step: Step) -> None:
    drop_place(str(step["name"]))


def drop_place(name: str) -> None:
    ask(f"DROP DATABASE IF EXISTS {quoted(kept_of(name))};\n", seconds=SLOW)


def replace(site: Site, beside: str, folder: str, password: str, journal: Journal) -> None:
    """beside: the folder of what was unpacked. folder: of the job. password: the hash that the backup has; empty if it has none. Raises Failed or OSError; what it
    has done until then is taken back by the journal."""
    swap_files(site.home, f"{beside}/files", site.owner[0], journal)
    swap_database(site.name, folder, journal)
    set_password(site.name, folder, password, journal)


def set_password(name: str, folder: str, password: str, journal: Journal) -> None:
    """Sets the password that the files contain. A user who signs in otherwise stays unchanged."""
    now = hash_of(name)
    if not password or now is None or now == password:
        return
    # Whole or not there: of one that is cut, the undo would make an empty password.
    write_whole(f"{folder}/{HASH}", now)
    journal.note({"step": "set-password", "name": name, "folder": folder})
    put_hash(name, password)


def undo_set_password(step: Step) -> None:
    with open(f"{step['folder']}/{HASH}", encoding="ascii") as file:
        former = file.read()
    put_hash(str(step["name"]), former)


def hash_of(name: str) -> str | None:
    """Of the password of a site's database user, empty for an empty one; None if it signs in otherwise."""
    hashed = "IF(JSON_VALUE(Priv, '$.plugin') = 'mysql_native_password', JSON_VALUE(Priv, '$.authentication_string'), NULL)"
    found = rows(ask(f"SELECT {hashed} FROM mysql.global_priv WHERE User = '{name}' AND Host = 'localhost'"))
    text = database.unescape(found[0][0]).decode("utf-8", "replace") if found else "none"
    return text if _OF_PASSWORD.fullmatch(text) else None


def put_hash(name: str, password: str) -> None:
    ask(f"ALTER USER {quoted(name)}@localhost IDENTIFIED BY PASSWORD '{password}';\n")


def keep_former(home: str, folder: str) -> None:
    """The former files get their name of the next day, with what the former tables lack beside them. It may begin again. Raises OSError."""
    replacing = f"{home}/.replacing"
    if not os.path.isdir(replacing):
        return
    os.utime(replacing)
    former = f"{folder}/former.sql"
    if os.path.exists(former):
        shutil.copyfile(former, f"{replacing}/definitions.sql")
    os.rename(replacing, f"{home}/.replaced")
