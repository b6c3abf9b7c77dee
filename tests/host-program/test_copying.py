"""The files of a pull or a push on their way beside the target: what is asked of rsync, in which world it works, and how it may end."""
from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from gatehouse_host import places
from gatehouse_host.protocol import Event, TransferPart, TransferSite
from gatehouse_host.sites import site
from gatehouse_host.sites.listing import list_files, write_list
from gatehouse_host.sites.swap import RETURNING
from gatehouse_host.sites.transfer import LIVE, READY, Transfer
from gatehouse_host.system import Failed
from pretended import Server


@pytest.fixture
def folder(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of the job. The unit only says what it was asked, a word a line, and its input."""
    monkeypatch.setattr(site.Site, "owner", (os.getuid(), os.getgid()))
    server.program("systemd-run", 'printf "%s\\n" "$@" >>"$asked"; cat >>"$asked"; exit "$(cat "$answers/exit" 2>/dev/null || echo 0)"')
    for name in ("one", "onecopy"):
        Path(places.under(f"/home/{name}/public")).mkdir(parents=True)
    settings = Path(places.settings("onecopy"))
    settings.mkdir(parents=True)
    (settings / "own-files").write_text("/a b*\n")
    (tmp_path / "job").mkdir()
    return tmp_path / "job"


def do(part: TransferPart, folder: Path) -> list[Event]:
    events: list[Event] = []
    Transfer(TransferSite(part, "push", "one", "onecopy", True, False, str(folder)), events.append).do(part)
    return events


def home(name: str) -> str:
    return places.under(f"/home/{name}")


def words(server: Server) -> list[str]:
    return server.statements().splitlines()


def test_files_are_copied_into_a_folder_that_only_root_can_enter_in_a_world_of_the_two_homes(server: Server, folder: Path) -> None:
    left = Path(home("one")) / ".staging/public/of-an-earlier-push"
    left.mkdir(parents=True)
    beside = left.parents[1]
    server.program("systemd-run", f'printf "%s\\n" "$@" >>"$asked"; stat -c "mode %a" {beside} {beside}/public >>"$asked"; >{beside}/public/page')
    assert do("files", folder) == [{"code": "files-not-noted"}, {"code": "files-ready", "count": 1}]
    assert not left.exists()
    asked = words(server)
    assert [each for each in asked if each.startswith("mode ")] == ["mode 700", "mode 750"] * 2
    assert [stat.S_IMODE(path.stat().st_mode) for path in (beside, beside / "public")] == [0o710, 0o750]
    assert "--unit=gatehouse-transfer.service" in asked
    assert f"BindReadOnlyPaths={home('onecopy')}" in asked and f"BindPaths={home('one')}" in asked
    assert f"--chown={os.getuid()}:{os.getgid()}" in asked and "--chmod=ug-s" in asked
    [hidden, again] = [each.partition("=")[2].split() for each in asked if each.startswith("InaccessiblePaths=")]
    # What logs in to the databases of others, and the jobs that are in memory.
    assert {"-/run/gatehouse-load", "-/run/credentials", "-/run/gatehouse"} <= set(hidden) == set(again)


def test_the_configuration_of_the_app_stays_that_of_the_target(server: Server, folder: Path) -> None:
    host = Path(places.under("/etc/apache2/sites-available/zz-gatehouse-one.conf"))
    host.parent.mkdir(parents=True)
    host.write_text(f"  DocumentRoot {home('one')}/public/web\n")
    do("files", folder)
    own = ["/wp-config.php", "/conf/local*", "/web/wp-config.php", "/web/conf/local*", "/a b*"]
    asked = words(server)
    cache = "--exclude=/wp-content/cache/"
    copied = [f"--link-dest={home('one')}/public", cache, *(f"--exclude={each}" for each in own), f"{home('onecopy')}/public/", f"{home('one')}/.staging/public/"]
    begin = asked.index(copied[0])
    assert asked[begin : begin + len(copied)] == copied
    assert asked[asked.index("--prune-empty-dirs") :] == [
        "--prune-empty-dirs", "--include=*/", *(f"--include={each}" for each in own), "--exclude=*", f"{home('one')}/public/", f"{home('one')}/.staging/public/",
    ]  # fmt: skip


def test_where_others_can_write_in_the_home_of_the_target_nothing_is_copied(server: Server, folder: Path) -> None:
    Path(home("one")).chmod(0o777)
    with pytest.raises(Failed, match="home-writable"):
        do("files", folder)
    assert words(server) == []
    assert not Path(home("one"), ".staging").exists()


def test_a_first_copy_has_no_configuration_to_keep(server: Server, folder: Path) -> None:
    (Path(places.settings("onecopy")) / "own-files").unlink()
    do("files", folder)
    assert sum(each.startswith("--unit=") for each in words(server)) == 1


def test_what_changed_on_live_is_linked_by_a_list(server: Server, folder: Path) -> None:
    (Path(home("one")) / "public/a\nb.jpg").write_text("x")
    do("files", folder)
    asked = words(server)
    begin, end = (f"{home('one')}/{each}" for each in ("public", ".staging/public"))
    at = asked.index("--files-from=-")
    assert asked[at + 1 : at + 6] == [f"--link-dest={begin}", f"{begin}/", f"{end}/", "./a", "b.jpg\0--quiet"]
    assert "--update" not in asked


@pytest.mark.parametrize(("list_", "returning"), [(LIVE, False), (READY, True)])
def test_what_was_written_last_in_the_folder_that_is_no_longer_served_is_linked(server: Server, folder: Path, list_: str, returning: bool) -> None:
    """After a take-back, that is the folder that was pushed."""
    staged = Path(home("one")) / ".staging/public"
    staged.mkdir(parents=True)
    (staged / "old").write_text("x")
    for each in (LIVE, READY):
        write_list(str(folder / each), list_files(str(staged)) if each == list_ else {})
    if returning:
        (folder / RETURNING).touch()
    assert do("late", folder) == [] and words(server) == []
    (staged / "new").write_text("y")
    assert do("late", folder) == [{"code": "late-kept", "count": 1}]
    asked = words(server)
    assert asked[-4:] == ["--update", f"{staged}/", f"{home('one')}/public/", "./new\0"]


@pytest.mark.parametrize(("code", "fails"), [(0, False), (24, False), (23, True), (12, True), (137, True)])
def test_a_file_that_is_gone_meanwhile_is_no_failure_and_anything_else_is(server: Server, folder: Path, code: int, fails: bool) -> None:
    (server.answers / "exit").write_text(f"{code}\n")
    if not fails:
        assert do("files", folder)[-1]["code"] == "files-ready"
        return
    with pytest.raises(Failed) as failed:
        do("files", folder)
    assert failed.value.event == {"code": "program-failed", "program": "rsync", "exit": str(code), "error": ""}
