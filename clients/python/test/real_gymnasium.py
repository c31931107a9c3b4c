"""Environments as users of Gymnasium have them. scripts/tests/test_gymnasium.py runs this where the real Gymnasium is; by hand: MGBA_BRIDGE_URL of a gateway with three test games."""

import contextlib

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.performance import benchmark_step
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import FrameStackObservation, RecordVideo, TimeLimit
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordVideo as RecordVectorVideo

from mgba_bridge import MgbaEnv, MgbaVectorEnv

FRAMES, SCORE = "u32 0x02000008", "u32 0x02000094"
VALUES = {"observation": "values", "values": [SCORE, FRAMES]}
SPEC = EnvSpec("Mgba-v0", entry_point="mgba_bridge:MgbaEnv", vector_entry_point="mgba_bridge:MgbaVectorEnv", max_episode_steps=3, kwargs=VALUES)
FORMS = {"colours": {}, "grey": {"grey": True, "size": (84, 84)}, "both": {"observation": "both", "values": [SCORE]}, "values": {**VALUES, "actions": "multi_binary"}}


@pytest.mark.filterwarnings("ignore:.*(Casting input|conventional|image observation).*")
@pytest.mark.parametrize("form", FORMS)
def test_environment_is_accepted(form):
    env = MgbaEnv(render_mode="rgb_array", max_steps=20, noop_max=3, **FORMS[form])
    check_env(env)
    env.close()


@pytest.mark.parametrize("form", FORMS)
def test_video_of_an_environment_is_recorded(form, tmp_path):
    env = RecordVideo(MgbaEnv(render_mode="rgb_array", max_steps=5, **FORMS[form]), str(tmp_path), episode_trigger=lambda number: True)
    env.reset()
    while not env.step(env.action_space.sample())[3]:
        pass
    env.close()
    (video,) = tmp_path.glob("*.mp4")
    assert video.stat().st_size and env.frames_per_sec == pytest.approx(59.7275 / 4)


@pytest.mark.parametrize("grey", [False, True])
def test_video_of_a_vector_is_recorded(grey, tmp_path):
    envs = RecordVectorVideo(MgbaVectorEnv(num_envs=2, render_mode="rgb_array", grey=grey, max_steps=5), str(tmp_path), record_first_only=True, episode_trigger=lambda number: True)
    envs.reset()
    for _ in range(7):
        envs.step(envs.action_space.sample())
    envs.close()
    assert any(video.stat().st_size for video in tmp_path.glob("*.mp4"))


def test_wrappers_take_the_environments():
    env = FrameStackObservation(TimeLimit(MgbaEnv(grey=True, size=(84, 84)), 3), 4)
    assert env.reset(seed=1)[0].shape == (4, 84, 84) and [env.step(0)[3] for _ in range(3)] == [False, False, True]
    env.close()
    envs = RecordEpisodeStatistics(MgbaVectorEnv(num_envs=2, max_steps=3, **VALUES, reward=lambda before, after: after[SCORE] - before[SCORE]))
    envs.reset(seed=1)
    infos = [envs.step(np.array([1, 0]))[4] for _ in range(3)]
    assert infos[-1]["episode"]["r"].tolist() == [17, 0] and infos[-1]["episode"]["l"].tolist() == [3, 3]
    envs.close()


@pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point"])
def test_vectors_are_made_by_their_specification(mode):
    with contextlib.closing(gymnasium.make_vec(SPEC, num_envs=3, vectorization_mode=mode)) as envs:
        first, _ = envs.reset(seed=1)
        assert first.shape == (3, 2) and first in envs.observation_space
        for number in range(3):
            observations, _, terminated, truncated, _ = envs.step(np.array([0, 1, 0]))
            assert truncated.tolist() == [number == 2] * 3 and not terminated.any()
        assert (observations - first).tolist() == [[0, 12], [17, 12], [0, 12]], "each plays a game of its own"


def vector_of(kind, mode):
    options = {"max_steps": 5, **VALUES}
    if kind == "sync":
        return SyncVectorEnv([lambda: MgbaEnv(**options)] * 3, autoreset_mode=mode)
    if kind == "async":
        return AsyncVectorEnv([lambda: MgbaEnv(**options)] * 3, autoreset_mode=mode)
    return MgbaVectorEnv(num_envs=3, autoreset_mode=mode, local={"ours": None, "ours-gateway": False}[kind], **options)


def played(envs):
    """What is the same in each vector: observations relative to the first one, truncations, and which infos are there."""
    first, _ = envs.reset(seed=3)
    mask = np.array([False, True, False])
    for number in range(12):
        if envs.metadata["autoreset_mode"] == AutoresetMode.DISABLED and number in (2, 5, 7):
            where = {2: mask, 5: ~mask, 7: mask}[number]
            observations, infos = envs.reset(options={"reset_mask": where.copy()})
            yield (observations - first).tolist(), infos["_frame"].tolist()
        if envs.metadata["autoreset_mode"] == AutoresetMode.DISABLED and number in (10, 11):
            return
        observations, rewards, terminated, truncated, infos = envs.step(np.array([1, 0, 1]))
        yield (observations - first).tolist(), rewards.tolist(), terminated.tolist(), truncated.tolist(), infos["frame"].tolist()
        if "final_obs" in infos:
            yield [None if one is None else (one - start).tolist() for one, start in zip(infos["final_obs"], first)], infos["_final_obs"].tolist(), infos["final_info"]["frame"].tolist()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_vectors_are_those_of_gymnasium_in_every_mode(mode):
    """MgbaVectorEnv gives what Gymnasium's own vectors make of MgbaEnv."""
    found = {}
    for kind in ("sync", "async", "ours", "ours-gateway"):
        with contextlib.closing(vector_of(kind, mode)) as envs:
            found[kind] = list(played(envs))
    assert found["async"] == found["sync"]
    assert found["ours"] == found["sync"]
    assert found["ours-gateway"] == found["sync"]


def test_spaces_and_metadata_are_those_of_gymnasium():
    with MgbaVectorEnv(num_envs=2, **VALUES) as envs:
        assert isinstance(envs, gymnasium.vector.VectorEnv) and isinstance(envs.metadata["autoreset_mode"], AutoresetMode)
        assert isinstance(envs.single_observation_space, gymnasium.spaces.Box) and envs.unwrapped is envs
    with pytest.raises(ValueError, match="There is no option|has no option"):
        env = MgbaEnv(**VALUES)
        try:
            env.reset(options={"reset_mask": np.array([True])})
        finally:
            env.close()


def test_steps_can_be_measured():
    env = MgbaEnv(**VALUES)
    assert benchmark_step(env, target_duration=0.2) > 0
    env.close()


