import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import { type Clock, minute, second } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Outbound } from "../outbound/types.ts";

const timeout = 10 * second;
const answerAtMost = 65_536;
/** Minimum interval between warnings about an unreachable collector. */
const warningEvery = 5 * minute;

export interface ExporterOptions {
  /** The collector's base URL, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly log: Log;
}

/**
 * Creates an exporter that sends spans by OTLP over HTTP, as JSON, through the outbound guard. Spans that cannot be
 * sent are dropped, so that they do not fill the memory while the collector is down.
 */
export function createExporter({ endpoint, headers, outbound, clock, log }: ExporterOptions): SpanExporter {
  let warnedAt = Number.NEGATIVE_INFINITY;

  async function send(spans: ReadableSpan[]): Promise<void> {
    const body = JsonTraceSerializer.serializeRequest(spans);
    if (!body) return;
    const { status } = await outbound.fetch(`${endpoint}/v1/traces`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      max_bytes: answerAtMost,
      timeout_ms: timeout,
      max_redirects: 0,
    });
    if (status >= 300) throw new Error(`the collector responded with ${status}`);
  }

  function failed(cause: unknown): ExportResult {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    if (clock.now() - warnedAt >= warningEvery) {
      warnedAt = clock.now();
      log.warn("traces could not be sent", { reason: error.message });
    }
    return { code: ExportResultCode.FAILED, error };
  }

  return {
    export: (spans, done) =>
      void send(spans).then(
        () => done({ code: ExportResultCode.SUCCESS }),
        (error) => done(failed(error)),
      ),
    shutdown: async () => undefined,
  };
}
