"""How the newest nightly run ended, as it is written."""
from __future__ import annotations

import resource
from pathlib import Path

import pytest
from gatehouse_host import places
from gatehouse_host.server.status import write_status


def test_a_status_that_does_not_fit_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "server_backups", lambda: str(tmp_path))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, limits[1]))
    try:
        with pytest.raises(OSError):
            write_status("failed", [{"code": "disk-full"}])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not (tmp_path / ".last-new").exists()
