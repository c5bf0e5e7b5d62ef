import { describe, expect, test } from "bun:test";
import { rfc3339 } from "../../src/platform/clock.ts";
import { refusal, World } from "../support/harness.ts";

describe("the profile of a key's owner", () => {
  test("has six fields and is the owner's only, whatever is requested", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const { secret } = await world.key(firm, ["profile:read"], { user: firm.people.member.id });
    expect(await (await world.ask("/v1/me", { as: secret })).json()).toEqual({
      id: firm.people.member.id,
      email: `member@${firm.id}.test`,
      full_name: null,
      locale: "en",
      country: null,
      created_at: rfc3339(world.clock.now()),
    });
    // Another person's id can't be given: unknown parameters are refused instead of ignored.
    const asked = `/v1/me?user_id=${other.people.owner.id}&id=${firm.people.owner.id}`;
    expect(await refusal(await world.ask(asked, { as: secret }))).toEqual([422, "validation_error"]);
  });

  test("is 404 profile_not_found if missing", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.store.sqlite.run("pragma foreign_keys = off");
    await world.store.write((tx) => tx.deleteFrom("users").where("id", "=", firm.people.owner.id).execute());
    expect(await refusal(await world.ask("/v1/me", { as: firm.key }))).toEqual([404, "profile_not_found"]);
  });

  test("lists the key's own workspace only, with its owner's role", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { secret } = await world.key(firm, ["workspaces:read"], {
      workspace: firm.workspaces[1],
      user: firm.people.admin.id,
    });
    expect(await (await world.ask("/v1/workspaces", { as: secret })).json()).toEqual([
      {
        id: firm.workspaces[1],
        name: "Second",
        slug: "second",
        firm: { id: firm.id, name: expect.stringContaining("Firm ") },
        role: "admin",
        status: "active",
        created_at: rfc3339(world.clock.now()),
      },
    ]);
  });

  test("is not available to a person's token", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    for (const path of ["/v1/me", "/v1/workspaces"])
      expect(await refusal(await world.ask(path, { as: firm.people.owner.token }))).toEqual([401, "invalid_api_key"]);
  });
});
