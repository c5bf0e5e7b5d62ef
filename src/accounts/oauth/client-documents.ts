import { type Outbound, OutboundError } from "../../integrations/outbound/types.ts";
import { type Clock, hour, minute, second } from "../../platform/clock.ts";
import { type Client, clientFacts } from "./client.ts";
import { OAuthError } from "./errors.ts";

/**
 * Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): the client id is the https URL of the
 * client's own metadata. The host proves the client's identity, so nothing is registered here.
 */
export interface ClientDocuments {
  /** Returns the client with such an id. Throws `invalid_client` if its document is unavailable or invalid. */
  find(client_id: string): Promise<Client>;
  /** Returns whether the document is cached. */
  isKnown(client_id: string): boolean;
}

/** The draft recommends 5 KiB; some documents add logo URLs. */
const mostBytes = 10_240;
const patience = 5 * second;
/** Bounds on how long a document is cached, whatever its headers say. */
const freshness = { least: 5 * minute, usual: hour, most: 24 * hour };
/** How long a rejection is cached, so that a caller who keeps trying cannot make this server send requests. */
const refusalKept = minute;
const knownAtMost = 1_000;

/** Characters that are not allowed in a URL (RFC 3986, 2), or that parsers rewrite. */
const misleading = /[^\x21-\x7e]|[\\"<>`{}|^]/;

/** Returns whether a client id is a document's URL: https, with a path, without user, fragment or dot segments. */
export function isDocumentAddress(client_id: string): boolean {
  if (!client_id.startsWith("https://") || client_id.length > 2_048 || misleading.test(client_id)) return false;
  const url = URL.parse(client_id);
  if (url === null || url.username !== "" || url.password !== "" || client_id.includes("#")) return false;
  const path = client_id
    .slice("https://".length)
    .replace(/^[^/?]*/, "")
    .replace(/\?.*$/, "");
  return path.length > 1 && !path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part));
}

/** Returns how long a response may be cached, from `Cache-Control: max-age`. */
function keptFor(headers: Headers): number {
  const said = /(?:^|[\s,])max-age=(\d{1,9})/.exec(headers.get("cache-control") ?? "")?.[1];
  const wanted = said === undefined ? freshness.usual : Number(said) * second;
  return Math.min(Math.max(wanted, freshness.least), freshness.most);
}

const refuse = (why: string): OAuthError => new OAuthError("invalid_client", why, 401);

/** Parses a document. Throws if it is not JSON, describes another client, or is not that of a public client. */
function clientIn(client_id: string, body: Uint8Array): Client {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw refuse("The client's metadata document is not valid JSON.");
  }
  const members: Readonly<Record<string, unknown>> = typeof given === "object" && given !== null ? { ...given } : {};
  if (members.client_id !== client_id) throw refuse("The client's metadata document is for another client_id.");
  const method = members.token_endpoint_auth_method ?? "none";
  if (method !== "none" || members.client_secret !== undefined)
    throw refuse("The client's metadata document must set token_endpoint_auth_method to none and contain no secret.");
  const { name, redirect_uris } = clientFacts(given);
  return { id: client_id, name, redirect_uris, kind: "document" };
}

interface Kept {
  readonly found: Client | OAuthError;
  readonly until: number;
}

/** Creates the look-up of clients by their documents, fetched through the outbound guard and cached. */
export function createClientDocuments(outbound: Outbound, clock: Clock): ClientDocuments {
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Kept>>();

  async function ask(client_id: string): Promise<Kept> {
    const answer = await outbound.fetch(client_id, {
      headers: { accept: "application/json" },
      max_bytes: mostBytes,
      timeout_ms: patience,
      // The draft forbids following redirects: the document must be at the exact URL that is the client id.
      max_redirects: 0,
      policy: { https_only: true },
    });
    if (answer.status !== 200)
      throw refuse("The client's metadata document was not found (its host must respond with 200).");
    const type = answer.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type))
      throw refuse("The client's metadata document must be served as application/json.");
    return { found: clientIn(client_id, answer.body), until: clock.now() + keptFor(answer.headers) };
  }

  async function look(client_id: string): Promise<Kept> {
    try {
      return await ask(client_id);
    } catch (error) {
      const found =
        error instanceof OAuthError
          ? refuse(error.description)
          : error instanceof OutboundError
            ? refuse("The client's metadata document can't be fetched.")
            : undefined;
      if (!found) throw error;
      return { found, until: clock.now() + refusalKept };
    }
  }

  function keep(client_id: string, what: Kept): void {
    // The oldest entry is evicted; a map keeps insertion order.
    const [oldest] = kept.keys();
    if (kept.size >= knownAtMost && oldest !== undefined) kept.delete(oldest);
    kept.delete(client_id);
    kept.set(client_id, what);
  }

  const fresh = (client_id: string): Kept | undefined => {
    const known = kept.get(client_id);
    return known && known.until > clock.now() ? known : undefined;
  };

  return {
    isKnown: (client_id) => fresh(client_id) !== undefined,
    async find(client_id) {
      let known = fresh(client_id);
      if (!known) {
        const looking = underWay.get(client_id) ?? look(client_id).finally(() => underWay.delete(client_id));
        underWay.set(client_id, looking);
        known = await looking;
        keep(client_id, known);
      }
      if (known.found instanceof OAuthError) throw known.found;
      return known.found;
    },
  };
}
