"""mGBA-bridge's test game as an environment with the interface of Gymnasium, in the Python standard library only.

    env = MgbaEnv("http://127.0.0.1:5000")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    env.close()

`reset`, `step`, `close`, `action_space` and `observation_space` are those of `gymnasium.Env`; to use it with Gymnasium itself, inherit from that class and
use its spaces instead of the two small ones here. Each step is one HTTP request on a connection that stays open: the lockstep lease runs exactly
`frame_skip` frames with the action's keys and answers with the memory that the observation is made from. For another game change KEYS, READS and `_look`.

Run by itself it plays at random and counts steps: python3 gym_env.py [BASE_URL] [SECONDS]
"""

import http.client
import json
import random
import sys
import time
import urllib.parse

# the keys of each action
KEYS = ([], ["A"], ["B"], ["Right"], ["Left"], ["Up"], ["Down"], ["A", "Right"])

# the values of an observation (lua/headless/rom/README.md describes them)
READS = (("0x02000008", "u32"), ("0x0200000C", "u32"), ("0x02000094", "u32"), ("0x02000020", "u32"))
FRAME, KEYS_DOWN, SCORE, PRESSES_OF_A = range(len(READS))


class Discrete:
    """One of n actions."""

    def __init__(self, n):
        self.n, self._random = n, random.Random()

    def seed(self, seed):
        self._random.seed(seed)

    def sample(self):
        return self._random.randrange(self.n)

    def contains(self, action):
        return isinstance(action, int) and 0 <= action < self.n


class Box:
    """Integers within bounds."""

    def __init__(self, low, high, length):
        self.low, self.high, self.shape = low, high, (length,)

    def contains(self, values):
        return len(values) == self.shape[0] and all(self.low <= value <= self.high for value in values)


class MgbaEnv:
    """The score is what the game adds for each press of A; an episode is `limit` steps."""

    metadata = {"render_modes": ["png"]}

    def __init__(self, base_url="http://127.0.0.1:5000", frame_skip=1, limit=1000):
        address = urllib.parse.urlsplit(base_url)
        self._http = http.client.HTTPConnection(address.hostname, address.port or 80, timeout=60)
        self._frame_skip, self._limit = frame_skip, limit
        self._items = [{"read": {"location": location, "type": kind}} for location, kind in READS]
        self._headers = {"Content-Type": "application/json"}
        self._steps, self._before = 0, None
        self.action_space = Discrete(len(KEYS))
        self.observation_space = Box(0, 2**32 - 1, len(READS))
        self._headers["Mgba-Holder"] = self._ask("POST", "/v2/lease", {"limitMs": 10000})["holder"]
        self._start = self._ask("GET", "/v2/state")

    def reset(self, *, seed=None, options=None):
        """Back to the state that the environment was made in. `options={"state": bytes}` starts from another one."""
        if seed is not None:
            self.action_space.seed(seed)
        self._ask("PUT", "/v2/state", (options or {}).get("state", self._start))
        self._steps = 0
        self._before, info = self._look([], 0)
        return self._before, info

    def step(self, action):
        """Holds the action's keys for `frame_skip` frames."""
        if not self.action_space.contains(action):
            raise ValueError(f"{action!r} is not an action; there are {self.action_space.n}")
        observation, info = self._look(KEYS[action], self._frame_skip)
        reward = float(observation[SCORE] - self._before[SCORE])
        self._before = observation
        self._steps += 1
        return observation, reward, False, self._steps >= self._limit, info

    def render(self):
        """The picture as a PNG."""
        return self._ask("GET", "/v2/screen")

    def close(self):
        """Gives the lease back: the game runs on."""
        self._ask("DELETE", "/v2/lease")
        self._http.close()

    def _look(self, keys, frames):
        answer = self._ask("POST", "/v2/lease/step", {"frames": frames, "keys": keys, "items": self._items})
        return [result["value"] for result in answer["results"]], {"frame": answer["frame"], "epoch": answer["epoch"]}

    def _ask(self, method, path, body=None):
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        self._http.request(method, path, data, self._headers)
        response = self._http.getresponse()
        answer = response.read()
        if "json" in (response.getheader("Content-Type") or ""):
            answer = json.loads(answer)
        if response.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.get('detail', answer) if isinstance(answer, dict) else answer}")
        return answer


def main(base_url="http://127.0.0.1:5000", seconds="3"):
    env = MgbaEnv(base_url)
    _, info = env.reset(seed=1)
    count, score, first, began = 0, 0.0, info["frame"], time.perf_counter()
    while time.perf_counter() - began < float(seconds):
        _, reward, _, truncated, info = env.step(env.action_space.sample())
        count, score = count + 1, score + reward
        if info["frame"] - first != count:
            raise RuntimeError(f"{count} steps, and {info['frame'] - first} frames ran")
        if truncated:
            first = env.reset()[1]["frame"] - count
    env.close()
    print(f"{count / (time.perf_counter() - began):.0f} steps a second, score {score:.0f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
