import { createHash } from "node:crypto";

const redirect_uri = "http://127.0.0.1:53682/callback";
const verifier = "v".repeat(64);
const name = "Stored client";

/** Returns the values of the consent page's form, as a browser would send them. */
function formIn(page: string): URLSearchParams {
  const form = new URLSearchParams({ decision: "allow" });
  for (const [tag] of page.matchAll(/<input [^>]*>/g)) {
    const value = (attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1];
    if (value("type") !== "checkbox" || tag.includes(" checked"))
      form.append(value("name") ?? "", value("value") ?? "");
  }
  const workspace = /<option value="([^"]*)"/.exec(page)?.[1];
  if (workspace !== undefined) form.set("workspace_id", workspace);
  return form;
}

async function json<T>(response: Promise<Response>): Promise<T> {
  const answer = await response;
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} was answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** Registers an OAuth client, authorises it for a person and exchanges its code. Returns its identification. */
export async function connectClient(url: string, person: { readonly email: string; readonly password: string }) {
  const post = (path: string, body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    fetch(url + path, { method: "POST", body, headers, redirect: "manual" });
  const asJson = { "content-type": "application/json" };
  const signIn = JSON.stringify({ email: person.email, password: person.password });
  const session = await json<{ access_token: string; refresh_token: string }>(
    post("/auth/v1/token?grant_type=password", signIn, asJson),
  );
  const cookie = `assay_access=${session.access_token}; assay_refresh=${session.refresh_token}`;
  const metadata = JSON.stringify({ client_name: name, redirect_uris: ["http://127.0.0.1/callback"] });
  const { client_id } = await json<{ client_id: string }>(post("/oauth/register", metadata, asJson));
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  const asked = { client_id, redirect_uri, response_type: "code", state: "s", resource: `${url}/mcp`, code_challenge };
  const query = new URLSearchParams({ ...asked, code_challenge_method: "S256" });
  const page = await fetch(`${url}/oauth/authorize?${query}`, { headers: { cookie } });
  const form = formIn(await page.text());
  const own = { cookie, origin: url, "sec-fetch-site": "same-origin" };
  const decided = await post("/oauth/authorize", form, own);
  const code = new URL(decided.headers.get("location") ?? url).searchParams.get("code");
  if (code === null)
    throw new Error(`no authorisation code was issued: ${decided.status} ${decided.headers.get("location")}`);
  const given = { grant_type: "authorization_code", client_id, code, redirect_uri, code_verifier: verifier };
  await json(post("/oauth/token", new URLSearchParams({ ...given, resource: `${url}/mcp` })));
  return { client_id, name, person: person.email };
}
