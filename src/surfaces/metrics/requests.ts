import { createSeries, type Family, type Series } from "../../platform/exposition.ts";
import { type Observer, routeOf } from "../../web/observe.ts";

/** Bucket bounds, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface RouteFigures {
  readonly method: string;
  readonly route: string;
  readonly seconds: Series;
  readonly statuses: Map<number, number>;
}

/** Known HTTP methods. Any other is chosen by the caller, and would create its own series. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts requests by route. Paths without a route are counted under an empty one. */
export function countRequests() {
  /** By route, then by method: a combined key would need a new string for each request. */
  const known = new Map<string, Map<string, RouteFigures>>();
  let failedSignIns = 0;

  function begun(route: string, method: string): RouteFigures {
    const figures = { method, route, seconds: createSeries(bounds), statuses: new Map() };
    const ofRoute = known.get(route) ?? new Map<string, RouteFigures>();
    known.set(route, ofRoute.set(method, figures));
    return figures;
  }
  const all = (): RouteFigures[] => [...known.values()].flatMap((ofRoute) => [...ofRoute.values()]);

  const observe: Observer = ({ request, status, ms, rejected }) => {
    const method = methods.has(request.method) ? request.method : "other";
    const route = routeOf(request) ?? "";
    const figures = known.get(route)?.get(method) ?? begun(route, method);
    figures.seconds.observe(ms / 1_000);
    figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
    if (rejected === "sign-in") failedSignIns++;
  };

  return {
    observe,
    families: (): readonly Family[] => [
      {
        name: "assay_http_requests_total",
        type: "counter",
        help: "Requests answered, by route and status.",
        samples: all().flatMap(({ method, route, statuses }) =>
          [...statuses].map(([status, value]) => ({ labels: { method, route, status: String(status) }, value })),
        ),
      },
      {
        name: "assay_http_request_duration_seconds",
        type: "histogram",
        help: "Time from a request's arrival to the head of its response.",
        samples: all().flatMap(({ method, route, seconds }) => seconds.samples({ method, route })),
      },
      {
        name: "assay_sign_in_failures_total",
        type: "counter",
        help: "Passwords, keys and tokens that were refused.",
        samples: [{ labels: {}, value: failedSignIns }],
      },
    ],
  };
}

export type RequestFigures = ReturnType<typeof countRequests>;
