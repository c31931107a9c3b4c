"""Environments whose actions are sensors of the cartridge."""

import numpy as np
import pytest

from test_package import ROOT

LEVEL, COUNTS = 0x81D0, {0: 0, 30: 56, -90: -112}  # of tilt.gb: what it reads, and by how much less where the right edge is down
X = "u16 0xC110"


@pytest.fixture
def tilt(rom):
    rom.write_bytes((ROOT / "headless/roms/tilt.gb").read_bytes())
    return rom


def test_game_follows_the_tilt_of_the_actions(package, tilt):
    env = package.MgbaEnv(rom=tilt, observation="values", values=[X], sensors=["tilt"], frame_skip=4, noop_max=0)
    try:
        assert env.action_space.shape == (2,) and env.action_space.contains(env.action_space.sample())
        for _ in range(2):
            observation, _ = env.reset(seed=1)
            env.step(np.zeros(2, np.float32))
            for degrees, counts in COUNTS.items():
                observation = env.step(np.array([degrees, 0], np.float32))[0]
                assert observation[0] == LEVEL - counts, degrees
        with pytest.raises(ValueError, match="is not an action"):
            env.step(np.array([91, 0], np.float32))
    finally:
        env.close()


@pytest.mark.parametrize("local", [True, False])
def test_games_follow_the_tilt_of_their_own_actions(package, tilt, local):
    with package.MgbaVectorEnv(rom=tilt, num_envs=2, observation="values", values=[X], sensors=["tilt"], actions=["", "A"], frame_skip=10, max_steps=3, local=local) as envs:
        seen = []
        for _ in range(2):
            observation, _ = envs.reset(seed=1)
            rows = [observation.copy()]
            for degrees in ((30, -90), (30, 0), (0, 30), (0, 0), (-90, 30)):  # the fourth begins an episode
                action = {"keys": np.array([0, 1]), "sensors": np.array([[one, 0] for one in degrees], np.float32)}
                observation = envs.step(action)[0]
                rows.append(observation.copy())
                if len(rows) != 5:
                    assert [int(one) for one in observation[:, 0]] == [LEVEL - COUNTS[one] for one in degrees]
            seen.append(np.stack(rows))
        assert np.array_equal(*seen), "the same actions give the same"
        with pytest.raises(ValueError, match="no actions"):
            envs.step({"keys": np.array([0, 1]), "sensors": np.zeros((1, 2), np.float32)})


def test_sensor_that_there_is_not(package, tilt):
    with pytest.raises(ValueError, match="sensors must be a list of light, tilt, gyro"):
        package.MgbaEnv(rom=tilt, sensors=["heat"])
