import type { Asked, Computing } from "../../../contracts/computing.ts";
import { EngineError } from "../../../contracts/engine.ts";
import { type Outbound, OutboundError } from "../../../integrations/outbound/types.ts";
import { type RobotsRules, robotsReading } from "./computation.ts";

/** robots.txt as in RFC 9309: fetched once for each host of a run, before any other request to that host. */

/** Maximum size: what RFC 9309 requires a reader to accept. A larger file is not read and counts as unreachable. */
const bytesMax = 512_000;
const timeout = 10_000;
/** Maximum pause in milliseconds between pages. If a site wants a longer one, only one page is read. */
export const pauseMax = 5_000;

const everything: RobotsRules = { allows: true, pause_ms: 0 };

const unreachable = (why: string, retryable: boolean) => new EngineError("site_unreachable", why, retryable);

/** Returns the file, or null if the host has none. */
async function fetchFile(outbound: Outbound, address: string, signal: AbortSignal): Promise<Uint8Array | null> {
  try {
    const { status, body } = await outbound.fetch(address, { max_bytes: bytesMax, timeout_ms: timeout, signal });
    // 4xx means that there are no rules. With 5xx they are unknown, and nothing may be fetched.
    if (status >= 500) throw unreachable(`The site answers with ${status} when asked for its robots.txt.`, true);
    return status >= 300 ? null : body;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A robots.txt that leads out of the public internet, or redirects in circles, counts as none.
    if (error.code === "too_many_redirects" || error.code === "url_not_allowed") return null;
    throw unreachable(error.message, error.retryable);
  }
}

/** Returns a function for a host's rules on an address. Files are fetched on first use. Throws `site_unreachable`. */
export function createRobots(
  outbound: Outbound,
  computing: Computing,
  asked: Asked & { readonly signal: AbortSignal },
) {
  const known = new Map<string, Promise<Uint8Array | null>>();
  return async ({ origin, href }: URL): Promise<RobotsRules> => {
    const address = `${origin}/robots.txt`;
    const fetched = known.get(origin) ?? fetchFile(outbound, address, asked.signal);
    known.set(origin, fetched);
    const file = await fetched;
    if (file === null) return everything;
    return computing.run(robotsReading, { address, file, url: href }, asked).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error;
      throw unreachable("The site's robots.txt can't be read.", false);
    });
  };
}
