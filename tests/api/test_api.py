"""Random requests over the whole API: no server error, nothing undocumented, and a refused request changes nothing."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.api.conftest import STREAMS, Served
from tests.counts import count, report

requests = pytest.importorskip("requests", reason="random requests over the API: run 'make api-test'")
schemathesis = pytest.importorskip("schemathesis", reason="random requests over the API: run 'make api-test'")

#: Each operation gets this much of the time, and is tried a few times in any case.
SECONDS = count(2, soak=15)
LEAST = 3
#: A check of the whole house goes through all that random requests have begun.
PATIENCE = 300
EXAMPLES = count(20, soak=200)
#: What leaves a trace although it is refused, and why.
WRITTEN_DOWN = {"GET /phantom/access/{key}": "every knock at the door is part of the story, with a wrong key too"}
_tried: dict[str, int] = {}
_took: dict[str, float] = {}


@schemathesis.serializer("application/x-ndjson")  # type: ignore[untyped-decorator]
def as_lines(_: Any, value: Any) -> Any:
    """A file of JSON lines, or what random requests take for one."""
    return value.encode(errors="surrogatepass") if isinstance(value, str) else str(value).encode(errors="replace")


@pytest.fixture(scope="session")
def api(served: Served) -> Any:
    return schemathesis.openapi.from_url(f"{served.address}/openapi.json", timeout=30)


schema = schemathesis.pytest.from_fixture("api")


def checks() -> list[Any]:
    found = schemathesis.checks
    return [
        found.not_a_server_error,
        found.status_code_conformance,
        found.content_type_conformance,
        found.response_headers_conformance,
        found.response_schema_conformance,
    ]


def aimed(case: Any) -> None:
    """Let every other request go to a stream that is there."""
    given = case.path_parameters or {}
    if "name" in given and len(str(given["name"])) % 2:
        given["name"] = STREAMS[sum(map(ord, str(given["name"]))) % len(STREAMS)]
    if "n" in given and isinstance(given["n"], int):
        given["n"] = 1 + given["n"] % 4 if given["n"] > 0 else given["n"]
    if case.path.startswith("/arena") and isinstance(case.body, dict):
        case.body["generations"] = 0 if case.body.get("generations", 1) == 0 else 1  # thirty would be played meanwhile


def refused_before_it_was_recorded(answer: Any) -> bool:
    """Whatever the rules refuse stands in the journal as refused; everything else leaves no trace."""
    return bool(answer.status_code >= 400 and b"urn:greenroom:Refused" not in answer.content)


@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    database=None,
)
def test_every_route_keeps_what_it_promises(case: Any, served: Served) -> None:
    label = case.operation.label
    if _tried.get(label, 0) >= LEAST and _took[label] > SECONDS:
        return
    _tried[label] = _tried.get(label, 0) + 1
    begun = time.monotonic()
    try:
        attempt(case, served)
    finally:
        _took[label] = _took.get(label, 0.0) + time.monotonic() - begun


def attempt(case: Any, served: Served) -> None:
    aimed(case)
    before = served.journal()
    if case.path.endswith("/live"):
        follow(case)
        return
    answer = case.call(timeout=PATIENCE)
    case.validate_response(answer, checks=checks())
    if refused_before_it_was_recorded(answer) and case.operation.label not in WRITTEN_DOWN:
        assert served.journal() == before, f"{case.operation.label} was refused and changed something"


def follow(case: Any) -> None:
    """A live connection has no end: only its head is looked at."""
    sent = case.as_transport_kwargs()
    documented = {*case.operation.definition.raw["responses"], *(["405"] if case.method.upper() != "GET" else [])}
    with requests.request(**{**sent, "timeout": 10, "stream": True}) as answer:
        kind = answer.headers["content-type"].partition(";")[0]
        assert str(answer.status_code) in documented, answer.status_code
        assert kind == ("text/event-stream" if answer.status_code == 200 else "application/problem+json")


def test_every_operation_was_tried(api: Any) -> None:
    labels = {result.ok().label for result in api.get_all_operations()}
    assert labels == set(_tried), f"not tried: {sorted(labels - set(_tried))}"
    report(f"api: {sum(_tried.values())} random requests over {len(labels)} operations")
