import type { Asked, Computing } from "../../../contracts/computing.ts";
import { EngineError } from "../../../contracts/engine.ts";
import { type Outbound, OutboundError } from "../../../integrations/outbound/types.ts";
import { type RobotsRules, robotsReading } from "./computation.ts";

/** robots.txt as RFC 9309 has it: fetched once for each host of a run, before any other request to that host. */

/** What RFC 9309 asks a reader to take at least; more is not read, and counts as unreadable. */
const bytesMax = 512_000;
const timeout = 10_000;
/** A site that wants longer pauses between pages is read in fewer pages. */
export const pauseMax = 5_000;

const everything: RobotsRules = { allows: true, pause_ms: 0 };

const unreachable = (why: string, retryable: boolean) => new EngineError("site_unreachable", why, retryable);

/** The file, or null where the host has none. */
async function fetchFile(outbound: Outbound, address: string, signal: AbortSignal): Promise<Uint8Array | null> {
  try {
    const { status, body } = await outbound.fetch(address, { max_bytes: bytesMax, timeout_ms: timeout, signal });
    // 4xx means that there are no rules; with 5xx nobody knows, and nothing may be fetched.
    if (status >= 500) throw unreachable(`The site answers with ${status} when asked for its robots.txt.`, true);
    return status >= 300 ? null : body;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A robots.txt that leads out of the public internet, or round in circles, is none.
    if (error.code === "too_many_redirects" || error.code === "url_not_allowed") return null;
    throw unreachable(error.message, error.retryable);
  }
}

/** What each host says of an address, by its file, which is fetched when first asked for. Throws `site_unreachable`. */
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
