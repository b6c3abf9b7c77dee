"""The host program on a server that is a folder: python back_up.py FOLDER <REQUEST."""
from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "host"))
sys.dont_write_bytecode = True

from gatehouse_host import main, places  # noqa: E402

places.root = sys.argv[1]
main.PROGRAM = (sys.executable, "-I", "-S", "-B", "-X", "utf8", str(Path(__file__)), sys.argv[1])
main.main()
