import { expect, test } from "bun:test";
import { DeveloperApiKeyCreateRequest } from "../../src/accounts/developer/schema.ts";
import { newId } from "../../src/platform/ids.ts";
import { problems } from "../../src/platform/validate.ts";
import { UnlockRequest } from "../../src/products/architect/schema.ts";
import { errorIn, World } from "../support/harness.ts";

const id = newId();
const key = { name: "Nightly", scopes: ["runs:read"], workspace_id: id };

test.each([
  [
    "a date instead of a timestamp",
    DeveloperApiKeyCreateRequest,
    { ...key, expires_at: "2027-01-01" },
    "must be a date with time and zone, such as 2030-12-31T23:59:59Z, in the years 0000 to 9999 (UTC)",
  ],
  [
    "an invalid address",
    UnlockRequest,
    { solution_id: id, email: "nobody", consent: true },
    "must be an e-mail address",
  ],
])("%s is refused with an explanation, not a pattern", (_, schema, value, message) => {
  expect(problems(schema, value, "/body").map((one) => one.message)).toEqual([message]);
});

test("an unknown parameter is called a parameter", async () => {
  await using world = await World.open();
  const firm = await world.firm();
  const answer = await world.ask("/v1/runs?limits=1", { as: firm.key });
  expect((await errorIn(answer)).details).toEqual([
    { path: "/query/limits", message: "is not a parameter of this request" },
  ]);
});
