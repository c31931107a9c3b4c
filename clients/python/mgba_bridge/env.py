"""Games as environments for reinforcement learning."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ._http import Call
from .emulator import SCREEN, Emulator, Program, is_location, item_of, keys_of, picture_of, pixels_call, step_call, step_of
from .errors import MgbaError

try:
    from gymnasium import Env, spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    from . import _spaces as spaces
    from ._spaces import AutoresetMode, Env, VectorEnv, batch_space

KEYS = ("A", "B", "Select", "Start", "Right", "Left", "Up", "Down", "R", "L")
ACTIONS = ("", "A", "B", "Start", "Right", "Left", "Up", "Down")
Values = dict[str, Any]


class MgbaEnv(Env):
    """A game as a gymnasium.Env, or as a class of the same form where Gymnasium is not installed.

    Each step runs exactly `frame_skip` frames with the keys of the action; the game is stopped in between. The same state, seed and actions give the
    same observations, byte for byte.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 60}

    def __init__(
        self,
        url: str | Emulator | None = None,
        *,
        observation: Literal["screen", "values", "both"] = "screen",
        values: Sequence[str] = (),
        actions: Sequence[str] | Literal["multi_binary"] = ACTIONS,
        frame_skip: int = 4,
        max_steps: int | None = None,
        reward: Callable[[Values, Values], float] | None = None,
        terminated: Callable[[Values], bool] | None = None,
        noop_max: int = 0,
        state: bytes | None = None,
        render_mode: str | None = None,
        grey: bool = False,
        size: tuple[int, int] | None = None,
        **options: Any,
    ) -> None:
        """url: the URL of a gateway, or an Emulator; options are those of Emulator, such as `rom`, which plays as fast as possible unless `fps` is given.
        observation: `screen`, uint8 of shape (height, width, 3), or (height, width) in grey; `values`, int64 of shape (len(values),); `both`, a dict of the two.
        values: what is read in each step: locations with a type such as `"u32 0x02000094"`, or names such as `"player.hp"` (one more request a step).
        actions: the keys of each action, such as `"A+Right"`; or `multi_binary`, an array of ten times 0 or 1 for KEYS.
        frame_skip: frames of a step (1 to 36000).
        max_steps: after so many steps an episode is truncated; default never.
        reward: makes the reward of a step from the values before and after it; default 0.
        terminated: says from the values whether the episode is over; default never.
        noop_max: an episode starts after a random number of frames from 0 to this.
        grey, size: of the picture: brightness instead of colours, and a smaller height and width such as (84, 84), as in `screen` of Emulator.
        state: the save state that episodes start in; default that of the first reset.
        """
        if observation not in ("screen", "values", "both"):
            raise ValueError(f"observation must be screen, values or both, not {observation!r}.")
        if observation != "screen" and not values:
            raise ValueError(f"observation {observation!r} needs values, such as values=['u32 0x02000094'].")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode must be rgb_array or None, not {render_mode!r}.")
        if not 1 <= frame_skip <= 36000:
            raise ValueError(f"frame_skip must be 1 to 36000, not {frame_skip}.")
        if isinstance(actions, str) and actions != "multi_binary":
            raise ValueError(f"actions must be a list of keys or multi_binary, not {actions!r}.")
        self._keys = None if actions == "multi_binary" else [keys_of(action) for action in actions]
        for key in {key for keys in self._keys or () for key in keys} - set(KEYS):
            raise ValueError(f"There is no key {key!r}; the keys are {', '.join(KEYS)}.")
        self._places = tuple(values)
        self._located = [place for place in values if " " in place or is_location(place)]
        self._named = [place for place in values if place not in self._located]
        self._items = [item_of(place) for place in self._located]
        self._has_screen, self._has_values = observation != "values", observation != "screen"
        self._frame_skip, self._max_steps, self._noop_max = frame_skip, max_steps, noop_max
        self._reward, self._terminated = reward, terminated
        self._state, self._before, self._steps, self._first, self._is_ready = state, {}, 0, 0, False
        self.render_mode = render_mode
        self._screen = pixels_call(grey, size) if grey or size else SCREEN
        self._is_own = not isinstance(url, Emulator)
        if "rom" in options:
            options.setdefault("fps", 0)
        self.emulator = url if isinstance(url, Emulator) else Emulator(url, **options)
        try:
            self._picture = self.emulator.screen(grey=grey, size=size) if self._has_screen else None
        except BaseException:
            self.close()
            raise
        of_screen = spaces.Box(0, 255, self._picture.shape, np.uint8) if self._picture is not None else None
        of_values = spaces.Box(-(2**31), 2**32 - 1, (len(values),), np.int64)
        self.observation_space = spaces.Dict({"screen": of_screen, "values": of_values}) if observation == "both" else of_screen or of_values
        self.action_space = spaces.MultiBinary(len(KEYS)) if self._keys is None else spaces.Discrete(len(self._keys))

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode. `options={"state": bytes}` starts it in another save state."""
        return self.emulator._run(self._resetting(seed, options))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Run the frames of an action. The last of the five, `info`, has `frame`, counted from the state, the `epoch` of the game, and the `values` by place."""
        return self.emulator._run(self._stepping(action))

    def render(self) -> Any:
        """The picture, as `screen` of Emulator."""
        if self.render_mode is None:
            return None
        return self.emulator.screen() if self._picture is None else self._picture.copy()

    def close(self) -> None:
        """Closes the emulator if the environment has opened it."""
        if self._is_own:
            self.emulator.close()

    def _resetting(self, seed: int | None, options: Mapping[str, Any] | None) -> Program[tuple[Any, dict[str, Any]]]:
        super().reset(seed=seed)
        state = (options or {}).get("state", self._state)
        self._is_ready = False
        if self.emulator._is_leased:
            with contextlib.suppress(MgbaError):  # the lease may have ended; then it is taken again
                yield from self.emulator._stepped([step_call(0, (), [])])
        yield from self.emulator._take()
        if state is None:
            (state,) = yield [Call("state.get", {})]
            self._state = state
        (loaded,) = yield self.emulator._loading(state)
        self._first = loaded["frame"]
        frames = int(self.np_random.integers(self._noop_max, endpoint=True)) if self._noop_max else 0
        observation, self._before, info = yield from self._observing(frames, ())
        self._steps, self._is_ready = 0, True
        return observation, info

    def _stepping(self, action: Any) -> Program[tuple[Any, float, bool, bool, dict[str, Any]]]:
        if not self.action_space.contains(action):
            raise ValueError(f"{action!r} is not an action; the action space is {self.action_space}.")
        if not self._is_ready:
            raise MgbaError("The episode has not begun: call reset() before step(), also after a step that failed.")
        self._is_ready = False
        keys = [key for key, is_down in zip(KEYS, action) if is_down] if self._keys is None else self._keys[action]
        observation, values, info = yield from self._observing(self._frame_skip, keys)
        reward = float(self._reward(self._before, values)) if self._reward else 0.0
        self._before = values
        self._steps += 1
        self._is_ready = True
        return observation, reward, bool(self._terminated and self._terminated(values)), self._steps == self._max_steps, info

    def _observing(self, frames: int, keys: Sequence[str]) -> Program[tuple[Any, Values, dict[str, Any]]]:
        calls = [step_call(frames, keys, self._items)]
        if self._named:
            calls.append(Call("values.readMany", {"names": self._named}))
        if self._has_screen:
            calls.append(self._screen)
        results = yield from self.emulator._stepped(calls)
        step = step_of(results[0])
        read = dict(zip(self._located, step.values))
        if self._named:
            read |= {one["name"]: one["value"] for one in results[1]["values"]}
        values = {place: read[place] for place in self._places}
        info = {"frame": step.frame - self._first, "epoch": step.epoch, "values": values}
        if self._has_screen:
            self._picture = picture_of(results[-1])
            if not self._has_values:
                return self._picture, values, info
        numbers = np.array(list(values.values()), np.int64)
        return ({"screen": self._picture, "values": numbers} if self._has_screen else numbers), values, info


class MgbaVectorEnv(VectorEnv):
    """Several environments of the same form, as a gymnasium.vector.VectorEnv. Their steps run at the same time, without threads.

    An environment whose episode is over starts again in the step after (`NEXT_STEP`).
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 60, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, envs: Sequence[Callable[[], MgbaEnv]]) -> None:
        """envs: functions that make the environments, such as `lambda: MgbaEnv(url, emulator="2")` is for each."""
        self.envs: list[MgbaEnv] = []
        try:
            for make in envs:
                self.envs.append(make())
        except BaseException:
            self.close()
            raise
        if not self.envs:
            raise ValueError("There must be one environment at least.")
        first = self.envs[0]
        self.num_envs = len(self.envs)
        self.render_mode = first.render_mode
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        self.observation_space = batch_space(first.observation_space, self.num_envs)
        self.action_space = batch_space(first.action_space, self.num_envs)
        self._is_over = np.zeros(self.num_envs, bool)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode in each. A single seed gives each its own: seed, seed + 1, and so on."""
        seeds = [None] * self.num_envs if seed is None else [seed + number for number in range(self.num_envs)] if isinstance(seed, int) else list(seed)
        results = self._run([env._resetting(one, options) for env, one in zip(self.envs, seeds, strict=True)])
        self._is_over[:] = False
        return self._stacked([result[0] for result in results]), self._infos([result[1] for result in results])

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Run the frames of an action in each."""
        if len(actions) != self.num_envs:
            raise ValueError(f"There are {self.num_envs} environments, and {len(actions)} actions.")
        programs = [self._restarting(env) if over else env._stepping(action) for env, action, over in zip(self.envs, actions, self._is_over)]
        results = self._run(programs)
        terminated, truncated = np.array([result[2] for result in results]), np.array([result[3] for result in results])
        self._is_over = terminated | truncated
        rewards = np.array([result[1] for result in results], np.float64)
        return self._stacked([result[0] for result in results]), rewards, terminated, truncated, self._infos([result[4] for result in results])

    def render(self) -> Any:
        """The pictures."""
        return None if self.render_mode is None else tuple(env.render() for env in self.envs)

    def close(self, **_: Any) -> None:
        """Closes all."""
        for env in self.envs:
            env.close()

    @staticmethod
    def _restarting(env: MgbaEnv) -> Program[tuple[Any, float, bool, bool, dict[str, Any]]]:
        observation, info = yield from env._resetting(None, None)
        return observation, 0.0, False, False, info

    def _run(self, programs: Sequence[Program[Any]]) -> list[Any]:
        """The results of programs, whose requests are under way at the same time."""
        results: list[Any] = [None] * len(programs)
        failure: BaseException | None = None

        def advance(number: int, advancing: Callable[[], list[Call]]) -> None:
            nonlocal failure
            try:
                waiting[number] = advancing()
            except StopIteration as end:
                results[number] = end.value
            except Exception as error:
                failure = failure or error

        waiting: dict[int, list[Call]] = {}
        for number, program in enumerate(programs):
            advance(number, program.__next__)
        while waiting:
            asked, waiting = waiting, {}
            begun: dict[int, MgbaError | None] = {}
            for number, calls in asked.items():
                emulator = self.envs[number].emulator
                try:
                    emulator._connection.begin(calls, emulator.timeout)
                    begun[number] = None
                except MgbaError as error:
                    begun[number] = error
            for number, calls in asked.items():
                emulator, program, error = self.envs[number].emulator, programs[number], begun[number]
                try:
                    if error is not None:
                        raise error
                    answers = emulator._results(calls, emulator._connection.end())
                except MgbaError as found:
                    advance(number, lambda program=program, found=found: program.throw(found))
                else:
                    advance(number, lambda program=program, answers=answers: program.send(answers))
        if failure is not None:
            raise failure
        return results

    @staticmethod
    def _stacked(observations: list[Any]) -> Any:
        if isinstance(observations[0], dict):
            return {name: np.stack([one[name] for one in observations]) for name in observations[0]}
        return np.stack(observations)

    @staticmethod
    def _infos(infos: list[dict[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name in infos[0]:
            column = np.array([info[name] for info in infos], np.int64 if name == "frame" else object)
            found |= {name: column, f"_{name}": np.ones(len(infos), bool)}
        return found
