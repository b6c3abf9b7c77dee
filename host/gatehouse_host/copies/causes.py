"""Why copies fail, by what restic and the programs below it write."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from ..system import Failed

WhyNot = Literal[
    "password", "key", "denied", "bucket", "region", "clock", "full", "busy", "certificate", "unreachable",
    "missing", "damaged", "locked", "memory", "silent", "unknown", "host-key", "no-sftp", "no-rclone", "altered", "no-session", "ambiguous",
]  # fmt: skip

# What restic, its client of S3 and OpenSSH write, in the versions of Debian 12 and 13: the first that matches.
_CAUSES: Final[Sequence[tuple[str, WhyNot]]] = (
    ("Host key verification failed", "host-key"),
    ("HOST IDENTIFICATION HAS CHANGED", "host-key"),
    ("no matching host key type found", "host-key"),
    ("Permission denied (", "key"),
    ("Too many authentication failures", "key"),
    ("error in libcrypto", "key"),
    ("Connection refused", "unreachable"),
    ("Connection timed out", "unreachable"),
    ("Connection closed by", "unreachable"),
    ("Connection reset by", "unreachable"),
    ("Could not resolve hostname", "unreachable"),
    ("No route to host", "unreachable"),
    ("Network is unreachable", "unreachable"),
    ("subsystem request failed", "no-sftp"),
    ("rclone: not found", "no-rclone"),
    ("rclone: command not found", "no-rclone"),
    # A key without the line that starts rclone gets a shell.
    ("serve: not found", "no-rclone"),
    ("serve: command not found", "no-rclone"),
    ("wrong password or no key found", "password"),
    ("Access Key Id you provided does not exist", "key"),
    ("InvalidAccessKeyId", "key"),
    ("SignatureDoesNotMatch", "key"),
    ("request signature we calculated does not match", "key"),
    ("RequestTimeTooSkewed", "clock"),
    ("difference between the request time", "clock"),
    ("NoSuchBucket", "bucket"),
    ("specified bucket does not exist", "bucket"),
    ("AuthorizationHeaderMalformed", "region"),
    ("PermanentRedirect", "region"),
    ("QuotaExceeded", "full"),
    ("InsufficientStorage", "full"),
    ("StorageFull", "full"),
    ("507 ", "full"),
    ("no space left", "full"),
    ("No space left", "full"),
    ("uota exceeded", "full"),
    ("SlowDown", "busy"),
    ("ServiceUnavailable", "busy"),
    ("AccessDenied", "denied"),
    ("Access Denied", "denied"),
    ("403 Forbidden", "denied"),
    ("permission denied", "denied"),
    ("Permission denied", "denied"),
    ("x509:", "certificate"),
    ("tls:", "certificate"),
    ("already locked", "locked"),
    ("ciphertext verification failed", "damaged"),
    ("invalid data returned", "damaged"),
    ("no matching ID found", "missing"),
    ("not found in repository", "missing"),
    ("not found in snapshot", "missing"),
    # With what is missing before it, as in `<snapshot/0123abcd>`.
    ("> does not exist", "missing"),
    ("key does not exist", "missing"),
    ("file does not exist", "missing"),
    ("no such file or directory", "missing"),
    ("No such file", "missing"),
    ("connection refused", "unreachable"),
    ("no such host", "unreachable"),
    ("i/o timeout", "unreachable"),
    ("no route to host", "unreachable"),
    ("network is unreachable", "unreachable"),
    ("context deadline exceeded", "unreachable"),
    # restic may end before it has passed on what ssh says.
    ("unable to start the sftp session", "no-session"),
    ("talking HTTP to rclone", "no-session"),
    # Of an object that is shorter than its index says, after all attempts.
    ("InvalidRange", "damaged"),
    ("range is not satisfiable", "damaged"),
    ("unexpected EOF", "damaged"),
)
# Causes that a retry cannot solve.
LASTING: Final = frozenset({"missing", "password", "key", "denied", "bucket", "region", "clock", "full", "certificate", "host-key", "no-sftp", "no-rclone"})


def failed(why: WhyNot) -> Failed:
    return Failed({"code": "copy-failed", "why": why})


def cause_of(said: bytes) -> WhyNot | None:
    text = said.decode("utf-8", "replace")
    return next((why for part, why in _CAUSES if part in text), None)
