"""What a call raises. The text of each is one sentence that says what is wrong and what to change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class MgbaError(Exception):
    """The base of all errors of this package."""


class StartFailed(MgbaError):
    """`mgba-bridge run` is missing or did not start."""


class Unreachable(MgbaError):
    """No gateway answers at the URL, or the connection to it ended."""


class ResponseTimeout(MgbaError):
    """The response did not arrive within `timeout`. The request may have run."""


class Problem(MgbaError):
    """The gateway answered with a problem (RFC 9457): docs/operating.md, section Failures, lists them.

    name: which kind, such as `leased`; programs decide by this and by `code`.
    status: the HTTP status.
    detail: what is wrong and what to change.
    code: the script's own code when it refused, such as `bad-address`, or None.
    may_have_run: whether the request may have had its effect.
    next: the operation that helps, or None.
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        super().__init__(fields["detail"])
        self.name: str = fields["type"].rpartition(":")[2]
        self.status: int = fields["status"]
        self.detail: str = fields["detail"]
        self.code: str | None = fields.get("code")
        self.may_have_run: bool = fields.get("mayHaveRun", False)
        self.next: str | None = fields.get("next")
