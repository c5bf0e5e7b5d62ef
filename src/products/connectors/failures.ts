import { EngineError } from "../../contracts/engine.ts";
import { OutboundError } from "../../integrations/outbound/types.ts";

/** The codes that a connector's step fails with, besides those of outbound requests (`timeout`, `too_large` …). */

/** The connector has failed in a way that may pass. */
export const unavailable = (): EngineError =>
  new EngineError("connector_unavailable", "The connector is not available at present.", true);

const controls = /\p{C}+/gu;

/** The connector refuses the request for good. Its own words on why are for its firm alone. */
export function refusedBy(code = "connector_refused", message = ""): EngineError {
  const said = message.replace(controls, " ").trim().slice(0, 500);
  return new EngineError(code, said === "" ? "The connector refused the request." : said, false);
}

/** What an outbound request throws, as an engine's failure; anything else as it is. */
export const asEngineError = (error: unknown): unknown =>
  error instanceof OutboundError ? new EngineError(error.code, error.message, error.retryable) : error;
