import { EngineError } from "../../contracts/engine.ts";
import { OutboundError, outboundCodes } from "../../integrations/outbound/types.ts";
import { errorCodes } from "../../platform/errors.ts";
import { reasonMessages } from "../../runs/reasons.ts";

/** The codes that a connector's step fails with, besides those of outbound requests (`timeout`, `too_large` …). */

/** The connector has failed in a way that may pass. */
export const unavailable = (): EngineError =>
  new EngineError("connector_unavailable", "The connector is not available at present.", true);

const controls = /\p{C}+/gu;

const refused = "connector_refused";
/** What the product says itself. Under such a code its words, in the signed receipt too, would be the connector's. */
const ownCodes: ReadonlySet<string> = new Set([...errorCodes, ...Object.keys(reasonMessages), ...outboundCodes]);
const isOwn = (code: string): boolean => ownCodes.has(code) || code.startsWith("connector_");

/**
 * The connector refuses the request for good, by a code of its own, or by ours where that one would pass for the
 * product's. Its own words on why are for its firm alone.
 */
export function refusedBy(code = refused, message = ""): EngineError {
  const said = message.replace(controls, " ").trim().slice(0, 500);
  return new EngineError(
    isOwn(code) ? refused : code,
    said === "" ? "The connector refused the request." : said,
    false,
  );
}

/** What an outbound request throws, as an engine's failure; anything else as it is. */
export const asEngineError = (error: unknown): unknown =>
  error instanceof OutboundError ? new EngineError(error.code, error.message, error.retryable) : error;
