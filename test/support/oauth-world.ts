import * as oauth from "oauth4webapi";
import { present } from "../../src/platform/assert.ts";
import { sha256 } from "../../src/platform/ids.ts";
import type { Person, World } from "./harness.ts";

/** People in a browser, and the programs that request access from them, for the OAuth tests. */

export const base = "http://assay.test";
export const mcp = `${base}/mcp`;
export const callback = "http://127.0.0.1:53682/callback";
export const ownPage = { origin: base, "sec-fetch-site": "same-origin" };

/** The PKCE verifier. */
export const verifier = "v".repeat(64);
export const challengeOf = (text: string): string => sha256(text).toString("base64url");

/** Signs a person in and returns the cookies. */
export async function signedIn(world: World, { id }: Pick<Person, "id">): Promise<string> {
  const { access_token, refresh_token } = await world.app.parts.sessions.open(id, "email");
  return `assay_access=${access_token}; assay_refresh=${refresh_token}`;
}

/** Registers a client and returns its id. */
export async function register(world: World, metadata: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const body = { client_name: "Test client", redirect_uris: ["http://127.0.0.1/callback"], ...metadata };
  const answer = await world.ask("/oauth/register", { body });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { client_id: string }).client_id;
}

export type Values = Readonly<Record<string, string | undefined>>;
const given = (values: Values): [string, string][] =>
  Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);

/** Returns the path of a valid authorisation request with `other` overriding its parameters; `undefined` omits one. */
export const authorizePath = (client_id: string, other: Values = {}): string =>
  `/oauth/authorize?${new URLSearchParams(
    given({
      ...{ client_id, redirect_uri: callback, response_type: "code", state: "s t&te", resource: mcp },
      ...{ code_challenge: challengeOf(verifier), code_challenge_method: "S256", ...other },
    }),
  )}`;

/** Splits a redirect's location into its address and its query parameters. */
export function landing(response: Response): { readonly at: string; readonly said: Readonly<Record<string, string>> } {
  const url = present(response.headers.get("location") ?? undefined, `a redirect, not ${response.status}`);
  const [at = "", query = ""] = url.split(/\?(.*)/s);
  return { at, said: Object.fromEntries(new URLSearchParams(query)) };
}

/** Returns the values of the page's form, as a browser would send them. */
export function formIn(page: string): URLSearchParams {
  const form = new URLSearchParams();
  for (const [tag] of page.matchAll(/<input [^>]*>/g)) {
    const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
    if (value("type") !== "checkbox" || tag.includes(" checked"))
      form.append(value("name") ?? "", value("value") ?? "");
  }
  const workspace = /<option value="([^"]*)"( selected)?>/.exec(page)?.[1];
  if (workspace !== undefined) form.set("workspace_id", workspace);
  return form;
}

export interface Decision {
  readonly decision?: "allow" | "deny";
  /** The scopes left ticked; all if absent. */
  readonly scopes?: readonly string[];
  readonly workspace_id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Submits the page's form. */
export function decide(world: World, cookie: string, page: string, how: Decision = {}): Promise<Response> {
  const form = formIn(page);
  form.set("decision", how.decision ?? "allow");
  if (how.scopes) {
    form.delete("scope");
    for (const scope of how.scopes) form.append("scope", scope);
  }
  if (how.workspace_id !== undefined) form.set("workspace_id", how.workspace_id);
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded", ...(how.headers ?? ownPage) };
  return world.ask("/oauth/authorize", { body: form.toString(), headers });
}

/** Opens the consent page and submits a decision. */
export async function consent(world: World, cookie: string, path: string, how: Decision = {}): Promise<Response> {
  const page = await world.ask(path, { headers: { cookie } });
  if (page.status !== 200) throw new Error(`no page: ${page.status} ${page.headers.get("location")}`);
  return decide(world, cookie, await page.text(), how);
}

/** Returns an authorisation code that a person granted to the client. */
export async function codeFor(world: World, cookie: string, client_id: string, other: Values = {}, how: Decision = {}) {
  const { said } = landing(await consent(world, cookie, authorizePath(client_id, other), how));
  return present(said.code, `a code, not ${JSON.stringify(said)}`);
}

export const sendForm = (world: World, path: string, values: Values, headers: Record<string, string> = {}) =>
  world.ask(path, {
    body: new URLSearchParams(given(values)).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });

/** Exchanges a code with valid parameters, overridden by `other`. */
export const exchange = (world: World, client_id: string, code: string, other: Values = {}): Promise<Response> =>
  sendForm(world, "/oauth/token", {
    ...{ grant_type: "authorization_code", client_id, code, redirect_uri: callback, code_verifier: verifier },
    ...{ resource: mcp, ...other },
  });

export const refresh = (world: World, client_id: string, refresh_token: string, other: Values = {}) =>
  sendForm(world, "/oauth/token", { grant_type: "refresh_token", client_id, refresh_token, ...other });

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly expires_in: number;
}
export async function tokensIn(response: Response | Promise<Response>): Promise<Tokens> {
  const answer = await response;
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Tokens;
}

/** Returns the tokens of a client that the person authorised. */
export async function connected(world: World, cookie: string, client_id: string, how: Decision = {}): Promise<Tokens> {
  return tokensIn(exchange(world, client_id, await codeFor(world, cookie, client_id, {}, how)));
}

/** Returns whom `/mcp` identifies as the holder of a credential. */
export const caller = (world: World, credential: string, path = "/mcp") =>
  world.app.parts.connections.identifyMcp(
    new Request(base + path, { headers: credential === "" ? {} : { authorization: `Bearer ${credential}` } }),
  );

/** Returns the status and code of an OAuth error response. */
export async function protocolRefusal(response: Response | Promise<Response>): Promise<[number, string]> {
  const answer = await response;
  const { error } = (await answer.json()) as { error: string };
  return [answer.status, error];
}

/** Sends the requests of a strict client to the app. */
export const strict = (world: World) => ({
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: async (url: string, init: oauth.CustomFetchOptions<string, RequestInit["body"]>) =>
    world.app.fetch(new Request(url, init as RequestInit)),
});
