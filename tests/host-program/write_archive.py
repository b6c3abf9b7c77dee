"""Writes an archive alone, as a part of a backup does: a program, because tests kill it and replace what it runs. Its input is what WriteArchive holds."""
from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "host"))
sys.dont_write_bytecode = True

from gatehouse_host.confined import confine  # noqa: E402
from gatehouse_host.main import finish, tell  # noqa: E402
from gatehouse_host.protocol import WriteArchive  # noqa: E402
from gatehouse_host.sites.archive import write_archive  # noqa: E402

HOST = Path(__file__).parents[2] / "host"
PROGRAM = (sys.executable, "-I", "-S", "-B", "-X", "utf8", str(HOST))
wanted = WriteArchive(**json.load(sys.stdin))
sys.exit(finish(lambda: write_archive(wanted, tell, PROGRAM, confine) >= 0, tell))
