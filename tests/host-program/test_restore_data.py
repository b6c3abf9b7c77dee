"""The dump of a restore: loaded beside the live database, where it stays, and compared with that."""
from __future__ import annotations

import os
from pathlib import Path

import pytest
from archives import DUMP, MANIFEST, NAME, Backup, backup  # noqa: F401
from gatehouse_host import places
from gatehouse_host.protocol import Event, Part, RestoreSite
from gatehouse_host.sites import restore
from gatehouse_host.sites.compare import compare
from gatehouse_host.sites.restore import Restore
from gatehouse_host.system import Failed
from pretended import Server

SCRATCH = "gatehouse-scratch-one"


@pytest.fixture
def folder(server: Server, tmp_path: Path) -> Path:
    """Of the job. The backup is unpacked already."""
    beside = Path(places.under("/home/one/.restoring"))
    beside.mkdir(parents=True)
    (beside / "database.sql").write_text(DUMP)
    server.answer("GLOBAL.max", "echo 4096\n")
    (tmp_path / "job").mkdir()
    return tmp_path / "job"


def do(part: Part, folder: Path) -> list[Event]:
    events: list[Event] = []
    Restore(RestoreSite(part, "a-1", "one", "one.test", NAME, str(folder)), events.append).do(part)
    return events


def loads_by(server: Server, client: str) -> None:
    server.program("mariadb", f"if [[ $* == *--defaults-file=*/login* ]]; then\n{client}\nfi\n" + (server.programs / "mariadb").read_text())


def tables(server: Server, database: str, counts: str, routines: int = 0) -> None:
    """counts: of each table a line: its name in hexadecimal, its rows, and these with the former ones."""
    lines = [line.split() for line in counts.splitlines()]
    kinds = "".join(f"{table}\tBASE TABLE\n" for table, *_ in lines)
    server.answer(f"table_schema+=+'{database}'", f"cat <<'END'\n{kinds}END\n" if kinds else ":")
    server.answer(f"FROM+`{database}`", "cat <<'END'\n" + "".join("\t".join(line) + "\n" for line in lines) + "END\n")
    server.answer(f"db+=+'{database}'", f"echo {routines}\n")


def test_a_dump_stays_loaded_with_its_user_and_without_a_way_to_log_in(
    server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads_by(server, f"cat >{server.folder}/loaded; exit")
    prepared: list[object] = []
    monkeypatch.setattr(restore, "prepare_database", lambda *given: prepared.append(given))
    assert do("load", folder) == []
    assert (server.folder / "loaded").read_text() == DUMP
    assert prepared == [("one", places.under("/home/one/.restoring"), str(folder))]
    assert os.listdir(places.logins()) == []
    made = server.statements().rindex("CREATE OR REPLACE USER `gatehouse-scratch-one`")
    assert "DROP USER" not in server.statements()[made:]
    assert "DROP DATABASE" not in server.statements()[made:]
    tables(server, SCRATCH, "74 3 3")
    tables(server, "one", "")
    assert do("compare", folder) == []
    (server.answers / f"FROM+`{SCRATCH}`").unlink()
    with pytest.raises(Failed) as failed:
        do("compare", folder)
    assert failed.value.event == {"code": "table-missing", "table": "t"}


@pytest.mark.parametrize(("here", "code"), [("10.11.6-MariaDB", "newer-mariadb"), ("11.8.1-MariaDB", "dump-not-loaded"), ("12.1", "dump-not-loaded")])
def test_what_only_a_newer_mariadb_can_load_is_refused_with_both_versions(
    server: Server, folder: Path, backup: Backup, here: str, code: str  # noqa: F811
) -> None:
    (backup.work / "manifest").write_text(f"{MANIFEST}mariadb 11.8.3-MariaDB-0+deb13u1\n")
    backup.keep(backup.tar())
    server.answer("VERSION()", f"echo {here}\n")
    loads_by(server, "echo \"ERROR 1273 (HY000) at line 1: Unknown collation: 'utf8mb4_x'\" >&2; exit 1")
    with pytest.raises(Failed) as failed:
        do("load", folder)
    assert failed.value.event["code"] == code
    assert failed.value.code == (3 if code == "newer-mariadb" else 1)
    if code == "newer-mariadb":
        assert failed.value.event == {"code": code, "made": "11.8", "here": "10.11"}


def test_a_dump_that_is_cut_is_not_loaded(server: Server, folder: Path) -> None:
    Path(places.under("/home/one/.restoring/database.sql")).write_text("CREATE TABLE `t` (\n")
    loads_by(server, "cat >/dev/null; exit")
    with pytest.raises(Failed, match="dump-cut"):
        do("load", folder)


def compared(server: Server, now: str, before: str, routines: tuple[int, int] = (0, 0)) -> list[Event]:
    tables(server, SCRATCH, now, routines[0])
    tables(server, "one", before, routines[1])
    events: list[Event] = []
    compare("one", [b"a"], events.append)
    return events


def test_other_numbers_of_rows_former_rows_and_routines_are_said(server: Server) -> None:
    assert compared(server, "61 1 4\n62 2 2\n63 5 5", "61 3 9\n62 2 2\n64 8 8", (2, 1)) == [
        {"code": "rows-differ", "table": "a", "now": 1, "before": 3},
        {"code": "history-differs", "table": "a", "now": 3, "before": 6},
        {"code": "routines-differ", "now": 2, "before": 1},
    ]


def test_a_new_site_has_nothing_to_compare(server: Server) -> None:
    assert compared(server, "61 1 1", "", (2, 0)) == []


def test_of_many_differences_the_first_are_said(server: Server) -> None:
    names = [b"a", *(b"t%d" % number for number in range(50))]
    now, before = ("\n".join(f"{name.hex().upper()} {rows} {rows}" for name in names) for rows in (1, 2))
    events = compared(server, now, before)
    assert (len(events), events[-1]) == (41, {"code": "more-differences", "count": 11})
