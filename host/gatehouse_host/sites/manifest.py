"""What an archive says of itself, which may come from anywhere: values are numbers and plain words, and whatever is none counts as missing."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ..protocol import Compression
from ..system import Failed
from .expand import expanded
from .tar import FILE
from .untar import Broken, TarReader

_LONGEST: Final = 4096
_UNSEEN: Final = re.compile(rb"[^\x20-\x7e\n]")
_USER: Final = re.compile(r"[1-9][0-9]{0,9}")
_FORM: Final = re.compile(r"[0-9]{1,4}")
_NAME: Final = re.compile(r"[a-z][a-z0-9]{0,31}")
_HASH: Final = re.compile(r"\*[0-9A-F]{40}")


class _Found(Exception):
    pass


@dataclass(frozen=True)
class Manifest:
    text: str

    @classmethod
    def parse(cls, content: bytes) -> Manifest:
        return cls(_UNSEEN.sub(b"", content[:_LONGEST]).decode())

    def value(self, key: str, form: re.Pattern[str] | None = None) -> str:
        """What its first line says that begins with the key; empty if none does, or if it is not of the form."""
        found = next((line[len(key) + 1 :] for line in self.text.split("\n") if line.startswith(f"{key} ")), "")
        return found if form is None or form.fullmatch(found) else ""

    @property
    def form(self) -> int | None:
        found = self.value("format", _FORM)
        return int(found) if found else None

    @property
    def name(self) -> str:
        """How the site was called; empty if the backup does not say."""
        return self.value("name", _NAME)

    @property
    def owners(self) -> tuple[int, int, int] | None:
        """The user and the group of its files, and the web server's group."""
        found = [self.value(key, _USER) for key in ("user", "group", "web")]
        return (int(found[0]), int(found[1]), int(found[2])) if all(found) else None

    @property
    def password(self) -> str:
        """The hash of the database user's password; empty if the backup does not say."""
        return self.value("password", _HASH)


def read_manifest(archive: str, compression: Compression) -> Manifest:
    """Empty where there is none, or the archive cannot be read up to it. Archives of all versions but the oldest begin with it."""
    text = b""
    try:
        with expanded(archive, compression) as source:
            reader = TarReader(source)
            for entry in reader.entries():
                if entry.name == b"manifest" and entry.kind == FILE:
                    text = next(reader.content(), b"")
                    raise _Found
    except (_Found, Broken, Failed):
        pass
    return Manifest.parse(text)
