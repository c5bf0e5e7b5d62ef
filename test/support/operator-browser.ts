import { userByEmail } from "../../db/queries/firms.ts";
import type { Role } from "../../db/schema/tables.ts";
import { setOperator, setPassword } from "../../src/accounts/admin/users.ts";
import { createPasswords } from "../../src/accounts/auth/passwords.ts";
import { present } from "../../src/platform/assert.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import type { Ask, Firm, World } from "./harness.ts";
import { freshEmail, goodPassword, newcomer } from "./people.ts";

const own = { origin: "http://assay.test", "sec-fetch-site": "same-origin" };

/** A person's browser with a session, whose cookies accompany each request from the product's own pages. */
export interface Browser {
  ask(path: string, ask?: Ask): Promise<Response>;
}

/** Signs a person in as the page does, and returns the cookies as a browser sends them. */
async function cookiesOf(world: World, email: string): Promise<string> {
  const answer = await world.ask("/session", { body: { email, password: goodPassword }, headers: own });
  if (answer.status !== 204) throw new Error(`not signed in: ${answer.status} ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

async function signedIn(world: World, email: string): Promise<Browser> {
  const cookie = await cookiesOf(world, email);
  return {
    ask: (path, { headers, ...ask } = {}) => world.ask(path, { ...ask, headers: { ...own, ...headers, cookie } }),
  };
}

/** Returns the browser of a person who owns a new firm. */
export async function browserOf(world: World, email = freshEmail()): Promise<Browser> {
  await newcomer(world, email);
  return signedIn(world, email);
}

/** Returns the browser of a person of the firm, signed in with a password. */
export async function browserIn(world: World, firm: Firm, role: Role): Promise<Browser> {
  const hash = await createPasswords(systemRuntime).hash(goodPassword);
  await world.store.write((tx) => setPassword(tx, world.act, firm.people[role].id, hash));
  return signedIn(world, `${role}@${firm.id}.test`);
}

/** An operator's browser. */
export class OperatorBrowser implements Browser {
  private constructor(
    private readonly world: World,
    private readonly email: string,
    readonly id: string,
    /** The operator's access token, as a program would hold it. */
    readonly token: string,
    private readonly browser: Browser,
  ) {}

  static async open(world: World, email = freshEmail()): Promise<OperatorBrowser> {
    const { access_token } = await newcomer(world, email);
    const user = present(await userByEmail(world.store.read, email), "the operator");
    await world.store.write((tx) => setOperator(tx, { actor: "operator", at: world.clock.now() }, user, true));
    return new OperatorBrowser(world, email, user.id, access_token, await signedIn(world, email));
  }

  ask(path: string, ask?: Ask): Promise<Response> {
    return this.browser.ask(path, ask);
  }

  /** Opens another session of the operator. */
  again(): Promise<Browser> {
    return signedIn(this.world, this.email);
  }
}
