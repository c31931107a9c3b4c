"""Learns to play the test game of mGBA-bridge, with a table and NumPy: train.py [--url URL] [--envs 4] [--episodes 40] [--seed 1]

In this game each press of A scores 17, and holding A scores nothing more. The table has a value for each action in each situation, which is the
action before. Prints the score of the episodes while it explores, then that of one episode with what it has learned.
"""

import argparse
import time

import numpy as np

from mgba_bridge import MgbaVectorEnv

SCORE = "u32 0x02000094"
STEPS = 50  # of an episode; 25 presses are the most
POINTS = 17


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--url", help="the gateway; default MGBA_BRIDGE_URL or http://127.0.0.1:5000")
    parser.add_argument("--envs", type=int, default=4)
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    envs = MgbaVectorEnv(
        arguments.url, arguments.envs, observation="values", values=[SCORE], max_steps=STEPS, autoreset_mode="SameStep", reward=lambda before, after: after[SCORE] - before[SCORE]
    )
    rng = np.random.default_rng(arguments.seed)
    actions = envs.single_action_space.n
    table = np.zeros((actions, actions))
    situations = np.zeros(envs.num_envs, int)
    envs.reset(seed=arguments.seed)
    began = time.perf_counter()
    for episode in range(1, arguments.episodes + 1):
        exploring = max(0.05, 1 - 1.2 * episode / arguments.episodes)
        score = np.zeros(envs.num_envs)
        for _ in range(STEPS):
            best = table[situations].argmax(axis=1)
            chosen = np.where(rng.random(envs.num_envs) < exploring, rng.integers(0, actions, envs.num_envs), best)
            _, rewards, terminated, truncated, info = envs.step(chosen)
            if "failure" in info:
                raise SystemExit(next(filter(None, info["failure"])))
            ahead = np.where(terminated, 0, table[chosen].max(axis=1))
            for row, (situation, action) in enumerate(zip(situations, chosen)):
                table[situation, action] += 0.2 * (rewards[row] / POINTS + 0.8 * ahead[row] - table[situation, action])
            score += rewards
            situations = np.where(terminated | truncated, 0, chosen)
        if episode % (max(1, arguments.episodes // 10)) == 0:
            print(f"episode {episode:3}  exploring {exploring:4.0%}  score {score.mean():6.1f}")
    steps = arguments.episodes * STEPS * envs.num_envs
    print(f"{steps} steps in {time.perf_counter() - began:.1f} s")

    envs.reset(seed=arguments.seed)
    score, situations = np.zeros(envs.num_envs), np.zeros(envs.num_envs, int)
    for _ in range(STEPS):
        situations = table[situations].argmax(axis=1)
        score += envs.step(situations)[1]
    print(f"learned: {score.mean():.0f} of {POINTS * STEPS // 2}")
    envs.close()


if __name__ == "__main__":
    main()
