"""Learns to play a game with a table and NumPy: train.py [coins|catch|press] [--rom FILE] [--url URL] [--envs 4] [--episodes N] [--seed 1] [--video FILE]

coins: in the demo game of mGBA-bridge a walker finds coins. A situation is where the walker is, and which coins were taken.
press: in the test game of mGBA-bridge each press of A scores, and holding A does not. A situation is the action before.
catch: in catch.gba blocks fall, and a paddle catches them. A situation is how high the block is, and how far beside the paddle.

The table has a value for each action in each situation. Prints the mean reward of the episodes while it explores, then that of one episode with what
it has learned, and makes a video of that one with ffmpeg (.gif, .mp4, ...).
"""

import argparse
import contextlib
import pathlib
import subprocess
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mgba_bridge import Emulator, MgbaVectorEnv

HERE = pathlib.Path(__file__).parent


class Task(NamedTuple):
    """ready: what holds when a game can begin; frame_skip: frames of a step; steps: the most of an episode; best: the most reward; discount: what a reward a step later is worth; situation: that of each game, from variables and last action."""

    ready: str
    frame_skip: int
    steps: int
    best: int
    episodes: int
    situations: int
    discount: float
    situation: Callable[[Any, Any], Any]


def beside(values: Any, _: Any) -> Any:
    """Of catch: 4 heights times 29 distances of 16 pixels."""
    paddle, x, y = values[:, 2:].T
    return np.minimum(y // 36, 3) * 29 + np.clip((x + 4 - paddle - 16 + 8) // 16 + 14, 0, 28)


def place(values: Any, _: Any) -> Any:
    """Of coins: 20 times 16 places of the screen, with each set of its three coins."""
    taken, x, y = values[:, 1:4].T
    return (np.clip(y // 10, 0, 15) * 20 + np.clip(x // 12, 0, 19)) * 8 + (taken & 7)


TASKS = {
    "coins": Task("mode == 1", 8, 200, 2, 320, 20 * 16 * 8, 0.97, place),
    "catch": Task("u32 0x02000014 > 0", 4, 1000, 40, 100, 4 * 29, 0.9, beside),
    "press": Task("u32 0x02000000 == 0x3154424D", 4, 50, 25, 160, 8, 0.5, lambda _, chosen: chosen),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", nargs="?", choices=TASKS, default="coins")
    parser.add_argument("--rom", help="starts a gateway that plays it, such as catch.gba")
    parser.add_argument("--url", help="else the gateway; default MGBA_BRIDGE_URL or http://127.0.0.1:5000")
    parser.add_argument("--envs", type=int, default=4)
    parser.add_argument("--episodes", type=int, help="of all games together, one after the other in each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--video", help="of the last episode")
    arguments = parser.parse_args()

    task = TASKS[arguments.task]
    envs = MgbaVectorEnv(arguments.url, arguments.envs, rom=arguments.rom, scenario=HERE / f"{arguments.task}.yaml", observation="values", frame_skip=task.frame_skip, max_steps=task.steps, autoreset_mode="SameStep")
    try:
        begin(envs.emulators[0], arguments.task, task.ready)
        table = learn(envs, task, arguments.episodes or task.episodes, np.random.default_rng(arguments.seed))
        print(f"learned: {play(envs, task, table, arguments.video):.0f} of {task.best}")
    finally:
        envs.close()


def begin(game: Emulator, task: str, ready: str) -> None:
    """Begins a new game: all episodes continue from there."""
    game.wait(ready)
    game.step(2, "Start")
    game.step(2, "")
    while task == "coins" and game.read("mode") != 2:  # until the walker can walk
        game.step(2, "A")
        game.step(2, "")


def learn(envs: MgbaVectorEnv, task: Task, episodes: int, rng: np.random.Generator) -> Any:
    """The table after so many episodes."""
    actions = envs.single_action_space.n
    table = np.zeros((task.situations, actions))
    chosen = np.zeros(envs.num_envs, int)
    values, _ = envs.reset(seed=1)
    situations = task.situation(values, chosen)
    score, ended, steps, began = np.zeros(envs.num_envs), [], 0, time.perf_counter()
    while len(ended) < episodes:
        exploring = max(0.02, 1 - 1.2 * len(ended) / episodes)
        chosen = np.where(rng.random(envs.num_envs) < exploring, rng.integers(0, actions, envs.num_envs), table[situations].argmax(axis=1))
        values, rewards, terminated, truncated, info = envs.step(chosen)
        if "failure" in info:
            raise SystemExit(next(filter(None, info["failure"])))
        over = terminated | truncated
        following = task.situation(values, np.where(over, 0, chosen))
        ahead = np.where(over, 0, table[following].max(axis=1))
        for row, (situation, action) in enumerate(zip(situations, chosen)):
            table[situation, action] += 0.1 * (rewards[row] + task.discount * ahead[row] - table[situation, action])
        situations, score, steps = following, score + rewards, steps + envs.num_envs
        for reward in score[over]:
            ended.append(reward)
            if len(ended) % max(1, episodes // 10) == 0:
                print(f"episode {len(ended):3}  exploring {exploring:4.0%}  reward {np.mean(ended[-max(1, episodes // 10):]):6.1f}")
        score[over] = 0
    print(f"{steps} steps in {time.perf_counter() - began:.1f} s")
    return table


def play(envs: MgbaVectorEnv, task: Task, table: Any, video: str | None) -> float:
    """The reward of an episode of the first game with the best actions of the table."""
    chosen = np.zeros(envs.num_envs, int)
    values, _ = envs.reset()
    reward = 0.0
    with encoder(video) as pictures:
        for _ in range(task.steps):
            if pictures:
                pictures.write(envs.emulators[0].screen().tobytes())
            chosen = table[task.situation(values, chosen)].argmax(axis=1)
            values, rewards, terminated, _, _ = envs.step(chosen)
            reward += rewards[0]
            if terminated[0]:
                break
    return reward


@contextlib.contextmanager
def encoder(video: str | None) -> Any:
    """What takes the pictures of a video, one for each step, 15 a second; None without a video."""
    if video is None:
        yield None
        return
    process = subprocess.Popen(["ffmpeg", "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "240x160", "-r", "15", "-i", "-", video], stdin=subprocess.PIPE)
    with process, process.stdin as pictures:
        yield pictures


if __name__ == "__main__":
    main()
