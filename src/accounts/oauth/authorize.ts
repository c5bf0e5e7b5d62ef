import { firmById, membershipsOf, userById, workspacesOf } from "../../../db/queries/firms.ts";
import { connectionsOfUser } from "../../../db/queries/oauth-connections.ts";
import type { ConnectionTable } from "../../../db/schema/oauth-tables.ts";
import type { FirmTable, Role } from "../../../db/schema/tables.ts";
import type { Store } from "../../../db/store.ts";
import { isScope, scopesOf } from "../../contracts/scopes.ts";
import type { Identity, Principal } from "../../identity/principal.ts";
import { present } from "../../platform/assert.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { AttemptGuard } from "../../web/attempts.ts";
import { isFromElsewhere } from "../../web/cookies.ts";
import type { BrowserSessions } from "../auth/cookies.ts";
import { languageOf } from "../pages/language.ts";
import type { Clients } from "./clients.ts";
import { issueCode } from "./codes.ts";
import { clientName, consentPage, type Question, type Trouble, troublePage } from "./consent-page.ts";
import { OAuthError } from "./errors.ts";
import { withParameters } from "./redirect-uri.ts";
import {
  type AuthorizationRequest,
  authorizationRequest,
  type Parameters,
  parametersOf,
  type Resources,
  redirectOf,
} from "./request.ts";
import type { Tickets } from "./ticket.ts";

export interface AuthorizeOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly identity: Identity;
  readonly browser: BrowserSessions;
  readonly clients: Clients;
  readonly tickets: Tickets;
  readonly baseUrl: string;
  readonly resources: Resources;
  /** Limits the metadata documents that a person causes to be fetched. */
  readonly fetches: AttemptGuard;
}

export interface Authorize {
  /** Shows the consent page, redirects to the sign-in and back, or redirects to the client with an error. */
  begin(request: Request): Promise<Response>;
  /** Carries out the person's decision on the consent page. */
  decide(request: Request): Promise<Response>;
}

/** Ends the request with an error page, because there is no valid redirect URI to answer to. */
class Refused extends Error {
  constructor(
    readonly trouble: Trouble,
    readonly status: number,
    readonly technical?: string,
  ) {
    super(trouble);
  }
}

/** Ends the request with a redirect. */
class Elsewhere extends Error {
  constructor(readonly url: string) {
    super("elsewhere");
  }
}

const refused = (trouble: Trouble, error: OAuthError): Refused =>
  new Refused(trouble, error.status === 429 ? 429 : 400, error.description);

/** Runs `work`, converting a protocol error by `otherwise`. */
async function or<T>(work: () => T | Promise<T>, otherwise: (error: OAuthError) => Error): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OAuthError ? otherwise(error) : error;
  }
}

/** The person who decides, and for which of their firms. */
interface Person {
  readonly caller: Principal;
  readonly firm: FirmTable;
  readonly role: Role;
  readonly otherFirms: readonly FirmTable[];
}

/** Returns the person's choices from the form, or the mistake in them. */
function choice(form: URLSearchParams, { asked, offered, workspaces }: Question) {
  if (asked.kind === "session") return { scopes: asked.scopes, workspace_id: null };
  const ticked = form.getAll("scope");
  const scopes = offered.filter((scope) => ticked.includes(scope));
  const workspace_id = form.get("workspace_id");
  const isOwn = workspaces.some(({ id }) => id === workspace_id);
  const mistake = scopes.length === 0 ? ("scopes_needed" as const) : isOwn ? undefined : ("workspace_needed" as const);
  return { scopes, workspace_id, ...(mistake && { mistake }) };
}

/**
 * Returns the preselection for a person who consented before: the scopes granted then, or all offered if none of those
 * are requested.
 */
function startingFrom({ scopes_json, workspace_id }: ConnectionTable, offered: readonly string[]) {
  const granted = JSON.parse(scopes_json) as string[];
  const again = offered.filter((scope) => granted.includes(scope));
  return { scopes: again.length > 0 ? again : offered, workspace_id };
}

/** Runs a request and returns its outcome as a response. A form is answered with 303, so that a GET follows. */
async function answered(request: Request, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) {
      const language = languageOf(request.headers.get("accept-language"));
      return troublePage(language, error.trouble, error.status, error.technical);
    }
    if (!(error instanceof Elsewhere)) throw error;
    const headers = { location: error.url, "cache-control": "no-store", "referrer-policy": "no-referrer" };
    return new Response(null, { status: request.method === "POST" ? 303 : 302, headers });
  }
}

/** The authorization endpoint (OAuth 2.1, 4.1). */
class AuthorizationEndpoint implements Authorize {
  constructor(private readonly options: AuthorizeOptions) {}

  begin(request: Request): Promise<Response> {
    return answered(request, async () => {
      const query = new URL(request.url).search;
      return consentPage(await this.question(request, await this.requestIn(request, query), query));
    });
  }

  decide(request: Request): Promise<Response> {
    return answered(request, () => this.decided(request));
  }

  private async decided(request: Request): Promise<Response> {
    const { store, runtime, tickets, baseUrl } = this.options;
    if (isFromElsewhere(request, new URL(baseUrl).origin)) throw new Refused("error_stale", 403);
    const form = new URLSearchParams(await request.text());
    const ticket = await tickets.read(form.get("ticket") ?? "");
    if (!ticket) throw new Refused("error_stale", 400);
    const { query } = ticket;
    const asked = await this.requestIn(request, query);
    const shown = await this.question(request, asked, query);
    // Another person, or a new session, has signed in since: they are asked themselves.
    const { user_id, session_id } = shown.caller;
    if (user_id !== ticket.user_id || (session_id ?? "") !== ticket.session_id || shown.firm.id !== ticket.firm_id)
      throw new Elsewhere(this.here(query));
    if (form.get("decision") !== "allow") throw this.denied(asked, "The person denied access.");
    const { scopes, workspace_id, mistake } = { mistake: undefined, ...choice(form, shown) };
    if (mistake) return consentPage({ ...shown, mistake, chosen: { scopes, workspace_id: workspace_id ?? "" } });
    const code = await issueCode(store, runtime, asked, {
      ...{ user_id: shown.caller.user_id, firm_id: shown.firm.id, workspace_id, scopes },
      client_name: clientName(shown),
    });
    throw this.back(asked.redirect_uri, { code, state: asked.state });
  }

  private async requestIn(request: Request, query: string): Promise<AuthorizationRequest> {
    const given = await or(
      () => parametersOf(new URLSearchParams(query)),
      (error) => refused("error_redirect", error),
    );
    const { client, redirect_uri } = await this.whoAsks(request, query, given);
    const { state } = given;
    try {
      return authorizationRequest(client, redirect_uri, given, this.options.resources);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      // Anyone can register a redirect URI, so a link to this server must not redirect people who are not signed in to
      // it (RFC 9700, 4.11.2).
      await this.signedIn(request, query);
      throw this.back(redirect_uri, { error: error.code, error_description: error.description, state });
    }
  }

  /** Returns the client and its redirect URI. A metadata document is fetched only for people who are signed in. */
  private async whoAsks(request: Request, query: string, given: Parameters) {
    const { clients, fetches } = this.options;
    const { client_id } = given;
    if (client_id === undefined) throw new Refused("error_redirect", 400, "client_id is required.");
    if (clients.needsFetch(client_id)) {
      const { user_id } = await this.signedIn(request, query);
      if (fetches.isExhausted(user_id)) throw new Refused("error_busy", 429);
      fetches.count(user_id);
    }
    const client = await or(
      () => clients.find(client_id),
      (error) => refused("error_client", error),
    );
    const redirect_uri = await or(
      () => redirectOf(client, given),
      (error) => refused("error_redirect", error),
    );
    return { client, redirect_uri };
  }

  /**
   * Returns everything that the page shows. Redirects to the client if there is nothing that the person could allow.
   */
  private async question(request: Request, asked: AuthorizationRequest, query: string): Promise<Question & Person> {
    const { store, identity, tickets } = this.options;
    const caller = await this.signedIn(request, query);
    const person = await this.personOf(caller, new URLSearchParams(query).get("firm"));
    const { firm, role } = person;
    const held = scopesOf(role, await identity.entitlements(firm.id));
    const isConnection = asked.kind === "connection";
    const offered = isConnection ? asked.scopes.filter((scope) => isScope(scope) && held.has(scope)) : asked.scopes;
    const workspaces = await workspacesOf.all(store.read, { firm_id: firm.id });
    if (offered.length === 0) throw this.denied(asked, "The person's role allows none of the requested scopes.");
    if (isConnection && workspaces.length === 0) throw this.denied(asked, "The person's firm has no workspace.");
    const user = present(await userById(store.read, caller.user_id), "the signed-in person");
    const { user_id, session_id } = caller;
    const ticket = await tickets.issue({ query, user_id, firm_id: firm.id, session_id: session_id ?? "" });
    const before = await this.grantedBefore(asked, user_id, firm.id);
    const language = languageOf(request.headers.get("accept-language"));
    const chosen = before && startingFrom(before, offered);
    const shown = { language, asked, email: user.email, offered, workspaces, ticket, query, ...(chosen && { chosen }) };
    return { ...shown, ...person, signInUrl: this.signInUrl(query) };
  }

  /**
   * Returns what the person has already allowed this program. Programs that register again at each start are matched by
   * name. A name proves nothing, but a wrong match can only reduce the preselected scopes.
   */
  private async grantedBefore({ client }: AuthorizationRequest, user_id: string, firm_id: string) {
    const all = await connectionsOfUser(this.options.store.read, firm_id, user_id);
    const standing = all.filter(({ kind, revoked_at }) => kind === "oauth" && revoked_at === null);
    return (
      standing.find(({ client_id }) => client_id === client.id) ??
      standing.find(({ name }) => client.name !== null && name === client.name)
    );
  }

  private async signedIn(request: Request, query: string): Promise<Principal> {
    const caller = await this.options.browser.holder(request);
    if (!caller) throw new Elsewhere(this.signInUrl(query));
    return caller;
  }

  private async personOf(caller: Principal, wanted: string | null): Promise<Person> {
    const db = this.options.store.read;
    const all = await membershipsOf.all(db, { user_id: caller.user_id });
    const member = all.find(({ firm_id }) => firm_id === wanted) ?? all[0];
    const firms: FirmTable[] = [];
    for (const { firm_id } of all) firms.push(present(await firmById.first(db, { id: firm_id }), "the firm"));
    const { firm_id, role } = present(member, "a signed-in person's firm");
    const firm = present(
      firms.find(({ id }) => id === firm_id),
      "the firm",
    );
    return { caller, firm, role, otherFirms: firms.filter((other) => other !== firm) };
  }

  private denied({ redirect_uri, state }: AuthorizationRequest, why: string): Elsewhere {
    return this.back(redirect_uri, { error: "access_denied", error_description: why, state });
  }

  /** Redirects to the client. `iss` identifies this server (RFC 9207). */
  private back(redirect_uri: string, answer: Readonly<Record<string, string | undefined>>): Elsewhere {
    return new Elsewhere(withParameters(redirect_uri, { ...answer, iss: this.options.baseUrl }));
  }

  private here(query: string): string {
    return `${this.options.baseUrl}/oauth/authorize${query}`;
  }

  private signInUrl(query: string): string {
    return `${this.options.baseUrl}/sign-in?${new URLSearchParams({ redirect_to: this.here(query) })}`;
  }
}

/** Creates the authorization endpoint, once per installation in `src/app.ts`. */
export const createAuthorize = (options: AuthorizeOptions): Authorize => new AuthorizationEndpoint(options);
