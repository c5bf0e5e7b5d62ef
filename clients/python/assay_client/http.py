"""Requests to one server with one credential, by the standard library alone."""

from __future__ import annotations

import json
import time
from http.client import HTTPException
from typing import Any, Mapping
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import NoAnswerError, error_of

#: What may succeed when it is tried again: a server that is too busy, is starting or has its database locked.
_PASSING = {429, 502, 503, 504}
#: Nobody wants a program that sleeps a minute before it says that it can't go on.
_LONGEST_PAUSE = 10


class _NoRedirects(HTTPRedirectHandler):
    """The API redirects nobody; a credential that followed one could end up anywhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    def __init__(self, base_url: str, key: str | None, retries: int, timeout: float) -> None:
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._retries = retries
        self._timeout = timeout
        self._opener = build_opener(_NoRedirects)

    def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        wait: float = 0,
    ) -> bytes:
        """The answer's body, if it is no refusal.

        What changes something is tried again only under an idempotency key, which makes sure that it happens once.
        `wait` seconds are what the server itself may take longer.
        """
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + (f"?{urlencode(given)}" if given else "")
        request = Request(url, method=method, headers=self._headers(body, headers))
        request.data = None if body is None else json.dumps(body).encode()
        is_safe = method == "GET" or "idempotency-key" in (headers or {})
        attempt = 0
        while True:
            is_last = not is_safe or attempt >= self._retries
            pause = 2**attempt / 4
            try:
                with self._opener.open(request, timeout=self._timeout + wait) as answer:
                    return answer.read()
            except HTTPError as refused:
                error = error_of(refused.code, refused.read(), refused.headers)
                pause = pause if error.retry_after is None else error.retry_after
                if is_last or refused.code not in _PASSING or pause > _LONGEST_PAUSE:
                    raise error from None
            except (URLError, HTTPException, OSError) as cause:
                if is_last:
                    raise NoAnswerError(f"{self._base_url} does not answer.") from cause
            time.sleep(pause)
            attempt += 1

    def _headers(self, body: Any, more: Mapping[str, str] | None) -> dict[str, str]:
        return {
            "accept": "application/json, application/jose",
            **({} if self._key is None else {"authorization": f"Bearer {self._key}"}),
            **({} if body is None else {"content-type": "application/json"}),
            **(more or {}),
        }
