"""Emulator and AsyncEmulator against the real emulator."""

import asyncio
import base64
import contextlib
import json
import pathlib
import re
import signal
import socketserver
import subprocess
import threading
import urllib.request
import weakref

import pytest

from gateway import Gateway
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[3]
FRAMES, SCORE, MAGIC = "0x02000008", "0x02000094", 0x3154424D
STREAMS = {"sound.stream", "events.stream", "screen.stream", "holder.stream", "websocket.open", "echo.send"}
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==")  # a PNG
LONG = 60  # seconds that anything may take on a busy machine


def eventually(condition):
    """Waits until it holds; the limit is only for a defect."""
    done = threading.Event()
    for _ in range(LONG * 100):
        if condition():
            return
        done.wait(0.01)
    pytest.fail("it did not happen")


STEPPING = {
    "blocking": "emu = mgba_bridge.Emulator(url)\nemu.step(1)\nprint('playing', flush=True)\nsys.stdin.read()",
    "asyncio": """
async def main():
    emu = mgba_bridge.AsyncEmulator(url)
    await emu.step(1)
    while not emu._stream.opened:
        await asyncio.sleep(0.01)
    print('playing', flush=True)
    await asyncio.Event().wait()
asyncio.run(main())""",
}


@pytest.mark.parametrize("kind", STEPPING)
def test_lease_of_a_killed_program_ends_with_it(emu, python, kind):
    with urllib.request.urlopen(f"{emu.url}/v2/events?topics=lease") as events:
        program = subprocess.Popen([python, "-c", f"import asyncio, mgba_bridge, sys\nurl = {emu.url!r}\n{STEPPING[kind]}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert program.stdout.readline() == b"playing\n"
        program.kill()
        program.communicate()
        reasons = (json.loads(line.removeprefix(b"data: ")).get("reason") for line in events if line.startswith(b"data: "))
        assert next(reason for reason in reasons if reason is not None) == "released", "not after the time limit of the lease"


@contextlib.contextmanager
def server(*answers):
    """A program that is not a gateway: each connection gets the next of these answers to its first request, and ends. Yields its URL and the requests."""
    requests, waiting = [], list(answers)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            requests.append(self.request.recv(65536).decode())
            answer = waiting.pop(0) if waiting else b""
            if answer is None:
                stopped.wait(LONG)
            else:
                self.request.sendall(answer)

    stopped = threading.Event()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as listener:
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.server_address[1]}", requests
        finally:
            stopped.set()
            listener.shutdown()
            thread.join()


def is_one_sentence(error, *words):
    text = str(error.value)
    assert all(word in text for word in words) and "\n" not in text and len(text) < 500, text


def test_every_operation_is_a_method(emu, package):
    names = {one["name"].replace(".", "_") for one in emu.operations_list()["operations"] if one["path"].startswith("/v2/") and one["name"] not in STREAMS}
    methods = {re.sub("([A-Z])", lambda letter: "_" + letter[1].lower(), name) for name in names}
    assert len(methods) > 80
    assert [name for name in sorted(methods) if not callable(getattr(emu, name, None)) or not getattr(package.AsyncEmulator, name).__doc__] == []


def test_reads_without_arguments_are_answered(emu):
    import inspect

    from mgba_bridge._operations import DECLARATIONS

    answered = 0
    for name, declared in DECLARATIONS.items():
        method = getattr(emu, re.sub("([A-Z])", lambda letter: "_" + letter[1].lower(), name.replace(".", "_")))
        needed = [one for one in inspect.signature(method).parameters.values() if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
        if declared.method == "GET" and not needed and not name.startswith(("fleet.", "rewind.", "video.text", "debug.trace")):
            assert method(), name
            answered += 1
    assert answered > 15


def end_lease(package, emulator):
    """Ends the lease without its knowledge."""
    with package.Emulator(emulator.url, holder=emulator.holder) as other:
        other.lease_release()


def test_press_reaches_the_game(emu):
    before = emu.read("score")
    pressed = emu.press("A", frames=3)
    assert pressed["up"] - pressed["down"] == 3 and emu.read("score") - before == 17
    assert emu.play("A 1, wait 3, A 1")["up"] and emu.read("score") - before == 3 * 17
    emu.hold("Up+B", "L")
    assert emu.wait(f"u32 0x0200000C == {1 << 6 | 1 << 1 | 1 << 9}")
    emu.release()
    assert emu.wait("u32 0x0200000C == 0")


def test_sensors_are_set_until_they_are_released(emu):
    emu.sense(light=1, tilt=(10, -5))
    emu.sense(gyro=30, camera=PIXEL)
    shown = emu.sensors_get()
    assert (shown["light"], shown["tilt"], shown["gyro"], shown["camera"]) == (1, [10, -5], 30, True)
    emu.play("A tilt 20/0 2, wait 1")
    emu.release()
    shown = emu.sensors_get()
    assert (shown["light"], shown["tilt"], shown["gyro"], shown["camera"]) == (0, [0, 0], 0, False)


def test_events_arrive_and_end_with_close(emu, package):
    with package.Emulator(emu.url) as other, other.events("frame/10", "keys") as events:
        first = next(events)
        while first.name != "frame":
            first = next(events)
        assert first.values["topic"] == "frame/10" and first.id and len(first.values["epoch"]) == 8 and first.values["frame"] > 0
        emu.press("L", wait=False)
        assert next(one for one in events if one.name == "keys" and one.values["keys"] == ["L"]).values["from"] > 0
        threading.Timer(0.1, other.close).start()
        assert all(one.name in ("frame", "keys") for one in events)
    with pytest.raises(package.Problem, match="nonsense"):
        emu.events("nonsense")


def test_events_are_an_asynchronous_iterator(emu, package):
    async def play():
        async with package.AsyncEmulator(emu.url) as other:
            async for event in other.events("frame/10"):
                return event

    assert asyncio.run(asyncio.wait_for(play(), LONG)).name == "frame"


def test_memory_has_its_values(emu):
    assert emu.read("0x02000000", "u32") == emu.read(0x02000000, "u32") == MAGIC
    assert emu.read("wram:0x0") == ord("M") and emu.read("0x02000000", count=4) == list(b"MBT1")
    assert emu.read("0x02000000", "text", length=4) == "MBT1"
    assert emu.read("0x02000000", "bytes", length=4) == emu.read_bytes(0x02000000, 4) == b"MBT1"
    assert emu.read("greeting").startswith("HELLO")
    assert emu.read_all("greeting", "score").keys() == {"greeting", "score"}
    emu.write("0x02010000", -2, "s16")
    emu.write(0x02010002, b"\x01\x02")
    emu.write("0x02010004", [5, 6], "u8")
    assert emu.read_bytes("0x02010000", 6) == b"\xfe\xff\x01\x02\x05\x06"
    emu.step(0, "")  # the game moves the box
    emu.write("box", 40)
    assert emu.read("box") == 40


def test_screen_is_an_array_of_the_pixels(emu, package):
    import numpy as np

    emu.step(1, "")
    screen = emu.screen()
    assert screen.shape == (160, 240, 3) and screen.dtype == np.uint8 and screen.tobytes() == emu.screen_get(format="raw")
    assert emu.screen_get()[1:4] == b"PNG" and len(np.unique(screen)) > 2
    screen[0, 0] = 1  # it belongs to the caller


def test_name_of_a_state_is_the_same_with_composed_and_separate_accents(emu):
    composed, separate = "\u00e9tat", "e\u0301tat"
    assert emu.states_save(separate)["name"] == composed
    emu.load(composed)
    emu.load(separate)
    assert emu.states_compare(separate, composed)["bytes"] == 0
    emu.states_delete(separate)
    assert composed not in [state["name"] for state in emu.states_list()["states"]]


def test_steps_are_exact(emu):
    first = emu.step(3, "A", [f"u32 {FRAMES}", f"{SCORE} u32"])
    second = emu.step(5, "", [f"u32 {FRAMES}"])
    assert second.frame - first.frame == second.values[0] - first.values[0] == 5 and second.epoch == first.epoch
    state = emu.save()
    played = [emu.step(2, keys, [f"u32 {SCORE}"]).values for keys in ("A", "", "A+B", "")]
    emu.load(state)
    assert [emu.step(2, keys, [f"u32 {SCORE}"]).values for keys in ("A", "", "A+B", "")] == played


def test_lease_is_renewed_while_the_program_computes(emu, monkeypatch):
    monkeypatch.setattr("mgba_bridge.emulator.RENEW_AFTER", 0.01)
    reached = emu.step(1, "").frame
    for _ in range(3):
        used = emu._connection.used_at
        eventually(lambda: emu._connection.used_at > used)
    assert emu.step(1).frame == reached + 1


def test_leases_that_follow_each_other_are_renewed_by_one_thread(emu):
    emu.step(1, "")
    before = set(threading.enumerate())
    for _ in range(5):
        emu.lease_release()
        emu.step(1)
    assert set(threading.enumerate()) <= before


def test_lease_is_renewed_also_after_a_renewal_that_failed(package, emu, monkeypatch):
    monkeypatch.setattr("mgba_bridge.emulator.RENEW_AFTER", 0.01)
    emu.step(1, "")
    failed = threading.Event()

    def fail(calls, timeout):
        failed.set()
        raise package.Unreachable("The connection was cut.")

    with monkeypatch.context() as cut:
        cut.setattr(emu._connection, "exchange", fail)
        assert failed.wait(LONG)
    used = emu._connection.used_at
    eventually(lambda: emu._connection.used_at > used)


def test_lease_of_a_dropped_emulator_is_not_renewed(package, emu, monkeypatch):
    monkeypatch.setattr("mgba_bridge.emulator.RENEW_AFTER", 0.01)
    others = threading.active_count()
    other = package.Emulator(emu.url)
    other.step(1, "")
    dropped = weakref.ref(other)
    del other
    eventually(lambda: dropped() is None and threading.active_count() <= others)
    eventually(lambda: "leaseHolder" not in emu.status_get())


def test_waits_for_frames_of_a_stopped_game_are_refused(emu, package):
    emu.step(1, "")
    for use in (lambda: emu.press("A"), lambda: emu.play("A 1"), lambda: emu.wait("u32 0x02000000 == 0")):
        with pytest.raises(package.MgbaError) as error:
            use()
        is_one_sentence(error, "step()", "lease_release()")
    assert emu.press("A", frames=1, wait=False)
    emu.lease_release()
    assert emu.press("A")["up"] and emu.step(1).frame


def test_numbers_and_arrays_of_numpy_are_those_of_python(emu):
    import numpy as np

    emu.step(0, "")
    emu.write(np.int64(0x02010000), np.uint16(9), "u16")
    emu.write("0x02010002", np.array([5, 6], np.uint8))
    emu.write("0x02010004", bytearray(b"\x07"))
    assert emu.read_bytes(np.uint32(0x02010000), np.int64(5)) == b"\x09\x00\x05\x06\x07"
    assert emu.step(np.int64(2), "", [f"u32 {FRAMES}"]).values
    with pytest.raises(ValueError):
        emu.write("0x02010000", np.float32(1.5))


def test_wrong_types_are_one_sentence(emu, package):
    for use, words in (
        (lambda: emu.press(["A", "B"]), ["['A', 'B']", "A+Up"]),
        (lambda: emu.step(1, "", "u16 0x02000000"), ["list", "['u16 0x02000000']"]),
        (lambda: emu.press("A", frames={1}), ["{1}"]),
        (lambda: emu.press(None), ["None", "A+Up"]),
        (lambda: emu.read(""), ["''", "player.hp"]),
        (lambda: emu.read(1.5), ["1.5", "player.hp"]),
        (lambda: emu.write("", 1), ["''", "player.hp"]),
        (lambda: emu.write("0x02000000", None), ["None", "integer"]),
        (lambda: emu.load(5), ["5", "save state"]),
        (lambda: emu.load(""), ["''", "save state"]),
        (lambda: emu.screen(size=84), ["84", "(84, 84)"]),
        (lambda: emu.screen(size=()), ["()", "(84, 84)"]),
    ):
        with pytest.raises(ValueError) as error:
            use()
        is_one_sentence(error, *words)


def test_step_after_the_lease_ended_says_so_and_the_next_takes_it_again(emu, package):
    emu.step(1, "")
    end_lease(package, emu)
    with pytest.raises(package.Problem) as error:
        emu.step(1)
    assert error.value.code == "no-lease" and error.value.status == 409 and not error.value.may_have_run
    assert emu.step(1).frame


def test_close_gives_keys_and_lease_back(emu, package):
    with package.Emulator(emu.url) as other:
        other.hold("B")
        other.step(1)
        assert emu.status_get()["leaseHolder"] == other.holder
        end_lease(package, other)
        with pytest.raises(package.Problem):
            other.step(1)  # after which it does not know whether it has the lease
        other.lease_take()
    assert "leaseHolder" not in emu.status_get() and emu.keys_get()["holders"] == []


@pytest.mark.parametrize(
    "use, name, words",
    [
        (lambda emu: emu.press("Z"), "bad-request", ["Keys are A, B, Select"]),
        (lambda emu: emu.press("A", frames=0), "bad-request", ["from 1 to 36000"]),
        (lambda emu: emu.read("scor"), "no-such-name", ["scor"]),
        (lambda emu: emu.read("0xFFFFFFFFF", "u32"), "rejected", ["0xFFFFFFFFF"]),
        (lambda emu: emu.load("nowhere"), "no-such-state", ["nowhere"]),
        (lambda emu: emu.load(b"no state"), "rejected", ["state"]),
    ],
)
def test_refusal_is_one_sentence(emu, package, use, name, words):
    with pytest.raises(package.Problem) as error:
        use(emu)
    assert error.value.name == name
    is_one_sentence(error, *words)


def test_wrong_location_of_a_step_is_one_sentence(emu):
    with pytest.raises(ValueError) as error:
        emu.step(1, "", ["u33 0x02000000"])
    is_one_sentence(error, "u33 0x02000000", "u8, s8")


@pytest.mark.parametrize("url", ["127.0.0.1:5000", "ftp://127.0.0.1", "http://", "http://127.0.0.1:port", "http://127.0.0.1:5000?x=1"])
def test_wrong_url_is_one_sentence(package, url):
    with pytest.raises(ValueError) as error:
        package.Emulator(url)
    is_one_sentence(error, url, "http://127.0.0.1:5000")


def test_gateway_that_does_not_run_is_one_sentence(package):
    with package.Emulator(f"http://127.0.0.1:{free_port()}") as emulator, pytest.raises(package.Unreachable) as error:
        emulator.press("A")
    is_one_sentence(error, "refused", "mgba-bridge run")


@pytest.mark.parametrize("answer", [b"220 mail\r\n", b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{"])
def test_another_program_at_the_url_is_one_sentence(package, answer):
    with server(answer) as (url, _), package.Emulator(url) as emulator, pytest.raises(package.Unreachable) as error:
        emulator.game_get()
    is_one_sentence(error, url, "not a gateway")


def test_response_in_chunks_is_read(package):
    answer = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"fr\r\n8;x=y\r\name": 7}\r\n0\r\n\r\n'
    with server(answer) as (url, _), package.Emulator(url) as emulator:
        assert emulator.game_get() == {"frame": 7}


def test_missing_response_is_one_sentence(package):
    with server(None) as (url, _), package.Emulator(url, timeout=0.05) as emulator, pytest.raises(package.ResponseTimeout) as error:
        emulator.game_get()
    is_one_sentence(error, "0.05 s", "timeout")


def test_effect_is_sent_again_with_the_same_key_and_a_step_is_not(package):
    answer = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
    with server(b"", answer) as (url, requests), package.Emulator(url) as emulator:
        assert emulator.press("A") == {}
        keys = [re.search("^Idempotency-Key: (.*)\r$", request, re.M)[1] for request in requests]
        assert len(keys) == 2 and keys[0] == keys[1]
    with server(b"", answer) as (url, requests), package.Emulator(url) as emulator, pytest.raises(package.Unreachable) as error:
        emulator.lease_step(1)
    is_one_sentence(error, "may have run")
    assert len(requests) == 1


def test_wrong_token_is_one_sentence(package):
    gateway = Gateway("Owned:Roms:0=:test:", "Http:Token=a-token-of-the-tests")
    try:
        for token in (None, "another-token-than-that"):
            with package.Emulator(gateway.url, token=token) as emulator, pytest.raises(package.Problem) as error:
                emulator.press("A")
            assert error.value.name == "token-needed" and error.value.status == 401
            is_one_sentence(error, "oken")
        with package.Emulator(gateway.url, token="a-token-of-the-tests") as emulator:
            assert emulator.press("A")["down"]
    finally:
        gateway.end()


def test_connection_is_opened_again_after_a_restart_of_the_gateway(package):
    gateway = Gateway("Owned:Roms:0=:test:")
    try:
        with package.Emulator(gateway.url) as emulator:
            assert emulator.press("A")["down"]
            gateway.stop()
            with pytest.raises(package.Unreachable):
                emulator.lease_step(0)
            gateway.start()
            assert emulator.press("A")["down"]
    finally:
        gateway.end()


def test_emulator_that_dies_during_a_step_is_one_sentence_and_plays_on(package):
    import os

    gateway = Gateway("Owned:Roms:0=:test:", "Owned:Fps=60")
    try:
        with package.Emulator(gateway.url) as emulator, package.Emulator(gateway.url) as observer:
            began = emulator.step(0, "").frame
            found = []
            thread = threading.Thread(target=lambda: found.append(pytest.raises(package.MgbaError, emulator.step, 36000)))
            thread.start()
            eventually(lambda: observer.keys_get()["frame"] > began)
            pid = observer.status_get()["process"]["pid"]
            os.kill(pid, signal.SIGKILL)
            thread.join(LONG)
            is_one_sentence(found[0])
            eventually(lambda: (now := observer.status_get())["state"] == "ready" and now["process"]["pid"] != pid)
            assert emulator.step(1, "").frame
    finally:
        gateway.end()


def test_rom_is_played_by_a_gateway_of_its_own(package, rom, tmp_path):
    import numpy as np

    with package.Emulator(rom=rom, fps=0) as emulator:
        assert emulator.wait("u32 0xC100 == 827605581") and emulator.screen().shape == (144, 160, 3) and emulator.screen().dtype == np.uint8
        process = emulator.status_get()["process"]
    eventually(lambda: not pathlib.Path("/proc", str(process["pid"])).exists())
    with pytest.raises(package.StartFailed) as error:
        package.Emulator(rom=tmp_path / "missing.gba")
    is_one_sentence(error, "missing.gba")
    with pytest.raises(package.StartFailed) as error:
        package.Emulator(rom=rom, program="no-such-program")
    is_one_sentence(error, "no-such-program", "MGBA_BRIDGE_PROGRAM")
    (tmp_path / "text").write_text("no program")
    (tmp_path / "text").chmod(0o755)
    with pytest.raises(package.StartFailed) as error:
        package.Emulator(rom=rom, program=str(tmp_path / "text"))
    is_one_sentence(error, "text did not start")


def test_start_that_is_interrupted_ends_at_once(python, tmp_path):
    slow, started = tmp_path / "slow", tmp_path / "started"
    slow.write_text(f"#!/bin/sh\necho $$ > {started}.new\nmv {started}.new {started}\nexec cat\n")  # ends with its input, as mgba-bridge does
    slow.chmod(0o755)
    code = f"import mgba_bridge; mgba_bridge.Emulator(rom='game.gb', program={str(slow)!r})"
    with subprocess.Popen([python, "-c", code], stderr=subprocess.PIPE, text=True) as program:
        eventually(started.exists)
        program.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in program.communicate(timeout=LONG / 2)[1]  # less than a start may take
    eventually(lambda: not pathlib.Path("/proc", started.read_text().strip()).exists())


def test_gateway_of_its_own_ends_when_its_emulator_is_dropped(package, rom):
    emulator = package.Emulator(rom=rom)
    process = pathlib.Path("/proc", str(emulator.status_get()["process"]["pid"]))
    emulator.step(1)
    assert process.is_dir()
    del emulator
    eventually(lambda: not process.exists())


def test_gateway_of_its_own_ends_with_a_program_that_is_killed(python, rom):
    code = "import mgba_bridge, signal; emulator = mgba_bridge.Emulator(rom='game.gb'); print(emulator.status_get()['process']['pid'], flush=True); signal.pause()"
    with subprocess.Popen([python, "-c", code], stdout=subprocess.PIPE, text=True, cwd=rom.parent) as program:
        emulator = pathlib.Path("/proc", program.stdout.readline().strip())
        assert emulator.is_dir() and emulator.name
        program.kill()
    eventually(lambda: not emulator.exists())


def test_threads_share_an_emulator(emu):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append([emu.read("0x02000000", "u32") for _ in range(50)])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert answers == [[MAGIC] * 50] * 4


def test_asyncio_has_the_same_functions(gateway, package, emu):
    async def play():
        async with package.AsyncEmulator(gateway.url) as game:
            before = await game.read("score")
            await game.press("A")
            assert await game.read("score") == before + 17
            assert (await game.screen()).shape == (160, 240, 3)
            first = await game.step(1, "", [f"u32 {FRAMES}"])
            assert (await game.step(2, "", [f"u32 {FRAMES}"])).values == [first.values[0] + 2]
            assert await asyncio.gather(*(game.read("0x02000000", "u32") for _ in range(20))) == [MAGIC] * 20
            with pytest.raises(package.Problem, match="scor"):
                await game.read("scor")
            await game.lease_release()
            waiting = asyncio.create_task(game.wait("u32 0x02000000 == 1", frames=36000))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert (await game.game_get())["title"] == "MGBABRIDGE"
        with pytest.raises(package.Unreachable, match="mgba-bridge run"):
            async with package.AsyncEmulator(f"http://127.0.0.1:{free_port()}") as nowhere:
                await nowhere.press("A")

    asyncio.run(play())


def test_lease_of_a_dropped_async_emulator_is_not_renewed(package, emu, monkeypatch):
    monkeypatch.setattr("mgba_bridge.async_emulator.RENEW_AFTER", 0.01)

    async def drop():
        other = package.AsyncEmulator(emu.url)
        await other.step(1, "")
        dropped, keeper = weakref.ref(other), other._keeper
        del other
        await asyncio.wait_for(keeper, LONG)
        assert dropped() is None

    asyncio.run(drop())
    eventually(lambda: "leaseHolder" not in emu.status_get())


def test_async_leases_that_follow_each_other_are_renewed_by_one_task(package, emu):
    async def play():
        async with package.AsyncEmulator(emu.url) as game:
            for _ in range(5):
                await game.step(1, "")
                await game.lease_release()
            return len(asyncio.all_tasks())

    assert asyncio.run(play()) == 2  # with this one


def test_async_response_that_does_not_come_is_one_sentence(package):
    async def ask(url):
        async with package.AsyncEmulator(url, timeout=0.05) as game:
            await game.game_get()

    with server(None) as (url, _), pytest.raises(package.ResponseTimeout) as error:
        asyncio.run(ask(url))
    is_one_sentence(error, "0.05 s")


def test_shortcuts_are_those_of_asyncio(package):
    from mgba_bridge.emulator import Shortcuts

    shortcuts = {name for name in vars(Shortcuts) if not name.startswith("_")}
    assert shortcuts <= set(vars(package.AsyncEmulator))
