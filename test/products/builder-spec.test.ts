import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BuilderSpec } from "../../src/products/architect/builder-spec.ts";
import type { Unlocked } from "../../src/products/architect/schema.ts";
import { askArchitect, begun, openArchitect, told } from "../support/architect-world.ts";
import type { Firm, World } from "../support/harness.ts";

/** Tests a specification as its builder would: its commands run in a shell, against a server. */

let world: World;
let firm: Firm;
let server: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  world = await openArchitect();
  firm = await world.firm();
  const { app } = world;
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request, own) => app.fetch(request, own) });
});
afterAll(async () => {
  await server.stop(true);
  await world[Symbol.asyncDispose]();
});

const goals = [
  "Test a hypothesis on personas",
  "Answer questions from our own terms",
  "Compare the population of markets",
];

async function specOf(template: string): Promise<BuilderSpec> {
  const { solution_id } = await begun(world, firm, { goals });
  const choices = [{ need: "proposition_test", product: "market-validator" }];
  await told(askArchitect(world, firm, "design", { solution_id, choices }));
  const body = { solution_id, email: "builder@example.com", consent: true };
  const { token } = await told<(typeof Unlocked)["static"]>(askArchitect(world, firm, "unlock", body));
  return told(world.ask(`/v1/solution-architect/builder-spec/${token}?template=${template}`));
}

/** Returns the exit status and the output of a command. */
async function tried(command: string, url: string): Promise<[number, string]> {
  const env = { PATH: process.env.PATH ?? "", ASSAY_BASE_URL: url, ASSAY_API_KEY: firm.key };
  const shell = Bun.spawn(["bash", "-c", command], { env, stdout: "pipe", stderr: "ignore" });
  return [await shell.exited, (await shell.stdout.text()).trim()];
}

test.each(["messaging-channel", "web-comparator"])(
  "the commands of a specification for a %s pass against the server, start nothing, and fail without a server",
  async (template) => {
    const { acceptance_tests, products } = await specOf(template);
    expect(products.map(({ slug }) => slug)).toContain("market-validator");
    const commands = acceptance_tests.flatMap(({ command }) => command ?? []);
    expect(commands.filter((command) => command.includes("/quote"))).not.toEqual([]);
    const runs = await world.count("runs");
    for (const command of commands) {
      expect([command, ...(await tried(command, server.url.origin))]).toEqual([command, 0, "pass"]);
      const [code, said] = await tried(command, "http://127.0.0.1:1");
      expect([command, code, said]).toEqual([command, 1, ""]);
    }
    expect(await world.count("runs")).toBe(runs);
  },
);

test("a price above the saved one fails its test, and a lower one passes", async () => {
  const { acceptance_tests } = await specOf("web-comparator");
  const command = acceptance_tests.flatMap((one) => (one.command?.includes("/quote") ? one.command : []))[0] ?? "";
  const answers = async (maximum_credits: number) => {
    await using dearer = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => Response.json({ id: "q", maximum_credits, reserved_credits: 0, steps: [{ maximum_credits: 0 }] }),
    });
    return await tried(command.replace(/-le \d+/, "-le 500"), dearer.url.origin);
  };
  expect(await answers(501)).toEqual([1, ""]);
  expect(await answers(499)).toEqual([0, "pass"]);
});
