"""The files of a pull or a push on their way beside the target: what is asked of rsync, in which world it works, and how it may end."""
from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from gatehouse_host import places
from gatehouse_host.protocol import Event, TransferPart, TransferSite
from gatehouse_host.sites import site
from gatehouse_host.sites.transfer import KEEP, LATE, OWN, Transfer
from gatehouse_host.system import Failed
from pretended import Server


@pytest.fixture
def folder(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of the job. The unit only says what it was asked, a word a line, and its input."""
    monkeypatch.setattr(site.Site, "owner", (os.getuid(), os.getgid()))
    server.program("systemd-run", 'printf "%s\\n" "$@" >>"$asked"; cat >>"$asked"; exit "$(cat "$answers/exit" 2>/dev/null || echo 0)"')
    for name in ("one", "onecopy"):
        Path(places.under(f"/home/{name}/public")).mkdir(parents=True)
    (tmp_path / "job").mkdir()
    return tmp_path / "job"


def do(part: TransferPart, folder: Path) -> list[Event]:
    events: list[Event] = []
    Transfer(TransferSite(part, "push", "one", "onecopy", True, str(folder)), events.append).do(part)
    return events


def home(name: str) -> str:
    return places.under(f"/home/{name}")


def words(server: Server) -> list[str]:
    return server.statements().splitlines()


def test_files_are_copied_into_a_folder_that_only_root_can_enter_in_a_world_of_the_two_homes(server: Server, folder: Path) -> None:
    left = Path(home("one")) / ".staging/public/of-an-earlier-push"
    left.mkdir(parents=True)
    (folder / OWN).write_text("/wp-config.php\n/a b*\n")
    assert do("copy", folder) == []
    beside = left.parents[1]
    assert not left.exists()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (beside, beside / "public")] == [0o700, 0o750]
    asked = words(server)
    assert "--unit=gatehouse-transfer.service" in asked
    assert f"BindReadOnlyPaths={home('onecopy')}" in asked and f"BindPaths={home('one')}" in asked
    assert f"--chown={os.getuid()}:{os.getgid()}" in asked and "--chmod=ug-s" in asked
    assert ["--exclude=/wp-config.php", "--exclude=/a b*"] == [each for each in asked if each.startswith("--exclude") and "cache" not in each]
    [hidden] = [each.partition("=")[2].split() for each in asked if each.startswith("InaccessiblePaths=")]
    # What logs in to the databases of others, and the jobs that are in memory.
    assert {"-/run/gatehouse-load", "-/run/credentials", "-/run/gatehouse"} <= set(hidden)
    assert asked[-2:] == [f"{home('onecopy')}/public/", f"{beside}/public/"]


def test_where_others_can_write_in_the_home_of_the_target_nothing_is_copied(server: Server, folder: Path) -> None:
    Path(home("one")).chmod(0o777)
    with pytest.raises(Failed, match="home-writable"):
        do("copy", folder)
    assert words(server) == []
    assert not Path(home("one"), ".staging").exists()


def test_the_targets_own_configuration_stays_and_the_folder_is_opened_to_the_site_last(server: Server, folder: Path) -> None:
    (folder / OWN).write_text("/wp-config.php\n")
    do("copy", folder)
    (Path(home("one")) / ".staging/public/page").write_text("x")
    assert do("own", folder) == [{"code": "files-ready", "count": 1}]
    asked = words(server)
    assert asked[asked.index("--prune-empty-dirs") :] == [
        "--prune-empty-dirs", "--include=*/", "--include=/wp-config.php", "--exclude=*", f"{home('one')}/public/", f"{home('one')}/.staging/public/",
    ]  # fmt: skip
    assert stat.S_IMODE(os.stat(f"{home('one')}/.staging").st_mode) == 0o710


def test_a_first_copy_has_no_configuration_to_keep(server: Server, folder: Path) -> None:
    do("copy", folder)
    before = len(words(server))
    do("own", folder)
    assert len(words(server)) == before


@pytest.mark.parametrize(
    ("part", "file", "paths", "updates"),
    [("keep", KEEP, ("public", ".staging/public"), False), ("late", LATE, (".staging/public", "public"), True)],
)
def test_what_visitors_wrote_is_linked_by_a_list(
    server: Server, folder: Path, part: TransferPart, file: str, paths: tuple[str, str], updates: bool
) -> None:
    (folder / file).write_text("./uploads/a\nb.jpg\0")
    assert do(part, folder) == []
    asked = words(server)
    begin, end = (f"{home('one')}/{each}" for each in paths)
    assert f"--link-dest={begin}" in asked and ("--update" in asked) == updates
    assert asked[-4:] == [f"{begin}/", f"{end}/", "./uploads/a", "b.jpg\0"]


@pytest.mark.parametrize(("code", "fails"), [(0, False), (24, False), (23, True), (12, True), (137, True)])
def test_a_file_that_is_gone_meanwhile_is_no_failure_and_anything_else_is(server: Server, folder: Path, code: int, fails: bool) -> None:
    (server.answers / "exit").write_text(f"{code}\n")
    if not fails:
        assert do("copy", folder) == []
        return
    with pytest.raises(Failed) as failed:
        do("copy", folder)
    assert failed.value.event == {"code": "program-failed", "program": "rsync", "exit": str(code), "error": ""}
