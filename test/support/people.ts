import { newestMail } from "../../db/queries/mail-outbox.ts";
import type { MailTable } from "../../db/schema/auth-tables.ts";
import type { Session } from "../../src/accounts/auth/schema.ts";
import { present } from "../../src/platform/assert.ts";
import { until, type World } from "./harness.ts";

/** A password that is not among the common ones. */
export const goodPassword = "Pruhovany hroch 7 pije caj";

let people = 0;
/** Returns an unused email address. */
export const freshEmail = (): string => `person${++people}@people.test`;

export const signUp = (world: World, body: Readonly<Record<string, unknown>>, headers: Record<string, string> = {}) =>
  world.ask("/auth/v1/signup", { body: { password: goodPassword, ...body }, headers });

export const signIn = (world: World, email: string, password = goodPassword): Promise<Response> =>
  world.ask("/auth/v1/token?grant_type=password", { body: { email, password } });

export const refresh = (world: World, refresh_token: string): Promise<Response> =>
  world.ask("/auth/v1/token?grant_type=refresh_token", { body: { refresh_token } });

/** Returns the session in a response. */
export async function sessionIn(response: Response | Promise<Response>): Promise<Session> {
  const answer = await response;
  if (answer.status !== 200) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Session;
}

/** Signs a new person up, without email. */
export const newcomer = (world: World, email = freshEmail()): Promise<Session> => sessionIn(signUp(world, { email }));

/** Checks whether an access token is accepted. */
export const isLetIn = async (world: World, access_token: string): Promise<boolean> =>
  (await world.ask("/auth/v1/user", { as: access_token })).status === 200;

/** Returns the newest message to an address, once at least `count` have been sent. */
export async function mailTo(world: World, email: string, count = 1): Promise<MailTable> {
  const all = async () => (await newestMail(world.store.read, 100)).filter((mail) => mail.recipient === email);
  await until(async () => (await all()).length >= count, `${count} messages to ${email}`);
  return present((await all())[0], "the newest message");
}

/** Returns the secret in a message's link. */
export const tokenIn = (text: string): string => present(/(?:token|invite)=(\w+)/.exec(text)?.[1], "a link's token");
