"""Which jobs that died keep the nightly backup from a site: those that change it, and not those that read it."""
from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from gatehouse_host.server.sites import is_interrupted
from pretended import Server

SITE = Path(__file__).parents[2] / "lib/service/machines/debian/sites/site.bash"


@pytest.mark.parametrize("kind", ["backup", "copy", "download", "delete", "pull", "restore"])
def test_a_dead_job_that_only_reads_a_site_leaves_it_to_the_backup_as_in_bash(server: Server, kind: str) -> None:
    job = server.folder / "var/lib/gatehouse/site-jobs/job-1"
    job.mkdir(parents=True)
    (job / "at-work").touch()
    (job / "events").write_text("1\tStep\t10\trunning\tBegun.\t\n")
    (job / "site").write_text(f"{kind}\0site-1\0shop\0shop.test\0\0")
    reads = subprocess.run(["bash", "-c", f'source <(sed "/^source /d" "{SITE}") && only_reads {kind}'], check=False).returncode == 0
    assert is_interrupted("shop") is not reads
    assert not is_interrupted("blog")
