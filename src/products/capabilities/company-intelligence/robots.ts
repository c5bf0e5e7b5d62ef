import robotsParser from "robots-parser";
import { EngineError } from "../../../contracts/engine.ts";
import { botName, type Outbound, OutboundError } from "../../../integrations/outbound/types.ts";

/** robots.txt as RFC 9309 has it: read once for each host of a run, before any other request to that host. */

/** What RFC 9309 asks a reader to take at least; more is not read, and counts as unreadable. */
const bytesMax = 512_000;
const timeout = 10_000;
/** Matching costs their number times the length of an address. */
const wildcardsMax = 5_000;
/** A site that wants longer pauses between pages is read in fewer pages. */
export const pauseMax = 5_000;

interface Rules {
  allows(url: string): boolean;
  /** Milliseconds that the host wants between two requests. */
  readonly pause_ms: number;
}

const everything: Rules = { allows: () => true, pause_ms: 0 };

const unreachable = (why: string, retryable: boolean) => new EngineError("site_unreachable", why, retryable);

async function fetchRules(outbound: Outbound, origin: string, signal: AbortSignal): Promise<Rules> {
  const address = `${origin}/robots.txt`;
  try {
    const { status, body } = await outbound.fetch(address, { max_bytes: bytesMax, timeout_ms: timeout, signal });
    // 4xx means that there are no rules; with 5xx nobody knows, and nothing may be fetched.
    if (status >= 500) throw unreachable(`The site answers with ${status} when asked for its robots.txt.`, true);
    if (status >= 300) return everything;
    const text = new TextDecoder().decode(body);
    if (text.split("*").length > wildcardsMax) throw unreachable("The site's robots.txt can't be read.", false);
    const rules = robotsParser(address, text);
    return {
      allows: (url) => rules.isAllowed(url, botName) !== false,
      pause_ms: 1_000 * (rules.getCrawlDelay(botName) ?? 0),
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A robots.txt that leads out of the public internet, or round in circles, is none.
    if (error.code === "too_many_redirects" || error.code === "url_not_allowed") return everything;
    throw unreachable(error.message, error.retryable);
  }
}

/** The rules of each host, fetched when first asked for. Throws `site_unreachable`. */
export function createRobots(outbound: Outbound, signal: AbortSignal) {
  const known = new Map<string, Promise<Rules>>();
  return (url: URL): Promise<Rules> => {
    const rules = known.get(url.origin) ?? fetchRules(outbound, url.origin, signal);
    known.set(url.origin, rules);
    return rules;
  };
}
