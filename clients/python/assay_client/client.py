"""The API of one server."""

from __future__ import annotations

import json
import math
import time
import uuid
from typing import TYPE_CHECKING, Any, Callable, Iterator, Literal, Mapping
from urllib.parse import quote as escaped

from .http import Transport

if TYPE_CHECKING:
    from .types import (
        Capability,
        CapabilityDetail,
        CompanyAnalysisSubmission,
        CreditBalance,
        CreditEntry,
        Job,
        Quote,
        Run,
        UseCaseSummary,
    )

#: Seconds that the server is asked to wait at a time: the longest that it takes.
_LONGEST_WAIT = 60


class Assay:
    """Methods raise `AssayError` for what the server refuses, and `NoAnswerError` where none answers."""

    def __init__(self, base_url: str, key: str | None = None, *, retries: int = 2, timeout: float = 60) -> None:
        """`key` is an API key or an access token; without one only what is public can be read.

        `retries` says how often an attempt is repeated that was not answered, or that the server was too busy for;
        `timeout` how many seconds an answer may take.
        """
        self._transport = Transport(base_url, key, retries, timeout)

    def _json(self, method: str, path: str, **given: Any) -> Any:
        return json.loads(self._transport.ask(method, path, **given))

    def _items(
        self, path: str, query: Mapping[str, Any], page_in: Callable[[Any], Any] = lambda body: body
    ) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            page = page_in(self._json("GET", path, query={**query, "cursor": cursor}))
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _started(self, path: str, body: Mapping[str, Any], idempotency_key: str | None) -> Any:
        given = {name: value for name, value in body.items() if value is not None}
        return self._json("POST", path, body=given, headers={"idempotency-key": idempotency_key or str(uuid.uuid4())})

    def capabilities(self, **filters: str) -> list[Capability]:
        """What can be run, filtered as by `GET /v1/capabilities`."""
        return self._json("GET", "/v1/capabilities", query=filters)["items"]

    def capability(self, slug: str) -> CapabilityDetail:
        """The contract to consult before a run."""
        return self._json("GET", f"/v1/capabilities/{escaped(slug, safe='')}")

    def use_cases(self, **filters: str | int) -> list[UseCaseSummary]:
        """Outcomes that are made of capabilities, filtered as by `GET /v1/use-cases`."""
        return self._json("GET", "/v1/use-cases", query=filters)["items"]

    def quote(self, use_case: str, input: Mapping[str, Any]) -> Quote:
        """The maximum price for this input, good for an hour. Free; nothing is reserved."""
        return self._json("POST", f"/v1/use-cases/{escaped(use_case, safe='')}/quote", body={"input": input})

    def run_capability(
        self,
        capability: str,
        input: Mapping[str, Any],
        *,
        mode: Literal["live", "trial"] | None = None,
        workspace_id: str | None = None,
        maximum_credits: int | None = None,
        idempotency_key: str | None = None,
    ) -> Run:
        """Starts a run of a capability; `wait` follows it.

        `idempotency_key` makes sure that it is made once, however often it is asked for; a fresh one unless given.
        """
        body = {
            "input": input,
            "mode": mode,
            "workspace_id": workspace_id,
            "maximum_credits": maximum_credits,
        }
        return self._started(f"/v1/capabilities/{escaped(capability, safe='')}/runs", body, idempotency_key)

    def run_use_case(
        self,
        use_case: str,
        input: Mapping[str, Any],
        *,
        quote_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Run:
        """Starts a run of a use case, at the price of a quote where one is given."""
        body = {"input": input, "quote_id": quote_id}
        return self._started(f"/v1/use-cases/{escaped(use_case, safe='')}/runs", body, idempotency_key)

    def run(self, id: str) -> Run:
        """A run as it is now."""
        return self._json("GET", f"/v1/runs/{escaped(id, safe='')}")

    def wait(self, run: Run, *, timeout_seconds: float = 300) -> Run:
        """The run once it has ended, or as it is when it awaits an approval or the time is over.

        The server is not polled: it answers when something has happened.
        """
        end = time.monotonic() + timeout_seconds
        while run["status"] in ("queued", "running"):
            seconds = min(math.ceil(end - time.monotonic()), _LONGEST_WAIT)
            if seconds < 1:
                break
            path = f"/v1/runs/{escaped(run['id'], safe='')}"
            run = self._json("GET", path, query={"wait": seconds}, wait=seconds)
        return run

    def cancel(self, id: str) -> Run:
        """Before its first charge the run becomes `refused`, after it `failed`; the rest of the reservation is released."""
        return self._json("POST", f"/v1/runs/{escaped(id, safe='')}/cancel")

    def receipt(self, id: str) -> str:
        """The signed receipt of a run that has ended: a compact JWS, checked with `/.well-known/jwks.json`."""
        return self._transport.ask("GET", f"/v1/runs/{escaped(id, safe='')}/receipt").decode()

    def runs(self, **filters: str | int) -> Iterator[Run]:
        """Runs, the newest first, filtered as by `GET /v1/runs`; `from` is given as `**{"from": "2026-11-01"}`."""
        return self._items("/v1/runs", filters)

    def balance(self) -> CreditBalance:
        """What the firm holds."""
        return self._json("GET", "/v1/credits", query={"limit": 1})["balance"]

    def credit_entries(self) -> Iterator[CreditEntry]:
        """The ledger's entries, the newest first, each with the balance after it."""
        return self._items("/v1/credits", {}, lambda body: body["entries"])

    def analyze_company(self, company_url: str, *, idempotency_key: str | None = None) -> CompanyAnalysisSubmission:
        """Queues the analysis of a company's website; `job` polls it."""
        return self._started("/v1/company-analyses", {"company_url": company_url}, idempotency_key)

    def job(self, id: str) -> Job:
        """A job as it is now."""
        return self._json("GET", f"/v1/jobs/{escaped(id, safe='')}")

    def jobs(self, **filters: str | int) -> Iterator[Job]:
        """Jobs, the newest first, filtered as by `GET /v1/jobs`."""
        return self._items("/v1/jobs", filters)
