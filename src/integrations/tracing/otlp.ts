import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Tracing } from "../../platform/tracing.ts";
import { createExporter, type ExporterOptions } from "./exporter.ts";

/** Maximum number of effects whose parent span is remembered. An effect evicted from it starts a new trace. */
const remembered = 10_000;

/** How long a shutdown waits for the collector, in milliseconds. */
const lastWords = 2_000;

const kinds = { decide: SpanKind.INTERNAL, provider: SpanKind.CLIENT };

export interface TracingOptions extends ExporterOptions {
  readonly version: string;
}

const propagator = new W3CTraceContextPropagator();
const headerOf = { get: (headers: Headers, name: string) => headers.get(name) ?? undefined, keys: () => [] };

/** Marks a span as failed with the error's name only; its message may contain caller data. */
function fail(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.name : "error";
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** Creates a server's tracing, on the OpenTelemetry SDK. Loaded only if a collector is configured. */
export function createTracing(options: TracingOptions): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "assay", "service.version": options.version }),
    spanProcessors: [new BatchSpanProcessor(createExporter(options))],
  });
  const tracer = provider.getTracer("assay", options.version);
  const underWay = new AsyncLocalStorage<Context>();
  const causes = new Map<string, Context>();

  /** Runs the work inside a span, and ends the span with it. */
  async function within<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await underWay.run(trace.setSpan(parent, span), work);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    request(request, id, work, served) {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, headerOf);
      const { method } = request;
      const attributes = { "http.request.method": method, "assay.request_id": id };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      return within(span, parent, async () => {
        const answer = await work();
        const { route, status } = served(answer);
        span.setAttribute("http.response.status_code", status);
        if (route !== null) span.updateName(`${method} ${route}`).setAttribute("http.route", route);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        return answer;
      });
    },
    span(kind, name, attributes, work) {
      const parent = underWay.getStore() ?? ROOT_CONTEXT;
      return within(tracer.startSpan(name, { kind: kinds[kind], attributes }, parent), parent, work);
    },
    leadsTo(effect_id) {
      const context = underWay.getStore();
      if (!context) return;
      causes.set(effect_id, context);
      if (causes.size > remembered) for (const first of causes.keys()) return void causes.delete(first);
    },
    effect(effect_id, name, attributes, work) {
      const parent = causes.get(effect_id) ?? ROOT_CONTEXT;
      causes.delete(effect_id);
      return within(tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, parent), parent, work);
    },
    async stop() {
      const { promise: expired, resolve } = Promise.withResolvers<void>();
      const disarm = options.clock.after(lastWords, resolve);
      // The exporter has already logged what could not be sent.
      await Promise.race([provider.shutdown().catch(() => undefined), expired]);
      disarm();
    },
  };
}
