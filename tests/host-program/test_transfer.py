"""The moment of a pull or a push: the files that are served and some tables change places in one journal, at every change to the disk and to MariaDB: done, failed, killed
there, and killed again while that is undone."""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from gatehouse_host import database, places
from gatehouse_host.protocol import Direction, Event, TransferSite
from gatehouse_host.sites import compare, exchange, replace, site, swap, swap_tables, transfer
from gatehouse_host.sites.swap_tables import digits
from gatehouse_host.sites.tables import Table
from gatehouse_host.system import Ended, Failed, write_all
from test_exchange import Job, Killed, Server, fail
from test_replace import Restoring, changes_of, disturb, stops
from test_restore_faults import describe

LIVE, COPY = "shop", "shopstaging"
TABLES, VIEWS = ("t", "new"), ("v",)
HASH = "*" + "A" * 40
# Of each definition its kind, the name of its table or of itself, and of when it is.
Definitions = dict[str, set[str]]


@dataclass
class Transferring(Server):
    """target: the site whose tables are exchanged. second: whether its user has a second password."""

    target: str = LIVE
    second: bool = False
    tables: dict[str, dict[str, str]] = field(default_factory=dict)
    definitions: Definitions = field(default_factory=dict)

    def ask(self, statements: str, *, check: bool = True, **_: object) -> Ended:
        if found := re.search(r"COUNT\(\*\) FROM mysql.proc WHERE db = '(.*?)'", statements):
            return self.number(sum(each.startswith("routine ") for each in self.definitions[found[1]]))
        if "authentication_string" in statements:
            return Ended(0, f"{self.password}\n".encode(), b"")
        if found := re.search(r"COUNT\(\*\) FROM information_schema.tables WHERE table_schema = '(.*?)'", statements):
            return self.number(len(self.tables[found[1]]))
        if statements.startswith("DELIMITER"):
            for each in self.named(statements):
                self.change(lambda one=each: self.definitions[self.target].discard(one))  # type: ignore[misc]
        else:
            self.change(lambda: self.do(statements))
        return Ended(0, b"", b"")

    def number(self, count: int) -> Ended:
        return Ended(0, b"%d\n" % count, b"")

    def named(self, statements: str) -> list[str]:
        """The definitions of the site that the statements drop."""
        found: list[str] = []
        for kind, column in (("trigger", "event_object_table"), ("view", "table_name")):
            for names in re.findall(rf"HEX\({column}\) IN \((.*?)\)", statements):
                found += [each for each in self.definitions[self.target] if each.split()[0] == kind and digits(each.split()[1]) in names]
        if "mysql.proc" in statements:
            found += [each for each in self.definitions[self.target] if each.startswith("routine ")]
        return sorted(found)

    def do(self, text: str) -> None:
        if "RENAME TABLE" in text:
            self.rename(text)
        elif found := re.match(r"ALTER USER `(.*?)`@localhost IDENTIFIED BY PASSWORD '(.*)'", text):
            assert found[1] == self.target
            self.password, self.second = found[2], False
        else:
            assert re.match(rf"ALTER USER `{self.target}`@localhost IDENTIFIED VIA mysql_native_password USING '{re.escape(HASH)}' OR ", text)
            self.second = True

    def rename(self, text: str) -> None:
        """All or nothing, as MariaDB renames. A table with triggers does not go into another database."""
        [(name, former)] = re.findall(r"IF\(table_schema = '(.*?)', '(.*?)',", text)
        [(source, _)] = re.findall(r"table_schema IN \('(.*?)', '(.*?)'\)", text)
        [only] = re.findall(r"HEX\(table_name\) IN \((.*?)\)", text)
        going, coming = ([each for each in self.tables[of] if digits(each) in only] for of in (name, source))
        if any(f"trigger {each} " in definition for each in going for definition in self.definitions[name]) or not coming + going:
            raise fail()
        self.tables[former].update({each: self.tables[name].pop(each) for each in going})
        self.tables[name].update({each: self.tables[source].pop(each) for each in coming})

    def dump(self, file: str, of: str, options: Sequence[str], output: int, only: Sequence[str] = ()) -> None:
        assert file in self.users
        kind = "trigger" if "--triggers" in options else "view"
        text = "".join(f"{each}\n" for each in sorted(self.definitions[of]) if each.split()[0] == kind and each.split()[1] in only)
        self.change(lambda: write_all(output, text.encode()))

    def routines(self, of: str, output: int) -> None:
        write_all(output, "".join(f"{each}\n" for each in sorted(self.definitions[of]) if each.startswith("routine ")).encode())

    @contextmanager
    def logged_in(self, user: str, password: str) -> Iterator[str]:
        assert user == self.target and self.second
        yield user

    def fill(self, site: str, login: str, files: list[str], target: str) -> None:
        """One by one, so that it may be killed between them. A view takes the place of its former self, a trigger does not."""
        assert site == LIVE and login == target == self.target and self.second
        for line in Path(files[0]).read_text().splitlines():
            begin = f"{' '.join(line.split()[:2])} "
            same = {each for each in self.definitions[target] if each.startswith(begin)}
            if same and begin.startswith("trigger "):
                raise fail()
            self.change(lambda each=line, gone=same: self.replace(each, gone))  # type: ignore[misc]

    def replace(self, line: str, gone: set[str]) -> None:
        self.definitions[self.target] = (self.definitions[self.target] - gone) | {line}

    @property
    def of_site(self) -> tuple[object, ...]:
        return dict(self.tables[self.target]), set(self.definitions[self.target]), self.password, self.second


class Moving(Restoring):
    job: Job
    direction: Direction = "push"
    files: bool = True
    events: list[Event]

    def work(self) -> None:
        self.events = []
        request = TransferSite("replace", self.direction, LIVE, COPY, self.files, False, str(self.job.folder))
        transfer.Transfer(request, self.events.append).do("replace")

    @property
    def state(self) -> tuple[object, ...]:
        return self.job.server.of_site, {str(path): describe(path) for path in sorted(self.home.rglob("*"))}


Start = Callable[..., Moving]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    monkeypatch.setattr(site.Site, "owner", (os.getuid(), os.getgid()))
    monkeypatch.setattr(transfer, "run", lambda *_, **__: None)
    monkeypatch.setattr(os, "fsync", lambda _: None)

    def fresh(title: str, direction: Direction = "push", routines: bool = False, files: bool = True) -> Moving:
        source, target = (LIVE, COPY) if direction == "pull" else (COPY, LIVE)
        server = Transferring(users={}, target=target)
        server.tables = {
            target: {"t": "former", "only": "former"}, f"{target}_new": {"t": "then", "new": "then"}, f"{target}_old": {},
        }  # fmt: skip
        server.definitions = {
            target: {"trigger t former", "trigger only former", "view v former", "view w former"},
            source: {"trigger t then", "trigger new then", "view v then", "view x then", "routine r then"},
        }
        if routines:
            server.definitions[target].add("routine own former")
        folder = tmp_path / title
        (folder / "job").mkdir(parents=True)
        (folder / "job/tables").write_text("".join(f"{digits(each)}\n" for each in TABLES))
        (folder / "job/views").write_text("".join(f"{digits(each)}\n" for each in VIEWS))
        monkeypatch.setattr(places, "root", str(folder))
        home = folder / f"home/{target}"
        for where, content in ((home, "former"), (home / ".staging", "then")):
            (where / "public").mkdir(parents=True)
            (where / "public/page").write_text(content)
        for module in (swap_tables, exchange, replace, compare):
            monkeypatch.setattr(module, "ask", server.ask)
        monkeypatch.setattr(swap_tables, "list_tables", lambda of, _: listed(of, source))
        monkeypatch.setattr(swap_tables, "load_definitions", server.fill)
        doing = {"login": server.login, "login_file": server.logged_in, "write_dump": server.dump, "write_routines": server.routines}
        for name, does in doing.items():
            monkeypatch.setattr(database, name, does)
        moving = Moving(Job(server, folder / "job"), home)
        moving.direction, moving.files = direction, files
        return moving

    return fresh


def listed(of: str, source: str) -> list[Table]:
    names = ("t", "new") if of == source else ("t", "only")
    views = ("v", "x") if of == source else ("v", "w")
    return [*(Table(each, False, False, "") for each in names), *(Table(each, True, False, "") for each in views)]


@pytest.mark.parametrize("direction", ["pull", "push"])
def test_undisturbed_the_chosen_tables_their_views_and_triggers_and_the_files_are_those_of_the_other_site(start: Start, direction: Direction) -> None:
    moving = start("a", direction)
    moving.work()
    server = moving.job.server
    assert isinstance(server, Transferring)
    assert server.tables[server.target] == {"t": "then", "new": "then", "only": "former"}
    assert server.tables[f"{server.target}_old"] == {"t": "former"}
    assert server.definitions[server.target] == {
        "trigger t then", "trigger new then", "trigger only former", "view v then", "view w former", "routine r then",
    }  # fmt: skip
    assert (server.password, server.second) == (HASH, False)
    assert (moving.home / "public/page").read_text() == "then"
    assert (moving.home / ".staging/public/page").read_text() == "former"
    assert not (moving.job.folder / swap.RETURNING).exists()


def test_a_target_keeps_the_routines_that_it_has_and_the_difference_is_said(start: Start) -> None:
    moving = start("a", routines=True)
    server = moving.job.server
    server.definitions[COPY].add("routine s then")
    moving.work()
    assert {each for each in server.definitions[LIVE] if each.startswith("routine")} == {"routine own former"}
    assert [(each["code"], each["now"], each["before"]) for each in moving.events] == [("copied-routines-differ", 1, 2)]
    moving.take_back()
    assert "routine own former" in server.definitions[LIVE]


def test_what_was_done_whole_is_taken_back_and_says_that_files_came_back(start: Start) -> None:
    moving = start("a")
    before = moving.state
    moving.work()
    moving.take_back()
    assert moving.state == before
    assert (moving.job.folder / swap.RETURNING).exists()
    moving.take_back()
    assert moving.state == before


def test_tables_alone_leave_the_files_and_files_alone_the_tables(start: Start) -> None:
    moving = start("a", files=False)
    files = moving.state[1]
    moving.work()
    assert moving.state[1] == files
    alone = start("b")
    tables = alone.job.server.of_site
    (alone.job.folder / "tables").unlink()
    alone.work()
    assert alone.job.server.of_site == tables
    assert (alone.home / "public/page").read_text() == "then"


def test_a_user_who_signs_in_without_a_password_is_left_alone(start: Start) -> None:
    moving = start("a")
    moving.job.server.password = "NULL"
    before = moving.state
    with pytest.raises(Failed, match="no-password"):
        moving.work()
    moving.take_back()
    assert moving.state == before


def test_without_a_database_nothing_is_taken_back_so_files_and_tables_stay_of_one_time(start: Start) -> None:
    moving = start("a")
    moving.work()
    after = moving.state
    server = moving.job.server
    server.made, server.stop, server.fault = 0, 1, fail
    with pytest.raises(Failed):
        moving.take_back()
    assert moving.state[1] == after[1]


def test_a_definition_that_does_not_load_leaves_no_second_password(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    moving = start("a")
    before = moving.state
    server = moving.job.server
    assert isinstance(server, Transferring)

    def clash(*_: object) -> None:
        raise fail()

    with monkeypatch.context() as patch:
        patch.setattr(swap_tables, "load_definitions", clash)
        with pytest.raises(Failed):
            moving.work()
        assert not server.second
        with pytest.raises(Failed):
            moving.take_back()
        assert not server.second
    moving.take_back()
    assert moving.state == before


@pytest.mark.parametrize("direction", ["pull", "push"])
@pytest.mark.parametrize("fault", [fail, Killed])
@pytest.mark.parametrize("after", [False, True])
def test_at_every_change_it_fails_or_is_killed_and_is_as_before(
    start: Start, fault: Callable[[], BaseException], after: bool, direction: Direction
) -> None:
    changes = changes_of(whole := start("all", direction), whole.work)
    assert changes[0] > 12 and changes[1] > 8
    for stop in stops(changes):
        moving = start(f"{stop}", direction)
        before = moving.state
        disturb(moving, moving.work, stop, fault, after)
        moving.take_back()
        assert moving.state == before, f"change {stop}"


def test_killed_at_every_change_and_again_at_every_change_of_its_undo_it_is_as_before(start: Start) -> None:
    changes = changes_of(whole := start("all"), whole.work)
    tried = 0
    for stop in stops(changes):
        killed = start(f"{stop}")
        disturb(killed, killed.work, stop, Killed, True)
        for undo_stop in stops(changes_of(killed, killed.take_back)):
            for after in (False, True):
                moving = start(f"{stop}-{undo_stop}-{after}")
                before = moving.state
                disturb(moving, moving.work, stop, Killed, True)
                disturb(moving, moving.take_back, undo_stop, Killed, after)
                moving.take_back()
                assert moving.state == before, f"change {stop}, undo {undo_stop}, {after}"
                tried += 1
    assert tried > 200
