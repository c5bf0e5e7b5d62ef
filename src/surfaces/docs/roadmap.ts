/**
 * Endpoints of the specification that this release does not serve. The list only gets shorter: a test fails while
 * anything in it is served, so whoever builds one takes it off here.
 */
export const notServed: readonly string[] = [
  "GET /v1/market-intelligence/de/summary",
  "GET /v1/market-intelligence/de/dashboard",
  "GET /v1/market-intelligence/de/access",
  "GET /v1/market-intelligence/de/entities",
  "GET /v1/market-intelligence/de/entities/{target_key}",
  "GET /v1/market-intelligence/de/universe",
  "GET /v1/market-intelligence/de/universe/counts",
  "GET /v1/market-intelligence/de/universe/{candidate_id}",
  "POST /v1/market-intelligence/de/enrichments",
  "GET /v1/market-intelligence/de/enrichments/{job_id}",
  "GET /v1/market-intelligence/de/research-playbook",
  "GET /v1/market-intelligence/de/structure",
  "GET /v1/market-intelligence/depth",
  "POST /v1/solution-architect/intake",
  "GET /v1/solution-architect/inventory",
  "POST /v1/solution-architect/blueprint",
  "POST /v1/solution-architect/design",
  "POST /v1/solution-architect/recommendations",
  "POST /v1/solution-architect/compose",
  "POST /v1/solution-architect/compose/stream",
  "POST /v1/solution-architect/expand",
  "POST /v1/solution-architect/unlock",
  "GET /v1/solution-architect/resume/{token}",
  "GET /v1/solution-architect/builder-spec/{token}",
];
