import { afterAll, beforeAll, expect, test } from "bun:test";
import { present } from "../../src/platform/assert.ts";
import { Installation, type Serving } from "../support/operator.ts";
import { goodPassword } from "../support/people.ts";
import { commandLine } from "../support/under-test.ts";

const here = new Installation();
let server: Serving;
beforeAll(async () => {
  await here.init();
  server = await here.serve();
});
afterAll(() => here[Symbol.asyncDispose]());

const email = "owner@acme.test";
const post = (path: string, body: unknown) =>
  fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const signIn = (password: string, who = email) => post("/auth/v1/token?grant_type=password", { email: who, password });

/** Runs a command with this stdin. */
async function runWith(stdin: string, ...args: string[]) {
  const child = Bun.spawn(commandLine([...args, "--data", here.data]), {
    cwd: here.folder,
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [err, code] = await Promise.all([child.stderr.text(), child.exited]);
  return { code, err };
}

test("without a sign-up setting, only invited people get an account", async () => {
  const refused = await post("/auth/v1/signup", { email: "stranger@elsewhere.test", password: goodPassword });
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("/body/invite")]);
});

test("an operator sets a password from stdin, which works and ends the person's sessions", async () => {
  const weak = await runWith("password1234\n", "admin", "users", "set-password", email);
  expect([weak.code, weak.err]).toEqual([2, expect.stringContaining("is too common")]);
  const short = await runWith("short\n", "admin", "users", "set-password", email);
  expect(short.code).toBe(2);
  expect((await runWith(`${goodPassword}\n`, "admin", "users", "set-password", email)).code).toBe(0);
  const session = (await (await signIn(goodPassword)).json()) as { access_token: string };
  const user = () =>
    fetch(`${server.url}/auth/v1/user`, { headers: { authorization: `Bearer ${session.access_token}` } });
  expect((await user()).status).toBe(200);
  expect((await runWith("a quite different one", "admin", "users", "set-password", email)).code).toBe(0);
  expect((await user()).status).toBe(401);
  expect((await signIn("a quite different one")).status).toBe(200);
});

test("an operator lists a person's sessions, and ends one", async () => {
  await runWith(goodPassword, "admin", "users", "set-password", email);
  await signIn(goodPassword);
  const list = () => here.json<{ provider: string }[]>("admin", "sessions", "list", email);
  expect(await list()).toMatchObject([{ provider: "email" }]);
  expect(await here.json<object>("admin", "sessions", "revoke", email)).toEqual({ revoked: 1 });
  expect(await list()).toEqual([]);
});

test("an operator invites a person, whose link leads into the firm, and revokes an invitation", async () => {
  const created = await here.json<{ link: string }>("admin", "invitations", "create", "--email", "new@acme.test");
  const invite = present(new URL(created.link).searchParams.get("invite"), "the link's secret");
  const answer = await post("/auth/v1/signup", { email: "new@acme.test", password: goodPassword, invite });
  expect(answer.status).toBe(200);
  const users = await here.json<{ email: string; role: string }[]>("admin", "users", "list");
  expect(users).toContainEqual(expect.objectContaining({ email: "new@acme.test", role: "member" }));
  const second = await here.json<{ id: string; link: string }>(
    ...["admin", "invitations", "create", "--email", "late@acme.test", "--role", "approver", "--mail", "de"],
  );
  const [mail] = await here.json<{ id: string; subject: string }[]>("admin", "mail", "list");
  expect(mail?.subject).toBe("Einladung zu Assay");
  const shown = await here.run("admin", "mail", "show", mail?.id ?? "");
  expect(shown.out).toContain(second.link);
  expect((await here.run("admin", "invitations", "withdraw", second.id)).code).toBe(0);
  expect((await here.run("admin", "invitations", "withdraw", second.id)).code).toBe(2);
  const states = await here.json<{ email: string; state: string }[]>("admin", "invitations", "list");
  expect(states.map((one) => [one.email, one.state])).toEqual([["new@acme.test", "accepted"]]);
});

test("without mail a reset link waits in the operator's outbox", async () => {
  const [known, unknown] = [
    await post("/auth/v1/recover", { email }),
    await post("/auth/v1/recover", { email: "x@y.test" }),
  ];
  expect([known.status, unknown.status]).toEqual([202, 202]);
  const told = await known.text();
  expect(told).toContain("ask the operator for the link");
  expect(await unknown.text()).toBe(told);
  const waiting = async () => {
    const all = await here.json<{ id: string; subject: string; state: string }[]>("admin", "mail", "list");
    return all.find(({ subject }) => subject === "Choose a new password");
  };
  let found = await waiting();
  for (let looks = 0; !found && looks < 20; looks++) found = await waiting();
  expect(found?.state).toBe("waiting");
  const { text } = await here.json<{ text: string }>("admin", "mail", "show", present(found, "the message").id);
  const token = present(/token=(\w+)/.exec(text)?.[1], "the link's token");
  const password = "one more good password";
  expect((await post("/auth/v1/reset-password", { token, password })).status).toBe(204);
  expect((await signIn(password)).status).toBe(200);
});

test("an operator rotates the signing key", async () => {
  const list = () => here.json<{ id: string; state: string }[]>("admin", "signing-keys", "list");
  const [before] = await list();
  const { id } = await here.json<{ id: string }>("admin", "signing-keys", "rotate");
  expect(await list()).toMatchObject([
    { id, state: "in use" },
    { id: before?.id ?? "", state: "retired" },
  ]);
});
