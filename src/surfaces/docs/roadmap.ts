/**
 * Endpoints of the specification that this release does not serve. The list only gets shorter: a test fails while
 * anything in it is served, so whoever builds one takes it off here.
 */
export const notServed: readonly string[] = [
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
