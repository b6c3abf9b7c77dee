"""Programs and MariaDB's clients: done, failed, killed and too slow; and what a dump becomes on its way into a database."""
from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import pytest
from gatehouse_host import database, scratch
from gatehouse_host.dump import DumpFilter, errors_only, makes_anything
from gatehouse_host.system import Failed, run
from pretended import Server


@pytest.mark.parametrize(
    ("script", "event"),
    [
        ("echo; echo 'not done' >&2; exit 5", {"code": "program-failed", "program": "tool", "exit": "5", "error": "not done"}),
        ("printf '\\n \\na\\033b\\n' >&2; exit 1", {"code": "program-failed", "program": "tool", "exit": "1", "error": "a\\x1bb"}),
        ("kill -KILL $$", {"code": "program-failed", "program": "tool", "exit": "-9", "error": ""}),
        ("exec sleep 60", {"code": "too-slow", "program": "tool", "seconds": 1}),
    ],
)
def test_a_program_that_fails(server: Server, script: str, event: dict[str, object]) -> None:
    server.program("tool", script)
    with pytest.raises(Failed) as failed:
        run(["tool"], seconds=1)
    assert failed.value.event == event


def test_a_program_gets_its_input_and_its_output_is_returned_or_goes_to_a_descriptor(server: Server, tmp_path: Path) -> None:
    server.program("tool", 'cat; echo "$#:$1"')
    assert run(["tool", "a b;c"], text=b"text\n", seconds=5).output == b"text\n1:a b;c\n"
    assert run(["tool"], seconds=5).output == b"0:\n"
    with (tmp_path / "out").open("wb") as file:
        assert run(["tool"], text=b"x", stdout=file.fileno(), seconds=5).output == b""
    assert (tmp_path / "out").read_bytes() == b"x0:\n"


def test_a_program_that_is_missing(server: Server) -> None:
    with pytest.raises(Failed) as failed:
        run(["no-such-program"], seconds=5)
    assert failed.value.event == {"code": "program-failed", "program": "no-such-program", "exit": "127", "error": "No such file or directory"}


def test_a_login_is_there_for_its_block_alone_and_its_password_in_no_argument(server: Server) -> None:
    with pytest.raises(ZeroDivisionError), database.login("gatehouse-dump-a_b", database.READER, "a_b") as path:
        text = Path(path).read_text()
        password = text.split("password=")[1].strip()
        assert text == f"[client]\nuser=gatehouse-dump-a_b\npassword={password}\n"
        assert os.stat(path).st_mode & 0o777 == 0o600
        assert len(password) == 48
        raise ZeroDivisionError
    assert not os.path.exists(path)
    statements = server.statements()
    assert password not in "".join(line.split("<<")[0] for line in statements.splitlines())
    assert "ON `a\\_b`.* TO `gatehouse-dump-a_b`@localhost" in statements
    assert statements.rstrip().endswith("DROP USER IF EXISTS `gatehouse-dump-a_b`@localhost;")


def test_routines_become_statements_that_make_them_again(server: Server, tmp_path: Path) -> None:
    server.answer("FROM+mysql.proc", "printf 'FUNCTION\\t%s\\n' 6160\n")
    server.answer("SHOW+CREATE", r"""printf '%s\n' 'a`'$'\t''STRICT'$'\t''CREATE FUNCTION f()\nRETURN '"'"'\\t'"'"$'\t'x$'\t'utf8mb4_bin$'\t'y
""")
    with (tmp_path / "out").open("wb") as file:
        database.write_routines("site", file.fileno())
    text = (tmp_path / "out").read_text()
    assert "SHOW CREATE FUNCTION `site`.`a```" in server.statements()
    assert text.startswith("DROP FUNCTION IF EXISTS `a```;\n")
    assert "SET sql_mode = 'STRICT', collation_connection = 'utf8mb4_bin';\nDELIMITER ;;\nCREATE FUNCTION f()\nRETURN '\\t' ;;\n" in text


def test_the_limit_of_packets_goes_back_once_nobody_is_loading(server: Server) -> None:
    server.answer("GLOBAL.max", "echo 4096\n")
    with database.large_packets("one"):
        with database.large_packets("two"):
            pass
        assert "max_allowed_packet = 4096" not in server.statements()
    assert server.statements().rstrip().endswith("SET GLOBAL max_allowed_packet = 4096")
    assert os.listdir(server.folder / "run/gatehouse-load") == []


DUMP = b"""-- MariaDB dump
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
CREATE TABLE `a``b` (
  `id` int(11) DEFAULT NULL
);
INSERT INTO `a``b` VALUES ('DEFINER=`x`@`y` INSERT INTO');
/*!50001 CREATE VIEW `v` AS SELECT
 1 AS `id` */;
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50003 CREATE*/ /*!50017 DEFINER=`ro``ot`@`%`*/ /*!50003 TRIGGER t BEFORE INSERT ON a */;;
CREATE DEFINER=`x`@`y` FUNCTION f();
CREATE DEFINER=`role` PROCEDURE `p`()
/*!50106 CREATE*/ /*!50117 DEFINER=`root`@`localhost`*/ /*!50106 EVENT `e` DO SELECT 1 */ ;;
ALTER DATABASE `former` CHARACTER SET x ;
-- Dumping events for database 'former'
CREATE EVENT e;
-- Dump completed
UNLOCK TABLES;
-- Dump completed on 2026-11-28"""


@pytest.mark.parametrize("piece", [1, 7, 64, 10_000])
def test_what_a_dump_becomes(piece: int) -> None:
    out: list[bytes] = []
    filter_ = DumpFilter(out.append, b"new")
    for at in range(0, len(DUMP), piece):
        filter_.feed(DUMP[at : at + piece])
    filter_.end()
    lines = b"".join(out).decode().splitlines()
    assert lines == [
        "-- MariaDB dump",
        "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_DIR_IN_CREATE' */;",
        "CREATE TABLE `a``b` (",
        "  `id` int(11) DEFAULT NULL",
        ");",
        "INSERT INTO `a``b` VALUES ('DEFINER=`x`@`y` INSERT INTO');",
        "/*!50001 CREATE VIEW `v` AS SELECT",
        " 1 AS `id` */;",
        "/*!50013 SQL SECURITY DEFINER */",
        "/*!50003 CREATE*/ /*!50017*/ /*!50003 TRIGGER t BEFORE INSERT ON a */;;",
        "CREATE FUNCTION f();",
        "CREATE PROCEDURE `p`()",
        "/*!50106 CREATE*/ /*!50117*/ /*!50106 EVENT `e` DO SELECT 1 */ ;;",
        "ALTER DATABASE `new` CHARACTER SET x ;",
        "UNLOCK TABLES;",
        "-- Dump completed on 2026-11-28",
    ]
    assert filter_.is_whole
    assert filter_.tables == [b"a`b"]
    assert [filter_.table_at(line) for line in (2, 3, 14)] == [None, b"a`b", b"a`b"]


# What mariadb-dump writes of a database without triggers, views, routines and events.
BARE = b"""/*M!999999\\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
--
-- Dumping events for database 'shop'
--
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;
"""


@pytest.mark.parametrize(
    "more",
    [
        b"DROP TRIGGER IF EXISTS `a`;\n",
        b"/*!50003 CREATE*/ /*!50003 TRIGGER a BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1 */;;\n",
        b"/*!50001 VIEW `v` AS SELECT 1 */;\n",
        b"/*!40101 SET @a = 1 */; CREATE VIEW v AS SELECT 1;\n",
        b"/*!40101 SET @a = 1 */ /*!50001 CREATE VIEW v AS SELECT 1 */;\n",
        b"SET @a = 1;\n",
        b"DELIMITER ;;",
    ],
)
def test_definitions_are_loaded_only_if_there_are_any(server: Server, tmp_path: Path, more: bytes) -> None:
    (tmp_path / "none").write_bytes(BARE)
    (tmp_path / "some").write_bytes(BARE + more)
    assert [makes_anything(str(tmp_path / each)) for each in ("none", "some")] == [False, True]
    scratch.load_definitions("shop", "/login", [str(tmp_path / "none")] * 2)
    assert server.statements() == ""
    loaded = server.folder / "loaded"
    client = (server.programs / "mariadb").read_text()
    server.program("mariadb", f"if [[ $* == *--defaults-file=*/login* ]]; then\ncat >{loaded}; exit\nfi\n{client}")
    server.answer("GLOBAL.max", "echo 4096\n")
    scratch.load_definitions("shop", "/login", [str(tmp_path / each) for each in ("none", "some")])
    assert loaded.read_bytes().count(b"-- MariaDB dump") == 1


def test_what_the_client_says_loses_what_rows_hold() -> None:
    said = (
        b"--------------\nINSERT INTO t VALUES ('secret')\n--------------\n\n"
        b"ERROR 1062 (23000) at line 7: Duplicate entry 'secret' for key 1\n"
        b"ERROR 1366 (22007) at line 8: Incorrect value: 'secret'\nERROR 2013 at line 9: Lost connection\n"
        b"ERROR 1064 (42000) at line 7: You have an error in your SQL syntax; check near 'secret'\nERROR 1359 (HY000) at line 7: Trigger 'a' already exists\n" + b"x" * 10_000 + b"secret\n"
    )
    lines = list(errors_only(BytesIO(said)))
    assert lines[:5] == [
        b"ERROR 1062 (23000) at line 7: Duplicate entry",
        b"ERROR 1366 (22007) at line 8",
        b"ERROR 2013 at line 9: Lost connection",
        b"ERROR 1064 (42000) at line 7: You have an error in your SQL syntax",
        b"ERROR 1359 (HY000) at line 7: Trigger 'a' already exists",
    ]
    assert b"secret" not in b"".join(lines)


def load(server: Server, client: str) -> tuple[list[bytes], bytes]:
    """Loads the dump by a client that does this with its input."""
    server.answer("information_schema.tables", "printf '616062\\n'\n")
    server.program("mariadb", f'if [[ $* == *--defaults-file=*/login* ]]; then\n{client}\nfi\n' + (server.programs / "mariadb").read_text())
    server.answer("GLOBAL.max", "echo 4096\n")
    with scratch.loading("site") as loader:
        loader.feed(DUMP)
        loader.close()
        made = loader.finish()
        scratch.require_tables("site", made)
    return made, (server.folder / "loaded").read_bytes()


def test_a_dump_is_loaded_and_its_tables_are_looked_for(server: Server) -> None:
    made, loaded = load(server, f"cat >{server.folder}/loaded; exit")
    assert made == [b"a`b"]
    assert loaded.startswith(b"-- MariaDB dump\n") and b"CREATE EVENT e" not in loaded
    assert_nothing_left(server)


def assert_nothing_left(server: Server) -> None:
    assert os.listdir(server.folder / "run/gatehouse-load") == []
    statements = server.statements()
    assert statements.rindex("DROP DATABASE IF EXISTS `gatehouse-scratch-site`") > statements.rindex("CREATE DATABASE")
    assert statements.rindex("DROP USER IF EXISTS") > statements.rindex("CREATE OR REPLACE USER")


@pytest.mark.parametrize(
    ("client", "event"),
    [
        (
            "echo \"ERROR 1062 (23000) at line 6: Duplicate entry 'secret'\" >&2; exit 1",
            {"code": "dump-not-loaded", "error": "ERROR 1062 (23000) at line 6: Duplicate entry", "table": "a`b"},
        ),
        ("head -c 3; kill -KILL $$", {"code": "dump-not-loaded", "error": "", "table": ""}),
    ],
)
def test_a_dump_that_does_not_load(server: Server, client: str, event: dict[str, object]) -> None:
    with pytest.raises(Failed) as failed:
        load(server, client)
    assert failed.value.event == event
    assert_nothing_left(server)


def test_a_dump_whose_table_is_not_there_afterwards(server: Server) -> None:
    server.answer("information_schema.tables", "printf '62\\n'\n")
    with pytest.raises(Failed) as failed:
        scratch.require_tables("site", [b"a"])
    assert failed.value.event == {"code": "table-missing", "table": "a"}
