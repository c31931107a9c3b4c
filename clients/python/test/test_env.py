"""MgbaEnv against the real emulator."""

import gzip
import hashlib
import itertools
import os
import signal

import numpy as np
import pytest

from gateway import Gateway
from headless import HeadlessEmulator
from test_emulator import eventually, is_one_sentence

FRAMES, SCORE = "u32 0x02000008", "u32 0x02000094"


@pytest.fixture
def make_env(package, emu):
    made = []

    def make(**options):
        made.append(package.MgbaEnv(emu.url, **options))
        return made[-1]

    yield make
    for env in made:
        env.close()


def test_screen_is_the_observation(make_env):
    env = make_env(render_mode="rgb_array")
    observation, info = env.reset(seed=1)
    assert observation.shape == (160, 240, 3) and observation in env.observation_space and info["frame"] == 1
    following, reward, terminated, truncated, info = env.step(1)
    assert following in env.observation_space and (reward, terminated, truncated) == (0.0, False, False)
    assert info["frame"] == 5 and len(info["epoch"]) == 8 and not np.array_equal(observation, following)
    assert np.array_equal(env.render(), following)
    assert np.array_equal(env.reset(seed=1)[0], observation), "the picture is that of the state, not that of the episode before"


@pytest.mark.parametrize("options", [{"grey": True}, {"grey": True, "size": (84, 84)}, {"size": (40, 60)}, {"observation": "values", "values": [SCORE], "frame_skip": 5}], ids=["grey", "small", "colours", "values"])
def test_picture_is_shown_in_colour_whatever_is_observed(make_env, options):
    env = make_env(render_mode="rgb_array")
    env.reset()
    expected = env.step(1)[0]  # the fifth frame: the first drew the picture of the state
    state = env._state
    env.close()
    env = make_env(render_mode="rgb_array", state=state, **options)
    env.reset()
    assert env.render().shape == (160, 240, 3)
    env.step(1)
    assert np.array_equal(env.render(), expected) and env.metadata["render_fps"] == pytest.approx(59.7275 / options.get("frame_skip", 4))


def test_picture_is_grey_and_small_where_that_is_wanted(make_env):
    env = make_env(grey=True, size=(84, 84))
    observation, _ = env.reset(seed=1)
    assert observation.shape == (84, 84) and observation in env.observation_space
    whole = env.emulator.screen().astype(np.uint32) @ np.array([77, 150, 29], np.uint32) + 128 >> 8
    assert np.array_equal(env.emulator.screen(grey=True), whole)
    half = whole.reshape(80, 2, 120, 2).sum(axis=(1, 3)) + 2 >> 2
    assert np.array_equal(env.emulator.screen(grey=True, size=(80, 120)), half)
    assert env.emulator.screen(size=(40, 60)).shape == (40, 60, 3)
    assert env.step(1)[0].shape == (84, 84)


@pytest.mark.parametrize("size, words", [((161, 84), ["height is 161", "160"]), ((0, 84), ["height", "1 to 256"])])
def test_size_that_the_picture_cannot_have_is_one_sentence(make_env, package, size, words):
    with pytest.raises(package.Problem) as error:
        make_env(size=size)
    is_one_sentence(error, *words)


def test_values_are_the_observation_and_make_the_reward(make_env):
    env = make_env(observation="values", values=["score", FRAMES], frame_skip=2, max_steps=3, reward=lambda before, after: after["score"] - before["score"])
    first, _ = env.reset(seed=1)
    steps = [env.step(action) for action in (1, 0, 1)]
    assert [step[1] for step in steps] == [17.0, 0.0, 17.0]
    assert [step[3] for step in steps] == [False, False, True]
    assert [list(step[0] - first) for step in steps] == [[17, 2], [17, 4], [34, 6]]
    assert steps[0][0] in env.observation_space and steps[0][4]["values"] == {"score": steps[0][0][0], FRAMES: steps[0][0][1]}


def test_episode_ends_as_the_values_say(make_env):
    env = make_env(observation="both", values=[FRAMES], terminated=lambda values: values[FRAMES] % 8 >= 4)
    observation, _ = env.reset()
    ends = [env.step(0) for _ in range(4)]
    assert [end[2] for end in ends] in ([True, False] * 2, [False, True] * 2)
    assert observation in env.observation_space and observation.keys() == {"screen", "values"}


def test_actions_are_lists_of_keys_or_an_array(make_env):
    keys = "u32 0x0200000C"
    env = make_env(observation="values", values=[keys], actions=["", "A+Right", "L"])
    env.reset()
    assert env.action_space.n == 3 and [int(env.step(action)[0][0]) for action in range(3)] == [0, 1 | 16, 512]
    many = make_env(observation="values", values=[keys], actions="multi_binary")
    env.close()
    many.reset()
    assert int(many.step(np.array([1, 0, 0, 0, 1, 0, 0, 0, 0, 1]))[0][0]) == 1 | 16 | 512


def digest(env, steps, seed):
    """A hash of all observations of an episode."""
    found = hashlib.sha256()
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    for number in range(steps):
        found.update(observation["screen"].tobytes() + observation["values"].tobytes() + repr(info).encode())
        observation, _, _, _, info = env.step(env.action_space.sample())
    return found.hexdigest()


def test_same_seed_gives_the_same_bytes(make_env):
    env = make_env(observation="both", values=[FRAMES, SCORE, "u32 0x02000010"], noop_max=30, actions="multi_binary")
    assert digest(env, 60, 5) == digest(env, 60, 5) != digest(env, 60, 6)


def test_episode_starts_in_the_given_state(make_env, emu):
    env = make_env(observation="values", values=[FRAMES])
    first, _ = env.reset()
    env.step(0)
    state = env.emulator.save()
    assert env.reset()[0] == first and env.reset(options={"state": state})[0] == first + 4 and env.reset()[0] == first


@pytest.mark.parametrize(
    "options, words",
    [
        ({"observation": "sound"}, ["screen, values or both"]),
        ({"observation": "values"}, ["needs values"]),
        ({"actions": ["A", "Z"]}, ["'Z'", "A, B, Select"]),
        ({"actions": "all"}, ["multi_binary"]),
        ({"frame_skip": 0}, ["1 to 36000"]),
        ({"render_mode": "human"}, ["rgb_array"]),
        ({"frame_skip": "4"}, ["'4'", "integer"]),
        ({"max_steps": 0}, ["at least 1"]),
        ({"values": ["u33 0x02000000"]}, ["u33"]),
        ({"values": "u32 0x02000000"}, ["must be a list"]),
        ({"size": (84,)}, ["(84, 84)"]),
        ({"size": "84x84"}, ["(84, 84)"]),
    ],
)
def test_wrong_argument_is_one_sentence(make_env, options, words):
    with pytest.raises((ValueError, KeyError)) as error:
        make_env(**options).reset()
    is_one_sentence(error, *words)


@pytest.mark.parametrize("actions, action", [(["", "A"], 2), (["", "A"], -1), (["", "A"], "A"), ("multi_binary", [2] * 10), ("multi_binary", [1] * 9)])
def test_action_outside_the_space_is_one_sentence(make_env, actions, action):
    env = make_env(actions=actions, observation="values", values=[FRAMES])
    env.reset()
    with pytest.raises(ValueError) as error:
        env.step(action)
    is_one_sentence(error, repr(action), "action space")
    assert env.step(env.action_space.sample())


def test_step_before_reset_is_one_sentence(make_env, package):
    with pytest.raises(package.MgbaError) as error:
        make_env().step(0)
    is_one_sentence(error, "reset()")


def test_killed_emulator_is_a_truncated_episode_and_reset_waits_for_it(package):
    gateway = Gateway("Owned:Roms:0=:test:", "Owned:Fps=0")
    try:
        env = package.MgbaEnv(gateway.url, observation="both", values=[SCORE, FRAMES])
        with package.Emulator(gateway.url) as observer:
            first = env.reset()[0]
            once = digest(env, 40, 1)
            for _ in range(2):
                frame = env.reset()[1]["frame"]
                os.kill(observer.status_get()["process"]["pid"], signal.SIGKILL)
                for _ in itertools.count():
                    observation, reward, terminated, truncated, info = env.step(0)
                    if truncated:
                        break
                    frame = info["frame"]
                assert (reward, terminated, info["frame"]) == (0.0, False, frame) and observation in env.observation_space
                assert not observation["screen"].any() and not observation["values"].any() and [*info["values"]] == [SCORE, FRAMES]
                assert info["failure"].startswith("Emulator 1 has ended: its process was ended by signal 9. The gateway starts it again. Its last output is in /")
                with pytest.raises(package.MgbaError, match="reset"):
                    env.step(0)
                # the next reset is one like any other
                again, info = env.reset()
                assert "failure" not in info and info["frame"] == 1 and np.array_equal(again["screen"], first["screen"]) and np.array_equal(again["values"], first["values"])
                assert info["epoch"] == observer.game_get()["epoch"]
            assert once != digest(env, 40, 1), "the epoch is another one"
        env.close()
    finally:
        gateway.end()


def test_reset_waits_for_an_emulator_no_longer_than_for_a_response(package):
    emulator = HeadlessEmulator(options=["--fps", "0"])  # which no gateway continues
    gateway = Gateway("Transport:SilenceTimeout=00:00:03", "Transport:ConnectTimeout=00:00:03", emulator_port=emulator.port)
    try:
        env = package.MgbaEnv(gateway.url, observation="values", values=[FRAMES])
        env.reset()
        emulator.freeze()
        try:
            _, _, _, truncated, info = env.step(0)
            assert truncated and info["failure"], info
            env.emulator.timeout = 10.0  # longer than the gateway takes to refuse
            with pytest.raises(package.Problem) as error:
                env.reset()
            assert error.value.status == 503
            is_one_sentence(error)
        finally:
            emulator.thaw()
        env.emulator.timeout = 30.0
        eventually(lambda: env.emulator.status_get()["state"] == "ready")
        assert env.reset()[1]["frame"] == 0 and not env.step(0)[3]
        env.close()
    finally:
        gateway.end()
        emulator.end()


def test_gymnasium_accepts_the_environment(make_env):
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    from gymnasium.utils.env_checker import check_env

    for options in ({}, {"observation": "both", "values": [SCORE]}, {"observation": "values", "values": [SCORE], "actions": "multi_binary"}):
        env = make_env(render_mode="rgb_array", max_steps=20, noop_max=3, **options)
        check_env(env, skip_render_check=True)
        env.close()


def test_scenario_gives_reward_end_actions_and_crop(make_env, scenario):
    env = make_env(scenario=scenario, observation="both", values=[FRAMES])
    observation, info = env.reset(seed=1)
    assert env.action_space.n == 6 and [*info["values"]] == [FRAMES, "score", "keys"] and observation in env.observation_space
    assert observation["screen"].shape == (100, 224, 3) and np.array_equal(observation["screen"], env.emulator.screen()[8:108, 16:])
    # the groups are [none, Left, Right] and [none, A]; the first changes fastest
    taken = [env.step(action) for action in (0, 3, 3)]
    assert [step[1:4] for step in taken] == [(-0.5, False, False), (34.0, False, False), (0.0, True, False)]
    assert [step[4]["values"]["keys"] for step in taken] == [0, 1, 1]
    assert taken[2][0]["values"].tolist() == list(taken[2][4]["values"].values()) and len(taken[2][4]["epoch"]) == 8
    env.reset(seed=1)
    assert [env.step(action)[4]["values"]["keys"] for action in (1, 2, 4, 5)] == [32, 16, 33, 17]


def test_reward_and_end_of_a_scenario_can_be_replaced(make_env, scenario):
    env = make_env(scenario=scenario / "scenario.json", actions=["A+B", ""], observation="values", reward=lambda before, after: after["score"] - before["score"], terminated=lambda values: values["keys"] == 0)
    assert env.reset()[0].shape == (2,)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["values"]["keys"]) == (17.0, False, 1), "the scenario has no B"
    assert env.step(1)[1:3] == (0.0, True)


def test_step_with_a_scenario_that_fails_is_a_problem(make_env, package, scenario):
    env = make_env(scenario=scenario)
    env.reset()
    env.emulator.lease_release()
    with pytest.raises(package.Problem) as error:
        env.step(0)
    assert (error.value.name, error.value.status, error.value.code) == ("rejected", 409, "no-lease")
    assert env.reset()[0].shape == (100, 224, 3) and env.step(3)[1] == 34.0


def test_argument_that_only_an_own_emulator_has_is_one_sentence(emu, package):
    with pytest.raises(TypeError) as error:
        package.MgbaEnv(emu, frameskip=10)
    is_one_sentence(error, "frameskip")


def test_crop_outside_of_the_picture_is_one_sentence(make_env, scenario):
    (scenario / "scenario.json").write_text('{"crop": [300, 0, 0, 0]}')
    with pytest.raises(ValueError) as error:
        make_env(scenario=scenario)
    is_one_sentence(error, "crop begins outside", "240 x 160")


def test_scenario_that_is_wrong_is_one_sentence_with_its_place(make_env, package, scenario, tmp_path):
    with pytest.raises(ValueError) as error:
        make_env(scenario=tmp_path)
    is_one_sentence(error, "no scenario", "scenario.json")
    rom = tmp_path / "other.gba"
    rom.write_bytes(b"other")
    with pytest.raises(ValueError) as error:
        package.MgbaEnv(scenario=scenario, rom=rom)
    is_one_sentence(error, "another ROM", "da39a3ee")
    (scenario / "scenario.json").write_text('\n{"done": {\n  "variables": {"scor": {}}}}')
    with pytest.raises(package.Problem, match=r"scenario.json: Line 2, column 25: done.variables.scor: .* Did you mean score"):
        make_env(scenario=scenario)


def test_scenario_as_yaml_has_names_and_expressions(make_env, tmp_path):
    file = tmp_path / "press.yaml"
    file.write_text(
        "# each press of A scores 17\n"
        "variables:\n"
        "  score: u32 0x02000094\n"
        "  keys: 0x0200000C u16\n"
        "reward: 2 * change(score) - (keys == 0) / 2\n"
        "done: keys == 1 and change(score) == 0\n"
        "actions: [[Left, '', Right], [A, '']]\n"
        "crop: [16, 8, 0, 100]\n"
    )
    env = make_env(scenario=file, observation="both")
    assert env.reset(seed=1)[0]["screen"].shape == (100, 224, 3) and env.action_space.n == 6
    steps = [env.step(action)[1:3] for action in (3, 3, 0)]
    assert steps == [(34.0, False), (0.0, True), (-0.5, False)]


def test_scenario_as_yaml_that_is_wrong_is_one_sentence_with_its_place(make_env, package, tmp_path):
    file = tmp_path / "press.yaml"
    file.write_text("variables:\n  score: u32 0x02000094\ndone: scor > 3\n")
    with pytest.raises(package.Problem, match=r"yaml: Line 3, column 7: done: There is no variable \"scor\". Did you mean score"):
        make_env(scenario=file)


def test_state_of_a_scenario_starts_episodes(make_env, package, scenario):
    (scenario / "metadata.json").write_text('{"default_state": "Level1"}')
    env = make_env(scenario=scenario, observation="values")
    env.reset(seed=1)
    for _ in range(5):
        env.step(3)
    state = env.emulator.state_get()
    (scenario / "Level1.state").write_bytes(gzip.compress(state))
    (scenario / "Other.state").write_bytes(gzip.compress(b"Gambatte" * 100))

    score = env.emulator.read("0x02000094", "u32")
    env.close()
    for chosen in ({}, {"state": "Level1"}):
        env = make_env(scenario=scenario, observation="values", **chosen)
        assert env.reset(seed=1)[1]["values"]["score"] == score
        env.close()
    for name, words in (("Other", ["of another emulator"]), ("Levl1", ["no state"])):
        with pytest.raises(ValueError) as error:
            make_env(scenario=scenario, state=name)
        is_one_sentence(error, *words)
    (scenario / "metadata.json").write_text('{"default_state": "Other"}')
    with pytest.warns(UserWarning, match="of another emulator: episodes start in the state of the first reset"):
        make_env(scenario=scenario, observation="values")
    (scenario / "metadata.json").write_text('{"default_state":\n 1,}')
    with pytest.raises(ValueError, match="metadata.json: Line 2, column"):
        make_env(scenario=scenario)
