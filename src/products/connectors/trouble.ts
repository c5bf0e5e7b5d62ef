import { EngineError } from "../../contracts/engine.ts";
import { OutboundError } from "../../integrations/outbound/types.ts";

/** The codes that a connector's step fails with, besides those of the way out (`timeout`, `too_large` …). */

/** The other side has trouble that may pass. */
export const unavailable = (): EngineError =>
  new EngineError("connector_unavailable", "The connector is not available at present.", true);

const controls = /\p{C}+/gu;

/** The other side refuses the request for good; it may say why in its own words, which are its firm's to read. */
export function refusedBy(code = "connector_refused", message = ""): EngineError {
  const said = message.replace(controls, " ").trim().slice(0, 500);
  return new EngineError(code, said === "" ? "The connector refused the request." : said, false);
}

/** What the way out throws, as an engine's failure; anything else as it is. */
export const asEngineError = (error: unknown): unknown =>
  error instanceof OutboundError ? new EngineError(error.code, error.message, error.retryable) : error;
