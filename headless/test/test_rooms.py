"""The folders of the program: each includes only what is below it, and what differs between systems is in platform."""

import pathlib
import re

from checks import equal

HEADLESS = pathlib.Path(__file__).parent.parent
BELOW = {
    "base": (),
    "platform": ("base",),
    "machine": ("base", "platform"),
    "debugger": ("base", "platform", "machine"),
    "scripts": ("base", "platform", "machine", "debugger"),
    "rom-test": ("base", "platform", "machine", "debugger"),
}
SYSTEM = r"#include <(poll|signal|pthread|sched|windows|winsock2|sys/(?!stat|types)\w+)\.h>|_WIN32"


def sources(room):
    return sorted(path for path in (HEADLESS / room).rglob("*.[ch]"))


def test_a_room_includes_only_what_is_below_it():
    wrong = []
    for room, below in BELOW.items():
        for path in sources(room):
            for header in re.findall(r'#include "([^"]+)"', path.read_text()):
                if header.split("/")[0] not in (room, *below) or "/" not in header:
                    wrong.append(f"{path.relative_to(HEADLESS)} includes {header}")
    equal(wrong, [])


def test_the_rest_of_the_program_knows_no_system():
    paths = [*HEADLESS.glob("*.[ch]"), *(path for room in BELOW if room != "platform" for path in sources(room))]
    equal([str(path.relative_to(HEADLESS)) for path in paths if re.search(SYSTEM, path.read_text())], [])
