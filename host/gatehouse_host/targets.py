"""Where copies of backups are stored, and what opens that, as requests have it: a union by `kind`."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, cast


@dataclass(frozen=True)
class Bucket:
    """A bucket of S3. endpoint: an origin. folder: of the repository, in the bucket. keyId, keySecret: of the key that servers get. limitKb, here and below: KiB
    that may be sent in a second; empty for no limit."""

    endpoint: str
    region: str
    bucket: str
    folder: str
    keyId: str
    keySecret: str
    password: str
    limitKb: str
    kind: Literal["s3"] = field(default="s3", init=False)


@dataclass(frozen=True)
class Sftp:
    """A user of an OpenSSH server. access: what is spoken there, SFTP, or restic's protocol with rclone, which a line of authorized_keys starts. folder: of the repository, from the root or from where the user signs in. hostKey: type and key, the only one that is accepted; empty to
    ask for it. privateKey: OpenSSH's, in base64."""

    host: str
    port: str
    user: str
    access: str
    folder: str
    hostKey: str
    privateKey: str
    password: str
    limitKb: str
    kind: Literal["sftp"] = field(default="sftp", init=False)


@dataclass(frozen=True)
class Folder:
    """A folder of this server on which storage is mounted. folder: of the repository, from the root."""

    folder: str
    password: str
    limitKb: str
    kind: Literal["folder"] = field(default="folder", init=False)


Target = Bucket | Sftp | Folder

_KINDS: Final[Mapping[str, type[Target]]] = {"s3": Bucket, "sftp": Sftp, "folder": Folder}
_NAMES: Final = r"(?!(.*/)?\.+(/|$))[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+){0,100}"
_NEEDED: Final = ("folder", "password", "hostKey", "privateKey")
# A test has no password, and where only the host key is asked for there is no private key.
_SHARED: Final = {"password": r"|[A-Za-z0-9_-]{32,128}", "limitKb": r"|[1-9][0-9]{0,6}"}
_FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    "s3": {
        **_SHARED,
        "endpoint": r"https?://[A-Za-z0-9.\[\]:-]{1,300}",
        "region": r"[a-z0-9-]{1,40}",
        "bucket": r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]",
        "folder": f"|{_NAMES}",
        "keyId": r"[A-Za-z0-9_.+=@:-]{3,128}",
        "keySecret": r"[\x21-\x7e]{8,256}",
    },
    "sftp": {
        **_SHARED,
        "host": r"[A-Za-z0-9]([A-Za-z0-9.-]{0,252})|[0-9A-Fa-f:.]{2,45}",
        "port": r"[1-9][0-9]{0,4}",
        "user": r"[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}",
        "access": r"sftp|rclone",
        "folder": f"|/?{_NAMES}",
        "hostKey": r"|(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]{40,1000}={0,3}",
        "privateKey": r"|[A-Za-z0-9+/]{100,1000}={0,2}",
    },
    "folder": {**_SHARED, "folder": f"/{_NAMES}"},
}


def parse_target(given: object, *, whole: bool) -> Target | None:
    """None if it is no target. whole: with all that a copy needs."""
    if not isinstance(given, dict):
        return None
    values = cast(dict[str, object], given)
    kind = str(values.get("kind", "s3"))
    forms = _FORMS.get(kind)
    if forms is None or set(values) - {"kind"} != set(forms):
        return None
    if not all(isinstance(value := values[name], str) and re.fullmatch(form, value) for name, form in forms.items()):
        return None
    if whole and any(values.get(name) == "" for name in _NEEDED):
        return None
    return _KINDS[kind](**cast(dict[str, str], {name: values[name] for name in forms}))
