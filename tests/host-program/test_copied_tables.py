"""The tables of a pull or a push on their way beside the target: dumped, loaded, counted, compared, and removed."""
from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from gatehouse_host import places
from gatehouse_host.protocol import Event, TransferPart, TransferSite
from gatehouse_host.sites.swap_tables import digits
from gatehouse_host.sites.transfer import ROWS, SINCE, Transfer
from gatehouse_host.system import Failed
from pretended import Server
from test_restore_data import loads_by, tables

DUMP = "CREATE TABLE `a` (\n  x INT\n);\n"


@pytest.fixture
def folder(server: Server, tmp_path: Path) -> Path:
    """Of the job, which has chosen two tables."""
    job = tmp_path / "job"
    job.mkdir()
    (job / "tables").write_text(f"{digits('a')}\n{digits('b`c')}\n")
    server.program("mariadb-dump", 'printf "%s\\n" "$*" >>"$asked"; ' + f"cat <<'END'\n{DUMP}END\n")
    server.answer("GLOBAL.max", "echo 4096\n")
    server.answer("data_length", f"printf '{digits('a')}\\tBASE TABLE\\t1\\tInnoDB\\t\\n{digits('b`c')}\\tBASE TABLE\\t1\\tInnoDB\\t\\n64\\tBASE TABLE\\t1\\tInnoDB\\t\\n'\n")
    server.answer("engine+<>", "echo 0\n")
    for name, domain in (("one", "one.test"), ("onecopy", "staging.one.test")):
        record = Path(places.settings(name))
        record.mkdir(parents=True)
        (record / "site").write_text(f"domain {domain}\n")
    loads_by(server, f"cat >{server.folder}/loaded; exit")
    return job


def do(part: TransferPart, folder: Path) -> list[Event]:
    events: list[Event] = []
    Transfer(TransferSite(part, "pull", "one", "onecopy", False, False, str(folder)), events.append).do(part)
    return events


def test_only_the_chosen_tables_are_dumped_loaded_and_counted(server: Server, folder: Path) -> None:
    tables(server, "onecopy_new", f"{digits('a')} 3 4\n{digits('b`c')} 1 1")
    server.answer("engine+<>", "echo 2\n")
    assert do("load", folder) == [{"code": "not-one-moment", "count": 2}, {"code": "tables-ready", "count": 2}]
    assert (server.folder / "loaded").read_text() == DUMP
    assert json.loads((folder / ROWS).read_text()) == {digits("a"): [3, 4], digits("b`c"): [1, 1]}
    assert (folder / SINCE).read_text().strip().isdigit()
    said = server.statements()
    assert " -- one a b`c\n" in said
    assert said.index("DROP DATABASE IF EXISTS `onecopy_old`") < said.index("CREATE OR REPLACE USER `onecopy_new`@localhost")
    assert "ON `onecopy\\_new`.* TO `onecopy_new`@localhost" in said
    assert os.listdir(places.logins()) == []


@pytest.mark.parametrize(
    ("program", "script", "code"),
    [
        ("mariadb-dump", "echo 'CREATE TABLE'; echo 'no such table' >&2; exit 2", "program-failed"),
        ("mariadb-dump", "kill -KILL $$", "program-failed"),
        ("mariadb", "head -c 3 >/dev/null; echo 'ERROR 1064 (42000) at line 1: x' >&2; exit 1", "dump-not-loaded"),
    ],
)
def test_a_dump_that_fails_or_does_not_load_ends_it(server: Server, folder: Path, program: str, script: str, code: str) -> None:
    if program == "mariadb":
        loads_by(server, script)
    else:
        server.program(program, script)
    with pytest.raises(Failed, match=code):
        do("load", folder)
    assert os.listdir(places.logins()) == []


def test_a_table_that_did_not_arrive_ends_it(server: Server, folder: Path) -> None:
    tables(server, "onecopy_new", f"{digits('a')} 3 4")
    with pytest.raises(Failed) as failed:
        do("load", folder)
    assert failed.value.event == {"code": "table-missing", "table": "b`c"}


@pytest.mark.parametrize(
    ("now", "event"),
    [
        ("61 3 4", None),
        ("61 2 4", {"code": "rows-missing", "table": "a", "now": 2, "before": 3}),
        ("61 3 3", {"code": "rows-missing", "table": "a", "now": 3, "before": 3}),
        ("", {"code": "table-missing", "table": "a"}),
    ],
)
def test_what_is_lost_while_addresses_are_rewritten_ends_it(server: Server, folder: Path, now: str, event: Event | None) -> None:
    (folder / ROWS).write_text(json.dumps({digits("a"): [3, 4]}))
    tables(server, "onecopy_new", now)
    tables(server, "one", "61 3 4\n64 9 9")
    if event is None:
        assert do("compare", folder) == []
        return
    with pytest.raises(Failed) as failed:
        do("compare", folder)
    assert failed.value.event == event


def test_what_was_written_on_the_other_site_meanwhile_is_said_with_both_domains(server: Server, folder: Path) -> None:
    (folder / ROWS).write_text(json.dumps({digits("a"): [3, 4]}))
    tables(server, "onecopy_new", "61 3 4")
    tables(server, "one", "61 5 7")
    there = {"table": "a", "at": "staging.one.test", "from": "one.test"}
    assert do("compare", folder) == [
        {"code": "copied-rows-differ", **there, "now": 3, "before": 5},
        {"code": "copied-history-differs", **there, "now": 1, "before": 2},
    ]
    assert "`one`.`d`" not in server.statements()


def test_what_lies_beside_the_target_goes_with_its_users_also_again(server: Server, folder: Path) -> None:
    beside = Path(places.under("/home/onecopy/.staging"))
    (beside / "public").mkdir(parents=True)
    (Path(places.logins()) / "onecopy_new").write_text("of a program that was killed")
    for _ in range(2):
        assert do("drop", folder) == []
        assert not beside.exists() and os.listdir(places.logins()) == []
    for each in ("DATABASE IF EXISTS `onecopy_new`", "DATABASE IF EXISTS `onecopy_old`", "USER IF EXISTS `gatehouse-dump-one`@localhost"):
        assert f"DROP {each}" in server.statements()
