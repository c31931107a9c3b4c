"""Games as environments for reinforcement learning."""

from __future__ import annotations

import contextlib
import os
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ._faults import ENDED, Faults
from ._http import Call
from ._message import Message
from ._scenario import KEYS, Judge, ScenarioFiles, actions_of
from .emulator import SCREEN, Emulator, Program, Step, is_location, item_of, keys_of, picture_of, pixels_call, step_call, step_of
from .errors import MgbaError, Problem

try:
    from gymnasium import Env, spaces
except ModuleNotFoundError:
    from . import _spaces as spaces
    from ._spaces import Env

RENDER_MODES = ["rgb_array"]
FRAMES_A_SECOND = 16777216 / 280896  # of the GBA and the Game Boy: cycles a second, and of a frame
FRAME_SKIP = 4
MOST_READS = 64  # of a step
LATE = 504
RENDER_FPS = FRAMES_A_SECOND / FRAME_SKIP
SENSORS = {"light": (0.0, 1.0, 1), "tilt": (-90.0, 90.0, 2), "gyro": (-1000.0, 1000.0, 1)}  # the least and the greatest value, and how many
ACTIONS = ("", "A", "B", "Start", "Right", "Left", "Up", "Down")
Values = dict[str, Any]


def options_of(options: Mapping[str, Any] | None, *known: str) -> Mapping[str, Any]:
    """The options of a reset, which has these."""
    options = options or {}
    for name in options:
        if name not in known:
            raise ValueError(f"reset has no option {name!r}; its options are {', '.join(known)}.")
    return options


class Form:
    """What an environment observes, and which actions it has."""

    def __init__(
        self,
        observation: str,
        values: Sequence[str],
        actions: Sequence[str] | str | None,
        frame_skip: int,
        max_steps: int | None,
        noop_max: int,
        render_mode: str | None,
        grey: bool,
        size: tuple[int, int] | None,
        has_scenario: bool,
        sensors: Sequence[str] = (),
    ) -> None:
        if observation not in ("screen", "values", "both"):
            raise ValueError(f"observation must be screen, values or both, not {observation!r}.")
        if observation != "screen" and not values and not has_scenario:
            raise ValueError(f"observation {observation!r} needs values, such as values=['u32 0x02000094'].")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be rgb_array or None, not {render_mode!r}.")
        if not (isinstance(frame_skip, int) and 1 <= frame_skip <= 36000):
            raise ValueError(f"frame_skip must be an integer from 1 to 36000, not {frame_skip!r}.")
        if not (max_steps is None or (isinstance(max_steps, int) and max_steps > 0)):
            raise ValueError(f"max_steps must be an integer of at least 1, or None for no end, not {max_steps!r}.")
        if not (isinstance(noop_max, int) and 0 <= noop_max <= 36000):
            raise ValueError(f"noop_max must be an integer from 0 to 36000, not {noop_max!r}.")
        if isinstance(values, str):
            raise ValueError(f"values must be a list, such as [{values!r}].")
        if isinstance(actions, str) and actions != "multi_binary":
            raise ValueError(f"actions must be a list of keys or multi_binary, not {actions!r}.")
        if isinstance(sensors, str) or (unknown := [one for one in sensors if one not in SENSORS]):
            raise ValueError(f"sensors must be a list of {', '.join(SENSORS)}, not {sensors if isinstance(sensors, str) else unknown[0]!r}.")
        self.sensors = tuple(dict.fromkeys(sensors))
        self._has_default_actions, self.has_keys = actions is None, not self.sensors or actions is not None
        self._act(("",) if not self.has_keys else ACTIONS if actions is None else actions)
        self.places = self.reads = tuple(values)  # the variables of a scenario are places, too
        self._crop: tuple[slice, slice] | None = None
        self.judge: Judge | None = None  # of a scenario whose variables are plain numbers, which are read here
        self.judged: list[str] = []
        self.has_scenario = has_scenario
        self.located = [place for place in values if " " in place or is_location(place)]
        self.has_screen, self.has_values = observation != "values", observation != "screen"
        self.frame_skip, self.grey, self.size = frame_skip, grey, size
        self.render_fps = FRAMES_A_SECOND / frame_skip  # so that a video with a picture of each step plays as the console does
        self.first_frames = 1 if self.has_screen else 0  # after a state is loaded, the picture is drawn in the next frame
        self.screen = pixels_call(grey, size) if grey or size is not None else SCREEN

    def _act(self, actions: Sequence[str] | str) -> None:
        self.keys = None if actions == "multi_binary" else [keys_of(action) for action in actions]
        for key in {key for keys in self.keys or () for key in keys} - set(KEYS):
            raise ValueError(f"There is no key {key!r}; the keys are {', '.join(KEYS)}.")

    def adopt(self, scenario: Mapping[str, Any]) -> None:
        """Takes the variables, actions and crop of a scenario as the gateway has read it."""
        self.variables = tuple(one["name"] for one in scenario["variables"])
        self.places = self.reads + self.variables
        variables = Judge.reads_of(scenario)
        if variables is not None and len(variables) + len(self.reads) <= MOST_READS:
            self.judge, self.judged = Judge(scenario), variables
        if self._has_default_actions and scenario["actions"]:
            self._act(actions_of(scenario))
            self.has_keys = True
        crop = scenario.get("crop")
        if crop and any(crop.values()):
            self._crop = tuple(slice(first, first + length if length else None) for first, length in ((crop["y"], crop["height"]), (crop["x"], crop["width"])))

    def cropped(self, picture: Any, axis: int = 0) -> Any:
        """The part of a picture that matters in the scenario, whose rows are this axis."""
        if self._crop is None or self.size:
            return picture
        rows, columns = self._crop
        height, width = picture.shape[axis : axis + 2]
        if rows.start >= height or columns.start >= width:
            raise ValueError(f"The scenario's crop begins outside of the picture, which has {width} x {height} pixels.")
        return np.ascontiguousarray(picture[(slice(None),) * axis + self._crop])

    def spaces(self, picture: Any) -> tuple[Any, Any]:
        """The spaces of observations, whose picture is like this one, and of actions."""
        of_screen = spaces.Box(0, 255, picture.shape, np.uint8) if picture is not None else None
        low, high = (-(2**63), 2**63 - 1) if self.has_scenario else (-(2**31), 2**32 - 1)
        of_values = spaces.Box(low, high, (len(self.places),), np.int64)
        observations = spaces.Dict({"screen": of_screen, "values": of_values}) if self.has_screen and self.has_values else of_screen or of_values
        of_keys = spaces.MultiBinary(len(KEYS)) if self.keys is None else spaces.Discrete(len(self.keys))
        if not self.sensors:
            return observations, of_keys
        low, high = (np.array([value for one in self.sensors for value in [SENSORS[one][end]] * SENSORS[one][2]], np.float32) for end in (0, 1))
        of_sensors = spaces.Box(low, high, low.shape, np.float32)
        return observations, spaces.Dict({"keys": of_keys, "sensors": of_sensors}) if self.has_keys else of_sensors

    def parts_of(self, action: Any, count: int | None = None) -> tuple[Any, Any]:
        """What an action is for the keys and for the sensors; that of a batch of so many environments."""
        if not self.sensors:
            return action, None
        if self.has_keys and isinstance(action, Mapping):
            return action["keys"], action["sensors"]
        if self.has_keys:  # a list of the actions of environments
            return [one["keys"] for one in action], [one["sensors"] for one in action]
        return 0 if count is None else np.zeros(count, np.int64), action

    def sensed(self, values: Any) -> dict[str, Any]:
        """The arguments that set the sensors to these values."""
        numbers, arguments = [round(float(value), 3) for value in values], dict[str, Any]()
        for one in self.sensors:
            count = SENSORS[one][2]
            arguments[one] = numbers[0] if count == 1 else numbers[:count]
            numbers = numbers[count:]
        return arguments


PLAYED: weakref.WeakSet[MgbaEnv] = weakref.WeakSet()  # environments of this process that chose their emulators


class MgbaEnv(Env):
    """A game as a gymnasium.Env, or as a class of the same form where Gymnasium is not installed.

    Each step runs exactly `frame_skip` frames with the keys of the action; the game is stopped in between. The same state, seed and actions give the
    same observations, byte for byte. When the emulator fails, or does not answer, the episode is truncated with the reason in `info["failure"]`, and
    `reset` waits until the gateway has started it again.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}

    def __init__(
        self,
        url: str | Emulator | None = None,
        *,
        scenario: str | os.PathLike[str] | None = None,
        observation: Literal["screen", "values", "both"] = "screen",
        values: Sequence[str] = (),
        actions: Sequence[str] | Literal["multi_binary"] | None = None,
        frame_skip: int = FRAME_SKIP,
        max_steps: int | None = None,
        reward: Callable[[Values, Values], float] | None = None,
        terminated: Callable[[Values], bool] | None = None,
        noop_max: int = 0,
        state: bytes | str | None = None,
        render_mode: str | None = None,
        grey: bool = False,
        size: tuple[int, int] | None = None,
        sensors: Sequence[str] = (),
        **options: Any,
    ) -> None:
        """url: the URL of a gateway, or an Emulator; options are those of Emulator, such as `rom`, which plays as fast as possible unless `fps` is given.
          Without `emulator`, it plays the first emulator of the gateway that nobody else plays.
        scenario: a YAML file, a folder of stable-retro with data.json and scenario.json, or the file of another scenario in it: it gives reward and end, its
          variables are further values, and its actions the default of `actions`: one combination of each group, in the order of stable-retro's
          Actions.DISCRETE. A crop applies without `size`. With `rom`, the folder's rom.sha has to name it.
        observation: `screen`, uint8 of shape (height, width, 3), or (height, width) in grey; `values`, int64 of shape (len(values),); `both`, a dict of the two.
        values: what is read in each step: locations with a type such as `"u32 0x02000094"`, or names such as `"player.hp"` (one more request a step).
        actions: the keys of each action, such as `"A+Right"`; or `multi_binary`, an array of ten times 0 or 1 for KEYS.
        sensors: of the cartridge, which an action sets: `light` (0 to 1), `tilt` (two numbers, degrees) and `gyro` (degrees a second). The action is then a Box
          with a number for each, or with `actions` a dict of `keys` and `sensors`. An episode begins without light, tilt and turning.
        frame_skip: frames of a step (1 to 36000).
        max_steps: after so many steps an episode is truncated; default never.
        reward: makes the reward of a step from the values before and after it; default that of the scenario, or 0.
        terminated: says from the values whether the episode is over; default as the scenario says, or never.
        noop_max: an episode starts after a random number of frames from 0 to this, besides the one that draws the picture where that is observed.
        grey, size: of the picture: brightness instead of colours, and a smaller height and width such as (84, 84), as in `screen` of Emulator.
        state: the save state that episodes start in, or the name of one beside the scenario; default that of its metadata.json, or of the first reset.
        """
        self._form = form = Form(observation, values, actions, frame_skip, max_steps, noop_max, render_mode, grey, size, scenario is not None, sensors)
        self._named = [place for place in values if place not in form.located]
        self._items = [item_of(place) for place in form.located]
        self._max_steps, self._noop_max = max_steps, noop_max
        self._reward, self._terminated = reward, terminated
        self._state, self._before, self._steps, self._first, self._is_ready = state, {}, 0, 0, False
        self._faults, self._name, self._info = Faults(), "", dict[str, Any]()
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": form.render_fps}
        self._is_own = not isinstance(url, Emulator)
        if options and not self._is_own:
            raise TypeError(f"There is no argument {', '.join(options)}; those of Emulator are for an emulator that the environment opens.")
        if "rom" in options:
            options.setdefault("fps", 0)
        files = ScenarioFiles(scenario, options.get("rom")) if scenario is not None else None
        if not isinstance(state, bytes):
            self._state = files.state(state) if files else None
            if isinstance(state, str) and self._state is None:
                raise ValueError(f"There is no state {state!r}: a name is that of a file NAME.state beside the scenario.")
        self.emulator = url if isinstance(url, Emulator) else Emulator(url, **options)
        self._options, self._may_move, self._tried = options, self._is_own and not options.keys() & {"emulator", "rom"}, set[str]()
        self._scenario: str | None = None  # where the gateway judges
        self._judged_before: list[int] = []  # the values of the variables in the last step
        try:
            if self._may_move:
                self._move()
                PLAYED.add(self)
            if files:
                self._first_id = self.emulator._id or self.emulator.emulators_list()[0]["id"]
                loaded = self.emulator._exchange([files.call(self._first_id)])[0]
                form.adopt(loaded)
                self._items += [item_of(place) for place in form.judged]
                self._scenario = None if form.judge else loaded["name"]
            picture = form.cropped(self.emulator.screen(grey=grey, size=size)) if form.has_screen else None
        except BaseException:
            self.close()
            raise
        self.observation_space, self.action_space = form.spaces(picture)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode. `options={"state": bytes}` starts it in another save state.

        An emulator that its gateway starts again is waited for, as long as a response (`timeout` of Emulator, 30 s unless given).
        """
        end = time.monotonic() + self.emulator.timeout
        while True:
            try:
                return self.emulator._run(self._resetting(seed, options))
            except Problem as error:
                if error.name == "leased" and self._may_move and self._move():
                    continue
                ended = error.status in ENDED or error.code == "no-lease"
                if not ended or time.monotonic() > end or not self._starts_again():
                    raise
            time.sleep(0.02)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Run the frames of an action. The last of the five, `info`, has `frame`, counted from the state, the `epoch` of the game, the `values` by place, and
        where the emulator failed `failure`."""
        try:
            return self.emulator._run(self._stepping(action))
        except Problem as error:
            reason = self._faults.explain(self._name, self.emulator)
            if reason is None and error.status not in (*ENDED, LATE):
                raise
            self.emulator._is_leased = False
            return self._nothing(), 0.0, False, True, {**self._info, "failure": reason or error.detail}

    def render(self) -> Any:
        """The picture of the game in colour, as `screen` of Emulator."""
        return None if self.render_mode is None else self.emulator.screen()

    def close(self) -> None:
        """Closes the emulator if the environment has opened it."""
        PLAYED.discard(self)
        if self._is_own:
            self.emulator.close()

    def _nothing(self) -> Any:
        """What is observed of an emulator that failed."""
        space = self.observation_space
        parts = getattr(space, "spaces", None)
        return np.zeros(space.shape, space.dtype) if parts is None else {name: np.zeros(part.shape, part.dtype) for name, part in parts.items()}

    def _starts_again(self) -> bool:
        """Whether the emulator is one that the gateway starts again, and is not stopped by somebody."""
        status = self.emulator.status_get()
        self._name = status["id"]
        return bool(status.get("process")) and status["state"] not in ("paused", "halted", "crashed", "stopped")

    def _move(self) -> bool:
        """Chooses the next emulator that nobody else plays; returns whether there is one."""
        every = self.emulator.emulators_list()
        now = next((one for one in every if one["id"] == self.emulator._id), every[0] if every else {})
        taken = {env.emulator._id for env in PLAYED if env is not self and env.emulator.url == self.emulator.url} | self._tried
        for one in every:
            if one["id"] not in taken and "leaseHolder" not in one and all(one.get(name) == now.get(name) for name in ("code", "title", "platform")):
                self._tried.add(one["id"])
                self.emulator.close()
                self.emulator = Emulator(self.emulator.url, emulator=one["id"], **self._options)
                return True
        return False

    def _resetting(self, seed: int | None, options: Mapping[str, Any] | None) -> Program[tuple[Any, dict[str, Any]]]:
        super().reset(seed=seed)
        state = options_of(options, "state").get("state", self._state)
        self._is_ready = False
        (status,) = yield [Call("status.get", {})]
        self._name = status["id"]
        self._faults.note(status)
        if self.emulator._is_leased:
            with contextlib.suppress(MgbaError):  # the lease may have ended; then it is taken again
                yield from self.emulator._stepped([step_call(0, (), [])])
        yield from self.emulator._take()
        if self._form.sensors:
            yield [Call("sensors.release", {})]
            self.emulator._holds_sensors = True  # `close` releases what steps set
        if state is None:
            (state,) = yield [Call("state.get", {})]
            self._state = state
        (loaded,) = yield self.emulator._loading(state)
        self._first = loaded["frame"]
        frames = self._form.first_frames + (int(self.np_random.integers(self._noop_max, endpoint=True)) if self._noop_max else 0)
        observation, self._before, _, info = yield from self._observing(frames, ())
        self._steps, self._is_ready, self._info = 0, True, info
        return observation, info

    def _stepping(self, action: Any) -> Program[tuple[Any, float, bool, bool, dict[str, Any]]]:
        if not self.action_space.contains(action):
            raise ValueError(f"{action!r} is not an action; the action space is {self.action_space}.")
        if not self._is_ready:
            raise MgbaError("The episode has not begun: call reset() before step(), also after a step that failed.")
        self._is_ready = False
        action, sensed = self._form.parts_of(action)
        if sensed is not None:
            yield [Call("sensors.set", self._form.sensed(sensed))]
        keys = [key for key, is_down in zip(KEYS, action) if is_down] if self._form.keys is None else self._form.keys[action]
        observation, values, (reward, is_over), info = yield from self._observing(self._form.frame_skip, keys)
        if self._reward:
            reward = float(self._reward(self._before, values))
        if self._terminated:
            is_over = bool(self._terminated(values))
        self._before = values
        self._steps += 1
        self._is_ready, self._info = True, info
        return observation, reward, is_over, self._steps == self._max_steps, info

    def _observing(self, frames: int, keys: Sequence[str]) -> Program[tuple[Any, Values, tuple[float, bool], dict[str, Any]]]:
        if self._form.judge:
            keys = self._form.judge.allowed(keys)
        calls = [step_call(frames, keys, self._items) if self._scenario is None else self._judged_call(frames, keys)]
        if self._named:
            calls.append(Call("values.readMany", {"names": self._named}))
        if self._form.has_screen:
            calls.append(self._form.screen)
        results = yield from self.emulator._stepped(calls)
        if self._scenario is None:
            step, judged = step_of(results[0]), (0.0, False)
            read = dict(zip([*self._form.located, *(self._form.variables if self._form.judge else ())], step.values))
            if self._form.judge:
                after = step.values[len(self._form.located) :]
                judged = self._form.judge.of(self._judged_before or after, after)
                self._judged_before = after
        else:
            step, judged = self._judged(Message.of(results[0]))
            read = dict(zip([*self._form.located, *self._form.variables], step.values))
        if self._named:
            read |= {one["name"]: one["value"] for one in results[1]["values"]}
        values = {place: read[place] for place in self._form.places}
        info = {"frame": step.frame - self._first, "epoch": step.epoch, "values": values}
        if self._form.has_screen:
            picture = self._form.cropped(picture_of(results[-1]))
            if not self._form.has_values:
                return picture, values, judged, info
        numbers = np.array(list(values.values()), np.int64)
        return ({"screen": picture, "values": numbers} if self._form.has_screen else numbers), values, judged, info

    def _judged_call(self, frames: int, keys: Sequence[str]) -> Call:
        reads = [item["read"] for item in self._items]
        return Call("vector.step", {"rows": [{"emulator": self.emulator._id or self._first_id, "keys": keys}], "frames": frames, "reads": reads, "scenario": self._scenario}, frames=frames)

    def _judged(self, message: Message) -> tuple[Step, tuple[float, bool]]:
        if message.failures:
            self.emulator._is_leased = False  # it may have ended
            failure = message.failures[0]
            raise Problem({"type": f":{failure['problem']}", "status": int(message.statuses[0]), **failure})
        step = Step(int(message.frames[0]), f"{message.epochs[0]:08x}", message.values[0].tolist())
        return step, (float(message.rewards[0]), bool(message.ends[0]))
