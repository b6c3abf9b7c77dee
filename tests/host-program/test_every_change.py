"""Each job of the host program at each of its changes: it fails there, or is killed there, and what it should have protected is as before. What a restore exchanges
is tried in test_replace.py, with a database that remembers."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from archives import state
from conftest import PYTHON
from seeds import SEED, seeded_runs, throw
from test_backup import NAME, Place
from test_traced import furnish_restore

DRIVER = Path(__file__).parent / "stopped.py"
OLDER = "one.test-20200101-000000-manual.tar.zst"
FAULTS = ("fail", "kill")


@dataclass
class Scene:
    """A place with an older backup. fresh: the same once more, as it was at first."""

    place: Place
    kept: Path

    def fresh(self) -> None:
        subprocess.run(["rm", "-rf", str(self.place.folder)], check=True)
        subprocess.run(["cp", "-a", str(self.kept), str(self.place.folder)], check=True)

    def run(self, request: Mapping[str, object], stop: int = 0, what: str = "none") -> tuple[int, int]:
        """How it ended, and the changes that it has made."""
        environment = {**os.environ, "PATH": f"{self.place.server.programs}:/usr/bin:/bin"}
        text = json.dumps({"protocol": 1, **request}).encode()
        command = [*PYTHON, str(DRIVER), str(self.place.folder), str(stop), what]
        done = subprocess.run(command, input=text, capture_output=True, env=environment, timeout=60, check=False)
        said = done.stderr.split()[-1:] or [b"0"]
        return done.returncode, int(said[0]) if said[0].isdigit() else 0

    def back_up(self, reason: str) -> dict[str, object]:
        folder = "" if reason == "nightly" else str(self.place.job)
        return {"job": "back-up-site", "id": "its-id", "name": NAME, "domain": "one.test", "reason": reason, "folder": folder}

    def restore(self, part: str, backup: str) -> dict[str, object]:
        return {"job": "restore-site", "part": part, "id": "its-id", "name": NAME, "domain": "one.test", "backup": backup, "folder": str(self.place.job)}

    @property
    def site(self) -> object:
        """Its files, and what root knows of it."""
        return state(self.place.home), state(self.place.settings)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    place = Place(tmp_path / "server")
    furnish_restore(place)
    place.backups.mkdir()
    (place.backups / OLDER).write_text("older")
    kept = tmp_path / "kept"
    yield Scene(place, kept)


def keep(scene: Scene) -> None:
    shutil.rmtree(scene.kept, ignore_errors=True)
    subprocess.run(["cp", "-a", str(scene.place.folder), str(scene.kept)], check=True)


def each_stop(scene: Scene, request: Mapping[str, object], least: int) -> Iterator[tuple[int, str]]:
    """Each change with each fault, a seeded part of them; each time from the beginning. least: so many changes there are at least."""
    scene.fresh()
    code, changes = scene.run(request)
    assert code == 0 and changes >= least, (code, changes)
    all_ = [(number, what) for number in range(1, changes + 1) for what in FAULTS]
    for stop in sorted(throw().sample(all_, seeded_runs(len(all_), 4))):
        scene.fresh()
        yield stop


@pytest.mark.parametrize("reason", ["manual", "nightly", "download", "delete"])
def test_a_backup_at_each_change_leaves_the_site_and_older_backups_and_the_next_one_is_whole(scene: Scene, reason: str) -> None:
    keep(scene)
    before = scene.site
    for number, what in each_stop(scene, request := scene.back_up(reason), 25):
        title = f"SEED={SEED}: change {number}, {what}"
        scene.run(request, number, what)
        assert scene.site == before, title
        require_whole_ones(scene.place, title)
        noted = scene.place.job / "backup"
        if reason != "nightly":
            # Whoever takes the job back finds its name.
            made = [name for name in scene.place.kept() if not name.startswith(".") and name != OLDER]
            assert made == [] or noted.read_text() == f"{made[0]}\n", title
        noted.unlink(missing_ok=True)
        assert scene.run(request)[0] == 0, title
        require_whole_ones(scene.place, title)
        assert not (scene.place.backups / f".making-{NAME}").exists(), title


def require_whole_ones(place: Place, title: str) -> None:
    """Each archive that has its name."""
    assert (place.backups / OLDER).read_text() == "older", title
    for name in place.kept():
        if name.startswith(".") or name == OLDER:
            continue
        assert subprocess.run(["tar", "-tf", str(place.backups / name)], capture_output=True, check=False).returncode == 0, title


def made_backup(scene: Scene) -> str:
    assert scene.run(scene.back_up("manual"))[0] == 0
    name = (scene.place.job / "backup").read_text().strip()
    (scene.place.job / "backup").unlink()
    return name


BESIDE = ("check", "room", "unpack", "load", "compare")


@pytest.mark.parametrize("part", BESIDE)
def test_what_a_restore_does_beside_the_site_leaves_it_at_each_change_and_is_taken_back_and_can_begin_again(scene: Scene, part: str) -> None:
    backup = made_backup(scene)
    before = scene.site
    for earlier in BESIDE[: BESIDE.index(part)]:
        assert scene.run(scene.restore(earlier, backup))[0] == 0
    keep(scene)
    for number, what in each_stop(scene, request := scene.restore(part, backup), 1):
        title = f"SEED={SEED}: {part}, change {number}, {what}"
        scene.run(request, number, what)
        assert live(scene) == before, title
        assert scene.run(scene.restore("drop", ""))[0] == 0, title
        assert scene.site == before, title
    for each in BESIDE:
        assert scene.run(scene.restore(each, backup))[0] == 0, f"{title}, then {each}"


def live(scene: Scene) -> object:
    """The site without what is beside its files."""
    files = {path: what for path, what in state(scene.place.home).items() if not path.startswith(".restoring")}
    return files, state(scene.place.settings)


def test_what_removes_that_again_can_be_killed_at_each_change(scene: Scene) -> None:
    backup = made_backup(scene)
    before = scene.site
    for part in BESIDE:
        assert scene.run(scene.restore(part, backup))[0] == 0
    keep(scene)
    for number, what in each_stop(scene, request := scene.restore("drop", ""), 5):
        scene.run(request, number, what)
        assert scene.run(request)[0] == 0
        assert scene.site == before, f"SEED={SEED}: change {number}, {what}"


def test_the_nightly_backup_at_each_change_keeps_the_older_ones_and_the_next_run_is_whole(scene: Scene) -> None:
    store = scene.place.folder / "var/backups/gatehouse"
    store.mkdir()
    (store / "backup-2020-01-01-000000.tar.gz").write_text("older")
    keep(scene)
    before = scene.site
    for number, what in each_stop(scene, request := {"job": "back-up-server"}, 40):
        title = f"SEED={SEED}: change {number}, {what}"
        scene.run(request, number, what)
        assert scene.site == before and (store / "backup-2020-01-01-000000.tar.gz").read_text() == "older", title
        require_whole_ones(scene.place, title)
        assert scene.run(request)[0] == 0, title
        assert (store / ".last").read_bytes().startswith(b"done\0"), title
        assert not (store / ".unfinished").exists(), title
