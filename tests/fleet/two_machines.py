"""A gateway and a host on two machines, which know each other by certificates that the commands of docs/fleet.md make."""

import http.client
import json
import pathlib
import re
import subprocess
import tempfile

from checks import until
from cluster import Postgres
from fleet import get
from gateway import PATIENT, ROOT, Gateway, emulator_program, end_process, start_logged
from machines import Machines

SETTINGS = [
    "Fleet:LeaseTime=00:00:10",
    "Owned:StateEvery=00:00:01",
    "Discover=false",
    *PATIENT,
]


def make_certificates(folder):
    """Runs the commands of docs/fleet.md that make an authority and a certificate, as they are written there."""
    section = (ROOT / "docs/fleet.md").read_text(encoding="utf-8").split("## Several machines")[1].split("\n## ")[0]
    blocks = [block for block in re.findall(r"```\n(.*?)```", section, re.DOTALL) if "openssl" in block]
    assert len(blocks) == 2, blocks
    for block in blocks:
        subprocess.run(["bash", "-euc", block], cwd=folder, check=True, capture_output=True)
    return [f"Fleet:Certificate={folder}/node1.pem", f"Fleet:CertificateKey={folder}/node1.key", f"Fleet:CertificateAuthority={folder}/authority.pem"]


class Node:
    """`mgba-bridge node` with its emulators."""

    def __init__(self, program, *settings):
        self.data = tempfile.TemporaryDirectory(prefix="mgba-bridge-node-")
        self.log, self.folder = pathlib.Path(self.data.name, "log"), f"{self.data.name}/data"
        self.process = start_logged(self.wrap([program, "node"]), self.log, [*settings, f"Owned:DataFolder={self.folder}", f"Owned:HeadlessProgram={emulator_program()}"])

    def wrap(self, command):
        """The command that runs this one."""
        return command

    def end(self):
        end_process(self.process, 40)
        self.data.cleanup()


class Hosts:
    """PostgreSQL, a gateway, and hosts that are started by hand."""

    def __init__(self, settings, kinds, **database):
        self.nodes, self.gateway, self.database = [], None, None
        try:
            self.database = Postgres(**database)
            self.settings = [f"Fleet:Database={self.database.address}", "Fleet:EmulatorsPerHost=4", *settings]
            self.gateway = Gateway(*self.settings)
            for kind in kinds:
                self.add(kind)
        except BaseException:
            self.end()
            raise

    def add(self, kind=Node):
        self.nodes.append(kind(self.gateway.program, *self.settings))
        until(lambda: get(self.gateway, "/v2/fleet")["hosts"] == len([node for node in self.nodes if node.process.poll() is None]), "the hosts are registered")

    def end(self):
        for node in self.nodes:
            node.end()
        for part in filter(None, (self.gateway, self.database)):
            part.end()


class TwoMachines:
    """The gateway on machine 0; the host on machine 1, or with `links=False` on machine 0 as well, reached without TLS."""

    def __init__(self, machines, database, links=True, capacity=4, settings=SETTINGS):
        self.machines, self.database = machines, database
        self.folder = tempfile.TemporaryDirectory(prefix="mgba-bridge-certificates-")
        certificates = make_certificates(self.folder.name) if links else []
        settings = [f"Fleet:Database={database}", f"Fleet:EmulatorsPerHost={capacity}", *settings, *certificates]
        self.host = 1 if links else 0
        with machines.inside(0):
            self.gateway = Gateway(*settings)
        with machines.inside(self.host):
            address = machines.ADDRESSES[self.host]
            self.node = Node(self.gateway.program, *settings, f"Fleet:ListenAddress={address}", f"Fleet:AdvertisedAddress={address}")

    def connect(self):
        with self.machines.inside(0):
            connection = http.client.HTTPConnection(self.gateway.url.split("//")[1], timeout=90)
            connection.connect()
        return connection

    def request(self, path, body=None, headers=None):
        connection = self.connect()
        connection.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), {"Content-Type": "application/json", **(headers or {})})
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        return response.status, answer

    def start_session(self, session):
        status, answer = self.request("/v2/fleet/sessions", {"rom": ":test:", "id": session})
        assert status == 200, answer
        status, answer = self.request(f"/i/{session}/v2/game", headers={"Prefer": "wait=60"})
        assert status == 200, f"{answer}\n{self.node.log.read_text(errors='replace')}"

    def end(self):
        self.node.end()
        self.gateway.end()
        self.folder.cleanup()


class Stage:
    """PostgreSQL and two machines."""

    def __init__(self):
        self.machines, self.fleets = Machines(), []
        try:
            self.database = Postgres()
        except BaseException:
            self.machines.end()
            raise

    def fleet(self, **options):
        name = f"fleet{len(self.fleets)}"
        self.database.query(f"create database {name}")
        self.fleets.append(TwoMachines(self.machines, self.database.address.replace("Database=postgres", f"Database={name}"), **options))
        return self.fleets[-1]

    def end(self):
        for fleet in self.fleets:
            fleet.end()
        self.machines.end()
        self.database.end()
