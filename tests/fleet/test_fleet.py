"""What happens when parts of a fleet fail: PostgreSQL, a Slurm of two nodes, two gateways and eight games."""

import os
import re
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import processes
from checks import until
from fleet import CELL, COMMENT, LEASE, Fleet, check_events, frame, get, problem, request
from mgba_wire import TIME_LIMIT

GAMES = 8
SURPLUS = 58  # sessions, for most of which Slurm has no processor
SAVED = "0x0E000010"  # save RAM, which becomes the save file
EVERY_SECOND = """
do $$ declare id text; begin
  for id in select h.id::text from mgba_fleet.hosts h union select s.id from mgba_fleet.sessions s loop execute format('create sequence %I', 'failures of ' || id); end loop;
end $$;
create function fail() returns trigger language plpgsql as $$ begin
  if nextval(format('%I', 'failures of ' || (to_jsonb(new) ->> tg_argv[0]))) % 2 = 1 then raise exception 'a test'; end if;
  return new;
end $$;
create trigger fail before update on mgba_fleet.hosts for each row when (new.state = 'draining' and old.state = 'ready') execute function fail('id');
create trigger fail before update on mgba_fleet.sessions for each row when (new.host is null) execute function fail('id');
create trigger fail before insert on mgba_fleet.states for each row execute function fail('session');
"""  # of those with which a host gives its session back, counted for each


SECRETS = {"PGPASSWORD", "OTEL_EXPORTER_OTLP_HEADERS", "A_TOKEN"}  # of the gateways' environment


@pytest.fixture(scope="module")
def cluster():
    with pytest.MonkeyPatch.context() as patch:
        for name in SECRETS:
            patch.setenv(name, "a=secret")
        fleet = Fleet()
    yield fleet
    fleet.end()


@pytest.fixture
def fleet(cluster):
    """With eight games, of which all run."""
    if not cluster.ids:
        print(f"POST /v2/fleet/sessions until {GAMES} answer: {cluster.run(GAMES):.1f} s")
    until(lambda: get(cluster.gateways[0], "/v2/fleet")["running"] == GAMES, "all run", seconds=120)
    return cluster


def test_eight_sessions_start_on_slurm(fleet):
    """Eight sessions start on two Slurm nodes, and both gateways reach all of them"""
    for gateway in fleet.gateways:
        for session in fleet.ids:
            assert get(gateway, f"/i/{session}/v2/game")["platform"] == "gba"
    for node, environment in fleet.nodes().items():
        assert not SECRETS & set(environment), node
    status = get(fleet.gateways[0], "/v2/fleet")
    assert (status["hosts"], status["capacity"]) == (GAMES, GAMES), status
    assert len(fleet.queued()) == GAMES
    comments = {line.split(" ", 1)[1] for line in fleet.queued()}
    assert comments == {" ".join(f"{session}.1" for session in fleet.ids)}, comments  # one array
    comments = set(fleet.slurm.call("squeue", "--noheader", "--name=mgba-bridge-default", "--format=%k").splitlines())
    assert all(comment.startswith(COMMENT.format(owner="default;")) for comment in comments), comments
    running = dict(line.split() for line in fleet.slurm.call("squeue", "--noheader", "--array", "--name=mgba-bridge-default", "--format=%F_%K %N").splitlines())
    assert {session["job"]: session["host"] for session in fleet.sessions().values()} == running  # as `scontrol show job` and `node` know them


def test_bot_plays_all_sessions(fleet):
    """A bot presses keys in all games through both gateways, and each press is made once"""
    for number, session in enumerate(fleet.ids):
        before = request(fleet.gateways[0], f"/i/{session}/v2/keys/tap", {"keys": ["A"], "frames": 2})
        assert before[0] == 200, before
        after = get(fleet.gateways[1], f"/i/{session}/v2/game")
        assert before[2]["Mgba-Epoch"] == after["epoch"], number


def test_lost_hosts_are_replaced(fleet):
    """Half of the hosts are killed under load: each of their sessions answers elsewhere within lease time + 3 s and what Slurm takes, and no copy is written twice"""
    before = {session: frame(fleet, session) for session in fleet.ids}
    until(lambda: int(fleet.database.query("select count(distinct session) from mgba_fleet.states")[0][0]) == GAMES, "each session has a stored state")
    lost = fleet.ids[:GAMES // 2]
    for session in lost:
        os.kill(fleet.job(session)[1], signal.SIGKILL)
    killed = time.monotonic()

    def answers(session):
        while time.monotonic() < killed + 2 * TIME_LIMIT:
            status, answer, _ = request(fleet.gateways[1], f"/i/{session}/v2/keys/tap", {"keys": ["B"], "frames": 1})
            if status == 200 and answer["epoch"] != before[session]["epoch"]:
                return time.monotonic() - killed
            time.sleep(0.05)
        return None

    with ThreadPoolExecutor(GAMES) as pool:
        moved = dict(zip(lost, pool.map(answers, lost)))
    print(f"{len(lost)} sessions answer elsewhere after {', '.join(f'{took:.1f}' for took in moved.values() if took)} s (lease {LEASE} s)")
    assert all(moved.values()), moved
    for session in set(fleet.ids) - set(lost):
        assert frame(fleet, session)["epoch"] == before[session]["epoch"]
    assert check_events(fleet) == []


def test_database_away(fleet):
    """While the database is away reads are answered and effects get lease-expired; afterwards nothing has moved"""
    before = {session: frame(fleet, session, 0) for session in fleet.ids}
    generations = fleet.database.query("select id, generation from mgba_fleet.sessions order by id")
    fleet.database.stop()
    try:
        stopped = time.monotonic()
        accepted, refused = stopped, 0
        while (sent := time.monotonic()) < stopped + 2 * LEASE + 2:
            status, answer, _ = request(fleet.gateways[0], f"/i/{fleet.ids[0]}/v2/keys/tap", {"keys": ["A"], "frames": 1})
            if status == 200:
                accepted = sent
            else:
                assert (status, problem(answer)) == (503, "lease-expired"), answer
                refused += 1
            time.sleep(0.1)
        assert refused and accepted - stopped <= LEASE + 1, (refused, accepted - stopped)
        for session in fleet.ids:
            assert frame(fleet, session, 0)["epoch"] == before[session]["epoch"]
        status, answer, _ = request(fleet.gateways[0], "/v2/fleet/sessions", {"rom": ":test:"})
        assert (status, problem(answer)) == (503, "fleet-unavailable"), answer
    finally:
        fleet.database.start()

    def play():
        return request(fleet.gateways[0], f"/i/{fleet.ids[0]}/v2/keys/tap", {"keys": ["A"], "frames": 1})[0] == 200

    until(play, "effects are accepted again")
    time.sleep(LEASE + 2)  # longer than the leader waits before it moves anything
    assert fleet.database.query("select id, generation from mgba_fleet.sessions order by id") == generations
    for session in fleet.ids:
        assert frame(fleet, session, 0)["epoch"] == before[session]["epoch"]
    assert check_events(fleet) == []


def test_lost_report_is_repeated(fleet):
    """That a session runs is reported again when a crash of the database has lost it"""
    before = fleet.database.query("select id, generation from mgba_fleet.sessions order by id")
    fleet.database.query(f"update mgba_fleet.sessions set state = 'placed', script_port = null where id = '{fleet.ids[0]}'")
    until(lambda: get(fleet.gateways[0], "/v2/fleet")["running"] == GAMES, "all run")
    assert fleet.database.query("select id, generation from mgba_fleet.sessions order by id") == before
    assert frame(fleet, fleet.ids[0])["frame"]


@pytest.mark.parametrize("failing", ["", EVERY_SECOND], ids=["", "although every second statement fails"])
def test_cancelled_jobs_hand_over(fleet, failing):
    """Jobs that Slurm cancels store their states, and their sessions continue in other jobs with everything that was accepted, each with its own save"""
    before = {session: frame(fleet, session) for session in fleet.ids}
    cancelled = fleet.ids[:GAMES // 2]
    drained = len(fleet.database.query("select 1 from mgba_fleet.events where kind = 'session.released'"))
    for number, session in enumerate(fleet.ids):  # after the last automatic state
        for location in (f"{CELL}/u32", f"{SAVED}/u8"):
            status, answer, _ = request(fleet.gateways[0], f"/i/{session}/v2/memory/{location}", {"value": 100 + number}, "PUT")
            assert status == 200, answer
    fleet.database.query(failing)
    try:
        fleet.slurm.call("scancel", "--full", *(fleet.job(session)[0] for session in cancelled))
        fleet.until(lambda: len(fleet.database.query("select 1 from mgba_fleet.events where kind = 'session.released'")) >= drained + len(cancelled), "the sessions are given back")
    finally:
        fleet.database.query("drop function if exists fail cascade")
    fleet.until(lambda: get(fleet.gateways[0], "/v2/fleet")["running"] == GAMES, "all run again")
    after = {session: frame(fleet, session) for session in fleet.ids}
    assert {session for session in fleet.ids if after[session]["epoch"] != before[session]["epoch"]} == set(cancelled)
    for location in (f"{CELL}/u32", f"{SAVED}/u8"):
        assert [get(fleet.gateways[1], f"/i/{session}/v2/memory/{location}")["value"] for session in fleet.ids] == [100 + number for number in range(GAMES)], location
    assert check_events(fleet) == []


def test_duplicate_job_ends(fleet):
    """A job that runs twice, and one of an earlier generation, as a restarted controller may bring them back, run nothing"""
    generations = fleet.database.query("select id, generation from mgba_fleet.sessions order by id")
    session, generation = fleet.ids[0], fleet.sessions()[fleet.ids[0]]["generation"]
    environment = processes.environment(fleet.job(session)[1])
    for stale in (generation, generation - 1):
        variables = {**environment, "MGBA_BRIDGE_FLEET_JOBS": f"{session}.{stale}", "SLURM_ARRAY_TASK_ID": "0"}
        done = subprocess.run([fleet.gateways[0].program, "node"], env=variables, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0 and f"Job {session}.{stale} has nothing to run" in done.stdout + done.stderr, done
    assert fleet.database.query("select id, generation from mgba_fleet.sessions order by id") == generations


def test_stray_job_is_withdrawn(fleet):
    """A job of the fleet that no session needs is cancelled, those of others with the same name are not"""
    for comment in ("never.1", "of somebody else"):
        fleet.slurm.call("sbatch", "--job-name=mgba-bridge-default", f"--comment={comment}", "--array=0-0", "--hold", "--output=/dev/null", "--wrap=true")
    # the leader asks when something is to be done, and otherwise with pauses
    assert request(fleet.gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "id": "one"})[0] == 200
    until(lambda: not any("never.1" in line for line in fleet.queued()), "the stray job is cancelled")
    assert any("of somebody else" in line for line in fleet.queued())
    assert request(fleet.gateways[0], "/v2/fleet/sessions/one", method="DELETE")[0] == 200
    until(lambda: "one" not in fleet.sessions(), "the session is deleted")
    fleet.slurm.call("scancel", *(line.split()[0] for line in fleet.queued() if "of somebody else" in line))


def test_waiting_sessions_keep_their_place(fleet):
    """The deletion of a session whose job waits cancels no other task of its array"""
    status, answer, _ = request(fleet.gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "count": 3, "cpus": 64})  # more than a node has
    assert status == 200, answer
    gone, *others = answer["ids"]

    def waiting():
        """The tasks of these sessions, by what each is for."""
        tasks = [(task, jobs.split()[int(task.split("_")[1])].split(".")[0]) for task, _, jobs in (line.partition(" ") for line in fleet.queued())]
        return {session: task for task, session in tasks if session in answer["ids"]}

    before = until(lambda: len(found := waiting()) == 3 and found, "they wait")
    assert request(fleet.gateways[0], f"/v2/fleet/sessions/{gone}", method="DELETE")[0] == 200
    after = until(lambda: gone not in (found := waiting()) and found, "its job is cancelled")
    assert after == {session: before[session] for session in others}
    for session in others:
        assert request(fleet.gateways[0], f"/v2/fleet/sessions/{session}", method="DELETE")[0] == 200
    until(lambda: not waiting(), "all jobs are cancelled")


def test_resources(fleet):
    """A session gets the processors and the memory that it asks for, says what its job waits for, and one that asks for too much keeps no other from starting"""
    def create(session, **resources):
        status, answer, _ = request(fleet.gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "id": session, **resources})
        assert status == 200, answer

    def allocated(session):
        return [line.split(" ", 2)[:2] for line in fleet.slurm.call("squeue", "--noheader", "--array", "--format=%C %m %k").splitlines() if f"{session}." in line]

    create("huge", memory=8000)  # megabytes; the nodes have half of it
    create("broad", cpus=64)
    create("whole", cpus=7.5, memory=300)  # a whole node, each of which runs four of the games
    create("small", cpus=0.5, memory=200)
    assert get(fleet.gateways[1], "/i/small/v2/game", headers={"Prefer": "wait=60"}, timeout=90)["platform"] == "gba"
    until(lambda: (allocated("small"), allocated("whole")) == ([["1", "200M"]], [["8", "300M"]]), "Slurm has their jobs, with their resources")
    for session, text in (("huge", "Requested node configuration is not available"), ("broad", r"Its job \d+_0 of the engine slurm waits: PartitionConfig\."), ("whole", r"Its job \d+_0 of the engine slurm waits: Resources\.")):
        print(until(lambda session=session, text=text: re.search(text, (found := fleet.sessions()[session])["detail"]) and found["detail"], f"{session} says what it waits for"))
    assert get(fleet.gateways[0], "/v2/fleet")["engineProblem"] == ""
    for session in ("huge", "broad", "whole", "small"):
        assert request(fleet.gateways[1], f"/v2/fleet/sessions/{session}", method="DELETE")[0] == 200
    until(lambda: len(fleet.sessions()) == GAMES and len(fleet.queued()) == GAMES, "they are deleted")


def test_owners(fleet):
    """Slurm sees the owner of each job, in its account, its comment and arguments of its own; one that Slurm refuses keeps no other from starting, and its sessions say why"""
    for owner in ("strangers", "students", "lab7"):
        assert request(fleet.gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "id": owner, "owner": owner})[0] == 200
    for owner in ("students", "lab7"):
        assert get(fleet.gateways[1], f"/i/{owner}/v2/game", headers={"Prefer": "wait=60"}, timeout=90)["platform"] == "gba"
    lines = fleet.slurm.call("squeue", "--noheader", "--name=mgba-bridge-default", "--format=%a|%y|%k").splitlines()
    jobs = {comment.rsplit(";", 1)[1].split(".")[0]: (account, nice, comment.rsplit(";", 1)[0]) for account, nice, comment in (line.split("|") for line in lines)}
    assert {owner: jobs.get(owner) for owner in ("strangers", "students", "lab7")} == {"strangers": None, "students": ("students", "77", "site; students"), "lab7": ("lab7", "0", "site; lab7")}
    detail = until(lambda: "invalid partition" in (found := fleet.sessions()["strangers"]["detail"]) and found, "it is said why Slurm refuses")
    print(detail)
    assert detail.startswith("The engine slurm did not take its job: sbatch failed with exit code 1: "), detail
    assert get(fleet.gateways[0], "/v2/fleet")["engineProblem"] == ""
    text = subprocess.run([fleet.gateways[0].program, "fleet", "status", "--url", fleet.gateways[0].url], capture_output=True, text=True, timeout=60, check=True).stdout
    assert re.search(r"(?m)^strangers +strangers +:test: +[1-9].*invalid partition", text), text
    events = get(fleet.gateways[0], "/v2/fleet/events?session=strangers")["events"]
    assert any(event["kind"] == "job.ended" and event["detail"] == detail for event in events), events
    for owner in ("strangers", "students", "lab7"):
        assert request(fleet.gateways[1], f"/v2/fleet/sessions/{owner}", method="DELETE")[0] == 200
    until(lambda: len(fleet.sessions()) == GAMES and len(fleet.queued()) == GAMES, "they are deleted")


def test_gateway_killed(fleet):
    """A gateway is killed: the other one serves all sessions, leads, and starts new ones"""
    fleet.gateways[0].kill()
    try:
        for session in fleet.ids:
            assert get(fleet.gateways[1], f"/i/{session}/v2/game")["platform"] == "gba"
        status, answer, _ = request(fleet.gateways[1], "/v2/fleet/sessions", {"rom": ":test:", "id": "late"})
        assert status == 200, answer
        assert get(fleet.gateways[1], "/i/late/v2/game", headers={"Prefer": "wait=60"}, timeout=90)["platform"] == "gba"
        assert request(fleet.gateways[1], "/v2/fleet/sessions/late", method="DELETE")[0] == 200
        until(lambda: "late" not in fleet.sessions(), "it is deleted")
    finally:
        fleet.gateways[0].start()


def test_missing_rom(fleet):
    """A session whose ROM no host has says so, and is not started over and over"""
    status, answer, _ = request(fleet.gateways[1], "/v2/fleet/sessions", {"rom": "missing.gba", "id": "missing"})
    assert status == 200, answer
    session = until(lambda: (found := fleet.sessions()["missing"])["failures"] and found, "its start has failed")
    assert "RomFolders" in session["detail"], session
    status, answer, headers = request(fleet.gateways[1], "/i/missing/v2/game")
    assert (status, problem(answer), headers["Retry-After"]) == (503, "session-moving", "1"), answer
    assert request(fleet.gateways[1], "/v2/fleet/sessions/missing", method="DELETE")[0] == 200
    until(lambda: "missing" not in fleet.sessions(), "it is deleted")


def test_deleted_sessions_end(fleet):
    """Deleted sessions end, those that run and those that wait in Slurm's queue, and so do their jobs and emulators"""
    status, answer, _ = request(fleet.gateways[0], "/v2/fleet/sessions", {"rom": ":test:", "count": SURPLUS})
    assert status == 200, answer
    until(lambda: len(fleet.queued()) == GAMES + SURPLUS, "all jobs are requested")
    ids = [*fleet.ids, *answer["ids"]]
    deleted = time.monotonic()
    for session in ids:
        assert request(fleet.gateways[1], f"/v2/fleet/sessions/{session}", method="DELETE")[0] == 200
    until(lambda: not fleet.queued(), "no job is left")
    print(f"{len(ids)} sessions deleted, of which {GAMES} ran: Slurm has no job of theirs {time.monotonic() - deleted:.1f} s after the first request")
    until(lambda: not fleet.sessions(), "all are deleted")
    until(lambda: not fleet.nodes(), "no host is left")
    print(f"no host is left after {time.monotonic() - deleted:.1f} s")
    assert fleet.database.query("select count(*) from mgba_fleet.states") == [["0"]]
    assert request(fleet.gateways[1], f"/i/{fleet.ids[0]}/v2/game", headers={})[0] in (404, 503)
    until(lambda: request(fleet.gateways[1], f"/i/{fleet.ids[0]}/v2/game")[0] == 404, "the gateway does not know it any more")
    fleet.ids.clear()
