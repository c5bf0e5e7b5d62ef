import { createHash } from "node:crypto";
import { randomBase64url } from "../../platform/ids.ts";
import { CommandError, type Io } from "../io.ts";
import { harmless, wrap } from "./screen.ts";
import { sessionOf } from "./session.ts";
import type { StoredSession } from "./store.ts";
import { send } from "./transport.ts";

/** Browser sign-in: an authorization code with PKCE, redirected to a port of this machine (RFC 8252, 7.3). */

const clientId = "assay-cli";

/** Returns the page that the browser ends on. It contains nothing from the request. */
function page(title: string, text: string, status: number): Response {
  const style = "body{font:18px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}";
  const look = `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">`;
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8">${look}<title>${title}</title><style>${style}</style><main><h1>${title}</h1><p>${text}</p></main></html>`,
    {
      status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        connection: "close",
      },
    },
  );
}

const strange = () => page("Unexpected request", "Go back to the terminal and start again there.", 400);

/** The authorization server's redirect: a code, or the error. */
type Answer = { readonly code: string } | { readonly refused: CommandError };

function answerOf(query: URLSearchParams, issuer: string): Answer {
  // RFC 9207: a code from another server must not be exchanged at this one.
  if (query.get("iss") !== issuer)
    return { refused: new CommandError(3, "The browser came back from a different server.") };
  const code = query.get("code");
  if (code) return { code };
  const error = harmless(query.get("error") ?? "no code");
  if (error === "access_denied") return { refused: new CommandError(3, "The sign-in was declined in the browser.") };
  return { refused: new CommandError(3, `The server refused the sign-in (${error.slice(0, 80)}).`) };
}

/** Listens on a free port of this machine for the browser. Requests without the right state are refused. */
function listen({ runtime }: Io, state: string, issuer: string) {
  const answered = Promise.withResolvers<Answer>();
  const ended = Promise.withResolvers<boolean>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method !== "GET" || pathname !== "/callback") return new Response(null, { status: 404 });
      if (searchParams.get("state") !== state) return strange();
      answered.resolve(answerOf(searchParams, issuer));
      return (await ended.promise)
        ? page("You are signed in", "You can close this window and go back to the terminal.", 200)
        : page("You are not signed in", "The terminal shows the reason. You can close this window.", 403);
    },
  });
  return {
    redirectUri: `http://127.0.0.1:${server.port}/callback`,
    port: server.port,
    answer: answered.promise,
    /** Shows the outcome in the browser and stops listening. */
    async end(isSignedIn: boolean): Promise<void> {
      ended.resolve(isSignedIn);
      const deadline = runtime.elapsed() + 2_000;
      while (server.pendingRequests > 0 && runtime.elapsed() < deadline) await runtime.sleep(10);
      await server.stop(true);
    },
  };
}

/** Returns the command that opens a URL; `undefined` if there is no desktop to open it on. */
export function opener(env: Io["env"], platform: NodeJS.Platform, url: string): readonly string[] | undefined {
  if (env.BROWSER) {
    const words = env.BROWSER.split(" ").filter((word) => word !== "");
    return words.some((word) => word.includes("%s")) ? words.map((word) => word.replace("%s", url)) : [...words, url];
  }
  if (platform === "darwin") return ["open", url];
  // Not through a shell: a URL has characters that cmd.exe would interpret.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open", url] : undefined;
}

/** Starts a browser, detached. Returns false if that fails. */
function openBrowser(io: Io, url: string): boolean {
  const command = opener(io.env, process.platform, url);
  if (!command) return false;
  try {
    const child = Bun.spawn([...command], { stdio: ["ignore", "ignore", "ignore"], detached: true });
    child.unref();
    return true;
  } catch {
    return false;
  }
}

/** Throws exit 1 if the server has no browser sign-in or calls itself by another address. */
async function checkServer(io: Io, baseUrl: string): Promise<void> {
  const [response, text] = await send(io, `${baseUrl}/.well-known/oauth-authorization-server`, {});
  let issuer: unknown;
  try {
    issuer = response.ok ? JSON.parse(text).issuer : undefined;
  } catch {
    // Reported below, with all other invalid metadata.
  }
  if (typeof issuer !== "string")
    throw new CommandError(
      1,
      `${baseUrl} offers no browser sign-in.`,
      "Check --base-url. With an API key: assay login --api-key",
    );
  if (issuer !== baseUrl)
    throw new CommandError(
      1,
      `The server at ${baseUrl} calls itself ${harmless(issuer)}.`,
      `Use that address: assay login --base-url ${harmless(issuer)}`,
    );
}

async function exchange(io: Io, baseUrl: string, form: Record<string, string>): Promise<StoredSession> {
  const [response, text] = await send(io, `${baseUrl}/oauth/token`, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(form),
  });
  const session = response.ok ? sessionOf(text) : undefined;
  if (session) return session;
  throw new CommandError(3, `The server did not accept the sign-in (${response.status}).`, "Try again: assay login");
}

/** Signs a person in with their browser. Throws exit 3 if that is declined and exit 1 if it takes too long. */
export async function signInByBrowser(
  io: Io,
  baseUrl: string,
  options: { readonly browser: boolean; readonly timeoutSeconds: number },
): Promise<StoredSession> {
  await checkServer(io, baseUrl);
  const [state, verifier] = [randomBase64url(io.runtime), randomBase64url(io.runtime)];
  const loopback = listen(io, state, baseUrl);
  const { redirectUri, port } = loopback;
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state,
    resource: baseUrl,
    scope: "account",
  });
  const url = `${baseUrl}/oauth/authorize?${query}`;
  const isOpened = options.browser && openBrowser(io, url);
  io.err(
    isOpened ? "Sign in with the browser. If it did not open, go to:" : "Open this address in a browser and sign in:",
  );
  io.err(url);
  if (!isOpened)
    for (const line of wrap(
      `If the browser is on another machine, forward the port first: ssh -L ${port}:127.0.0.1:${port} THIS-HOST`,
      io.errColumns,
    ))
      io.err(line);
  let isSignedIn = false;
  try {
    const answer = await answerInTime(io, loopback.answer, options.timeoutSeconds);
    if ("refused" in answer) throw answer.refused;
    const form = { grant_type: "authorization_code", client_id: clientId, redirect_uri: redirectUri };
    const session = await exchange(io, baseUrl, {
      ...form,
      code: answer.code,
      code_verifier: verifier,
      resource: baseUrl,
    });
    isSignedIn = true;
    return session;
  } finally {
    await loopback.end(isSignedIn);
  }
}

/** Waits for the browser. Throws exit 1 at the timeout and exit 130 at Ctrl-C. */
async function answerInTime(io: Io, answer: Promise<Answer>, seconds: number): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const advice = "Try again, or sign in with an API key: assay login --api-key";
  const late = () => reject(new CommandError(1, `No sign-in within ${seconds} s.`, advice));
  const stop = () => reject(new CommandError(130, "Stopped. You are not signed in.", advice));
  const disarm = io.runtime.after(seconds * 1_000, late);
  process.once("SIGINT", stop);
  io.err(`Waiting for the browser, at most ${seconds} s. Ctrl-C stops.`);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    disarm();
    process.off("SIGINT", stop);
  }
}
