import { expect } from "bun:test";
import { password, type Told, type World } from "./client-cli-world.ts";

/** A person with a browser, as far as HTTP is concerned: cookies, forms, and redirects to other addresses. */

/** A running command and its output on stderr. */
export interface Talking {
  readonly child: Bun.Subprocess<"ignore" | Blob, "pipe", "pipe">;
  /** Resolves with the first match in the output, past or future. */
  said(pattern: RegExp): Promise<string>;
  ended(): Promise<Told>;
}

/** Starts a command and reads its output while it runs. */
export function talking(world: World, args: readonly string[], env: Readonly<Record<string, string>>): Talking {
  const child = world.start(args, { env });
  let err = "";
  const listeners = new Set<() => void>();
  const hearing = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of child.stderr) {
      err += decoder.decode(bytes, { stream: true });
      for (const listener of listeners) listener();
    }
    for (const listener of listeners) listener();
  })();
  const out = child.stdout.text();
  return {
    child,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const [match] = pattern.exec(err) ?? [];
          if (match !== undefined) resolve(match);
          else if (child.exitCode !== null) reject(new Error(`exited with ${child.exitCode}: ${err}`));
        };
        listeners.add(look);
        void hearing.then(look);
        look();
      }),
    async ended() {
      const code = await child.exited;
      await hearing;
      return { code, out: await out, err };
    },
  };
}

/** Signs the rich firm's owner in at the server and submits the consent page. Returns the redirect's location. */
export async function decideInBrowser(world: World, url: string, decision: "allow" | "deny"): Promise<string> {
  const origin = world.baseUrl;
  const signIn = await fetch(`${origin}/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ email: "rich@example.com", password }),
  });
  expect(signIn.status).toBe(204);
  const cookie = signIn.headers.getSetCookie().map((line) => line.split(";")[0]);
  const headers = { origin, cookie: cookie.join("; ") };
  const page = await fetch(url, { headers, redirect: "manual" });
  expect(page.status).toBe(200);
  const [, ticket = ""] = /name="ticket" value="([^"]+)"/.exec(await page.text()) ?? [];
  const body = new URLSearchParams({ ticket, decision });
  const sent = await fetch(`${origin}/oauth/authorize`, { method: "POST", headers, body, redirect: "manual" });
  expect(sent.status).toBe(303);
  return sent.headers.get("location") ?? "";
}
