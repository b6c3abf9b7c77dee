"""The host program on a server that is a folder, which at one of its changes fails or is killed: python stopped.py FOLDER NUMBER kill|fail|none <REQUEST.

A change is a call that writes to the disk, or a program that is run. The last line of standard error is how many there were.
"""
from __future__ import annotations

import errno
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "host"))
sys.dont_write_bytecode = True

from gatehouse_host import main, places  # noqa: E402

# What Python tells before it does it. Of a move, its first path is the one that counts.
CHANGES = ("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate", "os.utime", "subprocess.Popen")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
folder, stop, what = sys.argv[1], int(sys.argv[2]), sys.argv[3]
made = 0


def watch(event: str, given: tuple[object, ...]) -> None:
    global made
    if not (event in CHANGES or (event == "open" and isinstance(given[2], int) and given[2] & WRITES)):
        return
    path = os.fsdecode(given[0]) if isinstance(given[0], (str, bytes)) else ""
    if event != "subprocess.Popen" and path.startswith("/") and not path.startswith(folder):
        return
    made += 1
    if made == stop and what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if made == stop and what == "fail":
        raise OSError(errno.EIO, "a fault")


places.root = folder
main.PROGRAM = (sys.executable, "-I", "-S", "-B", "-X", "utf8", str(Path(__file__).parent / "back_up.py"), folder)
sys.addaudithook(watch)
try:
    main.main()
finally:
    os.write(2, b"%d\n" % made)
