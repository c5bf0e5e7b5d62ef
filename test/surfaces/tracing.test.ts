import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/harness.ts";
import { Installation } from "../support/operator.ts";

// Every server is a separate process.
setDefaultTimeout(600_000);

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector that accepts OTLP over HTTP as JSON. */
class Collector implements AsyncDisposable {
  readonly bodies: string[] = [];
  readonly headers: Headers[] = [];
  private readonly server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      if (new URL(request.url).pathname !== "/v1/traces") return new Response(null, { status: 404 });
      this.headers.push(request.headers);
      this.bodies.push(await request.text());
      return Response.json({ partialSuccess: {} });
    },
  });

  get endpoint(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  get spans(): Span[] {
    const exported = this.bodies.map((body) => JSON.parse(body) as Exported);
    return exported.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true);
  }
}

const attributeOf = ({ attributes }: Span, key: string): unknown =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];

describe("with otlp_endpoint", () => {
  test("a collector receives a request, its decision, its effect and its provider calls as one trace", async () => {
    await using place = new Installation();
    await using collector = new Collector();
    const site = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<title>Acme</title>") });
    const host = `127.0.0.1:${site.port}`;
    const file = join(place.folder, "traced.toml");
    writeFileSync(
      file,
      `otlp_endpoint = "${collector.endpoint}"\notlp_headers = "x-team=brokers"\noutbound_allow_private = "${host}"\n`,
    );
    const server = await place.serveDemo("--config", file);
    const { keys } = (await Bun.file(join(place.data, "demo-credentials.json")).json()).firms[0];
    const [traceId, parentSpanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
    const headers = {
      authorization: `Bearer ${keys.all}`,
      "content-type": "application/json",
      "idempotency-key": "a-traced-analysis",
      traceparent: `00-${traceId}-${parentSpanId}-01`,
    };
    const body = JSON.stringify({ company_url: `http://${host}/secret-path` });
    const response = await fetch(`${server.url}/v1/company-analyses`, { method: "POST", headers, body });
    expect(response.status).toBe(202);
    const job = (await response.json()) as { readonly job_id: string };
    await until(async () => {
      const polled = await fetch(`${server.url}/v1/jobs/${job.job_id}`, { headers });
      return /succeeded|failed/.test(((await polled.json()) as { readonly status: string }).status);
    }, "the job has ended");
    expect(await server.end()).toBe(0);
    await site.stop(true);

    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const named = (name: string) => spans.find((span) => span.name === name);
    const request = named("POST /v1/company-analyses");
    expect(request).toMatchObject({ parentSpanId, kind: 2 });
    expect(attributeOf(request as Span, "assay.request_id")).toBe(response.headers.get("x-request-id"));
    const effect = spans.find((span) => span.name.startsWith("job "));
    const decide = spans.find((span) => span.spanId === effect?.parentSpanId);
    expect([decide?.name, decide?.parentSpanId]).toEqual(["decide", request?.spanId]);
    expect(attributeOf(effect as Span, "assay.actor")).toBe(job.job_id);
    // The page, and within that request, since the rules come first, its site's robots.txt.
    const asked = spans.filter(({ name }) => name === `GET ${host}`);
    const page = asked.find(({ parentSpanId }) => parentSpanId === effect?.spanId);
    expect([page?.kind, asked.length]).toEqual([3, 2]);
    expect(collector.headers[0]?.get("x-team")).toBe("brokers");
    expect(collector.bodies.join("")).not.toMatch(/secret-path|assay_sk_/);
  });

  test("an unavailable collector causes a single warning, and does not delay requests", async () => {
    await using place = new Installation();
    const file = join(place.folder, "traced.toml");
    writeFileSync(file, 'otlp_endpoint = "http://127.0.0.1:9"\n');
    const server = await place.serve("--config", file);
    for (let i = 0; i < 5; i++) expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(await server.end()).toBe(0);
    expect(server.log().match(/traces could not be sent/g)).toHaveLength(1);
  });

  test("headers without a collector are refused as a setting", async () => {
    await using place = new Installation();
    const file = join(place.folder, "half.toml");
    writeFileSync(file, 'otlp_headers = "a=b"\n');
    const { code, err } = await place.run("serve", "--port", "0", "--config", file);
    expect([code, err]).toEqual([2, expect.stringContaining("otlp_headers need otlp_endpoint")]);
  });
});
