"""MgbaVectorEnv against the real emulator. VECTOR_STEPS=1000000 lengthens the test of determinism."""

import gc
import hashlib
import itertools
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import urllib.request
import weakref

import numpy as np
import pytest

from cluster import Postgres
from gateway import ROOT, Gateway
from test_emulator import eventually, is_one_sentence

FRAMES, SCORE, PRNG = "u32 0x02000008", "u32 0x02000094", "u32 0x02000010"
MAP = ROOT / "docs/examples/mgba-bridge-test.json"
STEPS = int(os.environ.get("VECTOR_STEPS", "4000"))
LONG_STEPS = 100_000
PATIENCE = 60.0  # a deadline that only a defect reaches
DEADLINE = 6.0  # one that only a stopped emulator reaches, also on a busy machine


@pytest.fixture(scope="module")
def games(package):
    """A gateway with three games."""
    gateway = Gateway(*(f"Owned:Roms:{number}=:test:" for number in range(3)), "Owned:Fps=0")
    with package.Emulator(gateway.url) as first:
        assert first.wait("u32 0x02000000 == 827605581")
        first.properties_load(MAP.read_bytes())
    yield gateway
    assert not gateway.unhandled()
    gateway.end()


@pytest.fixture
def make_envs(package, games):
    made = []

    def make(num_envs=None, **options):
        made.append(package.MgbaVectorEnv(games.url, num_envs, **{"observation": "values", "values": [SCORE, FRAMES], **options}))
        return made[-1]

    yield make
    for envs in made:
        envs.close()


def test_environments_step_together_and_start_again_in_the_next_step(make_envs):
    envs = make_envs(2, observation="both", max_steps=3, reward=lambda before, after: after[SCORE] - before[SCORE])
    first, info = envs.reset(seed=4)
    assert first in envs.observation_space and first["screen"].shape == (2, 160, 240, 3) and list(info["frame"]) == [1, 1]
    assert np.array_equal(first["screen"][0], first["screen"][1]) and np.array_equal(first["values"][0], first["values"][1])
    taken = [envs.step(np.array([1, 0])) for _ in range(5)]
    assert [list(step[4]["frame"]) for step in taken] == [[5, 5], [9, 9], [13, 13], [1, 1], [5, 5]]
    assert [list(step[3]) for step in taken] == [[False, False]] * 2 + [[True, True]] + [[False, False]] * 2
    assert [list(step[1]) for step in taken] == [[17, 0], [0, 0], [0, 0], [0, 0], [17, 0]]
    assert np.array_equal(taken[3][0]["screen"], first["screen"]) and np.array_equal(taken[3][0]["values"], first["values"])
    assert envs.metadata["autoreset_mode"].name == "NEXT_STEP"
    assert list(taken[0][4]["values"][SCORE] - first["values"][:, 0]) == [17, 0] and taken[0][4]["epoch"].shape == (2,)


def test_final_observation_is_in_info_where_episodes_start_in_the_same_step(make_envs):
    envs = make_envs(2, autoreset_mode="SameStep", terminated=lambda values: values[SCORE] >= envs.start + 17)
    first, _ = envs.reset(seed=4)
    envs.start = first[0, 0]
    observation, _, terminated, truncated, info = envs.step([0, 1])
    assert list(terminated) == [False, True] and not truncated.any() and envs.metadata["autoreset_mode"].name == "SAME_STEP"
    assert np.array_equal(observation[1], first[1]) and list(info["frame"]) == [4, 0] and list(info["_final_obs"]) == [False, True]
    assert info["final_obs"][0] is None and info["final_obs"][1][0] == first[1, 0] + 17 and info["final_info"]["frame"][1] == 4
    assert list(envs.step([0, 0])[4]["frame"]) == [8, 4]


def test_same_as_one_environment_alone(package, make_envs, games):
    """The first frames of a single MgbaEnv, from the same state and with the same actions, have the same bytes."""
    options = {"observation": "both", "values": [SCORE, "score", PRNG], "grey": True, "size": (84, 84), "noop_max": 9}
    alone = package.MgbaEnv(games.url, **options)
    single = [alone.reset(seed=7)[0]] + [alone.step(action)[0] for action in (1, 2, 0, 5)]
    state = alone._state
    alone.close()
    envs = make_envs(2, state=state, **options)
    together = [envs.reset(seed=[7, 8])[0]] + [envs.step([action, 3])[0] for action in (1, 2, 0, 5)]
    for one, many in zip(single, together, strict=True):
        assert np.array_equal(one["screen"], many["screen"][0]) and np.array_equal(one["values"], many["values"][0])


def digest(envs, steps, seed):
    """A hash of all that steps return."""
    found, rng = hashlib.sha256(), np.random.default_rng(seed)
    observation, info = envs.reset(seed=seed)
    for number in range(steps):
        assert "failure" not in info, info
        for part in observation.values() if isinstance(observation, dict) else [observation]:
            found.update(part)
        found.update(info["frame"])
        observation, reward, terminated, truncated, info = envs.step(rng.integers(0, 8, envs.num_envs))
        found.update(reward)
    return found.hexdigest()


def test_same_seed_gives_the_same_bytes(make_envs):
    envs = make_envs(observation="both", values=[SCORE, FRAMES, PRNG], grey=True, size=(84, 84), noop_max=20, max_steps=37, reward=lambda before, after: after[SCORE] - before[SCORE])
    steps = STEPS // 10
    assert digest(envs, steps, 5) == digest(envs, steps, 5) != digest(envs, steps, 6)


def test_memory_is_the_same_over_many_steps(make_envs):
    envs = make_envs(values=[SCORE, FRAMES, PRNG], noop_max=20, max_steps=500)
    assert digest(envs, STEPS // envs.num_envs, 5) == digest(envs, STEPS // envs.num_envs, 5)


@pytest.mark.long
def test_memory_is_the_same_over_very_many_steps_and_after_an_emulator_was_killed(package, make_envs, games):
    envs = make_envs(values=[SCORE, FRAMES, PRNG], noop_max=20, max_steps=500)
    steps = max(STEPS, LONG_STEPS) // envs.num_envs
    before = digest(envs, steps, 5)
    with package.Emulator(games.url, emulator="2") as observer:
        eventually(kill(observer))
        eventually(lambda: not envs.step([1, 1, 1])[3].any())
    assert digest(envs, steps, 5) == before


def kill(observer):
    """Kills an emulator. Returns what says whether another one is in its place."""
    pid = observer.status_get()["process"]["pid"]
    os.kill(pid, signal.SIGKILL)
    return lambda: (now := observer.status_get())["state"] == "ready" and now["process"]["pid"] != pid


BOTH_WAYS = pytest.mark.parametrize("local", [True, False], ids=["local", "gateway"])


def test_steps_by_local_sockets_and_by_the_gateway_have_the_same_bytes(package, make_envs, games):
    with package.Emulator(games.url) as emu:
        state = emu.state_get(flags=30)
    found = []
    for local in (None, False):
        envs = make_envs(2, local=local, state=state, observation="both", values=[SCORE, FRAMES, PRNG, "s8 0x02000098", "u16 0x0200000C"], noop_max=20, max_steps=11)
        found.append(digest(envs, 40, 5))
        assert envs.is_local is (local is None)
        envs.close()
    assert found[0] == found[1]


def test_local_steps_continue_in_another_state_when_it_is_given(package, make_envs, games):
    envs = make_envs(2, values=[FRAMES])
    first = envs.reset()[0]
    later = envs.step([0, 0])[0]
    with package.Emulator(games.url, emulator="1") as emu:
        state = emu.state_get(flags=30)
    assert list(envs.reset(options={"state": state})[0][:, 0]) == [later[0, 0]] * 2 and later[0, 0] > first[0, 0]
    assert list(envs.step([0, 0])[0][:, 0]) == [later[0, 0] + 4] * 2 and envs.is_local


def test_local_steps_end_with_the_lease_and_come_back(package, make_envs, games):
    envs = make_envs(2)
    envs.reset()
    envs.emulators[1].lease_release()
    info = envs.step([0, 0])[4]
    assert info["failure"][0] is None and "the emulator or the lease ended" in info["failure"][1]
    assert "failure" not in envs.step([0, 0])[4] and envs.is_local


def test_first_environments_that_are_done_are_received_first(make_envs):
    """Each gives what it gives in a step of all, in whatever order."""
    options = {"observation": "both", "values": [SCORE, FRAMES, PRNG], "grey": True, "size": (84, 84), "max_steps": 5, "noop_max": 9, "reward": lambda before, after: after[SCORE] - before[SCORE]}
    envs = make_envs(**options)
    actions = np.random.default_rng(3).integers(0, 8, (24, 3))

    def entries(result, row):
        observation, *rest, info = result
        return observation["screen"][row].tobytes(), *observation["values"][row], *(part[row] for part in rest), info["frame"][row], info["values"][FRAMES][row]

    def together():
        envs.reset(seed=7)
        for row in actions:
            result = envs.step(row)
            for number in range(3):
                yield number, entries(result, number)

    expected = {number: [] for number in range(3)}
    for number, found in together():
        expected[number].append(found)
    envs.reset(seed=7)
    received = {number: [] for number in range(3)}
    envs.send(actions[0], range(3))
    while sum(map(len, received.values())) < actions.size:
        left = sum(len(found) < len(actions) for found in received.values())
        result = envs.recv(min(2, left))
        ids = result[4]["env_id"]
        for row, number in enumerate(ids):
            received[number].append(entries(result, row))
        going = [number for number in ids if len(received[number]) < len(actions)]
        if going:
            envs.send([actions[len(received[number])][number] for number in going], going)
    assert received == expected
    assert envs.step([0, 0, 0])[4]["frame"].shape == (3,)


def test_stopped_emulator_does_not_delay_what_is_received(package, make_envs, games):
    envs = make_envs(deadline=DEADLINE)
    envs.reset(seed=1)
    with package.Emulator(games.url, emulator="2") as observer:
        pid = observer.status_get()["process"]["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        envs.send([1, 1, 1], [0, 1, 2])
        assert sorted(envs.recv(2)[4]["env_id"]) == [0, 2]
        envs.send([1], [0])
        assert list(envs.recv()[4]["env_id"]) == [0]
        _, _, _, truncated, info = envs.recv()
        assert list(truncated) == [True] and list(info["env_id"]) == [1] and "within the deadline" in info["failure"][0]
    finally:
        os.kill(pid, signal.SIGCONT)
    eventually(lambda: not envs.step([1, 1, 1])[3].any())


def test_send_waits_for_an_emulator_within_the_deadline(package, make_envs, games):
    envs = make_envs(deadline=DEADLINE)
    envs.reset(seed=1)
    with package.Emulator(games.url, emulator="2") as observer:
        pid = observer.status_get()["process"]["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        for _ in range(2):  # the second connects anew
            began = time.monotonic()
            envs.send([1, 1], [0, 1])
            assert time.monotonic() - began < PATIENCE
            done = [envs.recv()[3:] for _ in range(2)]
            late = {int(info["env_id"][0]): (bool(truncated[0]), "failure" in info) for truncated, info in done}
            assert late == {0: (False, False), 1: (True, True)}
    finally:
        os.kill(pid, signal.SIGCONT)
    eventually(lambda: not envs.step([1, 1, 1])[3].any())


def test_wrong_send_and_receive_are_one_sentence(package, make_envs):
    envs = make_envs(3)
    with pytest.raises(package.MgbaError, match="reset"):
        envs.send([0], [0])
    envs.reset()
    for actions, ids, words in (([0], [3], "from 0 to 2"), ([0, 0], [1, 1], "different numbers"), ([0], [1, 2], "2 environments, and 1 actions"), ([99], [0], "not an action")):
        with pytest.raises(ValueError) as error:
            envs.send(actions, ids)
        is_one_sentence(error, words)
    with pytest.raises(ValueError, match="as many as are under way"):
        envs.recv()
    envs.send([0, 0], [0, 1])
    for call in (lambda: envs.step([0, 0, 0]), envs.reset):
        with pytest.raises(package.MgbaError, match="2 steps are under way"):
            call()
    with pytest.raises(ValueError, match="not under way"):
        envs.send([0], [1])
    assert sorted(envs.recv(2)[4]["env_id"]) == [0, 1]
    by_gateway = make_envs(3, local=False)
    envs.close()
    by_gateway.reset()
    with pytest.raises(package.MgbaError, match="need local steps"):
        by_gateway.send([0], [0])


@pytest.mark.parametrize("options, words", [({"fleet": ":test:"}, ["of this machine"])])
def test_local_steps_without_what_they_need_are_one_sentence(make_envs, options, words):
    with pytest.raises(ValueError) as error:
        make_envs(2, local=True, **options)
    is_one_sentence(error, *words)


@BOTH_WAYS
def test_killed_emulator_is_truncated_and_starts_again_from_the_same_state(package, make_envs, games, local):
    envs = make_envs(values=[SCORE, FRAMES, PRNG], local=local, deadline=PATIENCE)
    before = digest(envs, 30, 9)
    first = envs.reset(seed=9)[0]
    frame = 0
    with package.Emulator(games.url, emulator="2") as observer:
        kill(observer)
        for _ in itertools.count():
            observation, reward, terminated, truncated, info = envs.step([1, 1, 1])
            if truncated.any():
                break
            frame = info["frame"][1]
        assert list(truncated) == [False, True, False] and reward[1] == 0 and not terminated.any() and info["frame"][1] == frame
        assert info["failure"][0] is None and list(info["_failure"]) == [False, True, False]
        assert info["failure"][1].startswith("Emulator 2 has ended: its process was ended by signal 9. The gateway starts it again. Its last output is in /")
        # the next step begins an episode as after any other
        observation, _, _, truncated, info = envs.step([1, 1, 1])
        assert not truncated.any() and "failure" not in info and np.array_equal(observation[1], first[1]) and info["frame"][1] == 0
        assert digest(envs, 30, 9) == before


@BOTH_WAYS
def test_killed_emulator_starts_again_in_the_same_step(package, make_envs, games, local):
    envs = make_envs(local=local, deadline=PATIENCE, autoreset_mode="SameStep")
    first = envs.reset(seed=9)[0]
    with package.Emulator(games.url, emulator="3") as observer:
        kill(observer)
        for _ in itertools.count():
            observation, _, _, truncated, info = envs.step([0, 0, 0])
            if truncated.any():
                break
        assert list(truncated) == [False, False, True] and np.array_equal(observation[2], first[2]) and info["frame"][2] == 0
        assert not info["final_obs"][2].any() and "signal 9" in info["final_info"]["failure"][2]
        assert not envs.step([0, 0, 0])[3].any()


PROGRAM = """
import sys
from mgba_bridge import MgbaVectorEnv
envs = MgbaVectorEnv(sys.argv[1], 2, observation="values", values=["u32 0x02000008"], local={"local": None, "gateway": False}[sys.argv[2]])
envs.reset()
envs.step([0, 0])
print("playing", flush=True)
sys.stdin.read()
raise KeyboardInterrupt if sys.argv[3] == "interrupt" else ValueError
"""


@pytest.mark.parametrize("end", ["kill", "interrupt", "exception"])
@BOTH_WAYS
def test_what_belongs_to_a_program_ends_with_it(package, python, make_envs, games, local, end):
    with package.Emulator(games.url, emulator="2") as observer, urllib.request.urlopen(f"{games.url}/i/2/v2/events?topics=lease") as events:
        program = subprocess.Popen([python, "-c", PROGRAM, games.url, "local" if local else "gateway", end], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert program.stdout.readline() == b"playing\n"
        assert [one["temporary"] for one in observer.states_list()["states"] if one["name"].startswith("vector-")] == [True]
        if end == "kill":
            program.kill()
        program.communicate()
        reasons = (json.loads(line.removeprefix(b"data: ")).get("reason") for line in events if line.startswith(b"data: "))
        assert next(reason for reason in reasons if reason is not None) == "released", "not after the time limit of the lease"
    eventually(lambda: not [one for one in observer.states_list()["states"] if one["name"].startswith("vector-")])
    make_envs(2).reset()


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_state_of_episodes_does_not_outlive_the_gateway(package, end):
    gateway = Gateway("Owned:Roms:0=:test:", "Owned:Fps=0")
    options = {"observation": "values", "values": [FRAMES]}

    def kept():
        return sorted(path.name for path in pathlib.Path(gateway.data.name).rglob("vector-*.state"))

    try:
        with package.MgbaVectorEnv(gateway.url, **options) as envs:
            envs.reset()
            (before,) = kept()
            gateway.stop() if end == "stop" else gateway.kill()
        assert kept() == ([] if end == "stop" else [before])
        gateway.start()
        with package.MgbaVectorEnv(gateway.url, **options) as envs:
            eventually(lambda: envs.emulators[0].status_get()["state"] == "ready")
            envs.reset()
            assert len(kept()) == 1 and kept() != [before]
        assert not kept()
    finally:
        gateway.end()


def test_reset_with_a_mask_starts_these_games_alone(package, make_envs):
    envs = make_envs(observation="both", grey=True, size=(84, 84), autoreset_mode="Disabled", max_episode_steps=3, noop_max=9)
    assert envs.metadata["autoreset_mode"].name == "DISABLED"
    first, _ = envs.reset(seed=4)
    for _ in range(2):
        later = envs.step([1, 1, 1])[0]
    observation, info = envs.reset(seed=np.int64(4), options={"reset_mask": np.array([False, True, False])})
    for part in ("screen", "values"):
        assert np.array_equal(observation[part][1], first[part][1]) and np.array_equal(observation[part][[0, 2]], later[part][[0, 2]])
    assert list(info["_frame"]) == [False, True, False] and envs.step([1, 1, 1])[3].tolist() == [True, False, True]
    with pytest.raises(package.MgbaError, match=r"environments \[0, 2\] are over: start them with reset"):
        envs.step([1, 1, 1])
    envs.reset(options={"reset_mask": np.array([True, False, True])})
    assert [envs.step([1, 1, 1])[3].tolist() for _ in range(2)] == [[False, False, False], [False, True, False]]


@BOTH_WAYS
def test_reset_with_a_mask_changes_nothing_else(make_envs, local):
    """Also where episodes start by themselves: the games that the mask leaves out give what they give without it."""
    envs = make_envs(values=[SCORE, FRAMES, PRNG], local=local, max_steps=7, noop_max=9)

    def played(is_masked):
        envs.reset(seed=3)
        for number in range(20):
            if number == 4 and is_masked:
                envs.reset(options={"reset_mask": [True, False, False]})
            observation, reward, _, truncated, _ = envs.step([1, 0, 1])
            yield observation[1:].tolist(), reward[1:].tolist(), truncated[1:].tolist()

    assert list(played(True)) == list(played(False))


@pytest.mark.parametrize("options, words", [({"reset_mask": [True]}, ["3 bool"]), ({"reset_mask": np.zeros(3, bool)}, ["one is True"]), ({"reset_mask": [1, 0, 1]}, ["3 bool"]), ({"mask": [True] * 3}, ["no option 'mask'", "reset_mask"])])
def test_wrong_option_of_reset_is_one_sentence_and_changes_nothing(make_envs, options, words):
    envs = make_envs()
    envs.reset()
    with pytest.raises(ValueError) as error:
        envs.reset(options=options)
    is_one_sentence(error, *words)
    assert list(envs.step([1, 1, 1])[4]["frame"]) == [4, 4, 4]


def test_first_reset_with_a_mask_is_one_sentence(make_envs, package):
    with pytest.raises(package.MgbaError) as error:
        make_envs().reset(options={"reset_mask": [True, False, False]})
    is_one_sentence(error, "first reset", "reset_mask")


def test_pictures_are_shown_in_colour_at_the_pace_of_the_console(make_envs):
    envs = make_envs(2, observation="screen", grey=True, size=(84, 84), frame_skip=5, render_mode="rgb_array")
    envs.reset(seed=1)
    envs.step([1, 0])
    shown = envs.render()
    assert [picture.shape for picture in shown] == [(160, 240, 3)] * 2 and not np.array_equal(*shown) and envs.metadata["render_fps"] == pytest.approx(59.7275 / 5)


def test_single_environments_play_emulators_that_nobody_plays(package, make_envs, games):
    options = {"observation": "values", "values": [FRAMES]}
    first = package.MgbaEnv(games.url, **options)
    make_envs(1).reset()  # plays the emulator that the first has chosen, which has not begun
    others = [package.MgbaEnv(games.url, **options)]
    every = [first, *others]
    for env in every:
        env.reset()
    assert sorted(env.emulator._id for env in every) == ["2", "3"] and all(env.step(0)[4]["frame"] == 4 for env in every)
    others.append(package.MgbaEnv(games.url, **options))
    with pytest.raises(package.Problem) as error:
        others[-1].reset()
    assert error.value.name == "leased"
    for env in [first, *others]:
        env.close()


@BOTH_WAYS
def test_stopped_emulator_is_late_and_does_not_delay_the_others(package, make_envs, games, local):
    envs = make_envs(deadline=DEADLINE, local=local)
    envs.reset(seed=1)
    with package.Emulator(games.url, emulator="3") as observer:
        pid = observer.status_get()["process"]["pid"]
        os.kill(pid, signal.SIGSTOP)
        try:
            observation, _, _, truncated, info = envs.step([1, 1, 1])
            assert list(truncated) == [False, False, True] and list(observation[2]) == [0, 0] and observation[0].all(), info
            assert list(info["frame"][:2]) == [4, 4]
        finally:
            os.kill(pid, signal.SIGCONT)
        eventually(lambda: not envs.step([1, 1, 1])[3].any())
        assert envs.reset(seed=1)[0].all()


def test_games_are_leased_until_close(package, make_envs, games):
    envs = make_envs(2)
    envs.reset()
    with package.Emulator(games.url, emulator="2") as other:
        with pytest.raises(package.Problem) as refused:
            other.press("A")
        assert refused.value.name == "leased"
        envs.close()
        assert other.press("A")["up"] and not [one for one in other.states_list()["states"] if one["name"].startswith("vector-")]


def test_games_of_its_own_are_paused_until_they_are_used(package, rom):
    """Two runs give the same episodes, from power-on; and what uses an emulator before lets all run."""
    runs = []
    for play in (False, False, True):
        with package.MgbaVectorEnv(rom=rom, num_envs=2, observation="values", values=["u32 0xC108"]) as envs, package.Emulator(envs.url) as other:
            eventually(lambda: {one["state"] for one in other.emulators_list()} == {"paused"})
            assert not play or envs.emulators[1].wait("u32 0xC100 == 827605581")
            runs.append([envs.reset(seed=1)[0].tolist(), *(envs.step([0, 1])[0].tolist() for _ in range(100))])
            eventually(lambda: {one["state"] for one in other.emulators_list()} == {"leased"})
    assert runs[0] == runs[1] and runs[0][-1] > [[0], [0]]


def test_leases_of_dropped_environments_are_not_renewed(package, games, monkeypatch):
    monkeypatch.setattr("mgba_bridge.emulator.RENEW_AFTER", 0.01)
    others = threading.active_count()
    envs = package.MgbaVectorEnv(games.url, 2)
    envs.reset()
    dropped = weakref.ref(envs)
    del envs
    gc.collect()
    eventually(lambda: dropped() is None and threading.active_count() <= others)
    for number in (1, 2):
        with package.Emulator(games.url, emulator=str(number)) as other:
            eventually(lambda: "leaseHolder" not in other.status_get())


def test_failed_reset_keeps_no_game_after_close(package, make_envs, games):
    envs = make_envs(1, state=b"no state")
    with pytest.raises(package.MgbaError):
        envs.reset()
    envs.close()
    with package.Emulator(games.url, emulator="1") as other:
        assert other.press("A")["up"]


def test_use_after_close_is_one_sentence(package, make_envs):
    envs = make_envs(2)
    envs.reset()
    envs.close()
    for use in (envs.reset, lambda: envs.step([0, 0])):
        with pytest.raises(package.MgbaError) as error:
            use()
        is_one_sentence(error, "closed")


@pytest.mark.parametrize(
    "options, words",
    [
        ({"num_envs": 9}, ["9 environments", "3 emulators"]),
        ({"num_envs": 0}, ["1 or more"]),
        ({"emulators": ["1", "1"]}, ["different"]),
        ({"autoreset_mode": "Never"}, ["'NextStep', 'SameStep', 'Disabled'"]),
        ({"max_steps": 3, "max_episode_steps": 3}, ["one of them"]),
        ({"deadline": 0}, ["0.01 to 600"]),
        ({"noop_max": -1}, ["noop_max", "0 to 36000"]),
        ({"values": ["no.such.name"]}, ["no.such.name", "property map"]),
        ({"observation": "sound"}, ["screen, values or both"]),
        ({"rom": "game.gba"}, ["url or a rom"]),
    ],
)
def test_wrong_argument_is_one_sentence(make_envs, options, words):
    with pytest.raises(ValueError) as error:
        make_envs(**options)
    is_one_sentence(error, *words)


@pytest.mark.parametrize("actions, words", [([0], ["3 environments", "1 actions"]), ([0, 99, 0], ["99 is not an action"]), ([0, -1, 0], ["-1 is not an action"]), ([0.5, 0, 0], ["not an action"])])
def test_action_outside_the_space_is_one_sentence_and_changes_nothing(make_envs, actions, words):
    envs = make_envs()
    envs.reset(seed=1)
    with pytest.raises(ValueError) as error:
        envs.step(actions)
    is_one_sentence(error, *words)
    assert list(envs.step([1, 1, 1])[4]["frame"]) == [4, 4, 4]


def test_actions_are_an_array_of_keys(make_envs):
    envs = make_envs(2, values=["u32 0x0200000C"], actions="multi_binary")
    envs.reset()
    assert [int(value) for value in envs.step(np.array([[1, 0, 0, 0, 1, 0, 0, 0, 0, 1], [0] * 10]))[0][:, 0]] == [1 | 16 | 512, 0]
    assert envs.step(envs.action_space.sample())[0] in envs.observation_space


def test_step_before_reset_is_one_sentence(make_envs, package):
    with pytest.raises(package.MgbaError) as error:
        make_envs(2).step([0, 0])
    is_one_sentence(error, "reset()")


def test_unknown_state_is_one_sentence(make_envs, package):
    with pytest.raises(package.Problem) as error:
        make_envs(2, state="no-such").reset()
    is_one_sentence(error, "no-such")


def test_too_many_rows_are_refused(package, games):
    with package.Emulator(games.url) as emu, pytest.raises(package.Problem) as error:
        emu.vector_step([{"emulator": str(number)} for number in range(257)])
    is_one_sentence(error, "more than 256 items")


def test_picture_is_zero_where_no_emulator_answers(package, games):
    from mgba_bridge.vector import Message

    with package.Emulator(games.url) as emu:
        message = Message.of(emu.vector_step([{"emulator": "nobody"}, {"emulator": "2"}], pixels={"grey": True}))
    assert list(message.statuses) == [404, 409] and message.pixels.shape == (2, 0, 0)
    assert [failure["problem"] for failure in message.failures] == ["no-such-emulator", "rejected"] and message.failures[1]["code"] == "no-lease"


EXAMPLES = ROOT / "clients/python/examples"


def train(python, *options):
    """The last line that the example prints."""
    done = subprocess.run([python, EXAMPLES / "train.py", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1]


def test_example_learns_to_play(python, games):
    assert train(python, "press", "--url", games.url, "--envs", "3", "--seed", "4") == "learned: 25 of 25"


def test_example_learns_to_find_coins_in_the_demo_game(python, rom):
    assert train(python, "coins", "--rom", ":demo:", "--envs", "2", "--episodes", "160") == "learned: 2 of 2"


def test_example_learns_to_catch_and_keeps_a_video(python, tmp_path):
    gateway = Gateway(*(f"Owned:Roms:{number}={EXAMPLES / 'catch.gba'}" for number in range(2)), "Owned:Fps=0")
    try:
        assert train(python, "catch", "--url", gateway.url, "--envs", "2", "--video", tmp_path / "catch.gif") == "learned: 40 of 40"
        assert (tmp_path / "catch.gif").read_bytes()[:4] == b"GIF8"
    finally:
        gateway.end()


def test_scenario_gives_rewards_and_ends(make_envs, scenario):
    envs = make_envs(3, scenario=scenario, observation="both", values=[FRAMES], actions=["", "A", "A+B"], autoreset_mode="SameStep")
    first, info = envs.reset(seed=1)
    assert first["screen"].shape == (3, 100, 224, 3) and first in envs.observation_space and [*info["values"]] == [FRAMES, "score", "keys"]
    _, rewards, terminated, _, info = envs.step([0, 1, 2])
    assert list(rewards) == [-0.5, 34, 34] and not terminated.any() and list(info["values"]["keys"]) == [0, 1, 1]
    observation, rewards, terminated, _, info = envs.step([1, 0, 1])
    assert list(rewards) == [34, -0.5, 0] and list(terminated) == [False, False, True]
    assert np.array_equal(observation["screen"][2], first["screen"][2]) and info["final_obs"][2]["values"][2] == 1
    assert list(envs.step([0, 0, 1])[1]) == [-0.5, -0.5, 34]


EXPRESSIONS = """
variables: {score: u32 0x02000094, frames: u32 0x02000008, word: s16 0x02000088, keys: u16 0x0200000C, low: wram:0x10 u8}
reward: |
  2 * change(score) - (not keys == 1 or score < 3) / (before(frames) - 3) + min(change(word), -low) + max(abs(word), sign(change(low)))
  + 1e308 * word * 10 / (word + keys) / 1e307 + (word / 0 != 1e-3 and word <= low) - (low >= 7) * (word > 0)
done: change(frames) >= 4 and low > 200
actions: [["", Left], ["", A, A+B]]
"""


def judged(envs):
    """What a scenario gives in some steps of three games."""
    rng = np.random.default_rng(5)
    envs.reset(seed=5)
    for _ in range(60):
        _, rewards, terminated, truncated, info = envs.step(rng.integers(0, 4, 3))
        yield rewards.tolist(), terminated.tolist(), truncated.tolist(), {name: column.tolist() for name, column in info["values"].items()}


@pytest.mark.parametrize("kind", ["yaml", "stable-retro"])
def test_scenario_is_judged_here_as_in_the_gateway(package, make_envs, games, tmp_path, scenario, kind):
    file = tmp_path / "all.yaml"
    file.write_text(EXPRESSIONS)
    with package.Emulator(games.url) as emu:
        state = emu.state_get(flags=30)
    found = []
    for local in (None, False):
        envs = make_envs(3, scenario=file if kind == "yaml" else scenario, state=state, local=local, actions=["", "A", "A+B+Left", "Up+Left"], noop_max=9, max_steps=25)
        found.append(list(judged(envs)))
        assert envs.is_local is (local is None)
        envs.close()
    assert found[0] == found[1] and len({tuple(step[0]) for step in found[0]}) > 3 and any(any(step[1]) for step in found[0])


def test_scenario_with_numbers_of_other_forms_is_judged_by_the_gateway(make_envs, tmp_path):
    (tmp_path / "data.json").write_text('{"info": {"score": {"address": 33554580, "type": "<u3"}, "low": {"address": 33554580, "type": "|u1", "mask": 1}}}')
    (tmp_path / "scenario.json").write_text('{"reward": {"variables": {"score": {"reward": 1}}}}')
    envs = make_envs(2, scenario=tmp_path, values=[])
    envs.reset()
    assert envs.step([1, 0])[1].tolist() == [17, 0] and not envs.is_local
    with pytest.raises(ValueError) as error:
        make_envs(2, scenario=tmp_path, values=[], local=True)
    is_one_sentence(error, "little-endian", "leave out local")


def test_actions_of_a_scenario_are_the_default(make_envs, scenario):
    envs = make_envs(2, scenario=scenario, values=[])
    assert envs.single_action_space.n == 6 and envs.reset()[0].shape == (2, 2)
    assert list(envs.step([4, 5])[4]["values"]["keys"]) == [33, 17]


@pytest.fixture(scope="module")
def fleet():
    """A gateway whose fleet starts hosts of two games on this machine."""
    database = Postgres()
    gateway = Gateway(f"Fleet:Database={database.address}", "Fleet:Engine=local", "Fleet:MaxJobs=2", "Fleet:LeaseTime=00:00:05", "Discover=false")
    yield gateway
    gateway.end()
    database.end()


@pytest.mark.long
def test_sessions_of_a_fleet_are_made_used_and_deleted(package, python, fleet):
    envs = package.MgbaVectorEnv(fleet.url, 2, fleet=":test:", observation="both", values=[SCORE], max_steps=3)
    try:
        sessions = [emulator._id for emulator in envs.emulators]
        first, info = envs.reset(seed=1)
        assert list(info["frame"]) == [1, 1] and np.array_equal(first["screen"][0], first["screen"][1])
        assert list(envs.step([1, 0])[0]["values"][:, 0] - first["values"][:, 0]) == [17, 0]

        with package.Emulator(fleet.url) as gateway:
            assert sorted(sessions) == sorted(one["id"] for one in gateway.fleet_sessions_list()["sessions"])
            hosts = subprocess.check_output(["pgrep", "-P", str(fleet.process.pid)], text=True).split()
            assert len(hosts) == 2, f"the processes of the sessions are {hosts}"
            os.kill(int(hosts[0]), signal.SIGKILL)
            eventually(lambda: "failure" in envs.step([0, 0])[4])
            eventually(lambda: all("failure" not in envs.step([0, 0])[4] for _ in range(4)))  # they have moved to another host
            envs.reset()
            assert list(envs.step([1, 0])[0]["values"][:, 0] - first["values"][:, 0]) == [17, 0]
            envs.close()
            eventually(lambda: not gateway.fleet_sessions_list()["sessions"])
            program = f"import mgba_bridge; envs = mgba_bridge.MgbaVectorEnv({fleet.url!r}, fleet=':test:', observation='values', values=[{SCORE!r}]); envs.reset(); raise KeyboardInterrupt"
            subprocess.run([python, "-c", program], stderr=subprocess.DEVNULL)
            eventually(lambda: not gateway.fleet_sessions_list()["sessions"])
    finally:
        envs.close()


@pytest.mark.long
def test_sessions_of_a_killed_program_end_and_others_stay(package, python, fleet):
    with package.Emulator(fleet.url) as gateway:
        (kept,) = gateway.fleet_sessions_create(":test:")["ids"]
        program = f"import mgba_bridge; envs = mgba_bridge.MgbaVectorEnv({fleet.url!r}, fleet=':test:', observation='values', values=[{SCORE!r}]); print('playing', flush=True); import time; time.sleep(1000)"
        killed = subprocess.Popen([python, "-c", program], stdout=subprocess.PIPE)
        try:
            assert killed.stdout.readline() == b"playing\n"
            assert len(gateway.fleet_sessions_list()["sessions"]) == 2
        finally:
            killed.kill()
            killed.communicate()
        # a minute without the program, and as long after a gateway began to lead
        end = time.monotonic() + 240
        while len(found := gateway.fleet_sessions_list()["sessions"]) > 1 and time.monotonic() < end:
            time.sleep(1)
        assert [one["id"] for one in found] == [kept]
        gateway.fleet_sessions_delete(kept)
        with pytest.raises(package.Problem) as error:
            gateway.fleet_sessions_create(":test:", temporary=True)
        assert error.value.status == 400
        is_one_sentence(error, "holder/stream")


def test_sessions_need_a_fleet(package, games):
    with pytest.raises(package.MgbaError) as refused:
        package.MgbaVectorEnv(games.url, 2, fleet=":test:", observation="values", values=[SCORE])
    is_one_sentence(refused, "Bridge:Fleet:Database")
    with pytest.raises(ValueError, match="a fleet, or a rom, or emulators"):
        package.MgbaVectorEnv(games.url, emulators=["1"], fleet=":test:")
