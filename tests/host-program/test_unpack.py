"""Backups that are to be restored: checked as a whole, then unpacked where nobody but root gets. Archives of GNU tar, in all its forms."""
from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from archives import DUMP, MANIFEST, NAME, Backup, backup, state, target  # noqa: F401
from gatehouse_host.protocol import Event
from gatehouse_host.sites import check as checks
from gatehouse_host.sites.unpack import Target, remove, unpack
from gatehouse_host.sites.wanted import Sizes, Wanted
from gatehouse_host.system import Failed
from pretended import Server


def refusal(backup: Backup) -> Event:
    with pytest.raises(Failed) as failed:
        backup.check()
    assert failed.value.code == 3
    return failed.value.event


def unpacked(target: Target) -> dict[str, tuple[int, int, bytes]]:
    unpack(Wanted(NAME), target)
    return state(Path(target.folder))


def test_a_backup_is_taken_and_its_sizes_are_reported(backup: Backup) -> None:
    backup.keep(backup.tar())
    backup.note_hash()
    sizes = backup.check()
    assert isinstance(sizes, Sizes)
    assert (sizes.dump, backup.events) == (len(DUMP), [])
    assert sizes.room > 5 * 4096


def test_of_a_file_with_holes_counts_what_is_stored(backup: Backup) -> None:
    os.truncate(backup.work / "files/public/page", 8 << 40)
    backup.keep(backup.tar("--sparse manifest database.sql files/public"))
    sizes = backup.check()
    assert isinstance(sizes, Sizes) and sizes.room < 100_000


BAD_MANIFESTS = {
    "no-site": ("", "format x\n"),
    "newer": (MANIFEST.replace("format 2", "format 99"),),
    "no-database": (MANIFEST.replace("database yes", "database no"),),
    "no-owner": (MANIFEST.replace("user 1000", "user 0"), MANIFEST.replace("web 33", "web x"), MANIFEST.replace("group 1000\n", "")),
}


@pytest.mark.parametrize(("why", "manifest"), [(why, each) for why, all_ in BAD_MANIFESTS.items() for each in all_])
def test_a_backup_whose_manifest_does_not_say_what_a_restore_needs_is_refused(backup: Backup, why: str, manifest: str) -> None:
    (backup.work / "manifest").write_text(manifest)
    backup.keep(backup.tar())
    assert refusal(backup) == {"code": "backup-refused", "why": why}


def test_a_backup_without_files_dump_or_archive_is_refused(backup: Backup) -> None:
    assert refusal(backup)["why"] == "gone"
    backup.path.symlink_to("/etc/passwd")
    assert refusal(backup)["why"] == "gone"
    backup.path.unlink()
    backup.keep(backup.tar("manifest database.sql files/private"))
    assert refusal(backup)["why"] == "no-files"
    backup.keep(backup.tar("manifest files/public"))
    assert refusal(backup)["why"] == "no-database"


@pytest.mark.parametrize("at", [0, 20, -30, -1])
def test_a_backup_that_was_changed_since_it_was_verified_says_so_and_without_a_hash_is_damaged(backup: Backup, at: int) -> None:
    backup.keep(backup.tar())
    backup.note_hash()
    content = bytearray(backup.path.read_bytes())
    content[at] ^= 0x55
    backup.path.write_bytes(content)
    assert refusal(backup)["why"] == "changed"


def test_a_backup_that_is_cut_anywhere_is_refused(backup: Backup) -> None:
    backup.keep(backup.tar())
    whole = backup.path.read_bytes()
    for end in range(0, len(whole), 23):
        backup.path.write_bytes(whole[:end])
        assert refusal(backup)["why"] in ("no-site", "damaged")


def test_what_an_archive_of_the_first_form_has_beside_the_two_folders_is_named_and_not_unpacked(backup: Backup, target: Target) -> None:
    (backup.work / "manifest").write_text(MANIFEST.replace("format 2", "format 1"))
    (backup.work / "files/.forward").write_text("x")
    (backup.work / "files/notes").mkdir()
    (backup.work / "files/notes/out").symlink_to("/etc")
    backup.keep(backup.tar("manifest database.sql files/public files/.forward files/notes"))
    backup.check()
    assert backup.events == [{"code": "not-restored", "path": ".forward"}, {"code": "not-restored", "path": "notes"}]
    assert sorted(os.listdir(f"{target.folder}/files") if unpacked(target) else ()) == ["private", "public"]


def test_security_56_a_link_to_the_former_folder_leads_to_the_one_of_now_and_to_none_whose_name_only_begins_so(backup: Backup, target: Target) -> None:
    for to in ("former", "former/public/page", "one/private"):
        link = backup.work / "files/public/link"
        link.unlink(missing_ok=True)
        link.symlink_to(f"/home/{to}")
        backup.keep(backup.tar())
        backup.check("/home/one")
    link.unlink()
    link.symlink_to("/home/former/public/page")
    backup.keep(backup.tar())
    unpack(Wanted(NAME), target)
    assert os.readlink(f"{target.folder}/files/public/link") == f"{target.home}/public/page"
    link.unlink()
    link.symlink_to("/home/formerly/x")
    backup.keep(backup.tar())
    assert refusal(backup) == {"code": "restore-refused", "why": "leads-out", "path": "files/public/link"}


def test_security_56_an_archive_with_too_many_entries_is_refused(backup: Backup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_ENTRIES", 4)
    backup.keep(backup.tar())
    assert refusal(backup)["why"] == "too-many"


def test_security_56_no_hard_link_makes_a_part_of_the_backup_a_file_of_the_site(backup: Backup) -> None:
    os.link(backup.work / "database.sql", backup.work / "files/public/dump")
    backup.keep(backup.tar())
    assert refusal(backup) == {"code": "restore-refused", "why": "hard-link", "path": "files/public/dump"}


def close(folder: Path) -> None:
    folder.mkdir()
    (folder / "a").write_text("x")
    folder.chmod(0o500)


BUILD: dict[str, Callable[[Path], object]] = {
    "deep": lambda public: (public / "/".join(["folder"] * 60)).mkdir(parents=True),
    "long name": lambda public: (public / ("n" * 250)).write_text("x"),
    "long link": lambda public: (public / "far").symlink_to("./" * 100 + "page"),
    "hard link": lambda public: os.link(public / "page", public / "zz-hard"),
    "odd names": lambda public: [(public / each).write_text(each) for each in ("-rf", "a\nb", "ü", 'q"', "pair -> page")],
    "empty": lambda public: (public / "empty").touch(),
    "large": lambda public: (public / "large").write_bytes(os.urandom(700_001)),
    "times": lambda public: os.utime(public / "page", (1, 1)),
    "a folder that nobody may write": lambda public: close(public / "closed"),
}


# What the form of POSIX without records cannot have.
TOO_LONG = ("long name", "long link", "deep")
IN_FORMS = [(what, form) for form in ("gnu", "pax", "ustar", "oldgnu") for what in BUILD if form != "ustar" or what not in TOO_LONG]


@pytest.mark.parametrize(("what", "form"), IN_FORMS)
def test_files_are_what_they_were_in_all_forms_that_tar_writes(backup: Backup, target: Target, what: str, form: str) -> None:
    public = backup.work / "files/public"
    BUILD[what](public)
    backup.keep(backup.tar(form=form))
    backup.check()
    found = unpacked(target)
    for path, (mode, mtime, content) in state(backup.work / "files").items():
        there = found[f"files/{path}"]
        assert there[2] == content
        assert stat.S_IFMT(there[0]) == stat.S_IFMT(mode)
        if path not in ("public", "private") and what != "deep":
            assert there[1] == mtime
            assert stat.S_ISLNK(mode) or stat.S_IMODE(there[0]) == stat.S_IMODE(mode) & ~0o7002


def test_files_with_holes_have_them_again(backup: Backup, target: Target) -> None:
    path = backup.work / "files/public/holes"
    with path.open("wb") as file:
        for at in range(0, 60 << 20, 1 << 20):
            file.seek(at)
            file.write(b"data %d" % at)
        file.truncate(1 << 30)
    backup.keep(backup.tar("--sparse manifest database.sql files/public"))
    backup.check()
    unpack(Wanted(NAME), target)
    there = Path(target.folder) / "files/public/holes"
    assert there.stat().st_size == 1 << 30
    assert there.stat().st_blocks * 512 < 4 << 20
    with there.open("rb") as file:
        for at in range(0, 60 << 20, 1 << 20):
            file.seek(at)
            assert file.read(20).rstrip(b"\0") == b"data %d" % at


def test_all_is_the_sites_without_rights_of_others_and_the_parts_stay_roots(backup: Backup, target: Target) -> None:
    public = backup.work / "files/public"
    (public / "page").chmod(0o2777)
    (public / "open").mkdir()
    (public / "open").chmod(0o3777)
    (backup.work / "files/public").chmod(0o777)
    (backup.work / "apache").mkdir()
    (backup.work / "apache/own.conf").write_text("x")
    backup.keep(backup.tar("manifest database.sql apache files/public"))
    backup.check()
    modes = {path: stat.S_IMODE(mode) for path, (mode, _, _) in unpacked(target).items()}
    assert modes["files/public/page"] == 0o775
    assert modes["files/public/open"] == 0o775
    assert (modes["files/public"], modes["files/private"], modes["files/private/sessions"]) == (0o750, 0o700, 0o700)
    assert {modes[each] for each in ("manifest", "database.sql", "apache/own.conf")} == {0o600}
    assert {modes[each] for each in ("files", "apache")} == {0o700}
    assert stat.S_IMODE(os.stat(target.folder).st_mode) == 0o700


def test_what_an_earlier_restore_has_left_goes_and_links_of_a_site_are_not_followed(backup: Backup, target: Target, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/file").write_text("x")
    (Path(target.home) / ".restoring").symlink_to(tmp_path / "elsewhere")
    backup.keep(backup.tar())
    assert "files/public/page" in unpacked(target)
    assert os.listdir(tmp_path / "elsewhere") == ["file"]
    Path(target.home).chmod(0o777)
    with pytest.raises(Failed, match="home-writable"):
        unpack(Wanted(NAME), target)


@pytest.mark.parametrize(("faults", "goes"), [(3, True), (1000, False)])
def test_what_programs_of_a_site_put_into_a_folder_while_it_is_deleted_goes_with_the_next_try(server: Server, tmp_path: Path, faults: int, goes: bool) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    tries = tmp_path / "tries"
    busy = "echo 'rm: cannot remove: Directory not empty' >&2; exit 1"
    server.program("rm", f'echo >>{tries}; [[ $(wc -l <{tries}) -gt {faults} ]] || {{ {busy}; }}; exec /usr/bin/rm "$@"')
    if goes:
        remove(str(folder))
    else:
        with pytest.raises(Failed) as failed:
            remove(str(folder))
        assert failed.value.event["error"] == "rm: cannot remove: Directory not empty"
    assert folder.exists() != goes
