import { type Outbound, OutboundError } from "../../integrations/outbound/types.ts";
import { type Clock, hour, minute, second } from "../../platform/clock.ts";
import { type Client, clientFacts } from "./client.ts";
import { OAuthError } from "./errors.ts";

/**
 * Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): a client id that is the https address of
 * the client's own description. Its host proves who the client is, so nothing is registered here.
 */
export interface ClientDocuments {
  /** The client behind such an id. Throws `invalid_client` for a document that is not to be had, or not to be trusted. */
  find(client_id: string): Promise<Client>;
  /** Whether it is known without asking its host. */
  isKnown(client_id: string): boolean;
}

/** The draft recommends 5 KiB; some add a logo's address or two. */
const mostBytes = 10_240;
const patience = 5 * second;
/** A document is asked for again behind so long, whatever its headers say within these bounds. */
const freshness = { least: 5 * minute, usual: hour, most: 24 * hour };
/** One that was refused is not fetched again at once: a caller who keeps trying must not make us send the requests. */
const refusalKept = minute;
const knownAtMost = 1_000;

/** No sign of an address (RFC 3986, 2), or one that parsers bend. */
const misleading = /[^\x21-\x7e]|[\\"<>`{}|^]/;

/** Whether a client id is the address of a document: https, with a path, without user, fragment, and dots in its path. */
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

/** How long an answer may be kept, by `Cache-Control: max-age`. */
function keptFor(headers: Headers): number {
  const said = /(?:^|[\s,])max-age=(\d{1,9})/.exec(headers.get("cache-control") ?? "")?.[1];
  const wanted = said === undefined ? freshness.usual : Number(said) * second;
  return Math.min(Math.max(wanted, freshness.least), freshness.most);
}

const refuse = (why: string): OAuthError => new OAuthError("invalid_client", why, 401);

/** Reads a document. Throws for one that is not JSON, is another client's, or has what a public client has not. */
function clientIn(client_id: string, body: Uint8Array): Client {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw refuse("The client's metadata document is no JSON.");
  }
  const members: Readonly<Record<string, unknown>> = typeof given === "object" && given !== null ? { ...given } : {};
  if (members.client_id !== client_id) throw refuse("The client's metadata document is for another client_id.");
  const method = members.token_endpoint_auth_method ?? "none";
  if (method !== "none" || members.client_secret !== undefined)
    throw refuse("The client's metadata document must have token_endpoint_auth_method none, and no secret.");
  const { name, redirect_uris } = clientFacts(given);
  return { id: client_id, name, redirect_uris, kind: "document" };
}

interface Kept {
  readonly found: Client | OAuthError;
  readonly until: number;
}

/** Finds clients by their documents, fetched through the guard of all outgoing requests, and keeps them for a while. */
export function createClientDocuments(outbound: Outbound, clock: Clock): ClientDocuments {
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Kept>>();

  async function ask(client_id: string): Promise<Kept> {
    const answer = await outbound.fetch(client_id, {
      headers: { accept: "application/json" },
      max_bytes: mostBytes,
      timeout_ms: patience,
      // The draft forbids to follow: the document has to lie at the very address that is the client's name.
      max_redirects: 0,
      policy: { https_only: true },
    });
    if (answer.status !== 200) throw refuse("The client's metadata document is not there (its host must answer 200).");
    const type = answer.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type))
      throw refuse("The client's metadata document must come as application/json.");
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
    // The oldest goes first: a map remembers the order in which it was filled.
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
