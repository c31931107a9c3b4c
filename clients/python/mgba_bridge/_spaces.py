"""What MgbaEnv uses of Gymnasium, where Gymnasium is not installed: the same names, arguments and random numbers that depend on the seed alone."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


class Space:
    """Possible values."""

    def __init__(self, shape: tuple[int, ...] | None = None, dtype: Any = None) -> None:
        self.shape, self.dtype = shape, None if dtype is None else np.dtype(dtype)
        self.np_random = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        self.np_random = np.random.default_rng(seed)

    def sample(self) -> Any:
        raise NotImplementedError

    def contains(self, x: Any) -> bool:
        raise NotImplementedError

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)


class Discrete(Space):
    """0 to n - 1."""

    def __init__(self, n: int) -> None:
        super().__init__((), np.int64)
        self.n = n

    def sample(self) -> Any:
        return self.np_random.integers(self.n)

    def contains(self, x: Any) -> bool:
        return isinstance(x, (int, np.integer)) and not isinstance(x, bool) and 0 <= x < self.n

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class Box(Space):
    """Numbers within bounds."""

    def __init__(self, low: Any, high: Any, shape: tuple[int, ...], dtype: Any) -> None:
        super().__init__(shape, dtype)
        self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)

    def sample(self) -> Any:
        if self.dtype.kind == "f":  # type: ignore[union-attr]
            return self.np_random.uniform(self.low, self.high, self.shape).astype(self.dtype)
        return self.np_random.integers(self.low, self.high, self.shape, self.dtype, endpoint=True)

    def contains(self, x: Any) -> bool:
        return isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype) and bool(((x >= self.low) & (x <= self.high)).all())

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


class MultiBinary(Box):
    """n times 0 or 1."""

    def __init__(self, n: int) -> None:
        super().__init__(0, 1, (n,), np.int8)

    def contains(self, x: Any) -> bool:
        values = np.asarray(x)
        return values.shape == self.shape and bool(((values == 0) | (values == 1)).all())

    def __repr__(self) -> str:
        assert self.shape is not None
        return f"MultiBinary({self.shape[0]})"


class MultiDiscrete(Space):
    """A Discrete for each entry."""

    def __init__(self, nvec: Sequence[int]) -> None:
        self.nvec = np.array(nvec)
        super().__init__(self.nvec.shape, np.int64)

    def sample(self) -> Any:
        return self.np_random.integers(self.nvec)

    def contains(self, x: Any) -> bool:
        values = np.asarray(x)
        return values.shape == self.shape and values.dtype.kind in "iu" and bool(((values >= 0) & (values < self.nvec)).all())


class Dict(Space):
    """A value for each name."""

    def __init__(self, spaces: Mapping[str, Space]) -> None:
        super().__init__()
        self.spaces = dict(spaces)

    def seed(self, seed: int | None = None) -> None:
        for number, space in enumerate(self.spaces.values()):
            space.seed(None if seed is None else seed + number)

    def sample(self) -> Any:
        return {name: space.sample() for name, space in self.spaces.items()}

    def contains(self, x: Any) -> bool:
        return isinstance(x, Mapping) and x.keys() == self.spaces.keys() and all(space.contains(x[name]) for name, space in self.spaces.items())


class AutoresetMode(enum.Enum):
    """When an environment that has ended starts again."""

    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class Env:
    """The part of gymnasium.Env that does not depend on the game."""

    np_random: np.random.Generator = np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Any:
        if seed is not None:
            self.np_random = np.random.default_rng(seed)

    @property
    def unwrapped(self) -> Any:
        return self


class VectorEnv(Env):
    """The part of gymnasium.vector.VectorEnv that does not depend on the game."""

    num_envs: int


def batch_space(space: Space, n: int) -> Space:
    """The space of n values of a space."""
    if isinstance(space, Dict):
        return Dict({name: batch_space(one, n) for name, one in space.spaces.items()})
    if isinstance(space, Discrete):
        return MultiDiscrete([space.n] * n)
    assert isinstance(space, Box) and space.shape is not None
    return Box(space.low, space.high, (n, *space.shape), space.dtype)
