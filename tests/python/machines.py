"""Several machines on this one: network namespaces that are connected, and end with this process. They need root."""

import contextlib
import ctypes
import os
import subprocess

from cluster import need
from mgba_wire import Failure

NEW_NETWORK = 0x40000000  # CLONE_NEWNET
NOBODY = "02:00:00:00:00:99"
LIBC = ctypes.CDLL(None, use_errno=True)


class NotPermitted(Failure):
    """This machine or user has no network namespaces."""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise NotPermitted(f"{' '.join(command)}: {done.stderr.strip()}. The tests of several machines need root, and a kernel with network namespaces and veth.")


@contextlib.contextmanager
def inside(pid):
    """What this thread connects to and starts, it does on the network of a process."""
    own, other = os.open("/proc/thread-self/ns/net", os.O_RDONLY), os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    try:
        if LIBC.setns(other, NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "setns")
        yield
    finally:
        LIBC.setns(own, NEW_NETWORK)
        os.close(own)
        os.close(other)


class Machines:
    """Two machines with the addresses 10.77.0.1 and 10.77.0.2. Nothing is added to the namespace of the tests."""

    ADDRESSES = ["10.77.0.1", "10.77.0.2"]

    def __init__(self):
        need("ip", "unshare", "nsenter", "setpriv")
        self.holders = []
        try:
            for _ in self.ADDRESSES:
                holder = subprocess.Popen(
                    ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "sh", "-c", "echo ready && exec sleep infinity"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
                self.holders.append(holder)
                if holder.stdout.readline() != "ready\n":
                    raise NotPermitted("unshare --net is not permitted. The tests of several machines need root, and a kernel with network namespaces.")
            self.ip(0, "link", "add", "link0", "type", "veth", "peer", "name", "link1")
            self.ip(0, "link", "set", "link1", "netns", str(self.holders[1].pid))
            for machine, address in enumerate(self.ADDRESSES):
                self.ip(machine, "address", "add", f"{address}/24", "dev", f"link{machine}")
                for link in ("lo", f"link{machine}"):
                    self.ip(machine, "link", "set", link, "up")
        except BaseException:
            self.end()
            raise

    def ip(self, machine, *arguments):
        run("nsenter", f"--net=/proc/{self.holders[machine].pid}/ns/net", "ip", *arguments)

    def cut(self):
        self.ip(0, "link", "set", "link0", "down")

    def silence(self):
        """Packets are lost in both directions and neither machine learns of it, as when the other one was switched off: they go to an address that nobody has."""
        for machine, link in enumerate(("link0", "link1")):
            self.ip(machine, "neighbour", "replace", self.ADDRESSES[1 - machine], "lladdr", NOBODY, "dev", link, "nud", "permanent")

    def heal(self):
        self.ip(0, "link", "set", "link0", "up")
        for machine, link in enumerate(("link0", "link1")):
            self.ip(machine, "neighbour", "flush", "dev", link, "nud", "permanent")

    def connections(self, machine):
        """Local and remote ports of the established connections of a machine to the other one."""
        other = "".join(f"{int(part):02X}" for part in reversed(self.ADDRESSES[1 - machine].split(".")))
        found = []
        for table in ("tcp", "tcp6"):
            with open(f"/proc/{self.holders[machine].pid}/net/{table}", encoding="ascii") as lines:
                rows = [line.split() for line in list(lines)[1:]]
            found += [(int(row[1].split(":")[1], 16), int(row[2].split(":")[1], 16)) for row in rows if row[3] == "01" and row[2].split(":")[0].endswith(other)]
        return found

    def inside(self, machine):
        """What this thread connects to and starts, it does on that machine."""
        return inside(self.holders[machine].pid)

    def end(self):
        for holder in self.holders:
            holder.kill()
            holder.wait()
