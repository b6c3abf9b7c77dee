"""What of a site is in its archive, as GNU tar reads it, and what is left out."""
from __future__ import annotations

import os
import stat
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from conftest import Event, Site
from gatehouse_host.sites.left_out import leads_inside
from gatehouse_host.sites.tar import find_data, number


def reasons(events: list[Event]) -> dict[str, str]:
    return {event["path"]: event["reason"] for event in events if event["code"] == "left-out"}


def test_the_manifest_comes_first_then_the_other_parts_then_the_files(site: Site) -> None:
    (site.parts / "database.sql").write_text("-- dump\n")
    (site.parts / "apache").mkdir()
    (site.parts / "apache" / "own.conf").write_text("x")
    (site.home / "public" / "index.html").write_text("hello")
    listed = site.listed()
    assert listed[:4] == ["manifest", "apache/", "apache/own.conf", "database.sql"]
    assert sorted(listed[4:]) == ["files/private/", "files/public/", "files/public/index.html"]


def test_contents_modes_and_times_come_back(site: Site) -> None:
    page = site.home / "public" / "page"
    page.write_bytes(os.urandom(3_000_001))
    page.chmod(0o640)
    os.utime(page, (1_000_000_000, 1_000_000_000))
    empty = site.home / "private" / "empty"
    empty.touch()
    os.utime(empty, (-5, -5))
    back = site.unpack() / "files"
    assert (back / "public" / "page").read_bytes() == page.read_bytes()
    assert stat.S_IMODE((back / "public" / "page").stat().st_mode) == 0o640
    assert (back / "public" / "page").stat().st_mtime == 1_000_000_000
    assert (back / "private" / "empty").stat().st_mtime == -5


def test_nothing_runs_as_its_owner_and_others_may_not_write(site: Site) -> None:
    for name, mode in (("setuid", 0o4755), ("setgid", 0o2755), ("open", 0o666)):
        (site.home / "public" / name).touch()
        (site.home / "public" / name).chmod(mode)
    (site.home / "public" / "sticky").mkdir()
    (site.home / "public" / "sticky").chmod(0o3777)
    archive, _ = site.read()
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        modes = {each.name: each.mode for each in tar if each.name.startswith("files/public/")}
        assert {each.uid for each in tar} == {1234} and {each.gid for each in tar} == {2345}
    assert modes == {"files/public/setuid": 0o755, "files/public/setgid": 0o755, "files/public/open": 0o664, "files/public/sticky": 0o1775}


@pytest.mark.parametrize("length", [99, 100, 101, 155, 200, 255])
def test_long_names_and_targets(site: Site, length: int) -> None:
    folder = site.home / "public" / ("d" * length)
    folder.mkdir()
    (folder / ("f" * length)).write_text("x")
    (site.home / "public" / "link").symlink_to(f"{'d' * length}/{'f' * length}")
    back = site.unpack() / "files" / "public"
    assert (back / ("d" * length) / ("f" * length)).read_text() == "x"
    assert (back / "link").read_text() == "x"


def test_names_of_any_bytes(site: Site) -> None:
    names = [b"-rf $(id)", b"\xff\xfe", b"new\nline", "ü".encode(), b' "quotes\' ', b"\\back"]
    for name in names:
        (Path(os.fsdecode(os.fsencode(site.home / "public") + b"/" + name))).write_text("x")
    back = site.unpack() / "files" / "public"
    assert sorted(os.listdir(os.fsencode(back))) == sorted(names)


def test_hard_links_stay_one_file(site: Site) -> None:
    one = site.home / "public" / "one"
    one.write_text("shared")
    os.link(one, site.home / "private" / "two")
    back = site.unpack() / "files"
    assert (back / "public" / "one").stat().st_ino == (back / "private" / "two").stat().st_ino
    assert (back / "private" / "two").read_text() == "shared"


@pytest.mark.parametrize("pieces", [0, 1, 3, 4, 5, 25, 26, 60])
@pytest.mark.parametrize("ends_with_data", [True, False])
def test_files_with_holes_keep_them(site: Site, pieces: int, ends_with_data: bool) -> None:
    path = site.home / "public" / "holes"
    with path.open("wb") as file:
        for piece in range(pieces):
            file.seek(piece * 1_000_000)
            file.write(b"%d" % piece * 1000)
        file.truncate(10_000_000_000)
        if ends_with_data:
            file.seek(0, os.SEEK_END)
            file.write(b"end")
    archive, _ = site.read()
    assert len(archive) < 2_000_000
    back = site.unpack() / "files" / "public" / "holes"
    assert back.stat().st_size == path.stat().st_size
    assert back.stat().st_blocks <= path.stat().st_blocks + 16
    with path.open("rb") as before, back.open("rb") as after:
        assert find_data(before.fileno(), path.stat().st_size) is not None
        for at in [piece * 1_000_000 for piece in range(pieces)] + [9_999_990_000]:
            before.seek(at)
            after.seek(at)
            assert before.read(20_000) == after.read(20_000)


def test_what_is_left_out_is_named_with_its_reason(site: Site) -> None:
    public = site.home / "public"
    for name in (".forward", "notes"):
        (site.home / name).touch()
    for name in (".restoring", ".staging", ".replaced", ".gatehouse-app"):
        (site.home / name).mkdir()
        (site.home / name / "inside").touch()
    os.mkfifo(public / "pipe")
    (public / "out").symlink_to("/etc")
    (public / "up").symlink_to("../../..")
    (public / "beside").symlink_to("../private")
    (public / "whole").symlink_to(site.home / "public")
    (public / "bell\a").symlink_to("/")
    _, events = site.read()
    assert reasons(events) == {
        ".forward": "beside",
        "notes": "beside",
        "public/pipe": "kind",
        "public/out": "leads-out",
        "public/up": "leads-out",
        "public/bell\\x07": "leads-out",
    }
    assert {"files/public/beside", "files/public/whole"} <= set(site.listed())


def test_a_link_in_place_of_a_served_folder_is_left_out(site: Site) -> None:
    (site.home / "private").rmdir()
    (site.home / "private").symlink_to("public")
    _, events = site.read()
    assert reasons(events) == {"private": "no-folder"}


def test_a_hundred_are_named_those_highest_up_first(site: Site) -> None:
    for at in range(2500):
        (site.home / "public" / f"link{at:04}").symlink_to("/etc")
    (site.home / "beside").touch()
    _, events = site.read()
    named = [event["path"] for event in events if event["code"] == "left-out"]
    assert named == ["beside", *(f"public/link{at:04}" for at in range(99))]
    assert {"code": "more-left-out", "count": 2401} in events


def test_folders_as_deep_as_a_tenant_can_make_them(site: Site) -> None:
    at = os.open(site.home / "public", os.O_RDONLY)
    for _ in range(2500):
        os.mkdir("d", dir_fd=at)
        deeper = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = deeper
    os.close(at)
    _, events = site.read()
    assert set(reasons(events).values()) == {"long-path"}
    assert events[-1]["code"] == "site-read" and events[-1]["files"] > 1900
    # pytest itself could not delete it.
    subprocess.run(["rm", "-rf", str(site.home)], check=True)


def test_without_a_home_the_archive_has_the_parts(site: Site) -> None:
    for name in ("public", "private", ""):
        (site.home / name).rmdir()
    _, events = site.read()
    assert events[0] == {"code": "no-files", "path": str(site.home)}
    assert site.listed() == ["manifest"]


inside = [
    (b"public/a", b"b", True),
    (b"public/a", b"../private/x", True),
    (b"public/a", b"..", True),
    (b"public/a", b"../..", False),
    (b"public/d/a", b"../../..", False),
    (b"public/a", b"./.././x/../../..", False),
    (b"public/a", b"/home/one/x", True),
    (b"public/a", b"/home/one", True),
    (b"public/a", b"/home/one/../two", False),
    (b"public/a", b"/home/one2/x", False),
    (b"public/a", b"/etc", False),
    (b"public/a", b"", True),
]


@pytest.mark.parametrize(("path", "target", "expected"), inside)
def test_where_a_link_leads(path: bytes, target: bytes, expected: bool) -> None:
    assert leads_inside(path, target, b"/home/one") is expected


@pytest.mark.parametrize("value", [0, 1, 8**7 - 1, 8**7, 8**11 - 1, 8**11, 2**40, -1, -(2**31)])
def test_numbers_are_read_as_they_were_written(value: int) -> None:
    for width in (8, 12):
        assert tarfile.nti(number(value, width)) == value  # type: ignore[attr-defined]
