"""PostgreSQL and Slurm of their own, for tests of the fleet: private folders and keys, no service of the system is touched."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

import processes
from checks import until
from mgba_wire import Failure
from ports import free_port


def need(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        raise Failure(f"missing: {', '.join(missing)}. `scripts/install fleet` installs postgresql, slurm-wlm and munge; it needs root.")


class Postgres:
    """PostgreSQL, reached through a socket in its folder, and at an address if one is given. It runs as the user `postgres` if the tests run as root."""

    def __init__(self, durable=False, listen=""):
        folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not folders:
            need("postgres")
        self.bin = folders[-1].parent
        self.folder = tempfile.mkdtemp(prefix="mgba-bridge-pg-")
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "postgres", "postgres")
        self.data = f"{self.folder}/data"
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        with open(f"{self.data}/postgresql.conf", "a", encoding="utf-8") as settings:
            settings.write(f"listen_addresses = '{listen}'\nunix_socket_directories = '{self.folder}'\nmax_connections = 200\n")
            settings.write("" if durable else "fsync = off\nfull_page_writes = off\n")
        with open(f"{self.data}/pg_hba.conf", "a", encoding="utf-8") as rules:
            rules.write("host all all samenet trust\n" if listen else "")
        self.address = f"Host={self.folder};Username=postgres;Database=postgres"
        self.start()

    def run(self, program, *arguments):
        done = subprocess.run([*self.user, str(self.bin / program), *arguments], cwd="/", capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise Failure(f"{program}: {done.stderr or done.stdout}")
        return done.stdout

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "30", "-l", f"{self.folder}/log", "start")

    def stop(self, mode="immediate"):
        """`immediate` is a crash, which keeps what was committed: commits wait until the system has them, also without fsync."""
        self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def query(self, sql):
        """Rows as lists of text."""
        out = self.run("psql", "-h", self.folder, "-U", "postgres", "-d", "postgres", "-AtqX", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql)
        return [line.split("\t") for line in out.splitlines()]

    def end(self):
        try:
            self.stop()
        except Failure:
            pass
        shutil.rmtree(self.folder, ignore_errors=True)


class Slurm:
    """Slurm with so many nodes on this machine, each with eight processors as far as it knows, and a munge of its own."""

    def __init__(self, nodes=2):
        need("slurmctld", "slurmd", "sbatch", "munged")
        if os.geteuid() != 0:
            raise Failure("Slurm on a test machine needs root: its daemons run as root and munge as its own user. Run the suite as root.")
        self.folder = tempfile.mkdtemp(prefix="mgba-bridge-slurm-")
        os.chmod(self.folder, 0o755)
        self.nodes = nodes
        self.environment = {"SLURM_CONF": f"{self.folder}/slurm.conf"}
        self.write()
        self.pids = []
        munge = pathlib.Path(self.folder, "munge")
        munge.mkdir(mode=0o755)
        (munge / "key").write_bytes(os.urandom(128))
        os.chmod(munge / "key", 0o400)
        for path in (munge, munge / "key"):
            shutil.chown(path, "munge", "munge")
        self.call("setpriv", "--reuid=munge", "--regid=munge", "--clear-groups", "munged", f"--key-file={munge}/key", f"--socket={munge}/socket", f"--log-file={munge}/log",
                  f"--pid-file={munge}/pid", f"--seed-file={munge}/seed", "--num-threads=2")
        self.call("slurmctld", "-f", f"{self.folder}/slurm.conf")
        for node in range(1, nodes + 1):
            self.start_node(node)
        until(lambda: self.call("sinfo", "-h", "-N", "-o", "%T").split().count("idle") == nodes, "all nodes are idle")

    def write(self):
        host = socket.gethostname().split(".")[0]
        for name in ["log", "run", "state", *(f"spool/node{node}" for node in range(1, self.nodes + 1))]:
            os.makedirs(f"{self.folder}/{name}", mode=0o755)
        lines = f"""ClusterName=bridge
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={self.folder}/munge/socket,cred_expire=5
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool/%n
SlurmctldPidFile={self.folder}/run/slurmctld.pid
SlurmdPidFile={self.folder}/run/slurmd-%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld.log
SlurmdLogFile={self.folder}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=1,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
MessageTimeout=5
KillWait=30
CompleteWait=0
InactiveLimit=0
""".splitlines()
        for node in range(1, self.nodes + 1):
            lines.append(f"NodeName=node{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={free_port()} CPUs=8 RealMemory=4000 State=UNKNOWN")
        lines.append("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE LLN=YES State=UP")
        pathlib.Path(self.folder, "slurm.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")
        pathlib.Path(self.folder, "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n", encoding="utf-8")

    def call(self, *command):
        done = subprocess.run(command, env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise Failure(f"{' '.join(command)}: {done.stderr or done.stdout}")
        return done.stdout

    def start_node(self, node):
        self.call("slurmd", "-N", f"node{node}", "-f", f"{self.folder}/slurm.conf")

    def cancel_all(self):
        """Kills all jobs. Returns whether there is none."""
        jobs = self.call("squeue", "-h", "-o", "%A").split()
        for job in jobs:
            try:
                self.call("scancel", "--full", "--signal=KILL", job)
            except Failure:
                pass  # it has ended meanwhile
        return not jobs

    def end(self):
        try:
            until(self.cancel_all, "the jobs have ended")
        finally:
            # the nodes before their controller, which they wait for when they end
            for file in [*sorted(pathlib.Path(self.folder, "run").glob("*.pid"), reverse=True), pathlib.Path(self.folder, "munge/pid")]:
                pid = int(file.read_text())
                os.kill(pid, signal.SIGTERM)
                until(lambda pid=pid: processes.has_ended(pid), f"{file.name} has ended")
            shutil.rmtree(self.folder, ignore_errors=True)
