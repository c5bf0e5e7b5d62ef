"""
Schemathesis hooks for this API: the caller's credential, additional checks, and a count of the requests.

Loaded by run.ts, with FUZZ_BASE, FUZZ_CALLER (none, key or person), FUZZ_CREDENTIALS (the demo's file) and FUZZ_COUNTS
(the file for the counts).
"""

import atexit
import json
import os
import threading
import urllib.request
from collections import Counter

import schemathesis

base = os.environ["FUZZ_BASE"]
caller = os.environ["FUZZ_CALLER"]
with open(os.environ["FUZZ_CREDENTIALS"], encoding="utf-8") as file:
    firm = json.load(file)["firms"][0]
person = next(user for user in firm["users"] if user["role"] == "owner")

lock = threading.Lock()
credential = None
# A single sign-in, repeated only if an operation ends the session, because sign-ins are rate-limited per address.
session = None
asked = Counter()

# Returned by the edge before routing, and therefore not declared at each operation.
anywhere = {"405", "413"}
# Longer addresses are rejected by the HTTP parser.
longest_address = 12_000
# The only codes of 5xx responses that are not server errors.
unavailable = {"capability_runs_disabled", "sign_in_unavailable", "database_unavailable"}
# Shorter texts may appear in a response by chance.
telling = 8


def ask(path, body=None, bearer=None):
    headers = {"content-type": "application/json"}
    if bearer:
        headers["authorization"] = f"Bearer {bearer}"
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers), timeout=30) as answer:
        return json.load(answer)


def sign_in():
    given = {"email": person["email"], "password": person["password"]}
    return ask("/auth/v1/token?grant_type=password", given)["access_token"]


def fresh():
    """Returns a new credential, so that operations that revoke credentials do not stop the run."""
    global session
    if caller == "person":
        return sign_in()
    session = session or sign_in()
    scopes = [scope["name"] for scope in ask("/v1/developer/scopes", bearer=session) if scope["grantable"]]
    wanted = {"name": "fuzz", "scopes": scopes, "workspace_id": firm["workspaces"][0]["id"]}
    return ask("/v1/developer/api-keys", wanted, session)["secret"]


def takes_credential(operation):
    """Returns whether the operation accepts this caller's credential; wrong ones count against the rate limit."""
    scheme = "apiKey" if caller == "key" else "accessToken"
    return any(scheme in one for one in operation.definition.raw.get("security") or [])


if caller != "none":

    @schemathesis.auth(refresh_interval=None)
    class Credential:
        def get(self, case, ctx):
            global credential
            with lock:
                if credential is None:
                    credential = fresh()
                return credential

        def set(self, case, data, ctx):
            if takes_credential(case.operation):
                case.headers = case.headers or {}
                case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def filter_case(ctx, case):
    return sum(len(str(value).encode()) * 3 for value in (case.path_parameters, case.query)) < longest_address


@schemathesis.hook
def after_call(ctx, case, response):
    global credential
    with lock:
        asked[f"{case.operation.label} {response.status_code}"] += 1
        sent = response.request.headers.get("Authorization", "")
        if response.status_code == 401 and credential and sent == f"Bearer {credential}":
            credential = None
        if case.path == "/auth/v1/user" and response.status_code == 200 and isinstance(case.body, dict):
            # The request may have changed the address or the password.
            person["email"] = case.body.get("email", person["email"])
            person["password"] = case.body.get("password", person["password"])


def code_of(response):
    try:
        return response.json()["error"]["code"]
    except (ValueError, KeyError, TypeError):
        return None


@schemathesis.check
def no_mistake_of_the_server(ctx, response, case):
    """Checks that a 5xx response has a documented code."""
    if response.status_code >= 500 and not (response.status_code == 503 and code_of(response) in unavailable):
        raise AssertionError(f"status {response.status_code}, code {code_of(response)}")


@schemathesis.check
def status_is_documented(ctx, response, case):
    """Checks that the status is declared by the operation, or may be returned by any path."""
    status = str(response.status_code)
    declared = case.operation.definition.raw["responses"]
    if status in declared or status in anywhere:
        return
    if case.method.lower() != case.operation.method.lower():
        return
    raise AssertionError(f"status {status} is not declared")


def texts(value):
    """Yields every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from texts(member)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def without_places(response):
    """Returns the response without the property names in its details and without suggested public names."""
    try:
        body = response.json()
        for detail in body["error"].get("details", []):
            detail.pop("path")
            detail["message"] = detail["message"].partition("Did you mean ")[0]
        return json.dumps(body, ensure_ascii=False)
    except (ValueError, KeyError, TypeError, AttributeError):
        return response.text


@schemathesis.check
def refusal_echoes_nothing(ctx, response, case):
    """Checks that an error response contains no value of the request; property names are allowed."""
    if response.status_code < 400:
        return
    known = json.dumps(case.operation.definition.raw)
    told = without_places(response)
    for part in (case.body, case.query, case.path_parameters, case.cookies):
        for text in texts(part):
            if len(text) >= telling and text in told and text not in known:
                raise AssertionError("the response contains a value of the request")


@atexit.register
def tell():
    with open(os.environ["FUZZ_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(asked, file)
