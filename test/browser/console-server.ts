import { unscoped } from "../../db/tenancy.ts";
import { grantCredits } from "../../src/accounts/admin/credits.ts";
import type { AppOptions } from "../../src/app.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { World } from "../support/harness.ts";
import { bicycles } from "../support/validator-world.ts";
import { launch } from "./chromium.ts";
import type { Console } from "./console-walk.ts";

/** A console in a browser, with its world. */
export interface OpenedConsole {
  readonly world: World;
  readonly console: Console;
  /** The token of the person who signed up, who owns a firm with credits. */
  readonly token: string;
  close(): Promise<void>;
}

const password = "four words nobody combines";
const email = "eva@firma.test";

/** Serves the complete catalogue with its real engines and these gates open. */
export async function openConsole(gates: readonly string[], options: Partial<AppOptions> = {}): Promise<OpenedConsole> {
  let answer = async (_request: Request): Promise<Response> => new Response(null, { status: 503 });
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(request) });
  const base = `http://127.0.0.1:${server.port}`;
  const world = await World.open(undefined, { baseUrl: base, capabilities, useCases, stepEngines: {}, ...options });
  await world.openGates(...gates);
  await world.app.recover();
  answer = async (request) => world.app.fetch(request);
  const signedUp = await world.ask("/auth/v1/signup", { body: { email, password } });
  const { access_token: token } = (await signedUp.json()) as { access_token: string };
  const { id } = await unscoped(world.store.read).selectFrom("firms").select("id").executeTakeFirstOrThrow();
  const granted = { firm_id: id, credits: 100_000, reason: "test" };
  await world.store.write((tx) => grantCredits(tx, world.act, granted));
  const console: Console = { browser: await launch(), base, email, password };
  return {
    world,
    console,
    token,
    async close() {
      await console.browser.close();
      await server.stop(true);
      await world[Symbol.asyncDispose]();
    },
  };
}

/**
 * Asks twenty people about a hypothesis, by default one that states all of its parts, and returns the id of the
 * completed study.
 */
export async function askedStudy({ world, token: as }: OpenedConsole, hypothesis = bicycles): Promise<string> {
  const described = { name: "Riders", description: "Adults who ride to work.", market: "CZ", size: 20 };
  const { audience_id } = (await (await world.ask("/v1/validator/audiences", { as, body: described })).json()) as {
    audience_id: string;
  };
  const asked = await world.ask("/v1/validator/validations", {
    as,
    body: { hypothesis, audience_id, decision_size: "XL" },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  const { simulation_id } = (await asked.json()) as { simulation_id: string };
  await world.idle();
  return simulation_id;
}
