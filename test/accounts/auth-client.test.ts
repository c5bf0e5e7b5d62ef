import { afterAll, expect, test } from "bun:test";
import { GoTrueClient, isAuthApiError } from "@supabase/auth-js";
import { smtpTransport } from "../../src/integrations/mail/smtp.ts";
import { present } from "../../src/platform/assert.ts";
import { World } from "../support/harness.ts";
import { freshEmail, goodPassword, mailTo, tokenIn } from "../support/people.ts";
import { PostOffice } from "../support/smtp.ts";

/** Serves the world on a port. The client compares times with the machine's clock, so the world's is set to it. */
async function serve(world: World) {
  world.clock.advance(Date.now() - world.clock.now());
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: world.app.fetch });
  return { url: `http://127.0.0.1:${server.port}/auth/v1`, stop: () => server.stop(true) };
}

const world = await World.open();
const server = await serve(world);
const office = await PostOffice.open();
const mailing = await World.open(undefined, { mail: smtpTransport({ url: office.url, from: "no-reply@assay.test" }) });
await mailing.app.recover();
const mailingServer = await serve(mailing);
afterAll(async () => {
  await Promise.all([server.stop(), mailingServer.stop()]);
  await Promise.all([world[Symbol.asyncDispose](), mailing[Symbol.asyncDispose]()]);
  await office[Symbol.asyncDispose]();
});

/** Returns a client as another application would create it. */
const client = (url = server.url) =>
  new GoTrueClient({ url, autoRefreshToken: false, storageKey: `test-${crypto.randomUUID()}` });

/** Signs a person up and returns their client. */
async function signedUp() {
  const auth = client();
  const email = freshEmail();
  const { data, error } = await auth.signUp({ email, password: goodPassword, options: { data: { colour: "red" } } });
  expect(error).toBeNull();
  return { auth, email, session: present(data.session, "a session") };
}

test("supabase's client signs up, and gets a session and a user", async () => {
  const { auth, email, session } = await signedUp();
  expect(session).toMatchObject({ token_type: "bearer", expires_in: 900, user: { email } });
  const { data } = await auth.getSession();
  expect(data.session?.access_token).toBe(session.access_token);
  expect((await auth.getUser()).data.user).toMatchObject({ email, app_metadata: { provider: "email" } });
});

test("supabase's client signs in by password, and reports a wrong one", async () => {
  const { email } = await signedUp();
  const auth = client();
  const wrong = await auth.signInWithPassword({ email, password: "not the one" });
  expect(isAuthApiError(wrong.error)).toBe(true);
  expect(wrong.error).toMatchObject({ status: 401, code: "invalid_credentials" });
  const right = await auth.signInWithPassword({ email, password: goodPassword });
  expect(right.data.user?.email).toBe(email);
});

test("supabase's client refreshes its session", async () => {
  const { auth, session } = await signedUp();
  const { data, error } = await auth.refreshSession();
  expect(error).toBeNull();
  expect(data.session?.refresh_token).not.toBe(session.refresh_token);
  expect((await auth.getUser()).error).toBeNull();
});

test("supabase's client verifies access tokens itself with the public keys", async () => {
  const { auth, session } = await signedUp();
  const { data, error } = await auth.getClaims();
  expect(error).toBeNull();
  expect(data?.header.alg).toBe("ES256");
  expect(data?.claims).toMatchObject({ sub: session.user.id, role: "authenticated" });
});

test("supabase's client changes the password", async () => {
  const { auth, email } = await signedUp();
  const { error } = await auth.updateUser({ password: "a quite different one" });
  expect(error).toBeNull();
  const again = await client().signInWithPassword({ email, password: "a quite different one" });
  expect(again.error).toBeNull();
});

test("supabase's client reports why a password is refused", async () => {
  const { error } = await client().signUp({ email: freshEmail(), password: "short" });
  expect(error).toMatchObject({ status: 422, code: "validation_failed" });
});

for (const scope of ["local", "global", "others"] as const)
  test(`supabase's client signs out (${scope})`, async () => {
    const { auth, email, session } = await signedUp();
    const other = client();
    await other.signInWithPassword({ email, password: goodPassword });
    expect((await auth.signOut({ scope })).error).toBeNull();
    const mine = await client().getUser(session.access_token);
    const others = await other.getUser();
    expect([mine.error === null, others.error === null]).toEqual([scope === "others", scope === "local"]);
    if (scope !== "others") expect((await auth.getSession()).data.session).toBeNull();
  });

test("supabase's client restores a session from its tokens", async () => {
  const { session } = await signedUp();
  const auth = client();
  const { access_token, refresh_token } = session;
  const { data, error } = await auth.setSession({ access_token, refresh_token });
  expect(error).toBeNull();
  expect(data.user?.id).toBe(session.user.id);
});

test("supabase's client requests a reset link", async () => {
  const { email } = await signedUp();
  const { error } = await client().resetPasswordForEmail(email, { redirectTo: "https://elsewhere.test/" });
  expect(error).toBeNull();
  expect((await mailTo(world, email)).text).toContain("http://assay.test/");
});

test("supabase's client waits for a confirmation, and confirms with the link's token", async () => {
  const auth = client(mailingServer.url);
  const email = freshEmail();
  const { data, error } = await auth.signUp({ email, password: goodPassword });
  expect(error).toBeNull();
  expect([data.session, data.user?.email]).toEqual([null, email]);
  const token_hash = tokenIn((await office.mailTo(email)).text);
  const confirmed = await auth.verifyOtp({ token_hash, type: "email" });
  expect(confirmed.error).toBeNull();
  expect((await auth.getUser()).data.user?.email).toBe(email);
});
