import { afterAll, describe, expect, test } from "bun:test";
import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { problems } from "../../src/platform/validate.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { errorIn, World } from "../support/harness.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());

/** Members that have to say something, and have no other form that blanks would break. */
function textsIn(schema: TSchema, at = ""): { readonly place: string; readonly schema: TSchema }[] {
  if (TypeGuard.IsObject(schema))
    return Object.entries(schema.properties).flatMap(([name, member]) => textsIn(member, `${at}/${name}`));
  if (TypeGuard.IsArray(schema)) return textsIn(schema.items, `${at}/*`);
  if (!TypeGuard.IsString(schema) || (schema.minLength ?? 0) === 0 || schema.format === "uri") return [];
  return [{ place: at, schema }];
}

describe("text of blanks alone is refused", () => {
  const inputs = [...capabilities, ...useCases].map(({ slug, input_schema }) => [slug, input_schema] as const);
  test.each(inputs)("in the input of %s", (_, input_schema) => {
    for (const { place, schema } of textsIn(input_schema)) {
      const blank = " ".repeat(schema.minLength ?? 1);
      expect([place, problems(schema, blank, place)]).toEqual([place, [expect.objectContaining({ path: place })]]);
    }
  });

  test("in the name of a saved configuration, a key and a connection", async () => {
    const firm = await world.firm();
    const asks = [
      ["/v1/saved-configurations", firm.key, { name: "  ", capability: "echo", input: { text: "x" } }],
      [
        "/v1/developer/api-keys",
        firm.people.owner.token,
        { name: "  ", scopes: ["runs:read"], workspace_id: firm.workspaces[0] },
      ],
      ["/v1/developer/connections", firm.people.owner.token, { name: "  ", workspace_id: firm.workspaces[0] }],
    ] as const;
    for (const [path, as, body] of asks) {
      const answer = await world.ask(path, { as, body });
      expect([path, answer.status]).toEqual([path, 422]);
      expect((await errorIn(answer)).details?.map((detail) => detail.path)).toEqual(["/body/name"]);
    }
  });

  test("and the refusal says so in words", () => {
    const name = capabilities.find(({ slug }) => slug === "exa-filter")?.input_schema.properties.question;
    if (!name) throw new Error("it asks a question");
    expect(problems(name, "     ", "/body/input/question")).toEqual([
      { path: "/body/input/question", message: "must have more than blanks" },
    ]);
  });
});
