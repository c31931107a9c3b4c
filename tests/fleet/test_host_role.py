"""Hosts with a database user of their own: it has the rights of deploy/postgresql/hosts.sql, which are enough for a host and for little else, and is replaced while games run."""

import os
import pathlib
import signal
import subprocess

import pytest

import processes
from checks import until
from cluster import Postgres
from fleet import CELL, get, request
from gateway import PATIENT, ROOT, Gateway
from mgba_wire import Failure

RIGHTS = (ROOT / "deploy/postgresql/hosts.sql").read_text(encoding="utf-8")
FORBIDDEN = {
    "drop table mgba_fleet.states": "must be owner",
    "alter table mgba_fleet.sessions disable row level security": "must be owner",
    "create table mgba_fleet.mine (id int)": "permission denied",
    "select secret from mgba_fleet.sessions": "permission denied",
    "select nonce from mgba_fleet.sessions": "permission denied",
    "update mgba_fleet.sessions set owner = 'me'": "permission denied",
    "update mgba_fleet.sessions set rom = 'mine.gba'": "permission denied",
    "update mgba_fleet.sessions set desired = 'deleted'": "permission denied",
    "insert into mgba_fleet.sessions (id, owner, rom) values ('x', 'x', 'x')": "permission denied",
    "update mgba_fleet.fleet set schema_version = 9": "permission denied",
    "delete from mgba_fleet.events": "permission denied",
    "delete from mgba_fleet.hosts": "permission denied",
    "truncate mgba_fleet.states": "permission denied",
    "select rolpassword from pg_authid": "permission denied",
    "copy mgba_fleet.states to program 'true'": "must be superuser",
}


@pytest.fixture
def database():
    database = Postgres()
    database.query("create role mgba_fleet_host")
    rules = pathlib.Path(database.data, "pg_hba.conf")
    rules.write_text(f"local all +mgba_fleet_host scram-sha-256\n{rules.read_text()}")
    database.run("pg_ctl", "-D", database.data, "reload")
    yield database
    database.end()


def ask(database, user, sql):
    """What psql prints for such a user: rows, or the failure."""
    done = subprocess.run([database.bin / "psql", "-h", database.folder, "-U", user, "-d", "postgres", "-AtqX", "-v", "ON_ERROR_STOP=1", "-c", sql], cwd="/", capture_output=True, text=True, timeout=60,
                          check=False, env={**os.environ, "PGPASSWORD": f"secret of {user}"})
    return done.stdout.strip() if done.returncode == 0 else done.stderr


def test_hosts_with_a_user_of_their_own(database):
    """Hosts run with the rights of hosts.sql alone; its password is replaced by a second user, and the game continues"""
    def settings(user):
        return ["Fleet:Engine=local", "Fleet:LeaseTime=00:00:10", "Owned:StateEvery=00:00:01", "Discover=false", f"Fleet:Database={database.address}",
                f"Fleet:HostDatabase={database.address.replace('Username=postgres', f'Username={user};Password=secret of {user}')}", *PATIENT]

    def hosts():
        found = []
        for folder in filter(str.isdigit, os.listdir("/proc")):
            try:
                environment = processes.environment(folder)
            except (OSError, Failure):
                continue
            if database.folder in environment.get("Bridge__Fleet__Database", "") and not processes.has_ended(folder):
                found.append((int(folder), environment))
        return found

    def stored():
        return int(database.query("select coalesce(max(id), 0) from mgba_fleet.states")[0][0])

    def play(gateway):
        def value():  # a gateway may not know yet that the host was lost
            status, answer, _ = request(gateway, f"/i/game/v2/memory/{CELL}/u32", headers={"Prefer": "wait=60"}, timeout=90)
            return status == 200 and [answer["value"]]

        return until(value, "the game answers")[0]

    gateway = Gateway(*settings("first"))
    try:
        until(lambda: get(gateway, "/v2/fleet")["fleet"], "the schema is there")
        database.query(RIGHTS)
        database.query(RIGHTS)  # again, as after an update
        for user in ("first", "second"):
            database.query(f"create user {user} password 'secret of {user}' in role mgba_fleet_host")
        assert request(gateway, "/v2/fleet/sessions", {"rom": ":test:", "id": "game"})[0] == 200
        assert play(gateway) == 0
        assert request(gateway, f"/i/game/v2/memory/{CELL}/u32", {"value": 77}, "PUT")[0] == 200
        (host,) = hosts()
        assert "Username=first" in host[1]["Bridge__Fleet__Database"] and "Bridge__Fleet__HostDatabase" not in host[1]
        states = stored()
        until(lambda: stored() > states + 1, "states are stored")
        database.query("revoke insert on mgba_fleet.states from mgba_fleet_host")
        until(lambda: "permission denied for table states" in get(gateway, "/v2/fleet/sessions/game")["detail"], "the host says why states are not stored")
        database.query("grant insert on mgba_fleet.states to mgba_fleet_host")
        until(lambda: get(gateway, "/v2/fleet/sessions/game")["detail"] == "", "they are stored again")
        for sql, refusal in FORBIDDEN.items():
            assert refusal in ask(database, "first", sql), sql
        assert ask(database, "first", "with gone as (delete from mgba_fleet.sessions returning 1) select count(*) from gone") == "0"  # it is to run
        assert ask(database, "first", "select count(*) from mgba_fleet.sessions") == "1"
        assert "password authentication failed" in subprocess.run([database.bin / "psql", "-h", database.folder, "-U", "first", "-d", "postgres", "-c", ""], cwd="/", capture_output=True, text=True,
                                                                  check=False, env={**os.environ, "PGPASSWORD": "wrong"}).stderr

        os.kill(host[0], signal.SIGKILL)  # the game continues in another one
        until(lambda: [pid for pid, _ in hosts()] not in ([], [host[0]]), "another host runs")
        assert play(gateway) == 77

        gateway.stop()  # the new user, and then the old one is gone
        gateway.settings = settings("second")
        gateway.start()
        assert play(gateway) == 77
        assert ["Username=second" in environment["Bridge__Fleet__Database"] for _, environment in hosts()] == [True]
        database.query("drop user first")
        assert request(gateway, f"/i/game/v2/memory/{CELL}/u32", {"value": 78}, "PUT")[0] == 200
        assert request(gateway, "/v2/fleet/sessions/game", method="DELETE")[0] == 200
        until(lambda: not get(gateway, "/v2/fleet/sessions")["sessions"], "the host has ended the deleted session")
    finally:
        gateway.end()
