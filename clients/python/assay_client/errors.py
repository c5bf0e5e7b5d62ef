"""What the server refuses, by kind."""

from __future__ import annotations

import json
from email.message import Message
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .types import FailureDetail


class AssayError(Exception):
    """The server refused a request. The subclasses say in which way; `code` says exactly why."""

    def __init__(self, status: int, failure: dict[str, Any], headers: Message) -> None:
        self.status = status
        #: Branch on this, never on the message.
        self.code: str = failure["code"]
        #: Where an input is wrong, or what a credential lacks.
        self.details: list[FailureDetail] = failure.get("details", [])
        #: Quote it to the operator: it is in the server's log.
        self.request_id: str | None = headers.get("x-request-id")
        seconds = headers.get("retry-after", "")
        #: Seconds to wait before the next attempt; None where the answer says nothing of one.
        self.retry_after: int | None = int(seconds) if seconds.isdigit() else None
        super().__init__(f"{failure['message']} ({self.code})")


class AuthenticationError(AssayError):
    """401: the credential is missing, malformed, expired or revoked."""


class QuotaExceededError(AssayError):
    """402: a quota is used up. Stop, and ask the account's owner."""


class ScopeError(AssayError):
    """403: the credential lacks a scope, or its firm an entitlement; `details` name them."""


class NotFoundError(AssayError):
    """404: there is no such thing, or it is another tenant's."""


class ConflictError(AssayError):
    """409: the state forbids it, or the idempotency key was used for another input."""


class ValidationError(AssayError):
    """422: the request is invalid; `details` point at the places."""


class RateLimitError(AssayError):
    """429: too many attempts. Wait as long as `retry_after` says."""


class ServerError(AssayError):
    """5xx: the server could not do it."""


class NoAnswerError(Exception):
    """There was no answer: the server can't be reached, or the connection broke."""


_BY_STATUS: dict[int, type[AssayError]] = {
    401: AuthenticationError,
    402: QuotaExceededError,
    403: ScopeError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: RateLimitError,
}


def error_of(status: int, body: bytes, headers: Message) -> AssayError:
    """A refusal as an error of its class."""
    try:
        failure = json.loads(body)["error"]
        failure["code"], failure["message"]
    except (ValueError, KeyError, TypeError):
        failure = {"code": "unexpected_answer", "message": f"The answer was {status}."}
    usual = ServerError if status >= 500 else AssayError
    return _BY_STATUS.get(status, usual)(status, failure, headers)
