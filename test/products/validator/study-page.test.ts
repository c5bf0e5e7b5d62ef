import { describe, expect, test } from "bun:test";
import type { Firm, World } from "../../support/harness.ts";
import { audienceOf, bicycles, ordered, validatorWorld } from "../../support/validator-world.ts";

async function studied(world: World, firm: Firm, given: object = {}): Promise<string> {
  const id = await ordered(world, firm, { audience_id: await audienceOf(world, firm, 20), ...given });
  await world.idle();
  return id;
}

interface Read {
  readonly verdict: string | null;
  readonly progress: object;
  readonly hypothesis: string;
  readonly people: readonly { readonly juster: number }[];
}

const open = (world: World, id: string, as?: string) => world.ask(`/v1/validator/validations/${id}`, { as });

describe("a study's page", () => {
  test("is visible to everyone in the firm: the question, the verdict and every persona's answer", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    for (const decision_size of ["S", "M", "L", "XL"]) {
      const id = await studied(world, firm, { decision_size });
      const response = await open(world, id, firm.people.approver.token);
      expect([decision_size, response.status]).toEqual([decision_size, 200]);
      const { verdict, hypothesis, people } = (await response.json()) as Read;
      expect(verdict).not.toBeNull();
      expect(hypothesis).toBe(bicycles);
      expect(people.length).toBe(20);
    }
  });

  test("redirects to sign-in, and back", async () => {
    await using world = await validatorWorld();
    const id = await studied(world, await world.firm());
    const response = await world.ask(`/console/validations/${id}`);
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("location") ?? "", `http://assay.test/console/validations/${id}`);
    expect(location.pathname).toBe("/sign-in");
    expect(location.searchParams.get("redirect_to")).toBe(`http://assay.test/console/validations/${id}`);
  });

  test("is 404 for another firm, an unknown id, and without the scope", async () => {
    await using world = await validatorWorld();
    const [firm, other] = [await world.firm(), await world.firm()];
    const id = await studied(world, firm);
    const bare = (await world.key(firm, ["docs:read"])).secret;
    expect((await open(world, id)).status).toBe(401);
    expect((await open(world, id, other.key)).status).toBe(404);
    expect((await open(world, crypto.randomUUID(), firm.key)).status).toBe(404);
    expect((await open(world, "1", firm.key)).status).toBe(422);
    expect((await open(world, id, bare)).status).toBe(403);
  });

  test("shows the progress of a running study", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm, 50);
    const id = await ordered(world, firm, { audience_id, hypothesis: bicycles });
    const { progress } = (await (await open(world, id, firm.key)).json()) as Read;
    expect(progress).toEqual({ completed: expect.any(Number), total: 50 });
  });
});
