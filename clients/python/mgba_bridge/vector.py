"""Several games as one environment for reinforcement learning: a step of all is one request."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np

from ._connection import Connection, HolderStream
from ._faults import ENDED, Faults
from ._http import Address
from ._message import OK, Message
from ._scenario import ScenarioFiles
from ._start import OwnGateway
from ._steps import GatewaySteps, LocalSteps
from .emulator import ALL_OF_A_STATE, LEASE_MS, RENEW_AFTER, TYPES, Emulator, item_of, keep_leases
from .env import KEYS, RENDER_FPS, RENDER_MODES, Form, Values, options_of
from .errors import MgbaError, Problem

try:
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    from ._spaces import AutoresetMode, VectorEnv, batch_space

GBA_PICTURE = (160, 240, 3)
LOOPBACK = ("localhost", "127.0.0.1", "::1")
DISABLED = "Disabled"  # AutoresetMode has it from Gymnasium 1.1 on
CLOCK = "emulated:2000-01-01T00:00"  # so that an episode does not depend on the time of day
SESSIONS_WITHIN = 300.0  # seconds until sessions of a fleet must run: its engine may have to start a host first


class MgbaVectorEnv(VectorEnv):
    """Games as a gymnasium.vector.VectorEnv, or as a class of the same form where Gymnasium is not installed.

    The gateway steps the emulators side by side, and all begin their episodes in the same state. The same state, seed and actions give the same
    observations, byte for byte. An environment whose emulator fails, or is not done in time, is truncated with the reason in `info["failure"]`, and
    starts again like one whose episode is over.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        url: str | None = None,
        num_envs: int | None = None,
        *,
        rom: str | os.PathLike[str] | None = None,
        emulators: Sequence[str] | None = None,
        fleet: str | None = None,
        scenario: str | os.PathLike[str] | None = None,
        observation: Literal["screen", "values", "both"] = "screen",
        values: Sequence[str] = (),
        actions: Sequence[str] | Literal["multi_binary"] | None = None,
        frame_skip: int = 4,
        max_steps: int | None = None,
        max_episode_steps: int | None = None,
        reward: Callable[[Values, Values], Any] | None = None,
        terminated: Callable[[Values], Any] | None = None,
        noop_max: int = 0,
        state: bytes | str | None = None,
        autoreset_mode: Any = AutoresetMode.NEXT_STEP,
        deadline: float | None = None,
        local: bool | None = None,
        render_mode: str | None = None,
        grey: bool = False,
        size: tuple[int, int] | None = None,
        token: str | None = None,
        timeout: float = 30.0,
        program: str | None = None,
        options: Sequence[str] = (),
        sensors: Sequence[str] = (),
    ) -> None:
        """url: the URL of a gateway whose emulators are used: those in `emulators`, by id; else the first `num_envs`, or all.
        rom: a file to play in `num_envs` emulators (default 1) of a gateway of its own, as fast as possible; `options` are further ones of `mgba-bridge run`.
        fleet: a ROM as the hosts of the gateway's fleet name it, or ":test:": `num_envs` new sessions (default 1) play it as fast as possible, which `close` deletes.
        scenario: as of MgbaEnv.
        values: locations with a type such as `"u32 0x02000094"`, or names of numbers in the property map.
        reward, terminated: as of MgbaEnv, but each value is an array with a number for each environment.
        state: the save state that episodes start in, or the name of one beside the scenario or of one that the gateway keeps; default that of the scenario's
          metadata.json, or of the first emulator at the first reset.
        max_episode_steps: max_steps, as gymnasium.make_vec names it.
        autoreset_mode: NEXT_STEP, SAME_STEP or DISABLED, with which `reset` starts those episodes that `options["reset_mask"]` marks.
        deadline: seconds after which an emulator is not waited for (0.01 to 600), also one that is started again; default 5, and 0.1 for each frame.
        local: whether steps go to the emulators by local sockets, without the gateway, which is several times faster: True, False, or None to do so where
          it is possible, which is with mgba-headless on this machine, and without a scenario or with one of up to 64 plain numbers, which is then judged
          here. `is_local` says it after the first reset.
        sensors: as of MgbaEnv. They are set through the gateway before each step of an environment in which they change.
        The others are those of MgbaEnv and Emulator.
        """
        if max_steps is not None and max_episode_steps is not None:
            raise ValueError("max_steps and max_episode_steps are the same: give one of them.")
        max_steps = max_steps if max_episode_steps is None else max_episode_steps
        self._form = form = Form(observation, values, actions, frame_skip, max_steps, noop_max, render_mode, grey, size, scenario is not None, sensors)
        self._mode = mode = getattr(autoreset_mode, "value", autoreset_mode)
        modes = [one.value for one in AutoresetMode]
        if mode not in modes:
            raise ValueError(f"autoreset_mode must be one of {', '.join(map(repr, modes))}, not {autoreset_mode!r}.")
        if url is not None and rom is not None:
            raise ValueError("Give a url or a rom, not both.")
        if fleet is not None and (rom is not None or emulators is not None):
            raise ValueError("Give a fleet, or a rom, or emulators, not several of them.")
        if num_envs is not None and num_envs < 1:
            raise ValueError(f"num_envs must be 1 or more, not {num_envs}.")
        if deadline is not None and not 0.01 <= deadline <= 600:
            raise ValueError(f"deadline must be 0.01 to 600 s, not {deadline}.")
        if local and fleet is not None:
            raise ValueError("local steps need emulators of this machine: leave out local or fleet.")
        if local and not LocalSteps.is_possible():
            raise ValueError("This system has no local sockets with messages (SOCK_SEQPACKET): leave out local.")
        self.metadata = {**self.metadata, "render_fps": form.render_fps, "autoreset_mode": AutoresetMode(mode)}
        self.render_mode = render_mode
        self._max_steps, self._noop_max, self._reward, self._terminated, self._timeout = max_steps, noop_max, reward, terminated, timeout
        files = ScenarioFiles(scenario, rom) if scenario is not None else None
        if files and not isinstance(state, bytes):
            state = files.state(state) or state
        self._state: bytes | str | None = state
        self._kept: str | None = state if isinstance(state, str) else None
        self._own_kept: str | None = None
        self._wanted: dict[int, Any] = {}  # what the sensors of an environment shall show, and what they show; None where nothing is set
        self._shown: dict[int, Any] = {}
        self._closed = threading.Event()
        self._is_leased, self._became_other = False, True
        self._used_at = 0.0
        self._under_way: dict[int, int | None] = {}  # by `send`: the frames that its episode begins with, or None
        self._step_rows: Any = None
        self._emulators: list[Emulator] = []
        self._gateway: Emulator | None = None
        self._sessions: list[str] = []
        self._keeper: threading.Thread | None = None
        self._end_sessions: Any = None
        self._away: list[int] = []
        self._own = OwnGateway([rom] * (num_envs or 1), program, 0, ["--paused", "--no-saves", "--no-auto", *([] if "--clock" in options else ["--clock", CLOCK]), *options]) if rom is not None else None
        self._is_paused = self._own is not None
        try:
            self._holder = holder = f"python-{os.urandom(6).hex()}"
            self._gateway = first = Emulator(self._own.url if self._own else url, token=token, holder=holder, timeout=timeout)
            address = Address(first.url, None, token or os.environ.get("MGBA_BRIDGE_TOKEN"), holder)
            self._connection, self._stream = Connection(address), HolderStream(address)
            if fleet is not None:
                self._stream.open()
                self._keeper = keep_leases(self, self._closed)
                emulators = self._sessions = first.fleet_sessions_create(fleet, count=num_envs or 1, fps=0, temporary=True)["ids"]
                self._end_sessions = weakref.finalize(self, end_sessions, first, self._sessions)
                self._await_sessions()
            ids = list(emulators) if emulators is not None else [one["id"] for one in first.emulators_list()][:num_envs]
            if not ids or (num_envs is not None and len(ids) != num_envs):
                raise ValueError(f"{num_envs or 'Some'} environments are wanted, and the gateway has {len(ids)} emulators; start more with emulators_start() or `mgba-bridge run GAME GAME`.")
            if len(set(ids)) < len(ids):
                raise ValueError(f"emulators must be different ids, not {ids}.")
            self.url, self._ids = first.url, ids
            self._emulators = [Emulator(self.url, emulator=one, token=token, holder=holder, timeout=timeout) for one in ids]
            if self._sessions:
                self._reach(range(len(ids)))
            reads = [item_of(place)["read"] for place in self._located(first)]
            loaded = first._exchange([files.call(ids[0])])[0] if files else None
            if loaded:
                form.adopt(loaded)
                if local and not form.judge:
                    raise ValueError("local steps need a scenario whose variables, with the values, are up to 64 numbers of 1, 2 or 4 bytes, little-endian, without a mask: leave out local.")
            picture = self._emulators[0].screen(grey=grey, size=size) if form.has_screen else None
        except BaseException:
            self.close()
            raise
        self.num_envs = count = len(ids)
        self._shape = picture.shape if picture is not None else ()
        self.single_observation_space, self.single_action_space = form.spaces(None if picture is None else form.cropped(picture))
        self.observation_space, self.action_space = batch_space(self.single_observation_space, count), batch_space(self.single_action_space, count)
        pixels = {"grey": grey, **({"height": size[0], "width": size[1]} if size else {})} if form.has_screen else None
        asked = {"frames": frame_skip, "reads": reads, "pixels": pixels, "scenario": loaded["name"] if loaded else None, "deadlineMs": None if deadline is None else round(deadline * 1000)}
        self._use(GatewaySteps(self._connection, self.url, ids, {name: value for name, value in asked.items() if value is not None}, timeout + (deadline or 0)))
        may_be_local = local is not False and LocalSteps.is_possible() and (loaded is None or form.judge is not None) and fleet is None and Address(self.url, None, None, None).host in LOOPBACK
        self._must_be_local = bool(local)
        self._make_local = (lambda: LocalSteps(dict(zip(ids, self._emulators)), frame_skip, reads + [item_of(place)["read"] for place in form.judged], pixels, self._shape, deadline, max(frame_skip, form.first_frames + noop_max))) if may_be_local or local else None
        self.is_local = False
        self._all = np.ones(count, bool)
        self._random = [np.random.default_rng() for _ in ids]
        self._is_over, self._is_ready = self._all.copy(), False
        self._steps, self._first, self._frames = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._before: Any = np.zeros((count, len(form.places)), np.int64)
        self._last: list[Any] = []  # the row of each in its last step
        self._faults = Faults()
        self._kept_in = 0  # which stream the state of episodes ends with

    @property
    def emulators(self) -> list[Emulator]:
        """The emulators, by number. With `rom` they are paused, as after power-on, until the first use of this property, or the first reset."""
        self._resume_games()
        return self._emulators

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode in each. A single seed gives each its own: seed, seed + 1, and so on. `options={"state": ...}` starts all in another state from now on.

        `options={"reset_mask": mask}`, an array of bool, starts an episode only where it is True: the others stay as they are.
        """
        self._check_open()
        self._check_none_under_way()
        seeds = [None] * self.num_envs if seed is None else [seed + number for number in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"There are {self.num_envs} environments, and {len(seeds)} seeds.")
        options = options_of(options, "state", "reset_mask")
        mask = self._mask_of(options.get("reset_mask"))
        self._is_ready = not mask.all()
        for emulator in self._emulators:
            emulator._had_lease = True  # from the first request of a reset on, also of one that fails: `close` gives it back
        for number, one in enumerate(seeds):
            if one is not None and mask[number]:
                self._random[number] = np.random.default_rng(one)
        if options.get("state") is not None:
            self._state, self._kept = options["state"], options["state"] if isinstance(options["state"], str) else None
            self._became_other = True
        self._stream.open()
        if self._kept is None or (self._kept == self._own_kept and self._kept_in != self._stream.opened):
            self._keep()
        self._connect()
        self._note_faults()
        self._reach(self._away)
        for emulator in self._emulators if self._is_paused else []:
            emulator.lease_take(limit_ms=LEASE_MS)  # so that no frame runs before the episode
        self._resume_games()
        everyone = range(self.num_envs)
        frames = {number: self._first_frames(number) for number in everyone if mask[number]}
        self._wanted |= dict.fromkeys(frames)
        self._last = [self._step_rows.reset_row(number, frames[number]) if number in frames else self._step_rows.still_row(self._last[number]) for number in everyone]
        message = self._send(self._last, everyone)
        for failure in message.failures:
            if mask[failure["row"]]:
                raise MgbaError(f"vector.step: {failure['detail']}")
        self._begin(message, everyone, frames)
        self._is_over[mask] = False
        self._before[mask] = message.values[mask]
        self._is_ready = True
        return self._observed(message), self._info(message, every=mask)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Run the frames of an action in each. `info` has `frame`, counted from the state, the `epoch`, the `values` by place, and where one failed, `failure`."""
        keys = self._checked(actions, range(self.num_envs))
        self._check_ready()
        self._check_none_under_way()
        everyone = range(self.num_envs)
        self._check_begun(everyone)
        self._is_ready = False
        rows, frames = self._rows_of(keys, everyone)
        message = self._send(rows, everyone)
        self._away = [failure["row"] for failure in message.failures] if self._sessions else []
        observation, rewards, terminated, truncated, info = self._result(message, everyone, frames)
        if self._mode == AutoresetMode.SAME_STEP.value and self._is_over.any():
            observation, info = self._restarted(message, observation, info)
        self._is_ready = True
        return observation, rewards, terminated, truncated, info

    def send(self, actions: Any, env_ids: Any) -> None:
        """Begin the frames of an action in each of these environments, by number, for `recv`. Needs local steps, and episodes that start in the next step."""
        numbers = [int(number) for number in env_ids]
        self._check_ready()
        if not isinstance(self._step_rows, LocalSteps):
            raise MgbaError("send() and recv() need local steps: emulators of this machine that mgba-headless runs, and no scenario that the gateway judges.")
        if self._mode == AutoresetMode.SAME_STEP.value:
            raise MgbaError("send() and recv() start episodes in the next step; leave out autoreset_mode.")
        wrong = [number for number in numbers if not 0 <= number < self.num_envs or number in self._under_way]
        if wrong or len(set(numbers)) != len(numbers):
            raise ValueError(f"env_ids must be different numbers from 0 to {self.num_envs - 1} of environments that are not under way, not {numbers}.")
        self._check_begun(numbers)
        rows, frames = self._rows_of(self._checked(actions, numbers), numbers)
        self._sense(numbers)
        self._step_rows.begin(rows, numbers)
        self._under_way |= {number: frames.get(number) for number in numbers}
        self._mark_leased()

    def recv(self, count: int = 1) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """What `step` returns, for the first `count` environments under way that are done. `info["env_id"]` has their numbers."""
        if not 1 <= count <= len(self._under_way):
            raise ValueError(f"count must be 1 to {len(self._under_way)}, as many as are under way, not {count}; begin steps with send().")
        try:
            numbers, message = self._step_rows.finish(count)
        except BaseException:
            self._is_ready, self._under_way = False, {}
            raise
        self._explain(message, numbers)
        begun = {number: self._under_way.pop(number) for number in numbers}
        result = self._result(message, numbers, {number: frames for number, frames in begun.items() if frames is not None})
        result[4].update(env_id=np.array(numbers), _env_id=np.ones(count, bool))
        return result

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def render(self) -> Any:
        """The pictures of the games in colour, as `screen` of Emulator; black where an emulator does not answer."""
        if self.render_mode is None:
            return None
        pictures = []
        for emulator in self._emulators:
            try:
                pictures.append(emulator.screen())
            except MgbaError:
                pictures.append(None)
        black = np.zeros(next((picture.shape for picture in pictures if picture is not None), GBA_PICTURE), np.uint8)
        return tuple(black.copy() if picture is None else picture for picture in pictures)

    def close(self, **_: Any) -> None:
        """Gives the leases back, and ends a gateway of its own."""
        self._closed.set()
        self._is_paused = False
        if self._own_kept is not None:
            with contextlib.suppress(MgbaError):
                self._emulators[0].states_delete(self._own_kept)
            self._own_kept = None
        for emulator in self._emulators:
            emulator.close()
        if self._step_rows is not None:
            self._step_rows.close()
        if self._gateway is not None:
            self._connection.close()
            self._stream.close()
        if self._end_sessions is not None:
            self._end_sessions()
        if self._gateway is not None:
            self._gateway.close()
        if self._own is not None:
            self._own.end()
            self._own = None

    def _await_sessions(self) -> None:
        """Waits until the sessions run."""
        assert self._gateway is not None
        end = time.monotonic() + SESSIONS_WITHIN
        for session in self._sessions:
            while (found := self._gateway.fleet_sessions_get(session))["state"] != "running":
                if time.monotonic() > end:
                    raise MgbaError(f"The session {session} does not run after {SESSIONS_WITHIN:.0f} s: {found['detail'] or 'no host has room'}")
                time.sleep(0.1)

    def _reach(self, numbers: Sequence[int] | range) -> None:
        """A session is an emulator of the gateway from its first request on, and again after it has moved to another host."""
        for number in numbers:
            with contextlib.suppress(MgbaError):  # the next step says why
                self._emulators[number].status_get()

    def _located(self, gateway: Emulator) -> list[str]:
        """The locations with a type of the values, whose names the property map resolves."""
        if len(self._form.located) == len(self._form.reads):
            return list(self._form.reads)
        known = {one["name"]: one for one in gateway.properties_list()["properties"]}
        found = []
        for place in self._form.reads:
            one = known.get(place)
            if place in self._form.located:
                found.append(place)
            elif one is None or one.get("chain") or one["type"] not in TYPES:
                raise ValueError(f"{place!r} is no number with a fixed place in the property map; use a location with a type such as 'u16 0x02000000'.")
            else:
                found.append(f"{one['type']} {one['at']}")
        return found

    def _keep(self) -> None:
        """Has the gateway keep the state in which episodes start."""
        first = self._emulators[0]
        if isinstance(self._state, bytes):
            with contextlib.suppress(MgbaError):
                first.lease_take(limit_ms=LEASE_MS)  # so that no frame runs between the two
            first.state_load(body=self._state, flags=ALL_OF_A_STATE)
        self._own_kept = self._own_kept or f"vector-{os.urandom(6).hex()}"
        first.states_save(self._own_kept, replace=True, temporary=True)
        self._kept, self._kept_in, self._became_other = self._own_kept, self._stream.opened, True
        if self._state is None:
            self._state = first.states_get(self._own_kept)  # for a gateway that starts again, which has it no more

    def _resume_games(self) -> None:
        """Resumes games that are paused: those of a gateway of its own, because they would take the processors from those that start."""
        if self._is_paused:
            assert self._gateway is not None
            for name in self._ids:
                self._gateway.emulators_run(name, paused=False)
            self._is_paused = False

    def _check_open(self) -> None:
        if self._closed.is_set():
            raise MgbaError("The environments are closed: make new ones.")

    def _check_ready(self) -> None:
        self._check_open()
        if not self._is_ready:
            raise MgbaError("The episodes have not begun: call reset() before step(), also after a step that failed.")

    def _check_begun(self, numbers: Sequence[int] | range) -> None:
        over = [number for number in numbers if self._is_over[number]] if self._mode == DISABLED else []
        if over:
            raise MgbaError(f"The episodes of the environments {over} are over: start them with reset(options={{'reset_mask': mask}}).")

    def _mask_of(self, given: Any) -> Any:
        """Which environments a reset is about."""
        if given is None:
            return self._all
        mask = np.asarray(given)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(f"reset_mask must be an array of {self.num_envs} bool, of which one is True, not {given!r}.")
        if not self._is_ready:
            raise MgbaError("The first reset, and one after a step that failed, is of all environments: leave out reset_mask.")
        return mask

    def _check_none_under_way(self) -> None:
        if self._under_way:
            raise MgbaError(f"{len(self._under_way)} steps are under way; call recv() for them first.")

    def _rows_of(self, keys: list[Any], numbers: Sequence[int] | range) -> tuple[list[Any], dict[int, int]]:
        """The rows of a step, and the frames that episodes begin with in environments whose last one is over."""
        frames: dict[int, int] = {}
        if self._is_over.any():
            self._reach(self._away)
            frames = {number: self._first_frames(number) for number in numbers if self._is_over[number]}
            self._wanted |= dict.fromkeys(frames)
            keys = [self._step_rows.reset_row(number, frames[number]) if number in frames else row for number, row in zip(numbers, keys)]
        for number, row in zip(numbers, keys):
            self._last[number] = row
        return keys, frames

    def _result(self, message: Message, numbers: Sequence[int] | range, frames: Mapping[int, int]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """What a step of these environments returns, of which some have begun an episode with so many frames."""
        who = slice(None) if isinstance(numbers, range) else np.array(numbers)  # all of them, without copies
        self._steps[who] += 1
        self._begin(message, numbers, frames)
        before = self._before[who].copy()
        self._before[who] = message.values
        plays = np.array([number not in frames for number in numbers])
        rewards, terminated, truncated = self._judged(message, before, plays, self._steps[who])
        self._is_over[who] = terminated | truncated
        return self._observed(message), rewards, terminated, truncated, self._info(message, who)

    def _checked(self, actions: Any, numbers: Sequence[int] | range) -> list[Any]:
        if self._form.sensors:
            given = actions
            actions, sensed = self._form.parts_of(given, len(numbers))
            space = self.single_action_space.spaces["sensors"] if self._form.has_keys else self.single_action_space
            if len(sensed) != len(numbers) or not all(space.contains(one) for one in sensed):
                raise ValueError(f"{given!r} are no actions of {len(numbers)} environments; the action space of one is {self.single_action_space}.")
            self._wanted |= {number: self._form.sensed(one) for number, one in zip(numbers, sensed)}
        if len(actions) != len(numbers):
            raise ValueError(f"There are {len(numbers)} environments, and {len(actions)} actions.")
        if self._form.keys is None:
            for action in actions:
                if not self.single_action_space.contains(action):
                    raise ValueError(f"{action!r} is not an action; the action space is {self.single_action_space}.")
            return [self._row(number, [key for key, is_down in zip(KEYS, action) if is_down]) for number, action in zip(numbers, actions)]
        array = np.asarray(actions)
        if array.shape != (len(numbers),) or array.dtype.kind not in "iu" or not ((array >= 0) & (array < len(self._form.keys))).all():
            wrong = next((action for action in actions if not self.single_action_space.contains(action)), actions)
            raise ValueError(f"{wrong!r} is not an action; the action space is {self.single_action_space}.")
        return [self._rows[number][action] for number, action in zip(numbers, array.tolist())]

    def _first_frames(self, number: int) -> int:
        return self._form.first_frames + (int(self._random[number].integers(self._noop_max, endpoint=True)) if self._noop_max else 0)

    def _resetting(self, numbers: Sequence[int] | range) -> tuple[Message, dict[int, int]]:
        self._reach(self._away)
        frames = {number: self._first_frames(number) for number in numbers}
        self._wanted |= dict.fromkeys(frames)
        return self._send([self._step_rows.reset_row(number, frames[number]) for number in numbers], numbers), frames

    def _note_faults(self) -> None:
        """Notes what the gateway knows of faults, so that later ones are found to be new."""
        assert self._gateway is not None
        for one in self._gateway.emulators_list():
            self._faults.note(one)

    def _explain(self, message: Message, numbers: Sequence[int] | range) -> None:
        """Says why emulators ended, in place of that they do not answer."""
        for failure in message.failures:
            number = numbers[failure["row"]]
            self._shown[number] = {}  # unknown
            if message.statuses[failure["row"]] in ENDED and (reason := self._faults.explain(self._ids[number], self._emulators[number])):
                failure["detail"] = reason

    def _use(self, steps: GatewaySteps | LocalSteps) -> None:
        self._step_rows = steps
        self._rows = [[self._row(number, keys) for keys in self._form.keys or ()] for number in range(len(self._emulators))]

    def _row(self, number: int, keys: Sequence[str]) -> Any:
        """The step of an environment with these keys, as far as a scenario that is judged here allows them."""
        return self._step_rows.row(number, self._form.judge.allowed(keys) if self._form.judge else keys)

    def _connect(self) -> None:
        """Chooses how the emulators step, and in which state episodes begin."""
        if self._make_local and self._became_other:
            try:
                steps = self._make_local()
                steps.start(self._kept)
            except (Problem, OSError):  # such as a folder for temporary files with a path that is too long for a socket
                if self._must_be_local or self.is_local:
                    raise
                self._make_local = None
            else:
                self._step_rows.close()
                self._use(steps)
                self.is_local = True
        self._became_other = False
        self._step_rows.state = self._kept

    def _sense(self, numbers: Sequence[int] | range) -> None:
        """Has the sensors of these environments show what they shall."""
        for number in numbers if self._form.sensors else ():
            wanted = self._wanted.get(number)
            if wanted == self._shown.get(number):
                continue
            with contextlib.suppress(MgbaError):  # the step says why
                if wanted is None:
                    self._emulators[number].sensors_release()
                else:
                    self._emulators[number].sensors_set(**wanted)
                self._emulators[number]._holds_sensors = wanted is not None
                self._shown[number] = wanted

    def _send(self, rows: Sequence[Any], numbers: Sequence[int] | range) -> Message:
        self._sense(numbers)
        message = self._step_rows.exchange(rows, numbers)
        self._explain(message, numbers)
        self._mark_leased()
        return message

    def _mark_leased(self) -> None:
        self._used_at = time.monotonic()
        if not self._is_leased:
            self._is_leased = True
            for emulator in self._emulators:
                emulator._is_leased = True
            self._keeper = self._keeper or keep_leases(self, self._closed)

    def _renew_leases(self) -> None:
        with contextlib.suppress(MgbaError):  # the gateway may start again
            self._stream.open()
        if self._is_leased and time.monotonic() - self._used_at >= RENEW_AFTER:
            renewal = GatewaySteps(self._connection, self.url, self._ids, {"frames": 0}, self._timeout)
            with contextlib.suppress(MgbaError):  # the next step says why
                renewal.exchange([renewal.row(number, ()) for number in range(self.num_envs)], ())

    def _begin(self, message: Message, numbers: Sequence[int] | range, frames: Mapping[int, int]) -> None:
        """Notes which frames were reached, and which environments have begun an episode, with so many frames; the message has the rows of `numbers`."""
        who = np.array(numbers)
        if message.failures:
            failed = message.statuses != OK
            message.frames[failed] = self._frames[who[failed]]  # where they were before
        self._frames[who] = message.frames
        for row, number in enumerate(numbers) if frames else ():
            if number in frames and message.statuses[row] == OK:
                self._steps[number], self._first[number] = 0, message.frames[row] - frames[number]

    def _columns(self, values: Any) -> Values:
        return {place: values[:, number] for number, place in enumerate(self._form.places)}

    def _judged(self, message: Message, before: Any, plays: Any, steps: Any) -> tuple[Any, Any, Any]:
        count = len(plays)
        if message.failures:
            plays &= message.statuses == OK
        after = self._columns(message.values)
        rewards, terminated = np.zeros(count, np.float64), np.zeros(count, bool)
        judge = self._form.judge if message.rewards is None else None
        if judge:
            first = len(self._form.reads)
            judgements = [judge.of(*row) for row in zip(before[:, first:].tolist(), message.values[:, first:].tolist())]
        if self._reward:
            np.copyto(rewards, self._reward(self._columns(before), after), where=plays)
        elif message.rewards is not None:
            np.copyto(rewards, message.rewards, where=plays)
        elif judge:
            np.copyto(rewards, [reward for reward, _ in judgements], where=plays)
        if self._terminated:
            np.copyto(terminated, self._terminated(after), where=plays, casting="unsafe")
        elif message.ends is not None:
            np.copyto(terminated, message.ends != 0, where=plays)
        elif judge:
            np.copyto(terminated, [is_over for _, is_over in judgements], where=plays)
        truncated = steps == self._max_steps if self._max_steps is not None else np.zeros(count, bool)
        return rewards, terminated, truncated | (message.statuses != OK) if message.failures else truncated

    def _observed(self, message: Message) -> Any:
        if not self._form.has_screen:
            return message.values
        pixels = message.pixels
        if pixels.shape[1:] != self._shape:  # no row has a picture
            pixels = np.zeros((len(pixels), *self._shape), np.uint8)
        pixels = self._form.cropped(pixels, 1)
        return {"screen": pixels, "values": message.values} if self._form.has_values else pixels

    def _info(self, message: Message, who: Any = slice(None), every: Any = None) -> dict[str, Any]:
        every = self._all[who] if every is None else every
        info = {"frame": message.frames - self._first[who], "_frame": every, "epoch": message.epochs, "_epoch": every}
        if self._form.places:
            info |= {"values": self._columns(message.values), "_values": every}
        if message.failures:
            reasons = np.full(len(message.frames), None, object)
            for failure in message.failures:
                reasons[failure["row"]] = failure["detail"]
            info |= {"failure": reasons, "_failure": message.statuses != OK}
        return info

    def _restarted(self, message: Message, observation: Any, info: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Starts episodes in the step in which the former ones end."""
        over = np.flatnonzero(self._is_over)
        finals = np.full(self.num_envs, None, object)
        for number in over:
            finals[number] = {name: array[number].copy() for name, array in observation.items()} if isinstance(observation, dict) else observation[number].copy()
        final_info = {name: value.copy() if isinstance(value, np.ndarray) else {place: column.copy() for place, column in value.items()} for name, value in info.items()}
        numbers = [int(number) for number in over]
        started, frames = self._resetting(numbers)
        self._begin(started, numbers, frames)
        pixels = (observation["screen"] if self._form.has_values else observation) if self._form.has_screen else None
        for row, number in enumerate(numbers):
            if started.statuses[row] != OK:
                continue  # it starts with the next step
            self._is_over[number] = False
            message.frames[number], message.epochs[number] = started.frames[row], started.epochs[row]
            message.values[number] = self._before[number] = started.values[row]
            if pixels is not None:
                pixels[number] = self._form.cropped(started.pixels[row])
        info |= {"frame": message.frames - self._first}
        return observation, info | {"final_obs": finals, "_final_obs": np.isin(np.arange(self.num_envs), over), "final_info": final_info, "_final_info": np.isin(np.arange(self.num_envs), over)}


def end_sessions(gateway: Emulator, sessions: Sequence[str]) -> None:
    """Deletes sessions of a fleet: by `close`, when nothing refers to the environments any more, or when Python ends."""
    for session in sessions:
        with contextlib.suppress(MgbaError):
            gateway.fleet_sessions_delete(session)
