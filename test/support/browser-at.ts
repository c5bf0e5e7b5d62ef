import { type Ask, isAsItIs } from "./harness.ts";
import type { Browser } from "./operator-browser.ts";
import { goodPassword } from "./people.ts";

/**
 * Returns the browser of the operator of the server at `url`, signed in. If `link` is given, it first sets the
 * operator's password through it.
 */
export async function browserAt(url: string, email: string, link: string | null): Promise<Browser> {
  const own = { origin: url, "sec-fetch-site": "same-origin" };
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...own, "content-type": "application/json" },
    });
  if (link !== null) {
    const token = new URL(link).searchParams.get("token");
    await post("/auth/v1/reset-password", { token, password: goodPassword });
  }
  const session = await post("/session", { email, password: goodPassword });
  if (session.status !== 204) throw new Error(`not signed in: ${session.status} ${await session.text()}`);
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return {
    ask: (path, { method = "GET", body, headers }: Ask = {}) => {
      const sent = isAsItIs(body) ? { body } : {};
      return fetch(url + path, { method, headers: { ...own, ...headers, cookie }, ...sent });
    },
  };
}
