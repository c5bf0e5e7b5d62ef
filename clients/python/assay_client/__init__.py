"""The API of an Assay server: see the README for what it does for you."""

from .client import Assay
from .errors import (
    AssayError,
    AuthenticationError,
    ConflictError,
    NoAnswerError,
    NotFoundError,
    QuotaExceededError,
    RateLimitError,
    ScopeError,
    ServerError,
    ValidationError,
)

__all__ = [
    "Assay",
    "AssayError",
    "AuthenticationError",
    "ConflictError",
    "NoAnswerError",
    "NotFoundError",
    "QuotaExceededError",
    "RateLimitError",
    "ScopeError",
    "ServerError",
    "ValidationError",
]
