"""Reads a compressed archive as it is in the file: what is read is what is hashed."""
from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Final

from ..protocol import Compression
from ..system import Failed
from .archive import widen

EXPANDERS: Final[Mapping[str, Sequence[str]]] = {"zst": ("zstd", "-q", "-dc"), "gz": ("gzip", "-dc")}
_PIECE: Final = 1 << 20


@contextlib.contextmanager
def expanded(archive: str, compression: Compression, see: Callable[[bytes], object] = lambda _: None) -> Iterator[IO[bytes]]:
    """see: gets the bytes of the file. Raises Failed after the block, if the archive could not be read whole; a block that does not read it to its end has to
    raise."""
    errors: list[OSError] = []
    with subprocess.Popen(EXPANDERS[compression], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=_PIECE) as expander:
        assert expander.stdin and expander.stdout
        widen(expander.stdout)
        feeder = threading.Thread(target=_feed, args=(archive, expander.stdin, see, errors), daemon=True)
        feeder.start()
        try:
            yield expander.stdout
        except BaseException:
            expander.kill()
            feeder.join()
            raise
        feeder.join()
    if errors or expander.returncode != 0:
        raise Failed({"code": "not-read-back"})


def _feed(archive: str, to: IO[bytes], see: Callable[[bytes], object], errors: list[OSError]) -> None:
    try:
        fd = os.open(archive, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            while piece := os.read(fd, _PIECE):
                see(piece)
                to.write(piece)
        finally:
            os.close(fd)
    except OSError as error:
        errors.append(error)
    finally:
        with contextlib.suppress(OSError):
            to.close()
