import { EngineError } from "../../contracts/engine.ts";
import { OutboundError, outboundCodes } from "../../integrations/outbound/types.ts";
import { errorCodes } from "../../platform/errors.ts";
import { reasonMessages } from "../../runs/reasons.ts";

/** Error codes of a connector's step, in addition to those of outbound requests (`timeout`, `too_large` …). */

/** Returns the error for a failure that may be temporary. */
export const unavailable = (): EngineError =>
  new EngineError("connector_unavailable", "The connector is currently unavailable.", true);

const controls = /\p{C}+/gu;

const refused = "connector_refused";
/**
 * The product's own codes. Under one of these, a connector's message would appear as the product's, even in the signed
 * receipt.
 */
const ownCodes: ReadonlySet<string> = new Set([...errorCodes, ...Object.keys(reasonMessages), ...outboundCodes]);
const isOwn = (code: string): boolean => ownCodes.has(code) || code.startsWith("connector_");

/**
 * Returns the error for a permanent refusal by the connector, under the connector's code or, if that is one of the
 * product's own, under ours. Its message is shown only to its firm.
 */
export function refusedBy(code = refused, message = ""): EngineError {
  const said = message.replace(controls, " ").trim().slice(0, 500);
  return new EngineError(
    isOwn(code) ? refused : code,
    said === "" ? "The connector refused the request." : said,
    false,
  );
}

/** Converts an outbound error to an engine error; returns anything else unchanged. */
export const asEngineError = (error: unknown): unknown =>
  error instanceof OutboundError ? new EngineError(error.code, error.message, error.retryable) : error;
